// RUN: tp-opt %s --split-input-file --verify-diagnostics

func.func @embedding_shape(%ids: tensor<3xi64>, %t: tensor<7x4xf32>) {
  // expected-error @+1 {{result must be 'tensor<3x4xf32>', found 'tensor<3x5xf32>'}}
  %0 = nn.embedding %ids, %t : tensor<3xi64>, tensor<7x4xf32> -> tensor<3x5xf32>
  return
}

// -----

func.func @embedding_rank(%ids: tensor<3xi64>, %t: tensor<7x4xf32>) {
  // expected-error @+1 {{result must be 'tensor<3x4xf32>', found 'tensor<3xf32>'}}
  %0 = nn.embedding %ids, %t : tensor<3xi64>, tensor<7x4xf32> -> tensor<3xf32>
  return
}

// -----

func.func @embedding_element(%ids: tensor<3xi64>, %t: tensor<7x4xf32>) {
  // expected-error @+1 {{result must be 'tensor<3x4xf32>', found 'tensor<3x4xf16>'}}
  %0 = nn.embedding %ids, %t : tensor<3xi64>, tensor<7x4xf32> -> tensor<3x4xf16>
  return
}

// -----

func.func @embedding_ids(%ids: tensor<3xi32>, %t: tensor<7x4xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of 64-bit signless integer values, but got 'tensor<3xi32>'}}
  %0 = nn.embedding %ids, %t : tensor<3xi32>, tensor<7x4xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @embedding_table(%ids: tensor<3xi64>, %t: tensor<7x4x2xf32>) {
  // expected-error @+1 {{operand #1 must be}}
  %0 = nn.embedding %ids, %t : tensor<3xi64>, tensor<7x4x2xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @rms_norm_weight(%x: tensor<3x8xf32>, %w: tensor<7xf32>) {
  // expected-error @+1 {{weight must have 8 elements, found 7}}
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<3x8xf32>, tensor<7xf32>
  return
}

// -----

func.func @rms_norm_epsilon(%x: tensor<3x8xf32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{epsilon must not be negative, found -1.0}}
  %0 = nn.rms_norm %x, %w epsilon -1.0 : tensor<3x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @rms_norm_scalar(%x: tensor<f32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{needs a value of rank 1 or more, found 'tensor<f32>'}}
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<f32>, tensor<8xf32>
  return
}

// -----

func.func @rms_norm_integers(%x: tensor<3x8xi32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floating-point values}}
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<3x8xi32>, tensor<8xf32>
  return
}

// -----

func.func @rms_norm_weight_offset(%x: tensor<3x8xf32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{weight_offset must be finite, found 0x7FF0000000000000 : f64}}
  %0 = nn.rms_norm %x, %w epsilon 1.0 weight_offset 0x7FF0000000000000 : tensor<3x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @layer_norm_weight(%x: tensor<3x8xf32>, %w: tensor<7xf32>) {
  // expected-error @+1 {{weight and bias must have 8 elements, found 7}}
  %0 = nn.layer_norm %x, %w, %w epsilon 1.0e-05 : tensor<3x8xf32>, tensor<7xf32>
  return
}

// -----

func.func @layer_norm_epsilon(%x: tensor<3x8xf32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{epsilon must not be negative, found -1.0}}
  %0 = nn.layer_norm %x, %w, %w epsilon -1.0 : tensor<3x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @layer_norm_scalar(%x: tensor<f32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{needs a value of rank 1 or more, found 'tensor<f32>'}}
  %0 = nn.layer_norm %x, %w, %w epsilon 1.0e-05 : tensor<f32>, tensor<8xf32>
  return
}

// -----

