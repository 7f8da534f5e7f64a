//===- WindowTest.cpp - Windows of cut dimensions --------------------------===//
//
// Every small window from every small sharding into every other, and the ops that
// are made of windows: partitioned and run by the reference interpreter with
// poisoned memory and padding, they must give what they give on one rank.
//
// The default run takes every n-th case; with TP_TEST_ALL in the environment all
// of them.
//
//===----------------------------------------------------------------------===//

#include "dialects/Comm/Comm.h"
#include "dialects/TP/TP.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Analysis/WindowPlan.h"
#include "tp/Driver/Registration.h"
#include "tp/Interpreter/Interpreter.h"
#include "tp/Pipelines/Pipelines.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

namespace {

std::string join(ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

struct MeshShardings {
  const char *mesh;
  std::vector<const char *> dims; ///< ways to cut one dimension
};

const std::vector<MeshShardings> kMeshes = {
    {"\"a\"=2", {"_", "a", "a*2"}},
    {"\"a\"=4", {"_", "a", "a*3", "a:(1)2", "a:(2)2", "(a:(2)2, a:(1)2)"}},
    {"\"a\"=2, \"b\"=3", {"_", "a", "b", "(a, b)", "(b, a)", "(b, a*2)"}},
};

class Window : public ::testing::Test {
protected:
  Window() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    takeAll = std::getenv("TP_TEST_ALL") != nullptr;
  }

  /// Whether the next case is one of every n.
  bool takes(unsigned n) { return takeAll || ++seen % n == 0; }

  static Tensor makeArgument(Type type, std::mt19937_64 &random) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped) // An offset: it is 1.
      return Tensor::index(type, 1);
    Tensor tensor(shaped.getShape(), shaped.getElementType());
    for (Element &slot : tensor.mutate()) {
      int64_t number = static_cast<int64_t>(random() % 17) - 8;
      slot = isa<FloatType>(shaped.getElementType())
                 // -0 is a value of its own.
                 ? Element::ofFloat(number == 0 ? -0.0 : static_cast<double>(number))
                 : Element::ofInt(wrapTo(shaped.getElementType(), number));
    }
    return tensor;
  }

  /// What is wrong with the partitioned program, or nothing. `collectives` gets
  /// how many there are and `elements` the largest operand or result of one.
  std::string check(const std::string &text) {
    collectives = elements = 0;
    std::string errors;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors += "error: " + diagnostic.str() + "\n";
    });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return "does not parse: " + errors + text;
    auto original = module->lookupSymbol<func::FuncOp>("f");
    std::mt19937_64 random(1);
    std::vector<Tensor> arguments;
    for (Type type : original.getArgumentTypes())
      arguments.push_back(makeArgument(type, random));
    auto expected = interpretUnsharded(original, arguments);
    if (failed(expected))
      return "does not run: " + errors + text;
    PassManager pm(&context);
    PhaseOptions options;
    options.poison = true;
    buildPlanPipeline(pm, options);
    buildReshardPipeline(pm, options);
    buildPartitionPipeline(pm, options);
    buildOptimizeCommPipeline(pm, options);
    if (failed(pm.run(*module)))
      return "is not partitioned: " + errors + text;
    auto fail = [&](std::string what) {
      llvm::raw_string_ostream os(what);
      os << "\n" << text << "\n" << *module;
      return what;
    };
    module->walk([&](Operation *op) {
      if (!comm::isCollective(op))
        return;
      ++collectives;
      for (Value value : {op->getOperand(0), Value(op->getResult(0))})
        elements = std::max(elements, cast<RankedTensorType>(value.getType()).getNumElements());
    });
    InterpreterOptions run;
    run.mesh = getMesh(lookupMesh(*module));
    run.poison = true;
    auto found = interpretPartitioned(module->lookupSymbol<func::FuncOp>("f"), arguments, run);
    if (failed(found))
      return fail("fails when partitioned: " + errors);
    for (auto [a, b] : llvm::zip_equal(*expected, *found))
      if (a != b)
        return fail("another value");
    return "";
  }

  MLIRContext context;
  int64_t collectives = 0, elements = 0;

