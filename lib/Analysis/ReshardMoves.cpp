//===- ReshardMoves.cpp - Which moves lead from a sharding to others -------===//

#include "ReshardMoves.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>

using namespace mlir;
using namespace mlir::tp;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

/// Where parts of each axis begin and end on either side: (pre) and (pre * size).
static std::map<unsigned, SmallVector<int64_t>> getBoundaries(ArrayRef<const Sharding *> sides) {
  std::map<unsigned, SmallVector<int64_t>> boundaries;
  auto add = [&](const AxisPart &part) {
    boundaries[part.axis].push_back(part.pre);
    boundaries[part.axis].push_back(part.pre * part.size);
  };
  for (const Sharding *side : sides) {
    for (const DimSharding &dim : side->dims)
      for (const Cut &cut : dim.cuts)
        add(cut.part);
    for (const PartialAxis &partial : side->partial)
      add(partial.part);
  }
  for (auto &[axis, list] : boundaries) {
    llvm::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return boundaries;
}

/// Cuts a part at the boundaries inside it, major to minor.
static SmallVector<AxisPart> splitPart(AxisPart part, ArrayRef<int64_t> boundaries) {
  SmallVector<AxisPart> parts;
  for (int64_t boundary : boundaries) {
    int64_t end = part.pre * part.size;
    if (boundary <= part.pre || boundary >= end || boundary % part.pre != 0 || end % boundary != 0)
      continue;
    parts.push_back({part.axis, part.pre, boundary / part.pre});
    part = {part.axis, boundary, end / boundary};
  }
  parts.push_back(part);
  return parts;
}

/// The same sharding with its parts cut at the boundaries. A major part cuts in
/// whole multiples of what the minor ones make of one block, so no block changes.
static Sharding splitParts(const Sharding &sharding,
                           std::map<unsigned, SmallVector<int64_t>> &boundaries,
                           ArrayRef<int64_t> shape) {
  Sharding result(sharding.rank());
  for (auto [dim, split, n] : llvm::zip_equal(sharding.dims, result.dims, shape)) {
    for (const Cut &cut : dim.cuts) {
      int64_t below = cut.part.size;
      for (const AxisPart &part : splitPart(cut.part, boundaries[cut.part.axis])) {
        below /= part.size;
        split.cuts.push_back({part, cut.granule * below});
      }
    }
    // Granules that change no block would make later cuts coarse.
    SmallVector<int64_t> sizes = split.blockSizes(n);
    for (Cut &cut : split.cuts) {
      int64_t granule = std::exchange(cut.granule, 1);
      if (split.blockSizes(n) != sizes)
        cut.granule = granule;
    }
  }
  for (const PartialAxis &partial : sharding.partial)
    for (const AxisPart &part : splitPart(partial.part, boundaries[partial.part.axis]))
      result.addPartial(partial.kind, part);
  return result;
}

std::pair<DimSharding, DimSharding> tp::splitAlike(const DimSharding &a, int64_t sizeOfA,
                                                   const DimSharding &b, int64_t sizeOfB) {
  Sharding first(1), second(1);
  first.dims[0] = a;
  second.dims[0] = b;
  auto boundaries = getBoundaries({&first, &second});
  return {splitParts(first, boundaries, sizeOfA).dims[0],
          splitParts(second, boundaries, sizeOfB).dims[0]};
}

ReshardProblem::ReshardProblem(const Mesh &mesh, ArrayRef<int64_t> shape, int64_t elementBytes,
                               const Sharding &fromSharding, const Sharding &toSharding)
    : mesh(mesh), shape(shape), elementBytes(elementBytes),
      from(canonicalize(fromSharding.closed(), shape)),
      to(canonicalize(toSharding.closed(), shape)) {
  auto boundaries = getBoundaries({&from, &to});
  from = splitParts(from, boundaries, shape);
  to = splitParts(to, boundaries, shape);
  for (auto [a, b, n] : llvm::zip_equal(from.dims, to.dims, shape)) {
    SmallVector<int64_t> aSizes = a.blockSizes(n), bSizes = b.blockSizes(n);
    unsigned count = 0;
    while (count < a.cuts.size() && count < b.cuts.size() &&
           a.cuts[count].part == b.cuts[count].part && aSizes[count + 1] == bSizes[count + 1])
      ++count;
    fixed.push_back(count);
  }
}

int64_t ReshardProblem::localElements(const Sharding &sharding) const {
  int64_t elements = 1;
  for (int64_t n : sharding.localShape(shape))
    elements *= n;
  return elements;
}

//===----------------------------------------------------------------------===//
// Enumeration
//===----------------------------------------------------------------------===//

/// Calls `visit` with every nonempty sequence of distinct elements of `items`.
static void forEachSequence(ArrayRef<AxisPart> items,
                            llvm::function_ref<void(ArrayRef<AxisPart>)> visit) {
  SmallVector<AxisPart> sequence;
  auto extend = [&](auto &self) -> void {
    if (!sequence.empty())
      visit(sequence);
    for (const AxisPart &item : items)
      if (!llvm::is_contained(sequence, item)) {
        sequence.push_back(item);
        self(self);
        sequence.pop_back();
      }
  };
  extend(extend);
}

namespace {
/// The moves from one node.
class Moves {
public:
  Moves(const ReshardProblem &problem, const Sharding &at,
        llvm::function_ref<void(ReshardStep &&)> visit)
      : problem(problem), at(at), visit(visit), elements(problem.localElements(at)) {}

  void slices();
  void masks();
  void places();
  void reductions();
  void gathers();
  void allToAlls();
  void permutes();
  void reblocks();

private:
  /// A part of the dimension's axes as it will cut there.
  Cut makeCut(unsigned dim, const AxisPart &part) const {
    for (const Sharding *side : {&problem.to, &problem.from})
      for (const Cut &cut : side->dims[dim].cuts)
        if (cut.part == part)
          return cut;
    return {part, 1};
  }
  void appendCuts(Sharding &sharding, unsigned dim, ArrayRef<AxisPart> parts) const {
    for (const AxisPart &part : parts)
      sharding.dims[dim].cuts.push_back(makeCut(dim, part));
  }
  static bool isPartial(const Sharding &sharding, const AxisPart &part, ReductionKind kind) {
    return llvm::is_contained(sharding.partial, PartialAxis{kind, part});
  }
  /// Parts that are to cut the dimension and are not in use.
  SmallVector<AxisPart> getUnused(unsigned dim) const {
    SmallVector<AxisPart> unused;
    for (const Cut &cut : problem.to.dims[dim].cuts)
      if (!at.uses(cut.part))
        unused.push_back(cut.part);
    return unused;
  }
  static bool cuts(const DimSharding &dim, const AxisPart &part) {
    return llvm::any_of(dim.cuts, [&](const Cut &cut) { return cut.part == part; });
  }
  /// Kinds combine in the order of the partial axes: the first entries, of one
  /// kind. Those that are to stay partial are left out where there is no other
  /// kind that has its turn before or after them.
  SmallVector<AxisPart> getReducible(ReductionKind &kind) const;
  void emit(ReshardMove move, Sharding &&after, ArrayRef<AxisPart> parts, unsigned dim,
            ReductionKind kind, int64_t messages, int64_t bytes) {
    ReshardStep step;
    step.move = move;
    step.after = std::move(after);
    step.parts.assign(parts.begin(), parts.end());
    step.dim = dim;
    step.reduction = kind;
    step.messages = messages;
    step.bytes = bytes;
    visit(std::move(step));
  }
  int64_t cost(CollectiveKind kind, ArrayRef<AxisPart> parts, int64_t count) const {
    return bytesPerRank(kind, groupSize(parts), count, problem.elementBytes);
  }
  static int64_t groupSize(ArrayRef<AxisPart> parts) {
    int64_t k = 1;
    for (const AxisPart &part : parts)
      k *= part.size;
    return k;
  }
  void permuteTo(Sharding &&after);

  const ReshardProblem &problem;
  const Sharding &at;
  llvm::function_ref<void(ReshardStep &&)> visit;
  int64_t elements;
};
} // namespace

void Moves::slices() {
  for (unsigned d = 0; d < at.rank(); ++d)
    forEachSequence(getUnused(d), [&](ArrayRef<AxisPart> parts) {
      Sharding after = at;
      appendCuts(after, d, parts);
      emit(ReshardMove::Slice, std::move(after), parts, d, {}, 0, 0);
    });
}

void Moves::masks() {
  // The neutral element of a kind stays what it is only under later reductions
  // of other kinds, so the last axes become partial first.
  for (size_t last = problem.to.partial.size(); last > 0;) {
    ReductionKind kind = problem.to.partial[last - 1].kind;
    SmallVector<AxisPart> parts;
    for (; last > 0 && problem.to.partial[last - 1].kind == kind; --last)
      if (!at.uses(problem.to.partial[last - 1].part))
        parts.insert(parts.begin(), problem.to.partial[last - 1].part);
    if (parts.empty())
      continue;
    bool inOrder = llvm::all_of(
        at.partial, [&](const PartialAxis &p) { return p.kind == kind || parts.back() < p.part; });
    if (!inOrder)
      continue;
    Sharding after = at;
    for (const AxisPart &part : parts)
      after.addPartial(kind, part);
    emit(ReshardMove::Mask, std::move(after), parts, 0, kind, 0, 0);
  }
}

void Moves::places() {
  for (auto [d, dim] : llvm::enumerate(at.dims)) {
    // Minor cuts by axes that are to be partial, of one kind.
    SmallVector<AxisPart> parts;
    std::optional<ReductionKind> kind;
    for (const Cut &cut : llvm::reverse(dim.cuts)) {
      const PartialAxis *wanted = llvm::find_if(
          problem.to.partial, [&](const PartialAxis &p) { return p.part == cut.part; });
      if (wanted == problem.to.partial.end() || (kind && *kind != wanted->kind))
        break;
      kind = wanted->kind;
      parts.insert(parts.begin(), cut.part);
    }
    // As for masks: other kinds are reduced before.
    if (parts.empty() || !llvm::all_of(at.partial, [&](const PartialAxis &p) {
          return p.kind == *kind || *llvm::max_element(parts) < p.part;
        }))
      continue;
    Sharding after = at;
    after.dims[d].cuts.truncate(dim.cuts.size() - parts.size());
    for (const AxisPart &part : parts)
      after.addPartial(*kind, part);
    emit(ReshardMove::Place, std::move(after), parts, d, *kind, 0, 0);
  }
}

SmallVector<AxisPart> Moves::getReducible(ReductionKind &kind) const {
  SmallVector<AxisPart> parts;
  if (at.partial.empty())
    return parts;
  bool oneKind =
      llvm::all_of(llvm::concat<const PartialAxis>(at.partial, problem.to.partial),
                   [&](const PartialAxis &p) { return p.kind == at.partial.front().kind; });
  for (const PartialAxis &partial : at.partial) {
    if (partial.kind != at.partial.front().kind)
      break;
    kind = partial.kind;
    if (!oneKind || !isPartial(problem.to, partial.part, kind))
      parts.push_back(partial.part);
  }
  return parts;
}

static void erasePartial(Sharding &sharding, ArrayRef<AxisPart> parts) {
  llvm::erase_if(sharding.partial,
                 [&](const PartialAxis &p) { return llvm::is_contained(parts, p.part); });
}

void Moves::reductions() {
  ReductionKind kind = ReductionKind::Sum;
  SmallVector<AxisPart> reducible = getReducible(kind);
  for (unsigned subset = 1; subset < 1u << reducible.size(); ++subset) {
    SmallVector<AxisPart> parts;
    for (auto [i, part] : llvm::enumerate(reducible))
      if (subset >> i & 1)
        parts.push_back(part);
    Sharding after = at;
    erasePartial(after, parts);
    emit(ReshardMove::AllReduce, std::move(after), parts, 0, kind, 1,
         cost(CollectiveKind::AllReduce, parts, elements));
  }
  llvm::erase_if(reducible, [&](const AxisPart &part) {
    return llvm::none_of(problem.to.dims, [&](const DimSharding &d) { return cuts(d, part); });
  });
  if (reducible.empty())
    return;
  for (unsigned d = 0; d < at.rank(); ++d) {
    // Minor to them what is not in use may cut, too.
    SmallVector<AxisPart> items = reducible;
    items.append(getUnused(d));
    forEachSequence(items, [&](ArrayRef<AxisPart> sequence) {
      if (!llvm::is_contained(reducible, sequence.front()))
        return;
      SmallVector<AxisPart> parts;
      for (const AxisPart &part : sequence)
        if (llvm::is_contained(reducible, part))
          parts.push_back(part);
      Sharding after = at;
      erasePartial(after, parts);
      appendCuts(after, d, sequence);
      int64_t full = problem.localElements(after) * groupSize(parts);
      emit(ReshardMove::ReduceScatter, std::move(after), parts, d, kind, 1,
           cost(CollectiveKind::ReduceScatter, parts, full));
    });
  }
}

void Moves::gathers() {
  for (auto [d, dim] : llvm::enumerate(at.dims))
    for (unsigned count = dim.cuts.size(); count-- > problem.fixed[d];) {
      SmallVector<AxisPart> parts;
      for (const Cut &cut : ArrayRef(dim.cuts).drop_front(count))
        parts.push_back(cut.part);
      Sharding after = at;
      after.dims[d].cuts.truncate(count);
      emit(ReshardMove::AllGather, std::move(after), parts, d, {}, 1,
           cost(CollectiveKind::AllGather, parts, elements * groupSize(parts)));
    }
}

void Moves::allToAlls() {
  // First the dimensions give up minor cuts, then the others share them out.
  unsigned rank = at.rank();
  SmallVector<AxisPart> parts;
  SmallVector<bool> gives(rank, false);
  Sharding rest = at;
  auto shareOut = [&](auto &self, Sharding &after, SmallVectorImpl<bool> &placed) -> void {
    bool all = true;
    for (auto [i, part] : llvm::enumerate(parts)) {
      if (placed[i])
        continue;
      all = false;
      placed[i] = true;
      for (unsigned d = 0; d < rank; ++d) {
        if (gives[d])
          continue;
        appendCuts(after, d, part);
        self(self, after, placed);
        after.dims[d].cuts.pop_back();
      }
      placed[i] = false;
    }
    // Minor to them what is not in use may cut, too.
    for (unsigned d = 0; d < rank; ++d) {
      if (after.dims[d].cuts.size() == rest.dims[d].cuts.size())
        continue;
      for (const AxisPart &part : getUnused(d)) {
        if (cuts(after.dims[d], part))
          continue;
        appendCuts(after, d, part);
        self(self, after, placed);
        after.dims[d].cuts.pop_back();
      }
    }
    if (!all)
      return;
    int64_t operand = problem.localElements(after) * groupSize(parts);
    // In the buffer that is sent the dimensions that give are still cut.
    for (unsigned d = 0; d < rank; ++d)
      if (gives[d]) {
        operand /= std::max<int64_t>(after.dims[d].localSize(problem.shape[d]), 1);
        operand *= at.dims[d].localSize(problem.shape[d]);
      }
    emit(ReshardMove::AllToAll, Sharding(after), parts, 0, {}, 1,
         cost(CollectiveKind::AllToAll, parts, operand));
  };
  auto choose = [&](auto &self, unsigned d) -> void {
    if (d == rank) {
      // More than three at once are too many ways to share them out.
      if (parts.empty() || parts.size() > 3)
        return;
      Sharding after = rest;
      SmallVector<bool> placed(parts.size(), false);
      shareOut(shareOut, after, placed);
      return;
    }
    self(self, d + 1);
    ArrayRef<Cut> minor = at.dims[d].cuts;
    size_t before = parts.size();
    gives[d] = true;
    for (unsigned count = minor.size(); count-- > problem.fixed[d];) {
      rest.dims[d].cuts.truncate(count);
      parts.truncate(before);
      for (const Cut &cut : minor.drop_front(count))
        parts.push_back(cut.part);
      self(self, d + 1);
    }
    gives[d] = false;
    rest.dims[d] = at.dims[d];
    parts.truncate(before);
  };
  choose(choose, 0);
}

/// The parts in the order in which they list a group: of all cuts of dimensions
/// that are not cut alike.
static SmallVector<AxisPart> getMovedParts(const Sharding &a, const Sharding &b) {
  SmallVector<AxisPart> parts;
  auto add = [&](const DimSharding &dim) {
    for (const Cut &cut : dim.cuts)
      if (!llvm::is_contained(parts, cut.part))
        parts.push_back(cut.part);
  };
  for (auto [x, y] : llvm::zip_equal(a.dims, b.dims))
    if (!(x == y)) {
      add(x);
      add(y);
    }
  llvm::sort(parts);
  return parts;
}

int64_t tp::getDevice(const Mesh &mesh, ArrayRef<AxisPart> parts, int64_t groupRank) {
  SmallVector<int64_t> coordinates(mesh.numAxes(), 0);
  for (const AxisPart &part : llvm::reverse(parts)) {
    int64_t below = mesh.sizes[part.axis] / (part.pre * part.size);
    coordinates[part.axis] += groupRank % part.size * below;
    groupRank /= part.size;
  }
  int64_t device = 0;
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, mesh.sizes))
    device = device * size + coordinate;
  return device;
}

