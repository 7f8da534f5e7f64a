//===- SessionProcesses.cpp - one session in several processes ------------===//
//
// What a session does on rank 0 goes to the others as commands: inputs as the
// part of each rank, calls by number, the way back for results and reports.
// Commands are kept until one has to be carried out at once, so that a call with
// its inputs is one message.
//
//===----------------------------------------------------------------------===//

#include "SessionImpl.h"

#include <algorithm>
#include <cstring>
#include <sys/resource.h>

using namespace tprt;

namespace {

int64_t peakBytesOfThisProcess() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

} // namespace

SessionOptions Session::Impl::shareOptions(const SessionOptions &options) {
  SessionOptions shared = options;
  World *world = options.world;
  if (!world)
    return shared;
  BlobWriter blob;
  blob.put(options.randomSeed);
  blob.put(options.likeModel);
  blob.put(options.checkCollectives);
  blob.put(options.checkFinite);
  blob.put(options.jitterSeed.has_value());
  blob.put(options.jitterSeed.value_or(0));
  blob.put(options.poison);
  blob.put(options.graphs);
  blob.put(options.timeoutSeconds);
  blob.put(options.stats);
  blob.put(options.trace);
  blob.put(options.traceSpans);
  blob.put(options.autotune.has_value());
  if (world->rank() == 0) {
    for (int rank = 1; rank < world->size(); ++rank)
      world->send(rank, blob.bytes);
    return shared;
  }
  const std::string bytes = world->receive(0);
  BlobReader first(bytes);
  shared.randomSeed = first.get<uint64_t>();
  shared.likeModel = first.get<bool>();
  shared.checkCollectives = first.get<bool>();
  shared.checkFinite = first.get<bool>();
  const bool jitters = first.get<bool>();
  const uint64_t seed = first.get<uint64_t>();
  shared.jitterSeed = jitters ? std::optional<uint64_t>(seed) : std::nullopt;
  shared.poison = first.get<bool>();
  shared.graphs = first.get<bool>();
  shared.timeoutSeconds = first.get<double>();
  shared.stats = first.get<bool>();
  shared.trace = first.get<bool>();
  shared.traceSpans = first.get<int64_t>();
  // The file is rank 0's.
  shared.autotune = first.get<bool>() ? std::optional<std::string>("") : std::nullopt;
  return shared;
}

BlobWriter &Session::Impl::command(int rank, Command command) const {
  BlobWriter &blob = commands[size_t(rank)];
  blob.put(command);
  return blob;
}

void Session::Impl::commandAll(Command what, int32_t entry) const {
  for (int rank = 1; leads() && rank < program.numRanks(); ++rank) {
    BlobWriter &blob = command(rank, what);
    if (what == Command::Call)
      blob.put(entry);
  }
}

void Session::Impl::sendCommands() const {
  for (int rank = 1; leads() && rank < program.numRanks(); ++rank) {
    options.world->send(rank, commands[size_t(rank)].bytes);
    commands[size_t(rank)].bytes.clear();
  }
}

void Session::Impl::obey(const std::string &message) {
  const int rank = options.world->rank();
  BlobReader blob(message);
  while (!blob.atEnd())
    switch (blob.get<Command>()) {
    case Command::SetValue: {
      const size_t entry = size_t(blob.get<int32_t>());
      const size_t argument = size_t(blob.get<int32_t>());
      const ValueInfo &value = manifest.entries.at(entry).arguments.at(argument);
      void *to = entries[entry].pointers[size_t(rank)][argument];
      Device &device = *team->context(rank).device;
      void *staged = device.stage(to, value.localBytes());
      blob.getBytes(staged, size_t(value.localBytes()));
      device.unstage(to, staged, value.localBytes());
      statesUsed |= value.kind == ValueKind::State;
      break;
    }
    case Command::ResetStates:
      resetStates();
      break;
    case Command::Call:
      call(blob.get<int32_t>());
      break;
    case Command::Pass: {
      const int from = blob.get<int32_t>(), result = blob.get<int32_t>();
      const int entry = blob.get<int32_t>();
      pass(from, result, entry, blob.get<int32_t>());
      break;
    }
    case Command::Send: {
      const size_t entry = size_t(blob.get<int32_t>());
      const size_t position = size_t(blob.get<uint64_t>());
      const EntryInfo &info = manifest.entries.at(entry);
      const ValueInfo &value = position < info.arguments.size()
                                   ? info.arguments[position]
                                   : info.results.at(position - info.arguments.size());
      const size_t bytes = size_t(value.localBytes());
      std::string copy;
      const void *local = team->context(rank).device->view(
          entries[entry].pointers[size_t(rank)][position], int64_t(bytes), copy);
      options.world->send(0, std::string(static_cast<const char *>(local), bytes));
      break;
    }
    case Command::Report:
      options.world->send(0, ownReport());
      break;
    }
}

