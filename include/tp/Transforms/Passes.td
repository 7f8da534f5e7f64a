//===- Passes.td - Passes on tensor-level programs ------------*- tablegen -*-===//

#ifndef TP_TRANSFORMS_PASSES
#define TP_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def AddSamplingPass : Pass<"tp-add-sampling", "::mlir::ModuleOp"> {
  let summary = "an entry that samples a language model's next tokens";
  let description = [{
    A language model (`tp.language_model`) gets the entry `sample(logits, pos, temperature, top_k, top_p, seed)`, which
    gives a token per row of the logits that `decode` returned, by `nn.sample`. The number in [0, 1) of a row depends on
    the seed, the row and the position only: output `pos` of the splitmix64 generator (Steele, Lea and Flood, OOPSLA 2014)
    that output `row` of the generator `seed` starts. The logits are sharded as those of `decode`, so that a rank hands
    its own on.

    Needs: a program before it is planned. Guarantees: the other entries stay. A module that is no language model, whose
    `decode` returns no f32 logits, or that has a `sample` stays as it is.

    ```mlir
    // before
    module attributes {tp.language_model = {decode = "decode"}} {
      func.func @decode(...) -> (tensor<2xi64>, tensor<2x100xf32>)
    }
    // after
    module attributes {tp.language_model = {decode = "decode", sample = "sample"}} {
      func.func @decode(...) -> (tensor<2xi64>, tensor<2x100xf32> {tp.group = "logits"})
      func.func @sample(%logits: tensor<2x100xf32> {tp.group = "logits"}, %pos: tensor<2xi64>, %temperature: tensor<f64>,
                        %top_k: tensor<i64>, %top_p: tensor<f64>, %seed: tensor<i64>) -> tensor<2xi64>
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "func::FuncDialect", "linalg::LinalgDialect", "nn::NNDialect",
                           "tensor::TensorDialect"];
}

def BindShapesPass : Pass<"tp-bind-shapes", "::mlir::ModuleOp"> {
  let summary = "give dynamic dimensions their sizes";
  let description = [{
    Each of `shapes` is NAME=SIZExSIZE: the sizes of an argument of an entry, by `tp.name` or ENTRY.argN, a `?` for one
    that stays open. What follows from them becomes static: the values of the body, what loops carry, the entry's
    results; `tensor.dim` and integers made of it become constants. Private functions of dynamic types are inlined.
    A program of static types stays as it is.

    Needs: any program. Guarantees: an entry whose arguments have static types has dynamic types only where sizes depend
    on data, which tp-prepare rejects. Names and shardings of ops stay. Sizes that do not fit are one error.

    ```mlir
    // shapes: f.arg0=7x8
    // before
    func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %y = math.exp %x : tensor<?x8xf32>
      return %y : tensor<?x8xf32>
    }
    // after
    func.func @f(%x: tensor<7x8xf32>) -> tensor<7x8xf32> {
      %y = math.exp %x : tensor<7x8xf32>
      return %y : tensor<7x8xf32>
    }
    ```
  }];
  let options = [ListOption<"shapes", "shapes", "std::string", "NAME=SIZExSIZE: sizes of an argument">];
  let dependentDialects = ["arith::ArithDialect", "tensor::TensorDialect"];
}

def MakeSignlessPass : Pass<"tp-make-signless", "::mlir::ModuleOp"> {
  let summary = "give values signless integer types";
  let description = [{
    Ops of arith say what they do with a sign, types need not. Casts between a type and its signless form, as conversions
    from StableHLO leave them, are dropped.

    ```mlir
    // before
    func.func @f(%x: tensor<4xui8>) -> tensor<4xui8> {
      %0 = builtin.unrealized_conversion_cast %x : tensor<4xui8> to tensor<4xi8>
      %1 = arith.addi %0, %0 : tensor<4xi8>
      %2 = builtin.unrealized_conversion_cast %1 : tensor<4xi8> to tensor<4xui8>
      return %2 : tensor<4xui8>
    }
    // after
    func.func @f(%x: tensor<4xi8>) -> tensor<4xi8> {
      %0 = arith.addi %x, %x : tensor<4xi8>
      return %0 : tensor<4xi8>
    }
    ```
  }];
}

def PreparePass : Pass<"tp-prepare", "::mlir::ModuleOp"> {
  let summary = "inline private functions and reject what cannot be partitioned";
  let description = [{
    Needs: a module of functions on tensors. Guarantees: every function is public and calls nothing, every tensor has a
    static shape and a supported element type, no unused op is left, a fill has a destination of its own. Recursion,
    calls of external functions, dynamic dimensions (see tp-bind-shapes), complex numbers and vectors are located errors.

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

def RaiseGenericsPass : Pass<"tp-raise-generics", "::mlir::func::FuncOp"> {
  let summary = "say in ops what bodies of linalg.generic hide in scalars";
  let description = [{
    Other front ends write slices, concatenations, reshapes, broadcasts and look-ups as `linalg.generic` that read
    captured tensors with `tensor.extract`, and offsets as tensors without dimensions. They become what they are:

    - scalars of a body fold: elements of tensors made of scalars, integers that are one constant or one loop index,
      clamps that never clamp, conditionals that are decided;
    - a conditional that reads elements and splits a loop at a constant becomes `tensor.concat` of its parts, any other
      that may run always an `arith.select`;
    - elements that only loops choose become operands of the op, of a slice, reshape or collapse where need be;
    - elements that data choose are looked up by a `linalg.generic` of its own that yields them and does nothing else:
      the form in which the table may be cut (see LinalgModels.cpp);
    - integers without dimensions that are used as scalars are computed as scalars, and constants among them fold;
    - copies in which nothing moves go away, copies of a constant are fills;
    - reductions over all rows of which a mask keeps those up to each one, or from it on, with or without the row itself, are
      windows of the padded value, as cumulative sums are (a product with zeros and ones is none: zero times an infinity is
      NaN), and so is an `scf.for` over all rows that combines each with what it carries and notes that in the same row;
    - rounds in which a reduction finds the best element and its index and the next one sees it masked, in an `scf.for`
      that notes them in rows or written out, are `nn.top_k`, where the body is proved to take what is better by an order;
    - ops that are several ops become these: `linalg.softmax`, `pack`, `unpack`, the Winograd transforms (contractions
      over all tiles), `tensor.gather`, `scatter` (a loop over updates), `reshape`, `bitcast`; a shape that the running
      program computes for `tensor.reshape` is checked when it runs;
    - `scf.forall` and `scf.parallel` with constant bounds become ops on the values of all trips, with a dimension per loop
      that is cut as any other. Where an op of the body has no such form, where it is annotated, or where such a value would
      have more than 65,536 elements and eight times those of any tensor outside, the trips run one after the other.
      `tp.arg_sharding` of a destination is that of the result.

    Needs: tp-prepare. Guarantees: equal values, errors of indices included; annotations of ops stay. What has none of
    these forms stays as it is.

    ```mlir
    // before
    %h = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%ids : tensor<5xi64>) outs(%e : tensor<5x4xf32>) {
    ^bb0(%id: i64, %out: f32):
      %v = arith.index_cast %id : i64 to index
      %d = linalg.index 1 : index
      %x = tensor.extract %table[%v, %d] : tensor<8x4xf32>
      %b = tensor.extract %bias[%d] : tensor<4xf32>
      %y = arith.addf %x, %b : f32
      linalg.yield %y : f32
    } -> tensor<5x4xf32>
    // after
    %t = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%ids : tensor<5xi64>) outs(%e : tensor<5x4xf32>) {
    ^bb0(%id: i64, %out: f32):
      %d = linalg.index 1 : index
      %v = arith.index_cast %id : i64 to index
      %x = tensor.extract %table[%v, %d] : tensor<8x4xf32>
      linalg.yield %x : f32
    } -> tensor<5x4xf32>
    %h = linalg.generic {indexing_maps = [#column, #all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%bias, %t : tensor<4xf32>, tensor<5x4xf32>) outs(%e : tensor<5x4xf32>) {
    ^bb0(%b: f32, %x: f32, %out: f32):
      %y = arith.addf %x, %b : f32
      linalg.yield %y : f32
    } -> tensor<5x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::mlir::tp::TPDialect",
                           "::mlir::tp::comm::CommDialect", "::mlir::tp::nn::NNDialect"];
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

