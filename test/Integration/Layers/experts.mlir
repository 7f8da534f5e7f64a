func.func @main(%x: tensor<4x4x4xf32> {tp.name = "x"}, %norm: tensor<4xf32> {tp.name = "norm"}, %router: tensor<4x4xf32> {tp.name = "router"}, %mask: tensor<4x4x4x2xf32> {tp.name = "mask"}, %expert_up: tensor<4x4x6xf32> {tp.name = "expert_up"}, %expert_down: tensor<4x6x4xf32> {tp.name = "expert_down"}) -> (tensor<4x4x4xf32>) {
  %v0_e = tensor.empty() : tensor<4x4x4xf32>
  %v0 = linalg.generic {indexing_maps = [affine_map<(g, s, d) -> (g, s, d)>, affine_map<(g, s, d) -> (g, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x4x4xf32>) outs(%v0_e : tensor<4x4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32):
    %s0 = arith.mulf %a0, %a0 : f32
    linalg.yield %s0 : f32
  } -> tensor<4x4x4xf32>
  %v1_e = tensor.empty() : tensor<4x4xf32>
  %v1_c = arith.constant 0.0 : f32
  %v1_i = linalg.fill ins(%v1_c : f32) outs(%v1_e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %v1 = linalg.generic {indexing_maps = [affine_map<(g, s, d) -> (g, s, d)>, affine_map<(g, s, d) -> (g, s)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v0 : tensor<4x4x4xf32>) outs(%v1_i : tensor<4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %v2_e = tensor.empty() : tensor<4x4xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(g, s) -> (g, s)>, affine_map<(g, s) -> (g, s)>], iterator_types = ["parallel", "parallel"]} ins(%v1 : tensor<4x4xf32>) outs(%v2_e : tensor<4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32):
    %s1 = arith.constant 2.500000000e-01 : f32
    %s0 = arith.mulf %a0, %s1 : f32
    linalg.yield %s0 : f32
  } -> tensor<4x4xf32>
  %v3_e = tensor.empty() : tensor<4x4xf32>
  %v3 = linalg.generic {indexing_maps = [affine_map<(g, s) -> (g, s)>, affine_map<(g, s) -> (g, s)>], iterator_types = ["parallel", "parallel"]} ins(%v2 : tensor<4x4xf32>) outs(%v3_e : tensor<4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32):
    %s2 = arith.constant 1.000000000e-05 : f32
    %s1 = arith.addf %a0, %s2 : f32
    %s0 = math.rsqrt %s1 : f32
    linalg.yield %s0 : f32
  } -> tensor<4x4xf32>
  %v4_e = tensor.empty() : tensor<4x4x4xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(g, s, d) -> (g, s, d)>, affine_map<(g, s, d) -> (g, s)>, affine_map<(g, s, d) -> (d)>, affine_map<(g, s, d) -> (g, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %v3, %norm : tensor<4x4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) outs(%v4_e : tensor<4x4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32):
    %s1 = arith.mulf %a0, %a1 : f32
    %s0 = arith.mulf %s1, %a2 : f32
    linalg.yield %s0 : f32
  } -> tensor<4x4x4xf32>
  %v5_e = tensor.empty() : tensor<4x4x4xf32>
  %v5_c = arith.constant 0.0 : f32
  %v5_i = linalg.fill ins(%v5_c : f32) outs(%v5_e : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(g, s, e, d) -> (g, s, d)>, affine_map<(g, s, e, d) -> (d, e)>, affine_map<(g, s, e, d) -> (g, s, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v4, %router : tensor<4x4x4xf32>, tensor<4x4xf32>) outs(%v5_i : tensor<4x4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %p = arith.mulf %a0, %a1 : f32
    %s = arith.addf %a2, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4x4xf32>
  %v6_e = tensor.empty() : tensor<4x4xf32>
  %v6_c = arith.constant 0xFF800000 : f32
  %v6_i = linalg.fill ins(%v6_c : f32) outs(%v6_e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(g, s, e) -> (g, s, e)>, affine_map<(g, s, e) -> (g, s)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v5 : tensor<4x4x4xf32>) outs(%v6_i : tensor<4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32):
    %r = arith.maximumf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %v7_e = tensor.empty() : tensor<4x4x4xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(g, s, e) -> (g, s, e)>, affine_map<(g, s, e) -> (g, s)>, affine_map<(g, s, e) -> (g, s, e)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v5, %v6 : tensor<4x4x4xf32>, tensor<4x4xf32>) outs(%v7_e : tensor<4x4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %s1 = arith.subf %a0, %a1 : f32
    %s0 = math.exp %s1 : f32
    linalg.yield %s0 : f32
  } -> tensor<4x4x4xf32>
  %v8_e = tensor.empty() : tensor<4x4xf32>
  %v8_c = arith.constant 0.0 : f32
  %v8_i = linalg.fill ins(%v8_c : f32) outs(%v8_e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(g, s, e) -> (g, s, e)>, affine_map<(g, s, e) -> (g, s)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v7 : tensor<4x4x4xf32>) outs(%v8_i : tensor<4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %v9_e = tensor.empty() : tensor<4x4x4xf32>
  %v9 = linalg.generic {indexing_maps = [affine_map<(g, s, e) -> (g, s, e)>, affine_map<(g, s, e) -> (g, s)>, affine_map<(g, s, e) -> (g, s, e)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7, %v8 : tensor<4x4x4xf32>, tensor<4x4xf32>) outs(%v9_e : tensor<4x4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %s0 = arith.divf %a0, %a1 : f32
    linalg.yield %s0 : f32
  } -> tensor<4x4x4xf32>
  %v10_e = tensor.empty() : tensor<4x4x4x2xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(g, s, e, u) -> (g, s, e, u)>, affine_map<(g, s, e, u) -> (g, s, e)>, affine_map<(g, s, e, u) -> (g, s, e, u)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%mask, %v9 : tensor<4x4x4x2xf32>, tensor<4x4x4xf32>) outs(%v10_e : tensor<4x4x4x2xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %s0 = arith.mulf %a0, %a1 : f32
    linalg.yield %s0 : f32
  } -> tensor<4x4x4x2xf32>
  %v11_e = tensor.empty() : tensor<4x4x2x4xf32>
  %v11_c = arith.constant 0.0 : f32
  %v11_i = linalg.fill ins(%v11_c : f32) outs(%v11_e : tensor<4x4x2x4xf32>) -> tensor<4x4x2x4xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(e, g, u, d, s) -> (g, s, e, u)>, affine_map<(e, g, u, d, s) -> (g, s, d)>, affine_map<(e, g, u, d, s) -> (e, g, u, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%mask, %v4 : tensor<4x4x4x2xf32>, tensor<4x4x4xf32>) outs(%v11_i : tensor<4x4x2x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %p = arith.mulf %a0, %a1 : f32
    %s = arith.addf %a2, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4x2x4xf32>
  %v12_e = tensor.empty() : tensor<4x4x2x6xf32>
  %v12_c = arith.constant 0.0 : f32
  %v12_i = linalg.fill ins(%v12_c : f32) outs(%v12_e : tensor<4x4x2x6xf32>) -> tensor<4x4x2x6xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(e, g, u, f, d) -> (e, g, u, d)>, affine_map<(e, g, u, f, d) -> (e, d, f)>, affine_map<(e, g, u, f, d) -> (e, g, u, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v11, %expert_up : tensor<4x4x2x4xf32>, tensor<4x4x6xf32>) outs(%v12_i : tensor<4x4x2x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %p = arith.mulf %a0, %a1 : f32
    %s = arith.addf %a2, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4x2x6xf32>
  %v13_e = tensor.empty() : tensor<4x4x2x6xf32>
  %v13 = linalg.generic {indexing_maps = [affine_map<(e, g, u, f) -> (e, g, u, f)>, affine_map<(e, g, u, f) -> (e, g, u, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12 : tensor<4x4x2x6xf32>) outs(%v13_e : tensor<4x4x2x6xf32>) {
  ^bb0(%a0: f32, %a1: f32):
    %s3 = arith.negf %a0 : f32
    %s2 = math.exp %s3 : f32
    %s4 = arith.constant 1.000000000e+00 : f32
    %s1 = arith.addf %s2, %s4 : f32
    %s0 = arith.divf %a0, %s1 : f32
    linalg.yield %s0 : f32
  } -> tensor<4x4x2x6xf32>
  %v14_e = tensor.empty() : tensor<4x4x2x4xf32>
  %v14_c = arith.constant 0.0 : f32
  %v14_i = linalg.fill ins(%v14_c : f32) outs(%v14_e : tensor<4x4x2x4xf32>) -> tensor<4x4x2x4xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(e, g, u, d, f) -> (e, g, u, f)>, affine_map<(e, g, u, d, f) -> (e, f, d)>, affine_map<(e, g, u, d, f) -> (e, g, u, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v13, %expert_down : tensor<4x4x2x6xf32>, tensor<4x6x4xf32>) outs(%v14_i : tensor<4x4x2x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %p = arith.mulf %a0, %a1 : f32
    %s = arith.addf %a2, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4x2x4xf32>
  %v15_e = tensor.empty() : tensor<4x4x4xf32>
  %v15_c = arith.constant 0.0 : f32
  %v15_i = linalg.fill ins(%v15_c : f32) outs(%v15_e : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %v15 = linalg.generic {indexing_maps = [affine_map<(g, s, d, e, u) -> (g, s, e, u)>, affine_map<(g, s, d, e, u) -> (e, g, u, d)>, affine_map<(g, s, d, e, u) -> (g, s, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%v10, %v14 : tensor<4x4x4x2xf32>, tensor<4x4x2x4xf32>) outs(%v15_i : tensor<4x4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %p = arith.mulf %a0, %a1 : f32
    %s = arith.addf %a2, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4x4xf32>
  %v16_e = tensor.empty() : tensor<4x4x4xf32>
  %v16 = linalg.generic {tp.name = "out", indexing_maps = [affine_map<(g, s, d) -> (g, s, d)>, affine_map<(g, s, d) -> (g, s, d)>, affine_map<(g, s, d) -> (g, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %v15 : tensor<4x4x4xf32>, tensor<4x4x4xf32>) outs(%v16_e : tensor<4x4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %s0 = arith.addf %a0, %a1 : f32
    linalg.yield %s0 : f32
  } -> tensor<4x4x4xf32>
  return %v16 : tensor<4x4x4xf32>
}
