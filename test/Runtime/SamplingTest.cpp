//===- SamplingTest.cpp - choosing the next token -------------------------===//

#include "core/Sampling.h"
#include "ToyModel.h"
#include "core/LanguageModel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace tprt;
using namespace tprt_test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Sampling make(double temperature, int64_t topK = 0, double topP = 1) {
  Sampling sampling;
  sampling.temperature = temperature;
  sampling.topK = topK;
  sampling.topP = topP;
  return sampling;
}

/// The distribution, computed the long way: sorted by logit, softmax of all,
/// cut at k, renormalised, cut at p, renormalised.
std::vector<double> expected(const std::vector<float> &logits, const Sampling &sampling) {
  std::multimap<float, size_t> sorted; // equal ones stay in the order of their ids
  for (size_t id = 0; id < logits.size(); ++id)
    sorted.emplace(-logits[id], id);
  std::vector<size_t> order;
  for (const auto &[logit, id] : sorted)
    order.push_back(id);
  if (sampling.topK && size_t(sampling.topK) < order.size())
    order.resize(size_t(sampling.topK));
  std::vector<double> result(logits.size(), 0.0);
  auto normalise = [&] {
    double sum = 0;
    for (size_t id : order)
      sum += std::exp((double(logits[id]) - logits[order[0]]) / sampling.temperature);
    for (size_t id : order)
      result[id] = std::exp((double(logits[id]) - logits[order[0]]) / sampling.temperature) / sum;
  };
  normalise();
  double sum = 0;
  size_t kept = 0;
  while (kept < order.size() && (kept == 0 || sum < sampling.topP))
    sum += result[order[kept++]];
  for (size_t i = kept; i < order.size(); ++i)
    result[order[i]] = 0;
  order.resize(kept);
  normalise();
  return result;
}

const std::vector<float> kLogits = {0.5f, 2.0f, -1.0f, 2.0f, 1.25f, -3.0f, 0.0f, 1.9375f};

} // namespace

TEST(Sampling, FollowsTheDistribution) {
  const Sampling cases[] = {make(1),       make(0.25),      make(3),           make(1, 3),
                            make(1, 1),    make(1, 100),    make(1, 0, 0.5),   make(0.7, 0, 0.9),
                            make(2, 5, 1), make(2, 5, 0.8), make(1, 0, 1e-12), make(0.5, 4, 0.999)};
  constexpr int kDraws = 40000;
  for (const Sampling &sampling : cases) {
    const std::vector<double> wanted = expected(kLogits, sampling);
    std::vector<int> counts(kLogits.size());
    // Evenly spaced numbers meet every interval of the distribution exactly.
    for (int i = 0; i < kDraws; ++i)
      ++counts[size_t(
          sampleToken(kLogits.data(), int64_t(kLogits.size()), sampling, (i + 0.5) / kDraws))];
    std::vector<int> drawn(kLogits.size());
    for (int seed = 0; seed < kDraws; ++seed)
      ++drawn[size_t(sampleToken(kLogits.data(), int64_t(kLogits.size()), sampling,
                                 uniformAt(uint64_t(seed), 0, 7)))];
    for (size_t id = 0; id < kLogits.size(); ++id) {
      const std::string where = "T " + std::to_string(sampling.temperature) + " k " +
                                std::to_string(sampling.topK) + " p " +
                                std::to_string(sampling.topP) + " id " + std::to_string(id);
      EXPECT_NEAR(counts[id], kDraws * wanted[id], 1.0) << where;
      // Five standard deviations of a binomial distribution; the seeds are fixed.
      const double deviation = std::sqrt(kDraws * wanted[id] * (1 - wanted[id]));
      EXPECT_NEAR(drawn[id], kDraws * wanted[id], 5 * deviation + 1e-9) << where;
    }
  }
}

TEST(Sampling, TiesGoToTheLowestIndex) {
  const std::vector<float> equal(9, 1.5f);
  for (double uniform : {0.0, 0.4, 0.999}) {
    EXPECT_EQ(sampleToken(equal.data(), 9, make(0), uniform), 0);
    EXPECT_EQ(sampleToken(equal.data(), 9, make(1, 1), uniform), 0);
    EXPECT_EQ(sampleToken(equal.data(), 9, make(1, 0, 1e-300), uniform), 0);
    EXPECT_LT(sampleToken(equal.data(), 9, make(1, 3), uniform), 3);
    // A third of the probability are three of nine.
    EXPECT_LT(sampleToken(equal.data(), 9, make(1, 0, 0.33), uniform), 3);
  }
  EXPECT_EQ(sampleToken(kLogits.data(), 8, make(0), 0.9), 1);
  EXPECT_EQ(sampleToken(kLogits.data(), 8, make(1, 1), 0.9), 1);
}

