//===- Scans.cpp - Running reductions --------------------------------------===//
//
// A reduction whose windows grow from one end of what is read, as a cumulative sum is
// written, gives in each position the reduction of elements that lie together: a *span*
// of the operand. Spans are elements of a term of their own, each with an index, so that
// a rank may have any of them. Running reductions of spans that lie side by side are
// spans again, and so are the combinations of two that do: whoever scans blocks, adds
// what the blocks before have in all and gets the spans of the source is right.
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

namespace {

/// What a position holds: the reduction of elements [begin, end), something neutral, or
/// what is not known.
struct Held {
  enum { Span, Neutral, Unknown } what = Unknown;
  int64_t begin = 0, end = 0;
};

} // namespace

/// The key of the term of all spans of dimension `dim` of n elements.
static Key getSpansKey(TermId base, unsigned dim, int64_t n, ReductionKind kind, Type element) {
  return {kSpansTerm, base, dim, uint64_t(n), uint64_t(kind), keyOf(element)};
}

/// Per position of a map what it holds; where `n` is not 0 the map is of spans of n
/// elements, else of elements.
static SmallVector<Held> getHeld(ArrayRef<Run> map, ReductionKind kind, int64_t n) {
  SmallVector<Held> held;
  for (const Run &run : map)
    for (int64_t i = 0; i < run.size; ++i) {
      Held one;
      if (run.isPadding())
        one.what = isNeutral(kind, run.fill) ? Held::Neutral : Held::Unknown;
      else if (n != 0)
        one = {Held::Span, run.at(i) / (n + 1), run.at(i) % (n + 1)};
      else
        one = {Held::Span, run.at(i), run.at(i) + 1};
      held.push_back(one);
    }
  return held;
}

static void appendHeld(Map &map, const Held &held, int64_t n, Attribute neutral) {
  if (held.what == Held::Span)
    append(map, {1, encodeSpan(n, held.begin, held.end), 1, {}});
  else
    append(map, {1, -1, 1, held.what == Held::Neutral ? neutral : Attribute()});
}

/// Of each window of `width` positions what they hold together; nothing where some of
/// them do not lie side by side, each behind the last one or each in front of it.
static std::optional<SmallVector<Held>> runOver(ArrayRef<Held> held, int64_t count, int64_t width) {
  int64_t size = held.size();
  // Numbers of unknown positions, and of spans that do not follow the last one, or do
  // not precede it.
  SmallVector<int64_t> unknown = {0}, rises = {0}, falls = {0}, last = {-1}, next(size + 1, size);
  for (int64_t i = 0; i < size; ++i) {
    bool isSpan = held[i].what == Held::Span;
    unknown.push_back(unknown.back() + (held[i].what == Held::Unknown));
    bool hasLast = isSpan && last.back() >= 0;
    rises.push_back(rises.back() + (hasLast && held[last.back()].end != held[i].begin));
    falls.push_back(falls.back() + (hasLast && held[last.back()].begin != held[i].end));
    last.push_back(isSpan ? i : last.back());
  }
  for (int64_t i = size - 1; i >= 0; --i)
    next[i] = held[i].what == Held::Span ? i : next[i + 1];
  SmallVector<Held> result;
  for (int64_t p = 0; p < count; ++p) {
    int64_t begin = std::min(p, size), end = std::min(p + width, size);
    int64_t first = next[begin], final = last[end];
    Held one;
    if (unknown[end] != unknown[begin]) {
      one.what = Held::Unknown;
    } else if (first >= end || final < begin) {
      one.what = Held::Neutral;
    } else if (rises[final + 1] == rises[first + 1]) {
      one = {Held::Span, held[first].begin, held[final].end};
    } else if (falls[final + 1] == falls[first + 1]) {
      one = {Held::Span, held[final].begin, held[first].end};
    } else {
      return std::nullopt;
    }
    result.push_back(one);
  }
  return result;
}

/// A constant that the reduction ignores.
static bool isNeutralSplat(Relations &algebra, const Relation &relation, ReductionKind kind) {
  Attribute value = algebra.getSplat(relation);
  return value && isNeutral(kind, value);
}

static bool isOnEveryRank(const Relation &relation) {
  return !relation.isUndefined && !relation.partial && !relation.isRounded &&
         !relation.maps.empty();
}

