//===- Reblock.cpp - Boundary pieces between two ways to cut ---------------===//

#include "tp/Analysis/ReshardPath.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::ArrayRef;
using llvm::SmallVector;

/// What rank `rank` of the group over `parts` holds of a dimension cut by parts
/// of that group only.
static ShardBlock getGroupBlock(const DimSharding &dim, int64_t n, ArrayRef<AxisPart> parts,
                                int64_t rank) {
  SmallVector<int64_t> coordinates(parts.size());
  for (size_t i = parts.size(); i-- > 0;) {
    coordinates[i] = rank % parts[i].size;
    rank /= parts[i].size;
  }
  SmallVector<int64_t> sizes = dim.blockSizes(n);
  int64_t begin = 0, end = n;
  for (auto [i, cut] : llvm::enumerate(dim.cuts)) {
    const AxisPart *part = llvm::find(parts, cut.part);
    assert(part != parts.end() && "the dimension is cut by a part outside of the group");
    begin = std::min(begin + coordinates[part - parts.begin()] * sizes[i + 1], end);
    end = std::min(begin + sizes[i + 1], end);
  }
  return {begin, end - begin};
}

namespace {
struct Piece {
  int32_t from, to;
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};
} // namespace

SmallVector<ReblockRound, 0> tp::getReblockRounds(int64_t n, const DimSharding &from,
                                                  const DimSharding &to, ArrayRef<AxisPart> parts) {
  int32_t k = 1;
  for (const AxisPart &part : parts)
    k *= part.size;
  SmallVector<ShardBlock> held, wanted;
  for (int32_t rank = 0; rank < k; ++rank) {
    held.push_back(getGroupBlock(from, n, parts, rank));
    wanted.push_back(getGroupBlock(to, n, parts, rank));
  }
  SmallVector<Piece> kept, moved;
  for (int32_t r = 0; r < k; ++r)
    for (int32_t s = 0; s < k; ++s) {
      Piece piece{s, r, std::max(held[s].offset, wanted[r].offset),
                  std::min(held[s].offset + held[s].size, wanted[r].offset + wanted[r].size)};
      if (piece.begin < piece.end)
        (r == s ? kept : moved).push_back(piece);
    }
  // Largest first, so that pieces of a round are of like size.
  llvm::sort(moved, [](const Piece &a, const Piece &b) {
    return std::make_tuple(-a.size(), a.to, a.from) < std::make_tuple(-b.size(), b.to, b.from);
  });

  SmallVector<ReblockRound, 0> rounds;
  auto addRound = [&] {
    rounds.emplace_back();
    rounds.back().sources.assign(k, -1);
    rounds.back().sendOffset.assign(k, 0);
    rounds.back().receiveBegin.assign(k, 0);
    rounds.back().receiveEnd.assign(k, 0);
  };
  auto place = [&](const Piece &piece, ReblockRound &round) {
    round.size = std::max(round.size, piece.size());
    round.sources[piece.to] = piece.from;
    round.sendOffset[piece.from] = piece.begin - held[piece.from].offset;
    round.receiveBegin[piece.to] = piece.begin - wanted[piece.to].offset;
    round.receiveEnd[piece.to] = piece.end - wanted[piece.to].offset;
  };
  addRound();
  for (const Piece &piece : kept)
    place(piece, rounds[0]);
  for (const Piece &piece : moved) {
    size_t i = 1;
    while (i < rounds.size() &&
           (rounds[i].sources[piece.to] != -1 || llvm::is_contained(rounds[i].sources, piece.from)))
      ++i;
    if (i == rounds.size())
      addRound();
    place(piece, rounds[i]);
  }
  return rounds;
}
