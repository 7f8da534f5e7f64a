//===- TestModule.cpp - modules written by hand ---------------------------===//

#include "TestModule.h"

#include <algorithm>

using namespace tprt_test;

std::string tprt_test::jsonList(const std::vector<int64_t> &numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

namespace {

std::string valueText(const TestValue &value, const std::vector<int64_t> &mesh) {
  int64_t ranks = 1;
  for (int64_t size : mesh)
    ranks *= size;
  std::vector<int64_t> local = value.shape;
  std::string blocks;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    std::vector<int64_t> coordinates(mesh.size());
    int64_t rest = rank;
    for (size_t axis = mesh.size(); axis-- > 0;) {
      coordinates[axis] = rest % mesh[axis];
      rest /= mesh[axis];
    }
    std::string block;
    for (size_t dim = 0; dim < value.shape.size(); ++dim) {
      // Cut axis by axis: equal pieces rounded up, clipped to the parent.
      int64_t offset = 0, size = value.shape[dim], padded = size;
      if (dim < value.axes.size())
        for (int axis : value.axes[dim]) {
          padded = (padded + mesh[axis] - 1) / mesh[axis];
          const int64_t begin = std::min(size, coordinates[axis] * padded);
          size = std::min(size - begin, padded);
          offset += begin;
        }
      local[dim] = padded;
      block += (dim ? ", " : "") + jsonList({offset, size});
    }
    blocks += (rank ? ", [" : "[") + block + "]";
  }
  std::string text = "{\"name\": \"" + value.name + "\", \"dtype\": \"" + value.dtype +
                     "\", \"global_shape\": " + jsonList(value.shape) +
                     ", \"local_shape\": " + jsonList(local) + ", \"blocks\": [" + blocks + "]";
  if (!value.kind.empty())
    text += ", \"kind\": \"" + value.kind + "\"";
  if (!value.extra.empty())
    text += ", " + value.extra;
  return text + "}";
}

std::string listText(const std::vector<TestValue> &values, const std::vector<int64_t> &mesh) {
  std::string text;
  for (const TestValue &value : values)
    text += (text.empty() ? "" : ",\n") + valueText(value, mesh);
  return "[" + text + "]";
}

} // namespace

TestModule::TestModule(std::vector<int64_t> mesh, const std::vector<TestEntry> &entries,
                       const std::string &groups, const std::string &tail) {
  text = "{\"version\": 1, \"target\": \"cpu\", \"mesh\": [";
  for (size_t axis = 0; axis < mesh.size(); ++axis)
    text += std::string(axis ? ", " : "") + "{\"name\": \"" + char('a' + axis) +
            "\", \"size\": " + std::to_string(mesh[axis]) + "}";
  text += "], \"groups\": " + groups +
          ", \"operations\": [{\"name\": \"op0\", \"loc\": \"model.mlir:1:1\"}], \"entries\": [";
  for (size_t i = 0; i < entries.size(); ++i)
    text += (i ? ", " : "") + std::string("{\"name\": \"") + entries[i].name +
            "\", \"arena_bytes\": " + std::to_string(entries[i].arenaBytes) +
            ", \"symmetric_bytes\": " + std::to_string(entries[i].symmetricBytes) +
            ", \"arguments\": " + listText(entries[i].arguments, mesh) +
            ", \"results\": " + listText(entries[i].results, mesh) + "}";
  text += "]" + (tail.empty() ? "" : ", " + tail) + "}";
  for (const TestEntry &entry : entries)
    names.push_back(entry.name);
  for (size_t i = 0; i < entries.size(); ++i)
    table.push_back({names[i].c_str(), entries[i].function});
  moduleTable = {TPRT_ABI_VERSION, int32_t(table.size()), table.data(), text.c_str(), 0, nullptr};
}

void TestModule::compileForGpus(const std::vector<std::string> &kernels,
                                const std::vector<tprt_image_t> &imagesOfKernels) {
  std::string list;
  for (const std::string &kernel : kernels)
    list += (list.empty() ? "\"" : ", \"") + kernel + "\"";
  const std::string cpu = "\"target\": \"cpu\"";
  text.replace(text.find(cpu), cpu.size(), "\"target\": \"cuda\", \"kernels\": [" + list + "]");
  images = imagesOfKernels;
  moduleTable.manifest = text.c_str();
  moduleTable.num_images = int32_t(images.size());
  moduleTable.images = images.data();
}
