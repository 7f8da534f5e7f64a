//===- Sampling.cpp - choosing the next token -----------------------------===//

#include "Sampling.h"

#include "Random.h"
#include "tprt/error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace tprt;

namespace {

constexpr uint64_t kGoldenGamma = 0x9e3779b97f4a7c15u;

void requireFinite(const float *logits, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (!std::isfinite(logits[i]))
      throw runFailure("the logit of token " + std::to_string(i) + " is " +
                       (std::isnan(logits[i]) ? "nan"
                        : logits[i] > 0       ? "inf"
                                              : "-inf"));
}

/// Output `index` of the splitmix64 generator that starts at `state`.
uint64_t splitMix(uint64_t state, int64_t index) {
  return mixBits(state + (uint64_t(index) + 1) * kGoldenGamma);
}

/// The order of likelihood, the lower index first at a tie.
struct Before {
  const float *logits;
  bool operator()(int64_t a, int64_t b) const {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  }
};

/// Logits with the ids that may still be chosen, in increasing order.
class Candidates {
public:
  Candidates(const float *logits, int64_t count, double temperature)
      : logits(logits), temperature(temperature), ids(size_t(count)) {
    for (int64_t i = 0; i < count; ++i)
      ids[size_t(i)] = i;
    largest = *std::max_element(logits, logits + count);
  }

  void keepLargest(int64_t k) {
    if (k >= int64_t(ids.size()))
      return;
    std::nth_element(ids.begin(), ids.begin() + (k - 1), ids.end(), Before{logits});
    ids.resize(size_t(k));
    std::sort(ids.begin(), ids.end());
  }

  void keepNucleus(double p) {
    if (p >= 1)
      return;
    const double wanted = p * total();
    // A heap gives the largest first without sorting the long tail.
    auto after = [&](int64_t a, int64_t b) { return Before{logits}(b, a); };
    std::make_heap(ids.begin(), ids.end(), after);
    auto end = ids.end();
    double sum = 0;
    do {
      std::pop_heap(ids.begin(), end, after);
      sum += weight(*--end);
    } while (sum < wanted && end != ids.begin());
    ids.erase(ids.begin(), end);
    std::sort(ids.begin(), ids.end());
  }

  int64_t pick(double uniform) const {
    const double target = uniform * total();
    double sum = 0;
    int64_t last = ids.front();
    for (int64_t id : ids) {
      const double part = weight(id);
      if (part == 0)
        continue;
      last = id;
      sum += part;
      if (target < sum)
        break;
    }
    return last;
  }

private:
  /// Proportional to the probability, 1 for the largest logit.
  double weight(int64_t id) const {
    const double below = double(logits[id]) - double(largest);
    return below == 0 ? 1 : std::exp(below / temperature);
  }
  double total() const {
    double sum = 0;
    for (int64_t id : ids)
      sum += weight(id);
    return sum;
  }

  const float *logits;
  const double temperature;
  std::vector<int64_t> ids;
  float largest;
};

} // namespace

void Sampling::check(const char *prefix, char wordSeparator) const {
  auto fail = [&](std::string name, const char *rule, const std::string &found) {
    std::replace(name.begin(), name.end(), '_', wordSeparator);
    throw badInput(prefix + name + " must be " + rule + ", found " + found);
  };
  auto text = [](double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%g", value);
    return std::string(buffer);
  };
  if (!std::isfinite(temperature) || temperature < 0)
    fail("temperature", "a finite number that is not negative", text(temperature));
  if (topK < 0)
    fail("top_k", "at least 0", std::to_string(topK));
  if (!(topP > 0 && topP <= 1))
    fail("top_p", "above 0 and at most 1", text(topP));
}

double tprt::uniformAt(uint64_t seed, int64_t row, int64_t position) {
  return double(splitMix(splitMix(seed, row), position) >> 11) * 0x1p-53;
}

double tprt::logProbability(const float *logits, int64_t count, int64_t id) {
  requireFinite(logits, count);
  const double largest = *std::max_element(logits, logits + count);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += std::exp(double(logits[i]) - largest);
  return double(logits[id]) - largest - std::log(sum);
}

int64_t tprt::sampleToken(const float *logits, int64_t count, const Sampling &sampling,
                          double uniform) {
  requireFinite(logits, count);
  if (sampling.greedy())
    return std::max_element(logits, logits + count) - logits;
  Candidates candidates(logits, count, sampling.temperature);
  if (sampling.topK)
    candidates.keepLargest(sampling.topK);
  candidates.keepNucleus(sampling.topP);
  return candidates.pick(uniform);
}
