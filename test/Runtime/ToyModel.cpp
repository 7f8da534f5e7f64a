//===- ToyModel.cpp - a language model written by hand --------------------===//

#include "ToyModel.h"

#include <algorithm>

using namespace tprt_test;

namespace {

int64_t scoreOf(int64_t prefixSum, int64_t v) { return (prefixSum * 7 + v * 5) % kToyVocab; }

/// Local vocabulary block of a rank: equal pieces, rounded up.
void vocabBlock(int64_t rank, int64_t ranks, int64_t &offset, int64_t &size, int64_t &padded) {
  padded = (kToyVocab + ranks - 1) / ranks;
  offset = std::min(kToyVocab, rank * padded);
  size = std::min(padded, kToyVocab - offset);
}

/// Logits and next token of one row of the cache, of which `length` tokens are
/// valid.
template <int64_t Ranks>
tprt_status_t finishRow(tprt_context_t *ctx, const int64_t *cache, int64_t length,
                        const float *embed, int64_t *next, float *logits) {
  int64_t offset, size, padded;
  vocabBlock(tprt_coordinate(ctx, 0), Ranks, offset, size, padded);
  int64_t sum = 0;
  for (int64_t i = 0; i < length; ++i)
    sum += (i + 1) * cache[i];
  float best[2] = {-1, 0}, all[2 * Ranks];
  for (int64_t v = 0; v < size; ++v) {
    logits[v] = float(scoreOf(sum, offset + v)) + embed[v * kToyWidth];
    if (logits[v] > best[0]) {
      best[0] = logits[v];
      best[1] = float(offset + v);
    }
  }
  if (tprt_status_t status = tprt_all_gather(ctx, 0, 0, 0, TPRT_F32, best, all, 1, 2))
    return status;
  int64_t winner = 0;
  for (int64_t rank = 1; rank < Ranks; ++rank)
    if (all[2 * rank] > all[2 * winner])
      winner = rank;
  *next = int64_t(all[2 * winner + 1]);
  return TPRT_OK;
}

// Arguments: embed, cache, tokens, n_valid, pos; results: next, logits.
template <int64_t Ranks, int64_t Batch>
tprt_status_t prefill(tprt_context_t *ctx, void *const *buffers) {
  const float *embed = static_cast<const float *>(buffers[0]);
  int64_t *cache = static_cast<int64_t *>(buffers[1]);
  const int64_t *tokens = static_cast<const int64_t *>(buffers[2]);
  const int64_t *valid = static_cast<const int64_t *>(buffers[3]);
  const int64_t *pos = static_cast<const int64_t *>(buffers[4]);
  const int64_t padded = (kToyVocab + Ranks - 1) / Ranks;
  for (int64_t row = 0; row < Batch; ++row) {
    if (tprt_status_t status = tprt_check_index(ctx, 0, pos[row], 0, kToyMaxSeq - kToyChunk + 1))
      return status;
    if (tprt_status_t status = tprt_check_index(ctx, 0, valid[row], 1, kToyChunk + 1))
      return status;
    for (int64_t i = 0; i < kToyChunk; ++i)
      cache[row * kToyMaxSeq + pos[row] + i] = tokens[row * kToyChunk + i];
    if (tprt_status_t status =
            finishRow<Ranks>(ctx, cache + row * kToyMaxSeq, pos[row] + valid[row], embed,
                             static_cast<int64_t *>(buffers[5]) + row,
                             static_cast<float *>(buffers[6]) + row * padded))
      return status;
  }
  return TPRT_OK;
}

// Arguments: embed, cache, token, pos; results: next, logits.
template <int64_t Ranks, int64_t Batch>
tprt_status_t decode(tprt_context_t *ctx, void *const *buffers) {
  const float *embed = static_cast<const float *>(buffers[0]);
  int64_t *cache = static_cast<int64_t *>(buffers[1]);
  const int64_t *token = static_cast<const int64_t *>(buffers[2]);
  const int64_t *pos = static_cast<const int64_t *>(buffers[3]);
  const int64_t padded = (kToyVocab + Ranks - 1) / Ranks;
  for (int64_t row = 0; row < Batch; ++row) {
    if (tprt_status_t status = tprt_check_index(ctx, 0, pos[row], 0, kToyMaxSeq))
      return status;
    cache[row * kToyMaxSeq + pos[row]] = token[row];
    if (tprt_status_t status = finishRow<Ranks>(ctx, cache + row * kToyMaxSeq, pos[row] + 1, embed,
                                                static_cast<int64_t *>(buffers[4]) + row,
                                                static_cast<float *>(buffers[5]) + row * padded))
      return status;
  }
  return TPRT_OK;
}

// Arguments: embed, cache, tokens, pos; result: logits of every position.
template <int64_t Ranks, int64_t Batch>
tprt_status_t score(tprt_context_t *ctx, void *const *buffers) {
  const float *embed = static_cast<const float *>(buffers[0]);
  int64_t *cache = static_cast<int64_t *>(buffers[1]);
  const int64_t *tokens = static_cast<const int64_t *>(buffers[2]);
  const int64_t *pos = static_cast<const int64_t *>(buffers[3]);
  const int64_t padded = (kToyVocab + Ranks - 1) / Ranks;
  for (int64_t row = 0; row < Batch; ++row)
    for (int64_t i = 0; i < kToyChunk; ++i) {
      int64_t next;
      cache[row * kToyMaxSeq + pos[row] + i] = tokens[row * kToyChunk + i];
      if (tprt_status_t status =
              finishRow<Ranks>(ctx, cache + row * kToyMaxSeq, pos[row] + i + 1, embed, &next,
                               static_cast<float *>(buffers[4]) + (row * kToyChunk + i) * padded))
        return status;
    }
  return TPRT_OK;
}

struct Entries {
  tprt_entry_fn prefill, decode, score;
};

template <int64_t Ranks> Entries entriesFor(int64_t batch) {
  return batch == 1 ? Entries{prefill<Ranks, 1>, decode<Ranks, 1>, score<Ranks, 1>}
                    : Entries{prefill<Ranks, 2>, decode<Ranks, 2>, score<Ranks, 2>};
}

} // namespace

