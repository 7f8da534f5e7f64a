//===- TPInterfaces.td - How an op may be sharded --------------*- tablegen -*-===//

#ifndef TP_INTERFACES_TD
#define TP_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TP_ShardingRuleOpInterface : OpInterface<"ShardingRuleOpInterface"> {
  let cppNamespace = "::mlir::tp";
  let description = [{
    Describes an op by factors, as an einsum does (see ShardingRule.h). Propagation, reshard insertion, partition and
    tests follow from the rule mechanically.
  }];
  let methods = [
    InterfaceMethod<"The factors of the op, or failure when it has no rule in this form (it is then replicated).",
      "::mlir::FailureOr<::mlir::tp::ShardingRule>", "getShardingRule", (ins)>,
    InterfaceMethod<[{
        Creates the op on one rank's local values. `operands` are the local operands in the order of the op's operands
        (values captured by its regions are mapped in `mapping` beforehand), `resultTypes` the local result types.
        The default clones the op.
      }],
      "::llvm::SmallVector<::mlir::Value>", "createLocal",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::IRMapping &":$mapping, "::mlir::ValueRange":$operands,
           "::mlir::TypeRange":$resultTypes, "const ::mlir::tp::LocalFrame &":$frame), [{}], [{
        return ::mlir::tp::cloneLocal($_op.getOperation(), builder, mapping, operands, resultTypes);
      }]>,
    InterfaceMethod<[{
        Rewrites the op at global shape into ops with rules, for the strategy that cuts factor `factor` into `count`
        blocks; returns replacements for the results, or failure when the op has no such form.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>", "decompose",
      (ins "::mlir::OpBuilder &":$builder, "unsigned":$factor, "int64_t":$count), [{}], [{
        (void)builder; (void)factor; (void)count;
        return ::mlir::failure();
      }]>,
    InterfaceMethod<[{
        Rewrites the op at global shape, for operands that come and results that are wanted as given (one sharding per
        operand and result, none for what is no ranked tensor), so that what it reads along a cut dimension comes by
        `tp.window` ops, or it reads less (a norm the sums of rows, attention what blocks of keys give); returns replacements for the results, or failure when there is nothing to gain.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>", "decomposeWindows",
      (ins "::mlir::OpBuilder &":$builder, "::llvm::ArrayRef<::mlir::tp::Sharding>":$operands,
           "::llvm::ArrayRef<::mlir::tp::Sharding>":$results), [{}], [{
        (void)builder; (void)operands; (void)results;
        return ::mlir::failure();
      }]>
  ];
}

#endif // TP_INTERFACES_TD
