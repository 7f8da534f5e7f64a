//===- ProcessCommunicator.cpp - collectives between processes ------------===//

#include "ProcessCommunicator.h"

#include "../core/Recorder.h"
#include "../core/Reduce.h"
#include "ProcessStop.h"

#include <algorithm>
#include <cstring>

using namespace tprt;

namespace {

// All-reduces up to this size are one step of direct exchange.
constexpr int64_t kAtOnceBytes = 8 << 10;
// Larger operands go in blocks, which bounds the scratch memory.
constexpr int64_t kBlockBytes = 4 << 20;
// Rows of this size are messages of their own, smaller ones are packed.
constexpr int64_t kRowBytes = 16 << 10;
constexpr int64_t kMaxMessageBytes = int64_t(1) << 30;

const char *at(const void *base, int64_t bytes) { return static_cast<const char *>(base) + bytes; }
char *at(void *base, int64_t bytes) { return static_cast<char *>(base) + bytes; }

} // namespace

ProcessCommunicator::ProcessCommunicator(const tprt_transport_t &transport, Watch &watch,
                                         Program &program, Progress &progress, int rank,
                                         int32_t communicator)
    : transport(transport), watch(watch), program(program), progress(progress), rank(rank),
      spin(program.spinNanoseconds()) {
  for (const GroupPartition &partition : program.groups()) {
    const GroupMembership &mine = partition.membership[size_t(rank)];
    Place made;
    made.ranks = &partition.instances[size_t(mine.instance)].ranks;
    made.index = mine.index;
    if (transport.split(communicator, mine.instance, mine.index, &made.communicator))
      throw runFailure(transport.problem());
    places.push_back(made);
  }
}

int64_t ProcessCommunicator::workspaceBytes() const { return int64_t(scratch.capacity()); }

char *ProcessCommunicator::scratchOf(int64_t bytes) {
  if (int64_t(scratch.size()) < bytes)
    scratch.resize(size_t(bytes));
  return scratch.data();
}

const std::vector<const void *> &ProcessCommunicator::partsOf(const void *mine, const char *others,
                                                              int64_t bytes) {
  parts.clear();
  for (int member = 0; member < place->size(); ++member) {
    parts.push_back(member == place->index ? mine : others);
    if (member != place->index)
      others += bytes;
  }
  return parts;
}

tprt_status_t ProcessCommunicator::run(const CollectiveCall &call) {
  return perform(call.group, call.op, [&] {
    switch (call.kind) {
    case CollectiveKind::AllReduce:
      if (place->size() == 2 || call.inner * tprt_dtype_size(call.dtype) <= kAtOnceBytes)
        allReduceAtOnce(call);
      else
        allReduceInPieces(call);
      return;
    case CollectiveKind::AllGather:
      return allGather(call);
    case CollectiveKind::ReduceScatter:
      return reduceScatter(call);
    case CollectiveKind::AllToAll:
      return allToAll(call);
    case CollectiveKind::Permute:
      return permute(call);
    }
  });
}

tprt_status_t ProcessCommunicator::exchange(int32_t group, int32_t op, const CallHeader &mine,
                                            CallHeader *all) {
  const int64_t before = sent;
  const tprt_status_t status = perform(group, op, [&] {
    for (int member = 0; member < place->size(); ++member) {
      if (member == place->index) {
        all[member] = mine;
        continue;
      }
      receive(member, &all[member], sizeof mine);
      send(member, &mine, sizeof mine);
    }
    finish();
  });
  sent = before; // no operand
  return status;
}

void ProcessCommunicator::allReduceAtOnce(const CollectiveCall &call) {
  const int64_t elementSize = tprt_dtype_size(call.dtype);
  const int others = place->size() - 1;
  const int64_t block = std::max<int64_t>(1, kBlockBytes / elementSize / others);
  for (int64_t first = 0; first < call.inner; first += block) {
    const int64_t count = std::min(block, call.inner - first);
    const int64_t bytes = count * elementSize;
    const char *mine = at(call.src, first * elementSize);
    char *theirs = scratchOf(others * bytes);
    char *next = theirs;
    for (int member = 0; member <= others; ++member)
      if (member != place->index) {
        receive(member, next, bytes);
        next += bytes;
      }
    for (int member = 0; member <= others; ++member)
      if (member != place->index)
        send(member, mine, bytes);
    finish();
    reduceParts(call.reduction, call.dtype, partsOf(mine, theirs, bytes).data(), place->size(),
                at(call.dst, first * elementSize), count);
  }
}

