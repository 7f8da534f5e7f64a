//===- LanguageModel.cpp - Entries of a language model ---------------------===//

#include "LanguageModel.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Writes the entries of one model.
class Writer {
public:
  Writer(const LanguageModel &model, MLIRContext *context) : model(model), writer(model, context) {}

  OwningOpRef<ModuleOp> write();

private:
  /// Tokens in, next token and its logits out; or logits of all positions.
  enum class Kind { Prefill, Decode, Score };

  void writeEntry(StringRef name, Kind kind);
  SmallVector<Slot> inputs(Kind kind);
  SmallVector<Slot> results(Kind kind);
  /// The results that are no states, of the activations x [B, S, d].
  SmallVector<Value> finish(EntryBuilder &entry, Value x, Kind kind);

  const LanguageModel &model;
  EntryWriter writer;
};

} // namespace

SmallVector<Slot> Writer::inputs(Kind kind) {
  SmallVector<Slot> slots;
  if (kind == Kind::Decode)
    slots.push_back(writer.input("token", {model.batch}));
  else
    slots.push_back(writer.input("tokens", {model.batch, model.chunk}));
  if (kind == Kind::Prefill)
    slots.push_back(writer.input("n_valid", {model.batch}));
  slots.push_back(writer.input("pos", {model.batch}));
  return slots;
}

SmallVector<Slot> Writer::results(Kind kind) {
  SmallVector<Slot> slots;
  SmallVector<int64_t> logits = {model.batch, model.vocab};
  if (kind == Kind::Score)
    logits.insert(logits.begin() + 1, model.chunk);
  else
    slots.push_back(writer.result("next", {model.batch}, writer.getBuilder().getI64Type()));
  slots.push_back(writer.result("logits", logits, writer.getBuilder().getF32Type()));
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
  writer.write(name, inputs(kind), results(kind), [&](EntryBuilder &entry) {
    Value ids = kind == Kind::Decode ? entry.reshape("token", entry.get("token"), {model.batch, 1})
                                     : entry.get("tokens");
    return finish(entry, model.family.body(entry, ids, entry.get("pos")), kind);
  });
}

OwningOpRef<ModuleOp> Writer::write() {
  Builder &builder = writer.getBuilder();
  writeEntry("prefill", Kind::Prefill);
  writeEntry("decode", Kind::Decode);
  NamedAttrList facts;
  facts.set("prefill", builder.getStringAttr("prefill"));
  facts.set("decode", builder.getStringAttr("decode"));
  if (model.allLogits) {
    writeEntry("score", Kind::Score);
    facts.set("score", builder.getStringAttr("score"));
  }
  facts.set("batch", builder.getI64IntegerAttr(model.batch));
  facts.set("chunk", builder.getI64IntegerAttr(model.chunk));
  facts.set("max_seq", builder.getI64IntegerAttr(model.maxSeq));
  facts.set("vocab", builder.getI64IntegerAttr(model.vocab));
  facts.set("bos", builder.getI64IntegerAttr(model.bos));
  facts.set("eos", builder.getI64ArrayAttr(model.eos));
  return writer.take("tp.language_model", facts);
}

OwningOpRef<ModuleOp> tp::buildLanguageModel(const LanguageModel &model, MLIRContext *context) {
  return Writer(model, context).write();
}
