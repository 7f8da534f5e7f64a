//===- InsertReshards.cpp - Every disagreement becomes explicit ------------===//
//
// Chooses a strategy for each op, in program order: the factors keep the axes on
// which the operands agree; where operands and results pull in different
// directions, what annotations of the smallest priority number want, then the
// choice with the least estimated communication. What an operand must become and
// what a result comes in are then tp.reshard ops.
//
// What a region op carries has the plan's sharding all the way: what flows into it
// becomes that. A reshard comes right after its operand, so that of a value from
// outside a loop is outside the loop.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Analysis/ReshardPath.h"
#include "tp/Analysis/ShardingTable.h"
#include "tp/Analysis/Strategy.h"
#include "tp/Analysis/WindowPlan.h"
#include "tp/Analysis/Wishes.h"
#include "tp/Interfaces/ShardingModels.h"
#include "tp/Transforms/LocalOps.h"

namespace mlir::tp {
#define GEN_PASS_DEF_INSERTRESHARDSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Estimated time of one iteration of an op on one rank; only to prefer, where
/// communication is equal, the strategy in which ranks share the work.
constexpr double kMicrosecondsPerIteration = 1e-5;

class Inserter {
public:
  Inserter(func::FuncOp function, const Mesh &mesh)
      : function(function), mesh(mesh), shardings(function.getContext(), this->mesh),
        costs(mesh, Hardware()) {}

  LogicalResult run();

private:
  LogicalResult visitBlock(Block &block);
  LogicalResult visitRegionOp(Operation *op);
  LogicalResult visitWithoutRule(Operation *op);
  void visitReturn(func::ReturnOp op);
  void visitConstraint(ConstraintOp op);
  void visitBarrier(BarrierOp op);
  void visitWindow(WindowOp op);
  LogicalResult visitWithRule(Operation *op, const ShardingRule &rule);
  bool decompose(Operation *op, const ShardingRule &rule);
  bool sliceElement(tensor::ExtractOp op);

  std::optional<Strategy> choose(Operation *op, const ShardingRule &rule, const OpShapes &shapes,
                                 ArrayRef<std::optional<Sharding>> operands,
                                 ArrayRef<std::optional<Sharding>> results);
  std::optional<double> cost(Operation *op, const ShardingRule &rule, const OpShapes &shapes,
                             const Strategy &strategy, ArrayRef<std::optional<Sharding>> operands,
                             ArrayRef<std::optional<Sharding>> results);

  /// The sharding of a value that is no free one.
  const Sharding &actual(Value value);
  /// Priorities of the annotations that its cuts come from, per dimension; empty
  /// where all are of the first.
  ArrayRef<int64_t> prioritiesOf(Value value);
  /// The sharding that the plan wants for a result, if it says so.
  std::optional<Sharding> wanted(OpResult result);
  /// Number of uses when first asked for; tables that all layers use have many.
  int64_t numUses(Value value);
  /// `value` under `needed`, for `user`.
  Value provide(Value value, const Sharding &needed, Operation *user);
  /// The free op that makes the value, with no other use; null where it is no free one.
  Operation *ownFree(Value value);
  /// All uses of a result that comes as `made` get it as `target`.
  void reshardResult(OpResult result, const Sharding &made, const Sharding &target);
  void setFree(Operation *op, const Sharding &sharding);
  void setResultShardings(Operation *op, ArrayRef<Sharding> made);
  std::string describe(const Sharding &sharding) { return toString(sharding, mesh); }

