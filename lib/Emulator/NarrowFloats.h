//===- NarrowFloats.h - bf16, f16 and tf32 ----------------------*- C++ -*-===//

#ifndef TP_EMULATOR_NARROWFLOATS_H
#define TP_EMULATOR_NARROWFLOATS_H

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

/// The nearest f16, the even one of two.
inline uint16_t roundToF16(float value) {
  return llvm::bit_cast<uint16_t>(static_cast<_Float16>(value));
}

inline float fromBF16(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

inline float fromF16(uint16_t bits) { return llvm::bit_cast<_Float16>(bits); }

/// The hardware reads 19 bits of a tf32 operand.
inline float fromTF32(uint32_t bits) { return llvm::bit_cast<float>(bits & 0xFFFFE000); }

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_NARROWFLOATS_H
