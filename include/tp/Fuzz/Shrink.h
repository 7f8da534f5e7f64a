//===- Shrink.h - The smallest program that still fails --------*- C++ -*-===//

#ifndef TP_FUZZ_SHRINK_H
#define TP_FUZZ_SHRINK_H

#include "tp/Fuzz/RandomProgram.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace tp {
namespace fuzz {

/// Whether a program fails as the first one did; false as well to stop early.
using StillFails = llvm::function_ref<bool(const RandomProgram &)>;

/// Makes the program of `tape` smaller, which fails: leaves out ops and makes every
/// choice (sizes, axes, shardings) simpler as long as it fails; `spans` are those of
/// the tape. Then works on the module: drops annotations, results, ops and arguments
/// and replaces values by others or by new arguments.
RandomProgram shrink(Choices::Tape tape, std::vector<Choices::Span> spans, StillFails stillFails);

/// The second half alone.
RandomProgram reduceModule(RandomProgram program, StillFails stillFails);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // TP_FUZZ_SHRINK_H
