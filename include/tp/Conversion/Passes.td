//===- Passes.td - From local tensor programs to the runtime --*- tablegen -*-===//

#ifndef TP_CONVERSION_PASSES
#define TP_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

def ConvertCommToRTPass : Pass<"tp-convert-comm-to-rt", "ModuleOp"> {
  let summary = "turn collectives into those of the runtime";
  let description = [{
    Needs: comm ops on tensors and the tp.mesh. Guarantees: no comm op is left; each set of axes is a rt.group;
    collectives have an effect on `rt.order`, so from here on nothing reorders them. An all-to-all is brought into the
    runtime's form, [k, ...] to [k, ...], by transposes; a collective of one rank is the identity.

    ```mlir
    // before
    %1 = comm.all_reduce sum %0 over (tp) : tensor<8x4xf32>
    // after
    rt.group @tp [0, 1, 4]
    %1 = rt.all_reduce sum %0 over @tp : tensor<8x4xf32> -> tensor<8x4xf32>
    ```
  }];
  let statistics = [Statistic<"converted", "converted", "collectives converted">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "rt::RTDialect", "tensor::TensorDialect"];
}

def FitReductionsToNcclPass : Pass<"tp-fit-reductions-to-nccl", "ModuleOp"> {
  let summary = "reductions over ranks are those that NCCL has";
  let description = [{
    NCCL adds and multiplies floats and integers of 8, 32 and 64 bits, and has max and min, which for floats say nothing
    of NaN. The others become what is equal to the bit:

    - max, min, maxnum and minnum of floats are those of integers in the order of the floats, with NaN where its rule
      has it; f16 and bf16 take four bytes per element then;
    - integers of 1 and 16 bits travel as 32 bits, and bitwise reductions of single bits as min, max and sum;
    - other bitwise reductions gather (an all-to-all for a scatter) and combine on each rank, with a remark.

    Needs: reductions on tensors.

    ```mlir
    // before
    %1 = rt.all_reduce max %0 over @tp : tensor<8xf32> -> tensor<8xf32>
    // after
    %bits = arith.bitcast %0 : tensor<8xf32> to tensor<8xi32>
    %order = ... // xor of all bits but the sign where it is set; NaN above infinity
    %2 = rt.all_reduce max %order over @tp : tensor<8xi32> -> tensor<8xi32>
    %1 = ...
    ```
  }];
  let statistics = [Statistic<"fitted", "fitted", "reductions brought into another form">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "rt::RTDialect", "tensor::TensorDialect"];
}

def InsertBoundsChecksPass : Pass<"tp-insert-bounds-checks"> {
  let summary = "check indices that may lie outside their tensor";
  let description = [{
    For every offset of tensor.extract_slice and tensor.insert_slice and every index of tensor.extract and
    tensor.insert that is not provably in bounds, a rt.check_index before its first use; the program then ends with an
    error that names the place. An index in the body of a linalg op is checked by a reduction over all indices which the
    op will use, over only those loops on which they depend.

    With `deferred` the checks, and those that are there, may be told later: what is behind a check uses the index
    clamped to its limits. Steps of loops, and indices of dimensions without elements, are checked at once.

    Needs: static shapes; sizes and strides of slices are constants. Guarantees: no index outside its tensor is used.

    ```mlir
    // before
    %1 = tensor.insert_slice %row into %cache[0, %pos] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<4x8xf32>
    // after
    rt.check_index %pos in [0, 8) because "offset of tensor.insert_slice along dimension 1"
    %1 = tensor.insert_slice %row into %cache[0, %pos] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<4x8xf32>
    ```
  }];
  let options = [
    Option<"deferred", "deferred", "bool", "false", "checks may be told after what they are about">,
  ];
  let statistics = [Statistic<"checks", "checks", "checks inserted">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "rt::RTDialect", "tensor::TensorDialect"];
}

