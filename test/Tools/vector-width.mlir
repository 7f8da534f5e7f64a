// Kernels have vectors of the width of the CPU that --cpu names.
// RUN: tp-compile %s --plan replicated --mesh tp=1 --cpu x86-64 --emit=rt | FileCheck %s --check-prefix=SSE
// RUN: tp-compile %s --plan replicated --mesh tp=1 --cpu x86-64-v3 --emit=rt | FileCheck %s --check-prefix=AVX
// RUN: tp-compile %s --plan replicated --mesh tp=1 --cpu x86-64-v4 --emit=rt | FileCheck %s --check-prefix=AVX512

// SSE: vector.load {{.*}} vector<4xf32>
// AVX: vector.load {{.*}} vector<8xf32>
// AVX512: vector.load {{.*}} vector<16xf32>
func.func @f(%x: tensor<1x64xf32>, %w: tensor<64xf32>) -> tensor<1x64xf32> {
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<1x64xf32>, tensor<64xf32>
  return %0 : tensor<1x64xf32>
}
