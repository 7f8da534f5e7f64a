//===- ProcessWorld.cpp - one process per rank ----------------------------===//

#include "ProcessWorld.h"

#include "../core/Blob.h"
#include "../core/CountText.h"
#include "Launch.h"
#include "Patience.h"
#include "ProcessCommunicator.h"

#include <cstdio>
#include <random>
#include <unistd.h>

using namespace tprt;

namespace {

using Clock = std::chrono::steady_clock;

// Of messages on the communicator of all processes.
constexpr int32_t kSizeTag = 1, kDataTag = 2;
// Of a program's communicator.
constexpr int32_t kDoneTag = 3;

constexpr int64_t kMaxMessageBytes = int64_t(1) << 30;
// An idle server looks for its next request this often.
constexpr int64_t kLongestSleepNanoseconds = 20000000;
constexpr int64_t kSpinNanoseconds = 20000;

uint64_t hashOf(const std::string &text) { // FNV-1a
  uint64_t hash = 1469598103934665603u;
  for (unsigned char c : text)
    hash = (hash ^ c) * 1099511628211u;
  return hash;
}

std::string hexadecimal(uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::string secondsText(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%g s", seconds);
  return text;
}

std::string packError(const std::optional<Error> &error) {
  BlobWriter blob;
  blob.put(int32_t(error ? error->exitCode() : 0));
  blob.putText(error ? error->what() : "");
  blob.putTexts(error ? error->notes() : std::vector<std::string>());
  return blob.bytes;
}

std::optional<Error> unpackError(const std::string &bytes) {
  BlobReader blob(bytes);
  const int32_t code = blob.get<int32_t>();
  const std::string message = blob.getText();
  const std::vector<std::string> notes = blob.getTexts();
  if (!code)
    return std::nullopt;
  return Error(code, message, notes);
}

} // namespace

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void ProcessWorld::check(int32_t code) const {
  if (code)
    throw runFailure("rank " + std::to_string(number) + ": " + transport.problem());
}

void ProcessWorld::await(tprt_request_t request, const Check &mayWait) {
  Patience patience(kLongestSleepNanoseconds);
  int32_t done = 0;
  try {
    for (;;) {
      check(transport.test(&request, &done));
      if (done)
        return;
      if (patience.seconds() * 1e9 < kSpinNanoseconds)
        continue;
      mayWait();
      patience.sleep();
    }
  } catch (...) {
    transport.drop(&request, 1);
    throw;
  }
}

void ProcessWorld::transfer(bool sends, int32_t communicator, int peer, int32_t tag, void *data,
                            int64_t bytes, const Check &mayWait) {
  for (int64_t first = 0; first < bytes || first == 0; first += kMaxMessageBytes) {
    const int64_t size = std::min(bytes - first, kMaxMessageBytes);
    tprt_request_t request;
    char *part = static_cast<char *>(data) + first;
    check(sends ? transport.send(communicator, peer, tag, part, size, &request)
                : transport.receive(communicator, peer, tag, part, size, &request));
    await(request, mayWait);
  }
}

void ProcessWorld::sendMessage(int to, const std::string &message, const Check &mayWait) {
  uint64_t size = message.size();
  transfer(true, 0, to, kSizeTag, &size, sizeof size, mayWait);
  transfer(true, 0, to, kDataTag, const_cast<char *>(message.data()), int64_t(size), mayWait);
}

std::string ProcessWorld::receiveMessage(int from, const Check &mayWait) {
  uint64_t size = 0;
  transfer(false, 0, from, kSizeTag, &size, sizeof size, mayWait);
  std::string message(size, 0);
  transfer(false, 0, from, kDataTag, message.data(), int64_t(size), mayWait);
  return message;
}

ProcessWorld::Check ProcessWorld::checkFor(int peer) {
  return [this, peer] {
    if (watch->troubled())
      throw watch->settle();
    if (watch->hasLeft(peer))
      throw runFailure(watch->nameOf(peer) + " has ended, others still wait for it");
  };
}

void ProcessWorld::send(int to, const std::string &message) {
  sendMessage(to, message, checkFor(to));
}

std::string ProcessWorld::receive(int from) { return receiveMessage(from, checkFor(from)); }

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

namespace {

/// Ends the process when the start of the transport, which nothing can interrupt,
/// takes longer.
class StartLimit {
public:
  explicit StartLimit(double seconds)
      : thread([this, seconds] {
          std::unique_lock<std::mutex> lock(mutex);
          if (changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return over; }))
            return;
          _exit(endAlone(runFailure("MPI has not started within " + secondsText(seconds) +
                                        ": not all processes take part, or a host does not answer",
                                    {"--start-timeout S waits longer"})));
        }) {}
  ~StartLimit() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      over = true;
    }
    changed.notify_one();
    thread.join();
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  std::thread thread;
};

} // namespace

