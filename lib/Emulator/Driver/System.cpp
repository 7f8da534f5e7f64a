//===- System.cpp ----------------------------------------------------------===//

#include "System.h"

#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <thread>

using namespace mlir::tp::emulator;
using namespace tprt::cuda;

namespace {

/// The number in an environment variable.
size_t fromEnvironment(const char *name, size_t otherwise) {
  const char *text = std::getenv(name);
  size_t value;
  return text && !llvm::StringRef(text).getAsInteger(10, value) ? value : otherwise;
}

} // namespace

System &System::get() {
  static System *system = new System; // Outlives whatever still calls at exit.
  return *system;
}

System::System()
    : version(fromEnvironment("TP_EMULATED_VERSION", 13000)),
      patience(fromEnvironment("TP_EMULATED_SECONDS", 30)), hostLine(order.addLine()),
      freeHostBytes(fromEnvironment("TP_EMULATED_HOST_MEBIBYTES", 16384) << 20) {
  size_t number = fromEnvironment("TP_EMULATED_DEVICES", 8);
  for (size_t i = 0; i < number; ++i) {
    devices.push_back(std::make_unique<DeviceState>());
    devices.back()->totalBytes = fromEnvironment("TP_EMULATED_MEBIBYTES", 16384) << 20;
  }
}

int &System::currentDevice() {
  thread_local int device = -1;
  return device;
}

