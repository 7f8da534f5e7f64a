//===- RowNorm.h - Normalisation of rows ------------------------*- C++ -*-===//

#ifndef TP_LIB_CONVERSION_TOKERNELS_ROWNORM_H
#define TP_LIB_CONVERSION_TOKERNELS_ROWNORM_H

#include "KernelBuilder.h"

namespace mlir::tp {

/// input and result [rows, size], weight and bias [size], all contiguous. Without
/// a bias rows are divided by their root mean square, with one their mean is
/// subtracted first.
struct RowNormShape {
  int64_t rows, size;
  double epsilon, weightOffset;
  Type element, weight;
  Type bias = {}; ///< Null: none.
};

/// Declares the kernel for a shape, with parameters input, weight, bias if there is
/// one, result; its range is in rows.
func::FuncOp declareRowNormKernel(ModuleOp module, Location loc, const RowNormShape &shape);
/// Writes the body of a function that declareRowNormKernel made; false where
/// `kernel` is another one.
bool defineRowNormKernel(func::FuncOp kernel, int64_t bits);
/// Rows that make a chunk worth a worker.
int64_t getRowNormGrain(const RowNormShape &shape);

} // namespace mlir::tp

#endif // TP_LIB_CONVERSION_TOKERNELS_ROWNORM_H
