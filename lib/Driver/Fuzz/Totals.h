//===- Totals.h - What was run, over several runs --------------*- C++ -*-===//

#ifndef LIB_DRIVER_FUZZ_TOTALS_H
#define LIB_DRIVER_FUZZ_TOTALS_H

#include "Trial.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
namespace tp {
namespace fuzz {

/// What is counted of the programs of one mode.
struct Totals {
  /// The first seed that was not run yet.
  uint64_t next = 1;
  uint64_t programs = 0, passed = 0, unproved = 0, failed = 0;
  double seconds = 0;
  /// By class of message.
  std::map<std::string, uint64_t> refusals, failures, unprovedAt;
  std::map<std::string, uint64_t> ops;

  void add(const Outcome &outcome);
  uint64_t numRefused() const;
  void print(llvm::raw_ostream &os, llvm::StringRef mode) const;
};

/// Totals by mode in a file, so that they add up over runs.
class State {
public:
  /// Reads `file`; where there is none nothing was run.
  static llvm::Expected<State> load(const std::string &file);
  llvm::Error save(const std::string &file) const;
  Totals &operator[](const std::string &mode) { return modes[mode]; }
  bool has(const std::string &mode) const { return modes.count(mode); }

private:
  std::map<std::string, Totals> modes;
};

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_FUZZ_TOTALS_H
