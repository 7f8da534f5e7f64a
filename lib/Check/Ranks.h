//===- Ranks.h - The ranks of a mesh as digits -----------------*- C++ -*-===//

#ifndef LIB_CHECK_RANKS_H
#define LIB_CHECK_RANKS_H

#include "dialects/TP/TP.h"

namespace mlir {
namespace tp {
namespace check {

/// A set of digits.
using DigitMask = uint32_t;

/// A rank's number, written in the mixed radix of the axes and of the parts of axes
/// that a module uses: each axis part is some adjacent digits.
class Ranks {
public:
  struct Digit {
    AxisPart part;
    int64_t stride = 1; ///< in rank numbers
    int64_t size = 1;
  };

  /// One rank.
  Ranks() = default;
  /// The ranks of `mesh`, with digits for the parts in `parts`.
  Ranks(const Mesh &mesh, ArrayRef<AxisPart> parts);

  unsigned count() const { return numRanks; }
  const Mesh &getMesh() const { return mesh; }
  ArrayRef<Digit> getDigits() const { return digits; }

  int64_t coordinate(unsigned digit, unsigned rank) const {
    return rank / digits[digit].stride % digits[digit].size;
  }
  unsigned withCoordinate(unsigned rank, unsigned digit, int64_t c) const {
    return rank + (c - coordinate(digit, rank)) * digits[digit].stride;
  }

  /// The digits of these parts, major to minor; nothing where parts of one axis
  /// that the module uses do not nest.
  std::optional<SmallVector<unsigned>> digitsOf(ArrayRef<AxisPart> parts) const;
  /// The ranks of the group of `rank` over `digits` in row-major order.
  SmallVector<unsigned> group(unsigned rank, ArrayRef<unsigned> digits) const;
  SmallVector<unsigned> group(unsigned rank, DigitMask mask) const;

private:
  Mesh mesh;
  unsigned numRanks = 1;
  SmallVector<Digit> digits;
};

inline DigitMask maskOf(ArrayRef<unsigned> digits) {
  DigitMask mask = 0;
  for (unsigned digit : digits)
    mask |= DigitMask(1) << digit;
  return mask;
}

} // namespace check
} // namespace tp
} // namespace mlir

#endif // LIB_CHECK_RANKS_H
