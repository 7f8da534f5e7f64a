//===- TopK.cu - The best elements of lines, in order -----------------------===//
//
// A block takes a line at a time. Each thread knows the best of its own elements that is left;
// the best of all is written, and the thread that had it looks for its next one. So a line is read
// once, and a thread's part of it once more for each that is taken.
//
//===----------------------------------------------------------------------===//

#include "Library.h"

using namespace tprt;

namespace {

/// An element and its place in its line; the place is none where there is nothing.
struct Element {
  static constexpr u32 none = ~0u;
  float value = 0;
  u32 at = none;
};

/// The order of nn.top_k.
struct Order {
  bool smallest, nanFirst;

  TPRT_INLINE bool isBetter(float a, float b) const {
    return (smallest ? a < b : a > b) || (nanFirst && a != a && b == b);
  }
  /// Equal elements stand in the order of their places.
  TPRT_INLINE bool comesFirst(const Element &a, const Element &b) const {
    if (a.at == Element::none || b.at == Element::none)
      return a.at != Element::none;
    if (isBetter(a.value, b.value))
      return true;
    return !isBetter(b.value, a.value) && a.at < b.at;
  }
  TPRT_INLINE Element best(const Element &a, const Element &b) const {
    return comesFirst(b, a) ? b : a;
  }
};

/// Elements of a line, `stride` apart.
struct Line {
  ConstFloats data;
  i64 size, stride;
};

/// The best of this thread's elements that are better than `bound` and come behind `last`.
TPRT_INLINE Element findNext(const Line &line, const Order &order, float bound,
                             const Element &last) {
  Element best;
  for (i64 i = threadX(); i < line.size; i += threadsX()) {
    const Element element = {line.data.load<1>(i * line.stride)[0], (u32)i};
    if (order.isBetter(element.value, bound) &&
        (last.at == Element::none || order.comesFirst(last, element)))
      best = order.best(best, element);
  }
  return best;
}

TPRT_INLINE Element bestOfWarp(const Order &order, Element best) {
  for (u32 mask = 16; mask; mask /= 2)
    best = order.best(best, {shuffleXor(best.value, mask), shuffleXor(best.at, mask)});
  return best;
}

/// Of the threads of a block, in each of them; all threads call it.
TPRT_INLINE Element bestOfBlock(const Order &order, Element best) {
  __shared__ float values[32];
  __shared__ u32 places[32];
  best = bestOfWarp(order, best);
  const u32 warps = threadsX() / 32, lane = threadX() % 32;
  if (warps == 1)
    return best;
  if (lane == 0) {
    values[threadX() / 32] = best.value;
    places[threadX() / 32] = best.at;
  }
  syncBlock();
  best = lane < warps ? Element{values[lane], places[lane]} : Element();
  best = bestOfWarp(order, best);
  syncBlock(); // before the next one
  return best;
}

} // namespace

TPRT_LIBRARY void tprtk_top_k(int dtype, const void *x, int hasIndices, const void *inputIndices,
                              void *values, void *indices, i64 outer, i64 size, i64 inner,
                              i64 blocks, i64 k, float bound, int smallest, int nanFirst,
                              i64 indexOffset, i64 missingIndex) {
  const Order order = {smallest != 0, nanFirst != 0};
  const i64 blockSize = (size + blocks - 1) / blocks;
  for (i64 item = blockX(); item < outer * inner * blocks; item += blocksX()) {
    const i64 column = item % inner, block = item / inner % blocks, row = item / inner / blocks;
    const i64 start = block * blockSize, left = size > start ? size - start : 0;
    const i64 first = (row * size + start) * inner + column;
    const Line line = {ConstFloats{dtype, x}.from(first), left < blockSize ? left : blockSize,
                       inner};
    Element mine = findNext(line, order, bound, Element());
    for (i64 j = 0; j < k; ++j) {
      const Element best = bestOfBlock(order, mine);
      const bool isThere = best.at != Element::none;
      if (threadX() == 0) {
        const i64 to = ((row * blocks + block) * k + j) * inner + column;
        i64 index = missingIndex;
        if (isThere)
          index = hasIndices ? ((const i64 *)inputIndices)[first + best.at * inner]
                             : indexOffset + start + best.at;
        Floats{dtype, values}.store<1>(to, isThere ? best.value : bound);
        ((i64 *)indices)[to] = index;
      }
      if (isThere && best.at % threadsX() == threadX())
        mine = findNext(line, order, bound, best);
    }
  }
}