private:
  bool takeAll;
  unsigned seen = 0;
};

/// Element types in turn, with a fill for each, and two kinds of reduction with what
/// they ignore.
struct ElementType {
  const char *name, *fill, *add, *zero, *max, *lowest;
};
const ElementType kTypes[] = {
    {"f32", "-9.0 : f32", "addf", "0.0 : f32", "maximumf", "0xFF800000 : f32"},
    {"bf16", "2.0 : bf16", "addf", "0.0 : bf16", "maximumf", "0xFF80 : bf16"},
    {"i64", "7 : i64", "addi", "0 : i64", "maxsi", "-9223372036854775808 : i64"},
    {"i1", "true", "ori", "false", "andi", "true"},
    {"f64", "0.5 : f64", "addf", "0.0 : f64", "maxnumf", "0xFFF0000000000000 : f64"},
    {"i8", "-3 : i8", "addi", "0 : i8", "maxsi", "-128 : i8"},
};

TEST_F(Window, FromAnyShardingToAnyOther) {
  struct Map {
    std::vector<int64_t> starts, sizes;
    int64_t stride, repeat = 1;
  };
  unsigned type = 0;
  for (const MeshShardings &mesh : kMeshes)
    for (const char *from : mesh.dims)
      for (const char *to : mesh.dims)
        for (int64_t n : {0, 1, 3, 5, 8}) {
          std::vector<Map> maps = {{{-1, n / 2, n}, {3, 2, 1}, 1}, {{n, 0}, {2, n}, 1}};
          for (int64_t start : {-3, 0, 1, 4})
            for (int64_t size : {0, 1, 4, 7})
              for (int64_t stride : {1, 3})
                maps.push_back({{start}, {size}, stride});
          for (int64_t repeat : {2, 3})
            for (int64_t start : {-4, 0, 1})
              maps.push_back({{start, 2}, {2 * n + 2, 3}, 1, repeat});
          for (const Map &map : maps) {
            if (!takes(13))
              continue;
            ++type;
            const ElementType &one = kTypes[type % std::size(kTypes)];
            const char *element = one.name, *fill = one.fill;
            int64_t rows = 0;
            for (int64_t size : map.sizes)
              rows += size;
            auto typeOf = [&](int64_t size) {
              return "tensor<2x" + std::to_string(size) + "x" + element + ">";
            };
            auto sharding = [](const char *dim) {
              return std::string("#tp.sharding<[_, ") + dim + "]>";
            };
            EXPECT_EQ(
                check("tp.mesh @mesh <" + std::string(mesh.mesh) +
                      ">\nfunc.func @f(%x: " + typeOf(n) + " {tp.sharding = " + sharding(from) +
                      "}) -> (" + typeOf(rows) + " {tp.sharding = " + sharding(to) +
                      "}) {\n  %y = tp.window %x dim 1 starts [" + join(map.starts) + "] sizes [" +
                      join(map.sizes) + "] stride " + std::to_string(map.stride) +
                      (map.repeat == 1 ? "" : " repeat " + std::to_string(map.repeat)) + " fill(" +
                      fill + ") because \"test\" : " + typeOf(n) + " -> " + typeOf(rows) +
                      "\n  return %y : " + typeOf(rows) + "\n}\n"),
                "");
          }
        }
}

/// An op on `%x` of `n` rows, and `%u` of `m`, that yields `%y` of `rows`.
struct Program {
  int64_t n, m, rows;
  std::string text;
};

std::string replaceAll(std::string text, StringRef name, const std::string &value) {
  for (size_t at = 0; (at = text.find(name.str(), at)) != std::string::npos; at += value.size())
    text.replace(at, name.size(), value);
  return text;
}

