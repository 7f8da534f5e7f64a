//===- FuzzTest.cpp - Random programs and how they shrink ------------------===//

#include "tp/Fuzz/Mutate.h"
#include "tp/Fuzz/Shrink.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mlir::tp::fuzz;
using llvm::StringRef;

static RandomProgram makeProgram(uint64_t seed) {
  Choices choices(seed);
  return makeRandomProgram(choices);
}

static unsigned countLines(const RandomProgram &program) {
  return StringRef(program.text).count('\n');
}

TEST(Choices, RepeatAndClamp) {
  Choices first(7);
  std::vector<int64_t> picked;
  for (int i = 0; i < 20; ++i)
    picked.push_back(first.pick(-3, 9));
  Choices again(first.getTape());
  for (int64_t number : picked)
    EXPECT_EQ(again.pick(-3, 9), number);
  // Behind the end the simplest choice is taken.
  EXPECT_EQ(again.pick(-3, 9), -3);
  EXPECT_FALSE(again.oneIn(2));
  Choices narrower(first.getTape());
  for (int i = 0; i < 20; ++i) {
    int64_t number = narrower.pick(0, 2);
    EXPECT_GE(number, 0);
    EXPECT_LE(number, 2);
  }
}

TEST(RandomProgram, EqualSeedsGiveEqualPrograms) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    RandomProgram a = makeProgram(seed), b = makeProgram(seed);
    EXPECT_EQ(a.text, b.text);
    EXPECT_EQ(a.plan.toJson(), b.plan.toJson());
    EXPECT_EQ(a.inputs.size(), b.inputs.size());
  }
  EXPECT_NE(makeProgram(1).text, makeProgram(2).text);
}

/// No part of a sum is multiplied by infinity (docs/Plan.md).
TEST(RandomProgram, NoPartialSumsWithInfinities) {
  unsigned special = 0, partial = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    RandomProgram program = makeProgram(seed);
    bool hasSum = llvm::any_of(program.plan.shard, [](const auto &entry) {
      return StringRef(entry.second).contains("sum(");
    });
    if (!llvm::any_of(program.inputs, [](const InputValues &input) { return input.special; })) {
      partial += hasSum;
      continue;
    }
    ++special;
    EXPECT_FALSE(hasSum) << program.plan.toJson();
    for (const auto &[key, sharding] : program.plan.shard)
      EXPECT_EQ(StringRef(sharding).count('('), StringRef(sharding).count(')')) << sharding;
  }
  EXPECT_GT(special, 10u);
  EXPECT_GT(partial, 10u);
}

/// A fault that one op shows under any plan: what is left is that op, what it must
/// have, one line of the plan and what that names.
TEST(Shrink, KeepsWhatFails) {
  auto fails = [](const RandomProgram &program) {
    return StringRef(program.text).contains("linalg.reduce") && !program.plan.shard.empty();
  };
  unsigned shrunk = 0, tried = 0, smallestPlans = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Choices choices(seed);
    RandomProgram program = makeRandomProgram(choices);
    if (!fails(program))
      continue;
    RandomProgram smallest = shrink(choices.getTape(), choices.getSpans().vec(), fails);
    EXPECT_TRUE(fails(smallest)) << "seed " << seed;
    EXPECT_LE(countLines(smallest), 16u) << smallest.text;
    ++tried;
    smallestPlans += smallest.plan.shard.size() == 1 && smallest.roundings.size() == 1 &&
                     smallest.plan.mesh.size() <= 1;
    shrunk += countLines(smallest) < countLines(program);
  }
  EXPECT_GE(shrunk, 3u);
  // Steps that make things smaller may end short of the smallest now and then.
  EXPECT_GE(smallestPlans * 4, tried * 3);
}

/// Arguments that are left keep their numbers in the plan.
TEST(Shrink, ReducesModules) {
  RandomProgram program;
  program.text = R"(
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = math.exp %a : tensor<4xf32>
      %1 = arith.addf %0, %b : tensor<4xf32>
      %2 = math.tanh %c : tensor<4xf32>
      return %1, %2 : tensor<4xf32>, tensor<4xf32>
    })";
  program.plan.mesh = {{"a", 2}};
  program.plan.shard = {{"f.arg0", "[a]"}, {"f.arg2", "[a]"}, {"f.result1", "[_]"}};
  program.inputs.resize(3);
  program.roundings = {1, 2};
  auto cuts = [](const RandomProgram &p, StringRef key) {
    return llvm::any_of(p.plan.shard, [&](const auto &entry) { return entry.first == key; });
  };
  RandomProgram reduced = reduceModule(program, [&](const RandomProgram &p) {
    return StringRef(p.text).contains("math.tanh") && cuts(p, p.inputs.size() == 3   ? "f.arg2"
                                                              : p.inputs.size() == 2 ? "f.arg1"
                                                                                     : "f.arg0");
  });
  EXPECT_EQ(reduced.inputs.size(), 1u) << reduced.text;
  EXPECT_EQ(reduced.roundings, std::vector<double>{2});
  ASSERT_EQ(reduced.plan.shard.size(), 1u);
  EXPECT_EQ(reduced.plan.shard[0].first, "f.arg0");
  EXPECT_FALSE(StringRef(reduced.text).contains("math.exp"));
}

TEST(Mutate, ChangesTextAndReducesIt) {
  Choices choices(3);
  std::string text = "func.func @f() {\n  return\n}\n";
  unsigned changed = 0;
  for (int i = 0; i < 20; ++i)
    changed += mutateText(choices, text, "module {}") != text;
  EXPECT_GE(changed, 15u);
  std::string reduced = reduceLines(
      "a\nb\nc\nd\n", [](StringRef lines) { return lines.contains("b") && lines.contains("d"); });
  EXPECT_EQ(reduced, "b\nd\n");
}
