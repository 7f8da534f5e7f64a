//===- Strategy.cpp --------------------------------------------------------===//

#include "tp/Analysis/Strategy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "tp/Analysis/RegionFlow.h"

using namespace mlir;
using namespace mlir::tp;

OpShapes::OpShapes(Operation *op, const ShardingRule &rule) {
  auto shapeOf = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? type.getShape() : ArrayRef<int64_t>();
  };
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i)
    operands.push_back(shapeOf(getRuleOperand(op, rule, i)));
  for (Value result : op->getResults())
    results.push_back(shapeOf(result));
}

Value tp::getRuleOperand(Operation *op, const ShardingRule &rule, unsigned index) {
  unsigned numOperands = op->getNumOperands();
  return index < numOperands ? op->getOperand(index) : rule.captured[index - numOperands];
}

/// A result that lacks a factor holds something of all its iterations: it may only
/// be cut where they are reduced.
static void keepWhatResultsLack(ShardingRule &rule) {
  for (const TensorRule &result : rule.results) {
    llvm::SmallBitVector has(rule.factors.size());
    for (const DimFactors &factors : result.dims)
      for (unsigned factor : factors)
        has.set(factor);
    for (auto [i, factor] : llvm::enumerate(rule.factors))
      if (factor.kind == FactorKind::Parallel && !has.test(i))
        factor.kind = FactorKind::Replicated;
  }
}

FailureOr<ShardingRule> tp::getRule(Operation *op) {
  auto iface = dyn_cast<ShardingRuleOpInterface>(op);
  if (!iface)
    return failure();
  FailureOr<ShardingRule> rule = iface.getShardingRule();
  if (succeeded(rule))
    keepWhatResultsLack(*rule);
  return rule;
}

bool tp::isFree(Operation *op) {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  if (isa<tensor::EmptyOp, tensor::SplatOp, linalg::FillOp>(op))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  // All its operands but the last are inputs.
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (!isa<linalg::LinalgOp>(op) || llvm::any_of(llvm::drop_end(op->getOperandTypes()), isTensor))
    return false;
  FailureOr<ShardingRule> rule = getRule(op);
  if (failed(rule) || !rule->captured.empty())
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) &&
        !rule->ignored.test(operand.getOperandNumber()))
      return false;
  return true;
}

Attribute tp::getFilledValue(Operation *op) {
  Attribute value;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    matchPattern(fill.getInputs()[0], m_Constant(&value));
  else if (auto splat = dyn_cast<tensor::SplatOp>(op))
    matchPattern(splat.getInput(), m_Constant(&value));
  else if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto elements = dyn_cast<SplatElementsAttr>(constant.getValue()))
      value = elements.getSplatValue<Attribute>();
  return value;
}

bool tp::isNeutral(Operation *op, ReductionKind kind) {
  Attribute value = getFilledValue(op);
  return value && value == getNeutralElement(kind, getElementTypeOrSelf(op->getResult(0)));
}

void tp::eraseUnusedFreeOps(FunctionOpInterface function) {
  SmallVector<Operation *> free;
  walkFlow(function.getFunctionBody(), [&](Operation *op) {
    if (isFree(op))
      free.push_back(op);
  });
  // Users first: a fill uses its empty.
  for (Operation *op : llvm::reverse(free))
    if (op->use_empty())
      op->erase();
}

/// A cut by `part` of a block of `parent` elements into blocks of `block`.
static Cut makeCut(const AxisPart &part, int64_t parent, int64_t block) {
  Cut cut{part, 1};
  if (llvm::divideCeil(parent, part.size) != static_cast<uint64_t>(block))
    cut.granule = std::max<int64_t>(block, 1);
  return cut;
}

FailureOr<SmallVector<Cuts>> tp::projectDim(const ShardingRule &rule, const DimFactors &factors,
                                            int64_t size, ArrayRef<Cut> cuts) {
  SmallVector<Cuts> result(factors.size());
  if (cuts.empty())
    return result;
  if (factors.empty())
    return failure();
  if (factors.size() == 1) {
    result[0].assign(cuts.begin(), cuts.end());
    return result;
  }
  // Walk the cuts; `inner` is the number of elements below one step of the
  // current factor, `rest` the current block, in elements of the dimension.
  SmallVector<int64_t> inner(factors.size(), 1);
  for (size_t i = factors.size() - 1; i-- > 0;)
    inner[i] = inner[i + 1] * rule.factors[factors[i + 1]].size;
  size_t current = 0;
  DimSharding dim;
  dim.cuts.assign(cuts.begin(), cuts.end());
  SmallVector<int64_t> blocks = dim.blockSizes(size);
  for (size_t i = 0; i < cuts.size(); ++i) {
    AxisPart part = cuts[i].part;
    int64_t parent = blocks[i], block = blocks[i + 1];
    while (true) {
      // One step of the factor left: the next factor is cut instead.
      while (current + 1 < factors.size() && parent == inner[current])
        ++current;
      int64_t unit = inner[current];
      if (unit > 0 && block % unit == 0) {
        result[current].push_back(makeCut(part, parent / unit, block / unit));
        break;
      }
      // The axis cuts this factor to single steps and goes on in the next one.
      int64_t steps = unit > 0 && parent % unit == 0 ? parent / unit : 0;
      if (steps < 2 || part.size % steps != 0 || block * part.size != parent)
        return failure();
      result[current].push_back({{part.axis, part.pre, steps}, 1});
      part = {part.axis, part.pre * steps, part.size / steps};
      parent = unit;
    }
  }
  // Cutting a later factor is only local while the earlier ones are exhausted
  // evenly: every rank then has exactly one of their steps.
  for (size_t i = 0; i + 1 < factors.size(); ++i) {
    bool laterCut = false;
    for (size_t j = i + 1; j < factors.size(); ++j)
      laterCut |= !result[j].empty();
    DimSharding own;
    own.cuts = result[i];
    int64_t n = rule.factors[factors[i]].size;
    if (laterCut && n != 1 && !(own.localSize(n) == 1 && own.isEven(n)))
      return failure();
  }
  return result;
}

