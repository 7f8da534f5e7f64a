//===- VerifyComm.cpp ------------------------------------------------------===//
//
// Follows, for every value, the mesh axes along which it may differ between
// ranks, through control flow to a fixed point, and then looks at the conditions
// and bounds around each collective.
//
//===----------------------------------------------------------------------===//

#include "VerifyFunctions.h"
#include "tp/Verify/Passes.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tp/Analysis/RegionFlow.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::tp {
#define GEN_PASS_DEF_VERIFYCOMMPASS
#include "tp/Verify/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

llvm::BitVector operator|(llvm::BitVector a, const llvm::BitVector &b) { return a |= b; }

class Verifier {
public:
  Verifier(func::FuncOp function, const Mesh &mesh) : function(function), mesh(mesh) {}
  LogicalResult run();

private:
  using Axes = llvm::BitVector;

  Axes none() const { return Axes(mesh.numAxes()); }
  Axes of(Value value) const {
    auto it = differs.find(value);
    return it == differs.end() ? none() : it->second;
  }
  Axes of(ValueRange values) const {
    Axes axes = none();
    for (Value value : values)
      axes |= of(value);
    return axes;
  }
  void add(Value value, const Axes &axes) {
    Axes &known = differs.try_emplace(value, none()).first->second;
    if (axes.test(known)) {
      known |= axes;
      changed = true;
    }
  }

  void visit(Operation *op);
  void visitComm(Operation *op);
  LogicalResult check(Operation *op, const Axes &control);

  func::FuncOp function;
  Mesh mesh;
  llvm::DenseMap<Value, Axes> differs;
  bool changed = false;
};

void Verifier::visitComm(Operation *op) {
  auto axesAttr = op->getAttrOfType<ArrayAttr>("axes");
  Axes axes = of(op->getOperands());
  bool same = isa<comm::AllReduceOp, comm::AllGatherOp>(op);
  for (const AxisPart &part : comm::getAxisParts(axesAttr, mesh)) {
    if (!same)
      axes.set(part.axis);
    else if (part.size == mesh.sizes[part.axis])
      axes.reset(part.axis);
  }
  add(op->getResult(0), axes);
}

void Verifier::visit(Operation *op) {
  if (isa_and_nonnull<comm::CommDialect>(op->getDialect()))
    return visitComm(op);
  if (isRegionFlow(op)) {
    Axes control = of(getControlValues(op));
    llvm::DenseSet<Value> carried;
    for (const FlowValue &value : getFlowValues(op)) {
      Axes axes = none();
      for (OpOperand *source : value.sources)
        axes |= of(source->get());
      // Ranks that leave after different trips, or from different branches, do so with
      // different values.
      for (Value input : value.inputs) {
        add(input, isa<OpResult>(input) ? axes | control : axes);
        carried.insert(input);
      }
    }
    // The counter of a loop goes by its bounds.
    for (Value argument : getRegionArguments(op))
      if (!carried.contains(argument))
        add(argument, control);
    return;
  }
  // Anything else: what it uses, regions included, may show in all it yields.
  Axes axes = of(op->getOperands());
  if (op->getNumRegions()) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      axes |= of(value);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value arg : block.getArguments())
          add(arg, axes);
  }
  for (Value result : op->getResults())
    add(result, axes);
}

LogicalResult Verifier::check(Operation *op, const Axes &control) {
  if (comm::isCollective(op)) {
    for (const AxisPart &part : comm::getAxisParts(op->getAttrOfType<ArrayAttr>("axes"), mesh))
      if (control.test(part.axis))
        return op->emitError() << "'" << op->getName()
                               << "' under a condition that may differ along "
                               << mesh.names[part.axis] << ", an axis of its group";
    return success();
  }
  Axes inner = control;
  if (isRegionFlow(op))
    inner |= of(getControlValues(op));
  else if (op->getNumRegions())
    inner |= of(op->getOperands());
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      if (failed(check(&nested, inner)))
        return failure();
  return success();
}

LogicalResult Verifier::run() {
  for (BlockArgument arg : function.getArguments()) {
    Axes axes = none();
    if (auto attr = function.getArgAttrOfType<ShardingAttr>(arg.getArgNumber(), kShardingAttr)) {
      auto global = function.getArgAttrOfType<TypeAttr>(arg.getArgNumber(), kGlobalTypeAttr);
      Type type = global ? global.getValue() : arg.getType();
      if (auto ranked = dyn_cast<RankedTensorType>(type)) {
        Sharding sharding = tp::getSharding(attr, mesh, ranked.getRank());
        for (const DimSharding &dim : sharding.dims)
          for (const Cut &cut : dim.cuts)
            axes.set(cut.part.axis);
        for (const PartialAxis &partial : sharding.partial)
          axes.set(partial.part.axis);
      }
    }
    add(arg, axes);
  }
  do {
    changed = false;
    function.getBody().walk([&](Operation *op) { visit(op); });
  } while (changed);
  for (Operation &op : function.getBody().getOps())
    if (failed(check(&op, none())))
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
