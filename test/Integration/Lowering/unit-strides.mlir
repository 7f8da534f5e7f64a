// A block of one row is a strided view whose first stride means nothing: kernels
// take it as it is.
// RUN: echo '{"mesh": {"tp": 2}, "shard": {"matvec.arg0": "[]", "matvec.arg1": "[_, tp]", "heads.arg0": "[]", "heads.arg1": "[_, tp, _]"}}' > %t.matvec.json
// RUN: echo '{"mesh": {"tp": 3}, "shard": {"attention.arg0": "[_, _, tp, _, _]", "attention.arg1": "[]"}}' > %t.attention.json
// RUN: for f in matvec heads norm; do tp-run %s --plan %t.matvec.json --entry $f --compare 2>&1 || exit 1; done | FileCheck %s
// RUN: tp-run %s --plan %t.attention.json --entry attention --compare 2>&1 | FileCheck %s --check-prefix=ATTENTION
// CHECK-COUNT-3: equal to the unsharded program
// ATTENTION: equal to the unsharded program

// One row of activations, whole on every rank, and weights cut along the contraction.
func.func @matvec(%x: tensor<1x8xf32>, %w: tensor<3x8xf32>) -> tensor<1x3xf32> {
  %z = arith.constant dense<0.0> : tensor<1x3xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<1x8xf32>, tensor<3x8xf32>) outs(%z : tensor<1x3xf32>) -> tensor<1x3xf32>
  return %y : tensor<1x3xf32>
}

func.func @heads(%x: tensor<1x4x3xf32>, %w: tensor<5x4x3xf32>) -> tensor<1x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5xf32>) -> tensor<1x5xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, h, k) -> (m, h, k)>, affine_map<(m, n, h, k) -> (n, h, k)>, affine_map<(m, n, h, k) -> (m, n)>]
      ins(%x, %w : tensor<1x4x3xf32>, tensor<5x4x3xf32>) outs(%z : tensor<1x5xf32>) -> tensor<1x5xf32>
  return %y : tensor<1x5xf32>
}

// A row of each batch entry that a rank cuts out.
func.func @norm(%x: tensor<1x4x6xf32>, %w: tensor<6xf32>) -> tensor<1x1x6xf32> {
  %row = tensor.extract_slice %x[0, 2, 0] [1, 1, 6] [1, 1, 1] : tensor<1x4x6xf32> to tensor<1x1x6xf32>
  %y = nn.rms_norm %row, %w epsilon 1.0e-5 : tensor<1x1x6xf32>, tensor<6xf32>
  return %y : tensor<1x1x6xf32>
}

func.func @attention(%q: tensor<1x3x3x2x5xf32>, %k: tensor<1x3x7x5xf32>, %v: tensor<1x3x7x5xf32>) -> tensor<1x3x3x2x5xf32> {
  %p = arith.constant dense<2> : tensor<1xi64>
  %o = nn.attention %q, %k, %v, %p scale 0.25 : tensor<1x3x3x2x5xf32>, tensor<1x3x7x5xf32>, tensor<1xi64>
  return %o : tensor<1x3x3x2x5xf32>
}
