//===- ApiTest.cpp - the C interface of shared objects --------------------===//

#include "tprt/api.h"
#include "ToyModel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tprt_test;

namespace {

/// A loaded shared object.
class Module {
public:
  explicit Module(const char *path) : library(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (!library)
      throw std::runtime_error(dlerror());
    get = reinterpret_cast<tprt_api_fn>(dlsym(library, TPRT_API_SYMBOL));
    api = get(TPRT_API_VERSION);
  }
  ~Module() { dlclose(library); }
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  const tprt_api_t *operator->() const { return api; }
  const tprt_api_t *version(int32_t number) const { return get(number); }

  tprt_session_t *open(bool random = true) const {
    tprt_session_options_t options = TPRT_SESSION_OPTIONS_INIT;
    options.random = random;
    options.threads = 1;
    options.check_collectives = 1;
    options.stats = 1;
    tprt_session_t *session = nullptr;
    EXPECT_EQ(api->session_open(&options, &session), TPRT_OK) << api->last_error();
    return session;
  }

  int32_t entry(const char *name) const {
    int32_t number = -1;
    EXPECT_EQ(api->module_find_entry(name, &number), TPRT_OK);
    return number;
  }

private:
  void *library;
  tprt_api_fn get;
  const tprt_api_t *api;
};

const Module &toy() {
  static const Module module(TPRT_TOY_MODULE);
  return module;
}
const Module &values() {
  static const Module module(TPRT_VALUES_MODULE);
  return module;
}

template <typename T>
tprt_array_t arrayOf(int32_t dtype, std::vector<T> &data, const std::vector<int64_t> &shape) {
  return {dtype, int32_t(shape.size()), shape.data(), data.data()};
}

#define EXPECT_OK(module, call) EXPECT_EQ((module)->call, TPRT_OK) << (module)->last_error()

/// Expects a failure of that status with this text in its message.
#define EXPECT_FAILURE(module, call, status, part)                                                 \
  do {                                                                                             \
    EXPECT_EQ((module)->call, status);                                                             \
    EXPECT_NE(std::string((module)->last_error()).find(part), std::string::npos)                   \
        << (module)->last_error();                                                                 \
  } while (0)

tprt_status_t callPick(tprt_session_t *session, int64_t i) {
  const tprt_array_t value = {TPRT_I64, 0, nullptr, &i};
  if (tprt_status_t status = values()->session_set_input(session, 1, 2, &value))
    return status;
  return values()->session_call(session, 1);
}

int64_t sumOf(tprt_session_t *session) {
  int64_t sum = -1;
  const tprt_array_t value = {TPRT_I64, 0, nullptr, &sum};
  EXPECT_OK(values(), session_get_value(session, "sum", &value));
  return sum;
}

/// The toy's embedding as zeros: its logits are whole numbers then.
void clearEmbedding(tprt_session_t *session) {
  std::vector<float> zeros(kToyVocab * kToyWidth, 0);
  const std::vector<int64_t> shape = {kToyVocab, kToyWidth};
  const tprt_array_t value = arrayOf(TPRT_F32, zeros, shape);
  EXPECT_OK(toy(), session_set_value(session, "embed", &value));
}

std::vector<int64_t> expectedTokens(std::vector<int64_t> prefix, int64_t count) {
  std::vector<int64_t> tokens;
  while (int64_t(tokens.size()) < count && (tokens.empty() || tokens.back() != 3)) {
    tokens.push_back(toyNext(prefix));
    prefix.push_back(tokens.back());
  }
  return tokens;
}

/// Greedy tokens of one row.
std::vector<int64_t> generate(tprt_session_t *session, const std::vector<int64_t> &prompt,
                              int64_t count) {
  tprt_generate_options_t options = TPRT_GENERATE_OPTIONS_INIT;
  options.count = count;
  std::vector<int64_t> tokens(size_t(count), -1);
  const int64_t length = int64_t(prompt.size());
  int64_t found = -1;
  EXPECT_OK(toy(),
            session_generate(session, &options, 1, &length, prompt.data(), tokens.data(), &found));
  tokens.resize(size_t(found));
  return tokens;
}

} // namespace