def DecomposeWindowsPass : Pass<"tp-decompose-windows", "::mlir::func::FuncOp"> {
  let summary = "read cut dimensions through tp.window";
  let description = [{
    Slices, pads, concatenations, convolutions and other ops with windowed dimensions are rewritten where an operand or a
    result is cut along such a dimension: each of them by its `decomposeWindows`, into `tp.window` ops and ops with rules.
    A window of a window is one, so what a pad and a convolution need moves once. So are norms of cut rows (by sums of the
    rows) and attention over cut positions (by what each block gives, where that is less than the keys and values).

    Needs: tp-propagate. Guarantees: shardings on new ops where they are not those of the operands; the same values.

    ```mlir
    // before: %x is [tp] of 2 ranks
    %y = tensor.pad %x low[3] high[1] { ... -9.0 } {tp.sharding = [#tp.sharding<[tp]>]} : tensor<6xf32> to tensor<10xf32>
    // after
    %y = tp.window %x dim 0 starts [-3] sizes [10] stride 1 fill(-9.0 : f32) because "tensor.pad reads rows of other blocks"
        {tp.sharding = [#tp.sharding<[tp]>]} : tensor<6xf32> -> tensor<10xf32>
    ```
  }];
  let statistics = [Statistic<"decomposed", "decomposed", "ops rewritten">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::tp::TPDialect"];
}

def InsertReshardsPass : Pass<"tp-insert-reshards", "::mlir::func::FuncOp"> {
  let summary = "make every disagreement between shardings a tp.reshard";
  let description = [{
    Chooses a strategy for every op: the axes on which its operands agree stay; where operands and results disagree, the
    combination with the least estimated communication. Partial results are resolved where they are made. A value is
    resharded right after its definition: one that a loop takes from outside, once before the loop. What flows into a
    value that a loop or a conditional carries gets that value's sharding, so trips and branches agree.

    Needs: tp-decompose-windows. Guarantees: the operands and results of every op have shardings that its rule allows (checked by
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

def HoistReshardsPass : Pass<"tp-hoist-reshards", "::mlir::func::FuncOp"> {
  let summary = "reshard values where that costs least";
  let description = [{
    Moves a reshard up through the ops that make its operand, where the estimated time shrinks, or stays and fewer
    elements are held before and after it: a value is gathered before it is repeated or widened, and what an op had
    resharded for its operands alone is taken from before. Values that several ops use, that have a name or a
    constraint, and partial values stay as they are (see tp-place-reductions).

    Needs: tp-insert-reshards. Guarantees: as that pass.

    ```mlir
    // before: %x is [tp, _]
    %r = linalg.broadcast {tp.sharding = [#tp.sharding<[tp, _, _]>]} ins(%x ...) outs(%e ...) dimensions = [1]
    %y = tp.reshard %r from <[tp, _, _]> to <[_, tp, _]> : tensor<4x4x2xf32>
    // after
    %g = tp.reshard %x from <[tp, _]> to <[_, _]> : tensor<4x2xf32>
    %y = linalg.broadcast {tp.sharding = [#tp.sharding<[_, tp, _]>]} ins(%g ...) outs(%e ...) dimensions = [1]
    ```
  }];
  let statistics = [Statistic<"hoisted", "hoisted", "reshards moved up">];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::mlir::tp::TPDialect"];
}

def PlaceReductionsPass : Pass<"tp-place-reductions", "::mlir::func::FuncOp"> {
  let summary = "resolve partial values where that costs least";
  let description = [{
    Moves reshards of partial values down through ops that are linear in them when the estimated time shrinks, and makes
    one of reshards that follow each other. Nothing moves into a loop or a branch. What a loop only adds
    to is carried partial, and made whole behind the loop. A value of which each trip of a loop takes another part, along
    a dimension that is cut, is gathered once before the loop where that takes less than a reduction in each trip.
    A value that is wanted whole and in blocks is made whole once, where that takes less.

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

def BlockScansPass : Pass<"tp-block-scans"> {
  let summary = "compute running reductions in linear time";
  let description = [{
    A running reduction is a `linalg.generic` that reduces, for each row, a window of the padded operand that reaches one of
    its ends (`tp-raise-generics` makes it of what programs write): as loops it takes the square of the rows. From 64
    rows on it becomes windows within blocks of 16 rows, the running reduction of what blocks have in all, and the
    combination of the two.

    Needs: linalg on tensors of static shape. Guarantees: the same values, for floats up to the order of sums and products.

    ```mlir
    // before
    %p = tensor.pad %x low[1023] high[0] {...} : tensor<1024xf32> to tensor<2047xf32>
    %y = linalg.generic {indexing_maps = [(i, j) -> (i + j), (i, j) -> (j), (i, j) -> (i)],
                         iterator_types = ["parallel", "reduction"]}
        ins(%p, %e : tensor<2047xf32>, tensor<1024xf32>) outs(%zero : tensor<1024xf32>) { arith.addf }
    // after
    %b = tensor.expand_shape %x [[0, 1]] output_shape [64, 16] : tensor<1024xf32> into tensor<64x16xf32>
    %q = tensor.pad %b low[0, 15] high[0, 0] {...} : tensor<64x16xf32> to tensor<64x31xf32>
    %o = linalg.generic {...} ins(%q, %f : tensor<64x31xf32>, tensor<16xf32>) outs(%z : tensor<64x16xf32>) { arith.addf }
    ```
  }];
  let statistics = [Statistic<"blocked", "blocked", "running reductions that are computed in blocks">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "tensor::TensorDialect"];
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

def HoistCollectivesPass : Pass<"tp-hoist-collectives", "::mlir::func::FuncOp"> {
  let summary = "move collectives of what a loop does not change before the loop";
  let description = [{
    A collective in the body of an `scf.for` or `scf.while` whose operands are the same in every trip moves before the
    loop, with the ops that make its operands. What is in a branch inside the loop stays. All ranks of a group run a loop
    equally often (`tp-verify-comm`), so before it they meet as well; a loop that makes no trip at all at run time then
    costs one meeting that it did not need, one of n trips saves n - 1.

    Needs: comm ops on tensors. Guarantees: every rank of a group meets the same collectives in the same order.

    ```mlir
    // before
    %r = scf.for %i = %lb to %ub step %c1 iter_args(%acc = %init) -> (tensor<8x4xf32>) {
      %g = comm.all_gather %w dim 0 over (tp) : tensor<2x4xf32> -> tensor<8x4xf32>
      %s = arith.addf %acc, %g : tensor<8x4xf32>
      scf.yield %s : tensor<8x4xf32>
    }
    // after
    %g = comm.all_gather %w dim 0 over (tp) : tensor<2x4xf32> -> tensor<8x4xf32>
    %r = scf.for %i = %lb to %ub step %c1 iter_args(%acc = %init) -> (tensor<8x4xf32>) {
      %s = arith.addf %acc, %g : tensor<8x4xf32>
      scf.yield %s : tensor<8x4xf32>
    }
    ```
  }];
  let statistics = [Statistic<"hoisted", "hoisted", "collectives moved out of a loop">];
}

def SinkReductionsPass : Pass<"tp-sink-reductions", "::mlir::func::FuncOp"> {
  let summary = "reduce over ranks once what a loop accumulates";
  let description = [{
    Where a loop does nothing with a carried value but to combine it with an all-reduce of the same kind, each rank
    combines its own part, from the neutral element on, and one all-reduce after the loop does for all; then the initial
    value is combined with it, unless it is the neutral element. Where it is combined with a reduce-scatter, the loop
    carries the rank's part of all blocks, and one reduce-scatter follows. All-reduced pieces that it inserts into a
    neutral value are reduced together behind it where they are no less than that value. Sums of floats narrower than f32 stay, since
    each of them is rounded. A loop of no trip at run time costs one collective of neutral elements.

    Needs: comm ops on tensors. Guarantees: no more collectives than before; sums of floats are taken in another order.

    ```mlir
    // before
    %r = scf.for %i = %lb to %ub step %c1 iter_args(%acc = %zero) -> (tensor<4xf32>) {
      %x = ...
      %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
      %n = arith.addf %acc, %s : tensor<4xf32>
      scf.yield %n : tensor<4xf32>
    }
    // after
    %p = scf.for %i = %lb to %ub step %c1 iter_args(%acc = %zero) -> (tensor<4xf32>) {
      %x = ...
      %n = arith.addf %acc, %x : tensor<4xf32>
      scf.yield %n : tensor<4xf32>
    }
    %r = comm.all_reduce sum %p over (tp) : tensor<4xf32>
    ```
  }];
  let statistics = [Statistic<"sunk", "sunk", "reductions moved behind a loop">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def MergeCollectivesPass : Pass<"tp-merge-collectives", "::mlir::func::FuncOp"> {
  let summary = "common subexpressions, collectives among them, and dead ones";
  let description = [{
    A collective of the same value that differs from one before it, in the same or an enclosing block, in its reason
    only, is that one; so is any op without effects that then computes the same. The reason of the first stays.
    What nothing uses is erased, on every rank.

    Needs: nothing. Guarantees: no two equal collectives of which one dominates the other, no dead one.

    ```mlir
    // before
    %a = comm.all_gather %x dim 0 over (tp) because "q" : tensor<2x4xf32> -> tensor<8x4xf32>
    %b = comm.all_gather %x dim 0 over (tp) because "k" : tensor<2x4xf32> -> tensor<8x4xf32>
    %s = arith.addf %a, %b : tensor<8x4xf32>
    // after
    %a = comm.all_gather %x dim 0 over (tp) because "q" : tensor<2x4xf32> -> tensor<8x4xf32>
    %s = arith.addf %a, %a : tensor<8x4xf32>
    ```
  }];
  let statistics = [Statistic<"merged", "merged", "collectives that equal one before them">,
                    Statistic<"dead", "dead", "collectives that nothing used">];
}

def NarrowTransfersPass : Pass<"tp-narrow-transfers", "::mlir::func::FuncOp"> {
  let summary = "cast to a narrower type before sending";
  let description = [{
    Where the result of an all_gather, all_to_all or permute goes, perhaps through slices, reshapes and transposes, into
    a cast to a narrower element type and nowhere else, what is sent is cast. Each element is cast once on one rank
    instead of once on each; the bits are the same.

    Needs: comm ops on tensors. Guarantees: as many collectives as before, of no more bytes.

    ```mlir
    // before
    %g = comm.all_gather %x dim 0 over (tp) : tensor<2x4xf32> -> tensor<8x4xf32>
    %n = arith.truncf %g : tensor<8x4xf32> to tensor<8x4xbf16>
    // after
    %t = arith.truncf %x : tensor<2x4xf32> to tensor<2x4xbf16>
    %n = comm.all_gather %t dim 0 over (tp) : tensor<2x4xbf16> -> tensor<8x4xbf16>
    ```
  }];
  let statistics = [Statistic<"narrowed", "narrowed", "collectives that send narrower elements">];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

def JoinReductionsPass : Pass<"tp-join-reductions", "::mlir::func::FuncOp"> {
  let summary = "one all-reduce of what is linear in several";
  let description = [{
    Where an op is jointly linear (by its sharding rule, for the kind of the reduction) in operands that come from
    all-reduces of one kind and group, directly or through ops that are linear in them, and nothing else uses these, the
    result is reduced instead. Other operands must be the same on all ranks of the group; nothing passes a rounding; it
    is done where the result has fewer elements than all that was reduced.

    Needs: comm ops on tensors. Guarantees: fewer or the same collectives; sums of floats are taken in another order.

    ```mlir
    // before
    %a = comm.all_reduce sum %x over (tp) : tensor<4x8xf32>
    %b = comm.all_reduce sum %y over (tp) : tensor<4x8xf32>
    %m = arith.mulf %a, %c : tensor<4x8xf32>
    %r = arith.addf %m, %b : tensor<4x8xf32>
    // after
    %m = arith.mulf %x, %c : tensor<4x8xf32>
    %s = arith.addf %m, %y : tensor<4x8xf32>
    %r = comm.all_reduce sum %s over (tp) : tensor<4x8xf32>
    ```
  }];
  let statistics = [Statistic<"joined", "joined", "all-reduces saved">];
}

def SliceCollectivesPass : Pass<"tp-slice-collectives", "::mlir::func::FuncOp"> {
  let summary = "an all-reduce of which each rank keeps its block is a reduce-scatter";
  let description = [{
    An all-reduce that is used by one slice, each rank's own block along some axes of the group, becomes a reduce-scatter
    over these and an all-reduce of the block over the rest. The own block of an all-gather is its operand; the own block
    along its first axes is an all-gather over the rest.

    Needs: comm ops on tensors. Guarantees: as many or fewer collectives but where the axes of an all-reduce are parted,
    and fewer bytes.

    ```mlir
    // before
    %s = comm.all_reduce sum %x over (tp) : tensor<8x4xf32>
    %c = comm.coordinate (tp)
    %o = arith.muli %c, %c2 : index
    %y = tensor.extract_slice %s[%o, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
    // after
    %y = comm.reduce_scatter sum %x dim 0 over (tp) : tensor<8x4xf32> -> tensor<2x4xf32>
    ```
  }];
  let statistics = [Statistic<"sliced", "sliced", "slices that a collective does or that undo one">];
}

def CombineCollectivesPass : Pass<"tp-combine-collectives", "::mlir::func::FuncOp"> {
  let summary = "small collectives that do not depend on each other meet once";
  let description = [{
    A collective waits for the first op that uses its result. Those that wait at the same time and have the same kind,
    attributes and group become one of several operands, bit-equal to the separate ones; what is reduced has one element
    type, what only moves may have several (a candidate and its index). One behind the meeting joins it where at most 24
    ops, none of which depends on it, compute its operands: these move up. Values larger than `max-bytes` stay alone: copying
    them in and out of a common buffer would take longer than a meeting of its own.

    Needs: comm ops on tensors. Guarantees: no more collectives than before, in one order on all ranks.

    ```mlir
    // before
    %a = comm.all_reduce sum %x over (tp) : tensor<4xf32>
    %b = comm.all_reduce sum %y over (tp) : tensor<8xf32>
    // after
    %ab:2 = comm.all_reduce sum %x, %y over (tp) : tensor<4xf32>, tensor<8xf32>
    ```
  }];
  let options = [Option<"maxBytes", "max-bytes", "int64_t", "8192", "bytes per rank of the largest value that joins others">];
  let statistics = [Statistic<"combined", "combined", "collectives saved">];
}

#endif // TP_TRANSFORMS_PASSES
