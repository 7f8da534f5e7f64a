//===- RTTypes.td - Types of what runs ------------------------*- tablegen -*-===//

#ifndef RT_TYPES_TD
#define RT_TYPES_TD

include "dialects/RT/RTAttrs.td"
include "mlir/IR/AttrTypeBase.td"

def RT_Token : TypeDef<RT_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "a collective that has begun, for the rt.wait that ends it";
}

#endif // RT_TYPES_TD