  func::FuncOp function;
  Mesh mesh;
  ShardingTable shardings;
  ReshardCosts costs;
  DenseMap<Value, const Sharding *> known;
  DenseMap<Value, int64_t> uses;
  DenseMap<Value, SmallVector<std::pair<const Sharding *, Value>, 1>> provided;
  /// What merges parts of blocks, which are no elements of a value.
  llvm::SmallPtrSet<Operation *, 4> merges;
};

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

int64_t elementBytes(Value value) { return getElementBytes(getElementTypeOrSelf(value)); }

const Sharding &Inserter::actual(Value value) {
  if (const Sharding *sharding = known.lookup(value))
    return *sharding;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return shardings.keep(Sharding(type ? type.getRank() : 0));
}

int64_t Inserter::numUses(Value value) {
  auto [it, isNew] = uses.try_emplace(value, 1);
  if (isNew)
    it->second = std::distance(value.use_begin(), value.use_end());
  return it->second;
}

std::optional<Sharding> Inserter::wanted(OpResult result) {
  auto array = result.getOwner()->getAttrOfType<ArrayAttr>(kShardingAttr);
  if (!array)
    return std::nullopt;
  return shardings.get(cast<ShardingAttr>(array[result.getResultNumber()]),
                       cast<RankedTensorType>(result.getType()).getRank());
}

ArrayRef<int64_t> Inserter::prioritiesOf(Value value) {
  // The reshard of a result stands for the result.
  if (auto reshard = value.getDefiningOp<ReshardOp>())
    value = reshard.getInput();
  Attribute attr;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    attr = arg.getOwner()->getParentOp() == function
               ? function.getArgAttr(arg.getArgNumber(), kCutPriorityAttr)
               : getRegionArgumentAttr(arg, kArgCutPriorityAttr);
  } else if (auto array = value.getDefiningOp()->getAttrOfType<ArrayAttr>(kCutPriorityAttr))
    attr = array[cast<OpResult>(value).getResultNumber()];
  auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attr);
  return list ? list.asArrayRef() : ArrayRef<int64_t>();
}

void Inserter::setResultShardings(Operation *op, ArrayRef<Sharding> made) {
  SmallVector<Attribute> attrs;
  for (const Sharding &sharding : made)
    attrs.push_back(shardings.getAttr(sharding));
  op->setAttr(kShardingAttr, ArrayAttr::get(op->getContext(), attrs));
}

Operation *Inserter::ownFree(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def || !isFree(def))
    return nullptr;
  if (!value.hasOneUse())
    def = OpBuilder(def).clone(*def);
  return def;
}

void Inserter::setFree(Operation *op, const Sharding &sharding) {
  setResultShardings(op, sharding);
  known[op->getResult(0)] = &shardings.keep(sharding);
  // Destinations that are not read are cut as the result is.
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      if (Operation *def = ownFree(operand.get())) {
        operand.set(def->getResult(0));
        setFree(def, sharding.withoutPartial());
      }
}

Value Inserter::provide(Value value, const Sharding &needed, Operation *user) {
  if (Operation *def = ownFree(value)) {
    value = def->getResult(0);
    bool neutral =
        llvm::all_of(needed.partial, [&](const PartialAxis &p) { return isNeutral(def, p.kind); });
    Sharding sharding = neutral ? needed : needed.withoutPartial();
    setFree(def, sharding);
    if (neutral)
      return value;
  }
  const Sharding &from = actual(value);
  if (equivalent(from, needed, shapeOf(value)))
    return value;
  for (auto &[sharding, known] : provided[value])
    if (equivalent(*sharding, needed, shapeOf(value)))
      return known;
  OpBuilder builder(user->getContext());
  builder.setInsertionPointAfterValue(value);
  std::string reason =
      "needed as " + describe(needed) + " by " + user->getName().getStringRef().str();
  auto reshard = ReshardOp::create(builder, user->getLoc(), value, shardings.getAttr(from),
                                   shardings.getAttr(needed), builder.getStringAttr(reason));
  known[reshard] = &shardings.keep(needed);
  provided[value].push_back({known[reshard], reshard});
  return reshard;
}

LogicalResult Inserter::run() {
  for (BlockArgument arg : function.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(arg.getType()))
      if (auto attr = function.getArgAttrOfType<ShardingAttr>(arg.getArgNumber(), kShardingAttr))
        known[arg] = &shardings.get(attr, type.getRank());
  if (!function.getBody().hasOneBlock())
    return function.getBody().front().getTerminator()->emitError(
        "control flow between blocks is not supported, use scf");
  return visitBlock(function.getBody().front());
}