std::vector<Program> makePrograms() {
  std::vector<Program> programs;
  auto add = [&](int64_t n, int64_t m, int64_t rows, std::string text) {
    programs.push_back({n, m, rows, std::move(text)});
  };
  for (int64_t n : {3, 5, 8}) {
    // One dimension of three.
    for (int64_t size : {int64_t(1), n - 1})
      for (int64_t start : {int64_t(0), n - size}) {
        std::string at = std::to_string(start), count = std::to_string(size);
        add(n, size, size,
            "  %y = tensor.extract_slice %x[0, " + at + "] [2, " + count + "] [1, 1] : $X to $Y\n");
        add(n, size, n,
            "  %y = tensor.insert_slice %u into %x[0, " + at + "] [2, " + count +
                "] [1, 1] : $U into $Y\n");
      }
    add(n, 2, 2, "  %y = tensor.extract_slice %x[0, %i] [2, 2] [1, 1] : $X to $Y\n");
    add(n, 1, n, "  %y = tensor.insert_slice %u into %x[0, %i] [2, 1] [1, 1] : $U into $Y\n");
    add(n, 2, n, "  %y = tensor.insert_slice %u into %x[0, %i] [2, 2] [1, 1] : $U into $Y\n");
    add(n, 1, (n + 1) / 2,
        "  %y = tensor.extract_slice %x[0, 0] [2, " + std::to_string((n + 1) / 2) +
            "] [1, 2] : $X to $Y\n");
    add(n, (n + 1) / 2, n,
        "  %y = tensor.insert_slice %u into %x[0, 0] [2, " + std::to_string((n + 1) / 2) +
            "] [1, 2] : $U into $Y\n");
    for (int64_t stride : {2, 3}) {
      std::string count = std::to_string((n - 2) / stride + 1), by = std::to_string(stride);
      add(n, (n - 2) / stride + 1, n,
          "  %y = tensor.insert_slice %u into %x[0, 1] [2, " + count + "] [1, " + by +
              "] : $U into $Y\n");
      // A row of two, and columns in steps.
      add(n, (n - 2) / stride + 1, n,
          "  %a = tensor.extract_slice %u[1, 0] [1, " + count + "] [1, 1] : $U to tensor<1x" +
              count + "x$T>\n  %y = tensor.insert_slice %a into %x[1, 1] [1, " + count + "] [1, " +
              by + "] : tensor<1x" + count + "x$T> into $Y\n");
      // The same row as a value that lacks the dimension.
      add(n, (n - 2) / stride + 1, n,
          "  %a = tensor.extract_slice %u[1, 0] [1, " + count + "] [1, 1] : $U to tensor<" + count +
              "x$T>\n  %y = tensor.insert_slice %a into %x[1, 1] [1, " + count + "] [1, " + by +
              "] : tensor<" + count + "x$T> into $Y\n");
    }
    for (int64_t m : {1, 4})
      add(n, m, n + m, "  %y = tensor.concat dim(1) %x, %u : ($X, $U) -> $Y\n");
    // Shifts around the end.
    std::string rest = std::to_string(n - 1);
    add(n, 1, n,
        "  %a = tensor.extract_slice %x[0, 1] [2, " + rest + "] [1, 1] : $X to tensor<2x" + rest +
            "x$T>\n  %b = tensor.extract_slice %x[0, 0] [2, 1] [1, 1] : $X to tensor<2x1x$T>\n" +
            "  %y = tensor.concat dim(1) %a, %b : (tensor<2x" + rest +
            "x$T>, tensor<2x1x$T>) -> $Y\n");
    for (auto [low, high] : {std::pair(0, 2), std::pair(1, 0), std::pair(3, 1)})
      add(n, 1, n + low + high,
          "  %c = arith.constant $F\n  %y = tensor.pad %x low[0, " + std::to_string(low) +
              "] high[0, " + std::to_string(high) +
              "] {\n  ^bb0(%j: index, %k: index):\n    tensor.yield %c : $T\n  } : $X to $Y\n");
    // A value that is known at run time only.
    add(n, 1, n + 3,
        "  %o = arith.constant 0 : index\n  %c = tensor.extract %u[%o, %o] : $U\n  %y = tensor.pad "
        "%x low[0, 2] high[0, 1] {\n  ^bb0(%j: index, %k: index):\n    tensor.yield %c : $T\n  } "
        ": $X to $Y\n");
    // Running sums and maxima, from the first row or from the last.
    for (const char *kind : {"$A", "$M"})
      for (bool isReverse : {false, true}) {
        std::string padded = std::to_string(2 * n - 1), count = std::to_string(n);
        std::string in = "tensor<2x" + padded + "x$T>", window = "tensor<" + count + "x$T>";
        std::string low = isReverse ? "0" : rest, high = isReverse ? rest : "0";
        std::string neutral = std::string(kind) + "N";
        add(n, 1, n,
            "  %c = arith.constant " + neutral + "\n  %p = tensor.pad %x low[0, " + low +
                "] high[0, " + high +
                "] {\n  ^bb0(%j: index, %k: index):\n    tensor.yield %c : $T\n  } : $X to " + in +
                "\n  %e = tensor.empty() : $Y\n  %z = linalg.fill ins(%c : $T) outs(%e : $Y) -> "
                "$Y\n  %w = tensor.empty() : " +
                window +
                "\n  %y = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i + j)>, "
                "affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = "
                "[\"parallel\", \"parallel\", \"reduction\"]} ins(%p, %w : " +
                in + ", " + window +
                ") outs(%z : $Y) {\n  ^bb0(%s: $T, %t: $T, %r: $T):\n    %v = arith." + kind +
                " %r, %s : $T\n    linalg.yield %v : $T\n  } -> $Y\n");
        // The same by a mask.
        add(n, 1, n,
            "  %c = arith.constant " + neutral +
                "\n  %e = tensor.empty() : $Y\n  %z = linalg.fill ins(%c : $T) outs(%e : $Y) -> "
                "$Y\n  %y = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, j)>, "
                "affine_map<(b, i, j) -> (b, i)>], iterator_types = [\"parallel\", "
                "\"parallel\", \"reduction\"]} ins(%x : $X) outs(%z : $Y) {\n"
                "  ^bb0(%s: $T, %r: $T):\n    %p = linalg.index 1 : index\n"
                "    %q = linalg.index 2 : index\n    %m = arith.cmpi " +
                (isReverse ? "ule" : "uge") +
                ", %p, %q : index\n    %k = arith.select %m, %s, %c : $T\n    %v = arith." + kind +
                " %r, %k : $T\n    linalg.yield %v : $T\n  } -> $Y\n");
      }
    // y[b, i] = x[b, n - 1 - i]
    add(n, 1, n,
        "  %e = tensor.empty() : $Y\n  %y = linalg.generic {indexing_maps = [affine_map<(b, i) -> "
        "(b, " +
            rest +
            " - i)>, affine_map<(b, i) -> (b, i)>], iterator_types = [\"parallel\", "
            "\"parallel\"]} ins(%x : $X) outs(%e : $Y) {\n  ^bb0(%p: $T, %q: $T):\n    "
            "linalg.yield %p : $T\n  } -> $Y\n");
  }
  return programs;
}

