//===- Samples.h - nn ops in random programs -------------------*- C++ -*-===//

#ifndef DIALECTS_NN_SAMPLES_H
#define DIALECTS_NN_SAMPLES_H

#include "tp/Fuzz/ProgramBuilder.h"

namespace mlir {
namespace tp {
namespace nn {

/// How the fuzzer makes ops of this dialect.
llvm::ArrayRef<fuzz::OpEntry> getSamples();

} // namespace nn
} // namespace tp
} // namespace mlir

#endif // DIALECTS_NN_SAMPLES_H
