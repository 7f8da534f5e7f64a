//===- Sharding.cpp - The sharding algebra ---------------------------------===//

#include "dialects/TP/Sharding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::ArrayRef;
using llvm::SmallVector;

int64_t Mesh::numDevices() const {
  int64_t n = 1;
  for (int64_t size : sizes)
    n *= size;
  return n;
}

int Mesh::axisIndex(llvm::StringRef name) const {
  const auto *it = llvm::find(names, name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

int64_t Mesh::coordinate(int64_t device, unsigned axis) const {
  for (unsigned i = numAxes(); i-- > axis + 1;)
    device /= sizes[i];
  return device % sizes[axis];
}

int64_t AxisPart::coordinate(const Mesh &mesh, int64_t device) const {
  return mesh.coordinate(device, axis) / (mesh.sizes[axis] / (pre * size)) % size;
}

int64_t DimSharding::count() const {
  int64_t n = 1;
  for (const Cut &cut : cuts)
    n *= cut.part.size;
  return n;
}

SmallVector<int64_t> DimSharding::blockSizes(int64_t n) const {
  SmallVector<int64_t> sizes = {n};
  for (const Cut &cut : cuts)
    sizes.push_back(cut.part.size == 1
                        ? sizes.back()
                        : llvm::divideCeil(sizes.back(), cut.granule * cut.part.size) *
                              cut.granule);
  return sizes;
}

int64_t DimSharding::localSize(int64_t n) const { return blockSizes(n).back(); }

ShardBlock DimSharding::block(const Mesh &mesh, int64_t n, int64_t device) const {
  SmallVector<int64_t> sizes = blockSizes(n);
  int64_t begin = 0, end = n;
  for (auto [i, cut] : llvm::enumerate(cuts)) {
    begin = std::min(begin + cut.part.coordinate(mesh, device) * sizes[i + 1], end);
    end = std::min(begin + sizes[i + 1], end);
  }
  return {begin, end - begin};
}

SmallVector<ShardBlock> DimSharding::allBlocks(int64_t n) const {
  SmallVector<int64_t> sizes = blockSizes(n);
  SmallVector<ShardBlock> blocks = {{0, n}};
  for (auto [i, cut] : llvm::enumerate(cuts)) {
    SmallVector<ShardBlock> cutBlocks;
    for (const ShardBlock &block : blocks)
      for (int64_t c = 0; c < cut.part.size; ++c) {
        int64_t past = block.offset + block.size;
        int64_t begin = std::min(block.offset + c * sizes[i + 1], past);
        cutBlocks.push_back({begin, std::min(begin + sizes[i + 1], past) - begin});
      }
    blocks = std::move(cutBlocks);
  }
  return blocks;
}

bool DimSharding::isEven(int64_t n) const { return localSize(n) * count() == n; }

bool Sharding::isSharded() const {
  return llvm::any_of(dims, [](const DimSharding &d) { return !d.cuts.empty(); });
}

bool Sharding::isReplicated() const { return !isPartial() && !isSharded(); }

Sharding Sharding::closed() const {
  Sharding s = *this;
  for (DimSharding &d : s.dims)
    d.open = false;
  return s;
}

Sharding Sharding::withoutPartial() const {
  Sharding s = *this;
  s.partial.clear();
  return s;
}

bool Sharding::uses(const AxisPart &part) const {
  for (const DimSharding &d : dims)
    for (const Cut &cut : d.cuts)
      if (cut.part.overlaps(part))
        return true;
  return llvm::any_of(partial, [&](const PartialAxis &p) { return p.part.overlaps(part); });
}

void Sharding::addPartial(ReductionKind kind, const AxisPart &part) {
  partial.push_back({kind, part});
  llvm::sort(partial, [](const PartialAxis &a, const PartialAxis &b) { return a.part < b.part; });
}

SmallVector<int64_t> Sharding::localShape(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> local;
  for (auto [dim, n] : llvm::zip_equal(dims, shape))
    local.push_back(dim.localSize(n));
  return local;
}

SmallVector<ShardBlock> Sharding::blocks(const Mesh &mesh, ArrayRef<int64_t> shape,
                                         int64_t device) const {
  SmallVector<ShardBlock> result;
  for (auto [dim, n] : llvm::zip_equal(dims, shape))
    result.push_back(dim.block(mesh, n, device));
  return result;
}

bool Sharding::isEven(ArrayRef<int64_t> shape) const {
  return llvm::all_of(llvm::zip_equal(dims, shape), [](auto pair) {
    auto [dim, n] = pair;
    return dim.isEven(n);
  });
}

/// Joins adjacent parts of one axis into one where the blocks stay as they are.
static void joinParts(DimSharding &dim, int64_t n) {
  for (size_t i = 0; i + 1 < dim.cuts.size();) {
    const Cut &major = dim.cuts[i], &minor = dim.cuts[i + 1];
    int64_t local = dim.localSize(n);
    DimSharding joined = dim;
    joined.cuts.erase(joined.cuts.begin() + i + 1);
    joined.cuts[i].part.size = major.part.size * minor.part.size;
    joined.cuts[i].granule = std::max<int64_t>(dim.blockSizes(n)[i + 2], 1);
    // The minor part must cut its parent evenly, or blocks would shift.
    bool follows =
        major.part.axis == minor.part.axis && minor.part.pre == major.part.pre * major.part.size;
    bool even = dim.blockSizes(n)[i + 2] * minor.part.size == dim.blockSizes(n)[i + 1];
    if (follows && even && joined.localSize(n) == local)
      dim = joined;
    else
      ++i;
  }
}

Sharding tp::canonicalize(const Sharding &sharding, ArrayRef<int64_t> shape) {
  Sharding result = sharding;
  for (auto [dim, n] : llvm::zip_equal(result.dims, shape)) {
    llvm::erase_if(dim.cuts, [](const Cut &cut) { return cut.part.size == 1; });
    if (dim.cuts.empty())
      continue;
    joinParts(dim, n);
    SmallVector<int64_t> sizes = dim.blockSizes(n);
    for (Cut &cut : dim.cuts) {
      int64_t granule = cut.granule;
      cut.granule = 1;
      if (dim.blockSizes(n) != sizes)
        cut.granule = granule;
    }
  }
  llvm::erase_if(result.partial, [](const PartialAxis &p) { return p.part.size == 1; });
  llvm::sort(result.partial,
             [](const PartialAxis &a, const PartialAxis &b) { return a.part < b.part; });
  return result;
}

bool tp::equivalent(const Sharding &a, const Sharding &b, ArrayRef<int64_t> shape) {
  if (a.rank() != b.rank())
    return false;
  auto sameCuts = [](const auto &dims) { return std::get<0>(dims).cuts == std::get<1>(dims).cuts; };
  if (a.partial == b.partial && llvm::all_of(llvm::zip_equal(a.dims, b.dims), sameCuts))
    return true;
  Sharding ca = canonicalize(a.closed(), shape), cb = canonicalize(b.closed(), shape);
  if (ca.partial != cb.partial)
    return false;
  for (auto [da, db, n] : llvm::zip_equal(ca.dims, cb.dims, shape)) {
    if (da.cuts.size() != db.cuts.size() || da.blockSizes(n) != db.blockSizes(n))
      return false;
    for (auto [x, y] : llvm::zip_equal(da.cuts, db.cuts))
      if (x.part != y.part)
        return false;
  }
  return true;
}

static void printPart(llvm::raw_ostream &os, const AxisPart &part, const Mesh &mesh) {
  os << mesh.names[part.axis];
  if (part.pre != 1 || part.size != mesh.sizes[part.axis])
    os << ":(" << part.pre << ')' << part.size;
}

std::string tp::toString(const Sharding &sharding, const Mesh &mesh) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(sharding.dims, os, [&](const DimSharding &dim) {
    bool parens = dim.cuts.size() > 1 || (!dim.cuts.empty() && dim.open);
    if (dim.cuts.empty())
      os << (dim.open ? '?' : '_');
    os << (parens ? "(" : "");
    llvm::interleaveComma(dim.cuts, os, [&](const Cut &cut) {
      printPart(os, cut.part, mesh);
      if (cut.granule != 1)
        os << '*' << cut.granule;
    });
    os << (parens && dim.open ? ", ?" : "") << (parens ? ")" : "");
  });
  os << ']';
  for (size_t i = 0, n = sharding.partial.size(); i < n;) {
    ReductionKind kind = sharding.partial[i].kind;
    os << ' ' << stringifyReductionKind(kind) << '(';
    for (size_t first = i; i < n && sharding.partial[i].kind == kind; ++i) {
      os << (i == first ? "" : ", ");
      printPart(os, sharding.partial[i].part, mesh);
    }
    os << ')';
  }
  return text;
}
