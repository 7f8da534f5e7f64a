//===- ThreadCommunicator.cpp - collectives between threads ---------------===//

#include "ThreadCommunicator.h"

#include "../core/Reduce.h"
#include "tprt/memory.h"

#include <algorithm>
#include <cstring>

using namespace tprt;

namespace {

// Operands up to this size go through the staging buffers.
constexpr int64_t kStagingBytes = 32 << 10;
// Both staging buffers of a rank in a group.
constexpr int64_t kGroupBytes = 2 * kStagingBytes;
// Pieces of a large all-reduce start at multiples of this many elements, so
// that two ranks do not write the same cache line.
constexpr int64_t kPieceElements = 64;

/// Elements of this rank's operand.
int64_t operandElements(const CollectiveCall &call, int64_t size) {
  switch (call.kind) {
  case CollectiveKind::ReduceScatter:
    return call.outer * size * call.inner;
  case CollectiveKind::AllToAll:
    return size * call.inner;
  default:
    return call.outer * call.inner;
  }
}

const char *offsetBytes(const void *base, int64_t bytes) {
  return static_cast<const char *>(base) + bytes;
}
char *offsetBytes(void *base, int64_t bytes) { return static_cast<char *>(base) + bytes; }

/// dst of member `me` from all operands, for everything but a large
/// all-reduce.
void combineParts(const CollectiveCall &call, std::vector<const void *> &parts, int me) {
  const int size = int(parts.size());
  const int64_t elementSize = tprt_dtype_size(call.dtype);
  const int64_t rowBytes = call.inner * elementSize;
  switch (call.kind) {
  case CollectiveKind::AllReduce:
    reduceParts(call.reduction, call.dtype, parts.data(), size, call.dst, call.inner);
    return;
  case CollectiveKind::AllGather:
    for (int64_t row = 0; row < call.outer; ++row)
      for (int part = 0; part < size; ++part)
        std::memcpy(offsetBytes(call.dst, (row * size + part) * rowBytes),
                    offsetBytes(parts[part], row * rowBytes), size_t(rowBytes));
    return;
  case CollectiveKind::ReduceScatter: {
    for (const void *&part : parts)
      part = offsetBytes(part, me * rowBytes);
    for (int64_t row = 0; row < call.outer; ++row) {
      reduceParts(call.reduction, call.dtype, parts.data(), size,
                  offsetBytes(call.dst, row * rowBytes), call.inner);
      for (const void *&part : parts)
        part = offsetBytes(part, size * rowBytes);
    }
    return;
  }
  case CollectiveKind::AllToAll:
    for (int part = 0; part < size; ++part)
      std::memcpy(offsetBytes(call.dst, part * rowBytes), offsetBytes(parts[part], me * rowBytes),
                  size_t(rowBytes));
    return;
  case CollectiveKind::Permute:
    if (call.sources[me] < 0)
      std::memset(call.dst, 0, size_t(rowBytes));
    else
      std::memcpy(call.dst, parts[call.sources[me]], size_t(rowBytes));
    return;
  }
}

/// The piece of member `me` of a large all-reduce, into the result of every
/// member: no other member reads or writes it.
void reducePiece(const CollectiveCall &call, const ThreadGroup &group,
                 std::vector<const void *> &parts, int me) {
  const int size = int(parts.size());
  const int64_t elementSize = tprt_dtype_size(call.dtype);
  int64_t piece = (call.inner + size - 1) / size;
  piece = (piece + kPieceElements - 1) / kPieceElements * kPieceElements;
  const int64_t begin = std::min(call.inner, me * piece);
  const int64_t count = std::min(call.inner, begin + piece) - begin;
  if (!count)
    return;
  for (const void *&part : parts)
    part = offsetBytes(part, begin * elementSize);
  // In steps, so that the sum is still in the cache when it is copied.
  constexpr int64_t kStep = 4096;
  for (int64_t done = 0; done < count; done += kStep) {
    const int64_t step = std::min(kStep, count - done);
    const int64_t at = (begin + done) * elementSize;
    char *sum = offsetBytes(call.dst, at);
    reduceParts(call.reduction, call.dtype, parts.data(), size, sum, step);
    for (int member = 0; member < size; ++member)
      if (member != me)
        std::memcpy(offsetBytes(group.members[member]->dst, at), sum, size_t(step * elementSize));
    for (const void *&part : parts)
      part = offsetBytes(part, step * elementSize);
  }
}

} // namespace