void ProcessCommunicator::allReduceInPieces(const CollectiveCall &call) {
  const int64_t elementSize = tprt_dtype_size(call.dtype);
  const int size = place->size(), me = place->index;
  const int64_t block = kBlockBytes / elementSize;
  for (int64_t first = 0; first < call.inner; first += block) {
    const int64_t count = std::min(block, call.inner - first);
    const char *src = at(call.src, first * elementSize);
    char *dst = at(call.dst, first * elementSize);
    // Pieces differ by one element at most.
    auto beginOf = [&](int member) { return count * member / size * elementSize; };
    auto bytesOf = [&](int member) { return beginOf(member + 1) - beginOf(member); };
    char *theirs = scratchOf((size - 1) * bytesOf(me));
    for (int member = 0, slot = 0; member < size; ++member)
      if (member != me)
        receive(member, theirs + slot++ * bytesOf(me), bytesOf(me));
    for (int member = 0; member < size; ++member)
      if (member != me)
        send(member, src + beginOf(member), bytesOf(member));
    finish();
    reduceParts(call.reduction, call.dtype, partsOf(src + beginOf(me), theirs, bytesOf(me)).data(),
                size, dst + beginOf(me), bytesOf(me) / elementSize);
    for (int member = 0; member < size; ++member)
      if (member != me)
        receive(member, dst + beginOf(member), bytesOf(member));
    for (int member = 0; member < size; ++member)
      if (member != me)
        send(member, dst + beginOf(me), bytesOf(me));
    finish();
  }
}

void ProcessCommunicator::allGather(const CollectiveCall &call) {
  const int size = place->size(), me = place->index;
  const int64_t rowBytes = call.inner * tprt_dtype_size(call.dtype);
  auto slot = [&](int64_t row, int member) {
    return at(call.dst, (row * size + member) * rowBytes);
  };
  // Rows that are messages of their own arrive in their place, others in scratch.
  const bool inPlace = call.outer == 1 || rowBytes >= kRowBytes;
  const int64_t rows = inPlace ? 1 : std::max<int64_t>(1, kBlockBytes / rowBytes / size);
  for (int64_t row = 0; row < call.outer; row += rows) {
    const int64_t count = std::min(rows, call.outer - row);
    const char *mine = at(call.src, row * rowBytes);
    char *theirs = inPlace ? nullptr : scratchOf((size - 1) * count * rowBytes);
    char *next = theirs;
    for (int member = 0; member < size; ++member)
      if (member != me) {
        receive(member, inPlace ? slot(row, member) : next, count * rowBytes);
        next += inPlace ? 0 : count * rowBytes;
      }
    for (int member = 0; member < size; ++member)
      if (member != me)
        send(member, mine, count * rowBytes);
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(slot(row + i, me), mine + i * rowBytes, size_t(rowBytes));
    finish();
    if (inPlace)
      continue;
    const char *from = theirs;
    for (int member = 0; member < size; ++member)
      for (int64_t i = 0; member != me && i < count; ++i, from += rowBytes)
        std::memcpy(slot(row + i, member), from, size_t(rowBytes));
  }
}

