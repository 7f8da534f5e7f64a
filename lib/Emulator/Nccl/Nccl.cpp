//===- Nccl.cpp - NCCL's calls, emulated -----------------------------------===//

#include "Communicator.h"

#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <unistd.h>

using namespace mlir::tp::emulator;
using namespace tprt::cuda;

extern "C" {
#define TPRT_NCCL_CALL(name, symbol, parameters)                                                   \
  __attribute__((visibility("default"))) tprt::cuda::NcclResult symbol parameters;
#include "runtime/cuda/NcclApi.def"
#undef TPRT_NCCL_CALL
__attribute__((visibility("default"))) const char *ncclGetLastError(Comm comm);
// The driver's, of the same library.
tprt::cuda::Result cuMemAlloc_v2(DevicePointer *pointer, size_t bytes);
tprt::cuda::Result cuMemFree_v2(DevicePointer pointer);
}

namespace {

// As ncclGetVersion tells it: 2.28.9, or what TP_EMULATED_NCCL says.
int version() {
  const char *text = std::getenv("TP_EMULATED_NCCL");
  return text ? std::atoi(text) : 22809;
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

/// A copy, so that operations outlive the handle; none where it has no group yet. Without the
/// lock held.
std::optional<CommState> find(Comm comm) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  return state && state->group ? std::optional<CommState>(*state) : std::nullopt;
}

/// The call is done, of which a communicator that does not block tells when it is asked. With the
/// lock held.
NcclResult done(const std::shared_ptr<Progress> &progress) {
  if (!progress)
    return ncclOk;
  progress->isUnseen = true;
  return ncclInProgress;
}

/// Does a call now, or at the end of the group.
NcclResult doOrDefer(bool isSend, std::function<NcclResult()> call) {
  if (grouped.depth == 0)
    return call();
  (isSend ? grouped.sends : grouped.others).push_back(std::move(call));
  return ncclOk;
}

bool blocks(const CommConfig *config) { return !config || config->blocking != 0; }

/// A group by `meet`, now or while the caller goes on; `whenDone` is told then, with the lock
/// held. With the system's lock held.
NcclResult join(
    std::function<llvm::Expected<std::shared_ptr<Group>>()> meet, const CommConfig *config,
    Comm *comm, std::function<void()> whenDone = [] {}) {
  if (blocks(config)) {
    llvm::Expected<std::shared_ptr<Group>> group = meet();
    whenDone();
    if (!group)
      return refuse(ncclRemoteError, llvm::toString(group.takeError()));
    *comm = *group ? comms().add(std::make_unique<CommState>(CommState{*group, nullptr})) : nullptr;
    return ncclOk;
  }
  auto progress = std::make_shared<Progress>();
  *comm = comms().add(std::make_unique<CommState>(CommState{nullptr, progress}));
  std::thread([=, handle = *comm] {
    auto lock = System::get().lock();
    llvm::Expected<std::shared_ptr<Group>> group = meet();
    whenDone();
    progress->state = group ? ncclOk : ncclRemoteError;
    if (!group) {
      progress->problem = llvm::toString(group.takeError());
      return;
    }
    CommState *state = get(handle);
    if (state && state->progress == progress)
      state->group = *group;
    else if (*group) // aborted meanwhile
      (*group)->abort();
  }).detach();
  return ncclInProgress;
}

/// What a rank's color makes of a group; null where it is in no part. With the lock held.
llvm::Expected<std::shared_ptr<Group>> split(Group &group, const std::string &name, int color,
                                             int key) {
  struct Choice {
    int color, key;
  };
  const Choice mine = {color, key};
  auto parts =
      group.exchange(std::string(reinterpret_cast<const char *>(&mine), sizeof(mine)), nullptr);
  if (!parts)
    return llvm::createStringError("ncclCommSplit cannot be done: " + group.problem());
  // Ranks of the same color, by their keys.
  std::vector<std::pair<int, int>> members;
  for (auto [rank, other] : llvm::enumerate(*parts)) {
    Choice choice;
    std::memcpy(&choice, other.bytes.data(), sizeof(choice));
    if (choice.color == color)
      members.push_back({choice.key, rank});
  }
  if (color == noColor)
    return nullptr;
  llvm::sort(members);
  const auto me = llvm::find(members, std::pair(key, group.rank()));
  return Group::join(name + "/" + std::to_string(color), members.size(), me - members.begin());
}

/// TP_EMULATED_STALLED_RANK: who never comes to a communicator, without an error; -1 for none.
int stalledRank() {
  const char *text = std::getenv("TP_EMULATED_STALLED_RANK");
  return text ? std::atoi(text) : -1;
}

constexpr const char *usedTooEarly =
    "a communicator is used before ncclCommGetAsyncError has told that its last call is done";

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

/// "bytes 0 to 256", "nothing".
std::string placesOf(const Collective &collective) {
  return collective.isSymmetric() ? "bytes " + std::to_string(collective.fromPlace) + " to " +
                                        std::to_string(collective.toPlace)
                                  : "nothing";
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
  // Ranks reach into each other's memory where their own lies.
  for (size_t other = 1; other < parts.size(); ++other)
    if (collectives[other].fromPlace != collectives[0].fromPlace ||
        collectives[other].toPlace != collectives[0].toPlace)
      return llvm::createStringError("ranks differ in what " + mine.describe() +
                                     " takes of symmetric windows: " + placesOf(collectives[0]) +
                                     " on rank 0, " + placesOf(collectives[other]) + " on rank " +
                                     std::to_string(other));
  const std::string result = perform(mine, operands, rank);
  std::memcpy(mine.to, result.data(), result.size());
  orderTogether(parts);
  return llvm::Error::success();
}

/// Does a call now, or at the end of the group; not where a rank was lost.
NcclResult enqueueOn(const CommState &comm, bool isSend, Stream stream, const std::string &name,
                     Work work) {
  const std::shared_ptr<Group> group = comm.group;
  {
    auto lock = System::get().lock();
    if (!comm.isReady())
      return refuse(ncclInvalidArgument, usedTooEarly);
    if (group->isLost())
      return refuse(ncclRemoteError, name + " cannot be done: " + group->problem());
  }
  // A graph may outlive its communicator.
  auto checked = [=](const Operation &operation) -> llvm::Error {
    if (group->hasLeft())
      return llvm::createStringError(operation.name + " is of a communicator that was destroyed");
    return work(operation);
  };
  return doOrDefer(isSend, [=, progress = comm.progress] {
    if (const NcclResult result = enqueue(stream, name, checked))
      return result;
    auto lock = System::get().lock();
    return done(progress);
  });
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
    Collective mine = collective;
    mine.fromPlace = group.placeOf(mine.from, inBytes);
    mine.toPlace = group.placeOf(mine.to, outBytes);
    if (!mine.isSymmetric()) // one of both is of no use
      mine.fromPlace = mine.toPlace = -1;
    auto parts = group.exchange(encode(mine, inBytes), &operation);
    return parts ? performAll(*parts, group.rank(), mine)
                 : hang(group, operation, collective.to, outBytes);
  };
  return enqueueOn(*state, false, stream, collective.describe(), work);
}

} // namespace

