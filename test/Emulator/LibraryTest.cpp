//===- LibraryTest.cpp - The library of kernels on an emulated device ------===//

#include "OnDevice.h"
#include "runtime/core/Reduce.h"
#include "test/Runtime/Reference.h"
#include <cmath>

using namespace tprt;
using namespace tprt::cuda;

namespace {

class EmulatedLibrary : public OnDevice {
protected:
  EmulatedLibrary() {
    const std::string image = readKernels("Library");
    check(driver.moduleLoadData(&module, image.data()));
  }

  template <typename... Parameters>
  void launch(const char *name, unsigned blocks, unsigned threads, Parameters... parameters) {
    Function function;
    check(driver.moduleGetFunction(&function, module, name));
    void *addresses[] = {&parameters...};
    check(driver.launchKernel(function, blocks, 1, 1, threads, 1, 1, 0, streams[0], addresses,
                              nullptr));
  }

  Module module;
};

/// Whether element i is equal in both, or NaN.
bool areEqual(int32_t dtype, const std::string &found, const tprt_test::Bytes &expected,
              int64_t i) {
  const tprt_test::Bytes bytes(found.begin(), found.end());
  if (dtype > TPRT_BF16)
    return tprt_test::getInteger(dtype, bytes, i) == tprt_test::getInteger(dtype, expected, i);
  const double x = tprt_test::getFloat(dtype, bytes, i);
  const double y = tprt_test::getFloat(dtype, expected, i);
  return (x != x && y != y) || (x == y && std::signbit(x) == std::signbit(y));
}

/// All kinds and types, as ranks of threads reduce: the same bits.
TEST_F(EmulatedLibrary, Reduce) {
  constexpr int32_t parts = 3;
  constexpr int64_t count = 77;
  int combinations = 0;
  for (int32_t dtype = TPRT_F64; dtype <= TPRT_INDEX; ++dtype) {
    std::vector<tprt_test::Bytes> operands;
    std::vector<const void *> host;
    std::vector<DevicePointer> device;
    for (int32_t part = 0; part < parts; ++part)
      operands.push_back(tprt_test::makeOperand(dtype, part, count));
    for (const tprt_test::Bytes &operand : operands) {
      host.push_back(operand.data());
      device.push_back(put(std::string(operand.begin(), operand.end())));
    }
    const DevicePointer table = put(
        std::string(reinterpret_cast<const char *>(device.data()), parts * sizeof(DevicePointer)));
    const size_t bytes = operands[0].size();
    for (int32_t kind = TPRT_SUM; kind <= TPRT_MINNUM; ++kind) {
      if (!isReductionDefined(kind, dtype))
        continue;
      ++combinations;
      tprt_test::Bytes expected(bytes);
      reduceParts(kind, dtype, host.data(), parts, expected.data(), count);
      const DevicePointer result = allocate(bytes);
      launch("reduce", 2, 32, kind, dtype, table, parts, result, count);
      const std::string found = get(result, bytes);
      check(driver.streamSynchronize(streams[0]));
      for (int64_t i = 0; i < count; ++i)
        EXPECT_TRUE(areEqual(dtype, found, expected, i))
            << "kind " << kind << " dtype " << dtype << " element " << i;
      release(result);
    }
    // The result may be one of the operands.
    launch("reduce", 1, 64, int32_t(TPRT_SUM), dtype, table, parts, device[1], count);
    const std::string found = get(device[1], bytes);
    tprt_test::Bytes expected(bytes);
    reduceParts(TPRT_SUM, dtype, host.data(), parts, expected.data(), count);
    check(driver.streamSynchronize(streams[0]));
    for (int64_t i = 0; i < count; ++i)
      EXPECT_TRUE(areEqual(dtype, found, expected, i)) << "in place, dtype " << dtype;
  }
  EXPECT_EQ(combinations, 4 * 6 + 6 * 9);
}

} // namespace
