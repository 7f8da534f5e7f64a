//===- ThreadWait.cpp - waiting for other rank threads --------------------===//
//
// Every wait ends: the peer arrives, a rank fails, the peer leaves the
// program, ranks wait for each other in a circle, or the time is up.
//
//===----------------------------------------------------------------------===//

#include "ThreadCommunicator.h"

#include "../core/Recorder.h"

#include <chrono>

using namespace tprt;

namespace {

// A sleeping rank looks this often at what may end its wait.
constexpr int kSleepMilliseconds = 50;

bool hasReached(const Signal &signal, uint32_t target) {
  return int32_t(signal.get() - target) >= 0;
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A consistent copy of another rank's wait record.
struct WaitSnapshot {
  uint32_t epoch = 0;
  int peer = -1;
  int32_t op = -1;

  /// False when that rank does not wait, or what it waits for has happened.
  bool read(const WaitRecord &record) {
    epoch = record.epoch.load(std::memory_order_acquire);
    if (epoch % 2 == 0)
      return false;
    peer = record.peer.load(std::memory_order_acquire);
    op = record.op.load(std::memory_order_acquire);
    const Signal *signal = record.signal.load(std::memory_order_acquire);
    uint32_t target = record.target.load(std::memory_order_acquire);
    return record.epoch.load(std::memory_order_acquire) == epoch && !hasReached(*signal, target);
  }
};

} // namespace

tprt_status_t ThreadCommunicator::fail(tprt_status_t status, int32_t op,
                                       const std::string &reason) {
  return fabric.program.fail(rank, status, op, reason);
}

tprt_status_t ThreadCommunicator::synchronise(Place &place, int32_t op) {
  place.group->members[place.index]->arrived.set(++place.arrived);
  const int64_t begin = recorder ? recorder->now() : 0;
  for (int member = 0, size = int(place.group->members.size()); member < size; ++member)
    if (member != place.index)
      if (tprt_status_t status = waitFor(place, member, op))
        return status;
  if (recorder)
    recorder->endWait(op, begin);
  return TPRT_OK;
}

tprt_status_t ThreadCommunicator::waitFor(const Place &place, int member, int32_t op) {
  Program &program = fabric.program;
  Signal &signal = place.group->members[member]->arrived;
  const uint32_t target = place.arrived;
  WaitRecord &record = *fabric.waits[rank];
  tprt_status_t status = TPRT_OK;
  bool recorded = false;
  std::chrono::steady_clock::time_point begin;

  auto done = [&] { return hasReached(signal, target); };
  auto sleep = [&] {
    if (!recorded) {
      record.peer.store(place.group->ranks[member], std::memory_order_release);
      record.op.store(op, std::memory_order_release);
      record.signal.store(&signal, std::memory_order_release);
      record.target.store(target, std::memory_order_release);
      record.epoch.fetch_add(1, std::memory_order_acq_rel);
      recorded = true;
      begin = std::chrono::steady_clock::now();
    }
    const uint32_t value = signal.get();
    if (int32_t(value - target) >= 0)
      return true;
    signal.sleep(value, kSleepMilliseconds);
    if (!done())
      status = checkPeer(place, member, op, secondsSince(begin));
    return status == TPRT_OK;
  };
  spin.wait(done, sleep);
  if (recorded)
    record.epoch.fetch_add(1, std::memory_order_acq_rel);
  if (status == TPRT_OK && program.aborted())
    status = TPRT_ABORTED;
  return status;
}

tprt_status_t ThreadCommunicator::checkPeer(const Place &place, int member, int32_t op,
                                            double waitedSeconds) {
  Program &program = fabric.program;
  const int peer = place.group->ranks[member];
  const bool left = !program.isInside(peer);
  // A rank that failed has said so before it left.
  if (program.aborted())
    return TPRT_ABORTED;
  if (left && !hasReached(place.group->members[member]->arrived, place.arrived))
    return fail(TPRT_PEER_LOST, op,
                "rank " + std::to_string(peer) + " has left the program and will not take part");
  std::string circle = findCircle();
  if (!circle.empty())
    return fail(TPRT_MISMATCH, op, "ranks wait for each other: " + circle);
  double limit = program.options().timeoutSeconds;
  if (limit > 0 && waitedSeconds > limit)
    return fail(TPRT_TIMED_OUT, op,
                "rank " + std::to_string(peer) + " did not arrive within " + std::to_string(limit) +
                    " s");
  return TPRT_OK;
}

std::string ThreadCommunicator::findCircle() {
  // Follow who waits for whom, from this rank until it comes back. A second
  // reading that finds every wait unchanged and still unmet proves that all of
  // them held at once: a waiting rank cannot meet another's wait.
  std::vector<int> path;
  std::vector<WaitSnapshot> snapshots;
  int current = rank;
  do {
    WaitSnapshot snapshot;
    if (path.size() > fabric.waits.size() || !snapshot.read(*fabric.waits[current]))
      return "";
    path.push_back(current);
    snapshots.push_back(snapshot);
    current = snapshot.peer;
  } while (current != rank);
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    WaitSnapshot again;
    if (!again.read(*fabric.waits[path[i]]) || again.epoch != snapshots[i].epoch)
      return "";
    text += (i ? ", " : "") + std::string("rank ") + std::to_string(path[i]) + " in " +
            fabric.program.describeOperation(snapshots[i].op) + " for rank " +
            std::to_string(snapshots[i].peer);
  }
  return text;
}
