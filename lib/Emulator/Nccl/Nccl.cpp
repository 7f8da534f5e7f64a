//===- Nccl.cpp - NCCL's calls, emulated -----------------------------------===//

#include "Communicator.h"

#include "llvm/ADT/ScopeExit.h"
#include <cstring>
#include <unistd.h>

using namespace mlir::tp::emulator;
using namespace tprt::cuda;

extern "C" {
#define TPRT_NCCL_CALL(name, symbol, parameters)                                                   \
  __attribute__((visibility("default"))) tprt::cuda::NcclResult symbol parameters;
#include "runtime/cuda/NcclApi.def"
#undef TPRT_NCCL_CALL
__attribute__((visibility("default"))) const char *ncclGetLastError(Comm comm);
}

namespace {

// 2.28.9, as ncclGetVersion tells it.
constexpr int version = 22809;

/// Communicators that are being made, by their id.
std::map<std::string, std::weak_ptr<Group>> &groupsById() {
  static std::map<std::string, std::weak_ptr<Group>> groups;
  return groups;
}

thread_local std::string lastError;

/// What a thread has called since ncclGroupStart: sends first, so that none waits for
/// another's.
struct GroupedCalls {
  unsigned depth = 0;
  std::vector<std::function<NcclResult()>> sends, others;
};
thread_local GroupedCalls grouped;

NcclResult refuse(NcclResult result, const std::string &message) {
  lastError = message;
  return result;
}

Handles<CommState, Comm> &comms() {
  static auto *all = new Handles<CommState, Comm>; // As the system.
  return *all;
}

CommState *get(Comm comm) { return comms().get(comm); }

/// A copy, so that operations outlive the handle; without the lock held.
std::optional<CommState> find(Comm comm) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  return state ? std::optional<CommState>(*state) : std::nullopt;
}

/// Does a call now, or at the end of the group.
NcclResult doOrDefer(bool isSend, std::function<NcclResult()> call) {
  if (grouped.depth == 0)
    return call();
  (isSend ? grouped.sends : grouped.others).push_back(std::move(call));
  return ncclOk;
}

NcclResult enqueue(Stream stream, const std::string &name, Work work) {
  System &system = System::get();
  auto lock = system.lock();
  StreamState *state = system.streams.get(stream);
  if (!state)
    return refuse(ncclInvalidArgument, name + " on what is no stream");
  if (Result result = system.enqueue(*state, name, std::move(work)))
    return refuse(ncclUnhandledCudaError,
                  result == illegalAddress ? system.faultText() : name + " cannot be enqueued");
  return ncclOk;
}

/// The memory of the operation's device.
DeviceMemory &memoryOf(Stream stream) {
  return System::get().device(System::get().streams.get(stream)->device).memory;
}

/// Elements of the operand and of the result, in those of `count`.
std::pair<size_t, size_t> factors(CollectiveKind kind, size_t ranks) {
  return {kind == CollectiveKind::ReduceScatter ? ranks : 1,
          kind == CollectiveKind::AllGather ? ranks : 1};
}

struct Part {
  Collective collective;
  const Operation *operation;
};

/// Fails where ranks differ.
llvm::Error performAll(llvm::ArrayRef<void *> data) {
  std::vector<const Collective *> parts;
  std::vector<const Operation *> operations;
  for (void *part : data) {
    parts.push_back(&static_cast<Part *>(part)->collective);
    operations.push_back(static_cast<Part *>(part)->operation);
  }
  for (size_t rank = 1; rank < parts.size(); ++rank)
    if (!parts[rank]->matches(*parts[0]))
      return llvm::createStringError("ranks of a communicator differ: rank 0 calls " +
                                     parts[0]->describe() + ", rank " + std::to_string(rank) + " " +
                                     parts[rank]->describe());
  perform(parts);
  System::get().orderTogether(operations);
  return llvm::Error::success();
}