Result System::fault(llvm::Error error) {
  std::string message = llvm::toString(std::move(error));
  if (faultMessage.empty())
    faultMessage = "emulated device: " + message;
  wakeAll();
  return illegalAddress;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Stream System::createStream(int device) {
  auto stream = std::make_unique<StreamState>();
  stream->device = device;
  stream->number = ++numStreams;
  stream->line = order.addLine();
  return streams.add(std::move(stream));
}

Result System::enqueue(StreamState &stream, const std::string &name, Work work) {
  if (failed())
    return illegalAddress;
  if (CaptureState *capture = stream.capture.get()) {
    capture->order.add(stream.captureLine, name);
    capture->steps.push_back({stream.captureLine, name, std::move(work), std::nullopt, {}, {}});
    return ok;
  }
  order.wait(stream.line, order.clock(hostLine));
  const Operation &operation =
      order.add(stream.line, name + " on stream " + std::to_string(stream.number));
  if (llvm::Error error = work(operation))
    return fault(std::move(error));
  return ok;
}

Result System::record(EventState &event, StreamState &stream) {
  if (failed())
    return illegalAddress;
  event.capture = stream.capture;
  if (CaptureState *capture = stream.capture.get()) {
    event.captureStep = capture->steps.size();
    capture->steps.push_back({stream.captureLine,
                              "",
                              nullptr,
                              std::nullopt,
                              {},
                              capture->order.clock(stream.captureLine)});
    return ok;
  }
  order.wait(stream.line, order.clock(hostLine));
  recordNow(event, stream.line);
  return ok;
}

void System::recordNow(EventState &event, unsigned line) {
  event.recorded = true;
  event.capture = nullptr;
  event.clock = order.clock(line);
  event.time = std::chrono::steady_clock::now();
}

Result System::recordOutside(Event event, StreamState &stream) {
  if (failed())
    return illegalAddress;
  if (!stream.capture)
    return invalidValue;
  stream.capture->steps.push_back({stream.captureLine, "", nullptr, std::nullopt, event, {}});
  return ok;
}

Result System::wait(StreamState &stream, EventState &event) {
  if (failed())
    return illegalAddress;
  if (event.capture) {
    CaptureState &capture = *event.capture;
    if (stream.capture && stream.capture != event.capture)
      return captureMerge;
    if (!stream.capture) {
      stream.capture = event.capture;
      stream.captureLine = capture.order.addLine();
      capture.streams.push_back(&stream);
    }
    capture.order.wait(stream.captureLine, capture.steps[event.captureStep].clock);
    capture.steps.push_back({stream.captureLine, "", nullptr, event.captureStep, {}, {}});
    return ok;
  }
  if (stream.capture) {
    stream.capture->invalid = captureIsolation;
    return captureIsolation;
  }
  // An event that was never recorded is past.
  order.wait(stream.line, event.clock);
  return ok;
}

Result System::onHost(const std::string &name, const Work &work) {
  if (failed())
    return illegalAddress;
  if (llvm::Error error = work(order.add(hostLine, name)))
    return fault(std::move(error));
  return ok;
}

Result System::awaitDevice(int device) {
  Clock all;
  for (const auto &[handle, stream] : streams)
    if (stream->device == device)
      all.join(order.clock(stream->line));
  return awaitByHost(all);
}

bool System::isPast(const Clock &clock) const { return order.clock(hostLine).covers(clock); }

Result System::awaitByHost(Clock clock) {
  if (failed())
    return illegalAddress;
  // Another thread may end it.
  if (isHanging(clock) && !waitFor([&] { return !isHanging(clock); })) {
    if (failed())
      return illegalAddress;
    const HangingOperation *hanging = findHanging(clock);
    return fault(llvm::createStringError("the host waits for " + hanging->operation->name +
                                         ", which does not end: " + hanging->reason));
  }
  order.wait(hostLine, clock);
  std::vector<HostEffect> later;
  for (HostEffect &effect : effects) {
    if (order.clock(hostLine).get(effect.operation->line) < effect.operation->tick) {
      later.push_back(std::move(effect));
      continue;
    }
    if (llvm::Error error = effect.effect())
      fault(std::move(error));
  }
  effects = std::move(later);
  return failed() ? illegalAddress : ok;
}

void System::hang(const Operation &operation, const void *owner, std::string reason) {
  hanging.push_back({&operation, owner, std::move(reason)});
}

void System::endAll(const void *owner) {
  llvm::erase_if(hanging, [&](const HangingOperation &one) { return one.owner == owner; });
  wakeAll();
}

const System::HangingOperation *System::findHanging(const Clock &clock) const {
  auto it = llvm::find_if(hanging, [&](const HangingOperation &one) {
    return clock.get(one.operation->line) >= one.operation->tick;
  });
  return it == hanging.end() ? nullptr : &*it;
}

void System::orderTogether(llvm::ArrayRef<const Operation *> operations) {
  Clock all;
  for (const Operation *operation : operations)
    all.join(order.clock(operation->line));
  for (const Operation *operation : operations)
    order.wait(operation->line, all);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Result System::checkNotCapturing() {
  if (failed())
    return illegalAddress;
  if (!capturingThreads.count(std::this_thread::get_id()))
    return ok;
  for (const auto &[handle, stream] : streams)
    if (stream->capture && stream->capture->thread == std::this_thread::get_id())
      stream->capture->invalid = captureInvalidated;
  return captureUnsupported;
}

Result System::beginCapture(StreamState &stream) {
  if (failed())
    return illegalAddress;
  if (stream.capture)
    return illegalState;
  stream.capture = std::make_shared<CaptureState>();
  stream.capture->origin = &stream;
  stream.capture->thread = std::this_thread::get_id();
  stream.captureLine = stream.capture->order.addLine();
  stream.capture->streams.push_back(&stream);
  capturingThreads.insert(std::this_thread::get_id());
  return ok;
}

Result System::endCapture(StreamState &stream, Graph &graph) {
  if (!stream.capture)
    return illegalState;
  std::shared_ptr<CaptureState> capture = stream.capture;
  if (capture->origin != &stream)
    return captureUnmatched;
  if (capture->thread != std::this_thread::get_id())
    return captureWrongThread;
  capturingThreads.erase(capture->thread);
  Result result = capture->invalid;
  const Clock end = capture->order.clock(stream.captureLine);
  for (StreamState *part : capture->streams) {
    if (result == ok && !end.covers(capture->order.clock(part->captureLine)))
      result = captureUnjoined;
    part->capture = nullptr;
  }
  if (result != ok)
    return result;
  auto state = std::make_unique<GraphState>();
  state->numLines = capture->streams.size();
  state->steps = std::move(capture->steps);
  graph = graphs.add(std::move(state));
  return ok;
}

GraphExec System::instantiate(const GraphState &graph) {
  auto exec = std::make_unique<GraphExecState>();
  exec->graph = graph;
  for (unsigned i = 0; i < graph.numLines; ++i)
    exec->lines.push_back(order.addLine());
  return graphExecs.add(std::move(exec));
}

Result System::launch(GraphExecState &exec, StreamState &stream) {
  if (failed())
    return illegalAddress;
  if (stream.capture)
    return captureUnsupported;
  order.wait(stream.line, order.clock(hostLine));
  order.add(stream.line, "a graph");
  for (unsigned line : exec.lines)
    order.wait(line, order.clock(stream.line));
  std::vector<Clock> recorded(exec.graph.steps.size());
  for (size_t i = 0; i < exec.graph.steps.size(); ++i) {
    const CaptureStep &step = exec.graph.steps[i];
    unsigned line = exec.lines[step.line];
    if (step.work) {
      const Operation &operation =
          order.add(line, step.name + " of a graph on stream " + std::to_string(stream.number));
      if (llvm::Error error = step.work(operation))
        return fault(std::move(error));
    } else if (step.recorded) {
      if (EventState *event = events.get(step.recorded))
        recordNow(*event, line);
    } else if (step.awaited) {
      order.wait(line, recorded[*step.awaited]);
    } else {
      recorded[i] = order.clock(line);
    }
  }
  for (unsigned line : exec.lines)
    order.wait(stream.line, order.clock(line));
  return ok;
}

//===----------------------------------------------------------------------===//
// Memory of the host
//===----------------------------------------------------------------------===//

void *System::allocateHost(size_t bytes) {
  if (bytes > freeHostBytes)
    return nullptr;
  freeHostBytes -= bytes;
  std::unique_ptr<char[]> memory(new char[bytes ? bytes : 1]);
  char *address = memory.get();
  hostMemory[address] = {bytes, std::move(memory)};
  return address;
}

bool System::freeHost(void *memory) {
  auto found = hostMemory.find(static_cast<char *>(memory));
  if (found == hostMemory.end())
    return false;
  freeHostBytes += found->second.first;
  hostMemory.erase(found);
  return true;
}

bool System::isHostMemory(const void *address, size_t bytes) const {
  auto *byte = static_cast<const char *>(address);
  auto next = hostMemory.upper_bound(byte);
  if (next == hostMemory.begin())
    return false;
  const auto &[base, allocation] = *std::prev(next);
  return byte + bytes <= base + allocation.first;
}

void System::atHostWait(const Operation &operation, std::function<llvm::Error()> effect) {
  effects.push_back({&operation, std::move(effect)});
}
