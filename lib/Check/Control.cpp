//===- Control.cpp - Loops and branches ------------------------------------===//
//
// What a loop carries has one relation: that of its initial value, weakened until the
// body gives it again. Within the body it has a term of its own, numbered by the depth
// of the loop, so that equal bodies give equal terms; the loop's result is the term of
// the initial values and of what the body computes from its own.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

/// One dimension of the term per local dimension. Splats stay as they are.
bool Evaluator::commitCarried(Relation &relation) {
  if (relation.isUndefined || relation.maps.empty())
    return true;
  for (auto &local : relation.layout)
    for (const Atom &atom : local)
      if (atom.dim < 0 && atom.size != 1)
        return fail("carries a broadcast");
  // Of a value of the source with padding, the value with it; here the same, if it is
  // what the source has.
  bool isRange = algebra.isRange(relation);
  SmallVector<Relation, 0> forms = takeForms(relation);
  if (!isRange && !forms.empty())
    relation = forms.back();
  return algebra.commit(relation) || fail("carries a value that " + algebra.why);
}

void Evaluator::defineCarried(Value value, Carried &carried, unsigned number) {
  Key key = {kLoopArgumentTerm, depth, number, keyOf(getElementTypeOrSelf(value.getType()))};
  if (!isa<RankedTensorType>(value.getType())) {
    Scalar scalar;
    scalar.term = algebra.terms.intern(key);
    define(value, scalar);
    return;
  }
  Relation relation = carried.relation;
  if (!relation.isUndefined) {
    ArrayRef<int64_t> shape = algebra.terms.getShape(relation.term);
    SmallVector<int64_t> copy(relation.maps.empty() ? ArrayRef<int64_t>() : shape);
    key.insert(key.end(), copy.begin(), copy.end());
    relation.term = algebra.terms.intern(key, copy);
  }
  define(value, relation);
}

std::optional<Evaluator::Carried> Evaluator::beginCarried(Value value) {
  Carried carried;
  const Known &known = values[value];
  if (!known.relation) {
    std::optional<TermId> term = termOf(known.scalar);
    if (!term) {
      fail("carries a scalar that depends on the rank");
      return std::nullopt;
    }
    carried.initial = *term;
    return carried;
  }
  carried.isTensor = true;
  carried.relation = *known.relation;
  if (!carried.relation.absent.empty()) {
    fail("carries a value that only some ranks have");
    return std::nullopt;
  }
  if (!commitCarried(carried.relation))
    return std::nullopt;
  carried.initial = carried.relation.term;
  return carried;
}

/// Where both have elements they must be the same; padding holds what it holds in both.
std::optional<RankMapId> Evaluator::meet(RankMapId a, RankMapId b) {
  if (a == b)
    return a;
  bool differs = algebra.maps.size(a) != algebra.maps.size(b);
  RankMapId result = algebra.maps.make([&](unsigned rank) {
    Map map;
    SmallVector<Run> x(algebra.maps.get(a, rank)), y(algebra.maps.get(b, rank));
    forEachRun(x, y, [&](const Run &p, const Run &q) {
      if (p.isPadding() && q.isPadding())
        append(map, {p.size, -1, 1, p.fill == q.fill ? p.fill : Attribute()});
      else if (p.isPadding() || q.isPadding() || p.source != q.source ||
               (p.size > 1 && p.step != q.step))
        differs = true;
      else
        append(map, p);
    });
    return map;
  });
  if (differs)
    return std::nullopt;
  return result;
}