ProcessWorld::ProcessWorld(const tprt_transport_t &transport, const std::string &manifest,
                           const ProcessOptions &options)
    : transport(transport) {
  std::optional<Listener> listener;
  if (transport.channel) {
    check(transport.start(&number, &count)); // which has a limit of its own
  } else {
    const StartLimit limit(options.startSeconds);
    check(transport.start(&number, &count));
    listener.emplace();
  }
  ProcessInfo mine = describeThisProcess();
  mine.port = listener ? listener->port() : 0;
  mine.program = hashOf(manifest);
  const std::vector<int> sockets =
      meet(listener ? &*listener : nullptr, mine, options.startSeconds);
  std::vector<WatchedPeer> peers;
  for (int peer = 0; peer < count; ++peer)
    peers.push_back({sockets[size_t(peer)], !listener && number && peer ? 0 : -1,
                     processes[size_t(peer)].host, processes[size_t(peer)].pid});
  watch =
      std::make_unique<Watch>(number, std::move(peers), options.silenceSeconds, transport.drain);
}

std::vector<int> ProcessWorld::meet(Listener *listener, const ProcessInfo &mine,
                                    double startSeconds) {
  // Rank 0 gathers what processes say of themselves and gives it to all; then all
  // connect to each other, and the first problem becomes that of all. Rank 0 gives
  // up first, so that it can still name who does not answer.
  const auto begin = Clock::now();
  auto seconds = [](double value) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
  };
  auto answerWithin = [&](int peer, double limit) -> Check {
    const auto deadline = begin + seconds(limit);
    return [this, peer, deadline, startSeconds] {
      if (Clock::now() < deadline)
        return;
      const bool known = !processes.empty() && processes[size_t(peer)].pid;
      throw runFailure("rank " + std::to_string(peer) +
                           (known ? " on " + processes[size_t(peer)].host : std::string()) +
                           " did not answer rank " + std::to_string(number) + " within " +
                           secondsText(startSeconds) + " of the start",
                       {"--start-timeout S waits longer"});
    };
  };
  std::string token(16, 0);
  if (number == 0) {
    processes.resize(size_t(count));
    processes[0] = mine;
    for (int peer = 1; peer < count; ++peer)
      processes[size_t(peer)] =
          ProcessInfo::unpack(receiveMessage(peer, answerWithin(peer, startSeconds)));
    std::random_device random;
    for (char &c : token)
      c = char(random());
    BlobWriter blob;
    blob.putText(token);
    for (const ProcessInfo &process : processes)
      blob.putText(process.pack());
    for (int peer = 1; peer < count; ++peer)
      sendMessage(peer, blob.bytes, answerWithin(peer, startSeconds));
  } else {
    sendMessage(0, mine.pack(), answerWithin(0, startSeconds + 2));
    const std::string bytes = receiveMessage(0, answerWithin(0, startSeconds + 2));
    BlobReader blob(bytes);
    token = blob.getText();
    for (int peer = 0; peer < count; ++peer)
      processes.push_back(ProcessInfo::unpack(blob.getText()));
  }

  std::vector<int> sockets;
  std::optional<Error> problem;
  try {
    sockets = listener
                  ? listener->connectAll(number, processes, token, begin + seconds(startSeconds))
                  : channels();
  } catch (const Error &error) {
    problem = error;
  }
  if (number == 0) {
    for (int peer = 1; peer < count; ++peer) {
      const std::optional<Error> other =
          unpackError(receiveMessage(peer, answerWithin(peer, startSeconds + 4)));
      // Who could not connect says more than who waited for it.
      if (other)
        problem = other;
    }
    for (int peer = 1; peer < count; ++peer)
      sendMessage(peer, packError(problem), answerWithin(peer, startSeconds + 4));
  } else {
    sendMessage(0, packError(problem), answerWithin(0, startSeconds + 6));
    problem = unpackError(receiveMessage(0, answerWithin(0, startSeconds + 6)));
  }
  if (problem)
    throw *problem;
  return sockets;
}

/// Sockets of the transport for the watch, by rank.
std::vector<int> ProcessWorld::channels() {
  const ProcessInfo &mine = processes[size_t(number)];
  std::vector<int> sockets(processes.size(), -1);
  for (int peer = 0; peer < count; ++peer) {
    const ProcessInfo &other = processes[size_t(peer)];
    if (peer != number)
      check(transport.channel(peer, other.machine == mine.machine ? other.pid : 0,
                              &sockets[size_t(peer)]));
  }
  return sockets;
}

int ProcessWorld::sharing() const {
  const ProcessInfo &mine = processes[size_t(number)];
  int result = 0;
  for (const ProcessInfo &other : processes)
    result += other.machine == mine.machine && other.processors == mine.processors;
  return result;
}

int ProcessWorld::localRank() const {
  if (const std::optional<Launcher> launcher = findLauncher(); launcher && launcher->localRank >= 0)
    return launcher->localRank;
  int result = 0;
  for (int peer = 0; peer < number; ++peer)
    result += processes[size_t(peer)].machine == processes[size_t(number)].machine;
  return result;
}

