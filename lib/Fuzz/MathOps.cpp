//===- MathOps.cpp - Elementwise ops with a domain or several results ------===//

#include "OpTable.h"

#include <cmath>

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

static std::optional<Value> findExact(ProgramBuilder &b, double max = 4000) {
  return b.find(
      [&](const Value &v) { return isFloat(v.type) && v.isExact() && v.bounds.max <= max; });
}

/// An op whose result has the shape of its operands.
static std::string apply(ProgramBuilder &b, StringRef op, const std::string &operands,
                         const std::string &types) {
  std::string result = b.fresh();
  b.line(cat(result, " = ", op, " ", operands, " : ", types));
  return result;
}

/// Steep, or not defined everywhere: of a value that all ranks have the bits of.
bool fuzz::addPartialFunction(ProgramBuilder &b) {
  StringRef op =
      b.of<StringRef>({"math.acos", "math.asin", "math.atanh", "math.acosh", "math.tan"});
  bool isTan = op == "math.tan";
  std::optional<Value> x = findExact(b, /*max=*/4);
  // Quarters stay away from where it is infinite.
  if (!x || (isTan && x->bounds.fraction > 2))
    return false;
  std::string result = apply(b, op, x->name, x->typeText());
  // Outside of the domain it is NaN.
  Bounds bounds = rounded({16, -1, 0, x->bounds.special || !isTan}, x->type);
  b.define(result, x->shape, x->type, bounds);
  return true;
}

/// Of two or three floats.
bool fuzz::addFloatFunction(ProgramBuilder &b) {
  StringRef op = b.of<StringRef>(
      {"math.fma", "math.clampf", "math.copysign", "math.atan2", "arith.remf", "math.fpowi"});
  bool jumps = op == "arith.remf";
  std::optional<Value> x = b.find([&](const Value &v) {
    return isFloat(v.type) && v.bounds.max <= 50 && (!jumps || v.isExact());
  });
  if (!x)
    return false;
  std::string type = x->typeText();
  auto give = [&](const std::string &operands, const std::string &types, Bounds bounds) {
    b.define(apply(b, op, operands, types), x->shape, x->type, bounds);
    return true;
  };
  if (op == "math.fpowi") {
    int64_t power = b.pick(0, 2);
    Value exponent = b.filled(x->shape, Element::I32, cat(power));
    Bounds bounds = power == 0   ? Bounds{1, 0, 0, false}
                    : power == 1 ? x->bounds
                                 : productOf(x->bounds, x->bounds, x->type);
    return give(cat(x->name, ", ", exponent.name), cat(type, ", ", exponent.typeText()), bounds);
  }
  bool signIsRead = jumps || op == "math.copysign";
  Value y = b.get(x->shape, x->type, signIsRead);
  if (y.bounds.max > 50)
    return false;
  std::string both = cat(x->name, ", ", y.name);
  bool special = x->bounds.special || y.bounds.special;
  if (op == "math.copysign")
    // A sum may be either zero.
    return x->isExact() && give(both, type, {x->bounds.max, x->bounds.fraction, 0, special});
  if (op == "math.atan2") {
    // Upstream folds that of two zeros to NaN.
    Value one = b.filled(x->shape, x->type, "1.0");
    std::string abs = apply(b, "math.absf", y.name, type);
    std::string positive = apply(b, "arith.addf", cat(abs, ", ", one.name), type);
    Bounds second = sumOf(y.bounds, one.bounds, x->type);
    return give(cat(x->name, ", ", positive), type,
                rounded({2, -1, x->bounds.error + second.error, special}, x->type));
  }
  if (op == "arith.remf") {
    Bounds bounds = eitherOf(x->bounds, y.bounds);
    // By zero it is NaN.
    bounds.special = true;
    return give(both, type, bounds);
  }
  Value z = b.get(x->shape, x->type);
  if (op == "math.fma")
    return z.bounds.max <= 1000 &&
           give(cat(both, ", ", z.name), type,
                sumOf(productOf(x->bounds, y.bounds, x->type), z.bounds, x->type));
  // The ends are in order.
  std::string high = apply(b, "arith.maximumf", cat(y.name, ", ", z.name), type);
  return give(cat(x->name, " to [", y.name, ", ", high, "]"), type,
              eitherOf(x->bounds, eitherOf(y.bounds, z.bounds)));
}

/// Whether a float is finite, NaN and so on.
bool fuzz::addClassify(ProgramBuilder &b) {
  std::optional<Value> x = findExact(b);
  if (!x)
    return false;
  StringRef op = b.of<StringRef>({"math.isfinite", "math.isnan", "math.isinf", "math.isnormal"});
  b.define(apply(b, op, x->name, x->typeText()), x->shape, Element::I1);
  return true;
}

/// Ops of two results, and of integers that no other entry has.
bool fuzz::addPair(ProgramBuilder &b) {
  std::string result = b.fresh();
  if (b.oneIn(3)) {
    std::optional<Value> x = b.find([](const Value &v) { return isFloat(v.type); });
    if (!x)
      return false;
    b.line(cat(result, ":2 = math.sincos ", x->name, " : ", x->typeText()));
    for (StringRef part : {"#0", "#1"})
      b.define(cat(result, part), x->shape, x->type,
               rounded({1, -1, x->bounds.error, x->bounds.special}, x->type));
    return true;
  }
  std::optional<Value> x = b.find([](const Value &v) {
    return !isFloat(v.type) && v.type != Element::I1 && v.type != Element::Index;
  });
  if (!x)
    return false;
  StringRef op = b.of<StringRef>({"arith.addui_extended", "arith.mulsi_extended",
                                  "arith.mului_extended", "math.ipowi", "arith.ceildivui"});
  if (op == "math.ipowi" || op == "arith.ceildivui") {
    Value y = b.filled(x->shape, x->type, cat(b.pick(1, 3)));
    b.define(apply(b, op, cat(x->name, ", ", y.name), x->typeText()), x->shape, x->type);
    return true;
  }
  Value y = b.get(x->shape, x->type);
  bool isSum = op == "arith.addui_extended";
  Element second = isSum ? Element::I1 : x->type;
  b.line(cat(result, ":2 = ", op, " ", x->name, ", ", y.name, " : ", x->typeText(),
             isSum ? cat(", ", typeText(x->shape, second)) : ""));
  b.define(result + "#0", x->shape, x->type);
  b.define(result + "#1", x->shape, second);
  return true;
}

/// The bits of small integers as floats, and back.
bool fuzz::addBitcast(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) { return v.type == Element::I32; });
  if (!x)
    return false;
  StringRef op = b.of<StringRef>({"arith.bitcast", "tensor.bitcast"});
  Value mask = b.filled(x->shape, Element::I32, "255");
  std::string floats = typeText(x->shape, Element::F32);
  std::string small = apply(b, "arith.andi", cat(x->name, ", ", mask.name), x->typeText());
  std::string bits = apply(b, op, small, cat(x->typeText(), " to ", floats));
  // As they are, or with the sign changed.
  if (b.oneIn(2))
    bits = apply(b, "arith.negf", bits, floats);
  b.define(apply(b, op, bits, cat(floats, " to ", x->typeText())), x->shape, Element::I32);
  return true;
}
