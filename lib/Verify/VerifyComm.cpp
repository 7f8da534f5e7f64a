//===- VerifyComm.cpp ------------------------------------------------------===//
//
// All ranks run one program, so a group meets the same collectives in the same
// order where its ranks take the same way through it. Where a choice may differ
// between them, the ways that they may take must meet the same collectives.
//
//===----------------------------------------------------------------------===//

#include "VerifyFunctions.h"
#include "tp/Verify/Passes.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tp/Analysis/RankVariance.h"
#include "tp/Analysis/RegionFlow.h"

namespace mlir::tp {
#define GEN_PASS_DEF_VERIFYCOMMPASS
#include "tp/Verify/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

class Verifier {
public:
  Verifier(func::FuncOp function, const Mesh &mesh)
      : function(function), mesh(mesh), variance(function, mesh) {}

  LogicalResult run() { return check(function.getBody(), variance.none()); }

private:
  using Axes = RankVariance::Axes;

  /// Those of these parts of axes that the op's group runs along.
  Axes groupPartsIn(Operation *collective, Axes axes) const {
    axes &= variance.in(comm::getAxisParts(collective->getAttrOfType<ArrayAttr>("axes"), mesh));
    return axes;
  }

  LogicalResult check(Region &region, const Axes &control);
  LogicalResult check(Operation *op, const Axes &control);
  bool meetTheSame(Operation *choice, const Axes &axes) const;

  func::FuncOp function;
  Mesh mesh;
  RankVariance variance;
};

/// Whether the op or an op in its regions is a collective: that one.
Operation *findCollective(Operation *op) {
  Operation *found = nullptr;
  op->walk([&](Operation *nested) {
    if (!comm::isCollective(nested))
      return WalkResult::advance();
    found = nested;
    return WalkResult::interrupt();
  });
  return found;
}

/// Whether ranks of a group that are in `a` and in `b` meet: the same kind, group,
/// element type and number of elements.
bool isSameMeeting(Operation *a, Operation *b) {
  if (a->getName() != b->getName() || a->getOperandTypes() != b->getOperandTypes())
    return false;
  auto attributes = [](Operation *op) {
    NamedAttrList list(op->getAttrDictionary());
    list.erase("reason");
    return list.getDictionary(op->getContext());
  };
  return attributes(a) == attributes(b);
}

/// Whether the regions of the choice meet the same collectives with groups along
/// `axes`, one after another and none in a region of its own.
bool Verifier::meetTheSame(Operation *choice, const Axes &axes) const {
  std::optional<SmallVector<Operation *>> first;
  for (Region &region : choice->getRegions()) {
    SmallVector<Operation *> met;
    for (Operation &op : region.getOps()) {
      if (comm::isCollective(&op) && groupPartsIn(&op, axes).any())
        met.push_back(&op);
      else if (op.getNumRegions() && findCollective(&op))
        return false;
    }
    if (!first)
      first = met;
    else if (first->size() != met.size() ||
             !llvm::all_of(llvm::zip_equal(*first, met), [](auto pair) {
               return isSameMeeting(std::get<0>(pair), std::get<1>(pair));
             }))
      return false;
  }
  return true;
}

LogicalResult Verifier::check(Operation *op, const Axes &control) {
  if (comm::isCollective(op)) {
    if (Axes axes = groupPartsIn(op, control); axes.any())
      return op->emitError() << "'" << op->getName() << "' under a condition that may differ along "
                             << mesh.names[variance.getPart(axes.find_first()).axis]
                             << ", an axis of its group";
    return success();
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
    if (callee && findCollective(callee))
      return op->emitError() << "calls '" << call.getCallee()
                             << "', which has collectives: functions are inlined before partition";
    return success();
  }
  if (op->getNumRegions() == 0)
    return success();
  if (!isRegionFlow(op)) {
    if (Operation *inside = findCollective(op))
      return inside->emitError() << "'" << inside->getName() << "' in a region of '"
                                 << op->getName() << "', which does not say in which order it runs";
    return success();
  }
  Axes inner = control, own = variance.ofControl(op);
  if (!isa<scf::IfOp, scf::IndexSwitchOp>(op) || !meetTheSame(op, own))
    inner |= own;
  for (Region &region : op->getRegions())
    if (failed(check(region, inner)))
      return failure();
  return success();
}

LogicalResult Verifier::check(Region &region, const Axes &control) {
  if (region.empty())
    return success();
  if (!region.hasOneBlock()) {
    Operation *op = region.getParentOp();
    if (!findCollective(op))
      return success();
    return op->emitError("has collectives in a region of several blocks");
  }
  for (Operation &op : region.front())
    if (failed(check(&op, control)))
      return failure();
  return success();
}

struct VerifyCommPass : tp::impl::VerifyCommPassBase<VerifyCommPass> {
  void runOnOperation() override {
    if (failed(verifyFunctions(getOperation(), [](func::FuncOp function, const Mesh &mesh) {
          return Verifier(function, mesh).run();
        })))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
