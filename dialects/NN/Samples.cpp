//===- Samples.cpp - nn ops in random programs -----------------------------===//

#include "dialects/NN/Samples.h"

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

/// A float value without NaN or infinities, of this rank.
static std::optional<Value> findPlain(ProgramBuilder &b, unsigned least, unsigned most,
                                      double max = 50) {
  return b.find([&](const Value &v) {
    return isFloat(v.type) && v.type != Element::F64 && v.rank() >= least && v.rank() <= most &&
           !v.bounds.special && v.bounds.max <= max && !llvm::is_contained(v.shape, 0);
  });
}

/// Of a result that is computed with rounding.
static Bounds inexact(double max, double error, Element type) {
  Bounds bounds = rounded({max, -1, error, false}, type);
  bounds.error *= 16;
  return bounds;
}

static bool addNorm(ProgramBuilder &b) {
  std::optional<Value> x = findPlain(b, 1, 4);
  if (!x)
    return false;
  bool isLayerNorm = b.oneIn(2);
  Value weight = b.get({x->shape.back()}, x->type), bias = weight;
  if (isLayerNorm)
    bias = b.get({x->shape.back()}, x->type);
  std::string result = b.fresh();
  // The epsilon bounds the divisor by 0.1.
  b.line(cat(result, isLayerNorm ? " = nn.layer_norm " : " = nn.rms_norm ", x->name, ", ",
             weight.name, isLayerNorm ? ", " + bias.name : "", " epsilon 1.0e-02 ",
             !isLayerNorm && b.oneIn(3) ? "weight_offset 1.0 " : "", b.nameAttribute(x->shape),
             ": ", x->typeText(), ", ", weight.typeText()));
  double largest = 3 * (weight.bounds.max + 1) + bias.bounds.max;
  double error =
      30 * x->bounds.error * (weight.bounds.max + 1) + 3 * weight.bounds.error + bias.bounds.error;
  Bounds bounds = inexact(largest, error, x->type);
  bounds.special = weight.bounds.special || bias.bounds.special;
  b.define(result, x->shape, x->type, bounds);
  return true;
}

static bool addEmbedding(ProgramBuilder &b) {
  std::optional<Value> table = b.find([](const Value &v) {
    return isFloat(v.type) && v.rank() == 2 && !llvm::is_contained(v.shape, 0);
  });
  if (!table)
    return false;
  Shape idShape = {b.anySize()};
  if (b.oneIn(3))
    idShape.push_back(b.anySize());
  // Rows that the table does not have are zero.
  Value ids = b.indices(idShape, Element::I64, table->shape[0] - (b.oneIn(2) ? 1 : 0));
  Shape shape = idShape;
  shape.push_back(table->shape[1]);
  std::string result = b.fresh();
  b.line(cat(result, " = nn.embedding ", ids.name, ", ", table->name, " ", b.nameAttribute(shape),
             ": ", ids.typeText(), ", ", table->typeText(), " -> ", typeText(shape, table->type)));
  b.define(result, shape, table->type, table->bounds);
  return true;
}

static bool addNNArgmax(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) {
    return isFloat(v.type) && v.rank() >= 1 && v.isExact() && !v.bounds.special &&
           !llvm::is_contained(v.shape, 0);
  });
  if (!x)
    return false;
  Shape shape = x->shape;
  shape.back() = 1;
  std::string result = b.fresh();
  b.line(cat(result, ":2 = nn.argmax ", x->name, " : ", x->typeText(), " -> ",
             typeText(shape, x->type), ", ", typeText(shape, Element::I64)));
  b.define(cat(result, "#0"), shape, x->type, x->bounds);
  b.define(cat(result, "#1"), shape, Element::I64);
  return true;
}

/// Places that are left have the bound.
static bool addNNTopK(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) {
    return v.rank() >= 1 && v.isExact() && !v.bounds.special && v.type != Element::I1 &&
           v.type != Element::Index && !llvm::is_contained(v.shape, 0);
  });
  if (!x)
    return false;
  int64_t dim = b.pick(0, x->rank() - 1);
  bool isSmallest = b.oneIn(2);
  Shape shape = x->shape;
  shape[dim] = b.pick(1, std::min<int64_t>(3, shape[dim] + 1));
  std::string result = b.fresh();
  b.line(cat(result, ":2 = nn.top_k ", x->name, " dim ", dim, isSmallest ? " smallest" : "",
             isFloat(x->type) && b.oneIn(2) ? " nan_first" : "", " bound ",
             isFloat(x->type) ? "0.0" : "0", " : ", nameOf(x->type),
             b.oneIn(2) ? " missing_index -1" : "", " : ", x->typeText(), " -> ",
             typeText(shape, x->type), ", ", typeText(shape, Element::I64)));
  b.define(cat(result, "#0"), shape, x->type, x->bounds);
  b.define(cat(result, "#1"), shape, Element::I64);
  return true;
}

