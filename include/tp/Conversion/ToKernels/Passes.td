//===- Passes.td - Kernels for CPUs ----------------------------*- tablegen -*-===//

#ifndef TP_CONVERSION_TOKERNELS_PASSES
#define TP_CONVERSION_TOKERNELS_PASSES

include "mlir/Pass/PassBase.td"

def SelectKernelsPass : Pass<"tp-select-kernels"> {
  let summary = "mark the nn ops that have a kernel";
  let description = [{
    Marks nn.attention, nn.rms_norm and nn.layer_norm, where shape and types have a kernel, with
    `nn.kernel`: tp-decompose-nn leaves such ops whole, and bufferization calls
    the kernel.

    For a GPU (`device`) the kernels are those of its library (`runtime/cuda/kernels`), and the mark says so:
    `nn.kernel = "device"`.

    ```mlir
    // before
    %y = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<1x8x16xf32>, tensor<16xf32>
    // after
    %y = nn.rms_norm %x, %w epsilon 1.0e-05 {nn.kernel} : tensor<1x8x16xf32>, tensor<16xf32>
    ```
  }];
  let options = [Option<"device", "device", "bool", "false", "kernels of the library for GPUs">];
  let statistics = [Statistic<"selected", "selected", "nn ops with a kernel">];
}

def ConvertToKernelsPass : Pass<"tp-convert-to-kernels", "::mlir::ModuleOp"> {
  let summary = "call vectorised kernels where a loop nest or a library would be slow";
  let description = [{
    Emits private kernel functions, one per shape and types, and calls them by
    `rt.parallel_for`:

    - a matrix product with at most four rows and the other operand's contracted
      dimensions last and contiguous (weights `[N, K]`): it streams that operand
      at memory speed, sums in f32 (two bf16 operands by the instruction for
      pairs where the CPU has it); neighbouring products of one first operand,
      such as query, key and value, are one call;
    - attention and row norms that bufferization left as calls of declared kernels.

    Needs: buffers, before lifetimes are packed into an arena (a product that
    follows the zero fill of its result takes the fill over). Guarantees: other
    ops are left as they are; every kernel is defined.

    ```mlir
    // before
    linalg.fill ins(%zero : f32) outs(%c : memref<1x1536xf32>)
    linalg.matmul indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), (m, n, k) -> (m, n)]
      ins(%a, %w : memref<1x576xf32>, memref<1536x576xf32>) outs(%c : memref<1x1536xf32>)
    // after
    rt.parallel_for @tp_matvec_1x576_f32_1536_f32_f32 range 384 grain 7 (%a, %w, %c) : ...
    ```
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "512", "width of the target's vector registers">,
    Option<"bf16Dot", "bf16-dot", "bool", "false", "the target has avx512_bf16">,
  ];
  let statistics = [
    Statistic<"matrixVector", "matrix-vector", "products with few rows">,
    Statistic<"defined", "defined", "declared kernels defined">,
  ];
  let dependentDialects = ["arith::ArithDialect", "func::FuncDialect", "math::MathDialect", "memref::MemRefDialect",
                           "rt::RTDialect", "scf::SCFDialect", "vector::VectorDialect",
                           "x86vector::X86VectorDialect"];
}

#endif // TP_CONVERSION_TOKERNELS_PASSES
