//===- Ranks.cpp -----------------------------------------------------------===//

#include "Ranks.h"

#include <set>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

Ranks::Ranks(const Mesh &mesh, ArrayRef<AxisPart> parts) : mesh(mesh) {
  numRanks = mesh.numDevices();
  int64_t axisStride = numRanks;
  for (unsigned axis = 0; axis < mesh.numAxes(); ++axis) {
    int64_t size = mesh.sizes[axis];
    axisStride /= size;
    // Where digits of this axis begin and end, as numbers of major coordinates.
    std::set<int64_t> bounds = {1, size};
    for (const AxisPart &part : parts)
      if (part.axis == axis)
        bounds.insert({part.pre, part.pre * part.size});
    int64_t pre = 1;
    for (int64_t bound : bounds) {
      if (bound == pre)
        continue;
      if (bound % pre != 0 || size % bound != 0) {
        // Parts that do not nest: the axis is one digit, its parts have none.
        while (!digits.empty() && digits.back().part.axis == axis)
          digits.pop_back();
        digits.push_back({AxisPart{axis, 1, size}, axisStride, size});
        break;
      }
      digits.push_back(
          {AxisPart{axis, pre, bound / pre}, axisStride * (size / bound), bound / pre});
      pre = bound;
    }
  }
}

std::optional<SmallVector<unsigned>> Ranks::digitsOf(ArrayRef<AxisPart> parts) const {
  SmallVector<unsigned> found;
  for (const AxisPart &part : parts) {
    int64_t covered = 1;
    for (auto [i, digit] : llvm::enumerate(digits))
      if (digit.part.axis == part.axis && digit.part.pre >= part.pre &&
          digit.part.pre * digit.part.size <= part.pre * part.size) {
        found.push_back(i);
        covered *= digit.size;
      }
    if (covered != part.size)
      return std::nullopt;
  }
  return found;
}

SmallVector<unsigned> Ranks::group(unsigned rank, ArrayRef<unsigned> members) const {
  SmallVector<unsigned> result = {rank};
  for (unsigned digit : members)
    result[0] = withCoordinate(result[0], digit, 0);
  for (unsigned digit : members) {
    SmallVector<unsigned> next;
    for (unsigned base : result)
      for (int64_t c = 0; c < digits[digit].size; ++c)
        next.push_back(withCoordinate(base, digit, c));
    result = std::move(next);
  }
  return result;
}

SmallVector<unsigned> Ranks::group(unsigned rank, DigitMask mask) const {
  SmallVector<unsigned> members;
  for (unsigned digit = 0; digit < digits.size(); ++digit)
    if (mask >> digit & 1)
      members.push_back(digit);
  return group(rank, members);
}
