//===- Copy.h - copies of blocks of arrays ----------------------*- C++ -*-===//

#ifndef TPRT_CORE_COPY_H
#define TPRT_CORE_COPY_H

#include <cstdint>
#include <vector>

namespace tprt {

/// Strides in elements of a dense row-major array.
std::vector<int64_t> denseStrides(const std::vector<int64_t> &shape);

/// One side of a strided copy: the address of element 0 and, per dimension,
/// the distance of neighbours in elements.
template <typename Pointer> struct StridedView {
  Pointer data;
  int32_t dtype;
  std::vector<int64_t> strides;
};

/// to[i...] = from[i...] for all i below `sizes`. The types are equal, or both
/// floats, which are then converted.
void copyStrided(const StridedView<const void *> &from, const StridedView<void *> &to,
                 const std::vector<int64_t> &sizes);

} // namespace tprt

#endif // TPRT_CORE_COPY_H
