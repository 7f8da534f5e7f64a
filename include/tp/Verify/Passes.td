//===- Passes.td - Verification at phase borders --------------*- tablegen -*-===//

#ifndef TP_VERIFY_PASSES
#define TP_VERIFY_PASSES

include "mlir/Pass/PassBase.td"

def VerifyPlanPass : Pass<"tp-verify-plan", "::mlir::ModuleOp"> {
  let summary = "every value has a closed sharding";
  let description = [{
    After phase `plan`: a tp.mesh; no calls; `tp.sharding` on every tensor argument and result of a function and on every
    op that has tensor results, in loops and conditionals as outside, and `tp.arg_sharding` on a loop that carries
    tensors, without open dimensions.

    ```mlir
    func.func @f(%x: tensor<8xf32>) -> ...   // error: argument 0 has no sharding
    ```
  }];
}

def VerifyReshardPass : Pass<"tp-verify-reshard", "::mlir::ModuleOp"> {
  let summary = "every op is allowed on the shardings of its operands";
  let description = [{
    After phase `reshard`: for each op, one strategy of its sharding rule takes exactly the shardings of its operands and
    yields those of its results; what a loop or a conditional carries has one sharding, and so has what flows into it;
    ops without a rule have replicated operands and results; a tp.reshard begins at the
    sharding of its input; returned values have the sharding of the result and are not partial. The classic silent
    errors break this: a bias added to a partial sum on every rank, an activation of a partial sum, a reduction that is
    missing or made twice.

    ```mlir
    // error: 'arith.addf' operand 0 is a partial sum, in which the op is not linear together with its other operands
    %y = arith.addf %partial, %bias {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} : tensor<4x8xf32>
    ```
  }];
}

def VerifyPartitionPass : Pass<"tp-verify-partition", "::mlir::ModuleOp"> {
  let summary = "local types follow from shardings";
  let description = [{
    After phase `partition`: every tensor argument and result of a function has `tp.sharding` and `tp.global_type`, and
    its type is the local one; no op of `tp` is left but the mesh; every collective has a reason.

    ```mlir
    // error: argument 0: [tp, _] of tensor<8x4xf32> is tensor<2x4xf32> on a rank, found tensor<4x4xf32>
    func.func @f(%x: tensor<4x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<8x4xf32>})
    ```
  }];
}

def VerifyCommPass : Pass<"tp-verify-comm", "::mlir::ModuleOp"> {
  let summary = "all ranks of a group meet in every collective";
  let description = [{
    After phase `comm`: every rank of a group meets the same collectives in the same order. All run one program, so it is
    enough that no collective is executed under a condition, or as often as a bound says, that may differ between
    the ranks of its group, unless all branches meet the same ones (kind, group, element type and count) one after
    another; nor in a region that does not say in which order it runs, nor in a function that is called. A value may differ along an axis when it comes from a coordinate on it or from an argument
    that is cut by it; a reduction or gather over the axis makes it the same again.

    ```mlir
    %c = comm.coordinate (tp)
    %first = arith.cmpi eq, %c, %zero : index
    // error: collective over (tp) under a condition that may differ along tp
    %r = scf.if %first -> (tensor<4xf32>) { %s = comm.all_reduce sum %x over (tp) : tensor<4xf32> ... }
    ```
  }];
}

def VerifyRTPass : Pass<"tp-verify-rt", "::mlir::ModuleOp"> {
  let summary = "entries are runtime operations on an arena, kernels are loops";
  let description = [{
    After phase `rt`: every function is an entry or a defined kernel and returns nothing; an entry has runtime operations,
    views, structured control flow and scalar code, a kernel loops and scalar or vector code; nothing is allocated or left
    on tensors; every temporary is a view inside the arena at a constant, aligned offset.

    ```mlir
    func.func @f() attributes {rt.entry, rt.arena_bytes = 0 : i64} {
      // error: 'memref.alloc' is left in an entry
      %0 = memref.alloc() : memref<4xf32>
      return
    }
    ```
  }];
}

#endif // TP_VERIFY_PASSES
