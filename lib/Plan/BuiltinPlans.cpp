//===- BuiltinPlans.cpp - Plans by name ------------------------------------===//
//
// What a role (tp.role, set by tp-import) is cut on. Only parameters and states
// have roles; inputs are replicated, results follow by propagation.
//
//===----------------------------------------------------------------------===//

#include "tp/Plan/Plan.h"
#include "tp/Plan/PlanValues.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::tp;

namespace {
struct RoleSharding {
  StringRef role;
  StringRef sharding;
};
} // namespace

/// Tensor parallelism as Megatron-LM does it: what makes features is cut by
/// columns (heads of the attention, rows of the vocabulary), what takes them by
/// rows, so that a layer needs one sum after the attention and one after the MLP.
static constexpr RoleSharding kMegatron[] = {
    {"embedding", "[tp, _]"},
    {"head", "[tp, _]"},
    {"attention_query", "[tp, _, _, _]"},
    {"attention_key", "[tp, _, _]"},
    {"attention_value", "[tp, _, _]"},
    {"attention_output", "[_, tp, _, _]"},
    {"mlp_column", "[tp, _]"},
    {"mlp_row", "[_, tp]"},
    {"norm", "[]"},
    {"kv_cache", "[_, tp, _, _]"},
};

ArrayRef<StringRef> tp::getBuiltinPlans() {
  static constexpr StringRef names[] = {"replicated", "megatron"};
  return names;
}

static ShardingAttr parseKnown(StringRef text, MLIRContext *context) {
  std::string error;
  ShardingAttr sharding = parseSharding(text, context, error);
  assert(sharding && "built-in plans are well-formed");
  return sharding;
}

/// The role of a value, from the first place that has one.
static StringAttr getRole(const PlanValue &value) {
  for (const ValuePlace &place : value.places)
    if (place.kind == ValuePlace::Kind::Argument)
      if (auto role =
              cast<func::FuncOp>(place.op).getArgAttrOfType<StringAttr>(place.number, kRoleAttr))
        return role;
  return {};
}

static bool isInput(const PlanValue &value) {
  const ValuePlace &place = value.places.front();
  if (place.kind != ValuePlace::Kind::Argument)
    return false;
  auto kind = cast<func::FuncOp>(place.op).getArgAttrOfType<StringAttr>(place.number, kKindAttr);
  return !kind || kind.getValue() == "input";
}

static FailureOr<Plan> makeMegatron(ModuleOp module, Plan plan) {
  MLIRContext *context = module.getContext();
  if (plan.mesh->axisIndex("tp") < 0)
    return emitError(module.getLoc())
           << "the plan \"megatron\" cuts on axis \"tp\", which the mesh does not have";
  bool anyRole = false;
  for (const PlanValue &value : collectPlanValues(module)) {
    // An exact name that no other value has.
    std::string key = value.names.back();
    Location loc = value.places.front().getLoc();
    if (isInput(value)) {
      plan.shard.push_back({key, loc, parseKnown("[]", context), loc});
      continue;
    }
    StringAttr role = getRole(value);
    if (!role)
      continue;
    anyRole = true;
    const RoleSharding *known = llvm::find_if(
        kMegatron, [&](const RoleSharding &entry) { return entry.role == role.getValue(); });
    if (known == std::end(kMegatron)) {
      InFlightDiagnostic diag = emitError(loc) << "unknown tp.role " << role << ", known are ";
      llvm::interleaveComma(kMegatron, diag,
                            [&](const RoleSharding &entry) { diag << entry.role; });
      return diag;
    }
    plan.shard.push_back({key, loc, parseKnown(known->sharding, context), loc});
  }
  if (!anyRole)
    return emitError(module.getLoc()) << "the plan \"megatron\" needs arguments with a tp.role, "
                                         "which tp-import sets; give a plan file instead";
  return plan;
}

FailureOr<Plan> tp::makeBuiltinPlan(StringRef name, ModuleOp module, const Mesh &mesh) {
  Plan plan;
  plan.mesh = mesh;
  if (name == "megatron")
    return makeMegatron(module, std::move(plan));
  assert(name == "replicated" && "no other plan is built in");
  for (const PlanValue &value : collectPlanValues(module)) {
    Location loc = value.places.front().getLoc();
    if (value.places.front().kind == ValuePlace::Kind::OpResult)
      continue;
    plan.shard.push_back({value.names.back(), loc, parseKnown("[]", module.getContext()), loc});
  }
  return plan;
}
