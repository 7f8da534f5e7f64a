//===- ReshardPath.h - The cheapest way between two shardings --*- C++ -*-===//
//
// A reshard is a shortest path in the graph whose nodes are shardings of one
// value and whose edges are the moves below. The search knows no IR: emission
// (tp/Transforms/LocalOps.h) turns each step into ops, the tests run the steps.
//
//   move           from -> to (on mesh x, y)      what happens               bytes
//   slice          [_] -> [x]                     each rank keeps its block  none
//   mask           [_] -> [_] sum(x)              coordinate 0 keeps the     none
//                                                 value, the others hold the
//                                                 neutral element
//   place          [x] -> [_] sum(x)              each rank holds its block where  none
//                                                 it belongs, elsewhere the
//                                                 neutral element
//   all-gather     [(x, y)] -> [x] or [_]         minor cuts are undone      yes
//   reduce-scatter [_] sum(x) -> [x]              blocks of the reduction    yes
//   all-reduce     [_] sum(x, y) -> [_]                                      yes
//   all-to-all     [(y, x), _] -> [y, x]          minor cuts change their    yes
//                                                 dimension
//   permute        [(x, y)] -> [(y, x)]           whole blocks move          yes
//   re-block       [x] -> [x*4]                   the same axes cut one      yes
//                                                 dimension elsewhere: the
//                                                 boundary pieces move
//
// A reduce-scatter or all-to-all slices on the way by replicated axes that cut
// below its own: [_] sum(x) -> [(x, y)] sends only blocks of this rank's y.
//
// Every node on the path holds at most max(from, to) elements per rank where
// such a path exists. Mesh axes are cut into the sub-axes that occur on either
// side, so `tp` and `(tp:(1)2, tp:(2)2)` meet; a cut of an axis of granule g is
// the same as a major cut of granule g * (minor size) and a minor one of g.
//
//===----------------------------------------------------------------------===//

#ifndef TP_ANALYSIS_RESHARDPATH_H
#define TP_ANALYSIS_RESHARDPATH_H

#include "dialects/TP/Sharding.h"
#include "tp/Analysis/Hardware.h"
#include "llvm/ADT/StringMap.h"

namespace mlir {
namespace tp {

enum class ReshardMove {
  Slice,
  Mask,
  Place,
  AllGather,
  ReduceScatter,
  AllReduce,
  AllToAll,
  Permute,
  Reblock
};

llvm::StringRef stringifyReshardMove(ReshardMove move);

/// One edge of a path. Which cuts appear, vanish or move follows from the
/// shardings before and after.
struct ReshardStep {
  ReshardMove move = ReshardMove::Slice;
  /// The sharding that the step leads to.
  Sharding after;
  /// The parts involved; the group of the collective, in the order of its ranks.
  llvm::SmallVector<AxisPart, 2> parts;
  /// Slice, Place, AllGather, ReduceScatter, Reblock: the dimension.
  unsigned dim = 0;
  /// Mask, Place, AllReduce, ReduceScatter: the kind of the reduction.
  ReductionKind reduction = ReductionKind::Sum;
  /// Permute: for each rank of the group the rank whose block it gets.
  llvm::SmallVector<int32_t, 0> sources;
  /// Collectives (re-block: one permute per round) and bytes sent per rank.
  int64_t messages = 0;
  int64_t bytes = 0;
};

struct ReshardPath {
  /// Where the path begins, in the form in which its steps continue it.
  Sharding from;
  llvm::SmallVector<ReshardStep, 2> steps;
  int64_t messages = 0;
  int64_t bytes = 0;
};

/// The cheapest path by `hardware`, found by Dijkstra; ties are broken by the
/// number of steps, then by a fixed order of moves. Total: from any sharding to
/// any other. `shape` is the global shape, both shardings have its rank.
ReshardPath findReshardPath(const Mesh &mesh, llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                            const Sharding &from, const Sharding &to, const Hardware &hardware);

/// Estimated microseconds of that path.
double reshardCost(const Mesh &mesh, llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                   const Sharding &from, const Sharding &to, const Hardware &hardware);

/// Remembers the costs it was asked for. One per pass and thread.
class ReshardCosts {
public:
  ReshardCosts(const Mesh &mesh, const Hardware &hardware) : mesh(mesh), hardware(hardware) {}

  /// Estimated microseconds, as reshardCost.
  double cost(llvm::ArrayRef<int64_t> shape, int64_t elementBytes, const Sharding &from,
              const Sharding &to);

private:
  Mesh mesh;
  Hardware hardware;
  llvm::StringMap<double> known;
};

/// One permute of a re-block: group rank r receives `size` elements that begin
/// at element sendOffset[sources[r]] of the sender's block, for its own elements
/// [receiveBegin[r], receiveEnd[r]); a rank without a piece has sources[r] = -1
/// and an empty range.
struct ReblockRound {
  int64_t size = 0;
  llvm::SmallVector<int32_t> sources;
  llvm::SmallVector<int64_t> sendOffset, receiveBegin, receiveEnd;
};

/// The pieces of a dimension of n elements that move when its cuts change from
/// `from` to `to`, over the group of `parts`. The first round is what each rank
/// keeps (sources are the ranks themselves; no permute), the others are permutes
/// in which no rank sends two different pieces.
llvm::SmallVector<ReblockRound, 0> getReblockRounds(int64_t n, const DimSharding &from,
                                                    const DimSharding &to,
                                                    llvm::ArrayRef<AxisPart> parts);

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_RESHARDPATH_H
