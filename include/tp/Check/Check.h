//===- Check.h - Proves a partitioned program against its source -*- C++ -*-===//
//
// The second, independent statement of what partitioned ops mean. Both programs
// are evaluated on symbols: a value of the source is a *term*, a value of the
// partitioned program a *relation* to a term, which says for every rank which
// elements of the term its local tensor holds, what its padding holds, and over
// which ranks it is still to be reduced. A result is proved when it has the term of
// the source's result and every rank holds the block that `tp.sharding` promises.
//
// Nothing here uses the sharding rules, the strategies or the passes: what they get
// wrong is what this is to find. The sharding algebra (dialects/TP) is shared.
//
//===----------------------------------------------------------------------===//

#ifndef TP_CHECK_CHECK_H
#define TP_CHECK_CHECK_H

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace mlir {
namespace tp {

/// What is known of one result of one function.
struct CheckedResult {
  std::string function;
  unsigned number;
  /// Empty: proved.
  std::string why;
  /// Where the proof ends: an op of the partitioned program.
  Location loc;

  bool isProved() const { return why.empty(); }
};

struct CheckOptions {
  /// Rounding to this element type ("bf16", ...; empty: none) before a sum over ranks
  /// was asked for (`--reduce-dtype`).
  std::string reduceDtype;
};

/// Compares each function with a body of `partitioned` with the one of its name in
/// `original`. `original` is inlined and simplified in place; it is the source or any
/// module of phase plan, without communication. Fails with one located error where
/// the modules do not belong together (another mesh, another signature, no
/// `tp.global_type`), and where functions that share a parameter or a state disagree on
/// how it is cut.
FailureOr<std::vector<CheckedResult>> checkPartitioned(ModuleOp original, ModuleOp partitioned,
                                                       const CheckOptions &options = {});

/// One located error or remark that names the first result that is not proved and why;
/// the others are notes. Nothing where all are proved.
void reportUnproved(const std::vector<CheckedResult> &results,
                    DiagnosticSeverity severity = DiagnosticSeverity::Error);

} // namespace tp
} // namespace mlir

#endif // TP_CHECK_CHECK_H
