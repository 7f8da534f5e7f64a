//===- System.h - Devices, streams, events and graphs -----------*- C++ -*-===//
//
// The state behind the emulated CUDA driver. Work runs when it is enqueued, in the
// order of the host's calls; what orders it on a device is kept apart (Order.h), so
// that work which only happens to run in the right order is told. What a device does to
// memory of the host happens when the host has waited for it, and not before.
//
// TP_EMULATED_DEVICES (8), TP_EMULATED_MEBIBYTES of each (16384), TP_EMULATED_HOST_MEBIBYTES
// of memory that the host may not move (16384) and TP_EMULATED_VERSION (13000) in the
// environment say what there is, and TP_EMULATED_SECONDS (30) how long other ranks are
// waited for.
//
// The first fault is kept: every call fails with it from then on, as on a device that
// is lost, and `faultText` says what it was.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_DRIVER_SYSTEM_H
#define TP_EMULATOR_DRIVER_SYSTEM_H

#include "runtime/cuda/DriverApi.h"
#include "tp/Emulator/DeviceCode.h"
#include "tp/Emulator/DeviceMemory.h"
#include "tp/Emulator/Order.h"
#include "llvm/ADT/ArrayRef.h"
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

namespace mlir::tp::emulator {

using tprt::cuda::Result;

/// What an operation does; it runs when its turn has come.
using Work = std::function<llvm::Error(const Operation &)>;

struct CaptureState;

struct StreamState {
  int device;
  unsigned number, line;
  /// Null unless the stream is being captured.
  std::shared_ptr<CaptureState> capture;
  /// Its line in the capture.
  unsigned captureLine = 0;
};

struct EventState {
  bool timed;
  bool recorded = false;
  Clock clock;
  std::chrono::steady_clock::time_point time;
  /// Where it was recorded while its stream was captured, and the step.
  std::shared_ptr<CaptureState> capture;
  size_t captureStep = 0;
};

/// A step of a capture, on one of its lines.
struct CaptureStep {
  unsigned line;
  std::string name;
  /// Null for a record, and for a wait of `awaited`.
  Work work;
  /// Step that recorded the event.
  std::optional<size_t> awaited;
  /// An event that each launch records for what is outside.
  tprt::cuda::Event recorded = nullptr;
  /// What is past for the line then.
  Clock clock;
};

struct CaptureState {
  StreamState *origin;
  std::thread::id thread;
  Order order;
  std::vector<StreamState *> streams;
  std::vector<CaptureStep> steps;
  /// Why it cannot become a graph.
  Result invalid = tprt::cuda::ok;
};

struct GraphState {
  unsigned numLines;
  std::vector<CaptureStep> steps;
};

struct GraphExecState {
  GraphState graph;
  /// Lines of its launches.
  std::vector<unsigned> lines;
};

struct ModuleState;

struct FunctionState {
  ModuleState *module;
  std::string name;
  /// Kernels must ask for more.
  uint32_t maxDynamicShared = 48 * 1024;
};

struct ModuleState {
  int device;
  std::unique_ptr<DeviceCode> code;
  std::map<std::string, FunctionState> functions;
};

struct DeviceState {
  DeviceMemory memory;
  size_t totalBytes = 0, usedBytes = 0;
  std::map<tprt::cuda::DevicePointer, size_t> allocations;
};

/// What handles of the driver stand for; those that a program forgets are kept.
template <typename State, typename Handle> class Handles {
public:
  Handle add(std::unique_ptr<State> state) {
    auto handle = reinterpret_cast<Handle>(state.get());
    states[handle] = std::move(state);
    return handle;
  }
  /// Null for what is no handle.
  State *get(Handle handle) const {
    auto it = states.find(handle);
    return it == states.end() ? nullptr : it->second.get();
  }
  /// Whether it was one.
  bool remove(Handle handle) { return states.erase(handle) != 0; }

  auto begin() const { return states.begin(); }
  auto end() const { return states.end(); }

private:
  std::map<Handle, std::unique_ptr<State>> states;
};

/// All devices of the process. Calls lock; work runs under the lock, but where it waits.
class System {
public:
  static System &get();

