// RUN: tp-test-opt %s --test-interpret=max-steps=2000 --split-input-file --verify-diagnostics

func.func @extract(%x: tensor<4xf32>) -> f32 {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{'tensor.extract' op index along dimension 0 is 4, outside [0, 4)}}
  %0 = tensor.extract %x[%c4] : tensor<4xf32>
  return %0 : f32
}

// -----

func.func @insert(%x: tensor<4x2xf32>, %v: f32) -> tensor<4x2xf32> {
  %c1 = arith.constant 1 : index
  %minus = arith.constant -1 : index
  // expected-error @+1 {{'tensor.insert' op index along dimension 1 is -1, outside [0, 2)}}
  %0 = tensor.insert %v into %x[%c1, %minus] : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @extract_slice(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %c3 = arith.constant 3 : index
  // expected-error @+1 {{slice of offset 3, size 2 and stride 1 is out of bounds of dimension 1 of size 4}}
  %0 = tensor.extract_slice %x[0, %c3] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @insert_slice(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %minus = arith.constant -1 : index
  // expected-error @+1 {{slice of offset -1, size 2 and stride 1 is out of bounds of dimension 0 of size 4}}
  %0 = tensor.insert_slice %y into %x[%minus] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @insert_sizes(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  // expected-error @+1 {{inserts 3 elements into a slice of 2}}
  %0 = tensor.insert_slice %y into %x[0] [%c2] [1] : tensor<?xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @in_a_body(%x: tensor<4xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    // expected-error @+1 {{'tensor.extract' op index along dimension 0 is 4, outside [0, 4)}}
    %v = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @operands_differ(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %y = tensor.empty(%c2) : tensor<?xf32>
  // expected-error @+1 {{operand 1 is read at [2], out of bounds of 'tensor<2xf32>'}}
  %0 = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @elementwise(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %y = tensor.empty(%c2) : tensor<?xf32>
  // expected-error @+1 {{has operands of different shapes}}
  %0 = arith.addf %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @cast(%x: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.cast' op gives a value of 'tensor<3xf32>' where 'tensor<4xf32>' was promised}}
  %0 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @expand(%x: tensor<?xf32>) -> tensor<?x2xf32> {
  %c2 = arith.constant 2 : index
  // expected-error @+1 {{expands dimension 0 of size 3 into 4 elements}}
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%c2, 2] : tensor<?xf32> into tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

func.func @concat(%x: tensor<?x2xf32>, %y: tensor<4x2xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{joins values of sizes 3 and 4 in dimension 0}}
  %0 = tensor.concat dim(1) %x, %y : (tensor<?x2xf32>, tensor<4x2xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @pad(%x: tensor<4xf32>, %v: f32) -> tensor<?xf32> {
  %minus = arith.constant -1 : index
  // expected-error @+1 {{dimension 0 has negative padding -1 and 0}}
  %0 = tensor.pad %x low[%minus] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @negative_size() -> tensor<?xf32> {
  %minus = arith.constant -2 : index
  // expected-error @+1 {{dimension 0 has the negative size -2}}
  %0 = tensor.empty(%minus) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @huge() -> tensor<?x?xf32> {
  %n = arith.constant 4000000000 : index
  // expected-error @+1 {{makes a value of more than 2147483648 elements}}
  %0 = tensor.empty(%n, %n) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dimension(%x: tensor<4xf32>) -> index {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{dimension 1 of a value of rank 1}}
  %0 = tensor.dim %x, %c1 : tensor<4xf32>
  return %0 : index
}

// -----

func.func @division() -> i32 {
  %c0 = arith.constant 0 : i32
  // expected-error @+1 {{'arith.divsi' op division by zero}}
  %0 = arith.divsi %c0, %c0 : i32
  return %0 : i32
}

// -----

func.func @overflow() -> i8 {
  %low = arith.constant -128 : i8
  %minus = arith.constant -1 : i8
  // expected-error @+1 {{'arith.floordivsi' op division overflows}}
  %0 = arith.floordivsi %low, %minus : i8
  return %0 : i8
}

// -----

func.func @power() -> i8 {
  %c0 = arith.constant 0 : i8
  %minus = arith.constant -1 : i8
  // expected-error @+1 {{'math.ipowi' op 0 to a negative power}}
  %0 = math.ipowi %c0, %minus : i8
  return %0 : i8
}

// -----

func.func @step() -> index {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{needs a positive step, found 0}}
  %0 = scf.for %i = %c0 to %c0 step %c0 iter_args(%a = %c0) -> index {
    scf.yield %a : index
  }
  return %0 : index
}

// -----

func.func @endless() -> i1 {
  %true = arith.constant true
  %0 = scf.while (%a = %true) : (i1) -> i1 {
    // expected-error @+1 {{exceeds the limit of 2000 steps}}
    scf.condition(%a) %a : i1
  } do {
  ^bb0(%b: i1):
    scf.yield %b : i1
  }
  return %0 : i1
}

// -----

func.func private @outside(f32) -> f32
func.func @external(%x: f32) -> f32 {
  // expected-error @+1 {{calls a function without a body}}
  %0 = call @outside(%x) : (f32) -> f32
  return %0 : f32
}

// -----

func.func @unknown(%x: tensor<4xf32>) -> f32 {
  // expected-error @+1 {{'bufferization.to_buffer' op gives a value of type 'memref<4xf32>', which the interpreter cannot hold}}
  %0 = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  %c0 = arith.constant 0 : index
  %1 = memref.load %0[%c0] : memref<4xf32>
  return %1 : f32
}

// -----

func.func @unknown_op(%x: index) -> index {
  // expected-error @+1 {{'index.add' op is not known to the interpreter}}
  %0 = index.add %x, %x
  return %0 : index
}

// -----

func.func @unknown_in_a_body(%x: tensor<4xindex>) -> tensor<4xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : tensor<4xindex>) {
  ^bb0(%o: index):
    // expected-error @+1 {{'index.add' op is not known to the interpreter}}
    %v = index.add %o, %o
    linalg.yield %v : index
  } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----

func.func @complex(%x: f32) -> complex<f32> {
  // expected-error @+1 {{gives a value of type 'complex<f32>', which the interpreter cannot hold}}
  %0 = complex.create %x, %x : complex<f32>
  return %0 : complex<f32>
}

// -----

// expected-error @+1 {{has unstructured control flow, which the interpreter does not run}}
func.func @blocks(%x: i1) -> i1 {
  cf.br ^next
^next:
  return %x : i1
}

// -----

tp.mesh @mesh <"tp"=2>
func.func @names_the_rank(%x: tensor<4xf32>) -> f32 {
  %t = comm.coordinate (tp)
  %c3 = arith.constant 3 : index
  %i = arith.addi %t, %c3 : index
  // expected-error @+1 {{'tensor.extract' op on rank 1: index along dimension 0 is 4, outside [0, 4)}}
  %0 = tensor.extract %x[%i] : tensor<4xf32>
  return %0 : f32
}

// -----

tp.mesh @mesh <"tp"=2>
// expected-error @+1 {{result 0 of 'replicas': replicas differ at index [1]: rank 0 holds 0, rank 1 holds 1}}
func.func @replicas() -> (tensor<2xindex> {tp.sharding = #tp.sharding<[_]>, tp.global_type = tensor<2xindex>}) {
  %t = comm.coordinate (tp)
  %c0 = arith.constant 0 : index
  %0 = tensor.from_elements %c0, %t : tensor<2xindex>
  return %0 : tensor<2xindex>
}

// -----

func.func @resource() -> tensor<4xf32> {
  // expected-error @+1 {{'arith.constant' op has a value that the interpreter cannot read}}
  %0 = arith.constant dense_resource<absent> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @endless(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' op exceeds 1000 nested calls}}
  %0 = func.call @endless(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @recursion(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @endless(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @reshape(%x: tensor<6xf32>, %y: tensor<?xf32>) -> tensor<?x2xf32> {
  %c2 = arith.constant 2 : index
  %shape = tensor.from_elements %c2, %c2 : tensor<2xindex>
  // expected-error @+1 {{'tensor.reshape' op reshapes 6 elements into 4}}
  %0 = tensor.reshape %x(%shape) : (tensor<6xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

func.func @cache(%cache: tensor<1x2x4x2xf32>, %new: tensor<1x2x2x2xf32>) -> tensor<1x2x4x2xf32> {
  %pos = arith.constant dense<3> : tensor<1xi64>
  // expected-error @+1 {{row 0 writes 2 positions from 3 on into a cache of 4}}
  %0 = nn.cache_update %cache, %new, %pos : tensor<1x2x4x2xf32>, tensor<1x2x2x2xf32>, tensor<1xi64>
  return %0 : tensor<1x2x4x2xf32>
}
