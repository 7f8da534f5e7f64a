//===- Attention.h - Attention in tiles -------------------------*- C++ -*-===//
//
// `nn.attention` and `nn.attention_blocks`, in one pass over the keys that a block sees,
// softmax online: with m the largest score so far, l = sum exp(s - m) and o = sum
// exp(s - m) v, a tile with a larger score first scales l and o by exp(m_old - m_new).
//
// Query rows of one batch row and key head, numbered step * group + member, are rows of a
// matrix, 16 per warp, so that a group shares keys and values. Those come in tiles through
// shared memory, the next one while one is worked on. In a `Whole` block each warp has rows
// of its own and all keys of a tile. In a `Part` there are 16 rows, of which a warp has some
// keys of each tile, and a block some of the tiles: where rows are few, the device is kept
// busy by cutting the keys. How they are cut follows from the position, so that a launch of
// a fixed size has about the same work for each block wherever it is.
//
// 16-bit elements are multiplied by tensor cores, f32 ones by the others; both keep scores
// and sums as `mma.m16n8k16` does: of 8 columns, lane l has columns 2 (l % 4) and the next,
// of rows l / 4 and l / 4 + 8.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_KERNELS_ATTENTION_H
#define TPRT_CUDA_KERNELS_ATTENTION_H

#include "Library.h"

namespace tprt {

extern __shared__ u32x4 attentionMemory[];

namespace {

constexpr float lowest = -__builtin_inff();
constexpr float log2OfE = 1.44269504088896341f;

enum class Cut { Whole, Part };

/// Sizes of a block; lib/Conversion/ToKernels/DeviceAttention.cpp launches by them.
template <typename T, u32 Depth, Cut Kind> struct Sizes {
  static constexpr bool isNarrow = sizeof(T) == 2, isPart = Kind == Cut::Part;
  /// Keys of a tile.
  static constexpr u32 keys = isNarrow ? (Depth > 128 ? 32 : 64)
                              : isPart ? (Depth > 128 ? 16 : 32)
                                       : (Depth > 128  ? 8
                                          : Depth > 80 ? 16
                                                       : 32);
  static constexpr u32 warps = isPart ? keys / (isNarrow ? 16 : 8) : 4;
  static constexpr u32 threads = warps * 32;
  static constexpr u32 rows = isPart ? 16 : warps * 16;
  /// Keys of a tile that a warp has.
  static constexpr u32 own = isPart ? keys / warps : keys;
  /// Elements from row to row in shared memory: 16 bytes more lie in other banks.
  static constexpr u32 stride = Depth + 16 / sizeof(T);
  static constexpr u32 tile = keys * stride;
  /// Else they stay in shared memory, behind the tiles.
  static constexpr bool hasQueriesInRegisters = isNarrow && Depth <= 128;
  static constexpr u32 bytes = (4 * tile + (hasQueriesInRegisters ? 0 : rows * stride)) * sizeof(T);
};

/// Of one launch.
struct Problem {
  u32 batch, steps, heads, group;
  i64 capacity;
  float scale;
  i64 window; ///< 0 for none
  bool isBidirectional;
  /// Of the first step and the first key; how many keys there are.
  i64 stepOffset, positionOffset, extent;
};

/// The keys [first, end) that a row sees.
struct Seen {
  i32 first, end;

