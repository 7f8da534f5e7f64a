//===- LanguageModel.cpp - Entries of a language model ---------------------===//

#include "LanguageModel.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Import/EntryBuilder.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// An argument or result of an entry while its signature is put together.
struct Slot {
  std::string name;
  Type type;
  DictionaryAttr attrs;
};

/// Writes the entries of one model.
class Writer {
public:
  Writer(const LanguageModel &model, MLIRContext *context) : model(model), builder(context) {}

  OwningOpRef<ModuleOp> write();

private:
  /// Tokens in, next token and its logits out; or logits of all positions.
  enum class Kind { Prefill, Decode, Score };

  void writeEntry(StringRef name, Kind kind);
  SmallVector<Slot> arguments(Kind kind);
  SmallVector<Slot> results(Kind kind);
  /// The results that are no states, of the activations x [B, S, d].
  SmallVector<Value> finish(EntryBuilder &entry, Value x, Kind kind);

  RankedTensorType integers(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getI64Type());
  }
  DictionaryAttr named(StringRef name) {
    return builder.getDictionaryAttr(builder.getNamedAttr(kNameAttr, builder.getStringAttr(name)));
  }
  Slot stored(const ProgramValue &value, StringRef kind);
  Slot input(StringRef name, ArrayRef<int64_t> shape);

  const LanguageModel &model;
  OpBuilder builder;
};

} // namespace

Slot Writer::stored(const ProgramValue &value, StringRef kind) {
  NamedAttrList attrs;
  attrs.set(kKindAttr, builder.getStringAttr(kind));
  attrs.set(kNameAttr, builder.getStringAttr(value.name));
  attrs.set(kRoleAttr, builder.getStringAttr(value.role));
  if (value.source)
    attrs.set(kSourceAttr, value.source);
  return {value.name, value.type, attrs.getDictionary(builder.getContext())};
}

Slot Writer::input(StringRef name, ArrayRef<int64_t> shape) {
  NamedAttrList attrs;
  attrs.set(kKindAttr, builder.getStringAttr("input"));
  attrs.set(kNameAttr, builder.getStringAttr(name));
  return {name.str(), integers(shape), attrs.getDictionary(builder.getContext())};
}

SmallVector<Slot> Writer::arguments(Kind kind) {
  SmallVector<Slot> slots;
  for (const ProgramValue &parameter : model.parameters)
    slots.push_back(stored(parameter, "parameter"));
  for (const ProgramValue &state : model.states)
    slots.push_back(stored(state, "state"));
  if (kind == Kind::Decode)
    slots.push_back(input("token", {model.batch}));
  else
    slots.push_back(input("tokens", {model.batch, model.chunk}));
  if (kind == Kind::Prefill)
    slots.push_back(input("n_valid", {model.batch}));
  slots.push_back(input("pos", {model.batch}));
  return slots;
}

SmallVector<Slot> Writer::results(Kind kind) {
  SmallVector<Slot> slots;
  SmallVector<int64_t> logits = {model.batch, model.vocab};
  if (kind == Kind::Score)
    logits.insert(logits.begin() + 1, model.chunk);
  else
    slots.push_back({"next", integers({model.batch}), named("next")});
  slots.push_back({"logits", RankedTensorType::get(logits, builder.getF32Type()), named("logits")});
  for (auto [i, state] : llvm::enumerate(model.states)) {
    auto alias = builder.getI64IntegerAttr(model.parameters.size() + i);
    slots.push_back({state.name, state.type,
                     builder.getDictionaryAttr(builder.getNamedAttr(kAliasAttr, alias))});
  }
  return slots;
}

SmallVector<Value> Writer::finish(EntryBuilder &entry, Value x, Kind kind) {
  int64_t width = cast<RankedTensorType>(x.getType()).getShape().back();
  if (kind == Kind::Score) {
    x = entry.reshape("positions", x, {model.batch * model.chunk, width});
    Value logits = model.family.head(entry, x);
    return {entry.reshape("logits", logits, {model.batch, model.chunk, model.vocab})};
  }
  x = kind == Kind::Prefill ? entry.rowBefore("last_position", x, entry.get("n_valid"))
                            : entry.reshape("last_position", x, {model.batch, width});
  Value logits = model.family.head(entry, x);
  return {entry.argmax("next", logits), logits};
}

void Writer::writeEntry(StringRef name, Kind kind) {
  SmallVector<Slot> argumentSlots = arguments(kind), resultSlots = results(kind);
  auto typesOf = [](ArrayRef<Slot> slots) {
    return llvm::map_to_vector(slots, [](const Slot &slot) { return slot.type; });
  };
  EntryBuilder entry(name, builder, model.element);
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
  Value ids = kind == Kind::Decode ? entry.reshape("token", entry.get("token"), {model.batch, 1})
                                   : entry.get("tokens");
  Value x = model.family.body(entry, ids, entry.get("pos"));
  SmallVector<Value> values = finish(entry, x, kind);
  for (const ProgramValue &state : model.states)
    values.push_back(entry.get(state.name));
  func::ReturnOp::create(builder, entry.loc(name), values);
}

OwningOpRef<ModuleOp> Writer::write() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, builder.getUnknownLoc());
  NamedAttrList facts;
  facts.set("prefill", builder.getStringAttr("prefill"));
  facts.set("decode", builder.getStringAttr("decode"));
  if (model.allLogits)
    facts.set("score", builder.getStringAttr("score"));
  facts.set("batch", builder.getI64IntegerAttr(model.batch));
  facts.set("chunk", builder.getI64IntegerAttr(model.chunk));
  facts.set("max_seq", builder.getI64IntegerAttr(model.maxSeq));
  facts.set("vocab", builder.getI64IntegerAttr(model.vocab));
  facts.set("bos", builder.getI64IntegerAttr(model.bos));
  facts.set("eos", builder.getI64ArrayAttr(model.eos));
  (*module)->setAttr("tp.language_model", facts.getDictionary(builder.getContext()));
  builder.setInsertionPointToEnd(module->getBody());
  writeEntry("prefill", Kind::Prefill);
  writeEntry("decode", Kind::Decode);
  if (model.allLogits)
    writeEntry("score", Kind::Score);
  return module;
}

OwningOpRef<ModuleOp> tp::buildLanguageModel(const LanguageModel &model, MLIRContext *context) {
  return Writer(model, context).write();
}
