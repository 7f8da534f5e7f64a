//===- Choices.h - Where a generator's choices come from -------*- C++ -*-===//
//
// A generator asks for small numbers; they are random, or those of an earlier run
// that is repeated with some of them changed. So whatever a generator makes is
// shrunk by one method: leave out choices and make others smaller. 0 must stand
// for the simplest choice.
//
//===----------------------------------------------------------------------===//

#ifndef TP_FUZZ_CHOICES_H
#define TP_FUZZ_CHOICES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <random>
#include <vector>

namespace mlir {
namespace tp {
namespace fuzz {

class Choices {
public:
  using Tape = std::vector<uint32_t>;
  /// First choice of a part that can be left out, and the one behind its last.
  using Span = std::pair<size_t, size_t>;

  /// Random ones; equal seeds give equal choices on every machine.
  explicit Choices(uint64_t seed) : random(seed) {}
  /// Those of `tape`, as far as they are in range; behind its end each is 0.
  explicit Choices(Tape tape) : random(0), replayed(std::move(tape)), isReplay(true) {}

  /// A number from `low` to `high`.
  int64_t pick(int64_t low, int64_t high);
  /// Of a list that is not empty; the first is the simplest.
  template <typename T> const T &of(llvm::ArrayRef<T> list) {
    return list[pick(0, list.size() - 1)];
  }
  /// True once in n times; false is the simplest.
  bool oneIn(int64_t n) { return pick(0, n - 1) == n - 1; }

  /// What was chosen up to now.
  const Tape &getTape() const { return tape; }
  size_t position() const { return tape.size(); }
  /// Says that the choices since `begin` made something of their own.
  void addSpan(size_t begin) { spans.push_back({begin, tape.size()}); }
  llvm::ArrayRef<Span> getSpans() const { return spans; }

private:
  std::mt19937_64 random;
  Tape replayed, tape;
  bool isReplay = false;
  std::vector<Span> spans;
};

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // TP_FUZZ_CHOICES_H
