//===- RuntimeABI.cpp - The entry points of abi.def ------------------------===//

#include "RuntimeABI.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Types that stand for the kinds of abi.def, so that a parameter list is a
/// function type whose parameters can be read.
template <ABIType kind> struct Parameter {};

template <typename Result, ABIType... kinds>
SmallVector<ABIType> getParameters(Result (*)(Parameter<kinds>...)) {
  return {kinds...};
}

SmallVector<ABIEntry> expand() {
  using CTX = Parameter<ABIType::CTX>;
  using PTR = Parameter<ABIType::PTR>;
  using CPTR = Parameter<ABIType::CPTR>;
  using I32 = Parameter<ABIType::I32>;
  using I64 = Parameter<ABIType::I64>;
  using FN = Parameter<ABIType::FN>;
  SmallVector<ABIEntry> entries;
#define TPRT_CALL(name, parameters)                                                                \
  entries.push_back(                                                                               \
      {#name, true, ABIType::I32, getParameters(static_cast<void(*) parameters>(nullptr))});
#define TPRT_QUERY(name, result, parameters)                                                       \
  entries.push_back(                                                                               \
      {#name, false, ABIType::result, getParameters(static_cast<void(*) parameters>(nullptr))});
#include "tprt/abi.def"
  return entries;
}

} // namespace

ArrayRef<ABIEntry> tp::getABIEntries() {
  static const SmallVector<ABIEntry> entries = expand();
  return entries;
}

const ABIEntry &tp::getABIEntry(StringRef name) {
  for (const ABIEntry &entry : getABIEntries())
    if (entry.name == name)
      return entry;
  llvm_unreachable("no such entry point in abi.def");
}

Type tp::getABIType(ABIType type, MLIRContext *context) {
  switch (type) {
  case ABIType::I32:
    return IntegerType::get(context, 32);
  case ABIType::I64:
    return IntegerType::get(context, 64);
  default:
    return LLVM::LLVMPointerType::get(context);
  }
}

LLVM::LLVMFuncOp tp::declareRuntimeFunction(ModuleOp module, StringRef name) {
  std::string symbol = ("tprt_" + name).str();
  if (auto existing = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol))
    return existing;
  MLIRContext *context = module.getContext();
  const ABIEntry &entry = getABIEntry(name);
  SmallVector<Type> parameters;
  for (ABIType parameter : entry.parameters)
    parameters.push_back(getABIType(parameter, context));
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  return LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), symbol,
      LLVM::LLVMFunctionType::get(getABIType(entry.result, context), parameters));
}
