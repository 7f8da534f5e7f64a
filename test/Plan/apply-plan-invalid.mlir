// Annotations in the program and a plan must agree, and fit the plan's mesh.
//
// RUN: split-file %s %t && cd %t
// RUN: not tp-opt disagree.mlir --tp-apply-plan=plan=plan.json 2>&1 | FileCheck %s --check-prefix=DISAGREE
// DISAGREE: plan.json:3:5: error: "f.arg0" gives f.arg0 [_, tp], but the program says [tp, _]
// DISAGREE: disagree.mlir:2:14: note: it is annotated here
// RUN: tp-opt mesh.mlir --tp-apply-plan=mesh=dp=2 --verify-diagnostics
// RUN: not tp-opt disagree.mlir --tp-apply-plan=plan=. 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: error: {{.*}}cannot read the plan: Is a directory

//--- plan.json
{
  "shard": {
    "f.arg0": "[_, tp]"}}
//--- disagree.mlir
tp.mesh @mesh <"tp"=2>
func.func @f(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}) {
  return
}
//--- mesh.mlir
tp.mesh @mesh <"tp"=2>
// expected-error @below {{argument 0: no axis "tp" in the mesh, which has "dp"=2}}
func.func @f(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}) {
  return
}
