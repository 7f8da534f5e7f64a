//===- EntryWriter.cpp - Functions of an imported program ------------------===//

#include "EntryWriter.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::tp;

EntryWriter::EntryWriter(const ImportedProgram &program, MLIRContext *context)
    : program(program), builder(context),
      module(ModuleOp::create(builder, builder.getUnknownLoc())) {
  builder.setInsertionPointToEnd(module->getBody());
}

Slot EntryWriter::stored(const ProgramValue &value, StringRef kind) {
  NamedAttrList attrs;
  attrs.set(kKindAttr, builder.getStringAttr(kind));
  attrs.set(kNameAttr, builder.getStringAttr(value.name));
  attrs.set(kRoleAttr, builder.getStringAttr(value.role));
  if (value.source)
    attrs.set(kSourceAttr, value.source);
  return {value.name, value.type, attrs.getDictionary(builder.getContext())};
}

Slot EntryWriter::input(StringRef name, ArrayRef<int64_t> shape) {
  NamedAttrList attrs;
  attrs.set(kKindAttr, builder.getStringAttr("input"));
  attrs.set(kNameAttr, builder.getStringAttr(name));
  return {name.str(), RankedTensorType::get(shape, builder.getI64Type()),
          attrs.getDictionary(builder.getContext())};
}

Slot EntryWriter::result(StringRef name, ArrayRef<int64_t> shape, Type element) {
  auto attr = builder.getNamedAttr(kNameAttr, builder.getStringAttr(name));
  return {name.str(), RankedTensorType::get(shape, element), builder.getDictionaryAttr(attr)};
}

void EntryWriter::write(StringRef name, ArrayRef<Slot> inputs, ArrayRef<Slot> results,
                        function_ref<SmallVector<Value>(EntryBuilder &)> body) {
  SmallVector<Slot> argumentSlots, resultSlots(results);
  for (const ProgramValue &parameter : program.parameters)
    argumentSlots.push_back(stored(parameter, "parameter"));
  for (const ProgramValue &state : program.states)
    argumentSlots.push_back(stored(state, "state"));
  argumentSlots.append(inputs.begin(), inputs.end());
  for (auto [i, state] : llvm::enumerate(program.states)) {
    auto alias = builder.getI64IntegerAttr(program.parameters.size() + i);
    resultSlots.push_back({state.name, state.type,
                           builder.getDictionaryAttr(builder.getNamedAttr(kAliasAttr, alias))});
  }
  auto typesOf = [](ArrayRef<Slot> slots) {
    return llvm::map_to_vector(slots, [](const Slot &slot) { return slot.type; });
  };
  EntryBuilder entry(name, builder, program.element);
  auto function =
      func::FuncOp::create(builder, entry.loc(name), name,
                           builder.getFunctionType(typesOf(argumentSlots), typesOf(resultSlots)));
  for (auto [i, slot] : llvm::enumerate(argumentSlots))
    function.setArgAttrs(i, slot.attrs);
  for (auto [i, slot] : llvm::enumerate(resultSlots))
    function.setResultAttrs(i, slot.attrs);
  Block *block = function.addEntryBlock();
  for (auto [argument, slot] : llvm::zip(block->getArguments(), argumentSlots)) {
    argument.setLoc(entry.loc(slot.name));
    entry.set(slot.name, argument);
  }

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> values = body(entry);
  for (const ProgramValue &state : program.states)
    values.push_back(entry.get(state.name));
  func::ReturnOp::create(builder, entry.loc(name), values);
}

OwningOpRef<ModuleOp> EntryWriter::take(StringRef kind, const NamedAttrList &facts) {
  (*module)->setAttr(kind, facts.getDictionary(builder.getContext()));
  return std::move(module);
}
