//===- NarrowReductions.cpp - Round before a sum over ranks ----------------===//
//
// The default is to reduce in the type in which a contraction sums, f32, and to
// round afterwards. Rounding first halves what is sent and costs accuracy, so it
// is done on request only, and only where the sum is rounded anyway: statistics
// of norms, softmax and logits stay as they are.
//
//===----------------------------------------------------------------------===//

#include "dialects/Comm/Comm.h"
#include "dialects/TP/LinalgBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::tp {
#define GEN_PASS_DEF_NARROWREDUCTIONSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

class Narrower {
public:
  explicit Narrower(FloatType narrow) : narrow(narrow) {}

  /// Narrows `op` where it is a sum over ranks in a wider type, or counts it as kept.
  void run(Operation *op);

  unsigned narrowed = 0, kept = 0;

private:
  /// Whether the narrow type has every value of `type`.
  bool isNarrow(Type type) {
    auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return floatType &&
           APFloat::isRepresentableBy(floatType.getFloatSemantics(), narrow.getFloatSemantics());
  }

  /// Whether all that is computed from `value` elementwise ends in narrow values.
  bool isRoundedLater(Value value);

  Value convert(LinalgBuilder &builder, Value value, Type element);

  FloatType narrow;
  llvm::DenseMap<Value, bool> known;
};

bool Narrower::isRoundedLater(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  bool rounded = !value.use_empty() && llvm::all_of(value.getUsers(), [&](Operation *user) {
    auto loops = dyn_cast<linalg::LinalgOp>(user);
    bool passesOn =
        (loops && loops.getNumLoops() == loops.getNumParallelLoops()) ||
        OpTrait::hasElementwiseMappableTraits(user) ||
        isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user);
    return passesOn && llvm::all_of(user->getResults(), [&](Value result) {
             return isNarrow(result.getType()) || isRoundedLater(result);
           });
  });
  return known[value] = rounded;
}

Value Narrower::convert(LinalgBuilder &builder, Value value, Type element) {
  ArrayRef<int64_t> shape = shapeOf(value);
  SmallVector<unsigned> loops = loopRange(0, shape.size());
  return builder.generic(shape.size(), {}, value, builder.empty(shape, element), {loops, loops},
                         [&](LinalgBuilder &body, ValueRange in) -> SmallVector<Value> {
                           return {body.convert(in[0], element)};
                         })[0];
}

void Narrower::run(Operation *op) {
  auto allReduce = dyn_cast<comm::AllReduceOp>(op);
  auto reduceScatter = dyn_cast<comm::ReduceScatterOp>(op);
  if (!allReduce && !reduceScatter)
    return;
  ReductionKind kind = allReduce ? allReduce.getKind() : reduceScatter.getKind();
  auto wide = dyn_cast<FloatType>(elementOf(op->getResult(0)));
  if (kind != ReductionKind::Sum || !wide || isNarrow(wide))
    return;
  if (!llvm::all_of(op->getResults(), [&](Value result) { return isRoundedLater(result); })) {
    ++kept;
    return;
  }
  ++narrowed;
  LinalgBuilder builder(op->getLoc(), op);
  for (OpOperand &input : op->getOpOperands())
    input.set(convert(builder, input.get(), narrow));
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    result.setType(tensorTypeOf(result).clone(narrow));
    Value widened = convert(builder, result, wide);
    result.replaceAllUsesExcept(widened, widened.getDefiningOp());
  }
}

struct NarrowReductionsPass : tp::impl::NarrowReductionsPassBase<NarrowReductionsPass> {
  using NarrowReductionsPassBase::NarrowReductionsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    auto narrow = llvm::StringSwitch<FloatType>(dtype)
                      .Case("bf16", BFloat16Type::get(context))
                      .Case("f16", Float16Type::get(context))
                      .Case("f32", Float32Type::get(context))
                      .Default(FloatType());
    if (!narrow) {
      module.emitError("no element type '" + dtype + "' to reduce in, give bf16, f16 or f32");
      return signalPassFailure();
    }
    for (auto function : module.getOps<func::FuncOp>()) {
      SmallVector<Operation *> ops;
      function.walk([&](Operation *op) { ops.push_back(op); });
      Narrower narrower(narrow);
      for (Operation *op : ops)
        narrower.run(op);
      report(function, narrow, narrower);
      narrowed += narrower.narrowed;
    }
  }

  /// Says what was done and what it costs; no remark, since --strict does not reject what was asked
  /// for.
  void report(func::FuncOp function, FloatType narrow, const Narrower &narrower) {
    const llvm::fltSemantics &semantics = narrow.getFloatSemantics();
    std::string overflow;
    if (narrow.isF16())
      overflow = ", and a part beyond 65504 becomes infinite";
    auto warn = [&](unsigned sums, const Twine &text) {
      if (sums)
        mlir::emitWarning(function.getLoc()) << "sums over ranks " << text << ": " << sums;
    };
    warn(narrower.narrowed,
         "done in " + dtype +
             ", which is fewer bytes, but rounds each rank's part before it is added, an error of "
             "up to 2^-" +
             Twine(APFloat::semanticsPrecision(semantics)) +
             " of the sum of the parts' magnitudes" + overflow);
    warn(narrower.kept,
         "kept in a wider type than " + dtype + ", since not all that follows is rounded to it");
  }
};

} // namespace