TEST(Api, VersionsAndSymbols) {
  ASSERT_NE(toy().version(TPRT_API_VERSION), nullptr);
  EXPECT_EQ(toy().version(TPRT_API_VERSION)->size, sizeof(tprt_api_t));
  EXPECT_EQ(toy().version(TPRT_API_VERSION + 1), nullptr);
  EXPECT_EQ(toy().version(0), nullptr);
  // Two modules have their own functions.
  EXPECT_NE(toy()->session_open, values()->session_open);
  EXPECT_STREQ(toy()->status_string(TPRT_BUSY), "the session is in use");
}

TEST(Api, DescribesTheModule) {
  int32_t ranks = 0, axes = 0, entries = 0, number = 0;
  EXPECT_OK(values(), module_mesh(&ranks, &axes));
  EXPECT_EQ(ranks, 3);
  ASSERT_EQ(axes, 1);
  tprt_axis_info_t axis;
  EXPECT_OK(values(), module_axis(0, &axis));
  EXPECT_STREQ(axis.name, "a");
  EXPECT_EQ(axis.size, 3);
  EXPECT_FAILURE(values(), module_axis(1, &axis), TPRT_INVALID_ARGUMENT, "no axis 1 (it has 1)");
  EXPECT_OK(values(), module_num_entries(&entries));
  EXPECT_EQ(entries, 2);
  tprt_entry_info_t entry;
  EXPECT_OK(values(), module_entry(1, &entry));
  EXPECT_STREQ(entry.name, "pick");
  EXPECT_EQ(entry.num_arguments, 3);
  EXPECT_EQ(entry.num_results, 2);
  EXPECT_FAILURE(values(), module_entry(2, &entry), TPRT_INVALID_ARGUMENT, "no entry 2");
  EXPECT_FAILURE(values(), module_find_entry("pic", &number), TPRT_INVALID_ARGUMENT,
                 "the module has no entry 'pic'\nnote: entries: 'copy', 'pick'");
  EXPECT_OK(values(), module_find_argument(0, "wide", &number));
  EXPECT_EQ(number, 1);
  EXPECT_FAILURE(values(), module_find_argument(0, "wid", &number), TPRT_INVALID_ARGUMENT,
                 "near name: 'wide'");
  tprt_value_info_t value;
  EXPECT_OK(values(), module_argument(0, 1, &value));
  EXPECT_STREQ(value.name, "wide");
  EXPECT_EQ(value.kind, TPRT_INPUT);
  EXPECT_EQ(value.dtype, TPRT_F32);
  ASSERT_EQ(value.rank, 2);
  EXPECT_EQ(value.shape[0], 5);
  EXPECT_EQ(value.shape[1], 2);
  EXPECT_OK(values(), module_argument(1, 0, &value));
  EXPECT_EQ(value.kind, TPRT_PARAMETER);
  EXPECT_OK(values(), module_argument(1, 1, &value));
  EXPECT_EQ(value.kind, TPRT_STATE);
  EXPECT_OK(values(), module_result(1, 1, &value));
  EXPECT_EQ(value.kind, TPRT_RESULT);
  EXPECT_EQ(value.state, 1);
  EXPECT_FAILURE(values(), module_result(1, 2, &value), TPRT_INVALID_ARGUMENT, "no result 2");
  EXPECT_FAILURE(values(), module_argument(0, -1, &value), TPRT_INVALID_ARGUMENT, "argument -1");
  EXPECT_FAILURE(values(), module_argument(0, 0, nullptr), TPRT_INVALID_ARGUMENT, "null");
  tprt_language_model_info_t model;
  EXPECT_FAILURE(values(), module_language_model(&model), TPRT_INVALID_ARGUMENT,
                 "the module is no language model\nnote: call its entries");
  EXPECT_OK(toy(), module_language_model(&model));
  EXPECT_EQ(model.batch, 2);
  EXPECT_EQ(model.chunk, kToyChunk);
  EXPECT_EQ(model.max_seq, kToyMaxSeq);
  EXPECT_EQ(model.vocab, kToyVocab);
  ASSERT_EQ(model.num_eos, 1);
  EXPECT_EQ(model.eos[0], 3);
  EXPECT_EQ(std::string(toy()->module_manifest()).rfind("{", 0), 0u);
}

