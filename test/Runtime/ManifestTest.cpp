//===- ManifestTest.cpp - reading the manifest, groups --------------------===//

#include "tprt/manifest.h"
#include "Errors.h"
#include "TestModule.h"
#include "core/Groups.h"
#include "tprt/error.h"

#include <gtest/gtest.h>

using namespace tprt;
using namespace tprt_test;

namespace {

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string problemOf(const std::string &manifest) {
  return errorOf([&] { parseManifest(manifest); });
}

} // namespace

TEST(Manifest, ReadsEverything) {
  TestModule module(
      {2, 4},
      {{"f",
        nullptr,
        {{"w",
          "parameter",
          "bf16",
          {9, 4},
          {{1}, {}},
          R"("sharding": "[b, _]", "source": {"tensor": "t", "shape": [4, 12], "offset": [0, 2],
             "size": [4, 9], "permutation": [1, 0], "dtype": "f32"})"},
         {"s", "state", "f32", {8}, {{0, 1}}, ""},
         {"x", "input", "index", {}, {}, R"("partial": [{"axis": 0, "kind": "max"}])"}},
        {{"r", "", "f32", {8}, {{0, 1}}, R"("state": 1)"}},
        128}},
      R"([{"axes": [{"axis": 1, "pre": 2, "size": 2}]}, {"axes": [{"axis": 0}]}])",
      R"("language_model": {"prefill": "f", "decode": "f", "batch": 2, "chunk": 4, "max_seq": 16,
         "vocab": 9, "score": "f", "sample": "f", "bos": null, "eos": [2, 3]})");
  const Manifest manifest = parseManifest(module.manifest());
  EXPECT_EQ(manifest.numRanks(), 8);
  EXPECT_EQ(manifest.groups[0][0].pre, 2);
  EXPECT_EQ(manifest.groups[1][0].size, 2);
  EXPECT_EQ(manifest.operations[0].loc, "model.mlir:1:1");
  const EntryInfo &entry = manifest.entries[0];
  EXPECT_EQ(entry.arenaBytes, 128);
  const ValueInfo &w = entry.arguments[0];
  EXPECT_EQ(w.dtype, TPRT_BF16);
  EXPECT_EQ(w.localShape, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(w.localBytes(), 24);
  EXPECT_EQ(w.blocks[3][0].size, 0); // 9 over 4: 3, 3, 3, 0
  EXPECT_EQ(w.source->permutation, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(w.source->dtype, TPRT_F32);
  EXPECT_EQ(entry.arguments[2].partial[0].kind, TPRT_MAX);
  EXPECT_EQ(entry.results[0].state, 1);
  EXPECT_FALSE(manifest.languageModel->bos);
  EXPECT_EQ(manifest.languageModel->score, 0);
  EXPECT_EQ(manifest.languageModel->sample, 0);
  EXPECT_EQ(manifest.languageModel->eos, (std::vector<int64_t>{2, 3}));
}

TEST(Manifest, EmbeddingModel) {
  TestModule module({1}, {{"e", nullptr, {{"x", "input", "f32", {4}, {{}}, ""}}, {}, 0}}, "[]",
                    R"("embedding_model": {"encode": "e", "batch": 3, "seq": 16, "vocab": 9,
                       "width": 5, "pooled": false})");
  const std::string good = module.manifest();
  const EmbeddingModelInfo model = *parseManifest(good).embeddingModel;
  EXPECT_EQ(model.encode, 0);
  EXPECT_EQ(model.batch, 3);
  EXPECT_EQ(model.seq, 16);
  EXPECT_EQ(model.vocab, 9);
  EXPECT_EQ(model.width, 5);
  EXPECT_FALSE(model.pooled);
  auto errorAfter = [&](const std::string &from, const std::string &to) {
    return problemOf(replaced(good, from, to));
  };
  EXPECT_PART(errorAfter("\"encode\": \"e\"", "\"encode\": \"f\""),
              "embedding_model: no entry 'f'");
  EXPECT_PART(errorAfter("\"width\": 5", "\"width\": 0"),
              "embedding_model: batch, seq, vocab and width must be positive");
  EXPECT_PART(errorAfter("\"seq\": 16, ", ""), "no \"seq\"");
  EXPECT_PART(
      errorAfter("\"embedding_model\"",
                 "\"language_model\": {\"prefill\": \"e\", \"decode\": \"e\", \"chunk\": 1, "
                 "\"max_seq\": 1, \"vocab\": 1}, \"embedding_model\""),
      "it is a language_model and an embedding_model at once");
}