const char *ncclGetLastError(Comm) { return lastError.c_str(); }

NcclResult ncclGetVersion(int *result) {
  *result = version();
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

NcclResult ncclCommInitRankConfig(Comm *comm, int size, UniqueId id, int rank, CommConfig *config) {
  if (size <= 0 || rank < 0 || rank >= size)
    return refuse(ncclInvalidArgument,
                  "rank " + std::to_string(rank) + " of a communicator of " + std::to_string(size));
  if (config && (config->magic != CommConfig().magic || config->version < CommConfig().version))
    return refuse(ncclInvalidArgument, "a configuration that was not initialised");
  if (const char *problem = std::getenv("TP_EMULATED_NCCL_PROBLEM"))
    return refuse(ncclSystemError, problem);
  const std::string name(id.bytes, strnlen(id.bytes, sizeof(id.bytes)));
  auto lock = System::get().lock();
  auto meet = [=] { return Group::join(name, size, rank); };
  if (rank != stalledRank() || blocks(config))
    return join(meet, config, comm);
  *comm =
      comms().add(std::make_unique<CommState>(CommState{nullptr, std::make_shared<Progress>()}));
  return ncclInProgress;
}

NcclResult ncclCommSplit(Comm comm, int color, int key, Comm *part, CommConfig *config) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state)
    return refuse(ncclInvalidArgument, "ncclCommSplit of what is no communicator");
  if (!state->isReady())
    return refuse(ncclInvalidArgument, usedTooEarly);
  const std::shared_ptr<Group> group = state->group;
  const std::shared_ptr<Progress> progress = state->progress;
  const std::string name = group->nextName();
  auto meet = [=] { return split(*group, name, color, key); };
  CommConfig inherited;
  inherited.blocking = progress ? 0 : 1;
  const NcclResult result = join(meet, config ? config : &inherited, part, [=] {
    if (progress)
      progress->state = ncclOk;
  });
  if (progress && result == ncclInProgress)
    progress->state = ncclInProgress;
  return result;
}

