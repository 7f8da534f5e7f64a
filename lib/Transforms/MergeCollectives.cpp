//===- MergeCollectives.cpp - Common and dead collectives ------------------===//
//
// Common subexpressions as upstream's CSE finds them, with two differences: a
// reason, which is for people, makes no two collectives different, and an equal
// collective in an enclosing block counts. Collectives read a resource that
// nothing writes, so that where a value was computed does not matter.
//
//===----------------------------------------------------------------------===//

#include "tp/Transforms/Passes.h"

#include "Collectives.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tp/Analysis/RegionFlow.h"
#include "llvm/ADT/ScopedHashTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/RecyclingAllocator.h"

namespace mlir::tp {
#define GEN_PASS_DEF_MERGECOLLECTIVESPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// What an op computes. The hash is kept: tables ask for it often.
struct Computation {
  Operation *op;
  unsigned hash;

  explicit Computation(Operation *op)
      : op(op), hash(OperationEquivalence::computeHash(op, OperationEquivalence::directHashValue,
                                                       OperationEquivalence::ignoreHashValue,
                                                       OperationEquivalence::IgnoreLocations)) {}
  Computation(Operation *special, unsigned hash) : op(special), hash(hash) {}
};

/// Ops are equal that compute the same of the same operands.
struct SameComputation {
  using Pointers = llvm::DenseMapInfo<Operation *>;
  static Computation getEmptyKey() { return {Pointers::getEmptyKey(), 0}; }
  static Computation getTombstoneKey() { return {Pointers::getTombstoneKey(), 0}; }
  static unsigned getHashValue(const Computation &one) { return one.hash; }
  static bool isEqual(const Computation &a, const Computation &b) {
    if (a.op == b.op)
      return true;
    auto isSpecial = [](Operation *op) {
      return op == Pointers::getEmptyKey() || op == Pointers::getTombstoneKey();
    };
    return a.hash == b.hash && !isSpecial(a.op) && !isSpecial(b.op) &&
           OperationEquivalence::isEquivalentTo(a.op, b.op, OperationEquivalence::IgnoreLocations);
  }
};

struct MergeCollectivesPass : tp::impl::MergeCollectivesPassBase<MergeCollectivesPass> {
  using Entry = llvm::ScopedHashTableVal<Computation, Operation *>;
  using Table = llvm::ScopedHashTable<Computation, Operation *, SameComputation,
                                      llvm::RecyclingAllocator<llvm::BumpPtrAllocator, Entry>>;

  void runOnOperation() override {
    Table table;
    visit(getOperation().getFunctionBody(), table);
    for (auto [op, reason] : reasons)
      op->setAttr(kReasonAttr, reason);
    reasons.clear();
    removeDead(getOperation().getFunctionBody());
  }

  void visit(Region &region, Table &table) {
    if (!region.hasOneBlock())
      return;
    Table::ScopeTy scope(table);
    for (Operation &op : llvm::make_early_inc_range(region.front())) {
      if (isOpTriviallyDead(&op)) {
        dead += comm::isCollective(&op);
        op.erase();
        continue;
      }
      // First, as an op in the table must stay what it is. Other regions have no collectives.
      if (isRegionFlow(&op))
        for (Region &nested : op.getRegions())
          visit(nested, table);
      bool isCollective = comm::isCollective(&op);
      Attribute reason = isCollective ? op.removeAttr(kReasonAttr) : Attribute();
      if (isCollective || (isMemoryEffectFree(&op) && !op.hasTrait<OpTrait::IsTerminator>() &&
                           llvm::all_of(op.getRegions(), [](Region &nested) {
                             return llvm::hasSingleElement(nested);
                           }))) {
        Computation computation(&op);
        if (Operation *known = table.lookup(computation)) {
          merged += isCollective;
          op.replaceAllUsesWith(known->getResults());
          op.erase();
          continue;
        }
        table.insert(computation, &op);
      }
      if (reason)
        reasons[&op] = reason;
    }
  }

  /// A carried value that nothing but its own next value comes from stays as it
  /// began, so that what made the next one is dead.
  static void dropUnusedCarried(scf::ForOp loop) {
    Block *body = loop.getBody();
    if (llvm::none_of(loop.getResults(), [](Value result) { return result.use_empty(); }))
      return;
    DenseSet<Value> live;
    SmallVector<Value> work;
    auto mark = [&](Value value) {
      if (value.getParentBlock() == body && live.insert(value).second)
        work.push_back(value);
    };
    auto markOperands = [&](Operation *op) {
      op->walk([&](Operation *nested) { llvm::for_each(nested->getOperands(), mark); });
    };
    for (Operation &op : body->without_terminator())
      if (!wouldOpBeTriviallyDead(&op))
        markOperands(&op);
    Operation *yield = body->getTerminator();
    for (auto [result, next] : llvm::zip_equal(loop.getResults(), yield->getOperands()))
      if (!result.use_empty())
        mark(next);
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (Operation *def = value.getDefiningOp())
        markOperands(def);
      else if (auto number = cast<BlockArgument>(value).getArgNumber())
        mark(yield->getOperand(number - 1));
    }
    for (auto [i, carried] : llvm::enumerate(loop.getRegionIterArgs()))
      if (loop.getResult(i).use_empty() && !live.contains(carried))
        yield->setOperand(i, carried);
  }

  /// What only dead ops use, last ones first.
  void removeDead(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
        if (isOpTriviallyDead(&op)) {
          dead += comm::isCollective(&op);
          op.erase();
          continue;
        }
        if (auto loop = dyn_cast<scf::ForOp>(op))
          dropUnusedCarried(loop);
        if (isRegionFlow(&op))
          for (Region &nested : op.getRegions())
            removeDead(nested);
      }
  }

  /// Set aside while ops are compared.
  llvm::DenseMap<Operation *, Attribute> reasons;
};

} // namespace
