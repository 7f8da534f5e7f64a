// RUN: tp-opt %s --tp-convert-rt-to-llvm | python3 %S/Inputs/print_manifest.py | FileCheck %s
// RUN: not tp-opt %S/Inputs/local_shape.mlir --tp-convert-rt-to-llvm 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: w: a value of shape [5] under [tp] does not have local shape [2]

module attributes {tp.language_model = {prefill = "f", decode = "f", batch = 1, chunk = 4, max_seq = 8, vocab = 10, bos = 1, eos = [2, 3]}} {
tp.mesh @m <"dp"=2, "tp"=2>
rt.group @tp [1, 1, 2]
rt.group @both [1, 1, 2, 0, 1, 2]

func.func @f(%w: memref<3x4xbf16> {tp.kind = "parameter", tp.name = "w", tp.global_type = tensor<5x4xbf16>,
                 tp.sharding = #tp.sharding<[tp, _]>, tp.source = {tensor = "w", shape = [10, 4], offset = [5, 0], size = [5, 4]}},
             %s: memref<4xf32> {tp.kind = "state", tp.name = "s"},
             %x: memref<i64>, %n: index,
             %out: memref<4xf32> {rt.result = 0 : i64})
    attributes {rt.entry, rt.arena_bytes = 128 : i64, rt.symmetric_bytes = 64 : i64, rt.results = [
      {tp.name = "y", tp.sharding = #tp.sharding<[_] sum(dp)>, type = tensor<4xf32>}, {state = 1 : i64, type = tensor<4xf32>} ]} {
  rt.all_reduce sum %s over @tp because "why" : memref<4xf32> loc("model.mlir":12:8)
  rt.check_index %n in [0, 4) because "offset" loc("here"("model.mlir":13:1))
  rt.all_reduce sum %s over @tp because "why" : memref<4xf32> loc("model.mlir":12:8)
  rt.parallel_for @kernel range 4 grain 4 (%s) : memref<4xf32> loc("layer")
  return
}

func.func @kernel(%begin: index, %end: index, %v: memref<4xf32>) attributes {rt.kernel} {
  return
}
}

// CHECK: arena_bytes 128 symmetric_bytes 64
// CHECK: argument {"blocks": {{\[\[\[}}0, 3], [0, 4]], {{\[\[}}3, 2], [0, 4]], {{\[\[}}0, 3], [0, 4]], {{\[\[}}3, 2], [0, 4]]], "dtype": "bf16", "global_shape": [5, 4], "kind": "parameter", "local_shape": [3, 4], "name": "w", "partial": [], "sharding": "[tp, _]", "source": {"offset": [5, 0], "shape": [10, 4], "size": [5, 4], "tensor": "w"}}
// CHECK: argument {{.*}} "dtype": "f32", "global_shape": [4], "kind": "state", "local_shape": [4], "name": "s"
// CHECK: argument {"blocks": {{\[\[}}], [], [], []], "dtype": "i64", "global_shape": [], "kind": "input", "local_shape": [], "name": "f.arg2"
// CHECK: argument {{.*}} "dtype": "index", {{.*}} "name": "f.arg3"
// CHECK: result {{.*}} "name": "y", "partial": [{"axis": 0, "kind": "sum", "pre": 1, "size": 2}], "sharding": "[_] sum(dp)", "state": -1}
// CHECK: result {{.*}} "name": "f.result1", {{.*}} "state": 1}
// CHECK: groups [{"axes": [{"axis": 1, "pre": 1, "size": 2}]}, {"axes": [{"axis": 1, "pre": 1, "size": 2}, {"axis": 0, "pre": 1, "size": 2}]}]
// CHECK: language_model {"batch": 1, "bos": 1, "chunk": 4, "decode": "f", "eos": [2, 3], "max_seq": 8, "prefill": "f", "vocab": 10}
// CHECK: mesh [{"name": "dp", "size": 2}, {"name": "tp", "size": 2}]
// CHECK: operations [{"bytes": 16, "flops": 2, "loc": "model.mlir:12:8", "name": "all_reduce", "reason": "why"}, {"loc": "here", "name": "check_index", "reason": "offset"}, {"loc": "layer", "name": "parallel_for", "reason": "kernel"}]
// CHECK: target "cpu"
// CHECK: version 1
