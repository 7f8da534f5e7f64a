//===- ExpandMath.cpp - Mathematical functions as arithmetic ---------------===//
//
// A call of the C library in a loop keeps the loop scalar, several times slower
// than memory. The functions that transformers use all the time are written out
// as polynomials in f32, which the vectorizer takes; narrower floats are widened
// first. What is rare, or would lose accuracy (sines of large angles), is left.
//
// A conversion to f16 or bf16 rounds once, to nearest, ties to even, also where the
// processor or the compiler's library does it in two steps or not at all.
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

bool isNarrowFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// Functions of f16 and bf16 are computed in f32 and rounded once.
struct WidenMathOp : public RewritePattern {
  explicit WidenMathOp(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/10, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa<math::MathDialect>(op->getDialect()) || op->getNumResults() != 1)
      return failure();
    Type type = op->getResult(0).getType();
    if (!isNarrowFloat(type))
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
          isNarrowFloat(operand.getType())
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

Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

Value constantInt(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(
      builder, loc,
      isa<ShapedType>(type)
          ? TypedAttr(SplatElementsAttr::get(cast<ShapedType>(type),
                                             IntegerAttr::get(getElementTypeOrSelf(type), value)))
          : TypedAttr(IntegerAttr::get(type, value)));
}

/// f64 -> f16 and bf16 by f32, rounded to odd: where it is not exact, of the two
/// neighbours the one with an odd last bit, which keeps the second rounding right
/// (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved
/// algorithms using rounding to odd", 2008).
struct RoundOnce : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    if (!getElementTypeOrSelf(x).isF64() || !isNarrowFloat(op.getType()) ||
        op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
            arith::RoundingMode::to_nearest_even)
      return failure();
    Location loc = op.getLoc();
    Type f32 = withElement(x.getType(), rewriter.getF32Type());
    Type i32 = withElement(x.getType(), rewriter.getI32Type());
    Value near = arith::TruncFOp::create(rewriter, loc, f32, x);
    Value back = arith::ExtFOp::create(rewriter, loc, x.getType(), near);
    Value size = math::AbsFOp::create(rewriter, loc, x);
    Value backSize = math::AbsFOp::create(rewriter, loc, back);
    auto compare = [&](arith::CmpFPredicate predicate) -> Value {
      return arith::CmpFOp::create(rewriter, loc, predicate, backSize, size);
    };
    Value zero = constantInt(rewriter, loc, i32, 0), one = constantInt(rewriter, loc, i32, 1);
    Value minusOne = constantInt(rewriter, loc, i32, -1);
    Value down =
        arith::SelectOp::create(rewriter, loc, compare(arith::CmpFPredicate::OGT), minusOne, zero);
    Value step =
        arith::SelectOp::create(rewriter, loc, compare(arith::CmpFPredicate::OLT), one, down);
    Value bits = arith::BitcastOp::create(rewriter, loc, i32, near);
    Value last = arith::AndIOp::create(rewriter, loc, bits, one);
    Value isEven = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, last, zero);
    // Bits of floats of one sign are in the order of their magnitudes.
    Value stepped = arith::AddIOp::create(rewriter, loc, bits, step);
    Value odd = arith::SelectOp::create(rewriter, loc, isEven, stepped, bits);
    Value rounded = arith::BitcastOp::create(rewriter, loc, f32, odd);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), rounded);
    return success();
  }
};

/// Integers -> bf16 by f64, in which one of up to 53 bits is exact; of a wider one
/// the last bits are merged into one, as rounding to odd does. (To f16, f32 does
/// between: what it does not hold is beyond f16.)
template <typename OpTy> struct RoundIntegerOnce : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    Type element = getElementTypeOrSelf(x);
    unsigned width = element.getIntOrFloatBitWidth();
    if (!getElementTypeOrSelf(op.getType()).isBF16() || width <= 24 || width > 64)
      return failure();
    Location loc = op.getLoc();
    Type type = x.getType();
    if (width > 53) {
      constexpr int64_t kLast = 1 << 11;
      Value zero = constantInt(rewriter, loc, type, 0);
      Value mask = constantInt(rewriter, loc, type, kLast - 1);
      Value last = arith::AndIOp::create(rewriter, loc, x, mask);
      Value isExact = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, last, zero);
      Value rest = arith::SubIOp::create(rewriter, loc, x, last);
      Value marked =
          arith::OrIOp::create(rewriter, loc, rest, constantInt(rewriter, loc, type, kLast));
      Value merged = arith::SelectOp::create(rewriter, loc, isExact, x, marked);
      // Only of numbers of which f64 does not hold all bits.
      constexpr int64_t kExact = int64_t(1) << 53;
      Value isSmall;
      if (std::is_same_v<OpTy, arith::UIToFPOp>) {
        isSmall = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ule, x,
                                        constantInt(rewriter, loc, type, kExact));
      } else {
        Value moved =
            arith::AddIOp::create(rewriter, loc, x, constantInt(rewriter, loc, type, kExact));
        isSmall = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ule, moved,
                                        constantInt(rewriter, loc, type, 2 * kExact));
      }
      x = arith::SelectOp::create(rewriter, loc, isSmall, x, merged);
    }
    Type f64 = withElement(type, rewriter.getF64Type());
    Value wide = OpTy::create(rewriter, loc, f64, x);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), wide);
    return success();
  }
};

/// LLVM has no clamp.
struct ClampOp : public OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op, PatternRewriter &rewriter) const override {
    Value low = arith::MaximumFOp::create(rewriter, op.getLoc(), op.getValue(), op.getMin(),
                                          op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, low, op.getMax(), op.getFastmath());
    return success();
  }
};

/// LLVM's optimizer ends by a signal where vectors meet its intrinsic of two results.
struct SeparateSincos : public OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SincosOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value sine = math::SinOp::create(rewriter, loc, op.getOperand(), op.getFastmath());
    Value cosine = math::CosOp::create(rewriter, loc, op.getOperand(), op.getFastmath());
    rewriter.replaceOp(op, {sine, cosine});
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
    patterns.add<WidenMathOp, ClampOp, SeparateSincos, ClassifyOp<math::IsInfOp>,
                 ClassifyOp<math::IsNormalOp>, RoundOnce, RoundIntegerOnce<arith::SIToFPOp>,
                 RoundIntegerOnce<arith::UIToFPOp>>(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, isVectorized);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
