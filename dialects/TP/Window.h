//===- Window.h - Rows of a dimension that an op takes ---------*- C++ -*-===//
//
// Slices, pads, concatenations, shifts, convolutions and pooling all read one
// dimension through windows: pieces of the result are runs of rows of the source,
// in steps of `stride`; rows outside of the source hold a fill, or nothing that
// counts. One map describes them all, per dimension:
//
//   x[2 : 6] of 8 rows             starts [2]       sizes [4]
//   x[1 : 8 : 3]                   starts [1]       sizes [3]      stride 3
//   pad low 1, high 1 of 8 rows    starts [-1]      sizes [10]
//   roll of 8 rows by 3            starts [5, 0]    sizes [3, 5]
//   3 rows, into rows 1, 3 and 5   starts [-1]      sizes [8]      repeat 2
//   of 8, others to be dropped
//   what two blocks of 4 rows      starts [-1, 3]   sizes [6, 6]
//   need for a kernel of 3 rows
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_TP_WINDOW_H
#define DIALECTS_TP_WINDOW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir {
namespace tp {

/// `size` rows of the result: its row j is row start + stride * j of the source.
struct WindowSegment {
  int64_t start = 0;
  int64_t size = 0;
  bool operator==(const WindowSegment &o) const { return start == o.start && size == o.size; }
};

struct WindowMap {
  /// Rows of the source.
  int64_t sourceSize = 0;
  /// At least 1.
  int64_t stride = 1;
  /// How often each row of the source counts, one after another: what segments are of
  /// has sourceSize * repeat rows. Where it is not 1 the stride is.
  int64_t repeat = 1;
  /// The result, piece by piece.
  llvm::SmallVector<WindowSegment, 2> segments;

  WindowMap(int64_t sourceSize, llvm::ArrayRef<WindowSegment> segments, int64_t stride = 1,
            int64_t repeat = 1);
  WindowMap(int64_t sourceSize, llvm::ArrayRef<int64_t> starts, llvm::ArrayRef<int64_t> sizes,
            int64_t stride, int64_t repeat);

  /// A segment of `size` rows none of which are in the source.
  WindowSegment outside(int64_t size) const { return {sourceSize * repeat, size}; }

  int64_t resultSize() const;
  /// Whether the result is the source.
  bool isIdentity() const;
  /// Whether some row of the result is outside of the source.
  bool reachesOutside() const;
  /// Of `size` rows that begin at row `start` of the source (in steps of
  /// `stride`), those inside: a first and a past-the-end number.
  std::pair<int64_t, int64_t> inside(const WindowSegment &segment) const;

  /// Segments as lists.
  llvm::SmallVector<int64_t> starts() const;
  llvm::SmallVector<int64_t> sizes() const;

private:
  /// Drops empty segments, joins those that continue each other.
  void simplify();
};

/// The map of `outer` applied to the result of `inner`, neither of which repeats rows.
WindowMap compose(const WindowMap &outer, const WindowMap &inner);

} // namespace tp
} // namespace mlir

#endif // DIALECTS_TP_WINDOW_H
