//===- BindShapes.cpp - Sizes for dynamic dimensions -----------------------===//

#include "tp/Transforms/Passes.h"

#include "InlineCalls.h"
#include "RefineShapes.h"
#include "Sizes.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tp {
#define GEN_PASS_DEF_BINDSHAPESPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

static bool hasDynamicTypes(func::FuncOp function) {
  if (llvm::any_of(function.getArgumentTypes(), isDynamic) ||
      llvm::any_of(function.getResultTypes(), isDynamic))
    return true;
  return function
      .walk([](Operation *op) {
        return WalkResult(failure(llvm::any_of(op->getResultTypes(), isDynamic)));
      })
      .wasInterrupted();
}

static SmallVector<func::FuncOp> getEntries(ModuleOp module) {
  return llvm::filter_to_vector(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return function.isPublic() && !function.isDeclaration();
  });
}

static std::string nameOf(BlockArgument argument) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return (function.getName() + ".arg" + Twine(argument.getArgNumber())).str();
}

namespace {

class Binder {
public:
  explicit Binder(ModuleOp module)
      : module(module), loc(NameLoc::get(StringAttr::get(module.getContext(), "--shape"))) {}

  /// Sets the types of the arguments that `text` speaks of, or emits one error.
  LogicalResult bind(StringRef text);
  bool isBound(func::FuncOp entry) const {
    return llvm::any_of(entry.getArguments(), [&](Value value) { return bound.contains(value); });
  }

private:
  LogicalResult bind(BlockArgument argument, ArrayRef<StringRef> sizes);
  InFlightDiagnostic emitUnknown(StringRef name);

  ModuleOp module;
  Location loc;
  llvm::DenseSet<Value> bound;
};

InFlightDiagnostic Binder::emitUnknown(StringRef name) {
  InFlightDiagnostic diag = emitError(loc) << '"' << name << "\" names no argument of an entry";
  SmallVector<std::string> open;
  for (func::FuncOp entry : getEntries(module))
    for (BlockArgument argument : entry.getArguments())
      if (isDynamic(argument.getType()))
        open.push_back(nameOf(argument));
  diag.attachNote() << "arguments with sizes that are not known: "
                    << (open.empty() ? "none" : llvm::join(open, ", "));
  return diag;
}

LogicalResult Binder::bind(BlockArgument argument, ArrayRef<StringRef> sizes) {
  std::string name = nameOf(argument);
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type)
    return emitError(loc) << name << " is no ranked tensor but " << argument.getType();
  if (!bound.insert(argument).second)
    return emitError(loc) << "the sizes of " << name << " are given twice";
  if (static_cast<int64_t>(sizes.size()) != type.getRank())
    return emitError(loc) << name << ", " << type << ", is of rank " << type.getRank()
                          << ", found sizes for rank " << sizes.size();
  SmallVector<int64_t> shape(type.getShape());
  for (auto [d, text] : llvm::enumerate(sizes)) {
    int64_t size;
    if (text == "?")
      continue;
    if (text.getAsInteger(10, size) || size < 0)
      return emitError(loc) << "a size of " << name
                            << " must be an integer of at least 0, or ?, found \"" << text << '"';
    if (!type.isDynamicDim(d) && type.getDimSize(d) != size)
      return emitError(loc) << "dimension " << d << " of " << name << ", " << type << ", has "
                            << type.getDimSize(d) << " elements, found " << size;
    shape[d] = size;
  }
  if (hasTooManyElements(shape))
    return emitError(loc) << name << " has more than " << kMaxElements << " elements";
  argument.setType(type.clone(shape));
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  function.setType(FunctionType::get(module.getContext(), function.getBody().getArgumentTypes(),
                                     function.getResultTypes()));
  return success();
}

LogicalResult Binder::bind(StringRef text) {
  auto [name, list] = text.rsplit('=');
  if (name.empty() || list.empty())
    return emitError(loc) << "expected NAME=SIZExSIZE, found \"" << text << '"';
  SmallVector<StringRef> sizes;
  list.split(sizes, 'x');
  bool isKnown = false;
  for (func::FuncOp entry : getEntries(module))
    for (BlockArgument argument : entry.getArguments()) {
      auto given = entry.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr);
      if (nameOf(argument) != name && !(given && given.getValue() == name))
        continue;
      isKnown = true;
      if (failed(bind(argument, sizes)))
        return failure();
    }
  if (!isKnown)
    return emitUnknown(name);
  return success();
}

struct BindShapesPass : tp::impl::BindShapesPassBase<BindShapesPass> {
  using BindShapesPassBase::BindShapesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto run = [&](OpPassManager &passes) { return runPipeline(passes, module); };
    if (llvm::any_of(module.getOps<func::FuncOp>(),
                     [](func::FuncOp f) { return f.isPrivate() && hasDynamicTypes(f); }) &&
        failed(inlineCalls(module, run)))
      return signalPassFailure();
    Binder binder(module);
    for (StringRef text : shapes)
      if (failed(binder.bind(text)))
        return signalPassFailure();
    // Where sizes of arguments stay open, what follows from the others does not.
    for (func::FuncOp entry : getEntries(module))
      if ((binder.isBound(entry) || llvm::none_of(entry.getArgumentTypes(), isDynamic)) &&
          hasDynamicTypes(entry) && failed(refineShapes(entry)))
        return signalPassFailure();
  }
};

} // namespace
