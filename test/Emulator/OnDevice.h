//===- OnDevice.h - A test with an emulated device --------------*- C++ -*-===//

#ifndef TP_TEST_EMULATOR_ONDEVICE_H
#define TP_TEST_EMULATOR_ONDEVICE_H

#include "UseEmulated.h"
#include "runtime/cuda/Driver.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace {

/// The bitcode of NAME.cu in LLVM's wrapper, as a module to load.
[[maybe_unused]] std::string readKernels(const std::string &name) {
  std::ifstream file(TP_BINARY_DIR "/" + name + ".bc", std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  const uint32_t header[5] = {0x0B17C0DE, 0, 20, static_cast<uint32_t>(content.str().size()), 0};
  return std::string(reinterpret_cast<const char *>(header), sizeof(header)) + content.str();
}

/// Has two streams on device 0.
class OnDevice : public testing::Test {
protected:
  OnDevice() {
    using namespace tprt::cuda;
    EXPECT_EQ(driver.problem(), "");
    Context context;
    check(driver.devicePrimaryCtxRetain(&context, 0));
    check(driver.ctxSetCurrent(context));
    for (Stream &stream : streams)
      check(driver.streamCreate(&stream, streamNonBlocking));
  }

  void check(tprt::cuda::Result result) {
    EXPECT_EQ(result, tprt::cuda::ok) << driver.describe(result);
  }

  tprt::cuda::DevicePointer allocate(size_t bytes) {
    tprt::cuda::DevicePointer pointer = 0;
    check(driver.memAlloc(&pointer, bytes));
    return pointer;
  }
  /// A new allocation with these bytes, at least one.
  tprt::cuda::DevicePointer put(const std::string &bytes) {
    const tprt::cuda::DevicePointer pointer = allocate(std::max<size_t>(bytes.size(), 1));
    check(driver.memcpyHtoDAsync(pointer, bytes.data(), bytes.size(), streams[0]));
    return pointer;
  }
  std::string get(tprt::cuda::DevicePointer from, size_t bytes) {
    std::string content(bytes, 0);
    check(driver.memcpyDtoHAsync(content.data(), from, bytes, streams[0]));
    return content;
  }
  void release(tprt::cuda::DevicePointer pointer) {
    if (pointer)
      check(driver.memFree(pointer));
  }

  /// What the failed driver says.
  std::string fault() { return driver.describe(driver.streamSynchronize(streams[0])); }

  const tprt::cuda::Driver &driver = tprt::cuda::Driver::get();
  tprt::cuda::Stream streams[2];
};

} // namespace

#endif // TP_TEST_EMULATOR_ONDEVICE_H
