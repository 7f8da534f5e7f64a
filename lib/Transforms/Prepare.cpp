//===- Prepare.cpp - What propagation can take -----------------------------===//

#include "tp/Transforms/Passes.h"

#include "InlineCalls.h"
#include "Sizes.h"
#include "dialects/Comm/Comm.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Interfaces/Expand.h"

namespace mlir::tp {
#define GEN_PASS_DEF_PREPAREPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// One located error for what no later phase can take.
LogicalResult checkTypes(func::FuncOp function) {
  auto check = [](Location loc, Type type, const Twine &what, const Twine &fix) -> LogicalResult {
    if (isa<UnrankedTensorType>(type))
      return emitError(loc) << "tensors without a rank are not supported, found " << type;
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (ranked && !ranked.hasStaticShape())
      return emitError(loc) << what
                            << " has a size that is not known when the program is compiled, "
                            << ranked << ": " << fix;
    if (ranked && hasTooManyElements(ranked.getShape()))
      return emitError(loc) << what << " has more than " << kMaxElements << " elements, " << ranked;
    if (isa<ComplexType>(getElementTypeOrSelf(type)))
      return emitError(loc) << "complex numbers are not supported, found " << type;
    if (isa<BaseMemRefType>(type))
      return emitError(loc) << "programs are on tensors, found " << type;
    if (isa<VectorType>(type))
      return emitError(loc) << "programs are on tensors and scalars, found " << type;
    return success();
  };
  for (BlockArgument arg : function.getArguments())
    if (std::string name = (function.getName() + ".arg" + Twine(arg.getArgNumber())).str(); failed(
            check(arg.getLoc(), arg.getType(), name, "give it by --shape " + name + "=SIZExSIZE")))
      return failure();
  WalkResult result = function.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      if (std::optional<int64_t> step = getConstantIntValue(loop.getStep()); step && *step < 1) {
        loop.emitError() << "the step of a loop must be positive, found " << *step;
        return WalkResult::interrupt();
      }
    if (isa<comm::CommDialect>(op->getDialect())) {
      op->emitError() << "'" << op->getName()
                      << "': the module is partitioned already, give the source or phase plan";
      return WalkResult::interrupt();
    }
    if (isa<func::ConstantOp, func::CallIndirectOp>(op)) {
      op->emitError() << "'" << op->getName()
                      << "': functions as values are not supported, call @NAME by func.call";
      return WalkResult::interrupt();
    }
    if (isa<arith::ScalingExtFOp, arith::ScalingTruncFOp>(op)) {
      op->emitError() << "'" << op->getName()
                      << "': floats with a scale are not supported, write the op out first "
                         "(mlir-opt --arith-expand=include-f8e8m0)";
      return WalkResult::interrupt();
    }
    if (isa<linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp,
            linalg::WinogradOutputTransformOp>(op) &&
        !isa<FloatType>(getElementTypeOrSelf(op->getOperand(0)))) {
      op->emitError() << "'" << op->getName() << "': Winograd transforms are of floats, found "
                      << op->getOperand(0).getType();
      return WalkResult::interrupt();
    }
    if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
      auto type = dyn_cast<RankedTensorType>(reshape.getType());
      SmallVector<int64_t> sizes = getKnownSizes(reshape);
      for (auto [d, size] : llvm::enumerate(sizes))
        if (type && type.hasStaticShape() && !ShapedType::isDynamic(size) &&
            size != type.getDimSize(d)) {
          op->emitError() << "'" << op->getName() << "': the shape has " << size
                          << " elements in dimension " << d << ", the result is " << type;
          return WalkResult::interrupt();
        }
    }
    for (Type type : op->getResultTypes())
      if (failed(check(op->getLoc(), type, "'" + op->getName().getStringRef() + "'",
                       "sizes may depend on sizes of arguments, not on data")))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// One located error where two inputs have one name: which is meant by it?
LogicalResult checkNames(func::FuncOp function) {
  llvm::StringMap<unsigned> inputs;
  for (BlockArgument arg : function.getArguments()) {
    unsigned i = arg.getArgNumber();
    auto kind = function.getArgAttrOfType<StringAttr>(i, kKindAttr);
    auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr);
    if (!name || (kind && kind.getValue() != "input"))
      continue;
    auto [other, isNew] = inputs.try_emplace(name.getValue(), i);
    if (!isNew)
      return emitError(arg.getLoc())
             << "arguments " << other->second << " and " << i << " of @" << function.getName()
             << " are both called " << name << ", inputs need different names";
  }
  return success();
}

/// A fill does not read its destination: it gets one of its own, so that the value
/// there and the fill can be cut apart.
void detachDestination(linalg::FillOp fill) {
  auto type = dyn_cast<RankedTensorType>(fill.getOutputs().front().getType());
  if (!type || !type.hasStaticShape() || fill.getOutputs().front().getDefiningOp<tensor::EmptyOp>())
    return;
  OpBuilder builder(fill);
  fill.getOutputsMutable().assign(
      tensor::EmptyOp::create(builder, fill.getLoc(), type.getShape(), type.getElementType()));
}

struct PreparePass : tp::impl::PreparePassBase<PreparePass> {
  using PreparePassBase::PreparePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto run = [&](OpPassManager &passes) { return runPipeline(passes, module); };
    if (failed(inlineCalls(module, run)))
      return signalPassFailure();
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (function.isPrivate()) {
        function.erase();
        continue;
      }
      if (failed(checkTypes(function)) || failed(checkNames(function)))
        return signalPassFailure();
    }
    module.walk([](linalg::FillOp fill) { detachDestination(fill); });
    for (auto function : module.getOps<func::FuncOp>())
      eraseDeadOps(function.getBody());
  }
};

} // namespace
