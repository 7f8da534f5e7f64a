/*===- Pipeline.h - The partition pipeline for C ------------------*- C -*-===*\
|*                                                                            *|
|* From an unsharded module to one rank's program with its collectives, in    *|
|* the terms of MLIR's own C interface (mlir-c). Diagnostics go to the        *|
|* handlers of the module's context; without one MLIR prints them.            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TP_C_PIPELINE_H
#define TP_C_PIPELINE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a module is, from phase to phase; docs/Pipeline.md says what each guarantees.
typedef enum TpPhase {
  TP_PHASE_SOURCE,    ///< annotated source
  TP_PHASE_PLAN,      ///< every value has a sharding
  TP_PHASE_RESHARD,   ///< every disagreement is a tp.reshard
  TP_PHASE_PARTITION, ///< one rank's program: local shapes, comm ops
  TP_PHASE_COMM       ///< no common or dead collective
} TpPhase;

/// All zero is the default.
typedef struct TpPhaseOptions {
  /// Write `tp.why` beside each sharding.
  bool explain;
  /// Fill padding of undefined content with NaN.
  bool poison;
  /// Leave out the check of what each phase guarantees.
  bool noVerify;
  /// `bf16`, `f16` or `f32`: the type to sum over ranks in where the sum is rounded to
  /// it anyway; empty: the type that contractions sum in.
  MlirStringRef reduceDtype;
} TpPhaseOptions;

/// Adds the dialects that programs may contain, ours and upstream's, with what tp
/// attaches to them. The context that loads them must have been made with or given
/// this registry before a module is parsed.
MLIR_CAPI_EXPORTED void tpRegisterDialects(MlirDialectRegistry registry);

/// Registers every pass and named pipeline of tp and upstream, once per process, for
/// mlirParsePassPipeline.
MLIR_CAPI_EXPORTED void tpRegisterPasses(void);

/// Writes a plan into a module of phase source. `plan` is JSON text as docs/Plan.md
/// has it; empty: only the mesh is set. `mesh` is as --mesh takes it (`tp=4`); empty:
/// the plan's. Failure: one diagnostic at the line of the plan, or the value, at fault.
MLIR_CAPI_EXPORTED MlirLogicalResult tpApplyPlan(MlirModule module, MlirStringRef plan,
                                                 MlirStringRef mesh);

/// The same with the built-in plan `name` (`megatron`, ...), which needs a mesh.
MLIR_CAPI_EXPORTED MlirLogicalResult tpApplyBuiltinPlan(MlirModule module, MlirStringRef name,
                                                        MlirStringRef mesh);

/// Takes a module of phase `from` to phase `to`, which is a later one. `options` may be
/// null. Failure: one diagnostic, and the module is left in between.
MLIR_CAPI_EXPORTED MlirLogicalResult tpRunPhases(MlirModule module, TpPhase from, TpPhase to,
                                                 const TpPhaseOptions *options);

/// Prints which collectives a module of phase partition or comm does and why, as the
/// JSON of --explain.
MLIR_CAPI_EXPORTED void tpPrintExplanation(MlirModule module, MlirStringCallback callback,
                                           void *userData);

#ifdef __cplusplus
}
#endif

#endif /* TP_C_PIPELINE_H */
