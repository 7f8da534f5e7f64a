//===- VirtualFabric.cpp - ranks that are threads with one GPU -------------===//

#include "VirtualFabric.h"

#include "tprt/error.h"

using namespace tprt;
using namespace tprt::cuda;

namespace {

constexpr int64_t kThreads = 256, kMostBlocks = 1024;

char *at(void *base, int64_t bytes) { return static_cast<char *>(base) + bytes; }
const char *at(const void *base, int64_t bytes) { return static_cast<const char *>(base) + bytes; }

const void *sourceOf(const CallHeader &header) {
  return reinterpret_cast<const void *>(header.sequence);
}

} // namespace

//===----------------------------------------------------------------------===//
// VirtualFabric
//===----------------------------------------------------------------------===//

VirtualFabric::VirtualFabric(Program &program, const tprt_module_t &module,
                             const Manifest &manifest)
    : program(program), threads(program) {
  const Driver &driver = Driver::get();
  if (!driver.available())
    throw runFailure(driver.problem(), {}, TPRT_UNAVAILABLE);
  for (int rank = 0; rank < program.numRanks(); ++rank)
    devices.push_back(rank ? std::make_unique<CudaDevice>(*devices[0])
                           : std::make_unique<CudaDevice>(0, module, manifest));
}

/// The first has the kernels of all, and goes last.
VirtualFabric::~VirtualFabric() {
  while (!devices.empty())
    devices.pop_back();
}

std::unique_ptr<Communicator> VirtualFabric::join(int rank) {
  return std::make_unique<VirtualCommunicator>(program, rank, *devices[size_t(rank)],
                                               threads.join(rank));
}

//===----------------------------------------------------------------------===//
// VirtualCommunicator
//===----------------------------------------------------------------------===//

VirtualCommunicator::VirtualCommunicator(Program &program, int rank, CudaDevice &device,
                                         std::unique_ptr<Communicator> host)
    : program(program), rank(rank), device(device), host(std::move(host)), order(device) {
  for (const GroupPartition &group : program.groups()) {
    const GroupMembership &mine = group.membership[size_t(rank)];
    Place place;
    place.index = mine.index;
    place.size = int(group.instances[size_t(mine.instance)].ranks.size());
    for (Event *event : {&place.computed, &place.done})
      driver.check(driver.eventCreate(event, eventDisableTiming), "cuEventCreate");
    places.push_back(place);
  }
}

VirtualCommunicator::~VirtualCommunicator() {
  for (const Place &place : places) {
    driver.eventDestroy(place.computed);
    driver.eventDestroy(place.done);
  }
}

tprt_status_t VirtualCommunicator::run(const CollectiveCall &call) {
  const Place &place = places[size_t(call.group)];
  driver.check(driver.eventRecord(place.computed, device.compute()), "cuEventRecord");
  CallHeader mine = {};
  mine.sequence = reinterpret_cast<uint64_t>(call.src);
  mine.inner = reinterpret_cast<int64_t>(place.computed);
  mine.outer = reinterpret_cast<int64_t>(place.done);
  headers.resize(size_t(place.size));
  if (const tprt_status_t status = host->exchange(call.group, call.op, mine, headers.data()))
    return status;
  for (const CallHeader &header : headers)
    driver.check(
        driver.streamWaitEvent(device.communication(), reinterpret_cast<Event>(header.inner), 0),
        "cuStreamWaitEvent");
  enqueue(call, place);
  driver.check(driver.eventRecord(place.done, device.communication()), "cuEventRecord");
  // Nobody changes an operand, or reads a result of its own, before all have read.
  if (const tprt_status_t status = host->exchange(call.group, call.op, mine, headers.data()))
    return status;
  for (const CallHeader &header : headers)
    driver.check(
        driver.streamWaitEvent(device.communication(), reinterpret_cast<Event>(header.outer), 0),
        "cuStreamWaitEvent");
  // In place: the result waits where it does not lie over an operand.
  if (call.kind == CollectiveKind::AllReduce && call.src == call.dst)
    device.copy(1, staging.data(), call.dst, call.inner * tprt_dtype_size(call.dtype));
  order.end(call.stream);
  return program.aborted() ? tprt_status_t(TPRT_ABORTED) : tprt_status_t(TPRT_OK);
}

