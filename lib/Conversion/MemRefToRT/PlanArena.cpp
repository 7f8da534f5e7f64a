//===- PlanArena.cpp - Every temporary at a fixed place --------------------===//
//
// Allocating large temporaries at run time costs more than computing them. Their
// lifetimes are known, so each gets an offset in one block of memory such that
// no two overlap in both: the largest first, each into the smallest gap that
// holds it. What small collectives of a device take comes first, in one piece that the
// runtime may make known to the other ranks' devices.
//
//===----------------------------------------------------------------------===//

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_PLANARENAPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Of every buffer, in bytes: a cache line, and what libraries of devices tell apart.
constexpr int64_t kAlignment = 64, kDeviceAlignment = 256;
/// Collectives whose operand and result have at most so many bytes are small: what they take
/// is how long ranks need to meet.
constexpr int64_t kSmallCollective = 256 << 10;

struct Buffer {
  memref::AllocOp alloc;
  int64_t bytes = 0;           ///< rounded up to the alignment
  int64_t begin = 0, end = -1; ///< positions of first and last use, inclusive
  int64_t offset = 0;
  bool isSymmetric = false; ///< of a small collective of a device

  bool meets(const Buffer &other) const { return begin <= other.end && other.begin <= end; }
};

/// Positions of all operations of a function, in program order; those of a
/// loop's body lie between the loop's own two.
class Positions {
public:
  explicit Positions(func::FuncOp function) { number(function); }

  int64_t begin(Operation *op) const { return spans.lookup(op).first; }
  int64_t end(Operation *op) const { return spans.lookup(op).second; }

private:
  void number(Operation *op) {
    int64_t begin = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &nested : block)
          number(&nested);
    spans[op] = {begin, op->getNumRegions() == 0 ? begin : next++};
  }

  DenseMap<Operation *, std::pair<int64_t, int64_t>> spans;
  int64_t next = 0;
};

/// From the first to the last use of the buffer or an alias of it. A use in a
/// loop around which the buffer lives counts as the whole loop, and so does a
/// buffer that a loop carries from one iteration to the next.
void findLifetime(Buffer &buffer, const Positions &positions, BufferViewFlowAnalysis &aliases) {
  buffer.begin = INT64_MAX;
  auto extend = [&](Operation *op) {
    buffer.begin = std::min(buffer.begin, positions.begin(op));
    buffer.end = std::max(buffer.end, positions.end(op));
  };
  Operation *alloc = buffer.alloc;
  auto extendToLoops = [&](Operation *op) {
    extend(op);
    for (Operation *parent = op->getParentOp(); parent && !parent->isAncestor(alloc);
         parent = parent->getParentOp())
      if (isa<LoopLikeOpInterface>(parent))
        extend(parent);
  };
  for (Value alias : aliases.resolve(buffer.alloc.getResult())) {
    for (Operation *user : alias.getUsers())
      if (!isa<ViewLikeOpInterface>(user))
        extendToLoops(user);
    auto argument = dyn_cast<BlockArgument>(alias);
    Operation *carrier = argument ? argument.getOwner()->getParentOp() : alias.getDefiningOp();
    if (carrier != alloc && isa<LoopLikeOpInterface>(carrier))
      extendToLoops(carrier);
  }
}

/// Whether a collective that is small takes the buffer or an alias of it.
bool isOfSmallCollective(Buffer &buffer, BufferViewFlowAnalysis &aliases) {
  auto isSmall = [](Value operand) {
    auto type = cast<MemRefType>(operand.getType());
    return type.getNumElements() * rt::getElementBytes(type.getElementType()) <= kSmallCollective;
  };
  return llvm::any_of(aliases.resolve(buffer.alloc.getResult()), [&](Value alias) {
    return llvm::any_of(alias.getUsers(), [&](Operation *user) {
      return rt::isCollective(user) && llvm::all_of(user->getOperands(), isSmall);
    });
  });
}

