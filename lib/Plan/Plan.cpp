//===- Plan.cpp - Writing a plan into a module -----------------------------===//

#include "tp/Plan/Plan.h"

#include "Matcher.h"
#include "tp/Support/LocationText.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::tp;

/// Replaces the module's mesh, or adds one in front.
static void setMesh(ModuleOp module, const Mesh &mesh, Location loc) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  std::string name = "mesh";
  if (MeshOp old = lookupMesh(module)) {
    name = old.getSymName().str();
    builder.setInsertionPointAfter(old);
    old.erase();
  }
  SmallVector<StringRef> names(mesh.names.begin(), mesh.names.end());
  MeshOp::create(builder, loc, builder.getStringAttr(name), builder.getStrArrayAttr(names),
                 builder.getDenseI64ArrayAttr(mesh.sizes));
}

/// Every sharding of the plan must make sense on the mesh, whatever it is for.
static LogicalResult checkAxes(const Plan &plan, const Mesh &mesh) {
  for (const PlanSharding &entry : plan.shard)
    if (failed(getSharding(entry.sharding, mesh, entry.sharding.getDims().size(),
                           [&] { return emitError(entry.loc); })))
      return failure();
  return success();
}

/// Whether it is [], which fits any value.
static bool isPlain(const PlanSharding &entry) {
  return entry.sharding.getDims().empty() && entry.sharding.getPartials().empty();
}

/// `attr` for a value of this type, or one error at the entry.
static FailureOr<Sharding> resolve(const PlanSharding &entry, const PlanValue &value, Type type,
                                   const Mesh &mesh) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor && !isPlain(entry))
    return emitError(entry.loc) << value.name() << " is no ranked tensor but " << type
                                << ", it can only be []";
  return getSharding(entry.sharding, mesh, tensor ? tensor.getRank() : 0,
                     [&] { return emitError(entry.loc) << value.name() << ", " << type << ": "; });
}

/// Whether the sharding says nothing: what the other results of an op that has an
/// annotation are given.
static bool isOpen(const Sharding &sharding) { return sharding == Sharding(sharding.rank(), true); }

/// Writes the sharding at every place of the value, with the line of the plan if there
/// is one to tell.
static LogicalResult applySharding(const PlanValue &value, const PlanSharding &entry,
                                   StringRef line, const Mesh &mesh, PlaceWriter &writer) {
  for (const ValuePlace &place : value.places) {
    FailureOr<Sharding> sharding = resolve(entry, value, place.getType(), mesh);
    if (failed(sharding))
      return failure();
    if (ShardingAttr old = place.getSharding()) {
      Sharding annotated = getSharding(old, mesh, sharding->rank());
      if (annotated != *sharding && !isOpen(annotated)) {
        InFlightDiagnostic diag = emitError(entry.keyLoc)
                                  << '"' << entry.key << "\" gives " << value.name() << " "
                                  << toString(*sharding, mesh) << ", but the program says "
                                  << toString(annotated, mesh);
        diag.attachNote(place.getLoc()) << "it is annotated here";
        return diag;
      }
    }
    writer.setSharding(place, getShardingAttr(entry.sharding.getContext(), *sharding, mesh));
    if (!line.empty())
      writer.setText(place, kPlanLineAttr, line);
  }
  return success();
}

static LogicalResult applyShardings(const Plan &plan, ArrayRef<PlanValue> values, const Mesh &mesh,
                                    bool explain, PlaceWriter &writer) {
  Matcher<PlanSharding> matcher(plan.shard, values);
  if (failed(matcher.checkAllUsed()))
    return failure();
  for (size_t i = 0; i < values.size(); ++i) {
    const PlanValue &value = values[i];
    SmallVector<const PlanSharding *> entries(matcher.forValue(i));
    if (!value.hasDims())
      llvm::erase_if(entries, [&](const PlanSharding *entry) {
        return !isPlain(*entry) && matcher.passesOverScalars(*entry);
      });
    if (entries.empty())
      continue;
    Type type = value.places.front().getType();
    for (const PlanSharding *entry : entries)
      if (failed(resolve(*entry, value, type, mesh)))
        return failure();
    LogicalResult agreed =
        checkAgree<PlanSharding>(entries, value, "shardings", [&](const PlanSharding &entry) {
          return toString(*resolve(entry, value, type, mesh), mesh);
        });
    std::string line;
    if (explain)
      line = plan.name.empty() ? getLocationText(entries.front()->keyLoc) : "plan " + plan.name;
    if (failed(agreed) || failed(applySharding(value, *entries.front(), line, mesh, writer)))
      return failure();
  }
  return success();
}

static LogicalResult applyPriorities(const Plan &plan, ArrayRef<PlanValue> values,
                                     PlaceWriter &writer) {
  Matcher<PlanPriority> matcher(plan.priority, values);
  if (failed(matcher.checkAllUsed()))
    return failure();
  for (auto [i, value] : llvm::enumerate(values)) {
    ArrayRef<const PlanPriority *> entries = matcher.forValue(i);
    if (entries.empty())
      continue;
    if (failed(checkAgree(entries, value, "priorities",
                          [](const PlanPriority &entry) { return entry.priority; })))
      return failure();
    for (const ValuePlace &place : value.places)
      writer.setPriority(place, entries.front()->priority);
  }
  return success();
}

LogicalResult tp::applyPlan(ModuleOp module, const Plan &plan, bool explain) {
  bool hadMesh = lookupMesh(module) != nullptr;
  if (!plan.mesh && !hadMesh)
    return emitError(module.getLoc())
           << "a mesh is needed: in the plan (\"mesh\"), by --mesh or as a tp.mesh";
  module.getContext()->loadDialect<TPDialect>();
  if (plan.mesh) {
    setMesh(module, *plan.mesh, plan.meshLoc.value_or(module.getLoc()));
    // Annotations of the program must fit the new mesh.
    if (hadMesh && failed(verify(module)))
      return failure();
  }
  Mesh mesh = getMesh(lookupMesh(module));
  if (failed(checkAxes(plan, mesh)))
    return failure();
  std::vector<PlanValue> values = collectPlanValues(module);
  PlaceWriter writer;
  if (failed(applyShardings(plan, values, mesh, explain, writer)) ||
      failed(applyPriorities(plan, values, writer)))
    return failure();
  writer.finish();
  if (failed(applyGroups(plan, values, mesh)))
    return failure();
  return applyBarriers(plan, values);
}
