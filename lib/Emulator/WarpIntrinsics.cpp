//===- WarpIntrinsics.cpp - Exchanges within a warp ------------------------===//

#include "Block.h"
#include "Intrinsics.h"

#include <cstring>

using namespace mlir::tp::emulator;

namespace {

using Lanes = llvm::ArrayRef<void *>;

/// Waits for the lanes of the mask, which bring a `Data` each.
template <typename Data>
void meet(void (*combine)(Lanes, uint32_t, uint32_t), const char *name, uint32_t mask,
          uint32_t site, Data &data, bool ordersMemory = false, uint32_t qualifier = 0) {
  Meeting meeting = {combine, name, mask, qualifier, ordersMemory, site, &data};
  Block::current().meet(meeting);
}

template <typename Data> Data &at(Lanes lanes, unsigned lane) {
  return *static_cast<Data *>(lanes[lane]);
}

template <typename Data, typename Function>
void forEach(Lanes lanes, uint32_t mask, Function function) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (mask >> lane & 1)
      function(lane, at<Data>(lanes, lane));
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

enum class Shuffle { Index, Up, Down, Butterfly };

struct ShuffleData {
  uint32_t value, operand, control;
  uint32_t result = 0;
  bool inside = false;
};

/// PTX ISA, shfl.sync: `control` has the highest (Up: lowest) lane of a segment in bits
/// 0 to 4, and which bits of the lane choose the segment in bits 8 to 12.
template <Shuffle Kind> void combineShuffle(Lanes lanes, uint32_t mask, uint32_t) {
  forEach<ShuffleData>(lanes, mask, [&](unsigned lane, ShuffleData &data) {
    uint32_t segment = data.control >> 8 & 31;
    uint32_t clamp = data.control & 31;
    uint32_t operand = data.operand & 31;
    uint32_t lowest = lane & segment;
    uint32_t highest = lowest | (clamp & ~segment);
    int source = Kind == Shuffle::Index  ? static_cast<int>(lowest | (operand & ~segment))
                 : Kind == Shuffle::Up   ? static_cast<int>(lane) - static_cast<int>(operand)
                 : Kind == Shuffle::Down ? static_cast<int>(lane + operand)
                                         : static_cast<int>(lane ^ operand);
    data.inside = Kind == Shuffle::Up ? source >= static_cast<int>(highest)
                                      : source <= static_cast<int>(highest);
    if (!data.inside)
      source = lane;
    // What a lane outside the mask holds is undefined.
    data.result = mask >> source & 1 ? at<ShuffleData>(lanes, source).value : 0xDEADBEEF;
  });
}

template <Shuffle Kind>
ShuffleData shuffle(uint32_t site, uint32_t mask, uint32_t value, uint32_t operand,
                    uint32_t control) {
  static const char *const names[] = {"shfl.sync.idx", "shfl.sync.up", "shfl.sync.down",
                                      "shfl.sync.bfly"};
  ShuffleData data = {value, operand, control};
  meet(combineShuffle<Kind>, names[static_cast<int>(Kind)], mask, site, data);
  return data;
}

template <Shuffle Kind>
uint32_t shuffleInt(uint32_t site, uint32_t mask, uint32_t value, uint32_t operand,
                    uint32_t control) {
  return shuffle<Kind>(site, mask, value, operand, control).result;
}

template <Shuffle Kind>
float shuffleFloat(uint32_t site, uint32_t mask, float value, uint32_t operand, uint32_t control) {
  return llvm::bit_cast<float>(
      shuffle<Kind>(site, mask, llvm::bit_cast<uint32_t>(value), operand, control).result);
}

template <typename T> struct WithPredicate {
  T value;
  bool inside;
};

template <Shuffle Kind>
void shuffleIntPredicate(WithPredicate<uint32_t> *result, uint32_t site, uint32_t mask,
                         uint32_t value, uint32_t operand, uint32_t control) {
  ShuffleData data = shuffle<Kind>(site, mask, value, operand, control);
  *result = {data.result, data.inside};
}

template <Shuffle Kind>
void shuffleFloatPredicate(WithPredicate<float> *result, uint32_t site, uint32_t mask, float value,
                           uint32_t operand, uint32_t control) {
  ShuffleData data = shuffle<Kind>(site, mask, llvm::bit_cast<uint32_t>(value), operand, control);
  *result = {llvm::bit_cast<float>(data.result), data.inside};
}

//===----------------------------------------------------------------------===//
// Votes, reductions, barriers
//===----------------------------------------------------------------------===//

struct Word {
  uint32_t value;
  uint32_t result = 0;
};

void combineBallot(Lanes lanes, uint32_t mask, uint32_t) {
  uint32_t ballot = 0;
  forEach<Word>(lanes, mask, [&](unsigned lane, Word &word) {
    ballot |= static_cast<uint32_t>(word.value != 0) << lane;
  });
  forEach<Word>(lanes, mask, [&](unsigned, Word &word) { word.result = ballot; });
}

uint32_t ballotOf(const char *name, uint32_t site, uint32_t mask, uint32_t value) {
  Word word = {value};
  meet(combineBallot, name, mask, site, word);
  return word.result;
}

/// Lanes of the mask that the block has.
uint32_t present(uint32_t mask) {
  Block &block = Block::current();
  uint64_t behind = block.launch().config.block.count() - block.threadNumber() + block.lane();
  return behind >= warpSize ? mask : mask & ((1u << behind) - 1);
}

uint32_t ballot(uint32_t site, uint32_t mask, uint32_t value) {
  return ballotOf("vote.sync.ballot", site, mask, value);
}
uint32_t any(uint32_t site, uint32_t mask, uint32_t value) {
  return ballotOf("vote.sync.any", site, mask, value) != 0;
}
uint32_t all(uint32_t site, uint32_t mask, uint32_t value) {
  return ballotOf("vote.sync.all", site, mask, value) == present(mask);
}
uint32_t uniform(uint32_t site, uint32_t mask, uint32_t value) {
  uint32_t found = ballotOf("vote.sync.uni", site, mask, value);
  return found == 0 || found == present(mask);
}

void combineMatch(Lanes lanes, uint32_t mask, uint32_t) {
  forEach<Word>(lanes, mask, [&](unsigned, Word &word) {
    forEach<Word>(lanes, mask, [&](unsigned other, Word &candidate) {
      word.result |= static_cast<uint32_t>(candidate.value == word.value) << other;
    });
  });
}

uint32_t matchAny(uint32_t site, uint32_t mask, uint32_t value) {
  Word word = {value};
  meet(combineMatch, "match.any.sync", mask, site, word);
  return word.result;
}

enum class Reduction { Add, Min, Max, UMin, UMax, And, Or, Xor };

template <Reduction Kind> uint32_t reduceTwo(uint32_t a, uint32_t b) {
  auto sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
  switch (Kind) {
  case Reduction::Add:
    return a + b;
  case Reduction::Min:
    return sa < sb ? a : b;
  case Reduction::Max:
    return sa > sb ? a : b;
  case Reduction::UMin:
    return std::min(a, b);
  case Reduction::UMax:
    return std::max(a, b);
  case Reduction::And:
    return a & b;
  case Reduction::Or:
    return a | b;
  case Reduction::Xor:
    return a ^ b;
  }
}

template <Reduction Kind> void combineReduction(Lanes lanes, uint32_t mask, uint32_t) {
  uint32_t total = at<Word>(lanes, __builtin_ctz(mask)).value;
  forEach<Word>(lanes, mask & (mask - 1),
                [&](unsigned, Word &word) { total = reduceTwo<Kind>(total, word.value); });
  forEach<Word>(lanes, mask, [&](unsigned, Word &word) { word.result = total; });
}

template <Reduction Kind> uint32_t reduce(uint32_t site, uint32_t value, uint32_t mask) {
  Word word = {value};
  meet(combineReduction<Kind>, "redux.sync", mask, site, word);
  return word.result;
}

void combineNothing(Lanes, uint32_t, uint32_t) {}

void syncWarp(uint32_t site, uint32_t mask) {
  Word word = {0};
  meet(combineNothing, "bar.warp.sync", mask, site, word, /*ordersMemory=*/true);
}

const IntrinsicForm table[] = {
    {"shfl.sync.idx.i32", address(shuffleInt<Shuffle::Index>), true, true},
    {"shfl.sync.up.i32", address(shuffleInt<Shuffle::Up>), true, true},
    {"shfl.sync.down.i32", address(shuffleInt<Shuffle::Down>), true, true},
    {"shfl.sync.bfly.i32", address(shuffleInt<Shuffle::Butterfly>), true, true},
    {"shfl.sync.idx.f32", address(shuffleFloat<Shuffle::Index>), true, true},
    {"shfl.sync.up.f32", address(shuffleFloat<Shuffle::Up>), true, true},
    {"shfl.sync.down.f32", address(shuffleFloat<Shuffle::Down>), true, true},
    {"shfl.sync.bfly.f32", address(shuffleFloat<Shuffle::Butterfly>), true, true},
    {"shfl.sync.idx.i32p", address(shuffleIntPredicate<Shuffle::Index>), true, true},
    {"shfl.sync.up.i32p", address(shuffleIntPredicate<Shuffle::Up>), true, true},
    {"shfl.sync.down.i32p", address(shuffleIntPredicate<Shuffle::Down>), true, true},
    {"shfl.sync.bfly.i32p", address(shuffleIntPredicate<Shuffle::Butterfly>), true, true},
    {"shfl.sync.idx.f32p", address(shuffleFloatPredicate<Shuffle::Index>), true, true},
    {"shfl.sync.up.f32p", address(shuffleFloatPredicate<Shuffle::Up>), true, true},
    {"shfl.sync.down.f32p", address(shuffleFloatPredicate<Shuffle::Down>), true, true},
    {"shfl.sync.bfly.f32p", address(shuffleFloatPredicate<Shuffle::Butterfly>), true, true},
    {"vote.ballot.sync", address(ballot), true, true},
    {"vote.any.sync", address(any), true, true},
    {"vote.all.sync", address(all), true, true},
    {"vote.uni.sync", address(uniform), true, true},
    {"match.any.sync.i32", address(matchAny), true, true},
    {"redux.sync.add", address(reduce<Reduction::Add>), true, true},
    {"redux.sync.min", address(reduce<Reduction::Min>), true, true},
    {"redux.sync.max", address(reduce<Reduction::Max>), true, true},
    {"redux.sync.umin", address(reduce<Reduction::UMin>), true, true},
    {"redux.sync.umax", address(reduce<Reduction::UMax>), true, true},
    {"redux.sync.and", address(reduce<Reduction::And>), true, true},
    {"redux.sync.or", address(reduce<Reduction::Or>), true, true},
    {"redux.sync.xor", address(reduce<Reduction::Xor>), true, true},
    {"bar.warp.sync", address(syncWarp), true, true},
};

} // namespace

llvm::ArrayRef<IntrinsicForm> mlir::tp::emulator::getWarpIntrinsics() { return table; }
