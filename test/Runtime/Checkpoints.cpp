//===- Checkpoints.cpp - writing safetensors in tests ---------------------===//

#include "Checkpoints.h"

#include "TestModule.h"

#include <cctype>

using namespace tprt_test;

double tprt_test::tensorElement(int32_t dtype, int64_t index) {
  if (dtype == TPRT_I1)
    return double(index * 37 % 251 % 2);
  const double value = double(index * 37 % 251 - 125);
  return dtype <= TPRT_BF16 ? value / 64 : value;
}

CheckpointTensor tprt_test::makeTensor(const std::string &name, int32_t dtype,
                                       std::vector<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  CheckpointTensor tensor{name, dtype, std::move(shape),
                          Bytes(size_t(count * tprt_dtype_size(dtype)))};
  for (int64_t i = 0; i < count; ++i)
    if (dtype <= TPRT_BF16)
      setFloat(dtype, tensor.data, i, tensorElement(dtype, i));
    else
      setInteger(dtype, tensor.data, i, int64_t(tensorElement(dtype, i)));
  return tensor;
}

std::string tprt_test::safetensorsFile(const std::string &header, const std::string &data) {
  std::string file;
  for (int i = 0; i < 8; ++i)
    file += char(uint64_t(header.size()) >> (8 * i));
  return file + header + data;
}

std::string tprt_test::safetensorsFile(const std::vector<CheckpointTensor> &tensors) {
  std::string header = "{\"__metadata__\": {\"format\": \"pt\"}", data;
  for (const CheckpointTensor &tensor : tensors) {
    std::string dtype = tensor.dtype == TPRT_I1 ? "BOOL" : tprt_dtype_name(tensor.dtype);
    for (char &c : dtype)
      c = char(std::toupper(c));
    const int64_t begin = int64_t(data.size());
    data.append(tensor.data.begin(), tensor.data.end());
    header += ", \"" + tensor.name + "\": {\"dtype\": \"" + dtype +
              "\", \"shape\": " + jsonList(tensor.shape) +
              ", \"data_offsets\": " + jsonList({begin, int64_t(data.size())}) + "}";
  }
  return safetensorsFile(header + "}", data);
}
