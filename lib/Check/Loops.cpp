//===- Loops.cpp - Linalg and elementwise ops as loop nests ----------------===//

#include "Nest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <map>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool Evaluator::evaluateRounding(LoopNest &nest) {
  if (!rounded || nest.body.size() != 1 || nest.isReduction.any())
    return false;
  Operation *op = nest.body.front();
  for (LoopOperand &operand : nest.operands) {
    if (operand.elements.front() != op->getOperand(0) || operand.loops != nest.results[0])
      continue;
    Relation relation = operand.relation;
    bool rounds = isa<arith::TruncFOp>(op) && relation.partial && !relation.isRounded &&
                  getElementTypeOrSelf(op->getResult(0)) == rounded;
    if (!rounds && !(isa<arith::ExtFOp>(op) && relation.isRounded))
      return false;
    relation.isRounded = rounds;
    for (RankMapId &map : relation.maps)
      map = algebra.maps.forgetFills(map);
    define(nest.op->getResult(0), std::move(relation));
    return true;
  }
  return false;
}

/// Which results of a reduction depend on one another through what they accumulate.
static SmallVector<SmallVector<unsigned>> getIndependent(const LoopNest &nest) {
  unsigned n = nest.yields.size();
  llvm::DenseMap<Value, llvm::SmallBitVector> known;
  unsigned number = 0;
  for (const LoopOperand &operand : nest.operands)
    if (operand.isInit) {
      for (Value element : operand.elements)
        known.try_emplace(element, n).first->second.set(number);
      ++number;
    }
  for (Operation *op : nest.body) {
    llvm::SmallBitVector all(n);
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto it = known.find(operand); it != known.end())
          all |= it->second;
    });
    for (Value result : op->getResults())
      known[result] = all;
  }
  SmallVector<SmallVector<unsigned>> groups;
  SmallVector<llvm::SmallBitVector> reached;
  for (auto [i, value] : llvm::enumerate(nest.yields)) {
    llvm::SmallBitVector own = known.lookup(value);
    own.resize(n);
    own.set(i);
    SmallVector<unsigned> group = {unsigned(i)};
    for (unsigned g = groups.size(); g-- > 0;)
      if (reached[g].anyCommon(own)) {
        own |= reached[g];
        group.append(groups[g]);
        groups.erase(groups.begin() + g);
        reached.erase(reached.begin() + g);
      }
    llvm::sort(group);
    groups.push_back(group);
    reached.push_back(own);
  }
  return groups;
}

/// The nest with some of its results only.
static LoopNest takeResults(const LoopNest &nest, ArrayRef<unsigned> results) {
  LoopNest part = nest;
  part.operands.clear();
  unsigned number = 0;
  for (const LoopOperand &operand : nest.operands)
    if (!operand.isInit || llvm::is_contained(results, number++))
      part.operands.push_back(operand);
  part.yields.clear();
  part.results.clear();
  for (unsigned i : results) {
    part.yields.push_back(nest.yields[i]);
    part.results.push_back(nest.results[i]);
  }
  llvm::DenseSet<Value> needed(part.yields.begin(), part.yields.end());
  part.body.clear();
  for (Operation *op : llvm::reverse(nest.body)) {
    if (llvm::none_of(op->getResults(), [&](Value value) { return needed.contains(value); }))
      continue;
    part.body.insert(part.body.begin(), op);
    op->walk([&](Operation *inner) { needed.insert_range(inner->getOperands()); });
  }
  return part;
}

bool Evaluator::evaluateLoops(LoopNest &nest) {
  if (evaluateRounding(nest))
    return true;
  // What is reduced beside others is reduced by itself.
  SmallVector<SmallVector<unsigned>> independent;
  if (nest.yields.size() > 1 && nest.isReduction.any())
    independent = getIndependent(nest);
  if (independent.size() < 2) {
    independent.assign(1, SmallVector<unsigned>());
    for (unsigned i = 0; i < nest.yields.size(); ++i)
      independent.front().push_back(i);
  }
  for (ArrayRef<unsigned> results : independent) {
    std::optional<LoopNest> part;
    if (independent.size() > 1)
      part = takeResults(nest, results);
    std::optional<SmallVector<Relation>> found = relateLoops(part ? *part : nest);
    if (!found)
      return false;
    for (auto [i, relation] : llvm::zip_equal(results, *found))
      define(nest.op->getResult(i), std::move(relation));
  }
  return true;
}

