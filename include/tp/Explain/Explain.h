//===- Explain.h - Which communication a program does, and why -*- C++ -*-===//
//
// Read off a partitioned module: each collective with its size, its cost and how
// often it runs per call of the entry. The JSON and text forms are those of the
// command line's --explain.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EXPLAIN_EXPLAIN_H
#define TP_EXPLAIN_EXPLAIN_H

#include "mlir/IR/BuiltinOps.h"
#include "tp/Analysis/Hardware.h"
#include <string>
#include <vector>

namespace llvm::json {
class OStream;
} // namespace llvm::json

namespace mlir {
namespace tp {

/// One collective of an entry. Sizes and times are those of one execution.
struct CollectiveRow {
  /// `all_reduce all_gather reduce_scatter all_to_all permute`.
  std::string kind;
  /// As in shardings: `tp`, `tp:(1)2`.
  std::vector<std::string> axes;
  /// The larger of operand and result on one rank, padding included.
  int64_t elements = 0;
  std::string dtype;
  /// Sent, the maximum over ranks; see tp/Analysis/Hardware.h for the formulas.
  int64_t bytesPerRank = 0;
  int64_t picoseconds = 0;
  /// Executions per call of the entry: the product of the constant trip counts
  /// of the loops around it. Loops of unknown trip count count 1 and make the row
  /// dynamic.
  int64_t count = 1;
  bool isDynamic = false;
  std::string loc;
  std::string reason;
};

/// What one call of an entry sends: rows times their counts.
struct CollectiveTotals {
  int64_t count = 0;
  int64_t elements = 0;
  int64_t bytesPerRank = 0;
  int64_t picoseconds = 0;

  void add(const CollectiveRow &row);
};

struct EntryExplanation {
  std::string entry;
  /// In program order; those of called functions at each of their calls.
  std::vector<CollectiveRow> collectives;

  CollectiveTotals getTotals() const;
};

/// One explanation per public function. Needs comm ops on tensors.
std::vector<EntryExplanation> explainCollectives(ModuleOp module, const Hardware &hardware);

void printExplanationJson(ArrayRef<EntryExplanation> entries, llvm::raw_ostream &os);
/// The members of an entry's object, in an object that has been begun.
void printExplanationJson(const EntryExplanation &entry, llvm::json::OStream &json);
/// The members of "totals".
void printTotalsJson(const CollectiveTotals &totals, llvm::json::OStream &json);
/// Microseconds with three digits, as all forms have them.
std::string getMicrosecondsText(int64_t picoseconds);
void printExplanationText(ArrayRef<EntryExplanation> entries, llvm::raw_ostream &os);

/// Prints, for each place that has `name` (see PlanValues.h), what propagation left
/// beside its sharding: which it is and why; or the sharding alone. Emits one error when no value
/// has that name.
LogicalResult explainValue(ModuleOp module, StringRef name, llvm::raw_ostream &os);

} // namespace tp
} // namespace mlir

#endif // TP_EXPLAIN_EXPLAIN_H