NcclResult runCollective(const Collective &collective, Comm comm, Stream stream) {
  std::optional<CommState> state = find(comm);
  const size_t bytes = elementBytes(collective.type);
  if (!state || bytes == 0)
    return refuse(ncclInvalidArgument, "a communicator or an element type that does not exist");
  auto [in, out] = factors(collective.kind, state->group->size());
  const size_t inBytes = in * collective.count * bytes, outBytes = out * collective.count * bytes;
  auto work = [=](const Operation &operation) -> llvm::Error {
    DeviceMemory &memory = memoryOf(stream);
    if (llvm::Error error = memory.read(collective.from, inBytes, operation))
      return error;
    if (llvm::Error error = memory.write(collective.to, outBytes, operation))
      return error;
    Part part = {collective, &operation};
    llvm::Error error = llvm::Error::success();
    auto checked = [&](llvm::ArrayRef<void *> data) { error = performAll(data); };
    state->group->meet(state->rank, &part, checked);
    return error;
  };
  return doOrDefer(false, [=] { return enqueue(stream, collective.describe(), work); });
}

} // namespace

const char *ncclGetLastError(Comm) { return lastError.c_str(); }

NcclResult ncclGetVersion(int *result) {
  *result = version;
  return ncclOk;
}

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

// An id is the process and a number.
NcclResult ncclGetUniqueId(UniqueId *id) {
  auto lock = System::get().lock();
  static unsigned next = 0;
  std::memset(id, 0, sizeof(*id));
  std::string text = std::to_string(getpid()) + " " + std::to_string(++next);
  std::memcpy(id->bytes, text.data(), text.size());
  return ncclOk;
}

NcclResult ncclCommInitRank(Comm *comm, int size, UniqueId id, int rank) {
  if (size <= 0 || rank < 0 || rank >= size)
    return refuse(ncclInvalidArgument,
                  "rank " + std::to_string(rank) + " of a communicator of " + std::to_string(size));
  const std::string name(id.bytes, strnlen(id.bytes, sizeof(id.bytes)));
  if (std::strtol(name.c_str(), nullptr, 10) != getpid())
    return refuse(ncclInvalidUsage,
                  "emulated communicators join threads of one process, and the id is of another");
  auto lock = System::get().lock();
  std::shared_ptr<Group> group = groupsById()[name].lock();
  if (!group)
    groupsById()[name] = group = std::make_shared<Group>(size);
  if (group->size() != size)
    return refuse(ncclInvalidArgument, "ranks differ in the size of a communicator");
  if (!group->meet(rank, nullptr, [](llvm::ArrayRef<void *>) {}))
    return ncclRemoteError;
  *comm = comms().add(std::make_unique<CommState>(CommState{group, rank}));
  return ncclOk;
}

NcclResult ncclCommSplit(Comm comm, int color, int key, Comm *part, CommConfig *) {
  struct Choice {
    int rank, color, key;
    Comm part = nullptr;
  };
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state)
    return refuse(ncclInvalidArgument, "ncclCommSplit of what is no communicator");
  Choice mine = {state->rank, color, key};
  bool met = state->group->meet(state->rank, &mine, [](llvm::ArrayRef<void *> data) {
    std::map<int, std::vector<Choice *>> parts;
    for (void *choice : data)
      if (static_cast<Choice *>(choice)->color != noColor)
        parts[static_cast<Choice *>(choice)->color].push_back(static_cast<Choice *>(choice));
    for (auto &[color, members] : parts) {
      llvm::sort(members, [](const Choice *a, const Choice *b) {
        return std::pair(a->key, a->rank) < std::pair(b->key, b->rank);
      });
      auto group = std::make_shared<Group>(members.size());
      for (size_t i = 0; i < members.size(); ++i)
        members[i]->part =
            comms().add(std::make_unique<CommState>(CommState{group, static_cast<int>(i)}));
    }
  });
  *part = mine.part;
  return met ? ncclOk : ncclRemoteError;
}

NcclResult ncclCommDestroy(Comm comm) {
  auto lock = System::get().lock();
  return comms().remove(comm) ? ncclOk : ncclInvalidArgument;
}

NcclResult ncclCommAbort(Comm comm) {
  auto lock = System::get().lock();
  if (CommState *state = get(comm))
    state->group->abort();
  return comms().remove(comm) ? ncclOk : ncclInvalidArgument;
}

