// A plan is written of a mesh and of what names say without a doubt.
//
// RUN: split-file %s %t && cd %t
// RUN: not tp-opt no-mesh.mlir --tp-write-plan=output=a.json 2>&1 | FileCheck %s --check-prefix=MESH
// MESH: no-mesh.mlir:0:0: error: a plan needs a tp.mesh in the module
// RUN: tp-opt equal-names.mlir --tp-write-plan=output=b.json 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: equal-names.mlir:2:14: warning: several values are called "x" and have different shardings, the written plan leaves them out
// RUN: FileCheck %s --check-prefix=PLAN < b.json
// PLAN: "shard": {
// PLAN-NEXT: "f.arg1": "[tp]"
// PLAN-NEXT: }

//--- no-mesh.mlir
func.func @f(%x: tensor<8xf32>) {
  return
}
//--- equal-names.mlir
tp.mesh @mesh <"tp"=2>
func.func @f(%x: tensor<8xf32> {tp.name = "x", tp.sharding = #tp.sharding<[tp]>}, %y: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %0 = arith.negf %x {tp.name = "x", tp.sharding = [#tp.sharding<[_]>]} : tensor<8xf32>
  return
}
