//===- DeviceCode.h - Device code that runs on the host ---------*- C++ -*-===//
//
// Kernels of an emulated device: the LLVM IR that goes to NVPTX, made to run on the
// host, with each access of memory checked. lib/Emulator/README.md says how.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_DEVICECODE_H
#define TP_EMULATOR_DEVICECODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>

namespace mlir::tp::emulator {

class DeviceMemory;
struct Operation;

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;

  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// How many threads run a kernel.
struct LaunchConfig {
  /// Blocks, and threads per block (at most 1,024).
  Dim3 grid, block;
  /// Bytes of shared memory per block, beyond what the kernel declares.
  uint32_t sharedBytes = 0;
};

/// A module of device code.
class DeviceCode {
public:
  /// Bytes of shared memory that a block can have.
  static constexpr uint32_t maxSharedBytes = 227 * 1024;

  /// Compiles IR of the nvptx64 target, as text or bitcode, for the host. Fails where it
  /// is malformed or uses what an emulated device does not have (inline assembly, an
  /// intrinsic without a form on the host, functions defined elsewhere).
  static llvm::Expected<std::unique_ptr<DeviceCode>> load(llvm::StringRef ir, DeviceMemory &memory);
  ~DeviceCode();

  bool hasKernel(llvm::StringRef name) const;
  /// Bytes of each parameter of a kernel that is there.
  llvm::ArrayRef<uint32_t> parameterBytes(llvm::StringRef kernel) const;
  /// Bytes of shared memory that the module's variables take in each block.
  uint32_t sharedBytes() const;

  /// Runs a kernel to its end, as `operation`; params[i] is the address of parameter i.
  /// Blocks run one after another, in order. The error is the first fault: a message with the place
  /// in the kernel's source, what happened and which threads took part.
  llvm::Error launch(llvm::StringRef kernel, const LaunchConfig &config, void *const *params,
                     const Operation &operation);

private:
  class Impl;
  explicit DeviceCode(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_DEVICECODE_H