/// Runs the programs for all ways to cut what they are on.
TEST_F(Window, Ops) {
  unsigned type = 0;
  for (const Program &program : makePrograms())
    for (const MeshShardings &mesh : kMeshes)
      for (const char *x : mesh.dims)
        for (const char *u : mesh.dims)
          for (const char *y : mesh.dims) {
            if (!takes(23))
              continue;
            ++type;
            const ElementType &one = kTypes[type % std::size(kTypes)];
            const char *element = one.name, *fill = one.fill;
            auto typeOf = [&](int64_t rows) {
              return "tensor<2x" + std::to_string(rows) + "x" + element + ">";
            };
            std::string text = "tp.mesh @mesh <" + std::string(mesh.mesh) +
                               ">\nfunc.func @f(%x: $X {tp.sharding = #tp.sharding<[_, " + x +
                               "]>}, %u: $U {tp.sharding = #tp.sharding<[_, " + u +
                               "]>}, %i: index) -> ($Y {tp.sharding = #tp.sharding<[_, " + y +
                               "]>}) {\n" + program.text + "  return %y : $Y\n}\n";
            text = replaceAll(text, "$X", typeOf(program.n));
            text = replaceAll(text, "$U", typeOf(program.m));
            text = replaceAll(text, "$Y", typeOf(program.rows));
            text = replaceAll(text, "$T", element);
            text = replaceAll(text, "$F", fill);
            text = replaceAll(text, "$AN", one.zero);
            text = replaceAll(text, "$MN", one.lowest);
            text = replaceAll(text, "$A", one.add);
            text = replaceAll(text, "$M", one.max);
            EXPECT_EQ(check(text), "");
          }
}

