//===- Partition.cpp - From global values to one rank's --------------------===//
//
// Every value becomes the rank's block of it, every op the op on blocks, every
// tp.reshard slices and collectives. One program for all ranks: where it depends
// on the rank, it asks for the rank's coordinate.
//
// Blocks that are smaller than their buffer leave padding. What it holds is
// followed from value to value; where an op needs more than is known, the padding
// is masked, once per value.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "Collectives.h"
#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Analysis/ShardingTable.h"
#include "tp/Analysis/Strategy.h"
#include "tp/Transforms/LocalOps.h"

namespace mlir::tp {
#define GEN_PASS_DEF_PARTITIONPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Attributes that speak of global values; local ops do not carry them.
void dropGlobalAttrs(Operation *op) {
  op->walk([](Operation *nested) {
    DictionaryAttr attrs = nested->getDiscardableAttrDictionary();
    SmallVector<NamedAttribute> kept = llvm::filter_to_vector(attrs, [](NamedAttribute attr) {
      StringRef name = attr.getName().getValue();
      return !llvm::is_contained(kPlanAttrs, name) && name != kNameAttr && name != kRoleAttr;
    });
    if (kept.size() < attrs.size())
      nested->setDiscardableAttrs(kept);
  });
}

/// Fills that poison is made of: NaN, integers of 0xA5 bytes.
TypedAttr getPoison(Type element) {
  Builder builder(element.getContext());
  if (auto type = dyn_cast<FloatType>(element))
    return builder.getFloatAttr(type, APFloat::getNaN(type.getFloatSemantics()));
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return builder.getIntegerAttr(element, APInt(64, 0xA5A5A5A5A5A5A5A5).trunc(width));
}

class Partitioner {
public:
  Partitioner(func::FuncOp function, const Mesh &mesh, bool poison)
      : function(function), mesh(mesh), poison(poison),
        shardings(function.getContext(), this->mesh), builder(function.getContext()) {}

  LogicalResult run();

private:
  func::FuncOp createFunction();
  LogicalResult convert(Operation &op);
  LogicalResult convertBlock(Block &block);
  LogicalResult convertRegionOp(Operation *op);
  /// One error where the input of a reshard or constraint is cut otherwise.
  LogicalResult expectInput(Operation *op, Value input, const Sharding &expected);
  LogicalResult convertWithRule(Operation *op, const ShardingRule &rule);
  Value masked(Value global, PaddingFact need);
  PaddingFact resultFact(Operation *op, const ShardingRule &rule, const Sharding &sharding,
                         ArrayRef<int64_t> shape);
  void define(Value global, Value local, PaddingFact fact);

  const Sharding &shardingOf(Value value) { return shardings.getOf(value); }
  Type localType(Type type, const Sharding &sharding);

  func::FuncOp function;
  Mesh mesh;
  bool poison;
  ShardingTable shardings;
  OpBuilder builder;
  IRMapping mapping;
  DenseMap<Value, PaddingFact> facts;                                   ///< of global values
  DenseMap<Value, SmallVector<std::pair<PaddingFact, Value>, 1>> masks; ///< of global values
};

Type Partitioner::localType(Type type, const Sharding &sharding) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked ? ranked.clone(sharding.localShape(ranked.getShape())) : type;
}

func::FuncOp Partitioner::createFunction() {
  auto shardingAttr = [&](Attribute attr, Type type) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return attr && ranked ? tp::getSharding(cast<ShardingAttr>(attr), mesh, ranked.getRank())
                          : Sharding(ranked ? ranked.getRank() : 0);
  };
  SmallVector<Type> inputs, results;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    inputs.push_back(localType(type, shardingAttr(function.getArgAttr(i, kShardingAttr), type)));
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    results.push_back(
        localType(type, shardingAttr(function.getResultAttr(i, kShardingAttr), type)));
  builder.setInsertionPoint(function);
  auto local = func::FuncOp::create(builder, function.getLoc(), function.getName(),
                                    builder.getFunctionType(inputs, results));
  local->setDiscardableAttrs(function->getDiscardableAttrDictionary());
  local.setVisibility(function.getVisibility());
  auto keep = [&](DictionaryAttr attrs, Type global) {
    NamedAttrList list(attrs);
    for (StringRef name : kPlanAttrs)
      if (name != kShardingAttr)
        list.erase(name);
    list.set(kGlobalTypeAttr, TypeAttr::get(global));
    return list.getDictionary(builder.getContext());
  };
  SmallVector<DictionaryAttr> argAttrs, resultAttrs;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    argAttrs.push_back(keep(function.getArgAttrDict(i), type));
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    resultAttrs.push_back(keep(function.getResultAttrDict(i), type));
  local.setAllArgAttrs(argAttrs);
  local.setAllResultAttrs(resultAttrs);
  return local;
}

