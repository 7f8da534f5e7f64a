//===- RandomProgram.h - Small random programs with plans ------*- C++ -*-===//
//
// A program of one public function `f`, or of two that share parameters and states,
// over small tensors, a plan for it, and what its arguments may be. The ops are those
// of one table (lib/Fuzz/OpTable.cpp): an entry there is all that a new op takes.
//
// Programs are right by construction: indices are in range, nothing divides by
// zero, loops end, and values that rounding has touched are never compared,
// floored or sorted, so that every partition must give the same results up to a
// bound that the generator knows.
//
//===----------------------------------------------------------------------===//

#ifndef TP_FUZZ_RANDOMPROGRAM_H
#define TP_FUZZ_RANDOMPROGRAM_H

#include "tp/Fuzz/Choices.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace mlir {
namespace tp {
namespace fuzz {

/// What an argument may be: floats are multiples of 1/4 from -2 to 2, integers
/// from `low` to `high`, i1 both.
struct InputValues {
  int64_t low = -8, high = 8;
  /// Some floats are NaN, infinite or -0.
  bool special = false;
};

/// A plan as docs/Plan.md has it; the order of `mesh` counts.
struct PlanText {
  std::vector<std::pair<std::string, int64_t>> mesh;
  std::vector<std::pair<std::string, std::string>> shard;
  std::vector<std::pair<std::string, int64_t>> priority;
  std::vector<std::vector<std::string>> alike;
  std::vector<std::pair<std::string, std::string>> barrier;

  std::string toJson() const;
};

/// A public function.
struct RandomEntry {
  std::string name;
  /// One per argument, of which only inputs (no states, no parameters) use it.
  std::vector<InputValues> inputs;
  /// By how much rounding in another order may change each result in the last call (an
  /// absolute number, a generous bound).
  std::vector<double> roundings;
};

struct RandomProgram {
  std::string text;
  PlanText plan;
  std::vector<RandomEntry> entries;
  /// Sizes of arguments with dynamic dimensions: names and what --shape takes, `4x3`.
  std::vector<std::pair<std::string, std::string>> shapes;
  /// How often each entry is called, one after the other, with equal inputs; more than
  /// once where they have states.
  unsigned calls = 1;

  /// `NAME=SIZExSIZE` of each.
  std::vector<std::string> shapeOptions() const;
  /// Whether some floats of the inputs are NaN or infinite.
  bool hasSpecialInputs() const;
};

RandomProgram makeRandomProgram(Choices &choices);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // TP_FUZZ_RANDOMPROGRAM_H
