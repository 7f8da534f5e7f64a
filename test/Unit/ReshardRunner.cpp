//===- ReshardRunner.cpp ---------------------------------------------------===//

#include "ReshardRunner.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "tp/Transforms/LocalOps.h"

#include <map>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

MLIRContext &tp::test::getContext() {
  static MLIRContext *context = [] {
    auto *c = new MLIRContext(MLIRContext::Threading::DISABLED);
    c->loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                   tensor::TensorDialect, TPDialect, comm::CommDialect>();
    return c;
  }();
  return *context;
}

Mesh tp::test::makeMesh(std::initializer_list<std::pair<const char *, int64_t>> axes) {
  Mesh mesh;
  for (auto [name, size] : axes) {
    mesh.names.push_back(name);
    mesh.sizes.push_back(size);
  }
  return mesh;
}

Sharding tp::test::parse(llvm::StringRef text, const Mesh &mesh, unsigned rank) {
  std::string error;
  ShardingAttr attr = parseSharding(text, &getContext(), error);
  EXPECT_TRUE(attr) << error;
  return getSharding(attr, mesh, rank);
}

std::string tp::test::describe(const ReshardPath &path) {
  std::string text;
  for (const ReshardStep &step : path.steps)
    text += (text.empty() ? "" : ", ") + stringifyReshardMove(step.move).str();
  return text;
}

static CollectiveKind getKind(Operation *op) {
  if (isa<comm::AllGatherOp>(op))
    return CollectiveKind::AllGather;
  if (isa<comm::ReduceScatterOp>(op))
    return CollectiveKind::ReduceScatter;
  if (isa<comm::AllReduceOp>(op))
    return CollectiveKind::AllReduce;
  return isa<comm::AllToAllOp>(op) ? CollectiveKind::AllToAll : CollectiveKind::Permute;
}

static Emitted emit(RankedTensorType type, const Mesh &mesh, const Sharding &from,
                    const Sharding &to, PaddingFact fact, const Hardware &hardware) {
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
static interp::Tensor makeValue(ArrayRef<int64_t> shape, Type elementType, std::mt19937 &random) {
  interp::Tensor tensor(shape, elementType);
  for (interp::Element &element : tensor.mutate()) {
    int64_t number = static_cast<int64_t>(random() % 199) - 99;
    element = isa<FloatType>(elementType)
                  ? interp::Element::ofFloat(number)
                  : interp::Element::ofInt(interp::wrapTo(elementType, number));
  }
  return tensor;
}

/// What each device holds of a random value: under partial axes every device has
/// a share of its own, the same where the partial coordinates are.
static std::vector<interp::Tensor> makeLocals(RankedTensorType type, const Mesh &mesh,
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

::testing::AssertionResult tp::test::check(RankedTensorType type, const Mesh &mesh,
                                           const Sharding &from, const Sharding &to,
                                           PaddingFact fact, std::mt19937 &random, Emitted &emitted,
                                           const Hardware &hardware) {
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

Sharding tp::test::makeSharding(const Mesh &mesh, unsigned rank, Type elementType,
                                std::mt19937 &random) {
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  SmallVector<AxisPart> parts;
  for (unsigned axis = 0; axis < mesh.numAxes(); ++axis) {
    int64_t size = mesh.sizes[axis];
    if (size % 2 == 0 && size > 2 && pick(0, 1)) {
      parts.push_back({axis, 1, 2});
      parts.push_back({axis, 2, size / 2});
    } else {
      parts.push_back({axis, 1, size});
    }
  }
  std::shuffle(parts.begin(), parts.end(), random);
  SmallVector<ReductionKind> kinds = {ReductionKind::Max, ReductionKind::Min};
  if (isa<FloatType>(elementType))
    kinds.append({ReductionKind::Sum, ReductionKind::MaxNum});
  else
    kinds.append({ReductionKind::Sum, ReductionKind::Xor, ReductionKind::MinU});
  Sharding sharding(rank);
  for (const AxisPart &part : parts) {
    int64_t use = pick(-2, rank);
    if (use == -1)
      sharding.addPartial(kinds[pick(0, kinds.size() - 1)], part);
    else if (use >= 0 && use < rank)
      sharding.dims[use].cuts.push_back({part, pick(1, 3)});
  }
  return sharding;
}
