//===- NcclWatch.cpp - collectives that do not end --------------------------===//

#include "NcclWatch.h"

#include "../core/Blob.h"

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

void Turns::endMaking() {
  std::lock_guard<std::mutex> lock(mutex);
  current.reset();
}

uint32_t Turns::begunOf(int32_t group) const {
  std::lock_guard<std::mutex> lock(mutex);
  return begun[size_t(group)];
}

std::vector<uint32_t> Turns::allBegun() const {
  std::lock_guard<std::mutex> lock(mutex);
  return begun;
}

std::vector<Turn> Turns::unfinished(const CudaDevice &device) const {
  // The driver may take its time, in which the rank goes on.
  std::vector<std::pair<Turn, Event>> recently;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (current)
      return {*current};
    const size_t first = enqueued.size() < recent ? 0 : next;
    for (size_t i = 0; device.isAwaited() && i < enqueued.size(); ++i)
      recently.push_back(enqueued[(first + i) % enqueued.size()]);
  }
  std::vector<Turn> result;
  for (const auto &[turn, done] : recently)
    if (Driver::get().eventQuery(done) == notReady)
      result.push_back(turn);
  return result;
}

//===----------------------------------------------------------------------===//
// NcclWatch
//===----------------------------------------------------------------------===//

NcclWatch::NcclWatch(Program &program, std::vector<const CudaDevice *> devices, Elsewhere elsewhere)
    : program(program), devices(std::move(devices)), elsewhere(std::move(elsewhere)),
      stuck(this->devices.size()), reports(this->devices.size()), told(this->devices.size()),
      comms(this->devices.size()) {
  for (int rank = 0; rank < program.numRanks(); ++rank)
    everyone.push_back(rank);
  for (const CudaDevice *device : this->devices)
    turns.push_back(device ? std::make_unique<Turns>(program.groups().size()) : nullptr);
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

std::optional<NcclResult> NcclWatch::stateOf(int rank, Comm comm) const {
  std::lock_guard<std::mutex> lock(mutex);
  const std::vector<Comm> &mine = comms[size_t(rank)];
  if (std::find(mine.begin(), mine.end(), comm) == mine.end())
    return std::nullopt;
  NcclResult state = ncclOk;
  const NcclResult result = Nccl::get().commGetAsyncError(comm, &state);
  return result == ncclOk ? state : result;
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

std::string NcclWatch::describe(int rank) const {
  BlobWriter blob;
  blob.putList(turns[size_t(rank)]->allBegun());
  std::lock_guard<std::mutex> lock(toldMutex);
  blob.putList(told[size_t(rank)]);
  return blob.bytes;
}

/// Takes what another process has told last: what its rank waits for.
std::vector<Turn> NcclWatch::hear(int rank, uint32_t &serial) {
  const ProgressReport report = elsewhere.reportOf(rank);
  serial = report.serial;
  if (report.details.empty())
    return {};
  const uint32_t runs = elsewhere.mine->runs.load();
  BlobReader blob(report.details);
  Report &known = reports[size_t(rank)];
  known.left = report.runs != runs ? int32_t(report.runs - runs) > 0 : !report.inside;
  known.begun = blob.getList<uint32_t>();
  return blob.getList<Turn>();
}

bool NcclWatch::hasLeft(int rank) const {
  return turns[size_t(rank)] ? !program.isInside(rank) : reports[size_t(rank)].left;
}

bool NcclWatch::hasBegun(int rank, const Turn &turn) const {
  if (turns[size_t(rank)])
    return turns[size_t(rank)]->begunOf(turn.group) > turn.number;
  const std::vector<uint32_t> &begun = reports[size_t(rank)].begun;
  return !begun.empty() && begun[size_t(turn.group)] > turn.number;
}

void NcclWatch::look() {
  const auto now = Clock::now();
  ++looks;
  for (size_t rank = 0; rank < stuck.size(); ++rank) {
    Stuck &old = stuck[rank];
    Stuck current;
    current.since = now;
    current.serial = looks;
    current.turns =
        turns[rank] ? turns[rank]->unfinished(*devices[rank]) : hear(int(rank), current.serial);
    if (!current.turns.empty() && !old.turns.empty() && current.turns[0].isSame(old.turns[0])) {
      current.since = old.since;
      current.seenBefore = true;
    }
    old = std::move(current);
  }
  if (elsewhere.mine) {
    std::lock_guard<std::mutex> lock(toldMutex);
    for (size_t rank = 0; rank < stuck.size(); ++rank)
      told[rank] = stuck[rank].turns;
  }
  for (size_t rank = 0; rank < stuck.size() && !program.aborted(); ++rank)
    if (turns[rank] && stuck[rank].seenBefore)
      judge(int(rank));
}

const std::vector<int> &NcclWatch::membersOf(int rank, int32_t group) const {
  if (size_t(group) == program.groups().size())
    return everyone;
  const GroupPartition &partition = program.groups()[size_t(group)];
  return partition.instances[size_t(partition.membership[size_t(rank)].instance)].ranks;
}

/// Why a rank that waits will wait for ever, if so.
void NcclWatch::judge(int rank) {
  const Stuck &mine = stuck[size_t(rank)];
  const Turn &turn = mine.turns[0];
  auto fail = [&](tprt_status_t status, const std::string &reason) {
    program.fail(rank, status, turn.op, (isMaking(turn) ? "NCCL joins the ranks: " : "") + reason);
  };
  std::vector<int> missing;
  for (int other : membersOf(rank, turn.group)) {
    // In this order: who has begun it may have left since.
    const bool left = hasLeft(other);
    if (hasBegun(other, turn))
      continue;
    // Who makes no communicators yet has not left.
    if (left && !isMaking(turn) && !program.aborted())
      return fail(TPRT_PEER_LOST,
                  "rank " + std::to_string(other) + " has left the program and will not take part");
    missing.push_back(other);
  }
  std::vector<int> path = {rank};
  if (findCircle(rank, path)) {
    if (!isConfirmed(path))
      return;
    std::string text;
    for (size_t i = 0; i < path.size(); ++i)
      text += (i ? ", " : "") + std::string("rank ") + std::to_string(path[i]) + " in " +
              program.describeOperation(stuck[size_t(path[i])].turns[0].op) + " for rank " +
              std::to_string(path[(i + 1) % path.size()]);
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

/// Whether the circle was there, with the same waits, at an earlier look, and each of its
/// ranks has told of its wait since: then all waited at one time.
bool NcclWatch::isConfirmed(std::vector<int> path) {
  constexpr uint32_t kReportsBetween = 2;
  // The same circle, from whichever of its ranks it was found.
  std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
  Circle current;
  for (int rank : path) {
    current.turns.push_back(stuck[size_t(rank)].turns[0]);
    current.serials.push_back(stuck[size_t(rank)].serial);
  }
  Circle &circle = circles[path];
  bool same = circle.turns.size() == path.size(), later = true;
  for (size_t i = 0; same && i < path.size(); ++i) {
    same = circle.turns[i].isSame(current.turns[i]);
    later &= current.serials[i] - circle.serials[i] >= kReportsBetween;
  }
  if (!same)
    circle = std::move(current);
  return same && later;
}

/// Whether what a rank is at cannot begin before another, which waits too, goes on.
bool NcclWatch::waitsFor(int rank, int other) const {
  const Turn &turn = stuck[size_t(rank)].turns[0];
  const Stuck &there = stuck[size_t(other)];
  if (!there.seenBefore || there.turns[0].isSame(turn))
    return false;
  return !hasBegun(other, turn) ||
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