/// Leaves out of the group the parts on which no block changes its coordinate,
/// where the blocks move alike at all of their coordinates.
static void dropIdleParts(SmallVectorImpl<AxisPart> &parts, SmallVectorImpl<int32_t> &sources) {
  for (size_t i = parts.size(); i-- > 0;) {
    int32_t size = parts[i].size, below = 1;
    for (const AxisPart &part : ArrayRef(parts).drop_front(i + 1))
      below *= part.size;
    auto withoutPart = [&](int32_t rank) { return rank / (below * size) * below + rank % below; };
    SmallVector<int32_t, 0> rest(sources.size() / size, -1);
    bool idle = true;
    for (auto [rank, source] : llvm::enumerate(sources)) {
      idle &= static_cast<int32_t>(rank) / below % size == source / below % size;
      int32_t &known = rest[withoutPart(rank)];
      idle &= known == -1 || known == withoutPart(source);
      known = withoutPart(source);
    }
    if (!idle)
      continue;
    parts.erase(parts.begin() + i);
    sources.assign(rest.begin(), rest.end());
  }
}

void Moves::permuteTo(Sharding &&after) {
  if (at.localShape(problem.shape) != after.localShape(problem.shape))
    return;
  SmallVector<AxisPart> parts = getMovedParts(at, after);
  if (llvm::any_of(parts, [&](const AxisPart &part) {
        return llvm::any_of(at.partial,
                            [&](const PartialAxis &p) { return p.part.overlaps(part); });
      }))
    return;
  // Parts of one axis that overlap without being equal list no group.
  for (auto [i, part] : llvm::enumerate(parts))
    for (const AxisPart &other : ArrayRef(parts).drop_front(i + 1))
      if (part.overlaps(other))
        return;
  int64_t k = groupSize(parts);
  SmallVector<SmallVector<ShardBlock>> held, wanted;
  for (int64_t rank = 0; rank < k; ++rank) {
    int64_t device = getDevice(problem.mesh, parts, rank);
    held.push_back(at.blocks(problem.mesh, problem.shape, device));
    wanted.push_back(after.blocks(problem.mesh, problem.shape, device));
  }
  // Blocks without elements are all alike.
  auto key = [](ArrayRef<ShardBlock> block) {
    SmallVector<int64_t> list;
    for (const ShardBlock &b : block) {
      if (b.size == 0)
        return SmallVector<int64_t>();
      list.append({b.offset, b.size});
    }
    return list;
  };
  std::map<SmallVector<int64_t>, SmallVector<int32_t>> holders;
  for (int64_t rank = 0; rank < k; ++rank)
    holders[key(held[rank])].push_back(rank);
  SmallVector<int32_t, 0> sources;
  SmallVector<unsigned> sends(k, 0);
  bool moves = false;
  for (int64_t rank = 0; rank < k; ++rank) {
    if (key(held[rank]) == key(wanted[rank])) {
      sources.push_back(rank);
      continue;
    }
    auto it = holders.find(key(wanted[rank]));
    if (it == holders.end())
      return;
    int32_t source =
        *llvm::min_element(it->second, [&](int32_t a, int32_t b) { return sends[a] < sends[b]; });
    ++sends[source];
    sources.push_back(source);
    moves = true;
  }
  if (moves)
    dropIdleParts(parts, sources);
  ReshardStep step;
  step.move = ReshardMove::Permute;
  step.after = std::move(after);
  step.parts.assign(parts.begin(), parts.end());
  step.sources = std::move(sources);
  step.messages = moves ? 1 : 0;
  step.bytes = moves ? cost(CollectiveKind::Permute, parts, elements) : 0;
  visit(std::move(step));
}

