//===- KernelLibrary.cpp - The library of kernels, as abi.def lists it -----===//

#include "dialects/RT/RT.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::rt;

namespace {

/// A type per kind of abi.def, so that a parameter list is a function type.
template <KernelParameter kind> struct Parameter {};

template <KernelParameter... kinds>
SmallVector<KernelParameter> getKinds(void (*)(Parameter<kinds>...)) {
  return {kinds...};
}

llvm::StringMap<SmallVector<KernelParameter>> expand() {
  using CPTR = Parameter<KernelParameter::Input>;
  using PTR = Parameter<KernelParameter::Output>;
  using I32 = Parameter<KernelParameter::I32>;
  using I64 = Parameter<KernelParameter::I64>;
  using F32 = Parameter<KernelParameter::F32>;
  llvm::StringMap<SmallVector<KernelParameter>> kernels;
#define TPRT_KERNEL(name, parameters)                                                              \
  kernels[#name] = getKinds(static_cast<void(*) parameters>(nullptr));
#include "tprt/abi.def"
  return kernels;
}

} // namespace

std::optional<ArrayRef<KernelParameter>> rt::getLibraryKernel(StringRef name) {
  static const llvm::StringMap<SmallVector<KernelParameter>> kernels = expand();
  auto found = kernels.find(name);
  if (found == kernels.end())
    return std::nullopt;
  return ArrayRef(found->second);
}
