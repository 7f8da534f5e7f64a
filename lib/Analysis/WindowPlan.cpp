//===- WindowPlan.cpp ------------------------------------------------------===//

#include "tp/Analysis/WindowPlan.h"

#include "ReshardMoves.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace mlir::tp;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;

namespace {

/// Rows of the source from `row` on, in steps of the stride, which are `size` rows of a
/// rank's result from `begin` on; the first is repetition `phase` of its row.
struct Piece {
  int32_t from, to;
  int64_t row, phase, begin, size;
};

class Planner {
public:
  Planner(const Mesh &mesh, const WindowMap &map, const DimSharding &from, const DimSharding &to,
          int64_t rowElements, int64_t elementBytes, const Hardware &hardware);

  WindowPlan run();

private:
  void collectPieces();
  int32_t chooseSource(int32_t rank, ArrayRef<int32_t> holders);
  WindowPlan planPermutes();
  WindowPlan planGather();
  WindowRound makeRound(bool isMoved) const;
  /// Number of rows of the source that the piece is made of.
  int64_t countRows(const Piece &piece) const {
    return llvm::divideCeil(piece.phase + piece.size, map.repeat);
  }
  void place(WindowRound &round, const Piece &piece, int64_t offset) const;
  bool isCovered(ArrayRef<WindowRound> rounds) const;

  const WindowMap &map;
  int64_t rowElements, elementBytes;
  const Hardware &hardware;
  /// The cuts in parts that are the same or apart.
  DimSharding from, to;
  SmallVector<AxisPart> parts;
  SmallVector<ShardBlock> held, wanted; ///< by group rank
  SmallVector<int64_t> loads;           ///< pieces that a rank sends
  SmallVector<Piece> kept, moved;
};

} // namespace

Planner::Planner(const Mesh &mesh, const WindowMap &map, const DimSharding &fromDim,
                 const DimSharding &toDim, int64_t rowElements, int64_t elementBytes,
                 const Hardware &hardware)
    : map(map), rowElements(rowElements), elementBytes(elementBytes), hardware(hardware) {
  std::tie(from, to) = splitAlike(fromDim, map.sourceSize, toDim, map.resultSize());
  for (const DimSharding *dim : {&from, &to})
    for (const Cut &cut : dim->cuts)
      if (cut.part.size > 1 && !llvm::is_contained(parts, cut.part))
        parts.push_back(cut.part);
  llvm::sort(parts);
  int64_t k = 1;
  for (const AxisPart &part : parts)
    k *= part.size;
  for (int64_t rank = 0; rank < k; ++rank) {
    int64_t device = getDevice(mesh, parts, rank);
    held.push_back(from.block(mesh, map.sourceSize, device));
    wanted.push_back(to.block(mesh, map.resultSize(), device));
  }
  loads.assign(k, 0);
}

/// The holder of a row that is likest to the rank, and has least to send.
int32_t Planner::chooseSource(int32_t rank, ArrayRef<int32_t> holders) {
  auto distance = [&](int32_t other) {
    int64_t count = 0;
    int32_t a = rank, b = other;
    for (const AxisPart &part : llvm::reverse(parts)) {
      count += a % part.size != b % part.size;
      a /= part.size;
      b /= part.size;
    }
    return std::make_tuple(count, loads[other], other);
  };
  return *llvm::min_element(holders,
                            [&](int32_t a, int32_t b) { return distance(a) < distance(b); });
}

void Planner::collectPieces() {
  std::map<int64_t, SmallVector<int32_t>> holders; // By the first row of the block.
  for (auto [rank, block] : llvm::enumerate(held))
    if (block.size > 0)
      holders[block.offset].push_back(rank);
  for (auto [rank, block] : llvm::enumerate(wanted)) {
    int64_t first = 0;
    for (WindowSegment segment : map.segments) {
      // The rows of the segment that are this rank's and in the source.
      int64_t low = std::max<int64_t>(block.offset - first, 0);
      int64_t high = std::min(block.offset + block.size - first, segment.size);
      auto [begin, end] = map.inside(segment);
      low = std::max(low, begin);
      high = std::min(high, end);
      for (int64_t j = low; j < high;) {
        int64_t at = segment.start + map.stride * j, row = at / map.repeat;
        auto it = std::prev(holders.upper_bound(row));
        int64_t past = (it->first + held[it->second.front()].size) * map.repeat;
        int64_t last = std::min(llvm::divideCeilSigned(past - segment.start, map.stride), high);
        int32_t source = chooseSource(rank, it->second);
        Piece piece{source,          static_cast<int32_t>(rank), row,
                    at % map.repeat, first + j - block.offset,   last - j};
        if (source == static_cast<int32_t>(rank)) {
          kept.push_back(piece);
        } else {
          moved.push_back(piece);
          ++loads[source];
        }
        j = last;
      }
      first += segment.size;
    }
  }
}