func.func @layer_norm_bias(%x: tensor<3x8xf32>, %w: tensor<8xf32>, %b: tensor<7xf32>) {
  // expected-error @+1 {{failed to verify that all of {weight, bias} have same type}}
  %0 = "nn.layer_norm"(%x, %w, %b) {epsilon = 1.0} : (tensor<3x8xf32>, tensor<8xf32>, tensor<7xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @rotary_table_element(%p: tensor<2xi64>) {
  // expected-error @+1 {{results must be of f32, found 'f16'}}
  %0, %1 = nn.rotary_table %p theta 100.0 : tensor<2xi64> -> tensor<2x3x4xf16>
  return
}

// -----

func.func @rotary_table_rows(%p: tensor<2xi64>) {
  // expected-error @+1 {{results must have 2 rows, found 3}}
  %0, %1 = nn.rotary_table %p theta 100.0 : tensor<2xi64> -> tensor<3x3x4xf32>
  return
}

// -----

func.func @rotary_table_rank(%p: tensor<2xi64>) {
  // expected-error @+1 {{result #0 must be}}
  %0, %1 = nn.rotary_table %p theta 100.0 : tensor<2xi64> -> tensor<2x4xf32>
  return
}

// -----

func.func @rotary_table_theta(%p: tensor<2xi64>) {
  // expected-error @+1 {{theta must be positive, found 0.0}}
  %0, %1 = nn.rotary_table %p theta 0.0 : tensor<2xi64> -> tensor<2x3x4xf32>
  return
}

// -----

func.func @rotary_table_nothing(%p: tensor<2xi64>) {
  // expected-error @+1 {{needs either theta or frequencies, found none}}
  %0, %1 = nn.rotary_table %p : tensor<2xi64> -> tensor<2x3x4xf32>
  return
}

// -----

func.func @rotary_table_both(%p: tensor<2xi64>) {
  // expected-error @+1 {{needs either theta or frequencies, found both}}
  %0, %1 = nn.rotary_table %p theta 10.0 frequencies [1.0] : tensor<2xi64> -> tensor<2x3x1xf32>
  return
}

// -----

func.func @rotary_table_frequencies(%p: tensor<2xi64>) {
  // expected-error @+1 {{needs 4 frequencies, found 2}}
  %0, %1 = nn.rotary_table %p frequencies [1.0, 0.5] : tensor<2xi64> -> tensor<2x3x4xf32>
  return
}

// -----

func.func @rotary_table_frequency(%p: tensor<2xi64>) {
  // expected-error @+1 {{frequencies must be finite and not negative, found -5.0}}
  %0, %1 = nn.rotary_table %p frequencies [1.0, -0.5] : tensor<2xi64> -> tensor<2x3x2xf32>
  return
}

// -----

func.func @rope_half(%x: tensor<2x3x8xf32>, %c: tensor<2x3x8xf32>) {
  // expected-error @+1 {{rotates 16 elements, but the head dimension has 8}}
  %0 = nn.rope %x, %c, %c : tensor<2x3x8xf32>, tensor<2x3x8xf32>
  return
}

// -----

func.func @rope_positions(%x: tensor<2x3x8xf32>, %c: tensor<2x2x4xf32>) {
  // expected-error @+1 {{cos and sin must be 'tensor<2x3x4xf32>', found 'tensor<2x2x4xf32>'}}
  %0 = nn.rope %x, %c, %c : tensor<2x3x8xf32>, tensor<2x2x4xf32>
  return
}

// -----

func.func @rope_rank(%x: tensor<2x8xf32>, %c: tensor<2x3x4xf32>) {
  // expected-error @+1 {{needs a value of rank 3 or more, found rank 2}}
  %0 = nn.rope %x, %c, %c : tensor<2x8xf32>, tensor<2x3x4xf32>
  return
}

// -----

func.func @cache_update_heads(%c: tensor<2x5x16x8xf32>, %u: tensor<2x3x4x8xf32>, %p: tensor<2xi64>) {
  // expected-error @+1 {{update must be 'tensor<2x3x5x8xf32>', found 'tensor<2x3x4x8xf32>'}}
  %0 = nn.cache_update %c, %u, %p : tensor<2x5x16x8xf32>, tensor<2x3x4x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @cache_update_element(%c: tensor<2x5x16x8xf32>, %u: tensor<2x3x5x8xf16>, %p: tensor<2xi64>) {
  // expected-error @+1 {{update must be 'tensor<2x3x5x8xf32>', found 'tensor<2x3x5x8xf16>'}}
  %0 = nn.cache_update %c, %u, %p : tensor<2x5x16x8xf32>, tensor<2x3x5x8xf16>, tensor<2xi64>
  return
}

// -----

func.func @cache_update_capacity(%c: tensor<2x5x2x8xf32>, %u: tensor<2x3x5x8xf32>, %p: tensor<2xi64>) {
  // expected-error @+1 {{has more new positions (3) than the cache (2)}}
  %0 = nn.cache_update %c, %u, %p : tensor<2x5x2x8xf32>, tensor<2x3x5x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @cache_update_pos(%c: tensor<2x5x16x8xf32>, %u: tensor<2x3x5x8xf32>, %p: tensor<1xi64>) {
  // expected-error @+1 {{pos must be 'tensor<2xi64>', found 'tensor<1xi64>'}}
  %0 = nn.cache_update %c, %u, %p : tensor<2x5x16x8xf32>, tensor<2x3x5x8xf32>, tensor<1xi64>
  return
}

// -----

func.func @attention_heads(%q: tensor<2x3x5x6x8xf32>, %k: tensor<2x4x16x8xf32>, %p: tensor<2xi64>) {
  // expected-error @+1 {{key and value must be 'tensor<2x5x16x8xf32>', found 'tensor<2x4x16x8xf32>'}}
  %0 = nn.attention %q, %k, %k, %p scale 0.1 : tensor<2x3x5x6x8xf32>, tensor<2x4x16x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @attention_element(%q: tensor<2x3x5x6x8xf32>, %k: tensor<2x5x16x8xf16>, %p: tensor<2xi64>) {
  // expected-error @+1 {{key and value must be 'tensor<2x5x16x8xf32>', found 'tensor<2x5x16x8xf16>'}}
  %0 = nn.attention %q, %k, %k, %p scale 0.1 : tensor<2x3x5x6x8xf32>, tensor<2x5x16x8xf16>, tensor<2xi64>
  return
}

// -----

func.func @attention_pos(%q: tensor<2x3x5x6x8xf32>, %k: tensor<2x5x16x8xf32>, %p: tensor<3xi64>) {
  // expected-error @+1 {{pos must be 'tensor<2xi64>', found 'tensor<3xi64>'}}
  %0 = nn.attention %q, %k, %k, %p scale 0.1 : tensor<2x3x5x6x8xf32>, tensor<2x5x16x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @attention_window(%q: tensor<2x3x5x6x8xf32>, %k: tensor<2x5x16x8xf32>, %p: tensor<2xi64>) {
  // expected-error @+1 {{window must be at least 1, found 0}}
  %0 = nn.attention %q, %k, %k, %p scale 0.1 window 0 : tensor<2x3x5x6x8xf32>, tensor<2x5x16x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @attention_window_in_both_directions(%q: tensor<2x3x5x6x8xf32>, %k: tensor<2x5x16x8xf32>, %p: tensor<2xi64>) {
  // expected-error @+1 {{bidirectional attention has no window, found 2}}
  %0 = nn.attention %q, %k, %k, %p bidirectional scale 0.1 window 2 : tensor<2x3x5x6x8xf32>, tensor<2x5x16x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @attention_query_rank(%q: tensor<2x3x5x8xf32>, %k: tensor<2x5x16x8xf32>, %p: tensor<2xi64>) {
  // expected-error @+1 {{operand #0 must be}}
  %0 = nn.attention %q, %k, %k, %p scale 0.1 : tensor<2x3x5x8xf32>, tensor<2x5x16x8xf32>, tensor<2xi64>
  return
}

// -----

func.func @argmax_rows(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{values must be 'tensor<2x1xf32>', found 'tensor<3x1xf32>'}}
  %0, %1 = nn.argmax %x : tensor<2x10xf32> -> tensor<3x1xf32>, tensor<3x1xi64>
  return
}

// -----

func.func @argmax_element(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{values must be 'tensor<2x1xf32>', found 'tensor<2x1xf16>'}}
  %0, %1 = nn.argmax %x : tensor<2x10xf32> -> tensor<2x1xf16>, tensor<2x1xi64>
  return
}

// -----

func.func @argmax_indices(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{indices must be 'tensor<2x2xi64>', found 'tensor<2x1xi64>'}}
  %0, %1 = nn.argmax %x : tensor<2x10xf32> -> tensor<2x2xf32>, tensor<2x1xi64>
  return
}

// -----

func.func @argmax_blocks(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{needs values of rank 1 or more and at least one block, found 'tensor<2x10xf32>' and 'tensor<2x0xf32>'}}
  %0, %1 = nn.argmax %x : tensor<2x10xf32> -> tensor<2x0xf32>, tensor<2x0xi64>
  return
}

// -----

func.func @argmax_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{needs values of rank 1 or more and at least one block, found 'tensor<f32>' and 'tensor<1xf32>'}}
  %0, %1 = nn.argmax %x : tensor<f32> -> tensor<1xf32>, tensor<1xi64>
  return
}

// -----

func.func @argmax_index_type(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{result #1 must be ranked tensor of 64-bit signless integer values}}
  %0, %1 = nn.argmax %x : tensor<2x10xf32> -> tensor<2x1xf32>, tensor<2x1xi32>
  return
}

// -----

func.func @power_sums_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{'nn.power_sums' op needs a value of rank 1 or more, found 'tensor<f32>'}}
  %0 = nn.power_sums %x powers [2] : tensor<f32> -> tensor<1xf32>
  return
}

// -----

func.func @power_sums_none(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{'nn.power_sums' op needs a power, found none}}
  %0 = nn.power_sums %x powers [] : tensor<3x8xf32> -> tensor<3x0xf32>
  return
}

