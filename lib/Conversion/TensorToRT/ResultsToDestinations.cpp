//===- ResultsToDestinations.cpp - Where entries put their results ---------===//
//
// An entry gets one more argument per result, in which the result is to be
// materialized; the new value of a state is materialized in the state's own
// argument. Bufferization then computes in place wherever it can. Afterwards
// what an entry returns are its own arguments, and nothing is returned.
//
//===----------------------------------------------------------------------===//

#include "Destinations.h"
#include "dialects/RT/RT.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_DROPRESULTSPASS
#define GEN_PASS_DEF_RESULTSTODESTINATIONSPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

constexpr StringLiteral kWritableAttr = "bufferization.writable";

bool isState(func::FuncOp function, unsigned argument) {
  auto kind = function.getArgAttrOfType<StringAttr>(argument, kKindAttr);
  return kind && kind.getValue() == "state";
}

/// What an entry may look like: one block of statically shaped values.
LogicalResult verifyEntry(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("an entry has one block, found ")
           << function.getBody().getBlocks().size();
  WalkResult result = function.walk([&](Operation *op) {
    if (isa<CallOpInterface>(op)) {
      op->emitError("calls must be inlined before lowering to the runtime");
      return WalkResult::interrupt();
    }
    SmallVector<Type> types(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(types, block.getArgumentTypes());
    for (Type type : types) {
      auto shaped = dyn_cast<ShapedType>(type);
      if (!shaped || (shaped.hasRank() && shaped.hasStaticShape()))
        continue;
      op->emitError("lowering to the runtime needs static shapes, found ") << type;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

class Entry {
public:
  Entry(func::FuncOp function, bool copyFirst)
      : function(function), copyFirst(copyFirst),
        terminator(function.getBody().front().getTerminator()), builder(function.getContext()) {}

  LogicalResult convert() {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (isa<TensorType>(function.getArgumentTypes()[i]))
        function.setArgAttr(i, kWritableAttr, builder.getBoolAttr(isState(function, i)));
    SmallVector<Attribute> descriptions;
    SmallVector<Destination> destinations;
    for (OpOperand &operand : terminator->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      Value value = operand.get();
      NamedAttrList description(function.getResultAttrDict(i));
      description.set("type", TypeAttr::get(value.getType()));
      if (auto alias = dyn_cast_or_null<IntegerAttr>(description.erase(kAliasAttr))) {
        unsigned argument = alias.getInt();
        if (failed(verifyAlias(i, argument)))
          return failure();
        // Written last: what is read of the old values has been.
        destinations.push_back({&operand, function.getArgument(argument), /*isRead=*/true});
        description.set("state", builder.getI64IntegerAttr(argument));
      } else {
        destinations.push_back({&operand, addDestination(operand)});
      }
      descriptions.push_back(description.getDictionary(function.getContext()));
    }
    keepOldStates(destinations);
    materializeInDestinations(destinations, copyFirst);
    function->setAttr(rt::kResultsAttr, builder.getArrayAttr(descriptions));
    function->setAttr(rt::kEntryAttr, builder.getUnitAttr());
    function.removeResAttrsAttr();
    function.setFunctionType(
        builder.getFunctionType(function.getArgumentTypes(), TypeRange(terminator->getOperands())));
    return success();
  }

private:
  /// The dialect has checked that the argument is a state.
  LogicalResult verifyAlias(unsigned result, unsigned argument) {
    if (function.getArgumentTypes()[argument] != function.getResultTypes()[result])
      return function.emitError("result ")
             << result << " of type " << function.getResultTypes()[result]
             << " is the new value of a state of type " << function.getArgumentTypes()[argument];
    return success();
  }

  /// A new argument for a result; a scalar becomes a tensor of rank 0.
  Value addDestination(OpOperand &operand) {
    Value value = operand.get();
    builder.setInsertionPoint(terminator);
    if (!isa<TensorType>(value.getType())) {
      value = tensor::FromElementsOp::create(builder, value.getLoc(),
                                             RankedTensorType::get({}, value.getType()), value);
      operand.set(value);
    }
    unsigned number = function.getNumArguments();
    DictionaryAttr attributes = builder.getDictionaryAttr(
        {builder.getNamedAttr(kWritableAttr, builder.getBoolAttr(true)),
         builder.getNamedAttr(rt::kResultAttr,
                              builder.getI64IntegerAttr(operand.getOperandNumber()))});
    LogicalResult inserted =
        function.insertArgument(number, value.getType(), attributes, function.getLoc());
    assert(succeeded(inserted) && "an argument can be added at the end");
    (void)inserted;
    return function.getArgument(number);
  }

  /// A state that is another state's old value, or a view of it, needs a copy of
  /// its own, since that one may be overwritten first.
  void keepOldStates(ArrayRef<Destination> destinations) {
    for (const Destination &destination : destinations) {
      Value value = destination.operand->get();
      auto source = dyn_cast<BlockArgument>(getOrigin(value));
      if (!destination.isRead || value == destination.tensor || !source ||
          source.getOwner() != &function.getBody().front() || source == destination.tensor ||
          !isState(function, source.getArgNumber()))
        continue;
      if (value == source)
        builder.setInsertionPointToStart(&function.getBody().front());
      else
        builder.setInsertionPointAfterValue(value);
      Value copy = createCopy(builder, value);
      for (const Destination &other : destinations)
        if (other.operand->get() == value && other.operand != destination.operand && other.isRead)
          other.operand->set(copy);
      destination.operand->set(copy);
    }
  }

  func::FuncOp function;
  bool copyFirst;
  Operation *terminator;
  OpBuilder builder;
};

struct ResultsToDestinationsPass
    : tp::impl::ResultsToDestinationsPassBase<ResultsToDestinationsPass> {
  using ResultsToDestinationsPassBase::ResultsToDestinationsPassBase;

  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal() || function->hasAttr(rt::kKernelAttr))
        continue;
      if (function.isPrivate()) {
        function.emitError("private functions must be inlined before lowering to the runtime");
        return signalPassFailure();
      }
      if (failed(verifyEntry(function)) || failed(Entry(function, copyFirst).convert()))
        return signalPassFailure();
    }
  }
};

struct DropResultsPass : tp::impl::DropResultsPassBase<DropResultsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(rt::kEntryAttr) && failed(dropResults(function)))
        return signalPassFailure();
  }

private:
  static LogicalResult dropResults(func::FuncOp function) {
    Operation *terminator = function.getBody().front().getTerminator();
    for (Value value : terminator->getOperands())
      if (!isa<BlockArgument>(value))
        return function.emitError("result is not in its destination: ") << value;
    terminator->setOperands({});
    function.setFunctionType(
        FunctionType::get(function.getContext(), function.getArgumentTypes(), TypeRange()));
    return success();
  }
};

} // namespace
