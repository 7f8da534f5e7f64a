// RUN: tp-opt %s --tp-overlap-collectives --split-input-file | FileCheck %s

rt.group @dp [0, 1, 2]
rt.group @alone [1, 1, 1]

func.func private @read(%x: memref<64xf32>, %y: memref<64xf32>) attributes {rt.kernel, rt.device} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<64xf32>
  memref.store %v, %y[%c0] : memref<64xf32>
  return
}
func.func private @pass(%x: memref<64xf32>) attributes {rt.kernel, rt.device} {
  %v = memref.expand_shape %x [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %c0 = arith.constant 0 : index
  %e = memref.load %v[%c0, %c0] : memref<8x8xf32>
  memref.store %e, %v[%c0, %c0] : memref<8x8xf32>
  return
}

// The sum of a gradient is waited for where it is used; the work of the next layer is beside.
// CHECK-LABEL: func @gradients(
// CHECK-SAME: %[[X:.*]]: memref<64xf32>, %[[G1:.*]]: memref<64xf32>, %[[G2:.*]]: memref<64xf32>)
// CHECK-NEXT: rt.launch @read {{.*}} (%[[X]], %[[G2]])
// CHECK-NEXT: %[[T2:.*]] = rt.all_reduce sum %[[G2]] over @dp because "sum over dp" : memref<64xf32> -> !rt.token
// CHECK-NEXT: rt.launch @read {{.*}} (%[[X]], %[[G1]])
// CHECK-NEXT: %[[T1:.*]] = rt.all_reduce sum %[[G1]] over @dp : memref<64xf32> -> !rt.token
// CHECK-NEXT: rt.wait %[[T2]] (%[[G2]]) : memref<64xf32>
// CHECK-NEXT: rt.launch @pass {{.*}} (%[[G2]])
// CHECK-NEXT: rt.wait %[[T1]] (%[[G1]]) : memref<64xf32>
// CHECK-NEXT: rt.launch @pass {{.*}} (%[[G1]])
// CHECK-NEXT: return
func.func @gradients(%x: memref<64xf32>, %g1: memref<64xf32>, %g2: memref<64xf32>) attributes {rt.entry} {
  rt.launch @read blocks 1 threads 32 (%x, %g2) : memref<64xf32>, memref<64xf32>
  rt.all_reduce sum %g2 over @dp because "sum over dp" : memref<64xf32>
  rt.launch @read blocks 1 threads 32 (%x, %g1) : memref<64xf32>, memref<64xf32>
  rt.all_reduce sum %g1 over @dp : memref<64xf32>
  rt.launch @pass blocks 1 threads 32 (%g2) : memref<64xf32>
  rt.launch @pass blocks 1 threads 32 (%g1) : memref<64xf32>
  return
}

// Weights are gathered while the layer before is computed, one layer ahead: the third is not
// gathered before the second has come.
// CHECK-LABEL: func @weights(
// CHECK: %[[W1:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT: rt.all_gather %{{.*}} into %[[W1]] dim 0 over @dp : memref<32xf32>, memref<64xf32>{{$}}
// CHECK-NEXT: %[[W2:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT: %[[T2:.*]] = rt.all_gather %{{.*}} into %[[W2]] {{.*}} -> !rt.token
// CHECK-NEXT: rt.launch @read {{.*}} (%[[W1]], %{{.*}})
// CHECK-NEXT: rt.wait %[[T2]] (%{{.*}}, %[[W2]]) : memref<32xf32>, memref<64xf32>
// CHECK-NEXT: %[[W3:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT: %[[T3:.*]] = rt.all_gather %{{.*}} into %[[W3]] {{.*}} -> !rt.token
// CHECK-NEXT: rt.launch @read {{.*}} (%[[W2]], %{{.*}})
// CHECK-NEXT: rt.wait %[[T3]]
// CHECK-NEXT: rt.launch @read {{.*}} (%[[W3]], %{{.*}})
// CHECK-NEXT: return
func.func @weights(%s1: memref<32xf32>, %s2: memref<32xf32>, %s3: memref<32xf32>, %x: memref<64xf32>) attributes {rt.entry} {
  %w1 = memref.alloc() : memref<64xf32>
  rt.all_gather %s1 into %w1 dim 0 over @dp : memref<32xf32>, memref<64xf32>
  rt.launch @read blocks 1 threads 32 (%w1, %x) : memref<64xf32>, memref<64xf32>
  %w2 = memref.alloc() : memref<64xf32>
  rt.all_gather %s2 into %w2 dim 0 over @dp : memref<32xf32>, memref<64xf32>
  rt.launch @read blocks 1 threads 32 (%w2, %x) : memref<64xf32>, memref<64xf32>
  %w3 = memref.alloc() : memref<64xf32>
  rt.all_gather %s3 into %w3 dim 0 over @dp : memref<32xf32>, memref<64xf32>
  rt.launch @read blocks 1 threads 32 (%w3, %x) : memref<64xf32>, memref<64xf32>
  return
}

// What is free behind a collective is held for one at a time.
// CHECK-LABEL: func @scattered(
// CHECK: %[[T1:.*]] = rt.reduce_scatter sum %[[G1:.*]] into %{{.*}} -> !rt.token
// CHECK-NEXT: rt.launch @pass {{.*}} (%[[G2:.*]])
// CHECK-NEXT: rt.wait %[[T1]]
// CHECK-NEXT: %[[T2:.*]] = rt.reduce_scatter sum %[[G2]] into %{{.*}} -> !rt.token
// CHECK-NEXT: rt.launch @pass {{.*}} (%[[X:.*]])
// CHECK-NEXT: rt.wait %[[T2]]
// CHECK-NEXT: return
func.func @scattered(%s1: memref<32xf32>, %s2: memref<32xf32>, %x: memref<64xf32>) attributes {rt.entry} {
  %g1 = memref.alloc() : memref<64xf32>
  %g2 = memref.alloc() : memref<64xf32>
  rt.launch @pass blocks 1 threads 32 (%g1) : memref<64xf32>
  rt.reduce_scatter sum %g1 into %s1 dim 0 over @dp : memref<64xf32>, memref<32xf32>
  rt.launch @pass blocks 1 threads 32 (%g2) : memref<64xf32>
  rt.reduce_scatter sum %g2 into %s2 dim 0 over @dp : memref<64xf32>, memref<32xf32>
  rt.launch @pass blocks 1 threads 32 (%x) : memref<64xf32>
  return
}

// A chain has no room, nor has a group of one or what is read by the host.
// CHECK-LABEL: func @chain(
// CHECK-NOT: rt.token
func.func @chain(%x: memref<64xf32>, %y: memref<64xf32>, %n: memref<i64>) attributes {rt.entry} {
  %c0 = arith.constant 0 : index
  rt.launch @read blocks 1 threads 32 (%x, %y) : memref<64xf32>, memref<64xf32>
  rt.all_reduce sum %y over @dp : memref<64xf32>
  rt.launch @pass blocks 1 threads 32 (%y) : memref<64xf32>
  rt.all_reduce sum %y over @dp : memref<64xf32>
  %k = rt.read %n : memref<i64> -> i64
  rt.launch @pass blocks 1 threads 32 (%x) : memref<64xf32>
  rt.all_reduce sum %x over @alone : memref<64xf32>
  rt.launch @pass blocks 1 threads 32 (%y) : memref<64xf32>
  return
}

// In the body of a loop what begins ends. The same operand may be read meanwhile, a loop that
// writes it may not run.
// CHECK-LABEL: func @loops(
// CHECK: scf.for
// CHECK-NEXT: %[[T1:.*]] = rt.all_reduce sum %[[X:.*]] over @dp : memref<64xf32> -> !rt.token
// CHECK-NEXT: rt.launch @pass {{.*}} (%[[Y:.*]])
// CHECK-NEXT: rt.wait %[[T1]] (%[[X]])
// CHECK-NEXT: }
// CHECK-NEXT: memref.expand_shape
// CHECK-NEXT: %[[T2:.*]] = rt.all_to_all %[[S:.*]] into %{{.*}} -> !rt.token
// CHECK-NEXT: rt.launch @read {{.*}} (%[[Z:.*]], %[[Y]])
// CHECK-NEXT: rt.wait %[[T2]] (%[[S]], %{{.*}})
// CHECK-NEXT: scf.for
func.func @loops(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %r: memref<2x32xf32>) attributes {rt.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    rt.all_reduce sum %x over @dp : memref<64xf32>
    rt.launch @pass blocks 1 threads 32 (%y) : memref<64xf32>
  }
  %s = memref.expand_shape %z [[0, 1]] output_shape [2, 32] : memref<64xf32> into memref<2x32xf32>
  rt.all_to_all %s into %r over @dp : memref<2x32xf32>, memref<2x32xf32>
  rt.launch @read blocks 1 threads 32 (%z, %y) : memref<64xf32>, memref<64xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    rt.launch @pass blocks 1 threads 32 (%z) : memref<64xf32>
  }
  return
}