WindowRound Planner::makeRound(bool isMoved) const {
  WindowRound round;
  round.isMoved = isMoved;
  round.sources.assign(held.size(), -1);
  round.offset.assign(held.size(), 0);
  round.begin.assign(held.size(), 0);
  round.end.assign(held.size(), 0);
  round.phase.assign(held.size(), 0);
  return round;
}

void Planner::place(WindowRound &round, const Piece &piece, int64_t offset) const {
  round.size = std::max(round.size, countRows(piece));
  round.sources[piece.to] = piece.from;
  round.offset[piece.from] = offset;
  round.begin[piece.to] = piece.begin;
  round.end[piece.to] = piece.begin + piece.size;
  round.phase[piece.to] = piece.phase;
}

/// Whether the pieces of each rank leave nothing of its buffer out.
bool Planner::isCovered(ArrayRef<WindowRound> rounds) const {
  int64_t local = to.localSize(map.resultSize());
  for (size_t rank = 0; rank < wanted.size(); ++rank) {
    int64_t rows = 0; // Pieces do not overlap.
    for (const WindowRound &round : rounds)
      rows += round.end[rank] - round.begin[rank];
    if (rows != local)
      return false;
  }
  return true;
}

/// What the ranks that nobody takes a piece of would give does not matter: as a
/// neighbour, so that the offsets are simpler numbers of the rank.
static void simplifyOffsets(MutableArrayRef<WindowRound> rounds) {
  for (WindowRound &round : rounds) {
    llvm::BitVector used(round.offset.size());
    for (int32_t source : round.sources)
      if (source >= 0)
        used.set(source);
    int64_t last = round.offset[used.find_first()];
    for (auto [rank, offset] : llvm::enumerate(round.offset)) {
      if (used.test(rank))
        last = offset;
      else
        offset = last;
    }
  }
}

WindowPlan Planner::planPermutes() {
  WindowPlan plan;
  plan.parts.assign(parts.begin(), parts.end());
  SmallVector<llvm::BitVector> sends; // Per round, the ranks that send.
  auto findRound = [&](const Piece &piece, bool isMoved, int64_t offset) {
    for (auto [i, round] : llvm::enumerate(plan.rounds)) {
      if (round.isMoved != isMoved || round.sources[piece.to] != -1)
        continue;
      // What a rank sends in one round is the same for all who get it.
      if (round.offset[piece.from] == offset || !sends[i].test(piece.from))
        return i;
    }
    plan.rounds.push_back(makeRound(isMoved));
    sends.emplace_back(held.size());
    return plan.rounds.size() - 1;
  };
  // Largest first, so that pieces of a round are of like size.
  llvm::sort(moved, [](const Piece &a, const Piece &b) {
    return std::make_tuple(-a.size, a.to, a.begin) < std::make_tuple(-b.size, b.to, b.begin);
  });
  for (ArrayRef<Piece> pieces : {ArrayRef(kept), ArrayRef(moved)})
    for (const Piece &piece : pieces) {
      int64_t offset = piece.row - held[piece.from].offset;
      size_t round = findRound(piece, piece.from != piece.to, offset);
      sends[round].set(piece.from);
      place(plan.rounds[round], piece, offset);
    }
  for (const WindowRound &round : plan.rounds)
    if (round.isMoved) {
      ++plan.messages;
      plan.bytes += bytesPerRank(CollectiveKind::Permute, held.size(), round.size * rowElements,
                                 elementBytes);
    }
  plan.isCovered = isCovered(plan.rounds);
  simplifyOffsets(plan.rounds);
  return plan;
}