std::optional<SmallVector<Relation>> Evaluator::relateLoops(LoopNest &nest) {
  auto refuse = [&](const Twine &text) {
    why = text.str();
    return std::nullopt;
  };
  for (const LoopOperand &operand : nest.operands)
    if (operand.relation.isRounded)
      return refuse("uses a sum over ranks of rounded parts as if it were not rounded");
  auto outside = [&](Value value) -> std::optional<BodyValue> {
    auto it = values.find(value);
    if (it == values.end() || it->second.failure)
      return std::nullopt;
    BodyValue known;
    if (it->second.relation) {
      known.expression = algebra.asTerm(*it->second.relation);
      return known;
    }
    known.expression = it->second.scalar.term;
    known.shifted = it->second.scalar.shifted;
    known.constants = it->second.scalar.constants;
    return known;
  };
  llvm::SmallBitVector isUsed(nest.operands.size());
  bool readsUndefined = false;
  for (auto [o, operand] : llvm::enumerate(nest.operands))
    if (isRead(nest, operand)) {
      isUsed.set(o);
      readsUndefined |= operand.relation.isUndefined;
    }
  // What is computed from arbitrary content is arbitrary, to be safe.
  if (readsUndefined && isSource)
    return refuse("reads a tensor without content");
  if (readsUndefined) {
    SmallVector<Relation> undefined;
    for (ArrayRef<int> loops : nest.results) {
      SmallVector<int64_t> shape;
      for (int loop : loops)
        shape.push_back(loop < 0 ? 1 : nest.sizes[loop]);
      undefined.push_back(algebra.splat(algebra.terms.intern({kUndefinedTerm}), shape));
      undefined.back().isUndefined = true;
    }
    return undefined;
  }
  SmallVector<SmallVector<Relation, 0>> others(nest.operands.size());
  size_t count = 1;
  for (unsigned o : isUsed.set_bits()) {
    LoopOperand &operand = nest.operands[o];
    others[o] = takeForms(operand.relation);
    // A reduction may begin with blocks of its ranks as parts.
    if (operand.isInit && nest.isReduction.any())
      if (Relation part = operand.relation; algebra.takeParts(part))
        others[o].push_back(std::move(part));
    count = std::max(count, 1 + others[o].size());
  }
  SmallVector<Relation> results;
  std::string reason;
  for (size_t i = 0; i < count; ++i) {
    std::optional<LoopNest> copy;
    if (i + 1 < count)
      copy = nest;
    LoopNest &tried = copy ? *copy : nest;
    for (auto [operand, list] : llvm::zip_equal(tried.operands, others))
      if (i > 0 && !list.empty())
        operand.relation = list[std::min(i, list.size()) - 1];
    NestEvaluator evaluator(algebra, tried, isUsed);
    SmallVector<Relation> found;
    if (!evaluator.align() || !evaluator.evaluateBody(outside) || !evaluator.finish(found)) {
      if (i == 0)
        reason = evaluator.why;
      continue;
    }
    bool isKnown = !evaluator.isScattered && llvm::all_of(found, [&](const Relation &result) {
      return algebra.terms.isOfSource(result.term);
    });
    if (results.empty() || isKnown)
      results = std::move(found);
    if (isKnown)
      break;
  }
  if (results.empty())
    return refuse(reason);
  return results;
}

