//===- Copy.cpp - copies of blocks of arrays ------------------------------===//

#include "Copy.h"

#include "DType.h"

#include <algorithm>
#include <cassert>

using namespace tprt;

std::vector<int64_t> tprt::denseStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

namespace {

struct Dimension {
  int64_t size, fromStride, toStride;
};

/// Drops dimensions of one element and merges neighbours that are adjacent on
/// both sides, so that runs are as long as possible.
std::vector<Dimension> simplify(const std::vector<int64_t> &sizes,
                                const std::vector<int64_t> &fromStrides,
                                const std::vector<int64_t> &toStrides) {
  std::vector<Dimension> result;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1)
      continue;
    Dimension next{sizes[i], fromStrides[i], toStrides[i]};
    if (!result.empty() && result.back().fromStride == next.size * next.fromStride &&
        result.back().toStride == next.size * next.toStride)
      result.back() = {result.back().size * next.size, next.fromStride, next.toStride};
    else
      result.push_back(next);
  }
  return result;
}

class Copier {
public:
  Copier(int32_t fromDType, int32_t toDType, std::vector<Dimension> dimensions)
      : fromDType(fromDType), toDType(toDType), fromSize(tprt_dtype_size(fromDType)),
        toSize(tprt_dtype_size(toDType)), dimensions(std::move(dimensions)) {}

  void copy(const char *from, char *to, size_t level = 0) const {
    if (level == dimensions.size())
      return copyRun(from, to, 1);
    const Dimension &d = dimensions[level];
    if (level + 1 == dimensions.size() && d.fromStride == 1 && d.toStride == 1)
      return copyRun(from, to, d.size);
    for (int64_t i = 0; i < d.size; ++i)
      copy(from + i * d.fromStride * fromSize, to + i * d.toStride * toSize, level + 1);
  }

private:
  void copyRun(const char *from, char *to, int64_t count) const {
    if (fromDType == toDType)
      std::memcpy(to, from, size_t(count * toSize));
    else
      convertFloats(fromDType, from, toDType, to, count);
  }

  const int32_t fromDType, toDType;
  const int64_t fromSize, toSize;
  const std::vector<Dimension> dimensions;
};

} // namespace

void tprt::copyStrided(const StridedView<const void *> &from, const StridedView<void *> &to,
                       const std::vector<int64_t> &sizes) {
  assert(from.dtype == to.dtype || (isFloat(from.dtype) && isFloat(to.dtype)));
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
    return;
  Copier copier(from.dtype, to.dtype, simplify(sizes, from.strides, to.strides));
  copier.copy(static_cast<const char *>(from.data), static_cast<char *>(to.data));
}
