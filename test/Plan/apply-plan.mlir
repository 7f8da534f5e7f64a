// A plan becomes the mesh and attributes of the module.
//
// RUN: split-file %s %t && cd %t
// RUN: tp-opt f.mlir --tp-apply-plan=plan=plan.json | FileCheck f.mlir --check-prefixes=CHECK,PLAN
// RUN: tp-opt f.mlir --tp-apply-plan=plan=shuffled.json | FileCheck f.mlir --check-prefixes=CHECK,PLAN
// RUN: tp-opt f.mlir --tp-apply-plan="plan=plan.json mesh=tp=3" | FileCheck f.mlir --check-prefixes=CHECK,SIZE
// RUN: tp-opt f.mlir --tp-apply-plan="plan=plan.json mesh=tp=2,pp=3,dp=1" | FileCheck f.mlir --check-prefixes=CHECK,WHOLE
// RUN: tp-opt f.mlir --tp-apply-plan="plan=plan.json mesh=tp=8,dp=1" | FileCheck f.mlir --check-prefixes=CHECK,ORDER
// RUN: tp-opt f.mlir --tp-apply-plan="plan=replicated mesh=tp=2" | FileCheck f.mlir --check-prefix=REPLICATED
// RUN: tp-opt f.mlir --tp-apply-plan="mesh=tp=2" | FileCheck f.mlir --check-prefix=ONLY-MESH
// RUN: tp-opt annotated.mlir --tp-apply-plan="plan=annotated.json mesh=tp=4" | FileCheck annotated.mlir
// RUN: tp-opt f.mlir --tp-apply-plan="plan=alike.json explain" | FileCheck f.mlir --check-prefix=ALIKE
// What was applied can be written and applied again.
// RUN: tp-opt f.mlir --tp-apply-plan=plan=plan.json --tp-write-plan=output=written.json -o applied.mlir
// RUN: FileCheck written.txt --input-file=written.json
// RUN: tp-opt f.mlir --tp-apply-plan=plan=written.json --tp-write-plan=output=again.json -o /dev/null
// RUN: diff written.json again.json

//--- plan.json
{
  "version": 1,
  "mesh": {"dp": 2, "tp": 4},
  "shard": {
    "layers.*.weight": "[tp, _]",
    "layers.1.weight": "[_, tp*2]",
    "f.arg2": "[]",
    "hidden": "[(dp, ?), ?]",
    "pair#1": "[_, dp]",
    "f.result0": "[dp, _] sum(tp)"
  },
  "priority": {"layers.*": 1, "pair#1": 2}
}
//--- shuffled.json
{
  "priority": {"pair#1": 2, "layers.*": 1},
  "shard": {"f.result0": "[dp,_]sum(tp)", "pair#1": "[_, dp]", "hidden": "[(dp, ?), ?]", "f.arg2": "[]",
    "layers.1.weight": "[_, tp*2]", "layers.*.weight": "[tp, _]"},
  "mesh": {"dp": 2, "tp": 4}
}

//--- alike.json
{"mesh": {"tp": 2}, "shard": {"f.arg3": "[tp, _]"},
 "alike": [["layers.*.weight", "pair#1"], ["hidden", "f.result0"], ["g.arg0", "f.arg3"]],
 "barrier": {"layers.0.weight": "forward", "*arg3": "both", "pair#0": "backward", "g.*": "both"}}

