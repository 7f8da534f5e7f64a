//===- Options.h - Command line of tp-fuzz ---------------------*- C++ -*-===//

#ifndef LIB_DRIVER_FUZZ_OPTIONS_H
#define LIB_DRIVER_FUZZ_OPTIONS_H

#include "tp/Driver/CommandLine.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
namespace tp {
namespace fuzz {

struct FuzzOptions {
  enum class Mode { Interpreted, Compiled, Mutated };
  Mode mode = Mode::Interpreted;
  /// What compiled programs run on.
  CodeTarget target;
  /// The first seed; none: 1, or where the last run ended.
  std::optional<uint64_t> seed;
  /// Programs of this run; 0: as many as there is time for.
  uint64_t count = 0;
  /// 0: as long as it takes.
  uint64_t seconds = 0;
  uint64_t jobs = 1;
  /// Seconds that one program may take.
  uint64_t timeout = 60;
  /// Where failures go, and the state where `resume` is set.
  std::string directory = "tp-fuzz-failures";
  bool resume = false;
  /// Failures of one class that are shrunk.
  uint64_t shrinks = 3;
  /// Print the seeds of programs that are not proved.
  bool unproved = false;
  /// Print the program of the first seed and its plan, and do not run it.
  bool print = false;
  /// Files and directories of programs and plans to mutate.
  std::vector<std::string> corpus;
};

/// Reads the command line; none after --help. Fails with a user error.
llvm::Expected<std::optional<FuzzOptions>> parseFuzzCommandLine(int argc, char **argv);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_FUZZ_OPTIONS_H
