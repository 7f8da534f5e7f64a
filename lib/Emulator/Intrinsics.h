//===- Intrinsics.h - What device code calls on the host --------*- C++ -*-===//
//
// The forms that intrinsics of NVPTX have on the host: functions of C. Floats that
// are not f32 or f64, vectors and structures of them are integers of their size;
// one bit is 32; results that are structures are stored through a first parameter.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_INTRINSICS_H
#define TP_EMULATOR_INTRINSICS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tp::emulator {

struct IntrinsicForm {
  /// Without "llvm.nvvm.".
  const char *name;
  void *function;
  /// The place in the source is the first parameter (behind the result's).
  bool takesSite = false;
  /// Threads wait for each other in it.
  bool meets = false;
};

/// What a form's `function` is.
template <typename Result, typename... Parameters>
void *address(Result (*function)(Parameters...)) {
  return reinterpret_cast<void *>(function);
}

/// Null for one that emulated devices do not have.
const IntrinsicForm *findIntrinsic(llvm::StringRef name);

/// The tables that it is found in, by file.
llvm::ArrayRef<IntrinsicForm> getThreadIntrinsics();
llvm::ArrayRef<IntrinsicForm> getWarpIntrinsics();
llvm::ArrayRef<IntrinsicForm> getMatrixIntrinsics();
llvm::ArrayRef<IntrinsicForm> getMathIntrinsics();
llvm::ArrayRef<IntrinsicForm> getRoundingIntrinsics();

/// What instrumented code calls.
extern "C" {
void tp_emulator_access(uint32_t site, uint32_t kind, void *address, uint64_t bytes);
void *tp_emulator_shared_memory();
void tp_emulator_trap(uint32_t site);
}

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_INTRINSICS_H
