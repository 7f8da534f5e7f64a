//===- Pipelines.h - The phases as named pipelines -------------*- C++ -*-===//
//
// One builder per phase; each ends with the verification of what the phase
// guarantees. docs/Pipeline.md has the table.
//
//===----------------------------------------------------------------------===//

#ifndef TP_PIPELINES_PIPELINES_H
#define TP_PIPELINES_PIPELINES_H

#include <string>

namespace mlir {
class OpPassManager;
namespace tp {

struct PhaseOptions {
  /// Write `tp.why` beside each sharding.
  bool explain = false;
  /// Fill padding of undefined content with NaN.
  bool poison = false;
  /// Element type to sum over ranks in where the sum is rounded to it anyway:
  /// bf16, f16 or f32; empty: the type that contractions sum in.
  std::string reduceDtype;
  /// Check what each phase guarantees.
  bool verify = true;
};

/// Source -> a source of ops that have sharding rules: what front ends hide in bodies
/// and ops that are several ops are written out. Part of the plan phase.
void buildSourcePipeline(OpPassManager &pm);
/// Source, annotated -> every value has a sharding.
void buildPlanPipeline(OpPassManager &pm, const PhaseOptions &options = {});
/// -> every disagreement is a tp.reshard, reductions are placed.
void buildReshardPipeline(OpPassManager &pm, const PhaseOptions &options = {});
/// -> local values and comm ops.
void buildPartitionPipeline(OpPassManager &pm, const PhaseOptions &options = {});
/// -> as few collectives of as few bytes as the passes on comm can make.
void buildOptimizeCommPipeline(OpPassManager &pm, const PhaseOptions &options = {});

/// Registers each as `tp-<phase>-pipeline`.
void registerPipelines();

} // namespace tp
} // namespace mlir

#endif // TP_PIPELINES_PIPELINES_H
