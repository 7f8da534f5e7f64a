//===- Sample.cu - A token of each row by its probability -------------------===//
//
// nn.sample. A block takes a row. What `top_k` and `top_p` keep are the tokens from a last one
// on in the order of the logits: its key is found by digits, from the highest on, in each pass
// over the row the sums of the 16 digits that may follow. Sums of f64 are taken in an order that
// depends on the launch alone.
//
//===----------------------------------------------------------------------===//

#include "Library.h"

using namespace tprt;

namespace {

TPRT_INLINE double exchange(double value, u32 mask) {
  const u64 bits = __builtin_bit_cast(u64, value);
  const u64 low = shuffleXor((u32)bits, mask), high = shuffleXor((u32)(bits >> 32), mask);
  return __builtin_bit_cast(double, high << 32 | low);
}

TPRT_INLINE double sumOfWarp(double value) {
  for (u32 mask = 16; mask; mask /= 2)
    value += exchange(value, mask);
  return value;
}

/// e^x of x <= 0 within 1 ulp: 2^k * e^r with |r| <= ln(2) / 2, and Taylor's series of e^r to
/// r^13 / 13!, whose remainder is below 2^-57.
TPRT_INLINE double expOf(double x) {
  if (!(x > -746)) // less than half of the smallest number
    return x != x ? x : 0;
  constexpr double rounder = 0x1.8p52; // a sum with it has no bits behind the point
  constexpr double high = 0x1.62e42fefa0000p-1, low = 0x1.cf79abc9e3b39p-40; // ln(2)
  const double k = (x * 0x1.71547652b82fep+0 + rounder) - rounder;
  const double r = (x - k * high) - k * low;
  double sum = 0, factorial = 6227020800.0; // 13!
  for (int i = 13; i >= 0; --i) {
    sum = sum * r + 1 / factorial;
    factorial /= i ? i : 1;
  }
  // In two steps: the result may have fewer bits than 2^k allows.
  const i64 whole = (i64)k, half = whole / 2;
  auto power = [](i64 exponent) {
    return __builtin_bit_cast(double, (u64)(1023 + exponent) << 52);
  };
  return sum * power(half) * power(whole - half);
}

/// A row, and of it what this thread's elements are: every threadsX()-th.
struct Row {
  const float *logits;
  double *weights;
  i64 size;

