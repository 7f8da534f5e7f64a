//===- SessionReports.cpp - what a session tells about its run ------------===//

#include "SessionImpl.h"
#include "Trace.h"

#include <algorithm>

using namespace tprt;

std::vector<MemoryItem> Session::memoryItems() const {
  int64_t communication = 0;
  impl->collectReports();
  for (const Impl::Remote &remote : impl->remotes)
    communication = std::max(communication, remote.workspaceBytes);
  return tprt::memoryItems(impl->manifest, communication);
}

MemoryUse Session::memory() const { return memoryUse(memoryItems()); }

EntryActivity Session::activity(int entry) const {
  EntryActivity result;
  if (impl->recorders.empty())
    return result;
  impl->collectReports();
  result.calls = impl->calls.at(size_t(entry));
  result.seconds = impl->callSeconds.at(size_t(entry));
  for (const auto &recorder : impl->recorders)
    result.ranks.push_back(recorder->activity()[size_t(entry)]);
  return result;
}

std::string Session::howRun(int entry) const {
  return impl->team->context(impl->team->ranks().front()).device->howRun(entry);
}

std::string Session::howSmallCollectives() const {
  return impl->team->context(impl->team->ranks().front()).communicator->howSmall();
}

int64_t Session::writeTrace(const std::function<void(const std::string &)> &write) const {
  impl->collectReports();
  std::vector<const Recorder *> ranks;
  int64_t leftOut = 0;
  for (const auto &recorder : impl->recorders) {
    ranks.push_back(recorder.get());
    leftOut += recorder->spansLeftOut();
  }
  tprt::writeTrace(impl->manifest, ranks, write);
  return leftOut;
}
