//===- Nesting.h - How deep the brackets of a text nest --------*- C++ -*-===//

#ifndef TP_SUPPORT_NESTING_H
#define TP_SUPPORT_NESTING_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
namespace tp {

/// A place in a text; both count from 1.
struct TextPosition {
  unsigned line, column;
};

/// The first bracket of JSON or MLIR text, outside of strings and comments, that is nested
/// deeper than `limit`. Parsers recurse: text from outside must not choose how deep.
std::optional<TextPosition> findTooDeep(llvm::StringRef text, unsigned limit);

} // namespace tp
} // namespace mlir

#endif // TP_SUPPORT_NESTING_H
