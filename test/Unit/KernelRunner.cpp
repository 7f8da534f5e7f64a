//===- KernelRunner.cpp - Compiles and calls one function ------------------===//

#include "KernelRunner.h"

#include "dialects/NN/NN.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tp/Driver/Registration.h"
#include "tp/Target/CPU.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

/// Direct calls instead of workers.
static unsigned callKernels(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](rt::ParallelForOp op) {
    OpBuilder b(op);
    int64_t range = op.getRange(), grain = op.getGrain();
    SmallVector<std::pair<int64_t, int64_t>> chunks;
    for (int64_t begin = 0, units = 1; begin < range; ++units) {
      int64_t end = std::min(begin + units * grain, range);
      chunks.emplace_back(begin, end);
      begin = end;
    }
    for (auto [begin, end] : llvm::reverse(chunks)) {
      SmallVector<Value> operands = {arith::ConstantIndexOp::create(b, op.getLoc(), begin),
                                     arith::ConstantIndexOp::create(b, op.getLoc(), end)};
      llvm::append_range(operands, op.getArguments());
      func::CallOp::create(b, op.getLoc(), op.getKernel(), TypeRange(), operands);
    }
    op.erase();
    ++count;
  });
  return count;
}

/// Buffers of tests are small, and nobody frees them otherwise.
static void moveBuffersToStack(ModuleOp module) {
  module.walk([](memref::AllocOp op) {
    OpBuilder b(op);
    auto stack = memref::AllocaOp::create(b, op.getLoc(), op.getType(), op.getAlignmentAttr());
    op.replaceAllUsesWith(stack.getResult());
    op.erase();
  });
}

static LogicalResult runPasses(ModuleOp module, StringRef pipeline) {
  PassManager manager(module.getContext());
  if (failed(parsePassPipeline(pipeline, manager)))
    return failure();
  return manager.run(module);
}

static void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerEverything(registry);
  });
}

std::unique_ptr<KernelRunner> KernelRunner::compile(StringRef text, Lowering lowering,
                                                    int64_t vectorBits) {
  initialize();
  std::unique_ptr<KernelRunner> runner(new KernelRunner);
  DialectRegistry registry;
  registerDialects(registry);
  registerAllToLLVMIRTranslations(registry);
  runner->context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, runner->context.get());
  if (!module)
    return nullptr;
  bool kernels = lowering == Lowering::Kernels;
  std::string first = kernels ? "tp-select-kernels,tp-decompose-nn," : "tp-decompose-nn,";
  first += "convert-elementwise-to-linalg,tp-fuse-elementwise,one-shot-bufferize{bufferize-"
           "function-boundaries=1 "
           "function-boundary-type-conversion=identity-layout-map}";
  if (kernels)
    first += ",tp-convert-to-kernels{vector-bits=" + std::to_string(vectorBits) +
             " bf16-dot=" + (vectorBits == 512 && getCPUVectors({}).bf16Dot ? "1" : "0") + "}";
  if (failed(runPasses(*module, first)))
    return nullptr;
  runner->kernelCalls = callKernels(*module);
  moveBuffersToStack(*module);

  if (failed(runPasses(*module, "convert-linalg-to-loops,canonicalize,cse")))
    return nullptr;
  RewritePatternSet patterns(runner->context.get());
  populateMathPolynomialApproximationPatterns(
      patterns, [](StringRef name) { return name == math::ExpOp::getOperationName(); });
  if (failed(applyPatternsGreedily(*module, std::move(patterns))))
    return nullptr;
  if (failed(runPasses(
          *module, "convert-vector-to-scf,lower-affine,convert-scf-to-cf,expand-strided-metadata,"
                   "lower-affine,convert-math-to-llvm,convert-math-to-libm,"
                   "convert-vector-to-llvm{enable-x86vector},"
                   "finalize-memref-to-llvm,convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},"
                   "convert-arith-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,"
                   "reconcile-unrealized-casts")))
    return nullptr;

  auto machineBuilder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machineBuilder) {
    llvm::consumeError(machineBuilder.takeError());
    return nullptr;
  }
  auto machine = machineBuilder->createTargetMachine();
  if (!machine) {
    llvm::consumeError(machine.takeError());
    return nullptr;
  }
  auto optimize = makeOptimizingTransformer(3, 0, machine->get());
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  auto engine = ExecutionEngine::create(*module, options, std::move(*machine));
  if (!engine) {
    llvm::consumeError(engine.takeError());
    return nullptr;
  }
  runner->engine = std::move(*engine);
  return runner;
}

void KernelRunner::run(std::vector<void *> buffers) {
  SmallVector<void *> arguments;
  for (void *&buffer : buffers)
    arguments.push_back(&buffer);
  if (llvm::Error error = engine->invokePacked("f", arguments))
    llvm::report_fatal_error(std::move(error));
}
