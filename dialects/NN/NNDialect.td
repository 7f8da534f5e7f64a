//===- NNDialect.td - What is computed ------------------------*- tablegen -*-===//

#ifndef NN_DIALECT_TD
#define NN_DIALECT_TD

include "mlir/IR/OpBase.td"

def NN_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::mlir::tp::nn";
  // What its ops are defined in.
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let summary = "What is computed, where linalg is too low to pick a good kernel";
  let description = [{
    Ops of Transformers on tensors. Each is lowered to a kernel of the target or to its own decomposition into linalg,
    which defines its meaning (`-tp-decompose-nn`).

    Dimension names: B batch, S new positions, T cache capacity, K kv heads, G query heads per kv head, D head dim.
  }];
}

#endif // NN_DIALECT_TD
