//===- RankVariance.h - Where ranks hold different values ------*- C++ -*-===//
//
// For every value of a partitioned function, the parts of mesh axes along which it
// may differ between ranks. A value differs along one where it comes from a
// coordinate on it, or from an argument that is cut or partial along it; a
// reduction or gather over it, or what all get from one rank, is the same again.
//
//   %c = comm.coordinate (tp)                  differs along tp
//   %s = comm.all_reduce sum %c1 over (tp)     the same on all ranks
//   %r = scf.for ... to %c ...                 differs along tp: another number of trips
//
// Parts are the smallest into which the function cuts an axis: where it has
// collectives or shardings over `tp:(1)2`, those are `tp:(1)2` and what is left.
// Where such parts overlap (2 and 3 coordinates of 6), the axis is one part.
//
//===----------------------------------------------------------------------===//

#ifndef TP_ANALYSIS_RANKVARIANCE_H
#define TP_ANALYSIS_RANKVARIANCE_H

#include "dialects/TP/TP.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir {
namespace tp {

class RankVariance {
public:
  /// One bit per part.
  using Axes = llvm::SmallBitVector;

  /// Follows the values of a partitioned function (arguments have `tp.sharding`;
  /// one without it is taken to be the same on all ranks) to a fixed point.
  RankVariance(FunctionOpInterface function, const Mesh &mesh);

  /// No part, and those that overlap with one of these.
  Axes none() const { return Axes(parts.size()); }
  Axes in(llvm::ArrayRef<AxisPart> list) const;
  const AxisPart &getPart(unsigned bit) const { return parts[bit]; }

  /// The parts along which the value may differ.
  Axes of(Value value) const;
  /// Those along which one of the values may differ.
  Axes of(ValueRange values) const;
  /// Those along which it may differ whether, or how often, the regions of an op run
  /// (see RegionFlow.h). Where control does not flow through them: where one of its
  /// operands may.
  Axes ofControl(Operation *op) const;
  /// Whether all ranks of a group over these parts hold the same.
  bool isSame(Value value, llvm::ArrayRef<AxisPart> group) const;

private:
  void cutAxes(FunctionOpInterface function);
  void add(Value value, const Axes &axes);
  void visit(Operation *op);
  void visitComm(Operation *op);

  Mesh mesh;
  llvm::SmallVector<AxisPart> parts;
  llvm::DenseMap<Value, Axes> differs;
  bool changed = false;
};

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_RANKVARIANCE_H
