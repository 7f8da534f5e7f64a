// The work of kernels that call the library, and of collectives: known shapes give exact numbers.
//
// RUN: tp-opt %s --tp-convert-rt-to-llvm | python3 %S/Inputs/print_manifest.py | tr '}' '\n' | FileCheck %s
// Each kernel of the library is here.
// RUN: python3 %S/Inputs/kernels_without_call.py %s | count 0

module attributes {rt.images = ["sm_90"]} {
rt.group @three [0, 1, 3]

func.func @collectives(%a: memref<4x5xf32>, %wide: memref<4x15xf32>, %rows: memref<3x5xbf16>, %other: memref<3x5xbf16>, %x: memref<7xf32>, %y: memref<7xf32>)
    attributes {rt.entry, rt.results = []} {
  // Of three ranks, each sends two parts of three twice and adds as much: 20 elements are 80 bytes.
  // CHECK: "bytes": 107, "flops": 14, "loc": "sum", "name": "all_reduce"
  rt.all_reduce sum %a over @three : memref<4x5xf32> loc("sum")
  // CHECK: "bytes": 160, "flops": 0, "loc": "gather", "name": "all_gather"
  rt.all_gather %a into %wide dim 1 over @three : memref<4x5xf32>, memref<4x15xf32> loc("gather")
  // CHECK: "bytes": 160, "flops": 40, "loc": "scatter", "name": "reduce_scatter"
  rt.reduce_scatter sum %wide into %a dim 1 over @three : memref<4x15xf32>, memref<4x5xf32> loc("scatter")
  // CHECK: "bytes": 20, "flops": 0, "loc": "exchange", "name": "all_to_all"
  rt.all_to_all %rows into %other over @three : memref<3x5xbf16>, memref<3x5xbf16> loc("exchange")
  // CHECK: "bytes": 28, "flops": 0, "loc": "turn", "name": "permute"
  rt.permute %x into %y from [1, 2, -1] over @three : memref<7xf32>, memref<7xf32> loc("turn")
  return
}

func.func @library(
    %a0: memref<8x576xf32>, %a1: memref<576xf32>, %a2: memref<8x576xf32>, %a3: memref<8x64xbf16>,
    %a4: memref<8x64xbf16>, %a5: memref<64xbf16>, %a6: memref<8x64xbf16>, %a7: memref<8x64xbf16>,
    %a8: memref<2x64xf32>, %a9: memref<64xf32>, %a10: memref<64xf32>, %a11: memref<2x64xf32>, %a12: memref<2x64xf32>,
    %a13: memref<2x64xf32>, %a14: memref<64xf32>, %a15: memref<64xf32>, %a16: memref<2x64xf32>,
    %a17: memref<2x64xf32>, %a18: memref<4xi64>, %a19: memref<1000x8xbf16>, %a20: memref<4x8xbf16>,
    %a21: memref<1x4099xf32>, %a22: memref<1x1xf32>, %a23: memref<1x1xi64>, %a24: memref<1x2x3x1x16xf32>,
    %a25: memref<1x3x40x16xf32>, %a26: memref<1x3x40x16xf32>, %a27: memref<1xi64>, %a28: memref<1x2x3x1x16xf32>,
    %a29: memref<1x2x3x1x16xf32>, %a30: memref<1x3x40x16xf32>, %a31: memref<1x3x40x16xf32>, %a32: memref<1xi64>,
    %a33: memref<1x2x3x1x16xf32>, %a34: memref<1x2x3x1x16xf32>, %a35: memref<1x3x40x16xf32>,
    %a36: memref<1x3x40x16xf32>, %a37: memref<1xi64>, %a38: memref<2x1x2x3x1x17xf32>, %a39: memref<2x1x2x3x1xf32>,
    %a40: memref<2x1x2x3x1x17xf32>, %a41: memref<2x1x2x3x1xf32>, %a42: memref<1x2x3x1x16xf32>,
    %a43: memref<1x2x3x16xf32>, %a44: memref<1x2x8xf32>, %a45: memref<1x2x8xf32>, %a46: memref<1x2x3x16xf32>,
    %a47: memref<1x2x3x16xf32>, %a48: memref<1x2x8xf32>, %a49: memref<1x2x8xf32>, %a50: memref<1xi64>,
    %a51: memref<1x3x40x16xf32>, %a52: memref<1x2x3x16xf32>, %a53: memref<1x2x3x16xf32>, %a54: memref<1x2x3x16xf32>,
    %a55: memref<1xi64>, %a56: memref<1x3x40x16xf32>, %a57: memref<1x2x3x16xf32>, %a58: memref<1x2x8xf32>,
    %a59: memref<1x2x8xf32>, %a60: memref<1x2x3x16xf32>, %a61: memref<1x2x3x16xf32>, %a62: memref<1x2x8xf32>,
    %a63: memref<1x2x8xf32>, %a64: memref<1xi64>, %a65: memref<1x3x40x16xf32>, %a66: memref<4x100xbf16>,
    %a67: memref<4x6xbf16>, %a68: memref<4x6xi64>, %a69: memref<4x100xi64>, %a70: memref<3xi64>, %a71: memref<50xbf16>,
    %a72: memref<2x100xf32>, %a73: memref<2xf64>, %a74: memref<f64>, %a75: memref<i64>, %a76: memref<f64>,
    %a77: memref<2x100xf64>, %a78: memref<2xi64>)
    attributes {rt.entry, rt.results = []} {
  // Four operations of an element; rows are read and written, the weight is read.
  // CHECK: "bytes": 39168, "flops": 18432, "loc": "rms_norm", "name": "launch"
  rt.launch @k0 blocks 8 threads 32 (%a0, %a1, %a2) : memref<8x576xf32>, memref<576xf32>, memref<8x576xf32> loc("rms_norm")
  // CHECK: "bytes": 4224, "flops": 2560, "loc": "residual_rms_norm", "name": "launch"
  rt.launch @k1 blocks 8 threads 32 (%a3, %a4, %a5, %a6, %a7) : memref<8x64xbf16>, memref<8x64xbf16>, memref<64xbf16>, memref<8x64xbf16>, memref<8x64xbf16> loc("residual_rms_norm")
  // CHECK: "bytes": 1536, "flops": 896, "loc": "layer_norm", "name": "launch"
  rt.launch @k2 blocks 8 threads 32 (%a8, %a9, %a10, %a11) : memref<2x64xf32>, memref<64xf32>, memref<64xf32>, memref<2x64xf32> loc("layer_norm")
  // CHECK: "bytes": 2560, "flops": 1024, "loc": "residual_layer_norm", "name": "launch"
  rt.launch @k3 blocks 8 threads 32 (%a12, %a13, %a14, %a15, %a16, %a17) : memref<2x64xf32>, memref<2x64xf32>, memref<64xf32>, memref<64xf32>, memref<2x64xf32>, memref<2x64xf32> loc("residual_layer_norm")
  // Rows of the table as of the result.
  // CHECK: "bytes": 160, "flops": 0, "loc": "embedding", "name": "launch"
  rt.launch @k4 blocks 8 threads 32 (%a18, %a19, %a20) : memref<4xi64>, memref<1000x8xbf16>, memref<4x8xbf16> loc("embedding")
  // CHECK: "bytes": 16408, "flops": 4099, "loc": "argmax", "name": "launch"
  rt.launch @k5 blocks 8 threads 32 (%a21, %a22, %a23) : memref<1x4099xf32>, memref<1x1xf32>, memref<1x1xi64> loc("argmax")
  // Of 6 rows of 40 keys of 16 elements, four operations each.
  // CHECK: "bytes": 16136, "flops": 15360, "loc": "attention", "name": "launch"
  rt.launch @k6 blocks 8 threads 32 (%a24, %a25, %a26, %a27, %a28) : memref<1x2x3x1x16xf32>, memref<1x3x40x16xf32>, memref<1x3x40x16xf32>, memref<1xi64>, memref<1x2x3x1x16xf32> loc("attention")
  // A row sees 5 keys of the window, two rows 6.
  // CHECK: "bytes": 3080, "flops": 1920, "loc": "attention", "name": "launch"
  rt.launch @k7 blocks 8 threads 32 (%a29, %a30, %a31, %a32, %a33) : memref<1x2x3x1x16xf32>, memref<1x3x40x16xf32>, memref<1x3x40x16xf32>, memref<1xi64>, memref<1x2x3x1x16xf32> loc("attention")
  // CHECK: "bytes": 16616, "flops": 15360, "loc": "attention_parts", "name": "launch"
  rt.launch @k8 blocks 8 threads 32 (%a34, %a35, %a36, %a37, %a38, %a39) : memref<1x2x3x1x16xf32>, memref<1x3x40x16xf32>, memref<1x3x40x16xf32>, memref<1xi64>, memref<2x1x2x3x1x17xf32>, memref<2x1x2x3x1xf32> loc("attention_parts")
  // CHECK: "bytes": 1248, "flops": 504, "loc": "attention_merge", "name": "launch"
  rt.launch @k9 blocks 8 threads 32 (%a40, %a41, %a42) : memref<2x1x2x3x1x17xf32>, memref<2x1x2x3x1xf32>, memref<1x2x3x1x16xf32> loc("attention_merge")
  // Six operations of a pair.
  // CHECK: "bytes": 896, "flops": 288, "loc": "rope", "name": "launch"
  rt.launch @k10 blocks 8 threads 32 (%a43, %a44, %a45, %a46) : memref<1x2x3x16xf32>, memref<1x2x8xf32>, memref<1x2x8xf32>, memref<1x2x3x16xf32> loc("rope")
  // As much of the cache as the update has.
  // CHECK: "bytes": 904, "flops": 288, "loc": "cache_write", "name": "launch"
  rt.launch @k11 blocks 8 threads 32 (%a47, %a48, %a49, %a50, %a51) : memref<1x2x3x16xf32>, memref<1x2x8xf32>, memref<1x2x8xf32>, memref<1xi64>, memref<1x3x40x16xf32> loc("cache_write")
  // Nothing is rotated.
  // CHECK: "bytes": 776, "flops": 0, "loc": "cache_write", "name": "launch"
  rt.launch @k12 blocks 8 threads 32 (%a52, %a53, %a54, %a55, %a56) : memref<1x2x3x16xf32>, memref<1x2x3x16xf32>, memref<1x2x3x16xf32>, memref<1xi64>, memref<1x3x40x16xf32> loc("cache_write")
  // A kernel with two of them does the work of both.
  // CHECK: "bytes": 1800, "flops": 576, "loc": "both", "name": "launch"
  rt.launch @k13 blocks 8 threads 32 (%a57, %a58, %a59, %a60, %a61, %a62, %a63, %a64, %a65) : memref<1x2x3x16xf32>, memref<1x2x8xf32>, memref<1x2x8xf32>, memref<1x2x3x16xf32>, memref<1x2x3x16xf32>, memref<1x2x8xf32>, memref<1x2x8xf32>, memref<1xi64>, memref<1x3x40x16xf32> loc("both")
  // Each element is compared, and nothing else is read.
  // CHECK: "bytes": 1040, "flops": 400, "loc": "top_k", "name": "launch"
  rt.launch @k14 blocks 8 threads 32 (%a66, %a67, %a68) : memref<4x100xbf16>, memref<4x6xbf16>, memref<4x6xi64> loc("top_k")
  // The indices of those that are taken, too.
  // CHECK: "bytes": 1232, "flops": 400, "loc": "top_k of candidates", "name": "launch"
  rt.launch @k15 blocks 8 threads 32 (%a66, %a67, %a68, %a69) : memref<4x100xbf16>, memref<4x6xbf16>, memref<4x6xi64>, memref<4x100xi64> loc("top_k of candidates")
  // Three addresses, three parts and their sum, each of 100 bytes.
  // CHECK: "bytes": 424, "flops": 100, "loc": "reduce", "name": "launch"
  rt.launch @k16 blocks 8 threads 32 (%a70, %a71) : memref<3xi64>, memref<50xbf16> loc("reduce")
  // Six operations of a token; weights are written and read.
  // CHECK: "bytes": 4056, "flops": 1200, "loc": "sample", "name": "launch"
  rt.launch @k17 blocks 8 threads 32 (%a72, %a73, %a74, %a75, %a76, %a77, %a78) : memref<2x100xf32>, memref<2xf64>, memref<f64>, memref<i64>, memref<f64>, memref<2x100xf64>, memref<2xi64> loc("sample")
  return
}

func.func private @k0(%m0: memref<8x576xf32>, %m1: memref<576xf32>, %m2: memref<8x576xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 1 : i32
  %c3 = arith.constant 8 : i64
  %c4 = arith.constant 576 : i64
  %c5 = arith.constant 1.0 : f32
  %c6 = arith.constant 1.0 : f32
  rt.kernel_call "rms_norm" blocks 8 threads 32 (%c0, %c1, %c2, %m0, %m1, %m2, %c3, %c4, %c5, %c6)
    : i32, i32, i32, memref<8x576xf32>, memref<576xf32>, memref<8x576xf32>, i64, i64, f32, f32
  return
}

func.func private @k1(%m0: memref<8x64xbf16>, %m1: memref<8x64xbf16>, %m2: memref<64xbf16>, %m3: memref<8x64xbf16>, %m4: memref<8x64xbf16>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 1 : i32
  %c3 = arith.constant 1 : i32
  %c4 = arith.constant 8 : i64
  %c5 = arith.constant 64 : i64
  %c6 = arith.constant 1.0 : f32
  %c7 = arith.constant 1.0 : f32
  rt.kernel_call "residual_rms_norm" blocks 8 threads 32 (%c0, %c1, %c2, %c3, %m0, %m1, %m2, %m3, %m4, %c4, %c5, %c6, %c7)
    : i32, i32, i32, i32, memref<8x64xbf16>, memref<8x64xbf16>, memref<64xbf16>, memref<8x64xbf16>, memref<8x64xbf16>, i64, i64, f32, f32
  return
}

func.func private @k2(%m0: memref<2x64xf32>, %m1: memref<64xf32>, %m2: memref<64xf32>, %m3: memref<2x64xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 1 : i32
  %c3 = arith.constant 2 : i64
  %c4 = arith.constant 64 : i64
  %c5 = arith.constant 1.0 : f32
  rt.kernel_call "layer_norm" blocks 8 threads 32 (%c0, %c1, %c2, %m0, %m1, %m2, %m3, %c3, %c4, %c5)
    : i32, i32, i32, memref<2x64xf32>, memref<64xf32>, memref<64xf32>, memref<2x64xf32>, i64, i64, f32
  return
}

func.func private @k3(%m0: memref<2x64xf32>, %m1: memref<2x64xf32>, %m2: memref<64xf32>, %m3: memref<64xf32>, %m4: memref<2x64xf32>, %m5: memref<2x64xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 1 : i32
  %c3 = arith.constant 1 : i32
  %c4 = arith.constant 2 : i64
  %c5 = arith.constant 64 : i64
  %c6 = arith.constant 1.0 : f32
  rt.kernel_call "residual_layer_norm" blocks 8 threads 32 (%c0, %c1, %c2, %c3, %m0, %m1, %m2, %m3, %m4, %m5, %c4, %c5, %c6)
    : i32, i32, i32, i32, memref<2x64xf32>, memref<2x64xf32>, memref<64xf32>, memref<64xf32>, memref<2x64xf32>, memref<2x64xf32>, i64, i64, f32
  return
}

func.func private @k4(%m0: memref<4xi64>, %m1: memref<1000x8xbf16>, %m2: memref<4x8xbf16>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 4 : i64
  %c1 = arith.constant 1000 : i64
  %c2 = arith.constant 16 : i64
  %c3 = arith.constant 0 : i64
  rt.kernel_call "embedding" blocks 8 threads 32 (%m0, %m1, %m2, %c0, %c1, %c2, %c3)
    : memref<4xi64>, memref<1000x8xbf16>, memref<4x8xbf16>, i64, i64, i64, i64
  return
}

func.func private @k5(%m0: memref<1x4099xf32>, %m1: memref<1x1xf32>, %m2: memref<1x1xi64>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 4099 : i64
  %c3 = arith.constant 1 : i64
  %c4 = arith.constant 0 : i64
  rt.kernel_call "argmax" blocks 8 threads 32 (%c0, %m0, %m1, %m2, %c1, %c2, %c3, %c4)
    : i32, memref<1x4099xf32>, memref<1x1xf32>, memref<1x1xi64>, i64, i64, i64, i64
  return
}

func.func private @k6(%m0: memref<1x2x3x1x16xf32>, %m1: memref<1x3x40x16xf32>, %m2: memref<1x3x40x16xf32>, %m3: memref<1xi64>, %m4: memref<1x2x3x1x16xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 1 : i64
  %c5 = arith.constant 16 : i64
  %c6 = arith.constant 40 : i64
  %c7 = arith.constant 1.0 : f32
  %c8 = arith.constant 0 : i64
  %c9 = arith.constant 0 : i32
  %c10 = arith.constant 0 : i64
  rt.kernel_call "attention" blocks 8 threads 32 (%c0, %m0, %m1, %m2, %m3, %m4, %c1, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c9, %c10)
    : i32, memref<1x2x3x1x16xf32>, memref<1x3x40x16xf32>, memref<1x3x40x16xf32>, memref<1xi64>, memref<1x2x3x1x16xf32>, i64, i64, i64, i64, i64, i64, f32, i64, i32, i64
  return
}

func.func private @k7(%m0: memref<1x2x3x1x16xf32>, %m1: memref<1x3x40x16xf32>, %m2: memref<1x3x40x16xf32>, %m3: memref<1xi64>, %m4: memref<1x2x3x1x16xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 1 : i64
  %c5 = arith.constant 16 : i64
  %c6 = arith.constant 40 : i64
  %c7 = arith.constant 1.0 : f32
  %c8 = arith.constant 5 : i64
  %c9 = arith.constant 0 : i32
  %c10 = arith.constant 0 : i64
  rt.kernel_call "attention" blocks 8 threads 32 (%c0, %m0, %m1, %m2, %m3, %m4, %c1, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c9, %c10)
    : i32, memref<1x2x3x1x16xf32>, memref<1x3x40x16xf32>, memref<1x3x40x16xf32>, memref<1xi64>, memref<1x2x3x1x16xf32>, i64, i64, i64, i64, i64, i64, f32, i64, i32, i64
  return
}

func.func private @k8(%m0: memref<1x2x3x1x16xf32>, %m1: memref<1x3x40x16xf32>, %m2: memref<1x3x40x16xf32>, %m3: memref<1xi64>, %m4: memref<2x1x2x3x1x17xf32>, %m5: memref<2x1x2x3x1xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 1 : i64
  %c5 = arith.constant 16 : i64
  %c6 = arith.constant 40 : i64
  %c7 = arith.constant 1.0 : f32
  %c8 = arith.constant 0 : i64
  %c9 = arith.constant 0 : i32
  %c10 = arith.constant 2 : i64
  %c11 = arith.constant 0 : i64
  %c12 = arith.constant 0 : i64
  %c13 = arith.constant 40 : i64
  rt.kernel_call "attention_parts" blocks 8 threads 32 (%c0, %m0, %m1, %m2, %m3, %m4, %m5, %c1, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c9, %c10, %c11, %c12, %c13)
    : i32, memref<1x2x3x1x16xf32>, memref<1x3x40x16xf32>, memref<1x3x40x16xf32>, memref<1xi64>, memref<2x1x2x3x1x17xf32>, memref<2x1x2x3x1xf32>, i64, i64, i64, i64, i64, i64, f32, i64, i32, i64, i64, i64, i64
  return
}

func.func private @k9(%m0: memref<2x1x2x3x1x17xf32>, %m1: memref<2x1x2x3x1xf32>, %m2: memref<1x2x3x1x16xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 2 : i64
  %c2 = arith.constant 6 : i64
  %c3 = arith.constant 16 : i64
  rt.kernel_call "attention_merge" blocks 8 threads 32 (%c0, %m0, %m1, %m2, %c1, %c2, %c3)
    : i32, memref<2x1x2x3x1x17xf32>, memref<2x1x2x3x1xf32>, memref<1x2x3x1x16xf32>, i64, i64, i64
  return
}

func.func private @k10(%m0: memref<1x2x3x16xf32>, %m1: memref<1x2x8xf32>, %m2: memref<1x2x8xf32>, %m3: memref<1x2x3x16xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 1 : i64
  %c3 = arith.constant 2 : i64
  %c4 = arith.constant 3 : i64
  %c5 = arith.constant 16 : i64
  %c6 = arith.constant 8 : i64
  rt.kernel_call "rope" blocks 8 threads 32 (%c0, %c1, %m0, %m1, %m2, %m3, %c2, %c3, %c4, %c5, %c6)
    : i32, i32, memref<1x2x3x16xf32>, memref<1x2x8xf32>, memref<1x2x8xf32>, memref<1x2x3x16xf32>, i64, i64, i64, i64, i64
  return
}

func.func private @k11(%m0: memref<1x2x3x16xf32>, %m1: memref<1x2x8xf32>, %m2: memref<1x2x8xf32>, %m3: memref<1xi64>, %m4: memref<1x3x40x16xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 1 : i64
  %c3 = arith.constant 2 : i64
  %c4 = arith.constant 3 : i64
  %c5 = arith.constant 16 : i64
  %c6 = arith.constant 8 : i64
  %c7 = arith.constant 40 : i64
  %c8 = arith.constant 0 : i64
  %c9 = arith.constant 40 : i64
  rt.kernel_call "cache_write" blocks 8 threads 32 (%c0, %c1, %m0, %m1, %m2, %m3, %m4, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c9)
    : i32, i32, memref<1x2x3x16xf32>, memref<1x2x8xf32>, memref<1x2x8xf32>, memref<1xi64>, memref<1x3x40x16xf32>, i64, i64, i64, i64, i64, i64, i64, i64
  return
}

func.func private @k12(%m0: memref<1x2x3x16xf32>, %m1: memref<1x2x3x16xf32>, %m2: memref<1x2x3x16xf32>, %m3: memref<1xi64>, %m4: memref<1x3x40x16xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 1 : i64
  %c3 = arith.constant 2 : i64
  %c4 = arith.constant 3 : i64
  %c5 = arith.constant 16 : i64
  %c6 = arith.constant 0 : i64
  %c7 = arith.constant 40 : i64
  %c8 = arith.constant 0 : i64
  %c9 = arith.constant 40 : i64
  rt.kernel_call "cache_write" blocks 8 threads 32 (%c0, %c1, %m0, %m1, %m2, %m3, %m4, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c9)
    : i32, i32, memref<1x2x3x16xf32>, memref<1x2x3x16xf32>, memref<1x2x3x16xf32>, memref<1xi64>, memref<1x3x40x16xf32>, i64, i64, i64, i64, i64, i64, i64, i64
  return
}

func.func private @k13(%m0: memref<1x2x3x16xf32>, %m1: memref<1x2x8xf32>, %m2: memref<1x2x8xf32>, %m3: memref<1x2x3x16xf32>, %m4: memref<1x2x3x16xf32>, %m5: memref<1x2x8xf32>, %m6: memref<1x2x8xf32>, %m7: memref<1xi64>, %m8: memref<1x3x40x16xf32>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 1 : i64
  %c3 = arith.constant 2 : i64
  %c4 = arith.constant 3 : i64
  %c5 = arith.constant 16 : i64
  %c6 = arith.constant 8 : i64
  %c7 = arith.constant 1 : i32
  %c8 = arith.constant 1 : i32
  %c9 = arith.constant 1 : i64
  %c10 = arith.constant 2 : i64
  %c11 = arith.constant 3 : i64
  %c12 = arith.constant 16 : i64
  %c13 = arith.constant 8 : i64
  %c14 = arith.constant 40 : i64
  %c15 = arith.constant 0 : i64
  %c16 = arith.constant 40 : i64
  rt.kernel_call "rope" blocks 8 threads 32 (%c0, %c1, %m0, %m1, %m2, %m3, %c2, %c3, %c4, %c5, %c6)
    : i32, i32, memref<1x2x3x16xf32>, memref<1x2x8xf32>, memref<1x2x8xf32>, memref<1x2x3x16xf32>, i64, i64, i64, i64, i64
  rt.kernel_call "cache_write" blocks 8 threads 32 (%c7, %c8, %m4, %m5, %m6, %m7, %m8, %c9, %c10, %c11, %c12, %c13, %c14, %c15, %c16)
    : i32, i32, memref<1x2x3x16xf32>, memref<1x2x8xf32>, memref<1x2x8xf32>, memref<1xi64>, memref<1x3x40x16xf32>, i64, i64, i64, i64, i64, i64, i64, i64
  return
}

func.func private @k14(%m0: memref<4x100xbf16>, %m1: memref<4x6xbf16>, %m2: memref<4x6xi64>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 4 : i32
  %c1 = arith.constant 0 : i32
  %c2 = arith.constant 4 : i64
  %c3 = arith.constant 100 : i64
  %c4 = arith.constant 1 : i64
  %c5 = arith.constant 2 : i64
  %c6 = arith.constant 3 : i64
  %c7 = arith.constant 0.0 : f32
  %c8 = arith.constant 0 : i32
  %c9 = arith.constant 0 : i64
  rt.kernel_call "top_k" blocks 8 threads 32 (%c0, %m0, %c1, %m0, %m1, %m2, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c8, %c9, %c9)
    : i32, memref<4x100xbf16>, i32, memref<4x100xbf16>, memref<4x6xbf16>, memref<4x6xi64>, i64, i64, i64, i64, i64, f32, i32, i32, i64, i64
  return
}

func.func private @k15(%m0: memref<4x100xbf16>, %m1: memref<4x6xbf16>, %m2: memref<4x6xi64>, %m3: memref<4x100xi64>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 4 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 4 : i64
  %c3 = arith.constant 100 : i64
  %c4 = arith.constant 1 : i64
  %c5 = arith.constant 2 : i64
  %c6 = arith.constant 3 : i64
  %c7 = arith.constant 0.0 : f32
  %c8 = arith.constant 0 : i32
  %c9 = arith.constant 0 : i64
  rt.kernel_call "top_k" blocks 8 threads 32 (%c0, %m0, %c1, %m3, %m1, %m2, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c8, %c9, %c9)
    : i32, memref<4x100xbf16>, i32, memref<4x100xi64>, memref<4x6xbf16>, memref<4x6xi64>, i64, i64, i64, i64, i64, f32, i32, i32, i64, i64
  return
}

func.func private @k16(%m0: memref<3xi64>, %m1: memref<50xbf16>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 4 : i32
  %c2 = arith.constant 3 : i32
  %c3 = arith.constant 50 : i64
  rt.kernel_call "reduce" blocks 8 threads 32 (%c0, %c1, %m0, %c2, %m1, %c3)
    : i32, i32, memref<3xi64>, i32, memref<50xbf16>, i64
  return
}

func.func private @k17(%m0: memref<2x100xf32>, %m1: memref<2xf64>, %m2: memref<f64>, %m3: memref<i64>, %m4: memref<f64>, %m5: memref<2x100xf64>, %m6: memref<2xi64>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 2 : i64
  %c1 = arith.constant 100 : i64
  rt.kernel_call "sample" blocks 8 threads 32 (%m0, %m1, %m2, %m3, %m4, %m5, %m6, %c0, %c1)
    : memref<2x100xf32>, memref<2xf64>, memref<f64>, memref<i64>, memref<f64>, memref<2x100xf64>, memref<2xi64>, i64, i64
  return
}
}
