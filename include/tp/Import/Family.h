//===- Family.h - What distinguishes one model family -----------*- C++ -*-===//
//
// A family is a table of its checkpoint's tensors, the check of its
// configuration and the body of its entries. Everything else (entries,
// arguments, caches, sampling, files) is the same for all; see docs/Import.md.
//
//===----------------------------------------------------------------------===//

#ifndef TP_IMPORT_FAMILY_H
#define TP_IMPORT_FAMILY_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir {
namespace tp {

class Config;
class EntryBuilder;

/// A row of a family's table: a parameter or state, or one per layer where the
/// name has a `*` in the place of the layer's number.
///
/// `layout` lists the dimensions of the checkpoint's tensor by letter, row-major,
/// and in parentheses those that the checkpoint holds as one: "(K G D) d" is
/// [K * G * D, d] in the checkpoint and [K, G, D, d] in the program. Brackets are
/// a dimension of parts that stand one behind another, of which `*` marks the one
/// that is taken: "([*1 1 1] K D) d" is the first third of [3 * K * D, d], and
/// "(K [*G 1 1] D) d" takes the first G of G + 2 heads of each of K groups. A part
/// of size 1 is no dimension of the program.
struct TensorPattern {
  std::string name;
  StringRef role; ///< tp.role, of the closed list in docs/Import.md.
  StringRef layout;
  /// The letters in the order of the program, where it is another one.
  StringRef shape = {};
  /// The checkpoint's tensor, where it is not `name`: several parameters may be
  /// parts of one tensor.
  std::string tensor = {};
};

/// What the shared part needs to know of a model.
struct ModelFacts {
  /// Dimension letters of the family's table, and V, the size of the vocabulary.
  llvm::SmallDenseMap<char, int64_t> sizes;
  int64_t layers = 0;
  int64_t maxPositions = 0; ///< Positions that the model was made for.
  SmallVector<int64_t> bos; ///< At most one.
  SmallVector<int64_t> eos;
};

/// One model family, configured for one model.
class Family {
public:
  virtual ~Family() = default;

  /// Reads what the family needs from config.json; anything that would change
  /// the result and is not supported is an error of `config`.
  virtual ModelFacts configure(Config &config) = 0;
  /// The checkpoint's tensors that are parameters, in the order of arguments.
  virtual std::vector<TensorPattern> parameters() const = 0;
  /// State, one value per layer and kind; letters B (batch) and T (capacity) are known.
  virtual std::vector<TensorPattern> states() const = 0;
  /// Whether the family makes vectors of texts (docs/Import.md, embedding models) in
  /// place of tokens that follow. Its table knows S, the positions of a text, and R,
  /// those of the model that this leaves out.
  virtual bool isEncoder() const { return false; }
  /// Name patterns of tensors that a checkpoint may hold and that are not needed.
  virtual std::vector<StringRef> ignored() const = 0;
  /// What the names of all tensors begin with in the table, but not in every
  /// checkpoint: where no tensor begins with it, it is left out.
  virtual StringRef optionalPrefix() const { return ""; }

  /// ids [B, S] at positions pos[b] + s -> activations [B, S, d] after the last
  /// layer. Updates the states. An encoder gets, in place of pos, how many tokens of
  /// each row there are.
  virtual Value body(EntryBuilder &entry, Value ids, Value pos) const = 0;
  /// Activations [B, d] of one position -> logits [B, V]; encoders have none.
  virtual Value head(EntryBuilder &, Value) const { llvm_unreachable("not a decoder"); }
};

/// How config.json calls a family.
struct FamilyEntry {
  StringRef modelType;    ///< "model_type"
  StringRef architecture; ///< element of "architectures"
  std::unique_ptr<Family> (*create)();
};

/// All families, in the order in which messages list them.
ArrayRef<FamilyEntry> getFamilies();

/// Fields of config.json that change what a model of some family computes: where
/// a family does not ask for one, its configurations must not have it.
ArrayRef<StringRef> getModelFields();

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_FAMILY_H
