//===- Ranking.cpp ---------------------------------------------------------===//

#include "tp/Interfaces/Ranking.h"

#include "Combination.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Orders of values, and whether one is better than another by a ranking.
constexpr int kOrders = 4;
bool isBetter(int a, int b, bool isSmallest, bool isNaNFirst) {
  if (a == kNaN || b == kNaN)
    return isNaNFirst && a == kNaN && b != kNaN;
  return isSmallest ? a < b : a > b;
}

/// The loop whose index the value is, in whatever type.
std::optional<unsigned> getIndexLoop(Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index ? std::optional<unsigned>(index.getDim()) : std::nullopt;
}

/// Whether the body takes value and index together, where and only where the value is
/// better: for all orders of values, of elements behind those before them.
bool ranks(const Combination &body, const Ranking &ranking, bool isFloat) {
  for (int kept = isFloat ? kNaN : 0; kept < kOrders; ++kept) {
    // What began the accumulator is a number, and nothing that is not better follows it.
    if (kept == kNaN && !ranking.isNaNFirst)
      continue;
    for (int element = isFloat ? kNaN : 0; element < kOrders; ++element)
      for (int index : {0, 1}) {
        int accumulators[2], others[2];
        accumulators[ranking.value] = kept;
        accumulators[ranking.index] = index;
        others[ranking.value] = element;
        others[ranking.index] = 1;
        bool expected = isBetter(element, kept, ranking.isSmallest, ranking.isNaNFirst);
        SmallVector<bool> taken = body.choose(accumulators, others);
        // Equal integers are one.
        bool isSame = kept == element && !isFloat;
        if (taken[ranking.index] != expected || (taken[ranking.value] != expected && !isSame))
          return false;
      }
  }
  return true;
}

} // namespace

std::optional<Ranking> tp::getRanking(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumDpsInits() != 2 ||
      op.getNumReductionLoops() != 1)
    return std::nullopt;
  std::optional<Combination> body = Combination::get(op);
  if (!body)
    return std::nullopt;
  Ranking ranking;
  bool isFirst = getIndexLoop(body->elements[1]).has_value();
  ranking.value = isFirst ? 0 : 1;
  ranking.index = isFirst ? 1 : 0;
  auto element = dyn_cast<BlockArgument>(body->elements[ranking.value]);
  std::optional<unsigned> loop = getIndexLoop(body->elements[ranking.index]);
  if (!loop || op.getIteratorTypesArray()[*loop] != utils::IteratorType::reduction || !element ||
      element.getOwner() != op.getBlock() ||
      element.getArgNumber() >= static_cast<unsigned>(op.getNumDpsInputs()))
    return std::nullopt;
  ranking.dim = *loop;
  // Loops are dimensions of the input, and but for this one those of the results.
  OpOperand &input = op->getOpOperand(element.getArgNumber());
  AffineMap all = AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext());
  AffineMap rows = all.dropResult(*loop);
  if (op.getMatchingIndexingMap(&input) != all)
    return std::nullopt;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init) != rows)
      return std::nullopt;
  ranking.input = input.get();

  Type type = element.getType();
  bool isFloat = isa<FloatType>(type);
  ranking.bound = getFilled(op.getDpsInitOperand(ranking.value)->get());
  auto missing =
      dyn_cast_or_null<IntegerAttr>(getFilled(op.getDpsInitOperand(ranking.index)->get()));
  auto number = dyn_cast_or_null<FloatAttr>(ranking.bound);
  if (!ranking.bound || !missing || (isFloat && (!number || number.getValue().isNaN())) ||
      (!isFloat && (!type.isInteger() || type.isInteger(1))) ||
      body->comparesUnsigned(ranking.value))
    return std::nullopt;
  ranking.missing = missing.getValue().getSExtValue();
  Type indexType = missing.getType();
  if (!indexType.isIndex() &&
      op.getStaticLoopRanges()[*loop] >
          APInt::getSignedMaxValue(indexType.getIntOrFloatBitWidth()).getSExtValue())
    return std::nullopt;
  // An index that is compared is behind that of what was taken, and of the first one.
  if (body->compared[ranking.index] &&
      (ranking.missing > 0 || body->comparesUnsigned(ranking.index)))
    return std::nullopt;
  for (bool isSmallest : {false, true})
    for (bool isNaNFirst : {false, true}) {
      ranking.isSmallest = isSmallest;
      ranking.isNaNFirst = isNaNFirst;
      if ((isFloat || !isNaNFirst) && ranks(*body, ranking, isFloat))
        return ranking;
    }
  return std::nullopt;
}
