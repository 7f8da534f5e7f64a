//===- CompiledProgram.h - Running compiled entries in this process -------===//
//
// A shared object that the compiler made, loaded, with a session of the runtime
// that this process links. Nothing here throws.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EXECUTE_COMPILEDPROGRAM_H
#define TP_EXECUTE_COMPILEDPROGRAM_H

#include "tprt/array.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace mlir {
namespace tp {

struct ExecutionOptions {
  std::optional<std::string> weights;
  bool checkCollectives = false;
  std::optional<uint64_t> jitterSeed;
  bool poison = false;
  /// As in SessionOptions.
  std::optional<std::string> autotune;
  int virtualRanks = 0; ///< all of the program's, on one GPU; 0: one each
};

/// Values after a call of an entry: its results, and its states in the order of
/// the arguments.
struct CallResults {
  std::vector<tprt::Array> results;
  std::vector<tprt::Array> states;
};

/// What programs for the devices of this machine are made of, as in `rt.images`. Fails,
/// saying what is missing, where there is none.
llvm::Expected<std::string> getImageForThisMachine();

class CompiledProgram {
public:
  /// Loads `sharedObject`. States of the session are zero.
  static llvm::Expected<std::unique_ptr<CompiledProgram>> load(llvm::StringRef sharedObject,
                                                               const ExecutionOptions &options);
  ~CompiledProgram();

  /// Calls an entry that the program has; `inputs` are its arguments of kind input, in
  /// order.
  llvm::Expected<CallResults> call(llvm::StringRef entry, llvm::ArrayRef<tprt::Array> inputs);

private:
  class Impl;
  std::unique_ptr<Impl> impl;

  explicit CompiledProgram(std::unique_ptr<Impl> impl);
};

} // namespace tp
} // namespace mlir

#endif // TP_EXECUTE_COMPILEDPROGRAM_H
