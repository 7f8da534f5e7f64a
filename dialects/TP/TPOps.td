//===- TPOps.td - Mesh, constraints, reshards -----------------*- tablegen -*-===//

#ifndef TP_OPS_TD
#define TP_OPS_TD

include "dialects/TP/TPAttrs.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

class TP_Op<string mnemonic, list<Trait> traits = []> : Op<TP_Dialect, mnemonic, traits>;

def TP_MeshOp : TP_Op<"mesh", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "the devices, as named axes with sizes";
  let description = [{
    Device ids are row-major over the axes in the order in which they are given. A module has one mesh.

    ```mlir
    tp.mesh @mesh <"dp"=2, "tp"=4>
    ```

    Constraints: it stands in a module; axis names are distinct identifiers, one size each, sizes are at least 1, at most
    4096 devices in all; one mesh per module.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axis_names, DenseI64ArrayAttr:$axis_sizes);
  let assemblyFormat = "$sym_name custom<MeshAxes>($axis_names, $axis_sizes) attr-dict";
  let hasVerifier = 1;
}

def TP_ConstraintOp : TP_Op<"constraint", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "the value has this sharding here";
  let description = [{
    The identity on values; propagation keeps `sharding` for the result where it is closed.

    ```mlir
    %1 = tp.constraint %0 <[tp, _]> : tensor<8x4xf32>
    ```

    Constraints: the sharding fits the rank and the mesh of the module.
  }];
  let arguments = (ins AnyRankedTensor:$input, TP_ShardingAttr:$sharding);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TP_ReshardOp : TP_Op<"reshard", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "the same value under another sharding: the one source of communication";
  let description = [{
    The global value does not change; `from` is the sharding of the input, `to` of the result. Partition replaces it by
    slices and collectives. `reason` says, for people, why it is needed.

    ```mlir
    %1 = tp.reshard %0 from <[_, _] sum(tp)> to <[_, _]> : tensor<8x4xf32>
    ```

    Constraints: both shardings fit the rank and the mesh of the module.
  }];
  let arguments = (ins AnyRankedTensor:$input, TP_ShardingAttr:$from, TP_ShardingAttr:$to, OptionalAttr<StrAttr>:$reason);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input `from` $from `to` $to (`because` $reason^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // TP_OPS_TD
