//===- ScalarOps.cpp - Affine ops, and which dialect has the function ------===//

#include "ScalarOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

int64_t interp::evaluate(AffineExpr expr, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return cast<AffineConstantExpr>(expr).getValue();
  case AffineExprKind::DimId:
    return dims[cast<AffineDimExpr>(expr).getPosition()];
  case AffineExprKind::SymbolId:
    return symbols[cast<AffineSymbolExpr>(expr).getPosition()];
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), dims, symbols);
  int64_t rhs = evaluate(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(lhs, rhs);
  default:
    llvm_unreachable("all kinds are handled");
  }
}

/// Values of all results of a map, combined: one result for apply. A division by
/// a symbol, which may be 0, is not supported.
static ScalarFunction onMap(AffineMap map, ReductionKind kind) {
  if (!llvm::all_of(map.getResults(), [](AffineExpr expr) { return expr.isPureAffine(); }))
    return nullptr;
  return [=](const Element *in, Element *out) -> const char * {
    SmallVector<int64_t> operands;
    for (unsigned i = 0; i < map.getNumInputs(); ++i)
      operands.push_back(in[i].i);
    ArrayRef<int64_t> dims(operands), symbols = dims.drop_front(map.getNumDims());
    out->i = evaluate(map.getResult(0), dims, symbols);
    for (AffineExpr expr : map.getResults().drop_front()) {
      int64_t value = evaluate(expr, dims, symbols);
      out->i = kind == ReductionKind::Max ? std::max(out->i, value) : std::min(out->i, value);
    }
    return nullptr;
  };
}

ScalarFunction interp::getAffineFunction(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return onMap(apply.getMap(), ReductionKind::Min);
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return onMap(min.getMap(), ReductionKind::Min);
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return onMap(max.getMap(), ReductionKind::Max);
  return nullptr;
}

ScalarFunction interp::getScalarFunction(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(), isSupportedType) ||
      !llvm::all_of(op->getResultTypes(), isSupportedType))
    return nullptr;
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) || isa<tensor::BitcastOp>(op))
    return getArithFunction(op);
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
    return getMathFunction(op);
  if (isa_and_nonnull<affine::AffineDialect>(op->getDialect()))
    return getAffineFunction(op);
  return nullptr;
}
