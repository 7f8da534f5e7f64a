//===- GlobalValue.cpp - between a global value and its parts -------------===//

#include "GlobalValue.h"

#include "Copy.h"
#include "DType.h"
#include "Groups.h"
#include "Reduce.h"
#include "tprt/error.h"

#include <cmath>

using namespace tprt;

namespace {

std::vector<int64_t> sizesOf(const std::vector<Range> &block) {
  std::vector<int64_t> sizes;
  for (const Range &range : block)
    sizes.push_back(range.size);
  return sizes;
}

int64_t offsetOf(const std::vector<Range> &block, const std::vector<int64_t> &strides) {
  int64_t offset = 0;
  for (size_t i = 0; i < block.size(); ++i)
    offset += block[i].offset * strides[i];
  return offset;
}

/// Dense copy of the block in the low corner of a local buffer.
std::vector<char> takeBlock(const ValueInfo &value, int rank, const void *local) {
  const std::vector<int64_t> sizes = sizesOf(value.blocks[rank]);
  std::vector<char> block(size_t(elementCount(sizes) * tprt_dtype_size(value.dtype)));
  copyStrided({local, value.dtype, denseStrides(value.localShape)},
              {block.data(), value.dtype, denseStrides(sizes)}, sizes);
  return block;
}

/// Coordinate of a rank among those that hold a part of the same partial
/// value; 0 where the value is not partial.
int64_t partialIndex(const Manifest &manifest, const ValueInfo &value, int rank) {
  const std::vector<int64_t> coordinates = meshCoordinates(manifest.mesh, rank);
  int64_t index = 0;
  for (const PartialPart &partial : value.partial)
    index = index * partial.part.size + partCoordinate(partial.part,
                                                       manifest.mesh[partial.part.axis].size,
                                                       coordinates[partial.part.axis]);
  return index;
}

/// The block of each rank, after reduction over the partial parts.
std::vector<std::vector<char>> takeBlocks(const Manifest &manifest, const ValueInfo &value,
                                          const std::vector<const void *> &locals) {
  std::vector<std::vector<char>> blocks;
  for (size_t rank = 0; rank < locals.size(); ++rank)
    blocks.push_back(takeBlock(value, int(rank), locals[rank]));
  if (value.partial.empty())
    return blocks;
  std::vector<AxisPart> parts;
  for (const PartialPart &partial : value.partial)
    parts.push_back(partial.part);
  for (const GroupInstance &group : partitionRanks(manifest.mesh, parts).instances) {
    std::vector<const void *> operands;
    for (int rank : group.ranks)
      operands.push_back(blocks[rank].data());
    const int64_t count = int64_t(blocks[group.ranks[0]].size()) / tprt_dtype_size(value.dtype);
    reduceParts(value.partial.front().kind, value.dtype, operands.data(), int(operands.size()),
                blocks[group.ranks[0]].data(), count);
    for (size_t i = 1; i < group.ranks.size(); ++i)
      blocks[group.ranks[i]] = blocks[group.ranks[0]];
  }
  return blocks;
}

[[noreturn]] void replicasDiffer(const ValueInfo &value, const std::string &what, int rankA,
                                 const std::vector<char> &a, int rankB,
                                 const std::vector<char> &b) {
  const int64_t elementSize = tprt_dtype_size(value.dtype);
  size_t at = 0;
  while (a[at] == b[at])
    ++at;
  const int64_t flat = int64_t(at) / elementSize;
  const std::vector<Range> &block = value.blocks[rankA];
  const std::vector<int64_t> sizes = sizesOf(block);
  std::vector<int64_t> index(block.size());
  int64_t rest = flat;
  for (size_t i = block.size(); i-- > 0;) {
    index[i] = block[i].offset + rest % sizes[i];
    rest /= sizes[i];
  }
  throw Error(kExitDiffers, what + ": replicas differ at index " + shapeText(index) + ": rank " +
                                std::to_string(rankA) + " has " +
                                elementText(value.dtype, a.data(), flat) + ", rank " +
                                std::to_string(rankB) + " has " +
                                elementText(value.dtype, b.data(), flat));
}

} // namespace

