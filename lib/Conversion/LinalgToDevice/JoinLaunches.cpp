//===- JoinLaunches.cpp - Several ops in one launch ------------------------===//
//
// Between two ops that go through the same rows, one after the other, no block waits for
// another one: a softmax, the residual, norm and rounding between two products, or what ranks do
// with a few candidates is one launch, in which each block has its rows to itself. What is small
// is one row.
//
//===----------------------------------------------------------------------===//

#include "DeviceLoops.h"

#include "../LinalgToRT/KernelFunctions.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tp/Conversion/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tp {
#define GEN_PASS_DEF_JOINLAUNCHESPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Rows that keep most of a device busy with a block each; of fewer, a row has at most
/// `kLongRow` trips of an op.
constexpr int64_t kManyRows = 128, kLongRow = 1 << 14;
/// The most trips of a row where a block takes one reduction after another, or copies what a
/// device can copy by itself; and where a thread does those of a reduction alone.
constexpr int64_t kNestedTrips = 1 << 12, kAloneTrips = 64;
/// Trips for which a row wants a block of its own, and the most rows that have less.
constexpr int64_t kShortRow = 32, kMostShortRows = 4096;
/// The most ops of a launch.
constexpr size_t kMostMembers = 24;

/// A kernel of the library of which block b takes rows b, b + blocks and so on, whatever the
/// threads; which of its arguments are rows.
struct RowCall {
  StringRef kernel;
  ArrayRef<unsigned> rows;
};

std::optional<RowCall> getRowCall(rt::KernelCallOp call) {
  static const unsigned rms[] = {3, 5}, residualRms[] = {4, 5, 7, 8}, layer[] = {3, 6},
                        residualLayer[] = {4, 5, 8, 9}, argmax[] = {1, 2, 3}, embedding[] = {0, 2};
  static const RowCall all[] = {{"rms_norm", rms},     {"residual_rms_norm", residualRms},
                                {"layer_norm", layer}, {"residual_layer_norm", residualLayer},
                                {"argmax", argmax},    {"embedding", embedding},
                                {"top_k", {}}};
  const RowCall *found =
      llvm::find_if(all, [&](const RowCall &row) { return row.kernel == call.getKernel(); });
  if (found == std::end(all) || call.getShared() != 0 || call.getBlocks() >= kMaxRowBlocks)
    return std::nullopt;
  return *found;
}

/// Whether the value is a whole buffer, in some shape.
bool isWhole(Value memref) {
  Value buffer = getReshaped(memref);
  return cast<MemRefType>(buffer.getType()).getLayout().isIdentity() &&
         buffer == getBufferRoot(memref);
}

int64_t getSize(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

/// Whether trip r of the first `rowLoops` loops touches the r-th part of an operand, of as many
/// equal parts as there are rows.
bool isByRow(linalg::LinalgOp op, OpOperand &operand, unsigned rowLoops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto type = cast<MemRefType>(operand.get().getType());
  if (!isWhole(operand.get()))
    return false;
  unsigned next = 0;
  auto skipOnes = [&] {
    while (next < rowLoops && sizes[next] == 1)
      ++next;
  };
  auto isOfRows = [&](AffineExpr expr) {
    for (unsigned loop = 0; loop < rowLoops; ++loop)
      if (sizes[loop] != 1 && expr.isFunctionOfDim(loop))
        return true;
    return false;
  };
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), type.getShape())) {
    skipOnes();
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (next < rowLoops && dim && dim.getPosition() == next && sizes[next] == size)
      ++next;
    else if (isOfRows(expr) || (next < rowLoops && size != 1))
      return false;
  }
  skipOnes();
  return next == rowLoops;
}

/// What an op does with a buffer; the buffer is null where it is not known.
struct Use {
  Value buffer;
  bool isWritten, isByRow;
  bool isPlace = false; ///< a number or a place is loaded, by each thread before all members
};

/// Ops of a block, in order, that one launch runs, a row of `rows` by one block at a time.
class Group {
public:
  explicit Group(int64_t rows) : rows(rows) {}

  int64_t getRows() const { return rows; }
  ArrayRef<Operation *> getMembers() const { return members; }
  /// The most trips that a member takes for a row.
  int64_t getTrips() const { return trips; }

  /// Takes the op, the next one; or does not, where it must have a launch of its own.
  bool add(Operation *op) {
    if (members.size() == kMostMembers || !fits(op))
      return false;
    SmallVector<Use> uses = getUses(op);
    for (const Use &use : uses)
      if (!canHave(use, uses))
        return false;
    for (const Use &use : uses) {
      if (use.isWritten)
        written.insert(use.buffer);
      if (!use.isByRow && rows != 1)
        readAcross.insert(use.buffer);
      if (use.isPlace)
        places.insert(use.buffer);
    }
    trips = std::max(trips, countTrips(op));
    members.push_back(op);
    return true;
  }

