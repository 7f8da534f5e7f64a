//===- ReshardTest.cpp - Every reshard of small values ---------------------===//
//
// All pairs of shardings of rank <= 3 on small meshes, at sizes that divide and
// that do not: the emitted collectives run in the reference interpreter, with
// poisoned padding, and must rebuild the same global value; what they send is
// compared with what each rank lacks.
//
// The default run takes every n-th pair of rank 3; with TP_TEST_ALL in the
// environment all of them.
//
//===----------------------------------------------------------------------===//

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "tp/Analysis/ReshardPath.h"
#include "tp/Interpreter/Interpreter.h"
#include "tp/Transforms/LocalOps.h"
#include "llvm/Support/Format.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace mlir;
using namespace mlir::tp;

namespace {

MLIRContext &getContext() {
  static MLIRContext *context = [] {
    auto *c = new MLIRContext(MLIRContext::Threading::DISABLED);
    c->loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                   tensor::TensorDialect, TPDialect, comm::CommDialect>();
    return c;
  }();
  return *context;
}

Mesh makeMesh(std::initializer_list<std::pair<const char *, int64_t>> axes) {
  Mesh mesh;
  for (auto [name, size] : axes) {
    mesh.names.push_back(name);
    mesh.sizes.push_back(size);
  }
  return mesh;
}

Sharding parse(llvm::StringRef text, const Mesh &mesh, unsigned rank) {
  std::string error;
  ShardingAttr attr = parseSharding(text, &getContext(), error);
  EXPECT_TRUE(attr) << error;
  return getSharding(attr, mesh, rank);
}

/// Moves that a path makes, for tests that know it.
std::string describe(const ReshardPath &path) {
  std::string text;
  for (const ReshardStep &step : path.steps)
    text += (text.empty() ? "" : ", ") + stringifyReshardMove(step.move).str();
  return text;
}

/// One emitted reshard.
struct Emitted {
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  PaddingFact fact;
  int64_t messages = 0;
  int64_t bytes = 0;
};

CollectiveKind getKind(Operation *op) {
  if (isa<comm::AllGatherOp>(op))
    return CollectiveKind::AllGather;
  if (isa<comm::ReduceScatterOp>(op))
    return CollectiveKind::ReduceScatter;
  if (isa<comm::AllReduceOp>(op))
    return CollectiveKind::AllReduce;
  return isa<comm::AllToAllOp>(op) ? CollectiveKind::AllToAll : CollectiveKind::Permute;
}

Emitted emit(RankedTensorType type, const Mesh &mesh, const Sharding &from, const Sharding &to,
             PaddingFact fact, const Hardware &hardware = {}) {
  OpBuilder builder(&getContext());
  Location loc = builder.getUnknownLoc();
  Emitted result;
  result.module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToStart(result.module->getBody());
  SmallVector<StringRef> names(mesh.names.begin(), mesh.names.end());
  MeshOp::create(builder, loc, "mesh", builder.getStrArrayAttr(names), mesh.sizes);
  auto fromType = type.clone(from.localShape(type.getShape()));
  auto toType = type.clone(to.localShape(type.getShape()));
  result.function =
      func::FuncOp::create(builder, loc, "f", builder.getFunctionType(fromType, toType));
  builder.setInsertionPointToStart(result.function.addEntryBlock());
  result.fact = fact;
  Value value = emitReshard(builder, loc, result.function.getArgument(0), type, mesh, from, to,
                            result.fact, builder.getStringAttr("test"), hardware);
  EXPECT_EQ(value.getType(), toType);
  func::ReturnOp::create(builder, loc, value);
  EXPECT_TRUE(succeeded(verify(*result.module)));
  result.function.walk([&](Operation *op) {
    if (!comm::isCollective(op))
      return;
    EXPECT_EQ(op->getAttrOfType<StringAttr>("reason").getValue(), "test");
    auto input = cast<RankedTensorType>(op->getOperand(0).getType());
    auto output = cast<RankedTensorType>(op->getResult(0).getType());
    auto axes = op->getAttrOfType<ArrayAttr>("axes");
    int64_t k = comm::getGroupSize(comm::getAxisParts(axes, mesh));
    ++result.messages;
    result.bytes +=
        bytesPerRank(getKind(op), k, std::max(input.getNumElements(), output.getNumElements()),
                     getElementBytes(type.getElementType()));
  });
  return result;
}

/// Numbers small enough that sums are exact.
interp::Tensor makeValue(ArrayRef<int64_t> shape, Type elementType, std::mt19937 &random) {
  interp::Tensor tensor(shape, elementType);
  for (interp::Element &element : tensor.mutate()) {
    int64_t number = static_cast<int64_t>(random() % 199) - 99;
    element = isa<FloatType>(elementType) ? interp::Element::ofFloat(number)
                                          : interp::Element::ofInt(number);
  }
  return tensor;
}

/// What each device holds of a random value: under partial axes every device has
/// a share of its own, the same where the partial coordinates are.
std::vector<interp::Tensor> makeLocals(RankedTensorType type, const Mesh &mesh,
                                       const Sharding &sharding, PaddingFact fact,
                                       std::mt19937 &random) {
  Sharding blocks = sharding.withoutPartial();
  std::map<std::vector<int64_t>, interp::Tensor> shares;
  std::vector<interp::Tensor> locals;
  TypedAttr fill = fact.getFill(type.getElementType());
  for (int64_t device = 0; device < mesh.numDevices(); ++device) {
    std::vector<int64_t> coordinates;
    for (const PartialAxis &partial : sharding.partial)
      coordinates.push_back(partial.part.coordinate(mesh, device));
    auto [it, isNew] = shares.try_emplace(coordinates);
    if (isNew)
      it->second = makeValue(type.getShape(), type.getElementType(), random);
    interp::Tensor local = interp::shard(it->second, blocks, mesh, device, interp::Padding::Poison);
    if (fill) {
      SmallVector<ShardBlock> held = blocks.blocks(mesh, type.getShape(), device);
      MutableArrayRef<interp::Element> elements = local.mutate();
      (void)interp::forEachIndex(local.getShape(), [&](ArrayRef<int64_t> index) {
        if (llvm::any_of(llvm::zip_equal(index, held),
                         [](auto p) { return std::get<0>(p) >= std::get<1>(p).size; }))
          elements[local.linearize(index)] = interp::fromAttribute(type.getElementType(), fill);
        return success();
      });
    }
    locals.push_back(std::move(local));
  }
  return locals;
}

/// Runs the reshard and checks values, replicas and the padding that it promises.
::testing::AssertionResult check(RankedTensorType type, const Mesh &mesh, const Sharding &from,
                                 const Sharding &to, PaddingFact fact, std::mt19937 &random,
                                 Emitted &emitted, const Hardware &hardware = {}) {
  auto fail = [&] {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << type << ": " << toString(from, mesh) << " -> " << toString(to, mesh) << '\n'
       << *emitted.module;
    return ::testing::AssertionFailure() << text;
  };
  emitted = emit(type, mesh, from, to, fact, hardware);
  std::vector<interp::Tensor> locals = makeLocals(type, mesh, from, fact, random);
  auto report = [] { return emitError(UnknownLoc::get(&getContext())); };
  FailureOr<interp::Tensor> expected = interp::unshard(locals, from, mesh, type.getShape(), report);
  if (failed(expected))
    return fail() << "the source is no value";
  std::vector<std::vector<interp::Tensor>> arguments;
  for (interp::Tensor &local : locals)
    arguments.push_back({local});
  interp::InterpreterOptions options;
  options.mesh = mesh;
  options.poison = true;
  auto results = interp::interpret(emitted.function, arguments, options);
  if (failed(results))
    return fail() << "does not run";
  std::vector<interp::Tensor> after;
  for (auto &values : *results)
    after.push_back(values[0]);
  FailureOr<interp::Tensor> found = interp::unshard(after, to, mesh, type.getShape(), report);
  if (failed(found))
    return fail() << "replicas differ";
  if (*found != *expected)
    return fail() << "another value";
  TypedAttr fill = emitted.fact.getFill(type.getElementType());
  if (!fill)
    return ::testing::AssertionSuccess();
  interp::Element element = interp::fromAttribute(type.getElementType(), fill);
  for (size_t device = 0; device < after.size(); ++device) {
    const interp::Tensor &local = after[device];
    SmallVector<ShardBlock> held = to.blocks(mesh, type.getShape(), device);
    LogicalResult same = interp::forEachIndex(local.getShape(), [&](ArrayRef<int64_t> index) {
      bool padding = llvm::any_of(llvm::zip_equal(index, held),
                                  [](auto p) { return std::get<0>(p) >= std::get<1>(p).size; });
      return success(!padding || interp::isSame(type.getElementType(), local.at(index), element));
    });
    if (failed(same))
      return fail() << "padding of rank " << device << " is not as promised";
  }
  return ::testing::AssertionSuccess();
}

//===----------------------------------------------------------------------===//
// Paths that are known
//===----------------------------------------------------------------------===//

struct KnownPath {
  const char *from, *to, *moves;
  int64_t bytes;
};

void expectPaths(const Mesh &mesh, ArrayRef<int64_t> shape, ArrayRef<KnownPath> paths) {
  for (const KnownPath &known : paths) {
    ReshardPath path = findReshardPath(mesh, shape, 4, parse(known.from, mesh, shape.size()),
                                       parse(known.to, mesh, shape.size()), Hardware());
    EXPECT_EQ(describe(path), known.moves) << known.from << " -> " << known.to;
    EXPECT_EQ(path.bytes, known.bytes) << known.from << " -> " << known.to;
  }
}

TEST(ReshardPath, OneAxis) {
  expectPaths(makeMesh({{"x", 4}}), {16, 16},
              {{"[_, _]", "[_, _]", "", 0},
               {"[x, _]", "[x, _]", "", 0},
               {"[_, _]", "[x, _]", "slice", 0},
               {"[_, _]", "[_, _] sum(x)", "mask", 0},
               {"[x, _]", "[_, _]", "all-gather", 768},
               {"[_, _] sum(x)", "[_, _]", "all-reduce", 1536},
               {"[_, _] sum(x)", "[_, x]", "reduce-scatter", 768},
               {"[x, _]", "[_, x]", "all-to-all", 192},
               {"[x, _]", "[x*8, _]", "re-block", 512},
               {"[_, _] sum(x)", "[_, _] max(x)", "all-reduce, mask", 1536}});
}

TEST(ReshardPath, TwoAxes) {
  expectPaths(makeMesh({{"x", 2}, {"y", 2}}), {16, 16},
              {{"[(x, y), _]", "[_, _]", "all-gather", 768},
               {"[(x, y), _]", "[x, _]", "all-gather", 256},
               {"[(x, y), _]", "[(y, x), _]", "permute", 256},
               {"[x, _]", "[y, _]", "permute", 512},
               {"[x, y]", "[y, x]", "permute", 256},
               {"[_, _] sum(x, y)", "[_, _]", "all-reduce", 1536},
               {"[_, _] sum(x)", "[y, _] sum(x)", "slice", 0},
               {"[_, _] sum(x)", "[y, _]", "slice, all-reduce", 512},
               {"[_, _] sum(x, y)", "[(x, y), _]", "reduce-scatter", 768},
               {"[x, _]", "[(x, y), _]", "slice", 0}});
}

// The trap of XLA's partitioner: no rank may gather the value.
TEST(ReshardPath, NeverReplicatesOnTheWay) {
  Mesh mesh = makeMesh({{"x", 4}, {"y", 2}});
  ReshardPath path = findReshardPath(mesh, {16, 16, 16}, 4, parse("[y, _, x]", mesh, 3),
                                     parse("[_, (x, y), _]", mesh, 3), Hardware());
  EXPECT_EQ(describe(path), "all-to-all");
  EXPECT_EQ(path.bytes, 512 * 4 * 7 / 8);
}

TEST(ReshardPath, SubAxesMeetWholeAxes) {
  Mesh mesh = makeMesh({{"x", 4}});
  expectPaths(mesh, {16},
              {{"[x]", "[(x:(1)2, x:(2)2)]", "", 0},
               {"[x]", "[x:(1)2]", "all-gather", 16},
               {"[x:(1)2]", "[x]", "slice", 0}});
  // 7 over 4 is 2, 2, 2, 1; over 2 and 2 it is 4 = 2 + 2 and 3 = 2 + 1: the same.
  expectPaths(mesh, {7}, {{"[x]", "[(x:(1)2, x:(2)2)]", "", 0}});
  // 5 over 4 is 2, 2, 1, 0; over 2 and 2 it is 3 = 2 + 1 and 2 = 1 + 1.
  expectPaths(mesh, {5}, {{"[x]", "[(x:(1)2, x:(2)2)]", "re-block", 4}});
}

TEST(ReshardPath, Scalars) {
  expectPaths(makeMesh({{"x", 2}}), {},
              {{"[] sum(x)", "[]", "all-reduce", 4}, {"[]", "[] max(x)", "mask", 0}});
}

TEST(ReshardPath, AxesOfOneRankAreNothing) {
  expectPaths(makeMesh({{"x", 1}, {"y", 2}}), {8},
              {{"[x]", "[_]", "", 0}, {"[_] sum(x)", "[x]", "", 0}});
}

TEST(ReshardPath, CostsAreRemembered) {
  Mesh mesh = makeMesh({{"x", 4}});
  Hardware hardware;
  ReshardCosts costs(mesh, hardware);
  Sharding cut = parse("[x]", mesh, 1), whole = parse("[_]", mesh, 1);
  double expected = hardware.microseconds(1, 3 * 1024);
  EXPECT_DOUBLE_EQ(costs.cost({1024}, 4, cut, whole), expected);
  EXPECT_DOUBLE_EQ(costs.cost({1024}, 4, cut, whole), expected);
  EXPECT_DOUBLE_EQ(costs.cost({1024}, 4, whole, cut), 0);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Every way to use these parts: each cuts a dimension (in every order), is
/// partial by one of the kinds, or is not used.
void forEachUse(ArrayRef<AxisPart> parts, unsigned rank, ArrayRef<ReductionKind> kinds,
                Sharding &sharding, llvm::function_ref<void(const Sharding &)> visit) {
  if (parts.empty())
    return visit(sharding);
  const AxisPart &part = parts.front();
  ArrayRef<AxisPart> rest = parts.drop_front();
  forEachUse(rest, rank, kinds, sharding, visit);
  for (unsigned d = 0; d < rank; ++d)
    for (unsigned at = 0; at <= sharding.dims[d].cuts.size(); ++at) {
      auto &cuts = sharding.dims[d].cuts;
      cuts.insert(cuts.begin() + at, Cut{part, 1});
      forEachUse(rest, rank, kinds, sharding, visit);
      cuts.erase(cuts.begin() + at);
    }
  for (ReductionKind kind : kinds) {
    Sharding partial = sharding;
    partial.addPartial(kind, part);
    forEachUse(rest, rank, kinds, partial, visit);
  }
}

std::vector<Sharding> getShardings(const Mesh &mesh, unsigned rank, bool subAxes) {
  SmallVector<SmallVector<AxisPart>> choices(1);
  for (unsigned axis = 0; axis < mesh.numAxes(); ++axis)
    choices[0].push_back({axis, 1, mesh.sizes[axis]});
  if (subAxes)
    choices.push_back({{0, 1, 2}, {0, 2, mesh.sizes[0] / 2}});
  std::vector<Sharding> shardings;
  for (ArrayRef<AxisPart> parts : choices) {
    Sharding start(rank);
    forEachUse(parts, rank, {ReductionKind::Sum, ReductionKind::Max}, start,
               [&](const Sharding &s) {
                 if (!llvm::is_contained(shardings, s))
                   shardings.push_back(s);
                 // The first dimension in units of two elements as well.
                 if (rank > 0 && !s.dims[0].cuts.empty()) {
                   Sharding coarse = s;
                   coarse.dims[0].cuts.front().granule = 2;
                   shardings.push_back(coarse);
                 }
               });
  }
  return shardings;
}

/// Bytes that the rank that lacks most must get, for values that are not partial.
int64_t getLackingBytes(const Mesh &mesh, ArrayRef<int64_t> shape, const Sharding &from,
                        const Sharding &to) {
  int64_t most = 0;
  for (int64_t device = 0; device < mesh.numDevices(); ++device) {
    int64_t wanted = 1, there = 1;
    for (auto [a, b] :
         llvm::zip_equal(from.blocks(mesh, shape, device), to.blocks(mesh, shape, device))) {
      int64_t begin = std::max(a.offset, b.offset);
      int64_t end = std::min(a.offset + a.size, b.offset + b.size);
      wanted *= b.size;
      there *= std::max<int64_t>(end - begin, 0);
    }
    most = std::max(most, wanted - there);
  }
  return most * 4;
}

struct Tally {
  int64_t pairs = 0, most = 0;
  double sum = 0, worst = 0;
};

class AllPairs : public ::testing::TestWithParam<std::tuple<const char *, Mesh, bool>> {};

TEST_P(AllPairs, SameValueAndFewBytes) {
  auto [name, mesh, subAxes] = GetParam();
  bool all = std::getenv("TP_TEST_ALL");
  Type f32 = Float32Type::get(&getContext());
  std::mt19937 random(1);
  const PaddingFact facts[] = {PaddingFact::undefined(), PaddingFact::zero(),
                               PaddingFact::neutral(ReductionKind::Max)};
  std::map<std::string, Tally> tallies;
  int64_t checked = 0;
  for (unsigned rank = 0; rank <= 3; ++rank) {
    std::vector<Sharding> shardings = getShardings(mesh, rank, subAxes);
    SmallVector<SmallVector<int64_t>> shapes(1);
    for (unsigned d = 0; d < rank; ++d) {
      SmallVector<SmallVector<int64_t>> longer;
      for (const auto &shape : shapes)
        for (int64_t n : {5, 6, 7, 8}) {
          longer.push_back(shape);
          longer.back().push_back(n);
        }
      shapes = longer;
    }
    int64_t pairs = shardings.size() * shardings.size() * shapes.size();
    int64_t stride = 1;
    // A stride without small factors meets all shapes and shardings.
    while (!all && (pairs / stride > 4000 || stride % 2 == 0 || stride % 3 == 0 || stride % 5 == 0))
      ++stride;
    for (int64_t i = 0; i < pairs; i += stride) {
      ArrayRef<int64_t> shape = shapes[i % shapes.size()];
      const Sharding &from = shardings[i / shapes.size() % shardings.size()];
      const Sharding &to = shardings[i / shapes.size() / shardings.size()];
      auto type = RankedTensorType::get(shape, f32);
      Emitted emitted;
      ASSERT_TRUE(check(type, mesh, from, to, facts[checked % 3], random, emitted));
      ++checked;
      ReshardPath path = findReshardPath(mesh, shape, 4, from, to, Hardware());
      ASSERT_EQ(path.bytes, emitted.bytes) << toString(from, mesh) << " -> " << toString(to, mesh);
      ASSERT_EQ(path.messages, emitted.messages);
      if (from.isPartial() || to.isPartial())
        continue;
      int64_t bound = getLackingBytes(mesh, shape, from, to);
      std::string reason = "as much as a rank lacks";
      if (path.bytes > bound) {
        reason = from.isEven(shape) && to.isEven(shape) ? "" : "padded blocks, ";
        reason += describe(path);
      }
      ASSERT_GE(path.bytes, bound) << toString(from, mesh) << " -> " << toString(to, mesh);
      Tally &tally = tallies[reason];
      double ratio = bound ? static_cast<double>(path.bytes) / bound : 1;
      ++tally.pairs;
      tally.sum += ratio;
      tally.worst = std::max(tally.worst, ratio);
    }
  }
  llvm::outs() << "mesh " << name << ": " << checked << " reshards run\n"
               << llvm::format("%8s %6s %6s  %s\n", "pairs", "mean", "worst",
                               "bytes sent / bytes lacking, neither side partial");
  for (auto &[reason, tally] : tallies)
    llvm::outs() << llvm::format("%8lld %6.2f %6.2f  %s\n", static_cast<long long>(tally.pairs),
                                 tally.sum / tally.pairs, tally.worst, reason.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    Reshard, AllPairs,
    ::testing::Values(std::make_tuple("2", makeMesh({{"x", 2}}), false),
                      std::make_tuple("4", makeMesh({{"x", 4}}), true),
                      std::make_tuple("2x2", makeMesh({{"x", 2}, {"y", 2}}), false),
                      std::make_tuple("2x3", makeMesh({{"x", 2}, {"y", 3}}), false)),
    [](const auto &info) { return std::string("mesh_") + std::get<0>(info.param); });

} // namespace
