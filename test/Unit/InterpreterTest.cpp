//===- InterpreterTest.cpp - Host values, and shards of them ---------------===//

#include "tp/Interpreter/Interpreter.h"
#include "dialects/TP/TP.h"
#include "tp/Interpreter/Shards.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

namespace {

class Interpreter : public ::testing::Test {
protected:
  Sharding parse(llvm::StringRef text, const Mesh &mesh, unsigned rank) {
    std::string error;
    ShardingAttr attr = parseSharding(text, &context, error);
    EXPECT_TRUE(attr) << error;
    return getSharding(attr, mesh, rank);
  }

  Type f32() { return Float32Type::get(&context); }
  Type i32() { return IntegerType::get(&context, 32); }

  Tensor iota(llvm::ArrayRef<int64_t> shape, Type type) {
    Tensor tensor(shape, type);
    for (auto [i, slot] : llvm::enumerate(tensor.mutate())) {
      if (isa<FloatType>(type))
        slot.f = static_cast<double>(i) + 1;
      else
        slot.i = wrapTo(type, static_cast<int64_t>(i) + 1);
    }
    return tensor;
  }

  std::string text(const Tensor &tensor) {
    std::string result;
    llvm::raw_string_ostream os(result);
    os << tensor;
    return result;
  }

  /// Unshards; the one error, if there is one, goes to `message`.
  FailureOr<Tensor> collect(llvm::ArrayRef<Tensor> locals, const Sharding &sharding,
                            const Mesh &mesh, llvm::ArrayRef<int64_t> shape) {
    message.clear();
    ScopedDiagnosticHandler handler(&context,
                                    [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
    return unshard(locals, sharding, mesh, shape,
                   [&] { return emitError(UnknownLoc::get(&context)); });
  }

  /// The one error of running the first function of `program`.
  std::string run(llvm::StringRef program, llvm::ArrayRef<Tensor> arguments) {
    message.clear();
    context.loadDialect<func::FuncDialect>();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
    ScopedDiagnosticHandler handler(&context,
                                    [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
    auto entry = *module->getOps<func::FuncOp>().begin();
    EXPECT_TRUE(failed(interpret(entry, {arguments.vec()}, {})));
    return message;
  }

  MLIRContext context;
  std::string message;
};

Mesh makeMesh(std::initializer_list<std::pair<const char *, int64_t>> axes) {
  Mesh mesh;
  for (auto [name, size] : axes) {
    mesh.names.push_back(name);
    mesh.sizes.push_back(size);
  }
  return mesh;
}

TEST_F(Interpreter, CopiesShareUntilWritten) {
  Tensor a = iota({2, 2}, f32()), b = a;
  EXPECT_EQ(a.getElements().data(), b.getElements().data());
  b.mutate()[3].f = 9;
  EXPECT_EQ(text(a), "[[1, 2], [3, 4]]");
  EXPECT_EQ(text(b), "[[1, 2], [3, 9]]");
}

TEST_F(Interpreter, BytesRoundTrip) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  double infinity = std::numeric_limits<double>::infinity();
  for (Type type : {f32(), Type(Float64Type::get(&context)), Type(Float16Type::get(&context)),
                    Type(BFloat16Type::get(&context))}) {
    Tensor tensor({6}, type);
    const double values[] = {0.0, -0.0, 1.0 / 3, -65504.0, infinity, nan};
    for (auto [slot, value] : llvm::zip_equal(tensor.mutate(), values))
      slot.f = roundTo(cast<FloatType>(type), value);
    std::vector<char> bytes = tensor.toBytes();
    EXPECT_EQ(bytes.size(), 6u * type.getIntOrFloatBitWidth() / 8);
    EXPECT_EQ(Tensor::fromBytes({6}, type, bytes), tensor);
  }
  for (unsigned width : {1, 8, 16, 32, 64}) {
    Type type = IntegerType::get(&context, width);
    Tensor tensor({3}, type);
    const int64_t values[] = {1, -1, 0};
    for (auto [slot, value] : llvm::zip_equal(tensor.mutate(), values))
      slot.i = wrapTo(type, value);
    EXPECT_EQ(Tensor::fromBytes({3}, type, tensor.toBytes()), tensor);
    EXPECT_EQ(tensor.toBytes().size(), 3u * std::max(width / 8, 1u));
  }
  // 1.5 in bf16 is 0x3FC0, little-endian.
  Tensor half({1}, BFloat16Type::get(&context), Element::ofFloat(1.5));
  EXPECT_EQ(half.toBytes(), (std::vector<char>{char(0xC0), 0x3F}));
}

TEST_F(Interpreter, IntegersWrap) {
  Type i8 = IntegerType::get(&context, 8), i1 = IntegerType::get(&context, 1);
  EXPECT_EQ(wrapTo(i8, 200), -56);
  EXPECT_EQ(zeroExtend(i8, -56), 200u);
  EXPECT_EQ(wrapTo(i1, -1), 1);
  EXPECT_EQ(combine(ReductionKind::MaxU, i8, Element::ofInt(-1), Element::ofInt(5)).i, -1);
  // As a signed number, an i1 of 1 is -1.
  EXPECT_EQ(combine(ReductionKind::Max, i1, Element::ofInt(1), Element::ofInt(0)).i, 0);
  EXPECT_EQ(combine(ReductionKind::Or, i1, Element::ofInt(1), Element::ofInt(0)).i, 1);
}

TEST_F(Interpreter, NeutralElements) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (unsigned i = 0; i <= getMaxEnumValForReductionKind(); ++i) {
    auto kind = static_cast<ReductionKind>(i);
    bool isFloatOnly = kind == ReductionKind::MaxNum || kind == ReductionKind::MinNum;
    bool isIntOnly = kind == ReductionKind::MaxU || kind == ReductionKind::MinU ||
                     kind == ReductionKind::And || kind == ReductionKind::Or ||
                     kind == ReductionKind::Xor;
    if (!isIntOnly)
      for (double value : {2.5, -2.5, 0.0, nan}) {
        Element element = Element::ofFloat(value);
        EXPECT_TRUE(isSame(f32(), combine(kind, f32(), getNeutral(kind, f32()), element), element))
            << stringifyReductionKind(kind).str() << " " << value;
      }
    for (unsigned width : {1, 8, 64}) {
      Type type = IntegerType::get(&context, width);
      for (int64_t value : {0, 1, -7}) {
        Element element = Element::ofInt(wrapTo(type, value));
        if (!isFloatOnly) {
          EXPECT_EQ(combine(kind, type, getNeutral(kind, type), element).i, element.i)
              << stringifyReductionKind(kind).str() << " i" << width << " " << value;
        }
      }
    }
  }
}

TEST_F(Interpreter, UnevenBlocksHavePadding) {
  Mesh mesh = makeMesh({{"tp", 3}});
  Tensor global = iota({4, 2}, i32());
  Sharding rows = parse("[tp, _]", mesh, 2);
  EXPECT_EQ(text(shard(global, rows, mesh, 0)), "[[1, 2], [3, 4]]");
  EXPECT_EQ(text(shard(global, rows, mesh, 1)), "[[5, 6], [7, 8]]");
  EXPECT_EQ(text(shard(global, rows, mesh, 2)), "[[0, 0], [0, 0]]");
  Tensor floats = iota({3}, f32());
  Mesh two = makeMesh({{"tp", 2}});
  EXPECT_EQ(text(shard(floats, parse("[tp]", two, 1), two, 1, Padding::Poison)), "[3, nan]");
}

TEST_F(Interpreter, PartialIsValueAndNeutral) {
  Mesh mesh = makeMesh({{"x", 2}, {"y", 2}});
  Tensor global = iota({2}, f32());
  std::vector<Tensor> locals = shardAll(global, parse("[_] sum(x) max(y)", mesh, 1), mesh);
  EXPECT_EQ(text(locals[0]), "[1, 2]");
  EXPECT_EQ(text(locals[1]), "[-inf, -inf]");
  EXPECT_EQ(text(locals[2]), "[0, 0]");
  EXPECT_EQ(text(locals[3]), "[0, 0]");
}

TEST_F(Interpreter, PartialIsReducedInRankOrder) {
  // In f32, (2^24 + 1) + 1 stays 2^24, and 1 + 1 + 2^24 does not.
  Mesh mesh = makeMesh({{"x", 3}});
  Sharding sum = parse("[_] sum(x)", mesh, 1);
  auto value = [&](double x) { return Tensor({1}, f32(), Element::ofFloat(x)); };
  FailureOr<Tensor> big = collect({value(16777216), value(1), value(1)}, sum, mesh, {1});
  FailureOr<Tensor> small = collect({value(1), value(1), value(16777216)}, sum, mesh, {1});
  ASSERT_TRUE(succeeded(big) && succeeded(small));
  EXPECT_EQ((*big)[0].f, 16777216);
  EXPECT_EQ((*small)[0].f, 16777218);
}

TEST_F(Interpreter, ReplicasMustAgree) {
  Mesh mesh = makeMesh({{"x", 2}, {"y", 2}});
  Sharding rows = parse("[x, _]", mesh, 2);
  std::vector<Tensor> locals = shardAll(iota({3, 2}, f32()), rows, mesh);
  ASSERT_TRUE(succeeded(collect(locals, rows, mesh, {3, 2})));
  // Devices 2 and 3 hold row 2; their second row is padding and may differ.
  locals[3].mutate()[3].f = 77;
  ASSERT_TRUE(succeeded(collect(locals, rows, mesh, {3, 2})));
  locals[3].mutate()[1].f = 99;
  EXPECT_TRUE(failed(collect(locals, rows, mesh, {3, 2})));
  EXPECT_EQ(message, "replicas differ at index [2, 1]: rank 2 holds 6, rank 3 holds 99");
  // Signs of zero are bits; NaN is NaN.
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (auto [a, b, same] : {std::tuple(0.0, -0.0, false), std::tuple(nan, -nan, true)}) {
    Mesh pair = makeMesh({{"x", 2}});
    std::vector<Tensor> zeros = {Tensor({1}, f32(), Element::ofFloat(a)),
                                 Tensor({1}, f32(), Element::ofFloat(b))};
    EXPECT_EQ(succeeded(collect(zeros, parse("[_]", pair, 1), pair, {1})), same);
  }
}

TEST_F(Interpreter, LocalShapesAreChecked) {
  Mesh mesh = makeMesh({{"x", 2}});
  std::vector<Tensor> locals(2, iota({3}, f32()));
  EXPECT_TRUE(failed(collect(locals, parse("[x]", mesh, 1), mesh, {4})));
  EXPECT_EQ(message, "rank 0 holds [3] where the sharding gives [2]");
}

TEST_F(Interpreter, GroupsAreRowMajorInTheOrderListed) {
  Mesh mesh = makeMesh({{"a", 2}, {"b", 4}});
  AxisPart a{0, 1, 2}, b{1, 1, 4}, major{1, 1, 2}, minor{1, 2, 2};
  EXPECT_EQ(getGroup({a}, mesh, 6), (SmallVector<int64_t>{2, 6}));
  EXPECT_EQ(getGroup({b}, mesh, 6), (SmallVector<int64_t>{4, 5, 6, 7}));
  EXPECT_EQ(getGroup({major}, mesh, 7), (SmallVector<int64_t>{5, 7}));
  EXPECT_EQ(getGroup({minor}, mesh, 7), (SmallVector<int64_t>{6, 7}));
  EXPECT_EQ(getGroup({minor, a}, mesh, 0), (SmallVector<int64_t>{0, 4, 1, 5}));
  EXPECT_EQ(getGroup({}, mesh, 3), (SmallVector<int64_t>{3}));
}

TEST_F(Interpreter, ArgumentsFitTheEntry) {
  llvm::StringRef program = "func.func @f(%x: tensor<4xf32>) {\n  return\n}";
  EXPECT_EQ(run("func.func private @g()", {}), "function 'g' has no body");
  EXPECT_EQ(run(program, {}), "function 'f' takes 1 arguments, found 0");
  EXPECT_EQ(run(program, {iota({5}, f32())}),
            "argument 0 of 'f' is 'tensor<4xf32>', found a value of 'tensor<5xf32>'");
}

/// Whatever the sharding, cutting and putting together is the identity.
TEST_F(Interpreter, ShardThenUnshard) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  const ReductionKind kinds[] = {ReductionKind::Sum, ReductionKind::Max, ReductionKind::Min,
                                 ReductionKind::Mul};
  for (int trial = 0; trial < 500; ++trial) {
    Mesh mesh = makeMesh({{"a", pick(1, 3)}, {"b", pick(1, 3)}, {"c", 4}});
    SmallVector<AxisPart> parts = {
        {0, 1, mesh.sizes[0]}, {1, 1, mesh.sizes[1]}, {2, 1, 2}, {2, 2, 2}};
    std::shuffle(parts.begin(), parts.end(), random);
    SmallVector<int64_t> shape;
    for (int64_t d = 0, rank = pick(0, 3); d < rank; ++d)
      shape.push_back(pick(0, 7));
    Sharding sharding(shape.size());
    for (const AxisPart &part : parts) {
      int64_t use = pick(-2, static_cast<int64_t>(shape.size()) - 1);
      if (use >= 0)
        sharding.dims[use].cuts.push_back({part, pick(1, 2)});
      else if (use == -1)
        sharding.addPartial(kinds[pick(0, 3)], part);
    }
    for (Type type : {f32(), i32(), Type(BFloat16Type::get(&context))}) {
      Tensor global = iota(shape, type);
      std::vector<Tensor> locals = shardAll(global, sharding, mesh, Padding::Poison);
      FailureOr<Tensor> back = collect(locals, sharding, mesh, shape);
      ASSERT_TRUE(succeeded(back)) << toString(sharding, mesh) << ": " << message;
      EXPECT_EQ(*back, global) << toString(sharding, mesh);
    }
  }
}

} // namespace
