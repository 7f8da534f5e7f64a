//===- RankVariance.h - Where ranks hold different values ------*- C++ -*-===//
//
// For every value of a partitioned function, the mesh axes along which it may
// differ between ranks. A value differs along an axis where it comes from a
// coordinate on it, or from an argument that is cut or partial along it; a
// reduction or gather over the axis makes it the same again.
//
//   %c = comm.coordinate (tp)                  differs along tp
//   %s = comm.all_reduce sum %c1 over (tp)     the same on all ranks
//   %r = scf.for ... to %c ...                 differs along tp: another number of trips
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
  /// One bit per mesh axis.
  using Axes = llvm::SmallBitVector;

  /// Follows the values of a partitioned function (arguments have `tp.sharding`;
  /// one without it is taken to be the same on all ranks) to a fixed point.
  RankVariance(FunctionOpInterface function, const Mesh &mesh);

  /// The axes along which the value may differ.
  Axes of(Value value) const;
  /// Those along which one of the values may differ.
  Axes of(ValueRange values) const;
  /// Those along which it may differ whether, or how often, the regions of an op run
  /// (see RegionFlow.h). Where control does not flow through them: where one of its
  /// operands may.
  Axes ofControl(Operation *op) const;
  /// Whether all ranks of a group over these parts hold the same.
  bool isSame(Value value, llvm::ArrayRef<AxisPart> parts) const;

private:
  Axes none() const { return Axes(mesh.numAxes()); }
  void add(Value value, const Axes &axes);
  void visit(Operation *op);
  void visitComm(Operation *op);

  Mesh mesh;
  llvm::DenseMap<Value, Axes> differs;
  bool changed = false;
};

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_RANKVARIANCE_H