/// Gives every buffer an offset; returns the bytes that are needed.
int64_t pack(MutableArrayRef<Buffer> buffers) {
  SmallVector<Buffer *> order;
  for (Buffer &buffer : buffers)
    order.push_back(&buffer);
  // Program order where sizes are equal: the pointers are into one array.
  llvm::sort(order, [](Buffer *a, Buffer *b) {
    if (a->isSymmetric != b->isSymmetric)
      return a->isSymmetric;
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
  });
  SmallVector<Buffer *> placed; // by offset
  int64_t total = 0;
  for (Buffer *buffer : order) {
    int64_t free = 0, best = -1, bestGap = INT64_MAX;
    for (Buffer *other : placed) {
      if (!other->meets(*buffer))
        continue;
      int64_t gap = other->offset - free;
      if (gap >= buffer->bytes && gap < bestGap) {
        best = free;
        bestGap = gap;
      }
      free = std::max(free, other->offset + other->bytes);
    }
    buffer->offset = best >= 0 ? best : free;
    total = std::max(total, buffer->offset + buffer->bytes);
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](Buffer *a, Buffer *b) { return a->offset < b->offset; }),
                  buffer);
  }
  return total;
}

/// The most bytes that are alive at one position: no packing needs less.
int64_t getMostLive(ArrayRef<Buffer> buffers) {
  std::map<int64_t, int64_t> changes;
  for (const Buffer &buffer : buffers) {
    changes[buffer.begin] += buffer.bytes;
    changes[buffer.end + 1] -= buffer.bytes;
  }
  int64_t live = 0, most = 0;
  for (auto [position, change] : changes)
    most = std::max(most, live += change);
  return most;
}

struct PlanArenaPass : tp::impl::PlanArenaPassBase<PlanArenaPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(rt::kEntryAttr) && failed(plan(function)))
        return signalPassFailure();
  }

private:
  LogicalResult plan(func::FuncOp function) {
    SmallVector<Buffer> buffers;
    bool onDevice = getOperation()->hasAttr(rt::kImagesAttr);
    int64_t alignment = onDevice ? kDeviceAlignment : kAlignment;
    WalkResult result = function.walk([&](Operation *op) {
      if (isa<memref::AllocaOp, memref::DeallocOp>(op)) {
        op->emitError("has no place in an entry");
        return WalkResult::interrupt();
      }
      auto alloc = dyn_cast<memref::AllocOp>(op);
      if (!alloc)
        return WalkResult::advance();
      MemRefType type = alloc.getType();
      if (!type.hasStaticShape() || !type.getLayout().isIdentity()) {
        alloc.emitError("needs a static shape without a layout, found ") << type;
        return WalkResult::interrupt();
      }
      int64_t bytes = type.getNumElements() * rt::getElementBytes(type.getElementType());
      buffers.push_back({alloc, int64_t(llvm::alignTo(bytes, alignment))});
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    Positions positions(function);
    BufferViewFlowAnalysis aliases(function);
    for (Buffer &buffer : buffers) {
      findLifetime(buffer, positions, aliases);
      buffer.isSymmetric = onDevice && isOfSmallCollective(buffer, aliases);
    }
    int64_t bytes = pack(buffers), live = getMostLive(buffers);
    Builder builder(&getContext());
    function->setAttr(rt::kArenaBytesAttr, builder.getI64IntegerAttr(bytes));
    function->setAttr(rt::kArenaLiveBytesAttr, builder.getI64IntegerAttr(live));
    int64_t symmetric = 0;
    for (const Buffer &buffer : buffers)
      if (buffer.isSymmetric)
        symmetric = std::max(symmetric, buffer.offset + buffer.bytes);
    if (symmetric > 0)
      function->setAttr(rt::kSymmetricBytesAttr, builder.getI64IntegerAttr(symmetric));
    if (static_cast<int64_t>(arenaBytes) < bytes)
      arenaBytes = bytes;
    replace(function, buffers, bytes);
    return success();
  }

  static void replace(func::FuncOp function, MutableArrayRef<Buffer> buffers, int64_t bytes) {
    if (buffers.empty())
      return;
    OpBuilder start = OpBuilder::atBlockBegin(&function.getBody().front());
    Value arena = rt::ArenaOp::create(start, function.getLoc(),
                                      MemRefType::get({bytes}, start.getIntegerType(8)));
    for (Buffer &buffer : buffers) {
      OpBuilder builder(buffer.alloc);
      Location loc = buffer.alloc.getLoc();
      Value offset = arith::ConstantIndexOp::create(builder, loc, buffer.offset);
      Value view =
          memref::ViewOp::create(builder, loc, buffer.alloc.getType(), arena, offset, ValueRange());
      buffer.alloc.getResult().replaceAllUsesWith(view);
      buffer.alloc->erase();
    }
  }
};

} // namespace
