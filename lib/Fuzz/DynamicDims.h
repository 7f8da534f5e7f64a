//===- DynamicDims.h - Sizes that only a run knows -------------*- C++ -*-===//

#ifndef LIB_FUZZ_DYNAMICDIMS_H
#define LIB_FUZZ_DYNAMICDIMS_H

#include "tp/Fuzz/RandomProgram.h"

namespace mlir {
namespace tp {
namespace fuzz {

/// Makes one size of each entry unknown: some inputs that have it, and values that
/// depend on them, get dynamic dimensions, and `program.shapes` says how large they
/// are.
void forgetSizes(RandomProgram &program, Choices &choices);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // LIB_FUZZ_DYNAMICDIMS_H
