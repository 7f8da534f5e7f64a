//===- GlobalValue.h - between a global value and its parts -----*- C++ -*-===//
//
// Splitting and putting together by the blocks of the manifest; no block is
// computed here.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_GLOBALVALUE_H
#define TPRT_CORE_GLOBALVALUE_H

#include "tprt/array.h"
#include "tprt/manifest.h"

#include <string>
#include <vector>

namespace tprt {

/// Fills the local buffer of `rank` (of value.localBytes()) from the global
/// array, whose type and shape are the value's: its block, zeros as padding,
/// and the neutral element instead of the block where the value is partial and
/// the rank is not at coordinate 0.
void scatterValue(const Manifest &manifest, const ValueInfo &value, const Array &global, int rank,
                  void *local);

/// The global value of the local buffers of all ranks: partial parts reduced
/// in rank order, blocks put together. Throws `Error` with exit code 1, naming
/// `what`, the index and the ranks, when two ranks hold the same block and
/// their bits differ.
Array gatherValue(const Manifest &manifest, const ValueInfo &value,
                  const std::vector<const void *> &locals, const std::string &what);

/// Global index and local position of the first element of the block of `rank`
/// that is inf or NaN; false when there is none or the type is no float.
bool findNotFinite(const ValueInfo &value, int rank, const void *local,
                   std::vector<int64_t> &globalIndex, int64_t &position);

} // namespace tprt

#endif // TPRT_CORE_GLOBALVALUE_H