void ProcessCommunicator::reduceScatter(const CollectiveCall &call) {
  const int size = place->size(), me = place->index;
  const int64_t elementSize = tprt_dtype_size(call.dtype);
  const int64_t rowBytes = call.inner * elementSize;
  auto rowOf = [&](int64_t row, int member) {
    return at(call.src, (row * size + member) * rowBytes);
  };
  if (call.outer == 1 || rowBytes >= kRowBytes) { // in blocks of columns, from where they lie
    const int64_t block = std::max<int64_t>(1, kBlockBytes / elementSize / size);
    for (int64_t row = 0; row < call.outer; ++row)
      for (int64_t first = 0; first < call.inner; first += block) {
        const int64_t count = std::min(block, call.inner - first);
        const int64_t offset = first * elementSize, bytes = count * elementSize;
        char *theirs = scratchOf((size - 1) * bytes);
        for (int member = 0, slot = 0; member < size; ++member)
          if (member != me)
            receive(member, theirs + slot++ * bytes, bytes);
        for (int member = 0; member < size; ++member)
          if (member != me)
            send(member, rowOf(row, member) + offset, bytes);
        finish();
        reduceParts(call.reduction, call.dtype,
                    partsOf(rowOf(row, me) + offset, theirs, bytes).data(), size,
                    at(call.dst, row * rowBytes + offset), count);
      }
    return;
  }
  const int64_t rows = std::max<int64_t>(1, kBlockBytes / rowBytes / size);
  for (int64_t row = 0; row < call.outer; row += rows) {
    const int64_t count = std::min(rows, call.outer - row);
    const int64_t bytes = count * rowBytes;
    char *theirs = scratchOf(2 * size * bytes);
    char *packed = theirs + size * bytes; // by member
    for (int member = 0; member < size; ++member)
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(packed + member * bytes + i * rowBytes, rowOf(row + i, member),
                    size_t(rowBytes));
    for (int member = 0, slot = 0; member < size; ++member)
      if (member != me)
        receive(member, theirs + slot++ * bytes, bytes);
    for (int member = 0; member < size; ++member)
      if (member != me)
        send(member, packed + member * bytes, bytes);
    finish();
    reduceParts(call.reduction, call.dtype, partsOf(packed + me * bytes, theirs, bytes).data(),
                size, at(call.dst, row * rowBytes), count * call.inner);
  }
}

void ProcessCommunicator::allToAll(const CollectiveCall &call) {
  const int size = place->size(), me = place->index;
  const int64_t bytes = call.inner * tprt_dtype_size(call.dtype);
  for (int member = 0; member < size; ++member)
    if (member != me)
      receive(member, at(call.dst, member * bytes), bytes);
  for (int member = 0; member < size; ++member)
    if (member != me)
      send(member, at(call.src, member * bytes), bytes);
  std::memcpy(at(call.dst, me * bytes), at(call.src, me * bytes), size_t(bytes));
  finish();
}

void ProcessCommunicator::permute(const CollectiveCall &call) {
  const int size = place->size(), me = place->index;
  const int64_t bytes = call.inner * tprt_dtype_size(call.dtype);
  const int32_t source = call.sources[me];
  if (source >= 0 && source != me)
    receive(source, call.dst, bytes);
  for (int member = 0; member < size; ++member)
    if (member != me && call.sources[member] == me)
      send(member, call.src, bytes);
  if (source == me)
    std::memcpy(call.dst, call.src, size_t(bytes));
  else if (source < 0)
    std::memset(call.dst, 0, size_t(bytes));
  finish();
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void ProcessCommunicator::begin(int32_t newGroup, int32_t newOp) {
  group = newGroup;
  op = newOp;
  place = &places[size_t(group)];
  pending.clear();
  progress.begun[size_t(group)].fetch_add(1);
}

void ProcessCommunicator::send(int member, const void *data, int64_t bytes) {
  sent += bytes;
  for (int64_t first = 0; first < bytes; first += kMaxMessageBytes) {
    Pending next{{}, member};
    check(transport.send(place->communicator, member, 0, at(data, first),
                         std::min(bytes - first, kMaxMessageBytes), &next.request));
    pending.push_back(next);
  }
}

void ProcessCommunicator::receive(int member, void *data, int64_t bytes) {
  for (int64_t first = 0; first < bytes; first += kMaxMessageBytes) {
    Pending next{{}, member};
    check(transport.receive(place->communicator, member, 0, at(data, first),
                            std::min(bytes - first, kMaxMessageBytes), &next.request));
    pending.push_back(next);
  }
}

void ProcessCommunicator::finish() {
  const int64_t began = recorder ? recorder->now() : 0;
  while (!pending.empty()) {
    // Receives were begun first; the others go on while one is waited for.
    wait(pending.front());
    pending.erase(pending.begin());
  }
  if (recorder)
    recorder->endWait(op, began);
}

template <typename Body>
tprt_status_t ProcessCommunicator::perform(int32_t group, int32_t op, Body &&body) {
  try {
    begin(group, op);
    body();
    return TPRT_OK;
  } catch (const Stopped &stopped) {
    for (Pending &one : pending)
      transport.drop(&one.request, 1);
    pending.clear();
    return stopped.status;
  }
}
