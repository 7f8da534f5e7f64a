//===- LanguageModel.cpp - generating tokens ------------------------------===//

#include "LanguageModel.h"

#include "CountText.h"
#include "EntryInputs.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace tprt;

namespace {

constexpr int kTokenResult = 0;
constexpr int kLogitsResult = 1;

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// [steps][batch, vocab] -> [steps, vocab] (batch 1) or [rows, steps, vocab].
Array joinLogits(const std::vector<Array> &steps, int64_t batch, int64_t rows) {
  if (steps.empty())
    return Array();
  const int64_t vocab = steps[0].shape.back();
  const int64_t count = int64_t(steps.size());
  const size_t rowBytes = size_t(vocab * tprt_dtype_size(steps[0].dtype));
  Array result(steps[0].dtype, batch == 1 ? std::vector<int64_t>{count, vocab}
                                          : std::vector<int64_t>{rows, count, vocab});
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t step = 0; step < count; ++step)
      std::memcpy(&result.data[size_t(row * count + step) * rowBytes],
                  &steps[size_t(step)].data[size_t(row) * rowBytes], rowBytes);
  return result;
}

} // namespace

LanguageModel::LanguageModel(Session &session)
    : session(session), info(*session.manifest().languageModel),
      prefillEntry(bind(info.prefill, "tokens", true, true)),
      decodeEntry(bind(info.decode, "token", false, false)) {
  if (info.sample < 0)
    return;
  auto find = [&](const char *name) { return session.findArgument(info.sample, name); };
  sampler = {find("logits"), find("pos"),   find("temperature"),
             find("top_k"),  find("top_p"), find("seed")};
}

LanguageModel::Entry LanguageModel::bind(int index, const std::string &tokens, bool takesChunks,
                                         bool takesCounts) const {
  Entry result;
  result.index = index;
  const std::vector<int64_t> rows = {info.batch};
  result.tokens = findIntegerInput(
      session, index, tokens, takesChunks ? std::vector<int64_t>{info.batch, info.chunk} : rows);
  result.validCount = takesCounts ? findIntegerInput(session, index, "n_valid", rows) : -1;
  result.position = findIntegerInput(session, index, "pos", rows);
  return result;
}

void LanguageModel::checkPrompts(const LanguageModelInfo &info,
                                 const std::vector<std::vector<int64_t>> &prompts, int64_t count) {
  if (prompts.empty() || int64_t(prompts.size()) > info.batch)
    throw badInput("the program was compiled for " + countText(info.batch, "row") +
                       " of tokens, found " + std::to_string(prompts.size()),
                   {"more rows: import with tp-import --batch " + std::to_string(prompts.size())});
  for (size_t row = 0; row < prompts.size(); ++row) {
    const std::string where = prompts.size() > 1 ? "row " + std::to_string(row) + ": " : "";
    if (prompts[row].empty())
      throw badInput(where + "the prompt has no tokens");
    checkTokens(prompts[row], info.vocab, where);
    checkLength(info, int64_t(prompts[row].size()), count, where);
  }
}

void LanguageModel::checkLength(const LanguageModelInfo &info, int64_t length, int64_t count,
                                const std::string &where) {
  if (count > info.maxSeq - length)
    throw badInput(where + "prompt of " + std::to_string(length) + " tokens and " +
                       std::to_string(count) + " to generate exceed the program's " +
                       std::to_string(info.maxSeq),
                   {"longer sequences: import with a larger tp-import --max-seq"});
}

void LanguageModel::checkScore(const LanguageModelInfo &info,
                               const std::vector<std::vector<int64_t>> &rows) {
  if (info.score < 0)
    throw badInput("the program gives no logits of all positions",
                   {"import the model with tp-import --all-logits"});
  checkPrompts(info, rows, 0);
}

std::vector<int64_t> LanguageModel::tokenResult(int entry) const {
  const EntryInfo &target = session.manifest().entries[size_t(entry)];
  if (target.results.empty() ||
      elementCount(target.results[kTokenResult].globalShape) != info.batch)
    throw badInput("manifest: result 0 of '" + target.name + "' is not one token per row");
  const Array tokens = session.result(entry, kTokenResult);
  std::vector<int64_t> result;
  for (int64_t i = 0; i < tokens.count(); ++i)
    result.push_back(tokens.dtype == TPRT_I32 ? tokens.as<int32_t>()[i] : tokens.as<int64_t>()[i]);
  return result;
}

