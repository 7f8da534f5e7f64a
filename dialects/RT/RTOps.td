//===- RTOps.td - One operation per runtime entry point -------*- tablegen -*-===//

#ifndef RT_OPS_TD
#define RT_OPS_TD

include "dialects/RT/RTTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def RT_Element : AnyTypeOf<[AnyFloat, AnySignlessInteger, Index]>;
/// A buffer, or the tensor that will be one.
def RT_Buffer : AnyTypeOf<[StaticShapeMemRefOf<[RT_Element]>, StaticShapeTensorOf<[RT_Element]>]>;
def RT_MemRef : StaticShapeMemRefOf<[RT_Element]>;

class RT_Op<string mnemonic, list<Trait> traits = []> : Op<RT_Dialect, mnemonic, traits>;

/// An operation that may fail at run time: it has an effect on the order
/// resource besides those on its buffers.
class RT_Ordered<string mnemonic, list<Trait> traits = []>
    : RT_Op<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let hasVerifier = 1;
}

/// A collective: `group` is the symbol of a rt.group, `reason` is for people. On memrefs it
/// may give a token: then what follows does not wait for it, but the rt.wait that takes that.
class RT_Collective<string mnemonic, list<Trait> traits = []>
    : RT_Ordered<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<SymbolUserOpInterface>])> {
  let results = (outs Variadic<AnyTypeOf<[AnyRankedTensor, RT_Token]>>:$results);
  string groupMethods = [{
    static StringRef getRuntimeName() { return getOperationName().drop_front(3); }
  }];
}

/// A collective that reads one buffer and writes another.
class RT_MovingCollective<string mnemonic> : RT_Collective<mnemonic, [DestinationStyleOpInterface]> {
  let extraClassDeclaration = groupMethods # [{
    MutableOperandRange getDpsInitsMutable() { return getDstMutable(); }
  }];
}

