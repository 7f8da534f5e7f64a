// Programs at the edges of what can be cut: values of one element, loops that are
// not what they are called, states that stay partial, fills over arguments, padded
// products of narrow integers. Values equal those of the unsharded program.
// RUN: while read entry shape; do for how in "" --interpret --poison; do \
// RUN:   echo "{\"shard\": {\"$entry.arg0\": \"$shape\"}}" > %t.json; \
// RUN:   tp-run %s --plan %t.json --mesh tp=2 --entry $entry --compare --calls 2 $how 2>&1 || exit 1; \
// RUN: done; done < %S/Inputs/edges.txt | FileCheck %s
// CHECK-COUNT-36: equal to the unsharded program

func.func @collapsed(%x: tensor<1x1xf32>) -> tensor<f32> {
  %0 = tensor.collapse_shape %x [] : tensor<1x1xf32> into tensor<f32>
  return %0 : tensor<f32>
}

func.func @expanded(%x: tensor<f32>) -> tensor<1x1xf32> {
  %0 = tensor.expand_shape %x [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// i is summed although it is called parallel, j is not although it is called a reduction.
func.func @not_reduced(%x: tensor<5x7xf32>) -> tensor<7xf32> {
  %z = arith.constant dense<0.0> : tensor<7xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x7xf32>) outs(%z : tensor<7xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

func.func @state(%n: tensor<4xi32> {tp.kind = "state", tp.name = "count"}, %x: tensor<4xi32>) -> (tensor<4xi32> {tp.alias = 0 : i64}) {
  %0 = arith.addi %n, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

func.func @filled(%x: tensor<5x7xf32>, %s: f32) -> tensor<5x7xf32> {
  %f = linalg.fill ins(%s : f32) outs(%x : tensor<5x7xf32>) -> tensor<5x7xf32>
  %0 = arith.addf %f, %x : tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

func.func @unsigned(%x: tensor<5x7xi8>, %w: tensor<7x3xi8>, %b: tensor<5x3xi32>) -> tensor<5x3xi32> {
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %w : tensor<5x7xi8>, tensor<7x3xi8>) outs(%b : tensor<5x3xi32>) -> tensor<5x3xi32>
  return %0 : tensor<5x3xi32>
}

func.func @boolean(%x: tensor<5x7xi1>, %w: tensor<7x3xi1>) -> tensor<5x3xi1> {
  %z = arith.constant dense<false> : tensor<5x3xi1>
  %0 = linalg.matmul ins(%x, %w : tensor<5x7xi1>, tensor<7x3xi1>) outs(%z : tensor<5x3xi1>) -> tensor<5x3xi1>
  return %0 : tensor<5x3xi1>
}
