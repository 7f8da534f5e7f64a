//===- Evaluator.cpp - Ops to what they do with relations ------------------===//

#include "Evaluator.h"

#include "dialects/Comm/Comm.h"
#include "dialects/NN/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

void Evaluator::defineUndefined(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Relation relation = algebra.splat(algebra.terms.intern({kUndefinedTerm}), type.getShape());
  relation.isUndefined = true;
  define(value, relation);
}

void Evaluator::run(Block &block) {
  for (Operation &op : block.without_terminator())
    evaluate(&op);
}

/// Of such a dimension positions are not listed one by one.
constexpr int64_t kMaxPositions = int64_t(1) << 24;

/// Whether the op may need lists of positions that are too long.
static bool needsLongLists(Operation *op) {
  if (!isa<linalg::LinalgOp>(op) && !isa<tensor::TensorDialect>(op->getDialect()))
    return false;
  auto isLong = [](Type type) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return ranked && llvm::any_of(ranked.getShape(), [](int64_t n) { return n > kMaxPositions; });
  };
  return !isa<linalg::FillOp, tensor::EmptyOp>(op) &&
         (llvm::any_of(op->getOperandTypes(), isLong) ||
          llvm::any_of(op->getResultTypes(), isLong));
}

void Evaluator::evaluate(Operation *op) {
  if (!needsLongLists(op) && evaluateUpdate(op))
    return;
  // What depends on an unknown value is unknown for the same reason.
  std::shared_ptr<const Failure> failure;
  auto use = [&](Value value) {
    auto it = values.find(value);
    if (!failure && it != values.end() && it->second.failure)
      failure = it->second.failure;
  };
  for (Value operand : op->getOperands())
    use(operand);
  if (op->getNumRegions() != 0)
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (!op->isProperAncestor(operand.getParentRegion()->getParentOp()) &&
            operand.getParentRegion()->getParentOp() != op)
          use(operand);
    });
  if (!failure) {
    why.clear();
    if (evaluateKind(op))
      return;
    std::string reason = why;
    bool mayTryMore = !std::exchange(isSettled, false) && !isa<comm::CommDialect>(op->getDialect());
    if (mayTryMore && evaluateOpaque(op))
      return;
    failure = std::make_shared<const Failure>(Failure{op, reason.empty() ? why : reason});
  }
  Known unknown;
  unknown.failure = failure;
  for (Value result : op->getResults())
    values[result] = unknown;
}

bool Evaluator::evaluateKind(Operation *op) {
  // Where it is out of bounds there are no values.
  if (isa<comm::CheckIndexOp>(op)) {
    pass(op->getOperand(0), op->getResult(0));
    return true;
  }
  if (isa<comm::CommDialect>(op->getDialect()))
    return evaluateCollective(op);
  // In the source these say where a value is to be, not what it is.
  if (isa<ConstraintOp, BarrierOp, ReshardOp>(op)) {
    if (!isSource)
      return fail("is left of an earlier phase");
    pass(op->getOperand(0), op->getResult(0));
    return true;
  }
  if (isa<scf::ForOp>(op))
    return evaluateFor(op);
  if (isa<scf::WhileOp>(op))
    return evaluateWhile(op);
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return evaluateBranches(op);
  bool hasTensors = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
                    llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
  if (isa<arith::ConstantOp>(op))
    return evaluateConstant(op);
  if (!hasTensors)
    return evaluateScalar(op);
  for (Type type : op->getResultTypes())
    if (auto ranked = dyn_cast<RankedTensorType>(type); ranked && !ranked.hasStaticShape())
      return fail("has a dynamic dimension");
  if (needsLongLists(op))
    return fail("has a dimension of more than " + Twine(kMaxPositions) + " elements");
  if (isa<linalg::LinalgOp>(op))
    return evaluateLinalg(op);
  if (isa<tensor::TensorDialect>(op->getDialect()))
    return evaluateTensorOp(op);
  if (isa<nn::NNDialect>(op->getDialect()))
    return evaluateNN(op);
  if (OpTrait::hasElementwiseMappableTraits(op) && op->getNumRegions() == 0)
    return evaluateElementwise(op);
  return false;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Scalar Evaluator::scalarOf(Value value) {
  auto it = values.find(value);
  return it == values.end() ? Scalar() : it->second.scalar;
}

std::optional<TermId> Evaluator::termOf(const Scalar &scalar) {
  if (scalar.term)
    return scalar.term;
  if (scalar.constants.size() == 1)
    return algebra.terms.constant(scalar.constants[0]);
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> Evaluator::integersOf(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value))
    return SmallVector<int64_t>{cast<IntegerAttr>(attr).getInt()};
  SmallVector<int64_t> result;
  for (Attribute attr : scalarOf(cast<Value>(value)).constants)
    result.push_back(cast<IntegerAttr>(attr).getInt());
  if (result.empty())
    return std::nullopt;
  return result;
}

bool Evaluator::evaluateConstant(Operation *op) {
  auto constant = cast<arith::ConstantOp>(op);
  TypedAttr value = constant.getValue();
  if (auto type = dyn_cast<RankedTensorType>(constant.getType())) {
    if (auto splat = dyn_cast<SplatElementsAttr>(value)) {
      TermId term = algebra.terms.constant(splat.getSplatValue<Attribute>());
      define(constant, algebra.splat(term, type.getShape()));
      return true;
    }
    define(constant, algebra.whole(algebra.terms.constant(value, type.getShape())));
    return true;
  }
  Scalar scalar;
  scalar.constants = {value};
  define(constant, scalar);
  return true;
}