LogicalResult Inserter::visitBlock(Block &block) {
  for (Operation *op = &block.front(), *next; op; op = next) {
    next = op->getNextNode();
    if (isa<ReshardOp>(op) || isFree(op))
      continue;
    if (op->hasTrait<OpTrait::IsTerminator>() && !isa<func::ReturnOp>(op))
      continue; // What it passes on is the region op's.
    if (auto ret = dyn_cast<func::ReturnOp>(op)) {
      visitReturn(ret);
      continue;
    }
    if (auto constraint = dyn_cast<ConstraintOp>(op)) {
      visitConstraint(constraint);
      continue;
    }
    if (auto barrier = dyn_cast<BarrierOp>(op)) {
      visitBarrier(barrier);
      continue;
    }
    if (auto window = dyn_cast<WindowOp>(op)) {
      visitWindow(window);
      continue;
    }
    if (isRegionFlow(op)) {
      if (failed(visitRegionOp(op)))
        return failure();
      continue;
    }
    FailureOr<ShardingRule> rule = getRule(op);
    if (failed(rule)) {
      if (auto extract = dyn_cast<tensor::ExtractOp>(op); extract && sliceElement(extract)) {
        next = op->getPrevNode();
        continue;
      }
      if (failed(visitWithoutRule(op)))
        return failure();
      continue;
    }
    // Decomposition puts new ops before the old one: they come next.
    Operation *previous = op->getPrevNode();
    if (decompose(op, *rule))
      next = previous ? previous->getNextNode() : &block.front();
    else if (failed(visitWithRule(op, *rule)))
      return failure();
  }
  return success();
}

/// What flows into the values that the op carries gets their sharding.
LogicalResult Inserter::visitRegionOp(Operation *op) {
  SmallVector<FlowValue> carried = getFlowValues(op);
  llvm::erase_if(carried, [](const FlowValue &value) {
    return !isa<RankedTensorType>(value.inputs.front().getType());
  });
  for (FlowValue &value : carried)
    for (Value input : value.inputs)
      known[input] = &shardings.getOf(value.inputs.front());
  auto provideSources = [&](bool ofOp) {
    for (FlowValue &value : carried)
      for (OpOperand *source : value.sources)
        if ((source->getOwner() == op) == ofOp)
          source->set(provide(source->get(), actual(value.inputs.front()), source->getOwner()));
  };
  provideSources(/*ofOp=*/true);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(visitBlock(block)))
        return failure();
  provideSources(/*ofOp=*/false);
  return success();
}

void Inserter::visitReturn(func::ReturnOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    auto attr =
        function.getResultAttrOfType<ShardingAttr>(operand.getOperandNumber(), kShardingAttr);
    Sharding slot = attr ? tp::getSharding(attr, mesh, type.getRank()) : Sharding(type.getRank());
    // The new value of a state lives as the state does.
    if (function.getResultAttr(operand.getOperandNumber(), kAliasAttr)) {
      operand.set(provide(operand.get(), slot, op));
      continue;
    }
    // A result that would stay partial is resolved.
    operand.set(provide(operand.get(), slot.withoutPartial(), op));
    if (slot.isPartial())
      function.setResultAttr(operand.getOperandNumber(), kShardingAttr,
                             getShardingAttr(op.getContext(), slot.withoutPartial(), mesh));
  }
}

void Inserter::visitConstraint(ConstraintOp op) {
  Sharding sharding = canonicalize(tp::getSharding(op.getSharding(), mesh, op.getType().getRank()),
                                   op.getType().getShape());
  op.getInputMutable().set(provide(op.getInput(), sharding, op));
  if (auto reshard = op.getInput().getDefiningOp<ReshardOp>(); reshard && op.getReasonAttr())
    reshard.setReasonAttr(op.getReasonAttr());
  setResultShardings(op, sharding);
  known[op] = &shardings.keep(sharding);
}

/// What the barrier kept apart is a reshard, or nothing.
void Inserter::visitBarrier(BarrierOp op) {
  std::optional<Sharding> sharding = wanted(cast<OpResult>(op.getResult()));
  Value ready = sharding ? provide(op.getInput(), *sharding, op) : op.getInput();
  op.replaceAllUsesWith(ready);
  op.erase();
}

