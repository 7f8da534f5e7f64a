//===- DriverTest.cpp - The emulated CUDA driver ---------------------------===//
//
// Through the table that the runtime uses. A fault is for ever: each test needs a process
// of its own, which ctest gives it.
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Driver.h"
#include "OnDevice.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

using namespace tprt::cuda;

namespace {

class EmulatedDriver : public OnDevice {
protected:
  static constexpr unsigned n = 1000;
  static constexpr size_t bytes = n * sizeof(float);

  EmulatedDriver() {
    check(driver.eventCreate(&event, eventDisableTiming));
    const std::string image = readKernels("Kernels");
    Module module;
    check(driver.moduleLoadData(&module, image.data()));
    check(driver.moduleGetFunction(&axpy, module, "axpy"));
    for (DevicePointer *pointer : {&x, &y})
      *pointer = allocate(bytes);
    check(driver.memHostAlloc(reinterpret_cast<void **>(&host), bytes, 0));
    for (unsigned i = 0; i < n; ++i)
      host[i] = i;
    for (DevicePointer pointer : {x, y})
      check(driver.memcpyHtoDAsync(pointer, host, bytes, streams[0]));
    check(driver.streamSynchronize(streams[0]));
  }

  /// y += factor * x.
  Result launch(Stream stream, float factor = 1) {
    unsigned count = n;
    void *parameters[] = {&factor, &x, &y, &count};
    return driver.launchKernel(axpy, (n + 255) / 256, 1, 1, 256, 1, 1, 0, stream, parameters,
                               nullptr);
  }