void Partitioner::define(Value global, Value local, PaddingFact fact) {
  auto type = dyn_cast<RankedTensorType>(global.getType());
  if (type && poison && fact == PaddingFact::undefined()) {
    Value poisoned = emitPaddingMask(builder, global.getLoc(), local, type.getShape(),
                                     shardingOf(global), mesh, getPoison(type.getElementType()));
    if (poisoned != local)
      poisoned.getDefiningOp()->setAttr(kPoisonAttr, builder.getUnitAttr());
    local = poisoned;
  }
  mapping.map(global, local);
  facts[global] = fact;
}

Value Partitioner::masked(Value global, PaddingFact need) {
  auto type = cast<RankedTensorType>(global.getType());
  Type element = type.getElementType();
  Value local = mapping.lookup(global);
  const Sharding &sharding = shardingOf(global);
  if (sharding.isEven(type.getShape()) || facts.lookup(global).satisfies(need, element))
    return local;
  for (auto &[fact, value] : masks[global])
    if (fact.satisfies(need, element))
      return value;
  // Right after the value, where it serves uses in all regions.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(local);
  Value value = emitPaddingMask(builder, global.getLoc(), local, type.getShape(), sharding, mesh,
                                need.getFill(element));
  masks[global].push_back({need, value});
  return value;
}

PaddingFact Partitioner::resultFact(Operation *op, const ShardingRule &rule,
                                    const Sharding &sharding, ArrayRef<int64_t> shape) {
  if (sharding.isEven(shape))
    return PaddingFact::zero();
  Type element = getElementTypeOrSelf(op->getResult(0));
  if (Attribute value = getFilledValue(op)) {
    for (PaddingFact fact : {PaddingFact::zero(), PaddingFact::neutral(ReductionKind::Max),
                             PaddingFact::neutral(ReductionKind::Min)})
      if (value == fact.getFill(element))
        return fact;
    return PaddingFact::undefined();
  }
  // What the padding holds comes from the operands' padding only where each
  // padded dimension is one of theirs.
  llvm::BitVector tensors(rule.numOperands());
  std::optional<PaddingFact> common;
  bool covered = true;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i) {
    Value operand = getRuleOperand(op, rule, i);
    if (!isa<RankedTensorType>(operand.getType()) || rule.ignored.test(i))
      continue;
    // Where the body reads a tensor by indices, padding reads its first element.
    if (i >= op->getNumOperands())
      return PaddingFact::undefined();
    tensors.set(i);
    PaddingFact fact = facts.lookup(operand);
    if (shardingOf(operand).isEven(cast<RankedTensorType>(operand.getType()).getShape()))
      covered = false;
    if (common && *common != fact)
      return PaddingFact::undefined();
    common = fact;
    for (auto [d, factors] : llvm::enumerate(rule.results[0].dims)) {
      if (sharding.dims[d].isEven(shape[d]))
        continue;
      for (unsigned factor : factors)
        covered &= llvm::any_of(rule.operands[i].dims, [&](const DimFactors &list) {
          return llvm::is_contained(list, factor);
        });
    }
  }
  bool reduces =
      llvm::any_of(rule.factors, [](const Factor &f) { return f.kind != FactorKind::Parallel; });
  if (!covered || !common || reduces || op->getNumResults() != 1)
    return PaddingFact::undefined();
  // What commutes with sums and with maxima moves values only.
  if (tensors.count() == 1 && rule.isLinear(ReductionKind::Sum, tensors) &&
      rule.isLinear(ReductionKind::Max, tensors) && rule.isLinear(ReductionKind::Mul, tensors))
    return *common;
  // A linear form of zeros; in f32 also where the scale is not finite? 0 * inf is
  // not 0, so only sums and differences qualify.
  bool onlySums = true;
  op->walk([&](Operation *nested) {
    if (isa<arith::MulFOp, arith::DivFOp>(nested))
      onlySums = false;
  });
  if (*common == PaddingFact::zero() && onlySums && rule.isLinear(ReductionKind::Sum, tensors))
    return PaddingFact::zero();
  return PaddingFact::undefined();
}