void Moves::permutes() {
  // Another order of the cuts of one dimension.
  for (auto [d, dim] : llvm::enumerate(at.dims)) {
    SmallVector<AxisPart> parts;
    for (const Cut &cut : ArrayRef(dim.cuts).drop_front(problem.fixed[d]))
      parts.push_back(cut.part);
    forEachSequence(parts, [&, d = d](ArrayRef<AxisPart> order) {
      if (order.size() < 2 || order.size() != parts.size() || order == ArrayRef(parts))
        return;
      Sharding after = at;
      after.dims[d].cuts.truncate(problem.fixed[d]);
      appendCuts(after, d, order);
      permuteTo(std::move(after));
    });
  }
  // A cut that another axis makes instead, or two that change places.
  SmallVector<AxisPart> all;
  for (const Sharding *side : {&problem.from, &problem.to})
    for (const DimSharding &dim : side->dims)
      for (const Cut &cut : dim.cuts)
        if (!llvm::is_contained(all, cut.part))
          all.push_back(cut.part);
  for (auto [i, a] : llvm::enumerate(all))
    for (const AxisPart &b : ArrayRef(all).drop_front(i + 1)) {
      if (a.size != b.size)
        continue;
      Sharding after = at;
      bool changed = false, legal = true;
      for (auto [d, dim] : llvm::enumerate(after.dims))
        for (auto [j, cut] : llvm::enumerate(dim.cuts))
          if (cut.part == a || cut.part == b) {
            legal &= j >= problem.fixed[d];
            cut = makeCut(d, cut.part == a ? b : a);
            changed = true;
          }
      auto isFree = [&](const AxisPart &part) {
        return !at.uses(part) ||
               llvm::any_of(at.dims, [&](const DimSharding &d) { return cuts(d, part); });
      };
      if (changed && legal && isFree(a) && isFree(b))
        permuteTo(std::move(after));
    }
  // Everything at once.
  Sharding after = problem.to;
  after.partial = at.partial;
  bool clash = llvm::any_of(after.partial, [&](const PartialAxis &p) {
    return problem.to.withoutPartial().uses(p.part);
  });
  if (!clash && after.dims != at.dims)
    permuteTo(std::move(after));
}

