//===- ControlFlowTest.cpp - Loops and conditionals with collectives ------===//

#include "TestProgram.h"

using namespace tprt;

namespace {

/// A collective in a loop whose trip count is known at run time only.
TEST(ControlFlow, LoopWithCollective) {
  for (int ranks : {1, 2, 3}) {
    Program program(withRanks(ranks, R"(
func.func @f(%x: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<3xf32>) {
    %s = comm.all_reduce sum %h over (tp) : tensor<3xf32>
    %y = arith.addf %s, %x : tensor<3xf32>
    scf.yield %y : tensor<3xf32>
  }
  return %r : tensor<3xf32>
})"));
    for (int64_t n : {0, 1, 5}) {
      Array trips(TPRT_INDEX, {});
      trips.as<int64_t>()[0] = n;
      auto results = program.run({makeArray({3}, ramp(3, 1)), trips});
      for (int i = 0; i < 3; ++i) {
        float expected = i + 1;
        for (int64_t trip = 0; trip < n; ++trip)
          expected = expected * ranks + (i + 1);
        EXPECT_EQ(results[0].as<float>()[i], expected);
      }
    }
  }
}

/// Carried values that change places need a copy.
TEST(ControlFlow, LoopThatSwaps) {
  Program program(withRanks(1, R"(
func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<2xf32>, tensor<2xf32>) {
    %s = arith.addf %x, %y : tensor<2xf32>
    scf.yield %y, %s : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
})"));
  Array trips(TPRT_INDEX, {});
  trips.as<int64_t>()[0] = 6;
  auto results = program.run({makeArray<float>({2}, {0, 1}), makeArray<float>({2}, {1, 2}), trips});
  EXPECT_EQ(valuesOf<float>(results[0]), (std::vector<float>{8, 21}));
  EXPECT_EQ(valuesOf<float>(results[1]), (std::vector<float>{13, 34}));
}

TEST(ControlFlow, WhileAndIf) {
  Program program(withRanks(2, R"(
func.func @f(%x: tensor<2xf32>, %limit: f32, %flag: i1) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant dense<2.0> : tensor<2xf32>
  %r = scf.while (%h = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    %v = tensor.extract %h[%c0] : tensor<2xf32>
    %more = arith.cmpf olt, %v, %limit : f32
    scf.condition(%more) %h : tensor<2xf32>
  } do {
  ^bb0(%h: tensor<2xf32>):
    %d = arith.mulf %h, %two : tensor<2xf32>
    scf.yield %d : tensor<2xf32>
  }
  %y = scf.if %flag -> (tensor<2xf32>) {
    %s = comm.all_reduce sum %r over (tp) : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r, %y : tensor<2xf32>, tensor<2xf32>
})"));
  for (int8_t on : {0, 1}) {
    Array flag(TPRT_I1, {});
    flag.as<int8_t>()[0] = on;
    auto results = program.run({makeArray<float>({2}, {1, 3}), makeArray<float>({}, {50}), flag});
    EXPECT_EQ(valuesOf<float>(results[0]), (std::vector<float>{64, 192}));
    EXPECT_EQ(valuesOf<float>(results[1]),
              on ? (std::vector<float>{128, 384}) : (std::vector<float>{1, 3}));
  }
}

} // namespace