def RT_GroupOp : RT_Op<"group", [Symbol]> {
  let summary = "ranks that talk: those that differ only in these parts of mesh axes";
  let description = [{
    `parts` lists (axis, pre, size) triples: the axis is a position in the mesh, and the part of its coordinate c (of n)
    is `(c / (n / (pre * size))) % size`. Ranks of the group are ordered row-major in the order of the parts. Groups
    become rows of the manifest's table in the order in which they stand in the module.

    ```mlir
    rt.group @tp [1, 1, 4]
    ```

    Constraints: at least one triple; axis >= 0, pre >= 1, size >= 1.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$parts);
  let assemblyFormat = "$sym_name $parts attr-dict";
  let extraClassDeclaration = [{
    /// Number of ranks of the group.
    int64_t getGroupSize();
  }];
  let hasVerifier = 1;
}

def RT_CoordinateOp : RT_Op<"coordinate", [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "this rank's coordinate on a mesh axis";
  let description = [{
    ```mlir
    %c = rt.coordinate axis 1 of 4
    ```

    Constraints: axis >= 0 is a position in the mesh, the size behind `of` is at least 1.
  }];
  let arguments = (ins I32Attr:$axis, I64Attr:$size);
  let results = (outs Index:$result);
  let assemblyFormat = "`axis` $axis `of` $size attr-dict";
  let hasVerifier = 1;
}

def RT_ArenaOp : RT_Op<"arena", [Pure]> {
  let summary = "this rank's scratch memory";
  let description = [{
    The same memory every time; 64-byte aligned.

    ```mlir
    %arena = rt.arena : memref<4096xi8>
    ```

    Constraints: the type is a static memref of one dimension of i8.
  }];
  let results = (outs RT_MemRef:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def RT_AllReduceOp : RT_Collective<"all_reduce"> {
  let summary = "the buffer of every rank becomes the reduction of all ranks' buffers, in place";
  let description = [{
    ```mlir
    rt.all_reduce sum %b over @tp because "sum over tp of a contraction" : memref<8x4xf32>
    ```

    Constraints: the group exists; kinds fit the element type; a memref is contiguous and has no result or a token, a
    tensor has one result of its type.
  }];
  let arguments = (ins RT_Reduction:$kind, RT_Buffer:$buffer, FlatSymbolRefAttr:$group, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    $kind $buffer `over` $group (`because` $reason^)? attr-dict `:` type($buffer) (`->` type($results)^)?
  }];
  let extraClassDeclaration = groupMethods;
}

def RT_AllGatherOp : RT_MovingCollective<"all_gather"> {
  let summary = "all ranks' buffers, one after another along a dimension";
  let description = [{
    ```mlir
    rt.all_gather %a into %b dim 1 over @tp : memref<8x4xf32>, memref<8x16xf32>
    ```

    Constraints: the group exists and has k ranks; `dst` is k times `src` along `dim` and equal elsewhere; memrefs are
    contiguous and have no result or a token, tensors have one of the type of `dst`.
  }];
  let arguments = (ins RT_Buffer:$src, RT_Buffer:$dst, I64Attr:$dim, FlatSymbolRefAttr:$group, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    $src `into` $dst `dim` $dim `over` $group (`because` $reason^)? attr-dict `:` type($src) `,` type($dst) (`->` type($results)^)?
  }];
}

def RT_ReduceScatterOp : RT_MovingCollective<"reduce_scatter"> {
  let summary = "group rank i gets block i, along a dimension, of the reduction of all ranks' buffers";
  let description = [{
    ```mlir
    rt.reduce_scatter sum %a into %b dim 0 over @tp : memref<8x4xf32>, memref<2x4xf32>
    ```

    Constraints: the group exists and has k ranks; `src` is k times `dst` along `dim` and equal elsewhere; kinds fit the
    element type; memrefs are contiguous and have no result or a token, tensors have one of the type of `dst`.
  }];
  let arguments = (ins RT_Reduction:$kind, RT_Buffer:$src, RT_Buffer:$dst, I64Attr:$dim, FlatSymbolRefAttr:$group, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    $kind $src `into` $dst `dim` $dim `over` $group (`because` $reason^)? attr-dict `:` type($src) `,` type($dst) (`->` type($results)^)?
  }];
}

def RT_AllToAllOp : RT_MovingCollective<"all_to_all"> {
  let summary = "row j of group rank i becomes row i of group rank j";
  let description = [{
    ```mlir
    rt.all_to_all %a into %b over @tp : memref<4x2x4xf32>, memref<4x2x4xf32>
    ```

    Constraints: the group exists and has k ranks; both types have the same shape, whose first dimension is k; memrefs
    are contiguous and have no result, tensors have one of the type of `dst`.
  }];
  let arguments = (ins RT_Buffer:$src, RT_Buffer:$dst, FlatSymbolRefAttr:$group, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    $src `into` $dst `over` $group (`because` $reason^)? attr-dict `:` type($src) `,` type($dst) (`->` type($results)^)?
  }];
}

def RT_PermuteOp : RT_MovingCollective<"permute"> {
  let summary = "group rank i gets the buffer of group rank sources[i]";
  let description = [{
    `-1` stands for no source: zeros.

    ```mlir
    rt.permute %a into %b from [-1, 0, 1, 2] over @tp : memref<4xf32>, memref<4xf32>
    ```

    Constraints: the group exists and has k ranks; there are k sources, each -1 or a rank of the group; both types have
    the same shape; memrefs are contiguous and have no result or a token, tensors have one of the type of `dst`.
  }];
  let arguments = (ins RT_Buffer:$src, RT_Buffer:$dst, DenseI32ArrayAttr:$sources, FlatSymbolRefAttr:$group, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    $src `into` $dst `from` $sources `over` $group (`because` $reason^)? attr-dict `:` type($src) `,` type($dst) (`->` type($results)^)?
  }];
}

