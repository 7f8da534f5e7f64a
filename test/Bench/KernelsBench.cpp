//===- KernelsBench.cpp - Speed of the CPU kernels, by hand ----------------===//
//
//   tp-bench-kernels
//
// One thread. Prints for each case the median of several runs beside the limit
// in the same run: a plain loop that reads the weights, for products; the
// multiply-adds per second, for attention.
//
//   tp-bench-kernels stream THREADS
//
// How fast THREADS threads together get weights from memory: a JSON line per
// element type of the weights and of the rows, with the product of one row and a
// plain loop that reads the same, in GB/s by the clock, medians of rounds in turns.
//
//   tp-bench-kernels peak THREADS
//
// What THREADS threads together can multiply and add, a JSON line in GF/s: f32, and
// bf16 in pairs where the CPU has that.
//
//===----------------------------------------------------------------------===//

#include "../Unit/KernelRunner.h"

#include "tp/Target/CPU.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <time.h>

using namespace mlir::tp::test;

namespace {

/// Seconds of processor time of this thread: what others run counts little.
double threadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

double medianSeconds(const std::function<void()> &work, int runs) {
  std::vector<double> times;
  work();
  for (int i = 0; i < runs; ++i) {
    double start = threadSeconds();
    work();
    times.push_back(threadSeconds() - start);
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[runs / 2];
}

/// Sums the buffer with independent accumulators, so that only memory limits it.
float readAll(const float *data, size_t count) {
  constexpr size_t lanes = 64;
  float sums[lanes] = {};
  for (size_t i = 0; i + lanes <= count; i += lanes)
    for (size_t j = 0; j < lanes; ++j)
      sums[j] += data[i + j];
  float total = 0;
  for (float sum : sums)
    total += sum;
  return total;
}

/// C = X W^T of f32 results; X has elements of type `rows`.
std::unique_ptr<KernelRunner> compileProduct(int64_t m, int64_t n, int64_t k,
                                             const std::string &element, const std::string &rows) {
  std::string x = std::to_string(m) + "x" + std::to_string(k) + "x" + rows;
  std::string w = std::to_string(n) + "x" + std::to_string(k) + "x" + element;
  std::string c = std::to_string(m) + "x" + std::to_string(n) + "xf32";
  std::string text =
      "#a = affine_map<(m, n, k) -> (m, k)>\n#w = affine_map<(m, n, k) -> (n, k)>\n"
      "#c = affine_map<(m, n, k) -> (m, n)>\nfunc.func @f(%x: memref<" +
      x + ">, %w: memref<" + w + ">, %c: memref<" + c +
      ">) attributes {llvm.emit_c_interface} {\n  linalg.contract indexing_maps = [#a, #w, #c] "
      "ins(%x, %w : memref<" +
      x + ">, memref<" + w + ">) outs(%c : memref<" + c + ">)\n  return\n}\n";
  return KernelRunner::compile(text, Lowering::Kernels);
}

void benchProduct(int64_t m, int64_t n, int64_t k, const std::string &element) {
  auto runner = compileProduct(m, n, k, element, "f32");
  if (!runner)
    return;
  size_t bytes = n * k * (element == "f32" ? 4 : 2);
  std::vector<float> weights(bytes / 4, 0), vx(m * k, 0), vc(m * n, 0);
  volatile float sink = 0;
  double limit = medianSeconds([&] { sink = sink + readAll(weights.data(), weights.size()); }, 7);
  double time = medianSeconds([&] { runner->run({vx.data(), weights.data(), vc.data()}); }, 7);
  std::printf("product %lldx%lldx%lld %s: %.1f GB/s, read loop %.1f GB/s\n",
              static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k),
              element.c_str(), bytes / time * 1e-9, bytes / limit * 1e-9);
}

void benchAttention(int64_t steps, int64_t pos) {
  const int64_t heads = 3, group = 3, depth = 64, capacity = 2048;
  std::string q = "1x" + std::to_string(steps) + "x3x3x64xf32", c = "1x3x2048x64xf32";
  std::string text = "func.func @f(%q: tensor<" + q + ">, %k: tensor<" + c + ">, %v: tensor<" + c +
                     ">, %p: tensor<1xi64>, %out: memref<" + q +
                     ">) attributes {llvm.emit_c_interface} {\n  %r = nn.attention %q, %k, %v, %p "
                     "scale 0.125 : tensor<" +
                     q + ">, tensor<" + c +
                     ">, tensor<1xi64>\n  bufferization.materialize_in_destination %r in restrict "
                     "writable %out : (tensor<" +
                     q + ">, memref<" + q + ">) -> ()\n  return\n}\n";
  auto runner = KernelRunner::compile(text, Lowering::Kernels);
  if (!runner)
    return;
  std::vector<float> vq(steps * heads * group * depth, 0), out(vq.size());
  std::vector<float> keys(heads * capacity * depth, 0), values(keys.size(), 0);
  std::vector<int64_t> position = {pos};
  double time = medianSeconds(
      [&] { runner->run({vq.data(), keys.data(), values.data(), position.data(), out.data()}); },
      15);
  double pairs = heads * group * (steps * double(pos) + steps * (steps + 1) / 2.0);
  std::printf("attention of %lld at %lld: %.3f ms, %.1f GF/s, %.1f us per 1000 scores\n",
              static_cast<long long>(steps), static_cast<long long>(pos), time * 1e3,
              pairs * depth * 4 / time * 1e-9, time / pairs * 1e9);
}

/// Seconds by the clock that `threads` threads need to do `work(thread)`.
double wallSeconds(int threads, const std::function<void(int)> &work) {
  auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread)
    others.emplace_back(work, thread);
  work(0);
  for (std::thread &other : others)
    other.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void benchStream(int threads, const std::string &element, const std::string &rows) {
  constexpr int64_t k = 576, rounds = 15;
  const int64_t size = element == "f32" ? 4 : 2, n = (128 << 20) / (size * k) / threads / 4 * 4;
  auto runner = compileProduct(1, n, k, element, rows);
  if (!runner)
    return;
  std::vector<std::vector<float>> weights(threads, std::vector<float>(n * k * size / 4, 0));
  std::vector<std::vector<float>> results(threads, std::vector<float>(n));
  std::vector<float> x(k, 0);
  std::vector<double> products, reads;
  volatile float sink = 0;
  for (int64_t round = 0; round < rounds; ++round) {
    products.push_back(wallSeconds(threads, [&](int thread) {
      runner->run({x.data(), weights[thread].data(), results[thread].data()});
    }));
    reads.push_back(wallSeconds(threads, [&](int thread) {
      sink = sink + readAll(weights[thread].data(), weights[thread].size());
    }));
  }
  auto speed = [&](std::vector<double> &times) {
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return 1e-9 * threads * n * k * size / times[rounds / 2];
  };
  std::printf("{\"weights\": \"%s\", \"rows\": \"%s\", \"threads\": %d, "
              "\"product_gb_s\": %.2f, \"read_gb_s\": %.2f}\n",
              element.c_str(), rows.c_str(), threads, speed(products), speed(reads));
}

/// GF/s of `threads` threads; in the registers of each, `chains` independent sums.
double measurePeak(int threads, const std::string &element) {
  constexpr int chains = 16, lanes = 16, rounds = 15;
  constexpr int64_t steps = 200000;
  bool isHalf = element == "bf16";
  std::string in = isHalf ? "vector<32xbf16>" : "vector<16xf32>", sums, names, types, body, stores;
  for (int i = 0; i < chains; ++i) {
    std::string n = std::to_string(i), comma = i ? ", " : "";
    sums += comma + "%s" + n + " = %zero";
    names += comma + "%n" + n;
    types += comma + "vector<16xf32>";
    body += isHalf ? "    %n" + n + " = x86vector.avx512.dot %s" + n +
                         ", %x, %x : vector<32xbf16> -> vector<16xf32>\n"
                   : "    %n" + n + " = vector.fma %x, %x, %s" + n + " : vector<16xf32>\n";
    stores += "  %c" + n + " = arith.constant " + n + " : index\n  vector.store %r#" + n +
              ", %out[%c" + n + ", %i0] : memref<16x16xf32>, vector<16xf32>\n";
  }
  std::string memory = isHalf ? "memref<32xbf16>" : "memref<16xf32>";
  auto runner = KernelRunner::compile(
      "func.func @f(%in: " + memory +
          ", %out: memref<16x16xf32>) attributes {llvm.emit_c_interface} {\n"
          "  %zero = arith.constant dense<0.0> : vector<16xf32>\n  %i0 = arith.constant 0 : index\n"
          "  %i1 = arith.constant 1 : index\n  %n = arith.constant " +
          std::to_string(steps) + " : index\n  %x = vector.load %in[%i0] : " + memory + ", " + in +
          "\n  %r:16 = scf.for %i = %i0 to %n step %i1 iter_args(" + sums + ") -> (" + types +
          ") {\n" + body + "    scf.yield " + names + " : " + types + "\n  }\n" + stores +
          "  return\n}\n",
      Lowering::Kernels);
  if (!runner)
    return 0;
  std::vector<std::vector<float>> inputs(threads, std::vector<float>(lanes, 0)),
      results(threads, std::vector<float>(chains * lanes));
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round)
    times.push_back(wallSeconds(threads, [&](int thread) {
      runner->run({inputs[thread].data(), results[thread].data()});
    }));
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return 1e-9 * threads * steps * chains * lanes * (isHalf ? 4 : 2) / times[rounds / 2];
}

