//===- ElementwiseOps.cpp - Ops on each element alone ----------------------===//

#include "OpTable.h"

#include <cmath>

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

/// Larger numbers are not made.
static constexpr double kLargest = 4000;

static std::optional<Value> findFloat(ProgramBuilder &b,
                                      llvm::function_ref<bool(const Value &)> fits) {
  return b.find([&](const Value &v) { return isFloat(v.type) && fits(v); });
}
static std::optional<Value> findInteger(ProgramBuilder &b) {
  return b.find([](const Value &v) { return !isFloat(v.type); });
}

static void define(ProgramBuilder &b, StringRef op, ArrayRef<Value> operands, Bounds bounds,
                   StringRef flags = "") {
  SmallVector<std::string> names;
  for (const Value &operand : operands)
    names.push_back(operand.name);
  const Value &x = operands.front();
  std::string result = b.fresh();
  b.line(cat(result, " = ", op, " ", join(names), flags, " ", b.nameAttribute(x.shape), ": ",
             x.typeText()));
  b.define(result, x.shape, x.type, bounds);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

namespace {
/// What an op of one float needs and gives.
enum class Needs {
  Any,      ///< at most as steep as the identity
  Bounded,  ///< |x| <= 4
  Exact,    ///< a value that rounding has not touched: it jumps
  Positive, ///< is given |x| + 1
};
struct Unary {
  StringRef name;
  Needs needs;
  /// Largest magnitude of the result; 0: that of the operand.
  double max;
  bool rounds;
};
} // namespace

static constexpr Unary kUnary[] = {
    {"arith.negf", Needs::Any, 0, false},     {"math.absf", Needs::Any, 0, false},
    {"math.tanh", Needs::Any, 1, true},       {"math.sin", Needs::Any, 1, true},
    {"math.cos", Needs::Any, 1, true},        {"math.erf", Needs::Any, 1, true},
    {"math.atan", Needs::Any, 2, true},       {"math.exp", Needs::Bounded, 55, true},
    {"math.exp2", Needs::Bounded, 16, true},  {"math.expm1", Needs::Bounded, 54, true},
    {"math.floor", Needs::Exact, 0, false},   {"math.ceil", Needs::Exact, 0, false},
    {"math.round", Needs::Exact, 0, false},   {"math.roundeven", Needs::Exact, 0, false},
    {"math.trunc", Needs::Exact, 0, false},   {"math.sqrt", Needs::Positive, 64, true},
    {"math.rsqrt", Needs::Positive, 1, true}, {"math.log", Needs::Positive, 9, true},
    {"math.log2", Needs::Positive, 13, true}, {"math.log1p", Needs::Positive, 9, true},
    {"math.log10", Needs::Positive, 4, true}, {"math.cbrt", Needs::Positive, 16, true},
    {"math.asinh", Needs::Any, 10, true},     {"math.erfc", Needs::Any, 2, true},
    {"math.sinh", Needs::Bounded, 28, true},  {"math.cosh", Needs::Bounded, 28, true},
};

bool fuzz::addFloatUnary(ProgramBuilder &b) {
  Unary op = kUnary[b.pick(0, std::size(kUnary) - 1)];
  std::optional<Value> x = findFloat(b, [&](const Value &v) {
    return (op.needs != Needs::Exact || v.isExact()) &&
           (op.needs != Needs::Bounded || v.bounds.max <= 4);
  });
  if (!x)
    return false;
  Bounds bounds = x->bounds;
  if (op.needs == Needs::Positive) {
    std::string abs = b.fresh(), sum = b.fresh();
    b.line(cat(abs, " = math.absf ", x->name, " : ", x->typeText()));
    Value one = b.filled(x->shape, x->type, "1.0");
    b.line(cat(sum, " = arith.addf ", abs, ", ", one.name, " : ", x->typeText()));
    x->name = sum;
    bounds = sumOf(bounds, one.bounds, x->type);
  }
  if (op.needs == Needs::Bounded)
    bounds.error *= op.max;
  if (op.needs == Needs::Exact)
    bounds.max += 1;
  if (op.max > 0)
    bounds.max = op.max;
  if (op.rounds) {
    bounds.fraction = -1;
    bounds = rounded(bounds, x->type);
  }
  define(b, op.name, *x, bounds);
  return true;
}

bool fuzz::addFloatBinary(ProgramBuilder &b) {
  std::optional<Value> x = findFloat(b, [](const Value &) { return true; });
  if (!x)
    return false;
  Value y = b.get(x->shape, x->type);
  StringRef op = b.of<StringRef>({"arith.addf", "arith.subf", "arith.mulf", "arith.maximumf",
                                  "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.divf",
                                  "arith.addf", "arith.mulf", "arith.addf"});
  Bounds bounds = eitherOf(x->bounds, y.bounds);
  if (op == "arith.addf" || op == "arith.subf")
    bounds = sumOf(x->bounds, y.bounds, x->type);
  if (op == "arith.mulf")
    bounds = productOf(x->bounds, y.bounds, x->type);
  if (op == "arith.divf") {
    // By |y| + 1, which is at least 1.
    std::string abs = b.fresh(), sum = b.fresh();
    b.line(cat(abs, " = math.absf ", y.name, " : ", x->typeText()));
    Value one = b.filled(x->shape, x->type, "1.0");
    b.line(cat(sum, " = arith.addf ", abs, ", ", one.name, " : ", x->typeText()));
    Bounds divisor = sumOf(y.bounds, one.bounds, x->type);
    y.name = sum;
    bounds = {x->bounds.max, -1, x->bounds.error + x->bounds.max * divisor.error,
              x->bounds.special || y.bounds.special};
    bounds = rounded(bounds, x->type);
  }
  if (bounds.max > kLargest)
    return false;
  define(b, op, {*x, y}, bounds);
  return true;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

bool fuzz::addIntegerUnary(ProgramBuilder &b) {
  std::optional<Value> x = findInteger(b);
  if (!x)
    return false;
  if (x->type != Element::Index && b.oneIn(2)) {
    define(b, b.of<StringRef>({"math.ctpop", "math.ctlz", "math.cttz"}), *x, {});
    return true;
  }
  if (x->type == Element::Index || x->type == Element::I1)
    return false;
  define(b, "math.absi", *x, {});
  return true;
}

bool fuzz::addIntegerBinary(ProgramBuilder &b) {
  std::optional<Value> x = findInteger(b);
  if (!x)
    return false;
  StringRef op =
      b.of<StringRef>({"arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori",
                       "arith.xori", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui",
                       "arith.remsi", "arith.remui", "arith.divsi", "arith.divui", "arith.shli",
                       "arith.shrsi", "arith.shrui", "arith.floordivsi", "arith.ceildivsi"});
  Value y;
  if (op.contains("div") || op.contains("rem")) {
    if (x->type == Element::I1)
      return false;
    y = b.filled(x->shape, x->type, cat(b.pick(1, 5)));
  } else if (op.contains("sh")) {
    if (x->type == Element::I1)
      return false;
    y = b.filled(x->shape, x->type, cat(b.pick(0, 5)));
  } else {
    y = b.get(x->shape, x->type);
  }
  define(b, op, {*x, y}, {});
  return true;
}

//===----------------------------------------------------------------------===//
// Mixed
//===----------------------------------------------------------------------===//

bool fuzz::addCompare(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) { return v.isExact(); });
  if (!x)
    return false;
  Value y = b.get(x->shape, x->type, /*mustBeExact=*/true);
  StringRef op = isFloat(x->type) ? "arith.cmpf" : "arith.cmpi";
  StringRef predicate =
      isFloat(x->type)
          ? b.of<StringRef>({"olt", "oge", "oeq", "une", "uno", "ord", "ult", "ogt", "ueq"})
          : b.of<StringRef>({"eq", "ne", "slt", "sge", "ult", "uge", "sgt", "ule"});
  std::string result = b.fresh();
  b.line(cat(result, " = ", op, " ", predicate, ", ", x->name, ", ", y.name, " : ", x->typeText()));
  b.define(result, x->shape, Element::I1);
  return true;
}

