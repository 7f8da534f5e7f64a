//===- OverlapCollectives.cpp - Collectives beside computation -------------===//
//
// A collective is begun as soon as what it takes is there, and waited for where what it
// gives is first used. Its buffers are operands of the wait, so that the arena keeps them
// until then.
//
//===----------------------------------------------------------------------===//

#include "../LinalgToRT/Buffers.h"
#include "dialects/RT/RT.h"
#include "tp/Conversion/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tp {
#define GEN_PASS_DEF_OVERLAPCOLLECTIVESPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Which buffers something reads and writes, by their roots.
struct Accesses {
  llvm::SmallSetVector<Value, 4> read, written;
  /// Waits for the device, or touches what is not known.
  bool isBarrier = false;

  void add(Value memref, bool isWrite) {
    Value root = getBufferRoot(memref);
    isBarrier |= !root;
    (isWrite ? written : read).insert(root);
  }
  /// Whether it makes a difference which comes first.
  bool conflictsWith(const Accesses &other) const {
    auto meets = [](const auto &a, const auto &b) {
      return llvm::any_of(a, [&](Value root) { return b.contains(root); });
    };
    return isBarrier || other.isBarrier || meets(written, other.read) ||
           meets(written, other.written) || meets(read, other.written);
  }
};

/// Work of a device that takes time.
bool isWork(Operation *op) {
  return isa<rt::LaunchOp, rt::GemmOp, rt::GemmFusedOp, rt::CopyOp>(op);
}
/// Whether it holds of the operation or one in it.
bool contains(Operation *op, function_ref<bool(Operation *)> predicate) {
  return op
      ->walk([&](Operation *inner) {
        return predicate(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
bool hasWork(Operation *op) { return contains(op, isWork); }
/// What has a place in the order of all ranks' collectives.
bool talks(Operation *op) {
  return contains(
      op, [](Operation *inner) { return rt::isCollective(inner) || isa<rt::WaitOp>(inner); });
}

class EntryScheduler {
public:
  explicit EntryScheduler(func::FuncOp entry) : entry(entry), symbols(entry->getParentOp()) {}

  /// The number of collectives that others work beside.
  unsigned schedule() {
    SmallVector<Operation *> collectives;
    entry.walk([&](Operation *op) {
      if (rt::isCollective(op) && op->getNumResults() == 0 && isShared(op))
        collectives.push_back(op);
    });
    unsigned count = 0;
    for (Operation *collective : collectives)
      count += schedule(collective);
    return count;
  }

private:
  /// Whether there is something to do for more than one rank: else it is a copy.
  bool isShared(Operation *collective) {
    auto group = symbols.lookup<rt::GroupOp>(
        collective->getAttrOfType<FlatSymbolRefAttr>("group").getValue());
    auto type = cast<MemRefType>(collective->getOperand(0).getType());
    return group.getGroupSize() > 1 && type.getNumElements() > 0;
  }

  bool schedule(Operation *collective) {
    const Accesses mine = accessesOf(collective);
    if (mine.isBarrier)
      return false;
    // Upwards, over what it does not depend on and not before an earlier one is done: what
    // is gathered ahead of its use takes memory.
    llvm::SetVector<Operation *> moved;
    moved.insert(collective);
    Operation *above = collective->getPrevNode();
    bool worksAbove = false;
    for (; above; above = above->getPrevNode()) {
      if (isMadeFor(above, moved)) {
        if (!isMemoryEffectFree(above) && !isa<memref::AllocOp>(above))
          break;
        moved.insert(above);
      } else if (talks(above) || mine.conflictsWith(accessesOf(above))) {
        break;
      }
      worksAbove |= hasWork(above);
    }
    // Downwards, to what uses the result or changes the operand.
    const bool holdsMemory = holdsTemporary(collective);
    Operation *below = collective->getNextNode();
    bool worksBelow = false;
    for (; !below->hasTrait<OpTrait::IsTerminator>(); below = below->getNextNode()) {
      if (mine.conflictsWith(accessesOf(below)) || (holdsMemory && talks(below)))
        break;
      worksBelow |= hasWork(below);
    }
    if (!worksAbove && !worksBelow)
      return false;
    if (worksAbove)
      for (Operation *op : llvm::reverse(moved)) {
        above ? op->moveAfter(above) : op->moveBefore(&op->getBlock()->front());
        above = op;
      }
    begin(collective, below);
    return true;
  }

  /// Whether `op` makes an operand of one that moves.
  static bool isMadeFor(Operation *op, const llvm::SetVector<Operation *> &moved) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) { return moved.contains(user); });
  }

  /// Whether memory that is free once the collective is done is larger than its result.
  static bool holdsTemporary(Operation *collective) {
    if (isa<rt::AllReduceOp, rt::AllGatherOp>(collective))
      return false;
    return isa_and_nonnull<memref::AllocOp>(
        getBufferRoot(collective->getOperand(0)).getDefiningOp());
  }

  /// The collective with a token, for which is waited before `below`.
  void begin(Operation *collective, Operation *below) {
    OpBuilder builder(collective);
    OperationState state(collective->getLoc(), collective->getName(), collective->getOperands(),
                         {rt::TokenType::get(builder.getContext())}, collective->getAttrs());
    Operation *begun = builder.create(state);
    builder.setInsertionPoint(below);
    rt::WaitOp::create(builder, collective->getLoc(), begun->getResult(0), begun->getOperands());
    accesses.erase(collective);
    collective->erase();
  }

  const Accesses &accessesOf(Operation *op) {
    auto [it, isNew] = accesses.try_emplace(op);
    if (isNew) {
      Accesses found;
      collect(op, found);
      accesses[op] = std::move(found);
    }
    return accesses[op];
  }

  void collect(Operation *op, Accesses &found) {
    if (isa<rt::ReadOp, rt::CheckIndexOp>(op)) {
      found.isBarrier = true;
    } else if (auto launch = dyn_cast<rt::LaunchOp>(op)) {
      auto kernel = symbols.lookup<func::FuncOp>(launch.getKernel());
      for (auto [i, argument] : llvm::enumerate(launch.getArguments()))
        if (isa<MemRefType>(argument.getType()))
          found.add(argument, isWritten(kernel.getArgument(i)));
    } else if (op->getNumRegions() > 0) {
      for (Region &region : op->getRegions())
        for (Operation &inner : region.getOps())
          collect(&inner, found);
    } else if (auto interface = dyn_cast<MemoryEffectOpInterface>(op)) {
      SmallVector<MemoryEffects::EffectInstance> effects;
      interface.getEffects(effects);
      for (const MemoryEffects::EffectInstance &effect : effects) {
        if (isa<MemoryEffects::Allocate>(effect.getEffect()) ||
            effect.getResource() == rt::OrderResource::get())
          continue;
        if (effect.getValue())
          found.add(effect.getValue(), !isa<MemoryEffects::Read>(effect.getEffect()));
        else
          found.isBarrier = true;
      }
    } else if (!isMemoryEffectFree(op) && !op->hasTrait<OpTrait::IsTerminator>()) {
      found.isBarrier = true;
    }
  }

  /// Whether a kernel may write its parameter.
  bool isWritten(BlockArgument parameter) {
    auto [it, isNew] = writtenParameters.try_emplace(parameter, true);
    if (isNew)
      it->second = mayWrite(parameter);
    return it->second;
  }

  static bool mayWrite(Value memref) {
    return llvm::any_of(memref.getUsers(), [&](Operation *user) {
      if (isa<ViewLikeOpInterface>(user))
        return llvm::any_of(user->getResults(), mayWrite);
      auto interface = dyn_cast<MemoryEffectOpInterface>(user);
      if (!interface)
        return true;
      SmallVector<MemoryEffects::EffectInstance> effects;
      interface.getEffectsOnValue(memref, effects);
      return effects.empty() ||
             llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
               return !isa<MemoryEffects::Read>(effect.getEffect());
             });
    });
  }

  func::FuncOp entry;
  SymbolTable symbols;
  DenseMap<Operation *, Accesses> accesses;
  DenseMap<Value, bool> writtenParameters;
};

struct OverlapCollectivesPass : tp::impl::OverlapCollectivesPassBase<OverlapCollectivesPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(rt::kEntryAttr))
        overlapped += EntryScheduler(function).schedule();
  }
};

} // namespace
