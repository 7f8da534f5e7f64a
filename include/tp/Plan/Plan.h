//===- Plan.h - What the user wants sharded, and how -----------------------===//
//
// A plan names a mesh and the shardings of some values; see docs/Plan.md. It is
// read from JSON or made by name (built-in plans) and then written into the
// module as a tp.mesh, tp.barrier ops and tp.sharding, tp.priority and tp.group
// attributes. Values that
// no plan names keep no attribute: propagation is free to choose.
//
//===----------------------------------------------------------------------===//

#ifndef TP_PLAN_PLAN_H
#define TP_PLAN_PLAN_H

#include "dialects/TP/TP.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <vector>

namespace mlir {
namespace tp {

struct PlanValue;

/// One line of "shard": what values that `key` names shall have.
struct PlanSharding {
  std::string key;
  Location keyLoc;
  ShardingAttr sharding;
  Location loc;
};

/// One line of "priority": 0 is propagated first.
struct PlanPriority {
  std::string key;
  Location keyLoc;
  int64_t priority;
};

/// A name in a list of "alike": of values that are sharded as one.
struct PlanMember {
  std::string key;
  Location keyLoc;
};

/// One line of "barrier": which way axes do not spread through the value.
struct PlanBarrier {
  std::string key;
  Location keyLoc;
  BarrierDirection direction;
};

struct Plan {
  std::optional<Mesh> mesh;
  std::optional<Location> meshLoc; ///< where the mesh is given
  std::vector<PlanSharding> shard;
  std::vector<PlanPriority> priority;
  std::vector<std::vector<PlanMember>> alike;
  std::vector<PlanBarrier> barrier;
  std::string name; ///< of a built-in plan
};

/// Reads a plan from JSON text; positions are of `fileName`. Emits one located
/// error for everything that can be wrong with a plan alone: no JSON, a key
/// twice, an unknown top-level key, another version than 1, an axis without an
/// identifier as name or with a size below 1, text that is no sharding.
FailureOr<Plan> parsePlan(StringRef text, StringRef fileName, MLIRContext *context);

/// Parses the value of --mesh, `tp=3,dp=2`. Emits one error when it is wrong.
FailureOr<Mesh> parseMeshOption(StringRef text, MLIRContext *context);

/// `given` (of --mesh) over the plan's mesh: when it names some, but not all, of
/// the plan's axes it replaces their sizes; otherwise it is the mesh.
Mesh overrideMesh(const std::optional<Mesh> &plan, const Mesh &given);

/// The names of the built-in plans.
ArrayRef<StringRef> getBuiltinPlans();

/// The built-in plan `name` for this module. Emits one error when the mesh lacks
/// the axis that the plan cuts on, or when arguments have no roles to go by.
FailureOr<Plan> makeBuiltinPlan(StringRef name, ModuleOp module, const Mesh &mesh);

/// Writes the plan into the module; with `explain`, `tp.plan_line` beside each
/// sharding. Emits one located error when a key names nothing, a sharding does not
/// fit a value or the mesh, or two keys (or the IR's own attribute) give one value,
/// or two of a group, different shardings.
LogicalResult applyPlan(ModuleOp module, const Plan &plan, bool explain = false);

/// Parts of applyPlan, for `values` of the module, whose shardings are written:
/// `tp.group` on values that are alike, and barriers at values.
LogicalResult applyGroups(const Plan &plan, ArrayRef<PlanValue> values, const Mesh &mesh);
LogicalResult applyBarriers(const Plan &plan, ArrayRef<PlanValue> values);

/// Gives the plan the mesh that it is for: its own, otherwise the module's, with the
/// value of --mesh over it. Emits one error when that is wrong.
LogicalResult completeMesh(Plan &plan, ModuleOp module, StringRef meshText);

/// What --plan and --mesh ask for: `plan` is a built-in name or the path of a file
/// (empty: only the mesh is set), `mesh` is as parseMeshOption takes it (empty: the
/// plan's), `explain` as above. Emits one error when something is wrong.
LogicalResult applyRequestedPlan(ModuleOp module, StringRef plan, StringRef mesh,
                                 bool explain = false);

/// Writes the plan that gives every argument, every result and every named value
/// of the module the sharding that it has, with its priority, as JSON that parsePlan reads. A value
/// without sharding is left out; so is, with a warning, a name that several values
/// with different shardings have.
LogicalResult writePlan(ModuleOp module, llvm::raw_ostream &os);

} // namespace tp
} // namespace mlir

#endif // TP_PLAN_PLAN_H
