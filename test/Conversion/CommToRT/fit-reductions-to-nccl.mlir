// RUN: tp-opt %s --tp-fit-reductions-to-nccl --cse --verify-diagnostics | FileCheck %s

rt.group @tp [0, 1, 4]

// What NCCL has stays.
// CHECK-LABEL: func @stays
// CHECK-NEXT: rt.all_reduce sum %arg0 over @tp
// CHECK-NEXT: rt.all_reduce maxu %arg1 over @tp
// CHECK-NEXT: return
func.func @stays(%a: tensor<8xbf16>, %b: tensor<8xi64>) -> (tensor<8xbf16>, tensor<8xi64>) {
  %0 = rt.all_reduce sum %a over @tp : tensor<8xbf16> -> tensor<8xbf16>
  %1 = rt.all_reduce maxu %b over @tp : tensor<8xi64> -> tensor<8xi64>
  return %0, %1 : tensor<8xbf16>, tensor<8xi64>
}

// Floats are ordered as integers: NaN is 0x7fc00000, above infinity, where it wins.
// CHECK-LABEL: func @largest
// CHECK: %[[BITS:.*]] = arith.bitcast %arg0 : tensor<8xf32> to tensor<8xi32>
// CHECK: %[[SIGN:.*]] = arith.shrsi %[[BITS]], %{{.*}}
// CHECK: %[[MASK:.*]] = arith.andi %[[SIGN]], %{{.*}}
// CHECK: %[[ORDER:.*]] = arith.xori %[[BITS]], %[[MASK]]
// CHECK: %[[ISNAN:.*]] = arith.cmpf uno, %arg0, %arg0
// CHECK: %[[NAN:.*]] = arith.constant dense<2143289344> : tensor<8xi32>
// CHECK: %[[KEY:.*]] = arith.select %[[ISNAN]], %[[NAN]], %[[ORDER]]
// CHECK: %[[MAX:.*]] = rt.all_reduce max %[[KEY]] over @tp because "largest" : tensor<8xi32> -> tensor<8xi32>
// CHECK: arith.bitcast %{{.*}} : tensor<8xi32> to tensor<8xf32>
func.func @largest(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = rt.all_reduce max %a over @tp because "largest" : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// NaN loses; f16 travels as 32 bits.
// CHECK-LABEL: func @narrow
// CHECK: arith.extf %arg0 : tensor<8xf16> to tensor<8xf32>
// CHECK: arith.constant dense<-2143289345> : tensor<8xi32>
// CHECK: rt.reduce_scatter max %{{.*}} into %{{.*}} dim 0 over @tp : tensor<8xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK: arith.truncf %{{.*}} : tensor<2xf32> to tensor<2xf16>
func.func @narrow(%a: tensor<8xf16>, %d: tensor<2xf16>) -> tensor<2xf16> {
  %0 = rt.reduce_scatter maxnum %a into %d dim 0 over @tp : tensor<8xf16>, tensor<2xf16> -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// CHECK-LABEL: func @integers
// CHECK: arith.extui %arg0 : tensor<8xi1> to tensor<8xi32>
// CHECK: rt.all_reduce min %{{.*}} : tensor<8xi32>
// CHECK: arith.extsi %arg1 : tensor<8xi16> to tensor<8xi32>
// CHECK: rt.all_reduce max %{{.*}} : tensor<8xi32>
// CHECK: arith.trunci %{{.*}} : tensor<8xi32> to tensor<8xi16>
func.func @integers(%a: tensor<8xi1>, %b: tensor<8xi16>) -> (tensor<8xi1>, tensor<8xi16>) {
  %0 = rt.all_reduce and %a over @tp : tensor<8xi1> -> tensor<8xi1>
  %1 = rt.all_reduce max %b over @tp : tensor<8xi16> -> tensor<8xi16>
  return %0, %1 : tensor<8xi1>, tensor<8xi16>
}

// CHECK-LABEL: func @bits
// CHECK: rt.all_gather %{{.*}} into %{{.*}} dim 0 over @tp : tensor<1x8xi32>, tensor<4x8xi32> -> tensor<4x8xi32>
// CHECK: linalg.reduce ins(%{{.*}} : tensor<4x8xi32>) outs(%{{.*}} : tensor<8xi32>) dimensions = [0]
// CHECK: arith.xori
// CHECK: rt.all_to_all %{{.*}} into %{{.*}} over @tp : tensor<4x3x2xi32>, tensor<4x3x2xi32> -> tensor<4x3x2xi32>
// CHECK: linalg.reduce ins(%{{.*}} : tensor<4x3x2xi32>) outs(%{{.*}} : tensor<3x2xi32>) dimensions = [0]
// CHECK: arith.andi
func.func @bits(%a: tensor<8xi32>, %b: tensor<3x8xi32>, %d: tensor<3x2xi32>) -> (tensor<8xi32>, tensor<3x2xi32>) {
  // expected-remark@+1 {{NCCL does not combine 'i32' by 'xor': the values of 4 ranks are gathered and combined on each}}
  %0 = rt.all_reduce xor %a over @tp : tensor<8xi32> -> tensor<8xi32>
  // expected-remark@+1 {{NCCL does not combine 'i32' by 'and': the values of 4 ranks are gathered and combined on each}}
  %1 = rt.reduce_scatter and %b into %d dim 1 over @tp : tensor<3x8xi32>, tensor<3x2xi32> -> tensor<3x2xi32>
  return %0, %1 : tensor<8xi32>, tensor<3x2xi32>
}
