//===- RowNorm.cu - Normalisation of rows ----------------------------------===//
//
// A block takes a row at a time and reads it once for the sum of squares and once to scale
// it; where the mean is subtracted, once more before. All but the first time it comes from a
// cache. Differences from the mean are squared, not the values, so that a large mean costs
// no digits.
//
//===----------------------------------------------------------------------===//

#include "Library.h"

using namespace tprt;

namespace {

struct Norm {
  ConstFloats x, addend, weight, bias;
  Floats sum, y;
  i64 rows, size;
  float epsilon, weightOffset;
  /// The mean is subtracted and the bias added; the addend is added to x.
  bool isLayer, isResidual;
};

/// The mean over a row of function(x), in each thread.
template <int N, typename Function>
TPRT_INLINE float meanOverRow(const Norm &norm, ConstFloats x, Function function) {
  float sum = 0;
  for (i64 i = threadX() * N; i < norm.size; i += threadsX() * N) {
    const Vector<float, N> terms = function(x.load<N>(i));
    for (int j = 0; j < N; ++j)
      sum += terms[j];
  }
  return sumOverBlock(sum) / (float)norm.size;
}

/// Row `row`, of which a thread takes N neighbouring elements at a time, the same ones each
/// time.
template <int N> TPRT_INLINE void normalizeRow(const Norm &norm, i64 row) {
  const i64 first = threadX() * N, step = threadsX() * N, start = row * norm.size;
  ConstFloats x = norm.x.from(start);
  if (norm.isResidual) {
    const ConstFloats addend = norm.addend.from(start);
    const Floats sum = norm.sum.from(start);
    for (i64 i = first; i < norm.size; i += step)
      sum.store<N>(i, x.load<N>(i) + addend.load<N>(i));
    x = sum;
  }
  float mean = 0;
  if (norm.isLayer)
    mean = meanOverRow<N>(norm, x, [](Vector<float, N> v) { return v; });
  const float variance =
      meanOverRow<N>(norm, x, [=](Vector<float, N> v) { return (v - mean) * (v - mean); });
  const float scale = 1.0f / __builtin_elementwise_sqrt(variance + norm.epsilon);
  const Floats y = norm.y.from(start);
  for (i64 i = first; i < norm.size; i += step) {
    Vector<float, N> result = (x.load<N>(i) - mean) * scale;
    result *= norm.weight.load<N>(i) + norm.weightOffset;
    if (norm.isLayer)
      result += norm.bias.load<N>(i);
    y.store<N>(i, result);
  }
}

TPRT_INLINE void normalize(const Norm &norm) {
  const bool isAligned = norm.x.isAligned() && norm.addend.isAligned() && norm.sum.isAligned() &&
                         norm.weight.isAligned() && norm.bias.isAligned() && norm.y.isAligned();
  for (i64 row = blockX(); row < norm.rows; row += blocksX()) {
    if (isAligned && norm.size % 8 == 0)
      normalizeRow<8>(norm, row);
    else
      normalizeRow<1>(norm, row);
  }
}

/// What all norms have.
TPRT_INLINE Norm makeNorm(ConstFloats x, ConstFloats weight, Floats y, i64 rows, i64 size,
                          float epsilon) {
  Norm norm = {};
  norm.x = x;
  norm.weight = weight;
  norm.y = y;
  norm.rows = rows;
  norm.size = size;
  norm.epsilon = epsilon;
  return norm;
}

} // namespace

TPRT_LIBRARY void tprtk_rms_norm(int dtype, int weightDType, int resultDType, const void *x,
                                 const void *weight, void *y, i64 rows, i64 size, float epsilon,
                                 float weightOffset) {
  Norm norm = makeNorm({dtype, x}, {weightDType, weight}, {resultDType, y}, rows, size, epsilon);
  norm.weightOffset = weightOffset;
  normalize(norm);
}

TPRT_LIBRARY void tprtk_residual_rms_norm(int dtype, int addendDType, int weightDType,
                                          int resultDType, const void *x, const void *addend,
                                          const void *weight, void *sum, void *y, i64 rows,
                                          i64 size, float epsilon, float weightOffset) {
  Norm norm = makeNorm({dtype, x}, {weightDType, weight}, {resultDType, y}, rows, size, epsilon);
  norm.addend = {addendDType, addend};
  norm.sum = {dtype, sum};
  norm.weightOffset = weightOffset;
  norm.isResidual = true;
  normalize(norm);
}

TPRT_LIBRARY void tprtk_layer_norm(int dtype, int weightDType, int resultDType, const void *x,
                                   const void *weight, const void *bias, void *y, i64 rows,
                                   i64 size, float epsilon) {
  Norm norm = makeNorm({dtype, x}, {weightDType, weight}, {resultDType, y}, rows, size, epsilon);
  norm.bias = {weightDType, bias};
  norm.isLayer = true;
  normalize(norm);
}

TPRT_LIBRARY void tprtk_residual_layer_norm(int dtype, int addendDType, int weightDType,
                                            int resultDType, const void *x, const void *addend,
                                            const void *weight, const void *bias, void *sum,
                                            void *y, i64 rows, i64 size, float epsilon) {
  Norm norm = makeNorm({dtype, x}, {weightDType, weight}, {resultDType, y}, rows, size, epsilon);
  norm.addend = {addendDType, addend};
  norm.bias = {weightDType, bias};
  norm.sum = {dtype, sum};
  norm.isLayer = norm.isResidual = true;
  normalize(norm);
}
