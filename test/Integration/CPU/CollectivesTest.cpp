//===- CollectivesTest.cpp - Collectives of every kind on 1 to 4 ranks ----===//

#include "TestProgram.h"

using namespace tprt;

namespace {

/// One collective on a value of which every rank holds 4 x 12 elements.
class Collective : public testing::TestWithParam<int> {
protected:
  /// Runs `op` on %x : tensor<4x12xi64>, the rows [4 r, 4 r + 4) of 0, 1, 2, ...
  /// on rank r; the result has the type `local` on each rank and is `global`
  /// under `sharding`.
  std::vector<int64_t> run(const std::string &op, const std::string &local,
                           const std::string &global, const std::string &sharding) {
    int ranks = GetParam();
    std::string rows = std::to_string(4 * ranks);
    Program program(withRanks(
        ranks, "func.func @f(%x: tensor<4x12xi64> {tp.sharding = #tp.sharding<[tp, _]>, "
               "tp.global_type = tensor<" +
                   rows + "x12xi64>}) -> (tensor<" + local + "xi64> {tp.sharding = #tp.sharding<" +
                   sharding + ">, tp.global_type = tensor<" + global + "xi64>}) {\n  %0 = " + op +
                   "\n  return %0 : tensor<" + local + "xi64>\n}"));
    std::vector<int64_t> values(48 * ranks);
    std::iota(values.begin(), values.end(), 0);
    return valuesOf<int64_t>(program.run({makeArray({4 * ranks, 12}, values)})[0]);
  }

  std::string times(int64_t n) { return std::to_string(n * GetParam()); }
};

TEST_P(Collective, AllReduce) {
  int k = GetParam();
  auto sum = run("comm.all_reduce sum %x over (tp) : tensor<4x12xi64>", "4x12", "4x12", "[]");
  auto largest = run("comm.all_reduce max %x over (tp) : tensor<4x12xi64>", "4x12", "4x12", "[]");
  auto bits = run("comm.all_reduce xor %x over (tp) : tensor<4x12xi64>", "4x12", "4x12", "[]");
  for (int i = 0; i < 48; ++i) {
    int64_t expected = 0, expectedBits = 0;
    for (int r = 0; r < k; ++r)
      expected += 48 * r + i, expectedBits ^= 48 * r + i;
    EXPECT_EQ(sum[i], expected);
    EXPECT_EQ(largest[i], 48 * (k - 1) + i);
    EXPECT_EQ(bits[i], expectedBits);
  }
}

TEST_P(Collective, AllGather) {
  int k = GetParam();
  auto columns = run("comm.all_gather %x dim 1 over (tp) : tensor<4x12xi64> -> tensor<4x" +
                         times(12) + "xi64>",
                     "4x" + times(12), "4x" + times(12), "[]");
  auto rows = run("comm.all_gather %x dim 0 over (tp) : tensor<4x12xi64> -> tensor<" + times(4) +
                      "x12xi64>",
                  times(4) + "x12", times(4) + "x12", "[]");
  for (int r = 0; r < k; ++r)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 12; ++j) {
        EXPECT_EQ(columns[i * 12 * k + r * 12 + j], r * 48 + i * 12 + j);
        EXPECT_EQ(rows[(r * 4 + i) * 12 + j], r * 48 + i * 12 + j);
      }
}

TEST_P(Collective, ReduceScatter) {
  int k = GetParam();
  std::string local = "4x" + std::to_string(12 / k);
  auto result = run("comm.reduce_scatter sum %x dim 1 over (tp) : tensor<4x12xi64> -> tensor<" +
                        local + "xi64>",
                    local, "4x12", "[_, tp]");
  for (int i = 0; i < 48; ++i)
    EXPECT_EQ(result[i], 48 * k * (k - 1) / 2 + k * i);
}

/// Rows become columns: the global value stays the same.
TEST_P(Collective, AllToAll) {
  int k = GetParam();
  std::string local = times(4) + "x" + std::to_string(12 / k);
  auto result = run("comm.all_to_all %x split 1 concat 0 over (tp) : tensor<4x12xi64> -> tensor<" +
                        local + "xi64>",
                    local, times(4) + "x12", "[_, tp]");
  for (int i = 0; i < 48 * k; ++i)
    EXPECT_EQ(result[i], i);
}

