//===- SessionImpl.h - what a session owns ----------------------*- C++ -*-===//

#ifndef TPRT_CORE_SESSIONIMPL_H
#define TPRT_CORE_SESSIONIMPL_H

#include "../threads/RankTeam.h"
#include "Buffer.h"
#include "Recorder.h"
#include "tprt/session.h"

#include <functional>
#include <map>
#include <memory>

namespace tprt {

/// One buffer per rank.
using RankBuffers = std::vector<Buffer>;

class Session::Impl {
public:
  Impl(const tprt_module_t &module, const SessionOptions &options);

  /// A parameter or state, shared by the entries.
  struct Stored {
    const ValueInfo *info;
    RankBuffers buffers;
  };
  struct Entry {
    tprt_entry_fn function = nullptr;
    std::vector<RankBuffers> inputs;           ///< per argument, empty for stored ones
    std::vector<RankBuffers> results;          ///< per result, empty for states
    std::vector<std::vector<void *>> pointers; ///< per rank, as the entry gets them
  };

  RankBuffers allocate(const ValueInfo &value);
  void allocateEntry(int index, const tprt_module_t &module);
  void loadParameters();
  void startRecording();
  void runOnRanks(const std::function<void(tprt_context &)> &body);
  void poisonMemory(tprt_context &ctx, int entry);
  tprt_status_t checkFinite(tprt_context &ctx, int entry);
  const Stored &findStored(const std::string &name) const;
  void scatter(const ValueInfo &target, const Array &value, const std::string &what,
               const std::vector<void *> &locals);
  Array gather(int entry, const ValueInfo &value, size_t position, const std::string &what) const;

  const SessionOptions options;
  const Manifest manifest;
  Program program;
  RankTeam team;
  std::map<std::string, Stored> stored;
  std::vector<Entry> entries;
  RankBuffers arenas;
  int64_t arenaBytes = 0;
  std::vector<std::unique_ptr<Recorder>> recorders; ///< per rank, when asked for
  std::vector<int64_t> calls;                       ///< per entry, when asked for
  std::vector<double> callSeconds;
  double loadSeconds = 0;
  bool statesUsed = false; ///< they may be other than zero
};

} // namespace tprt

#endif // TPRT_CORE_SESSIONIMPL_H