static int64_t countBlocks(ArrayRef<Cut> cuts) {
  int64_t count = 1;
  for (const Cut &cut : cuts)
    count *= cut.part.size;
  return count;
}

FailureOr<Cuts> tp::expandDim(const ShardingRule &rule, const DimFactors &factors, int64_t size,
                              ArrayRef<Cuts> factorCuts) {
  Cuts result;
  if (factors.empty())
    return result;
  if (factors.size() == 1) {
    const Factor &factor = rule.factors[factors[0]];
    result = factorCuts[factors[0]];
    if (factor.pieces != 0 && !result.empty() && countBlocks(result) != factor.pieces)
      return failure();
    if (factor.size != size)
      for (Cut &cut : result)
        cut.granule = 1;
    return result;
  }
  int64_t inner = size, parent = size;
  bool exhausted = true;
  for (unsigned factor : factors) {
    int64_t n = rule.factors[factor].size;
    if (n == 0) {
      if (!factorCuts[factor].empty())
        return failure();
      return result;
    }
    inner /= n;
    const Cuts &cuts = factorCuts[factor];
    if (!cuts.empty() && !exhausted)
      return failure();
    DimSharding own;
    own.cuts = cuts;
    SmallVector<int64_t> blocks = own.blockSizes(n);
    for (auto [i, cut] : llvm::enumerate(cuts)) {
      int64_t block = blocks[i + 1] * inner;
      result.push_back(makeCut(cut.part, parent, block));
      parent = block;
    }
    exhausted &= blocks.back() == 1 && own.isEven(n);
  }
  return result;
}

/// The dims of a tensor under the strategy.
static FailureOr<Sharding> getDims(const ShardingRule &rule, const Strategy &strategy,
                                   const TensorRule &tensor, ArrayRef<int64_t> shape) {
  Sharding sharding(tensor.dims.size());
  for (auto [i, factors] : llvm::enumerate(tensor.dims)) {
    FailureOr<Cuts> cuts = expandDim(rule, factors, shape[i], strategy.factorCuts);
    if (failed(cuts))
      return failure();
    sharding.dims[i].cuts = *cuts;
  }
  return canonicalize(sharding, shape);
}

static bool hasFactor(const TensorRule &tensor, unsigned factor) {
  return llvm::any_of(
      tensor.dims, [&](const DimFactors &factors) { return llvm::is_contained(factors, factor); });
}

std::optional<int64_t> tp::getCandidateBytes(Operation *op, const ShardingRule &rule,
                                             unsigned factor, int64_t count) {
  auto bytesOf = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    Type element = type.getElementType();
    unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
    return type.getNumElements() * static_cast<int64_t>(llvm::divideCeil(bits, 8));
  };
  int64_t whole = 0, candidates = 0;
  for (auto [i, tensor] : llvm::enumerate(rule.operands))
    if (Value value = getRuleOperand(op, rule, i); hasFactor(tensor, factor)) {
      Operation *def = value.getDefiningOp();
      whole += def && isFree(def) ? 0 : bytesOf(value);
    }
  for (Value result : op->getResults())
    candidates += bytesOf(result) * count;
  return candidates < whole ? std::optional(candidates) : std::nullopt;
}

/// Adds the partial axes that come from cut reduction factors.
static void addReductions(const ShardingRule &rule, const Strategy &strategy, Sharding &sharding) {
  for (auto [factor, cuts] : llvm::zip_equal(rule.factors, strategy.factorCuts))
    if (factor.kind == FactorKind::Reduction)
      for (const Cut &cut : cuts)
        if (cut.part.size > 1)
          sharding.addPartial(factor.reduction, cut.part);
}

FailureOr<Sharding> tp::getOperandSharding(const ShardingRule &rule, const Strategy &strategy,
                                           unsigned index, ArrayRef<int64_t> shape) {
  FailureOr<Sharding> sharding = getDims(rule, strategy, rule.operands[index], shape);
  if (failed(sharding))
    return failure();
  if (rule.inits.test(index))
    addReductions(rule, strategy, *sharding);
  for (const PartialFlow &flow : strategy.flows)
    if (flow.operands.test(index))
      sharding->addPartial(flow.axis.kind, flow.axis.part);
  return sharding;
}

