//===- TPOps.td - Mesh, constraints, reshards -----------------*- tablegen -*-===//

#ifndef TP_OPS_TD
#define TP_OPS_TD

include "dialects/TP/TPAttrs.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
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

    `reason` says, for people, why, where it is not because somebody asked for it.

    Constraints: the sharding fits the rank and the mesh of the module.
  }];
  let arguments = (ins AnyRankedTensor:$input, TP_ShardingAttr:$sharding, OptionalAttr<StrAttr>:$reason);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input $sharding (`because` $reason^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TP_BarrierOp : TP_Op<"barrier", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "axes do not spread through here";
  let description = [{
    The identity on values. Propagation brings no axes from the input to the result (`forward`), from the result to the
    input (`backward`), or neither (`both`); where the two come out different there is a `tp.reshard`, and the op is gone
    after phase reshard.

    ```mlir
    %1 = tp.barrier %0 backward : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, TP_BarrierDirection:$direction);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input $direction attr-dict `:` type($result)";
}

def TP_ReshardOp : TP_Op<"reshard", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "the same value under another sharding: where communication comes from";
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

def TP_WindowOp : TP_Op<"window", [Pure]> {
  let summary = "runs of rows of a value, wherever they are: a source of communication beside reshard";
  let description = [{
    Along `dim`, the result is made of pieces: piece i has `sizes[i]` rows, its row j is row
    `starts[i] + stride * j` of the input; where each row of the input counts `repeat` times, row
    `(starts[i] + j) / repeat`. Rows outside of the input hold `fill`; without one nobody reads them. What
    slices, pads, concatenations and convolutions read along a cut dimension is made of such windows (see Window.h).
    Input and result may be cut along `dim` each in its own way, and are cut alike elsewhere. Partition replaces the op
    by permutes of what ranks lack, or one all-gather of what they need. `reason` says, for people, why it is needed.

    ```mlir
    // two blocks of four rows, each with the row before and behind it
    %1 = tp.window %0 dim 0 starts [-1, 3] sizes [6, 6] stride 1 fill(0.0 : f32) : tensor<8x2xf32> -> tensor<12x2xf32>
    ```

    Constraints: `dim` is a dimension; as many starts as sizes, no size is negative and their sum is the size of the
    result; `stride` and `repeat` are at least 1, one of them is 1; other dimensions and the element type are equal;
    `fill` has the element type.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$dim, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$sizes,
                       I64Attr:$stride, DefaultValuedAttr<I64Attr, "1">:$repeat, OptionalAttr<TypedAttrInterface>:$fill,
                       OptionalAttr<StrAttr>:$reason);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $input `dim` $dim `starts` $starts `sizes` $sizes `stride` $stride (`repeat` $repeat^)? (`fill` `(` $fill^ `)`)? (`because` $reason^)? attr-dict
    `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::tp::WindowMap getMap();
  }];
}

#endif // TP_OPS_TD
