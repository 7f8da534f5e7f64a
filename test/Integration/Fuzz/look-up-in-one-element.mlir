// RUN: tp-run %s --interpret --compare --poison --input 1=0 | FileCheck %s
// The checker has nothing to say of a table of one element, and says that.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=2, "b"=2>
func.func @f(%x: tensor<2xf32> {tp.sharding = #tp.sharding<[(a, b)]>}, %i: i64) -> tensor<2xf32> {
  %v, %n = nn.argmax %x : tensor<2xf32> -> tensor<1xf32>, tensor<1xi64>
  %ids = tensor.splat %i : tensor<2xi64>
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%ids : tensor<2xi64>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: i64, %out: f32):
    %row = arith.index_cast %in : i64 to index
    %element = tensor.extract %v[%row] : tensor<1xf32>
    linalg.yield %element : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
