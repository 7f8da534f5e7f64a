//===- Mutate.h - Text with a few random changes ---------------*- C++ -*-===//

#ifndef TP_FUZZ_MUTATE_H
#define TP_FUZZ_MUTATE_H

#include "tp/Fuzz/Choices.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
namespace tp {
namespace fuzz {

/// `text` with up to six changes: bytes, tokens and lines go, come twice, change
/// places, or are those of `other`; numbers become other numbers.
std::string mutateText(Choices &choices, llvm::StringRef text, llvm::StringRef other);

/// Leaves out lines as long as `stillFails`.
std::string reduceLines(std::string text, llvm::function_ref<bool(llvm::StringRef)> stillFails);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // TP_FUZZ_MUTATE_H