TEST(Api, ValuesOfEveryType) {
  tprt_session_t *session = values().open();
  std::vector<float> shorts = {1, -2.5f, 3.00390625f, 1e30f, 0}, shortsBack(5);
  std::vector<float> wide = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, wideBack(10);
  std::vector<int8_t> bits = {1, 0, 1}, bitsBack(3);
  int64_t n = int64_t(1) << 40, nBack = 0;
  const std::vector<int64_t> five = {5}, matrix = {5, 2}, three = {3};
  const tprt_array_t inputs[] = {arrayOf(TPRT_F32, shorts, five),
                                 arrayOf(TPRT_F32, wide, matrix),
                                 arrayOf(TPRT_I8, bits, three),
                                 {TPRT_I64, 0, nullptr, &n}};
  const tprt_array_t results[] = {arrayOf(TPRT_F32, shortsBack, five),
                                  arrayOf(TPRT_F32, wideBack, matrix),
                                  arrayOf(TPRT_I8, bitsBack, three),
                                  {TPRT_I64, 0, nullptr, &nBack}};
  EXPECT_FAILURE(
      values(), session_get_result(session, 0, 0, &results[0]), TPRT_INVALID_ARGUMENT,
      "result 0 of 'copy' has no value: the entry was not called, or its last call failed");
  for (int32_t i = 0; i < 4; ++i) {
    EXPECT_FAILURE(values(), session_call(session, 0), TPRT_INVALID_ARGUMENT, "is not given");
    EXPECT_OK(values(), session_set_input(session, 0, i, &inputs[i]));
  }
  EXPECT_OK(values(), session_call(session, 0));
  for (int32_t i = 0; i < 4; ++i)
    EXPECT_OK(values(), session_get_result(session, 0, i, &results[i]));
  EXPECT_EQ(shortsBack, (std::vector<float>{1, -2.5f, 3, 0x1.94p+99f, 0})); // rounded
  EXPECT_EQ(wideBack, wide);
  EXPECT_EQ(bitsBack, bits);
  EXPECT_EQ(nBack, n);

  // As their own types too.
  std::vector<uint16_t> own(5);
  const tprt_array_t ownArray = arrayOf(TPRT_BF16, own, five);
  EXPECT_OK(values(), session_get_result(session, 0, 0, &ownArray));
  EXPECT_EQ(own[1], 0xc020);
  std::vector<uint8_t> flags = {1, 1, 0};
  const tprt_array_t flagArray = arrayOf(TPRT_I1, flags, three);
  EXPECT_OK(values(), session_set_input(session, 0, 2, &flagArray));
  flags[1] = 2;
  EXPECT_FAILURE(values(), session_set_input(session, 0, 2, &flagArray), TPRT_INVALID_ARGUMENT,
                 "must be 0 or 1, found 2 at [1]");

  // What does not fit.
  std::vector<int32_t> integers(5);
  const tprt_array_t wrongType = arrayOf(TPRT_I32, integers, five);
  EXPECT_FAILURE(values(), session_set_input(session, 0, 0, &wrongType), TPRT_INVALID_ARGUMENT,
                 "expected elements of type bf16 (given as f32), found i32");
  EXPECT_FAILURE(values(), session_get_result(session, 0, 0, &wrongType), TPRT_INVALID_ARGUMENT,
                 "result 0 of 'copy': a value of type bf16 cannot be written as i32, but as f32");
  const tprt_array_t wrongShape = arrayOf(TPRT_F32, shorts, three);
  EXPECT_FAILURE(values(), session_set_input(session, 0, 0, &wrongShape), TPRT_INVALID_ARGUMENT,
                 "argument 'short' of 'copy': expected shape [5], found [3]");
  EXPECT_FAILURE(values(), session_get_result(session, 0, 0, &wrongShape), TPRT_INVALID_ARGUMENT,
                 "expected shape [5], found [3]");
  for (int32_t rank : {INT32_MAX, 1, 0, -1}) {
    const tprt_array_t wrongRank = {TPRT_F32, rank, matrix.data(), wide.data()};
    EXPECT_FAILURE(values(), session_set_input(session, 0, 1, &wrongRank), TPRT_INVALID_ARGUMENT,
                   "argument 'wide' of 'copy': expected shape [5, 2] of rank 2, found rank " +
                       std::to_string(rank));
  }
  const tprt_array_t noShape = {TPRT_F32, 1, nullptr, shorts.data()};
  EXPECT_FAILURE(values(), session_set_input(session, 0, 0, &noShape), TPRT_INVALID_ARGUMENT,
                 "the array has no shape");
  const tprt_array_t noData = {TPRT_F32, 1, five.data(), nullptr};
  EXPECT_FAILURE(values(), session_set_input(session, 0, 0, &noData), TPRT_INVALID_ARGUMENT,
                 "the array has no data");
  const tprt_array_t noType = {77, 1, five.data(), shorts.data()};
  EXPECT_FAILURE(values(), session_set_input(session, 0, 0, &noType), TPRT_INVALID_ARGUMENT,
                 "argument 'short' of 'copy': dtype 77 does not exist");
  EXPECT_FAILURE(values(), session_set_input(session, 1, 0, &noType), TPRT_INVALID_ARGUMENT,
                 "argument 'scale' of 'pick' is a parameter, not an input");
  EXPECT_FAILURE(values(), session_get_value(session, "sun", &noType), TPRT_INVALID_ARGUMENT,
                 "the program has no parameter or state 'sun'\nnote: near name: 'sum'");
  EXPECT_OK(values(), session_close(session));
}