// -----

func.func @power_sums_power(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{'nn.power_sums' op powers must be 1 or 2, found 3}}
  %0 = nn.power_sums %x powers [1, 3] : tensor<3x8xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @power_sums_narrow(%x: tensor<3x8xf64>) {
  // expected-error @+1 {{'nn.power_sums' op sums 'f64' in the narrower 'f32'}}
  %0 = nn.power_sums %x powers [2] : tensor<3x8xf64> -> tensor<3x1xf32>
  return
}

// -----

func.func @power_sums_result(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{'nn.power_sums' op result must be 'tensor<3x2xf32>', found 'tensor<3x1xf32>'}}
  %0 = nn.power_sums %x powers [1, 2] : tensor<3x8xf32> -> tensor<3x1xf32>
  return
}

// -----

func.func @rms_norm_sums(%x: tensor<3x8xf32>, %w: tensor<8xf32>, %s: tensor<3x2xf32>) {
  // expected-error @+1 {{'nn.rms_norm' op sums must be 'tensor<3x1xf32>', found 'tensor<3x2xf32>'}}
  %0 = nn.rms_norm %x, %w sums %s of 16 epsilon 1.0 : tensor<3x8xf32>, tensor<8xf32>, tensor<3x2xf32>
  return
}

// -----

func.func @layer_norm_sums(%x: tensor<3x8xf32>, %w: tensor<8xf32>, %s: tensor<3x1xf64>) {
  // expected-error @+1 {{'nn.layer_norm' op sums must be 'tensor<3x2xf64>', found 'tensor<3x1xf64>'}}
  %0 = nn.layer_norm %x, %w, %w sums %s of 16 epsilon 1.0 : tensor<3x8xf32>, tensor<8xf32>, tensor<3x1xf64>
  return
}

