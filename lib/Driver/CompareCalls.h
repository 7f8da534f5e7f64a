//===- CompareCalls.h - Whether two calls gave the same --------*- C++ -*-===//

#ifndef LIB_DRIVER_COMPARECALLS_H
#define LIB_DRIVER_COMPARECALLS_H

#include "tp/Execute/CompiledProgram.h"
#include "tp/Support/ToolError.h"

namespace mlir {
namespace tp {

/// Compares results and states: bits where `exactly`, else within the tolerance of
/// each type (docs/Tools.md, --compare); result i may differ by `roundings[i]` as
/// well, where that is given, and a state by what `stateRoundings` has. Fails (status Different) at
/// the first element that differs; `reason` leads to the value of `reference`, as in "unsharded it
/// is".
llvm::Error compareCalls(const CallResults &values, const CallResults &reference, bool exactly,
                         llvm::StringRef reason, llvm::ArrayRef<double> roundings = {},
                         llvm::ArrayRef<double> stateRoundings = {});

} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_COMPARECALLS_H