TEST(Api, ParametersMustHaveAValue) {
  tprt_session_t *session = values().open(/*random=*/false);
  EXPECT_EQ(callPick(session, 1), TPRT_INVALID_ARGUMENT);
  EXPECT_NE(std::string(values()->last_error()).find("parameter 'scale' of 'pick' has no value"),
            std::string::npos);
  double scale = 2.5, result = 0;
  const tprt_array_t value = {TPRT_F64, 0, nullptr, &scale};
  EXPECT_FAILURE(values(), session_get_value(session, "scale", &value), TPRT_INVALID_ARGUMENT,
                 "has no value");
  EXPECT_OK(values(), session_set_value(session, "scale", &value));
  EXPECT_EQ(callPick(session, 4), TPRT_OK);
  const tprt_array_t out = {TPRT_F64, 0, nullptr, &result};
  EXPECT_OK(values(), session_get_result(session, 1, 0, &out));
  EXPECT_EQ(result, 10);
  tprt_value_info_t info;
  EXPECT_OK(values(), session_find_value(session, "scale", &info));
  EXPECT_EQ(info.dtype, TPRT_F64);
  EXPECT_OK(values(), session_close(session));

  tprt_session_options_t options = TPRT_SESSION_OPTIONS_INIT;
  options.weights = "/nowhere";
  EXPECT_FAILURE(values(), session_open(&options, &session), TPRT_INVALID_ARGUMENT, "/nowhere");
  options.random = 1;
  EXPECT_FAILURE(values(), session_open(&options, &session), TPRT_INVALID_ARGUMENT,
                 "weights and random parameters exclude each other");
  options = TPRT_SESSION_OPTIONS_INIT;
  options.threads = 1025;
  EXPECT_FAILURE(values(), session_open(&options, &session), TPRT_INVALID_ARGUMENT,
                 "threads must be at least 1 and at most 1024, or 0 for as many as the processors "
                 "allow, found 1025");
  options = TPRT_SESSION_OPTIONS_INIT;
  options.timeout_seconds = -1;
  EXPECT_FAILURE(values(), session_open(&options, &session), TPRT_INVALID_ARGUMENT,
                 "timeout_seconds must not be negative, found -1");
  for (auto [flag, name] : {std::pair(&tprt_session_options_t::random, "random"),
                            {&tprt_session_options_t::stats, "stats"},
                            {&tprt_session_options_t::check_collectives, "check_collectives"},
                            {&tprt_session_options_t::check_finite, "check_finite"},
                            {&tprt_session_options_t::poison, "poison"}}) {
    options = TPRT_SESSION_OPTIONS_INIT;
    options.*flag = 7;
    EXPECT_FAILURE(values(), session_open(&options, &session), TPRT_INVALID_ARGUMENT,
                   std::string(name) + " must be 0 or 1, found 7");
  }
  options.size = 0;
  EXPECT_FAILURE(values(), session_open(&options, &session), TPRT_INVALID_ARGUMENT,
                 "the session's options have size 0, expected " +
                     std::to_string(sizeof(tprt_session_options_t)) +
                     ": begin with TPRT_SESSION_OPTIONS_INIT");
  EXPECT_FAILURE(values(), session_open(nullptr, nullptr), TPRT_INVALID_ARGUMENT, "null");
  EXPECT_OK(values(), session_close(nullptr));
  EXPECT_FAILURE(values(), session_call(nullptr, 0), TPRT_INVALID_ARGUMENT, "the session is null");
}