WindowPlan Planner::planGather() {
  WindowPlan plan;
  plan.parts.assign(parts.begin(), parts.end());
  for (const Cut &cut : from.cuts)
    if (cut.part.size > 1)
      plan.gatherParts.push_back(cut.part);
  // Which rows of its block a rank gives: the same on ranks that hold the same.
  std::map<int64_t, std::pair<int64_t, int64_t>> runs;
  for (ArrayRef<Piece> pieces : {ArrayRef(kept), ArrayRef(moved)})
    for (const Piece &piece : pieces) {
      int64_t last = piece.row + (countRows(piece) - 1) * map.stride;
      auto [it, isNew] = runs.try_emplace(held[piece.from].offset, piece.row, last);
      if (!isNew) {
        it->second.first = std::min(it->second.first, piece.row);
        it->second.second = std::max(it->second.second, last);
      }
      plan.gatherSize = std::max(plan.gatherSize, it->second.second - it->second.first + 1);
    }
  int64_t local = from.localSize(map.sourceSize);
  std::map<int64_t, int64_t> position; // Of a block's run among the gathered rows.
  for (auto [r, block] : llvm::enumerate(from.allBlocks(map.sourceSize)))
    if (block.size > 0)
      position[block.offset] = static_cast<int64_t>(r) * plan.gatherSize;
  auto firstGiven = [&](int64_t blockOffset) {
    auto it = runs.find(blockOffset);
    int64_t first = it == runs.end() ? blockOffset : it->second.first;
    return std::min(first, blockOffset + local - plan.gatherSize);
  };
  for (const ShardBlock &block : held)
    plan.gatherOffset.push_back(firstGiven(block.offset) - block.offset);

  // Each rank picks its pieces; those that continue each other are one.
  auto number = [&](const Piece &piece) { return piece.row * map.repeat + piece.phase; };
  SmallVector<SmallVector<Piece>> picked(held.size());
  SmallVector<Piece> all(kept);
  all.append(moved);
  llvm::sort(all, [](const Piece &a, const Piece &b) {
    return std::make_tuple(a.to, a.begin) < std::make_tuple(b.to, b.begin);
  });
  for (Piece piece : all) {
    int64_t block = held[piece.from].offset;
    piece.row = position[block] + piece.row - firstGiven(block);
    piece.from = piece.to;
    SmallVector<Piece> &list = picked[piece.to];
    if (!list.empty() && list.back().begin + list.back().size == piece.begin &&
        number(list.back()) + list.back().size * map.stride == number(piece))
      list.back().size += piece.size;
    else
      list.push_back(piece);
  }
  for (ArrayRef<Piece> list : picked)
    for (auto [i, piece] : llvm::enumerate(list)) {
      if (i == plan.rounds.size())
        plan.rounds.push_back(makeRound(/*isMoved=*/false));
      place(plan.rounds[i], piece, piece.row);
    }
  plan.messages = 1;
  int64_t k = from.count();
  plan.bytes =
      bytesPerRank(CollectiveKind::AllGather, k, k * plan.gatherSize * rowElements, elementBytes);
  plan.isCovered = isCovered(plan.rounds);
  simplifyOffsets(plan.rounds);
  return plan;
}

WindowPlan Planner::run() {
  collectPieces();
  WindowPlan permutes = planPermutes();
  if (moved.empty())
    return permutes;
  WindowPlan gather = planGather();
  bool gathers = hardware.picoseconds(gather.messages, gather.bytes) <
                 hardware.picoseconds(permutes.messages, permutes.bytes);
  return gathers ? gather : permutes;
}

std::optional<WindowPlan> tp::planWindow(const Mesh &mesh, const WindowMap &map,
                                         const DimSharding &from, const DimSharding &to,
                                         int64_t rowElements, int64_t elementBytes,
                                         const Hardware &hardware) {
  auto [a, b] = splitAlike(from, map.sourceSize, to, map.resultSize());
  for (const Cut &x : a.cuts)
    for (const Cut &y : b.cuts)
      if (x.part != y.part && x.part.overlaps(y.part))
        return std::nullopt;
  return Planner(mesh, map, from, to, rowElements, elementBytes, hardware).run();
}
