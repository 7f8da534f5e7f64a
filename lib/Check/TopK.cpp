//===- TopK.cpp - The best elements of blocks ------------------------------===//
//
// Elements [begin, end) of a dimension, sorted from the best on, are a list. The lists of
// all such ranges are one term, with the entries 0 to n - 1 of each, so that a rank may
// have the first entries of the list of any block: those of the source's are of the list
// of all elements. The best of the first entries of the lists of blocks that lie side by
// side are the first ones of the list of all.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "dialects/NN/NN.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

namespace {

/// Elements [begin, end) of n.
struct Elements {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

} // namespace

static uint64_t encode(int64_t n, const Elements &block, int64_t entry) {
  return encodeSpan(n, block.begin, block.end) * n + entry;
}

/// The first `count` entries of a block's list; behind its end, what fills it.
static Map makeList(int64_t n, const Elements &block, int64_t count, Attribute fill) {
  Map map;
  int64_t there = std::min(count, block.size());
  if (there > 0)
    append(map, {there, int64_t(encode(n, block, 0)), 1, {}});
  if (count > there)
    append(map, {count - there, -1, 1, fill});
  return map;
}

/// The elements of which a rank has all, in order, where what else it has is never taken
/// and it counts from the first; else what is wrong.
static std::string findBlock(ArrayRef<Run> map, Attribute bound, std::optional<int64_t> offset,
                             unsigned rank, Elements &block) {
  for (const Run &run : map)
    if (run.isPadding() && run.fill != bound)
      return "takes elements of padding";
  if (map.empty() || (map.size() == 1 && map[0].isPadding()))
    return "";
  if (map[0].isPadding() || map.size() > 2 || (map.size() == 2 && !map[1].isPadding()) ||
      (map[0].step != 1 && map[0].size != 1))
    return "has elements of several blocks";
  block = {map[0].source, map[0].source + map[0].size};
  if (offset != block.begin)
    return ("rank " + Twine(rank) + " counts indices from " + Twine(offset.value_or(0)) +
            ", its block begins at " + Twine(block.begin))
        .str();
  return "";
}

/// What is wrong where these are not lists of blocks side by side, from the first element
/// on to the last, each with `k` entries or all.
static std::string findLists(ArrayRef<Run> map, Attribute bound, int64_t n, int64_t k) {
  SmallVector<int64_t> entries;
  for (const Run &run : map) {
    if (run.isPadding() && run.fill != bound)
      return "takes elements of padding";
    for (int64_t i = 0; i < (run.isPadding() ? 0 : run.size); ++i)
      entries.push_back(run.at(i));
  }
  int64_t next = 0;
  for (size_t at = 0; at < entries.size();) {
    int64_t span = entries[at] / n;
    Elements block = {span / (n + 1), span % (n + 1)};
    if (block.begin != next)
      return ("merges the block that begins at " + Twine(block.begin) + " where that at " +
              Twine(next) + " is next")
          .str();
    int64_t found = 0;
    while (at < entries.size() && entries[at] == int64_t(encode(n, block, found))) {
      ++at;
      ++found;
    }
    if (found < std::min(k, block.size()))
      return ("merges " + Twine(found) + " of " + Twine(block.size()) +
              " elements, of which any may be among the best " + Twine(k))
          .str();
    next = block.end;
  }
  if (next != n)
    return ("merges the first " + Twine(next) + " of " + Twine(n) + " elements").str();
  return "";
}

bool Evaluator::evaluateTopK(Operation *op) {
  Maps &maps = algebra.maps;
  auto top = cast<nn::TopKOp>(op);
  Relation input = relationOf(top.getInput());
  if (!commitOperand(input))
    return false;
  if (top.getBlocks() != 1)
    return fail("has several blocks on a rank");
  unsigned dim = top.getDim();
  int64_t k = cast<RankedTensorType>(top.getValues().getType()).getDimSize(dim);
  Attribute bound = top.getBound();
  Builder builder(op->getContext());
  Attribute fills[] = {bound, builder.getI64IntegerAttr(top.getMissingIndex())};
  TermId base = input.term;
  int64_t n = algebra.terms.getShape(base)[dim];
  auto keyOfList = [&](unsigned result) -> Key {
    return {kBestTerm,
            base,
            dim,
            uint64_t(n),
            uint64_t(top.getSmallest()),
            uint64_t(top.getNanFirst()),
            keyOf(bound),
            uint64_t(top.getMissingIndex()),
            result};
  };

  std::string problem;
  SmallVector<Elements> blocks;
  if (top.getInputIndices()) {
    Relation indices = relationOf(top.getInputIndices());
    const Key &own = algebra.terms.getKey(base);
    if (own[0] != kBestTerm)
      return fail("takes the best of what are no candidates");
    // Of candidates; of what else than these in order is what the reason tells.
    isSettled = true;
    base = own[1];
    n = own[3];
    if (own != keyOfList(0))
      return fail("takes others of the candidates than these are of");
    if (!commitOperand(indices) || algebra.terms.getKey(indices.term) != keyOfList(1))
      return fail("has indices of other candidates");
    for (auto [a, b] : llvm::zip_equal(input.maps, indices.maps))
      if (maps.forgetFills(a) != maps.forgetFills(b))
        return fail("merges the values of other blocks than those of the indices");
    for (unsigned rank = 0; rank < algebra.ranks.count() && problem.empty(); ++rank)
      problem = findLists(maps.get(input.maps[dim], rank), bound, n, k);
    blocks = {{0, n}};
  } else {
    std::optional<SmallVector<int64_t>> offsets = SmallVector<int64_t>{0};
    if (Value offset = top.getIndexOffset())
      offsets = integersOf(offset);
    if (!offsets)
      return fail("has an index offset that is known at run time only");
    for (unsigned rank = 0; rank < algebra.ranks.count() && problem.empty(); ++rank)
      problem = findBlock(maps.get(input.maps[dim], rank), bound,
                          (*offsets)[offsets->size() == 1 ? 0 : rank], rank, blocks.emplace_back());
  }
  // Numbers of all entries of all lists.
  constexpr int64_t kMaxElements = int64_t(1) << 20;
  if (problem.empty() && n >= kMaxElements)
    problem = "has a dimension of more than " + std::to_string(kMaxElements) + " elements";
  if (!problem.empty())
    return fail(problem);
  isSettled = false;
  SmallVector<int64_t> shape(algebra.terms.getShape(base));
  shape[dim] = (n + 1) * (n + 1) * n;
  for (unsigned r = 0; r < 2; ++r) {
    Relation result = input;
    result.term = algebra.terms.intern(keyOfList(r), shape);
    for (RankMapId &map : result.maps)
      map = maps.forgetFills(map);
    result.maps[dim] = maps.make([&](unsigned rank) {
      return makeList(n, blocks[blocks.size() == 1 ? 0 : rank], k, fills[r]);
    });
    result.layout[dim][0].size = k;
    define(op->getResult(r), result);
  }
  return true;
}
