//===- CarryPartial.cpp ----------------------------------------------------===//

#include "CarryPartial.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Analysis/Strategy.h"
#include "tp/Transforms/LocalOps.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// What a loop carries, with the place of each argument and source in the list.
struct Carried {
  SmallVector<FlowValue> values;
  DenseMap<Value, unsigned> arguments;
  DenseMap<OpOperand *, unsigned> sources;

  explicit Carried(Operation *loop) : values(getFlowValues(loop)) {
    for (auto [i, value] : llvm::enumerate(values)) {
      for (Value input : value.inputs)
        if (isa<BlockArgument>(input))
          arguments[input] = i;
      for (OpOperand *source : value.sources)
        sources[source] = i;
    }
  }
};

/// Values that a loop carries into each other as they are (those before and after the
/// condition of scf.while), with the reshards between them and the rest of the body.
class Web {
public:
  Web(Operation *loop, const Mesh &mesh, ReshardCosts &costs)
      : loop(loop), mesh(mesh), costs(costs) {}

  /// Whether all reshards in the body are between what is carried and one partial
  /// sharding, and there are some. Sets the values looked at in `seen`.
  bool collect(const Carried &carried, unsigned start, llvm::BitVector &seen);
  bool pays();
  void apply();

private:
  bool addUse(OpOperand &use);
  bool addSource(OpOperand &source);
  bool setPartial(Attribute sharding);
  double cost(Value value, const Sharding &from, const Sharding &to) {
    auto type = cast<RankedTensorType>(value.getType());
    return costs.cost(type.getShape(), getElementBytes(type.getElementType()), from, to);
  }
  /// Whether the value can stand for a partial one as it is, once its op says so.
  bool isFreely(Value value) {
    Operation *def = value.getDefiningOp();
    auto isOwnEmpty = [](Value operand) {
      return !isa<RankedTensorType>(operand.getType()) ||
             (operand.getDefiningOp<tensor::EmptyOp>() && operand.hasOneUse());
    };
    return def && value.hasOneUse() && isFree(def) &&
           llvm::all_of(def->getOperands(), isOwnEmpty) &&
           llvm::all_of(partial.partial,
                        [&](const PartialAxis &axis) { return isNeutral(def, axis.kind); });
  }

  Operation *loop;
  Mesh mesh;
  ReshardCosts &costs;
  Sharding whole, partial;
  SmallVector<const FlowValue *, 2> members;
  SmallVector<OpOperand *> inits;
  SmallVector<OpOperand *> resolved; ///< operands of terminators that tp.reshard makes whole
  SmallVector<ReshardOp> masked;     ///< of block arguments, to `partial`
};

bool Web::setPartial(Attribute attr) {
  Sharding sharding = tp::getSharding(cast<ShardingAttr>(attr), mesh, whole.rank());
  auto shape = cast<RankedTensorType>(members.front()->inputs.front().getType()).getShape();
  if (!partial.isPartial())
    partial = sharding;
  return sharding.isPartial() && equivalent(sharding, partial, shape);
}

/// A use of a block argument.
bool Web::addUse(OpOperand &use) {
  auto reshard = dyn_cast<ReshardOp>(use.getOwner());
  if (!reshard || !setPartial(reshard.getTo()))
    return false;
  masked.push_back(reshard);
  return true;
}

bool Web::addSource(OpOperand &source) {
  if (source.getOwner() == loop) {
    inits.push_back(&source);
    return true;
  }
  auto reshard = source.get().getDefiningOp<ReshardOp>();
  if (!reshard || !setPartial(reshard.getFrom()))
    return false;
  resolved.push_back(&source);
  return true;
}

bool Web::collect(const Carried &carried, unsigned start, llvm::BitVector &seen) {
  whole = getValueSharding(carried.values[start].inputs.front(), mesh);
  SmallVector<unsigned> work = {start};
  seen.set(start);
  // All that belongs together is seen, or the rest of it would be taken for a web.
  bool isRight = true;
  auto add = [&](unsigned index) {
    if (!seen.test(index))
      work.push_back(index);
    seen.set(index);
  };
  while (!work.empty()) {
    const FlowValue &value = carried.values[work.pop_back_val()];
    members.push_back(&value);
    // A value that goes from one argument to another belongs to both.
    for (OpOperand *source : value.sources) {
      auto it = carried.arguments.find(source->get());
      if (it != carried.arguments.end())
        add(it->second);
      else
        isRight &= addSource(*source);
    }
    for (Value input : value.inputs) {
      if (!isa<BlockArgument>(input))
        continue;
      for (OpOperand &use : input.getUses()) {
        auto it = carried.sources.find(&use);
        if (it != carried.sources.end())
          add(it->second);
        else
          isRight &= addUse(use);
      }
    }
  }
  return isRight && !resolved.empty() && !whole.isPartial() &&
         llvm::all_of(members, [&](const FlowValue *value) {
           auto shape = cast<RankedTensorType>(value->inputs.front().getType()).getShape();
           return equivalent(getValueSharding(value->inputs.front(), mesh), whole, shape);
         });
}

