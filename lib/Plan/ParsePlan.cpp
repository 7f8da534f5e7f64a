//===- ParsePlan.cpp - Plans and meshes from text --------------------------===//

#include "tp/Plan/LocatedJson.h"
#include "tp/Plan/Plan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tp;
using Kind = LocatedJson::Kind;

/// As tp.mesh demands.
static constexpr int64_t kMaxDevices = 4096;

static bool isAxisName(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) && text != "_" &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Adds an axis to the mesh or emits one error.
static LogicalResult addAxis(Mesh &mesh, StringRef name, std::optional<int64_t> size,
                             StringRef sizeText, Location nameLoc, Location sizeLoc) {
  if (!isAxisName(name))
    return emitError(nameLoc) << "axis name \"" << name << "\" is not an identifier";
  if (mesh.axisIndex(name) >= 0)
    return emitError(nameLoc) << "axis \"" << name << "\" appears twice in the mesh";
  if (!size || *size < 1)
    return emitError(sizeLoc) << "axis \"" << name
                              << "\" must have an integer of at least 1 as size, found "
                              << sizeText;
  if (*size > kMaxDevices || mesh.numDevices() * *size > kMaxDevices)
    return emitError(sizeLoc) << "the mesh has more than " << kMaxDevices
                              << " devices: " << mesh.numDevices() << " times " << *size;
  mesh.names.push_back(name.str());
  mesh.sizes.push_back(*size);
  return success();
}

static LogicalResult expectObject(const LocatedJson &value, StringRef what) {
  if (value.kind == Kind::Object)
    return success();
  return emitError(value.loc) << what << " must be an object, found " << value.kindName();
}

static LogicalResult parseMesh(const LocatedJson &value, Plan &plan) {
  if (failed(expectObject(value, "\"mesh\"")))
    return failure();
  plan.mesh.emplace();
  plan.meshLoc = value.loc;
  for (const LocatedMember &axis : value.members) {
    const LocatedJson &size = axis.value;
    std::string found = size.kind == Kind::Number ? size.text : size.kindName().str();
    if (failed(addAxis(*plan.mesh, axis.key, size.integer(), found, axis.keyLoc, size.loc)))
      return failure();
  }
  return success();
}

static LogicalResult parseShard(const LocatedJson &value, Plan &plan, MLIRContext *context) {
  if (failed(expectObject(value, "\"shard\"")))
    return failure();
  for (const LocatedMember &member : value.members) {
    if (member.value.kind != Kind::String)
      return emitError(member.value.loc)
             << "the sharding of \"" << member.key << "\" must be a string, found "
             << member.value.kindName();
    std::string error;
    ShardingAttr sharding = parseSharding(member.value.text, context, error);
    if (!sharding) {
      InFlightDiagnostic diag = emitError(member.value.loc)
                                << '"' << member.value.text << "\" is not a sharding: " << error;
      diag.attachNote() << "a sharding has for each dimension an axis, several as (dp, tp), _ for "
                           "none or ? for open: \"[tp, _]\"";
      return diag;
    }
    for (PartialAttr partial : sharding.getPartials())
      if (!llvm::is_contained({ReductionKind::Sum, ReductionKind::Max, ReductionKind::Min},
                              partial.getKind()))
        return emitError(member.value.loc)
               << "a plan has partial values of kind sum, max and min, found "
               << stringifyReductionKind(partial.getKind());
    plan.shard.push_back({member.key, member.keyLoc, sharding, member.value.loc});
  }
  return success();
}

static LogicalResult parsePriority(const LocatedJson &value, Plan &plan) {
  if (failed(expectObject(value, "\"priority\"")))
    return failure();
  for (const LocatedMember &member : value.members) {
    std::optional<int64_t> priority = member.value.integer();
    if (!priority || *priority < 0)
      return emitError(member.value.loc)
             << "the priority of \"" << member.key << "\" must be an integer of at least 0, found "
             << (member.value.kind == Kind::Number ? StringRef(member.value.text)
                                                   : member.value.kindName());
    plan.priority.push_back({member.key, member.keyLoc, *priority});
  }
  return success();
}

