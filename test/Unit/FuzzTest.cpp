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
  }
  EXPECT_NE(makeProgram(1).text, makeProgram(2).text);
}

/// What only some programs have is not rare: entries that share a weight or a state,
/// sizes that are not known, groups, barriers.
TEST(RandomProgram, HasAllKinds) {
  unsigned shared = 0, sized = 0, alike = 0, barriers = 0, composed = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    RandomProgram program = makeProgram(seed);
    StringRef text = program.text;
    EXPECT_EQ(text.contains("func.func @g("), program.entries.size() == 2);
    bool isShared = false;
    for (StringRef name : {"\"w0\"", "\"s0\"", "\"w1\"", "\"s1\""})
      isShared |= text.count(name) == 2;
    shared += program.entries.size() == 2 && isShared;
    EXPECT_EQ(text.contains("<?x") || text.contains("x?x"), !program.shapes.empty()) << text.str();
    sized += !program.shapes.empty();
    // Other bodies have fewer ops.
    composed += text.contains("%t4 = ");
    alike += !program.plan.alike.empty();
    barriers += !program.plan.barrier.empty();
  }
  EXPECT_GT(shared, 16u);
  EXPECT_GT(sized, 20u);
  EXPECT_GT(alike, 20u);
  EXPECT_GT(barriers, 20u);
  EXPECT_GT(composed, 20u);
}

/// No part of a sum is multiplied by infinity (docs/Plan.md).
TEST(RandomProgram, NoPartialSumsWithInfinities) {
  unsigned special = 0, partial = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    RandomProgram program = makeProgram(seed);
    bool hasSum = llvm::any_of(program.plan.shard, [](const auto &entry) {
      return StringRef(entry.second).contains("sum(");
    });
    if (!program.hasSpecialInputs()) {
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
  unsigned shrunk = 0, tried = 0, smallestPlans = 0, isSmall = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Choices choices(seed);
    RandomProgram program = makeRandomProgram(choices);
    if (!fails(program))
      continue;
    RandomProgram smallest = shrink(choices.getTape(), choices.getSpans().vec(), fails);
    EXPECT_TRUE(fails(smallest)) << "seed " << seed;
    // What is in a case of a switch keeps the other cases.
    EXPECT_LE(countLines(smallest), 32u) << smallest.text;
    isSmall += countLines(smallest) <= 16;
    ++tried;
    smallestPlans += smallest.plan.shard.size() == 1 && smallest.entries[0].roundings.size() == 1 &&
                     smallest.plan.mesh.size() <= 1;
    shrunk += countLines(smallest) < countLines(program);
  }
  EXPECT_GE(isSmall + 1, tried);
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
  program.entries = {{"f", std::vector<InputValues>(3), {1, 2}}};
  auto cuts = [](const RandomProgram &p, StringRef key) {
    return llvm::any_of(p.plan.shard, [&](const auto &entry) { return entry.first == key; });
  };
  RandomProgram reduced = reduceModule(program, [&](const RandomProgram &p) {
    size_t inputs = p.entries[0].inputs.size();
    return StringRef(p.text).contains("math.tanh") && cuts(p, "f.arg" + std::to_string(inputs - 1));
  });
  EXPECT_EQ(reduced.entries[0].inputs.size(), 1u) << reduced.text;
  EXPECT_EQ(reduced.entries[0].roundings, std::vector<double>{2});
  ASSERT_EQ(reduced.plan.shard.size(), 1u);
  EXPECT_EQ(reduced.plan.shard[0].first, "f.arg0");
  EXPECT_FALSE(StringRef(reduced.text).contains("math.exp"));
}

/// An entry that is not needed goes, and all lines of the plan that speak of it.
TEST(Shrink, DropsEntries) {
  RandomProgram program;
  program.text = R"(
    func.func @f(%a: tensor<4xf32> {tp.name = "w"}) -> tensor<4xf32> {
      %0 = math.exp %a : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @g(%a: tensor<?xf32>, %b: tensor<4xf32> {tp.name = "w"}) -> tensor<4xf32> {
      %0 = math.tanh %b {tp.name = "v"} : tensor<4xf32>
      return %0 : tensor<4xf32>
    })";
  program.plan.mesh = {{"a", 2}};
  program.plan.shard = {{"f.arg0", "[a]"}, {"g.arg0", "[_]"}, {"g.result0", "[a]"}};
  program.plan.alike = {{"f.result0", "v", "g.result0"}, {"g.arg0", "f.result0"}};
  program.plan.barrier = {{"f.result0", "both"}, {"v", "forward"}};
  program.shapes = {{"g.arg0", "4"}};
  program.entries = {{"f", std::vector<InputValues>(1), {1}},
                     {"g", std::vector<InputValues>(2), {2}}};
  RandomProgram reduced = reduceModule(program, [](const RandomProgram &p) {
    return StringRef(p.text).contains("math.tanh") && p.plan.barrier.size() > 0 &&
           p.plan.barrier.back().first == "v" && p.plan.alike.size() > 0;
  });
  ASSERT_EQ(reduced.entries.size(), 1u) << reduced.text;
  EXPECT_EQ(reduced.entries[0].name, "g");
  EXPECT_EQ(reduced.entries[0].inputs.size(), 1u);
  EXPECT_TRUE(reduced.shapes.empty());
  EXPECT_TRUE(reduced.plan.shard.empty());
  EXPECT_EQ(reduced.plan.alike, (std::vector<std::vector<std::string>>{{"v", "g.result0"}}));
  EXPECT_EQ(reduced.plan.barrier.size(), 1u);
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