  /// Larger for what comes first in the order of the logits; no two are equal.
  TPRT_INLINE u64 keyOf(i64 at) const {
    const u32 bits = __builtin_bit_cast(u32, logits[at] + 0.0f); // -0 is 0
    const u32 order = bits >> 31 ? ~bits : bits | 1u << 31;
    return (u64)order << 32 | (u32)~at;
  }
};

constexpr int kDigits = 16, kDigitBits = 4;

/// The sum over the threads of a block of each of N numbers, in each of them; all threads call it.
template <int N> TPRT_INLINE void sumOverBlock(double (&values)[N]) {
  __shared__ double parts[32][N];
  const u32 warps = threadsX() / 32, lane = threadX() % 32;
  for (int i = 0; i < N; ++i)
    values[i] = sumOfWarp(values[i]);
  if (warps == 1)
    return;
  if (lane == 0)
    for (int i = 0; i < N; ++i)
      parts[threadX() / 32][i] = values[i];
  syncBlock();
  for (int i = 0; i < N; ++i)
    values[i] = sumOfWarp(lane < warps ? parts[lane][i] : 0.0);
  syncBlock(); // before the next one
}

TPRT_INLINE double totalWeight(const Row &row) {
  double sum[1] = {0};
  for (i64 i = threadX(); i < row.size; i += threadsX())
    sum[0] += row.weights[i];
  sumOverBlock(sum);
  return sum[0];
}

/// Takes the weight of all tokens but the first ones that together have `wanted` of the weight, or
/// of the number of tokens where they are counted.
template <bool isCounted> TPRT_INLINE void keepFirst(const Row &row, double wanted) {
  u64 prefix = 0;    // digits of the key of the last one that is kept
  double before = 0; // the sum over those whose digits are larger
  int shift = 64;
  for (bool isOne = false; shift > 0 && !isOne;) {
    shift -= kDigitBits;
    // By their next digit: how many they are, and the sums of weights.
    double sums[isCounted ? kDigits : 2 * kDigits] = {};
    double *const weights = isCounted ? sums : sums + kDigits;
    for (i64 i = threadX(); i < row.size; i += threadsX()) {
      const u64 key = row.keyOf(i) >> shift;
      if (key >> kDigitBits != prefix)
        continue;
      for (u32 digit = 0; digit < kDigits; ++digit)
        if (key % kDigits == digit) {
          sums[digit] += 1;
          if constexpr (!isCounted)
            weights[digit] += row.weights[i];
        }
    }
    sumOverBlock(sums);
    // The largest digit from which on there is enough, or the lowest one that there is.
    u32 found = 0;
    double until = before;
    bool isFound = false;
    for (int digit = kDigits - 1; digit >= 0; --digit) {
      if (isFound || sums[digit] == 0)
        continue;
      found = (u32)digit;
      before = until;
      isOne = sums[digit] == 1;
      until += weights[digit];
      isFound = until >= wanted;
    }
    prefix = prefix << kDigitBits | found;
  }
  for (i64 i = threadX(); i < row.size; i += threadsX())
    if (row.keyOf(i) >> shift < prefix)
      row.weights[i] = 0;
}

/// The first token up to which the sum exceeds `target`, or else the last that has a weight. Warps
/// take neighbouring parts of what is left; the part that has it is what is left then.
TPRT_INLINE i64 pick(const Row &row, double target) {
  __shared__ double parts[32];
  const u32 warps = threadsX() / 32, lane = threadX() % 32, warp = threadX() / 32;
  i64 begin = 0, end = row.size;
  double before = 0;
  while (warps > 1 && end - begin > 32) {
    const i64 size = (end - begin + warps - 1) / warps;
    const i64 first = begin + warp * size, last = first + size < end ? first + size : end;
    double sum = 0;
    for (i64 i = first + lane; i < last; i += 32)
      sum += row.weights[i];
    sum = sumOfWarp(sum);
    if (lane == 0)
      parts[warp] = sum;
    syncBlock();
    u32 found = 0;
    double until = before, beforeFound = before;
    for (u32 i = 0; i < warps; ++i) {
      if (parts[i] == 0)
        continue;
      found = i;
      beforeFound = until;
      until += parts[i];
      if (target < until)
        break;
    }
    syncBlock(); // before the next one
    before = beforeFound;
    begin += found * size;
    end = begin + size < end ? begin + size : end;
  }
  i64 token = begin;
  for (i64 i = begin; i < end; ++i) {
    const double weight = row.weights[i];
    if (weight == 0)
      continue;
    token = i;
    before += weight;
    if (target < before)
      break;
  }
  return token;
}

} // namespace

TPRT_LIBRARY void tprtk_sample(const void *logits, const void *uniform, const void *temperature,
                               const void *topK, const void *topP, void *weights, void *tokens,
                               i64 rows, i64 size) {
  __shared__ float largestOfWarps[32];
  const u32 warps = threadsX() / 32, lane = threadX() % 32;
  for (i64 item = blockX(); item < rows; item += blocksX()) {
    const Row row = {(const float *)logits + item * size, (double *)weights + item * size, size};
    float largest = -__builtin_inff();
    bool isWrong = false;
    for (i64 i = threadX(); i < size; i += threadsX()) {
      const float x = row.logits[i];
      isWrong = isWrong || x - x != 0;
      largest = x > largest ? x : largest;
    }
    if (syncBlockOr(isWrong)) {
      if (threadX() == 0)
        ((i64 *)tokens)[item] = -1;
      continue;
    }
    auto largestOfWarp = [](float value) {
      for (u32 mask = 16; mask; mask /= 2) {
        const float other = shuffleXor(value, mask);
        value = other > value ? other : value;
      }
      return value;
    };
    largest = largestOfWarp(largest);
    if (lane == 0)
      largestOfWarps[threadX() / 32] = largest;
    syncBlock();
    largest = largestOfWarp(largestOfWarps[lane < warps ? lane : 0]);
    syncBlock(); // before the next row

    const double scale = *(const double *)temperature, p = *(const double *)topP;
    const i64 k = *(const i64 *)topK;
    for (i64 i = threadX(); i < size; i += threadsX()) {
      const double below = (double)row.logits[i] - (double)largest;
      row.weights[i] = below == 0 ? 1 : expOf(below / scale);
    }
    if (k > 0 && k < size)
      keepFirst<true>(row, (double)k);
    if (p < 1)
      keepFirst<false>(row, p * totalWeight(row));
    const double total = totalWeight(row);
    syncBlock(); // weights of all threads
    const i64 token = pick(row, ((const double *)uniform)[item] * total);
    if (threadX() == 0)
      ((i64 *)tokens)[item] = token;
  }
}
