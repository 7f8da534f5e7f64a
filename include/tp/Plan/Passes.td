//===- Passes.td - Plans as passes ----------------------------*- tablegen -*-===//

#ifndef TP_PLAN_PASSES
#define TP_PLAN_PASSES

include "mlir/Pass/PassBase.td"

def ApplyPlanPass : Pass<"tp-apply-plan", "::mlir::ModuleOp"> {
  let summary = "write a plan into the module";
  let description = [{
    Gives the module the plan's mesh, the values that the plan names their
    `tp.sharding` (and `tp.priority`, `tp.group`), and a `tp.barrier` where the
    plan has one. `plan` is the path of a JSON file or the
    name of a built-in plan (`replicated`, `megatron`,
    `megatron-sp`), `mesh` is
    `AXIS=SIZE{,AXIS=SIZE}`: it replaces sizes of the plan's axes, or the whole
    mesh when it does not name just some of them. Without `plan` only the mesh is
    set.

    Needs: any program. Guarantees: the module has a mesh; a value that the plan
    names has the plan's sharding at all its places; other values keep what they
    have. A mistake in the plan is one error at its line and column.

    ```mlir
    // plan: {"mesh": {"tp": 2}, "shard": {"f.arg0": "[tp, _]"}}
    // before
    func.func @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32>
    // after
    tp.mesh @mesh <"tp"=2>
    func.func @f(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<8x4xf32>
    ```
  }];
  let options = [
    Option<"plan", "plan", "std::string", /*default=*/"", "path of a plan or name of a built-in one">,
    Option<"mesh", "mesh", "std::string", /*default=*/"", "mesh to use instead of the plan's">,
    Option<"explain", "explain", "bool", /*default=*/"false", "write tp.plan_line beside each sharding">,
  ];
  let dependentDialects = ["::mlir::tp::TPDialect"];
}

def WritePlanPass : Pass<"tp-write-plan", "::mlir::ModuleOp"> {
  let summary = "write the shardings of the module as a plan";
  let description = [{
    Writes, to `output` (`-`: standard output), the plan that gives every
    argument, result and named value the sharding that it has, with its priority. The module is left
    as it is.

    Needs: a mesh. Guarantees: `tp-apply-plan` takes what was written, for the
    same program.

    ```mlir
    tp.mesh @mesh <"tp"=2>
    func.func @f(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    // writes {"version": 1, "mesh": {"tp": 2}, "shard": {"f.arg0": "[tp, _]"}}
    ```
  }];
  let options = [
    Option<"output", "output", "std::string", /*default=*/"\"-\"", "path of the file to write">,
  ];
}

#endif // TP_PLAN_PASSES