/// Makes `into` what both values are; false where they are different parts. The term
/// of `into` stays.
bool Evaluator::join(Relation &into, const Relation &other, Type element) {
  auto isNeutral = [&](const Relation &relation, ReductionKind kind) {
    return relation.maps.empty() && !relation.isUndefined &&
           algebra.terms.getConstant(relation.term) == getNeutral(kind, element);
  };
  if (other.isUndefined)
    return true;
  bool isFree = into.isUndefined || into.maps.empty();
  if (other.maps.empty()) {
    if (into.isUndefined)
      into = other;
    return !into.partial || isNeutral(other, into.kind) ||
           fail("every rank has all of a value that is a part elsewhere");
  }
  if (isFree) {
    if (other.partial && !into.isUndefined && !isNeutral(into, other.kind))
      return fail("every rank has all of a value that is a part elsewhere");
    into = other;
    for (RankMapId &map : into.maps)
      map = algebra.maps.forgetFills(map);
    return true;
  }
  // Blocks that are what a reduction begins with are parts.
  if (!into.partial && other.partial)
    algebra.takeParts(into, other.kind, other.partial);
  if (into.partial != other.partial || (into.partial && into.kind != other.kind))
    return fail("is to be reduced over ranks at one end only");
  if (into.otherwise != other.otherwise)
    into.otherwise = {};
  assert(into.layout == other.layout && "both are of one type, and a dimension is one atom");
  for (auto [map, otherMap] : llvm::zip_equal(into.maps, other.maps)) {
    std::optional<RankMapId> met = meet(map, otherMap);
    if (!met)
      return fail("ranks have " + algebra.describe(into) + " of it here and " +
                  algebra.describe(other) + " there");
    map = *met;
  }
  return true;
}

/// What the body gives for the next iteration; `again` where the assumption was too
/// strong. Returns the term that it gives.
std::optional<TermId> Evaluator::endCarried(Value value, Carried &carried, bool &again) {
  const Known &known = values[value];
  if (!carried.isTensor) {
    std::optional<TermId> term = termOf(known.scalar);
    if (!term)
      fail("carries a scalar that depends on the rank");
    return term;
  }
  Relation next = *known.relation;
  if (!next.absent.empty()) {
    fail("carries a value that only some ranks have");
    return std::nullopt;
  }
  if (!commitCarried(next))
    return std::nullopt;
  Relation joined = carried.relation;
  if (!join(joined, next, getElementTypeOrSelf(value.getType()))) {
    fail("what the loop carries: " + why);
    return std::nullopt;
  }
  again |= joined.maps != carried.relation.maps || joined.partial != carried.relation.partial ||
           joined.isUndefined != carried.relation.isUndefined;
  carried.relation = joined;
  return next.term;
}

void Evaluator::defineLoopResult(Value value, const Carried &carried, Key key, unsigned number) {
  key.push_back(number);
  if (!carried.isTensor) {
    Scalar scalar;
    scalar.term = algebra.terms.intern(key);
    define(value, scalar);
    return;
  }
  Relation relation = carried.relation;
  SmallVector<int64_t> shape;
  if (!relation.maps.empty())
    llvm::append_range(shape, algebra.terms.getShape(relation.term));
  relation.term = algebra.terms.intern(key, shape);
  define(value, relation);
}

std::shared_ptr<const Failure> Evaluator::findFailure(ValueRange list) const {
  for (Value value : list)
    if (auto it = values.find(value); it != values.end() && it->second.failure)
      return it->second.failure;
  return nullptr;
}

bool Evaluator::spreadFailure(Operation *op, ValueRange inner) {
  Known unknown;
  unknown.failure = findFailure(inner);
  if (!unknown.failure)
    return false;
  for (Value result : op->getResults())
    values[result] = unknown;
  return true;
}

namespace {
/// Which values of a loop its results depend on that are used at all: a partitioner drops
/// the others, and how many there are says nothing about these.
class LiveValues {
public:
  explicit LiveValues(Operation *loop) : loop(loop) {}

  bool contains(Value value) const { return live.contains(value); }
  /// Values of the loop's regions that `value` is computed from.
  void add(Value value) {
    if (!loop->isProperAncestor(value.getParentRegion()->getParentOp()) &&
        value.getParentRegion()->getParentOp() != loop)
      return;
    if (live.insert(value).second)
      work.push_back(value);
  }
  void run(llvm::function_ref<void(BlockArgument)> follow) {
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (auto argument = dyn_cast<BlockArgument>(value))
        follow(argument);
      else
        value.getDefiningOp()->walk([&](Operation *nested) {
          for (Value operand : nested->getOperands())
            add(operand);
        });
    }
  }

private:
  Operation *loop;
  llvm::SmallPtrSet<Value, 16> live;
  SmallVector<Value> work;
};
} // namespace

void Evaluator::leaveOpen(Operation *op, Value value) {
  Known unknown;
  unknown.failure = std::make_shared<const Failure>(Failure{op, "carries what nobody uses"});
  values[value] = unknown;
}

constexpr unsigned kMaxRounds = 8;