std::vector<int64_t> LanguageModel::nextTokens(int entry) const {
  const std::vector<int64_t> result = tokenResult(entry);
  for (int64_t token : result)
    if (token < 0 || token >= info.vocab)
      throw runFailure("entry '" + session.manifest().entries[size_t(entry)].name +
                       "' returned token " + std::to_string(token) + ", the vocabulary has " +
                       std::to_string(info.vocab));
  return result;
}

Array LanguageModel::logitsOf(const Entry &entry) const {
  return floatResult(session, entry.index, kLogitsResult, {info.batch, info.vocab}, "logits");
}

void LanguageModel::setSampling(const Sampling &sampling) {
  auto set = [&](int argument, auto value, int32_t dtype) {
    Array array(dtype, {});
    array.as<decltype(value)>()[0] = value;
    session.setInput(info.sample, argument, array);
  };
  set(sampler->temperature, sampling.temperature, TPRT_F64);
  set(sampler->topK, sampling.topK, TPRT_I64);
  set(sampler->topP, sampling.topP, TPRT_F64);
  set(sampler->seed, int64_t(sampling.seed), TPRT_I64);
}

std::vector<int64_t> LanguageModel::sampleTokens(const Entry &entry, const Sampling &sampling,
                                                 const std::vector<int64_t> &positions,
                                                 size_t rows) {
  std::vector<int64_t> tokens(size_t(info.batch), 0);
  bool isDone = false;
  if (sampler) {
    session.passResult(entry.index, kLogitsResult, info.sample, sampler->logits);
    setIntegers(session, info.sample, sampler->position, positions);
    session.call(info.sample);
    counts[info.sample] += int64_t(rows);
    tokens = tokenResult(info.sample);
    // What rows that are not there have does not matter.
    std::fill(tokens.begin() + int64_t(rows), tokens.end(), 0);
    isDone = std::none_of(tokens.begin(), tokens.end(), [&](int64_t t) { return t < 0; });
  }
  if (isDone)
    return tokens;
  // The program has no such entry, or a logit is not finite, of which word is given here.
  const Array logits = logitsOf(entry);
  for (size_t row = 0; row < rows; ++row)
    tokens[row] = sampleToken(logits.as<float>() + int64_t(row) * info.vocab, info.vocab, sampling,
                              uniformAt(sampling.seed, int64_t(row), positions[row]));
  return tokens;
}

void LanguageModel::runChunks(const Entry &entry, const std::vector<std::vector<int64_t>> &rows,
                              const std::function<void(const Chunk &)> &done) {
  auto chunksOf = [&](const std::vector<int64_t> &row) {
    return (int64_t(row.size()) + info.chunk - 1) / info.chunk;
  };
  int64_t chunks = 0;
  for (const std::vector<int64_t> &row : rows)
    chunks = std::max(chunks, chunksOf(row));
  for (int64_t number = 0; number < chunks; ++number) {
    // Rows that are not there take token 0 at position 0.
    std::vector<int64_t> tokens(size_t(info.batch * info.chunk), 0);
    Chunk chunk{std::vector<int64_t>(size_t(info.batch), 0),
                std::vector<int64_t>(size_t(info.batch), 1),
                std::vector<bool>(size_t(info.batch), false)};
    for (size_t row = 0; row < rows.size(); ++row) {
      // A shorter row repeats its last chunk, which changes nothing.
      const int64_t begin = std::min(number, chunksOf(rows[row]) - 1) * info.chunk;
      const int64_t count = std::min(info.chunk, int64_t(rows[row].size()) - begin);
      std::copy_n(rows[row].begin() + begin, count, tokens.begin() + int64_t(row) * info.chunk);
      chunk.begins[row] = begin;
      chunk.counts[row] = count;
      chunk.isNew[row] = number < chunksOf(rows[row]);
    }
    setIntegers(session, entry.index, entry.tokens, tokens);
    if (entry.validCount >= 0)
      setIntegers(session, entry.index, entry.validCount, chunk.counts);
    setIntegers(session, entry.index, entry.position, chunk.begins);
    session.call(entry.index);
    done(chunk);
  }
}

