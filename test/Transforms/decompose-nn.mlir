// RUN: tp-opt %s --tp-decompose-nn --split-input-file | FileCheck %s

// Rows outside the table are never addressed: row 0 is read instead, and dropped.
// CHECK-LABEL: func.func @embedding
// CHECK-SAME: (%[[IDS:.*]]: tensor<2x3xi64>, %[[TABLE:.*]]: tensor<5x4xf32>)
func.func @embedding(%ids: tensor<2x3xi64>, %table: tensor<5x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[ROWS:.*]] = arith.constant 5 : index
  // CHECK: linalg.generic {{.*}} ins(%[[IDS]] : tensor<2x3xi64>)
  // CHECK: %[[ROW:.*]] = arith.subi
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %[[ROW]], %[[ROWS]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[IN]], %[[ROW]]
  // CHECK: %[[COLUMN:.*]] = linalg.index 2
  // CHECK: %[[X:.*]] = tensor.extract %[[TABLE]][%[[SAFE]], %[[COLUMN]]]
  // CHECK: %[[Y:.*]] = arith.select %[[IN]], %[[X]], %[[ZERO]]
  // CHECK: linalg.yield %[[Y]]
  %0 = nn.embedding %ids, %table : tensor<2x3xi64>, tensor<5x4xf32> -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @embedding_offset
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: index
func.func @embedding_offset(%ids: tensor<3xi64>, %table: tensor<5x4xbf16>, %first: index) -> tensor<3x4xbf16> {
  // CHECK: arith.subi %{{.*}}, %[[FIRST]] : index
  %0 = nn.embedding %ids, %table row_offset %first : tensor<3xi64>, tensor<5x4xbf16> -> tensor<3x4xbf16>
  return %0 : tensor<3x4xbf16>
}

// -----

// CHECK-LABEL: func.func @embedding_no_rows
func.func @embedding_no_rows(%ids: tensor<3xi64>, %table: tensor<0x4xf32>) -> tensor<3x4xf32> {
  // CHECK-NOT: tensor.extract
  // CHECK: linalg.fill
  %0 = nn.embedding %ids, %table : tensor<3xi64>, tensor<0x4xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func.func @rms_norm
func.func @rms_norm(%x: tensor<2x3x16xbf16>, %w: tensor<16xf32>) -> tensor<2x3x16xbf16> {
  // CHECK: %[[SQ:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
  // CHECK: arith.extf %{{.*}} : bf16 to f32
  // CHECK: %[[SCALE:.*]] = linalg.generic {{.*}} ins(%[[SQ]] : tensor<2x3xf32>)
  // CHECK: math.sqrt
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SCALE]], %{{.*}} : tensor<2x3x16xbf16>, tensor<2x3xf32>, tensor<16xf32>)
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<2x3x16xbf16>, tensor<16xf32>
  return %0 : tensor<2x3x16xbf16>
}

// -----

// CHECK-LABEL: func.func @weight_offset
func.func @weight_offset(%x: tensor<2x16xf32>, %w: tensor<16xf32>) -> tensor<2x16xf32> {
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: arith.addf %{{.*}}, %[[ONE]]
  // CHECK-NEXT: arith.mulf
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 weight_offset 1.0 : tensor<2x16xf32>, tensor<16xf32>
  return %0 : tensor<2x16xf32>
}

// -----

// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x16xbf16>
func.func @layer_norm(%x: tensor<2x3x16xbf16>, %w: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<2x3x16xbf16> {
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]] :
  // CHECK: %[[MEAN:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<2x3xf32>)
  // CHECK: %[[SQ:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[MEAN]] :
  // CHECK: %[[SCALE:.*]] = linalg.generic {{.*}} ins(%[[SQ]] : tensor<2x3xf32>)
  // CHECK: math.sqrt
  // CHECK: linalg.generic {{.*}} ins(%[[X]], %[[MEAN]], %[[SCALE]], %{{.*}}, %{{.*}} : tensor<2x3x16xbf16>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<16xf32>, tensor<16xf32>)
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = nn.layer_norm %x, %w, %b epsilon 1.0e-05 : tensor<2x3x16xbf16>, tensor<16xf32>
  return %0 : tensor<2x3x16xbf16>
}

