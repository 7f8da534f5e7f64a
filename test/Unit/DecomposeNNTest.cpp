//===- DecomposeNNTest.cpp - nn ops against their decompositions -----------===//
//
// The interpreter evaluates nn ops straight from their definitions, the pass
// writes them out in linalg; on random values both must agree.
//
//===----------------------------------------------------------------------===//

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Driver/Registration.h"
#include "tp/Interpreter/Interpreter.h"
#include "tp/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

namespace {

class DecomposeNN : public ::testing::TestWithParam<const char *> {
protected:
  DecomposeNN() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// What two results may differ by, relative to the largest value.
  double tolerance() const {
    llvm::StringRef type = GetParam();
    return type == "bf16" ? 2e-2 : type == "f16" ? 4e-3 : 2e-5;
  }

  /// Random values; integers lie in [low, high].
  Tensor makeArgument(Type type, int64_t low, int64_t high) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    Tensor tensor(shaped ? shaped.getShape() : llvm::ArrayRef<int64_t>(),
                  getElementTypeOrSelf(type));
    std::uniform_real_distribution<double> real(-2, 2);
    std::uniform_int_distribution<int64_t> integer(low, high);
    for (Element &slot : tensor.mutate()) {
      if (auto floating = dyn_cast<FloatType>(tensor.getElementType()))
        slot.f = roundTo(floating, real(random));
      else
        slot.i = integer(random);
    }
    return tensor;
  }

  /// Runs the function `text`, where `F` stands for the float type, before and
  /// after decomposition.
  void check(std::string text, int64_t low = 0, int64_t high = 0) {
    for (size_t at; (at = text.find("xF>")) != std::string::npos;)
      text.replace(at, 3, "x" + std::string(GetParam()) + ">");
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    auto function = *module->getOps<func::FuncOp>().begin();
    std::vector<Tensor> arguments;
    for (Type type : function.getArgumentTypes())
      arguments.push_back(makeArgument(type, low, high));
    auto direct = interpretUnsharded(function, arguments, /*poison=*/true);
    InterpreterOptions options;
    options.poison = options.useDefinitions = true;
    auto defined = interpret(function, {arguments}, options);
    PassManager pm(&context);
    pm.addPass(createDecomposeNNPass());
    ASSERT_TRUE(succeeded(pm.run(*module)));
    function.walk([](Operation *op) { EXPECT_NE(op->getName().getDialectNamespace(), "nn"); });
    auto decomposed = interpretUnsharded(function, arguments, /*poison=*/true);
    ASSERT_TRUE(succeeded(direct) && succeeded(decomposed) && succeeded(defined)) << text;
    EXPECT_EQ(defined->front(), *decomposed) << text;
    for (auto [a, b] : llvm::zip_equal(*direct, *decomposed))
      expectClose(a, b, text);
  }

  void expectClose(const Tensor &a, const Tensor &b, const std::string &text) {
    ASSERT_EQ(a.getType(), b.getType()) << text;
    if (!isa<FloatType>(a.getElementType())) {
      EXPECT_EQ(a, b) << text;
      return;
    }
    double largest = 0;
    for (Element element : a.getElements())
      if (std::isfinite(element.f))
        largest = std::max(largest, std::fabs(element.f));
    for (auto [x, y] : llvm::zip_equal(a.getElements(), b.getElements()))
      if (!isSame(a.getElementType(), x, y)) {
        EXPECT_LE(std::fabs(x.f - y.f), tolerance() * largest) << text;
      }
  }

  MLIRContext context;
  std::mt19937 random{11};
};

TEST_P(DecomposeNN, Embedding) {
  check("func.func @f(%ids: tensor<3x4xi64>, %t: tensor<5x2xF>) -> tensor<3x4x2xF> {"
        "  %0 = nn.embedding %ids, %t : tensor<3x4xi64>, tensor<5x2xF> -> tensor<3x4x2xF>"
        "  return %0 : tensor<3x4x2xF> }",
        -2, 7);
  check("func.func @f(%ids: tensor<9xi64>, %t: tensor<5x2xF>, %o: index) -> tensor<9x2xF> {"
        "  %0 = nn.embedding %ids, %t row_offset %o : tensor<9xi64>, tensor<5x2xF> -> "
        "tensor<9x2xF>"
        "  return %0 : tensor<9x2xF> }",
        -3, 9);
}

