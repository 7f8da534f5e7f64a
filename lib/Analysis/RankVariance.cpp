//===- RankVariance.cpp ----------------------------------------------------===//

#include "tp/Analysis/RankVariance.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tp/Analysis/RegionFlow.h"

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

bool RankVariance::isSame(Value value, ArrayRef<AxisPart> parts) const {
  Axes axes = of(value);
  return llvm::none_of(parts, [&](const AxisPart &part) { return axes.test(part.axis); });
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

void RankVariance::visitComm(Operation *op) {
  SmallVector<AxisPart> parts = comm::getAxisParts(op->getAttrOfType<ArrayAttr>("axes"), mesh);
  auto afterwards = [&](Axes axes) {
    bool same = isa<comm::AllReduceOp, comm::AllGatherOp>(op);
    for (const AxisPart &part : parts) {
      if (!same)
        axes.set(part.axis);
      else if (part.size == mesh.sizes[part.axis])
        axes.reset(part.axis);
    }
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

RankVariance::RankVariance(FunctionOpInterface function, const Mesh &mesh) : mesh(mesh) {
  for (auto [i, arg] : llvm::enumerate(function.getArguments())) {
    auto attr = function.getArgAttrOfType<ShardingAttr>(i, kShardingAttr);
    auto global = function.getArgAttrOfType<TypeAttr>(i, kGlobalTypeAttr);
    auto type = dyn_cast<RankedTensorType>(global ? global.getValue() : arg.getType());
    if (!attr || !type)
      continue;
    Axes axes = none();
    Sharding sharding = tp::getSharding(attr, mesh, type.getRank());
    for (const DimSharding &dim : sharding.dims)
      for (const Cut &cut : dim.cuts)
        axes.set(cut.part.axis);
    for (const PartialAxis &partial : sharding.partial)
      axes.set(partial.part.axis);
    add(arg, axes);
  }
  do {
    changed = false;
    function.getFunctionBody().walk([&](Operation *op) { visit(op); });
  } while (changed);
}