bool fuzz::addSelect(ProgramBuilder &b) {
  Value x = b.any(), y = b.get(x.shape, x.type);
  std::string result = b.fresh();
  if (b.oneIn(4)) {
    std::string condition = b.scalarArgument(Element::I1, 1);
    b.line(cat(result, " = arith.select ", condition, ", ", x.name, ", ", y.name, " : ",
               x.typeText()));
  } else {
    Value mask = b.get(x.shape, Element::I1);
    b.line(cat(result, " = arith.select ", mask.name, ", ", x.name, ", ", y.name, " : ",
               mask.typeText(), ", ", x.typeText()));
  }
  b.define(result, x.shape, x.type, eitherOf(x.bounds, y.bounds));
  return true;
}

/// The op that converts, or nothing where rounding may jump or nothing fits.
static StringRef getCast(const Value &x, Element to) {
  if (isFloat(x.type) && isFloat(to)) {
    unsigned from = isNarrowFloat(x.type) ? 16 : x.type == Element::F32 ? 32 : 64;
    unsigned width = isNarrowFloat(to) ? 16 : to == Element::F32 ? 32 : 64;
    return width == from ? "" : width > from ? "arith.extf" : "arith.truncf";
  }
  if (isFloat(x.type))
    return x.isExact() && !x.bounds.special && x.bounds.max < 100 && widthOf(to) >= 8 &&
                   to != Element::Index
               ? "arith.fptosi"
               : "";
  if (isFloat(to))
    return x.type == Element::Index ? "" : x.type == Element::I1 ? "arith.uitofp" : "arith.sitofp";
  if (x.type == Element::Index || to == Element::Index)
    return x.type == to ? "" : "arith.index_cast";
  if (widthOf(to) == widthOf(x.type))
    return "";
  return widthOf(to) < widthOf(x.type) ? "arith.trunci" : "arith.extsi";
}