int64_t tprt_test::toyScore(const std::vector<int64_t> &prefix, int64_t v) {
  int64_t sum = 0;
  for (size_t i = 0; i < prefix.size(); ++i)
    sum += int64_t(i + 1) * prefix[i];
  return scoreOf(sum, v);
}

int64_t tprt_test::toyNext(const std::vector<int64_t> &prefix) {
  for (int64_t v = 0; v < kToyVocab; ++v)
    if (toyScore(prefix, v) == kToyVocab - 1) // 5 is invertible modulo 11: one winner
      return v;
  return -1;
}

std::unique_ptr<TestModule> tprt_test::makeToyModel(int64_t ranks, int64_t batch,
                                                    const std::string &eos, bool score) {
  const Entries entries = ranks == 1   ? entriesFor<1>(batch)
                          : ranks == 2 ? entriesFor<2>(batch)
                                       : entriesFor<3>(batch);
  const TestValue embed = {
      "embed",   "parameter",
      "f32",     {kToyVocab, kToyWidth},
      {{0}, {}}, R"("source": {"tensor": "model.embed.weight", "shape": [11, 3]})"};
  const TestValue cache = {"cache", "state", "i64", {batch, kToyMaxSeq}, {}, ""};
  auto input = [](const char *name, std::vector<int64_t> shape) {
    return TestValue{name, "input", "i64", std::move(shape), {}, ""};
  };
  const TestValue next = {"next", "", "i64", {batch}, {}, ""};
  const TestValue logits = {"logits", "", "f32", {batch, kToyVocab}, {{}, {0}}, ""};
  std::vector<TestEntry> table = {{"prefill",
                                   entries.prefill,
                                   {embed, cache, input("tokens", {batch, kToyChunk}),
                                    input("n_valid", {batch}), input("pos", {batch})},
                                   {next, logits},
                                   256},
                                  {"decode",
                                   entries.decode,
                                   {embed, cache, input("token", {batch}), input("pos", {batch})},
                                   {next, logits},
                                   128}};
  if (score)
    table.push_back({"score",
                     entries.score,
                     {embed, cache, input("tokens", {batch, kToyChunk}), input("pos", {batch})},
                     {{"logits", "", "f32", {batch, kToyChunk, kToyVocab}, {{}, {}, {0}}, ""}},
                     64});
  return std::make_unique<TestModule>(
      std::vector<int64_t>{ranks}, table, R"([{"axes": [{"axis": 0}]}])",
      R"("language_model": {"prefill": "prefill", "decode": "decode", "batch": )" +
          std::to_string(batch) + R"(, "chunk": 4, "max_seq": 16, "vocab": 11, "eos": )" + eos +
          (score ? R"(, "score": "score"})" : "}"));
}