/// The window moves rows along one dimension; the others are cut as they come or as
/// they are wanted. Among the ways to cut its input and result the cheapest with
/// the reshards before and after it.
void Inserter::visitWindow(WindowOp op) {
  unsigned dim = op.getDim(), rank = op.getType().getRank();
  Value input = op.getInput();
  Sharding from = actual(input).withoutPartial();
  Operation *def = input.getDefiningOp();
  bool isFreeInput = def && isFree(def);
  std::optional<Sharding> target = wanted(cast<OpResult>(op.getResult()));
  if (!target) {
    target = from;
    for (Cut &cut : target->dims[dim].cuts)
      cut.granule = 1;
  }
  ArrayRef<int64_t> inShape = shapeOf(input), outShape = shapeOf(op);
  WindowMap map = op.getMap();
  int64_t bytes = elementBytes(input);
  DimSharding whole;
  struct Choice {
    Sharding input, result;
    double cost;
  };
  std::optional<Choice> best;
  auto consider = [&](const Sharding &others, const DimSharding &in, const DimSharding &out) {
    Sharding a = others, b = others;
    a.dims[dim] = in;
    b.dims[dim] = out;
    for (const Sharding *one : {&a, &b})
      for (auto [d, cutDim] : llvm::enumerate(one->dims)) {
        Sharding rest = *one;
        rest.dims[d] = whole;
        if (llvm::any_of(cutDim.cuts, [&](const Cut &cut) { return rest.uses(cut.part); }))
          return;
      }
    a = canonicalize(a, inShape);
    b = canonicalize(b, outShape);
    SmallVector<int64_t> local = b.localShape(outShape);
    int64_t rowElements = 1;
    for (unsigned d = 0; d < rank; ++d)
      rowElements *= d == dim ? 1 : local[d];
    std::optional<WindowPlan> plan =
        planWindow(mesh, map, a.dims[dim], b.dims[dim], rowElements, bytes, Hardware());
    if (!plan)
      return;
    double cost = Hardware().microseconds(plan->messages, plan->bytes);
    if (!isFreeInput)
      cost += costs.cost(inShape, bytes, from, a);
    cost += costs.cost(outShape, bytes, b, *target);
    // Where communication is the same, the fewest elements.
    cost += static_cast<double>(local[dim] * rowElements) * kMicrosecondsPerIteration;
    if (!best || cost < best->cost)
      best = Choice{a, b, cost};
  };
  for (const Sharding *others : {&from, &*target})
    for (const DimSharding *in : {&from.dims[dim], &target->dims[dim], &whole})
      for (const DimSharding *out : {&target->dims[dim], &from.dims[dim], &whole})
        consider(*others, *in, *out);
  // The whole of both sides always is a choice.
  op.getInputMutable().assign(provide(input, best->input, op));
  setResultShardings(op, best->result);
  known[op] = &shardings.keep(best->result);
  if (op->use_empty() || equivalent(best->result, *target, outShape))
    return;
  reshardResult(cast<OpResult>(op.getResult()), best->result, *target);
}

/// An op without a rule runs whole on every rank.
LogicalResult Inserter::visitWithoutRule(Operation *op) {
  SetVector<Value> tensors;
  for (Value operand : op->getOperands())
    tensors.insert(operand);
  getUsedValuesDefinedAbove(op->getRegions(), tensors);
  bool touchesTensors = false, sharded = false;
  for (Value value : tensors) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      continue;
    touchesTensors = true;
    Value whole = provide(value, Sharding(type.getRank()), op);
    if (whole == value)
      continue;
    sharded |= !actual(value).isReplicated();
    value.replaceUsesWithIf(whole, [&](OpOperand &use) { return op->isAncestor(use.getOwner()); });
  }
  if (!isMemoryEffectFree(op))
    return op->emitError() << "'" << op->getName()
                           << "' has side effects and no sharding rule: it cannot be partitioned";
  SmallVector<Sharding, 2> results;
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    results.emplace_back(type ? type.getRank() : 0);
    touchesTensors |= static_cast<bool>(type);
    if (type)
      known[result] = &shardings.keep(results.back());
  }
  if (llvm::any_of(op->getResultTypes(), [](Type t) { return isa<RankedTensorType>(t); }))
    setResultShardings(op, results);
  if (touchesTensors && !op->hasTrait<OpTrait::ConstantLike>() &&
      (sharded || !op->getRegions().empty()))
    op->emitRemark() << "'" << op->getName()
                     << "' has no sharding rule: it runs whole on every rank";
  return success();
}

