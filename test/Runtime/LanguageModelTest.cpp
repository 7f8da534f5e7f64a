//===- LanguageModelTest.cpp - generating tokens --------------------------===//

#include "core/LanguageModel.h"
#include "TestModule.h"
#include "ToyModel.h"
#include "core/EmbeddingModel.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tprt;
using namespace tprt_test;

namespace {

std::vector<int64_t> expectedTokens(std::vector<int64_t> prefix, int64_t count, int64_t eos = -1) {
  std::vector<int64_t> tokens;
  while (int64_t(tokens.size()) < count && (tokens.empty() || tokens.back() != eos)) {
    tokens.push_back(toyNext(prefix));
    prefix.push_back(tokens.back());
  }
  return tokens;
}

Generation generate(int64_t ranks, const std::vector<std::vector<int64_t>> &prompts, int64_t count,
                    bool logits = false, const std::string &eos = "[]",
                    std::vector<std::pair<int, int64_t>> *stream = nullptr) {
  const auto module = makeToyModel(ranks, int64_t(prompts.size()), eos);
  SessionOptions options;
  options.checkCollectives = true;
  Session session(module->module(), options);
  LanguageModel model(session);
  GenerateOptions how;
  how.count = count;
  how.logits = logits;
  how.onToken = [&](int row, int64_t token) {
    if (stream)
      stream->emplace_back(row, token);
  };
  return model.generate(prompts, how);
}

} // namespace

TEST(LanguageModel, EntriesThatAreNoneOfAModel) {
  const std::string tail = R"("language_model": {"prefill": "p", "decode": "d", "batch": 1,
                              "chunk": 2, "max_seq": 8, "vocab": 5})";
  auto fillWith9 = [](tprt_context_t *, void *const *arguments) -> tprt_status_t {
    *static_cast<int64_t *>(arguments[3]) = 9;
    return TPRT_OK;
  };
  const TestValue count = {"n_valid", "input", "i64", {1}, {{}}, ""};
  const TestValue position = {"pos", "input", "i64", {1}, {{}}, ""};
  auto errorOf = [&](std::vector<TestValue> inputs, const TestValue &result) {
    inputs.push_back(count);
    inputs.push_back(position);
    const TestValue token = {"token", "input", "i64", {1}, {{}}, ""};
    TestModule module({1},
                      {{"p", fillWith9, inputs, {result}}, {"d", fillWith9, {token, position}, {}}},
                      "[]", tail);
    try {
      Session session(module.module());
      LanguageModel model(session);
      GenerateOptions options;
      options.count = 1;
      model.generate({{1}}, options);
    } catch (const Error &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const TestValue tokens = {"tokens", "input", "i64", {1, 2}, {{}, {}}, ""};
  const TestValue oneToken = {"", "", "i64", {1}, {{}}, ""};
  EXPECT_EQ(errorOf({}, oneToken),
            "manifest: entry 'p' has no input 'tokens', which a model of its form needs");
  EXPECT_EQ(errorOf({{"tokens", "input", "f32", {1, 3}, {{}, {}}, ""}}, oneToken),
            "manifest: input 'tokens' of 'p' must be i64 or i32 of shape [1, 2], found f32 [1, 3]");
  EXPECT_EQ(errorOf({tokens}, {"", "", "i64", {2}, {{}}, ""}),
            "manifest: result 0 of 'p' is not one token per row");
  EXPECT_EQ(errorOf({tokens}, oneToken), "entry 'p' returned token 9, the vocabulary has 5");
}

TEST(LanguageModel, VectorsOfAnotherShape) {
  const std::string tail = R"("embedding_model": {"encode": "e", "batch": 1, "seq": 2, "vocab": 5,
                              "width": 3, "pooled": true})";
  auto nothing = [](tprt_context_t *, void *const *) -> tprt_status_t { return TPRT_OK; };
  TestModule module({1},
                    {{"e",
                      nothing,
                      {{"tokens", "input", "i64", {1, 2}, {{}, {}}, ""},
                       {"n_valid", "input", "i64", {1}, {{}}, ""}},
                      {{"y", "", "f32", {1, 4}, {{}, {}}, ""}}}},
                    "[]", tail);
  Session session(module.module());
  EmbeddingModel model(session);
  auto errorOf = [&](const std::vector<int64_t> &text) {
    try {
      model.encode({text});
    } catch (const Error &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(errorOf({1}),
            "manifest: result 0 of 'e' must be floats of shape [1, 3], found f32 [1, 4]");
  EXPECT_EQ(errorOf({}), "the text has no tokens");
}

TEST(LanguageModel, PromptsOfEveryLength) {
  // Chunks of 4: shorter, equal, several, several and a rest.
  for (int64_t ranks : {1, 2, 3})
    for (int64_t length = 1; length <= 12; ++length) {
      std::vector<int64_t> prompt;
      for (int64_t i = 0; i < length; ++i)
        prompt.push_back((i * 3 + length) % kToyVocab);
      std::vector<std::pair<int, int64_t>> stream;
      const Generation result = generate(ranks, {prompt}, 4, false, "[]", &stream);
      EXPECT_EQ(result.tokens[0], expectedTokens(prompt, 4)) << ranks << " ranks, " << length;
      EXPECT_EQ(result.promptTokens, length);
      EXPECT_EQ(result.decodeCalls, 3);
      EXPECT_EQ(stream.size(), 4u);
      EXPECT_EQ(stream[2].second, result.tokens[0][2]);
    }
}

TEST(LanguageModel, RowsOfDifferentLength) {
  const std::vector<std::vector<int64_t>> prompts = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {5, 1}};
  const Generation result = generate(2, prompts, 5);
  EXPECT_EQ(result.tokens[0], expectedTokens(prompts[0], 5));
  EXPECT_EQ(result.tokens[1], expectedTokens(prompts[1], 5));
}

