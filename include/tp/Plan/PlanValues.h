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
  void setSharding(ShardingAttr sharding) const;
  void setPriority(int64_t priority) const;
  /// Why it has its sharding (see kWhyAttr), or null.
  StringAttr getWhy() const;
};

/// A value, by the names that plans may call it, the first being the one that
/// messages and written plans use.
struct PlanValue {
  SmallVector<std::string> names;
  SmallVector<ValuePlace> places;

  StringRef name() const { return names.front(); }
};

/// Entry functions: the public functions with a body.
SmallVector<func::FuncOp> getEntries(ModuleOp module);

/// All values of the module that have a name, in the order of the IR.
std::vector<PlanValue> collectPlanValues(ModuleOp module);

/// Whether `key`, in which `*` stands for any text, dots included, is `name`.
bool matchesKey(StringRef key, StringRef name);

/// Up to three of the values' names that are most like `key`.
SmallVector<StringRef> findNearNames(StringRef key, ArrayRef<PlanValue> values);

} // namespace tp
} // namespace mlir

#endif // TP_PLAN_PLANVALUES_H
