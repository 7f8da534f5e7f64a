//===- Sampling.h - choosing the next token -------------------*- C++ -*-===//
//
// Chooses a token from the global logits of a row on the host. The random
// number depends on (seed, row, position) only, so neither the number of ranks
// nor what was generated before changes it.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_SAMPLING_H
#define TPRT_CORE_SAMPLING_H

#include <cstdint>

namespace tprt {

struct Sampling {
  double temperature = 0; ///< 0: the largest logit, whatever the rest says
  int64_t topK = 0;       ///< of the most likely tokens; 0: of all
  double topP = 1;        ///< of the fewest that have this much probability together
  uint64_t seed = 0;

  bool greedy() const { return temperature == 0; }
  /// Throws `Error` (exit code 2) that begins with `prefix` and the name of the
  /// field: temperature is finite and not negative, topK not negative, topP
  /// above 0 and at most 1.
  void check(const char *prefix, char wordSeparator) const;
};

/// Uniform in [0, 1), a multiple of 2^-53: output `position` of the splitmix64
/// generator (Steele, Lea and Flood, OOPSLA 2014) that output `row` of the
/// generator `seed` starts.
double uniformAt(uint64_t seed, int64_t row, int64_t position);

/// Natural logarithm of the softmax probability of `id`. Throws `Error` (exit
/// code 3) when a logit is inf or NaN.
double logProbability(const float *logits, int64_t count, int64_t id);

/// A token with probability proportional to exp(logit / temperature) among
/// the topK largest logits, and of these among the fewest that together have
/// at least topP of their probability (nucleus sampling, Holtzman et al. 2019);
/// of equal logits the lowest index comes first. `uniform` in [0, 1) picks in
/// the order of the ids (inverse of the cumulative distribution). The largest
/// logit when `sampling` is greedy. Throws `Error` (exit code 3) when a logit
/// is inf or NaN.
int64_t sampleToken(const float *logits, int64_t count, const Sampling &sampling, double uniform);

} // namespace tprt

#endif // TPRT_CORE_SAMPLING_H
