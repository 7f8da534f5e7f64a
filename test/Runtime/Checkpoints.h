//===- Checkpoints.h - writing safetensors in tests -------------*- C++ -*-===//

#ifndef TPRT_TEST_RUNTIME_CHECKPOINTS_H
#define TPRT_TEST_RUNTIME_CHECKPOINTS_H

#include "Reference.h"

#include <string>
#include <vector>

namespace tprt_test {

struct CheckpointTensor {
  std::string name;
  int32_t dtype;
  std::vector<int64_t> shape;
  Bytes data;
};

/// A tensor whose element i is (i * 37 % 251 - 125) / 64, exact in every float
/// format, or that integer without the division, or its last bit for i1.
CheckpointTensor makeTensor(const std::string &name, int32_t dtype, std::vector<int64_t> shape);
double tensorElement(int32_t dtype, int64_t index);

/// The bytes of a safetensors file.
std::string safetensorsFile(const std::vector<CheckpointTensor> &tensors);
/// Header and data apart: 8 bytes of length, `header`, `data`.
std::string safetensorsFile(const std::string &header, const std::string &data);

} // namespace tprt_test

#endif // TPRT_TEST_RUNTIME_CHECKPOINTS_H
