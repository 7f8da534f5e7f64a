//===- BFloat16.h - Rounding to bf16 ----------------------------*- C++ -*-===//

#ifndef TP_EMULATOR_BFLOAT16_H
#define TP_EMULATOR_BFLOAT16_H

#include "llvm/ADT/bit.h"
#include <cstdint>

namespace mlir::tp::emulator {

/// The nearest bf16, the even one of two; NaN stays NaN.
inline uint16_t roundToBF16(float value) {
  auto bits = llvm::bit_cast<uint32_t>(value);
  if (value != value)
    return bits >> 16 | 0x40;
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_BFLOAT16_H