//--- f.mlir
// Lists that have a value in common are one group.
// ALIKE: func.func @f(%[[A:[^:]*]]: tensor<8x4xf32> {tp.group = "layers.0.weight", {{.*}}"layers.0.weight"}
// ALIKE-SAME: tensor<8x4xf32> {tp.group = "layers.0.weight", {{.*}}"layers.1.weight"}
// ALIKE-SAME: %[[X:[^:]*]]: tensor<8x4xf32> {tp.group = "layers.0.weight", tp.plan_line = "alike.json:1:31", tp.sharding = #tp.sharding<[tp, _]>}) -> (tensor<8x4xf32> {tp.group = "f.result0"})
// ALIKE-DAG: %[[BA:.*]] = tp.barrier %[[A]] forward
// ALIKE-DAG: %[[BX:.*]] = tp.barrier %[[X]] both
// ALIKE: arith.addf %[[BA]], {{.*}} {tp.group = ["f.result0"], tp.name = "hidden"}
// ALIKE: %[[P:.*]]:2 = scf.for {{.*}} = %[[BX]])
// ALIKE: } {tp.group = ["", "layers.0.weight"], tp.name = "pair"}
// ALIKE: %[[R:.*]] = tp.barrier %[[P]]#0 backward
// ALIKE: return %[[R]]
// ALIKE: func.func @g
// ALIKE: %[[G:.*]] = tp.barrier %{{.*}} both
// ALIKE: %[[GR:.*]] = tp.barrier %[[G]] both
// ALIKE: return %[[GR]]
// PLAN: tp.mesh @mesh <"dp"=2, "tp"=4>
// SIZE: tp.mesh @mesh <"dp"=2, "tp"=3>
// WHOLE: tp.mesh @mesh <"tp"=2, "pp"=3, "dp"=1>
// ORDER: tp.mesh @mesh <"tp"=8, "dp"=1>
// A name in several entries is one value; what no key names stays without attribute.
// CHECK: func.func @f(
// CHECK-SAME: %{{[^:]*}}: tensor<8x4xf32> {tp.kind = "parameter", tp.name = "layers.0.weight", tp.priority = 1 : i64, tp.sharding = #tp.sharding<[tp, _]>}
// CHECK-SAME: %{{[^:]*}}: tensor<8x4xf32> {tp.kind = "parameter", tp.name = "layers.1.weight", tp.priority = 1 : i64, tp.sharding = #tp.sharding<[_, tp*2]>}
// CHECK-SAME: %{{[^:]*}}: index {tp.sharding = #tp.sharding<[]>}
// CHECK-SAME: %{{[^:]*}}: tensor<8x4xf32>)
// CHECK-SAME: tensor<8x4xf32> {tp.sharding = #tp.sharding<[dp, _] sum(tp)>}
// CHECK: arith.addf {{.*}} {tp.name = "hidden", tp.sharding = [#tp.sharding<[(dp, ?), ?]>]}
// CHECK: {tp.name = "pair", tp.priority = [0, 2], tp.sharding = [#tp.sharding<[?, ?]>, #tp.sharding<[_, dp]>]}
// CHECK: func.func @g(%{{[^:]*}}: tensor<8x4xf32> {tp.kind = "parameter", tp.name = "layers.1.weight", tp.priority = 1 : i64, tp.sharding = #tp.sharding<[_, tp*2]>}
// CHECK: func.func private @helper(%{{[^:]*}}: tensor<8x4xf32>)
// REPLICATED: tp.mesh @mesh <"tp"=2>
// REPLICATED: func.func @f(
// REPLICATED-COUNT-3: tp.sharding = #tp.sharding<[_, _]>
// REPLICATED: -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, _]>}
// REPLICATED: arith.addf {{.*}} {tp.name = "hidden"}
// ONLY-MESH: tp.mesh @mesh <"tp"=2>
// ONLY-MESH-NOT: tp.sharding
func.func @f(%a: tensor<8x4xf32> {tp.kind = "parameter", tp.name = "layers.0.weight"},
             %b: tensor<8x4xf32> {tp.kind = "parameter", tp.name = "layers.1.weight"},
             %n: index, %x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = arith.addf %a, %b {tp.name = "hidden"} : tensor<8x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %0, %q = %x) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
    scf.yield %q, %p : tensor<8x4xf32>, tensor<8x4xf32>
  } {tp.name = "pair"}
  return %1#0 : tensor<8x4xf32>
}
func.func @g(%b: tensor<8x4xf32> {tp.kind = "parameter", tp.name = "layers.1.weight"}) -> tensor<8x4xf32> {
  return %b : tensor<8x4xf32>
}
func.func private @helper(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  return %x : tensor<8x4xf32>
}

//--- annotated.json
{"shard": {"f.arg0": "[tp, _]", "f.arg1": "[_, tp]"}}
//--- annotated.mlir
// CHECK: tp.mesh @devices <"dp"=2, "tp"=4>
// CHECK: func.func @f(%{{[^:]*}}: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %{{[^:]*}}: tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>})
tp.mesh @devices <"dp"=2, "tp"=2>
func.func @f(%a: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %b: tensor<8x4xf32>) {
  return
}

//--- written.txt
CHECK: {
CHECK-NEXT:   "version": 1,
CHECK-NEXT:   "mesh": {
CHECK-NEXT:     "dp": 2,
CHECK-NEXT:     "tp": 4
CHECK-NEXT:   },
CHECK-NEXT:   "shard": {
CHECK-NEXT:     "layers.0.weight": "[tp, _]",
CHECK-NEXT:     "layers.1.weight": "[_, tp*2]",
CHECK-NEXT:     "f.result0": "[dp, _] sum(tp)",
CHECK-NEXT:     "hidden": "[dp, _]",
CHECK-NEXT:     "pair#0": "[_, _]",
CHECK-NEXT:     "pair#1": "[_, dp]"
CHECK-NEXT:   },
CHECK-NEXT:   "priority": {
CHECK-NEXT:     "layers.0.weight": 1,
CHECK-NEXT:     "layers.1.weight": 1,
CHECK-NEXT:     "pair#1": 2
CHECK-NEXT:   }
CHECK-NEXT: }