/// An indexing expression as a sum of loops; nothing where it is none.
static std::optional<BodyIndex> toIndex(AffineExpr expr) {
  BodyIndex index;
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    index.terms = {{dim.getPosition(), 1}};
    return index;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    index.offsets = {constant.getValue()};
    return index;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<BodyIndex> a = toIndex(binary.getLHS()), b = toIndex(binary.getRHS());
  if (!a || !b)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Mul && b->isConstant()) {
    for (auto &term : a->terms)
      term.second *= b->offsets[0];
    a->offsets[0] *= b->offsets[0];
    llvm::erase_if(a->terms, [](auto &term) { return term.second == 0; });
    return a;
  }
  if (binary.getKind() != AffineExprKind::Add)
    return std::nullopt;
  std::map<unsigned, int64_t> sum;
  for (const BodyIndex *side : {&*a, &*b})
    for (auto [loop, factor] : side->terms)
      sum[loop] += factor;
  index.offsets = {a->offsets[0] + b->offsets[0]};
  for (auto [loop, factor] : sum)
    if (factor != 0)
      index.terms.push_back({loop, factor});
  return index;
}

/// The number of iterations of each loop, which linalg lets follow from the operands.
static SmallVector<int64_t> getLoopSizes(linalg::LinalgOp op, ArrayRef<AffineMap> indexing) {
  SmallVector<int64_t> sizes(indexing.front().getNumDims(), -1);
  for (auto [type, map] : llvm::zip_equal(op->getOperandTypes(), indexing))
    if (auto ranked = dyn_cast<RankedTensorType>(type))
      for (auto [expr, size] : llvm::zip_equal(map.getResults(), ranked.getShape()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          sizes[dim.getPosition()] = size;
  return llvm::is_contained(sizes, -1) ? op.getStaticLoopRanges() : sizes;
}

std::optional<LoopNest> Evaluator::buildNest(Operation *op, ArrayRef<AffineMap> indexing,
                                             BodyIndices &indices, bool leavesOut) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  auto refuse = [&](const Twine &text) {
    why = text.str();
    return std::nullopt;
  };
  LoopNest nest;
  nest.op = op;
  nest.sizes = getLoopSizes(linalgOp, indexing);
  nest.leavesOut = leavesOut;
  nest.isReduction.resize(nest.sizes.size());
  for (auto [i, iterator] : llvm::enumerate(linalgOp.getIteratorTypesArray()))
    if (iterator != utils::IteratorType::parallel)
      nest.isReduction.set(i);
  // Asking for each operand makes attributes each time.
  unsigned numInputs = linalgOp.getNumDpsInputs();
  Block *block = linalgOp.getBlock();
  nest.operands.reserve(op->getNumOperands());
  for (auto [i, value, map] : llvm::enumerate(op->getOperands(), indexing)) {
    LoopOperand &one = nest.operands.emplace_back();
    one.type = value.getType();
    one.elements = {block->getArgument(i)};
    one.isInit = i >= numInputs;
    if (!isa<RankedTensorType>(one.type)) {
      std::optional<TermId> term = termOf(scalarOf(value));
      if (!term)
        return refuse("uses a scalar that depends on the rank");
      one.relation = algebra.splat(*term, {});
      continue;
    }
    one.relation = relationOf(value);
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      if (auto loop = dyn_cast<AffineDimExpr>(expr);
          loop && readAlong(nest, one, d, loop.getPosition()))
        continue;
      std::optional<BodyIndex> index = toIndex(expr);
      if (!index || (one.isInit && !isa<AffineDimExpr, AffineConstantExpr>(expr)))
        return refuse("has a window");
      if (!readAt(nest, one, d, *index, indices))
        return std::nullopt;
      // A dimension of one element that no loop runs over.
      const auto &atoms = one.relation.layout[d];
      if (index->isConstant() && atoms.size() == 1 && atoms[0].dim >= 0 &&
          !algebra.maps.isUniform(one.relation.maps[atoms[0].dim]))
        return refuse("reads the first element of a dimension that ranks have different blocks of");
    }
    if (one.isInit)
      nest.results.push_back(one.loops);
  }
  for (Operation &nested : block->without_terminator())
    nest.body.push_back(&nested);
  llvm::append_range(nest.yields, block->getTerminator()->getOperands());
  if (!addReads(nest, *block, indices))
    return std::nullopt;
  return nest;
}

