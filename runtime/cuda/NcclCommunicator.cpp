//===- NcclCommunicator.cpp - collectives of NCCL --------------------------===//

#include "NcclCommunicator.h"

#include "tprt/error.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace tprt;
using namespace tprt::cuda;

namespace {

// Up to so many rows are a call each, which NCCL runs together; more go through one call
// on a copy whose blocks are dense.
constexpr int64_t kRowsAsCalls = 16;

// Between looks at what NCCL does meanwhile, and how long ranks may take to part.
constexpr std::chrono::microseconds kShortestPause(20), kLongestPause(5000);
constexpr std::chrono::seconds kLongestEnd(5);

int64_t roundToWindow(int64_t bytes) {
  return (bytes + windowAlignment - 1) / windowAlignment * windowAlignment;
}

/// Calls return at once, and tell by ncclInProgress that they are not done.
CommConfig neverBlocking() {
  CommConfig config;
  config.blocking = 0;
  return config;
}

char *at(void *base, int64_t bytes) { return static_cast<char *>(base) + bytes; }
const char *at(const void *base, int64_t bytes) { return static_cast<const char *>(base) + bytes; }

bool failed(NcclResult result) { return result != ncclOk && result != ncclInProgress; }

/// -1 for what NCCL does not have.
int typeOf(int32_t dtype, bool isUnsigned) {
  switch (dtype) {
  case TPRT_F64:
    return ncclFloat64;
  case TPRT_F32:
    return ncclFloat32;
  case TPRT_F16:
    return ncclFloat16;
  case TPRT_BF16:
    return ncclBfloat16;
  case TPRT_I64:
  case TPRT_INDEX:
    return isUnsigned ? ncclUint64 : ncclInt64;
  case TPRT_I32:
    return isUnsigned ? ncclUint32 : ncclInt32;
  case TPRT_I8:
    return isUnsigned ? ncclUint8 : ncclInt8;
  default:
    return -1;
  }
}

struct Reduction {
  NcclReduction kind;
  NcclType type;
};

/// What combines elements of the type; none where NCCL has nothing, or, for minima and
/// maxima of floats, does not promise what becomes of NaN.
std::optional<Reduction> reductionOf(int32_t reduction, int32_t dtype) {
  const int type = typeOf(dtype, reduction == TPRT_MAXU || reduction == TPRT_MINU);
  if (type < 0)
    return std::nullopt;
  const bool isInteger = type <= ncclUint64;
  switch (reduction) {
  case TPRT_SUM:
    return Reduction{ncclSum, NcclType(type)};
  case TPRT_MUL:
    return Reduction{ncclProd, NcclType(type)};
  case TPRT_MAX:
  case TPRT_MAXU:
    return isInteger ? std::optional(Reduction{ncclMax, NcclType(type)}) : std::nullopt;
  case TPRT_MIN:
  case TPRT_MINU:
    return isInteger ? std::optional(Reduction{ncclMin, NcclType(type)}) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace

bool NcclCommunicator::reduces(int32_t reduction, int32_t dtype) {
  return reductionOf(reduction, dtype).has_value();
}

NcclCommunicator::NcclCommunicator(Program &program, int rank, const UniqueId &id,
                                   CudaDevice &device, NcclWatch &watch,
                                   std::unique_ptr<Communicator> host)
    : program(program), rank(rank), device(device), watch(watch), host(std::move(host)),
      order(device) {
  makeAll(id);
  places.resize(program.groups().size());
  for (size_t group = 0; group < places.size(); ++group)
    makePart(program.groups()[group], places[group]);
  for (Event &event : done)
    driver.check(driver.eventCreate(&event, eventDisableTiming), "cuEventCreate");
}

NcclCommunicator::~NcclCommunicator() {
  device.dropGraphs();
  if (watch.remove(rank))
    for (size_t i = comms.size(); i-- > 0;) // the parts first
      destroy(comms[i]);
  for (Event event : done)
    driver.eventDestroy(event);
}

void NcclCommunicator::makeAll(const UniqueId &id) {
  CommConfig config = neverBlocking();
  Turns &turns = watch.turnsOf(rank);
  turns.beginMaking();
  comms.push_back(nullptr);
  const NcclResult result =
      nccl.commInitRankConfig(&comms[0], program.numRanks(), id, rank, &config);
  if (comms[0])
    watch.add(rank, comms[0]);
  finish(result, "ncclCommInitRankConfig", comms[0]);
  turns.endMaking();
}

void NcclCommunicator::makePart(const GroupPartition &group, Place &place) {
  const GroupMembership &mine = group.membership[size_t(rank)];
  place.index = mine.index;
  place.size = int(group.instances[size_t(mine.instance)].ranks.size());
  if (place.size == 1)
    return;
  CommConfig config = neverBlocking();
  Turns &turns = watch.turnsOf(rank);
  turns.beginMaking();
  finish(nccl.commSplit(comms[0], mine.instance, mine.index, &place.comm, &config), "ncclCommSplit",
         comms[0]);
  comms.push_back(place.comm);
  watch.add(rank, place.comm);
  finish(ncclInProgress, "ncclCommSplit", place.comm);
  turns.endMaking();
}

//===----------------------------------------------------------------------===//
// Symmetric windows
//===----------------------------------------------------------------------===//

Buffer NcclCommunicator::allocate(tprt::Device &from, int64_t bytes, const std::string &what) {
  bytes = roundToWindow(bytes);
  if (nccl.windowProblem().empty()) {
    from.enter();
    void *memory = nullptr;
    if (nccl.memAlloc(&memory, size_t(bytes)) == ncclOk)
      return Buffer(memory, bytes, [&from, &nccl = nccl](void *which) {
        from.enter();
        nccl.memFree(which);
      });
  }
  // Which says what there is no memory for; and a window may be of any.
  return Communicator::allocate(from, bytes, what);
}

void NcclCommunicator::setSymmetric(void *memory, int64_t bytes) {
  closeWindows();
  symmetric = memory;
  symmetricBytes = roundToWindow(bytes);
}

void NcclCommunicator::openWindow(Place &place) {
  if (!symmetric || place.knowsWindow || !nccl.windowProblem().empty())
    return;
  place.knowsWindow = true;
  finish(nccl.commWindowRegister(place.comm, symmetric, size_t(symmetricBytes), &place.window,
                                 symmetricWindow),
         "ncclCommWindowRegister", place.comm);
}

void NcclCommunicator::closeWindows() {
  for (Place &place : places) {
    if (place.window && watch.stateOf(rank, place.comm)) {
      try {
        device.wait();
        finish(nccl.commWindowDeregister(place.comm, place.window), "ncclCommWindowDeregister",
               place.comm);
      } catch (const Error &) { // the communicator fails, and ends with its windows
      }
    }
    place.window = nullptr;
    place.knowsWindow = false;
  }
}

std::string NcclCommunicator::howSmall() const {
  if (!symmetric)
    return "";
  if (!nccl.windowProblem().empty())
    return "without symmetric windows: " + nccl.windowProblem();
  for (const Place &place : places)
    if (place.window)
      return "in symmetric windows of " + std::to_string(symmetricBytes) + " bytes";
  return "without symmetric windows: NCCL has not given one";
}

void NcclCommunicator::finish(NcclResult result, const char *call, Comm comm) const {
  for (auto pause = kShortestPause; result == ncclInProgress;
       pause = std::min(2 * pause, kLongestPause)) {
    const std::optional<NcclResult> state = watch.stateOf(rank, comm);
    if (!state || program.aborted())
      throw runFailure(std::string(call) + " was ended", {}, TPRT_ABORTED);
    result = *state;
    if (result == ncclInProgress)
      std::this_thread::sleep_for(pause);
  }
  if (result != ncclOk)
    throw nccl.failureOf(call, result, comm);
}

void NcclCommunicator::destroy(Comm comm) const {
  NcclResult result = program.aborted() ? ncclRemoteError : nccl.commFinalize(comm);
  const auto end = std::chrono::steady_clock::now() + kLongestEnd;
  while (result == ncclInProgress && !program.aborted() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kShortestPause);
    if (nccl.commGetAsyncError(comm, &result) != ncclOk)
      break;
  }
  result == ncclOk ? nccl.commDestroy(comm) : nccl.commAbort(comm);
}

tprt_status_t NcclCommunicator::exchange(int32_t group, int32_t op, const CallHeader &mine,
                                         CallHeader *all) {
  return host->exchange(group, op, mine, all);
}

tprt_status_t NcclCommunicator::run(const CollectiveCall &call) {
  if (call.reduction >= 0 && !reduces(call.reduction, call.dtype))
    return program.fail(rank, TPRT_INTERNAL, call.op,
                        std::string("NCCL has no reduction ") +
                            tprt_reduction_name(call.reduction) + " of " +
                            tprt_dtype_name(call.dtype));
  order.follow();
  Place &place = places[size_t(call.group)];
  const bool capturing = device.isCapturing();
  Turns &turns = watch.turnsOf(rank);
  const Event ended = done[next];
  if (!capturing) {
    next = (next + 1) % done.size();
    turns.begin(call.group, call.op);
  }
  try {
    if (!capturing)
      openWindow(place);
    enqueue(call, place);
    if (!capturing)
      driver.check(driver.eventRecord(ended, device.communication()), "cuEventRecord");
  } catch (...) {
    if (!capturing)
      turns.end(ended);
    if (program.aborted()) // what failed is that it was stopped
      return TPRT_ABORTED;
    throw;
  }
  capturing ? device.keep({call.group, call.op}) : turns.end(ended);
  order.end(call.stream);
  return program.aborted() ? TPRT_ABORTED : TPRT_OK;
}

/// The watch knows the graph's collectives by one event, behind all of them.
void NcclCommunicator::replay(const std::vector<KeptCollective> &collectives,
                              const std::function<void()> &launch) {
  if (collectives.empty())
    return launch();
  Turns &turns = watch.turnsOf(rank);
  const Event ended = done[next];
  next = (next + 1) % done.size();
  turns.begin(collectives[0].group, collectives[0].op);
  try {
    launch();
    driver.check(driver.eventRecord(ended, device.compute()), "cuEventRecord");
  } catch (...) {
    turns.end(ended);
    if (program.aborted()) // what failed is that it was stopped
      return;
    throw;
  }
  turns.end(ended);
  for (size_t i = 1; i < collectives.size(); ++i) {
    turns.begin(collectives[i].group, collectives[i].op);
    turns.end(ended);
  }
}

int64_t NcclCommunicator::workspaceBytes() const {
  int64_t bytes = staging.bytes();
  for (const Buffer &buffer : smaller)
    bytes += buffer.bytes();
  return bytes;
}

void NcclCommunicator::enqueue(const CollectiveCall &call, const Place &place) {
  switch (call.kind) {
  case CollectiveKind::AllReduce: {
    const Reduction reduction = *reductionOf(call.reduction, call.dtype);
    finish(nccl.allReduce(call.src, call.dst, size_t(call.inner), reduction.type, reduction.kind,
                          place.comm, device.communication()),
           "ncclAllReduce", place.comm);
    return;
  }
  case CollectiveKind::AllGather:
    return allGather(call, place);
  case CollectiveKind::ReduceScatter:
    return reduceScatter(call, place);
  case CollectiveKind::AllToAll:
    return allToAll(call, place);
  case CollectiveKind::Permute:
    return permute(call, place);
  }
}

template <typename Body>
void NcclCommunicator::asGroup(const Place &place, const char *call, Body body) {
  finish(nccl.groupStart(), "ncclGroupStart", place.comm);
  const NcclResult result = body();
  const NcclResult ended = nccl.groupEnd(); // in any case: else later calls join it
  if (result != ncclInProgress)             // which the group's end is about
    finish(result, call, place.comm);
  finish(ended, call, place.comm);
}

char *NcclCommunicator::stagingOf(int64_t bytes) {
  if (staging.bytes() < bytes) {
    if (device.hasGraphs()) // which use it
      smaller.push_back(std::move(staging));
    staging = Buffer(); // gives up the old one first
    staging = device.allocate(bytes, "blocks of collectives of rank " + std::to_string(rank),
                              tprt::Device::Content::Undefined);
  }
  return static_cast<char *>(staging.data());
}

void NcclCommunicator::allGather(const CollectiveCall &call, const Place &place) {
  const int64_t rowBytes = call.inner * tprt_dtype_size(call.dtype);
  const int64_t wholeBytes = place.size * rowBytes;
  auto gather = [&](const void *from, void *to, int64_t bytes) {
    return nccl.allGather(from, to, size_t(bytes), ncclInt8, place.comm, device.communication());
  };
  if (call.outer <= kRowsAsCalls)
    return asGroup(place, "ncclAllGather", [&] {
      NcclResult result = ncclOk;
      for (int64_t row = 0; row < call.outer && !failed(result); ++row)
        result = gather(at(call.src, row * rowBytes), at(call.dst, row * wholeBytes), rowBytes);
      return result;
    });
  const int64_t blockBytes = call.outer * rowBytes;
  char *blocks = stagingOf(place.size * blockBytes);
  finish(gather(call.src, blocks, blockBytes), "ncclAllGather", place.comm);
  for (int member = 0; member < place.size; ++member)
    device.copyRows(at(blocks, member * blockBytes), rowBytes, at(call.dst, member * rowBytes),
                    wholeBytes, rowBytes, call.outer);
}

void NcclCommunicator::reduceScatter(const CollectiveCall &call, const Place &place) {
  const Reduction reduction = *reductionOf(call.reduction, call.dtype);
  const int64_t rowBytes = call.inner * tprt_dtype_size(call.dtype);
  const int64_t wholeBytes = place.size * rowBytes;
  auto scatter = [&](const void *from, void *to, int64_t count) {
    return nccl.reduceScatter(from, to, size_t(count), reduction.type, reduction.kind, place.comm,
                              device.communication());
  };
  if (call.outer <= kRowsAsCalls)
    return asGroup(place, "ncclReduceScatter", [&] {
      NcclResult result = ncclOk;
      for (int64_t row = 0; row < call.outer && !failed(result); ++row)
        result = scatter(at(call.src, row * wholeBytes), at(call.dst, row * rowBytes), call.inner);
      return result;
    });
  const int64_t blockBytes = call.outer * rowBytes;
  char *blocks = stagingOf(place.size * blockBytes);
  for (int member = 0; member < place.size; ++member)
    device.copyRows(at(call.src, member * rowBytes), wholeBytes, at(blocks, member * blockBytes),
                    rowBytes, rowBytes, call.outer);
  finish(scatter(blocks, call.dst, call.outer * call.inner), "ncclReduceScatter", place.comm);
}

void NcclCommunicator::allToAll(const CollectiveCall &call, const Place &place) {
  const int64_t rowBytes = call.inner * tprt_dtype_size(call.dtype);
  asGroup(place, "ncclSend", [&] {
    NcclResult result = ncclOk;
    for (int member = 0; member < place.size && !failed(result); ++member) {
      result = nccl.send(at(call.src, member * rowBytes), size_t(rowBytes), ncclInt8, member,
                         place.comm, device.communication());
      if (!failed(result))
        result = nccl.recv(at(call.dst, member * rowBytes), size_t(rowBytes), ncclInt8, member,
                           place.comm, device.communication());
    }
    return result;
  });
}

void NcclCommunicator::permute(const CollectiveCall &call, const Place &place) {
  const size_t bytes = size_t(call.inner * tprt_dtype_size(call.dtype));
  const int from = call.sources[place.index];
  asGroup(place, "ncclSend", [&] {
    NcclResult result = ncclOk;
    for (int member = 0; member < place.size && !failed(result); ++member)
      if (call.sources[member] == place.index)
        result = nccl.send(call.src, bytes, ncclInt8, member, place.comm, device.communication());
    if (from >= 0 && !failed(result))
      result = nccl.recv(call.dst, bytes, ncclInt8, from, place.comm, device.communication());
    return result;
  });
  if (from < 0)
    driver.check(driver.memsetD8Async(reinterpret_cast<DevicePointer>(call.dst), 0, bytes,
                                      device.communication()),
                 "cuMemsetD8Async");
}
