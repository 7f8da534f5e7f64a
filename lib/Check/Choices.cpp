//===- Choices.cpp - Bodies that select among elements ---------------------===//
//
// A body that only selects, by what the rank and the positions of loops determine, puts
// values together: the rows that a rank has itself and those that others sent, a value
// and its padding, the blocks of a concatenation.
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

namespace {

struct Selection {
  Value condition, first, second;
};

/// What is one value or another by a condition.
std::optional<Selection> getSelection(Value value) {
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    return Selection{select.getCondition(), select.getTrueValue(), select.getFalseValue()};
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch || branch.getElseRegion().empty())
    return std::nullopt;
  unsigned i = cast<OpResult>(value).getResultNumber();
  return Selection{branch.getCondition(), branch.thenYield()->getOperand(i),
                   branch.elseYield()->getOperand(i)};
}

class Chooser {
public:
  Chooser(Relations &algebra, const LoopNest &nest, BodyIndices &indices,
          llvm::function_ref<Scalar(Value)> scalarOf)
      : algebra(algebra), nest(nest), indices(indices), scalarOf(scalarOf),
        loops(nest.results.front()) {}

  std::optional<Relation> evaluate(Value value);

  bool takesNumbers = false; ///< also chooses among numbers
  std::string why;

private:
  bool fail(const Twine &text) {
    why = text.str();
    return false;
  }
  std::optional<Relation> place(const LoopOperand &operand);
  std::optional<Relation> choose(Value condition, const Relation &first, const Relation &second);
  bool chooseByRank(Relation &x, const Relation &y, ArrayRef<int64_t> isFirst);
  std::optional<unsigned> uniteByRank(Relation &x, Relation &y);
  void collectLoops(Value condition);

  Relations &algebra;
  const LoopNest &nest;
  BodyIndices &indices;
  llvm::function_ref<Scalar(Value)> scalarOf;
  ArrayRef<int> loops;             ///< of the result
  llvm::SmallDenseSet<int> masked; ///< loops by whose positions values are chosen
};

} // namespace

/// The operand along the loops of the result.
std::optional<Relation> Chooser::place(const LoopOperand &operand) {
  // No choice by position alone: what stands in the way of computing it says more.
  if (!operand.windows.empty() || !operand.lookUps.empty()) {
    fail("");
    return std::nullopt;
  }
  Relation moved = operand.relation;
  SmallVector<SmallVector<Atom, 1>, 4> layout;
  // A row that all positions of a masked loop take is repeated along it.
  auto row = llvm::find_if(operand.loops, [](int loop) { return loop < 0; });
  for (int loop : loops) {
    auto it = llvm::find(operand.loops, loop);
    if (it == operand.loops.end() && row != operand.loops.end() && masked.contains(loop)) {
      it = row;
      row = operand.loops.end();
      SmallVector<int64_t> first(nest.sizes[loop], 0);
      if (!algebra.pick(moved, it - operand.loops.begin(), first)) {
        fail(algebra.why);
        return std::nullopt;
      }
    }
    if (loop < 0 || it == operand.loops.end())
      layout.push_back({Atom{-1, 1, loop < 0 ? 1 : nest.sizes[loop]}});
    else
      layout.push_back(moved.layout[it - operand.loops.begin()]);
  }
  moved.layout = layout;
  return moved;
}

void Chooser::collectLoops(Value condition) {
  if (const BodyIndex *index = indices.get(condition)) {
    if (index->loop)
      masked.insert(*index->loop);
    return;
  }
  if (Operation *op = condition.getDefiningOp(); isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op))
    for (Value operand : op->getOperands())
      collectLoops(operand);
}

std::optional<Relation> Chooser::evaluate(Value value) {
  for (const LoopOperand &operand : nest.operands)
    if (llvm::is_contained(operand.elements, value))
      return place(operand);
  SmallVector<int64_t> shape;
  for (int loop : loops)
    shape.push_back(loop < 0 ? 1 : nest.sizes[loop]);
  Scalar scalar = scalarOf(value);
  if (Attribute constant; matchPattern(value, m_Constant(&constant)))
    scalar.constants = {constant};
  if (scalar.constants.size() == 1)
    return algebra.splat(algebra.terms.constant(scalar.constants[0]), shape);
  if (scalar.term)
    return algebra.splat(*scalar.term, shape);
  std::optional<Selection> selection = getSelection(value);
  if (!selection) {
    fail("a mask selects other than an operand");
    return std::nullopt;
  }
  collectLoops(selection->condition);
  std::optional<Relation> first = evaluate(selection->first),
                          second = first ? evaluate(selection->second) : std::nullopt;
  return second ? choose(selection->condition, *first, *second) : std::nullopt;
}