/// Blocks of columns of one row block are exchanged among the ranks.
TEST_P(Collective, AllToAllAlongOneDimension) {
  int k = GetParam();
  auto result =
      run("comm.all_to_all %x split 1 concat 1 over (tp) : tensor<4x12xi64> -> tensor<4x12xi64>",
          "4x12", times(4) + "x12", "[tp, _]");
  int width = 12 / k;
  for (int r = 0; r < k; ++r)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 12; ++j)
        EXPECT_EQ(result[(r * 4 + i) * 12 + j], (j / width) * 48 + i * 12 + r * width + j % width);
}

TEST_P(Collective, Permute) {
  int k = GetParam();
  std::string sources = "-1";
  for (int r = 1; r < k; ++r)
    sources += ", " + std::to_string(r - 1);
  auto result = run("comm.permute %x from [" + sources + "] over (tp) : tensor<4x12xi64>", "4x12",
                    times(4) + "x12", "[tp, _]");
  for (int i = 0; i < 48 * k; ++i)
    EXPECT_EQ(result[i], i < 48 ? 0 : i - 48);
}

/// Several values that meet at once get what each gets alone.
TEST_P(Collective, SeveralValues) {
  int k = GetParam();
  std::string sources = std::to_string(k - 1);
  for (int r = 1; r < k; ++r)
    sources += ", " + std::to_string(r - 1);
  struct Case {
    std::string before, after; ///< what the operands and axes stand between
    int64_t rows, columns;     ///< of a result, as a multiple of the operand's
    int64_t parts;             ///< that the columns are cut into
  };
  const Case cases[] = {{"comm.all_reduce sum", "over (tp)", 1, 1, 1},
                        {"comm.all_gather", "dim 0 over (tp)", k, 1, 1},
                        {"comm.all_gather", "dim 1 over (tp)", 1, k, 1},
                        {"comm.reduce_scatter max", "dim 1 over (tp)", 1, 1, k},
                        {"comm.all_to_all", "split 1 concat 0 over (tp)", k, 1, k},
                        {"comm.all_to_all", "split 1 concat 1 over (tp)", 1, 1, 1},
                        {"comm.permute", "from [" + sources + "] over (tp)", 1, 1, 1}};
  for (const Case &test : cases) {
    auto type = [&](int64_t rows) {
      return "tensor<" + std::to_string(rows * test.rows) + "x" +
             std::to_string(12 * test.columns / test.parts) + "xi64>";
    };
    auto global = [&](int64_t rows) {
      return "tensor<" + std::to_string(rows * test.rows * k) + "x" +
             std::to_string(12 * test.columns / test.parts) + "xi64>";
    };
    bool moves =
        test.before != "comm.all_reduce sum" && test.before.find("permute") == test.before.npos;
    auto types = [&](std::string operands, std::string results) {
      return " : " + (moves ? operands + " -> " + results : results);
    };
    auto result = [&](int64_t rows) {
      return type(rows) +
             " {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = " + global(rows) + "}";
    };
    std::string x = "tensor<4x12xi64>", y = "tensor<2x12xi64>";
    Program program(withRanks(
        k, "func.func @f(%x: " + x +
               " {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<" + times(4) +
               "x12xi64>}) -> (" + result(4) + ", " + result(4) + ", " + result(2) + ", " +
               result(2) + ") {\n" + "  %y = tensor.extract_slice %x[1, 0] [2, 12] [1, 1] : " + x +
               " to " + y + "\n  %a = " + test.before + " %x " + test.after + types(x, type(4)) +
               "\n  %b = " + test.before + " %y " + test.after + types(y, type(2)) +
               "\n  %c:2 = " + test.before + " %x, %y " + test.after +
               types(x + ", " + y, type(4) + ", " + type(2)) + "\n  return %a, %c#0, %b, %c#1 : " +
               type(4) + ", " + type(4) + ", " + type(2) + ", " + type(2) + "\n}"));
    std::vector<int64_t> values(48 * k);
    std::iota(values.begin(), values.end(), 0);
    auto results = program.run({makeArray({4 * k, 12}, values)});
    EXPECT_EQ(valuesOf<int64_t>(results[0]), valuesOf<int64_t>(results[1])) << test.before;
    EXPECT_EQ(valuesOf<int64_t>(results[2]), valuesOf<int64_t>(results[3])) << test.before;
  }
}