  TPRT_INLINE bool contains(i32 key) const { return key >= first && key < end; }
};

TPRT_INLINE i32 clamp(i64 value, i64 most) { return value < 0 ? 0 : value > most ? most : value; }

TPRT_INLINE Seen seenBy(const Problem &problem, i64 position, u32 row) {
  i64 end = position;
  if (!problem.isBidirectional)
    end += row / problem.group + 1 + problem.stepOffset;
  end -= problem.positionOffset;
  return {problem.window ? clamp(end - problem.window, problem.extent) : 0,
          clamp(end, problem.extent)};
}

template <typename T> TPRT_INLINE f32x2 loadPair(const T *from) {
  using Pair = T __attribute__((ext_vector_type(2)));
  return __builtin_convertvector(*(const Pair *)from, f32x2);
}
template <typename T> TPRT_INLINE void storePair(T *to, float low, float high) {
  using Pair = T __attribute__((ext_vector_type(2)));
  f32x2 pair = {low, high};
  *(Pair *)to = __builtin_convertvector(pair, Pair);
}

/// Whether any of eight elements of 16 bits is an infinity or no number.
template <typename T> TPRT_INLINE bool hasNoNumber(u32x4 elements) {
  constexpr u32 exponent = isSame<T, bf16> ? 0x7F80 : 0x7C00;
  bool found = false;
#pragma unroll
  for (u32 i = 0; i < 4; ++i) {
    found |= (elements[i] & exponent) == exponent;
    found |= (elements[i] >> 16 & exponent) == exponent;
  }
  return found;
}

TPRT_INLINE void take(const FourWords &words, u32 (&registers)[4]) {
  registers[0] = words.a, registers[1] = words.b, registers[2] = words.c, registers[3] = words.d;
}

/// One block of query rows.
template <typename T, u32 Depth, Cut Kind> class Block {
  using S = Sizes<T, Depth, Kind>;
  static constexpr u32 perCopy = 16 / sizeof(T);
  static constexpr u32 copiesPerRow = Depth / perCopy;

public:
  TPRT_INLINE Block(const Problem &problem, i64 position, u32 firstRow)
      : problem(problem), firstRow(firstRow), memory((T *)attentionMemory) {
    u32 rows = problem.steps * problem.group;
    u32 lastRow = (firstRow + S::rows < rows ? firstRow + S::rows : rows) - 1;
    foremost = seenBy(problem, position, firstRow);
    hindmost = seenBy(problem, position, lastRow);
    u32 warpRow = firstRow + (S::isPart ? 0 : warp() * 16) + lane() / 4;
    for (u32 half = 0; half < 2; ++half)
      seen[half] =
          warpRow + half * 8 < rows ? seenBy(problem, position, warpRow + half * 8) : Seen{0, 0};
  }

  /// Tiles from that of the first key that is seen on.
  TPRT_INLINE u32 countTiles() const {
    i32 start = foremost.first / S::keys * S::keys;
    return hindmost.end <= start ? 0 : (hindmost.end - start + S::keys - 1) / S::keys;
  }

  /// Tiles [fromTile, toTile); `queries`, `keys` and `values` begin with those of the
  /// block's batch row and head.
  TPRT_INLINE void run(const T *queries, const T *keys, const T *values, u32 fromTile, u32 toTile);

  /// Element [row][column of 8 tile + 2 (lane % 4) + i] of the result is values[tile].values
  /// [half * 2 + i] / totals[half], of the warp's row lane / 4 + 8 half.
  Accumulator sums[Depth / 8] = {};
  float largest[2] = {lowest, lowest}, totals[2] = {0, 0};

  static TPRT_INLINE u32 warp() { return threadX() / 32; }
  static TPRT_INLINE u32 lane() { return threadX() % 32; }
  TPRT_INLINE T *getMemory() const { return memory; }

private:
  TPRT_INLINE T *keysOf(u32 stage) const { return memory + stage * 2 * S::tile; }
  TPRT_INLINE T *valuesOf(u32 stage) const { return keysOf(stage) + S::tile; }
  /// Queries that go on to registers lie where the second tile will.
  TPRT_INLINE T *queryTile() const { return S::hasQueriesInRegisters ? keysOf(1) : keysOf(2); }
  /// The first key of a tile.
  TPRT_INLINE i32 startOf(u32 tile) const {
    return foremost.first / S::keys * S::keys + tile * S::keys;
  }
  /// Whether some row does not see some key of the tile.
  TPRT_INLINE bool isMasked(u32 tile) const {
    i32 start = startOf(tile);
    return start < hindmost.first || start + i32(S::keys) > foremost.end;
  }

  TPRT_INLINE void copyQueries(const T *queries);
  TPRT_INLINE void copyTile(T *to, const T *from, u32 tile);
  TPRT_INLINE bool hasNoNumberInOwnCopies(const T *values) const;
  TPRT_INLINE void multiplyKeys(const T *keys, Accumulator (&scores)[S::own / 8]);
  TPRT_INLINE void weigh(u32 tile, Accumulator (&scores)[S::own / 8]);
  TPRT_INLINE void addValues(const T *values, const Accumulator (&weights)[S::own / 8]);
  template <bool IsMasked>
  TPRT_INLINE void addSeenValues(const T *values, i32 start, Accumulator (&weights)[S::own / 8]);

  const Problem &problem;
  const u32 firstRow;
  T *memory;
  /// Of the first and last row of the block, and of the lane's two.
  Seen foremost, hindmost, seen[2];
  u32 queryParts[S::hasQueriesInRegisters ? Depth / 16 : 1][4];
};

template <typename T, u32 Depth, Cut Kind>
TPRT_INLINE void Block<T, Depth, Kind>::copyQueries(const T *queries) {
  u32 rows = problem.steps * problem.group;
  for (u32 i = threadX(); i < S::rows * copiesPerRow; i += S::threads) {
    u32 row = firstRow + i / copiesPerRow, part = i % copiesPerRow * perCopy;
    T *to = queryTile() + i / copiesPerRow * S::stride + part;
    u64 place = u64(row / problem.group) * problem.heads * problem.group + row % problem.group;
    if (row < rows)
      copyAsync16(to, queries + place * Depth + part);
    else
      *(u32x4 *)to = u32x4{};
  }
}

/// Rows that no query of the block sees are 0.
template <typename T, u32 Depth, Cut Kind>
TPRT_INLINE void Block<T, Depth, Kind>::copyTile(T *to, const T *from, u32 tile) {
  i32 start = startOf(tile);
  static_assert(S::keys * copiesPerRow % S::threads == 0);
#pragma unroll
  for (u32 round = 0; round < S::keys * copiesPerRow / S::threads; ++round) {
    u32 i = round * S::threads + threadX();
    u32 row = i / copiesPerRow, part = i % copiesPerRow * perCopy;
    i32 key = start + i32(row);
    T *place = to + row * S::stride + part;
    if (key >= foremost.first && key < hindmost.end)
      copyAsync16(place, from + u64(key) * Depth + part);
    else
      *(u32x4 *)place = u32x4{};
  }
}

template <typename T, u32 Depth, Cut Kind>
TPRT_INLINE bool Block<T, Depth, Kind>::hasNoNumberInOwnCopies(const T *values) const {
  bool found = false;
  for (u32 i = threadX(); i < S::keys * copiesPerRow; i += S::threads)
    found |= hasNoNumber<T>(
        *(const u32x4 *)(values + i / copiesPerRow * S::stride + i % copiesPerRow * perCopy));
  return found;
}

/// Queries times keys that the warp has.
template <typename T, u32 Depth, Cut Kind>
TPRT_INLINE void Block<T, Depth, Kind>::multiplyKeys(const T *keys,
                                                     Accumulator (&scores)[S::own / 8]) {
  u32 line = lane() % 8, matrix = lane() / 8;
#pragma unroll
  for (Accumulator &score : scores)
    score = {};
  const T *queries = queryTile() + (S::isPart ? 0 : warp() * 16 * S::stride);
  if constexpr (S::isNarrow) {
#pragma unroll
    for (u32 d = 0; d < Depth / 16; ++d) {
      u32 loaded[4];
      if constexpr (!S::hasQueriesInRegisters) {
        FourWords words =
            loadMatrices(queries + (matrix % 2 * 8 + line) * S::stride + d * 16 + matrix / 2 * 8);
        take(words, loaded);
      }
#pragma unroll
      for (u32 n = 0; n < S::own / 16; ++n) {
        FourWords b = loadMatrices(keys + (n * 16 + matrix / 2 * 8 + line) * S::stride + d * 16 +
                                   matrix % 2 * 8);
        const u32(&a)[4] = S::hasQueriesInRegisters ? queryParts[d] : loaded;
        multiplyAdd<T>(scores[n * 2], a, b.a, b.b);
        multiplyAdd<T>(scores[n * 2 + 1], a, b.c, b.d);
      }
    }
  } else {
    const T *query = queries + lane() / 4 * S::stride;
    const T *key = keys + lane() % 4 * 2 * S::stride;
#pragma unroll 2
    for (u32 d = 0; d < Depth; d += 4) {
      f32x4 q[2] = {*(const f32x4 *)(query + d), *(const f32x4 *)(query + 8 * S::stride + d)};
#pragma unroll
      for (u32 n = 0; n < S::own / 8; ++n) {
#pragma unroll
        for (u32 i = 0; i < 4; ++i) {
          f32x4 k = *(const f32x4 *)(key + (n * 8 + i % 2) * S::stride + d);
#pragma unroll
          for (u32 j = 0; j < 4; ++j)
            scores[n].values[i] += q[i / 2][j] * k[j];
        }
      }
    }
  }
}

/// Scores become weights, on the scale of the largest one so far.
template <typename T, u32 Depth, Cut Kind>
TPRT_INLINE void Block<T, Depth, Kind>::weigh(u32 tile, Accumulator (&scores)[S::own / 8]) {
  i32 first = startOf(tile) + (S::isPart ? warp() * S::own : 0) + lane() % 4 * 2;
  bool masked = isMasked(tile);
  float best[2] = {largest[0], largest[1]};
#pragma unroll
  for (u32 n = 0; n < S::own / 8; ++n) {
#pragma unroll
    for (u32 i = 0; i < 4; ++i) {
      float score = scores[n].values[i] * problem.scale;
      if (masked && !seen[i / 2].contains(first + i32(n * 8 + i % 2)))
        score = lowest;
      scores[n].values[i] = score;
      best[i / 2] = __builtin_fmaxf(best[i / 2], score);
    }
  }
  float shift[2];
#pragma unroll
  for (u32 half = 0; half < 2; ++half) {
    best[half] = __builtin_fmaxf(best[half], shuffleXor(best[half], 1));
    best[half] = __builtin_fmaxf(best[half], shuffleXor(best[half], 2));
    // Nothing is subtracted from scores that are -inf already.
    float top = best[half] == lowest ? 0 : best[half];
    float factor = exp2Of((largest[half] - top) * log2OfE);
    shift[half] = top * log2OfE;
    largest[half] = best[half];
    totals[half] *= factor;
#pragma unroll
    for (Accumulator &sum : sums) {
      sum.values[half * 2] *= factor;
      sum.values[half * 2 + 1] *= factor;
    }
  }
#pragma unroll
  for (u32 n = 0; n < S::own / 8; ++n) {
#pragma unroll
    for (u32 i = 0; i < 4; ++i) {
      float weight = exp2Of(scores[n].values[i] * log2OfE - shift[i / 2]);
      scores[n].values[i] = weight;
      totals[i / 2] += weight;
    }
  }
}

/// By tensor cores: rows get 0 times those values that they do not see.
template <typename T, u32 Depth, Cut Kind>
TPRT_INLINE void Block<T, Depth, Kind>::addValues(const T *values,
                                                  const Accumulator (&weights)[S::own / 8]) {
  u32 line = lane() % 8, matrix = lane() / 8;
#pragma unroll
  for (u32 n = 0; n < S::own / 16; ++n) {
    const Accumulator &left = weights[n * 2], &right = weights[n * 2 + 1];
    u32 a[4] = {
        toPair<T>(left.values[0], left.values[1]), toPair<T>(left.values[2], left.values[3]),
        toPair<T>(right.values[0], right.values[1]), toPair<T>(right.values[2], right.values[3])};
#pragma unroll
    for (u32 d = 0; d < Depth / 16; ++d) {
      FourWords b = loadTransposed(values + (n * 16 + matrix % 2 * 8 + line) * S::stride + d * 16 +
                                   matrix / 2 * 8);
      multiplyAdd<T>(sums[d * 2], a, b.a, b.b);
      multiplyAdd<T>(sums[d * 2 + 1], a, b.c, b.d);
    }
  }
}

/// One after another, each to the rows that see it only. `start` is the first key's
/// position; `weights` are moved through.
template <typename T, u32 Depth, Cut Kind>
template <bool IsMasked>
TPRT_INLINE void Block<T, Depth, Kind>::addSeenValues(const T *values, i32 start,
                                                      Accumulator (&weights)[S::own / 8]) {
  const T *value = values + lane() % 4 * 2;
#pragma nounroll
  for (u32 n = 0; n < S::own / 8; ++n) {
    Accumulator now = weights[0];
#pragma unroll
    for (u32 i = 0; i + 1 < S::own / 8; ++i)
      weights[i] = weights[i + 1];
#pragma nounroll
    for (u32 key = 0; key < 8; ++key) {
      u32 holder = lane() / 4 * 4 + key / 2;
      float weight[2];
      bool sees[2];
#pragma unroll
      for (u32 half = 0; half < 2; ++half) {
        weight[half] = shuffle(now.values[half * 2 + 1], holder);
        float even = shuffle(now.values[half * 2], holder);
        if (key % 2 == 0)
          weight[half] = even;
        sees[half] = !IsMasked || seen[half].contains(start + i32(n * 8 + key));
      }
#pragma unroll
      for (u32 d = 0; d < Depth / 8; ++d) {
        f32x2 pair = loadPair(value + d * 8);
#pragma unroll
        for (u32 i = 0; i < 4; ++i) {
          float sum = sums[d].values[i] + weight[i / 2] * pair[i % 2];
          sums[d].values[i] = sees[i / 2] ? sum : sums[d].values[i];
        }
      }
      value += S::stride;
    }
  }
}

template <typename T, u32 Depth, Cut Kind>
TPRT_INLINE void Block<T, Depth, Kind>::run(const T *queries, const T *keys, const T *values,
                                            u32 fromTile, u32 toTile) {
  if (fromTile >= toTile)
    return;
  copyQueries(queries);
  copyTile(keysOf(0), keys, fromTile);
  copyTile(valuesOf(0), values, fromTile);
  commitCopies();
#pragma nounroll
  for (u32 tile = fromTile; tile < toTile; ++tile) {
    u32 stage = (tile - fromTile) % 2;
    waitForCopies<0>();
    // Tensor cores add 0 times what is not seen, which must be a number then.
    bool byRow = false;
    if (S::isNarrow && isMasked(tile))
      byRow = syncBlockOr(hasNoNumberInOwnCopies(valuesOf(stage)));
    else
      syncBlock();
    if constexpr (S::hasQueriesInRegisters) {
      if (tile == fromTile) {
        u32 line = lane() % 8, matrix = lane() / 8;
        const T *own = queryTile() + (S::isPart ? 0 : warp() * 16 * S::stride);
#pragma unroll
        for (u32 d = 0; d < Depth / 16; ++d) {
          FourWords words =
              loadMatrices(own + (matrix % 2 * 8 + line) * S::stride + d * 16 + matrix / 2 * 8);
          take(words, queryParts[d]);
        }
        syncBlock();
      }
    }
    if (tile + 1 < toTile) {
      copyTile(keysOf(1 - stage), keys, tile + 1);
      copyTile(valuesOf(1 - stage), values, tile + 1);
      commitCopies();
    }
    u32 skipped = S::isPart ? warp() * S::own : 0;
    Accumulator weights[S::own / 8];
    multiplyKeys(keysOf(stage) + skipped * S::stride, weights);
    weigh(tile, weights);
    const T *ownValues = valuesOf(stage) + skipped * S::stride;
    i32 start = startOf(tile) + i32(skipped);
    if constexpr (S::isNarrow) {
      if (byRow)
        addSeenValues<true>(ownValues, start, weights);
      else
        addValues(ownValues, weights);
    } else {
      if (isMasked(tile))
        addSeenValues<true>(ownValues, start, weights);
      else
        addSeenValues<false>(ownValues, start, weights);
    }
  }
  // The lanes of a row have their own columns each.
#pragma unroll
  for (float &total : totals) {
    total += shuffleXor(total, 1);
    total += shuffleXor(total, 2);
  }
}

/// Where row `row` of a batch row and head is, of rows [batch, steps, heads, group].
TPRT_INLINE u64 rowPlace(const Problem &problem, u32 batch, u32 head, u32 row) {
  u64 step = u64(batch) * problem.steps + row / problem.group;
  return (step * problem.heads + head) * problem.group + row % problem.group;
}

/// Blocks: of each batch row and head ceil(steps * group / 64) (see Sizes).
template <typename T, u32 Depth>
TPRT_INLINE void attention(const Problem &problem, const T *queries, const T *keys, const T *values,
                           const i64 *positions, T *result) {
  using S = Sizes<T, Depth, Cut::Whole>;
  u32 pairs = problem.batch * problem.heads, rows = problem.steps * problem.group;
  // The last rows, which see most, first.
  u32 number = (rows + S::rows - 1) / S::rows - 1 - blockX() / pairs;
  u32 pair = blockX() % pairs, batch = pair / problem.heads, head = pair % problem.heads;
  Block<T, Depth, Cut::Whole> block(problem, positions[batch], number * S::rows);
  u64 cache = u64(pair) * problem.capacity * Depth;
  block.run(queries + rowPlace(problem, batch, head, 0) * Depth, keys + cache, values + cache, 0,
            block.countTiles());
#pragma unroll
  for (u32 half = 0; half < 2; ++half) {
    u32 row = number * S::rows + block.warp() * 16 + block.lane() / 4 + half * 8;
    if (row >= rows)
      continue;
    T *place = result + rowPlace(problem, batch, head, row) * Depth + block.lane() % 4 * 2;
    float inverse = 1 / block.totals[half];
#pragma unroll
    for (u32 d = 0; d < Depth / 8; ++d)
      storePair(place + d * 8, block.sums[d].values[half * 2] * inverse,
                block.sums[d].values[half * 2 + 1] * inverse);
  }
}

/// Blocks: `parts` for each 16 rows of each batch row and head.
template <typename T, u32 Depth>
TPRT_INLINE void attentionParts(const Problem &problem, const T *queries, const T *keys,
                                const T *values, const i64 *positions, float *sums, float *largest,
                                u32 parts) {
  using S = Sizes<T, Depth, Cut::Part>;
  u32 part = blockX() % parts, rest = blockX() / parts;
  u32 pairs = problem.batch * problem.heads, rows = problem.steps * problem.group;
  u32 pair = rest % pairs, batch = pair / problem.heads, head = pair % problem.heads;
  u32 firstRow = rest / pairs * S::rows;
  Block<T, Depth, Cut::Part> block(problem, positions[batch], firstRow);
  u64 cache = u64(pair) * problem.capacity * Depth;
  u32 tiles = block.countTiles(), perPart = (tiles + parts - 1) / parts;
  u32 from = part * perPart, to = from + perPart < tiles ? from + perPart : tiles;
  block.run(queries + rowPlace(problem, batch, head, 0) * Depth, keys + cache, values + cache, from,
            to);
  // Warps leave theirs to the block: rows of Depth sums, then the total and the largest.
  constexpr u32 line = Depth + 2;
  static_assert(S::warps * 16 * line * 4 <= S::bytes);
  auto *all = (float *)block.getMemory();
  syncBlock();
#pragma unroll
  for (u32 half = 0; half < 2; ++half) {
    float *place = all + (block.warp() * 16 + block.lane() / 4 + half * 8) * line;
#pragma unroll
    for (u32 d = 0; d < Depth / 8; ++d) {
      place[d * 8 + block.lane() % 4 * 2] = block.sums[d].values[half * 2];
      place[d * 8 + block.lane() % 4 * 2 + 1] = block.sums[d].values[half * 2 + 1];
    }
    if (block.lane() % 4 == 0) {
      place[Depth] = block.totals[half];
      place[Depth + 1] = block.largest[half];
    }
  }
  syncBlock();
  u64 partRows = u64(problem.batch) * problem.steps * problem.heads * problem.group;
  for (u32 i = threadX(); i < S::rows * (Depth + 1); i += S::threads) {
    u32 row = i / (Depth + 1), column = i % (Depth + 1);
    if (firstRow + row >= rows)
      break;
    const float *first = all + row * line;
    float best = lowest;
#pragma unroll
    for (u32 warp = 0; warp < S::warps; ++warp)
      best = __builtin_fmaxf(best, first[warp * 16 * line + Depth + 1]);
    float top = best == lowest ? 0 : best, sum = 0;
#pragma unroll
    for (u32 warp = 0; warp < S::warps; ++warp) {
      const float *own = first + warp * 16 * line;
      sum += own[column] * exp2Of((own[Depth + 1] - top) * log2OfE);
    }
    u64 place = part * partRows + rowPlace(problem, batch, head, firstRow + row);
    sums[place * (Depth + 1) + column] = sum;
    // Scores that are no numbers have no largest one, and are not nothing.
    if (column == Depth)
      largest[place] = best == lowest && sum != sum ? sum : best;
  }
}

/// Blocks: one for each of `rows` rows; threads: at least `depth`.
TPRT_INLINE void attentionMerge(const float *sums, const float *largest, Floats result, u32 parts,
                                u64 rows, u32 depth) {
  u64 row = blockX();
  float top = lowest;
  for (u32 part = 0; part < parts; ++part) {
    float own = largest[part * rows + row];
    top = own != own ? own : __builtin_fmaxf(top, own);
  }
  if (threadX() >= depth)
    return;
  float sum = 0, total = 0;
  for (u32 part = 0; part < parts; ++part) {
    float own = largest[part * rows + row];
    if (own == lowest)
      continue;
    const float *from = sums + (part * rows + row) * (depth + 1);
    float factor = exp2Of((own - top) * log2OfE);
    sum += from[threadX()] * factor;
    total += from[depth] * factor;
  }
  result.store<1>(row * depth + threadX(), sum / total);
}

} // namespace
} // namespace tprt

#endif // TPRT_CUDA_KERNELS_ATTENTION_H
