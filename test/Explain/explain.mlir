// RUN: tp-opt %s --tp-explain -o /dev/null | FileCheck %s --check-prefix=TEXT --match-full-lines
// RUN: tp-opt %s --tp-explain=json=1 -o /dev/null > %t.json
// RUN: python3 %S/Inputs/check_explanation.py %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: tp-opt %s --tp-explain=value=w -o /dev/null | FileCheck %s --check-prefix=WHY --match-full-lines
// RUN: tp-opt %s --tp-explain=value=f.arg1 -o /dev/null | FileCheck %s --check-prefix=SCALAR --match-full-lines
// RUN: not tp-opt %s --tp-explain=value=v -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
//
// UNKNOWN: error: {{.*}}"v" names no value of the program
// UNKNOWN: note: {{.*}}similar names: "w"

// bytes_per_rank, k = 4 (tp), 2 (dp), 8 (dp, tp):
//   all_reduce 32 f32 over 4: 2*3/4 * 128 = 192; all_gather 3 i1 over 4: 3/4 * 12 = 9;
//   reduce_scatter 10 bf16 over 2: 1/2 * 20 = 10; all_to_all 64 f32 over 8: 7/8 * 256 = 224; permute 5 f16: 10;
//   all_reduce 3 f32 over 4: 2*3/4 * 12 = 18.
// TEXT: f: 20 collectives, {{[0-9]+}} elements, {{[0-9]+}} bytes per rank, {{[0-9.]+}} us
// TEXT-NEXT:   all_reduce (tp) 32 f32, 192 bytes per rank, 2.019 us, x1, {{.*}}explain.mlir:31:8: needed whole
// TEXT-NEXT:   all_gather (tp) 12 i1, 9 bytes per rank, {{.*}} us, x1, a name: because
// TEXT-NEXT:   reduce_scatter (dp) 10 bf16, 10 bytes per rank, {{.*}} us, x15, inlined.mlir:3:4
// TEXT-NEXT:   all_to_all (dp, tp) 64 f32, 224 bytes per rank, {{.*}} us, x1 (dynamic), fused.mlir:5:6
// TEXT-NEXT:   permute (tp:(1)2) 5 f16, 10 bytes per rank, {{.*}} us, x1, {{.*}}
// TEXT-NEXT:   all_reduce (tp) 3 f32, 18 bytes per rank, {{.*}} us, x1, {{.*}}
// TEXT-NEXT: quiet: 0 collectives, 0 elements, 0 bytes per rank, 0.000 us
tp.mesh @mesh <"dp"=2, "tp"=4>

func.func @f(%x: tensor<8x4xf32> {tp.name = "w", tp.sharding = #tp.sharding<[_, tp]>, tp.why = "[_, tp], because the plan says so"},
             %n: index, %b: tensor<3xi1>, %h: tensor<10xbf16>, %p: tensor<5xf16>, %c: i1) -> tensor<8x4xf32> {
// WHY: w (f.arg0): [_, tp], because the plan says so (at {{.*}}explain.mlir:26:14)
// WHY-NEXT: w: [dp, _]; because of w through arith.addf (at {{.*}})
// SCALAR: f.arg1: index, the same on every rank (at {{.*}})
  %0 = comm.all_reduce sum %x over (tp) because "needed whole" : tensor<8x4xf32>
  %1 = comm.all_gather %b dim 0 over (tp) because "because" : tensor<3xi1> -> tensor<12xi1> loc("a name")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c1 to %c10 step %c3 {
      scf.execute_region {
        scf.yield
      }
    }
    %c2 = arith.constant 2 : index
    scf.for %j = %c0 to %c10 step %c2 {
      %2 = comm.reduce_scatter sum %h dim 0 over (dp) : tensor<10xbf16> -> tensor<5xbf16> loc(callsite("inlined.mlir":3:4 at "caller.mlir":1:1))
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %3 = tensor.empty() : tensor<8x8xf32>
    %4 = comm.all_to_all %3 split 0 concat 1 over (dp, tp) : tensor<8x8xf32> -> tensor<1x64xf32> loc(fused["fused.mlir":5:6, "other"])
  }
  scf.if %c {
    %5 = comm.permute %p from [1, 0] over (tp:(1)2) : tensor<5xf16>
  }
  func.call @callee() : () -> ()
  %6 = arith.addf %0, %0 {tp.name = "w", tp.sharding = [#tp.sharding<[dp, _]>], tp.why = ["[dp, _]; because of w through arith.addf"]} : tensor<8x4xf32>
  return %6 : tensor<8x4xf32>
}

func.func private @callee() {
  %0 = tensor.empty() : tensor<3xf32>
  %1 = comm.all_reduce max %0 over (tp) : tensor<3xf32>
  return
}

func.func @quiet() {
  return
}

// JSON: {
// JSON-NEXT:   "version": 1,
// JSON-NEXT:   "entries": {
// JSON-NEXT:     "f": {
// JSON-NEXT:       "collectives": [
// JSON-NEXT:         {
// JSON-NEXT:           "kind": "all_reduce",
// JSON-NEXT:           "axes": [
// JSON-NEXT:             "tp"
// JSON-NEXT:           ],
// JSON-NEXT:           "elements": 32,
// JSON-NEXT:           "dtype": "f32",
// JSON-NEXT:           "bytes_per_rank": 192,
// JSON-NEXT:           "est_us": 2.019,
// JSON-NEXT:           "count": 1,
// JSON-NEXT:           "dynamic": false,
// JSON-NEXT:           "loc": "{{.*}}explain.mlir:31:8",
// JSON-NEXT:           "reason": "needed whole"
// JSON-NEXT:         },
