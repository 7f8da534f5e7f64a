//===- FuseKernelCalls.cpp - Fewer launches of what the library does -------===//
//
// New keys are rotated on their way into the cache, and calls that touch each row once and
// do not need each other are made by one kernel: what a layer does between its projections
// and its attention is one launch.
//
//===----------------------------------------------------------------------===//

#include "../LinalgToRT/Buffers.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_FUSEKERNELCALLSPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

constexpr StringLiteral kRope = "rope", kCacheWrite = "cache_write";
/// Arguments of both, as abi.def has them.
enum RopeArgument { RopeTableType = 1, RopeInput, RopeCos, RopeSin, RopeResult, RopeShape };
enum WriteArgument {
  WriteTableType = 1,
  WriteUpdate,
  WriteCos,
  WriteSin,
  WritePositions,
  WriteCache,
  WriteShape
};
/// Behind batch, steps, heads and depth, which are the first arguments of a shape.
constexpr int kHalf = 4;

/// What a memref of the same elements from the same place on is a view of.
Value getReshaped(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

/// Whether only these two use the buffer, through views or not.
bool isUsedByOnly(Value buffer, Operation *a, Operation *b) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    if (user == a || user == b)
      return true;
    return isa<ViewLikeOpInterface>(user) && isUsedByOnly(user->getResult(0), a, b);
  });
}

/// The memory that operations read and write.
struct Accesses {
  llvm::SmallDenseSet<Value> read, written;
  bool areKnown = true;

  void add(Operation *op) {
    if (isMemoryEffectFree(op) || isa<rt::CheckIndexOp>(op))
      return;
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface || op->getNumRegions() != 0) {
      areKnown = false;
      return;
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value value = effect.getValue();
      if (isa<MemoryEffects::Allocate>(effect.getEffect()))
        continue;
      if (!value) {
        // Its place in the order of the runtime, which other kernels have too.
        areKnown &= isa<rt::KernelCallOp>(op);
        continue;
      }
      Value root = getBufferRoot(value);
      areKnown &= bool(root);
      (isa<MemoryEffects::Read>(effect.getEffect()) ? read : written).insert(root);
    }
  }

  /// Whether the order of the two matters, or may.
  bool conflictsWith(const Accesses &other) const {
    auto meet = [](const llvm::SmallDenseSet<Value> &a, const llvm::SmallDenseSet<Value> &b) {
      return llvm::any_of(a, [&](Value value) { return b.contains(value); });
    };
    return !areKnown || !other.areKnown || meet(written, other.written) ||
           meet(written, other.read) || meet(read, other.written);
  }
};

Accesses accessesOf(Operation *op) {
  Accesses accesses;
  accesses.add(op);
  return accesses;
}

struct FuseKernelCallsPass : tp::impl::FuseKernelCallsPassBase<FuseKernelCallsPass> {
  void runOnOperation() override {
    SmallVector<rt::KernelCallOp> writes;
    getOperation()->walk([&](rt::KernelCallOp call) {
      if (call.getKernel() == kCacheWrite)
        writes.push_back(call);
    });
    for (rt::KernelCallOp write : writes)
      rotateInWrite(write);
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      joinCalls(*block);
  }

private:
  /// The call that writes what `write` takes, and nothing else needs.
  rt::KernelCallOp findRope(rt::KernelCallOp write) {
    Value buffer = getReshaped(write.getArguments()[WriteUpdate]);
    if (!buffer.getDefiningOp<memref::AllocOp>())
      return {};
    rt::KernelCallOp rope;
    for (Operation *op = write->getPrevNode(); op && !rope; op = op->getPrevNode()) {
      auto call = dyn_cast<rt::KernelCallOp>(op);
      if (call && call.getKernel() == kRope &&
          getReshaped(call.getArguments()[RopeResult]) == buffer)
        rope = call;
    }
    if (!rope || !isUsedByOnly(buffer, rope, write))
      return {};
    // Rows are the same ones, and are as they were.
    for (int i = 0; i < kHalf; ++i) {
      Attribute a, b;
      if (!matchPattern(rope.getArguments()[RopeShape + i], m_Constant(&a)) ||
          !matchPattern(write.getArguments()[WriteShape + i], m_Constant(&b)) || a != b)
        return {};
    }
    Accesses inputs;
    for (RopeArgument input : {RopeInput, RopeCos, RopeSin}) {
      inputs.read.insert(getBufferRoot(rope.getArguments()[input]));
      inputs.areKnown &= bool(getBufferRoot(rope.getArguments()[input]));
    }
    for (Operation *op = rope->getNextNode(); op != write; op = op->getNextNode())
      if (inputs.conflictsWith(accessesOf(op)))
        return {};
    return rope;
  }

  void rotateInWrite(rt::KernelCallOp write) {
    rt::KernelCallOp rope = findRope(write);
    if (!rope)
      return;
    MutableOperandRange to = write.getArgumentsMutable();
    to[WriteTableType].set(rope.getArguments()[RopeTableType]);
    to[WriteUpdate].set(rope.getArguments()[RopeInput]);
    to[WriteCos].set(rope.getArguments()[RopeCos]);
    to[WriteSin].set(rope.getArguments()[RopeSin]);
    to[WriteShape + kHalf].set(rope.getArguments()[RopeShape + kHalf]);
    write->setLoc(FusedLoc::get(&getContext(), {rope.getLoc(), write.getLoc()}));
    rope.erase();
    ++fused;
  }

  /// Calls that any number of blocks make, side by side, as far as their order does not
  /// matter.
  void joinCalls(Block &block) {
    SmallVector<rt::KernelCallOp> pending;
    Accesses accesses;
    auto join = [&] {
      if (pending.size() > 1) {
        SmallVector<Location> locations;
        for (rt::KernelCallOp call : pending)
          locations.push_back(call.getLoc());
        OpBuilder builder(pending.back());
        Location loc = FusedLoc::get(&getContext(), locations);
        auto group = scf::ExecuteRegionOp::create(builder, loc, TypeRange());
        Block &body = group.getRegion().emplaceBlock();
        for (rt::KernelCallOp call : pending)
          call->moveBefore(&body, body.end());
        builder.setInsertionPointToEnd(&body);
        scf::YieldOp::create(builder, loc);
        fused += pending.size() - 1;
      }
      pending.clear();
      accesses = Accesses();
    };
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (accesses.conflictsWith(accessesOf(&op)))
        join();
      auto call = dyn_cast<rt::KernelCallOp>(op);
      if (!call || (call.getKernel() != kRope && call.getKernel() != kCacheWrite))
        continue;
      pending.push_back(call);
      accesses.add(call);
    }
    join();
  }
};

} // namespace