FailureOr<Sharding> tp::getResultSharding(const ShardingRule &rule, const Strategy &strategy,
                                          unsigned index, ArrayRef<int64_t> shape) {
  FailureOr<Sharding> sharding = getDims(rule, strategy, rule.results[index], shape);
  if (failed(sharding))
    return failure();
  // A reduction factor that the result has (a scan's) is no reduction for it.
  for (auto [i, factor] : llvm::enumerate(rule.factors))
    if (factor.kind == FactorKind::Reduction && !hasFactor(rule.results[index], i))
      for (const Cut &cut : strategy.factorCuts[i])
        if (cut.part.size > 1)
          sharding->addPartial(factor.reduction, cut.part);
  for (const PartialFlow &flow : strategy.flows)
    sharding->addPartial(flow.axis.kind, flow.axis.part);
  return sharding;
}

/// Adds the cuts of one tensor to the strategy; they must agree with what is there.
static LogicalResult collectCuts(const ShardingRule &rule, const TensorRule &tensor,
                                 ArrayRef<int64_t> shape, const Sharding &sharding,
                                 Strategy &strategy, llvm::BitVector &known, std::string &error) {
  for (auto [i, factors] : llvm::enumerate(tensor.dims)) {
    FailureOr<SmallVector<Cuts>> cuts = projectDim(rule, factors, shape[i], sharding.dims[i].cuts);
    if (failed(cuts)) {
      error = ("dimension " + Twine(i) + " cannot be cut like this here").str();
      return failure();
    }
    for (auto [factor, list] : llvm::zip_equal(factors, *cuts)) {
      FactorKind kind = rule.factors[factor].kind;
      if (!list.empty() && kind != FactorKind::Parallel && kind != FactorKind::Reduction) {
        error = ("dimension " + Twine(i) + " must be whole here").str();
        return failure();
      }
      if (known.test(factor))
        continue; // Disagreement shows when the shardings are compared.
      known.set(factor);
      strategy.factorCuts[factor] = list;
    }
  }
  return success();
}

FailureOr<Strategy> tp::inferStrategy(const ShardingRule &rule, const OpShapes &shapes,
                                      ArrayRef<Sharding> operands, ArrayRef<Sharding> results,
                                      std::string &error) {
  Strategy strategy(rule);
  llvm::BitVector known(rule.factors.size());
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i)
    if (failed(collectCuts(rule, rule.operands[i], shapes.operands[i], operands[i], strategy, known,
                           error))) {
      error = ("operand " + Twine(i) + ": " + error).str();
      return failure();
    }
  for (unsigned i = 0, n = rule.results.size(); i < n; ++i)
    if (failed(collectCuts(rule, rule.results[i], shapes.results[i], results[i], strategy, known,
                           error))) {
      error = ("result " + Twine(i) + ": " + error).str();
      return failure();
    }
  // Partial axes that no cut reduction factor explains flow through.
  auto isReduced = [&](const PartialAxis &axis) {
    for (auto [factor, cuts] : llvm::zip_equal(rule.factors, strategy.factorCuts))
      if (factor.kind == FactorKind::Reduction)
        for (const Cut &cut : cuts)
          if (cut.part.overlaps(axis.part))
            return true;
    return false;
  };
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i) {
    if (rule.ignored.test(i))
      continue;
    for (const PartialAxis &axis : operands[i].partial) {
      if (isReduced(axis))
        continue;
      auto *flow =
          llvm::find_if(strategy.flows, [&](const PartialFlow &f) { return f.axis == axis; });
      if (flow == strategy.flows.end()) {
        strategy.flows.push_back({axis, llvm::BitVector(rule.numOperands())});
        flow = std::prev(strategy.flows.end());
      }
      flow->operands.set(i);
    }
  }
  for (const PartialFlow &flow : strategy.flows)
    if (!rule.isLinear(flow.axis.kind, flow.operands)) {
      error = ("operand " + Twine(flow.operands.find_first()) + " is a partial " +
               stringifyReductionKind(flow.axis.kind) +
               ", in which the op is not linear together with its other operands as they are")
                  .str();
      return failure();
    }
  // What follows from the strategy must be what is there.
  auto compare = [&](FailureOr<Sharding> expected, const Sharding &found, ArrayRef<int64_t> shape,
                     Twine what) {
    if (succeeded(expected) && equivalent(*expected, found, shape))
      return success();
    error = (what + " does not have the sharding that the others ask for").str();
    return failure();
  };
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i)
    if (failed(compare(getOperandSharding(rule, strategy, i, shapes.operands[i]), operands[i],
                       shapes.operands[i], "operand " + Twine(i))))
      return failure();
  for (unsigned i = 0, n = rule.results.size(); i < n; ++i)
    if (failed(compare(getResultSharding(rule, strategy, i, shapes.results[i]), results[i],
                       shapes.results[i], "result " + Twine(i))))
      return failure();
  return strategy;
}
