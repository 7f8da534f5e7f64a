//===- SessionImpl.h - what a session owns ----------------------*- C++ -*-===//

#ifndef TPRT_CORE_SESSIONIMPL_H
#define TPRT_CORE_SESSIONIMPL_H

#include "Blob.h"
#include "Buffer.h"
#include "Recorder.h"
#include "Team.h"
#include "World.h"
#include "tprt/session.h"

#include <functional>
#include <map>
#include <memory>

namespace tprt {

/// One buffer per rank; ranks of other processes have none here.
using RankBuffers = std::vector<Buffer>;

class Session::Impl {
public:
  Impl(const tprt_module_t &module, const SessionOptions &options);
  ~Impl();

  /// A parameter or state, shared by the entries.
  struct Stored {
    const ValueInfo *info;
    RankBuffers buffers;
  };
  /// A result of an entry that is to be an argument of another one.
  struct Passed {
    int from, result, argument;
  };
  struct Entry {
    tprt_entry_fn function = nullptr;
    std::vector<RankBuffers> inputs;           ///< per argument, empty for stored ones
    std::vector<RankBuffers> results;          ///< per result, empty for states
    std::vector<std::vector<void *>> pointers; ///< per rank, as the entry gets them
    std::vector<Passed> passed;                ///< to the next call
  };

  void reserve();
  RankBuffers allocate(const ValueInfo &value);
  RankBuffers allocateStored(const ValueInfo &value);
  void zeroStates(int rank);
  void allocateEntry(int index, const tprt_module_t &module);
  void loadParameters();
  void chooseProducts();
  void startRecording();
  /// Tells communicators what small collectives take.
  void shareArenas();
  void resetStates();
  void call(int entry);
  void runOnRanks(const std::function<void(tprt_context &)> &body);
  void poisonMemory(tprt_context &ctx, int entry);
  tprt_status_t checkFinite(tprt_context &ctx, int entry);
  /// Entry and position of an argument that is this parameter or state.
  std::pair<int, int> findStored(const std::string &name) const;
  /// Gives an argument its global value.
  void scatter(const Array &value, const std::string &what, int entry, int argument);
  /// The next call of `entry` begins with a copy of result `result` of entry `from`, which
  /// is sharded alike.
  void pass(int from, int result, int entry, int argument);
  Array gather(int entry, const ValueInfo &value, size_t position, const std::string &what) const;

  // Between processes (SessionProcesses.cpp); nothing where all ranks are here.
  enum class Command : uint8_t { SetValue, ResetStates, Call, Pass, Send, Report };
  /// What the process of a rank tells about itself.
  struct Remote {
    int64_t workspaceBytes = 0, peakBytes = 0;
  };
  bool leads() const { return options.world && options.world->rank() == 0; }
  static SessionOptions shareOptions(const SessionOptions &options);
  /// Adds a command to what the process of `rank` gets next.
  BlobWriter &command(int rank, Command command) const;
  void commandAll(Command command, int32_t entry) const;
  void sendCommands() const;
  void obey(const std::string &message);
  std::string ownReport() const;
  /// Asks the others for their part of reports, where calls made it old.
  void collectReports() const;
  Recorder::Clock::time_point shareOrigin() const;

  const SessionOptions options;
  const Manifest manifest;
  Program program;
  const std::unique_ptr<Team> team;
  std::map<std::string, Stored> stored;
  std::vector<Entry> entries;
  RankBuffers arenas;
  RankBuffers largeValues; ///< per rank, what its large parameters and states are parts of
  int64_t largeBytes = 0;  ///< of them in use
  int64_t arenaBytes = 0, symmetricBytes = 0;
  std::vector<std::unique_ptr<Recorder>> recorders; ///< per rank, when asked for
  std::vector<int64_t> calls;                       ///< per entry, when asked for
  std::vector<double> callSeconds;
  double loadSeconds = 0;
  bool statesUsed = false;                  ///< they may be other than zero
  mutable std::vector<BlobWriter> commands; ///< per rank, not sent yet
  mutable std::vector<Remote> remotes;      ///< per rank
  mutable bool reportsAreOld = true;
};

} // namespace tprt

#endif // TPRT_CORE_SESSIONIMPL_H
