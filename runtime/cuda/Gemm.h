//===- Gemm.h - matrix products on a GPU -------------------------*- C++ -*-===//
//
// Products of row-major matrices by cublasLt, with what it fuses: a bias, an
// activation, the addition of another matrix.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_GEMM_H
#define TPRT_CUDA_GEMM_H

#include "Driver.h"
#include "GemmChoices.h"
#include "GemmShape.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tprt::cuda {

/// C may be D, as a whole; else no operand may lie where D does. A bias begins at a
/// multiple of 16 bytes.
struct GemmOperands {
  DevicePointer a = 0, b = 0, c = 0, d = 0, bias = 0;
  float alpha = 1, beta = 1; ///< beta has no effect without C
};

/// Times of one product with the algorithms that were measured.
struct GemmTimes {
  /// Of the first that cublasLt's heuristic has, and of the fastest.
  double firstMicroseconds = 0, bestMicroseconds = 0;
  int measured = 0;
};

/// The matrix products of one rank. The algorithm of a shape is chosen once, when it is
/// first asked for, and once more where operands begin at multiples of 16 bytes only, or
/// of less, instead of 256. Not for several threads at once; the context of the device must be
/// current. All functions throw tprt::Error, with the shape in words.
class Gemm {
public:
  /// `workspaceBytes` limits which algorithms are chosen: 32 MiB leaves all of Hopper's.
  /// Algorithms are taken from `choices` where it has one that fits. Throws where cublasLt
  /// is not available or does not start.
  Gemm(Device device, size_t workspaceBytes, std::shared_ptr<GemmChoices> choices = nullptr);
  ~Gemm();
  Gemm(const Gemm &) = delete;
  Gemm &operator=(const Gemm &) = delete;

  /// Chooses the algorithm of a shape whose operands will be aligned to `alignment` bytes,
  /// so that no later call has to.
  void prepare(const GemmShape &shape, size_t alignment = 256);

  /// Whether `choices` has the algorithm of a shape with operands so aligned.
  bool isChosen(const GemmShape &shape, size_t alignment = 256) const;

  /// Enqueues the product; may be captured. `workspace` has the bytes that were given to
  /// the constructor, begins at a multiple of 256, and is the product's until it is done:
  /// streams do not share one. Any size may be 0; an empty sum (k = 0) needs
  /// 4 * max(m, n) bytes of workspace.
  void run(const GemmShape &shape, const GemmOperands &operands, DevicePointer workspace,
           Stream stream);

  /// Runs the product with each of the first `count` algorithms of cublasLt's heuristic,
  /// waits, and takes the fastest from then on, which `choices` keeps. What D holds then
  /// is of no use, nor what C holds where it is D. Not while the stream is captured.
  GemmTimes autotune(const GemmShape &shape, const GemmOperands &operands, DevicePointer workspace,
                     Stream stream, int count = 16);

private:
  struct Plan;
  /// Bytes that A, B, C and D are multiples of.
  using Alignment = std::array<uint32_t, 4>;

  Plan &planOf(const GemmShape &shape, const Alignment &alignment, size_t limit);
  std::vector<LtHeuristicResult> findAlgos(const Plan &plan, int count) const;
  void chooseAlgo(Plan &plan) const;
  LtStatus launch(const Plan &plan, const LtAlgo &algo, const GemmOperands &operands,
                  DevicePointer workspace, Stream stream) const;
  /// Microseconds; none where the algorithm does not run.
  std::optional<double> measure(const Plan &plan, const LtAlgo &algo, const GemmOperands &operands,
                                DevicePointer workspace, Stream stream) const;

  const CublasLt &lt;
  LtHandle handle = nullptr;
  std::string deviceName;
  size_t workspaceBytes;
  std::shared_ptr<GemmChoices> choices;
  std::map<std::vector<int64_t>, std::unique_ptr<Plan>> plans;
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_GEMM_H
