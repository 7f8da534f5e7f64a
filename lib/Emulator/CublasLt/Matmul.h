//===- Matmul.h - One product of cublasLt -----------------------*- C++ -*-===//
//
// D = epilogue(alpha op(A) op(B) + beta C + bias) of column-major matrices, with the
// names of cublasLt.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_CUBLASLT_MATMUL_H
#define TP_EMULATOR_CUBLASLT_MATMUL_H

#include "runtime/cuda/CublasLtApi.h"
#include "tp/Emulator/DeviceMemory.h"

namespace tprt::cuda {

/// What handles of cublasLt point to, with the values that they begin with.
struct LtMatmulDescState {
  LtCompute compute;
  LtType scaleType;
  int32_t pointerMode = ltScalarsOnHost, transposeA = ltPlain, transposeB = ltPlain;
  uint32_t epilogue = ltNoEpilogue;
  const void *bias = nullptr;
  int64_t biasStride = 0;
  int32_t biasType = -1;

  /// Of a partial sum, and of alpha and beta.
  size_t sumBytes() const { return compute == ltCompute64 ? sizeof(double) : sizeof(float); }
};

struct LtMatrixLayoutState {
  LtType type;
  uint64_t rows, columns;
  int64_t leadingDimension;
  int32_t order = ltColumnMajor, batch = 1;
  int64_t batchStride = 0;
};

struct LtPreferenceState {
  uint64_t maxWorkspaceBytes = 0;
  uint32_t alignmentA = 256, alignmentB = 256, alignmentC = 256, alignmentD = 256;
};

} // namespace tprt::cuda

namespace mlir::tp::emulator {

/// Why a call is refused; nothing where it is not.
struct Refusal {
  tprt::cuda::LtStatus status = tprt::cuda::ltOk;
  std::string reason;
};

/// How an emulated algorithm works.
struct Algorithm {
  /// Of the sum, each with its own partial result in the workspace; one needs none.
  uint64_t parts;
  /// Whether it reads and writes 16 bytes at a time.
  bool vectors;

  /// What addresses and columns of a matrix begin at multiples of, in bytes.
  uint64_t alignment(const tprt::cuda::LtMatrixLayoutState &matrix) const;
};

struct Matmul {
  tprt::cuda::LtMatmulDescState desc;
  tprt::cuda::LtMatrixLayoutState a, b, c, d;

  uint64_t m() const { return d.rows; }
  uint64_t n() const { return d.columns; }
  uint64_t k() const { return desc.transposeA ? a.rows : a.columns; }
  bool hasBias() const { return desc.epilogue & tprt::cuda::ltBias; }

  /// "cublasLt matmul 5 x 3 x 7 of bf16".
  std::string describe() const;
  /// What the library does not do on any data.
  Refusal check() const;
  /// Those that can be used with the preferences, the best first.
  std::vector<Algorithm> algorithms(const tprt::cuda::LtPreferenceState &preference) const;
  uint64_t workspaceBytes(const Algorithm &algorithm) const;
  /// Whether all columns begin where they must if the first does.
  bool suits(const Algorithm &algorithm) const;
};

/// The addresses that a call has, and alpha and beta.
struct MatmulData {
  double alpha, beta;
  const char *a, *b, *c;
  char *d, *workspace;
};

/// Does the product as `operation`: fails where it touches memory that is not its own, in
/// the ways of DeviceMemory.
llvm::Error perform(const Matmul &matmul, const Algorithm &algorithm, const MatmulData &data,
                    DeviceMemory &memory, const Operation &operation);

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_CUBLASLT_MATMUL_H
