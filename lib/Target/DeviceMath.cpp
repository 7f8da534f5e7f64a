//===- DeviceMath.cpp - Mathematical functions of devices ------------------===//

#include "DeviceMath.h"

#include "CudaToolkit.h"
#include "DeviceLibrary.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tp;
namespace Intrinsic = llvm::Intrinsic;

/// Intrinsics that devices have no instructions for, as functions of the C library.
static constexpr std::pair<Intrinsic::ID, StringLiteral> kLibraryIntrinsics[] = {
    {Intrinsic::sin, "sin"},     {Intrinsic::cos, "cos"},   {Intrinsic::tan, "tan"},
    {Intrinsic::asin, "asin"},   {Intrinsic::acos, "acos"}, {Intrinsic::atan, "atan"},
    {Intrinsic::atan2, "atan2"}, {Intrinsic::sinh, "sinh"}, {Intrinsic::cosh, "cosh"},
    {Intrinsic::tanh, "tanh"},   {Intrinsic::exp, "exp"},   {Intrinsic::exp2, "exp2"},
    {Intrinsic::exp10, "exp10"}, {Intrinsic::log, "log"},   {Intrinsic::log2, "log2"},
    {Intrinsic::log10, "log10"}, {Intrinsic::pow, "pow"},
};

/// The name in libdevice of what `instruction` calls; empty where it is no function of
/// the C library.
static std::string getDeviceName(llvm::Instruction &instruction) {
  bool isDouble = instruction.getType()->isDoubleTy();
  // The instruction of devices is exact for small quotients only.
  if (instruction.getOpcode() == llvm::Instruction::FRem)
    return isDouble ? "__nv_fmod" : "__nv_fmodf";
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration())
    return "";
  if (callee->isIntrinsic()) {
    const auto *found = llvm::find_if(kLibraryIntrinsics, [&](const auto &entry) {
      return entry.first == callee->getIntrinsicID();
    });
    if (found == std::end(kLibraryIntrinsics))
      return "";
    return ("__nv_" + found->second + (isDouble ? "" : "f")).str();
  }
  return ("__nv_" + callee->getName()).str();
}

LogicalResult tp::linkDeviceMath(llvm::Module &code, function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<std::pair<llvm::Instruction *, std::string>> calls;
  for (llvm::Function &function : code)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      std::string name = getDeviceName(instruction);
      if (!name.empty())
        calls.push_back({&instruction, name});
    }
  if (calls.empty())
    return success();
  std::optional<std::string> path = findInCudaToolkit("nvvm/libdevice/libdevice.10.bc");
  if (!path)
    return (emitError() << "a kernel needs " << calls.front().second << " of CUDA's libdevice")
               .attachNote()
           << "install the CUDA toolkit and have ptxas on the PATH, or set CUDA_HOME to its folder";
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library = llvm::parseIRFile(*path, problem, code.getContext());
  if (!library)
    return emitError() << "cannot read " << *path << ": " << problem.getMessage();
  for (auto &[instruction, name] : calls) {
    if (!library->getFunction(name))
      return emitError() << "a kernel needs " << name << ", which CUDA's libdevice does not have";
    SmallVector<llvm::Value *> arguments;
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(instruction))
      arguments.append(call->arg_begin(), call->arg_end());
    else
      arguments.append(instruction->op_begin(), instruction->op_end());
    // Its functions are those of the library: narrower floats are wide in between.
    llvm::IRBuilder<> builder(instruction);
    llvm::FunctionType *type = library->getFunction(name)->getFunctionType();
    assert(type->getNumParams() == arguments.size() && "as in the C library");
    for (auto [argument, parameter] : llvm::zip_equal(arguments, type->params()))
      if (argument->getType() != parameter)
        argument = builder.CreateFPExt(argument, parameter);
    llvm::Value *result = builder.CreateCall(code.getOrInsertFunction(name, type), arguments);
    if (result->getType() != instruction->getType())
      result = builder.CreateFPTrunc(result, instruction->getType());
    instruction->replaceAllUsesWith(result);
    instruction->eraseFromParent();
  }
  linkInternally(code, std::move(library));
  // Numbers too small for the usual form are kept. The library of kernels says so, too.
  code.setModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 0u);
  return success();
}
