//===- Families.h - The families, one file each -----------------*- C++ -*-===//

#ifndef LIB_IMPORT_FAMILIES_H
#define LIB_IMPORT_FAMILIES_H

#include "tp/Import/Family.h"

namespace mlir {
namespace tp {

std::unique_ptr<Family> createBert();
std::unique_ptr<Family> createFalcon();
std::unique_ptr<Family> createGPT2();
std::unique_ptr<Family> createGPTNeoX();
std::unique_ptr<Family> createGemma3();
std::unique_ptr<Family> createLlama();
std::unique_ptr<Family> createMistral();
std::unique_ptr<Family> createPhi();
std::unique_ptr<Family> createQwen2();
std::unique_ptr<Family> createQwen3();

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_FAMILIES_H
