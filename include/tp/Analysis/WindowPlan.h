//===- WindowPlan.h - How rows get to the ranks that read them -*- C++ -*-===//
//
// A window of a cut dimension, in a result that is cut in its own way, is for
// each rank a list of pieces: rows that it has, and rows of other ranks. What it
// lacks comes in one of two ways, whichever is estimated to take less time:
//
//   permutes    in each, every rank gets one piece and none sends two different
//               ones; pieces of like size share a permute
//   all-gather  every rank gives the rows of its block that anyone reads (a run of
//               one size), and each picks its pieces from all of them
//
//===----------------------------------------------------------------------===//

#ifndef TP_ANALYSIS_WINDOWPLAN_H
#define TP_ANALYSIS_WINDOWPLAN_H

#include "dialects/TP/Sharding.h"
#include "dialects/TP/Window.h"
#include "tp/Analysis/Hardware.h"
#include <optional>

namespace mlir {
namespace tp {

/// One piece per rank of the group: group rank r gets `size` rows, in steps of the
/// map's stride, from row offset[sources[r]] of that rank's buffer on; the first
/// end[r] - begin[r] of them are its rows from begin[r] on, the others nobody's. Where
/// the map repeats rows, its row begin[r] is repetition phase[r] of the first of them.
/// Without `isMoved` ranks take pieces of what they hold (or have gathered).
struct WindowRound {
  bool isMoved = false;
  int64_t size = 0;
  /// -1 for a rank without a piece, whose range is empty.
  llvm::SmallVector<int32_t> sources;
  llvm::SmallVector<int64_t> offset, begin, end, phase;
};

struct WindowPlan {
  /// The group: of the axis parts that cut either side.
  llvm::SmallVector<AxisPart, 2> parts;
  /// The parts over which rows are gathered first, empty without a gather; the
  /// run that each rank of the group gives begins at gatherOffset and has
  /// gatherSize rows.
  llvm::SmallVector<AxisPart, 2> gatherParts;
  llvm::SmallVector<int64_t> gatherOffset;
  int64_t gatherSize = 0;
  llvm::SmallVector<WindowRound, 2> rounds;
  /// Whether every row of every rank's buffer comes from some piece.
  bool isCovered = false;
  /// Collectives and bytes sent per rank.
  int64_t messages = 0, bytes = 0;
};

/// The plan for `map` of a dimension cut by `from` into one cut by `to`; a row of
/// a rank's buffer has `rowElements` elements of `elementBytes`. None where the two
/// sides cut an axis into parts that overlap without one being part of the other.
std::optional<WindowPlan> planWindow(const Mesh &mesh, const WindowMap &map,
                                     const DimSharding &from, const DimSharding &to,
                                     int64_t rowElements, int64_t elementBytes,
                                     const Hardware &hardware);

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_WINDOWPLAN_H