def DetachDestinationsPass : Pass<"tp-detach-destinations"> {
  let summary = "destinations that are not read are empty tensors";
  let description = [{
    A linalg op whose body does not read a destination gets a tensor.empty there, unless it is a slice or empty already:
    what computed the old destination may be dead, and where the result goes is left to bufferization.

    ```mlir
    // before
    %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    // after
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let statistics = [Statistic<"detached", "detached", "destinations made empty">];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

def DropEmptyValuesPass : Pass<"tp-drop-empty-values"> {
  let summary = "compute nothing that has no elements";
  let description = [{
    A result of static shape with a dimension of size 0 becomes a tensor.empty; insertions, pads and concatenations of
    such a value become what they are without it, and reductions what they begin with.

    ```mlir
    // before
    %1 = tensor.insert_slice %x into %d[2, 0] [0, 4] [1, 1] : tensor<0x4xf32> into tensor<3x4xf32>
    %2 = tensor.concat dim(0) %1, %x : (tensor<3x4xf32>, tensor<0x4xf32>) -> tensor<3x4xf32>
    // after: what uses %2 uses %d
    ```
  }];
  let statistics = [Statistic<"dropped", "dropped", "values without elements that nothing uses any more">];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

def ResultsToDestinationsPass : Pass<"tp-results-to-destinations", "ModuleOp"> {
  let summary = "give entries a destination argument per result";
  let description = [{
    Needs: public functions of one block, static shapes and no calls. Guarantees: every function is an entry
    (`rt.entry`) whose results are materialized in arguments with `rt.result`, the new value of a state in the state's
    argument, after all other results; attributes of results are kept in `rt.results`. A scalar result becomes a tensor
    of rank 0. A value that is returned several times is materialized once and copied.
    Parameters and inputs are marked as not writable for bufferization.

    ```mlir
    // before
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {tp.name = "y"})
      return %0 : tensor<4xf32>
    // after
    func.func @f(%x: tensor<4xf32> {bufferization.writable = false},
                 %y: tensor<4xf32> {bufferization.writable = true, rt.result = 0 : i64})
        attributes {rt.entry, rt.results = [{tp.name = "y", type = tensor<4xf32>} ]}
      %1 = bufferization.materialize_in_destination %0 in %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    ```
  }];
  let options = [Option<"copyFirst", "copy-first", "bool", "false",
                        "keep values in temporaries before any destination is written">];
  let dependentDialects = ["bufferization::BufferizationDialect", "rt::RTDialect", "tensor::TensorDialect"];
}

def PrepareBufferizationPass : Pass<"tp-prepare-bufferization"> {
  let summary = "one destination per user, so that bufferization can be in place";
  let description = [{
    - what does not bufferize is written out: elementwise arith and math on tensors, tensor.concat, linalg.softmax; what
      cannot be, such as tensor.gather, is an error;
    - a large splat constant is a fill;
    - each user of a tensor.empty, and each user that overwrites a linalg.fill, has its own;
    - a `scf.while` whose condition hands on other types than it carries carries both;
    - a value that a loop carries is materialized in the loop's own tensor; the results of a conditional in one
      destination, that of the result where there is one, unless its branches update the same tensor in place.

    No CSE may follow before bufferization: it would merge the destinations again.

    ```mlir
    // before
    %e = tensor.empty() : tensor<4x4xf32>
    %a = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %b = linalg.matmul ins(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    // after: %b has a tensor.empty of its own
    ```
  }];
  let options = [Option<"copyFirst", "copy-first", "bool", "false",
                        "keep values in temporaries before any destination is written">];
  let statistics = [Statistic<"clones", "clones", "destinations cloned">];
  let dependentDialects = ["arith::ArithDialect", "bufferization::BufferizationDialect", "linalg::LinalgDialect",
                           "math::MathDialect", "tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

def BufferizePass : Pass<"tp-bufferize", "ModuleOp"> {
  let summary = "entries on buffers, in place where that can be";
  let description = [{
    Runs `tp-results-to-destinations`, `tp-prepare-bufferization` and upstream's elimination of empty tensors and one-shot
    bufferization. A program for whose destinations no order in place is found (a loop or a conditional hands on values
    that others are still to read) is bufferized once more from the start with `copy-first`: each value that is returned
    or handed on is kept in a temporary first, for which there is always an order. That is a remark.

    Needs: public functions of one block, static shapes and no calls. Guarantees: no tensors are left.

    ```mlir
    // before
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32>
    // after
    func.func @f(%x: memref<4xf32>, %y: memref<4xf32> {rt.result = 0 : i64}) -> memref<4xf32>
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "bufferization::BufferizationDialect", "linalg::LinalgDialect",
                           "math::MathDialect", "memref::MemRefDialect", "rt::RTDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

def ForwardBranchResultsPass : Pass<"tp-forward-branch-results"> {
  let summary = "conditionals and loops do not yield buffers from outside";
  let description = [{
    Where every branch of a scf.if, scf.index_switch or scf.execute_region yields one buffer that was there before, uses
    of the result become uses of the buffer, and the result is gone. Where scf.for hands on the buffer that it carries,
    uses of the result become uses of the buffer that it started from.

    ```mlir
    // before
    %0 = scf.if %c -> memref<4xf32> {
      linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      scf.yield %y : memref<4xf32>
    } else {
      memref.copy %x, %y : memref<4xf32> to memref<4xf32>
      scf.yield %y : memref<4xf32>
    }
    // after: what used %0 uses %y
    scf.if %c { ... } else { ... }
    ```
  }];
  let statistics = [Statistic<"forwarded", "forwarded", "results replaced by a buffer">];
  let dependentDialects = ["memref::MemRefDialect", "scf::SCFDialect"];
}

def DropResultsPass : Pass<"tp-drop-results", "ModuleOp"> {
  let summary = "entries return nothing";
  let description = [{
    Needs: bufferized entries. Guarantees: an entry returns nothing; what it returned are its arguments.

    ```mlir
    // before
    func.func @f(%y: memref<4xf32> {rt.result = 0 : i64}) -> memref<4xf32> attributes {rt.entry}
      return %y : memref<4xf32>
    // after
    func.func @f(%y: memref<4xf32> {rt.result = 0 : i64}) attributes {rt.entry}
      return
    ```
  }];
}

def RemarkStateCopiesPass : Pass<"tp-remark-state-copies"> {
  let summary = "remark on state that is not updated in place";
  let description = [{
    A copy of a whole state to a temporary is a remark: its old value is used beside a new one, or in another layout. So is
    a copy from a temporary: the new value was computed elsewhere. Both cost memory and time in every call.

    ```mlir
    // two remarks
    memref.copy %state, %alloc : memref<1x3x256x64xf32> to memref<1x3x256x64xf32>
    memref.copy %row, %row_of_alloc : memref<1x3x1x64xf32> to memref<1x3x1x64xf32, strided<[49152, 16384, 64, 1], offset: ?>>
    memref.copy %alloc, %state : memref<1x3x256x64xf32> to memref<1x3x256x64xf32>
    ```
  }];
}

def ConvertContractionsToRTPass : Pass<"tp-convert-contractions-to-rt", "ModuleOp"> {
  let summary = "large contractions become matrix products of the runtime";
  let description = [{
    A linalg op (named, contract or generic) on memrefs with the body c + a * b becomes a rt.gemm where its groups of
    loops step through each operand with one stride, in any order and with any transposes; outer rows or columns become
    the batch where the group does not combine. A fill with zero before it is taken into it.

    ```mlir
    // before
    linalg.fill ins(%zero : f32) outs(%c : memref<64x512xf32>)
    linalg.matmul ins(%a, %b : memref<64x512xf32>, memref<512x512xf32>) outs(%c : memref<64x512xf32>)
    // after
    rt.gemm %a, %b, %c {k = 512, lda = 512, ldb = 512, ldc = 512, m = 64, n = 512} : ...
    ```
  }];
  let options = [
    Option<"minMultiplications", "min-multiplications", "int64_t", "16384",
           "contractions with fewer multiplications stay loops">,
    Option<"tf32", "tf32", "bool", "false",
           "the library may round factors of f32 to tf32: the module says so by rt.tf32">,
  ];
  let statistics = [Statistic<"converted", "converted", "contractions converted">];
  let dependentDialects = ["rt::RTDialect"];
}

def FuseGemmEpiloguesPass : Pass<"tp-fuse-gemm-epilogues", "ModuleOp"> {
  let summary = "what follows a matrix product becomes a part of it";
  let description = [{
    An elementwise op that is the only one to read the result of a rt.gemm, and adds a vector to each of its rows (the
    bias) or another matrix or both, applies relu or gelu in its tanh form, and rounds to the result's type, becomes a
    rt.gemm_fused; one that only rounds becomes the type of the product's result. The op's operands have the result's
    type; the result is that of A and B or f32.

    The sum, what is added and the activation are f32 and rounded once, at the end. A program that rounds to the
    result's type in between gets a result without these roundings; what rounds to another type stays as it is. Sums of
    three are in another order. relu of NaN is NaN or 0.

    ```mlir
    // before
    rt.gemm %x, %w, %y {k = 64, lda = 64, ldb = 64, ldc = 72, m = 32, n = 72, trans_b} : memref<32x64xbf16>, memref<72x64xbf16>, memref<32x72xf32>
    linalg.generic {...} ins(%y, %b : memref<32x72xf32>, memref<72xbf16>) outs(%z : memref<32x72xbf16>) { z = round(max(y + b, 0)) }
    // after
    rt.gemm_fused relu %x, %w, %z bias %b {k = 64, lda = 64, ldb = 64, ldd = 72, m = 32, n = 72, trans_b} : ...
    ```
  }];
  let statistics = [Statistic<"fused", "fused", "elementwise ops that became parts of products">];
  let dependentDialects = ["rt::RTDialect"];
}

def OutlineKernelsPass : Pass<"tp-outline-kernels", "ModuleOp"> {
  let summary = "loops become functions that the workers share out";
  let description = [{
    Every linalg op and copy of an entry becomes a function with `rt.kernel`, a nest of loops of which one (or several
    outer ones, as one) runs over a part of its range, and a rt.parallel_for that calls it. Equal functions are one.
    A short innermost loop is joined with those around it that go on through the same memory in all operands.
    Arguments whose memory no other argument reaches have `llvm.noalias`. Sums may be reassociated, products fused into
    them; nothing else changes: NaN and infinities are kept.

    Needs: entries on memrefs of static shape and strides. Guarantees: no linalg op and no memref.copy is left in an
    entry.

    ```mlir
    // before
    linalg.exp ins(%a : memref<128x64xf32>) outs(%b : memref<128x64xf32>)
    // after
    rt.parallel_for @exp range 128 grain 43 (%a, %b) : memref<128x64xf32>, memref<128x64xf32>
    func.func private @exp(%begin: index, %end: index, %a: memref<128x64xf32> {llvm.noalias},
                           %b: memref<128x64xf32> {llvm.noalias}) attributes {rt.kernel} {
      scf.for %i = %begin to %end step %c1 { scf.for %j = %c0 to %c64 step %c1 { ... } }
    ```
  }];
  let statistics = [Statistic<"outlined", "outlined", "loops outlined">];
  let dependentDialects = ["arith::ArithDialect", "func::FuncDialect", "memref::MemRefDialect", "rt::RTDialect",
                           "scf::SCFDialect"];
}

def FuseKernelCallsPass : Pass<"tp-fuse-kernel-calls"> {
  let summary = "calls of the library that one kernel makes";
  let description = [{
    A call of "rms_norm" or "layer_norm" right behind the addition that makes its input becomes "residual_rms_norm" or
    "residual_layer_norm", which adds. A call of "rope" whose result only a call of "cache_write" takes becomes part of that. Calls of the two whose order
    does not matter are put into one scf.execute_region, in place of the last one, of which `tp-outline-device-kernels`
    makes one kernel; products and checks of indices may lie between them.

    ```mlir
    // before
    rt.kernel_call "rope" blocks 1 threads 256 (... %k, %cos, %sin, %rotated ...)
    rt.kernel_call "cache_write" blocks 1 threads 256 (... %rotated, %rotated, %rotated, %pos, %key_cache ...)
    rt.kernel_call "cache_write" blocks 1 threads 256 (... %v, %v, %v, %pos, %value_cache ...)
    // after
    scf.execute_region {
      rt.kernel_call "cache_write" blocks 1 threads 256 (... %k, %cos, %sin, %pos, %key_cache ...)
      rt.kernel_call "cache_write" blocks 1 threads 256 (... %v, %v, %v, %pos, %value_cache ...)
    }
    ```
  }];
  let statistics = [Statistic<"fused", "fused", "launches that are not made">];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def JoinLaunchesPass : Pass<"tp-join-launches"> {
  let summary = "ops on the same rows are one launch";
  let description = [{
    Linalg ops, copies and calls of norms, argmax and look-ups that stand behind each other and go through as many rows are
    put into one scf.execute_region with `rt.rows`, of which `tp-outline-device-kernels` makes one kernel: a block takes a
    row at a time and all ops in turn, with a barrier in between. Rows are the trips of the first loops of an op. What one
    of the ops writes, the others touch in their own row only, so that no block waits for another one; with one row
    anything may follow anything. Of less than 128 rows, a row has at most 16,384 trips of each op.

    A softmax is one launch, and so are residual, norm and rounding between two products, and what a rank does with the
    candidates of all ranks.

    ```mlir
    // before
    linalg.generic {...} ins(%x : memref<8x4096xf32>) outs(%max : memref<8xf32>) { maximum along rows }
    linalg.generic {...} ins(%x, %max : memref<8x4096xf32>, memref<8xf32>) outs(%y : memref<8x4096xf32>) { exp(x - max) }
    // after
    scf.execute_region {
      linalg.generic ...
      linalg.generic ...
    } {rt.rows = 8}
    ```
  }];
  let statistics = [Statistic<"joined", "joined", "launches that are not made">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect"];
}

def OutlineDeviceKernelsPass : Pass<"tp-outline-device-kernels", "ModuleOp"> {
  let summary = "what an entry computes becomes kernels of a device";
  let description = [{
    The entry stays on the host, its buffers are on the device. Every linalg op becomes a kernel of many threads, each of
    which takes points of the parallel loops, neighbours side by side; where there are few points and long reductions
    by one commutative operation, the threads of a block share a point. Ops in a scf.execute_region with `rt.rows` are one
    kernel, of which a block takes a row at a time. A store of an element, and a loop or a
    conditional of loads and stores, becomes a kernel of one thread. A copy of contiguous buffers is a rt.copy. Equal
    kernels are one.

    A kernel gets buffers and numbers as arguments. What follows from a buffer that the entry does not write in between
    (the position of a token, the offset of a view by it) is computed in the kernel, so that the host does not wait; other
    loads of the entry are rt.read, which wait. A deferred check of such a number is a kernel, too (rt.launch_check). A
    scalar argument of an entry is a buffer of one element.

    Needs: entries on memrefs of static shape and strides. Guarantees: no linalg op, load of a buffer or store is left
    in an entry.

    ```mlir
    // before
    linalg.exp ins(%a : memref<128x64xf32>) outs(%b : memref<128x64xf32>)
    // after
    rt.launch @exp blocks 32 threads 256 (%a, %b) : memref<128x64xf32>, memref<128x64xf32>
    func.func private @exp(%a: memref<128x64xf32> {llvm.noalias}, %b: memref<128x64xf32> {llvm.noalias})
        attributes {rt.device, rt.kernel} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      ...
    ```
  }];
  let options = [
    ListOption<"images", "images", "std::string", "what is made of the kernels: sm_90, ptx_90, emulated, ...">,
  ];
  let statistics = [Statistic<"outlined", "outlined", "kernels launched">];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect", "func::FuncDialect", "linalg::LinalgDialect",
                           "memref::MemRefDialect", "NVVM::NVVMDialect", "rt::RTDialect", "scf::SCFDialect"];
}

def OverlapCollectivesPass : Pass<"tp-overlap-collectives", "ModuleOp"> {
  let summary = "collectives run beside what does not need them";
  let description = [{
    A collective of an entry is begun where its operands are there, and a rt.wait stands where its result is first used
    or its operand is changed, if a device has other work in between. The order of collectives stays as it is. None is
    begun before an earlier one has been waited for, so that of what is gathered ahead of its use there is one at a time;
    and where a collective holds memory that is free behind it, it is waited for before the next one.

    Needs: entries on memrefs whose kernels are outlined; before `tp-plan-arena`, to which a buffer is in use until the
    wait. Guarantees: each token is waited for once, in the block of its collective.

    ```mlir
    // before
    rt.all_reduce sum %gradient over @dp : memref<64xf32>
    rt.launch @step blocks 1 threads 64 (%x) : memref<64xf32>
    rt.launch @update blocks 1 threads 64 (%gradient) : memref<64xf32>
    // after
    %token = rt.all_reduce sum %gradient over @dp : memref<64xf32> -> !rt.token
    rt.launch @step blocks 1 threads 64 (%x) : memref<64xf32>
    rt.wait %token (%gradient) : memref<64xf32>
    rt.launch @update blocks 1 threads 64 (%gradient) : memref<64xf32>
    ```
  }];
  let statistics = [Statistic<"overlapped", "overlapped", "collectives beside which there is work">];
  let dependentDialects = ["rt::RTDialect"];
}

def PlanArenaPass : Pass<"tp-plan-arena", "ModuleOp"> {
  let summary = "temporaries get fixed places in one block of memory";
  let description = [{
    Every memref.alloc of an entry becomes a view of rt.arena at a constant offset, 64-byte aligned (256 on GPUs), such that buffers
    which are alive at the same time do not overlap. `rt.arena_bytes` on the entry is the size that is needed,
    `rt.arena_live_bytes` the lower bound: the most bytes alive at one time. On a device, buffers of collectives of at
    most 256 KiB come first; `rt.symmetric_bytes` is where they end.

    Needs: static shapes, no buffer that a loop allocates anew for each iteration's result. Guarantees: entries allocate
    nothing.

    ```mlir
    // before
    %a = memref.alloc() : memref<64x512xf32>
    // after
    %arena = rt.arena : memref<131072xi8>
    %c0 = arith.constant 0 : index
    %a = memref.view %arena[%c0][] : memref<131072xi8> to memref<64x512xf32>
    ```
  }];
  let statistics = [Statistic<"arenaBytes", "arena-bytes", "bytes of the largest arena">];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect", "rt::RTDialect"];
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

def ExpandMathPass : Pass<"tp-expand-math"> {
  let summary = "write common mathematical functions out as arithmetic";
  let description = [{
    exp, log, erf and tanh of f32 become polynomials, which vectorize; functions of f16 and bf16 are computed in f32 and
    rounded once; isinf and isnormal become comparisons, sincos sin and cos. The others are left to the C library.
    Conversions of f64 to bf16 and f16 and of integers to bf16 round once, to nearest.

    ```mlir
    // before
    %1 = math.sqrt %0 : bf16
    // after
    %2 = arith.extf %0 : bf16 to f32
    %3 = math.sqrt %2 : f32
    %1 = arith.truncf %3 : f32 to bf16
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect", "vector::VectorDialect"];
}

def ConvertRTToLLVMPass : Pass<"tp-convert-rt-to-llvm", "ModuleOp"> {
  let summary = "entries and kernels as LLVM functions that call the runtime";
  let description = [{
    - An entry becomes `i32 (ptr ctx, ptr buffers)`: it loads its buffers, and after each call of the runtime it returns
      the status unless that is zero.
    - A kernel becomes `void (i64 begin, i64 end, pointers and scalars)` and a task `void (ptr slots, i64, i64)` that
      unpacks its arguments, which is what tprt_parallel_for calls.
    - Declarations of runtime functions are those of abi.def.
    - The symbol `tprt_module` holds the entries and the manifest (docs/RuntimeABI.md); mesh and groups are gone.

    Needs: no structured control flow (convert-scf-to-cf), no temporaries (tp-plan-arena), `rt.results` on entries
    (tp-results-to-destinations), memrefs of static shape and strides. Guarantees: no rt operation
    and no func.func of an entry or kernel is left; what remains is for upstream's conversions of arith, memref, cf.

    ```mlir
    // before
    rt.all_reduce sum %b over @tp : memref<8x4xf32>
    // after
    %status = llvm.call @tprt_all_reduce(%ctx, %stream, %op, %group, %kind, %dtype, %p, %p, %count) : (...) -> i32
    %failed = llvm.icmp "ne" %status, %zero : i32
    cf.cond_br %failed, ^exit(%status : i32), ^next
    ```
  }];
  let dependentDialects = ["cf::ControlFlowDialect", "LLVM::LLVMDialect"];
}

#endif // TP_CONVERSION_PASSES
