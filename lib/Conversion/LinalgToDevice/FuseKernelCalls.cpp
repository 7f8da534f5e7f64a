//===- FuseKernelCalls.cpp - Fewer launches of what the library does -------===//
//
// Norms take the addition before them, new keys are rotated on their way into the cache, and calls
// that touch each row once and do not need each other are made by one kernel: what a layer does
// between its projections and its attention is one launch.
//
//===----------------------------------------------------------------------===//

#include "../LinalgToRT/Buffers.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
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
/// Of both norms: behind three types.
constexpr unsigned kNormInput = 3;
/// Behind batch, steps, heads and depth, which are the first arguments of a shape.
constexpr int kHalf = 4;

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
        // Its place in the order of the runtime, which products and other kernels have too.
        areKnown &= isa<rt::KernelCallOp, rt::GemmOp, rt::GemmFusedOp>(op);
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

/// x + addend, elementwise.
struct Addition {
  linalg::GenericOp op;
  Value x, addend, sum;
};

/// `value` before it was made wider or narrower.
template <typename Cast> Value skipCast(Value value) {
  auto cast = value.getDefiningOp<Cast>();
  return cast ? cast.getIn() : value;
}

/// The sum of two buffers, of which the first has its type; the sum may lie in one of them.
std::optional<Addition> matchAddition(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return std::nullopt;
  Block *body = op.getBlock();
  auto add = skipCast<arith::TruncFOp>(body->getTerminator()->getOperand(0))
                 .getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  Value a = skipCast<arith::ExtFOp>(add.getLhs()), b = skipCast<arith::ExtFOp>(add.getRhs());
  if (a == b || !llvm::is_contained(body->getArguments(), a) ||
      !llvm::is_contained(body->getArguments(), b))
    return std::nullopt;
  Addition addition{op, op.getDpsInputs()[0], op.getDpsInputs()[1], op.getDpsInits()[0]};
  if (a == body->getArgument(2) || b == body->getArgument(2))
    return std::nullopt;
  Type element = getElementTypeOrSelf(addition.sum);
  if (getElementTypeOrSelf(addition.x) != element)
    std::swap(addition.x, addition.addend);
  if (getElementTypeOrSelf(addition.x) != element)
    return std::nullopt;
  for (Value buffer : {addition.x, addition.addend, addition.sum}) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || !rt::isContiguous(type) || !getBufferRoot(buffer) ||
        !(type.getElementType().isF32() || type.getElementType().isF16() ||
          type.getElementType().isBF16()))
      return std::nullopt;
    if (getBufferRoot(buffer) == getBufferRoot(addition.sum) &&
        getReshaped(buffer) != getReshaped(addition.sum))
      return std::nullopt;
  }
  return addition;
}

struct FuseKernelCallsPass : tp::impl::FuseKernelCallsPassBase<FuseKernelCallsPass> {
  void runOnOperation() override {
    SmallVector<rt::KernelCallOp> writes, norms;
    getOperation()->walk([&](rt::KernelCallOp call) {
      if (call.getKernel() == kCacheWrite)
        writes.push_back(call);
      if (call.getKernel() == "rms_norm" || call.getKernel() == "layer_norm")
        norms.push_back(call);
    });
    for (rt::KernelCallOp norm : norms)
      addBeforeNorm(norm);
    for (rt::KernelCallOp write : writes)
      rotateInWrite(write);
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      joinCalls(*block);
  }

private:
  /// The addition that makes what a norm takes, right before it.
  std::optional<Addition> findAddition(rt::KernelCallOp norm) {
    for (Operation *op = norm->getPrevNode(); op; op = op->getPrevNode()) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (generic) {
        std::optional<Addition> addition = matchAddition(generic);
        if (!addition || getReshaped(addition->sum) != getReshaped(norm.getArguments()[kNormInput]))
          return std::nullopt;
        return addition;
      }
      if (!isMemoryEffectFree(op) && !isa<memref::AllocOp>(op))
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// The norm adds, too: its rows are read and written once.
  void addBeforeNorm(rt::KernelCallOp norm) {
    std::optional<Addition> addition = findAddition(norm);
    if (!addition)
      return;
    OpBuilder builder(norm);
    Value type = arith::ConstantOp::create(
        builder, norm.getLoc(),
        builder.getI32IntegerAttr(*rt::getDType(getElementTypeOrSelf(addition->addend))));
    auto from = norm.getArguments();
    unsigned result = kNormInput + 1; // behind the weight, and the bias where there is one
    result += norm.getKernel() == "layer_norm" ? 2 : 1;
    SmallVector<Value> arguments = {from[0], type, from[1], from[2], addition->x, addition->addend};
    llvm::append_range(arguments, from.slice(kNormInput + 1, result - kNormInput - 1));
    arguments.push_back(addition->sum);
    llvm::append_range(arguments, from.drop_front(result));
    auto loc = FusedLoc::get(&getContext(), {addition->op.getLoc(), norm.getLoc()});
    rt::KernelCallOp::create(builder, loc, ("residual_" + norm.getKernel()).str(), norm.getBlocks(),
                             norm.getThreads(), arguments, norm.getShared());
    addition->op.erase();
    norm.erase();
    ++fused;
  }

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
