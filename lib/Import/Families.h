//===- Families.h - The families, one file each -----------------*- C++ -*-===//

#ifndef LIB_IMPORT_FAMILIES_H
#define LIB_IMPORT_FAMILIES_H

#include "tp/Import/Family.h"

namespace mlir {
namespace tp {

std::unique_ptr<Family> createLlama();

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_FAMILIES_H