TEST(Manifest, Products) {
  TestModule module({1}, {{"e", nullptr, {}, {}, 0}}, "[]",
                    R"("tf32": true, "products": [{"dtype": "bf16", "result_dtype": "f32",
                       "m": 5, "n": 6, "k": 7, "batch": 2, "trans_a": false, "trans_b": true,
                       "lda": 8, "ldb": 9, "ldc": 10, "ldd": 11, "stride_a": 40, "stride_b": 54,
                       "stride_c": 0, "stride_d": 55, "c": true, "activation": 2}])");
  const std::string good = module.manifest();
  const Manifest manifest = parseManifest(good);
  EXPECT_TRUE(manifest.tf32);
  ASSERT_EQ(manifest.products.size(), 1u);
  const ProductInfo &product = manifest.products[0];
  EXPECT_EQ(product.dtype, TPRT_BF16);
  EXPECT_EQ(product.resultDType, TPRT_F32);
  EXPECT_FALSE(product.transA);
  EXPECT_TRUE(product.transB);
  EXPECT_EQ(product.strideD, 55);
  EXPECT_TRUE(product.hasC);
  EXPECT_FALSE(product.hasBias);
  EXPECT_EQ(product.activation, TPRT_GELU_TANH);
  EXPECT_PART(problemOf(replaced(good, "\"f32\"", "\"f33\"")), "a product: unknown dtype 'f33'");
  EXPECT_PART(problemOf(replaced(good, "\"lda\": 8, ", "")), "a product has no \"lda\"");
}

TEST(Manifest, LanguageModelWithoutPositions) {
  TestModule module({1}, {{"f", nullptr, {}, {}, 0}}, "[]",
                    R"("language_model": {"prefill": "f", "decode": "f", "chunk": 1, "max_seq": 0,
                       "vocab": 9})");
  EXPECT_EQ(problemOf(module.manifest()),
            "manifest: language_model: batch, chunk, max_seq and vocab must be positive");
}

TEST(Manifest, ProblemsAreNamed) {
  TestModule module({2},
                    {{"f",
                      nullptr,
                      {{"w", "parameter", "f32", {4, 6}, {{0}, {}}, R"("source": {
                              "tensor": "t", "shape": [4, 6]})"},
                       {"x", "input", "f32", {4}, {{0}}, ""}},
                      {{"r", "", "f32", {4}, {{0}}, ""}}}},
                    R"([{"axes": [{"axis": 0, "pre": 1, "size": 2}]}])");
  const std::string good = module.manifest();
  EXPECT_NO_THROW(parseManifest(good));
  auto errorAfter = [&](const std::string &from, const std::string &to) {
    return problemOf(replaced(good, from, to));
  };
  EXPECT_PART(problemOf("{"), "manifest: ");
  EXPECT_PART(errorAfter("\"version\": 1", "\"version\": 2"),
              "version 2 is not supported, expected 1");
  EXPECT_PART(errorAfter("\"version\": 1, ", ""), "no \"version\"");
  EXPECT_PART(errorAfter("\"size\": 2}", "\"size\": 0}"), "mesh axis 'a' has size 0");
  EXPECT_PART(errorAfter("\"axis\": 0", "\"axis\": 1"), "axis 1 is not in the mesh");
  EXPECT_PART(errorAfter("\"pre\": 1, \"size\": 2", "\"pre\": 2, \"size\": 2"),
              "a group: part :(2)2 does not divide axis 'a' of size 2");
  EXPECT_PART(errorAfter("\"cpu\"", "\"tpu\""), "target 'tpu' is neither cpu nor cuda");
  EXPECT_PART(errorAfter("\"f32\"", "\"f33\""), "unknown dtype 'f33'");
  EXPECT_PART(errorAfter("\"parameter\"", "\"weight\""), "unknown kind 'weight'");
  EXPECT_PART(errorAfter("\"local_shape\": [2, 6]", "\"local_shape\": [1, 6]"),
              "block [0, 2] of dimension 0 is outside [4, 6] or larger than [1, 6]");
  EXPECT_PART(errorAfter("[[2, 2], [0, 6]]", "[[3, 2], [0, 6]]"),
              "block [3, 2] of dimension 0 is outside [4, 6] or larger than [2, 6]");
  EXPECT_PART(errorAfter(", [[2, 2], [0, 6]]", ""),
              "entry 'f', value 'w': blocks are not given for 2 ranks");
  EXPECT_PART(errorAfter("\"shape\": [4, 6]}", "\"shape\": [4, 7]}"),
              "source [4, 7] cannot be reshaped to [4, 6]");
  EXPECT_PART(errorAfter("\"shape\": [4, 6]}", "\"shape\": [4, 6], \"permutation\": [0, 0]}"),
              "source permutation is none");
  EXPECT_PART(errorAfter("\"shape\": [4, 6]}", "\"shape\": [4, 6], \"view\": [4, 2, 4]}"),
              "source [4, 6] cannot be seen as [4, 2, 4]");
  EXPECT_PART(
      errorAfter("\"shape\": [4, 6]}", "\"shape\": [4, 6], \"view\": [4, 2, 3], \"size\": [4, 6]}"),
      "source has ranks that differ");
  EXPECT_PART(
      errorAfter("\"shape\": [4, 6]}", "\"shape\": [4, 6], \"offset\": [1, 0], \"size\": [4, 6]}"),
      "source slice is outside [4, 6]");
  EXPECT_PART(errorAfter("\"blocks\": [[[0, 2]], [[2, 2]]]}]}",
                         "\"blocks\": [[[0, 2]], [[2, 2]]], \"state\": 1}]}"),
              "entry 'f', value 'r': argument 1 is no state");
  EXPECT_PART(errorAfter("\"global_shape\": [4, 6]", "\"global_shape\": [4, -6]"),
              "entry 'f', value 'w': shape [4, -6] is not possible");
  EXPECT_PART(errorAfter("\"local_shape\": [2, 6]", "\"local_shape\": [12]"),
              "entry 'f', value 'w': global_shape and local_shape have ranks that differ");
  EXPECT_PART(errorAfter("[[2, 2], [0, 6]]", "[[2, 2]]"),
              "entry 'f', value 'w': a block has the wrong rank");
  EXPECT_PART(errorAfter("\"arena_bytes\": 0", "\"arena_bytes\": -1"),
              "entry 'f': arena_bytes is negative");
  EXPECT_PART(errorAfter("\"symmetric_bytes\": 0", "\"symmetric_bytes\": 1"),
              "entry 'f': symmetric_bytes are not of the arena");
  EXPECT_PART(errorAfter("\"kind\": \"input\"",
                         "\"kind\": \"input\", \"partial\": [{\"axis\": 0, \"kind\": \"mean\"}]"),
              "entry 'f', value 'x': unknown reduction 'mean'");
  EXPECT_PART(errorAfter("\"kind\": \"input\"",
                         "\"kind\": \"input\", \"partial\": [{\"axis\": 0, \"kind\": \"max\"}, "
                         "{\"axis\": 0, \"kind\": \"min\"}]"),
              "entry 'f', value 'x': partial with two kinds");
}