bool Web::pays() {
  double before = 0, after = 0;
  auto addSaved = [&](ReshardOp reshard, const Sharding &from, const Sharding &to) {
    if (from.isPartial() && !reshard->hasOneUse())
      return; // It stays for the others.
    before += cost(reshard, from, to) *
              (loop->isAncestor(reshard) ? estimateRuns(reshard->getBlock(), loop->getBlock()) : 1);
  };
  for (ReshardOp reshard : masked)
    addSaved(reshard, whole, partial);
  for (OpOperand *source : resolved)
    addSaved(source->get().getDefiningOp<ReshardOp>(), partial, whole);
  for (OpOperand *init : inits)
    if (!isFreely(init->get()))
      after += cost(init->get(), whole, partial);
  for (const FlowValue *value : members)
    for (Value input : value->inputs)
      if (isa<OpResult>(input) && !input.use_empty())
        after += cost(input, partial, whole);
  constexpr double kEpsilon = 1e-9;
  return after < before - kEpsilon;
}

void Web::apply() {
  OpBuilder builder(loop);
  MLIRContext *context = loop->getContext();
  ShardingAttr wholeAttr = getShardingAttr(context, whole, mesh);
  ShardingAttr partialAttr = getShardingAttr(context, partial, mesh);
  std::string name = loop->getName().getStringRef().str();
  StringAttr needed = builder.getStringAttr("needed as " + toString(partial, mesh) + " by " + name);
  StringAttr wanted = builder.getStringAttr(name + " yields " + toString(partial, mesh) +
                                            ", wanted as " + toString(whole, mesh));
  for (OpOperand *source : resolved) {
    auto reshard = source->get().getDefiningOp<ReshardOp>();
    source->set(reshard.getInput());
    if (reshard.use_empty())
      reshard.erase();
  }
  for (ReshardOp reshard : masked) {
    reshard->replaceAllUsesWith(ValueRange(reshard.getInput()));
    reshard.erase();
  }
  for (OpOperand *init : inits) {
    if (isFreely(init->get())) {
      Operation *def = init->get().getDefiningOp();
      def->setAttr(kShardingAttr, builder.getArrayAttr(partialAttr));
      for (Value operand : def->getOperands())
        if (auto empty = operand.getDefiningOp<tensor::EmptyOp>())
          empty->setAttr(kShardingAttr, builder.getArrayAttr(getShardingAttr(
                                            context, partial.withoutPartial(), mesh)));
      continue;
    }
    builder.setInsertionPointAfterValue(init->get());
    init->set(
        ReshardOp::create(builder, loop->getLoc(), init->get(), wholeAttr, partialAttr, needed));
  }
  auto replace = [&](StringRef attribute, unsigned index) {
    SmallVector<Attribute> attrs(loop->getAttrOfType<ArrayAttr>(attribute).getValue());
    attrs[index] = partialAttr;
    loop->setAttr(attribute, builder.getArrayAttr(attrs));
  };
  SmallVector<Value> arguments = getRegionArguments(loop);
  builder.setInsertionPointAfter(loop);
  for (const FlowValue *value : members)
    for (Value input : value->inputs) {
      auto result = dyn_cast<OpResult>(input);
      if (!result) {
        replace(kArgShardingAttr, llvm::find(arguments, input) - arguments.begin());
        continue;
      }
      replace(kShardingAttr, result.getResultNumber());
      if (result.use_empty())
        continue;
      auto reshard =
          ReshardOp::create(builder, loop->getLoc(), result, partialAttr, wholeAttr, wanted);
      result.replaceAllUsesExcept(reshard, reshard);
    }
}

} // namespace

unsigned tp::carryPartial(Operation *loop, const Mesh &mesh, ReshardCosts &costs) {
  if (!isa<LoopLikeOpInterface>(loop))
    return 0;
  Carried carried(loop);
  llvm::BitVector seen(carried.values.size());
  unsigned count = 0;
  for (unsigned i = 0, n = carried.values.size(); i < n; ++i) {
    if (seen.test(i) || !isa<RankedTensorType>(carried.values[i].inputs.front().getType()))
      continue;
    Web web(loop, mesh, costs);
    if (!web.collect(carried, i, seen) || !web.pays())
      continue;
    web.apply();
    ++count;
  }
  return count;
}