def RT_WaitOp : RT_Ordered<"wait"> {
  let summary = "what follows is behind a collective that runs beside computation";
  let description = [{
    From the collective that gives the token until here, its result is not touched and its operand is not changed; the
    buffers are in use until here.

    ```mlir
    %token = rt.all_gather %a into %b dim 0 over @tp : memref<8x4xf32>, memref<32x4xf32> -> !rt.token
    rt.wait %token (%a, %b) : memref<8x4xf32>, memref<32x4xf32>
    ```

    Constraints: the token is a collective's of the same block, this is its only use, and there are as many buffers as
    the collective has.
  }];
  let arguments = (ins RT_Token:$token, Variadic<RT_MemRef>:$buffers);
  let assemblyFormat = "$token ` ` `(` $buffers `)` attr-dict `:` type($buffers)";
}

def RT_GemmOp : RT_Ordered<"gemm"> {
  let summary = "batched matrix multiplication by the runtime's library";
  let description = [{
    `C[i] = (accumulate ? C[i] : 0) + op(A[i]) * op(B[i])` for i < batch, where op(A) is m x k and op(B) is k x n, all
    row-major with leading dimensions `lda`, `ldb`, `ldc`; with `trans_a`, A is stored as k x m. Batches lie `stride_*`
    elements apart. Positions count from the first element of the memref, whose shape does not matter.

    ```mlir
    rt.gemm %a, %b, %c {m = 4, n = 8, k = 16, lda = 16, ldb = 8, ldc = 8}
      : memref<4x16xf32>, memref<16x8xf32>, memref<4x8xf32>
    ```

    Constraints: m, n, k, batch >= 1; leading dimensions are at least the row length; strides are not negative; A and B
    are f64, f32, f16 or bf16 of the same type, C is of that type or f32; every element that is touched lies inside its
    memref.
  }];
  let arguments = (ins RT_MemRef:$a, RT_MemRef:$b, RT_MemRef:$c, I64Attr:$m, I64Attr:$n, I64Attr:$k,
                       I64Attr:$lda, I64Attr:$ldb, I64Attr:$ldc, DefaultValuedAttr<I64Attr, "0">:$stride_a,
                       DefaultValuedAttr<I64Attr, "0">:$stride_b, DefaultValuedAttr<I64Attr, "0">:$stride_c,
                       DefaultValuedAttr<I64Attr, "1">:$batch, UnitAttr:$trans_a, UnitAttr:$trans_b,
                       UnitAttr:$accumulate);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($c)";
}

def RT_GemmFusedOp : RT_Ordered<"gemm_fused", [AttrSizedOperandSegments]> {
  let summary = "batched matrix multiplication with what a device's library does to the result on the way";
  let description = [{
    `D[i] = activation(op(A[i]) * op(B[i]) + C[i] + bias[i])` for i < batch, as `rt.gemm`; the sum and all that follows is
    in f32, and rounded once. A bias has n elements, which are added to every row. C and bias may be missing; C may be D
    with the same rows and strides, else nothing that is read lies where D does. `gelu_tanh` is 0.5 x (1 + tanh(sqrt(2 / pi)
    (x + 0.044715 x^3))).

    ```mlir
    rt.gemm_fused relu %a, %b, %d bias %bias {m = 4, n = 8, k = 16, lda = 16, ldb = 8, ldd = 8}
      : memref<4x16xf32>, memref<16x8xf32>, memref<4x8xf32> bias memref<8xf32>
    ```

    Constraints: as `rt.gemm`; A and B are f32, f16 or bf16; C and bias have D's type; biases begin at multiples of 16
    bytes, where their memref begins at one.
  }];
  let arguments = (ins RT_Activation:$activation, RT_MemRef:$a, RT_MemRef:$b, RT_MemRef:$d, Optional<RT_MemRef>:$c,
                       Optional<RT_MemRef>:$bias, I64Attr:$m, I64Attr:$n, I64Attr:$k, I64Attr:$lda, I64Attr:$ldb,
                       DefaultValuedAttr<I64Attr, "0">:$ldc, I64Attr:$ldd,
                       DefaultValuedAttr<I64Attr, "0">:$stride_a, DefaultValuedAttr<I64Attr, "0">:$stride_b,
                       DefaultValuedAttr<I64Attr, "0">:$stride_c, DefaultValuedAttr<I64Attr, "0">:$stride_d,
                       DefaultValuedAttr<I64Attr, "0">:$stride_bias, DefaultValuedAttr<I64Attr, "1">:$batch,
                       UnitAttr:$trans_a, UnitAttr:$trans_b);
  let assemblyFormat = [{
    $activation $a `,` $b `,` $d (`plus` $c^)? (`bias` $bias^)? attr-dict
    `:` type($a) `,` type($b) `,` type($d) (`plus` type($c)^)? (`bias` type($bias)^)?
  }];
}

