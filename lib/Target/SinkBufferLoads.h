//===- SinkBufferLoads.h ---------------------------------------*- C++ -*-===//

#ifndef LIB_TARGET_SINKBUFFERLOADS_H
#define LIB_TARGET_SINKBUFFERLOADS_H

namespace llvm {
class Module;
}

namespace mlir {
namespace tp {

/// In entries (rt::kEntryFunctionAttr), whose second argument is an array of buffers
/// that nobody changes while they run, loads the pointer of a buffer where it is used instead of
/// once at the start. An entry is one long line of calls; with thousands of parameters the pointers
/// would all live across all of it, and allocating registers for them takes time quadratic in their
/// number.
void sinkBufferLoads(llvm::Module &module);

} // namespace tp
} // namespace mlir

#endif // LIB_TARGET_SINKBUFFERLOADS_H
