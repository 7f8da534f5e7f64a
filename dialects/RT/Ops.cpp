//===- Ops.cpp - Effects and ranges of rt operations -----------------------===//

#include "dialects/RT/RT.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::rt;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addOrder(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), OrderResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), OrderResource::get());
}

/// Tensors have no effects of their own.
static void addRead(OpOperand &operand, Effects &effects) {
  if (isa<MemRefType>(operand.get().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

static void addWrite(OpOperand &operand, Effects &effects) {
  if (isa<MemRefType>(operand.get().getType()))
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
}

void AllReduceOp::getEffects(Effects &effects) {
  addOrder(effects);
  addRead(getBufferMutable(), effects);
  addWrite(getBufferMutable(), effects);
}

template <typename OpTy> static void getMovingEffects(OpTy op, Effects &effects) {
  addOrder(effects);
  addRead(op.getSrcMutable(), effects);
  addWrite(op.getDstMutable(), effects);
}

void AllGatherOp::getEffects(Effects &effects) { getMovingEffects(*this, effects); }
void ReduceScatterOp::getEffects(Effects &effects) { getMovingEffects(*this, effects); }
void AllToAllOp::getEffects(Effects &effects) { getMovingEffects(*this, effects); }
void PermuteOp::getEffects(Effects &effects) { getMovingEffects(*this, effects); }

void WaitOp::getEffects(Effects &effects) {
  addOrder(effects);
  for (OpOperand &operand : getBuffersMutable()) {
    addRead(operand, effects);
    addWrite(operand, effects);
  }
}

void GemmOp::getEffects(Effects &effects) {
  addOrder(effects);
  addRead(getAMutable(), effects);
  addRead(getBMutable(), effects);
  if (getAccumulate())
    addRead(getCMutable(), effects);
  addWrite(getCMutable(), effects);
}

void GemmFusedOp::getEffects(Effects &effects) {
  addOrder(effects);
  addRead(getAMutable(), effects);
  addRead(getBMutable(), effects);
  for (MutableOperandRange optional : {getCMutable(), getBiasMutable()})
    for (OpOperand &operand : optional)
      addRead(operand, effects);
  addWrite(getDMutable(), effects);
}

void ParallelForOp::getEffects(Effects &effects) {
  addOrder(effects);
  for (OpOperand &operand : getArgumentsMutable()) {
    addRead(operand, effects);
    addWrite(operand, effects);
  }
}

void LaunchOp::getEffects(Effects &effects) {
  addOrder(effects);
  for (OpOperand &operand : getArgumentsMutable()) {
    addRead(operand, effects);
    addWrite(operand, effects);
  }
}

void LaunchCheckOp::getEffects(Effects &effects) {
  addOrder(effects);
  for (OpOperand &operand : getArgumentsMutable())
    addRead(operand, effects);
}

void KernelCallOp::getEffects(Effects &effects) {
  addOrder(effects);
  std::optional<ArrayRef<KernelParameter>> parameters = getLibraryKernel(getKernel());
  for (auto [i, operand] : llvm::enumerate(getArgumentsMutable())) {
    addRead(operand, effects);
    if (!parameters || i >= parameters->size() || (*parameters)[i] != KernelParameter::Input)
      addWrite(operand, effects);
  }
}

void ReadOp::getEffects(Effects &effects) {
  addOrder(effects);
  addRead(getBufferMutable(), effects);
}

void CopyOp::getEffects(Effects &effects) { getMovingEffects(*this, effects); }

void CheckIndexOp::getEffects(Effects &effects) { addOrder(effects); }

void CoordinateOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setResultRange) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(getType());
  setResultRange(getResult(),
                 ConstantIntRanges::fromUnsigned(APInt(width, 0), APInt(width, getSize() - 1)));
}

int64_t GroupOp::getGroupSize() {
  int64_t size = 1;
  for (unsigned i = 2; i < getParts().size(); i += 3)
    size *= getParts()[i];
  return size;
}

#define GET_OP_CLASSES
#include "dialects/RT/RTOps.cpp.inc"
