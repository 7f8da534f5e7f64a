//===- VerifyRT.cpp --------------------------------------------------------===//

#include "tp/Verify/Passes.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/IR/Matchers.h"

namespace mlir::tp {
#define GEN_PASS_DEF_VERIFYRTPASS
#include "tp/Verify/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

constexpr int64_t kAlignment = 64;

/// What computes with scalars and addresses, in entries and in kernels.
bool isScalarCode(Operation *op) {
  return isa<arith::ArithDialect, affine::AffineDialect, index::IndexDialect, math::MathDialect,
             memref::MemRefDialect, scf::SCFDialect, ub::UBDialect>(op->getDialect()) ||
         isa<func::ReturnOp>(op);
}

bool isVectorCode(Operation *op) {
  return isa<vector::VectorDialect, x86vector::X86VectorDialect>(op->getDialect());
}

enum class Place { Entry, Kernel, DeviceKernel };

/// Whether `op` may stand in a function of that kind beside scalar code.
bool isLegalIn(Place place, Operation *op) {
  switch (place) {
  case Place::Entry:
    return isa<rt::RTDialect>(op->getDialect()) && !isa<rt::KernelCallOp>(op);
  case Place::Kernel:
    return isVectorCode(op);
  case Place::DeviceKernel:
    return isVectorCode(op) || isa<NVVM::NVVMDialect>(op->getDialect()) ||
           isa<rt::KernelCallOp>(op);
  }
  llvm_unreachable("all kinds of function are listed");
}

LogicalResult checkOp(Operation *op, Place kind) {
  bool isEntry = kind == Place::Entry;
  StringRef place = isEntry ? "an entry" : "a kernel";
  bool isLegal = isScalarCode(op) || isLegalIn(kind, op);
  if (!isLegal || isa<memref::AllocOp, memref::DeallocOp, memref::CopyOp>(op) ||
      (isEntry && isa<memref::AllocaOp>(op)))
    return op->emitError() << "'" << op->getName() << "' is left in " << place;
  for (Value result : op->getResults()) {
    if (isa<TensorType>(result.getType()))
      return op->emitError() << "a tensor is left in " << place;
    if (isa<rt::TokenType>(result.getType()) && result.use_empty())
      return op->emitError("begins and is never waited for");
  }
  return success();
}

/// Views of the arena lie in it, at the alignment of buffers.
LogicalResult checkArena(func::FuncOp entry) {
  auto bytes = entry->getAttrOfType<IntegerAttr>(rt::kArenaBytesAttr);
  if (!bytes)
    return entry.emitError("an entry needs ") << rt::kArenaBytesAttr;
  WalkResult result = entry.walk([&](Operation *op) {
    if (auto arena = dyn_cast<rt::ArenaOp>(op)) {
      if (cast<MemRefType>(arena.getType()).getNumElements() > bytes.getInt()) {
        arena.emitError() << arena.getType() << " is more than the " << bytes.getInt()
                          << " bytes of the arena";
        return WalkResult::interrupt();
      }
    }
    auto view = dyn_cast<memref::ViewOp>(op);
    if (!view || !view.getSource().getDefiningOp<rt::ArenaOp>())
      return WalkResult::advance();
    APInt offset;
    MemRefType type = view.getType();
    int64_t size = type.getNumElements() * rt::getElementBytes(type.getElementType());
    if (!matchPattern(view.getByteShift(), m_ConstantInt(&offset)) ||
        offset.getSExtValue() % kAlignment != 0 || offset.getSExtValue() < 0 ||
        offset.getSExtValue() + size > bytes.getInt()) {
      view.emitError() << "a view of " << size << " bytes does not lie in the " << bytes.getInt()
                       << " bytes of the arena at a constant multiple of " << kAlignment;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult checkFunction(func::FuncOp function) {
  bool isEntry = function->hasAttr(rt::kEntryAttr);
  if (isEntry == function->hasAttr(rt::kKernelAttr))
    return function.emitError("a function is an entry or a kernel");
  if (function.isDeclaration())
    return function.emitError("a kernel is declared but not defined");
  if (function.getNumResults() != 0)
    return function.emitError("entries and kernels return nothing");
  Place place = isEntry                              ? Place::Entry
                : function->hasAttr(rt::kDeviceAttr) ? Place::DeviceKernel
                                                     : Place::Kernel;
  WalkResult result = function.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { return WalkResult(checkOp(op, place)); });
  if (result.wasInterrupted())
    return failure();
  return isEntry ? checkArena(function) : success();
}

struct VerifyRTPass : tp::impl::VerifyRTPassBase<VerifyRTPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(checkFunction(function)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
