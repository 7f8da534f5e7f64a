//===- Device.cpp - processors as a device --------------------------------===//

#include "Device.h"

#include "Recorder.h"
#include "tprt/error.h"

#include <cstring>

using namespace tprt;

HostDevice &HostDevice::get() {
  static HostDevice device;
  return device;
}

Buffer HostDevice::allocate(int64_t bytes, const std::string &what, Content) {
  return Buffer(bytes, what);
}

// The first write to a page takes long.
void HostDevice::prepare(void *memory, int64_t bytes) { fill(memory, 0, bytes); }

// Buffers without bytes may have no address, which the C library's functions do not take.
void HostDevice::read(void *to, const void *from, int64_t bytes) {
  if (bytes > 0)
    std::memcpy(to, from, size_t(bytes));
}

void HostDevice::fill(void *to, int value, int64_t bytes) {
  if (bytes > 0)
    std::memset(to, value, size_t(bytes));
}

void HostDevice::launch(int32_t, int32_t, int64_t, int32_t, int32_t, const void *, int32_t) {
  throw runFailure("a kernel of a GPU, and the program was compiled for CPUs", {},
                   TPRT_INVALID_ARGUMENT);
}

void HostDevice::copy(int32_t, const void *from, void *to, int64_t bytes) { read(to, from, bytes); }

int64_t HostDevice::beginSpan(Recorder &recorder, int32_t) { return recorder.now(); }

void HostDevice::endSpan(Recorder &recorder, int32_t, int64_t begun, const Span &span) {
  Span measured = span;
  measured.begin = begun;
  measured.end = recorder.now();
  recorder.record(measured);
}