bool Evaluator::evaluateScalar(Operation *op) {
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  SmallVector<Scalar> operands;
  for (Value operand : op->getOperands())
    operands.push_back(scalarOf(operand));
  bool isConstant = op->getNumResults() == 1 &&
                    llvm::all_of(operands, [](const Scalar &s) { return !s.constants.empty(); });
  Scalar result;
  if (isConstant) {
    bool isUniform =
        llvm::all_of(operands, [](const Scalar &s) { return s.constants.size() == 1; });
    for (unsigned rank = 0; rank < (isUniform ? 1 : algebra.ranks.count()); ++rank) {
      SmallVector<Attribute> given;
      for (const Scalar &s : operands)
        given.push_back(s.constants.size() == 1 ? s.constants[0] : s.constants[rank]);
      result.constants.push_back(foldElement(op, given)[0]);
    }
    if (llvm::is_contained(result.constants, Attribute()))
      result.constants.clear();
    else if (llvm::all_equal(result.constants))
      result.constants.resize(1);
    if (!result.constants.empty()) {
      define(op->getResult(0), result);
      return true;
    }
  }
  // A run-time index counted from a rank's block.
  SmallVector<std::optional<Shifted>, 3> indices;
  SmallVector<const Shifted *> given;
  SmallVector<ArrayRef<Attribute>> constants;
  for (const Scalar &scalar : operands) {
    indices.push_back(scalar.shifted);
    constexpr int64_t kFar = int64_t(1) << 60;
    if (!indices.back() && scalar.term)
      indices.back() = Shifted{*scalar.term, {{0, -kFar, kFar}}};
    constants.push_back(scalar.constants);
  }
  for (std::optional<Shifted> &index : indices)
    given.push_back(index ? &*index : nullptr);
  if (std::optional<Shifted> shifted = shiftIndex(op, given, constants, algebra.ranks.count())) {
    result.shifted = shifted;
    define(op->getResult(0), result);
    return true;
  }
  // As in a body.
  SmallVector<TermId> terms;
  for (const Scalar &scalar : operands) {
    std::optional<TermId> term = termOf(scalar);
    if (!term)
      return fail("computes a scalar that depends on the rank and on what is known at run time "
                  "only");
    terms.push_back(*term);
  }
  if (isa<arith::AddIOp>(op) && op->getResult(0).getType().isIndex()) {
    result.term = algebra.terms.sum(terms[0], terms[1]);
    define(op->getResult(0), result);
    return true;
  }
  Key key = {kExpression, keyOf(op->getName()), algebra.terms.numberProperties(op)};
  bool isSelect = isa<arith::SelectOp>(op);
  if (isSelect)
    key = {kSelectExpression};
  for (Type type : op->getResultTypes())
    key.push_back(keyOf(type));
  key.insert(key.end(), terms.begin(), terms.end());
  if (isSelect) {
    result.term = algebra.terms.intern(key);
    define(op->getResult(0), result);
    return true;
  }
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    Key numbered = key;
    numbered.push_back(i);
    Scalar scalar;
    scalar.term = algebra.terms.intern(numbered);
    define(value, scalar);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

bool Evaluator::appendStructure(Operation *op, Key &key, llvm::DenseMap<Value, uint64_t> &inner) {
  if (isa<comm::CommDialect>(op->getDialect()))
    return fail("has '" + op->getName().getStringRef() + "' in a region");
  key.insert(key.end(), {~uint64_t(0), keyOf(op->getName()), algebra.terms.numberProperties(op),
                         op->getNumOperands()});
  for (Type type : op->getResultTypes())
    key.push_back(keyOf(type));
  for (Value operand : op->getOperands()) {
    if (auto it = inner.find(operand); it != inner.end()) {
      key.insert(key.end(), {0, it->second});
      continue;
    }
    auto known = values.find(operand);
    assert(known != values.end() && "operands are evaluated before");
    std::optional<TermId> term = known->second.relation ? algebra.asTerm(*known->second.relation)
                                                        : termOf(known->second.scalar);
    if (!term)
      return fail(known->second.relation ? "an operand " + algebra.why
                                         : std::string("uses a scalar that depends on the rank"));
    key.insert(key.end(), {1, *term});
  }
  for (Region &region : op->getRegions()) {
    key.push_back(~uint64_t(1));
    for (Block &block : region) {
      key.push_back(~uint64_t(2));
      for (BlockArgument arg : block.getArguments()) {
        inner[arg] = inner.size();
        key.push_back(keyOf(arg.getType()));
      }
      for (Operation &nested : block) {
        if (!appendStructure(&nested, key, inner))
          return false;
        for (Value result : nested.getResults())
          inner[result] = inner.size();
      }
    }
  }
  return true;
}

bool Evaluator::evaluateOpaque(Operation *op) {
  if (!isMemoryEffectFree(op))
    return fail("has an effect");
  Key key = {kOpaqueTerm};
  llvm::DenseMap<Value, uint64_t> inner;
  if (!appendStructure(op, key, inner))
    return false;
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    Key numbered = key;
    numbered.push_back(i);
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      if (!type.hasStaticShape())
        return fail("has a dynamic dimension");
      define(value, algebra.whole(algebra.terms.intern(numbered, type.getShape())));
      continue;
    }
    Scalar scalar;
    scalar.term = algebra.terms.intern(numbered);
    define(value, scalar);
  }
  return true;
}
