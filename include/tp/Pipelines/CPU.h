//===- CPU.h - Lowering to the CPU, as pipelines ---------------*- C++ -*-===//

#ifndef TP_PIPELINES_CPU_H
#define TP_PIPELINES_CPU_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
namespace tp {

struct CommToRTOptions : public PassPipelineOptions<CommToRTOptions> {
  Option<int64_t> minMultiplications{
      *this, "min-multiplications",
      llvm::cl::desc("contractions with fewer multiplications are loops, not library calls"),
      llvm::cl::init(16384)};
  Option<int64_t> vectorBits{*this, "vector-bits",
                             llvm::cl::desc("width of the target's vector registers"),
                             llvm::cl::init(512)};
  Option<bool> bf16Dot{*this, "bf16-dot", llvm::cl::desc("the target has avx512_bf16"),
                       llvm::cl::init(false)};
  Option<bool> verify{*this, "verify", llvm::cl::desc("check what the phase guarantees"),
                      llvm::cl::init(true)};
};

/// From the comm phase (local tensor programs with collectives) to the rt phase:
/// entries that are straight lines of runtime operations on an arena, and
/// kernels. Pipeline `tp-lower-to-rt-pipeline`.
void buildCommToRTPipeline(OpPassManager &pm, const CommToRTOptions &options);

/// From the rt phase to the LLVM dialect with the symbol `tprt_module`. Pipeline
/// `tp-lower-to-llvm-pipeline`.
void buildRTToLLVMPipeline(OpPassManager &pm);

/// Makes both known by name.
void registerCPUPipelines();

} // namespace tp
} // namespace mlir

#endif // TP_PIPELINES_CPU_H
