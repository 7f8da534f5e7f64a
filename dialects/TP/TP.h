//===- TP.h - The tp dialect -----------------------------------*- C++ -*-===//

#ifndef DIALECTS_TP_TP_H
#define DIALECTS_TP_TP_H

#include "dialects/TP/Sharding.h"
#include "dialects/TP/ShardingRule.h"
#include "dialects/TP/Window.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/TP/TPDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/TP/TPAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/TP/TPInterfaces.h.inc"
#include "dialects/TP/TPOps.h.inc"

namespace mlir {
namespace tp {

/// Names of the discardable attributes, see TPDialect.td.
constexpr llvm::StringLiteral kShardingAttr = "tp.sharding";
constexpr llvm::StringLiteral kArgShardingAttr = "tp.arg_sharding";
constexpr llvm::StringLiteral kNameAttr = "tp.name";
constexpr llvm::StringLiteral kKindAttr = "tp.kind";
constexpr llvm::StringLiteral kSourceAttr = "tp.source";
constexpr llvm::StringLiteral kRoleAttr = "tp.role";
constexpr llvm::StringLiteral kAliasAttr = "tp.alias";
constexpr llvm::StringLiteral kPriorityAttr = "tp.priority";
constexpr llvm::StringLiteral kCutPriorityAttr = "tp.cut_priority";
constexpr llvm::StringLiteral kArgCutPriorityAttr = "tp.arg_cut_priority";
constexpr llvm::StringLiteral kFactorPriorityAttr = "tp.factor_priority";
constexpr llvm::StringLiteral kWhyAttr = "tp.why";
constexpr llvm::StringLiteral kGroupAttr = "tp.group";
constexpr llvm::StringLiteral kPlanLineAttr = "tp.plan_line";
/// All that says where values are to be, or why.
constexpr llvm::StringLiteral kPlanAttrs[] = {
    kShardingAttr,       kArgShardingAttr, kPriorityAttr, kCutPriorityAttr, kArgCutPriorityAttr,
    kFactorPriorityAttr, kWhyAttr,         kGroupAttr,    kPlanLineAttr};
/// On partitioned functions: the global type of an argument or result.
constexpr llvm::StringLiteral kGlobalTypeAttr = "tp.global_type";

/// Arguments of the first blocks of the op's regions, one region after the other:
/// the values of `tp.arg_sharding`.
llvm::SmallVector<Value> getRegionArguments(Operation *op);
/// What the array attribute `name` of the op that holds the argument's region says
/// of the argument; null where there is none.
Attribute getRegionArgumentAttr(BlockArgument argument, llvm::StringRef name);

/// The mesh of the module that contains `op`, or null.
MeshOp lookupMesh(Operation *op);
/// As plain data.
Mesh getMesh(MeshOp op);
/// The mesh of the module that contains `op`; one error when there is none.
FailureOr<Mesh> requireMesh(Operation *op);

/// `attr` as plain data for a value of this rank; `[]` becomes replicated.
/// Emits one error through `emitError` when it does not fit the rank or the mesh.
FailureOr<Sharding> getSharding(ShardingAttr attr, const Mesh &mesh, unsigned rank,
                                llvm::function_ref<InFlightDiagnostic()> emitError);
/// The same for an attribute that is known to be valid.
Sharding getSharding(ShardingAttr attr, const Mesh &mesh, unsigned rank);
/// The sharding of a value by `tp.sharding` of its function or op, by
/// `tp.arg_sharding` of the op whose region it is an argument of, or by the reshard
/// that made it; null when nothing says it.
ShardingAttr getValueShardingAttr(Value value);
/// The same as a sharding; replicated when nothing says otherwise.
Sharding getValueSharding(Value value, const Mesh &mesh);
/// As attribute; always one entry per dimension.
ShardingAttr getShardingAttr(MLIRContext *context, const Sharding &sharding, const Mesh &mesh);
AxisAttr getAxisAttr(MLIRContext *context, const AxisPart &part, const Mesh &mesh);
/// The part of the mesh that an axis attribute names; it must be valid.
AxisPart getAxisPart(AxisAttr attr, const Mesh &mesh);

/// Parses the text form of plans, `[_, (dp, tp*64), ?] sum(x)`; `error` gets one
/// message when it does not parse.
ShardingAttr parseSharding(llvm::StringRef text, MLIRContext *context, std::string &error);

/// Parses and prints `(a, b:(1)2)`, the axes of a collective.
ParseResult parseAxisList(AsmParser &parser, ArrayAttr &axes);
void printAxisList(AsmPrinter &printer, Operation *op, ArrayAttr axes);

} // namespace tp
} // namespace mlir

#endif // DIALECTS_TP_TP_H
