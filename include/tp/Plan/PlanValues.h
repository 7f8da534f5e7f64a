//===- PlanValues.h - The values that a plan can name ----------------------===//
//
// Arguments and results of the entry functions and ops with a tp.name. Several
// places can be one value: a parameter or a state of the same name in several
// entries, and a state with the result that is its new value.
//
//===----------------------------------------------------------------------===//

#ifndef TP_PLAN_PLANVALUES_H
#define TP_PLAN_PLANVALUES_H

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include <string>
#include <vector>

namespace mlir {
namespace tp {

/// Where the sharding of a value is written: an argument or a result of a
/// function, or a result of an op.
struct ValuePlace {
  enum class Kind { Argument, FunctionResult, OpResult };
  Kind kind;
  Operation *op;
  unsigned number;

  Type getType() const;
  Location getLoc() const;
  /// The sharding that stands there, or null.
  ShardingAttr getSharding() const;
  /// The priority of the sharding that stands there: its own, or the last of those
  /// that its axes come from.
  int64_t getPriority() const;
  /// What built-in plans go by (see kRoleAttr), or null.
  StringAttr getRole() const;
  /// Its group (see kGroupAttr); empty: none.
  StringRef getGroup() const;
  /// Why it has its sharding (see kWhyAttr), or null.
  StringAttr getWhy() const;
};

/// Writes attributes of many places. Those of a function's arguments and results
/// are set together by `finish`: setting one copies those of all.
class PlaceWriter {
public:
  void setSharding(const ValuePlace &place, ShardingAttr sharding);
  void setPriority(const ValuePlace &place, int64_t priority);
  /// Of kGroupAttr or kPlanLineAttr.
  void setText(const ValuePlace &place, StringRef name, StringRef text);
  void finish();

private:
  struct Attributes {
    SmallVector<NamedAttrList> arguments, results;
  };
  llvm::MapVector<Operation *, Attributes> functions;

  void set(const ValuePlace &place, StringRef name, Attribute value,
           llvm::function_ref<Attribute(Type)> makeDefault);
};

/// A value, by the names that plans may call it, the first being the one that
/// messages and written plans use.
struct PlanValue {
  SmallVector<std::string> names;
  SmallVector<ValuePlace> places;

  StringRef name() const { return names.front(); }
  /// Whether there is something to cut: it is a tensor of rank 1 or more.
  bool hasDims() const;
};

/// Entry functions: the public functions with a body.
SmallVector<func::FuncOp> getEntries(ModuleOp module);

/// All values of the module that have a name, in the order of the IR.
std::vector<PlanValue> collectPlanValues(ModuleOp module);

/// Whether `key`, in which `*` stands for any text, dots included, is `name`.
bool matchesKey(StringRef key, StringRef name);

/// Up to three of the values' names that are most like `key`.
SmallVector<StringRef> findNearNames(StringRef key, ArrayRef<PlanValue> values);

/// Emits the error that `key` is none of the values' names, with those most like it.
InFlightDiagnostic emitUnknownName(Location loc, StringRef key, ArrayRef<PlanValue> values);

} // namespace tp
} // namespace mlir

#endif // TP_PLAN_PLANVALUES_H
