//===- AddSampling.cpp - An entry that samples the next tokens -------------===//

#include "tp/Transforms/Passes.h"

#include "dialects/NN/NN.h"
#include "dialects/TP/LinalgBuilder.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tp {
#define GEN_PASS_DEF_ADDSAMPLINGPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

static constexpr llvm::StringLiteral kModelAttr = "tp.language_model", kSample = "sample";
/// The result of `decode` that is the logits.
static constexpr unsigned kLogitsResult = 1;

static func::FuncOp findDecode(ModuleOp module, DictionaryAttr facts) {
  auto name = facts.getAs<StringAttr>("decode");
  return name ? module.lookupSymbol<func::FuncOp>(name) : func::FuncOp();
}

static Value integer(LinalgBuilder &n, uint64_t value) {
  return arith::ConstantOp::create(n, n.getI64IntegerAttr(static_cast<int64_t>(value)));
}

/// The finalizer of splitmix64.
static Value mixBits(LinalgBuilder &n, Value value) {
  auto xorShifted = [&](Value x, unsigned bits) -> Value {
    return arith::XOrIOp::create(n, x, arith::ShRUIOp::create(n, x, integer(n, bits)));
  };
  value = arith::MulIOp::create(n, xorShifted(value, 30), integer(n, 0xbf58476d1ce4e5b9u));
  value = arith::MulIOp::create(n, xorShifted(value, 27), integer(n, 0x94d049bb133111ebu));
  return xorShifted(value, 31);
}

/// Output `index` of the generator that starts at `state`.
static Value splitMix(LinalgBuilder &n, Value state, Value index) {
  Value steps = arith::AddIOp::create(n, index, integer(n, 1));
  Value moved = arith::MulIOp::create(n, steps, integer(n, 0x9e3779b97f4a7c15u));
  return mixBits(n, arith::AddIOp::create(n, state, moved));
}

/// A number in [0, 1) per row.
static Value makeUniform(LinalgBuilder &b, Value pos, Value seed) {
  Value init = b.empty(shapeOf(pos), b.getF64Type());
  SmallVector<unsigned> row = {0}, none;
  return b.generic(1, {}, {pos, seed}, init, {row, none, row},
                   [](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                     Value index = linalg::IndexOp::create(n, 0);
                     Value number = arith::IndexCastOp::create(n, n.getI64Type(), index);
                     Value bits = splitMix(n, splitMix(n, args[1], number), args[0]);
                     Value high = arith::ShRUIOp::create(n, bits, integer(n, 11));
                     Value whole = arith::UIToFPOp::create(n, n.getF64Type(), high);
                     return {arith::MulFOp::create(n, whole, n.real(n.getF64Type(), 0x1p-53))};
                   })[0];
}

/// The group of the logits that `decode` returns.
static StringAttr groupLogits(func::FuncOp decode) {
  auto group = decode.getResultAttrOfType<StringAttr>(kLogitsResult, kGroupAttr);
  if (!group) {
    group = StringAttr::get(decode.getContext(), "logits");
    decode.setResultAttr(kLogitsResult, kGroupAttr, group);
  }
  return group;
}

static void addSample(func::FuncOp decode, RankedTensorType logits) {
  LinalgBuilder b(NameLoc::get(StringAttr::get(decode.getContext(), kSample)), decode.getContext());
  b.setInsertionPointAfter(decode);
  auto one = [](Type element) { return RankedTensorType::get({}, element); };
  Type i64 = b.getI64Type(), f64 = b.getF64Type();
  auto rows = RankedTensorType::get(logits.getShape().take_front(), i64);
  const std::pair<StringRef, Type> inputs[] = {{"logits", logits},        {"pos", rows},
                                               {"temperature", one(f64)}, {"top_k", one(i64)},
                                               {"top_p", one(f64)},       {"seed", one(i64)}};
  SmallVector<Type> types;
  for (auto [name, type] : inputs)
    types.push_back(type);
  auto sample = func::FuncOp::create(b, kSample, b.getFunctionType(types, rows));
  for (auto [i, input] : llvm::enumerate(inputs)) {
    sample.setArgAttr(i, kNameAttr, b.getStringAttr(input.first));
    sample.setArgAttr(i, kKindAttr, b.getStringAttr("input"));
  }
  sample.setArgAttr(0, kGroupAttr, groupLogits(decode));
  sample.setResultAttr(0, kNameAttr, b.getStringAttr("next"));

  Block *block = sample.addEntryBlock();
  b.setInsertionPointToEnd(block);
  auto args = block->getArguments();
  Value uniform = makeUniform(b, args[1], args[5]);
  Value token = nn::SampleOp::create(b, rows, args[0], uniform, args[2], args[3], args[4]);
  func::ReturnOp::create(b, token);
}

namespace {
struct AddSamplingPass : tp::impl::AddSamplingPassBase<AddSamplingPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto facts = module->getAttrOfType<DictionaryAttr>(kModelAttr);
    func::FuncOp decode = facts ? findDecode(module, facts) : func::FuncOp();
    if (!decode || module.lookupSymbol(kSample) || decode.getNumResults() <= kLogitsResult)
      return;
    auto logits = dyn_cast<RankedTensorType>(decode.getResultTypes()[kLogitsResult]);
    if (!logits || logits.getRank() != 2 || !logits.hasStaticShape() ||
        !logits.getElementType().isF32() || logits.getDimSize(1) == 0)
      return;
    addSample(decode, logits);
    NamedAttrList list(facts);
    list.set(kSample, StringAttr::get(&getContext(), kSample));
    module->setAttr(kModelAttr, list.getDictionary(&getContext()));
  }
};
} // namespace
