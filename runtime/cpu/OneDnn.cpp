//===- OneDnn.cpp - the matrix product of oneDNN, found at run time -------===//

#include "OneDnn.h"

#include <cstdlib>
#include <dlfcn.h>
#include <vector>

using namespace tprt;

const OneDnn &OneDnn::get() {
  static const OneDnn library;
  return library;
}

OneDnn::OneDnn() {
  std::vector<std::string> names = {"libdnnl.so.2", "libdnnl.so.3", "libdnnl.so.1", "libdnnl.so"};
  const char *chosen = std::getenv("TPRT_DNNL");
  if (chosen && *chosen)
    names = {chosen};

  void *handle = nullptr;
  std::string tried, opened;
  for (const std::string &name : names) {
    handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    opened = name;
    if (handle)
      break;
    tried += (tried.empty() ? "" : ", ") + name;
  }
  if (!handle) {
    problemText = "oneDNN is not found (tried " + tried +
                  "); install the Debian package libdnnl2 or set TPRT_DNNL to the file";
    return;
  }
  sgemmFunction = reinterpret_cast<SgemmFn>(dlsym(handle, "dnnl_sgemm"));
  if (!sgemmFunction) {
    problemText = opened + " has no function dnnl_sgemm, so it is not oneDNN";
    return;
  }
  bf16Function = reinterpret_cast<Bf16GemmFn>(dlsym(handle, "dnnl_gemm_bf16bf16f32"));
  maxThreads = reinterpret_cast<int (*)()>(dlsym(handle, "omp_get_max_threads"));
  setNumThreads = reinterpret_cast<void (*)(int)>(dlsym(handle, "omp_set_num_threads"));
}

/// Makes OpenMP use the calling thread only while it lives. The number is a setting
/// of each thread, and the thread that calls us may use OpenMP itself.
class OneDnn::SingleThread {
public:
  explicit SingleThread(const OneDnn &library)
      : library(library), before(library.maxThreads ? library.maxThreads() : 1) {
    set(1);
  }
  ~SingleThread() { set(before); }
  SingleThread(const SingleThread &) = delete;
  SingleThread &operator=(const SingleThread &) = delete;

private:
  void set(int threads) const {
    if (before != 1 && library.setNumThreads)
      library.setNumThreads(threads);
  }

  const OneDnn &library;
  const int before;
};

bool OneDnn::sgemm(bool transA, bool transB, int64_t m, int64_t n, int64_t k, const float *a,
                   int64_t lda, const float *b, int64_t ldb, bool accumulate, float *c,
                   int64_t ldc) const {
  const SingleThread limit(*this);
  return sgemmFunction(transA ? 'T' : 'N', transB ? 'T' : 'N', m, n, k, 1.0f, a, lda, b, ldb,
                       accumulate ? 1.0f : 0.0f, c, ldc) == 0;
}

bool OneDnn::bf16gemm(bool transA, bool transB, int64_t m, int64_t n, int64_t k, const void *a,
                      int64_t lda, const void *b, int64_t ldb, bool accumulate, float *c,
                      int64_t ldc) const {
  if (!bf16Function)
    return false;
  const SingleThread limit(*this);
  return bf16Function(transA ? 'T' : 'N', transB ? 'T' : 'N', m, n, k, 1.0f, a, lda, b, ldb,
                      accumulate ? 1.0f : 0.0f, c, ldc) == 0;
}