std::optional<Relation> Chooser::choose(Value condition, const Relation &first,
                                        const Relation &second) {
  const BodyIndex *index = indices.get(condition);
  if (!index) {
    Operation *op = condition.getDefiningOp();
    std::optional<Relation> inner;
    if (isa_and_nonnull<arith::AndIOp>(op)) {
      inner = choose(op->getOperand(1), first, second);
      return inner ? choose(op->getOperand(0), *inner, second) : std::nullopt;
    }
    if (isa_and_nonnull<arith::OrIOp>(op)) {
      inner = choose(op->getOperand(1), first, second);
      return inner ? choose(op->getOperand(0), first, *inner) : std::nullopt;
    }
    fail("selects by what is known at run time only");
    return std::nullopt;
  }
  if (index->isConstant()) {
    Relation chosen = first;
    return chooseByRank(chosen, second, index->offsets) ? std::optional(chosen) : std::nullopt;
  }
  assert(index->isTable() && "no condition is a sum of positions");
  auto it = llvm::find(loops, int(*index->loop));
  if (it == loops.end()) {
    fail("selects by a loop that the result lacks");
    return std::nullopt;
  }
  Attribute number = algebra.getSplat(first), other = algebra.getSplat(second);
  if (!takesNumbers && number && other && number != other) {
    fail(""); // As above: what stands in the way of computing it says more.
    return std::nullopt;
  }
  std::optional<Relation> merged =
      algebra.merge(first, second, it - loops.begin(), Choice(index->table));
  if (!merged)
    fail(algebra.why);
  return merged;
}

/// Makes both rows of their union along a dimension that alone is different, and says which.
std::optional<unsigned> Chooser::uniteByRank(Relation &x, Relation &y) {
  for (unsigned dim = 0; dim < x.layout.size(); ++dim) {
    if (x.localSize(dim) != 1)
      continue;
    Relation both[] = {x, y};
    if (!algebra.unite(both, dim))
      continue;
    // Of one term as they were, they need not have the term's dimensions.
    if (both[0].layout != both[1].layout || !algebra.commit(both[0]) || !algebra.commit(both[1]))
      continue;
    bool isAlike = both[0].term == both[1].term && both[0].maps.size() == x.layout.size();
    for (unsigned d = 0; d < both[0].maps.size(); ++d)
      isAlike &= d == dim || both[0].maps[d] == both[1].maps[d];
    if (!isAlike)
      continue;
    x = both[0];
    y = both[1];
    return dim;
  }
  return std::nullopt;
}

/// `x` on the ranks that choose it, else `y`, into `x`.
bool Chooser::chooseByRank(Relation &x, const Relation &y, ArrayRef<int64_t> isFirst) {
  unsigned count = algebra.ranks.count();
  auto holds = [&](unsigned rank) {
    return bool(isFirst.size() == 1 ? isFirst[0] : isFirst[rank]);
  };
  if (isFirst.size() == 1) {
    if (!holds(0))
      x = y;
    return true;
  }
  Attribute u = algebra.getSplat(x), v = algebra.getSplat(y);
  if (!u && !v) {
    if (!x.absent.empty() || !y.absent.empty() || x.partial != y.partial || x.isUndefined ||
        y.isUndefined || x.isRounded || y.isRounded ||
        (x.partial && (x.kind != y.kind || x.term != y.term)))
      return fail("ranks take different values");
    if (x.term == y.term && x.layout == y.layout) {
      for (unsigned d = 0; d < x.maps.size(); ++d) {
        SmallVector<MapId> taken;
        for (unsigned rank = 0; rank < count; ++rank)
          taken.push_back(algebra.maps.at(holds(rank) ? x.maps[d] : y.maps[d], rank));
        x.maps[d] = algebra.maps.internRanks(taken);
      }
      return true;
    }
    if (x.partial)
      return fail("ranks take different values");
    Relation first = x, second = y;
    std::optional<unsigned> dim = uniteByRank(first, second);
    if (!dim)
      return fail("ranks take different values");
    SmallVector<MapId> taken;
    for (unsigned rank = 0; rank < count; ++rank)
      taken.push_back(algebra.maps.at((holds(rank) ? first : second).maps[*dim], rank));
    x = first;
    x.maps[*dim] = algebra.maps.internRanks(taken);
    return true;
  }
  bool keepsFirst = bool(v);
  Attribute other = keepsFirst ? v : u;
  if (!keepsFirst)
    x = y;
  if (x.isUndefined)
    return fail("ranks take different values");
  for (unsigned rank = 0; rank < count; ++rank) {
    if (holds(rank) == keepsFirst)
      continue;
    // A rank without elements has padding: this is what it holds.
    auto empty = llvm::find_if(x.maps, [&](RankMapId map) {
      return llvm::all_of(algebra.maps.get(map, rank),
                          [](const Run &run) { return run.isPadding(); });
    });
    if (empty == x.maps.end()) {
      x.absent.resize(count);
      x.absent[rank] = other;
      continue;
    }
    *empty = algebra.maps.make([&](unsigned r) {
      Map map(algebra.maps.get(*empty, r));
      return r == rank ? makePadding(getSize(map), other) : map;
    });
  }
  return true;
}

bool check::isChoice(const LoopNest &nest) {
  return nest.yields.size() == 1 && nest.isReduction.none() && getSelection(nest.yields[0]);
}

bool Evaluator::evaluateChoice(const LoopNest &nest, BodyIndices &indices, bool takesNumbers) {
  auto scalars = [&](Value value) { return scalarOf(value); };
  Chooser chooser(algebra, nest, indices, scalars);
  chooser.takesNumbers = takesNumbers;
  std::optional<Relation> chosen = chooser.evaluate(nest.yields[0]);
  if (!chosen)
    return fail(chooser.why);
  define(nest.op->getResult(0), *chosen);
  return true;
}
