//===- CommDialect.td - Who talks -----------------------------*- tablegen -*-===//

#ifndef COMM_DIALECT_TD
#define COMM_DIALECT_TD

include "mlir/IR/OpBase.td"

def Comm_Dialect : Dialect {
  let name = "comm";
  let cppNamespace = "::mlir::tp::comm";
  let summary = "Who talks: collectives over mesh axes, on local shapes";
  let description = [{
    Every rank runs the same program; a collective is met by all ranks of a group, the ranks that differ only in the
    given axis parts, ordered row-major in the order in which the parts are listed. Values are a rank's local tensors,
    all of one shape; k is the number of ranks of the group.

    A collective of several values is one meeting: each result is what the same collective of its operand alone would
    give, bit for bit. Values that are combined have one element type; where those that only move have several, they are
    sent as integers as wide as the narrowest.

    ```mlir
    %2:2 = comm.all_reduce sum %0, %1 over (tp) : tensor<8x4xf32>, tensor<16xf32>
    ```

    Collectives on tensors read a resource that nothing writes, the meeting of the ranks: common and dead ones are
    removed as if they were pure, but upstream passes neither speculate them nor move them into or out of a branch or a
    loop, where some ranks might not meet.
  }];
  let dependentDialects = ["::mlir::tp::TPDialect"];
}

#endif // COMM_DIALECT_TD