bool Evaluator::evaluateFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  Key key = {kForTerm};
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}) {
    std::optional<TermId> term = termOf(scalarOf(bound));
    if (!term)
      return fail("ranks run it a different number of times");
    key.push_back(*term);
  }
  SmallVector<Carried, 0> carried;
  SmallVector<unsigned> changed;
  ValueRange yields = loop.getBody()->getTerminator()->getOperands();
  LiveValues live(op);
  for (auto [i, result] : llvm::enumerate(loop.getResults()))
    if (!result.use_empty())
      live.add(yields[i]), live.add(loop.getRegionIterArgs()[i]);
  live.run([&](BlockArgument argument) {
    if (argument.getOwner() == loop.getBody() && argument != loop.getInductionVar())
      live.add(yields[argument.getArgNumber() - 1]);
  });
  for (auto [i, init] : llvm::enumerate(loop.getInitArgs())) {
    if (!live.contains(loop.getRegionIterArgs()[i])) {
      leaveOpen(op, loop.getRegionIterArgs()[i]);
      leaveOpen(op, loop.getResult(i));
      continue;
    }
    // What the body hands on as it is stays what it was.
    if (BlockArgument arg = loop.getRegionIterArgs()[i]; yields[i] == arg) {
      values[arg] = Known(values[init]);
      values[loop.getResult(i)] = Known(values[init]);
      continue;
    }
    std::optional<Carried> one = beginCarried(init);
    if (!one)
      return false;
    carried.push_back(*one);
    changed.push_back(i);
  }
  // What is zero as the loop begins may be summed parts from the second iteration on. Where
  // the body does not tell so of any value, it does of that of the first iteration.
  auto isConstant = [&](const Carried &one) {
    return one.isTensor && one.relation.maps.empty() &&
           algebra.terms.getConstant(one.relation.term);
  };
  bool takesFirst = false;
  SmallVector<TermId> next;
  ++depth;
  bool done = false;
  for (unsigned round = 0; round < kMaxRounds && !done; ++round) {
    Scalar induction;
    induction.term = algebra.terms.intern({kLoopArgumentTerm, depth, ~uint64_t(0)});
    define(loop.getInductionVar(), induction);
    SmallVector<Value> yielded;
    for (auto [number, i] : llvm::enumerate(changed)) {
      BlockArgument argument = loop.getRegionIterArgs()[i];
      if (takesFirst && isConstant(carried[number]))
        define(argument, carried[number].relation);
      else
        defineCarried(argument, carried[number], number);
      yielded.push_back(yields[i]);
    }
    run(*loop.getBody());
    if (round == 0 && findFailure(yielded) && llvm::any_of(carried, isConstant)) {
      takesFirst = true;
      continue;
    }
    if (spreadFailure(op, yielded)) {
      --depth;
      return true;
    }
    bool again = takesFirst;
    takesFirst = false;
    next.clear();
    for (auto [value, one] : llvm::zip_equal(yielded, carried)) {
      std::optional<TermId> term = endCarried(value, one, again);
      if (!term) {
        --depth;
        return false;
      }
      next.push_back(*term);
    }
    done = !again;
  }
  --depth;
  if (!done)
    return fail("what ranks hold of what it carries is not found in " + Twine(kMaxRounds) +
                " rounds over its body");
  for (auto [one, term] : llvm::zip_equal(carried, next))
    key.insert(key.end(), {one.initial, term});
  for (auto [number, i] : llvm::enumerate(changed))
    defineLoopResult(loop.getResult(i), carried[number], key, number);
  return true;
}

