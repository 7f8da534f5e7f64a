//===- GemmShape.h - what a matrix product is like ---------------*- C++ -*-===//

#ifndef TPRT_CUDA_GEMMSHAPE_H
#define TPRT_CUDA_GEMMSHAPE_H

#include "tprt/tprt.h"

#include <cstdint>
#include <string>

namespace tprt::cuda {

enum class Activation { None = TPRT_NO_ACTIVATION, Relu = TPRT_RELU, GeluTanh = TPRT_GELU_TANH };

/// For each b < batch
///   D[b] = activation(alpha * op(A[b]) * op(B[b]) + beta * C[b] + bias[b])
/// where the sum is in f32 (f64 for f64) and rounded once. Numbers of elements, never bytes.
struct GemmShape {
  /// op(A) is [m, k], op(B) [k, n]; C and D are [m, n], a bias is [n] for every row.
  int64_t m = 0, n = 0, k = 0;
  int64_t batch = 1;
  /// A is stored as [k, m], B as [n, k].
  bool transA = false, transB = false;
  /// f64, f32, bf16 or f16 (tprt_dtype_t) of A and B.
  int32_t dtype = TPRT_F32;
  /// Of C, D and bias: the same, or f32 of narrower ones. There is nothing but C in f64.
  int32_t resultDType = TPRT_F32;
  /// From one row to the next, which means nothing where there is one.
  int64_t lda = 0, ldb = 0, ldc = 0, ldd = 0;
  /// From one matrix to the next; 0 where all share one, which D's cannot.
  int64_t strideA = 0, strideB = 0, strideC = 0, strideD = 0, strideBias = 0;
  bool hasC = false, hasBias = false;
  /// cublasLt's gelu is 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))); it has none by erf.
  Activation activation = Activation::None;
  /// Operands of f32 are rounded to tf32, which has the range of f32 and the precision of f16.
  bool tf32 = false;

  /// What kernels read of a bias at once.
  static constexpr int64_t biasAlignment = 16;

  /// All of it in one line: "3x5x7 bf16->f32 B^T rows 7 7 5 5 bias gelu".
  std::string describe() const;
  /// Why there is no such product; empty where there is one.
  std::string findProblem() const;
  /// The same product, with one value for what has no effect, and one product for many
  /// that share B.
  GemmShape normalized() const;
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_GEMMSHAPE_H