def RT_ParallelForOp : RT_Ordered<"parallel_for", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel over [0, range) on the rank's workers";
  let description = [{
    Calls `kernel(begin, end, arguments...)` for disjoint chunks of a multiple of `grain` iterations. A memref may have
    any offset; the kernel sees its first element at offset 0.

    ```mlir
    rt.parallel_for @silu range 128 grain 16 (%a, %b) : memref<128x64xf32>, memref<128x64xf32>
    ```

    Constraints: the kernel is a function with the attribute `rt.kernel`, no results and parameters (index, index) and
    then those of `arguments`, memrefs with equal shape, element type and strides (but of dimensions of one element) and
    offset 0; range >= 0, grain >= 1.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, I64Attr:$range, I64Attr:$grain,
                       Variadic<AnyTypeOf<[RT_MemRef, RT_Element]>>:$arguments);
  let assemblyFormat = [{
    $kernel `range` $range `grain` $grain ` ` `(` $arguments `)` attr-dict (`:` type($arguments)^)?
  }];
}

def RT_LaunchOp : RT_Ordered<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel on the rank's device";
  let description = [{
    Every thread of `blocks` blocks of `threads` threads runs the kernel, which asks the device (`nvvm`) for its number.
    The entry goes on at once; what comes later on the device sees what the kernel has written. A memref may have any
    offset; the kernel sees its first element at offset 0.

    ```mlir
    rt.launch @silu blocks 32 threads 256 (%a, %b) : memref<128x64xf32>, memref<128x64xf32>
    ```

    Constraints: the kernel is a function with the attributes `rt.kernel` and `rt.device`, no results and parameters that
    fit `arguments` as those of `rt.parallel_for`; blocks >= 0, 1 <= threads <= 1024, shared >= 0: bytes of dynamic shared
    memory per block.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, I64Attr:$blocks, I64Attr:$threads,
                       Variadic<AnyTypeOf<[RT_MemRef, RT_Element]>>:$arguments,
                       DefaultValuedAttr<I64Attr, "0">:$shared);
  let assemblyFormat = [{
    $kernel `blocks` $blocks `threads` $threads (`shared` $shared^)? ` ` `(` $arguments `)` attr-dict (`:` type($arguments)^)?
  }];
}

def RT_KernelCallOp : RT_Ordered<"kernel_call"> {
  let summary = "a function of the library of kernels";
  let description = [{
    Every thread of `blocks` blocks of `threads` threads, with `shared` bytes of dynamic shared memory per block, calls the
    function `kernel` of the library (`TPRT_KERNEL` of `runtime/include/tprt/abi.def`) with these arguments. Bufferization
    leaves it in entries; `tp-outline-device-kernels` moves it into a kernel that is launched so.

    ```mlir
    rt.kernel_call "rms_norm" blocks 8 threads 128 (%f32, %f32, %f32, %x, %w, %y, %rows, %size, %epsilon, %offset)
      : i32, i32, i32, memref<8x576xf32>, memref<576xf32>, memref<8x576xf32>, i64, i64, f32, f32
    ```

    Constraints: the library has the kernel; the arguments are of its parameters' kinds: contiguous memrefs, i32, i64 and
    f32; blocks >= 0, 1 <= threads <= 1024, a multiple of 32, shared >= 0.
  }];
  let arguments = (ins StrAttr:$kernel, I64Attr:$blocks, I64Attr:$threads,
                       Variadic<AnyTypeOf<[RT_MemRef, RT_Element]>>:$arguments,
                       DefaultValuedAttr<I64Attr, "0">:$shared);
  let assemblyFormat = [{
    $kernel `blocks` $blocks `threads` $threads (`shared` $shared^)? ` ` `(` $arguments `)` attr-dict (`:` type($arguments)^)?
  }];
}