TEST(LanguageModel, RowsEndInDifferentChunks) {
  // All pairs of lengths around multiples of the chunk, and fewer rows than
  // the program has.
  auto prompt = [](int64_t length, int64_t salt) {
    std::vector<int64_t> tokens;
    for (int64_t i = 0; i < length; ++i)
      tokens.push_back((i * 5 + length + salt) % kToyVocab);
    return tokens;
  };
  const auto module = makeToyModel(2, 2);
  Session session(module->module());
  LanguageModel model(session);
  GenerateOptions options;
  options.count = 3;
  options.logits = true;
  for (int64_t first : {1, 3, 4, 5, 8, 13})
    for (int64_t second : {0, 1, 4, 7, 9, 12, 13}) {
      std::vector<std::vector<int64_t>> prompts = {prompt(first, 1)};
      if (second)
        prompts.push_back(prompt(second, 4));
      const Generation result = model.generate(prompts, options);
      ASSERT_EQ(result.tokens.size(), prompts.size());
      for (size_t row = 0; row < prompts.size(); ++row)
        EXPECT_EQ(result.tokens[row], expectedTokens(prompts[row], 3)) << first << " " << second;
      EXPECT_EQ(result.promptTokens, first + second);
      EXPECT_EQ(result.logits.shape, (std::vector<int64_t>{int64_t(prompts.size()), 3, kToyVocab}));
    }
  EXPECT_THROW(model.generate({}, options), Error);
  EXPECT_THROW(model.generate({{1}, {1}, {1}}, options), Error);
  EXPECT_THROW(model.generate({{1}, {}}, options), Error);
}

TEST(LanguageModel, RowsEndAtTheEndOfSequence) {
  const std::vector<std::vector<int64_t>> prompts = {{1, 2}, {7}};
  const std::vector<int64_t> first = expectedTokens(prompts[0], 8);
  // End the first row at its third token; the second goes on unless it has it.
  const int64_t eos = first[2];
  const Generation result = generate(3, prompts, 8, true, "[" + std::to_string(eos) + "]");
  EXPECT_EQ(result.tokens[0], expectedTokens(prompts[0], 8, eos));
  EXPECT_EQ(result.tokens[1], expectedTokens(prompts[1], 8, eos));
  EXPECT_LT(result.tokens[0].size(), 8u);
}

