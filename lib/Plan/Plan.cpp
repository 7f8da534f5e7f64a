//===- Plan.cpp - Writing a plan into a module -----------------------------===//

#include "tp/Plan/Plan.h"

#include "tp/Plan/PlanValues.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tp;

/// Replaces the module's mesh, or adds one in front.
static void setMesh(ModuleOp module, const Mesh &mesh) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  std::string name = "mesh";
  if (MeshOp old = lookupMesh(module)) {
    name = old.getSymName().str();
    builder.setInsertionPointAfter(old);
    old.erase();
  }
  SmallVector<StringRef> names(mesh.names.begin(), mesh.names.end());
  MeshOp::create(builder, module.getLoc(), builder.getStringAttr(name),
                 builder.getStrArrayAttr(names), builder.getDenseI64ArrayAttr(mesh.sizes));
}

/// Every sharding of the plan must make sense on the mesh, whatever it is for.
static LogicalResult checkAxes(const Plan &plan, const Mesh &mesh) {
  for (const PlanSharding &entry : plan.shard)
    if (failed(getSharding(entry.sharding, mesh, entry.sharding.getDims().size(),
                           [&] { return emitError(entry.loc); })))
      return failure();
  return success();
}

namespace {
/// Which entries of "shard" or "priority" speak of which value.
template <typename Entry> class Matcher {
public:
  Matcher(const std::vector<Entry> &entries, ArrayRef<PlanValue> values)
      : entries(entries), values(values) {
    for (auto [i, entry] : llvm::enumerate(entries))
      if (StringRef(entry.key).contains('*'))
        globs.push_back(i);
      else
        exact[entry.key] = i;
    used.resize(entries.size());
    matches.resize(values.size());
    for (auto [i, value] : llvm::enumerate(values))
      match(value, matches[i]);
  }

  /// Entries for value `i` that count: the exact names, or else the globs.
  ArrayRef<const Entry *> forValue(size_t i) const { return matches[i]; }

  /// Emits one error when an entry is for no value.
  LogicalResult checkAllUsed() const {
    for (auto [entry, isUsed] : llvm::zip(entries, used))
      if (!isUsed)
        return emitUnused(entry);
    return success();
  }

private:
  const std::vector<Entry> &entries;
  ArrayRef<PlanValue> values;
  llvm::StringMap<size_t> exact;
  SmallVector<size_t> globs;
  SmallVector<bool> used;
  std::vector<SmallVector<const Entry *>> matches;

  void match(const PlanValue &value, SmallVector<const Entry *> &found) {
    for (const std::string &name : value.names)
      if (auto it = exact.find(name); it != exact.end()) {
        used[it->second] = true;
        found.push_back(&entries[it->second]);
      }
    bool isExact = !found.empty();
    for (size_t i : globs)
      if (llvm::any_of(value.names,
                       [&](const std::string &name) { return matchesKey(entries[i].key, name); })) {
        // A glob that exact names overrule everywhere is still of use.
        used[i] = true;
        if (!isExact)
          found.push_back(&entries[i]);
      }
  }

  LogicalResult emitUnused(const Entry &entry) const {
    InFlightDiagnostic diag = emitError(entry.keyLoc)
                              << '"' << entry.key << "\" names no value of the program";
    SmallVector<StringRef> near = findNearNames(entry.key, values);
    if (!near.empty()) {
      Diagnostic &note = diag.attachNote(entry.keyLoc) << "similar names: ";
      llvm::interleaveComma(near, note, [&](StringRef name) { note << '"' << name << '"'; });
    }
    return diag;
  }
};
} // namespace

/// Emits one error when two entries for the value say different things.
template <typename Entry, typename Read>
static LogicalResult checkAgree(ArrayRef<const Entry *> entries, const PlanValue &value,
                                StringRef what, Read read) {
  auto first = read(*entries.front());
  for (const Entry *other : entries.drop_front()) {
    auto second = read(*other);
    if (first == second)
      continue;
    InFlightDiagnostic diag = emitError(other->keyLoc)
                              << '"' << entries.front()->key << "\" and \"" << other->key
                              << "\" give " << value.name() << " different " << what << ", "
                              << first << " and " << second;
    diag.attachNote(entries.front()->keyLoc) << "the other is here";
    return diag;
  }
  return success();
}