TEST(Api, ActivityIsMeasuredOnRequest) {
  tprt_session_options_t options = TPRT_SESSION_OPTIONS_INIT;
  options.random = 1;
  tprt_session_t *session = nullptr;
  EXPECT_OK(values(), session_open(&options, &session));
  tprt_activity_t activity;
  EXPECT_FAILURE(values(), session_activity(session, 0, 0, &activity), TPRT_INVALID_ARGUMENT,
                 "the session measures nothing\nnote: open it with stats");
  EXPECT_OK(values(), session_close(session));
}

TEST(Api, StatesAndFailures) {
  tprt_session_t *session = values().open(), *other = values().open();
  EXPECT_EQ(callPick(session, 3), TPRT_OK);
  EXPECT_EQ(callPick(session, 4), TPRT_OK);
  EXPECT_EQ(callPick(other, 9), TPRT_OK);
  EXPECT_EQ(sumOf(session), 7);
  EXPECT_EQ(sumOf(other), 9); // sessions of one module are apart
  int64_t sum = 100;
  const tprt_array_t value = {TPRT_I64, 0, nullptr, &sum};
  EXPECT_OK(values(), session_set_value(session, "sum", &value));
  EXPECT_EQ(callPick(session, 1), TPRT_OK);
  EXPECT_OK(values(), session_get_result(session, 1, 1, &value)); // the state's new value
  EXPECT_EQ(sum, 101);

  // Ranks fail at different places, more than once; each time the session comes back.
  for (int64_t bad : {10, -1}) {
    EXPECT_EQ(callPick(session, bad), TPRT_OUT_OF_RANGE);
    EXPECT_EQ(std::string(values()->last_error()),
              "rank 1 failed in op0 at model.mlir:1:1: index " + std::to_string(bad) +
                  " is outside [0, 10)");
    EXPECT_EQ(callPick(session, 1), TPRT_FAILED);
    EXPECT_EQ(std::string(values()->last_error()),
              "a call of the session has failed, its states are undefined\n"
              "note: reset the states to use the session again");
    EXPECT_FAILURE(values(), session_get_value(session, "sum", &value), TPRT_FAILED, "undefined");
    EXPECT_FAILURE(values(), session_get_result(session, 1, 0, &value), TPRT_INVALID_ARGUMENT,
                   "its last call failed");
    EXPECT_EQ(callPick(other, 0), TPRT_OK);
    EXPECT_OK(values(), session_reset_states(session));
    EXPECT_EQ(sumOf(session), 0);
    for (int64_t i = 1; i <= 5; ++i)
      EXPECT_EQ(callPick(session, i), TPRT_OK);
    EXPECT_EQ(sumOf(session), 15);
  }
  EXPECT_EQ(sumOf(other), 9);
  EXPECT_OK(values(), session_close(session));
  EXPECT_OK(values(), session_close(other));
}