void Moves::reblocks() {
  for (auto [d, dim] : llvm::enumerate(at.dims)) {
    if (dim.cuts.empty() || dim.cuts.size() > problem.to.dims[d].cuts.size())
      continue;
    DimSharding other;
    for (const Cut &cut : ArrayRef(problem.to.dims[d].cuts).take_front(dim.cuts.size()))
      other.cuts.push_back(cut);
    if (!llvm::all_of(other.cuts, [&, &dim = dim](const Cut &cut) { return cuts(dim, cut.part); }))
      continue;
    int64_t n = problem.shape[d];
    SmallVector<AxisPart> parts;
    for (const Cut &cut : dim.cuts)
      parts.push_back(cut.part);
    SmallVector<ReblockRound, 0> rounds = getReblockRounds(n, dim, other, parts);
    int64_t pieces = 0;
    for (const ReblockRound &round : ArrayRef(rounds).drop_front())
      pieces += round.size;
    int64_t local = dim.localSize(n);
    int64_t slice = local ? elements / local : 0;
    Sharding after = at;
    after.dims[d] = other;
    emit(ReshardMove::Reblock, std::move(after), parts, d, {}, rounds.size() - 1,
         cost(CollectiveKind::Permute, parts, pieces * slice));
  }
}

void tp::forEachMove(const ReshardProblem &problem, const Sharding &at,
                     llvm::function_ref<void(ReshardStep &&)> visit) {
  Moves moves(problem, at, visit);
  moves.slices();
  moves.masks();
  moves.places();
  moves.reductions();
  moves.gathers();
  moves.allToAlls();
  moves.permutes();
  moves.reblocks();
}
