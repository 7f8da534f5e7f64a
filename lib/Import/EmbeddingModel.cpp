//===- EmbeddingModel.cpp - The entry of an embedding model ----------------===//

#include "EmbeddingModel.h"

using namespace mlir;
using namespace mlir::tp;

/// What the modules behind the encoder make of its activations x [B, S, d].
static Value pool(EntryBuilder &entry, const EmbeddingModel &model, Value x, Value count) {
  switch (model.modules.pooling) {
  case Pooling::None:
    return entry.widened("hidden", x);
  case Pooling::Mean:
    x = entry.divideByCount("pooling", entry.sumOfRows("pooling.sum", x, count), count);
    break;
  case Pooling::First:
    x = entry.sumOfRows("pooling", x, entry.ones("pooling.one", model.batch));
    break;
  }
  return model.modules.normalize ? entry.unitLength("normalize", x) : x;
}

OwningOpRef<ModuleOp> tp::buildEmbeddingModel(const EmbeddingModel &model, MLIRContext *context) {
  EntryWriter writer(model, context);
  Builder &builder = writer.getBuilder();
  SmallVector<int64_t> shape = {model.batch, model.width};
  bool isPooled = model.modules.pooling != Pooling::None;
  if (!isPooled)
    shape.insert(shape.begin() + 1, model.seq);
  Slot inputs[] = {writer.input("tokens", {model.batch, model.seq}),
                   writer.input("n_valid", {model.batch})};
  Slot result = writer.result(isPooled ? "embedding" : "hidden", shape, builder.getF32Type());
  writer.write("encode", inputs, result, [&](EntryBuilder &entry) -> SmallVector<Value> {
    Value count = entry.get("n_valid");
    Value x = model.family.body(entry, entry.get("tokens"), count);
    return {pool(entry, model, x, count)};
  });
  NamedAttrList facts;
  facts.set("encode", builder.getStringAttr("encode"));
  facts.set("batch", builder.getI64IntegerAttr(model.batch));
  facts.set("seq", builder.getI64IntegerAttr(model.seq));
  facts.set("vocab", builder.getI64IntegerAttr(model.vocab));
  facts.set("width", builder.getI64IntegerAttr(model.width));
  facts.set("pooled", builder.getBoolAttr(isPooled));
  return writer.take("tp.embedding_model", facts);
}