/// Loops by dimension of the operand, and the window along which it is scanned; null
/// where there is none. Loops of one iteration add nothing to an index.
static const Window *getScanWindow(const LoopNest &nest, const LoopOperand &operand,
                                   SmallVectorImpl<int> &loops) {
  loops.assign(operand.loops.begin(), operand.loops.end());
  const Window *found = nullptr;
  int64_t width = 0;
  auto isSum = [&](const Window &window) {
    return window.terms.size() == 2 && window.terms[0].second == 1 && window.terms[1].second == 1 &&
           nest.isReduction.test(window.terms[0].first) !=
               nest.isReduction.test(window.terms[1].first) &&
           llvm::all_of(window.offsets, [](int64_t offset) { return offset == 0; });
  };
  for (const Window &window : operand.windows) {
    if (!isSum(window))
      return nullptr;
    for (auto [loop, factor] : window.terms) {
      if (!nest.isReduction.test(loop))
        loops[window.dim] = loop;
      else if (!found || nest.sizes[loop] > width) {
        found = &window;
        width = nest.sizes[loop];
      }
    }
  }
  for (const Window &window : operand.windows)
    for (auto [loop, factor] : window.terms)
      if (&window != found && nest.isReduction.test(loop) && nest.sizes[loop] != 1)
        return nullptr;
  return found;
}

bool Evaluator::evaluateScan(const LoopNest &nest) {
  Maps &maps = algebra.maps;
  if (nest.yields.size() != 1 || nest.isReduction.none())
    return false;
  const LoopOperand *input = nullptr, *init = nullptr;
  for (const LoopOperand &operand : nest.operands) {
    if (!operand.isInit && !isRead(nest, operand))
      continue;
    const LoopOperand *&place = operand.isInit ? init : input;
    if (place)
      return false;
    place = &operand;
  }
  Operation *combiner = nest.yields[0].getDefiningOp();
  std::optional<ReductionKind> kind = combiner ? getCombinerKind(combiner) : std::nullopt;
  if (!input || !init || !kind || !isOnEveryRank(input->relation) ||
      !input->relation.absent.empty() || !isNeutralSplat(algebra, init->relation, *kind))
    return false;
  auto isOf = [&](const LoopOperand *operand, unsigned i) {
    return llvm::is_contained(operand->elements, combiner->getOperand(i));
  };
  if (!(isOf(init, 0) && isOf(input, 1)) && !(isOf(init, 1) && isOf(input, 0)))
    return false;
  SmallVector<int> loops;
  const Window *window = getScanWindow(nest, *input, loops);
  if (!window || ArrayRef<int>(loops) != ArrayRef<int>(nest.results[0]))
    return false;
  int64_t width = 0, count = nest.sizes[loops[window->dim]];
  for (auto [loop, factor] : window->terms)
    if (nest.isReduction.test(loop))
      width = nest.sizes[loop];
  Relation relation = input->relation;
  const auto &atoms = relation.layout[window->dim];
  if (width < count || atoms.size() != 1 || atoms[0].dim < 0 ||
      (atoms[0].stride != 1 && atoms[0].size != 1) ||
      maps.size(relation.maps[atoms[0].dim]) != atoms[0].size)
    return false;
  unsigned dim = atoms[0].dim;
  Type element = getElementTypeOrSelf(nest.yields[0].getType());
  Attribute neutral = getNeutral(*kind, element);

  // Spans of spans, or of elements.
  const Key &own = algebra.terms.getKey(relation.term);
  bool isOfSpans = own[0] == kSpansTerm && own == getSpansKey(own[1], dim, own[3], *kind, element);
  for (bool ofSpans : {true, false}) {
    if (ofSpans && !isOfSpans)
      continue;
    TermId base = ofSpans ? TermId(own[1]) : relation.term;
    SmallVector<int64_t> shape(algebra.terms.getShape(relation.term));
    int64_t n = ofSpans ? int64_t(own[3]) : shape[dim];
    constexpr int64_t kMaxElements = int64_t(1) << 31;
    Key key = getSpansKey(base, dim, n, *kind, element);
    if (n >= kMaxElements || (!isSource && !algebra.terms.knows(key)))
      continue;
    bool isSide = true;
    RankMapId made = maps.make([&](unsigned rank) {
      Map map;
      auto held = runOver(getHeld(maps.get(relation.maps[dim], rank), *kind, ofSpans ? n : 0),
                          count, width);
      isSide &= held.has_value();
      for (const Held &one : held.value_or(SmallVector<Held>(count)))
        appendHeld(map, one, n, neutral);
      return map;
    });
    if (!isSide)
      continue;
    for (RankMapId &map : relation.maps)
      map = maps.forgetFills(map);
    shape[dim] = (n + 1) * (n + 1);
    relation.term = algebra.terms.intern(key, shape);
    relation.maps[dim] = made;
    relation.layout[window->dim][0].size = count;
    define(nest.op->getResult(0), relation);
    return true;
  }
  return false;
}

/// The operands that `value` combines by `kind`, each once; false where it is something else.
static bool collectCombined(const LoopNest &nest, Value value, ReductionKind kind,
                            SmallVectorImpl<const LoopOperand *> &leaves) {
  for (const LoopOperand &operand : nest.operands)
    if (llvm::is_contained(operand.elements, value)) {
      leaves.push_back(&operand);
      return true;
    }
  Operation *op = value.getDefiningOp();
  return op && getCombinerKind(op) == kind && llvm::is_contained(nest.body, op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return collectCombined(nest, operand, kind, leaves); });
}