LogicalResult Partitioner::convertWithRule(Operation *op, const ShardingRule &rule) {
  OpShapes shapes(op, rule);
  SmallVector<Sharding, 2> operandShardings, resultShardings;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i)
    operandShardings.push_back(shardingOf(getRuleOperand(op, rule, i)));
  // A free value that is neutral everywhere stands for a partial one as it is.
  bool free = isFree(op);
  for (Value result : op->getResults())
    resultShardings.push_back(free ? shardingOf(result).withoutPartial() : shardingOf(result));
  std::string error;
  FailureOr<Strategy> strategy =
      inferStrategy(rule, shapes, operandShardings, resultShardings, error);
  if (failed(strategy))
    return op->emitError() << "'" << op->getName() << "' cannot be partitioned: " << error;

  SmallVector<Value> operands;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i) {
    Value global = getRuleOperand(op, rule, i);
    Value local = mapping.lookupOrDefault(global);
    PaddingNeed need = rule.operands[i].padding;
    if (need != PaddingNeed::None)
      for (auto [factor, cuts] : llvm::zip_equal(rule.factors, strategy->factorCuts)) {
        bool isEverywhere =
            need == PaddingNeed::Lowest || need == PaddingNeed::One || need == PaddingNeed::First;
        if (cuts.empty() || (factor.kind == FactorKind::Parallel && !isEverywhere))
          continue;
        local = masked(global, getNeededFact(need, factor.reduction));
        break;
      }
    if (i < op->getNumOperands())
      operands.push_back(local);
    else
      assert(local == mapping.lookup(global) && "a rule asks captured tensors for no padding");
  }
  SmallVector<Type> resultTypes;
  for (auto [result, sharding] : llvm::zip_equal(op->getResults(), resultShardings))
    resultTypes.push_back(localType(result.getType(), sharding));

  LocalFrame frame;
  Location loc = op->getLoc();
  auto dimOf = [&](unsigned factor) {
    DimSharding dim;
    dim.cuts = strategy->factorCuts[factor];
    return dim;
  };
  frame.factorOffset = [&](unsigned factor) {
    return emitBlockOffset(builder, loc, mesh, dimOf(factor), rule.factors[factor].size);
  };
  frame.isPadded = [&](unsigned factor) {
    return !dimOf(factor).isEven(rule.factors[factor].size);
  };
  frame.factorExtent = [&](unsigned factor) -> Value {
    return frame.isPadded(factor)
               ? emitBlockExtent(builder, loc, mesh, dimOf(factor), rule.factors[factor].size)
               : Value();
  };
  SmallVector<Value> results =
      cast<ShardingRuleOpInterface>(op).createLocal(builder, mapping, operands, resultTypes, frame);
  builder.setInsertionPointToEnd(builder.getInsertionBlock());
  for (auto [i, local] : llvm::enumerate(results)) {
    if (Operation *def = local.getDefiningOp())
      dropGlobalAttrs(def);
    PaddingFact fact = i == 0 ? resultFact(op, rule, resultShardings[0], shapes.results[0])
                              : PaddingFact::undefined();
    define(op->getResult(i), local, fact);
  }
  return success();
}

LogicalResult Partitioner::expectInput(Operation *op, Value input, const Sharding &expected) {
  const Sharding &found = shardingOf(input);
  if (equivalent(found, expected, cast<RankedTensorType>(input.getType()).getShape()))
    return success();
  return op->emitError() << "'" << op->getName() << "' input must be " << toString(expected, mesh)
                         << ", found " << toString(found, mesh);
}