TEST_P(DecomposeNN, RmsNorm) {
  check("func.func @f(%x: tensor<2x3x7xF>, %w: tensor<7xF>) -> tensor<2x3x7xF> {"
        "  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<2x3x7xF>, tensor<7xF>"
        "  return %0 : tensor<2x3x7xF> }");
  check("func.func @f(%x: tensor<7xF>, %w: tensor<7xF>) -> tensor<7xF> {"
        "  %0 = nn.rms_norm %x, %w epsilon 0.5 : tensor<7xF>, tensor<7xF>"
        "  return %0 : tensor<7xF> }");
}

TEST_P(DecomposeNN, RmsNormWeightOffset) {
  check("func.func @f(%x: tensor<2x7xF>, %w: tensor<7xF>) -> tensor<2x7xF> {"
        "  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 weight_offset 1.0 : tensor<2x7xF>, tensor<7xF>"
        "  return %0 : tensor<2x7xF> }");
}

TEST_P(DecomposeNN, LayerNorm) {
  check("func.func @f(%x: tensor<2x3x7xF>, %w: tensor<7xF>, %b: tensor<7xF>) -> tensor<2x3x7xF> {"
        "  %0 = nn.layer_norm %x, %w, %b epsilon 1.0e-05 : tensor<2x3x7xF>, tensor<7xF>"
        "  return %0 : tensor<2x3x7xF> }");
  check("func.func @f(%x: tensor<7xF>, %w: tensor<7xF>, %b: tensor<7xF>) -> tensor<7xF> {"
        "  %0 = nn.layer_norm %x, %w, %b epsilon 0.5 : tensor<7xF>, tensor<7xF>"
        "  return %0 : tensor<7xF> }");
}

TEST_P(DecomposeNN, PowerSums) {
  check("func.func @f(%x: tensor<2x3x7xF>) -> tensor<2x3x2xf64> {"
        "  %0 = nn.power_sums %x powers [1, 2] : tensor<2x3x7xF> -> tensor<2x3x2xf64>"
        "  return %0 : tensor<2x3x2xf64> }");
  check("func.func @f(%x: tensor<7xF>) -> tensor<1xf64> {"
        "  %0 = nn.power_sums %x powers [2] : tensor<7xF> -> tensor<1xf64>"
        "  return %0 : tensor<1xf64> }");
}

TEST_P(DecomposeNN, NormsBySums) {
  check("func.func @f(%x: tensor<2x3x7xF>, %w: tensor<7xF>) -> tensor<2x3x7xF> {"
        "  %s = nn.power_sums %x powers [2] : tensor<2x3x7xF> -> tensor<2x3x1xf64>"
        "  %0 = nn.rms_norm %x, %w sums %s of 9 epsilon 1.0e-05 weight_offset 0.5"
        "    : tensor<2x3x7xF>, tensor<7xF>, tensor<2x3x1xf64>"
        "  return %0 : tensor<2x3x7xF> }");
  check("func.func @f(%x: tensor<2x3x7xF>, %w: tensor<7xF>, %b: tensor<7xF>) -> tensor<2x3x7xF> {"
        "  %s = nn.power_sums %x powers [1, 2] : tensor<2x3x7xF> -> tensor<2x3x2xf64>"
        "  %0 = nn.layer_norm %x, %w, %b sums %s of 9 epsilon 1.0e-05"
        "    : tensor<2x3x7xF>, tensor<7xF>, tensor<2x3x2xf64>"
        "  return %0 : tensor<2x3x7xF> }");
}

