//===- EmbeddingModel.h - vectors of texts ----------------------*- C++ -*-===//
//
// Drives the entry of an embedding model: each call takes up to `batch` texts of
// up to `seq` tokens and gives a vector of each text or of each of its tokens.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_EMBEDDINGMODEL_H
#define TPRT_CORE_EMBEDDINGMODEL_H

#include "tprt/session.h"

#include <map>
#include <vector>

namespace tprt {

class EmbeddingModel {
public:
  /// Throws `Error` when the entry has not the arguments of docs/RuntimeABI.md.
  explicit EmbeddingModel(Session &session);

  /// What is wrong with one text or more before anything runs: throws `Error` (exit
  /// code 2) for an empty one, one that is too long, and a token that is not in the
  /// vocabulary.
  static void checkTexts(const EmbeddingModelInfo &info,
                         const std::vector<std::vector<int64_t>> &texts);

  /// [texts, width], or [texts, longest, width], zero behind shorter texts, where
  /// the program gives a vector of each token. Texts can be more than the batch: they
  /// are several calls. f32. Throws `Error` as checkTexts does.
  Array encode(const std::vector<std::vector<int64_t>> &texts);

  const EmbeddingModelInfo &information() const { return info; }
  /// Tokens that the calls of each entry (by index) were about, so far.
  const std::map<int, int64_t> &tokenCounts() const { return counts; }

private:
  Session &session;
  const EmbeddingModelInfo &info;
  int tokens, validCount; ///< arguments
  std::map<int, int64_t> counts;
};

} // namespace tprt

#endif // TPRT_CORE_EMBEDDINGMODEL_H
