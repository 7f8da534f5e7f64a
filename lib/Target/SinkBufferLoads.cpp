//===- SinkBufferLoads.cpp -------------------------------------------------===//

#include "SinkBufferLoads.h"

#include "dialects/RT/RT.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The address of a load from a constant place in the array that the function gets,
/// null for the array's first; nothing for other loads.
static std::optional<GetElementPtrInst *> getSlot(LoadInst &load, Argument *array) {
  if (load.getPointerOperand() == array)
    return nullptr;
  auto *slot = dyn_cast<GetElementPtrInst>(load.getPointerOperand());
  if (!slot || slot->getPointerOperand() != array || !slot->hasAllConstantIndices())
    return std::nullopt;
  return slot;
}

static void sink(LoadInst &load, GetElementPtrInst *slot) {
  for (Use &use : make_early_inc_range(load.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    // A value that a branch hands on is loaded before the branch.
    if (auto *phi = dyn_cast<PHINode>(user))
      user = phi->getIncomingBlock(use)->getTerminator();
    Instruction *copy = load.clone();
    copy->insertBefore(user->getIterator());
    if (slot) {
      Instruction *address = slot->clone();
      address->insertBefore(copy->getIterator());
      copy->setOperand(0, address);
    }
    use.set(copy);
  }
  load.eraseFromParent();
}

void mlir::tp::sinkBufferLoads(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(rt::kEntryFunctionAttr))
      continue;
    Argument *array = function.getArg(1);
    SmallVector<std::pair<LoadInst *, GetElementPtrInst *>> loads;
    for (Instruction &instruction : function.getEntryBlock())
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        if (auto slot = getSlot(*load, array))
          loads.push_back({load, *slot});
    for (auto [load, slot] : loads)
      sink(*load, slot);
  }
}