TEST_P(DecomposeNN, PartialRope) {
  check("func.func @f(%x: tensor<2x3x2x5x7xF>, %p: tensor<2xi64>) -> tensor<2x3x2x5x7xF> {"
        "  %c, %s = nn.rotary_table %p frequencies [1.0, 0.01] : tensor<2xi64> -> tensor<2x3x2xf32>"
        "  %0 = nn.rope %x, %c, %s : tensor<2x3x2x5x7xF>, tensor<2x3x2xf32>"
        "  return %0 : tensor<2x3x2x5x7xF> }",
        0, 2000);
}

TEST_P(DecomposeNN, AttentionWindow) {
  for (int window : {1, 3, 6, 9})
    check("func.func @f(%q: tensor<3x2x2x3x4xF>, %k: tensor<3x2x7x4xF>, %v: tensor<3x2x7x4xF>,"
          "             %p: tensor<3xi64>) -> tensor<3x2x2x3x4xF> {"
          "  %0 = nn.attention %q, %k, %v, %p scale 0.5 window " +
              std::to_string(window) +
              "    : tensor<3x2x2x3x4xF>, tensor<3x2x7x4xF>, tensor<3xi64>"
              "  return %0 : tensor<3x2x2x3x4xF> }",
          0, 5);
}

TEST_P(DecomposeNN, Rope) {
  check("func.func @f(%x: tensor<2x3x2x5x6xF>, %p: tensor<2xi64>) -> tensor<2x3x2x5x6xF> {"
        "  %c, %s = nn.rotary_table %p theta 10000.0 : tensor<2xi64> -> tensor<2x3x3xf32>"
        "  %0 = nn.rope %x, %c, %s : tensor<2x3x2x5x6xF>, tensor<2x3x3xf32>"
        "  return %0 : tensor<2x3x2x5x6xF> }",
        0, 2000);
  check("func.func @f(%x: tensor<1x1x2xF>, %p: tensor<1xi64>) -> tensor<1x1x2xF> {"
        "  %c, %s = nn.rotary_table %p theta 3.0 : tensor<1xi64> -> tensor<1x1x1xf32>"
        "  %0 = nn.rope %x, %c, %s : tensor<1x1x2xF>, tensor<1x1x1xf32>"
        "  return %0 : tensor<1x1x2xF> }",
        0, 9);
}

TEST_P(DecomposeNN, CacheUpdate) {
  check("func.func @f(%c: tensor<3x2x7x4xF>, %u: tensor<3x2x2x4xF>, %p: tensor<3xi64>)"
        "    -> tensor<3x2x7x4xF> {"
        "  %0 = nn.cache_update %c, %u, %p : tensor<3x2x7x4xF>, tensor<3x2x2x4xF>, tensor<3xi64>"
        "  return %0 : tensor<3x2x7x4xF> }",
        0, 5);
}

TEST_P(DecomposeNN, Attention) {
  check("func.func @f(%q: tensor<3x2x2x3x4xF>, %k: tensor<3x2x7x4xF>, %v: tensor<3x2x7x4xF>,"
        "             %p: tensor<3xi64>) -> tensor<3x2x2x3x4xF> {"
        "  %0 = nn.attention %q, %k, %v, %p scale 0.5"
        "    : tensor<3x2x2x3x4xF>, tensor<3x2x7x4xF>, tensor<3xi64>"
        "  return %0 : tensor<3x2x2x3x4xF> }",
        0, 5);
  check("func.func @f(%q: tensor<2x1x1x1x4xF>, %k: tensor<2x1x5x4xF>, %v: tensor<2x1x5x4xF>,"
        "             %p: tensor<2xi64>) -> tensor<2x1x1x1x4xF> {"
        "  %0 = nn.attention %q, %k, %v, %p scale 2.0"
        "    : tensor<2x1x1x1x4xF>, tensor<2x1x5x4xF>, tensor<2xi64>"
        "  return %0 : tensor<2x1x1x1x4xF> }",
        0, 4);
}