/// Rewrites the op where the operands cut a factor that only its decomposition
/// can cut.
bool Inserter::decompose(Operation *op, const ShardingRule &rule) {
  for (auto [f, factor] : llvm::enumerate(rule.factors)) {
    if (factor.kind != FactorKind::Candidate)
      continue;
    for (auto [i, tensor] : llvm::enumerate(rule.operands)) {
      Value operand = getRuleOperand(op, rule, i);
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      const Sharding &sharding = actual(operand);
      for (auto [d, factors] : llvm::enumerate(tensor.dims)) {
        const DimSharding &dim = sharding.dims[d];
        bool plain = llvm::all_of(dim.cuts, [](const Cut &cut) { return cut.granule == 1; });
        if (factors.size() != 1 || factors.front() != f || dim.count() == 1 || !plain ||
            !getCandidateBytes(op, rule, f, dim.count()))
          continue;
        OpBuilder builder(op);
        auto replacements = cast<ShardingRuleOpInterface>(op).decompose(builder, f, dim.count());
        if (failed(replacements))
          continue;
        // What merges the parts of blocks reads none of the op's inputs.
        for (Value value : *replacements)
          if (Operation *made = value.getDefiningOp();
              made->getNumOperands() > 0 &&
              !llvm::is_contained(op->getOperands(), made->getOperand(0)))
            merges.insert(made);
        merges.erase(op);
        op->replaceAllUsesWith(*replacements);
        op->erase();
        return true;
      }
    }
  }
  return false;
}

/// One element of a value that is cut is a slice, which has a rule: all else need not come
/// with it.
bool Inserter::sliceElement(tensor::ExtractOp op) {
  RankedTensorType type = op.getTensor().getType();
  if (type.getRank() == 0 || !type.getElementType().isIntOrFloat() ||
      !actual(op.getTensor()).isSharded())
    return false;
  OpBuilder builder(op);
  SmallVector<OpFoldResult> one(type.getRank(), builder.getIndexAttr(1));
  Value element = tensor::ExtractSliceOp::create(
      builder, op.getLoc(), RankedTensorType::get({}, type.getElementType()), op.getTensor(),
      getAsOpFoldResult(op.getIndices()), one, one);
  op.getTensorMutable().assign(element);
  op.getIndicesMutable().clear();
  return true;
}

std::optional<double> Inserter::cost(Operation *op, const ShardingRule &rule,
                                     const OpShapes &shapes, const Strategy &strategy,
                                     ArrayRef<std::optional<Sharding>> operands,
                                     ArrayRef<std::optional<Sharding>> results) {
  double total = 0;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i) {
    FailureOr<Sharding> needed = getOperandSharding(rule, strategy, i, shapes.operands[i]);
    if (failed(needed))
      return std::nullopt;
    if (!operands[i])
      continue;
    Value value = getRuleOperand(op, rule, i);
    // A reshard is made once for all users that want it, and before the loops that its
    // operand comes from outside of.
    total += costs.cost(shapes.operands[i], elementBytes(value), *operands[i], *needed) /
             numUses(value) / estimateRuns(op->getBlock(), value.getParentBlock());
  }
  for (unsigned i = 0, n = rule.results.size(); i < n; ++i) {
    FailureOr<Sharding> made = getResultSharding(rule, strategy, i, shapes.results[i]);
    if (failed(made))
      return std::nullopt;
    Sharding target = results[i] ? *results[i] : made->withoutPartial();
    total += costs.cost(shapes.results[i], elementBytes(op->getResult(i)), *made, target);
  }
  double iterations = 1;
  for (auto [factor, cuts] : llvm::zip_equal(rule.factors, strategy.factorCuts)) {
    DimSharding dim;
    dim.cuts = cuts;
    iterations *= static_cast<double>(dim.localSize(factor.size));
  }
  return total + iterations * kMicrosecondsPerIteration;
}

/// Whether no axis cuts two factors.
bool isDisjoint(const Strategy &strategy) {
  SmallVector<AxisPart> used;
  for (const auto &cuts : strategy.factorCuts)
    for (const Cut &cut : cuts) {
      if (llvm::any_of(used, [&](const AxisPart &part) { return part.overlaps(cut.part); }))
        return false;
      used.push_back(cut.part);
    }
  return true;
}