void tprt::scatterValue(const Manifest &manifest, const ValueInfo &value, const Array &global,
                        int rank, void *local) {
  const std::vector<Range> &block = value.blocks[rank];
  const std::vector<int64_t> sizes = sizesOf(block);
  const int64_t elementSize = tprt_dtype_size(value.dtype);
  std::memset(local, 0, size_t(value.localBytes()));
  const StridedView<void *> target{local, value.dtype, denseStrides(value.localShape)};
  if (partialIndex(manifest, value, rank) != 0) {
    std::vector<char> neutral(size_t(elementCount(sizes) * elementSize));
    fillNeutral(value.partial.front().kind, value.dtype, neutral.data(), elementCount(sizes));
    copyStrided({neutral.data(), value.dtype, denseStrides(sizes)}, target, sizes);
    return;
  }
  const std::vector<int64_t> strides = denseStrides(value.globalShape);
  copyStrided({global.data.data() + offsetOf(block, strides) * elementSize, value.dtype, strides},
              target, sizes);
}

Array tprt::gatherValue(const Manifest &manifest, const ValueInfo &value,
                        const std::vector<const void *> &locals, const std::string &what) {
  const std::vector<std::vector<char>> blocks = takeBlocks(manifest, value, locals);
  const std::vector<int64_t> strides = denseStrides(value.globalShape);
  const int64_t elementSize = tprt_dtype_size(value.dtype);
  Array global(value.dtype, value.globalShape);
  int64_t covered = 0;
  std::vector<int> owners; // ranks whose blocks differ
  for (int rank = 0; rank < int(blocks.size()); ++rank) {
    const std::vector<Range> &block = value.blocks[rank];
    if (blocks[rank].empty())
      continue;
    int owner = -1;
    for (int other : owners)
      if (value.blocks[other] == block)
        owner = other;
    if (owner >= 0) {
      if (blocks[owner] != blocks[rank])
        replicasDiffer(value, what, owner, blocks[owner], rank, blocks[rank]);
      continue;
    }
    owners.push_back(rank);
    const std::vector<int64_t> sizes = sizesOf(block);
    copyStrided({blocks[rank].data(), value.dtype, denseStrides(sizes)},
                {global.data.data() + offsetOf(block, strides) * elementSize, value.dtype, strides},
                sizes);
    covered += elementCount(sizes);
  }
  if (covered != global.count())
    throw runFailure(what + ": the blocks of the manifest hold " + std::to_string(covered) +
                     " elements, the value has " + std::to_string(global.count()));
  return global;
}

bool tprt::findNotFinite(const ValueInfo &value, int rank, const void *local,
                         std::vector<int64_t> &globalIndex, int64_t &position) {
  if (!isFloat(value.dtype))
    return false;
  const std::vector<Range> &block = value.blocks[rank];
  const std::vector<int64_t> sizes = sizesOf(block);
  const int64_t count = elementCount(sizes);
  std::vector<double> numbers(size_t(count), 0.0);
  copyStrided({local, value.dtype, denseStrides(value.localShape)},
              {numbers.data(), TPRT_F64, denseStrides(sizes)}, sizes);
  for (int64_t flat = 0; flat < count; ++flat) {
    if (std::isfinite(numbers[size_t(flat)]))
      continue;
    globalIndex.resize(block.size());
    position = 0;
    int64_t rest = flat;
    const std::vector<int64_t> strides = denseStrides(value.localShape);
    for (size_t i = block.size(); i-- > 0;) {
      globalIndex[i] = block[i].offset + rest % sizes[i];
      position += rest % sizes[i] * strides[i];
      rest /= sizes[i];
    }
    return true;
  }
  return false;
}