TEST_P(DecomposeNN, AttentionBidirectional) {
  check("func.func @f(%q: tensor<3x4x2x3x4xF>, %k: tensor<3x2x7x4xF>, %v: tensor<3x2x7x4xF>,"
        "             %n: tensor<3xi64>) -> tensor<3x4x2x3x4xF> {"
        "  %0 = nn.attention %q, %k, %v, %n bidirectional scale 0.5"
        "    : tensor<3x4x2x3x4xF>, tensor<3x2x7x4xF>, tensor<3xi64>"
        "  return %0 : tensor<3x4x2x3x4xF> }",
        1, 8);
}

TEST_P(DecomposeNN, CacheUpdateOfBlock) {
  // Blocks before, at and after the new positions.
  for (int offset : {0, 3, 5, 9})
    for (int batch : {1, 3}) {
      std::string b = std::to_string(batch), cache = "tensor<" + b + "x2x4x4xF>";
      std::string update = "tensor<" + b + "x3x2x4xF>", pos = "tensor<" + b + "xi64>";
      check("func.func @f(%c: " + cache + ", %u: " + update + ", %p: " + pos + ") -> " + cache +
                " {  %o = arith.constant " + std::to_string(offset) +
                " : index  %0 = nn.cache_update %c, %u, %p position_offset %o of 13 : " + cache +
                ", " + update + ", " + pos + "  return %0 : " + cache + " }",
            0, 10);
    }
}

TEST_P(DecomposeNN, AttentionOfLaterSteps) {
  check("func.func @f(%q: tensor<3x2x2x3x4xF>, %k: tensor<3x2x7x4xF>, %v: tensor<3x2x7x4xF>,"
        "             %p: tensor<3xi64>, %o: index) -> tensor<3x2x2x3x4xF> {"
        "  %0 = nn.attention %q, %k, %v, %p step_offset %o scale 0.5 window 4"
        "    : tensor<3x2x2x3x4xF>, tensor<3x2x7x4xF>, tensor<3xi64>"
        "  return %0 : tensor<3x2x2x3x4xF> }",
        0, 2);
}

/// Blocks, among them such that a query sees none of, and what they make together.
TEST_P(DecomposeNN, AttentionBlocks) {
  llvm::StringRef type = GetParam();
  std::string wide = type == "f64" ? "xf64>" : "xf32>";
  for (const char *how : {"", "bidirectional ", "window "})
    for (int blocks : {1, 2, 3, 9}) {
      std::string n = std::to_string(blocks);
      std::string kind = how == std::string("window ") ? "" : how;
      std::string window = kind == how ? "" : "window 3 ";
      std::string types = "tensor<3x2x2x3x4xF>, tensor<3x2x7x4xF>, tensor<3xi64> -> tensor<" + n +
                          "x3x2x2x3x5" + wide + ", tensor<" + n + "x3x2x2x3" + wide;
      check("func.func @f(%q: tensor<3x2x2x3x4xF>, %k: tensor<3x2x7x4xF>, %v: tensor<3x2x7x4xF>,"
            "    %p: tensor<3xi64>) -> (tensor<" +
                n + "x3x2x2x3x5" + wide + ", tensor<" + n + "x3x2x2x3" + wide +
                ", tensor<3x2x2x3x4xF>) {"
                "  %c2 = arith.constant 2 : index  %c3 = arith.constant 3 : index"
                "  %c6 = arith.constant 6 : index"
                "  %s, %l = nn.attention_blocks %q, %k, %v, %p step_offset %c2 position_offset %c3"
                "    extent %c6 " +
                kind + "scale 0.5 " + window + ": " + types +
                "  %s1, %l1 = nn.attention_blocks %q, %k, %v, %p " + kind + "scale 0.5 " + window +
                ": " + types + "  %m = tensor.empty() : tensor<3x2x2x3" + wide +
                "  %low = arith.constant 0.0 : " + wide.substr(1, 3) +
                "  %i = linalg.fill ins(%low : " + wide.substr(1, 3) +
                ") outs(%m : tensor<3x2x2x3" + wide + ") -> tensor<3x2x2x3" + wide +
                "  %t = nn.attention_merge %s1, %l1, %i" + " : tensor<" + n + "x3x2x2x3x5" + wide +
                "  %r = nn.attention_finish %t : tensor<3x2x2x3x5" + wide +
                " -> tensor<3x2x2x3x4xF>"
                "  return %s, %l, %r : tensor<" +
                n + "x3x2x2x3x5" + wide + ", tensor<" + n + "x3x2x2x3" + wide +
                ", tensor<3x2x2x3x4xF> }",
            1, 7);
    }
}

