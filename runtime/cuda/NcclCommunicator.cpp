//===- NcclCommunicator.cpp - collectives of NCCL --------------------------===//

#include "NcclCommunicator.h"

#include "tprt/error.h"

using namespace tprt;
using namespace tprt::cuda;

namespace {

// Up to so many rows are a call each, which NCCL runs together; more go through one call
// on a copy whose blocks are dense.
constexpr int64_t kRowsAsCalls = 16;

char *at(void *base, int64_t bytes) { return static_cast<char *>(base) + bytes; }
const char *at(const void *base, int64_t bytes) { return static_cast<const char *>(base) + bytes; }

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
    : program(program), rank(rank), device(device), watch(watch), host(std::move(host)) {
  Comm all = nullptr;
  check(nccl.commInitRank(&all, program.numRanks(), id, rank), "ncclCommInitRank", nullptr);
  comms.push_back(all);
  watch.add(rank, all);
  for (const GroupPartition &group : program.groups()) {
    const GroupMembership &mine = group.membership[size_t(rank)];
    Place place;
    place.index = mine.index;
    place.size = int(group.instances[size_t(mine.instance)].ranks.size());
    if (place.size > 1) {
      check(nccl.commSplit(all, mine.instance, mine.index, &place.comm, nullptr), "ncclCommSplit",
            all);
      comms.push_back(place.comm);
      watch.add(rank, place.comm);
    }
    places.push_back(place);
  }
  for (Event *event : {&computed, &captured})
    driver.check(driver.eventCreate(event, eventDisableTiming), "cuEventCreate");
  for (Event &event : done)
    driver.check(driver.eventCreate(&event, eventDisableTiming), "cuEventCreate");
}

NcclCommunicator::~NcclCommunicator() {
  device.dropGraphs();
  if (watch.remove(rank))
    for (size_t i = comms.size(); i-- > 0;) // the parts first
      program.aborted() ? nccl.commAbort(comms[i]) : nccl.commDestroy(comms[i]);
  for (Event event : done)
    driver.eventDestroy(event);
  driver.eventDestroy(captured);
  driver.eventDestroy(computed);
}

void NcclCommunicator::check(NcclResult result, const char *call, Comm comm) const {
  if (result != ncclOk)
    throw runFailure(std::string(call) + ": " + nccl.getLastError(comm));
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
  driver.check(driver.eventRecord(computed, device.compute()), "cuEventRecord");
  driver.check(driver.streamWaitEvent(device.communication(), computed, 0), "cuStreamWaitEvent");
  if (device.isCapturing()) {
    enqueue(call, places[size_t(call.group)]);
    device.keep({call.group, call.op});
    driver.check(driver.eventRecord(captured, device.communication()), "cuEventRecord");
    driver.check(driver.streamWaitEvent(device.compute(), captured, 0), "cuStreamWaitEvent");
    return TPRT_OK;
  }
  Turns &turns = watch.turnsOf(rank);
  const Event ended = done[next];
  next = (next + 1) % done.size();
  turns.begin(call.group, call.op);
  try {
    enqueue(call, places[size_t(call.group)]);
    driver.check(driver.eventRecord(ended, device.communication()), "cuEventRecord");
  } catch (...) {
    turns.end(ended);
    if (program.aborted()) // what failed is that it was stopped
      return TPRT_ABORTED;
    throw;
  }
  turns.end(ended);
  driver.check(driver.streamWaitEvent(device.compute(), ended, 0), "cuStreamWaitEvent");
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
    check(nccl.allReduce(call.src, call.dst, size_t(call.inner), reduction.type, reduction.kind,
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
  check(nccl.groupStart(), "ncclGroupStart", place.comm);
  const NcclResult result = body();
  const NcclResult ended = nccl.groupEnd(); // in any case: else later calls join it
  check(result, call, place.comm);
  check(ended, call, place.comm);
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
      for (int64_t row = 0; row < call.outer && result == ncclOk; ++row)
        result = gather(at(call.src, row * rowBytes), at(call.dst, row * wholeBytes), rowBytes);
      return result;
    });
  const int64_t blockBytes = call.outer * rowBytes;
  char *blocks = stagingOf(place.size * blockBytes);
  check(gather(call.src, blocks, blockBytes), "ncclAllGather", place.comm);
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
      for (int64_t row = 0; row < call.outer && result == ncclOk; ++row)
        result = scatter(at(call.src, row * wholeBytes), at(call.dst, row * rowBytes), call.inner);
      return result;
    });
  const int64_t blockBytes = call.outer * rowBytes;
  char *blocks = stagingOf(place.size * blockBytes);
  for (int member = 0; member < place.size; ++member)
    device.copyRows(at(call.src, member * rowBytes), wholeBytes, at(blocks, member * blockBytes),
                    rowBytes, rowBytes, call.outer);
  check(scatter(blocks, call.dst, call.outer * call.inner), "ncclReduceScatter", place.comm);
}

void NcclCommunicator::allToAll(const CollectiveCall &call, const Place &place) {
  const int64_t rowBytes = call.inner * tprt_dtype_size(call.dtype);
  asGroup(place, "ncclSend", [&] {
    NcclResult result = ncclOk;
    for (int member = 0; member < place.size && result == ncclOk; ++member) {
      result = nccl.send(at(call.src, member * rowBytes), size_t(rowBytes), ncclInt8, member,
                         place.comm, device.communication());
      if (result == ncclOk)
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
    for (int member = 0; member < place.size && result == ncclOk; ++member)
      if (call.sources[member] == place.index)
        result = nccl.send(call.src, bytes, ncclInt8, member, place.comm, device.communication());
    if (from >= 0 && result == ncclOk)
      result = nccl.recv(call.dst, bytes, ncclInt8, from, place.comm, device.communication());
    return result;
  });
  if (from < 0)
    driver.check(driver.memsetD8Async(reinterpret_cast<DevicePointer>(call.dst), 0, bytes,
                                      device.communication()),
                 "cuMemsetD8Async");
}
