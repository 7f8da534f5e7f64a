//===- Rope.cu - Rotated queries and keys, new rows of caches --------------===//

#include "Library.h"

using namespace tprt;

namespace {

/// Rows [batch, steps, heads, depth], and the tables [batch, steps, half] by which the first
/// 2 * half elements of each are rotated.
struct Rows {
  ConstFloats x, cos, sin;
  u32 batch, steps, heads, depth, half;
};

/// Where the rows of an array of the same shape begin.
struct SamePlace {
  u32 depth;

  TPRT_INLINE i64 operator()(u32, u32, u32, u64 line) const { return line * depth; }
};

/// Where new rows of a cache [batch, heads, capacity, depth] begin; negative for those that
/// are not in it, and for all of a batch row that does not fit `whole` positions, which an
/// index check tells.
struct CachePlace {
  const i64 *positions;
  u32 steps, heads, depth;
  i64 capacity, first, whole;

  TPRT_INLINE i64 operator()(u32 batch, u32 step, u32 head, u64) const {
    const i64 position = positions[batch];
    const i64 at = position + step - first;
    if (position < 0 || position + steps > whole || at < 0 || at >= capacity)
      return -1;
    return ((i64(batch) * heads + head) * capacity + at) * depth;
  }
};

/// Threads take N elements of each half of a row, or N that are not rotated.
template <int N, typename Place>
TPRT_INLINE void moveRows(const Rows &rows, Floats y, const Place &place) {
  const u32 rotations = rows.half / N, units = rotations + (rows.depth - 2 * rows.half) / N;
  const u64 count = u64(rows.batch) * rows.steps * rows.heads * units;
  for (u64 i = u64(blockX()) * threadsX() + threadX(); i < count; i += blocksX() * threadsX()) {
    const u32 unit = i % units;
    const u64 line = i / units, row = line / rows.heads;
    const i64 to = place(row / rows.steps, row % rows.steps, line % rows.heads, line);
    if (to < 0)
      continue;
    const i64 from = line * rows.depth;
    if (unit < rotations) {
      const u32 at = unit * N;
      const auto cos = rows.cos.load<N>(row * rows.half + at);
      const auto sin = rows.sin.load<N>(row * rows.half + at);
      const auto low = rows.x.load<N>(from + at), high = rows.x.load<N>(from + rows.half + at);
      y.store<N>(to + at, low * cos - high * sin);
      y.store<N>(to + rows.half + at, high * cos + low * sin);
    } else {
      const u32 at = 2 * rows.half + (unit - rotations) * N;
      y.store<N>(to + at, rows.x.load<N>(from + at));
    }
  }
}

template <typename Place>
TPRT_INLINE void moveRows(const Rows &rows, Floats y, const Place &place) {
  const bool isAligned =
      rows.x.isAligned() && rows.cos.isAligned() && rows.sin.isAligned() && y.isAligned();
  if (rows.half % 8 == 0 && rows.depth % 8 == 0 && isAligned)
    moveRows<8>(rows, y, place);
  else
    moveRows<1>(rows, y, place);
}

} // namespace

TPRT_LIBRARY void tprtk_rope(int dtype, int tableDtype, const void *x, const void *cos,
                             const void *sin, void *y, i64 batch, i64 steps, i64 heads, i64 depth,
                             i64 half) {
  const Rows rows = {{dtype, x}, {tableDtype, cos}, {tableDtype, sin}, u32(batch),
                     u32(steps), u32(heads),        u32(depth),        u32(half)};
  moveRows(rows, Floats{dtype, y}, SamePlace{u32(depth)});
}

TPRT_LIBRARY void tprtk_cache_write(int dtype, int tableDtype, const void *update, const void *cos,
                                    const void *sin, const void *positions, void *cache, i64 batch,
                                    i64 steps, i64 heads, i64 depth, i64 half, i64 capacity,
                                    i64 first, i64 whole) {
  const Rows rows = {{dtype, update}, {tableDtype, cos}, {tableDtype, sin}, u32(batch),
                     u32(steps),      u32(heads),        u32(depth),        u32(half)};
  const CachePlace place = {
      (const i64 *)positions, u32(steps), u32(heads), u32(depth), capacity, first, whole};
  moveRows(rows, Floats{dtype, cache}, place);
}