  /// As cuDriverGetVersion tells it.
  const int version;
  /// How long something that may never happen is waited for.
  const std::chrono::seconds patience;

  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex); }
  /// Lets other threads of the host go on until `condition` holds, which is asked again
  /// after each `wakeAll`, or something has failed, or for as long as `patience` allows.
  /// Whether the condition holds. With the lock held.
  template <typename Condition> bool waitFor(Condition condition) {
    std::unique_lock<std::mutex> held(mutex, std::adopt_lock);
    const bool done = changed.wait_for(held, patience, [&] { return failed() || condition(); });
    held.release();
    return done && condition();
  }
  void wakeAll() { changed.notify_all(); }
  /// Lets others go on while `body` does. With the lock held.
  template <typename Body> void whileUnlocked(Body body) {
    mutex.unlock();
    body();
    mutex.lock();
  }

  int numDevices() const { return static_cast<int>(devices.size()); }
  DeviceState &device(int number) { return *devices[number]; }
  /// The device of the host's thread, -1 for none.
  static int &currentDevice();

  Result fault(llvm::Error error);
  bool failed() const { return !faultMessage.empty(); }
  const std::string &faultText() const { return faultMessage; }
  /// What a call gives that the driver refuses while its thread captures; success elsewhere.
  Result checkNotCapturing();

  Handles<StreamState, tprt::cuda::Stream> streams;
  Handles<EventState, tprt::cuda::Event> events;
  Handles<ModuleState, tprt::cuda::Module> modules;
  Handles<GraphState, tprt::cuda::Graph> graphs;
  Handles<GraphExecState, tprt::cuda::GraphExec> graphExecs;

  tprt::cuda::Stream createStream(int device);
  /// Does `work` as the stream's next, or notes it where that is captured.
  Result enqueue(StreamState &stream, const std::string &name, Work work);
  Result wait(StreamState &stream, EventState &event);
  Result record(EventState &event, StreamState &stream);
  /// In each launch of the graph that the stream's capture becomes.
  Result recordOutside(tprt::cuda::Event event, StreamState &stream);
  /// Does what the host does by itself, behind all that it has waited for.
  Result onHost(const std::string &name, const Work &work);
  /// The host has waited for all work of the device.
  Result awaitDevice(int device);
  /// The host has waited for all that the clock knows.
  Result awaitByHost(Clock clock);
  bool isPast(const Clock &clock) const;
  /// Notes that an operation does not end, for a reason, until `owner` ends all of its own.
  void hang(const Operation &operation, const void *owner, std::string reason);
  void endAll(const void *owner);
  /// Whether something that the clock knows does not end.
  bool isHanging(const Clock &clock) const { return findHanging(clock) != nullptr; }
  const Clock &clockOf(const StreamState &stream) const { return order.clock(stream.line); }

  /// All that any of the operations knew, and each of them, is past for what follows any.
  void orderTogether(llvm::ArrayRef<const Operation *> operations);

  Result beginCapture(StreamState &stream);
  Result endCapture(StreamState &stream, tprt::cuda::Graph &graph);
  Result launch(GraphExecState &exec, StreamState &stream);
  tprt::cuda::GraphExec instantiate(const GraphState &graph);

  /// Memory of the host that devices copy to and from while it goes on; null where there
  /// is no more.
  void *allocateHost(size_t bytes);
  bool freeHost(void *memory);
  bool isHostMemory(const void *address, size_t bytes) const;
  /// To be done when the host has waited for the operation.
  void atHostWait(const Operation &operation, std::function<llvm::Error()> effect);

private:
  System();

  void recordNow(EventState &event, unsigned line);

  struct HostEffect {
    const Operation *operation;
    std::function<llvm::Error()> effect;
  };

  struct HangingOperation {
    const Operation *operation;
    const void *owner;
    std::string reason;
  };

  const HangingOperation *findHanging(const Clock &clock) const;

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::unique_ptr<DeviceState>> devices;
  Order order;
  /// All threads of the host: what orders them among each other is not known here.
  unsigned hostLine;
  std::map<const char *, std::pair<size_t, std::unique_ptr<char[]>>> hostMemory;
  size_t freeHostBytes;
  std::vector<HostEffect> effects;
  std::vector<HangingOperation> hanging;
  std::set<std::thread::id> capturingThreads;
  unsigned numStreams = 0;
  std::string faultMessage;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_DRIVER_SYSTEM_H
