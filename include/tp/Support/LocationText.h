//===- LocationText.h - Locations as people write them ---------*- C++ -*-===//

#ifndef TP_SUPPORT_LOCATIONTEXT_H
#define TP_SUPPORT_LOCATIONTEXT_H

#include "mlir/IR/Location.h"
#include <string>

namespace mlir {
namespace tp {

/// `file:line:column`, or the name where a location has one; of an inlined op the
/// place in the callee, of a fused location the first part that is known. Empty
/// when nothing is known.
std::string getLocationText(Location loc);

} // namespace tp
} // namespace mlir

#endif // TP_SUPPORT_LOCATIONTEXT_H