bool Evaluator::evaluateWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Carried, 0> carried;
  SmallVector<Carried, 0> forwarded;
  SmallVector<unsigned> kept, passed; ///< live arguments before and after the condition
  LiveValues live(op);
  live.add(condition.getCondition());
  for (auto [i, result] : llvm::enumerate(loop.getResults()))
    if (!result.use_empty())
      live.add(condition.getArgs()[i]), live.add(after->getArgument(i));
  ValueRange yields = after->getTerminator()->getOperands();
  live.run([&](BlockArgument argument) {
    if (argument.getOwner() == before)
      live.add(yields[argument.getArgNumber()]);
    if (argument.getOwner() == after)
      live.add(condition.getArgs()[argument.getArgNumber()]);
  });
  for (auto [list, block] : {std::pair(&kept, before), std::pair(&passed, after)})
    for (BlockArgument argument : block->getArguments()) {
      if (live.contains(argument))
        list->push_back(argument.getArgNumber());
      else
        leaveOpen(op, argument);
    }
  for (unsigned i : kept) {
    std::optional<Carried> one = beginCarried(loop.getInits()[i]);
    if (!one)
      return false;
    carried.push_back(*one);
  }
  Key key;
  ++depth;
  bool done = false, failed = false;
  for (unsigned round = 0; round < kMaxRounds && !done && !failed; ++round) {
    key = {kWhileTerm};
    for (auto [number, i] : llvm::enumerate(kept))
      defineCarried(before->getArgument(i), carried[number], number);
    run(*before);
    SmallVector<Value> forwards = {condition.getCondition()}, yielded;
    for (unsigned i : passed)
      forwards.push_back(condition.getArgs()[i]);
    for (unsigned i : kept)
      yielded.push_back(yields[i]);
    if (spreadFailure(op, forwards)) {
      --depth;
      return true;
    }
    std::optional<TermId> goesOn = termOf(scalarOf(condition.getCondition()));
    if (!goesOn) {
      fail("ranks run it a different number of times");
      failed = true;
      break;
    }
    key.insert(key.end(), {carried.size(), *goesOn});
    forwarded.clear();
    for (auto [number, i] : llvm::enumerate(passed)) {
      std::optional<Carried> one = beginCarried(condition.getArgs()[i]);
      if (!one) {
        failed = true;
        break;
      }
      forwarded.push_back(*one);
      key.push_back(one->initial);
      defineCarried(after->getArgument(i), forwarded[number], kept.size() + number);
    }
    if (failed)
      break;
    run(*after);
    if (spreadFailure(op, yielded)) {
      --depth;
      return true;
    }
    bool again = false;
    for (auto [value, one] : llvm::zip_equal(yielded, carried)) {
      std::optional<TermId> term = endCarried(value, one, again);
      failed |= !term;
      key.insert(key.end(), {one.initial, term.value_or(0)});
    }
    done = !again;
  }
  --depth;
  if (failed)
    return false;
  if (!done)
    return fail("what ranks hold of what it carries is not found in " + Twine(kMaxRounds) +
                " rounds over its body");
  for (Value result : loop.getResults())
    leaveOpen(op, result);
  for (auto [number, i] : llvm::enumerate(passed))
    defineLoopResult(loop.getResult(i), forwarded[number], key, number);
  return true;
}

bool Evaluator::evaluateBranches(Operation *op) {
  SmallVector<Block *> blocks;
  Key key = {kIfTerm};
  Value chooser;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() == 0)
      return fail("has an effect");
    chooser = branch.getCondition();
    blocks = {branch.thenBlock(), branch.elseBlock()};
  } else {
    auto choice = cast<scf::IndexSwitchOp>(op);
    if (choice.getNumResults() == 0)
      return fail("has an effect");
    chooser = choice.getArg();
    key.push_back(keyOf(choice.getCasesAttr()));
    blocks.push_back(&choice.getDefaultBlock());
    for (unsigned i = 0; i < choice.getNumCases(); ++i)
      blocks.push_back(&choice.getCaseBlock(i));
  }
  std::optional<TermId> chosen = termOf(scalarOf(chooser));
  if (!chosen)
    return fail("ranks take different branches");
  key.push_back(*chosen);
  for (Block *block : blocks) {
    run(*block);
    if (spreadFailure(op, block->getTerminator()->getOperands()))
      return true;
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    std::optional<Carried> joined;
    Key own = key;
    for (Block *block : blocks) {
      std::optional<Carried> one = beginCarried(block->getTerminator()->getOperand(i));
      if (!one)
        return false;
      own.push_back(one->initial);
      if (!joined)
        joined = one;
      // Padding holds what it holds in all branches.
      else if (one->isTensor &&
               !join(joined->relation, one->relation, getElementTypeOrSelf(result.getType())))
        return fail("what its branches give: " + why);
    }
    // What all branches give needs no branch.
    if (!llvm::all_equal(ArrayRef<uint64_t>(own).take_back(blocks.size())) ||
        joined->relation.isUndefined)
      defineLoopResult(result, *joined, own, 0);
    else if (joined->isTensor)
      define(result, joined->relation);
    else
      values[result] = Known(values[blocks[0]->getTerminator()->getOperand(i)]);
  }
  return true;
}
