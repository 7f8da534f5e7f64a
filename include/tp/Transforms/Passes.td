//===- Passes.td - Passes on tensor-level programs ------------*- tablegen -*-===//

#ifndef TP_TRANSFORMS_PASSES
#define TP_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def PreparePass : Pass<"tp-prepare", "::mlir::ModuleOp"> {
  let summary = "inline private functions and reject what cannot be partitioned";
  let description = [{
    Needs: a module of functions on tensors. Guarantees: every function is public and calls nothing, every tensor has a
    static shape and a supported element type, no unused op is left, a fill has a destination of its own. Recursion,
    calls of external functions, dynamic dimensions, complex numbers and vectors are located errors.

    ```mlir
    // before
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = math.exp %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    // after
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = math.exp %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["tensor::TensorDialect"];
}

def PropagatePass : Pass<"tp-propagate", "::mlir::ModuleOp"> {
  let summary = "give every value a sharding";
  let description = [{
    Spreads the shardings of annotated arguments, results and ops to all values, see Propagation.h. Constants, empties,
    fills and iotas get a copy per use first. Ops in loops and conditionals (`scf.for`, `scf.while`, `scf.if`,
    `scf.index_switch`, `scf.execute_region`) are ops like others; what such an op carries (an init, the block argument,
    what the body yields, the result) is one value. Two annotations of one such value that differ are a located error.

    Needs: tp-prepare, a tp.mesh. Guarantees: `tp.sharding` on every argument and result of a function and on every op
    with tensor results, `tp.arg_sharding` for tensors that are block arguments, closed; the same whatever the order of
    ops and annotations.

    ```mlir
    // before
    tp.mesh @mesh <"tp"=4>
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x12xf32> {tp.sharding = #tp.sharding<[_, tp]>}) -> tensor<8x12xf32> {
      %e = tensor.empty() : tensor<8x12xf32>
      %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x12xf32>) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
    // after
      %y = linalg.matmul {tp.sharding = [#tp.sharding<[_, tp]>]} ...
    ```
  }];
  let options = [Option<"explain", "explain", "bool", "false", "write tp.why beside each sharding">];
}

def InsertReshardsPass : Pass<"tp-insert-reshards", "::mlir::func::FuncOp"> {
  let summary = "make every disagreement between shardings a tp.reshard";
  let description = [{
    Chooses a strategy for every op: the axes on which its operands agree stay; where operands and results disagree, the
    combination with the least estimated communication. Partial results are resolved where they are made. A value is
    resharded right after its definition: one that a loop takes from outside, once before the loop. What flows into a
    value that a loop or a conditional carries gets that value's sharding, so trips and branches agree.

    Needs: tp-propagate. Guarantees: the operands and results of every op have shardings that its rule allows (checked by
    `tp-verify-reshard`); ops without a rule have replicated operands and a remark.

    ```mlir
    // before: %x is [_, tp], %w is [tp, _]
    %y = linalg.matmul {tp.sharding = [#tp.sharding<[_, _]>]} ins(%x, %w ...) outs(%zero ...)
    // after
    %p = linalg.matmul {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} ins(%x, %w ...) outs(%zero ...)
    %y = tp.reshard %p from <[_, _] sum(tp)> to <[_, _]> : tensor<4x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::mlir::tp::TPDialect", "::mlir::linalg::LinalgDialect"];
}

def PlaceReductionsPass : Pass<"tp-place-reductions", "::mlir::func::FuncOp"> {
  let summary = "resolve partial values where that costs least";
  let description = [{
    Moves reshards of partial values down through ops that are linear in them when the estimated time shrinks, and makes
    one of reshards that follow each other. Nothing moves into a loop or a branch. What a loop only adds
    to is carried partial, and made whole behind the loop.

    Needs: tp-insert-reshards. Guarantees: as that pass.

    ```mlir
    // before
    %a = tp.reshard %p from <[_] sum(tp)> to <[_]> : tensor<8xf32>
    %b = tp.reshard %q from <[_] sum(tp)> to <[_]> : tensor<8xf32>
    %y = arith.addf %a, %b {tp.sharding = [#tp.sharding<[_]>]} : tensor<8xf32>
    // after
    %s = arith.addf %p, %q {tp.sharding = [#tp.sharding<[_] sum(tp)>]} : tensor<8xf32>
    %y = tp.reshard %s from <[_] sum(tp)> to <[_]> : tensor<8xf32>
    ```
  }];
  let statistics = [Statistic<"sunk", "sunk", "reductions moved through an op">];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::mlir::tp::TPDialect"];
}

def PartitionPass : Pass<"tp-partition", "::mlir::ModuleOp"> {
  let summary = "turn global values into one rank's blocks";
  let description = [{
    Ops with regions that control flows through become the same on local values; what the padding of a value that a loop
    carries holds counts as undefined.

    Needs: tp-insert-reshards. Guarantees: local types everywhere; arguments and results keep `tp.sharding` and get
    `tp.global_type`; communication is `comm` ops with location and reason; padding holds what each op needs.

    ```mlir
    // before
    %y = tp.reshard %p from <[_, _] sum(tp)> to <[_, _]> because "..." : tensor<4x8xf32>
    // after
    %y = comm.all_reduce sum %p over (tp) because "..." : tensor<4x8xf32>
    ```
  }];
  let options = [Option<"poison", "poison", "bool", "false", "fill padding of undefined content with NaN">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::tp::comm::CommDialect"];
}

def DecomposeNNPass : Pass<"tp-decompose-nn"> {
  let summary = "write nn ops out in linalg, tensor, arith and math";
  let description = [{
    Replaces every nn op by the upstream ops that define its meaning, on global
    and on local shapes alike.

    Needs: nn ops on statically shaped tensors. Guarantees: no nn op is left but
    those that are marked `nn.kernel`; no read outside a tensor: rows outside an
    embedding table are zeros, positions outside a cache are left to the check
    of the dynamic offset of `tensor.extract_slice` and `tensor.insert_slice`
    (both are given `[b, 0, pos[b], 0]` of a cache). Sums are in f32 (f64 for
    f64 operands) and may be reassociated.

    ```mlir
    // before
    %c1 = nn.cache_update %c, %k, %pos : tensor<1x3x256x64xf32>, tensor<1x1x3x64xf32>, tensor<1xi64>
    // after
    %p = tensor.extract %pos[%c0] : tensor<1xi64>
    %i = arith.index_cast %p : i64 to index
    %new = tensor.extract_slice %k[0, 0, 0, 0] [1, 1, 3, 64] [1, 1, 1, 1] : tensor<1x1x3x64xf32> to tensor<1x3x64xf32>
    %row = tensor.extract_slice %c[0, 0, %i, 0] [1, 3, 1, 64] [1, 1, 1, 1] : tensor<1x3x256x64xf32> to tensor<3x1x64xf32>
    %t = linalg.transpose ins(%new : tensor<1x3x64xf32>) outs(%row : tensor<3x1x64xf32>) permutation = [1, 0, 2]
    %c1 = tensor.insert_slice %t into %c[0, 0, %i, 0] [1, 3, 1, 64] [1, 1, 1, 1] : tensor<3x1x64xf32> into tensor<1x3x256x64xf32>
    ```
  }];
  let statistics = [Statistic<"decomposed", "decomposed", "nn ops written out">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "math::MathDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"tp-fuse-elementwise"> {
  let summary = "compute chains of elementwise ops in one loop";
  let description = [{
    An elementwise linalg op goes into the loop of the op that reads its result, elementwise or a reduction, where that
    is its only reader and reads each element once; conversions of an element type go into every reader. Splat constants
    and fills that are read become scalars of the body. Only ops that fuse become linalg.generic: contractions,
    transposes, fills and all others stay as they are, and so do destinations.

    Needs: linalg on tensors of static shape. Guarantees: nothing is computed more often than before but conversions.

    ```mlir
    // before
    %s = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %y = linalg.add ins(%s, %z : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // after
    %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%x, %z : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = math.exp %in : f32
      %1 = arith.addf %0, %in_0 : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    ```
  }];
  let statistics = [Statistic<"fused", "fused", "ops and constants taken up">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect"];
}

def NarrowReductionsPass : Pass<"tp-narrow-reductions", "::mlir::ModuleOp"> {
  let summary = "round before a sum over ranks instead of after it";
  let description = [{
    An `all_reduce` or `reduce_scatter` that sums a wider float type than `dtype` is done in `dtype` where everything that
    is computed from it elementwise ends in values that `dtype` has anyway. Halves what is sent; each rank's part
    is rounded before it is added, which a warning per function says. Off by default.

    Needs: comm ops on tensors. Guarantees: collectives are as many as before, in the same order.

    ```mlir
    // before
    %y = comm.all_reduce sum %p over (tp) : tensor<4x8xf32>
    %r = linalg.generic {...} ins(%h, %y : tensor<4x8xbf16>, tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {...}
    // after
    %n = linalg.generic {...} ins(%p : tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) { arith.truncf }
    %y = comm.all_reduce sum %n over (tp) : tensor<4x8xbf16>
    %w = linalg.generic {...} ins(%y : tensor<4x8xbf16>) outs(%f : tensor<4x8xf32>) { arith.extf }
    %r = linalg.generic {...} ins(%h, %w : tensor<4x8xbf16>, tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {...}
    ```
  }];
  let options = [Option<"dtype", "dtype", "std::string", "\"bf16\"", "element type to reduce in: bf16, f16 or f32">];
  let statistics = [Statistic<"narrowed", "narrowed", "reductions done in the narrower type">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "tensor::TensorDialect"];
}

#endif // TP_TRANSFORMS_PASSES
