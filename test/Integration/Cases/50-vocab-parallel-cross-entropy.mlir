// Case 50: mean cross entropy over tokens that are not -100, with the gradient of the logits, vocabulary cut.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// INPUT 0: ((i*7)%13)*0.5-2.0
// INPUT 1: [3,-100,9,15][i]
// right: no gather of logits: a maximum, and sums of exponentials and picked logits, 4 numbers each; the mean divides by
//        the count of tokens that are not ignored, once.
// trap: labels counted from the local block; the mean over all tokens; a sum over data ranks of means.

func.func @xent(%l: tensor<4x16xf32>, %y: tensor<4xi64>) -> (tensor<f32>, tensor<4x16xf32>) {
  %v1 = arith.constant 0xFF800000 : f32
  %v2 = tensor.empty() : tensor<4xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<4xf32>) -> tensor<4xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%l : tensor<4x16xf32>) outs(%v3 : tensor<4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<4xf32>
  %v5 = tensor.empty() : tensor<4x16xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%l, %v4 : tensor<4x16xf32>, tensor<4xf32>) outs(%v5 : tensor<4x16xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %d = arith.subf %a0, %a1 : f32
      %r = math.exp %d : f32
      linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<4xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<4xf32>) -> tensor<4xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%v6 : tensor<4x16xf32>) outs(%v9 : tensor<4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<4xf32>
  %v11 = arith.constant 0.0 : f32
  %v12 = tensor.empty() : tensor<4xf32>
  %v13 = linalg.fill ins(%v11 : f32) outs(%v12 : tensor<4xf32>) -> tensor<4xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%l, %y : tensor<4x16xf32>, tensor<4xi64>) outs(%v13 : tensor<4xf32>) {
    ^bb0(%a0: f32, %a1: i64, %o: f32):
      %v = linalg.index 1 : index
      %i = arith.index_cast %v : index to i64
      %c = arith.cmpi eq, %i, %a1 : i64
      %z = arith.constant 0.0 : f32
      %q = arith.select %c, %a0, %z : f32
      %r = arith.addf %o, %q : f32
      linalg.yield %r : f32
  } -> tensor<4xf32>
  %v15 = tensor.empty() : tensor<4xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%v4, %v10, %v14, %y : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi64>) outs(%v15 : tensor<4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: i64, %o: f32):
      %lg = math.log %a1 : f32
      %u = arith.addf %lg, %a0 : f32
      %n = arith.subf %u, %a2 : f32
      %ig = arith.constant -100 : i64
      %c = arith.cmpi eq, %a3, %ig : i64
      %z = arith.constant 0.0 : f32
      %r = arith.select %c, %z, %n : f32
      linalg.yield %r : f32
  } -> tensor<4xf32>
  %v17 = arith.constant 0.0 : f32
  %v18 = tensor.empty() : tensor<f32>
  %v19 = linalg.fill ins(%v17 : f32) outs(%v18 : tensor<f32>) -> tensor<f32>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%v16 : tensor<4xf32>) outs(%v19 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v21 = arith.constant 0.0 : f32
  %v22 = tensor.empty() : tensor<f32>
  %v23 = linalg.fill ins(%v21 : f32) outs(%v22 : tensor<f32>) -> tensor<f32>
  %v24 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%y : tensor<4xi64>) outs(%v23 : tensor<f32>) {
    ^bb0(%a0: i64, %o: f32):
      %ig = arith.constant -100 : i64
      %c = arith.cmpi ne, %a0, %ig : i64
      %u = arith.uitofp %c : i1 to f32
      %r = arith.addf %o, %u : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v25 = tensor.empty() : tensor<f32>
  %v26 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%v20, %v24 : tensor<f32>, tensor<f32>) outs(%v25 : tensor<f32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v27 = tensor.empty() : tensor<4x16xf32>
  %v28 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v6, %v10, %y, %v24 : tensor<4x16xf32>, tensor<4xf32>, tensor<4xi64>, tensor<f32>) outs(%v27 : tensor<4x16xf32>) {
    ^bb0(%a0: f32, %a1: f32, %a2: i64, %a3: f32, %o: f32):
      %p = arith.divf %a0, %a1 : f32
      %v = linalg.index 1 : index
      %i = arith.index_cast %v : index to i64
      %c = arith.cmpi eq, %i, %a2 : i64
      %o1 = arith.uitofp %c : i1 to f32
      %d = arith.subf %p, %o1 : f32
      %q = arith.divf %d, %a3 : f32
      %ig = arith.constant -100 : i64
      %k = arith.cmpi eq, %a2, %ig : i64
      %z = arith.constant 0.0 : f32
      %r = arith.select %k, %z, %q : f32
      linalg.yield %r : f32
  } -> tensor<4x16xf32>
  return %v26, %v28 : tensor<f32>, tensor<4x16xf32>
}
