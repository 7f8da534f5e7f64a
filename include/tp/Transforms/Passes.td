//===- Passes.td - Passes on tensor-level programs ------------*- tablegen -*-===//

#ifndef TP_TRANSFORMS_PASSES
#define TP_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def DecomposeNNPass : Pass<"tp-decompose-nn"> {
  let summary = "write nn ops out in linalg, tensor, arith and math";
  let description = [{
    Replaces every nn op by the upstream ops that define its meaning, on global
    and on local shapes alike.

    Needs: nn ops on statically shaped tensors. Guarantees: no nn op is left,
    except those named in `keep`; no read outside a tensor: rows outside an
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
  let options = [
    ListOption<"keep", "keep", "std::string", "names of ops to leave as they are, e.g. nn.attention">,
  ];
  let statistics = [Statistic<"decomposed", "decomposed", "nn ops written out">];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "math::MathDialect", "tensor::TensorDialect"];
}

#endif // TP_TRANSFORMS_PASSES
