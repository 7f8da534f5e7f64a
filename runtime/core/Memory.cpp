//===- Memory.cpp - what a program takes of memory ------------------------===//

#include "tprt/memory.h"

#include <algorithm>
#include <set>

using namespace tprt;

std::vector<MemoryItem> tprt::memoryItems(const Manifest &manifest, int64_t communicationBytes) {
  std::vector<MemoryItem> items;
  std::set<std::string> stored;
  int64_t arena = 0;
  for (const EntryInfo &entry : manifest.entries) {
    arena = std::max(arena, entry.arenaBytes);
    auto addWorkspace = [&](const ValueInfo &value) {
      items.push_back({entry.name + ", " + value.name, MemoryKind::Workspace, value.localBytes()});
    };
    for (const ValueInfo &argument : entry.arguments) {
      if (argument.kind == ValueKind::Input)
        addWorkspace(argument);
      else if (stored.insert(argument.name).second)
        items.push_back(
            {argument.name,
             argument.kind == ValueKind::State ? MemoryKind::State : MemoryKind::Weights,
             argument.localBytes()});
    }
    for (const ValueInfo &result : entry.results)
      if (result.state < 0)
        addWorkspace(result);
  }
  items.push_back({"the largest entry's", MemoryKind::Arena, arena});
  items.push_back({"matrix products", MemoryKind::Workspace, productWorkspaceBytes(manifest)});
  items.push_back({"communication", MemoryKind::Workspace, communicationBytes});
  std::sort(items.begin(), items.end(), [](const MemoryItem &a, const MemoryItem &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  });
  return items;
}

int64_t tprt::productWorkspaceBytes(const Manifest &manifest) {
  return manifest.target == Target::CUDA && !manifest.products.empty() ? kProductWorkspaceBytes : 0;
}

MemoryUse tprt::memoryUse(const std::vector<MemoryItem> &items) {
  MemoryUse use;
  int64_t *const sums[] = {&use.weights, &use.state, &use.arena, &use.workspace};
  for (const MemoryItem &item : items)
    *sums[int(item.kind)] += item.bytes;
  return use;
}