void benchPeak(int threads) {
  double single = measurePeak(threads, "f32");
  double pairs = mlir::tp::getCPUVectors({}).bf16Dot ? measurePeak(threads, "bf16") : single;
  std::printf("{\"threads\": %d, \"f32_gflops\": %.1f, \"bf16_gflops\": %.1f}\n", threads, single,
              pairs);
}

} // namespace

int main(int argc, char **argv) {
  int threads = argc == 3 ? std::atoi(argv[2]) : 0;
  if (threads > 0 && !std::strcmp(argv[1], "stream")) {
    benchStream(threads, "f32", "f32");
    benchStream(threads, "bf16", "bf16");
    return 0;
  }
  if (threads > 0 && !std::strcmp(argv[1], "peak")) {
    benchPeak(threads);
    return 0;
  }
  if (argc != 1) {
    std::fprintf(stderr, "error: usage: tp-bench-kernels [stream|peak THREADS]\n");
    return 2;
  }
  for (const char *element : {"f32", "bf16"}) {
    benchProduct(1, 49152, 576, element);
    benchProduct(1, 16384, 1536, element);
    benchProduct(4, 49152, 576, element);
  }
  benchAttention(1, 20);
  benchAttention(1, 255);
  benchAttention(1, 2000);
  benchAttention(256, 0);
  benchAttention(256, 1500);
}
