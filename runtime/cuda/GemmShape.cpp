//===- GemmShape.cpp - what a matrix product is like -----------------------===//

#include "GemmShape.h"

#include <climits>

using namespace tprt::cuda;
using std::to_string;

std::string GemmShape::describe() const {
  std::string text =
      to_string(m) + "x" + to_string(n) + "x" + to_string(k) + " " + tprt_dtype_name(dtype);
  if (resultDType != dtype)
    text += std::string("->") + tprt_dtype_name(resultDType);
  text += std::string(tf32 ? " tf32" : "") + (transA ? " A^T" : "") + (transB ? " B^T" : "");
  text += " rows " + to_string(lda) + " " + to_string(ldb) + " " + to_string(ldc) + " " +
          to_string(ldd);
  if (batch != 1)
    text += " batch " + to_string(batch) + " strides " + to_string(strideA) + " " +
            to_string(strideB) + " " + to_string(strideC) + " " + to_string(strideD);
  if (hasC)
    text += " C";
  if (hasBias)
    text += strideBias ? " bias stride " + to_string(strideBias) : " bias";
  if (activation != Activation::None)
    text += activation == Activation::Relu ? " relu" : " gelu";
  return text;
}

std::string GemmShape::findProblem() const {
  for (int64_t size : {m, n, k, batch})
    if (size < 0 || size > INT_MAX)
      return "sizes of a product are from 0 to " + to_string(INT_MAX) + ": " + describe();
  const GemmShape s = normalized();
  const std::string type = tprt_dtype_name(dtype);
  const bool narrow = s.dtype == TPRT_BF16 || s.dtype == TPRT_F16;
  if (!narrow && s.dtype != TPRT_F32 && s.dtype != TPRT_F64)
    return "products are of f64, f32, bf16 or f16, not of " + type;
  if (s.dtype == TPRT_F64 && (s.hasBias || s.activation != Activation::None))
    return "a product of f64 has neither bias nor activation: " + s.describe();
  if (s.resultDType != s.dtype && (s.resultDType != TPRT_F32 || s.dtype == TPRT_F64))
    return "a product of " + type + " is not " + tprt_dtype_name(s.resultDType);
  if (s.tf32 && s.dtype != TPRT_F32)
    return "tf32 is a precision of f32, not of " + type;
  if (s.lda < (s.transA ? s.m : s.k) || s.ldb < (s.transB ? s.k : s.n) || s.ldd < s.n ||
      s.ldc < s.n)
    return "a leading dimension is smaller than a row: " + s.describe();
  for (int64_t stride : {s.strideA, s.strideB, s.strideC, s.strideD, s.strideBias})
    if (stride < 0)
      return "a stride is negative: " + s.describe();
  if (s.strideBias * tprt_dtype_size(s.resultDType) % biasAlignment)
    return "each bias begins at a multiple of 16 bytes: " + s.describe();
  // One behind the other, or rows of all side by side.
  const bool isApart = s.strideD >= (s.m - 1) * s.ldd + s.n ||
                       (s.strideD >= s.n && s.ldd >= (s.batch - 1) * s.strideD + s.n);
  if (s.batch > 1 && s.m > 0 && !isApart)
    return "results of a batch lie over each other: " + s.describe();
  return "";
}

GemmShape GemmShape::normalized() const {
  GemmShape s = *this;
  if ((s.transA ? s.k : s.m) == 1)
    s.lda = s.transA ? s.m : s.k;
  if ((s.transB ? s.n : s.k) == 1)
    s.ldb = s.transB ? s.k : s.n;
  if (s.m == 1)
    s.ldc = s.ldd = s.n;
  if (!s.hasC) {
    s.ldc = s.ldd;
    s.strideC = s.strideD;
  }
  if (!s.hasBias)
    s.strideBias = 0;
  if (s.batch > 1 && !s.transA && s.strideB == 0 && s.strideA == s.m * s.lda &&
      s.strideC == s.m * s.ldc && s.strideD == s.m * s.ldd && s.strideBias == 0 &&
      s.m <= INT_MAX / s.batch) {
    s.m *= s.batch;
    s.batch = 1;
  }
  if (s.batch == 1)
    s.strideA = s.strideB = s.strideC = s.strideD = s.strideBias = 0;
  return s;
}