void ProcessWorld::checkProgram(int numRanks) {
  // All know the same of each other, so all throw the same.
  for (int peer = 1; peer < count; ++peer)
    if (processes[size_t(peer)].program != processes[0].program)
      throw badInput("ranks run different programs: the manifest of " + watch->nameOf(peer) +
                         " has the hash " + hexadecimal(processes[size_t(peer)].program) +
                         ", that of rank 0 " + hexadecimal(processes[0].program),
                     {"start the same executable, compiled with one plan, on every host"});
  if (count != numRanks)
    throw badInput("the program's mesh has " + countText(numRanks, "rank") +
                       ", it was started as " + countText(count, "process", "es"),
                   {"start as many processes as it has ranks, or one alone: ranks are then its "
                    "threads"});
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// The rank of this process; a process beyond the program's mesh has none and
/// only waits for the others.
class ProcessWorld::ProcessTeam : public Team {
public:
  ProcessTeam(ProcessWorld &world, Program &program, std::unique_ptr<Equipment> given)
      : world(world), program(program), progress(program.groups().size()),
        equipment(std::move(given)), attachment(*world.watch, program, progress) {
    if (world.watch->troubled()) // a process has failed before it came so far
      throw world.watch->settle();
    const bool member = world.number < program.numRanks();
    world.check(world.transport.split(0, 0, world.number, &everyone));
    world.check(world.transport.split(everyone, member ? 0 : -1, world.number, &members));
    if (!member)
      return;
    numbers.push_back(world.number);
    mine = std::make_unique<tprt_context>(program, world.number);
    mine->communicator = std::make_unique<ProcessCommunicator>(
        world.transport, *world.watch, program, progress, world.number, members);
    if (!equipment)
      return;
    mine->device = &equipment->device();
    mine->device->enter();
    try {
      mine->communicator = equipment->join(
          std::move(mine->communicator), progress,
          [watch = world.watch.get()](int rank) { return watch->progressOf(rank); });
    } catch (const Error &error) {
      if (error.status() == TPRT_ABORTED) // for what another, or the watch, has told
        throw world.watch->settle();
      throw;
    }
  }

  const std::vector<int> &ranks() const override { return numbers; }
  tprt_context &context(int) override { return *mine; }

  void run(const RankBody &body) override {
    progress.inside.store(true); // before the number: see Progress::read
    progress.runs.fetch_add(1);
    if (mine) {
      program.setInside(mine->rank, true);
      runRank(program, *mine, body);
    }
    progress.inside.store(false);
    if (!world.watch->troubled())
      waitForAll();
    if (world.watch->troubled())
      world.watch->settle();
  }

  void restart() override {
    throw runFailure("a rank has failed, and ranks that are processes do not begin anew");
  }

private:
  /// All tell rank 0 that they are done, and it tells all; nothing where a process
  /// has failed.
  void waitForAll() {
    struct Failing {};
    const Check mayWait = [this] {
      if (world.watch->troubled())
        throw Failing();
    };
    auto signal = [&](bool sends, int peer) {
      char none = 0;
      world.transfer(sends, everyone, peer, kDoneTag, &none, sizeof none, mayWait);
    };
    try {
      if (world.number)
        signal(true, 0), signal(false, 0);
      for (int peer = 1; world.number == 0 && peer < world.count; ++peer)
        signal(false, peer);
      for (int peer = 1; world.number == 0 && peer < world.count; ++peer)
        signal(true, peer);
    } catch (const Failing &) {
    }
  }

  /// While it lives, the watch looks at the rank: also where its making fails half way.
  struct Attachment {
    Attachment(Watch &watch, Program &program, Progress &progress)
        : watch(watch), progress(progress) {
      watch.attach(&program, &progress);
    }
    ~Attachment() {
      progress.setDetails(nullptr);
      watch.detach();
    }
    Watch &watch;
    Progress &progress;
  };

  ProcessWorld &world;
  Program &program;
  Progress progress;
  int32_t everyone = -1, members = -1; ///< communicators
  std::vector<int> numbers;
  const std::unique_ptr<Equipment> equipment; ///< null: processors
  std::unique_ptr<tprt_context> mine;
  const Attachment attachment; ///< last, so that it ends first
};

std::unique_ptr<Team> ProcessWorld::join(Program &program, std::unique_ptr<Equipment> equipment) {
  return std::make_unique<ProcessTeam>(*this, program, std::move(equipment));
}

//===----------------------------------------------------------------------===//
// End
//===----------------------------------------------------------------------===//

/// An empty message to all.
void ProcessWorld::tellTheEnd() {
  try {
    for (int peer = 1; peer < count; ++peer)
      send(peer, "");
  } catch (const Error &) { // the watch knows
  }
}

int ProcessWorld::end(const Error *error) {
  if (!error && number == 0)
    tellTheEnd();
  if (!error && !watch->troubled() && !transport.finish()) {
    watch->leave();
    return kExitDone;
  }
  if (!watch->troubled())
    watch->report(error ? *error : runFailure(transport.problem()));
  const Error verdict = watch->settle();
  watch->conclude(verdict);
  std::fflush(nullptr);
  _exit(verdict.exitCode());
}