TEST(Api, Generates) {
  tprt_session_t *session = toy().open();
  clearEmbedding(session);
  const std::vector<int64_t> tokens = {5, 1, 2, 7, 9, 4}, lengths = {5, 1};
  const std::vector<int64_t> rows[] = {{5, 1, 2, 7, 9}, {4}};
  constexpr int64_t kCount = 6;
  std::vector<int64_t> found(2 * kCount, -1), counts(2, -1);
  std::vector<float> logits(2 * kCount * kToyVocab, -1);
  std::vector<std::pair<int32_t, int64_t>> stream;
  tprt_generate_options_t options = TPRT_GENERATE_OPTIONS_INIT;
  options.count = kCount;
  options.logits = logits.data();
  options.user = &stream;
  options.on_token = [](void *user, int32_t row, int64_t token) {
    static_cast<decltype(stream) *>(user)->emplace_back(row, token);
    return 0;
  };
  EXPECT_OK(toy(), session_generate(session, &options, 2, lengths.data(), tokens.data(),
                                    found.data(), counts.data()));
  size_t all = 0;
  for (int row = 0; row < 2; ++row) {
    const std::vector<int64_t> expected = expectedTokens(rows[row], kCount);
    ASSERT_EQ(counts[row], int64_t(expected.size()));
    std::vector<int64_t> prefix = rows[row];
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[row * kCount + i], expected[i]);
      for (int64_t v = 0; v < kToyVocab; ++v)
        EXPECT_EQ(logits[(row * kCount + i) * kToyVocab + v], float(toyScore(prefix, v)));
      prefix.push_back(expected[i]);
    }
    for (size_t i = expected.size(); i < size_t(kCount); ++i)
      EXPECT_EQ(logits[(row * kCount + i) * kToyVocab], 0);
    all += expected.size();
  }
  EXPECT_EQ(stream.size(), all);
  // Nothing is left of it for the next.
  EXPECT_EQ(generate(session, {1, 2}, 4), expectedTokens({1, 2}, 4));

  // A callback stops.
  options = TPRT_GENERATE_OPTIONS_INIT;
  options.count = kCount;
  options.on_token = [](void *, int32_t row, int64_t) { return int(row == 1); };
  counts.assign(2, -1);
  EXPECT_FAILURE(toy(),
                 session_generate(session, &options, 2, lengths.data(), tokens.data(), found.data(),
                                  counts.data()),
                 TPRT_STOPPED, "stopped by the caller");
  EXPECT_EQ(counts, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(generate(session, {1, 2}, 4), expectedTokens({1, 2}, 4));

  // Wrong prompts and options.
  const int64_t bad[] = {5, 11}, two = 2, long_ = 17, none = 0;
  options = TPRT_GENERATE_OPTIONS_INIT;
  options.count = 1;
  auto attempt = [&](int32_t rows, const int64_t *lengths, const int64_t *tokens,
                     const char *part) {
    EXPECT_FAILURE(
        toy(),
        session_generate(session, &options, rows, lengths, tokens, found.data(), counts.data()),
        TPRT_INVALID_ARGUMENT, part);
  };
  attempt(1, &two, bad, "token id 11 is out of range");
  attempt(1, &none, bad, "no tokens");
  attempt(0, &none, bad, "of tokens, found 0");
  attempt(3, &two, bad, "of tokens, found 3");
  attempt(1, &two, nullptr, "tokens is null");
  std::vector<int64_t> many(17, 1);
  attempt(1, &long_, many.data(), "prompt of 17 tokens");
  const int64_t huge[] = {1, INT64_MAX}, negative = -1;
  attempt(1, huge + 1, many.data(), "prompt of 9223372036854775807 tokens");
  attempt(2, huge, many.data(), "row 1: prompt of 9223372036854775807 tokens");
  attempt(1, &negative, many.data(), "the prompt's length must not be negative, found -1");
  options.count = -1;
  attempt(1, &two, many.data(), "count must not be negative, found -1");
  options.count = 1;
  options.top_p = 0;
  attempt(1, &two, many.data(), "top_p must be above 0");
  options.size = 8;
  const std::string sizes = "the options of generating have size 8, expected " +
                            std::to_string(sizeof(tprt_generate_options_t)) +
                            ": begin with TPRT_GENERATE_OPTIONS_INIT";
  attempt(1, &two, many.data(), sizes.c_str());

  tprt_activity_t activity;
  EXPECT_OK(toy(), session_activity(session, toy().entry("prefill"), 1, &activity));
  EXPECT_EQ(activity.calls, 2 + 1 + 2 + 1); // of 4 tokens each
  EXPECT_EQ(activity.tokens, 6 + 2 + 6 + 2);
  EXPECT_GT(activity.collectives, 0);
  EXPECT_FAILURE(toy(), session_activity(session, 0, 2, &activity), TPRT_INVALID_ARGUMENT,
                 "no rank 2");
  tprt_memory_t memory;
  EXPECT_OK(toy(), session_memory(session, &memory));
  EXPECT_EQ(memory.weights, 6 * kToyWidth * 4);
  EXPECT_EQ(memory.state, 2 * kToyMaxSeq * 8);
  EXPECT_EQ(memory.arena, 256);
  EXPECT_OK(toy(), session_close(session));
  tprt_session_t *plain = values().open();
  EXPECT_FAILURE(values(), session_generate(plain, nullptr, 1, &two, bad, many.data(), many.data()),
                 TPRT_INVALID_ARGUMENT, "no language model");
  EXPECT_OK(values(), session_close(plain));
}

