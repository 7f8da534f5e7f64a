//===- CublasLtTest.cpp - Emulated cublasLt --------------------------------===//

#include "runtime/cuda/CublasLt.h"
#include "UseEmulated.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace tprt::cuda;

namespace {

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
