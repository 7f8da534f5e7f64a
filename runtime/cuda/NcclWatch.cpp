//===- NcclWatch.cpp - collectives that do not end --------------------------===//

#include "NcclWatch.h"

#include <algorithm>

using namespace tprt;
using namespace tprt::cuda;

namespace {

constexpr std::chrono::milliseconds kInterval(50);

/// "rank 1", "ranks 1, 3".
std::string namesOf(const std::vector<int> &ranks) {
  std::string text = ranks.size() > 1 ? "ranks " : "rank ";
  for (size_t i = 0; i < ranks.size(); ++i)
    text += (i ? ", " : "") + std::to_string(ranks[i]);
  return text;
}

} // namespace

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

void Turns::begin(int32_t group, int32_t op) {
  std::lock_guard<std::mutex> lock(mutex);
  current = Turn{group, begun[size_t(group)]++, op};
}

void Turns::end(Event done) {
  std::lock_guard<std::mutex> lock(mutex);
  if (enqueued.size() < recent)
    enqueued.resize(enqueued.size() + 1);
  enqueued[next] = {*current, done};
  next = (next + 1) % recent;
  current.reset();
}

uint32_t Turns::begunOf(int32_t group) const {
  std::lock_guard<std::mutex> lock(mutex);
  return begun[size_t(group)];
}

std::vector<Turn> Turns::unfinished(const CudaDevice &device) const {
  std::lock_guard<std::mutex> lock(mutex);
  if (current)
    return {*current};
  std::vector<Turn> result;
  if (!device.isAwaited())
    return result;
  const size_t first = enqueued.size() < recent ? 0 : next;
  for (size_t i = 0; i < enqueued.size(); ++i) {
    const auto &[turn, done] = enqueued[(first + i) % enqueued.size()];
    if (Driver::get().eventQuery(done) == notReady)
      result.push_back(turn);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// NcclWatch
//===----------------------------------------------------------------------===//

NcclWatch::NcclWatch(Program &program, std::vector<const CudaDevice *> devices)
    : program(program), devices(std::move(devices)), stuck(this->devices.size()),
      comms(this->devices.size()) {
  for (size_t rank = 0; rank < this->devices.size(); ++rank)
    turns.push_back(std::make_unique<Turns>(program.groups().size()));
  thread = std::thread([this] { serve(); });
}

NcclWatch::~NcclWatch() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  woken.notify_all();
  thread.join();
}

void NcclWatch::add(int rank, Comm comm) {
  std::lock_guard<std::mutex> lock(mutex);
  comms[size_t(rank)].push_back(comm);
}

bool NcclWatch::remove(int rank) {
  std::lock_guard<std::mutex> lock(mutex);
  const bool theirs = !comms[size_t(rank)].empty();
  comms[size_t(rank)].clear();
  return theirs;
}

void NcclWatch::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!woken.wait_for(lock, kInterval, [&] { return stopping; })) {
    lock.unlock();
    if (!program.aborted())
      look();
    lock.lock();
    if (program.aborted())
      abortAll();
  }
}

/// With the mutex held: no rank gives up its communicators meanwhile.
void NcclWatch::abortAll() {
  for (std::vector<Comm> &ofRank : comms) {
    for (Comm comm : ofRank)
      Nccl::get().commAbort(comm);
    ofRank.clear();
  }
}

void NcclWatch::look() {
  const auto now = Clock::now();
  for (size_t rank = 0; rank < stuck.size(); ++rank) {
    Stuck &old = stuck[rank];
    Stuck current{turns[rank]->unfinished(*devices[rank]), now};
    if (!current.turns.empty() && !old.turns.empty() && current.turns[0].isSame(old.turns[0])) {
      current.since = old.since;
      current.seenBefore = true;
    }
    old = std::move(current);
  }
  for (size_t rank = 0; rank < stuck.size() && !program.aborted(); ++rank)
    if (stuck[rank].seenBefore)
      judge(int(rank));
}

const std::vector<int> &NcclWatch::membersOf(int rank, int32_t group) const {
  const GroupPartition &partition = program.groups()[size_t(group)];
  return partition.instances[size_t(partition.membership[size_t(rank)].instance)].ranks;
}

/// Why a rank that waits will wait for ever, if so.
void NcclWatch::judge(int rank) {
  const Stuck &mine = stuck[size_t(rank)];
  const Turn &turn = mine.turns[0];
  auto fail = [&](tprt_status_t status, const std::string &reason) {
    program.fail(rank, status, turn.op, reason);
  };
  std::vector<int> missing;
  for (int other : membersOf(rank, turn.group)) {
    // In this order: who has begun it may have left since.
    const bool left = !program.isInside(other);
    if (turns[size_t(other)]->begunOf(turn.group) > turn.number)
      continue;
    if (left && !program.aborted())
      return fail(TPRT_PEER_LOST,
                  "rank " + std::to_string(other) + " has left the program and will not take part");
    missing.push_back(other);
  }
  std::vector<int> circle = {rank};
  if (findCircle(rank, circle)) {
    std::string text;
    for (size_t i = 0; i < circle.size(); ++i)
      text += (i ? ", " : "") + std::string("rank ") + std::to_string(circle[i]) + " in " +
              program.describeOperation(stuck[size_t(circle[i])].turns[0].op) + " for rank " +
              std::to_string(circle[(i + 1) % circle.size()]);
    return fail(TPRT_MISMATCH, "ranks wait for each other: " + text);
  }
  const double limit = program.options().timeoutSeconds;
  if (limit > 0 && std::chrono::duration<double>(Clock::now() - mine.since).count() > limit)
    return fail(TPRT_TIMED_OUT,
                (missing.empty() ? std::string("all ranks have begun it and it did not end")
                                 : namesOf(missing) + " did not arrive") +
                    " within " + std::to_string(limit) + " s");
  std::lock_guard<std::mutex> lock(mutex);
  for (Comm comm : comms[size_t(rank)]) {
    NcclResult result = ncclOk;
    if (Nccl::get().commGetAsyncError(comm, &result) == ncclOk && result != ncclOk &&
        result != ncclInProgress)
      return fail(TPRT_FAILED, std::string("NCCL: ") + Nccl::get().getLastError(comm));
  }
}

/// Whether what a rank is at cannot begin before another, which waits too, goes on.
bool NcclWatch::waitsFor(int rank, int other) const {
  const Turn &turn = stuck[size_t(rank)].turns[0];
  const Stuck &there = stuck[size_t(other)];
  if (!there.seenBefore || there.turns[0].isSame(turn))
    return false;
  return turns[size_t(other)]->begunOf(turn.group) <= turn.number ||
         std::any_of(there.turns.begin(), there.turns.end(),
                     [&](const Turn &later) { return later.isSame(turn); });
}

/// Continues `path` from its end until it comes back to `rank`.
bool NcclWatch::findCircle(int rank, std::vector<int> &path) const {
  const int end = path.back();
  for (int other : membersOf(end, stuck[size_t(end)].turns[0].group)) {
    if (other == end || !waitsFor(end, other))
      continue;
    if (other == rank)
      return true;
    if (std::find(path.begin(), path.end(), other) != path.end())
      continue;
    path.push_back(other);
    if (findCircle(rank, path))
      return true;
    path.pop_back();
  }
  return false;
}
