//===- IndicesTest.cpp - State, gathers and indices outside ---------------===//

#include "TestProgram.h"

using namespace tprt;

namespace {

const char *cacheProgram = R"(
func.func @f(%cache: tensor<2x5x3xf32> {tp.kind = "state", tp.name = "cache"}, %row: tensor<2x1x3xf32>, %pos: tensor<1xi64>)
    -> (tensor<2x3xf32>, tensor<2x5x3xf32> {tp.alias = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %p = tensor.extract %pos[%c0] : tensor<1xi64>
  %i = arith.index_cast %p : i64 to index
  %new = tensor.insert_slice %row into %cache[0, %i, 0] [2, 1, 3] [1, 1, 1] : tensor<2x1x3xf32> into tensor<2x5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%new : tensor<2x5x3xf32>) outs(%z : tensor<2x3xf32>) dimensions = [1]
  return %sum, %new : tensor<2x3xf32>, tensor<2x5x3xf32>
})";

TEST(Indices, StateIsKeptBetweenCalls) {
  Program program(withRanks(2, cacheProgram));
  std::vector<float> sums(6, 0);
  for (int64_t position : {0, 4, 2}) {
    std::vector<float> row = ramp(6, position);
    program->setInput(0, 1, makeArray({2, 1, 3}, row));
    program->setInput(0, 2, makeArray<int64_t>({1}, {position}));
    program->call(0);
    for (int i = 0; i < 6; ++i)
      sums[i] += row[i];
    EXPECT_EQ(valuesOf<float>(program->result(0, 0)), sums);
  }
  auto cache = valuesOf<float>(program->argument(0, 0));
  EXPECT_EQ(cache[4 * 3 + 1], 5.0f);
  EXPECT_EQ(cache[15 + 2 * 3], 5.0f);
}

TEST(Indices, OffsetOutsideIsAnError) {
  for (int64_t position : {-1, 5, 1 << 30}) {
    Program program(withRanks(1, cacheProgram));
    program->setInput(0, 1, makeArray({2, 1, 3}, ramp(6)));
    program->setInput(0, 2, makeArray<int64_t>({1}, {position}));
    try {
      program->call(0);
      FAIL() << "position " << position << " is accepted";
    } catch (const Error &error) {
      EXPECT_EQ(error.exitCode(), 3);
      EXPECT_NE(std::string(error.what()).find("test.mlir:8:"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(std::to_string(position)), std::string::npos)
          << error.what();
    }
  }
}

const char *gatherProgram = R"(
func.func @f(%table: tensor<7x3xf32>, %ids: tensor<4xi64>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4xi64>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %table[%row, %column] : tensor<7x3xf32>
    linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
})";

TEST(Indices, Gather) {
  Program program(withRanks(1, gatherProgram));
  auto results = program.run({makeArray({7, 3}, ramp(21)), makeArray<int64_t>({4}, {6, 0, 3, 3})});
  EXPECT_EQ(valuesOf<float>(results[0]),
            (std::vector<float>{18, 19, 20, 0, 1, 2, 9, 10, 11, 9, 10, 11}));
}

TEST(Indices, GatherOutsideIsAnError) {
  for (int64_t bad : {-1, 7}) {
    Program program(withRanks(1, gatherProgram));
    EXPECT_THROW(
        program.run({makeArray({7, 3}, ramp(21)), makeArray<int64_t>({4}, {6, bad, 3, 3})}), Error);
  }
}

} // namespace
