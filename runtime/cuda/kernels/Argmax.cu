//===- Argmax.cu - The largest element and its index -----------------------===//

#include "Library.h"

using namespace tprt;

namespace {

/// An element and its number; a number of none where every element is -inf or NaN.
struct Candidate {
  static constexpr u32 none = ~0u;
  float value = -__builtin_inff();
  u32 at = none;

  /// Equal values: the lowest number, so that the order of what is compared does not matter.
  TPRT_INLINE void take(const Candidate &other) {
    if (other.value > value || (other.value == value && other.at < at))
      *this = other;
  }
};

TPRT_INLINE Candidate bestOfWarp(Candidate best) {
  for (u32 mask = 16; mask; mask /= 2)
    best.take({shuffleXor(best.value, mask), shuffleXor(best.at, mask)});
  return best;
}

/// The best of this thread's elements, N neighbours at a time.
template <int N> TPRT_INLINE Candidate findBest(ConstFloats row, i64 count) {
  Candidate best;
  for (i64 i = threadX() * N; i < count; i += threadsX() * N) {
    const Vector<float, N> values = row.load<N>(i);
    for (int j = 0; j < N; ++j)
      if (values[j] > best.value)
        best = {values[j], (u32)(i + j)};
  }
  return best;
}

} // namespace

TPRT_LIBRARY void tprtk_argmax(int dtype, const void *x, void *values, void *indices, i64 rows,
                               i64 size, i64 blocks, i64 indexOffset) {
  __shared__ float bestValues[32];
  __shared__ u32 bestPlaces[32];
  const i64 blockSize = (size + blocks - 1) / blocks;
  const u32 warps = threadsX() / 32, lane = threadX() % 32;
  for (i64 item = blockX(); item < rows * blocks; item += blocksX()) {
    const i64 start = item % blocks * blockSize;
    const i64 left = size > start ? size - start : 0, count = left < blockSize ? left : blockSize;
    const ConstFloats row = ConstFloats{dtype, x}.from(item / blocks * size + start);
    const bool isWide = row.isAligned() && count % 8 == 0;
    Candidate best = bestOfWarp(isWide ? findBest<8>(row, count) : findBest<1>(row, count));
    if (warps > 1) {
      if (lane == 0) {
        bestValues[threadX() / 32] = best.value;
        bestPlaces[threadX() / 32] = best.at;
      }
      syncBlock();
      best = lane < warps ? Candidate{bestValues[lane], bestPlaces[lane]} : Candidate();
      best = bestOfWarp(best);
      syncBlock(); // before the next one
    }
    if (threadX() == 0) {
      Floats{dtype, values}.store<1>(item, best.value);
      ((i64 *)indices)[item] = best.at == Candidate::none ? 0 : indexOffset + start + best.at;
    }
  }
}