static LogicalResult parseAlike(const LocatedJson &value, Plan &plan) {
  if (value.kind != Kind::Array)
    return emitError(value.loc) << "\"alike\" must be an array of lists of names, found "
                                << value.kindName();
  for (const LocatedJson &list : value.elements) {
    if (list.kind != Kind::Array || list.elements.empty())
      return emitError(list.loc) << "values that are alike must be a list of names, found "
                                 << (list.kind == Kind::Array ? "an empty one" : list.kindName());
    plan.alike.emplace_back();
    for (const LocatedJson &name : list.elements) {
      if (name.kind != Kind::String)
        return emitError(name.loc)
               << "the name of a value must be a string, found " << name.kindName();
      plan.alike.back().push_back({name.text, name.loc});
    }
  }
  return success();
}

static LogicalResult parseBarrier(const LocatedJson &value, Plan &plan) {
  if (failed(expectObject(value, "\"barrier\"")))
    return failure();
  for (const LocatedMember &member : value.members) {
    std::optional<BarrierDirection> direction;
    if (member.value.kind == Kind::String)
      direction = symbolizeBarrierDirection(member.value.text);
    if (!direction)
      return emitError(member.value.loc)
             << "the barrier of \"" << member.key
             << "\" must be \"forward\", \"backward\" or \"both\", found "
             << (member.value.kind == Kind::String ? '"' + member.value.text + '"'
                                                   : member.value.kindName().str());
    plan.barrier.push_back({member.key, member.keyLoc, *direction});
  }
  return success();
}

FailureOr<Plan> tp::parsePlan(StringRef text, StringRef fileName, MLIRContext *context) {
  FailureOr<LocatedJson> json = parseLocatedJson(text, fileName, context);
  if (failed(json) || failed(expectObject(*json, "a plan")))
    return failure();
  Plan plan;
  for (const LocatedMember &member : json->members) {
    LogicalResult parsed = success();
    if (member.key == "version") {
      bool isNumber = member.value.kind == LocatedJson::Kind::Number;
      if (member.value.integer() != 1)
        parsed = emitError(member.value.loc)
                 << "this reads plans of version 1, found "
                 << (isNumber ? StringRef(member.value.text) : member.value.kindName());
    } else if (member.key == "mesh") {
      parsed = parseMesh(member.value, plan);
    } else if (member.key == "shard") {
      parsed = parseShard(member.value, plan, context);
    } else if (member.key == "priority") {
      parsed = parsePriority(member.value, plan);
    } else if (member.key == "alike") {
      parsed = parseAlike(member.value, plan);
    } else if (member.key == "barrier") {
      parsed = parseBarrier(member.value, plan);
    } else {
      parsed = emitError(member.keyLoc)
               << "unknown key \"" << member.key
               << "\", a plan has \"version\", \"mesh\", \"shard\", \"priority\", \"alike\" and "
                  "\"barrier\"";
    }
    if (failed(parsed))
      return failure();
  }
  return plan;
}

FailureOr<Mesh> tp::parseMeshOption(StringRef text, MLIRContext *context) {
  Location loc = NameLoc::get(StringAttr::get(context, "--mesh"));
  Mesh mesh;
  SmallVector<StringRef> axes;
  text.split(axes, ',');
  for (StringRef axis : axes) {
    auto [name, sizeText] = axis.split('=');
    if (name.size() == axis.size()) {
      emitError(loc) << "expected AXIS=SIZE{,AXIS=SIZE}, found \"" << text << '"';
      return failure();
    }
    int64_t size;
    bool isInteger = !sizeText.getAsInteger(10, size);
    if (failed(addAxis(mesh, name, isInteger ? std::optional(size) : std::nullopt,
                       ("\"" + sizeText + "\"").str(), loc, loc)))
      return failure();
  }
  return mesh;
}

Mesh tp::overrideMesh(const std::optional<Mesh> &plan, const Mesh &given) {
  bool onlySizes =
      plan && given.numAxes() < plan->numAxes() &&
      llvm::all_of(
          given.names, [&](const std::string &name) { return plan->axisIndex(name) >= 0; });
  if (!onlySizes)
    return given;
  Mesh mesh = *plan;
  for (auto [name, size] : llvm::zip(given.names, given.sizes))
    mesh.sizes[mesh.axisIndex(name)] = size;
  return mesh;
}