// -----

// CHECK-LABEL: func.func @rotary_table
func.func @rotary_table(%pos: tensor<2xi64>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  // CHECK: arith.constant dense<[1.000000e+00, 1.000000e-01, 0.00999999977, 1.000000e-03]> : tensor<4xf32>
  // CHECK: math.cos
  // CHECK: math.sin
  %c, %s = nn.rotary_table %pos theta 10000.0 : tensor<2xi64> -> tensor<2x3x4xf32>
  return %c, %s : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @rope
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x5x8xf32>
func.func @rope(%x: tensor<2x3x5x8xf32>, %c: tensor<2x3x4xf32>, %s: tensor<2x3x4xf32>) -> tensor<2x3x5x8xf32> {
  // CHECK: %[[PAIRS:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1], [2], [3, 4]]
  // CHECK: %[[LOW:.*]] = tensor.extract_slice %[[PAIRS]][0, 0, 0, 0, 0]
  // CHECK: %[[HIGH:.*]] = tensor.extract_slice %[[PAIRS]][0, 0, 0, 1, 0]
  // CHECK: linalg.generic {{.*}} ins(%[[LOW]], %[[HIGH]],
  // CHECK: tensor.collapse_shape
  %0 = nn.rope %x, %c, %s : tensor<2x3x5x8xf32>, tensor<2x3x4xf32>
  return %0 : tensor<2x3x5x8xf32>
}

// -----

// The rest of a head is not touched.
// CHECK-LABEL: func.func @partial_rope
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x5x7xf32>
func.func @partial_rope(%x: tensor<2x3x5x7xf32>, %c: tensor<2x3x2xf32>, %s: tensor<2x3x2xf32>) -> tensor<2x3x5x7xf32> {
  // CHECK: %[[PART:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [2, 3, 5, 4]
  // CHECK: tensor.expand_shape %[[PART]]
  // CHECK: %[[R:.*]] = tensor.collapse_shape
  // CHECK: tensor.insert_slice %[[R]] into %[[X]][0, 0, 0, 0] [2, 3, 5, 4]
  %0 = nn.rope %x, %c, %s : tensor<2x3x5x7xf32>, tensor<2x3x2xf32>
  return %0 : tensor<2x3x5x7xf32>
}

// -----

// A slice of each batch row, taken from and put back to the same place, row by row.
// CHECK-LABEL: func.func @cache_update
// CHECK-SAME: (%[[C:.*]]: tensor<2x3x16x8xf32>, %[[U:.*]]: tensor<2x4x3x8xf32>, %[[P:.*]]: tensor<2xi64>)
func.func @cache_update(%c: tensor<2x3x16x8xf32>, %u: tensor<2x4x3x8xf32>, %p: tensor<2xi64>) -> tensor<2x3x16x8xf32> {
  // CHECK-DAG: %[[ROWS:.*]] = arith.constant 2 : index
  // CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[ROWS]] {{.*}} iter_args(%[[A:.*]] = %[[C]])
  // CHECK: %[[NEW:.*]] = tensor.extract_slice %[[U]][%[[I]], 0, 0, 0] [1, 4, 3, 8]
  // CHECK: %[[N:.*]] = tensor.extract %[[P]][%[[I]]]
  // CHECK: %[[POS:.*]] = arith.index_cast %[[N]]
  // CHECK: %[[D:.*]] = tensor.extract_slice %[[A]][%[[I]], 0, %[[POS]], 0] [1, 3, 4, 8]
  // CHECK: %[[T:.*]] = linalg.transpose ins(%[[NEW]] : {{.*}}) outs(%[[D]] : {{.*}}) permutation = [1, 0, 2]
  // CHECK: %[[W:.*]] = tensor.insert_slice %[[T]] into %[[A]][%[[I]], 0, %[[POS]], 0] [1, 3, 4, 8]
  // CHECK: scf.yield %[[W]]
  // CHECK: return %[[R]]
  %0 = nn.cache_update %c, %u, %p : tensor<2x3x16x8xf32>, tensor<2x4x3x8xf32>, tensor<2xi64>
  return %0 : tensor<2x3x16x8xf32>
}

// -----

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x4x3x2x8xbf16>, %k: tensor<2x3x16x8xbf16>, %v: tensor<2x3x16x8xbf16>, %p: tensor<2xi64>) -> tensor<2x4x3x2x8xbf16> {
  // CHECK: %[[S:.*]] = linalg.contract {{.*}} -> tensor<2x3x2x4x16xf32>
  // CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[S]], %{{.*}} : tensor<2x3x2x4x16xf32>, tensor<2xi64>)
  // CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[M]] :
  // CHECK: arith.maximumf
  // CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%[[M]], %[[MAX]] :
  // CHECK: math.exp
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[E]] :
  // CHECK: %[[O:.*]] = linalg.generic {{.*}} ins(%[[E]], %{{.*}}, %{{.*}} :
  // CHECK: linalg.generic {{.*}} ins(%[[O]], %[[SUM]] :
  // CHECK: arith.divf
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = nn.attention %q, %k, %v, %p scale 0.125 : tensor<2x4x3x2x8xbf16>, tensor<2x3x16x8xbf16>, tensor<2xi64>
  return %0 : tensor<2x4x3x2x8xbf16>
}

