//===- EntryWriter.h - Functions of an imported program ---------*- C++ -*-===//

#ifndef LIB_IMPORT_ENTRYWRITER_H
#define LIB_IMPORT_ENTRYWRITER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "tp/Import/EntryBuilder.h"
#include "tp/Import/Family.h"

namespace mlir {
namespace tp {

/// A parameter or a state of the program.
struct ProgramValue {
  std::string name, role;
  RankedTensorType type;
  DictionaryAttr source; ///< Null for a state.
};

/// What the entries of any program are made of.
struct ImportedProgram {
  ImportedProgram(const Family &family, Type element) : family(family), element(element) {}

  const Family &family;
  Type element; ///< Of parameters, states and activations.
  std::vector<ProgramValue> parameters = {}, states = {};
  int64_t batch = 1, vocab = 1;
};

/// An argument or result of an entry while its signature is put together.
struct Slot {
  std::string name;
  Type type;
  DictionaryAttr attrs;
};

/// Writes entries of one program into its module.
class EntryWriter {
public:
  EntryWriter(const ImportedProgram &program, MLIRContext *context);

  /// An entry with all parameters, all states and `inputs` as arguments, and `results`
  /// and the new states as results. `body` gives the values of `results`.
  void write(StringRef name, ArrayRef<Slot> inputs, ArrayRef<Slot> results,
             function_ref<SmallVector<Value>(EntryBuilder &)> body);

  /// An argument of i64.
  Slot input(StringRef name, ArrayRef<int64_t> shape);
  Slot result(StringRef name, ArrayRef<int64_t> shape, Type element);

  Builder &getBuilder() { return builder; }
  /// The module, once all entries are written; `facts` is its attribute `kind`.
  OwningOpRef<ModuleOp> take(StringRef kind, const NamedAttrList &facts);

private:
  Slot stored(const ProgramValue &value, StringRef kind);

  const ImportedProgram &program;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_ENTRYWRITER_H