TEST(Manifest, OneLayoutPerName) {
  const TestValue even = {"w", "parameter", "f32", {4}, {{0}}, ""};
  TestValue other = even;
  EXPECT_NO_THROW(parseManifest(
      TestModule({2}, {{"f", nullptr, {even}, {}}, {"g", nullptr, {other}, {}}}).manifest()));
  other.axes = {{}};
  EXPECT_PART(
      problemOf(
          TestModule({2}, {{"f", nullptr, {even}, {}}, {"g", nullptr, {other}, {}}}).manifest()),
      "value 'w' differs between entries");
}

TEST(Groups, PartsThatOverlapAreRefused) {
  const std::vector<MeshAxis> mesh = {{"a", 4}};
  EXPECT_NO_THROW(partitionRanks(mesh, {{0, 1, 2}, {0, 2, 2}}));
  using Parts = std::vector<AxisPart>;
  for (const Parts &parts : {Parts{{0, 1, 4}, {0, 2, 2}}, Parts{{0, 1, 2}, {0, 1, 2}}}) {
    try {
      partitionRanks(mesh, parts);
      ADD_FAILURE() << "no error";
    } catch (const Error &error) {
      EXPECT_STREQ(error.what(), "manifest: a group lists overlapping parts of an axis");
    }
  }
}

TEST(Groups, SubAxesOfDesign) {
  // Axis of 8 as 2 x 4: the major part of size 2 pairs ranks that are 4 apart.
  const std::vector<MeshAxis> mesh = {{"tp", 8}};
  const GroupPartition major = partitionRanks(mesh, {{0, 1, 2}});
  EXPECT_EQ(major.instances.size(), 4u);
  EXPECT_EQ(major.instances[0].ranks, (std::vector<int>{0, 4}));
  const GroupPartition minor = partitionRanks(mesh, {{0, 2, 4}});
  EXPECT_EQ(minor.instances[1].ranks, (std::vector<int>{4, 5, 6, 7}));
  const GroupPartition middle = partitionRanks(mesh, {{0, 2, 2}});
  EXPECT_EQ(middle.instances[0].ranks, (std::vector<int>{0, 2}));
  EXPECT_EQ(middle.membership[7].index, 1);
}
