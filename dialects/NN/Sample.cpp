//===- Sample.cpp - nn.sample ----------------------------------------------===//
//
// The definition compares each token of a row with each other one, so that it needs no
// order: it is short, and takes the square of the vocabulary. Devices have a kernel; on
// processors the runtime samples (runtime/core/Sampling.h).
//
//===----------------------------------------------------------------------===//

#include "dialects/NN/NN.h"
#include "dialects/TP/LinalgBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::nn;

static Type getElement(MLIRContext *context, StringRef name) {
  return name == "f64" ? Type(Float64Type::get(context)) : Type(IntegerType::get(context, 64));
}

Type nn::getRowType(Type matrix, StringRef element) {
  auto type = dyn_cast<RankedTensorType>(matrix);
  if (!type || type.getRank() != 2)
    return matrix;
  return RankedTensorType::get(type.getShape().take_front(),
                               getElement(matrix.getContext(), element));
}

Type nn::getOneType(Type any, StringRef element) {
  return RankedTensorType::get({}, getElement(any.getContext(), element));
}

LogicalResult SampleOp::verify() {
  if (shapeOf(getLogits())[1] == 0)
    return emitOpError("needs at least one token, found ") << getLogits().getType();
  return success();
}

namespace {

/// Writes the steps of the definition; loops are rows, tokens and the tokens that each is
/// compared with.
class Definition {
public:
  Definition(SampleOp op, OpBuilder &builder)
      : op(op), b(op.getLoc(), builder), shape(shapeOf(op.getLogits())), f64(b.getF64Type()),
        i64(b.getI64Type()) {}

  Value write() {
    Value logits = op.getLogits(), one = b.real(f64, 1.0);
    Value largest =
        reduce(logits, b.lowest(b.getF32Type()), [](LinalgBuilder &n, Value sum, Value x) -> Value {
          return arith::MaximumFOp::create(n, sum, x);
        });
    Value weights =
        each({logits, largest, op.getTemperature()}, {all, row, none}, [&](auto &n, auto args) {
          Value below = arith::SubFOp::create(n, n.convert(args[0], f64), n.convert(args[1], f64));
          Value exponent = arith::DivFOp::create(n, below, args[2]);
          Value isLargest = compare(n, arith::CmpFPredicate::OEQ, below, n.real(f64, 0.0));
          return select(n, isLargest, one, math::ExpOp::create(n, exponent));
        });
    // Of the first top_k.
    Value places = sumBefore(each({logits}, {all}, [&](auto &, auto) { return one; }));
    weights = each({weights, places, op.getTopK()}, {all, all, none}, [&](auto &n, auto args) {
      Value count = arith::SIToFPOp::create(n, f64, args[2]);
      Value isFirst = compare(n, arith::CmpFPredicate::OLT, args[1], count);
      Value takesAll = compare(n, arith::CmpFPredicate::OLE, count, n.real(f64, 0.0));
      return keep(n, arith::OrIOp::create(n, isFirst, takesAll), args[0]);
    });
    // Of those that begin the first top_p of the weight.
    weights = each({weights, sumBefore(weights), sum(weights), op.getTopP()}, {all, all, row, none},
                   [&](auto &n, auto args) {
                     Value wanted = arith::MulFOp::create(n, args[3], args[2]);
                     Value isFirst = compare(n, arith::CmpFPredicate::OLT, args[1], wanted);
                     Value takesAll = compare(n, arith::CmpFPredicate::OGE, args[3], one);
                     return keep(n, arith::OrIOp::create(n, isFirst, takesAll), args[0]);
                   });
    return check(pick(weights));
  }

private:
  using Step = function_ref<Value(LinalgBuilder &, ValueRange)>;

  SampleOp op;
  LinalgBuilder b;
  SmallVector<int64_t> shape;
  Type f64, i64;
  const SmallVector<unsigned> all = {0, 1}, row = {0}, none = {}, other = {0, 2};

  static Value compare(LinalgBuilder &n, arith::CmpFPredicate kind, Value x, Value y) {
    return arith::CmpFOp::create(n, kind, x, y);
  }
  static Value select(LinalgBuilder &n, Value condition, Value x, Value y) {
    return arith::SelectOp::create(n, condition, x, y);
  }
  Value keep(LinalgBuilder &n, Value condition, Value weight) {
    return select(n, condition, weight, n.real(f64, 0.0));
  }
  /// The number of the token that loop `loop` is at.
  Value tokenAt(LinalgBuilder &n, unsigned loop) {
    return arith::IndexCastOp::create(n, i64, linalg::IndexOp::create(n, loop));
  }

