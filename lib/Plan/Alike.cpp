//===- Alike.cpp - Groups of values that are sharded as one ----------------===//
//
// A list of "alike" makes one group of all values that its names speak of, with the
// groups that these are in already. A group is a name in `tp.group`.
//
//===----------------------------------------------------------------------===//

#include "tp/Plan/Plan.h"
#include "tp/Plan/PlanValues.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tp;

/// What the program says of the value, by the first place that says something.
static StringRef getGroup(const PlanValue &value) {
  for (const ValuePlace &place : value.places)
    if (StringRef group = place.getGroup(); !group.empty())
      return group;
  return "";
}

namespace {
/// A value by its number, and the name that a list calls it by.
struct Member {
  size_t value;
  const PlanMember *said;
};

class Grouper {
public:
  Grouper(ArrayRef<PlanValue> values, const Mesh &mesh) : values(values), mesh(mesh) {
    for (const PlanValue &value : values)
      if (StringRef group = getGroup(value); !group.empty())
        taken.insert(group);
  }

  LogicalResult add(ArrayRef<PlanMember> list);
  LogicalResult write();

private:
  LogicalResult find(ArrayRef<PlanMember> list, SmallVectorImpl<Member> &members);
  LogicalResult checkAlike(const Member &first, const Member &second);
  FailureOr<std::string> nameGroup(ArrayRef<size_t> group);

  ArrayRef<PlanValue> values;
  const Mesh &mesh;
  llvm::StringSet<> taken; ///< names of groups
  llvm::EquivalenceClasses<size_t> classes;
  DenseMap<size_t, const PlanMember *> saidBy;
};
} // namespace

LogicalResult Grouper::find(ArrayRef<PlanMember> list, SmallVectorImpl<Member> &members) {
  llvm::SmallDenseSet<size_t> seen;
  for (const PlanMember &said : list) {
    SmallVector<size_t> found;
    for (auto [i, value] : llvm::enumerate(values))
      if (llvm::any_of(value.names,
                       [&](const std::string &name) { return matchesKey(said.key, name); }))
        found.push_back(i);
    if (found.empty())
      return emitUnknownName(said.keyLoc, said.key, values);
    // A glob passes over scalars unless it is for these alone.
    auto hasDims = [&](size_t i) { return values[i].hasDims(); };
    if (StringRef(said.key).contains('*') && llvm::any_of(found, hasDims))
      llvm::erase_if(found, [&](size_t i) { return !hasDims(i); });
    for (size_t i : found) {
      Type type = values[i].places.front().getType();
      if (!isa<RankedTensorType>(type))
        return emitError(said.keyLoc) << values[i].name() << " is no ranked tensor but " << type
                                      << ", it has no sharding that others could share";
      if (seen.insert(i).second)
        members.push_back({i, &said});
    }
  }
  if (members.size() > 1)
    return success();
  return emitError(list.front().keyLoc) << "a list of \"alike\" needs at least two values, "
                                        << values[members.front().value].name() << " is one";
}

/// Emits one error where the shapes or the shardings of the two differ.
LogicalResult Grouper::checkAlike(const Member &first, const Member &second) {
  const ValuePlace &a = values[first.value].places.front();
  const ValuePlace &b = values[second.value].places.front();
  auto reject = [&](const Twine &what) {
    InFlightDiagnostic diag = emitError(second.said->keyLoc)
                              << values[first.value].name() << " and "
                              << values[second.value].name() << " are to be sharded alike, but "
                              << what;
    diag.attachNote(first.said->keyLoc) << "the other is here";
    return diag;
  };
  auto typeA = cast<RankedTensorType>(a.getType()), typeB = cast<RankedTensorType>(b.getType());
  if (typeA.getShape() != typeB.getShape()) {
    std::string types;
    llvm::raw_string_ostream(types) << typeA << " and " << typeB;
    return reject("have different shapes, " + types);
  }
  ShardingAttr attrA = a.getSharding(), attrB = b.getSharding();
  if (!attrA || !attrB)
    return success();
  Sharding shardingA = getSharding(attrA, mesh, typeA.getRank());
  Sharding shardingB = getSharding(attrB, mesh, typeB.getRank());
  Sharding open(typeA.getRank(), /*open=*/true);
  if (shardingA == shardingB || shardingA == open || shardingB == open)
    return success();
  return reject("have different shardings, " + toString(shardingA, mesh) + " and " +
                toString(shardingB, mesh));
}

LogicalResult Grouper::add(ArrayRef<PlanMember> list) {
  SmallVector<Member> members;
  if (failed(find(list, members)))
    return failure();
  for (const Member &member : members) {
    saidBy.try_emplace(member.value, member.said);
    classes.unionSets(members.front().value, member.value);
  }
  return success();
}

/// The name that the program gives one of the values, or a new one.
FailureOr<std::string> Grouper::nameGroup(ArrayRef<size_t> group) {
  size_t namedBy = group.front();
  for (size_t i : group) {
    StringRef name = getGroup(values[i]), known = getGroup(values[namedBy]);
    if (known.empty()) {
      namedBy = i;
    } else if (!name.empty() && name != known) {
      InFlightDiagnostic diag = emitError(saidBy.lookup(i)->keyLoc)
                                << values[namedBy].name() << " and " << values[i].name()
                                << " are in different groups of the program already, \"" << known
                                << "\" and \"" << name << '"';
      diag.attachNote(values[i].places.front().getLoc()) << "give both the same tp.group here";
      return diag;
    }
  }
  std::string name = getGroup(values[namedBy]).str();
  if (name.empty())
    for (name = values[group.front()].name().str(); !taken.insert(name).second;)
      name += '\'';
  return name;
}

LogicalResult Grouper::write() {
  PlaceWriter writer;
  llvm::DenseSet<size_t> done;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!saidBy.contains(i) || done.contains(i))
      continue;
    SmallVector<size_t> group(classes.findLeader(i), classes.member_end());
    llvm::sort(group);
    done.insert(group.begin(), group.end());
    FailureOr<std::string> name = nameGroup(group);
    if (failed(name))
      return failure();
    // With open members between them, two that differ need not be neighbours.
    for (auto [at, second] : llvm::enumerate(group))
      for (size_t first : ArrayRef(group).take_front(at))
        if (failed(checkAlike({first, saidBy.lookup(first)}, {second, saidBy.lookup(second)})))
          return failure();
    for (size_t member : group)
      for (const ValuePlace &place : values[member].places)
        writer.setText(place, kGroupAttr, *name);
  }
  writer.finish();
  return success();
}

LogicalResult tp::applyGroups(const Plan &plan, ArrayRef<PlanValue> values, const Mesh &mesh) {
  Grouper grouper(values, mesh);
  for (const std::vector<PlanMember> &list : plan.alike)
    if (failed(grouper.add(list)))
      return failure();
  return grouper.write();
}
