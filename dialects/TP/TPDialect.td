//===- TPDialect.td - Where values live -----------------------*- tablegen -*-===//

#ifndef TP_DIALECT_TD
#define TP_DIALECT_TD

include "mlir/IR/OpBase.td"

def TP_Dialect : Dialect {
  let name = "tp";
  let cppNamespace = "::mlir::tp";
  let summary = "Where values live: the mesh and the sharding of every value";
  let description = [{
    `tp` says how values of *global* shape are spread over a mesh of devices. Shardings are discardable attributes:

    - `tp.sharding` on an argument or a result of a function: a `#tp.sharding`;
      on an op: an array with one `#tp.sharding` per result;
    - `tp.arg_sharding` on an op with regions: an array with one per argument of the regions' first blocks, one region
      after the other (`scf.while`: arguments before, arguments after);
    - `tp.name` on an op, an argument or a result: the name by which plans and messages call the value;
    - `tp.kind` on an argument: `"parameter"`, `"state"` or `"input"`; `tp.source` on a parameter: where its value comes
      from, a dictionary of `tensor` (a name), `dtype`, `shape` (of that tensor), `view` (another shape of the same
      elements), `offset` and `size` (a slice of the view) and `permutation` (of the slice, which is then reshaped); what
      is absent changes nothing; `tp.role` on a parameter, a state or
      an op: what built-in plans go by;
    - `tp.priority` beside `tp.sharding` (an integer, on an op an array with one per result): in which round propagation
      takes it up, 0 first; absent means 0;
    - `tp.cut_priority`, written by propagation beside `tp.sharding` (an integer per dimension, on an op an array of such
      arrays, one per result, empty for zeros): the priority of the annotation that the dimension's axes came from, so
      that an op which cannot follow all of its operands follows the earlier one; absent means 0; `tp.arg_cut_priority`
      is the same beside `tp.arg_sharding`;
    - `tp.factor_priority`, written by propagation on an op of which several factors want one axis (an integer per factor
      of its sharding rule): the factor of the smaller number keeps the axis; it takes the place of `tp.cut_priority`
      for this op;
    - `tp.group` beside `tp.sharding`, or without one (a string, on an op an array with one per result, empty for none):
      values of one group are sharded alike, as one value; they have one shape, and one annotation at most;
    - `tp.plan_line` beside `tp.sharding` (as `tp.why`): the line of the plan that said so, for explanations;
    - `tp.why` beside `tp.sharding` (a string, on an op an array with one per result): for people, from which annotation
      and through which ops a value got its sharding;
    - `tp.alias` on a result: the number of the state argument of which it is the new value;
    - `tp.global_type`, written by partition on an argument or a result: its type in the source; on an op that looks up
      elements in a block of a table, its first operand: the type of that with the sizes of the whole table where it is
      looked up, which are the bounds of an index.

    The dialect verifies all of these.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{ void registerAttributes(); }];
}

#endif // TP_DIALECT_TD