TEST(Sampling, ExtremeTemperaturesAndLogits) {
  for (double uniform : {0.0, 0.25, 0.75, 1 - 0x1p-53}) {
    const int64_t coldest = sampleToken(kLogits.data(), 8, make(5e-324), uniform);
    EXPECT_EQ(coldest, uniform < 0.5 ? 1 : 3); // the two largest, equally likely
    EXPECT_EQ(sampleToken(kLogits.data(), 8, make(1e300), uniform), int64_t(uniform * 8));
    const float far[] = {-3e38f, 3e38f, 0};
    EXPECT_EQ(sampleToken(far, 3, make(1), uniform), 1);
    const float one[] = {-7};
    EXPECT_EQ(sampleToken(one, 1, make(1, 4, 0.5), uniform), 0);
  }
}

TEST(Sampling, LogitsThatAreNotFiniteAreErrors) {
  for (const auto &[value, message] : {std::pair(kInfinity, "the logit of token 5 is inf"),
                                       {-kInfinity, "the logit of token 5 is -inf"},
                                       {std::nan(""), "the logit of token 5 is nan"}})
    for (const Sampling &sampling : {make(0), make(1), make(1, 1)}) {
      std::vector<float> logits = kLogits;
      logits[5] = float(value);
      try {
        sampleToken(logits.data(), 8, sampling, 0.5);
        FAIL() << value;
      } catch (const Error &error) {
        EXPECT_EQ(error.exitCode(), kExitFailed);
        EXPECT_STREQ(error.what(), message);
      }
    }
}

TEST(Sampling, OptionsAreChecked) {
  auto message = [](const Sampling &sampling) {
    try {
      sampling.check("--", '-');
      return std::string();
    } catch (const Error &error) {
      EXPECT_EQ(error.exitCode(), kExitBadInput);
      return std::string(error.what());
    }
  };
  EXPECT_EQ(message(make(0)), "");
  EXPECT_EQ(message(make(100, 7, 0.01)), "");
  EXPECT_EQ(message(make(-1)),
            "--temperature must be a finite number that is not negative, found -1");
  EXPECT_NE(message(make(kInfinity)), "");
  EXPECT_NE(message(make(std::nan(""))), "");
  EXPECT_EQ(message(make(1, -2)), "--top-k must be at least 0, found -2");
  EXPECT_EQ(message(make(1, 0, 0)), "--top-p must be above 0 and at most 1, found 0");
  EXPECT_NE(message(make(1, 0, 1.5)), "");
  EXPECT_NE(message(make(1, 0, std::nan(""))), "");
}

TEST(Sampling, RandomNumbersDependOnSeedRowAndPosition) {
  // Computed apart from the code with splitmix64, whose first outputs for seed
  // 1234567 are published as 6457827717110365317 and 3203168211198807973.
  EXPECT_EQ(uniformAt(1234567, 2, 3), 582458420210142 * 0x1p-53);
  std::set<double> seen;
  double sum = 0;
  for (uint64_t seed : {uint64_t(0), uint64_t(1), ~uint64_t(0)})
    for (int64_t row = 0; row < 20; ++row)
      for (int64_t position = 0; position < 50; ++position) {
        const double uniform = uniformAt(seed, row, position);
        EXPECT_GE(uniform, 0);
        EXPECT_LT(uniform, 1);
        EXPECT_EQ(uniform, uniformAt(seed, row, position));
        seen.insert(uniform);
        sum += uniform;
      }
  EXPECT_EQ(seen.size(), 3000u);
  EXPECT_NEAR(sum / 3000, 0.5, 0.02);
}

TEST(Sampling, SameTokensOnEveryNumberOfRanks) {
  const std::vector<std::vector<int64_t>> prompts = {{1, 2, 3, 4, 5, 6}, {5}};
  auto run = [&](int64_t ranks, const Sampling &sampling) {
    const auto module = makeToyModel(ranks, 2);
    Session session(module->module());
    LanguageModel model(session);
    GenerateOptions options;
    options.count = 9;
    options.sampling = sampling;
    const auto first = model.generate(prompts, options).tokens;
    EXPECT_EQ(model.generate(prompts, options).tokens, first); // the cache starts anew
    return first;
  };
  std::set<std::vector<std::vector<int64_t>>> different;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Sampling sampling = make(2, 7, 0.95);
    sampling.seed = seed;
    const auto tokens = run(1, sampling);
    EXPECT_EQ(run(2, sampling), tokens);
    EXPECT_EQ(run(3, sampling), tokens);
    different.insert(tokens);
  }
  EXPECT_EQ(different.size(), 8u);
  // Of one token it is the largest logit's, which is what the entry chooses.
  EXPECT_EQ(run(2, make(2, 1)), run(2, make(0)));
}
