//===- LocationText.h - Locations as people write them ---------*- C++ -*-===//

#ifndef TP_SUPPORT_LOCATIONTEXT_H
#define TP_SUPPORT_LOCATIONTEXT_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
namespace tp {

/// `file:line:column`, or the name where a location has one; of an inlined op the
/// place in the callee, of a fused location the first part that is known. Empty
/// when nothing is known. One line, as toOneLine makes it.
std::string getLocationText(Location loc);

/// `text` for one line of output and for JSON: valid UTF-8, control characters
/// as `\xNN`.
std::string toOneLine(llvm::StringRef text);

} // namespace tp
} // namespace mlir

#endif // TP_SUPPORT_LOCATIONTEXT_H