// -----

func.func @rms_norm_size(%x: tensor<3x8xf32>, %w: tensor<8xf32>, %s: tensor<3x1xf32>) {
  // expected-error @+1 {{'nn.rms_norm' op size must not be negative, found -1}}
  %0 = nn.rms_norm %x, %w sums %s of -1 epsilon 1.0 : tensor<3x8xf32>, tensor<8xf32>, tensor<3x1xf32>
  return
}

// -----

func.func @rms_norm_no_size(%x: tensor<3x8xf32>, %w: tensor<8xf32>, %s: tensor<3x1xf32>) {
  // expected-error @+1 {{'nn.rms_norm' op needs the size of the rows that the sums are of}}
  %0 = "nn.rms_norm"(%x, %w, %s) {epsilon = 1.0} : (tensor<3x8xf32>, tensor<8xf32>, tensor<3x1xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @rms_norm_no_sums(%x: tensor<3x8xf32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{'nn.rms_norm' op has a size and no sums}}
  %0 = "nn.rms_norm"(%x, %w) {epsilon = 1.0, size = 8} : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @top_k_dim(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{dim 2 is none of the 2 of 'tensor<2x10xf32>'}}
  %0, %1 = nn.top_k %x dim 2 bound 0.0 : f32 : tensor<2x10xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
  return
}

// -----

func.func @top_k_bound_type(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{bound must be of the input's element type 'f32', found 'f16'}}
  %0, %1 = nn.top_k %x dim 1 bound 0.0 : f16 : tensor<2x10xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
  return
}

// -----

func.func @top_k_bound(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{bound must be a number, and nan_first is of floats, found 0x7FC00000 : f32}}
  %0, %1 = nn.top_k %x dim 1 bound 0x7FC00000 : f32 : tensor<2x10xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
  return
}

// -----

func.func @top_k_blocks(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{blocks must be at least 1, and 1 of candidates with indices, found 0}}
  %0, %1 = nn.top_k %x dim 1 blocks 0 bound 0.0 : f32 : tensor<2x10xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
  return
}

// -----