char *VirtualCommunicator::stagingOf(int64_t bytes) {
  if (staging.bytes() < bytes) {
    device.wait(); // it is in use
    staging = Buffer();
    staging = device.allocate(bytes, "blocks of collectives of rank " + std::to_string(rank),
                              tprt::Device::Content::Undefined);
  }
  return static_cast<char *>(staging.data());
}

void VirtualCommunicator::reduce(const CollectiveCall &call,
                                 const std::vector<const void *> &sources, void *to,
                                 int64_t count) {
  const std::string name = std::string("tp_reduce_") + tprt_reduction_name(call.reduction) + "_" +
                           tprt_dtype_name(call.dtype) + "_" + std::to_string(sources.size());
  const int32_t kernel = device.findKernel(name);
  if (kernel < 0)
    throw runFailure("the program has no kernel '" + name +
                         "', by which virtual ranks reduce: compile it again",
                     {}, TPRT_INVALID_ARGUMENT);
  std::vector<uint64_t> arguments;
  for (const void *source : sources)
    arguments.push_back(reinterpret_cast<uint64_t>(source));
  arguments.push_back(reinterpret_cast<uint64_t>(to));
  arguments.push_back(uint64_t(count));
  const int64_t blocks = std::min(kMostBlocks, (count + kThreads - 1) / kThreads);
  device.launch(/*stream=*/1, kernel, blocks, kThreads, 0, arguments.data(),
                int32_t(arguments.size()));
}

void VirtualCommunicator::enqueue(const CollectiveCall &call, const Place &place) {
  const int64_t elementBytes = tprt_dtype_size(call.dtype);
  const int64_t rowBytes = call.inner * elementBytes, wholeBytes = place.size * rowBytes;
  std::vector<const void *> sources;
  for (const CallHeader &header : headers)
    sources.push_back(sourceOf(header));
  switch (call.kind) {
  case CollectiveKind::AllReduce:
    return reduce(call, sources, call.src == call.dst ? stagingOf(rowBytes) : call.dst, call.inner);
  case CollectiveKind::AllGather:
    for (int member = 0; member < place.size; ++member)
      device.copyRows(sources[size_t(member)], rowBytes, at(call.dst, member * rowBytes),
                      wholeBytes, rowBytes, call.outer);
    return;
  case CollectiveKind::ReduceScatter: {
    if (call.outer == 1) {
      for (const void *&source : sources)
        source = at(source, place.index * rowBytes);
      return reduce(call, sources, call.dst, call.inner);
    }
    const int64_t blockBytes = call.outer * rowBytes;
    char *blocks = stagingOf(place.size * blockBytes);
    for (int member = 0; member < place.size; ++member) {
      const void *&source = sources[size_t(member)];
      device.copyRows(at(source, place.index * rowBytes), wholeBytes,
                      at(blocks, member * blockBytes), rowBytes, rowBytes, call.outer);
      source = at(blocks, member * blockBytes);
    }
    return reduce(call, sources, call.dst, call.outer * call.inner);
  }
  case CollectiveKind::AllToAll:
    for (int member = 0; member < place.size; ++member)
      device.copy(1, at(sources[size_t(member)], place.index * rowBytes),
                  at(call.dst, member * rowBytes), rowBytes);
    return;
  case CollectiveKind::Permute: {
    const int from = call.sources[place.index];
    if (from >= 0)
      device.copy(1, sources[size_t(from)], call.dst, rowBytes);
    else
      driver.check(driver.memsetD8Async(reinterpret_cast<DevicePointer>(call.dst), 0,
                                        size_t(rowBytes), device.communication()),
                   "cuMemsetD8Async");
    return;
  }
  }
}