  Event event;
  Function axpy;
  DevicePointer x, y;
  float *host;
};

TEST_F(EmulatedDriver, RunsInOrder) {
  check(launch(streams[0], 2));
  check(driver.eventRecord(event, streams[0]));
  check(driver.streamWaitEvent(streams[1], event, 0));
  check(launch(streams[1], 3));
  check(driver.memcpyDtoHAsync(host, y, bytes, streams[1]));
  // The host has not waited.
  EXPECT_TRUE(std::isnan(host[7]));
  check(driver.streamSynchronize(streams[1]));
  for (unsigned i = 0; i < n; ++i)
    EXPECT_EQ(host[i], 6.0f * i);
}

TEST_F(EmulatedDriver, CopyWithoutOwnMemoryWaits) {
  std::vector<float> values(n);
  check(launch(streams[0]));
  check(driver.memcpyDtoHAsync(values.data(), y, bytes, streams[0]));
  EXPECT_EQ(values[7], 14);
}

TEST_F(EmulatedDriver, Graph) {
  check(driver.streamBeginCapture(streams[0], captureThreadLocal));
  check(launch(streams[0], 1));
  check(driver.eventRecord(event, streams[0]));
  check(driver.streamWaitEvent(streams[1], event, 0));
  check(launch(streams[1], 1));
  Event back;
  check(driver.eventCreate(&back, eventDisableTiming));
  check(driver.eventRecord(back, streams[1]));
  check(driver.streamWaitEvent(streams[0], back, 0));
  Graph graph;
  check(driver.streamEndCapture(streams[0], &graph));
  GraphExec exec;
  check(driver.graphInstantiate(&exec, graph, 0));
  check(driver.graphDestroy(graph));
  // Nothing has run yet.
  check(driver.memcpyDtoHAsync(host, y, bytes, streams[0]));
  check(driver.streamSynchronize(streams[0]));
  EXPECT_EQ(host[7], 7);
  for (int i = 0; i < 3; ++i)
    check(driver.graphLaunch(exec, streams[0]));
  check(driver.memcpyDtoHAsync(host, y, bytes, streams[0]));
  check(driver.streamSynchronize(streams[0]));
  EXPECT_EQ(host[7], 7 + 3 * 2 * 7);
  check(driver.graphExecDestroy(exec));
}

TEST_F(EmulatedDriver, EventsThatEachLaunchRecords) {
  Event first, last;
  check(driver.eventCreate(&first, 0));
  check(driver.eventCreate(&last, 0));
  EXPECT_EQ(driver.eventRecordWithFlags(first, streams[0], eventRecordExternal), invalidValue);
  check(driver.streamBeginCapture(streams[0], captureThreadLocal));
  check(driver.eventRecordWithFlags(first, streams[0], eventRecordExternal));
  check(launch(streams[0], 1));
  check(driver.eventRecordWithFlags(last, streams[0], eventRecordExternal));
  Graph graph;
  GraphExec exec;
  check(driver.streamEndCapture(streams[0], &graph));
  check(driver.graphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) {
    check(driver.graphLaunch(exec, streams[0]));
    // Another stream may go on behind the event, as behind one of no graph.
    check(driver.streamWaitEvent(streams[1], last, 0));
    check(driver.memcpyDtoHAsync(host, y, bytes, streams[1]));
    check(driver.streamSynchronize(streams[1]));
    EXPECT_EQ(host[7], 7 + (i + 1) * 7);
    float milliseconds = -1;
    check(driver.eventElapsedTime(&milliseconds, first, last));
    EXPECT_GE(milliseconds, 0);
  }
}

TEST_F(EmulatedDriver, CaptureOfTwoStreamsMustJoin) {
  check(driver.streamBeginCapture(streams[0], captureThreadLocal));
  check(driver.eventRecord(event, streams[0]));
  check(driver.streamWaitEvent(streams[1], event, 0));
  check(launch(streams[1]));
  Graph graph;
  EXPECT_EQ(driver.streamEndCapture(streams[0], &graph), captureUnjoined);
  check(launch(streams[1]));
}

TEST_F(EmulatedDriver, CaptureRefusesWhatWaits) {
  check(driver.streamBeginCapture(streams[0], captureThreadLocal));
  EXPECT_EQ(driver.streamSynchronize(streams[1]), captureUnsupported);
  Graph graph;
  EXPECT_EQ(driver.streamEndCapture(streams[0], &graph), captureInvalidated);
  DevicePointer more;
  check(driver.streamBeginCapture(streams[0], captureThreadLocal));
  EXPECT_EQ(driver.memAlloc(&more, 16), captureUnsupported);
  EXPECT_EQ(driver.streamEndCapture(streams[0], &graph), captureInvalidated);
}

TEST_F(EmulatedDriver, CaptureRefusesEventsFromOutside) {
  check(driver.eventRecord(event, streams[1]));
  check(driver.streamBeginCapture(streams[0], captureThreadLocal));
  EXPECT_EQ(driver.streamWaitEvent(streams[0], event, 0), captureIsolation);
  Graph graph;
  EXPECT_EQ(driver.streamEndCapture(streams[0], &graph), captureIsolation);
}

TEST_F(EmulatedDriver, MissingWaitIsTold) {
  check(launch(streams[0]));
  EXPECT_EQ(launch(streams[1]), illegalAddress);
  EXPECT_EQ(fault(),
            "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: test/Emulator/Kernels.cu:11: in kernel "
            "'axpy': thread (0, 0, 0) of block (0, 0, 0) reads 4 bytes from byte 0 of the "
            "allocation of 4000 bytes on, which kernel 'axpy' on stream 1 writes with nothing that "
            "orders the two");
}

TEST_F(EmulatedDriver, CopyWithoutWaitIsTold) {
  check(launch(streams[0]));
  EXPECT_EQ(driver.memcpyDtoDAsync(x, y, bytes, streams[1]), illegalAddress);
  EXPECT_EQ(fault(), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: a copy on the device on stream "
                     "2 reads 4000 bytes of the allocation of 4000 bytes that kernel 'axpy' on "
                     "stream 1 writes with nothing that orders the two");
}

TEST_F(EmulatedDriver, ChangedSourceIsTold) {
  check(driver.memcpyHtoDAsync(x, host, bytes, streams[0]));
  host[3] = 99;
  EXPECT_EQ(fault(), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: the host changed the source of "
                     "a copy of 4000 bytes to the device before it had waited for it");
}

TEST_F(EmulatedDriver, FreeBehindStreamOfAnotherIsTold) {
  DevicePointer more;
  check(driver.memAllocAsync(&more, bytes, streams[0]));
  // The other stream uses it before it is there.
  EXPECT_EQ(driver.memsetD8Async(more, 0, bytes, streams[1]), illegalAddress);
  EXPECT_EQ(fault(), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: a fill on stream 2 writes 4000 "
                     "bytes of the allocation of 4000 bytes that cuMemAllocAsync on stream 1 "
                     "writes with nothing that orders the two");
}

TEST_F(EmulatedDriver, UseAfterFreeIsTold) {
  check(driver.memFreeAsync(x, streams[0]));
  EXPECT_EQ(launch(streams[0]), illegalAddress);
  EXPECT_EQ(fault(), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: test/Emulator/Kernels.cu:11: in "
                     "kernel 'axpy': thread (0, 0, 0) of block (0, 0, 0) reads 4 bytes at an "
                     "address that is in an allocation of 4000 bytes that was freed");
}

TEST_F(EmulatedDriver, Limits) {
  size_t free, total;
  check(driver.memGetInfo(&free, &total));
  EXPECT_EQ(total - free, 2 * bytes);
  DevicePointer more;
  EXPECT_EQ(driver.memAlloc(&more, free + 1), outOfMemory);
  EXPECT_EQ(driver.memAlloc(&more, 0), invalidValue);
  EXPECT_EQ(driver.memFree(x + 4), invalidValue);
  // The default stream orders others; it is not there.
  EXPECT_EQ(launch(nullptr), invalidHandle);
  Stream stream;
  EXPECT_EQ(driver.streamCreate(&stream, 0), invalidValue);
  Function function;
  EXPECT_EQ(driver.moduleGetFunction(&function, nullptr, "axpy"), invalidHandle);
  EXPECT_EQ(driver.funcSetAttribute(axpy, maxDynamicSharedBytes, 228 * 1024), invalidValue);
  EXPECT_EQ(driver.launchKernel(axpy, 1, 1, 1, 32, 1, 1, 49 * 1024, streams[0], nullptr, nullptr),
            invalidValue);
  EXPECT_EQ(driver.describe(outOfMemory), "CUDA_ERROR_OUT_OF_MEMORY: out of memory");
  EXPECT_EQ(driver.describe(Result(12345)), "error 12345 of the CUDA driver");
}

//===----------------------------------------------------------------------===//
// Finding the driver
//===----------------------------------------------------------------------===//

/// What is wrong with the driver that TPRT_CUDA names.
std::string problemOf(const std::string &file) {
  setenv("TPRT_CUDA", file.c_str(), 1);
  return Driver().problem();
}

TEST(Driver, MissingLibrary) {
  EXPECT_EQ(problemOf("/none/libcuda.so.1"),
            "the CUDA driver is not found (/none/libcuda.so.1: cannot open shared object file: No "
            "such file or directory); install NVIDIA's driver or set TPRT_CUDA to its "
            "libcuda.so.1");
}

TEST(Driver, OtherLibrary) {
  EXPECT_EQ(problemOf("libm.so.6"),
            "libm.so.6 has no function cuDriverGetVersion, so it is not the CUDA driver");
}

TEST(Driver, TooOld) {
  setenv("TP_EMULATED_VERSION", "12040", 1);
  const std::string file = std::getenv("TPRT_CUDA");
  EXPECT_EQ(problemOf(file), file + " is a driver for CUDA 12.4, at least 12.8 is needed: install "
                                    "a newer driver");
}

TEST(Driver, Incomplete) {
  const std::string file = TP_BINARY_DIR "/Incomplete.so";
  EXPECT_EQ(problemOf(file), file + " lacks the function cuInit: install a newer driver");
}

TEST(Driver, NoDevice) {
  setenv("TP_EMULATED_DEVICES", "0", 1);
  EXPECT_EQ(
      problemOf(std::getenv("TPRT_CUDA")),
      "the CUDA driver does not start: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected");
}

} // namespace