  /// Whether the members so far may as well run behind `op`.
  bool canPass(Operation *op) const {
    if (isa<memref::AllocOp, rt::CheckIndexOp>(op) || isMemoryEffectFree(op))
      return true;
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      return copy.getSource() == copy.getTarget();
    auto load = dyn_cast<memref::LoadOp>(op);
    Value buffer = load ? getBufferRoot(load.getMemRef()) : Value();
    return buffer && !written.contains(buffer) && !written.contains(Value());
  }

private:
  bool fits(Operation *op) const {
    if (auto call = dyn_cast<rt::KernelCallOp>(op)) {
      if (!getRowCall(call))
        return false;
      // A block takes several rows of few elements one after the other.
      return int64_t(call.getBlocks()) == rows ||
             (rows == 1 && llvm::all_of(call.getArguments(), [](Value value) {
                auto type = dyn_cast<MemRefType>(value.getType());
                return !type || type.getNumElements() <= kNestedTrips;
              }));
    }
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      auto type = cast<MemRefType>(copy.getTarget().getType());
      return copy.getSource() != copy.getTarget() && type.hasStaticShape() &&
             type.getNumElements() != 0 && hasRows(type.getShape()) &&
             type.getNumElements() / rows <= kNestedTrips;
    }
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured || !structured.hasPureBufferSemantics() || structured.hasDynamicShape())
      return false;
    SmallVector<int64_t> sizes = structured.getStaticLoopRanges();
    if (!getRowLoops(structured, rows) || getSize(sizes) == 0)
      return false;
    int64_t reduced = 1, rowTrips = getSize(sizes) / rows;
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (!isIndependentLoop(structured, loop))
        reduced *= sizes[loop];
    bool isNested = reduced != 1 && reduced != rowTrips;
    bool isAlone = reduced != 1 && structured.getNumDpsInits() != 1;
    if ((isNested && rowTrips > kNestedTrips) || (isAlone && reduced > kAloneTrips))
      return false;
    return rows >= kManyRows || rowTrips <= kLongRow;
  }

  /// What an op does for a row.
  int64_t countTrips(Operation *op) const {
    if (auto call = dyn_cast<rt::KernelCallOp>(op))
      return call.getThreads();
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      return cast<MemRefType>(copy.getTarget().getType()).getNumElements() / rows;
    return getSize(cast<linalg::LinalgOp>(op).getStaticLoopRanges()) / rows;
  }

  /// Whether first dimensions of a shape have the rows.
  bool hasRows(ArrayRef<int64_t> shape) const {
    int64_t count = 1;
    for (int64_t size : shape)
      if (count != rows)
        count *= size;
    return count == rows;
  }

  SmallVector<Use> getUses(Operation *op) const {
    SmallVector<Use> uses;
    auto add = [&](Value memref, bool isWritten, bool isByRow) {
      uses.push_back({getBufferRoot(memref), isWritten, isByRow || rows == 1});
      addPlaces(memref, uses);
    };
    if (auto call = dyn_cast<rt::KernelCallOp>(op)) {
      std::optional<RowCall> row = getRowCall(call);
      for (auto [i, value] : llvm::enumerate(call.getArguments())) {
        if (isa<MemRefType>(value.getType()))
          add(value, hasEffect<MemoryEffects::Write>(call, value),
              llvm::is_contained(row->rows, i) && isWhole(value));
        else
          addPlaces(value, uses);
      }
      return uses;
    }
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      add(copy.getSource(), /*isWritten=*/false, isWhole(copy.getSource()));
      add(copy.getTarget(), /*isWritten=*/true, isWhole(copy.getTarget()));
      return uses;
    }
    auto structured = cast<linalg::LinalgOp>(op);
    unsigned rowLoops = *getRowLoops(structured, rows);
    for (OpOperand &operand : op->getOpOperands()) {
      if (isa<MemRefType>(operand.get().getType()))
        add(operand.get(), structured.isDpsInit(&operand), isByRow(structured, operand, rowLoops));
      else
        addPlaces(operand.get(), uses);
    }
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured) {
      if (isa<MemRefType>(value.getType()))
        add(value, /*isWritten=*/false, /*isByRow=*/false);
      else
        addPlaces(value, uses);
    }
    return uses;
  }

  /// The buffers from which a number, or the place of a view, is loaded: a kernel may do that
  /// itself, in each of its threads, before it writes.
  static void addPlaces(Value value, SmallVectorImpl<Use> &uses) {
    Operation *op = value.getDefiningOp();
    if (!op || isa<memref::AllocOp>(op))
      return;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      uses.push_back({getBufferRoot(load.getMemRef()), /*isWritten=*/false, /*isByRow=*/false,
                      /*isPlace=*/true});
    if (op->getNumRegions() == 0)
      for (Value operand : op->getOperands())
        addPlaces(operand, uses);
  }

  /// Whether no block waits for another one because of a use, in this or an earlier member, nor a
  /// thread that has yet to load a place.
  bool canHave(const Use &use, ArrayRef<Use> others) const {
    auto isWrittenHere = [&] {
      return llvm::any_of(
          others, [&](const Use &other) { return other.isWritten && other.buffer == use.buffer; });
    };
    auto isRead = [&] {
      return !use.isWritten && use.buffer && !written.contains(use.buffer) && !isWrittenHere();
    };
    if (use.isPlace ? !isRead() : use.isWritten && places.contains(use.buffer))
      return false;
    if (rows == 1)
      return true;
    if (!use.buffer)
      return false;
    if (!use.isByRow)
      return isRead();
    return !use.isWritten || !readAcross.contains(use.buffer);
  }

  int64_t rows, trips = 0;
  SmallVector<Operation *> members;
  llvm::SmallDenseSet<Value> written, readAcross, places;
};

