//===- Nccl.cpp - NCCL's calls, emulated -----------------------------------===//

#include "Communicator.h"

#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <random>
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

/// With the system's lock held.
NcclResult join(const std::string &name, int size, int rank, Comm *comm) {
  llvm::Expected<std::shared_ptr<Group>> group = Group::join(name, size, rank);
  if (!group)
    return refuse(ncclRemoteError, llvm::toString(group.takeError()));
  *comm = comms().add(std::make_unique<CommState>(CommState{*group}));
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

/// Ends an operation that others do not come to: the device hangs until the communicator
/// is aborted, which may be why it ends; what it would write is no value.
llvm::Error hang(Group &group, const Operation &operation, void *to, size_t bytes) {
  if (!System::get().failed() && !group.hasLeft())
    System::get().hang(operation, &group, group.problem());
  std::memset(to, 0xFF, bytes);
  return llvm::Error::success();
}

/// All that any rank of this process knew is past for what follows each.
void orderTogether(llvm::ArrayRef<Group::Part> parts) {
  std::vector<const Operation *> operations;
  for (const Group::Part &part : parts)
    if (part.operation)
      operations.push_back(part.operation);
  System::get().orderTogether(operations);
}

/// What ranks bring to a collective: what it is, and the operand.
std::string encode(const Collective &collective, size_t bytes) {
  return std::string(reinterpret_cast<const char *>(&collective), sizeof(collective)) +
         std::string(collective.from, bytes);
}

/// Fails where ranks differ.
llvm::Error performAll(llvm::ArrayRef<Group::Part> parts, int rank, const Collective &mine) {
  std::vector<llvm::StringRef> operands;
  std::vector<Collective> collectives(parts.size());
  for (auto [part, collective] : llvm::zip(parts, collectives)) {
    std::memcpy(&collective, part.bytes.data(), sizeof(collective));
    operands.push_back(llvm::StringRef(part.bytes).drop_front(sizeof(collective)));
  }
  for (size_t other = 1; other < parts.size(); ++other)
    if (!collectives[other].matches(collectives[0]))
      return llvm::createStringError("ranks of a communicator differ: rank 0 calls " +
                                     collectives[0].describe() + ", rank " + std::to_string(other) +
                                     " " + collectives[other].describe());
  const std::string result = perform(mine, operands, rank);
  std::memcpy(mine.to, result.data(), result.size());
  orderTogether(parts);
  return llvm::Error::success();
}

/// Does a call now, or at the end of the group; not where a rank was lost.
NcclResult enqueueOn(const std::shared_ptr<Group> &group, bool isSend, Stream stream,
                     const std::string &name, Work work) {
  {
    auto lock = System::get().lock();
    if (group->isLost())
      return refuse(ncclRemoteError, name + " cannot be done: " + group->problem());
  }
  // A graph may outlive its communicator.
  auto checked = [=](const Operation &operation) -> llvm::Error {
    if (group->hasLeft())
      return llvm::createStringError(operation.name + " is of a communicator that was destroyed");
    return work(operation);
  };
  return doOrDefer(isSend, [=] { return enqueue(stream, name, checked); });
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
    Group &group = *state->group;
    auto parts = group.exchange(encode(collective, inBytes), &operation);
    return parts ? performAll(*parts, group.rank(), collective)
                 : hang(group, operation, collective.to, outBytes);
  };
  return enqueueOn(state->group, false, stream, collective.describe(), work);
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

// An id is a name to meet at.
NcclResult ncclGetUniqueId(UniqueId *id) {
  std::random_device random;
  std::string text = "tp-nccl-" + std::to_string(getpid());
  for (int i = 0; i < 4; ++i)
    text += "-" + std::to_string(random());
  std::memset(id, 0, sizeof(*id));
  std::memcpy(id->bytes, text.data(), text.size());
  return ncclOk;
}

NcclResult ncclCommInitRank(Comm *comm, int size, UniqueId id, int rank) {
  if (size <= 0 || rank < 0 || rank >= size)
    return refuse(ncclInvalidArgument,
                  "rank " + std::to_string(rank) + " of a communicator of " + std::to_string(size));
  auto lock = System::get().lock();
  return join(std::string(id.bytes, strnlen(id.bytes, sizeof(id.bytes))), size, rank, comm);
}

NcclResult ncclCommSplit(Comm comm, int color, int key, Comm *part, CommConfig *) {
  struct Choice {
    int color, key;
  };
  const Choice mine = {color, key};
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state)
    return refuse(ncclInvalidArgument, "ncclCommSplit of what is no communicator");
  const std::shared_ptr<Group> group = state->group;
  const std::string name = group->nextName();
  auto parts =
      group->exchange(std::string(reinterpret_cast<const char *>(&mine), sizeof(mine)), nullptr);
  if (!parts)
    return refuse(ncclRemoteError, "ncclCommSplit cannot be done: " + group->problem());
  // Ranks of the same color, by their keys.
  std::vector<std::pair<int, int>> members;
  for (auto [rank, other] : llvm::enumerate(*parts)) {
    Choice choice;
    std::memcpy(&choice, other.bytes.data(), sizeof(choice));
    if (choice.color == color)
      members.push_back({choice.key, rank});
  }
  *part = nullptr;
  if (color == noColor)
    return ncclOk;
  llvm::sort(members);
  const auto me = llvm::find(members, std::pair(key, group->rank()));
  return join(name + "/" + std::to_string(color), members.size(), me - members.begin(), part);
}

NcclResult ncclCommDestroy(Comm comm) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state)
    return ncclInvalidArgument;
  const std::shared_ptr<Group> group = state->group;
  group->leave();
  comms().remove(comm);
  return ncclOk;
}

NcclResult ncclCommAbort(Comm comm) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state)
    return ncclInvalidArgument;
  state->group->abort();
  System::get().endAll(state->group.get());
  comms().remove(comm);
  return ncclOk;
}

NcclResult ncclCommGetAsyncError(Comm comm, NcclResult *error) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state)
    return ncclInvalidArgument;
  *error = System::get().failed()   ? ncclUnhandledCudaError
           : state->group->isLost() ? ncclRemoteError
                                    : ncclOk;
  if (state->group->isLost())
    lastError = state->group->problem();
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
    state->group->send(peer, std::string(static_cast<const char *>(from), bytes), &operation);
    return llvm::Error::success();
  };
  return enqueueOn(state->group, true, stream, "ncclSend", work);
}

NcclResult ncclRecv(void *to, size_t count, NcclType type, int peer, Comm comm, Stream stream) {
  std::optional<CommState> state = find(comm);
  const size_t bytes = count * elementBytes(type);
  if (!state || peer < 0 || peer >= state->group->size() || elementBytes(type) == 0)
    return refuse(ncclInvalidArgument, "ncclRecv from rank " + std::to_string(peer));
  auto work = [=](const Operation &operation) -> llvm::Error {
    if (llvm::Error error = memoryOf(stream).write(to, bytes, operation))
      return error;
    Group &group = *state->group;
    const std::optional<Group::Part> message = group.receive(peer);
    if (!message)
      return hang(group, operation, to, bytes);
    if (message->bytes.size() != bytes)
      return llvm::createStringError("rank " + std::to_string(group.rank()) + " receives " +
                                     std::to_string(bytes) + " bytes, rank " +
                                     std::to_string(peer) + " sends " +
                                     std::to_string(message->bytes.size()));
    std::memcpy(to, message->bytes.data(), bytes);
    orderTogether({*message, {"", &operation}});
    return llvm::Error::success();
  };
  return enqueueOn(state->group, false, stream, "ncclRecv", work);
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
