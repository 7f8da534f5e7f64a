//===- ExpandMath.cpp - Mathematical functions as arithmetic ---------------===//
//
// A call of the C library in a loop keeps the loop scalar, several times slower
// than memory. The functions that transformers use all the time are written out
// as polynomials in f32, which the vectorizer takes; narrower floats are widened
// first. What is rare, or would lose accuracy (sines of large angles), is left.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Functions of f16 and bf16 are computed in f32 and rounded once.
struct WidenMathOp : public RewritePattern {
  explicit WidenMathOp(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/10, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa<math::MathDialect>(op->getDialect()) || op->getNumResults() != 1)
      return failure();
    auto isNarrow = [](Type type) {
      Type element = getElementTypeOrSelf(type);
      return element.isF16() || element.isBF16();
    };
    Type type = op->getResult(0).getType();
    if (!isNarrow(type))
      return failure();
    auto widen = [&](Type narrow) -> Type {
      if (auto vector = dyn_cast<VectorType>(narrow))
        return vector.clone(rewriter.getF32Type());
      return rewriter.getF32Type();
    };
    Location loc = op->getLoc();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          isNarrow(operand.getType())
              ? arith::ExtFOp::create(rewriter, loc, widen(operand.getType()), operand).getResult()
              : operand);
    OperationState state(loc, op->getName().getStringRef(), operands, widen(type), op->getAttrs());
    Operation *wide = rewriter.create(state);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, wide->getResult(0));
    return success();
  }
};

TypedAttr constantOf(Type type, const APFloat &value) {
  auto attr = FloatAttr::get(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    return SplatElementsAttr::get(shaped, attr);
  return attr;
}

/// isinf and isnormal compare the magnitude; upstream expands neither.
template <typename OpTy> struct ClassifyOp : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
    Value magnitude = math::AbsFOp::create(rewriter, loc, op.getOperand());
    auto compare = [&](arith::CmpFPredicate predicate, const APFloat &value) {
      Value bound = arith::ConstantOp::create(rewriter, loc, constantOf(type, value));
      return arith::CmpFOp::create(rewriter, loc, predicate, magnitude, bound);
    };
    if constexpr (std::is_same_v<OpTy, math::IsInfOp>) {
      rewriter.replaceOp(op, compare(arith::CmpFPredicate::OEQ, APFloat::getInf(semantics)));
    } else {
      Value large = compare(arith::CmpFPredicate::OGE, APFloat::getSmallestNormalized(semantics));
      Value finite = compare(arith::CmpFPredicate::OLT, APFloat::getInf(semantics));
      rewriter.replaceOpWithNewOp<arith::AndIOp>(op, large, finite);
    }
    return success();
  }
};

struct ExpandMathPass : tp::impl::ExpandMathPassBase<ExpandMathPass> {
  void runOnOperation() override {
    auto isVectorized = [](StringRef name) {
      return llvm::is_contained({math::ExpOp::getOperationName(), math::LogOp::getOperationName(),
                                 math::ErfOp::getOperationName(), math::TanhOp::getOperationName()},
                                name);
    };
    RewritePatternSet patterns(&getContext());
    patterns.add<WidenMathOp, ClassifyOp<math::IsInfOp>, ClassifyOp<math::IsNormalOp>>(
        &getContext());
    populateMathPolynomialApproximationPatterns(patterns, isVectorized);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
