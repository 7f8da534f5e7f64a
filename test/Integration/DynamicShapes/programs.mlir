// Entries whose arguments have rows that are known when they run; test_dynamic_shapes.py gives them sizes.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func private @double(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = arith.addf %x, %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
func.func @generic(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
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
func.func @loops(%x: tensor<?x4xf32>, %k: index) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
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
// Rows of x that are looked up, written and walked, the last first.
func.func @rows(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %ids = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %m = arith.subi %n, %c1 : index
    %k = arith.subi %m, %i : index
    tensor.yield %k : index
  } : tensor<?x1xindex>
  %g = tensor.gather %x[%ids] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  %u = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
  %s = tensor.scatter %u into %x[%ids] scatter_dims([0]) unique : (tensor<?x1x4xf32>, tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = scf.forall (%i) in (%n) shared_outs(%o = %e) -> tensor<?x4xf32> {
    %r = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
    %y = arith.addf %r, %r : tensor<1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
    }
  }
  %h = arith.divsi %n, %c3 : index
  %w = scf.forall (%i) in (1) shared_outs(%o = %x) -> tensor<?x4xf32> {
    %r = tensor.extract_slice %f[%h, 0] [%h, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, 0] [%h, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    }
  }
  %p = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%w) -> tensor<?x4xf32> {
    scf.reduce(%f : tensor<?x4xf32>) {
    ^bb0(%l: tensor<?x4xf32>, %m: tensor<?x4xf32>):
      %t = arith.addf %l, %m : tensor<?x4xf32>
      scf.reduce.return %t : tensor<?x4xf32>
    }
  }
  return %g, %s, %f, %p : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}
// An nn op has the sizes of its operands where it has their factors.
func.func @embed(%ids: tensor<?x?xi64>, %table: tensor<9x4xf32>, %w: tensor<?xf32>, %pos: tensor<?xi64>) -> (tensor<?x?x4xf32>, tensor<?x1x4xf32>, tensor<?x?x1xi64>) {
  %e = nn.embedding %ids, %table : tensor<?x?xi64>, tensor<9x4xf32> -> tensor<?x?x4xf32>
  %d = tensor.cast %e : tensor<?x?x4xf32> to tensor<?x?x?xf32>
  %n = nn.rms_norm %d, %w epsilon 0.01 : tensor<?x?x?xf32>, tensor<?xf32>
  %r = tensor.cast %n : tensor<?x?x?xf32> to tensor<?x?x4xf32>
  %c, %s = nn.rotary_table %pos theta 1.0e4 : tensor<?xi64> -> tensor<?x1x4xf32>
  %v, %i = nn.argmax %r : tensor<?x?x4xf32> -> tensor<?x?x1xf32>, tensor<?x?x1xi64>
  return %r, %c, %i : tensor<?x?x4xf32>, tensor<?x1x4xf32>, tensor<?x?x1xi64>
}
