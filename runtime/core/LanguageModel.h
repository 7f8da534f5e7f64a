//===- LanguageModel.h - generating tokens ----------------------*- C++ -*-===//
//
// Drives the prefill and decode entries of a language model: a prompt is a
// sequence of prefill calls of `chunk` tokens at positions 0, C, 2C, ..., then
// each decode call gives one token per row.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_LANGUAGEMODEL_H
#define TPRT_CORE_LANGUAGEMODEL_H

#include "Sampling.h"
#include "tprt/session.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tprt {

struct Generation {
  std::vector<std::vector<int64_t>> tokens; ///< new ones, per row
  /// [steps, vocab] (batch 1) or [rows, steps, vocab]: the logits that gave
  /// each new token; only when asked for. A row that has ended repeats its
  /// last.
  Array logits;
  int64_t promptTokens = 0;
  int64_t decodeCalls = 0;
  double prefillSeconds = 0;
  double decodeSeconds = 0;
};

struct GenerateOptions {
  int64_t count = 0;   ///< new tokens per row, at most
  bool logits = false; ///< keep the logits that gave each token
  Sampling sampling;   ///< greedy: the entry's own choice is taken
  /// Told each token of each row as it comes.
  std::function<void(int row, int64_t token)> onToken;
};

struct Scores {
  /// Per row, of each token after the first, the natural logarithm of the
  /// probability that the model gives it after those before.
  std::vector<std::vector<double>> logProbs;
  /// [positions, vocab] (batch 1) or [rows, positions, vocab] of the longest
  /// row; zero behind the others; only when asked for.
  Array logits;
};

class LanguageModel {
public:
  /// Throws `Error` when the entries have not the arguments of the contract.
  explicit LanguageModel(Session &session);

  /// What is wrong with prompts before anything runs: throws `Error` (exit code
  /// 2) for no rows or more than the batch, an empty row, a token that
  /// is not in the vocabulary, a prompt that with `count` new tokens exceeds
  /// the cache.
  static void checkPrompts(const LanguageModelInfo &info,
                           const std::vector<std::vector<int64_t>> &prompts, int64_t count);
  /// Of these the last, for a prompt of `length` tokens, which are not looked at;
  /// the message begins with `where`.
  static void checkLength(const LanguageModelInfo &info, int64_t length, int64_t count,
                          const std::string &where);

  /// The same for `score`, which also needs an entry of the program.
  static void checkScore(const LanguageModelInfo &info,
                         const std::vector<std::vector<int64_t>> &rows);

  /// Generates up to `count` tokens per row; a row ends with the first
  /// end-of-sequence token, which is part of it. The cache starts anew.
  Generation generate(const std::vector<std::vector<int64_t>> &prompts,
                      const GenerateOptions &options);

  /// What the model says about given tokens. The cache starts anew. Throws
  /// `Error` as checkScore does.
  Scores score(const std::vector<std::vector<int64_t>> &rows, bool wantLogits);

  /// Tokens that the calls of each entry (by index) were about, so far: of the
  /// prompts in prefill, generated in decode.
  const std::map<int, int64_t> &tokenCounts() const { return counts; }

  /// Whether a row's last token is an end of sequence.
  bool endsSequence(const std::vector<int64_t> &tokens) const;

private:
  struct Entry {
    int index;
    int tokens;
    int validCount; ///< only in prefill, else -1
    int position;
  };

  /// Arguments of the entry that samples, where the program has one.
  struct Sampler {
    int logits, position, temperature, topK, topP, seed;
  };

  /// Rows in one call of an entry that takes chunks.
  struct Chunk {
    std::vector<int64_t> begins, counts; ///< per row of the program
    std::vector<bool> isNew;             ///< not a repetition of a row's last
  };

  Entry bind(int index, const std::string &tokens, bool takesChunks, bool takesCounts) const;
  /// Runs `entry` over rows of any lengths, calling `done` after each chunk.
  void runChunks(const Entry &entry, const std::vector<std::vector<int64_t>> &rows,
                 const std::function<void(const Chunk &)> &done);
  /// The result of an entry that is a token per row.
  std::vector<int64_t> tokenResult(int entry) const;
  /// The same, of the vocabulary.
  std::vector<int64_t> nextTokens(int entry) const;
  Array logitsOf(const Entry &entry) const;
  /// The same in all steps that follow.
  void setSampling(const Sampling &sampling);
  /// Tokens for the first `rows` rows behind `entry`, by the program or here.
  std::vector<int64_t> sampleTokens(const Entry &entry, const Sampling &sampling,
                                    const std::vector<int64_t> &positions, size_t rows);

  Session &session;
  const LanguageModelInfo &info;
  Entry prefillEntry;
  Entry decodeEntry;
  std::optional<Sampler> sampler;
  std::map<int, int64_t> counts;
};

} // namespace tprt

#endif // TPRT_CORE_LANGUAGEMODEL_H