/// One-dimensional convolutions and pooling of `$X` rows, padded or not, with
/// steps and gaps.
TEST_F(Window, Convolutions) {
  for (const MeshShardings &mesh : kMeshes)
    for (const char *x : mesh.dims)
      for (const char *y : mesh.dims)
        for (int64_t n : {5, 8})
          for (int64_t stride : {1, 2, 3})
            for (int64_t dilation : {1, 2})
              for (int64_t pad : {0, 1, 3})
                for (bool isPooling : {false, true}) {
                  if (!takes(23))
                    continue;
                  int64_t reach = 2 * dilation + 1, padded = n + 2 * pad;
                  int64_t rows = (padded - reach) / stride + 1;
                  auto typeOf = [](int64_t count, int64_t channels) {
                    return "tensor<2x" + std::to_string(count) + "x" + std::to_string(channels) +
                           "xf32>";
                  };
                  std::string attributes = " {dilations = dense<" + std::to_string(dilation) +
                                           "> : tensor<1xi64>, strides = dense<" +
                                           std::to_string(stride) + "> : tensor<1xi64>}";
                  int64_t channels = isPooling ? 2 : 3;
                  std::string out = typeOf(rows, channels), in = typeOf(padded, 2);
                  std::string text =
                      "tp.mesh @mesh <" + std::string(mesh.mesh) +
                      ">\nfunc.func @f(%x: " + typeOf(n, 2) + " {tp.sharding = #tp.sharding<[_, " +
                      x + ", _]>}, %k: tensor<3x2x3xf32>) -> (" + out +
                      " {tp.sharding = #tp.sharding<[_, " + y +
                      ", _]>}) {\n  %z = arith.constant 0.0 : f32\n  %p = tensor.pad %x low[0, " +
                      std::to_string(pad) + ", 0] high[0, " + std::to_string(pad) +
                      ", 0] {\n  ^bb0(%a: index, %b: index, %c: index):\n    tensor.yield %z : "
                      "f32\n  } : " +
                      typeOf(n, 2) + " to " + in + "\n  %e = tensor.empty() : " + out +
                      "\n  %o = linalg.fill ins(%z : f32) outs(%e : " + out + ") -> " + out + "\n";
                  if (isPooling)
                    text += "  %w = tensor.empty() : tensor<3xf32>\n  %y = linalg.pooling_nwc_max" +
                            attributes + " ins(%p, %w : " + in +
                            ", tensor<3xf32>) outs(%o : " + out + ") -> " + out + "\n";
                  else
                    text += "  %y = linalg.conv_1d_nwc_wcf" + attributes + " ins(%p, %k : " + in +
                            ", tensor<3x2x3xf32>) outs(%o : " + out + ") -> " + out + "\n";
                  EXPECT_EQ(check(text + "  return %y : " + out + "\n}\n"), "");
                }
}

//===----------------------------------------------------------------------===//
// What moves
//===----------------------------------------------------------------------===//

/// A function of one large value, so that bytes count more than messages.
std::string onLarge(StringRef arguments, StringRef result, StringRef body) {
  return ("tp.mesh @mesh <\"a\"=4>\nfunc.func @f(" + arguments + ") -> (" + result + ") {\n" +
          body + "}\n")
      .str();
}

