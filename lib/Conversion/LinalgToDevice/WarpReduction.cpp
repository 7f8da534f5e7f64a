//===- WarpReduction.cpp - One value of the threads of a block -------------===//

#include "WarpReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tp;

std::optional<Combiner> Combiner::match(BlockArgument accumulator, Value result) {
  Combiner combiner;
  combiner.op = result.getDefiningOp();
  if (!combiner.op || combiner.op->getNumOperands() != 2 || !accumulator.hasOneUse() ||
      *accumulator.user_begin() != combiner.op || !result.hasOneUse())
    return std::nullopt;
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner.op);
  if (!neutral || !combiner.op->hasTrait<OpTrait::IsCommutative>())
    return std::nullopt;
  combiner.neutral = *neutral;
  return combiner;
}

Value Combiner::combine(OpBuilder &builder, Location loc, Value a, Value b) const {
  OperationState state(loc, op->getName().getStringRef(), {a, b}, op->getResultTypes(),
                       op->getAttrs());
  return builder.create(state)->getResult(0);
}

Value Combiner::getNeutral(OpBuilder &builder, Location loc) const {
  return arith::ConstantOp::create(builder, loc, neutral);
}

namespace {

/// The bits of a scalar in an integer of 32 or 64 bits, and back.
Value toBits(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
  unsigned width = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(builder, loc, builder.getIntegerType(width), value);
  if (width < 32)
    value = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value);
  return value;
}

Value fromBits(OpBuilder &builder, Location loc, Type type, Value bits) {
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, bits);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 32)
    bits = arith::TruncIOp::create(builder, loc, builder.getIntegerType(width), bits);
  if (isa<FloatType>(type))
    bits = arith::BitcastOp::create(builder, loc, type, bits);
  return bits;
}

Value constant32(OpBuilder &builder, Location loc, int32_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

Value shuffleWord(OpBuilder &builder, Location loc, Value word, int32_t distance) {
  return NVVM::ShflOp::create(builder, loc, builder.getI32Type(), constant32(builder, loc, -1),
                              word, constant32(builder, loc, distance),
                              constant32(builder, loc, kWarpSize - 1), NVVM::ShflKind::bfly,
                              /*return_value_and_is_valid=*/nullptr);
}

/// `value` of the lane whose number differs by the bit `distance`.
Value shuffle(OpBuilder &builder, Location loc, Value value, int32_t distance) {
  Value bits = toBits(builder, loc, value);
  if (bits.getType().isInteger(32))
    return fromBits(builder, loc, value.getType(), shuffleWord(builder, loc, bits, distance));
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value half = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(32));
  Value low = arith::TruncIOp::create(builder, loc, i32, bits);
  Value high =
      arith::TruncIOp::create(builder, loc, i32, arith::ShRUIOp::create(builder, loc, bits, half));
  low = arith::ExtUIOp::create(builder, loc, i64, shuffleWord(builder, loc, low, distance));
  high = arith::ExtUIOp::create(builder, loc, i64, shuffleWord(builder, loc, high, distance));
  high = arith::ShLIOp::create(builder, loc, high, half);
  return fromBits(builder, loc, value.getType(), arith::OrIOp::create(builder, loc, low, high));
}

Value reduceOverWarp(OpBuilder &builder, Location loc, const Combiner &combiner, Value value) {
  for (int32_t distance = kWarpSize / 2; distance > 0; distance /= 2)
    value = combiner.combine(builder, loc, value, shuffle(builder, loc, value, distance));
  return value;
}

} // namespace

Value tp::reduceOverBlock(OpBuilder &builder, Location loc, const Combiner &combiner, Value value,
                          Value thread, int64_t threads, bool repeated) {
  value = reduceOverWarp(builder, loc, combiner, value);
  int64_t warps = threads / kWarpSize;
  if (warps == 1)
    return value;
  Type type = value.getType();
  auto index = [&](int64_t number) { return arith::ConstantIndexOp::create(builder, loc, number); };
  auto compare = [&](arith::CmpIPredicate predicate, Value a, int64_t b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, index(b));
  };
  // The first lane of each warp leaves its value to the first warp.
  Value scratch = memref::GetGlobalOp::create(builder, loc,
                                              MemRefType::get({kWarpSize}, builder.getI64Type(),
                                                              MemRefLayoutAttrInterface(),
                                                              builder.getI64IntegerAttr(3)),
                                              kBlockScratch);
  Value warp = arith::DivUIOp::create(builder, loc, thread, index(kWarpSize));
  Value lane = arith::RemUIOp::create(builder, loc, thread, index(kWarpSize));
  auto leave = scf::IfOp::create(builder, loc, compare(arith::CmpIPredicate::eq, lane, 0));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(leave.thenBlock());
    Value bits = toBits(builder, loc, value);
    if (bits.getType().isInteger(32))
      bits = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), bits);
    memref::StoreOp::create(builder, loc, bits, scratch, warp);
  }
  NVVM::Barrier0Op::create(builder, loc);
  auto take = scf::IfOp::create(builder, loc, type, compare(arith::CmpIPredicate::eq, warp, 0),
                                /*withElse=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(take.thenBlock());
    auto mine = scf::IfOp::create(
        builder, loc, type, compare(arith::CmpIPredicate::ult, lane, warps), /*withElse=*/true);
    {
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPointToStart(mine.thenBlock());
      Value bits = memref::LoadOp::create(builder, loc, scratch, lane);
      if (!type.isIndex() && type.getIntOrFloatBitWidth() <= 32)
        bits = arith::TruncIOp::create(builder, loc, builder.getI32Type(), bits);
      scf::YieldOp::create(builder, loc, fromBits(builder, loc, type, bits));
      builder.setInsertionPointToStart(mine.elseBlock());
      scf::YieldOp::create(builder, loc, combiner.getNeutral(builder, loc));
    }
    scf::YieldOp::create(builder, loc, reduceOverWarp(builder, loc, combiner, mine.getResult(0)));
    builder.setInsertionPointToStart(take.elseBlock());
    scf::YieldOp::create(builder, loc, value);
  }
  if (repeated)
    NVVM::Barrier0Op::create(builder, loc);
  return take.getResult(0);
}
