//===- InlineCalls.cpp -----------------------------------------------------===//

#include "InlineCalls.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tp;

/// The first call in the module, or null.
static func::CallOp findCall(ModuleOp module) {
  func::CallOp found;
  module.walk([&](func::CallOp call) {
    found = call;
    return WalkResult::interrupt();
  });
  return found;
}

/// Whether the function calls itself, directly or through others.
static bool isRecursive(func::FuncOp function, SymbolTable &symbols) {
  SmallVector<func::FuncOp> open = {function};
  SmallPtrSet<Operation *, 8> seen;
  while (!open.empty()) {
    WalkResult result = open.pop_back_val().walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee == function)
        return WalkResult::interrupt();
      if (callee && seen.insert(callee).second)
        open.push_back(callee);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return true;
  }
  return false;
}

namespace {
/// How many ops functions are once all calls are inlined.
class InlinedSizes {
public:
  explicit InlinedSizes(ModuleOp module) : symbols(module) {}

  /// Saturates; a call of a function that is being counted is one op.
  uint64_t of(func::FuncOp function) {
    auto [it, isNew] = sizes.try_emplace(function, 1);
    if (!isNew)
      return it->second;
    uint64_t size = 0;
    function.getBody().walk([&](Operation *op) {
      auto call = dyn_cast<func::CallOp>(op);
      auto callee = call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
      size = llvm::SaturatingAdd<uint64_t>(size, callee ? of(callee) : 1);
    });
    return sizes[function] = size;
  }

private:
  SymbolTable symbols;
  DenseMap<Operation *, uint64_t> sizes;
};
} // namespace

/// Says why a call could not be inlined.
static void rejectCall(func::CallOp call, SymbolTable &symbols) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || callee.isDeclaration())
    call.emitError() << "calls @" << call.getCallee()
                     << ", which has no body: external functions cannot be partitioned";
  else if (isRecursive(callee, symbols))
    call.emitError() << "call of @" << call.getCallee()
                     << " is recursive: recursion is not supported";
  else {
    InFlightDiagnostic diagnostic = call.emitError()
                                    << "call of @" << call.getCallee() << " cannot be inlined";
    callee.walk([&](Operation *op) {
      Dialect *dialect = op->getDialect();
      if (dialect && dialect->getRegisteredInterface<DialectInlinerInterface>())
        return WalkResult::advance();
      diagnostic.attachNote(op->getLoc()) << "'" << op->getName() << "' may not be moved";
      return WalkResult::interrupt();
    });
  }
}

LogicalResult tp::inlineCalls(ModuleOp module,
                              llvm::function_ref<LogicalResult(OpPassManager &)> runPipeline) {
  if (!findCall(module))
    return success();
  constexpr uint64_t kMaxOps = 4'000'000;
  InlinedSizes sizes(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (uint64_t size = sizes.of(function); function.isPublic() && size > kMaxOps)
      return function.emitError() << "@" << function.getName() << " has " << size
                                  << " ops once its calls are inlined, at most " << kMaxOps
                                  << " can be partitioned: write what it repeats as loops";
  OpPassManager inliner(ModuleOp::getOperationName());
  inliner.addPass(createInlinerPass(llvm::StringMap<OpPassManager>(), [](OpPassManager &) {}));
  if (failed(runPipeline(inliner)))
    return failure();
  func::CallOp left = findCall(module);
  if (!left)
    return success();
  SymbolTable symbols(module);
  rejectCall(left, symbols);
  return failure();
}
