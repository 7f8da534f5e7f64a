//===- RmsNorm.h - Root-mean-square normalisation of rows -------*- C++ -*-===//

#ifndef TP_LIB_CONVERSION_TOKERNELS_RMSNORM_H
#define TP_LIB_CONVERSION_TOKERNELS_RMSNORM_H

#include "KernelBuilder.h"

namespace mlir::tp {

/// input and result [rows, size], weight [size], all contiguous.
struct RmsNormShape {
  int64_t rows, size;
  double epsilon, weightOffset;
  Type element, weight;
};

/// Declares the kernel for a shape, with parameters input, weight, result; its
/// range is in rows.
func::FuncOp declareRmsNormKernel(ModuleOp module, Location loc, const RmsNormShape &shape);
/// Writes the body of a function that declareRmsNormKernel made; false where
/// `kernel` is another one.
bool defineRmsNormKernel(func::FuncOp kernel, int64_t bits);
/// Rows that make a chunk worth a worker.
int64_t getRmsNormGrain(const RmsNormShape &shape);

} // namespace mlir::tp

#endif // TP_LIB_CONVERSION_TOKERNELS_RMSNORM_H
