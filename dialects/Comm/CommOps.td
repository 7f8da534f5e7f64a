//===- CommOps.td - Collectives -------------------------------*- tablegen -*-===//

#ifndef COMM_OPS_TD
#define COMM_OPS_TD

include "dialects/Comm/CommDialect.td"
include "dialects/TP/TPAttrs.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Comm_Axes : TypedArrayAttrBase<TP_AxisAttr, "axis parts of the mesh">;

class Comm_Op<string mnemonic, list<Trait> traits = []> : Op<Comm_Dialect, mnemonic, traits>;

/// What collectives read: see CommDialect.td.
def Comm_Meeting : Resource<"::mlir::tp::comm::Meeting">;

/// One or more values that meet at once, result i from input i.
def Comm_Values : Variadic<AnyStaticShapeTensor>;

/// A collective has `axes` (the group) and, for people, a `reason`. Several values may share it.
class Comm_Collective<string mnemonic, list<Trait> traits = []>
    : Comm_Op<mnemonic, !listconcat(traits, [MemoryEffects<[MemRead<Comm_Meeting>]>])> {
  let results = (outs Comm_Values:$results);
  let hasVerifier = 1;
}

/// A collective that leaves types as they are.
class Comm_InPlaceCollective<string mnemonic>
    : Comm_Collective<mnemonic, [TypesMatchWith<"results have the types of inputs", "results", "inputs", "$_self">]>;

def Comm_CoordinateOp : Comm_Op<"coordinate", [Pure]> {
  let summary = "this rank's coordinate on an axis part";
  let description = [{
    ```mlir
    %c = comm.coordinate (tp)
    ```

    Constraints: one axis part of the mesh, without granule.
  }];
  let arguments = (ins Comm_Axes:$axes);
  let results = (outs Index:$result);
  let assemblyFormat = "custom<AxisList>($axes) attr-dict";
  let hasVerifier = 1;
}

def Comm_AllReduceOp : Comm_InPlaceCollective<"all_reduce"> {
  let summary = "every rank gets the reduction of all ranks' values";
  let description = [{
    Elements are combined in rank order, floats narrower than f64 in f32, rounded once.

    ```mlir
    %1 = comm.all_reduce sum %0 over (tp) because "sum over tp of a contraction" : tensor<8x4xf32>
    ```

    Constraints: axes are distinct parts of the mesh, without granules; elements are integers or floats; `and`, `or`, `xor`, `maxu`
    and `minu` take integers only, `maxnum` and `minnum` floats only.
  }];
  let arguments = (ins TP_ReductionKind:$kind, Comm_Values:$inputs, Comm_Axes:$axes, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = "$kind $inputs `over` custom<AxisList>($axes) (`because` $reason^)? attr-dict `:` type($results)";
}

def Comm_AllGatherOp : Comm_Collective<"all_gather"> {
  let summary = "every rank gets all ranks' values, one after another along a dimension";
  let description = [{
    ```mlir
    %1 = comm.all_gather %0 dim 1 over (tp) : tensor<8x4xf32> -> tensor<8x16xf32>
    ```

    Constraints: axes are distinct parts of the mesh, without granules; `dim` is a dimension; the result is k times the input along it
    and equal elsewhere.
  }];
  let arguments = (ins Comm_Values:$inputs, I64Attr:$dim, Comm_Axes:$axes, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = "$inputs `dim` $dim `over` custom<AxisList>($axes) (`because` $reason^)? attr-dict `:` type($inputs) `->` type($results)";
}

def Comm_ReduceScatterOp : Comm_Collective<"reduce_scatter"> {
  let summary = "rank i gets block i of the reduction of all ranks' values";
  let description = [{
    ```mlir
    %1 = comm.reduce_scatter sum %0 dim 0 over (tp) : tensor<8x4xf32> -> tensor<2x4xf32>
    ```

    Constraints: axes are distinct parts of the mesh, without granules; `dim` is a dimension; the input is k times the result along it
    and equal elsewhere; kinds and types as for all_reduce.
  }];
  let arguments = (ins TP_ReductionKind:$kind, Comm_Values:$inputs, I64Attr:$dim, Comm_Axes:$axes, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = "$kind $inputs `dim` $dim `over` custom<AxisList>($axes) (`because` $reason^)? attr-dict `:` type($inputs) `->` type($results)";
}

def Comm_AllToAllOp : Comm_Collective<"all_to_all"> {
  let summary = "block j of rank i along one dimension becomes block i of rank j along another";
  let description = [{
    Each rank cuts its value into k blocks along `split`, sends block j to rank j and concatenates what it gets, in rank
    order, along `concat`.

    ```mlir
    %1 = comm.all_to_all %0 split 0 concat 1 over (tp) : tensor<8x4xf32> -> tensor<2x16xf32>
    ```

    Constraints: axes are distinct parts of the mesh, without granules; `split` and `concat` are dimensions; where they differ the result
    is 1/k of the input along `split`, k times along `concat`, equal elsewhere; where they are the same the types are
    equal and k divides the dimension.
  }];
  let arguments = (ins Comm_Values:$inputs, I64Attr:$split, I64Attr:$concat, Comm_Axes:$axes, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = "$inputs `split` $split `concat` $concat `over` custom<AxisList>($axes) (`because` $reason^)? attr-dict `:` type($inputs) `->` type($results)";
}

def Comm_PermuteOp : Comm_InPlaceCollective<"permute"> {
  let summary = "rank i gets the value of rank sources[i]";
  let description = [{
    `-1` stands for no source: zeros. A rank may be a source more than once.

    ```mlir
    %1 = comm.permute %0 from [-1, 0, 1, 2] over (tp) : tensor<4xf32>
    ```

    Constraints: axes are distinct parts of the mesh, without granules; there are k sources, each -1 or a rank of the group.
  }];
  let arguments = (ins Comm_Values:$inputs, DenseI32ArrayAttr:$sources, Comm_Axes:$axes, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = "$inputs `from` $sources `over` custom<AxisList>($axes) (`because` $reason^)? attr-dict `:` type($results)";
}

def Comm_CheckIndexOp : Comm_Op<"check_index", [NoMemoryEffect, AllTypesMatch<["value", "result"]>]> {
  let summary = "an index of a global value, once it is known to be in bounds";
  let description = [{
    The value itself where lower <= value < upper, else the program fails. Indices are checked against the global shape
    before a rank counts them from its own block. It is not speculated: only an index that is used fails.

    ```mlir
    %1 = comm.check_index %0 in [0, 8) because "offset of tensor.insert_slice along dimension 1"
    ```

    Constraints: lower <= upper.
  }];
  let arguments = (ins Index:$value, I64Attr:$lower, I64Attr:$upper, OptionalAttr<StrAttr>:$reason);
  let results = (outs Index:$result);
  let assemblyFormat = "$value `in` ` ` `[` $lower `,` $upper `)` (`because` $reason^)? attr-dict";
  let hasVerifier = 1;
}

#endif // COMM_OPS_TD