TEST(Api, GeneratesAfterAFailedCall) {
  tprt_session_t *session = toy().open();
  clearEmbedding(session);
  std::vector<int64_t> token = {1, 1}, position = {0, kToyMaxSeq};
  const std::vector<int64_t> shape = {2};
  const tprt_array_t inputs[] = {arrayOf(TPRT_I64, token, shape),
                                 arrayOf(TPRT_I64, position, shape)};
  const int32_t decode = toy().entry("decode");
  EXPECT_OK(toy(), session_set_input(session, decode, 2, &inputs[0]));
  EXPECT_OK(toy(), session_set_input(session, decode, 3, &inputs[1]));
  EXPECT_FAILURE(toy(), session_call(session, decode), TPRT_OUT_OF_RANGE, "index 16 is outside");
  EXPECT_FAILURE(toy(), session_call(session, decode), TPRT_FAILED, "reset the states");
  EXPECT_EQ(generate(session, {1, 2}, 4), expectedTokens({1, 2}, 4)); // begins anew
  EXPECT_OK(toy(), session_close(session));
}

TEST(Api, SamplesByTheSeed) {
  tprt_session_t *session = toy().open();
  clearEmbedding(session);
  auto sample = [&](uint64_t seed) {
    tprt_generate_options_t options = TPRT_GENERATE_OPTIONS_INIT;
    options.count = 12;
    options.temperature = 4;
    options.seed = seed;
    std::vector<int64_t> tokens(12, -1);
    const int64_t prompt[] = {1, 2}, length = 2;
    int64_t found;
    EXPECT_OK(toy(),
              session_generate(session, &options, 1, &length, prompt, tokens.data(), &found));
    tokens.resize(size_t(found));
    return tokens;
  };
  EXPECT_EQ(sample(UINT64_MAX), sample(UINT64_MAX));
  EXPECT_NE(sample(UINT64_MAX), sample(1));
  EXPECT_OK(toy(), session_close(session));
}