/// The logits are exact, or rounding would choose.
static bool addSample(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) {
    return v.type == Element::F32 && v.rank() == 2 && v.isExact() && !v.bounds.special &&
           !llvm::is_contained(v.shape, 0);
  });
  if (!x)
    return false;
  auto oneOf = [&](ArrayRef<int64_t> shape, Element type, ArrayRef<StringRef> texts) {
    return b.filled(shape, type, texts[b.pick(0, texts.size() - 1)]).name;
  };
  Shape shape = {x->shape[0]};
  std::string uniform = oneOf(shape, Element::F64, {"0.0", "0.0931", "0.4117", "0.9373"});
  std::string temperature = oneOf({}, Element::F64, {"0.713", "1.0", "31.7"});
  std::string topK = oneOf({}, Element::I64, {"0", "1", "3"});
  std::string topP = oneOf({}, Element::F64, {"0.3719", "0.8117", "1.0"});
  std::string result = b.fresh();
  b.line(cat(result, " = nn.sample ", x->name, ", ", uniform, ", ", temperature, ", ", topK, ", ",
             topP, " : ", x->typeText()));
  b.define(result, shape, Element::I64);
  return true;
}

/// Rotary embedding by a table for the same rows and positions.
static bool addRope(ProgramBuilder &b) {
  std::optional<Value> x = b.find([&](const Value &v) {
    return v.type == Element::F32 && v.rank() >= 3 && v.rank() <= 5 && v.shape.back() % 2 == 0 &&
           !v.bounds.special && v.bounds.max < 1000 && !llvm::is_contained(v.shape, 0);
  });
  if (!x)
    return false;
  int64_t half = b.pick(1, x->shape.back() / 2);
  Shape tableShape = {x->shape[0], x->shape[1], half};
  Value pos = b.indices({x->shape[0]}, Element::I64, 5);
  std::string table = b.fresh(), result = b.fresh(), tableType = typeText(tableShape, Element::F32);
  b.line(cat(table, ":2 = nn.rotary_table ", pos.name, " theta 10000.0 : ", pos.typeText(), " -> ",
             tableType));
  b.line(cat(result, " = nn.rope ", x->name, ", ", table, "#0, ", table, "#1 : ", x->typeText(),
             ", ", tableType));
  b.define(result, x->shape, x->type, inexact(2 * x->bounds.max, 2 * x->bounds.error, x->type));
  return true;
}

static bool addAttention(ProgramBuilder &b) {
  Element type = b.oneIn(2) ? b.floatType() : Element::F32;
  if (type == Element::F64)
    type = Element::F32;
  int64_t batch = b.pick(1, 3), kvHeads = b.pick(1, 4), group = b.pick(1, 3);
  int64_t length = b.pick(1, 4), positions = length + b.pick(0, 4), size = b.pick(1, 3) * 2;
  bool isBidirectional = b.oneIn(3);
  Value query = b.make({batch, length, kvHeads, group, size}, type);
  Value key = b.make({batch, kvHeads, positions, size}, type);
  Value value = b.oneIn(4) ? key : b.make({batch, kvHeads, positions, size}, type);
  if (query.bounds.special || key.bounds.special || value.bounds.special)
    return true;
  // A row's queries, or with `bidirectional` what it may see, end in the cache.
  Value pos = isBidirectional ? b.indices({batch}, Element::I64, positions)
                              : b.indices({batch}, Element::I64, positions - length);
  if (isBidirectional) {
    // At least one position is seen.
    Value one = b.filled({batch}, Element::I64, "1");
    std::string least = b.fresh();
    b.line(cat(least, " = arith.maxsi ", pos.name, ", ", one.name, " : ", pos.typeText()));
    pos.name = least;
  }
  std::string result = b.fresh();
  b.line(cat(result, " = nn.attention ", query.name, ", ", key.name, ", ", value.name, ", ",
             pos.name, isBidirectional ? " bidirectional" : "", " scale 0.25 ",
             !isBidirectional && b.oneIn(3) ? cat("window ", b.pick(1, positions), " ") : "", ": ",
             query.typeText(), ", ", key.typeText(), ", ", pos.typeText()));
  // By how much errors move the weights of a row, which sum up to 1.
  double moved =
      0.5 * size * (query.bounds.max * key.bounds.error + key.bounds.max * query.bounds.error);
  b.define(result, query.shape, type,
           inexact(value.bounds.max, value.bounds.error + moved * value.bounds.max, type));
  return true;
}

static bool addCacheUpdate(ProgramBuilder &b) {
  Element type = b.floatType();
  int64_t batch = b.pick(1, 3), heads = b.pick(1, 4), length = b.pick(1, 3), size = b.pick(1, 4);
  int64_t positions = length + b.pick(0, 4);
  Value cache = b.make({batch, heads, positions, size}, type);
  Value update = b.make({batch, length, heads, size}, type);
  Value pos = b.indices({batch}, Element::I64, positions - length);
  std::string result = b.fresh();
  b.line(cat(result, " = nn.cache_update ", cache.name, ", ", update.name, ", ", pos.name, " : ",
             cache.typeText(), ", ", update.typeText(), ", ", pos.typeText()));
  b.define(result, cache.shape, type, eitherOf(cache.bounds, update.bounds));
  return true;
}

static constexpr OpEntry kSamples[] = {
    {"norm", 3, addNorm},
    {"nn.embedding", 2, addEmbedding},
    {"nn.argmax", 1, addNNArgmax},
    {"nn.top_k", 1, addNNTopK},
    {"nn.sample", 1, addSample},
    {"nn.rope", 1, addRope},
    {"nn.attention", 1, addAttention},
    {"nn.cache_update", 1, addCacheUpdate},
};

ArrayRef<OpEntry> nn::getSamples() { return kSamples; }