def RT_ReadOp : RT_Ordered<"read"> {
  let summary = "an element of a buffer on the device, for the entry";
  let description = [{
    Waits for all that the rank has begun. An entry that decides by a value that the device computes, or takes part of a
    buffer by it, needs it; what only kernels use is loaded by them.

    ```mlir
    %n = rt.read %length : memref<i64> -> i64
    ```

    Constraints: a memref of rank 0.
  }];
  let arguments = (ins RT_MemRef:$buffer);
  let results = (outs RT_Element:$result);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer) `->` type($result)";
}

def RT_CopyOp : RT_Ordered<"copy"> {
  let summary = "copies a buffer of the device to another one";
  let description = [{
    ```mlir
    rt.copy %a into %b : memref<8x4xf32>, memref<8x4xf32>
    ```

    Constraints: contiguous memrefs of one shape and element type, which do not overlap.
  }];
  let arguments = (ins RT_MemRef:$src, RT_MemRef:$dst);
  let assemblyFormat = "$src `into` $dst attr-dict `:` type($src) `,` type($dst)";
}

def RT_CheckIndexOp : RT_Ordered<"check_index"> {
  let summary = "fails unless lower <= value < upper";
  let description = [{
    ```mlir
    rt.check_index %pos in [0, 128) because "offset of tensor.insert_slice along dimension 2"
    ```

    The bounds are a half-open range. What a `deferred` check is about does no harm where it fails, so that it may be
    told later: on a device it becomes a rt.launch_check.

    Constraints: lower <= upper, lower < upper where it is deferred.
  }];
  let arguments = (ins Index:$value, I64Attr:$lower, I64Attr:$upper, OptionalAttr<StrAttr>:$reason,
                       UnitAttr:$deferred);
  let builders = [OpBuilder<(ins "Value":$value, "int64_t":$lower, "int64_t":$upper, "StringAttr":$reason), [{
    build($_builder, $_state, value, lower, upper, reason, /*deferred=*/false);
  }]>];
  let assemblyFormat = [{
    $value `in` ` ` `[` $lower `,` $upper `)` (`deferred` $deferred^)? (`because` $reason^)? attr-dict
  }];
}

def RT_LaunchCheckOp : RT_Ordered<"launch_check", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "checks an index on the rank's device";
  let description = [{
    One thread runs the kernel, which gets the rank's status words, the row of this operation, `lower` and `upper`, then
    what `arguments` says: it computes an index, and where that is outside [lower, upper) and no check of the rank has
    failed before, it writes 1, the row, the index, `lower` and `upper` to the status words. The runtime looks at them
    behind the entry, which then fails as it does at a rt.check_index.

    ```mlir
    rt.launch_check @check in [0, 128) because "offset of tensor.insert_slice along dimension 2" (%pos) : memref<i64>
    ```

    Constraints: the kernel is a function with the attributes `rt.kernel` and `rt.device`, no results and parameters
    (memref<5xi64>, index, index, index) and then those of `arguments` as for rt.launch; lower < upper.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, I64Attr:$lower, I64Attr:$upper, OptionalAttr<StrAttr>:$reason,
                       Variadic<AnyTypeOf<[RT_MemRef, RT_Element]>>:$arguments);
  let assemblyFormat = [{
    $kernel `in` ` ` `[` $lower `,` $upper `)` (`because` $reason^)? ` ` `(` $arguments `)` attr-dict (`:` type($arguments)^)?
  }];
}

#endif // RT_OPS_TD
