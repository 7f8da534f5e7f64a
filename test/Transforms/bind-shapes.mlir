// RUN: tp-opt %s --tp-bind-shapes=shapes=generic.arg0=7x8,given.arg0=7x4,shapes.arg0=7x6,shapes.arg1=2x?,x=7x4,partly.arg0=7x? | FileCheck %s
// RUN: tp-opt %s --tp-bind-shapes=shapes=shapes.arg0=1x6,shapes.arg1=0x6,x=3x4 | FileCheck %s --check-prefix=SMALL

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func private @double(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = arith.addf %x, %x {tp.name = "doubled"} : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// Structured ops, calls, sizes as values and in bodies; names stay.
// CHECK-LABEL: func.func @generic(
// CHECK-SAME: tensor<7x8xf32>, %{{.*}}: tensor<8x4xf32>) -> (tensor<7x4xf32>, tensor<7xf32>, index) {
// CHECK-NOT: ?
// CHECK: %[[N:.*]] = arith.constant 7 : index
// CHECK: tensor.empty() : tensor<7x4xf32>
// CHECK: linalg.matmul {tp.name = "y"}
// CHECK: arith.addf {{.*}} {tp.name = "doubled"} : tensor<7x4xf32>
// CHECK: arith.constant 7 : i32
// CHECK: return %{{.*}}, %{{.*}}, %[[N]]
func.func @generic(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = linalg.matmul {tp.name = "y"} ins(%x, %w : tensor<?x8xf32>, tensor<8x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  %d = func.call @double(%y) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<?x4xf32>) outs(%f1 : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %m = tensor.dim %y, %c0 : tensor<?x4xf32>
    %l = arith.index_cast %m : index to i32
    %g = arith.sitofp %l : i32 to f32
    %c = arith.divf %a, %g : f32
    %o = arith.addf %b, %c : f32
    linalg.yield %o : f32
  } -> tensor<?xf32>
  %v = math.exp %s : tensor<?xf32>
  return %d, %v, %n : tensor<?x4xf32>, tensor<?xf32>, index
}

// Ops that spell sizes out. A slice without elements is no slice.
// CHECK-LABEL: func.func @shapes(
// CHECK-SAME: -> (tensor<7x2x3xf32>, tensor<42xf32>, tensor<9x6xf32>, tensor<8x8xf32>, tensor<7x6xf32>) {
// CHECK-NOT: ?
// CHECK: output_shape [7, 2, 3] : tensor<7x6xf32> into tensor<7x2x3xf32>
// CHECK: tensor.pad %{{.*}} low[1, 1] high[0, 1]
// CHECK: tensor.extract_slice %{{.*}}[3, 0] [3, 6] [1, 1] : tensor<9x6xf32> to tensor<3x6xf32>
// CHECK: tensor.insert_slice %{{.*}}[0, 0] [3, 6] [1, 1] : tensor<3x6xf32> into tensor<7x6xf32>
// SMALL-LABEL: func.func @shapes(
// SMALL-SAME: -> (tensor<1x2x3xf32>, tensor<6xf32>, tensor<1x6xf32>, tensor<2x8xf32>, tensor<1x6xf32>) {
// SMALL-NOT: slice
// SMALL: return %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %arg0 :
func.func @shapes(%x: tensor<?x6xf32>, %y: tensor<?x6xf32>) -> (tensor<?x2x3xf32>, tensor<?xf32>, tensor<?x6xf32>, tensor<?x8xf32>, tensor<?x6xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %a = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %b = tensor.collapse_shape %x [[0, 1]] : tensor<?x6xf32> into tensor<?xf32>
  %c = tensor.concat dim(0) %x, %y : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %z = arith.constant 1.0 : f32
  %p = tensor.pad %x low[%c1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x6xf32> to tensor<?x8xf32>
  %h = arith.divsi %n, %c2 : index
  %s = tensor.extract_slice %c[%h, 0] [%h, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
  %t = tensor.insert_slice %s into %x[0, 0] [%h, 6] [1, 1] : tensor<?x6xf32> into tensor<?x6xf32>
  return %a, %b, %c, %p, %t : tensor<?x2x3xf32>, tensor<?xf32>, tensor<?x6xf32>, tensor<?x8xf32>, tensor<?x6xf32>
}

// What loops carry; a conditional that sizes decide is the branch that is taken where the other has another type.
// CHECK-LABEL: func.func @loops(
// CHECK-SAME: -> (tensor<7x4xf32>, tensor<7x4xf32>, tensor<5x4xf32>) {
// CHECK-NOT: ?
// CHECK: scf.for %{{.*}} to %c7 {{.*}} -> (tensor<7x4xf32>)
// CHECK: scf.while {{.*}} : (index, tensor<7x4xf32>) -> (index, tensor<7x4xf32>)
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: tensor<7x4xf32>):
// CHECK-NOT: scf.if
// CHECK: math.exp %{{.*}} : tensor<5x4xf32>
// SMALL-LABEL: func.func @loops(
// SMALL-SAME: -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
// SMALL: return %{{.*}}, %{{.*}}, %arg0
func.func @loops(%x: tensor<?x4xf32> {tp.name = "x"}, %k: index) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x4xf32>) {
    %d = func.call @double(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %d : tensor<?x4xf32>
  }
  %w:2 = scf.while (%i = %c0, %a = %r) : (index, tensor<?x4xf32>) -> (index, tensor<?x4xf32>) {
    %b = math.absf %a : tensor<?x4xf32>
    %go = arith.cmpi slt, %i, %k : index
    scf.condition(%go) %i, %b : index, tensor<?x4xf32>
  } do {
  ^bb0(%i: index, %a: tensor<?x4xf32>):
    %j = arith.addi %i, %c1 : index
    %s = math.sqrt %a : tensor<?x4xf32>
    scf.yield %j, %s : index, tensor<?x4xf32>
  }
  %five = arith.constant 5 : index
  %small = arith.cmpi slt, %n, %five : index
  %q = scf.if %small -> (tensor<?x4xf32>) {
    scf.yield %x : tensor<?x4xf32>
  } else {
    %s = tensor.extract_slice %x[0, 0] [5, 4] [1, 1] : tensor<?x4xf32> to tensor<5x4xf32>
    %o = tensor.cast %s : tensor<5x4xf32> to tensor<?x4xf32>
    %oo = math.exp %o : tensor<?x4xf32>
    scf.yield %oo : tensor<?x4xf32>
  }
  return %r, %w#1, %q : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

// Other ops: reshapes by a shape, splats, tensors that are generated, casts, norms, barriers, sizes by affine maps.
// CHECK-LABEL: func.func @others(
// CHECK-SAME: -> (tensor<2x14xf32>, tensor<14xf32>, tensor<7x4xf32>, tensor<7x4xf32>) {
// CHECK-NOT: ?
// CHECK: return
func.func @others(%x: tensor<?x4xf32> {tp.name = "x"}, %w: tensor<4xf32>, %s: f32)
    -> (tensor<2x?xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %m = affine.apply affine_map<(d0) -> (d0 * 2)>(%n)
  %shape = tensor.from_elements %c2, %m : tensor<2xindex>
  %0 = tensor.reshape %x(%shape) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<2x?xf32>
  %1 = tensor.splat %s[%m] : tensor<?xf32>
  %2 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<?x4xf32>, tensor<4xf32>
  %3 = tp.barrier %2 both : tensor<?x4xf32>
  %4 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %j] : tensor<?x4xf32>
    tensor.yield %v : f32
  } : tensor<?x4xf32>
  %5 = tensor.cast %4 : tensor<?x4xf32> to tensor<?x?xf32>
  return %0, %1, %3, %5 : tensor<2x?xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?x?xf32>
}

// A size that stays open stays so, beside the others.
// CHECK-LABEL: func.func @partly(
// CHECK-SAME: tensor<7x?xf32>) -> tensor<7x?xf32> {
// CHECK: math.exp %{{.*}} : tensor<7x?xf32>
func.func @partly(%y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = math.exp %y : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// What is returned as it is given has the size as well.
// CHECK-LABEL: func.func @given(
// CHECK-SAME: %[[X:.*]]: tensor<7x4xf32>) -> tensor<7x4xf32> {
// CHECK-NEXT: return %[[X]] : tensor<7x4xf32>
func.func @given(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}
