//===- Matcher.h - Lines of a plan and the values they speak of -*- C++ -*-===//

#ifndef LIB_PLAN_MATCHER_H
#define LIB_PLAN_MATCHER_H

#include "tp/Plan/PlanValues.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

namespace mlir {
namespace tp {

/// Which entries of "shard", "priority" or "barrier" speak of which value.
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
    namesDims.resize(entries.size());
    matches.resize(values.size());
    for (auto [i, value] : llvm::enumerate(values))
      match(value, matches[i]);
  }

  /// Entries for value `i` that count: the exact names, or else the globs.
  ArrayRef<const Entry *> forValue(size_t i) const { return matches[i]; }

  /// Whether the entry is a glob that names values with dimensions: it passes over those
  /// without.
  bool passesOverScalars(const Entry &entry) const {
    return StringRef(entry.key).contains('*') && namesDims[&entry - entries.data()];
  }

  /// Emits one error when an entry is for no value.
  LogicalResult checkAllUsed() const {
    for (auto [entry, isUsed] : llvm::zip(entries, used))
      if (!isUsed)
        return emitUnknownName(entry.keyLoc, entry.key, values);
    return success();
  }

private:
  const std::vector<Entry> &entries;
  ArrayRef<PlanValue> values;
  llvm::StringMap<size_t> exact;
  SmallVector<size_t> globs;
  SmallVector<bool> used, namesDims;
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
        namesDims[i] |= value.hasDims();
        if (!isExact)
          found.push_back(&entries[i]);
      }
  }
};

/// Emits one error when two entries for the value say different things.
template <typename Entry, typename Read>
LogicalResult checkAgree(ArrayRef<const Entry *> entries, const PlanValue &value, StringRef what,
                         Read read) {
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

} // namespace tp
} // namespace mlir

#endif // LIB_PLAN_MATCHER_H