/// Whether local dimensions have the same of the term; where there is one element only,
/// how far apart they would lie is nothing, nor is it which of the dimensions has the one
/// of dimension `dim`.
static bool isAlike(ArrayRef<Atom> a, ArrayRef<Atom> b, int dim) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [&](auto pair) {
           auto [x, y] = pair;
           auto isUnit = [&](const Atom &atom) {
             return atom.size == 1 && (atom.dim < 0 || atom.dim == dim);
           };
           bool isSame = x.dim == y.dim && (x.size == 1 || x.stride == y.stride);
           return x.size == y.size && (isSame || (isUnit(x) && isUnit(y)));
         });
}

bool Evaluator::evaluateSpans(const LoopNest &nest) {
  Maps &maps = algebra.maps;
  Operation *root = nest.yields.size() == 1 ? nest.yields[0].getDefiningOp() : nullptr;
  std::optional<ReductionKind> kind = root ? getCombinerKind(root) : std::nullopt;
  SmallVector<const LoopOperand *> leaves;
  if (!kind || nest.isReduction.any() || !collectCombined(nest, nest.yields[0], *kind, leaves))
    return false;
  llvm::erase_if(leaves, [&](const LoopOperand *leaf) {
    return isNeutralSplat(algebra, leaf->relation, *kind);
  });
  Type element = getElementTypeOrSelf(nest.yields[0].getType());
  if (leaves.size() < 2 || !isOnEveryRank(leaves[0]->relation))
    return false;
  TermId term = leaves[0]->relation.term;
  const Key &key = algebra.terms.getKey(term);
  if (key[0] != kSpansTerm || key != getSpansKey(key[1], key[2], key[3], *kind, element))
    return false;
  unsigned dim = key[2];
  int64_t n = key[3];
  const LoopOperand *main = leaves[0];
  for (const LoopOperand *leaf : leaves) {
    if (!isOnEveryRank(leaf->relation) || leaf->relation.term != term || !leaf->windows.empty() ||
        !leaf->lookUps.empty())
      return false;
    if (maps.size(leaf->relation.maps[dim]) > maps.size(main->relation.maps[dim]))
      main = leaf;
  }
  const Relation &whole = main->relation;
  int64_t count = maps.size(whole.maps[dim]);
  if (ArrayRef<int>(main->loops) != ArrayRef<int>(nest.results[0]))
    return false;
  for (const LoopOperand *leaf : leaves) {
    int64_t size = maps.size(leaf->relation.maps[dim]);
    if (size != 1 && size != count)
      return false;
    for (auto [d, loop] : llvm::enumerate(main->loops)) {
      auto it = llvm::find(leaf->loops, loop);
      auto isRepeated = [&](const Atom &atom) {
        return atom.dim < 0 || (atom.dim == int(dim) && size == 1);
      };
      if (it == leaf->loops.end()
              ? !llvm::all_of(whole.layout[d], isRepeated)
              : !isAlike(leaf->relation.layout[it - leaf->loops.begin()], whole.layout[d], dim))
        return false;
    }
    for (unsigned d = 0; d < whole.maps.size(); ++d)
      if (d != dim && maps.forgetFills(leaf->relation.maps[d]) != maps.forgetFills(whole.maps[d]))
        return fail("combines spans of different blocks");
  }

  Attribute neutral = getNeutral(*kind, element);
  bool isSide = true;
  Relation relation = whole;
  relation.absent.clear();
  for (RankMapId &map : relation.maps)
    map = maps.forgetFills(map);
  relation.maps[dim] = maps.make([&](unsigned rank) {
    SmallVector<SmallVector<Held>> all;
    for (const LoopOperand *leaf : leaves) {
      const Relation &one = leaf->relation;
      if (one.isAbsent(rank))
        all.push_back({{isNeutral(*kind, one.absent[rank]) ? Held::Neutral : Held::Unknown}});
      else
        all.push_back(getHeld(maps.get(one.maps[dim], rank), *kind, n));
    }
    Map map;
    for (int64_t p = 0; p < count; ++p) {
      SmallVector<Held> here;
      for (ArrayRef<Held> held : all)
        here.push_back(held.size() == 1 ? held[0] : held[p]);
      llvm::sort(here, [](const Held &a, const Held &b) {
        return std::make_pair(a.begin, a.end) < std::make_pair(b.begin, b.end);
      });
      auto together = runOver(here, 1, here.size());
      isSide &= together.has_value();
      appendHeld(map, together ? together->front() : Held(), n, neutral);
    }
    return map;
  });
  if (!isSide)
    return fail("combines spans that do not lie side by side");
  define(nest.op->getResult(0), relation);
  return true;
}