TEST(LanguageModel, LogitsOfEachStep) {
  const std::vector<int64_t> prompt = {4, 0, 9, 2, 6};
  for (int64_t ranks : {1, 3}) {
    const Generation result = generate(ranks, {prompt}, 3, true);
    ASSERT_EQ(result.logits.shape, (std::vector<int64_t>{3, kToyVocab}));
    std::vector<int64_t> prefix = prompt;
    for (int64_t step = 0; step < 3; ++step) {
      // Random weights are added to the score: |w| < 1 / sqrt(3).
      for (int64_t v = 0; v < kToyVocab; ++v)
        EXPECT_NEAR(result.logits.as<float>()[step * kToyVocab + v], double(toyScore(prefix, v)),
                    0.58);
      prefix.push_back(result.tokens[0][size_t(step)]);
    }
  }
  EXPECT_EQ(generate(2, {prompt, prompt}, 2, true).logits.shape,
            (std::vector<int64_t>{2, 2, kToyVocab}));
  EXPECT_EQ(generate(2, {prompt}, 0, true).logits.shape, (std::vector<int64_t>{1, kToyVocab}));
}

TEST(LanguageModel, ScoresGivenTokens) {
  const std::vector<int64_t> rows[] = {{4, 0, 9, 2, 6, 6, 1, 3, 10, 0, 5}, {7}, {1, 2, 3, 4}};
  for (int64_t ranks : {1, 2, 3}) {
    const auto module = makeToyModel(ranks, 2, "[]", true);
    Session session(module->module());
    LanguageModel model(session);
    auto check = [&](const std::vector<std::vector<int64_t>> &prompts) {
      const Scores scores = model.score(prompts, true);
      ASSERT_EQ(scores.logProbs.size(), prompts.size());
      const int64_t longest = scores.logits.shape[1];
      for (size_t row = 0; row < prompts.size(); ++row) {
        ASSERT_EQ(scores.logProbs[row].size(), prompts[row].size() - 1);
        for (size_t i = 0; i < prompts[row].size(); ++i) {
          const float *logits =
              scores.logits.as<float>() + (int64_t(row) * longest + int64_t(i)) * kToyVocab;
          const std::vector<int64_t> prefix(prompts[row].begin(),
                                            prompts[row].begin() + int64_t(i) + 1);
          double sum = 0;
          for (int64_t v = 0; v < kToyVocab; ++v) {
            EXPECT_NEAR(logits[v], double(toyScore(prefix, v)), 0.58);
            sum += std::exp(double(logits[v]));
          }
          if (i + 1 < prompts[row].size())
            EXPECT_NEAR(scores.logProbs[row][i],
                        std::log(std::exp(double(logits[prompts[row][i + 1]])) / sum), 1e-9);
        }
      }
    };
    check({rows[0], rows[1]});
    check({rows[2], rows[0]});
    check({rows[2]});
    EXPECT_EQ(model.tokenCounts().at(2), 11 + 1 + 4 + 11 + 4);
    EXPECT_THROW(model.score({std::vector<int64_t>(17, 1)}, false), Error);
    EXPECT_THROW(model.score({{11}}, false), Error);
  }
}

TEST(LanguageModel, LogProbabilities) {
  const float logits[] = {std::log(1.0f), std::log(2.0f), std::log(5.0f)};
  EXPECT_NEAR(logProbability(logits, 3, 1), std::log(0.25), 1e-7);
  const float far[] = {-3e38f, 3e38f};
  EXPECT_EQ(logProbability(far, 2, 1), 0);
  EXPECT_EQ(logProbability(far, 2, 0), double(-3e38f) - double(3e38f));
  const float bad[] = {0, std::nanf("")};
  EXPECT_THROW(logProbability(bad, 2, 0), Error);
}

TEST(LanguageModel, FillsTheCacheToTheEnd) {
  const std::vector<int64_t> prompt(12, 1);
  EXPECT_EQ(generate(2, {prompt}, 4).tokens[0], expectedTokens(prompt, 4));
  EXPECT_THROW(generate(2, {prompt}, 5), Error);
  const std::vector<int64_t> full(16, 1);
  EXPECT_EQ(generate(2, {full}, 0).tokens[0].size(), 0u);
}
