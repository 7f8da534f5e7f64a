//===- CUDA.h - Lowering to CUDA devices, as a pipeline --------*- C++ -*-===//

#ifndef TP_PIPELINES_CUDA_H
#define TP_PIPELINES_CUDA_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
namespace tp {

struct CommToDeviceOptions : public PassPipelineOptions<CommToDeviceOptions> {
  Option<int64_t> minMultiplications{
      *this, "min-multiplications",
      llvm::cl::desc("contractions with fewer multiplications are kernels, not library calls"),
      llvm::cl::init(16384)};
  ListOption<std::string> images{
      *this, "images",
      llvm::cl::desc("what is made of the kernels: sm_90 (machine code), ptx_90 (text for that and "
                     "newer devices), emulated")};
  Option<bool> tf32{*this, "tf32", llvm::cl::desc("products of f32 round their factors to tf32"),
                    llvm::cl::init(false)};
  Option<bool> verify{*this, "verify", llvm::cl::desc("check what the phase guarantees"),
                      llvm::cl::init(true)};
};

/// From the comm phase (local tensor programs with collectives) to the rt phase for
/// devices: entries that run on the host and launch kernels. Pipeline
/// `tp-lower-to-device-pipeline`. `tp-lower-to-llvm-pipeline` takes it from there.
void buildCommToDevicePipeline(OpPassManager &pm, const CommToDeviceOptions &options);

/// Makes it known by name.
void registerCUDAPipelines();

} // namespace tp
} // namespace mlir

#endif // TP_PIPELINES_CUDA_H