func.func @top_k_of_blocks(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{needs the same number of values, at least one, from each of 2 blocks, found 'tensor<2x3xf32>'}}
  %0, %1 = nn.top_k %x dim 1 blocks 2 bound 0.0 : f32 : tensor<2x10xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
  return
}

// -----

func.func @top_k_values(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{values must be 'tensor<2x3xf32>', found 'tensor<1x3xf32>'}}
  %0, %1 = nn.top_k %x dim 1 bound 0.0 : f32 : tensor<2x10xf32> -> tensor<1x3xf32>, tensor<2x3xi64>
  return
}

// -----

func.func @top_k_indices(%x: tensor<2x10xf32>) {
  // expected-error @+1 {{indices must be 'tensor<2x3xi64>', found 'tensor<2x2xi64>'}}
  %0, %1 = nn.top_k %x dim 1 bound 0.0 : f32 : tensor<2x10xf32> -> tensor<2x3xf32>, tensor<2x2xi64>
  return
}

// -----

func.func @top_k_nan_of_integers(%x: tensor<2x10xi32>, %i: tensor<2x9xi64>) {
  // expected-error @+1 {{bound must be a number, and nan_first is of floats, found 0 : i32}}
  %0, %1 = nn.top_k %x dim 1 nan_first bound 0 : i32 : tensor<2x10xi32> -> tensor<2x1xi32>, tensor<2x1xi64>
  return
}

// -----

func.func @top_k_input_indices(%x: tensor<2x10xi32>, %i: tensor<2x9xi64>) {
  // expected-error @+1 {{indices must be 'tensor<2x10xi64>', found 'tensor<2x9xi64>'}}
  %0, %1 = nn.top_k %x indices %i dim 1 bound 0 : i32 : tensor<2x10xi32>, tensor<2x9xi64> -> tensor<2x1xi32>, tensor<2x1xi64>
  return
}

// -----

func.func @cache_update_no_capacity(%c: tensor<1x2x4x8xf32>, %u: tensor<1x3x2x8xf32>, %p: tensor<1xi64>, %o: index) {
  // expected-error @+1 {{'nn.cache_update' op needs both a position offset and a capacity, or none of them}}
  %0 = "nn.cache_update"(%c, %u, %p, %o) : (tensor<1x2x4x8xf32>, tensor<1x3x2x8xf32>, tensor<1xi64>, index) -> tensor<1x2x4x8xf32>
  return
}

// -----

func.func @cache_update_capacity(%c: tensor<1x2x4x8xf32>, %u: tensor<1x3x2x8xf32>, %p: tensor<1xi64>, %o: index) {
  // expected-error @+1 {{'nn.cache_update' op has more new positions (3) than the cache (2)}}
  %0 = nn.cache_update %c, %u, %p position_offset %o of 2 : tensor<1x2x4x8xf32>, tensor<1x3x2x8xf32>, tensor<1xi64>
  return
}

// -----

func.func @attention_blocks_key(%q: tensor<1x3x2x2x8xf32>, %k: tensor<1x1x4x8xf32>, %p: tensor<1xi64>) {
  // expected-error @+1 {{'nn.attention_blocks' op key and value must be 'tensor<1x2x4x8xf32>', found 'tensor<1x1x4x8xf32>'}}
  %0, %1 = nn.attention_blocks %q, %k, %k, %p scale 1.0 : tensor<1x3x2x2x8xf32>, tensor<1x1x4x8xf32>, tensor<1xi64> -> tensor<1x1x3x2x2x9xf32>, tensor<1x1x3x2x2xf32>
  return
}

// -----

func.func @attention_blocks_none(%q: tensor<1x3x2x2x8xf32>, %k: tensor<1x2x4x8xf32>, %p: tensor<1xi64>) {
  // expected-error @+1 {{'nn.attention_blocks' op needs at least one block, found 0}}
  %0, %1 = nn.attention_blocks %q, %k, %k, %p scale 1.0 : tensor<1x3x2x2x8xf32>, tensor<1x2x4x8xf32>, tensor<1xi64> -> tensor<0x1x3x2x2x9xf32>, tensor<0x1x3x2x2xf32>
  return
}

// -----

