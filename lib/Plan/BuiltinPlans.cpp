//===- BuiltinPlans.cpp - Plans by name ------------------------------------===//
//
// What a role (tp.role, set by tp-import) is cut on. Parameters, states and the
// residual stream have roles; inputs are replicated, the rest follows by
// propagation.
//
//===----------------------------------------------------------------------===//

#include "tp/Plan/HeadSplit.h"
#include "tp/Plan/Plan.h"
#include "tp/Plan/PlanValues.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::tp;

namespace {
struct RoleSharding {
  StringRef role;
  /// Axes per dimension: `tp`, or `K` and `G` for the parts of it that cut kv
  /// heads and the query heads of each.
  StringRef sharding;
  /// Which dimension counts kv heads; -1: none.
  int kvHeads = -1;
};
} // namespace

/// Tensor parallelism as Megatron-LM does it: what makes features is cut by
/// columns (heads of the attention, rows of the vocabulary), what takes them by
/// rows, so that a layer needs one sum after the attention and one after the MLP.
/// A bias is cut with the features that it is added to, or whole where those are
/// summed first.
static constexpr RoleSharding kMegatron[] = {
    {"embedding", "[tp, _]"},
    {"head", "[tp, _]"},
    {"attention_query", "[K, G, _, _]", 0},
    {"attention_key", "[K, _, _]", 0},
    {"attention_value", "[K, _, _]", 0},
    {"attention_output", "[_, K, G, _]", 1},
    {"attention_query_bias", "[K, G, _]", 0},
    {"attention_key_bias", "[K, _]", 0},
    {"attention_value_bias", "[K, _]", 0},
    {"attention_output_bias", "[]"},
    {"mlp_column", "[tp, _]"},
    {"mlp_column_bias", "[tp]"},
    {"mlp_row", "[_, tp]"},
    {"mlp_row_bias", "[]"},
    {"norm", "[]"},
    {"position_embedding", "[]"},
    {"head_bias", "[tp]"},
    {"kv_cache", "[_, K, _, _]", 1},
};

/// Sums that the layers add to.
static constexpr StringRef kResidual = "residual";

ArrayRef<StringRef> tp::getBuiltinPlans() {
  static constexpr StringRef names[] = {"replicated", "megatron", "megatron-sp"};
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
    if (StringAttr role = place.getRole())
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

/// Size of a dimension of a value; 0 where it has no such dimension.
static int64_t getDimSize(const PlanValue &value, int dim) {
  auto type = dyn_cast<RankedTensorType>(value.places.front().getType());
  return type && dim >= 0 && dim < type.getRank() ? type.getDimSize(dim) : 0;
}

namespace {
/// Cuts the values of a module on the axis `tp`.
class Megatron {
public:
  /// Those in which the residual stream is cut on the sequence, too, are called
  /// by another name.
  Megatron(StringRef name, ModuleOp module, Plan plan)
      : name(name), module(module), context(module.getContext()), plan(std::move(plan)) {}

  FailureOr<Plan> make();

private:
  void collectGroups(ArrayRef<PlanValue> values);
  std::string getAxes(int64_t parts, int64_t before);
  LogicalResult add(const PlanValue &value, StringAttr role);
  void addResidual(const PlanValue &value);
  InFlightDiagnostic emitProblem() {
    return emitError(module.getLoc()) << "the plan \"" << name << "\" ";
  }

  StringRef name;
  ModuleOp module;
  MLIRContext *context;
  Plan plan;
  int64_t devices = 1;
  /// Per number of kv heads the most query heads that one of them has.
  DenseMap<int64_t, int64_t> groups;
};
} // namespace

void Megatron::collectGroups(ArrayRef<PlanValue> values) {
  for (const PlanValue &value : values)
    if (StringAttr role = getRole(value); role && role.getValue() == "attention_query") {
      int64_t &group = groups[getDimSize(value, 0)];
      group = std::max(group, getDimSize(value, 1));
    }
}

/// The part of `tp` with `parts` coordinates below `before` major ones.
std::string Megatron::getAxes(int64_t parts, int64_t before) {
  if (parts == 1)
    return "_";
  if (parts == devices)
    return "tp";
  return ("tp:(" + Twine(before) + ")" + Twine(parts)).str();
}

/// [batch, sequence, hidden]: cut on the sequence where there is more than one
/// position. What parameters are cut on comes first: where both want the axis, the
/// sequence is gathered, and sums are scattered.
void Megatron::addResidual(const PlanValue &value) {
  if (name != "megatron-sp" || getDimSize(value, 1) == 1)
    return;
  Location loc = value.places.front().getLoc();
  std::string key = value.names.back();
  plan.shard.push_back({key, loc, parseKnown("[_, tp, _]", context), loc});
  plan.priority.push_back({key, loc, 1});
}

LogicalResult Megatron::add(const PlanValue &value, StringAttr role) {
  if (role.getValue() == kResidual) {
    addResidual(value);
    return success();
  }
  Location loc = value.places.front().getLoc();
  const RoleSharding *known = llvm::find_if(
      kMegatron, [&](const RoleSharding &entry) { return entry.role == role.getValue(); });
  if (known == std::end(kMegatron)) {
    InFlightDiagnostic diag = emitError(loc) << "unknown tp.role " << role << ", known are ";
    llvm::interleaveComma(kMegatron, diag, [&](const RoleSharding &entry) { diag << entry.role; });
    return diag << ", " << kResidual;
  }
  int64_t kvHeads = getDimSize(value, known->kvHeads), group = groups.lookup(kvHeads);
  HeadSplit split{devices, 1};
  if (kvHeads > 0 && group > 0)
    split = chooseHeadSplit(kvHeads, group, devices);
  std::string text;
  for (char letter : known->sharding) {
    if (letter == 'K')
      text += getAxes(split.kvHeads, 1);
    else if (letter == 'G')
      text += getAxes(split.group, split.kvHeads);
    else
      text += letter;
  }
  // An exact name that no other value has.
  plan.shard.push_back({value.names.back(), loc, parseKnown(text, context), loc});
  return success();
}

FailureOr<Plan> Megatron::make() {
  int axis = plan.mesh->axisIndex("tp");
  if (axis < 0)
    return emitProblem() << "cuts on axis \"tp\", which the mesh does not have";
  devices = plan.mesh->sizes[axis];
  std::vector<PlanValue> values = collectPlanValues(module);
  collectGroups(values);
  bool anyRole = false;
  for (const PlanValue &value : values) {
    Location loc = value.places.front().getLoc();
    if (isInput(value)) {
      plan.shard.push_back({value.names.back(), loc, parseKnown("[]", context), loc});
      continue;
    }
    StringAttr role = getRole(value);
    if (!role)
      continue;
    anyRole = true;
    if (failed(add(value, role)))
      return failure();
  }
  if (!anyRole)
    return emitProblem()
           << "needs arguments with a tp.role, which tp-import sets; give a plan file "
              "instead";
  return std::move(plan);
}

FailureOr<Plan> tp::makeBuiltinPlan(StringRef name, ModuleOp module, const Mesh &mesh) {
  Plan plan;
  plan.mesh = mesh;
  if (name == "megatron" || name == "megatron-sp")
    return Megatron(name, module, std::move(plan)).make();
  assert(name == "replicated" && "no other plan is built in");
  for (const PlanValue &value : collectPlanValues(module)) {
    Location loc = value.places.front().getLoc();
    if (value.places.front().kind == ValuePlace::Kind::OpResult)
      continue;
    plan.shard.push_back({value.names.back(), loc, parseKnown("[]", module.getContext()), loc});
  }
  return plan;
}
