//===- Passes.td - Explanations as passes ---------------------*- tablegen -*-===//

#ifndef TP_EXPLAIN_PASSES
#define TP_EXPLAIN_PASSES

include "mlir/Pass/PassBase.td"

def ExplainPass : Pass<"tp-explain", "::mlir::ModuleOp"> {
  let summary = "list the collectives of a partitioned program with their costs and reasons";
  let description = [{
    Writes one line per collective (or JSON), in program order, with what one
    execution sends and how often it is executed per call of the entry. With
    `value` it prints instead why the values of that name have their shardings.
    The module is left as it is.

    Needs: comm ops on tensors; for `value` the annotations of propagation.

    ```mlir
    func.func @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
      %0 = comm.all_reduce sum %x over (tp) because "needed whole" : tensor<8x4xf32>
    // f: 1 collective, 32 elements, 192 bytes per rank, 2.019 us
    //   all_reduce (tp) 32 f32, 192 bytes per rank, 2.019 us, x1, f.mlir:2:8: needed whole
    ```
  }];
  let options = [
    Option<"output", "output", "std::string", /*default=*/"\"-\"", "path of the file to write">,
    Option<"json", "json", "bool", /*default=*/"false", "write JSON">,
    Option<"value", "value", "std::string", /*default=*/"", "name of a value">,
  ];
}

#endif // TP_EXPLAIN_PASSES