NcclResult ncclCommFinalize(Comm comm) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state || !state->isReady())
    return refuse(ncclInvalidArgument, usedTooEarly);
  state->group->leave();
  return done(state->progress);
}

NcclResult ncclCommDestroy(Comm comm) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state)
    return ncclInvalidArgument;
  if (!state->isReady())
    return refuse(ncclInvalidArgument, usedTooEarly);
  const std::shared_ptr<Group> group = state->group;
  if (!group->hasLeft())
    group->leave();
  comms().remove(comm);
  return ncclOk;
}

NcclResult ncclCommAbort(Comm comm) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state)
    return ncclInvalidArgument;
  if (const std::shared_ptr<Group> group = state->group) {
    group->abort();
    System::get().endAll(group.get());
  }
  comms().remove(comm);
  return ncclOk;
}

NcclResult ncclCommGetAsyncError(Comm comm, NcclResult *error) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state)
    return ncclInvalidArgument;
  const bool isLost = state->group && state->group->isLost();
  *error = System::get().failed() ? ncclUnhandledCudaError : isLost ? ncclRemoteError : ncclOk;
  if (*error == ncclUnhandledCudaError)
    lastError = System::get().faultText();
  else if (isLost)
    lastError = state->group->problem();
  if (*error != ncclOk || !state->progress)
    return ncclOk;
  Progress &progress = *state->progress;
  *error = progress.isUnseen ? ncclInProgress : progress.state;
  progress.isUnseen = false;
  if (progress.state == ncclRemoteError)
    lastError = progress.problem;
  return ncclOk;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

NcclResult ncclMemAlloc(void **memory, size_t bytes) {
  // Allocations begin and end where windows may.
  return cuMemAlloc_v2(reinterpret_cast<DevicePointer *>(memory), bytes) == ok
             ? ncclOk
             : refuse(ncclUnhandledCudaError, "ncclMemAlloc finds no memory");
}

NcclResult ncclMemFree(void *memory) {
  return cuMemFree_v2(reinterpret_cast<DevicePointer>(memory)) == ok ? ncclOk
                                                                     : ncclUnhandledCudaError;
}

NcclResult ncclCommWindowRegister(Comm comm, void *memory, size_t bytes, Window *window, int) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state || !state->isReady())
    return refuse(ncclInvalidArgument, usedTooEarly);
  const std::shared_ptr<Group> group = state->group;
  auto parts = group->exchange(std::to_string(bytes), nullptr);
  if (!parts)
    return refuse(ncclRemoteError, "ncclCommWindowRegister cannot be done: " + group->problem());
  for (const Group::Part &part : *parts)
    if (part.bytes != parts->front().bytes)
      return refuse(ncclInvalidArgument, "ranks register windows of " + parts->front().bytes +
                                             " and " + part.bytes + " bytes");
  group->windows.push_back({static_cast<const char *>(memory), bytes});
  *window = reinterpret_cast<Window>(group->windows.size());
  return done(state->progress);
}

NcclResult ncclCommWindowDeregister(Comm comm, Window window) {
  auto lock = System::get().lock();
  CommState *state = get(comm);
  if (!state || !state->isReady())
    return refuse(ncclInvalidArgument, usedTooEarly);
  const size_t number = reinterpret_cast<size_t>(window);
  if (number == 0 || number > state->group->windows.size())
    return refuse(ncclInvalidArgument, "ncclCommWindowDeregister of what is no window");
  state->group->windows[number - 1].base = nullptr;
  return done(state->progress);
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
  return enqueueOn(*state, true, stream, "ncclSend", work);
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
  return enqueueOn(*state, false, stream, "ncclRecv", work);
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
  NcclResult all = ncclOk;
  for (const auto *part : {&calls.sends, &calls.others})
    for (const std::function<NcclResult()> &call : *part) {
      const NcclResult result = call();
      if (result != ncclOk && result != ncclInProgress)
        return result;
      all = std::max(all, result);
    }
  return all;
}
