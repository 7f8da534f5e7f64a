//===- TestInterpret.cpp - Runs functions in the reference interpreter ----===//
//
// Runs every public function of the module and prints its results. The module's
// mesh gives the ranks (one without a mesh). Arguments are pseudo-random by their
// number and position, so that a partitioned function (with `tp.global_type` on
// arguments and results) and its original get the same global values.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "dialects/TP/TP.h"
#include "mlir/Pass/Pass.h"
#include "tp/Interpreter/Interpreter.h"
#include <random>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

namespace {

struct TestInterpretPass : PassWrapper<TestInterpretPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestInterpretPass)

  TestInterpretPass() = default;
  TestInterpretPass(const TestInterpretPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-interpret"; }
  StringRef getDescription() const override { return "run every public function and print"; }

  Option<bool> poison{*this, "poison", llvm::cl::desc("fill fresh memory with NaN")};
  Option<bool> oneRank{*this, "one-rank", llvm::cl::desc("run on one rank, whatever the mesh")};
  Option<bool> local{*this, "local", llvm::cl::desc("print what each rank holds, rebuild nothing")};
  Option<uint64_t> maxSteps{*this, "max-steps", llvm::cl::init(UINT64_MAX)};

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal() && failed(run(function)))
        return signalPassFailure();
  }

  LogicalResult run(func::FuncOp function) {
    InterpreterOptions options;
    options.poison = poison;
    options.maxSteps = maxSteps;
    if (MeshOp mesh = lookupMesh(function); mesh && !oneRank)
      options.mesh = getMesh(mesh);
    std::vector<Tensor> arguments;
    bool isPartitioned = false;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      Type type = function.getArgumentTypes()[i];
      if (auto global = function.getArgAttrOfType<TypeAttr>(i, kGlobalTypeAttr)) {
        type = global.getValue();
        isPartitioned = true;
      }
      arguments.push_back(makeArgument(i, type));
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      isPartitioned |= static_cast<bool>(function.getResultAttr(i, kGlobalTypeAttr));
    std::vector<std::vector<Tensor>> results;
    if (isPartitioned && local) {
      auto locals = interpret(function, shardArguments(function, arguments, options.mesh), options);
      if (failed(locals))
        return failure();
      results = *locals;
    } else if (isPartitioned) {
      auto globals = interpretPartitioned(function, arguments, options);
      if (failed(globals))
        return failure();
      results.push_back(*globals);
    } else {
      std::vector<std::vector<Tensor>> perRank(options.mesh.numDevices(), arguments);
      auto locals = interpret(function, perRank, options);
      if (failed(locals))
        return failure();
      results = *locals;
    }
    print(function, results);
    return success();
  }

  static std::vector<std::vector<Tensor>>
  shardArguments(func::FuncOp function, ArrayRef<Tensor> arguments, const Mesh &mesh) {
    std::vector<std::vector<Tensor>> locals(mesh.numDevices());
    for (auto [i, argument] : llvm::enumerate(arguments)) {
      auto attr = function.getArgAttrOfType<ShardingAttr>(i, kShardingAttr);
      Sharding sharding =
          attr ? tp::getSharding(attr, mesh, argument.getRank()) : Sharding(argument.getRank());
      for (auto [device, values] : llvm::enumerate(locals))
        values.push_back(shard(argument, sharding, mesh, device));
    }
    return locals;
  }

  static Tensor makeArgument(unsigned number, Type type) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    SmallVector<int64_t> shape;
    if (shaped)
      for (int64_t size : shaped.getShape())
        shape.push_back(ShapedType::isDynamic(size) ? 3 : size);
    Type element = getElementTypeOrSelf(type);
    Tensor tensor(shape, element);
    std::mt19937 random(number + 1);
    for (Element &slot : tensor.mutate()) {
      auto bits = static_cast<int64_t>(random() % 64);
      if (auto floating = dyn_cast<FloatType>(element))
        slot.f = roundTo(floating, static_cast<double>(bits - 32) / 8);
      else
        slot.i = wrapTo(element, bits % 4);
    }
    return tensor;
  }

  /// One line per result where all ranks have the same, else one per rank.
  static void print(func::FuncOp function, const std::vector<std::vector<Tensor>> &results) {
    llvm::outs() << '@' << function.getSymName() << '\n';
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      bool allSame = llvm::all_of(results, [&](const auto &r) { return r[i] == results[0][i]; });
      for (auto [rank, values] : llvm::enumerate(results)) {
        llvm::outs() << "  result " << i;
        if (!allSame)
          llvm::outs() << " on rank " << rank;
        llvm::outs() << ": " << values[i] << '\n';
        if (allSame)
          break;
      }
    }
    llvm::outs().flush();
  }
};

} // namespace

void tp::test::registerTestInterpret() { PassRegistration<TestInterpretPass>(); }
