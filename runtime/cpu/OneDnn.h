//===- OneDnn.h - the matrix product of oneDNN, found at run time -*- C++ -*-===//
//
// The library is opened with dlopen, so that a program that needs no large
// product runs where it is not installed. It is used single-threaded: ranks
// and workers divide the work.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CPU_ONEDNN_H
#define TPRT_CPU_ONEDNN_H

#include <cstdint>
#include <string>

namespace tprt {

class OneDnn {
public:
  /// The library, opened at the first call: the file that the environment
  /// variable TPRT_DNNL names, else a libdnnl.so.N that the system knows.
  static const OneDnn &get();

  bool available() const { return sgemmFunction != nullptr; }
  /// Why it is not available: what was looked for and how to get it.
  const std::string &problem() const { return problemText; }

  /// C = accumulate * C + op(A) * op(B), f32, row-major, on the calling thread.
  /// Returns whether oneDNN succeeded.
  bool sgemm(bool transA, bool transB, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,
             const float *b, int64_t ldb, bool accumulate, float *c, int64_t ldc) const;

  /// The same for A and B of bf16, the sums f32. False also where the library or
  /// the processor has no such product; C is then as it was.
  bool bf16gemm(bool transA, bool transB, int64_t m, int64_t n, int64_t k, const void *a,
                int64_t lda, const void *b, int64_t ldb, bool accumulate, float *c,
                int64_t ldc) const;

private:
  OneDnn();

  class SingleThread;
  using SgemmFn = int (*)(char, char, int64_t, int64_t, int64_t, float, const float *, int64_t,
                          const float *, int64_t, float, float *, int64_t);
  using Bf16GemmFn = int (*)(char, char, int64_t, int64_t, int64_t, float, const void *, int64_t,
                             const void *, int64_t, float, float *, int64_t);
  SgemmFn sgemmFunction = nullptr;
  Bf16GemmFn bf16Function = nullptr; ///< newer versions may lack it
  int (*maxThreads)() = nullptr;     ///< of the OpenMP that the library uses, where it has one
  void (*setNumThreads)(int) = nullptr;
  std::string problemText;
};

} // namespace tprt

#endif // TPRT_CPU_ONEDNN_H