TEST(Api, OneThreadAtATime) {
  // While one thread is in a call, others are told so, also from inside.
  tprt_session_t *session = toy().open();
  clearEmbedding(session);
  struct Shared {
    tprt_session_t *session;
    tprt_status_t inside = TPRT_OK, outside = TPRT_OK, closing = TPRT_OK;
    std::string message;
    explicit Shared(tprt_session_t *session) : session(session) {}
  } shared(session);
  tprt_generate_options_t options = TPRT_GENERATE_OPTIONS_INIT;
  options.count = 2;
  options.user = &shared;
  options.on_token = [](void *user, int32_t, int64_t) {
    Shared &shared = *static_cast<Shared *>(user);
    shared.inside = toy()->session_reset_states(shared.session);
    std::thread([&] {
      tprt_memory_t memory;
      shared.outside = toy()->session_memory(shared.session, &memory);
      shared.message = toy()->last_error();
      shared.closing = toy()->session_close(shared.session);
    }).join();
    return 0;
  };
  const int64_t prompt[] = {1, 2}, length = 2;
  int64_t tokens[2], found;
  EXPECT_OK(toy(), session_generate(session, &options, 1, &length, prompt, tokens, &found));
  EXPECT_EQ(shared.inside, TPRT_BUSY);
  EXPECT_EQ(shared.outside, TPRT_BUSY);
  EXPECT_EQ(shared.closing, TPRT_BUSY);
  EXPECT_NE(shared.message.find("the session is in use: another call of it has not returned"),
            std::string::npos);
  EXPECT_EQ(generate(session, {1, 2}, 4), expectedTokens({1, 2}, 4));
  EXPECT_OK(toy(), session_close(session));
}

TEST(Api, SessionsOfThreads) {
  // Two modules and two sessions of each at the same time, one thread each.
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      tprt_session_t *session = toy().open();
      clearEmbedding(session);
      for (int round = 0; round < 20; ++round)
        right += generate(session, {1 + i, 2}, 6) == expectedTokens({1 + i, 2}, 6);
      EXPECT_OK(toy(), session_close(session));
    });
    threads.emplace_back([&, i] {
      tprt_session_t *session = values().open();
      for (int round = 0; round < 20; ++round)
        right += callPick(session, i) == TPRT_OK;
      EXPECT_EQ(sumOf(session), 20 * i);
      EXPECT_OK(values(), session_close(session));
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 80);
}

TEST(Api, NothingOfTheProcessChanges) {
  struct sigaction before, after;
  setenv("OMP_NUM_THREADS", "7", 1);
  sigaction(SIGFPE, nullptr, &before);
  tprt_session_t *session = values().open();
  EXPECT_EQ(callPick(session, 3), TPRT_OK);
  sigaction(SIGFPE, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  EXPECT_STREQ(getenv("OMP_NUM_THREADS"), "7");
  unsetenv("OMP_NUM_THREADS");
  EXPECT_OK(values(), session_close(session));
}

TEST(Api, ForkedProcess) {
  tprt_session_t *session = values().open();
  const pid_t child = fork();
  if (child == 0) {
    tprt_memory_t memory;
    bool refused = values()->session_memory(session, &memory) == TPRT_INVALID_ARGUMENT &&
                   !std::strcmp(values()->last_error(),
                                "the session was opened by another process, of which this one is a "
                                "fork\nnote: open a session in the process that uses it") &&
                   values()->session_close(session) == TPRT_INVALID_ARGUMENT;
    _exit(refused ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(callPick(session, 3), TPRT_OK);
  EXPECT_OK(values(), session_close(session));
}