/// Whether shardings of the op's tensors can say that this is the strategy. Not every
/// cut of a factor is one of its dimension, and not every cut of factors that share a
/// dimension can be told from its blocks.
static bool isExpressible(const ShardingRule &rule, const OpShapes &shapes,
                          const Strategy &strategy) {
  auto isPlain = [&](const TensorRule &tensor) {
    return llvm::all_of(tensor.dims, [&](const DimFactors &factors) {
      return factors.empty() || (factors.size() == 1 && rule.factors[factors[0]].pieces == 0);
    });
  };
  if (llvm::all_of(rule.operands, isPlain) && llvm::all_of(rule.results, isPlain))
    return true;
  SmallVector<Sharding, 2> operands, results;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i) {
    FailureOr<Sharding> sharding = getOperandSharding(rule, strategy, i, shapes.operands[i]);
    if (failed(sharding))
      return false;
    operands.push_back(std::move(*sharding));
  }
  for (unsigned i = 0, n = rule.results.size(); i < n; ++i) {
    FailureOr<Sharding> sharding = getResultSharding(rule, strategy, i, shapes.results[i]);
    if (failed(sharding))
      return false;
    results.push_back(std::move(*sharding));
  }
  std::string error;
  return succeeded(inferStrategy(rule, shapes, operands, results, error));
}

std::optional<Strategy> Inserter::choose(Operation *op, const ShardingRule &rule,
                                         const OpShapes &shapes,
                                         ArrayRef<std::optional<Sharding>> operands,
                                         ArrayRef<std::optional<Sharding>> results) {
  // The axis lists that tensors have on each factor.
  unsigned numFactors = rule.factors.size();
  SmallVector<Wishes> wishes(numFactors);
  llvm::BitVector inOperands(numFactors);
  // What propagation decided for this op; without it, what it says of the tensors.
  ArrayRef<int64_t> decided;
  if (auto attr = op->getAttrOfType<DenseI64ArrayAttr>(kFactorPriorityAttr))
    if (attr.size() == numFactors)
      decided = attr;
  bool anyLater = !decided.empty();
  auto collect = [&](const TensorRule &tensor, ArrayRef<int64_t> shape, const Sharding &sharding,
                     Value value, bool isOperand) {
    ArrayRef<int64_t> priorities = prioritiesOf(value);
    anyLater |= !priorities.empty();
    for (auto [d, factors] : llvm::enumerate(tensor.dims)) {
      auto projected = projectDim(rule, factors, shape[d], sharding.dims[d].cuts);
      for (auto [k, factor] : llvm::enumerate(factors)) {
        ArrayRef<Cut> list;
        FactorKind kind = rule.factors[factor].kind;
        if (succeeded(projected) && (kind == FactorKind::Parallel || kind == FactorKind::Reduction))
          list = (*projected)[k];
        if (!isOperand && inOperands.test(factor) && list.empty())
          continue; // A result that is whole does not ask for anything.
        addWish(wishes[factor], list,
                !decided.empty()     ? decided[factor]
                : priorities.empty() ? 0
                                     : priorities[d]);
        if (isOperand)
          inOperands.set(factor);
      }
    }
  };
  for (auto [i, tensor] : llvm::enumerate(rule.operands))
    if (operands[i])
      collect(tensor, shapes.operands[i], *operands[i], getRuleOperand(op, rule, i),
              /*isOperand=*/true);
  for (auto [i, tensor] : llvm::enumerate(rule.results))
    if (results[i])
      collect(tensor, shapes.results[i], *results[i], op->getResult(i), /*isOperand=*/false);
  if (anyLater)
    applyPriorities(wishes);

  // One list for every factor and no axis twice: nothing to choose.
  Strategy strategy(rule);
  bool simple = true;
  for (unsigned f = 0; f < numFactors; ++f) {
    if (wishes[f].empty())
      wishes[f].emplace_back();
    simple &= wishes[f].size() == 1;
    strategy.factorCuts[f] = wishes[f].front().cuts;
  }
  if (simple && isDisjoint(strategy) && isExpressible(rule, shapes, strategy))
    return strategy;

  // Otherwise every combination, each factor with the whole as a further choice.
  for (Wishes &choices : wishes)
    addWish(choices, {}, /*priority=*/0);
  std::optional<Strategy> best;
  double bestCost = 0;
  SmallVector<unsigned> at(numFactors, 0);
  constexpr unsigned kMaxCombinations = 4096;
  for (unsigned tried = 0; tried < kMaxCombinations; ++tried) {
    for (unsigned f = 0; f < numFactors; ++f)
      strategy.factorCuts[f] = wishes[f][at[f]].cuts;
    if (isDisjoint(strategy))
      if (std::optional<double> c = cost(op, rule, shapes, strategy, operands, results))
        if ((!best || *c < bestCost) && isExpressible(rule, shapes, strategy)) {
          best = strategy;
          bestCost = *c;
        }
    unsigned f = numFactors;
    while (f > 0 && ++at[f - 1] == wishes[f - 1].size())
      at[--f] = 0;
    if (f == 0)
      break;
  }
  return best;
}

