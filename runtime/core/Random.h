//===- Random.h - random numbers that depend on the index only --*- C++ -*-===//
//
// Counter-based: value i of a stream needs no other value, so every sharding
// of a parameter sees the same global numbers.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_RANDOM_H
#define TPRT_CORE_RANDOM_H

#include "tprt/array.h"

#include <cstdint>
#include <string>

namespace tprt {

/// A bijection of 64 bits in which every output bit depends on every input bit
/// (the finalizer of splitmix64, Steele, Lea and Flood, OOPSLA 2014).
inline uint64_t mixBits(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

class RandomStream {
public:
  /// The stream of `name` under `seed` (FNV-1a of the name).
  RandomStream(const std::string &name, uint64_t seed) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (unsigned char c : name)
      hash = (hash ^ c) * 0x100000001b3u;
    key = mixBits(hash ^ mixBits(seed + 0x9e3779b97f4a7c15u));
  }

  uint64_t bits(int64_t index) const {
    return mixBits(key + uint64_t(index + 1) * 0x9e3779b97f4a7c15u);
  }
  /// Uniform in [-1, 1), a multiple of 2^-23: exact in f32.
  double symmetric(int64_t index) const { return double(bits(index) >> 40) * 0x1p-23 - 1.0; }
  /// Uniform in [0, bound).
  int64_t below(int64_t index, int64_t bound) const {
    return int64_t((bits(index) >> 1) % uint64_t(bound));
  }

private:
  uint64_t key;
};

/// Elements [first, first + count) of a stream as `dtype`, see RandomSpec.
void fillRandom(const RandomStream &stream, int32_t dtype, const RandomSpec &spec, int64_t first,
                int64_t count, void *to);

} // namespace tprt

#endif // TPRT_CORE_RANDOM_H
