//===- EmbeddingModel.cpp - vectors of texts ------------------------------===//

#include "EmbeddingModel.h"

#include "EntryInputs.h"

#include <algorithm>
#include <cassert>

using namespace tprt;

EmbeddingModel::EmbeddingModel(Session &session)
    : session(session), info(*session.manifest().embeddingModel),
      tokens(findIntegerInput(session, info.encode, "tokens", {info.batch, info.seq})),
      validCount(findIntegerInput(session, info.encode, "n_valid", {info.batch})) {}

void EmbeddingModel::checkTexts(const EmbeddingModelInfo &info,
                                const std::vector<std::vector<int64_t>> &texts) {
  assert(!texts.empty());
  for (size_t row = 0; row < texts.size(); ++row) {
    const std::string where = texts.size() > 1 ? "row " + std::to_string(row) + ": " : "";
    if (texts[row].empty())
      throw badInput(where + "the text has no tokens");
    checkTokens(texts[row], info.vocab, where);
    if (int64_t(texts[row].size()) > info.seq)
      throw badInput(where + "text of " + std::to_string(texts[row].size()) +
                     " tokens exceeds the program's " + std::to_string(info.seq));
  }
}

Array EmbeddingModel::encode(const std::vector<std::vector<int64_t>> &texts) {
  checkTexts(info, texts);
  size_t longest = 0;
  for (const std::vector<int64_t> &text : texts)
    longest = std::max(longest, text.size());
  std::vector<int64_t> shape = {int64_t(texts.size()), info.width},
                       ofCall = {info.batch, info.width};
  if (!info.pooled) {
    shape.insert(shape.begin() + 1, int64_t(longest));
    ofCall.insert(ofCall.begin() + 1, info.seq);
  }
  Array result(TPRT_F32, shape);
  const int64_t step = info.pooled ? info.width : int64_t(longest) * info.width;
  for (size_t first = 0; first < texts.size(); first += size_t(info.batch)) {
    const size_t rows = std::min(size_t(info.batch), texts.size() - first);
    // Rows that are not there have one token, 0.
    std::vector<int64_t> ids(size_t(info.batch * info.seq), 0), valid(size_t(info.batch), 1);
    for (size_t row = 0; row < rows; ++row) {
      const std::vector<int64_t> &text = texts[first + row];
      std::copy(text.begin(), text.end(), ids.begin() + int64_t(row) * info.seq);
      valid[row] = int64_t(text.size());
      counts[info.encode] += valid[row];
    }
    setIntegers(session, info.encode, tokens, ids);
    setIntegers(session, info.encode, validCount, valid);
    session.call(info.encode);
    const Array values = floatResult(session, info.encode, 0, ofCall, "embeddings");
    for (size_t row = 0; row < rows; ++row) {
      const int64_t count = info.pooled ? info.width : valid[row] * info.width;
      const int64_t from = int64_t(row) * (info.pooled ? info.width : info.seq * info.width);
      std::copy_n(values.as<float>() + from, count,
                  result.as<float>() + int64_t(first + row) * step);
    }
  }
  return result;
}
