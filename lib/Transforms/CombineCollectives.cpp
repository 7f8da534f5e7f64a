//===- CombineCollectives.cpp - Small collectives meet once ----------------===//
//
// A collective waits for the first op that uses its result; those of one kind,
// group and, where they combine elements, element type that wait at the same time become
// one.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "Collectives.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Transforms/LocalOps.h"
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

  void combine(Block &block) {
    std::vector<Bucket> buckets;
    // What can be one: the name, all attributes but the reason, the element type of what
    // is combined.
    using Key = std::tuple<const void *, const void *, const void *>;
    std::map<Key, unsigned> open;
    llvm::DenseMap<Operation *, SmallVector<std::pair<Key, unsigned>, 1>> closedBy;
    for (Operation &op : block) {
      if (auto it = closedBy.find(&op); it != closedBy.end())
        for (auto &[key, index] : it->second)
          if (auto waiting = open.find(key); waiting != open.end() && waiting->second == index) {
            buckets[index].before = &op;
            open.erase(waiting);
          }
      if (!comm::isCollective(&op) || !isSmall(&op) || op.use_empty())
        continue;
      Type element = comm::isTransfer(&op) ? Type() : getElementTypeOrSelf(op.getResult(0));
      Key key = {op.getName().getAsOpaquePointer(), getMeetingAttrs(&op).getAsOpaquePointer(),
                 element.getAsOpaquePointer()};
      auto [waiting, isNew] = open.try_emplace(key, buckets.size());
      if (isNew)
        buckets.emplace_back();
      buckets[waiting->second].members.push_back(&op);
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

  SmallVector<Operation *> replaced;
};

} // namespace
