//===- Mutants.h - Changed programs and plans that must not crash --------===//

#ifndef LIB_DRIVER_FUZZ_MUTANTS_H
#define LIB_DRIVER_FUZZ_MUTANTS_H

#include "Trial.h"

#include "llvm/Support/Error.h"

namespace mlir {
namespace tp {
namespace fuzz {

/// Texts to change.
struct Corpus {
  std::vector<std::string> programs, plans;

  /// Reads .mlir and .json files; those of directories below as well. Tests of
  /// several modules are taken apart.
  static llvm::Expected<Corpus> load(const std::vector<std::string> &paths);
};

struct Mutant {
  std::string program, plan; ///< no plan: empty
};

Mutant makeMutant(const Corpus &corpus, uint64_t seed);

/// Takes a mutant through parser and phases; passes where it is accepted or gets an
/// error.
Outcome runMutant(MLIRContext &context, const Mutant &mutant, Announce announce);

/// Whether it crashed, or did not end, in upstream's parser or in the verifier of one
/// of upstream's ops (docs/Tools.md says where).
bool isUnderUpstream(const Outcome &outcome);

} // namespace fuzz
} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_FUZZ_MUTANTS_H
