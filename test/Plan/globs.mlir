// A glob passes over values without dimensions, unless it is for these alone.
//
// RUN: split-file %s %t && cd %t
// RUN: tp-opt f.mlir --tp-apply-plan=plan=plan.json | FileCheck f.mlir
// RUN: not tp-opt f.mlir --tp-apply-plan=plan=scalars.json 2>&1 | FileCheck f.mlir --check-prefix=SCALARS
// RUN: not tp-opt f.mlir --tp-apply-plan=plan=alike.json 2>&1 | FileCheck f.mlir --check-prefix=ALIKE
// RUN: not tp-opt f.mlir --tp-apply-plan=plan=barrier.json 2>&1 | FileCheck f.mlir --check-prefix=BARRIER

//--- plan.json
{"mesh": {"tp": 2}, "shard": {"f.*": "[tp, _]"}, "alike": [["f.*"]], "barrier": {"f.arg*": "both"}}
//--- scalars.json
{"mesh": {"tp": 2}, "shard": {"*scale": "[tp, _]"}}
//--- alike.json
{"mesh": {"tp": 2}, "alike": [["*count", "f.arg0"]]}
//--- barrier.json
{"mesh": {"tp": 2}, "barrier": {"*count": "both"}}
//--- f.mlir
// CHECK: func.func @f(%[[X:.*]]: tensor<8x4xf32> {tp.group = "f.arg0", tp.sharding = #tp.sharding<[tp, _]>}, %{{.*}}: tensor<f32> {tp.name = "scale"}, %{{.*}}: index {tp.name = "count"})
// CHECK-SAME: -> (tensor<8x4xf32> {tp.group = "f.arg0", tp.sharding = #tp.sharding<[tp, _]>}, tensor<f32>)
// CHECK-COUNT-1: tp.barrier %[[X]]
// CHECK-NOT: tp.barrier
// SCALARS: scalars.json:1:41: error: scale, 'tensor<f32>': a sharding of rank 2 does not fit a value of rank 0
// ALIKE: alike.json:1:32: error: count is no ranked tensor but 'index', it has no sharding that others could share
// BARRIER: barrier.json:1:33: error: count is no ranked tensor but 'index', axes do not spread through it
func.func @f(%x: tensor<8x4xf32>, %s: tensor<f32> {tp.name = "scale"}, %n: index {tp.name = "count"})
    -> (tensor<8x4xf32>, tensor<f32>) {
  return %x, %s : tensor<8x4xf32>, tensor<f32>
}
