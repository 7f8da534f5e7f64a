//===- RankVariance.cpp ----------------------------------------------------===//

#include "tp/Analysis/RankVariance.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tp/Analysis/RegionFlow.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tp;

RankVariance::Axes RankVariance::of(Value value) const {
  auto it = differs.find(value);
  return it == differs.end() ? none() : it->second;
}

RankVariance::Axes RankVariance::of(ValueRange values) const {
  Axes axes = none();
  for (Value value : values)
    axes |= of(value);
  return axes;
}

RankVariance::Axes RankVariance::ofControl(Operation *op) const {
  if (isRegionFlow(op))
    return of(getControlValues(op));
  return of(op->getOperands());
}

RankVariance::Axes RankVariance::in(ArrayRef<AxisPart> list) const {
  Axes axes = none();
  for (unsigned i = 0, n = parts.size(); i < n; ++i)
    if (llvm::any_of(list, [&](const AxisPart &part) { return part.overlaps(parts[i]); }))
      axes.set(i);
  return axes;
}

bool RankVariance::isSame(Value value, ArrayRef<AxisPart> group) const {
  return !of(value).anyCommon(in(group));
}

void RankVariance::add(Value value, const Axes &axes) {
  if (axes.none())
    return;
  Axes &known = differs.try_emplace(value, none()).first->second;
  if (axes.test(known)) {
    known |= axes;
    changed = true;
  }
}

static bool contains(const AxisPart &part, const AxisPart &other) {
  return part.axis == other.axis && part.pre <= other.pre &&
         other.pre * other.size <= part.pre * part.size;
}

/// Whether ranks of a group over `group` that differ in `part` alone receive from
/// the same rank.
static bool hasOneSource(comm::PermuteOp op, ArrayRef<AxisPart> group, const AxisPart &part) {
  int64_t step = 1; // between the numbers of such ranks
  for (const AxisPart &other : llvm::reverse(group)) {
    if (contains(other, part)) {
      step *= other.pre * other.size / (part.pre * part.size);
      ArrayRef<int32_t> sources = op.getSources();
      for (auto [rank, source] : llvm::enumerate(sources))
        if (source != sources[rank - rank / step % part.size * step])
          return false;
      return true;
    }
    step *= other.size;
  }
  return false;
}

void RankVariance::visitComm(Operation *op) {
  SmallVector<AxisPart> group = comm::getAxisParts(op->getAttrOfType<ArrayAttr>("axes"), mesh);
  auto afterwards = [&](Axes axes) {
    if (!isa<comm::AllReduceOp, comm::AllGatherOp>(op)) {
      axes |= in(group);
      if (auto permute = dyn_cast<comm::PermuteOp>(op))
        for (unsigned i = 0, n = parts.size(); i < n; ++i)
          if (hasOneSource(permute, group, parts[i]))
            axes.reset(i);
      return axes;
    }
    for (unsigned i = 0, n = parts.size(); i < n; ++i)
      if (llvm::any_of(group, [&](const AxisPart &part) { return contains(part, parts[i]); }))
        axes.reset(i);
    return axes;
  };
  if (isa<comm::CoordinateOp>(op))
    return add(op->getResult(0), afterwards(none()));
  for (auto [operand, result] : llvm::zip_equal(op->getOperands(), op->getResults()))
    add(result, afterwards(of(operand)));
}

void RankVariance::visit(Operation *op) {
  if (isa_and_nonnull<comm::CommDialect>(op->getDialect()) && !isa<comm::CheckIndexOp>(op))
    return visitComm(op);
  if (isRegionFlow(op)) {
    Axes control = ofControl(op);
    llvm::DenseSet<Value> carried;
    for (const FlowValue &value : getFlowValues(op)) {
      Axes axes = none();
      for (OpOperand *source : value.sources)
        axes |= of(source->get());
      // Ranks that leave after different trips, or from different branches, do so
      // with different values.
      Axes after = axes;
      after |= control;
      for (Value input : value.inputs) {
        add(input, isa<OpResult>(input) ? after : axes);
        carried.insert(input);
      }
    }
    // The counter of a loop goes by its bounds.
    for (Value argument : getRegionArguments(op))
      if (!carried.contains(argument))
        add(argument, control);
    return;
  }
  // Anything else: what it uses, regions included, may show in all it yields.
  Axes axes = of(op->getOperands());
  if (op->getNumRegions()) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      axes |= of(value);
    // What is computed inside, too.
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        for (Value arg : block.getArguments())
          add(arg, axes);
        if (Operation *last = block.empty() ? nullptr : &block.back())
          axes |= of(last->getOperands());
      }
  }
  for (Value result : op->getResults())
    add(result, axes);
}

/// The parts of an argument's sharding.
static SmallVector<AxisPart> getArgumentParts(FunctionOpInterface function, unsigned arg,
                                              const Mesh &mesh) {
  SmallVector<AxisPart> list;
  auto attr = function.getArgAttrOfType<ShardingAttr>(arg, kShardingAttr);
  auto global = function.getArgAttrOfType<TypeAttr>(arg, kGlobalTypeAttr);
  auto type =
      dyn_cast<RankedTensorType>(global ? global.getValue() : function.getArgument(arg).getType());
  if (!attr || !type)
    return list;
  Sharding sharding = tp::getSharding(attr, mesh, type.getRank());
  for (const DimSharding &dim : sharding.dims)
    for (const Cut &cut : dim.cuts)
      list.push_back(cut.part);
  for (const PartialAxis &partial : sharding.partial)
    list.push_back(partial.part);
  return list;
}

void RankVariance::cutAxes(FunctionOpInterface function) {
  // Where each axis is cut: numbers of coordinates above.
  SmallVector<llvm::SmallSetVector<int64_t, 4>> cuts(mesh.numAxes());
  auto cut = [&](ArrayRef<AxisPart> list) {
    for (const AxisPart &part : list) {
      cuts[part.axis].insert(part.pre);
      cuts[part.axis].insert(part.pre * part.size);
    }
  };
  for (unsigned i = 0, n = function.getNumArguments(); i < n; ++i)
    cut(getArgumentParts(function, i, mesh));
  function.getFunctionBody().walk([&](Operation *op) {
    if (auto axes = op->getAttrOfType<ArrayAttr>("axes");
        axes && isa_and_nonnull<comm::CommDialect>(op->getDialect()))
      cut(comm::getAxisParts(axes, mesh));
  });
  for (auto [axis, list] : llvm::enumerate(cuts)) {
    int64_t size = mesh.sizes[axis];
    list.insert(1);
    list.insert(size);
    SmallVector<int64_t> sorted = llvm::to_vector(list);
    llvm::sort(sorted);
    for (auto [below, above] : llvm::zip(sorted, llvm::drop_begin(sorted)))
      if (above % below != 0) {
        sorted = {1, size};
        break;
      }
    for (auto [below, above] : llvm::zip(sorted, llvm::drop_begin(sorted)))
      parts.push_back({static_cast<unsigned>(axis), below, above / below});
  }
}

RankVariance::RankVariance(FunctionOpInterface function, const Mesh &mesh) : mesh(mesh) {
  cutAxes(function);
  for (BlockArgument arg : function.getArguments())
    add(arg, in(getArgumentParts(function, arg.getArgNumber(), mesh)));
  do {
    changed = false;
    function.getFunctionBody().walk([&](Operation *op) { visit(op); });
  } while (changed);
}
