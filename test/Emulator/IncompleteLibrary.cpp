//===- IncompleteLibrary.cpp - A library with nothing but its version ------===//
//
// Stands for each of NVIDIA's libraries, in a version that is too old with TP_OLD.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

#ifdef TP_OLD
constexpr int cuda = 12040, nccl = 21702, cublasLt = 111103;
#else
constexpr int cuda = 13000, nccl = 22809, cublasLt = 130100;
#endif

extern "C" {
int cuDriverGetVersion(int *version) {
  *version = cuda;
  return 0;
}
int ncclGetVersion(int *version) {
  *version = nccl;
  return 0;
}
size_t cublasLtGetVersion() { return cublasLt; }
}