/// The numbers of rows that an op may have.
SmallVector<int64_t> getRowCounts(Operation *op) {
  SmallVector<int64_t> counts;
  if (auto call = dyn_cast<rt::KernelCallOp>(op))
    counts.push_back(call.getBlocks());
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    int64_t rows = 1;
    SmallVector<int64_t> sizes = structured.getStaticLoopRanges();
    for (unsigned loop = 0; loop < sizes.size() && isIndependentLoop(structured, loop); ++loop)
      if (sizes[loop] != 1)
        counts.push_back(rows *= sizes[loop]);
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    int64_t rows = 1;
    auto type = cast<MemRefType>(copy.getTarget().getType());
    if (type.hasStaticShape())
      for (int64_t size : type.getShape())
        if (size != 1)
          counts.push_back(rows *= size);
  }
  counts.push_back(1);
  return counts;
}

/// The members from `first` on with this number of rows.
Group getGroup(Operation *first, int64_t rows) {
  Group group(rows);
  for (Operation *op = first; op; op = op->getNextNode()) {
    bool isOfGroup = isa<linalg::LinalgOp, rt::KernelCallOp, memref::CopyOp>(op);
    if (!(isOfGroup && group.add(op)) && !group.canPass(op))
      break;
  }
  return group;
}

struct JoinLaunchesPass : tp::impl::JoinLaunchesPassBase<JoinLaunchesPass> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      Operation *parent = block->getParentOp();
      if (!isa<linalg::LinalgOp, scf::ExecuteRegionOp>(parent))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      joinBlock(*block);
  }

private:
  void joinBlock(Block &block) {
    for (Operation *op = &block.front(); op;) {
      Operation *next = op->getNextNode();
      if (isa<linalg::LinalgOp, rt::KernelCallOp, memref::CopyOp>(op))
        if (std::optional<Group> group = findGroup(op))
          next = join(*group)->getNextNode();
      op = next;
    }
  }

  /// The longest one from `first` on, of several that with most rows that are worth a block. What
  /// may be cut into rows is one row only where it is small.
  std::optional<Group> findGroup(Operation *first) {
    std::optional<Group> best;
    auto rank = [](const Group &group) {
      bool isShort = group.getRows() != 1 && group.getTrips() < kShortRow;
      return std::make_tuple(group.getMembers().size(), !isShort, group.getRows());
    };
    for (int64_t rows : getRowCounts(first)) {
      Group group = getGroup(first, rows);
      if (group.getMembers().size() < 2 ||
          (group.getTrips() < kShortRow && rows > kMostShortRows) ||
          (best && rows == 1 && group.getTrips() > kNestedTrips))
        continue;
      if (!best || rank(group) > rank(*best))
        best.emplace(std::move(group));
    }
    return best;
  }

  Operation *join(const Group &group) {
    ArrayRef<Operation *> members = group.getMembers();
    SmallVector<Location> locations;
    for (Operation *op : members)
      locations.push_back(op->getLoc());
    OpBuilder builder(members.back());
    Location loc = FusedLoc::get(&getContext(), locations);
    auto region = scf::ExecuteRegionOp::create(builder, loc, TypeRange());
    region->setAttr(rt::kRowsAttr, builder.getI64IntegerAttr(group.getRows()));
    Block &body = region.getRegion().emplaceBlock();
    for (Operation *op : members) {
      if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        OpBuilder inner = OpBuilder::atBlockEnd(&body);
        linalg::CopyOp::create(inner, copy.getLoc(), copy.getSource(), copy.getTarget());
        copy.erase();
      } else {
        op->moveBefore(&body, body.end());
      }
    }
    builder.setInsertionPointToEnd(&body);
    scf::YieldOp::create(builder, loc);
    joined += members.size() - 1;
    return region;
  }
};

} // namespace