bool fuzz::addCast(ProgramBuilder &b) {
  Value x = b.any();
  Element to = b.of({Element::F32, Element::F64, Element::BF16, Element::F16, Element::I32,
                     Element::I64, Element::I8, Element::Index, Element::F32, Element::I1});
  StringRef op = getCast(x, to);
  if (op.empty())
    return false;
  if (op == "arith.extsi" && b.oneIn(2))
    op = "arith.extui";
  if (op == "arith.index_cast" && b.oneIn(2))
    op = "arith.index_castui";
  if (op == "arith.fptosi" && b.oneIn(2)) {
    op = "arith.fptoui";
    std::string abs = b.fresh();
    b.line(cat(abs, " = math.absf ", x.name, " : ", x.typeText()));
    x.name = abs;
  }
  Bounds bounds = rounded(x.bounds, to);
  if (!isFloat(x.type) && isFloat(to)) {
    // Any number of the type, made small.
    if (x.type != Element::I1) {
      Value five = b.filled(x.shape, x.type, "5");
      std::string small = b.fresh();
      b.line(cat(small, " = arith.remsi ", x.name, ", ", five.name, " : ", x.typeText()));
      x.name = small;
    }
    bounds = {4, 0, 0, false};
  }
  std::string result = b.fresh();
  b.line(cat(result, " = ", op, " ", x.name, " ", b.nameAttribute(x.shape), ": ", x.typeText(),
             " to ", typeText(x.shape, to)));
  b.define(result, x.shape, to, bounds);
  return true;
}

//===----------------------------------------------------------------------===//
// linalg's elementwise ops
//===----------------------------------------------------------------------===//

namespace {
/// A named op: `linalg.NAME`, or `linalg.elementwise kind=#linalg.elementwise_kind<NAME>`.
struct Named {
  StringRef name;
  unsigned operands;
  bool integers;
};
} // namespace

static constexpr Named kNamed[] = {
    {"add", 2, true},   {"mul", 2, true},          {"sub", 2, true},    {"max", 2, true},
    {"min", 2, true},   {"negf", 1, false},        {"abs", 1, false},   {"tanh", 1, false},
    {"erf", 1, false},  {"square", 1, false},      {"exp", 1, false},   {"floor", 1, false},
    {"ceil", 1, false}, {"round", 1, false},       {"select", 3, true}, {"div", 2, false},
    {"sqrt", 1, false}, {"rsqrt", 1, false},       {"log", 1, false},   {"reciprocal", 1, false},
    {"powf", 2, false}, {"div_unsigned", 2, true},
};