Scores LanguageModel::score(const std::vector<std::vector<int64_t>> &rows, bool wantLogits) {
  checkScore(info, rows);
  const Entry entry = bind(info.score, "tokens", true, false);
  Scores result;
  result.logProbs.resize(rows.size());
  size_t longest = 0;
  for (const std::vector<int64_t> &row : rows) {
    longest = std::max(longest, row.size());
    counts[info.score] += int64_t(row.size());
  }
  if (wantLogits) {
    std::vector<int64_t> shape = {int64_t(longest), info.vocab};
    if (info.batch > 1)
      shape.insert(shape.begin(), int64_t(rows.size()));
    result.logits = Array(TPRT_F32, shape);
  }
  session.resetStates();
  runChunks(entry, rows, [&](const Chunk &chunk) {
    const Array logits =
        floatResult(session, entry.index, 0, {info.batch, info.chunk, info.vocab}, "logits");
    for (size_t row = 0; row < rows.size(); ++row) {
      if (!chunk.isNew[row])
        continue;
      const float *values = logits.as<float>() + int64_t(row) * info.chunk * info.vocab;
      const int64_t begin = chunk.begins[row], count = chunk.counts[row];
      if (wantLogits)
        std::copy_n(values, count * info.vocab,
                    result.logits.as<float>() + (int64_t(row * longest) + begin) * info.vocab);
      for (int64_t i = 0; i < count && begin + i + 1 < int64_t(rows[row].size()); ++i)
        result.logProbs[row].push_back(
            logProbability(values + i * info.vocab, info.vocab, rows[row][size_t(begin + i + 1)]));
    }
  });
  return result;
}

bool LanguageModel::endsSequence(const std::vector<int64_t> &tokens) const {
  return !tokens.empty() &&
         std::find(info.eos.begin(), info.eos.end(), tokens.back()) != info.eos.end();
}

Generation LanguageModel::generate(const std::vector<std::vector<int64_t>> &prompts,
                                   const GenerateOptions &options) {
  checkPrompts(info, prompts, options.count);
  Generation result;
  result.tokens.resize(prompts.size());
  std::vector<Array> logits;
  // Per row of the program; the last are not there when prompts are fewer.
  std::vector<int64_t> positions(size_t(info.batch), 0), tokens;
  for (size_t row = 0; row < prompts.size(); ++row) {
    positions[row] = int64_t(prompts[row].size());
    result.promptTokens += positions[row];
  }
  /// The token that follows each row, at `positions`.
  auto choose = [&](const Entry &entry) {
    if (options.logits)
      logits.push_back(logitsOf(entry));
    return options.sampling.greedy()
               ? nextTokens(entry.index)
               : sampleTokens(entry, options.sampling, positions, prompts.size());
  };

  auto begin = std::chrono::steady_clock::now();
  session.resetStates();
  if (sampler && !options.sampling.greedy())
    setSampling(options.sampling);
  runChunks(prefillEntry, prompts, [](const Chunk &) {});
  counts[info.prefill] += result.promptTokens;
  tokens = choose(prefillEntry);
  result.prefillSeconds = secondsSince(begin);

  std::vector<bool> ended(prompts.size(), false);
  for (int64_t step = 0; step < options.count; ++step) {
    for (size_t row = 0; row < prompts.size(); ++row) {
      if (ended[row])
        continue;
      result.tokens[row].push_back(tokens[row]);
      if (options.onToken)
        options.onToken(int(row), tokens[row]);
      ended[row] = endsSequence(result.tokens[row]);
    }
    if (step + 1 == options.count || std::find(ended.begin(), ended.end(), false) == ended.end())
      break;
    begin = std::chrono::steady_clock::now();
    setIntegers(session, decodeEntry.index, decodeEntry.tokens, tokens);
    setIntegers(session, decodeEntry.index, decodeEntry.position, positions);
    session.call(decodeEntry.index);
    counts[info.decode] +=
        std::count(ended.begin(), ended.begin() + int64_t(prompts.size()), false);
    // A row that has ended feeds its last token again at the same place.
    for (size_t row = 0; row < prompts.size(); ++row)
      positions[row] += !ended[row];
    const std::vector<int64_t> next = choose(decodeEntry);
    result.decodeSeconds += secondsSince(begin);
    ++result.decodeCalls;
    for (size_t row = 0; row < prompts.size(); ++row)
      if (!ended[row])
        tokens[row] = next[row];
  }
  if (options.logits)
    result.logits = joinLogits(logits, info.batch, int64_t(prompts.size()));
  return result;
}