func.func @attention_blocks_sums(%q: tensor<1x3x2x2x8xbf16>, %k: tensor<1x2x4x8xbf16>, %p: tensor<1xi64>) {
  // expected-error @+1 {{'nn.attention_blocks' op sums must be 'tensor<2x1x3x2x2x9xf32>', found 'tensor<2x1x3x2x2x8xf32>'}}
  %0, %1 = nn.attention_blocks %q, %k, %k, %p scale 1.0 : tensor<1x3x2x2x8xbf16>, tensor<1x2x4x8xbf16>, tensor<1xi64> -> tensor<2x1x3x2x2x8xf32>, tensor<2x1x3x2x2xf32>
  return
}

// -----

func.func @attention_blocks_largest(%q: tensor<1x3x2x2x8xf32>, %k: tensor<1x2x4x8xf32>, %p: tensor<1xi64>) {
  // expected-error @+1 {{'nn.attention_blocks' op largest must be 'tensor<2x1x3x2x2xf32>', found 'tensor<1x1x3x2x2xf32>'}}
  %0, %1 = nn.attention_blocks %q, %k, %k, %p scale 1.0 : tensor<1x3x2x2x8xf32>, tensor<1x2x4x8xf32>, tensor<1xi64> -> tensor<2x1x3x2x2x9xf32>, tensor<1x1x3x2x2xf32>
  return
}

// -----

func.func @attention_merge_limit(%s: tensor<2x1x3x2x2x9xf32>, %l: tensor<2x1x3x2x2xf32>, %m: tensor<1x3x2x1xf32>) {
  // expected-error @+1 {{failed to verify that limit must have the dimensions of sums that it has in common with it}}
  %0 = "nn.attention_merge"(%s, %l, %m) : (tensor<2x1x3x2x2x9xf32>, tensor<2x1x3x2x2xf32>, tensor<1x3x2x1xf32>) -> tensor<1x3x2x2x9xf32>
  return
}

// -----

func.func @attention_merge_weights(%s: tensor<2x1x3x2x2x0xf32>, %l: tensor<2x1x3x2x2xf32>, %m: tensor<1x3x2x2xf32>) {
  // expected-error @+1 {{'nn.attention_merge' op sums have no sum of weights, found 'tensor<2x1x3x2x2x0xf32>'}}
  %0 = nn.attention_merge %s, %l, %m : tensor<2x1x3x2x2x0xf32>
  return
}

// -----

func.func @attention_finish(%s: tensor<1x3x2x2x9xf32>) {
  // expected-error @+1 {{'nn.attention_finish' op result must be 'tensor<1x3x2x2x8xbf16>', found 'tensor<1x3x2x2x9xbf16>'}}
  %0 = nn.attention_finish %s : tensor<1x3x2x2x9xf32> -> tensor<1x3x2x2x9xbf16>
  return
}

// -----

func.func @sample_tokens(%x: tensor<2x0xf32>, %u: tensor<2xf64>, %t: tensor<f64>, %k: tensor<i64>) {
  // expected-error @+1 {{'nn.sample' op needs at least one token, found 'tensor<2x0xf32>'}}
  %0 = nn.sample %x, %u, %t, %k, %t : tensor<2x0xf32>
  return
}

// -----

func.func @sample_rows(%x: tensor<2x10xf32>, %u: tensor<3xf64>, %t: tensor<f64>, %k: tensor<i64>) {
  // expected-error @+1 {{'nn.sample' op failed to verify that uniform must have one f64 per row of the logits}}
  %0 = "nn.sample"(%x, %u, %t, %k, %t) : (tensor<2x10xf32>, tensor<3xf64>, tensor<f64>, tensor<i64>, tensor<f64>) -> tensor<2xi64>
  return
}

// -----

func.func @sample_tokens_of_rows(%x: tensor<2x10xf32>, %u: tensor<2xf64>, %t: tensor<f64>, %k: tensor<i64>) {
  // expected-error @+1 {{'nn.sample' op failed to verify that token must have one i64 per row of the logits}}
  %0 = "nn.sample"(%x, %u, %t, %k, %t) : (tensor<2x10xf32>, tensor<2xf64>, tensor<f64>, tensor<i64>, tensor<f64>) -> tensor<3xi64>
  return
}

// -----

func.func @sample_top_k(%x: tensor<2x10xf32>, %u: tensor<2xf64>, %t: tensor<f64>, %k: tensor<1xi64>) {
  // expected-error @+1 {{'nn.sample' op failed to verify that top_k must be one i64}}
  %0 = "nn.sample"(%x, %u, %t, %k, %t) : (tensor<2x10xf32>, tensor<2xf64>, tensor<f64>, tensor<1xi64>, tensor<f64>) -> tensor<2xi64>
  return
}
