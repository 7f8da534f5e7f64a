//===- TPAttrs.td - Shardings as attributes -------------------*- tablegen -*-===//

#ifndef TP_ATTRS_TD
#define TP_ATTRS_TD

include "dialects/TP/TPDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def TP_ReductionKind : I32EnumAttr<"ReductionKind", "how partial values are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"MaxU", 4, "maxu">, I32EnumAttrCase<"MinU", 5, "minu">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">, I32EnumAttrCase<"Xor", 8, "xor">,
    I32EnumAttrCase<"MaxNum", 9, "maxnum">, I32EnumAttrCase<"MinNum", 10, "minnum">]> {
  let cppNamespace = "::mlir::tp";
}

def TP_BarrierDirection : I32EnumAttr<"BarrierDirection", "which way a barrier keeps axes from spreading", [
    I32EnumAttrCase<"Forward", 0, "forward">, I32EnumAttrCase<"Backward", 1, "backward">,
    I32EnumAttrCase<"Both", 2, "both">]> {
  let cppNamespace = "::mlir::tp";
}

class TP_Attr<string name, string mnem> : AttrDef<TP_Dialect, name> {
  let mnemonic = mnem;
  let hasCustomAssemblyFormat = 1;
}

def TP_AxisAttr : TP_Attr<"Axis", "axis"> {
  let summary = "a mesh axis or a part of one, with the granule in which it cuts";
  let description = [{
    `name`, `name:(pre)size` (the part of `size` coordinates below `pre` major ones) and `*granule`: blocks are whole
    multiples of `granule` elements. `size` 0 stands for the whole axis.

    Constraints: `pre` >= 1, `size` >= 1 where given, 0 only with `pre` 1; `granule` is 1 to 2^31 - 1; `pre` and `size`
    are at most 2^31 - 1.
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$pre, "int64_t":$size, "int64_t":$granule);
  let genVerifyDecl = 1;
}

def TP_DimShardingAttr : TP_Attr<"DimSharding", "dim"> {
  let summary = "axes that cut one dimension, major to minor; open ones may get more axes by propagation";
  let parameters = (ins ArrayRefParameter<"::mlir::tp::AxisAttr">:$axes, "bool":$open);
}

def TP_PartialAttr : TP_Attr<"Partial", "partial"> {
  let summary = "axes on which a value is still to be reduced, with the kind of the reduction";
  let description = [{
    Constraints: at least one axis.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::mlir::tp::ReductionKind":$kind, ArrayRefParameter<"::mlir::tp::AxisAttr">:$axes);
}

def TP_ShardingAttr : TP_Attr<"Sharding", "sharding"> {
  let summary = "how a ranked value is spread over the mesh";
  let description = [{
    `#tp.sharding<[_, (dp, tp*64), ?] sum(x)>`: per dimension the axes that cut it, major to minor (`_` none, `?` none
    yet and open), then the axes on which the value is partial. On every other axis it is replicated. `[]` fits any
    rank: replicated and closed.

    Constraints: no axis (or overlapping parts of one) appears twice.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::tp::DimShardingAttr">:$dims,
                        ArrayRefParameter<"::mlir::tp::PartialAttr">:$partials);
  let genVerifyDecl = 1;
}

#endif // TP_ATTRS_TD