  /// f64 for each token.
  Value each(ValueRange inputs, ArrayRef<SmallVector<unsigned>> reads, Step step) {
    SmallVector<SmallVector<unsigned>> maps(reads);
    maps.push_back(all);
    return b.generic(2, {}, inputs, b.empty(shape, f64), maps,
                     [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                       return {step(n, args)};
                     })[0];
  }

  /// Over the tokens of a row.
  Value reduce(Value input, Value init,
               function_ref<Value(LinalgBuilder &, Value, Value)> combine) {
    return b.generic(2, {1}, input, b.filled(ArrayRef(shape).take_front(), init), {all, row},
                     [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                       return {combine(n, args[1], args[0])};
                     })[0];
  }
  Value sum(Value input) {
    return reduce(input, b.real(elementOf(input), 0.0),
                  [](LinalgBuilder &n, Value sum, Value x) -> Value {
                    return arith::AddFOp::create(n, sum, x);
                  });
  }

  /// For each token the sum of the values of those others of which `isTaken` says so.
  Value sumOthers(Value values, Step isTaken) {
    Value logits = op.getLogits();
    return b.generic(3, {2}, {logits, logits, values}, b.filled(shape, b.real(f64, 0.0)),
                     {all, other, other, all},
                     [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                       Value added = arith::AddFOp::create(n, args[3], args[2]);
                       return {select(n, isTaken(n, args), added, args[3])};
                     })[0];
  }
  /// Of those before it in the order of the logits.
  Value sumBefore(Value values) {
    return sumOthers(values, [&](LinalgBuilder &n, ValueRange args) -> Value {
      Value isLarger = compare(n, arith::CmpFPredicate::OGT, args[1], args[0]);
      Value isEqual = compare(n, arith::CmpFPredicate::OEQ, args[1], args[0]);
      Value isLower =
          arith::CmpIOp::create(n, arith::CmpIPredicate::slt, tokenAt(n, 2), tokenAt(n, 1));
      return arith::OrIOp::create(n, isLarger, arith::AndIOp::create(n, isEqual, isLower));
    });
  }

  /// The first token up to which there is more than `uniform` of the weight, or else the
  /// last one that has any.
  Value pick(Value weights) {
    Value until = sumOthers(weights, [&](LinalgBuilder &n, ValueRange) -> Value {
      return arith::CmpIOp::create(n, arith::CmpIPredicate::sle, tokenAt(n, 2), tokenAt(n, 1));
    });
    ArrayRef<int64_t> rows = ArrayRef(shape).take_front();
    auto integer = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
    };
    Value behind = integer(INT64_MAX);
    auto found = b.generic(
        2, {1}, {weights, until, sum(weights), op.getUniform()},
        {b.filled(rows, behind), b.filled(rows, integer(0))}, {all, all, row, row, row, row},
        [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
          Value target = arith::MulFOp::create(n, args[3], args[2]);
          Value hasWeight = compare(n, arith::CmpFPredicate::OGT, args[0], n.real(f64, 0.0));
          Value exceeds = compare(n, arith::CmpFPredicate::OLT, target, args[1]);
          Value token = tokenAt(n, 1);
          Value isFound = arith::AndIOp::create(n, hasWeight, exceeds);
          Value first = arith::MinSIOp::create(n, args[4], select(n, isFound, token, behind));
          Value last = arith::MaxSIOp::create(n, args[5], select(n, hasWeight, token, args[5]));
          return {first, last};
        });
    return b.generic(1, {}, {found[0], found[1]}, b.empty(rows, i64), {row, row, row},
                     [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                       Value none =
                           arith::CmpIOp::create(n, arith::CmpIPredicate::eq, args[0], behind);
                       return {select(n, none, args[1], args[0])};
                     })[0];
  }

  /// -1 where a logit is not finite: x - x is NaN for those, and 0 for others.
  Value check(Value tokens) {
    Value zero = reduce(op.getLogits(), b.real(b.getF32Type(), 0.0),
                        [](LinalgBuilder &n, Value sum, Value x) -> Value {
                          Value difference = arith::SubFOp::create(n, x, x);
                          return arith::AddFOp::create(n, sum, difference);
                        });
    return b.generic(1, {}, {tokens, zero}, b.empty(ArrayRef(shape).take_front(), i64),
                     {row, row, row}, [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                       Value isWrong = compare(n, arith::CmpFPredicate::UNO, args[1], args[1]);
                       Value wrong = arith::ConstantOp::create(n, n.getI64IntegerAttr(-1));
                       return {select(n, isWrong, wrong, args[0])};
                     })[0];
  }
};

} // namespace

FailureOr<SmallVector<Value>> SampleOp::decomposeOperation(OpBuilder &builder) {
  return SmallVector<Value>{Definition(*this, builder).write()};
}