LogicalResult Partitioner::convert(Operation &op) {
  if (auto reshard = dyn_cast<ReshardOp>(op)) {
    auto type = cast<RankedTensorType>(reshard.getType());
    Sharding from = tp::getSharding(reshard.getFrom(), mesh, type.getRank());
    if (failed(expectInput(reshard, reshard.getInput(), from)))
      return failure();
    PaddingFact fact = facts.lookup(reshard.getInput());
    Value local = emitReshard(builder, reshard.getLoc(), mapping.lookup(reshard.getInput()), type,
                              mesh, from, tp::getSharding(reshard.getTo(), mesh, type.getRank()),
                              fact, reshard.getReasonAttr());
    define(reshard, local, fact);
    return success();
  }
  if (auto window = dyn_cast<WindowOp>(op)) {
    Sharding from = shardingOf(window.getInput()), to = shardingOf(window);
    Value local = emitWindow(builder, mapping.lookup(window.getInput()), window, mesh, from, to);
    define(window, local, PaddingFact::undefined());
    return success();
  }
  if (auto constraint = dyn_cast<ConstraintOp>(op)) {
    Sharding sharding =
        tp::getSharding(constraint.getSharding(), mesh, constraint.getType().getRank());
    if (failed(expectInput(constraint, constraint.getInput(), sharding)))
      return failure();
    mapping.map(constraint.getResult(), mapping.lookup(constraint.getInput()));
    facts[constraint] = facts.lookup(constraint.getInput());
    return success();
  }
  if (isRegionFlow(&op))
    return convertRegionOp(&op);
  FailureOr<ShardingRule> rule = getRule(&op);
  if (succeeded(rule))
    return convertWithRule(&op, *rule);
  // Whole on every rank.
  dropGlobalAttrs(builder.clone(op, mapping));
  return success();
}

LogicalResult Partitioner::convertBlock(Block &block) {
  for (Operation &op : block)
    if (failed(convert(op)))
      return failure();
  return success();
}

/// The same op on local values, its regions converted.
LogicalResult Partitioner::convertRegionOp(Operation *op) {
  bool isLoop = isa<LoopLikeOpInterface>(op);
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : op->getOperands())
    state.operands.push_back(mapping.lookup(operand));
  for (Value result : op->getResults())
    state.types.push_back(localType(result.getType(), shardingOf(result)));
  state.attributes = op->getAttrs();
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (unsigned i = 0, n = op->getNumRegions(); i < n; ++i)
    state.addRegion();
  Operation *local = builder.create(state);
  {
    OpBuilder::InsertionGuard guard(builder);
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), local->getRegions())) {
      if (from.empty())
        continue;
      Block *block = builder.createBlock(&to);
      for (BlockArgument arg : from.getArguments()) {
        Value localArg =
            block->addArgument(localType(arg.getType(), shardingOf(arg)), arg.getLoc());
        // What a later trip brings is not known.
        define(arg, localArg, PaddingFact::undefined());
      }
      if (failed(convertBlock(from.front())))
        return failure();
    }
  }
  dropGlobalAttrs(local);
  DenseMap<Value, PaddingFact> made;
  for (const FlowValue &value : getFlowValues(op)) {
    PaddingFact fact = facts.lookup(value.sources.front()->get());
    for (OpOperand *source : value.sources)
      if (facts.lookup(source->get()) != fact)
        fact = PaddingFact::undefined();
    for (Value input : value.inputs)
      made[input] = isLoop ? PaddingFact::undefined() : fact;
  }
  for (auto [result, localResult] : llvm::zip_equal(op->getResults(), local->getResults()))
    define(result, localResult, made.lookup(result));
  return success();
}

LogicalResult Partitioner::run() {
  func::FuncOp local = createFunction();
  Block *block = local.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  for (auto [global, arg] : llvm::zip_equal(function.getArguments(), block->getArguments())) {
    arg.setLoc(global.getLoc());
    // Parameters and inputs come with zeros; a state keeps what was written to it.
    auto kind = function.getArgAttrOfType<StringAttr>(global.getArgNumber(), kKindAttr);
    bool isState = kind && kind.getValue() == "state";
    define(global, arg, isState ? PaddingFact::undefined() : PaddingFact::zero());
  }
  if (failed(convertBlock(function.getBody().front()))) {
    local.erase();
    return failure();
  }
  function.erase();
  return success();
}

struct PartitionPass : tp::impl::PartitionPassBase<PartitionPass> {
  using PartitionPassBase::PartitionPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Mesh> mesh = requireMesh(module);
    if (failed(mesh))
      return signalPassFailure();
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (!function.isDeclaration() && failed(Partitioner(function, *mesh, poison).run()))
        return signalPassFailure();
  }
};

} // namespace