/// The same where they have several types: as integers, in one buffer.
TEST_P(Collective, SeveralTypes) {
  int k = GetParam();
  std::string sources = std::to_string(k - 1);
  for (int r = 1; r < k; ++r)
    sources += ", " + std::to_string(r - 1);
  // What makes the type of an i64, and an i64 of it again.
  struct Kind {
    std::string type, to, from;
  };
  const std::vector<Kind> lists[] = {
      // In bytes, and in two bytes.
      {{"f32", "sitofp", "fptosi"},
       {"i1", "trunci", "extui"},
       {"index", "index_cast", "index_cast"}},
      {{"bf16", "sitofp", "fptosi"}, {"f64", "sitofp", "fptosi"}, {"i32", "trunci", "extsi"}}};
  for (const std::vector<Kind> &kinds : lists)
    for (auto [name, after, rows, columns] :
         {std::tuple<std::string, std::string, int, int>{"comm.all_gather", "dim 1 over (tp)", 4,
                                                         12 * k},
          {"comm.all_to_all", "split 1 concat 0 over (tp)", 4 * k, 12 / k},
          {"comm.permute", "from [" + sources + "] over (tp)", 4, 12}}) {
      std::string shape = std::to_string(rows) + "x" + std::to_string(columns) + "x";
      std::string global = std::to_string(rows * k) + "x" + std::to_string(columns) + "x";
      std::string text, operands, from, to, separate, returned, types, heads;
      int count = 0;
      for (const Kind &kind : kinds) {
        std::string n = std::to_string(count);
        std::string small = "tensor<4x12x" + kind.type + ">",
                    large = "tensor<" + shape + kind.type + ">";
        std::string back = "tensor<" + shape + "i64>";
        text += "  %v" + n + " = arith." + kind.to + " %x : tensor<4x12xi64> to " + small + "\n";
        bool isPermute = name == "comm.permute";
        separate += "  %s" + n + " = " + name + " %v" + n + " " + after + " : " +
                    (isPermute ? large : small + " -> " + large) + "\n  %t" + n + " = arith." +
                    kind.from + " %s" + n + " : " + large + " to " + back + "\n  %u" + n +
                    " = arith." + kind.from + " %all#" + n + " : " + large + " to " + back + "\n";
        auto comma = [&](std::string &list, const std::string &item) {
          list += (list.empty() ? "" : ", ") + item;
        };
        comma(operands, "%v" + n);
        comma(from, small);
        comma(to, large);
        for (const char *value : {"%t", "%u"}) {
          comma(returned, value + n);
          comma(types, back);
          comma(heads, back + " {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<" +
                           global + "i64>}");
        }
        ++count;
      }
      Program program(
          withRanks(k, "func.func @f(%x: tensor<4x12xi64> {tp.sharding = #tp.sharding<[tp, _]>, "
                       "tp.global_type = tensor<" +
                           times(4) + "x12xi64>}) -> (" + heads + ") {\n" + text +
                           "  %all:" + std::to_string(count) + " = " + name + " " + operands + " " +
                           after + " : " + (name == "comm.permute" ? to : from + " -> " + to) +
                           "\n" + separate + "  return " + returned + " : " + types + "\n}"));
      std::vector<int64_t> values(48 * k);
      for (int64_t i = 0; i < 48 * k; ++i)
        values[i] = i % 255 - 127;
      auto results = program.run({makeArray({4 * k, 12}, values)});
      ASSERT_EQ(results.size(), size_t(2 * count));
      for (int i = 0; i < count; ++i)
        EXPECT_EQ(valuesOf<int64_t>(results[2 * i]), valuesOf<int64_t>(results[2 * i + 1]))
            << name << " of " << operands << ", value " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Collective, testing::Values(1, 2, 3, 4));

TEST(Collectives, CoordinatesOfParts) {
  Program program(R"(
tp.mesh @m <"a"=2, "b"=4>
func.func @f(%x: tensor<1xi64>) -> (tensor<1xi64> {tp.sharding = #tp.sharding<[(a, b)]>, tp.global_type = tensor<8xi64>}) {
  %a = comm.coordinate (a)
  %high = comm.coordinate (b:(1)2)
  %low = comm.coordinate (b:(2)2)
  %c10 = arith.constant 10 : index
  %0 = arith.muli %a, %c10 : index
  %1 = arith.addi %0, %high : index
  %2 = arith.muli %1, %c10 : index
  %3 = arith.addi %2, %low : index
  %4 = arith.index_cast %3 : index to i64
  %5 = tensor.from_elements %4 : tensor<1xi64>
  return %5 : tensor<1xi64>
})");
  auto results = program.run({makeArray<int64_t>({1}, {0})});
  EXPECT_EQ(valuesOf<int64_t>(results[0]),
            (std::vector<int64_t>{0, 1, 10, 11, 100, 101, 110, 111}));
}

} // namespace
