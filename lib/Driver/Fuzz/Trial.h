//===- Trial.h - One random program, compiled and compared -----*- C++ -*-===//

#ifndef LIB_DRIVER_FUZZ_TRIAL_H
#define LIB_DRIVER_FUZZ_TRIAL_H

#include "mlir/IR/BuiltinOps.h"
#include "tp/Driver/CommandLine.h"
#include "tp/Fuzz/RandomProgram.h"
#include "tprt/array.h"
#include "tprt/manifest.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <map>
#include <string>

namespace mlir {
namespace tp {
namespace fuzz {

/// What came of a program.
struct Outcome {
  enum class Kind {
    Passed,
    Refused, ///< by a located error that is a limit which is known
    Failed,
  };
  Kind kind = Kind::Passed;
  /// What went wrong.
  std::string message;
  /// The op at which the relation checker could not prove the partitioned program;
  /// empty: it is proved.
  std::string unproved;
  /// How many ops of each name the program has.
  std::map<std::string, unsigned> ops;
  /// The process that found it out is not to be used for more.
  bool spoilsProcess = false;

  /// The message without numbers, types and places: equal for equal faults.
  std::string classOfMessage() const;

  std::string toJson() const;
  static Outcome fromJson(llvm::StringRef text);
};

/// Told what is being done, for crashes and hangs.
using Announce = llvm::function_ref<void(llvm::StringRef)>;

struct TrialOptions {
  /// Compiled code instead of the interpreter.
  bool compiled = false;
  /// What it is for.
  CodeTarget target = CodeTarget();
  /// Done to the partitioned program before it is checked: what tests put wrong there.
  std::function<void(ModuleOp)> spoil = {};
};

/// Partitions a program with all verifiers, runs it with poison and compares it with
/// what the reference interpreter gives for the unsharded one.
Outcome runTrial(MLIRContext &context, const RandomProgram &program, const TrialOptions &options,
                 Announce announce);

/// The value of argument `number`: what is written for tp-run as well.
tprt::Array makeInput(const InputValues &values, size_t number, const tprt::ValueInfo &argument);

/// Whether a program may be refused with this error; the list is the compiler's
/// documented limits.
bool isKnownLimit(llvm::StringRef error);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_FUZZ_TRIAL_H
