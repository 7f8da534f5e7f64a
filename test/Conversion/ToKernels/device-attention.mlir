// RUN: tp-opt %s --tp-select-kernels=device --split-input-file | FileCheck %s --check-prefix=SELECT
// RUN: tp-opt %s --tp-lower-to-device-pipeline --split-input-file | FileCheck %s

// Rows that keep the device busy: 64 of them per block.
// SELECT-LABEL: func.func @prefill
// SELECT: nn.attention {{.*}} {nn.kernel = "device"}
// CHECK-LABEL: func.func @prefill
// CHECK: rt.launch @attention blocks 24 threads 128 shared 69632
// CHECK: rt.kernel_call "attention" blocks 24
func.func @prefill(%q: tensor<1x24x8x8x128xbf16>, %k: tensor<1x8x1000x128xbf16>, %v: tensor<1x8x1000x128xbf16>, %pos: tensor<1xi64>) -> tensor<1x24x8x8x128xbf16> {
  %0 = nn.attention %q, %k, %v, %pos scale 0.1 : tensor<1x24x8x8x128xbf16>, tensor<1x8x1000x128xbf16>, tensor<1xi64>
  return %0 : tensor<1x24x8x8x128xbf16>
}

// -----

// Few rows: the keys are cut, in no more parts than they have tiles.
// CHECK-LABEL: func.func @decode
// CHECK: rt.launch @attention_parts blocks 128 threads 128 shared 69632
// CHECK-SAME: memref<16x1x1x8x4x129xf32>, memref<16x1x1x8x4xf32>
// CHECK: rt.launch @attention_merge blocks 32 threads 128
func.func @decode(%q: tensor<1x1x8x4x128xbf16>, %k: tensor<1x8x1000x128xbf16>, %v: tensor<1x8x1000x128xbf16>, %pos: tensor<1xi64>) -> tensor<1x1x8x4x128xbf16> {
  %0 = nn.attention %q, %k, %v, %pos scale 0.1 : tensor<1x1x8x4x128xbf16>, tensor<1x8x1000x128xbf16>, tensor<1xi64>
  return %0 : tensor<1x1x8x4x128xbf16>
}

// -----

// Blocks of the positions are parts as they are; what a rank has is said by numbers.
// CHECK-LABEL: func.func @blocks
// CHECK: rt.launch @attention_parts blocks 2 threads 128
// CHECK: rt.kernel_call "attention_parts"
func.func @blocks(%q: tensor<1x4x2x3x64xf32>, %k: tensor<1x2x40x64xf32>, %v: tensor<1x2x40x64xf32>, %pos: tensor<1xi64>, %first: index) -> (tensor<1x1x4x2x3x65xf32>, tensor<1x1x4x2x3xf32>) {
  %0, %1 = nn.attention_blocks %q, %k, %v, %pos position_offset %first scale 0.1 : tensor<1x4x2x3x64xf32>, tensor<1x2x40x64xf32>, tensor<1xi64> -> tensor<1x1x4x2x3x65xf32>, tensor<1x1x4x2x3xf32>
  return %0, %1 : tensor<1x1x4x2x3x65xf32>, tensor<1x1x4x2x3xf32>
}

// -----

// Depths and types that there are no kernels for.
// SELECT-LABEL: func.func @not_selected
// SELECT-NOT: nn.kernel
// CHECK-LABEL: func.func @not_selected
// CHECK-NOT: attention
// CHECK: return
func.func @not_selected(%q: tensor<1x4x2x3x20xf32>, %k: tensor<1x2x40x20xf32>, %d: tensor<1x4x2x3x64xf64>, %e: tensor<1x2x40x64xf64>, %pos: tensor<1xi64>) -> (tensor<1x4x2x3x20xf32>, tensor<1x4x2x3x64xf64>) {
  %0 = nn.attention %q, %k, %k, %pos scale 0.1 : tensor<1x4x2x3x20xf32>, tensor<1x2x40x20xf32>, tensor<1xi64>
  %1 = nn.attention %d, %e, %e, %pos scale 0.1 : tensor<1x4x2x3x64xf64>, tensor<1x2x40x64xf64>, tensor<1xi64>
  return %0, %1 : tensor<1x4x2x3x20xf32>, tensor<1x4x2x3x64xf64>
}

// -----

// Rows of a part of a buffer that does not begin at 16 bytes are copied.
// SELECT-LABEL: func.func @unaligned
// CHECK-LABEL: func.func @unaligned
// CHECK: %[[COPY:.*]] = memref.view {{.*}} to memref<1x64x1x1x32xf32>
// CHECK: rt.launch @attention_parts blocks 8 threads 128 shared 20736 (%[[COPY]], %{{.*}}
func.func @unaligned(%all: tensor<2051xf32>, %k: tensor<1x1x40x32xf32>, %pos: tensor<1xi64>) -> tensor<1x64x1x1x32xf32> {
  %part = tensor.extract_slice %all[3] [2048] [1] : tensor<2051xf32> to tensor<2048xf32>
  %q = tensor.expand_shape %part [[0, 1, 2, 3, 4]] output_shape [1, 64, 1, 1, 32] : tensor<2048xf32> into tensor<1x64x1x1x32xf32>
  %0 = nn.attention %q, %k, %k, %pos scale 0.1 : tensor<1x64x1x1x32xf32>, tensor<1x1x40x32xf32>, tensor<1xi64>
  return %0 : tensor<1x64x1x1x32xf32>
}