/// `attr` for a value of this type, or one error at the entry.
static FailureOr<Sharding> resolve(const PlanSharding &entry, const PlanValue &value, Type type,
                                   const Mesh &mesh) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool isPlain = entry.sharding.getDims().empty() && entry.sharding.getPartials().empty();
  if (!tensor && !isPlain)
    return emitError(entry.loc) << value.name() << " is no ranked tensor but " << type
                                << ", it can only be []";
  return getSharding(entry.sharding, mesh, tensor ? tensor.getRank() : 0,
                     [&] { return emitError(entry.loc) << value.name() << ", " << type << ": "; });
}

/// Whether the sharding says nothing: what the other results of an op that has an
/// annotation are given.
static bool isOpen(const Sharding &sharding) { return sharding == Sharding(sharding.rank(), true); }

/// Writes the sharding at every place of the value.
static LogicalResult applySharding(const PlanValue &value, const PlanSharding &entry,
                                   const Mesh &mesh, PlaceWriter &writer) {
  for (const ValuePlace &place : value.places) {
    FailureOr<Sharding> sharding = resolve(entry, value, place.getType(), mesh);
    if (failed(sharding))
      return failure();
    if (ShardingAttr old = place.getSharding()) {
      Sharding annotated = getSharding(old, mesh, sharding->rank());
      if (annotated != *sharding && !isOpen(annotated)) {
        InFlightDiagnostic diag = emitError(entry.keyLoc)
                                  << '"' << entry.key << "\" gives " << value.name() << " "
                                  << toString(*sharding, mesh) << ", but the program says "
                                  << toString(annotated, mesh);
        diag.attachNote(place.getLoc()) << "it is annotated here";
        return diag;
      }
    }
    writer.setSharding(place, getShardingAttr(entry.sharding.getContext(), *sharding, mesh));
  }
  return success();
}

static LogicalResult applyShardings(const Plan &plan, ArrayRef<PlanValue> values, const Mesh &mesh,
                                    PlaceWriter &writer) {
  Matcher<PlanSharding> matcher(plan.shard, values);
  if (failed(matcher.checkAllUsed()))
    return failure();
  for (size_t i = 0; i < values.size(); ++i) {
    const PlanValue &value = values[i];
    ArrayRef<const PlanSharding *> entries = matcher.forValue(i);
    if (entries.empty())
      continue;
    Type type = value.places.front().getType();
    for (const PlanSharding *entry : entries)
      if (failed(resolve(*entry, value, type, mesh)))
        return failure();
    LogicalResult agreed = checkAgree(entries, value, "shardings", [&](const PlanSharding &entry) {
      return toString(*resolve(entry, value, type, mesh), mesh);
    });
    if (failed(agreed) || failed(applySharding(value, *entries.front(), mesh, writer)))
      return failure();
  }
  return success();
}

static LogicalResult applyPriorities(const Plan &plan, ArrayRef<PlanValue> values,
                                     PlaceWriter &writer) {
  Matcher<PlanPriority> matcher(plan.priority, values);
  if (failed(matcher.checkAllUsed()))
    return failure();
  for (auto [i, value] : llvm::enumerate(values)) {
    ArrayRef<const PlanPriority *> entries = matcher.forValue(i);
    if (entries.empty())
      continue;
    if (failed(checkAgree(entries, value, "priorities",
                          [](const PlanPriority &entry) { return entry.priority; })))
      return failure();
    for (const ValuePlace &place : value.places)
      writer.setPriority(place, entries.front()->priority);
  }
  return success();
}

LogicalResult tp::applyPlan(ModuleOp module, const Plan &plan) {
  bool hadMesh = lookupMesh(module) != nullptr;
  if (!plan.mesh && !hadMesh)
    return emitError(module.getLoc())
           << "a mesh is needed: in the plan (\"mesh\"), by --mesh or as a tp.mesh";
  module.getContext()->loadDialect<TPDialect>();
  if (plan.mesh) {
    setMesh(module, *plan.mesh);
    // Annotations of the program must fit the new mesh.
    if (hadMesh && failed(verify(module)))
      return failure();
  }
  Mesh mesh = getMesh(lookupMesh(module));
  if (failed(checkAxes(plan, mesh)))
    return failure();
  std::vector<PlanValue> values = collectPlanValues(module);
  PlaceWriter writer;
  if (failed(applyShardings(plan, values, mesh, writer)) ||
      failed(applyPriorities(plan, values, writer)))
    return failure();
  writer.finish();
  return success();
}
