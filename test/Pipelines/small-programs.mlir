// What small programs communicate: nothing but these collectives.
// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-reshard-pipeline --tp-partition-pipeline --tp-optimize-comm-pipeline \
// RUN:   | FileCheck %s --implicit-check-not=comm.all --implicit-check-not=comm.reduce --implicit-check-not=comm.permute

// A norm on rows, a column and a row parallel product, rows again.
tp.mesh @mesh <"tp"=4>

#both = affine_map<(s, d) -> (s, d)>
#row = affine_map<(s, d) -> (s)>
#column = affine_map<(s, d) -> (d)>

// CHECK-LABEL: func.func @norm_and_products
// CHECK: comm.all_gather {{.*}} : tensor<2x16xf32> -> tensor<8x16xf32>
// CHECK: comm.reduce_scatter {{.*}} : tensor<8x16xf32> -> tensor<2x16xf32>
func.func @norm_and_products(%x: tensor<8x16xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %g: tensor<16xf32>,
    %up: tensor<16x32xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %down: tensor<32x16xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<8x16xf32> {tp.sharding = #tp.sharding<[tp, _]>}) {
  %zero = arith.constant 0.0 : f32
  %row_e = tensor.empty() : tensor<8xf32>
  %row_z = linalg.fill ins(%zero : f32) outs(%row_e : tensor<8xf32>) -> tensor<8xf32>
  %squares = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%row_z : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %norm_e = tensor.empty() : tensor<8x16xf32>
  %norm = linalg.generic {indexing_maps = [#both, #row, #column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %squares, %g : tensor<8x16xf32>, tensor<8xf32>, tensor<16xf32>) outs(%norm_e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %s: f32, %w: f32, %o: f32):
    %r = math.rsqrt %s : f32
    %t = arith.mulf %a, %r : f32
    %u = arith.mulf %t, %w : f32
    linalg.yield %u : f32
  } -> tensor<8x16xf32>
  %inner_e = tensor.empty() : tensor<8x32xf32>
  %inner_z = linalg.fill ins(%zero : f32) outs(%inner_e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %inner = linalg.matmul ins(%norm, %up : tensor<8x16xf32>, tensor<16x32xf32>) outs(%inner_z : tensor<8x32xf32>) -> tensor<8x32xf32>
  %out_e = tensor.empty() : tensor<8x16xf32>
  %out_z = linalg.fill ins(%zero : f32) outs(%out_e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %out = linalg.matmul ins(%inner, %down : tensor<8x32xf32>, tensor<32x16xf32>) outs(%out_z : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %out : tensor<8x16xf32>
}

// -----

// The same axis by rows first and by columns last.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @rows_to_columns
// CHECK: comm.all_to_all {{.*}} : tensor<2x8xf32> -> tensor<8x2xf32>
func.func @rows_to_columns(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %a = math.exp %x {tp.sharding = [#tp.sharding<[tp, _]>]} : tensor<8x8xf32>
  %b = math.absf %a : tensor<8x8xf32>
  %c = math.tanh %b {tp.sharding = [#tp.sharding<[_, tp]>]} : tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

// Batch over one axis, a feed-forward network over the other.
tp.mesh @mesh <"dp"=2, "tp"=2>

// CHECK-LABEL: func.func @grid
// CHECK: comm.all_reduce sum {{.*}} over (tp) {{.*}}tensor<2x8xf32>
func.func @grid(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[dp, _]>}, %up: tensor<8x32xf32> {tp.sharding = #tp.sharding<[_, tp]>},
    %down: tensor<32x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<4x32xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %h = linalg.matmul ins(%x, %up : tensor<4x8xf32>, tensor<8x32xf32>) outs(%z1 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %down : tensor<4x32xf32>, tensor<32x8xf32>) outs(%z2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Sizes that the axis does not divide: columns are free, rows are summed.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @uneven
// CHECK: comm.all_reduce sum {{.*}}tensor<4x8xf32>
func.func @uneven(%x: tensor<4x10xf32> {tp.sharding = #tp.sharding<[_, _]>}, %w: tensor<10x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
    %v: tensor<10x6xf32> {tp.sharding = #tp.sharding<[_, tp]>}) -> (tensor<4x8xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<4x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x10xf32>, tensor<10x8xf32>) outs(%z1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e2 = tensor.empty() : tensor<4x6xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %u = linalg.matmul ins(%x, %v : tensor<4x10xf32>, tensor<10x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y, %u : tensor<4x8xf32>, tensor<4x6xf32>
}

// -----

// Whole rows from blocks of a grid.
tp.mesh @mesh <"x"=2, "y"=2>

// CHECK-LABEL: func.func @rows_of_grid
// CHECK: comm.all_gather {{.*}} dim 1 over (y) {{.*}}tensor<2x4xf32> -> tensor<2x8xf32>
func.func @rows_of_grid(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[x, y]>}) -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[x, _]>}) {
  %a = math.exp %x : tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}