/// The operands of a named op and bounds of its result; none where they do not fit.
static std::optional<SmallVector<Value>> getNamedOperands(ProgramBuilder &b, const Named &op,
                                                          Bounds &bounds) {
  StringRef name = op.name;
  bool jumps = name == "floor" || name == "ceil" || name == "round";
  bool isBounded = name == "exp";
  std::optional<Value> x = b.find([&](const Value &v) {
    return (isFloat(v.type) ? name != "div_unsigned" : op.integers) && (!jumps || v.isExact()) &&
           (!isBounded || v.bounds.max <= 4) &&
           // Upstream has no body for these types.
           v.type != Element::Index &&
           ((name != "select" && name != "sub") || v.type != Element::I1);
  });
  if (!x)
    return std::nullopt;
  Element type = x->type;
  bounds = x->bounds;
  auto inexact = [&](double max, double steepness = 1) {
    bounds = rounded({max, -1, bounds.error * steepness, bounds.special}, type);
  };
  auto positive = [&](Value value) {
    std::string abs = b.fresh(), sum = b.fresh();
    b.line(cat(abs, " = math.absf ", value.name, " : ", value.typeText()));
    Value one = b.filled(value.shape, type, "1.0");
    b.line(cat(sum, " = arith.addf ", abs, ", ", one.name, " : ", value.typeText()));
    value.name = sum;
    value.bounds = sumOf(value.bounds, one.bounds, type);
    return value;
  };
  if (op.operands == 3) {
    Value mask = b.get(x->shape, Element::I1), y = b.get(x->shape, type);
    bounds = eitherOf(bounds, y.bounds);
    return SmallVector<Value>{mask, *x, y};
  }
  if (op.operands == 1) {
    if (name == "tanh" || name == "erf")
      inexact(1);
    else if (name == "exp")
      inexact(55, 55);
    else if (name == "square")
      bounds = productOf(bounds, bounds, type);
    else if (jumps)
      bounds.max += 1;
    else if (name == "sqrt" || name == "rsqrt" || name == "log" || name == "reciprocal") {
      *x = positive(*x);
      bounds = x->bounds;
      inexact(64);
    }
    return SmallVector<Value>{*x};
  }
  if (name == "div_unsigned") {
    if (type == Element::I1)
      return std::nullopt;
    return SmallVector<Value>{*x, b.filled(x->shape, type, cat(b.pick(1, 5)))};
  }
  Value y = b.get(x->shape, type);
  if (name == "powf") {
    if (x->bounds.max > 2 || y.bounds.max > 2)
      return std::nullopt;
    *x = positive(*x);
    bounds = {9, -1, 30 * (x->bounds.error + y.bounds.error),
              x->bounds.special || y.bounds.special};
    bounds = rounded(bounds, type);
    return SmallVector<Value>{*x, y};
  }
  if (name == "div") {
    y = positive(y);
    bounds = rounded({x->bounds.max, -1, x->bounds.error + x->bounds.max * y.bounds.error,
                      x->bounds.special || y.bounds.special},
                     type);
  } else if (name == "mul") {
    bounds = productOf(x->bounds, y.bounds, type);
  } else if (name == "max" || name == "min") {
    bounds = eitherOf(x->bounds, y.bounds);
  } else {
    bounds = sumOf(x->bounds, y.bounds, type);
  }
  return SmallVector<Value>{*x, y};
}

static void defineNamed(ProgramBuilder &b, const std::string &op, ArrayRef<Value> operands,
                        const std::string &attributes, Bounds bounds) {
  const Value &x = operands.back();
  SmallVector<std::string> names, types;
  for (const Value &operand : operands) {
    names.push_back(operand.name);
    types.push_back(operand.typeText());
  }
  std::string out = b.empty(x.shape, x.type), result = b.fresh();
  b.line(cat(result, " = ", op, attributes, " ins(", join(names), " : ", join(types), ") outs(",
             out, " : ", x.typeText(), ") -> ", x.typeText()));
  b.define(result, x.shape, x.type, bounds);
}

bool fuzz::addNamedElementwise(ProgramBuilder &b) {
  const Named &op = kNamed[b.pick(0, std::size(kNamed) - 1)];
  Bounds bounds;
  std::optional<SmallVector<Value>> operands = getNamedOperands(b, op, bounds);
  if (!operands || bounds.max > kLargest)
    return false;
  std::string name = b.nameAttribute(operands->back().shape);
  defineNamed(b, cat("linalg.", op.name), *operands, name.empty() ? "" : " " + name, bounds);
  return true;
}

/// linalg.elementwise, whose operands may be broadcast or transposed by its maps.
bool fuzz::addElementwise(ProgramBuilder &b) {
  const Named &op = kNamed[b.pick(0, 14)];
  Bounds bounds;
  std::optional<SmallVector<Value>> operands = getNamedOperands(b, op, bounds);
  if (!operands || bounds.max > kLargest)
    return false;
  StringRef kind = op.name == "max" ? "max_signed" : op.name == "min" ? "min_signed" : op.name;
  std::string maps;
  unsigned rank = operands->back().rank();
  if (b.oneIn(3)) {
    std::string map = mapText(rank, dimsText(firstLoops(rank)));
    SmallVector<std::string> all(operands->size() + 1, map);
    maps = cat(" indexing_maps = [", join(all), "]");
  }
  defineNamed(b, "linalg.elementwise", *operands,
              cat(" kind=#linalg.elementwise_kind<", kind, ">", maps), bounds);
  return true;
}

bool fuzz::addMap(ProgramBuilder &b) {
  Value x = b.any(), y = b.get(x.shape, x.type);
  bool isProduct = isFloat(x.type) && b.oneIn(2);
  Bounds bounds =
      isProduct ? productOf(x.bounds, y.bounds, x.type) : sumOf(x.bounds, y.bounds, x.type);
  if (bounds.max > kLargest)
    return false;
  std::string out = b.empty(x.shape, x.type), result = b.fresh();
  b.line(cat(result, " = linalg.map { ",
             !isFloat(x.type) ? "arith.addi"
             : isProduct      ? "arith.mulf"
                              : "arith.addf",
             " } ins(", x.name, ", ", y.name, " : ", x.typeText(), ", ", y.typeText(), ") outs(",
             out, " : ", x.typeText(), ")"));
  b.define(result, x.shape, x.type, bounds);
  return true;
}
