//===- Captures.cpp - What a kernel takes from its entry -------------------===//

#include "Captures.h"

#include "../LinalgToRT/Buffers.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tp;

bool tp::isConstantBuffer(Value memref) {
  Value root = getBufferRoot(memref);
  return root && root.getDefiningOp<memref::GetGlobalOp>();
}

bool tp::isDeviceLoad(Operation *op) {
  auto load = dyn_cast_or_null<memref::LoadOp>(op);
  return load && !isConstantBuffer(load.getMemRef());
}

DeviceValues::DeviceValues(func::FuncOp entry) {
  unsigned next = 0;
  entry->walk([&](Operation *op, const WalkStage &stage) {
    if (stage.isBeforeAllRegions())
      positions[op] = {next, next};
    if (stage.isAfterAllRegions())
      positions[op].second = next;
    if (!stage.isBeforeAllRegions() || op == entry)
      return;
    unsigned position = next++;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects) {
      if (!isMemoryEffectFree(op) && !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
        unknownWrites.push_back(position);
      return;
    }
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &effect : instances) {
      Value value = effect.getValue();
      if (!isa<MemoryEffects::Write>(effect.getEffect()) || !value ||
          !isa<MemRefType>(value.getType()))
        continue;
      Value root = getBufferRoot(value);
      (root ? writes[root] : unknownWrites).push_back(position);
    }
  });
}

bool DeviceValues::changes(Value root, Operation *load, Operation *user) const {
  // Where the user runs many times, all of what runs with it lies between.
  Operation *there = load->getBlock()->findAncestorOpInBlock(*user);
  bool isKnown = there && load->isBeforeInBlock(there);
  unsigned from = positions.lookup(load).first, to = 0;
  // What one thread runs has loaded before it writes; of several, others may have written.
  bool isWriting = isa<linalg::LinalgOp, rt::KernelCallOp, scf::ExecuteRegionOp>(user);
  if (isKnown)
    to =
        there == user && !isWriting ? positions.lookup(user).first : positions.lookup(there).second;
  auto isBetween = [&](const Writes &all) {
    if (!isKnown)
      return !all.empty();
    auto first = llvm::upper_bound(all, from);
    return first != all.end() && *first < to;
  };
  auto known = writes.find(root);
  return isBetween(unknownWrites) || (known != writes.end() && isBetween(known->second));
}

bool DeviceValues::isOnDevice(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  auto [it, inserted] = onDevice.try_emplace(value, false);
  if (!inserted)
    return it->second;
  bool isScalar = !isa<MemRefType>(value.getType());
  bool result = false;
  if (isa<memref::LoadOp>(op))
    result = isDeviceLoad(op);
  else if (isa<ViewLikeOpInterface>(op) || (isScalar && isPure(op) && op->getNumRegions() == 0))
    result = llvm::any_of(op->getOperands(), [&](Value operand) { return isOnDevice(operand); });
  return onDevice[value] = result;
}

bool DeviceValues::canRecompute(Value value, Operation *user) {
  Operation *op = value.getDefiningOp();
  if (isa<MemRefType>(value.getType())) {
    // The buffer of a view that is a parameter has lost its offset.
    if (!op || !isa<ViewLikeOpInterface>(op))
      return cast<MemRefType>(value.getType()).getLayout().isIdentity();
  } else if (!isOnDevice(value)) {
    return true;
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Value root = getBufferRoot(load.getMemRef());
    if (!root || changes(root, load, user))
      return false;
  }
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return canRecompute(operand, user); });
}

Captures::Captures(DeviceValues &values, Operation *root) : values(values), root(root) {
  llvm::SetVector<Value> used(root->operand_begin(), root->operand_end());
  getUsedValuesDefinedAbove(root->getRegions(), used);
  for (Value value : used)
    add(value);
}

static bool isMemRef(Value value) { return isa<MemRefType>(value.getType()); }

void Captures::add(Value value) {
  Operation *op = value.getDefiningOp();
  bool isConstant = op && op->hasTrait<OpTrait::ConstantLike>();
  if (isMemRef(value) ? isConstantBuffer(value) : isConstant)
    addRecomputed(op);
  else if (values.isOnDevice(value) && values.canRecompute(value, root))
    addRecomputed(op);
  else
    arguments.insert(value);
}

void Captures::addRecomputed(Operation *op) {
  if (recomputed.contains(op))
    return;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (def && isa<MemRefType>(operand.getType()) && isa<ViewLikeOpInterface>(def))
      addRecomputed(def);
    else
      add(operand);
  }
  recomputed.insert(op);
}

void Captures::recompute(OpBuilder &builder, IRMapping &mapping) const {
  for (Operation *op : recomputed)
    builder.clone(*op, mapping);
}
