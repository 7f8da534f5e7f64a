//===- CublasLtTest.cpp - What emulated cublasLt refuses -------------------===//

#include "runtime/cuda/CublasLt.h"
#include "OnDevice.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace tprt::cuda;

namespace {

/// The product [4, 2] x [2, 6] of f32, with what a test changes.
class EmulatedCublasLt : public OnDevice {
protected:
  EmulatedCublasLt() {
    EXPECT_EQ(lt.problem(), "");
    EXPECT_EQ(lt.version(), 130100u);
    EXPECT_EQ(lt.create(&handle), ltOk);
    EXPECT_EQ(lt.matmulDescCreate(&desc, ltCompute32, ltFloat32), ltOk);
    EXPECT_EQ(lt.preferenceCreate(&preference), ltOk);
    a = layout(ltFloat32, 4, 2);
    b = layout(ltFloat32, 2, 6);
    c = d = layout(ltFloat32, 4, 6);
    for (DevicePointer *pointer : {&dataA, &dataB, &dataD})
      *pointer = put(std::string(2048, 0));
  }

  LtMatrixLayout layout(LtType type, uint64_t rows, uint64_t columns, int64_t ld = -1) {
    LtMatrixLayout result;
    EXPECT_EQ(lt.matrixLayoutCreate(&result, type, rows, columns, ld < 0 ? rows : ld), ltOk);
    return result;
  }
  template <typename T> LtStatus set(LtMatmulAttribute attribute, T value) {
    return lt.matmulDescSetAttribute(desc, attribute, &value, sizeof(value));
  }
  template <typename T>
  LtMatrixLayout with(LtMatrixLayout layout, LtLayoutAttribute attribute, T value) {
    EXPECT_EQ(lt.matrixLayoutSetAttribute(layout, attribute, &value, sizeof(value)), ltOk);
    return layout;
  }

  /// What the heuristic says of the product; empty where it has algorithms.
  std::string problem() {
    LtHeuristicResult results[8];
    found = -1;
    const LtStatus status =
        lt.algoGetHeuristic(handle, desc, a, b, c, d, preference, 8, results, &found);
    if (status != ltOk)
      return textOf(status);
    EXPECT_GT(found, 0);
    algo = results[0].algo;
    return "";
  }
  /// What the product says, by the first algorithm.
  std::string run() {
    const float one = 1, zero = 0;
    auto pointer = [](DevicePointer address) { return reinterpret_cast<void *>(address); };
    const LtStatus status =
        lt.matmul(handle, desc, &one, pointer(dataA), a, pointer(dataB), b, &zero, pointer(dataD),
                  c, pointer(dataD), d, &algo, pointer(workspace), workspaceBytes, streams[0]);
    return status == ltOk ? "" : textOf(status);
  }
  std::string textOf(LtStatus status) {
    const std::string text = lt.describe(status), prefix = "emulated cublasLt: ";
    const size_t at = text.find(prefix);
    if (at == std::string::npos)
      return text;
    const std::string word = status == ltInvalidValue   ? "invalid: "
                             : status == ltNotSupported ? "unsupported: "
                                                        : "uninitialized: ";
    return word + text.substr(at + prefix.size());
  }

