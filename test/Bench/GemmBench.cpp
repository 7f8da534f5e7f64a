//===- GemmBench.cpp - Products of the runtime beside oneDNN, by hand ------===//
//
//   tp-bench-gemm M N K...
//
// Prints a JSON line for each N K: GF/s on one thread of C[M, N] = A[M, K] W[N, K]^T
// in f32, by the runtime and by one call of oneDNN, in turns, medians of rounds. Each
// product takes other weights, so that they come from memory.
//
//===----------------------------------------------------------------------===//

#include "cpu/OneDnn.h"
#include "threads/RankTeam.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace tprt;

namespace {

constexpr int kRounds = 15;
constexpr double kWeightBytes = 160e6, kRoundOperations = 1e9;

double seconds(const std::function<void()> &work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> &values) {
  std::nth_element(values.begin(), values.begin() + kRounds / 2, values.end());
  return values[kRounds / 2];
}

void bench(int64_t m, int64_t n, int64_t k) {
  Program program({{"tp", 1}}, {}, {{"gemm", "", ""}}, {});
  RankTeam team(program);
  const size_t copies = size_t(std::max(2.0, kWeightBytes / (4.0 * double(n * k))));
  std::vector<std::vector<float>> weights(copies, std::vector<float>(size_t(n * k), 0.5f));
  std::vector<float> a(size_t(m * k), 1), c(size_t(m * n));
  const double operations = 2.0 * double(m * n * k);
  const int calls = int(std::max(1.0, kRoundOperations / operations));
  size_t at = 0;
  auto next = [&] { return weights[at++ % copies].data(); };
  std::vector<double> ours, library;
  for (int round = 0; round < kRounds; ++round) {
    ours.push_back(seconds([&] {
      team.run([&](tprt_context &context) -> tprt_status_t {
        for (int i = 0; i < calls; ++i)
          if (tprt_status_t status =
                  tprt_gemm(&context, /*stream=*/0, /*op=*/0, TPRT_F32, TPRT_F32, TPRT_F32,
                            /*trans_a=*/0, /*trans_b=*/1, m, n, k, a.data(), k, 0, next(), k, 0,
                            c.data(), n, 0, /*batch=*/1, /*accumulate=*/0))
            return status;
        return TPRT_OK;
      });
    }));
    library.push_back(seconds([&] {
      for (int i = 0; i < calls; ++i)
        OneDnn::get().sgemm(false, true, m, n, k, a.data(), k, next(), k, false, c.data(), n);
    }));
  }
  const double scale = 1e-9 * operations * calls;
  std::printf(
      "{\"m\": %lld, \"n\": %lld, \"k\": %lld, \"ours_gflops\": %.1f, \"onednn_gflops\": %.1f}\n",
      static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k),
      scale / median(ours), scale / median(library));
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4 || argc % 2) {
    std::fprintf(stderr, "error: usage: tp-bench-gemm M N K [N K]...\n");
    return 2;
  }
  if (!OneDnn::get().available()) {
    std::fprintf(stderr, "error: %s\n", OneDnn::get().problem().c_str());
    return 3;
  }
  const int64_t m = std::atoll(argv[1]);
  for (int i = 2; i < argc; i += 2)
    bench(m, std::atoll(argv[i]), std::atoll(argv[i + 1]));
}
