//===- ToyModel.h - a language model written by hand ------------*- C++ -*-===//
//
// Small enough to predict: logit v of a position is (sum over the prefix of
// (position + 1) * token * 7 + v * 5) % vocab + embed[v][0], where the first
// column of the parameter lies in [0, 0.5) by construction of the tests. The
// vocabulary is sharded; the next token is found by gathering each rank's best
// (value, index) pair. The cache is a state of token ids.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_TEST_RUNTIME_TOYMODEL_H
#define TPRT_TEST_RUNTIME_TOYMODEL_H

#include "TestModule.h"

#include <memory>

namespace tprt_test {

constexpr int64_t kToyVocab = 11;
constexpr int64_t kToyWidth = 3;
constexpr int64_t kToyChunk = 4;
constexpr int64_t kToyMaxSeq = 16;

/// Batch 1 or 2; with or without the entry `score`.
std::unique_ptr<TestModule> makeToyModel(int64_t ranks, int64_t batch,
                                         const std::string &eos = "[]", bool score = false);

/// The integer part of logit `v` after `prefix`.
int64_t toyScore(const std::vector<int64_t> &prefix, int64_t v);
int64_t toyNext(const std::vector<int64_t> &prefix);

} // namespace tprt_test

#endif // TPRT_TEST_RUNTIME_TOYMODEL_H