TEST_P(DecomposeNN, Argmax) {
  for (int blocks : {1, 2, 3, 4, 7, 8}) {
    std::string n = std::to_string(blocks);
    std::string types = "tensor<5x" + n + "xF>, tensor<5x" + n + "xi64>";
    check("func.func @f(%x: tensor<5x7xF>, %o: index) -> (" + types +
              ") {"
              "  %v, %i = nn.argmax %x index_offset %o : tensor<5x7xF> -> " +
              types + "  return %v, %i : " + types + " }",
          0, 40);
  }
}

TEST_P(DecomposeNN, TopK) {
  // More than there are, also of blocks, in each order.
  for (int blocks : {1, 2, 3, 4, 7, 8})
    for (const char *order : {"bound 0.5", "nan_first bound 0xBound", "smallest bound 0.0",
                              "smallest nan_first bound 1.0"}) {
      std::string made = "x" + std::to_string(3 * blocks) + "x2x", text = order;
      // Minus infinity.
      std::string low = llvm::StringSwitch<std::string>(GetParam())
                            .Case("f32", "FF800000")
                            .Case("f64", "FFF0000000000000")
                            .Case("f16", "FC00")
                            .Default("FF80");
      if (size_t at = text.find("0xBound"); at != std::string::npos)
        text.replace(at, 7, "0x" + low);
      std::string types = "tensor<5" + made + "F>, tensor<5" + made + "i64>";
      check("func.func @f(%x: tensor<5x7x2xF>, %o: index) -> (" + types +
                ") {"
                "  %v, %i = nn.top_k %x index_offset %o dim 1 blocks " +
                std::to_string(blocks) + " " + text + " : " + GetParam() +
                " missing_index -3 : tensor<5x7x2xF> -> " + types + "  return %v, %i : " + types +
                " }",
            0, 40);
    }
  std::string types = "tensor<4xF>, tensor<4xi64>";
  check("func.func @f(%x: tensor<9xF>, %i: tensor<9xi64>) -> (" + types +
            ") {"
            "  %v, %j = nn.top_k %x indices %i dim 0 bound 0.0 : " +
            GetParam() + " : tensor<9xF>, tensor<9xi64> -> " + types +
            "  return %v, %j : " + types + " }",
        0, 3);
}

/// Of few logits that are equal, and of all; the type of floats does not matter.
TEST_P(DecomposeNN, Sample) {
  for (const char *n : {"1", "2", "13"})
    for (int k : {-1, 0, 1, 5, 20})
      for (const char *p : {"1.0e-9", "0.6", "0.95", "1.0"}) {
        std::string x = "tensor<9x" + std::string(n) + "xf32>";
        check("func.func @f(%x: " + x +
              ", %u: tensor<9xf64>) -> (tensor<9xi64>, tensor<9xi64>) {"
              "  %half = arith.constant dense<0.5> : tensor<9xf64>"
              "  %r = math.roundeven %x : " +
              x +
              "  %a = math.absf %u : tensor<9xf64>"
              "  %v = arith.mulf %a, %half : tensor<9xf64>"
              "  %t = arith.constant dense<0.7> : tensor<f64>"
              "  %k = arith.constant dense<" +
              std::to_string(k) +
              "> : tensor<i64>"
              "  %p = arith.constant dense<" +
              p +
              "> : tensor<f64>"
              "  %0 = nn.sample %r, %v, %t, %k, %p : " +
              x + "  %1 = nn.sample %x, %v, %t, %k, %p : " + x +
              "  return %0, %1 : tensor<9xi64>, tensor<9xi64> }");
      }
}

INSTANTIATE_TEST_SUITE_P(Types, DecomposeNN, ::testing::Values("f32", "bf16", "f16", "f64"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