ThreadGroup::ThreadGroup(const std::vector<int> &ranks) : ranks(ranks) {
  for (size_t i = 0; i < ranks.size(); ++i) {
    members.push_back(std::make_unique<Member>());
    if (ranks.size() > 1)
      for (auto &buffer : members.back()->staging)
        buffer.reset(new char[kStagingBytes]);
  }
}

ThreadFabric::ThreadFabric(Program &program) : program(program) { ThreadFabric::restart(); }

std::unique_ptr<Communicator> ThreadFabric::join(int rank) {
  return std::make_unique<ThreadCommunicator>(*this, rank);
}

void ThreadFabric::restart() {
  groups.clear();
  waits.clear();
  for (const GroupPartition &partition : program.groups()) {
    groups.emplace_back();
    for (const GroupInstance &instance : partition.instances)
      groups.back().push_back(std::make_unique<ThreadGroup>(instance.ranks));
  }
  for (int rank = 0; rank < program.numRanks(); ++rank)
    waits.push_back(std::make_unique<WaitRecord>());
}

ThreadCommunicator::ThreadCommunicator(ThreadFabric &fabric, int rank)
    : fabric(fabric), rank(rank), spin(fabric.program.spinNanoseconds()) {
  for (size_t group = 0; group < fabric.groups.size(); ++group) {
    GroupMembership membership = fabric.program.groups()[group].membership[rank];
    Place place;
    place.group = fabric.groups[group][membership.instance].get();
    place.index = membership.index;
    places.push_back(place);
  }
}

int64_t ThreadCommunicator::workspaceBytes() const {
  int64_t bytes = 0;
  for (const Place &place : places)
    if (place.group->ranks.size() > 1)
      bytes += kGroupBytes;
  return bytes;
}

int64_t tprt::threadCommunicationBytes(const Manifest &manifest) {
  if (manifest.target == Target::CUDA)
    return 0;
  int64_t bytes = 0;
  for (const std::vector<AxisPart> &group : manifest.groups) {
    int64_t ranks = 1;
    for (const AxisPart &part : group)
      ranks *= part.size;
    if (ranks > 1)
      bytes += kGroupBytes;
  }
  return bytes;
}

tprt_status_t ThreadCommunicator::run(const CollectiveCall &call) {
  Place &place = places[call.group];
  ThreadGroup &group = *place.group;
  const int size = int(group.ranks.size());
  const int64_t bytes = operandElements(call, size) * tprt_dtype_size(call.dtype);
  const bool staged = bytes <= kStagingBytes;
  ThreadGroup::Member &mine = *group.members[place.index];

  const uint32_t turn = place.staged % 2;
  if (staged) {
    std::memcpy(mine.staging[turn].get(), call.src, size_t(bytes));
    ++place.staged;
  } else {
    mine.src = call.src;
    mine.dst = call.dst;
  }
  if (tprt_status_t status = synchronise(place, call.op))
    return status;

  sources.resize(size_t(size));
  for (int member = 0; member < size; ++member)
    sources[member] =
        staged ? group.members[member]->staging[turn].get() : group.members[member]->src;
  if (!staged && call.kind == CollectiveKind::AllReduce)
    reducePiece(call, group, sources, place.index);
  else
    combineParts(call, sources, place.index);
  return staged ? TPRT_OK : synchronise(place, call.op);
}

tprt_status_t ThreadCommunicator::exchange(int32_t groupIndex, int32_t op, const CallHeader &mine,
                                           CallHeader *all) {
  Place &place = places[groupIndex];
  const uint32_t turn = place.headers++ % 2;
  place.group->members[place.index]->headers[turn] = mine;
  if (tprt_status_t status = synchronise(place, op))
    return status;
  for (size_t member = 0; member < place.group->members.size(); ++member)
    all[member] = place.group->members[member]->headers[turn];
  return TPRT_OK;
}
