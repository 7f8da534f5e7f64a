//===- RTAttrs.td - Enumerations of the runtime ABI -----------*- tablegen -*-===//

#ifndef RT_ATTRS_TD
#define RT_ATTRS_TD

include "dialects/RT/RTDialect.td"
include "mlir/IR/EnumAttr.td"

// The numbers are those of tprt_reduction_t; Ops.cpp asserts it.
def RT_Reduction : I32EnumAttr<"Reduction", "how the values of the ranks are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"MaxU", 4, "maxu">, I32EnumAttrCase<"MinU", 5, "minu">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">, I32EnumAttrCase<"Xor", 8, "xor">,
    I32EnumAttrCase<"MaxNum", 9, "maxnum">, I32EnumAttrCase<"MinNum", 10, "minnum">]> {
  let cppNamespace = "::mlir::tp::rt";
}

// The numbers are those of tprt_activation_t.
def RT_Activation : I32EnumAttr<"Activation", "what a product does to each element of its result", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Relu", 1, "relu">,
    I32EnumAttrCase<"GeluTanh", 2, "gelu_tanh">]> {
  let cppNamespace = "::mlir::tp::rt";
}

#endif // RT_ATTRS_TD
