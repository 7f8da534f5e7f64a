//===- CombineCollectives.cpp - Small collectives meet once ----------------===//
//
// A collective waits for the first op that uses its result; those of one kind,
// group and, where they combine elements, element type that wait at the same time become
// one. One that comes later joins them where few ops compute its operands and none
// depends on theirs: these move up.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "Collectives.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "tp/Transforms/LocalOps.h"
#include "llvm/ADT/SetVector.h"
#include <map>

namespace mlir::tp {
#define GEN_PASS_DEF_COMBINECOLLECTIVESPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

struct CombineCollectivesPass : tp::impl::CombineCollectivesPassBase<CombineCollectivesPass> {
  using CombineCollectivesPassBase::CombineCollectivesPassBase;

  void runOnOperation() override {
    getOperation().walk([&](Block *block) { combine(*block); });
  }

  /// Collectives that may become one, and where: before the first op that uses one.
  struct Bucket {
    SmallVector<Operation *> members;
    Operation *before = nullptr;
  };

  bool isSmall(Operation *collective) const {
    auto isSmallType = [&](Type type) {
      auto tensor = cast<RankedTensorType>(type);
      return tensor.getNumElements() * getElementBytes(tensor.getElementType()) <= maxBytes;
    };
    return llvm::all_of(collective->getOperandTypes(), isSmallType) &&
           llvm::all_of(collective->getResultTypes(), isSmallType);
  }

  /// Most ops that move up for a collective that joins others.
  static constexpr unsigned kMaxMoved = 24;
  /// Meetings that are over, of those that one could have joined, that it tries.
  static constexpr unsigned kMaxTried = 4;

  /// What `collective` needs of the ops from `before` on, in order; nothing where it
  /// depends on a collective that has not met before, or on more than few ops.
  std::optional<SmallVector<Operation *>> getNeeded(Operation *collective,
                                                    Operation *before) const {
    Block *block = before->getBlock();
    llvm::SetVector<Operation *, SmallVector<Operation *>> needed;
    SmallVector<Operation *> worklist = {collective};
    while (!worklist.empty()) {
      WalkResult result = worklist.pop_back_val()->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands()) {
          Operation *def = operand.getDefiningOp();
          if (!def || def->getBlock() != block)
            continue;
          if (auto it = bucketOf.find(def); it != bucketOf.end()) {
            // It met before; else it meets here, or later.
            Operation *met = buckets[it->second].before;
            if (!met || !met->isBeforeInBlock(before))
              return WalkResult::interrupt();
          }
          if (def->isBeforeInBlock(before) || needed.contains(def))
            continue;
          bool mayMove = isMemoryEffectFree(def) && !comm::isCollective(def) &&
                         (def->getNumRegions() == 0 || isa<linalg::LinalgOp>(def));
          if (!mayMove || needed.size() == kMaxMoved)
            return WalkResult::interrupt();
          needed.insert(def);
          worklist.push_back(def);
        }
        return WalkResult::advance();
      });
      if (result.wasInterrupted())
        return std::nullopt;
    }
    SmallVector<Operation *> ordered = needed.takeVector();
    llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    return ordered;
  }

  /// Whether the collective joins one of the meetings `over`, the last one first.
  bool join(Operation *collective, ArrayRef<unsigned> over) {
    for (unsigned index : llvm::reverse(over.take_back(kMaxTried))) {
      Bucket &bucket = buckets[index];
      auto needed = getNeeded(collective, bucket.before);
      if (!needed)
        continue;
      for (Operation *op : *needed)
        op->moveBefore(bucket.before);
      collective->moveBefore(bucket.before);
      bucket.members.push_back(collective);
      bucketOf[collective] = index;
      return true;
    }
    return false;
  }

  void combine(Block &block) {
    buckets.clear();
    bucketOf.clear();
    // What can be one: the name, all attributes but the reason, the element type of what
    // is combined.
    using Key = std::tuple<const void *, const void *, const void *>;
    std::map<Key, unsigned> open;
    std::map<Key, SmallVector<unsigned>> over;
    llvm::DenseMap<Operation *, SmallVector<std::pair<Key, unsigned>, 1>> closedBy;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto it = closedBy.find(&op); it != closedBy.end())
        for (auto &[key, index] : it->second)
          if (auto waiting = open.find(key); waiting != open.end() && waiting->second == index) {
            buckets[index].before = &op;
            over[key].push_back(index);
            open.erase(waiting);
          }
      if (!comm::isCollective(&op) || !isSmall(&op) || op.use_empty())
        continue;
      Type element = comm::isTransfer(&op) ? Type() : getElementTypeOrSelf(op.getResult(0));
      Key key = {op.getName().getAsOpaquePointer(), getMeetingAttrs(&op).getAsOpaquePointer(),
                 element.getAsOpaquePointer()};
      if (!open.count(key) && join(&op, over[key]))
        continue;
      auto [waiting, isNew] = open.try_emplace(key, buckets.size());
      if (isNew)
        buckets.emplace_back();
      buckets[waiting->second].members.push_back(&op);
      bucketOf[&op] = waiting->second;
      for (Operation *user : op.getUsers())
        closedBy[block.findAncestorOpInBlock(*user)].push_back({key, waiting->second});
    }
    for (Bucket &bucket : buckets)
      if (bucket.members.size() > 1)
        merge(bucket);
    for (Operation *op : replaced)
      op->erase();
    replaced.clear();
  }

  void merge(const Bucket &bucket) {
    SmallVector<Value> operands, results;
    SmallVector<Type> types;
    SmallVector<Location> locs;
    for (Operation *member : bucket.members) {
      llvm::append_range(operands, member->getOperands());
      llvm::append_range(results, member->getResults());
      llvm::append_range(types, member->getResultTypes());
      locs.push_back(member->getLoc());
    }
    OpBuilder builder(bucket.before);
    Operation *first = bucket.members.front();
    OperationState state(builder.getFusedLoc(locs), first->getName(), operands, types,
                         getMeetingAttrs(first).getValue());
    if (StringAttr reason = joinReasons(bucket.members))
      state.addAttribute(kReasonAttr, reason);
    Operation *one = builder.create(state);
    for (auto [old, now] : llvm::zip_equal(results, one->getResults()))
      old.replaceAllUsesWith(now);
    // They still mark places of others.
    replaced.append(bucket.members.begin(), bucket.members.end());
    combined += bucket.members.size() - 1;
  }

  std::vector<Bucket> buckets;
  llvm::DenseMap<Operation *, unsigned> bucketOf;
  SmallVector<Operation *> replaced;
};

} // namespace