  const CublasLt &lt = CublasLt::get();
  LtHandle handle = nullptr;
  LtMatmulDesc desc = nullptr;
  LtPreference preference = nullptr;
  LtMatrixLayout a, b, c, d;
  LtAlgo algo = {};
  int found = 0;
  DevicePointer dataA, dataB, dataD, workspace = 0;
  size_t workspaceBytes = 0;
};

TEST_F(EmulatedCublasLt, Shapes) {
  EXPECT_EQ(problem(), "");
  a = layout(ltFloat32, 0, 2);
  EXPECT_EQ(problem(), "invalid: A of 0 x 2 has no elements");
  a = with(layout(ltFloat32, 4, 2), ltBatchCount, int32_t(0));
  EXPECT_EQ(problem(), "invalid: A of 4 x 2 has no elements");
  a = layout(ltFloat32, 4, 2, 3);
  EXPECT_EQ(problem(), "invalid: columns of A of 4 x 2 lie over each other");
  a = with(layout(ltFloat32, 4, 2), ltBatchCount, int32_t(3));
  EXPECT_EQ(problem(), "invalid: the batches of A and D differ");
  a = with(layout(ltFloat32, 4, 2), ltBatchStride, int64_t(-1));
  EXPECT_EQ(problem(), "invalid: A of 4 x 2 has a negative stride");
  a = layout(ltFloat32, 4, 3);
  EXPECT_EQ(problem(), "invalid: A of 4 x 3, B of 2 x 6, C of 4 x 6 and D of 4 x 6 are no product");
  a = layout(ltFloat32, 2, 4);
  b = layout(ltFloat32, 6, 2);
  EXPECT_NE(problem(), "");
  EXPECT_EQ(set(ltTransposeA, int32_t(ltTransposed)), ltOk);
  EXPECT_EQ(set(ltTransposeB, int32_t(ltTransposed)), ltOk);
  EXPECT_EQ(problem(), "");
  a = layout(ltFloat32, uint64_t(1) << 31, 4);
  EXPECT_EQ(problem(), "unsupported: A of 2147483648 x 4 is too large");
  a = with(layout(ltFloat32, 2, 4), ltOrder, int32_t(1));
  EXPECT_EQ(problem(), "unsupported: A of 2 x 4 is not column-major");
}

TEST_F(EmulatedCublasLt, Types) {
  a = layout(LtType(3), 4, 2);
  EXPECT_EQ(problem(), "unsupported: A of 4 x 2 has a type that is not emulated");
  a = layout(ltBfloat16, 4, 2);
  EXPECT_EQ(problem(), "unsupported: A, B, C and D of bf16, f32, f32 and f32");
  b = layout(ltBfloat16, 2, 6);
  EXPECT_EQ(problem(), "");
  c = layout(ltBfloat16, 4, 6);
  EXPECT_EQ(problem(), "unsupported: A, B, C and D of bf16, bf16, bf16 and f32");
  d = c;
  EXPECT_EQ(problem(), "");
  c = d = layout(ltFloat16, 4, 6);
  EXPECT_EQ(problem(), "unsupported: A, B, C and D of bf16, bf16, f16 and f16");
  c = d = layout(ltFloat32, 4, 6);
  EXPECT_EQ(set(ltEpilogue, uint32_t(ltBias)), ltOk);
  EXPECT_EQ(set(ltBiasType, int32_t(ltFloat32)), ltOk);
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(set(ltBiasType, int32_t(ltBfloat16)), ltOk);
  EXPECT_EQ(problem(), "unsupported: the bias has another type than D");
  EXPECT_EQ(set(ltEpilogue, uint32_t(256)), ltOk);
  EXPECT_EQ(problem(), "unsupported: an epilogue that is not emulated");
  EXPECT_EQ(lt.matmulDescCreate(&desc, ltComputeTf32, ltFloat32), ltOk);
  EXPECT_EQ(problem(), "unsupported: tf32 is for operands of f32");
  EXPECT_EQ(set(ltPointerMode, int32_t(1)), ltOk);
  EXPECT_EQ(problem(), "unsupported: alpha and beta are f32 on the host");
  EXPECT_EQ(lt.matmulDescCreate(&desc, LtCompute(64), ltFloat16), ltOk);
  EXPECT_EQ(problem(), "unsupported: a kind of sum that is not emulated");
}

TEST_F(EmulatedCublasLt, Doubles) {
  EXPECT_EQ(lt.matmulDescCreate(&desc, ltCompute64, ltFloat32), ltOk);
  EXPECT_EQ(problem(), "unsupported: alpha and beta are f64 on the host");
  EXPECT_EQ(lt.matmulDescCreate(&desc, ltCompute64, ltFloat64), ltOk);
  EXPECT_EQ(problem(), "unsupported: sums in f64 are for operands of f64");
  a = layout(ltFloat64, 4, 2);
  b = layout(ltFloat64, 2, 6);
  EXPECT_EQ(problem(), "unsupported: A, B, C and D of f64, f64, f32 and f32");
  c = d = layout(ltFloat64, 4, 6);
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(set(ltEpilogue, uint32_t(ltRelu)), ltOk);
  EXPECT_EQ(problem(), "unsupported: a product of f64 has no epilogue");
  EXPECT_EQ(lt.matmulDescCreate(&desc, ltCompute32, ltFloat32), ltOk);
  EXPECT_EQ(problem(), "unsupported: sums in f64 are for operands of f64");
}

TEST_F(EmulatedCublasLt, Handles) {
  auto refused = [&](LtStatus status, const char *text) { EXPECT_EQ(textOf(status), text); };
  const float zero = 0;
  refused(lt.matmulDescSetAttribute(desc, ltTransposeA, &zero, 8),
          "invalid: an attribute of 4 bytes, not 8");
  refused(lt.matmulDescSetAttribute(desc, ltTransposeA, nullptr, 4),
          "invalid: an attribute of 4 bytes, not 0");
  refused(lt.matmulDescSetAttribute(desc, LtMatmulAttribute(99), &zero, 4),
          "invalid: an attribute that is not emulated");
  refused(lt.matrixLayoutSetAttribute(a, LtLayoutAttribute(99), &zero, 4),
          "invalid: an attribute that is not emulated");
  refused(lt.preferenceSetAttribute(preference, LtPreferenceAttribute(99), &zero, 4),
          "invalid: an attribute that is not emulated");
  refused(lt.matmulDescCreate(nullptr, ltCompute32, ltFloat32), "invalid: no place for a handle");
  EXPECT_EQ(lt.matmulDescDestroy(nullptr), ltOk);
  EXPECT_EQ(lt.matrixLayoutDestroy(b), ltOk);
  refused(lt.matrixLayoutDestroy(b), "invalid: what is no handle, or was destroyed");
  EXPECT_EQ(problem(), "invalid: what is no handle, or was destroyed");
  b = layout(ltFloat32, 2, 6);
  LtHeuristicResult result;
  refused(lt.algoGetHeuristic(handle, desc, a, b, c, d, preference, 0, &result, &found),
          "invalid: no place for results");
  EXPECT_EQ(lt.preferenceDestroy(preference), ltOk);
  EXPECT_EQ(problem(), "invalid: what is no handle, or was destroyed");
  EXPECT_EQ(lt.destroy(handle), ltOk);
  EXPECT_EQ(problem(), "uninitialized: what is no handle of cublasLt");
  refused(lt.destroy(handle), "uninitialized: what is no handle of cublasLt");
  check(driver.ctxSetCurrent(nullptr));
  refused(lt.create(&handle), "uninitialized: the thread has no context");
  EXPECT_EQ(lt.describe(ltLicenseError),
            "CUBLAS_STATUS_LICENSE_ERROR: CUBLAS_STATUS_LICENSE_ERROR");
  EXPECT_EQ(lt.describe(ltOk), "CUBLAS_STATUS_SUCCESS: CUBLAS_STATUS_SUCCESS");
  EXPECT_EQ(lt.describe(LtStatus(2)), "unrecognized status: unrecognized status");
}

TEST_F(EmulatedCublasLt, Algorithms) {
  // Columns of 3 floats begin where vectors do not.
  a = layout(ltFloat32, 64, 3);
  EXPECT_EQ(set(ltTransposeA, int32_t(ltTransposed)), ltOk);
  b = layout(ltFloat32, 64, 6);
  c = d = layout(ltFloat32, 3, 6);
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(found, 1);
  const uint64_t limit = 4 * 18 * 4;
  EXPECT_EQ(lt.preferenceSetAttribute(preference, ltMaxWorkspaceBytes, &limit, 8), ltOk);
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(found, 3);
  c = d = layout(ltFloat32, 3, 6, 4);
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(found, 6);
  // An operand that is aligned to less.
  const uint32_t four = 4;
  EXPECT_EQ(lt.preferenceSetAttribute(preference, ltMinAlignmentB, &four, 4), ltOk);
  LtHeuristicResult result;
  EXPECT_EQ(lt.algoGetHeuristic(handle, desc, a, b, c, d, preference, 1, &result, &found), ltOk);
  EXPECT_EQ(lt.algoCheck(handle, desc, a, b, c, d, &algo, &result), ltOk);
  EXPECT_EQ(result.workspaceBytes, limit);

  const LtMatrixLayout odd = layout(ltFloat32, 3, 6, 5);
  EXPECT_EQ(textOf(lt.algoCheck(handle, desc, a, b, odd, odd, &algo, &result)),
            "unsupported: the algorithm needs columns at multiples of 16 bytes");
  EXPECT_EQ(textOf(lt.algoCheck(handle, desc, a, b, c, d, &algo, nullptr)),
            "invalid: no place for results");
  EXPECT_EQ(run(), "invalid: the algorithm needs 288 bytes of workspace, not 0");
  workspaceBytes = limit;
  EXPECT_EQ(run(), "invalid: workspace begins at multiples of 256 bytes");
  workspace = allocate(1024) + 16;
  EXPECT_EQ(run(), "invalid: workspace begins at multiples of 256 bytes");
  workspace -= 16;
  dataA += 4;
  EXPECT_EQ(run(), "unsupported: the algorithm needs operands at multiples of 16 bytes");
  dataA -= 4;
  c = layout(ltFloat32, 3, 6, 8);
  EXPECT_EQ(run(), "invalid: C lies where D does, but otherwise");
  c = d;
  EXPECT_EQ(set(ltEpilogue, uint32_t(ltGelu)), ltOk);
  EXPECT_EQ(run(), "invalid: an algorithm for other types or another epilogue");
  EXPECT_EQ(set(ltEpilogue, uint32_t(ltNoEpilogue)), ltOk);
  EXPECT_EQ(run(), "");
  algo = {};
  EXPECT_EQ(run(), "invalid: what is no algorithm");
}

TEST_F(EmulatedCublasLt, Operands) {
  EXPECT_EQ(set(ltEpilogue, uint32_t(ltBias)), ltOk);
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(run(), "invalid: an address is missing");
  check(driver.streamDestroy(streams[0]));
  EXPECT_EQ(run(), "invalid: what is no stream");
  Context context;
  check(driver.devicePrimaryCtxRetain(&context, 1));
  check(driver.ctxSetCurrent(context));
  check(driver.streamCreate(&streams[0], streamNonBlocking));
  EXPECT_EQ(run(), "invalid: the stream is of device 1, the handle of 0");
}

TEST_F(EmulatedCublasLt, BiasIsReadInVectors) {
  EXPECT_EQ(set(ltEpilogue, uint32_t(ltBias)), ltOk);
  EXPECT_EQ(set(ltBiasPointer, dataA + 4), ltOk);
  EXPECT_EQ(problem(), "");
  run();
  EXPECT_EQ(fault(), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: cublasLt matmul 4 x 6 x 2 of "
                     "f32 on stream 1 reads the bias of 4 x 1 by 16 bytes, "
                     "and it does not begin at a multiple of these");
}

TEST_F(EmulatedCublasLt, ResultsOverEachOther) {
  for (LtMatrixLayout matrix : {a, b, c})
    with(matrix, ltBatchCount, int32_t(2));
  with(c, ltBatchStride, int64_t(23));
  EXPECT_EQ(problem(), "");
  run();
  EXPECT_EQ(fault(), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: cublasLt matmul 4 x 6 x 2 of "
                     "f32 on stream 1 writes bytes of D of 4 x 6 several "
                     "times");
}

TEST_F(EmulatedCublasLt, OneResultForAll) {
  for (LtMatrixLayout matrix : {a, b, c})
    with(matrix, ltBatchCount, int32_t(2));
  EXPECT_EQ(problem(), "");
  run();
  EXPECT_EQ(fault(), "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: cublasLt matmul 4 x 6 x 2 of "
                     "f32 on stream 1 writes bytes of D of 4 x 6 several "
                     "times");
}

//===----------------------------------------------------------------------===//
// Finding the library
//===----------------------------------------------------------------------===//

/// What is wrong with the library that TPRT_CUBLASLT names.
std::string problemOf(const std::string &file) {
  setenv("TPRT_CUBLASLT", file.c_str(), 1);
  return CublasLt().problem();
}

TEST(CublasLt, Problems) {
  EXPECT_EQ(problemOf("/none"),
            "cublasLt is not found (/none: cannot open shared object file: No such file or "
            "directory); install the Python package nvidia-cublas or set TPRT_CUBLASLT to its "
            "libcublasLt.so.13");
  EXPECT_EQ(problemOf("libm.so.6"),
            "libm.so.6 has no function cublasLtGetVersion, so it is not cublasLt");
  const std::string old = TP_BINARY_DIR "/Old.so", incomplete = TP_BINARY_DIR "/Incomplete.so";
  EXPECT_EQ(problemOf(old),
            old + " is cublasLt 11.11.3, at least 12.0.0 is needed: install a newer one");
  EXPECT_EQ(problemOf(incomplete),
            incomplete + " lacks the function cublasLtGetStatusName: install a newer cublasLt");
}

TEST(CublasLt, OldDriver) {
  setenv("TP_EMULATED_VERSION", "12080", 1);
  EXPECT_EQ(problemOf("/none"),
            "cublasLt is not found (/none: cannot open shared object file: No such file or "
            "directory); install the Python package nvidia-cublas-cu12 or set TPRT_CUBLASLT to its "
            "libcublasLt.so.12");
}

} // namespace