// -----

// A window is a second bound of the visible positions.
// CHECK-LABEL: func.func @window
func.func @window(%q: tensor<2x4x3x2x8xf32>, %k: tensor<2x3x16x8xf32>, %v: tensor<2x3x16x8xf32>, %p: tensor<2xi64>) -> tensor<2x4x3x2x8xf32> {
  // CHECK: arith.cmpi sle
  // CHECK: arith.constant 5 : i64
  // CHECK: arith.cmpi sgt
  // CHECK: arith.andi
  %0 = nn.attention %q, %k, %v, %p scale 0.125 window 5 : tensor<2x4x3x2x8xf32>, tensor<2x3x16x8xf32>, tensor<2xi64>
  return %0 : tensor<2x4x3x2x8xf32>
}

// -----

// CHECK-LABEL: func.func @argmax
func.func @argmax(%x: tensor<2x10xf32>, %first: index) -> (tensor<2x1xf32>, tensor<2x1xi64>) {
  // CHECK-NOT: tensor.pad
  // CHECK: tensor.expand_shape %{{.*}} output_shape [2, 1, 10]
  // CHECK: linalg.generic
  // CHECK: arith.cmpf ogt
  // CHECK: arith.addi %{{.*}}, %{{.*}} : index
  %w, %j = nn.argmax %x index_offset %first : tensor<2x10xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
  return %w, %j : tensor<2x1xf32>, tensor<2x1xi64>
}

// -----

// CHECK-LABEL: func.func @argmax_blocks
func.func @argmax_blocks(%x: tensor<2x10xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>) {
  // CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 2]
  // CHECK: tensor.expand_shape %{{.*}} output_shape [2, 3, 4]
  %v, %i = nn.argmax %x : tensor<2x10xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
  return %v, %i : tensor<2x3xf32>, tensor<2x3xi64>
}

// -----

// CHECK-LABEL: func.func @marked
func.func @marked(%x: tensor<2x16xf32>, %w: tensor<16xf32>) -> tensor<2x16xf32> {
  // CHECK: nn.rms_norm {{.*}} {nn.kernel}
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 {nn.kernel} : tensor<2x16xf32>, tensor<16xf32>
  return %0 : tensor<2x16xf32>
}
