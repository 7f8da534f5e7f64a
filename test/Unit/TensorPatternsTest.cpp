//===- TensorPatternsTest.cpp - Layouts of parameters in checkpoints -------===//

#include "tp/Import/TensorPatterns.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tp;

namespace {

using Sizes = SmallVector<int64_t>;

/// Heads in two groups of three, of four elements, in a model of width seven.
ModelFacts makeFacts(int64_t layers = 1) {
  ModelFacts facts;
  facts.sizes = {{'K', 2}, {'G', 3}, {'D', 4}, {'d', 7}, {'I', 1}};
  facts.layers = layers;
  return facts;
}

TensorInstance instantiateOne(StringRef layout, StringRef shape = "") {
  TensorPattern pattern{"w", "norm", layout, shape};
  return instantiate(pattern, makeFacts()).front();
}

TEST(TensorPatterns, WholeTensor) {
  TensorInstance instance = instantiateOne("(K G D) d");
  EXPECT_EQ(instance.tensor, "w");
  EXPECT_EQ(instance.sourceShape, (Sizes{24, 7}));
  EXPECT_EQ(instance.shape, (Sizes{2, 3, 4, 7}));
  EXPECT_TRUE(instance.view.empty() && instance.permutation.empty());
}

TEST(TensorPatterns, Transposed) {
  TensorInstance instance = instantiateOne("(K G D) d", "d K G D");
  EXPECT_EQ(instance.sourceShape, (Sizes{24, 7}));
  EXPECT_EQ(instance.shape, (Sizes{7, 2, 3, 4}));
  EXPECT_EQ(instance.view, (Sizes{2, 3, 4, 7}));
  EXPECT_EQ(instance.offset, (Sizes{0, 0, 0, 0}));
  EXPECT_EQ(instance.size, instance.view);
  EXPECT_EQ(instance.permutation, (Sizes{3, 0, 1, 2}));
}

TEST(TensorPatterns, PartOfEachGroup) {
  TensorInstance query = instantiateOne("(K [*G 1 1] D) d");
  EXPECT_EQ(query.sourceShape, (Sizes{40, 7}));
  EXPECT_EQ(query.shape, (Sizes{2, 3, 4, 7}));
  EXPECT_EQ(query.view, (Sizes{2, 5, 4, 7}));
  EXPECT_EQ(query.offset, (Sizes{0, 0, 0, 0}));
  EXPECT_EQ(query.size, (Sizes{2, 3, 4, 7}));
  EXPECT_EQ(query.permutation, (Sizes{0, 1, 2, 3}));
  TensorInstance value = instantiateOne("(K [G 1 *1] D) d");
  EXPECT_EQ(value.sourceShape, query.sourceShape);
  EXPECT_EQ(value.shape, (Sizes{2, 4, 7}));
  EXPECT_EQ(value.offset, (Sizes{0, 4, 0, 0}));
  EXPECT_EQ(value.size, (Sizes{2, 1, 4, 7}));
  // The part of size 1 is no dimension; where it stands does not matter.
  EXPECT_EQ(value.permutation, (Sizes{1, 0, 2, 3}));
}

TEST(TensorPatterns, PartAndTransposed) {
  TensorInstance key = instantiateOne("d ([1 *1 1] K D)", "K D d");
  EXPECT_EQ(key.sourceShape, (Sizes{7, 24}));
  EXPECT_EQ(key.shape, (Sizes{2, 4, 7}));
  EXPECT_EQ(key.view, (Sizes{7, 3, 2, 4}));
  EXPECT_EQ(key.offset, (Sizes{0, 1, 0, 0}));
  EXPECT_EQ(key.size, (Sizes{7, 1, 2, 4}));
  EXPECT_EQ(key.permutation, (Sizes{1, 2, 3, 0}));
  // A dimension of 1 that the checkpoint does not have.
  EXPECT_EQ(instantiateOne("(K D) d", "K I D d").shape, (Sizes{2, 1, 4, 7}));
}

TEST(TensorPatterns, NamesPerLayer) {
  std::vector<TensorPattern> patterns = {{"embed", "embedding", "d"},
                                         {"h.*.q", "norm", "([*1 1] d)", "", "h.*.qk"},
                                         {"h.*.k", "norm", "([1 *1] d)", "", "h.*.qk"},
                                         {"final", "norm", "d"}};
  std::string names;
  for (const TensorInstance &instance : instantiate(patterns, makeFacts(/*layers=*/2)))
    names += instance.name + "=" + instance.tensor + " ";
  EXPECT_EQ(names, "embed=embed h.0.q=h.0.qk h.0.k=h.0.qk h.1.q=h.1.qk h.1.k=h.1.qk final=final ");
}

} // namespace
