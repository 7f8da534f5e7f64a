//===- Driver.cpp - The CUDA driver's calls, emulated ----------------------===//
//
// Becomes libcuda.so.1 in a folder of its own. Modules are LLVM IR of the nvptx64
// target, as text or bitcode, and nothing else.
//
//===----------------------------------------------------------------------===//

#include "System.h"

#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mlir::tp::emulator;
using namespace tprt::cuda;

// What is defined below has the form that the runtime calls.
extern "C" {
#define TPRT_DRIVER_CALL(name, symbol, parameters)                                                 \
  __attribute__((visibility("default"))) tprt::cuda::Result symbol parameters;
#include "runtime/cuda/DriverApi.def"
#undef TPRT_DRIVER_CALL
}

namespace {

bool initialized = false;

StreamState *get(Stream stream) { return System::get().streams.get(stream); }
EventState *get(Event event) { return System::get().events.get(event); }
char *pointerOf(DevicePointer pointer) { return reinterpret_cast<char *>(pointer); }

bool isDevice(int device) { return device >= 0 && device < System::get().numDevices(); }

/// The device of the calling thread; null without a context.
DeviceState *currentDevice() {
  int device = System::currentDevice();
  return device < 0 ? nullptr : &System::get().device(device);
}

/// The memory that holds an address: the device's own, or another's.
DeviceMemory &memoryOf(int device, DevicePointer pointer) {
  System &system = System::get();
  for (int other = 0; other < system.numDevices(); ++other)
    if (system.device(other).memory.find(pointer))
      return system.device(other).memory;
  return system.device(device).memory;
}

/// Enqueues work that gets the stream's device.
Result enqueueOnDevice(Stream stream, const char *name,
                       std::function<llvm::Error(int, const Operation &)> work) {
  auto lock = System::get().lock();
  StreamState *state = get(stream);
  if (!state)
    return invalidHandle;
  return System::get().enqueue(
      *state, name, [device = state->device, work = std::move(work)](const Operation &operation) {
        return work(device, operation);
      });
}

Result allocate(DevicePointer *pointer, size_t bytes) {
  DeviceState *device = currentDevice();
  if (!device)
    return invalidContext;
  if (!pointer || bytes == 0)
    return invalidValue;
  if (bytes > device->totalBytes - device->usedBytes)
    return outOfMemory;
  void *memory = device->memory.allocate(bytes);
  if (!memory)
    return outOfMemory;
  *pointer = reinterpret_cast<DevicePointer>(memory);
  device->allocations[*pointer] = bytes;
  device->usedBytes += bytes;
  return ok;
}

llvm::Error release(DeviceState &device, DevicePointer pointer, const Operation &operation) {
  if (llvm::Error error = device.memory.free(pointerOf(pointer), operation))
    return error;
  auto it = device.allocations.find(pointer);
  device.usedBytes -= it->second;
  device.allocations.erase(it);
  return llvm::Error::success();
}

/// Whether it is machine code or PTX, which an emulated device has no use for.
bool isOfDevices(llvm::StringRef image) {
  llvm::StringRef text = image.ltrim();
  return image.starts_with("\177ELF") || text.starts_with("//") || text.starts_with(".version");
}

/// The IR at `image`: bitcode in LLVM's wrapper, which has its size, or text that ends
/// with a zero.
llvm::StringRef irOfImage(const char *image) {
  constexpr uint32_t magic = 0x0B17C0DE;
  uint32_t header[4]; // Magic, version, offset, size.
  if (std::memcmp(image, &magic, sizeof(magic)) != 0)
    return image;
  std::memcpy(header, image, sizeof(header));
  return llvm::StringRef(image, size_t(header[2]) + header[3]);
}

struct Words {
  const char *name, *text;
};

/// What a driver says of a result; null where it knows none.
Words wordsOf(Result result) {
  switch (result) {
  case ok:
    return {"CUDA_SUCCESS", "no error"};
  case invalidValue:
    return {"CUDA_ERROR_INVALID_VALUE", "invalid argument"};
  case outOfMemory:
    return {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"};
  case notInitialized:
    return {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"};
  case noDevice:
    return {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"};
  case invalidDevice:
    return {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"};
  case invalidImage:
    return {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"};
  case invalidContext:
    return {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"};
  case noBinaryForGpu:
    return {"CUDA_ERROR_NO_BINARY_FOR_GPU",
            "no kernel image is available for execution on the device"};
  case invalidHandle:
    return {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"};
  case illegalState:
    return {"CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"};
  case notFound:
    return {"CUDA_ERROR_NOT_FOUND", "named symbol not found"};
  case notReady:
    return {"CUDA_ERROR_NOT_READY", "device not ready"};
  case illegalAddress:
    return {"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"};
  case launchFailed:
    return {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"};
  case captureUnsupported:
    return {"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
            "operation not permitted when stream is capturing"};
  case captureInvalidated:
    return {"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
            "operation failed due to a previous error during capture"};
  case captureMerge:
    return {"CUDA_ERROR_STREAM_CAPTURE_MERGE",
            "operation would result in a merge of separate capture sequences"};
  case captureUnmatched:
    return {"CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
            "capture was not ended in the same stream as it began"};
  case captureUnjoined:
    return {"CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"};
  case captureIsolation:
    return {"CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
            "dependency created on uncaptured work in another stream"};
  case captureWrongThread:
    return {"CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
            "attempt to terminate a thread-local capture sequence from another thread"};
  }
  return {nullptr, nullptr};
}

} // namespace

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Result cuInit(unsigned flags) {
  if (flags != 0)
    return invalidValue;
  initialized = true;
  return System::get().numDevices() == 0 ? noDevice : ok;
}

Result cuDriverGetVersion(int *result) {
  *result = System::get().version;
  return ok;
}

Result cuGetErrorName(Result error, const char **name) {
  *name = wordsOf(error).name;
  return *name ? ok : invalidValue;
}

Result cuGetErrorString(Result error, const char **text) {
  auto lock = System::get().lock();
  // What a device cannot say.
  if ((error == illegalAddress || error == invalidImage) && System::get().failed()) {
    *text = System::get().faultText().c_str();
    return ok;
  }
  *text = wordsOf(error).text;
  return *text ? ok : invalidValue;
}

Result cuDeviceGetCount(int *count) {
  if (!initialized)
    return notInitialized;
  *count = System::get().numDevices();
  return ok;
}

Result cuDeviceGet(Device *device, int ordinal) {
  if (!initialized)
    return notInitialized;
  if (!isDevice(ordinal))
    return invalidDevice;
  *device = ordinal;
  return ok;
}

Result cuDeviceGetName(char *name, int length, Device device) {
  if (!isDevice(device) || length <= 0)
    return invalidValue;
  std::strncpy(name, "emulated device", length);
  name[length - 1] = 0;
  return ok;
}

// Processes see the same devices.
Result cuDeviceGetUuid_v2(Uuid *uuid, Device device) {
  if (!isDevice(device))
    return invalidDevice;
  std::memset(uuid, 0, sizeof(*uuid));
  std::memcpy(uuid->bytes, "emulated", 8);
  std::memcpy(uuid->bytes + 8, &device, sizeof(device));
  return ok;
}

// Bus ff has no device that sysfs could know of.
Result cuDeviceGetPCIBusId(char *text, int length, Device device) {
  if (!isDevice(device) || length <= 0)
    return invalidValue;
  std::snprintf(text, size_t(length), "FFFF:FF:%02X.0", unsigned(device));
  return ok;
}

Result cuDeviceGetAttribute(int *value, int attribute, Device device) {
  if (!isDevice(device))
    return invalidDevice;
  switch (attribute) {
  case maxThreadsPerBlock:
    *value = 1024;
    return ok;
  case warpSizeAttribute:
    *value = 32;
    return ok;
  case multiprocessorCount:
    *value = 4;
    return ok;
  case computeCapabilityMajor:
    *value = 9;
    return ok;
  case computeCapabilityMinor:
    *value = 0;
    return ok;
  case maxSharedMemoryPerBlockOptin:
    *value = DeviceCode::maxSharedBytes;
    return ok;
  }
  return invalidValue;
}

// A context is the number of its device, from 1 on.
Result cuDevicePrimaryCtxRetain(Context *context, Device device) {
  if (!isDevice(device))
    return invalidDevice;
  *context = reinterpret_cast<Context>(static_cast<uintptr_t>(device) + 1);
  return ok;
}

Result cuDevicePrimaryCtxRelease_v2(Device device) { return isDevice(device) ? ok : invalidDevice; }

Result cuCtxSetCurrent(Context context) {
  System::currentDevice() = static_cast<int>(reinterpret_cast<uintptr_t>(context)) - 1;
  return ok;
}

Result cuCtxSynchronize() {
  System &system = System::get();
  auto lock = system.lock();
  if (System::currentDevice() < 0)
    return invalidContext;
  if (Result result = system.checkNotCapturing())
    return result;
  return system.awaitDevice(System::currentDevice());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  auto lock = System::get().lock();
  DeviceState *device = currentDevice();
  if (!device)
    return invalidContext;
  *free = device->totalBytes - device->usedBytes;
  *total = device->totalBytes;
  return ok;
}

Result cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
  System &system = System::get();
  auto lock = system.lock();
  if (Result result = system.checkNotCapturing())
    return result;
  return allocate(pointer, bytes);
}

Result cuMemFree_v2(DevicePointer pointer) {
  System &system = System::get();
  auto lock = system.lock();
  if (Result result = system.checkNotCapturing())
    return result;
  DeviceState *device = currentDevice();
  if (!device)
    return invalidContext;
  if (!device->allocations.count(pointer))
    return invalidValue;
  // It waits for all work of the device.
  if (Result result = system.awaitDevice(System::currentDevice()))
    return result;
  return system.onHost("cuMemFree", [&](const Operation &operation) {
    return release(*device, pointer, operation);
  });
}

Result cuMemAllocAsync(DevicePointer *pointer, size_t bytes, Stream stream) {
  auto lock = System::get().lock();
  StreamState *state = get(stream);
  if (!state)
    return invalidHandle;
  if (state->capture)
    return captureUnsupported;
  if (Result result = allocate(pointer, bytes))
    return result;
  // What uses it must be behind this.
  DeviceMemory &memory = System::get().device(state->device).memory;
  return System::get().enqueue(*state, "cuMemAllocAsync", [&](const Operation &operation) {
    return memory.begin(pointerOf(*pointer), operation);
  });
}

Result cuMemFreeAsync(DevicePointer pointer, Stream stream) {
  auto lock = System::get().lock();
  StreamState *state = get(stream);
  if (!state)
    return invalidHandle;
  if (state->capture)
    return captureUnsupported;
  DeviceState &device = System::get().device(state->device);
  if (!device.allocations.count(pointer))
    return invalidValue;
  return System::get().enqueue(*state, "cuMemFreeAsync", [&](const Operation &operation) {
    return release(device, pointer, operation);
  });
}

Result cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  System &system = System::get();
  auto lock = system.lock();
  if (Result result = system.checkNotCapturing())
    return result;
  *pointer = system.allocateHost(bytes);
  return *pointer ? ok : outOfMemory;
}

Result cuMemFreeHost(void *pointer) {
  System &system = System::get();
  auto lock = system.lock();
  if (Result result = system.checkNotCapturing())
    return result;
  return system.freeHost(pointer) ? ok : invalidValue;
}

Result cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, size_t bytes, Stream stream) {
  return enqueueOnDevice(
      stream, "a copy to the device", [=](int device, const Operation &operation) -> llvm::Error {
        if (llvm::Error error = memoryOf(device, to).write(pointerOf(to), bytes, operation))
          return error;
        std::memcpy(pointerOf(to), from, bytes);
        // Memory that is not the driver's own is read before the call returns.
        if (System::get().isHostMemory(from, bytes)) {
          std::string content(static_cast<const char *>(from), bytes);
          System::get().atHostWait(operation, [=]() -> llvm::Error {
            if (std::memcmp(from, content.data(), bytes) == 0)
              return llvm::Error::success();
            return llvm::createStringError("the host changed the source of a copy of " +
                                           std::to_string(bytes) +
                                           " bytes to the device before it had waited for it");
          });
        }
        return llvm::Error::success();
      });
}

Result cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t bytes, Stream stream) {
  System &system = System::get();
  auto lock = system.lock();
  StreamState *state = get(stream);
  if (!state)
    return invalidHandle;
  int device = state->device;
  bool later = system.isHostMemory(to, bytes);
  Result result = system.enqueue(
      *state, "a copy to the host", [=, &system](const Operation &operation) -> llvm::Error {
        if (llvm::Error error = memoryOf(device, from).read(pointerOf(from), bytes, operation))
          return error;
        std::string content(pointerOf(from), bytes);
        if (!later) {
          std::memcpy(to, content.data(), bytes);
          return llvm::Error::success();
        }
        // Until the host has waited it sees what is no value: NaN in every float format.
        std::memset(to, 0xFF, bytes);
        system.atHostWait(operation, [=] {
          std::memcpy(to, content.data(), bytes);
          return llvm::Error::success();
        });
        return llvm::Error::success();
      });
  // Where the memory is not the driver's own the call waits.
  if (result == ok && !later && !state->capture)
    return system.awaitByHost(system.clockOf(*state));
  return result;
}

Result cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t bytes, Stream stream) {
  return enqueueOnDevice(
      stream, "a copy on the device", [=](int device, const Operation &operation) -> llvm::Error {
        if (llvm::Error error = memoryOf(device, from).read(pointerOf(from), bytes, operation))
          return error;
        if (llvm::Error error = memoryOf(device, to).write(pointerOf(to), bytes, operation))
          return error;
        std::memmove(pointerOf(to), pointerOf(from), bytes);
        return llvm::Error::success();
      });
}

Result cuMemcpy2DAsync_v2(const Copy2D *copy, Stream stream) {
  if (!copy || copy->fromType != memoryOfDevice || copy->toType != memoryOfDevice || copy->fromX ||
      copy->fromY || copy->toX || copy->toY || copy->fromPitch < copy->rowBytes ||
      copy->toPitch < copy->rowBytes)
    return invalidValue;
  return enqueueOnDevice(
      stream, "a copy of rows",
      [copy = *copy](int device, const Operation &operation) -> llvm::Error {
        for (size_t row = 0; row < copy.rows; ++row) {
          DevicePointer from = copy.fromDevice + row * copy.fromPitch;
          DevicePointer to = copy.toDevice + row * copy.toPitch;
          if (llvm::Error error =
                  memoryOf(device, from).read(pointerOf(from), copy.rowBytes, operation))
            return error;
          if (llvm::Error error =
                  memoryOf(device, to).write(pointerOf(to), copy.rowBytes, operation))
            return error;
          std::memmove(pointerOf(to), pointerOf(from), copy.rowBytes);
        }
        return llvm::Error::success();
      });
}

Result cuMemsetD8Async(DevicePointer to, unsigned char value, size_t count, Stream stream) {
  return enqueueOnDevice(
      stream, "a fill", [=](int device, const Operation &operation) -> llvm::Error {
        if (llvm::Error error = memoryOf(device, to).write(pointerOf(to), count, operation))
          return error;
        std::memset(pointerOf(to), value, count);
        return llvm::Error::success();
      });
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Result cuStreamCreate(Stream *stream, unsigned flags) {
  auto lock = System::get().lock();
  if (System::currentDevice() < 0)
    return invalidContext;
  // Others wait for the default stream, which is not emulated.
  if (flags != streamNonBlocking)
    return invalidValue;
  *stream = System::get().createStream(System::currentDevice());
  return ok;
}

Result cuStreamDestroy_v2(Stream stream) {
  auto lock = System::get().lock();
  return System::get().streams.remove(stream) ? ok : invalidHandle;
}

Result cuStreamSynchronize(Stream stream) {
  System &system = System::get();
  auto lock = system.lock();
  StreamState *state = get(stream);
  if (!state)
    return invalidHandle;
  if (Result result = system.checkNotCapturing())
    return result;
  return system.awaitByHost(system.clockOf(*state));
}

Result cuStreamQuery(Stream stream) {
  System &system = System::get();
  auto lock = system.lock();
  StreamState *state = get(stream);
  if (!state)
    return invalidHandle;
  if (Result result = system.checkNotCapturing())
    return result;
  // All other work has run; asking is waiting.
  if (system.isHanging(system.clockOf(*state)))
    return notReady;
  return system.awaitByHost(system.clockOf(*state));
}

Result cuStreamWaitEvent(Stream stream, Event event, unsigned) {
  auto lock = System::get().lock();
  StreamState *state = get(stream);
  return state && get(event) ? System::get().wait(*state, *get(event)) : invalidHandle;
}

Result cuEventCreate(Event *event, unsigned flags) {
  auto lock = System::get().lock();
  auto state = std::make_unique<EventState>();
  state->timed = !(flags & eventDisableTiming);
  *event = System::get().events.add(std::move(state));
  return ok;
}

Result cuEventDestroy_v2(Event event) {
  auto lock = System::get().lock();
  return System::get().events.remove(event) ? ok : invalidHandle;
}

Result cuEventRecord(Event event, Stream stream) {
  auto lock = System::get().lock();
  StreamState *state = get(stream);
  return state && get(event) ? System::get().record(*get(event), *state) : invalidHandle;
}

Result cuEventRecordWithFlags(Event event, Stream stream, unsigned flags) {
  if (flags == 0)
    return cuEventRecord(event, stream);
  auto lock = System::get().lock();
  StreamState *state = get(stream);
  if (!get(event) || !state)
    return invalidHandle;
  return flags == eventRecordExternal ? System::get().recordOutside(event, *state) : invalidValue;
}

Result cuEventQuery(Event event) {
  {
    auto lock = System::get().lock();
    if (EventState *state = get(event); state && System::get().isHanging(state->clock))
      return notReady;
  }
  return cuEventSynchronize(event);
}

Result cuEventSynchronize(Event event) {
  System &system = System::get();
  auto lock = system.lock();
  EventState *state = get(event);
  if (!state)
    return invalidHandle;
  if (state->capture)
    return captureUnsupported;
  return system.awaitByHost(state->clock);
}

Result cuEventElapsedTime_v2(float *milliseconds, Event begin, Event end) {
  auto lock = System::get().lock();
  EventState *first = get(begin), *last = get(end);
  for (EventState *event : {first, last}) {
    if (!event || !event->timed || !event->recorded)
      return invalidHandle;
    if (!System::get().isPast(event->clock))
      return notReady;
  }
  std::chrono::duration<float, std::milli> time = last->time - first->time;
  *milliseconds = time.count();
  return ok;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Result cuModuleLoadData(Module *module, const void *image) {
  System &system = System::get();
  auto lock = system.lock();
  DeviceState *device = currentDevice();
  if (!device)
    return invalidContext;
  if (Result result = system.checkNotCapturing())
    return result;
  if (isOfDevices(static_cast<const char *>(image)))
    return noBinaryForGpu;
  llvm::Expected<std::unique_ptr<DeviceCode>> code =
      DeviceCode::load(irOfImage(static_cast<const char *>(image)), device->memory);
  if (!code) {
    system.fault(code.takeError());
    return invalidImage;
  }
  auto state = std::make_unique<ModuleState>();
  state->device = System::currentDevice();
  state->code = std::move(*code);
  *module = system.modules.add(std::move(state));
  return ok;
}

Result cuModuleUnload(Module module) {
  System &system = System::get();
  auto lock = system.lock();
  if (Result result = system.checkNotCapturing())
    return result;
  return system.modules.remove(module) ? ok : invalidHandle;
}

Result cuModuleGetFunction(Function *function, Module module, const char *name) {
  auto lock = System::get().lock();
  ModuleState *state = System::get().modules.get(module);
  if (!state)
    return invalidHandle;
  if (!state->code->hasKernel(name))
    return notFound;
  auto [it, isNew] = state->functions.try_emplace(name);
  if (isNew)
    it->second = {state, name};
  *function = reinterpret_cast<Function>(&it->second);
  return ok;
}

Result cuFuncSetAttribute(Function function, int attribute, int value) {
  auto lock = System::get().lock();
  auto *state = reinterpret_cast<FunctionState *>(function);
  if (!state)
    return invalidHandle;
  if (attribute != maxDynamicSharedBytes || value < 0 ||
      value + state->module->code->sharedBytes() > DeviceCode::maxSharedBytes)
    return invalidValue;
  state->maxDynamicShared = value;
  return ok;
}

Result cuLaunchKernel(Function function, unsigned gridX, unsigned gridY, unsigned gridZ,
                      unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                      Stream stream, void **parameters, void **extra) {
  System &system = System::get();
  auto lock = system.lock();
  StreamState *state = get(stream);
  auto *kernel = reinterpret_cast<FunctionState *>(function);
  if (!state || !kernel || kernel->module->device != state->device)
    return invalidHandle;
  LaunchConfig config = {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes};
  if (extra || config.grid.count() == 0 || sharedBytes > kernel->maxDynamicShared)
    return invalidValue;
  // Values of parameters are taken now, also where the kernel runs later.
  std::vector<std::string> values;
  for (auto [i, bytes] : llvm::enumerate(kernel->module->code->parameterBytes(kernel->name)))
    values.emplace_back(static_cast<const char *>(parameters[i]), bytes);
  return system.enqueue(
      *state, "kernel '" + kernel->name + "'", [=](const Operation &operation) -> llvm::Error {
        std::vector<void *> addresses;
        for (const std::string &value : values)
          addresses.push_back(const_cast<char *>(value.data()));
        return kernel->module->code->launch(kernel->name, config, addresses.data(), operation);
      });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Result cuStreamBeginCapture_v2(Stream stream, int mode) {
  auto lock = System::get().lock();
  StreamState *state = get(stream);
  if (!state)
    return invalidHandle;
  return mode == captureThreadLocal ? System::get().beginCapture(*state) : invalidValue;
}

Result cuStreamEndCapture(Stream stream, Graph *graph) {
  auto lock = System::get().lock();
  StreamState *state = get(stream);
  if (!state)
    return invalidHandle;
  return System::get().endCapture(*state, *graph);
}

Result cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph, unsigned long long flags) {
  auto lock = System::get().lock();
  GraphState *state = System::get().graphs.get(graph);
  if (!state || flags != 0)
    return invalidValue;
  *exec = System::get().instantiate(*state);
  return ok;
}

Result cuGraphLaunch(GraphExec exec, Stream stream) {
  auto lock = System::get().lock();
  StreamState *state = get(stream);
  GraphExecState *graph = System::get().graphExecs.get(exec);
  return state && graph ? System::get().launch(*graph, *state) : invalidHandle;
}

Result cuGraphExecDestroy(GraphExec exec) {
  auto lock = System::get().lock();
  return System::get().graphExecs.remove(exec) ? ok : invalidHandle;
}

Result cuGraphDestroy(Graph graph) {
  auto lock = System::get().lock();
  return System::get().graphs.remove(graph) ? ok : invalidHandle;
}