NcclResult ncclCommGetAsyncError(Comm, NcclResult *error) {
  auto lock = System::get().lock();
  *error = System::get().failed() ? ncclUnhandledCudaError : ncclOk;
  return ncclOk;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

NcclResult ncclAllReduce(const void *from, void *to, size_t count, NcclType type,
                         NcclReduction reduction, Comm comm, Stream stream) {
  if (reduction < ncclSum || reduction > ncclMin)
    return refuse(ncclInvalidArgument, "a reduction that is not emulated");
  return runCollective({CollectiveKind::AllReduce, count, type, reduction,
                        static_cast<const char *>(from), static_cast<char *>(to)},
                       comm, stream);
}

NcclResult ncclReduceScatter(const void *from, void *to, size_t count, NcclType type,
                             NcclReduction reduction, Comm comm, Stream stream) {
  if (reduction < ncclSum || reduction > ncclMin)
    return refuse(ncclInvalidArgument, "a reduction that is not emulated");
  return runCollective({CollectiveKind::ReduceScatter, count, type, reduction,
                        static_cast<const char *>(from), static_cast<char *>(to)},
                       comm, stream);
}

NcclResult ncclAllGather(const void *from, void *to, size_t count, NcclType type, Comm comm,
                         Stream stream) {
  return runCollective({CollectiveKind::AllGather, count, type, ncclSum,
                        static_cast<const char *>(from), static_cast<char *>(to)},
                       comm, stream);
}

NcclResult ncclSend(const void *from, size_t count, NcclType type, int peer, Comm comm,
                    Stream stream) {
  std::optional<CommState> state = find(comm);
  const size_t bytes = count * elementBytes(type);
  if (!state || peer < 0 || peer >= state->group->size() || elementBytes(type) == 0)
    return refuse(ncclInvalidArgument, "ncclSend to rank " + std::to_string(peer));
  auto work = [=](const Operation &operation) -> llvm::Error {
    if (llvm::Error error = memoryOf(stream).read(from, bytes, operation))
      return error;
    state->group->send(state->rank, peer,
                       {std::string(static_cast<const char *>(from), bytes), &operation});
    return llvm::Error::success();
  };
  return doOrDefer(true, [=] { return enqueue(stream, "ncclSend", work); });
}

NcclResult ncclRecv(void *to, size_t count, NcclType type, int peer, Comm comm, Stream stream) {
  std::optional<CommState> state = find(comm);
  const size_t bytes = count * elementBytes(type);
  if (!state || peer < 0 || peer >= state->group->size() || elementBytes(type) == 0)
    return refuse(ncclInvalidArgument, "ncclRecv from rank " + std::to_string(peer));
  auto work = [=](const Operation &operation) -> llvm::Error {
    if (llvm::Error error = memoryOf(stream).write(to, bytes, operation))
      return error;
    std::optional<Group::Message> message = state->group->receive(peer, state->rank);
    if (!message)
      return llvm::Error::success();
    if (message->content.size() != bytes)
      return llvm::createStringError("rank " + std::to_string(state->rank) + " receives " +
                                     std::to_string(bytes) + " bytes, rank " +
                                     std::to_string(peer) + " sends " +
                                     std::to_string(message->content.size()));
    std::memcpy(to, message->content.data(), bytes);
    System::get().orderTogether({message->sender, &operation});
    return llvm::Error::success();
  };
  return doOrDefer(false, [=] { return enqueue(stream, "ncclRecv", work); });
}

NcclResult ncclGroupStart() {
  ++grouped.depth;
  return ncclOk;
}

NcclResult ncclGroupEnd() {
  if (grouped.depth == 0)
    return refuse(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--grouped.depth > 0)
    return ncclOk;
  GroupedCalls calls = std::move(grouped);
  grouped = GroupedCalls();
  for (const auto *part : {&calls.sends, &calls.others})
    for (const std::function<NcclResult()> &call : *part)
      if (NcclResult result = call())
        return result;
  return ncclOk;
}