void Inserter::reshardResult(OpResult result, const Sharding &made, const Sharding &target) {
  Operation *op = result.getOwner();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  std::string reason = op->getName().getStringRef().str() + " yields " + describe(made) +
                       ", wanted as " + describe(target);
  auto reshard = ReshardOp::create(builder, op->getLoc(), result, shardings.getAttr(made),
                                   shardings.getAttr(target), builder.getStringAttr(reason));
  result.replaceAllUsesExcept(reshard, reshard);
  known[reshard] = &shardings.keep(target);
}

/// Says so where operands come cut along a reduction that ranks cannot share.
static void remarkGathered(Operation *op, const ShardingRule &rule,
                           ArrayRef<std::optional<Sharding>> operands) {
  auto loops = dyn_cast<linalg::LinalgOp>(op);
  for (unsigned i = 0, n = loops ? rule.numOperands() : 0; i < n; ++i)
    for (auto [dim, factors] : llvm::enumerate(rule.operands[i].dims))
      if (operands[i] && operands[i]->dims[dim].count() > 1 && factors.size() == 1 &&
          rule.factors[factors[0]].kind == FactorKind::Replicated &&
          combinesByNoKind(loops, factors[0])) {
        op->emitRemark() << "'" << op->getName()
                         << "' combines elements along a dimension that is cut, by no kind of "
                            "reduction: they are gathered";
        return;
      }
}

LogicalResult Inserter::visitWithRule(Operation *op, const ShardingRule &rule) {
  OpShapes shapes(op, rule);
  SmallVector<std::optional<Sharding>, 2> operands(rule.numOperands()), results;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i) {
    Value value = getRuleOperand(op, rule, i);
    Operation *def = value.getDefiningOp();
    if (!isa<RankedTensorType>(value.getType()) || rule.ignored.test(i) || (def && isFree(def)))
      continue;
    // What is partial can be had whole: the strategy is chosen for that.
    operands[i] = actual(value).withoutPartial();
  }
  for (OpResult result : op->getResults())
    results.push_back(wanted(result));
  std::optional<Strategy> strategy = choose(op, rule, shapes, operands, results);
  assert(strategy && "the whole is always a choice");
  if (!merges.contains(op))
    remarkGathered(op, rule, operands);

  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i) {
    Value value = getRuleOperand(op, rule, i);
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    Sharding needed = *getOperandSharding(rule, *strategy, i, shapes.operands[i]);
    Value ready;
    if (rule.ignored.test(i)) {
      OpBuilder builder(op);
      auto type = cast<RankedTensorType>(value.getType());
      auto empty =
          tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(), type.getElementType());
      setFree(empty, needed);
      ready = empty;
    } else {
      ready = provide(value, needed, op);
    }
    if (ready == value)
      continue;
    if (i < op->getNumOperands())
      op->setOperand(i, ready);
    else
      value.replaceUsesWithIf(ready, [&](OpOperand &use) {
        return use.getOwner() != op && op->isAncestor(use.getOwner());
      });
  }

  SmallVector<Sharding, 2> made;
  for (unsigned i = 0, n = op->getNumResults(); i < n; ++i)
    made.push_back(*getResultSharding(rule, *strategy, i, shapes.results[i]));
  setResultShardings(op, made);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    known[result] = &shardings.keep(made[i]);
    Sharding target = results[i] ? *results[i] : made[i].withoutPartial();
    if (result.use_empty() || equivalent(made[i], target, shapes.results[i]))
      continue;
    reshardResult(result, made[i], target);
  }
  return success();
}

struct InsertReshardsPass : tp::impl::InsertReshardsPassBase<InsertReshardsPass> {
  using InsertReshardsPassBase::InsertReshardsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration())
      return;
    FailureOr<Mesh> mesh = requireMesh(function);
    if (failed(mesh) || failed(Inserter(function, *mesh).run()))
      return signalPassFailure();
    eraseUnusedFreeOps(function);
  }
};

} // namespace
