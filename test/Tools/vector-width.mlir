// Kernels have vectors of the width of the CPU that --cpu names.
// RUN: tp-compile %s --plan replicated --mesh tp=1 --cpu x86-64 --emit=rt | FileCheck %s --check-prefix=SSE
// RUN: tp-compile %s --plan replicated --mesh tp=1 --cpu x86-64-v3 --emit=rt | FileCheck %s --check-prefix=AVX
// RUN: tp-compile %s --plan replicated --mesh tp=1 --cpu x86-64-v4 --emit=rt | FileCheck %s --check-prefix=AVX512

// RUN: tp-compile %s --plan replicated --mesh tp=1 --cpu cooperlake --emit=rt | FileCheck %s --check-prefixes=AVX512,PAIRS

// SSE: vector.load {{.*}} vector<4xf32>
// AVX: vector.load {{.*}} vector<8xf32>
// AVX512: vector.load {{.*}} vector<16xf32>
// PAIRS: x86vector.avx512.dot
func.func @f(%x: tensor<1x64xf32>, %w: tensor<64xf32>) -> tensor<1x64xf32> {
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<1x64xf32>, tensor<64xf32>
  return %0 : tensor<1x64xf32>
}

func.func @g(%x: tensor<1x64xbf16>, %w: tensor<8x64xbf16>) -> tensor<1x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x8xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<1x64xbf16>, tensor<8x64xbf16>) outs(%z : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %y : tensor<1x8xf32>
}
