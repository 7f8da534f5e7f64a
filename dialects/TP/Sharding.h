//===- Sharding.h - The sharding algebra -----------------------*- C++ -*-===//
//
// What a sharding means, in plain data: which block of a global value a device
// holds, when two shardings are the same, how local shapes follow. It is the
// definition that partitioner, interpreter, loader and checker share.
//
// Blocks are cut axis by axis, major to minor: b(0) = n,
//     b(i+1) = ceil(b(i) / (granule(i) * size(i))) * granule(i),
// (b(i) for a cut of size 1: it cuts nothing), and a device's block begins at the
// sum of coordinate(i) * b(i+1), each cut clipped to the block it cuts. Every
// device's buffer has b(last) elements; what is past its block is padding.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_TP_SHARDING_H
#define DIALECTS_TP_SHARDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <tuple>

#include "dialects/TP/TPEnums.h.inc"

namespace mlir {
namespace tp {

/// Named axes with sizes. Device ids are row-major: the last axis varies fastest.
struct Mesh {
  llvm::SmallVector<std::string> names;
  llvm::SmallVector<int64_t> sizes;

  unsigned numAxes() const { return sizes.size(); }
  int64_t numDevices() const;
  /// Position of the axis, or -1.
  int axisIndex(llvm::StringRef name) const;
  /// Coordinate of `device` on `axis`.
  int64_t coordinate(int64_t device, unsigned axis) const;
};

/// An axis, or the part of it with `size` coordinates below `pre` major ones.
/// On an axis of n devices, coordinate c has part coordinate
/// (c / (n / (pre * size))) % size.
struct AxisPart {
  unsigned axis = 0;
  int64_t pre = 1;
  int64_t size = 1;

  bool operator==(const AxisPart &o) const {
    return axis == o.axis && pre == o.pre && size == o.size;
  }
  bool operator!=(const AxisPart &o) const { return !(*this == o); }
  bool operator<(const AxisPart &o) const {
    return std::tie(axis, pre, size) < std::tie(o.axis, o.pre, o.size);
  }
  /// Whether the coordinates along the two depend on each other: both are of one axis, and
  /// no order of factors of it has both. Of an axis of 6, (1)2 and (2)3 do not, (1)2 and
  /// (3)2 do.
  bool overlaps(const AxisPart &o) const {
    return axis == o.axis && o.pre % (pre * size) != 0 && pre % (o.pre * o.size) != 0;
  }
  int64_t coordinate(const Mesh &mesh, int64_t device) const;
};

/// An axis part that cuts a dimension in whole multiples of `granule`.
struct Cut {
  AxisPart part;
  int64_t granule = 1;

  bool operator==(const Cut &o) const { return part == o.part && granule == o.granule; }
  bool operator!=(const Cut &o) const { return !(*this == o); }
};

/// Axes that cut one dimension or factor, major to minor.
using Cuts = llvm::SmallVector<Cut, 1>;

/// Offset and size of a block in its dimension.
struct ShardBlock {
  int64_t offset = 0;
  int64_t size = 0;
  bool operator==(const ShardBlock &o) const { return offset == o.offset && size == o.size; }
};

/// The cuts of one dimension.
struct DimSharding {
  Cuts cuts;
  bool open = false;

  bool operator==(const DimSharding &o) const { return cuts == o.cuts && open == o.open; }
  /// Number of blocks.
  int64_t count() const;
  /// b(0) = n, b(1), ..., b(last): block sizes after each cut. See the file comment.
  llvm::SmallVector<int64_t> blockSizes(int64_t n) const;
  /// b(last), the size of the local (padded) buffer.
  int64_t localSize(int64_t n) const;
  /// What `device` holds of a dimension of n elements.
  ShardBlock block(const Mesh &mesh, int64_t n, int64_t device) const;
  /// All blocks, in the order of the dimension.
  llvm::SmallVector<ShardBlock> allBlocks(int64_t n) const;
  /// Whether every device's block fills its buffer.
  bool isEven(int64_t n) const;
};

/// An axis part on which a value is still to be reduced.
struct PartialAxis {
  ReductionKind kind = ReductionKind::Sum;
  AxisPart part;

  bool operator==(const PartialAxis &o) const { return kind == o.kind && part == o.part; }
};

/// How a ranked value is spread: cuts per dimension, partial axes (sorted by
/// part), replicated on every other axis.
struct Sharding {
  llvm::SmallVector<DimSharding, 4> dims;
  llvm::SmallVector<PartialAxis, 1> partial;

  Sharding() = default;
  explicit Sharding(unsigned rank, bool open = false) {
    dims.resize(rank);
    for (DimSharding &d : dims)
      d.open = open;
  }

  bool operator==(const Sharding &o) const { return dims == o.dims && partial == o.partial; }
  bool operator!=(const Sharding &o) const { return !(*this == o); }

  unsigned rank() const { return dims.size(); }
  bool isReplicated() const;
  bool isPartial() const { return !partial.empty(); }
  bool isSharded() const;
  /// The same with every dimension closed.
  Sharding closed() const;
  /// The same without partial axes.
  Sharding withoutPartial() const;
  /// Whether the part (or one that overlaps it) cuts a dimension or is partial.
  bool uses(const AxisPart &part) const;
  /// Adds a partial axis, keeping the order.
  void addPartial(ReductionKind kind, const AxisPart &part);

  /// Local (padded) shape of a value of global shape `shape`.
  llvm::SmallVector<int64_t> localShape(llvm::ArrayRef<int64_t> shape) const;
  /// What `device` holds, per dimension.
  llvm::SmallVector<ShardBlock> blocks(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
                                       int64_t device) const;
  /// Whether no device has padding.
  bool isEven(llvm::ArrayRef<int64_t> shape) const;
};

/// The canonical form for values of this shape: cuts of size 1 dropped, granules
/// reduced to 1 where that leaves all blocks as they are, partial axes of size 1
/// dropped and sorted. Open flags are kept.
Sharding canonicalize(const Sharding &sharding, llvm::ArrayRef<int64_t> shape);

/// Whether all blocks and partial axes are the same for values of this shape
/// (open flags do not matter).
bool equivalent(const Sharding &a, const Sharding &b, llvm::ArrayRef<int64_t> shape);

/// Printed as in plans: `[_, (dp, tp*64), ?] sum(x)`.
std::string toString(const Sharding &sharding, const Mesh &mesh);

} // namespace tp
} // namespace mlir

#endif // DIALECTS_TP_SHARDING_H
