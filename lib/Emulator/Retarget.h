//===- Retarget.h - From the device's IR to the host's ----------*- C++ -*-===//

#ifndef TP_EMULATOR_RETARGET_H
#define TP_EMULATOR_RETARGET_H

#include "Block.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

namespace mlir::tp::emulator {

/// What became of a module.
struct RetargetedModule {
  struct Kernel {
    std::string name;
    /// The function of HostKernel::run.
    std::string entry;
    bool meets = false;
    std::vector<uint32_t> parameterBytes;
  };
  struct Variable {
    std::string name;
    uint64_t bytes = 0;
  };

  std::vector<Kernel> kernels;
  std::vector<SharedVariable> shared;
  /// Bytes of shared memory that they take on a device, and here.
  uint32_t sharedBytes = 0, sharedExtent = 0;
  /// Variables in global and constant memory.
  std::vector<Variable> variables;
  /// "file:line", and where that is inlined, by number; 0 is where the code does not say.
  std::vector<std::string> sites;
};

/// Rewrites a module of the nvptx64 target in place, so that it can be compiled for the
/// host:
///  - intrinsics of the target become calls of the functions of Intrinsics.h;
///  - loads, stores, atomic operations and block copies outside the stack are preceded
///    by a call of tp_emulator_access;
///  - variables in shared memory become places behind tp_emulator_shared_memory;
///  - each kernel gets an entry that takes addresses of its parameters.
/// Fails at what has no form on the host, with its place.
llvm::Expected<RetargetedModule> retarget(llvm::Module &module, const llvm::DataLayout &layout,
                                          llvm::StringRef triple);

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_RETARGET_H
