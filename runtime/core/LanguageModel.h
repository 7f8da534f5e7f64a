//===- LanguageModel.h - generating tokens ----------------------*- C++ -*-===//
//
// Drives the prefill and decode entries of a language model: a prompt is a
// sequence of prefill calls of `chunk` tokens at positions 0, C, 2C, ..., then
// each decode call gives one token per row.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_LANGUAGEMODEL_H
#define TPRT_CORE_LANGUAGEMODEL_H

#include "tprt/session.h"

#include <functional>
#include <vector>

namespace tprt {

struct Generation {
  std::vector<std::vector<int64_t>> tokens; ///< new ones, per row
  /// [steps, vocab] (batch 1) or [batch, steps, vocab]: the logits that gave
  /// each new token; only when asked for. A row that has ended repeats its
  /// last.
  Array logits;
  int64_t promptTokens = 0;
  int64_t decodeCalls = 0;
  double prefillSeconds = 0;
  double decodeSeconds = 0;
};

class LanguageModel {
public:
  /// Throws `Error` when the entries have not the arguments of the contract.
  explicit LanguageModel(Session &session);

  /// What is wrong with prompts before anything runs: throws `Error` (exit code
  /// 2) for a number of rows other than the batch, an empty row, a token that
  /// is not in the vocabulary, a prompt that with `count` new tokens exceeds
  /// the cache.
  static void checkPrompts(const LanguageModelInfo &info,
                           const std::vector<std::vector<int64_t>> &prompts, int64_t count);

  /// Generates up to `count` tokens per row, each what the entry returns; a
  /// row ends with the first end-of-sequence token, which is part of it.
  /// `onToken(row, token)` is called as they come.
  Generation generate(const std::vector<std::vector<int64_t>> &prompts, int64_t count,
                      bool wantLogits, const std::function<void(int, int64_t)> &onToken);

private:
  struct Entry {
    int index;
    int tokens;
    int validCount; ///< -1 in decode
    int position;
  };

  Entry bind(int index, const char *tokens, bool isPrefill) const;
  void setIntegers(const Entry &entry, int argument, const std::vector<int64_t> &values);
  std::vector<int64_t> nextTokens(const Entry &entry) const;
  void prefill(const std::vector<std::vector<int64_t>> &prompts);
  void keepLogits(const Entry &entry, std::vector<Array> &steps) const;

  Session &session;
  const LanguageModelInfo &info;
  Entry prefillEntry;
  Entry decodeEntry;
};

} // namespace tprt

#endif // TPRT_CORE_LANGUAGEMODEL_H
