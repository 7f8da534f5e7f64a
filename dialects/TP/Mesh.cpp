//===- Mesh.cpp - Between attributes and the plain algebra -----------------===//

#include "dialects/TP/TP.h"

using namespace mlir;
using namespace mlir::tp;

MeshOp tp::lookupMesh(Operation *op) {
  Operation *module = op;
  while (module && !isa<ModuleOp>(module))
    module = module->getParentOp();
  if (!module)
    return nullptr;
  for (Operation &nested : cast<ModuleOp>(module).getBody()->getOperations())
    if (auto mesh = dyn_cast<MeshOp>(nested))
      return mesh;
  return nullptr;
}

Mesh tp::getMesh(MeshOp op) {
  Mesh mesh;
  for (Attribute name : op.getAxisNames())
    mesh.names.push_back(cast<StringAttr>(name).str());
  mesh.sizes.assign(op.getAxisSizes().begin(), op.getAxisSizes().end());
  return mesh;
}

FailureOr<Mesh> tp::requireMesh(Operation *op) {
  if (MeshOp mesh = lookupMesh(op))
    return getMesh(mesh);
  return op->emitError("needs a tp.mesh in the module: give a plan with a mesh");
}

/// The part that `attr` names, or failure with one error.
static FailureOr<AxisPart> resolveAxis(AxisAttr attr, const Mesh &mesh,
                                       llvm::function_ref<InFlightDiagnostic()> emitError) {
  int axis = mesh.axisIndex(attr.getName().getValue());
  if (axis < 0) {
    InFlightDiagnostic diag = emitError() << "no axis \"" << attr.getName().getValue()
                                          << "\" in the mesh, which has ";
    llvm::interleaveComma(llvm::zip(mesh.names, mesh.sizes), diag, [&](auto pair) {
      diag << '"' << std::get<0>(pair) << "\"=" << std::get<1>(pair);
    });
    return failure();
  }
  int64_t whole = mesh.sizes[axis];
  AxisPart part{static_cast<unsigned>(axis), attr.getPre(),
                attr.getSize() ? attr.getSize() : whole};
  if (whole % (part.pre * part.size) != 0)
    return emitError() << "axis \"" << attr.getName().getValue() << "\" of size " << whole
                       << " has no part (" << part.pre << ")" << part.size;
  return part;
}

FailureOr<Sharding> tp::getSharding(ShardingAttr attr, const Mesh &mesh, unsigned rank,
                                    llvm::function_ref<InFlightDiagnostic()> emitError) {
  if (!attr.getDims().empty() && attr.getDims().size() != rank)
    return emitError() << "a sharding of rank " << attr.getDims().size()
                       << " does not fit a value of rank " << rank;
  Sharding sharding(rank);
  SmallVector<AxisPart> seen;
  auto add = [&](AxisAttr axis) -> FailureOr<AxisPart> {
    FailureOr<AxisPart> part = resolveAxis(axis, mesh, emitError);
    if (failed(part))
      return failure();
    if (llvm::any_of(seen, [&](const AxisPart &p) { return p.overlaps(*part) || p == *part; }))
      return emitError() << "axis \"" << axis.getName().getValue() << "\" is used twice";
    seen.push_back(*part);
    return part;
  };
  for (auto [i, dim] : llvm::enumerate(attr.getDims())) {
    sharding.dims[i].open = dim.getOpen();
    for (AxisAttr axis : dim.getAxes()) {
      FailureOr<AxisPart> part = add(axis);
      if (failed(part))
        return failure();
      sharding.dims[i].cuts.push_back({*part, axis.getGranule()});
    }
  }
  for (PartialAttr partial : attr.getPartials())
    for (AxisAttr axis : partial.getAxes()) {
      FailureOr<AxisPart> part = add(axis);
      if (failed(part))
        return failure();
      sharding.addPartial(partial.getKind(), *part);
    }
  return sharding;
}

Sharding tp::getSharding(ShardingAttr attr, const Mesh &mesh, unsigned rank) {
  FailureOr<Sharding> sharding = getSharding(attr, mesh, rank, [&]() -> InFlightDiagnostic {
    llvm_unreachable("shardings are verified");
  });
  return *sharding;
}

static AxisAttr axisAttr(MLIRContext *context, const AxisPart &part, int64_t granule,
                         const Mesh &mesh) {
  bool whole = part.pre == 1 && part.size == mesh.sizes[part.axis];
  return AxisAttr::get(context, StringAttr::get(context, mesh.names[part.axis]), part.pre,
                       whole ? 0 : part.size, granule);
}

AxisAttr tp::getAxisAttr(MLIRContext *context, const AxisPart &part, const Mesh &mesh) {
  return axisAttr(context, part, 1, mesh);
}

AxisPart tp::getAxisPart(AxisAttr attr, const Mesh &mesh) {
  return *resolveAxis(attr, mesh,
                      [&]() -> InFlightDiagnostic { llvm_unreachable("axes are verified"); });
}

ShardingAttr tp::getShardingAttr(MLIRContext *context, const Sharding &sharding, const Mesh &mesh) {
  SmallVector<DimShardingAttr> dims;
  for (const DimSharding &dim : sharding.dims) {
    SmallVector<AxisAttr> axes;
    for (const Cut &cut : dim.cuts)
      axes.push_back(axisAttr(context, cut.part, cut.granule, mesh));
    dims.push_back(DimShardingAttr::get(context, axes, dim.open));
  }
  SmallVector<PartialAttr> partials;
  for (size_t i = 0, n = sharding.partial.size(); i < n;) {
    ReductionKind kind = sharding.partial[i].kind;
    SmallVector<AxisAttr> axes;
    for (; i < n && sharding.partial[i].kind == kind; ++i)
      axes.push_back(axisAttr(context, sharding.partial[i].part, 1, mesh));
    partials.push_back(PartialAttr::get(context, kind, axes));
  }
  return ShardingAttr::get(context, dims, partials);
}