TEST_F(Window, HaloIsTwoPermutesOfOneRow) {
  EXPECT_EQ(check(onLarge("%x: tensor<1x64x2048xf32> {tp.sharding = #tp.sharding<[_, a, _]>}",
                          "tensor<1x64x2048xf32> {tp.sharding = #tp.sharding<[_, a, _]>}", R"(
  %z = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<1x64x2048xf32> to tensor<1x66x2048xf32>
  %e = tensor.empty() : tensor<1x64x2048xf32>
  %o = linalg.fill ins(%z : f32) outs(%e : tensor<1x64x2048xf32>) -> tensor<1x64x2048xf32>
  %w = tensor.empty() : tensor<3xf32>
  %y = linalg.pooling_nwc_max ins(%p, %w : tensor<1x66x2048xf32>, tensor<3xf32>)
      outs(%o : tensor<1x64x2048xf32>) -> tensor<1x64x2048xf32>
  return %y : tensor<1x64x2048xf32>
)")),
            "");
  EXPECT_EQ(collectives, 2);
  EXPECT_EQ(elements, 2048);
}

TEST_F(Window, SliceOfOneBlockIsOneBroadcast) {
  EXPECT_EQ(check(onLarge("%x: tensor<64x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}",
                          "tensor<2x8192xf32> {tp.sharding = #tp.sharding<[]>}",
                          "  %y = tensor.extract_slice %x[18, 0] [2, 8192] [1, 1] : "
                          "tensor<64x8192xf32> to tensor<2x8192xf32>\n  return %y : "
                          "tensor<2x8192xf32>\n")),
            "");
  EXPECT_EQ(collectives, 1);
  EXPECT_EQ(elements, 2 * 8192);
}

TEST_F(Window, RollMovesOnlyWhatCrosses) {
  EXPECT_EQ(check(onLarge("%x: tensor<64x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}",
                          "tensor<64x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}", R"(
  %a = tensor.extract_slice %x[62, 0] [2, 8192] [1, 1] : tensor<64x8192xf32> to tensor<2x8192xf32>
  %b = tensor.extract_slice %x[0, 0] [62, 8192] [1, 1] : tensor<64x8192xf32> to tensor<62x8192xf32>
  %y = tensor.concat dim(0) %a, %b : (tensor<2x8192xf32>, tensor<62x8192xf32>) -> tensor<64x8192xf32>
  return %y : tensor<64x8192xf32>
)")),
            "");
  EXPECT_EQ(collectives, 2);
  EXPECT_EQ(elements, 2 * 8192);
}

TEST_F(Window, UnevenReverseIsPermutes) {
  EXPECT_EQ(check(onLarge("%x: tensor<62x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}",
                          "tensor<62x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}", R"(
  %e = tensor.empty() : tensor<62x8192xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (61 - i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<62x8192xf32>) outs(%e : tensor<62x8192xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  } -> tensor<62x8192xf32>
  return %y : tensor<62x8192xf32>
)")),
            "");
  // Of 16, 16, 16 and 14 rows, 14 come from the rank across and 2 from its neighbour.
  EXPECT_EQ(collectives, 2);
  EXPECT_EQ(elements, 14 * 8192);
}

TEST_F(Window, InsertionInStepsMovesWhatIsNotInPlace) {
  auto insert = [](StringRef rows, StringRef at) {
    return onLarge(("%x: tensor<64x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}, %u: tensor<" +
                    rows + "x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}")
                       .str(),
                   "tensor<64x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}",
                   ("  %y = tensor.insert_slice %u into %x[" + at + "] : tensor<" + rows +
                    "x8192xf32> into tensor<64x8192xf32>\n  return %y : tensor<64x8192xf32>\n")
                       .str());
  };
  EXPECT_EQ(check(insert("32", "1, 0] [32, 8192] [2, 1")), "");
  EXPECT_EQ(collectives, 0);
  EXPECT_EQ(check(insert("20", "6, 0] [20, 8192] [3, 1")), "");
  // Blocks of 5 rows, of which 4, 5, 5 and 6 are written in.
  EXPECT_EQ(collectives, 1);
  EXPECT_EQ(elements, 8192);
}

TEST_F(Window, InsertionInStepsMayDropDimensions) {
  auto insert = [](StringRef rows, StringRef at) {
    return onLarge(("%x: tensor<64x2x4096xf32> {tp.sharding = #tp.sharding<[a, _, _]>}, %u: "
                    "tensor<" +
                    rows + "x4096xf32> {tp.sharding = #tp.sharding<[a, _]>}")
                       .str(),
                   "tensor<64x2x4096xf32> {tp.sharding = #tp.sharding<[a, _, _]>}",
                   ("  %y = tensor.insert_slice %u into %x[" + at + "] : tensor<" + rows +
                    "x4096xf32> into tensor<64x2x4096xf32>\n"
                    "  return %y : tensor<64x2x4096xf32>\n")
                       .str());
  };
  EXPECT_EQ(check(insert("32", "1, 1, 0] [32, 1, 4096] [2, 1, 1")), "");
  EXPECT_EQ(collectives, 0);
  EXPECT_EQ(check(insert("20", "6, 0, 0] [20, 1, 4096] [3, 1, 1")), "");
  // As above.
  EXPECT_EQ(collectives, 1);
  EXPECT_EQ(elements, 4096);
}

TEST_F(Window, ComputedPaddingMovesRowsOnly) {
  EXPECT_EQ(check(onLarge("%x: tensor<62x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}, "
                          "%s: tensor<f32>",
                          "tensor<64x8192xf32> {tp.sharding = #tp.sharding<[a, _]>}", R"(
  %c = tensor.extract %s[] : tensor<f32>
  %y = tensor.pad %x low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<62x8192xf32> to tensor<64x8192xf32>
  return %y : tensor<64x8192xf32>
)")),
            "");
  EXPECT_EQ(collectives, 1);
  EXPECT_EQ(elements, 2 * 8192);
}

TEST_F(Window, RunningSumSendsARowPerRank) {
  EXPECT_EQ(check(onLarge("%x: tensor<62x1024xf32> {tp.sharding = #tp.sharding<[a, _]>}",
                          "tensor<62x1024xf32> {tp.sharding = #tp.sharding<[a, _]>}", R"(
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[61, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<62x1024xf32> to tensor<123x1024xf32>
  %e = tensor.empty() : tensor<62x1024xf32>
  %o = linalg.fill ins(%z : f32) outs(%e : tensor<62x1024xf32>) -> tensor<62x1024xf32>
  %w = tensor.empty() : tensor<62xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i + k, j)>, affine_map<(i, j, k) -> (k)>,
                                        affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<123x1024xf32>, tensor<62xf32>) outs(%o : tensor<62x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<62x1024xf32>
  return %y : tensor<62x1024xf32>
)")),
            "");
  EXPECT_EQ(collectives, 1);
  EXPECT_EQ(elements, 4 * 1024);
}

TEST_F(Window, OffsetAtRunTimeMovesTheWindow) {
  EXPECT_EQ(check(onLarge("%x: tensor<64x128xf32> {tp.sharding = #tp.sharding<[a, _]>}, %i: index",
                          "tensor<3x128xf32> {tp.sharding = #tp.sharding<[]>}",
                          "  %y = tensor.extract_slice %x[%i, 0] [3, 128] [1, 1] : "
                          "tensor<64x128xf32> to tensor<3x128xf32>\n  return %y : "
                          "tensor<3x128xf32>\n")),
            "");
  EXPECT_EQ(collectives, 1);
  EXPECT_EQ(elements, 3 * 128);
  EXPECT_EQ(check(onLarge("%x: tensor<64x128xf32> {tp.sharding = #tp.sharding<[a, _]>}, "
                          "%u: tensor<3x128xf32> {tp.sharding = #tp.sharding<[]>}, %i: index",
                          "tensor<64x128xf32> {tp.sharding = #tp.sharding<[a, _]>}",
                          "  %y = tensor.insert_slice %u into %x[%i, 0] [3, 128] [1, 1] : "
                          "tensor<3x128xf32> into tensor<64x128xf32>\n  return %y : "
                          "tensor<64x128xf32>\n")),
            "");
  EXPECT_EQ(collectives, 0);
}

} // namespace