void Session::follow() {
  for (;;) {
    const std::string message = impl->options.world->receive(0);
    if (message.empty())
      return;
    impl->obey(message);
  }
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

std::string Session::Impl::ownReport() const {
  const int rank = options.world->rank();
  BlobWriter blob;
  blob.put(team->context(rank).communicator->workspaceBytes());
  blob.put(peakBytesOfThisProcess());
  if (!recorders.empty()) {
    const Recorder &recorder = *recorders[size_t(rank)];
    blob.putList(recorder.activity());
    blob.putList(recorder.spans());
    blob.put(recorder.spansLeftOut());
  }
  return blob.bytes;
}

void Session::Impl::collectReports() const {
  for (int rank : team->ranks())
    remotes[size_t(rank)] = {team->context(rank).communicator->workspaceBytes(),
                             peakBytesOfThisProcess()};
  if (!leads() || !reportsAreOld)
    return;
  reportsAreOld = false;
  commandAll(Command::Report, 0);
  sendCommands();
  for (int rank = 1; rank < program.numRanks(); ++rank) {
    const std::string bytes = options.world->receive(rank);
    BlobReader blob(bytes);
    remotes[size_t(rank)].workspaceBytes = blob.get<int64_t>();
    remotes[size_t(rank)].peakBytes = blob.get<int64_t>();
    if (recorders.empty())
      continue;
    auto activity = blob.getList<RankActivity>();
    auto spans = blob.getList<Span>();
    recorders[size_t(rank)]->restore(std::move(activity), std::move(spans), blob.get<int64_t>());
  }
}

int64_t Session::processPeakBytes() const {
  impl->collectReports();
  int64_t peak = 0;
  for (const Impl::Remote &remote : impl->remotes)
    peak = std::max(peak, remote.peakBytes);
  return peak;
}

/// The moment from which spans count, the same in all processes whatever their
/// clocks say: rank 0 asks each for its time. Processes whose every answer lies between
/// question and return have one clock, that of their machine; of others, the answer that
/// comes back soonest was given in the middle of its way.
Recorder::Clock::time_point Session::Impl::shareOrigin() const {
  using Clock = Recorder::Clock;
  constexpr int kQuestions = 8;
  World *world = options.world;
  if (!world)
    return Clock::now();
  if (world->rank()) {
    for (int i = 0; i < kQuestions; ++i) {
      world->receive(0);
      BlobWriter blob;
      blob.put(Clock::now().time_since_epoch().count());
      world->send(0, blob.bytes);
    }
    const std::string bytes = world->receive(0);
    return Clock::time_point(Clock::duration(BlobReader(bytes).get<Clock::rep>()));
  }
  const auto origin = Clock::now();
  for (int rank = 1; rank < world->size(); ++rank) {
    Clock::duration shortest = Clock::duration::max(), ahead{};
    bool isOneClock = true;
    for (int i = 0; i < kQuestions; ++i) {
      const auto asked = Clock::now();
      world->send(rank, "?");
      const std::string bytes = world->receive(rank);
      const auto way = Clock::now() - asked;
      const Clock::time_point there(Clock::duration(BlobReader(bytes).get<Clock::rep>()));
      isOneClock &= asked <= there && there <= asked + way;
      if (way >= shortest)
        continue;
      shortest = way;
      ahead = there - (asked + way / 2);
    }
    if (isOneClock)
      ahead = {};
    BlobWriter blob;
    blob.put((origin.time_since_epoch() + ahead).count());
    world->send(rank, blob.bytes);
  }
  return origin;
}