bool Evaluator::evaluateLinalg(Operation *op) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(fill.getOutputs()[0].getType());
    std::optional<TermId> value = termOf(scalarOf(fill.getInputs()[0]));
    if (!type || !value)
      return fail("fills with a value that depends on the rank");
    define(fill.getResult(0), algebra.splat(*value, type.getShape()));
    return true;
  }
  assert(linalgOp.hasPureTensorSemantics() && "an op has tensors, or buffers");
  if (evaluateMerge(op) || evaluateAttentionLimit(op))
    return true;
  if (isSettled)
    return false;
  why.clear();
  SmallVector<AffineMap> indexing = linalgOp.getIndexingMapsArray();
  SmallVector<int64_t> sizes = getLoopSizes(linalgOp, indexing);
  BodyIndices indices(algebra.ranks.count(), sizes, [&](Value value) {
    return SmallVector<Attribute>(scalarOf(value).constants);
  });
  std::optional<LoopNest> nest = buildNest(op, indexing, indices, /*leavesOut=*/false);
  bool done = nest && (evaluateScan(*nest) || evaluateSpans(*nest) ||
                       evaluateChoiceOrLoops(*nest, indices));
  bool hasChoices = llvm::any_of(linalgOp.getBlock()->without_terminator(),
                                 [](Operation &nested) { return isa<arith::SelectOp>(nested); });
  if (isSource || !hasChoices || (done && areOfSource(op->getResults())))
    return done;
  // Perhaps the source computes what is selected, and the rest is padding.
  std::string reason = why;
  SmallVector<Known, 1> results;
  for (Value result : op->getResults())
    results.push_back(done ? values[result] : Known());
  nest = buildNest(op, indexing, indices, /*leavesOut=*/true);
  if (nest && evaluateLoops(*nest) && areOfSource(op->getResults()))
    return true;
  for (auto [result, known] : llvm::zip_equal(op->getResults(), results))
    if (done)
      values[result] = known;
  return done || fail(reason);
}

bool Evaluator::areOfSource(ValueRange list) {
  return llvm::all_of(
      list, [&](Value value) { return algebra.terms.isOfSource(relationOf(value).term); });
}

bool Evaluator::evaluateChoiceOrLoops(LoopNest &nest, BodyIndices &indices) {
  bool mayChoose = isChoice(nest);
  if (mayChoose && evaluateChoice(nest, indices, /*takesNumbers=*/false))
    return true;
  std::string reason = why;
  std::optional<LoopNest> copy;
  if (mayChoose && !isSource)
    copy = nest;
  bool done = evaluateLoops(nest);
  reason = reason.empty() ? why : reason;
  if (!copy || (done && areOfSource(nest.op->getResults())))
    return done || fail(reason);
  // What the source does not compute from numbers may be one with the other as padding.
  return evaluateChoice(*copy, indices, /*takesNumbers=*/true) || done || fail(reason);
}

bool Evaluator::evaluateElementwise(Operation *op) {
  LoopNest nest;
  nest.op = op;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  unsigned rank = type.getRank();
  nest.sizes.assign(type.getShape().begin(), type.getShape().end());
  nest.isReduction.resize(rank);
  SmallVector<int, 4> identity;
  for (unsigned i = 0; i < rank; ++i)
    identity.push_back(i);
  for (Value value : op->getOperands()) {
    if (!isa<RankedTensorType>(value.getType()))
      continue; // A scalar condition: from outside.
    if (llvm::any_of(nest.operands,
                     [&](const LoopOperand &known) { return known.elements.front() == value; }))
      continue;
    LoopOperand &one = nest.operands.emplace_back();
    one.type = value.getType();
    one.elements = {value};
    one.relation = relationOf(value);
    one.loops = identity;
  }
  nest.body = {op};
  for (Value result : op->getResults()) {
    nest.yields.push_back(result);
    nest.results.push_back(identity);
  }
  BodyIndices indices(algebra.ranks.count(), nest.sizes, [&](Value value) {
    return SmallVector<Attribute>(scalarOf(value).constants);
  });
  return evaluateChoiceOrLoops(nest, indices);
}
