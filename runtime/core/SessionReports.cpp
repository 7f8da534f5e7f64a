//===- SessionReports.cpp - what a session tells about its run ------------===//

#include "SessionImpl.h"
#include "Trace.h"

#include <algorithm>

using namespace tprt;

MemoryUse Session::memory() const {
  MemoryUse use;
  for (const auto &[name, stored] : impl->stored)
    (stored.info->kind == ValueKind::State ? use.state : use.weights) += stored.info->localBytes();
  use.arena = impl->arenaBytes;
  use.workspace = impl->ioBytes;
  int64_t communication = 0;
  for (int rank = 0; rank < numRanks(); ++rank)
    communication =
        std::max(communication, impl->team.context(rank).communicator->workspaceBytes());
  use.workspace += communication;
  return use;
}

std::vector<MemoryItem> Session::memoryItems() const {
  std::vector<MemoryItem> items;
  for (const auto &[name, stored] : impl->stored)
    items.push_back(
        {name, stored.info->kind == ValueKind::State ? MemoryKind::State : MemoryKind::Weights,
         stored.info->localBytes()});
  const MemoryUse use = memory();
  // The entries share one arena.
  items.push_back({"the largest entry's", MemoryKind::Arena, use.arena});
  int64_t communication = use.workspace;
  for (const EntryInfo &entry : impl->manifest.entries) {
    auto add = [&](const ValueInfo &value) {
      items.push_back({entry.name + ", " + value.name, MemoryKind::Workspace, value.localBytes()});
      communication -= value.localBytes();
    };
    for (const ValueInfo &argument : entry.arguments)
      if (argument.kind == ValueKind::Input)
        add(argument);
    for (const ValueInfo &result : entry.results)
      if (result.state < 0)
        add(result);
  }
  items.push_back({"communication", MemoryKind::Workspace, communication});
  std::sort(items.begin(), items.end(), [](const MemoryItem &a, const MemoryItem &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  });
  return items;
}

EntryActivity Session::activity(int entry) const {
  EntryActivity result;
  if (impl->recorders.empty())
    return result;
  result.calls = impl->calls.at(size_t(entry));
  result.seconds = impl->callSeconds.at(size_t(entry));
  for (const auto &recorder : impl->recorders)
    result.ranks.push_back(recorder->activity()[size_t(entry)]);
  return result;
}

int64_t Session::writeTrace(const std::function<void(const std::string &)> &write) const {
  std::vector<const Recorder *> ranks;
  int64_t leftOut = 0;
  for (const auto &recorder : impl->recorders) {
    ranks.push_back(recorder.get());
    leftOut += recorder->spansLeftOut();
  }
  tprt::writeTrace(impl->manifest, ranks, write);
  return leftOut;
}
