//===- ComposedOps.cpp - Reductions whose bodies compute -------------------===//
//
// Bodies that are by no kind of reduction: affine in their accumulators over a semiring,
// associative polynomials, the known monoids, choices; alone, or beside each other. Most
// of them compose over blocks, some do not and are gathered (lib/Interfaces/Composition.h).
//
// NaN, -0 and infinities are among the elements, but for infinite factors: what they give
// depends on how sums are grouped (docs/Plan.md).
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include <cmath>
#include <functional>

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

namespace {

/// A value of a body: how large it may be, inputs being what they are, and by how much
/// that may be off.
struct Size {
  double max = 0, error = 0;

  Size operator+(Size other) const { return {max + other.max, error + other.error}; }
  Size operator*(Size other) const {
    return {max * other.max, max * other.error + other.max * error + error * other.error};
  }
  static Size either(Size a, Size b) {
    return {std::max(a.max, b.max), std::max(a.error, b.error)};
  }
};

/// Writes the body of a reduction.
class BodyWriter {
public:
  BodyWriter(ProgramBuilder &b, Element type) : b(b), type(type) {}

  /// Makes inputs, which have all loops or the reductions only, and chooses the loops.
  bool begin();
  /// Accumulators that depend on one another.
  void addGroup();
  bool finish();

private:
  using Step = std::function<SmallVector<Size>(ArrayRef<Size>)>;

  std::string fresh() { return cat("%t", next++); }
  std::string op(StringRef name, const std::string &a, const std::string &c) {
    std::string result = fresh();
    body += cat(result, " = ", name, " ", a, ", ", c, " : ", nameOf(type), "\n");
    return result;
  }
  std::string op(StringRef name, const std::string &a) {
    std::string result = fresh();
    body += cat(result, " = ", name, " ", a, " : ", nameOf(type), "\n");
    return result;
  }
  std::string number(StringRef text) {
    std::string result = fresh();
    body += cat(result, " = arith.constant ", text,
                type == Element::I1 ? "" : cat(" : ", nameOf(type)), "\n");
    return result;
  }
  /// Of two operands in either order.
  std::string either(StringRef name, const std::string &a, const std::string &c) {
    return b.oneIn(2) ? op(name, a, c) : op(name, c, a);
  }
  /// An element, and what is known of it. Where it may not be, it is no infinity of the sign
  /// (1, -1; 0: of both), but may be NaN.
  struct ElementValue {
    std::string name;
    Size size;
  };
  ElementValue element();
  ElementValue finite(int sign = 0);
  /// Finite, and at most a half, so that sums of products stay small.
  ElementValue factor();

  /// The next accumulator.
  std::string accumulator(StringRef init);
  std::string accumulator(const Value &init);
  /// What it may begin with.
  Value start();
  StringRef zeroText() const { return isFloat(type) ? "0.0" : type == Element::I1 ? "false" : "0"; }
  StringRef oneText() const { return isFloat(type) ? "1.0" : type == Element::I1 ? "true" : "1"; }
  /// What the accumulator is next, at the end of a group.
  void yield(ArrayRef<std::string> values, const Step &step, double roundings = 1);

  void addAffine();
  void addPolynomial();
  void addScaledSums();
  void addLogSum();
  void addMoments();
  void addChoice();
  void addKind();
  void addSigns(const Value &value);

  ProgramBuilder &b;
  Element type;
  Generic generic;
  Shape outLoops, shape;
  int64_t steps = 1;
  std::string body;
  unsigned next = 0;
  bool isSpecial = false, isTooLarge = false, chooses = false;
  /// Whether nothing is computed of what is reduced, so that zeros keep their signs.
  bool isPlain = false;
};

} // namespace

static unsigned longest(ArrayRef<int64_t> sizes) {
  return llvm::max_element(sizes) - sizes.begin();
}

bool BodyWriter::begin() {
  std::optional<Value> first =
      b.find([&](const Value &v) { return v.type == type && v.rank() >= 1 && v.rank() <= 3; });
  // Long enough that parts of blocks are less than elements.
  if (!first || b.oneIn(2)) {
    Shape sizes = {b.of<int64_t>({5, 11, 16, 24, 40})};
    if (b.oneIn(2))
      sizes.insert(sizes.begin() + b.pick(0, 1), b.pick(1, 3));
    first = b.makeCut(sizes, type, longest(sizes));
    isPlain = b.oneIn(2);
  }
  unsigned rank = first->rank(), must = longest(first->shape);
  generic.loops = rank;
  Shape reduced, reducedShape;
  for (unsigned d = 0; d < rank; ++d) {
    bool reduces = d == must || b.oneIn(5);
    generic.iterators += reduces ? 'r' : 'p';
    (reduces ? reduced : outLoops).push_back(d);
    (reduces ? reducedShape : shape).push_back(first->shape[d]);
    if (reduces)
      steps *= first->shape[d];
  }
  generic.inputs = {*first};
  generic.inputMaps = {dimsText(firstLoops(rank))};
  for (int64_t i = 0, n = b.pick(0, 2); i < n; ++i) {
    bool isWhole = b.oneIn(2);
    ArrayRef<int64_t> inputShape = isWhole ? first->shape : reducedShape;
    generic.inputs.push_back(isPlain ? b.makeCut(inputShape, type, longest(inputShape))
                                     : b.get(inputShape, type));
    generic.inputMaps.push_back(dimsText(isWhole ? firstLoops(rank) : reduced));
  }
  for (const Value &input : generic.inputs)
    isSpecial |= input.bounds.special;
  return true;
}

BodyWriter::ElementValue BodyWriter::element() {
  size_t i = b.pick(0, generic.inputs.size() - 1);
  Bounds bounds = generic.inputs[i].bounds;
  return {cat("%x", i), {bounds.max, bounds.error}};
}

BodyWriter::ElementValue BodyWriter::finite(int sign) {
  ElementValue value = element();
  if (!isFloat(type) || !isSpecial)
    return value;
  std::string one = number("1.0");
  for (bool isLowest : {false, true}) {
    if (sign == (isLowest ? 1 : -1))
      continue;
    std::string infinity = number(extremeText(type, isLowest)), is = fresh(), result = fresh();
    body +=
        cat(is, " = arith.cmpf oeq, ", value.name, ", ", infinity, " : ", nameOf(type), "\n",
            result, " = arith.select ", is, ", ", one, ", ", value.name, " : ", nameOf(type), "\n");
    value.name = result;
  }
  value.size.max = std::max(value.size.max, 1.0);
  return value;
}

BodyWriter::ElementValue BodyWriter::factor() {
  ElementValue value = finite();
  double scale = 1;
  while (isFloat(type) && value.size.max * scale > 0.5)
    scale /= 2;
  if (scale < 1) {
    value.name = op("arith.mulf", value.name, number(cat(scale)));
    value.size = value.size * Size{scale, 0};
  }
  return value;
}

Value BodyWriter::start() {
  if (isSpecial && isFloat(type) && b.oneIn(3)) {
    Value value = b.filled(shape, type, extremeText(type, /*isLowest=*/b.oneIn(2)));
    value.bounds.special = true;
    return value;
  }
  if (!isPlain)
    return b.get(shape, type);
  return b.filled(shape, type,
                  isFloat(type) ? b.of<StringRef>({"-0.0", "0.0", "2.0"}) : zeroText());
}

std::string BodyWriter::accumulator(StringRef init) {
  return accumulator(b.filled(shape, type, init));
}

std::string BodyWriter::accumulator(const Value &init) {
  generic.inits.push_back(init);
  generic.initMaps.push_back(dimsText(outLoops));
  isSpecial |= init.bounds.special;
  return cat("%o", generic.inits.size() - 1);
}

/// `step` says what becomes of the sizes of the group's accumulators.
void BodyWriter::yield(ArrayRef<std::string> values, const Step &step, double roundings) {
  size_t begin = generic.inits.size() - values.size();
  llvm::append_range(generic.yields, values);
  SmallVector<Size> sizes;
  for (const Value &init : ArrayRef(generic.inits).drop_front(begin))
    sizes.push_back({std::max(init.bounds.max, 1.0), init.bounds.error});
  double most = 1;
  for (int64_t i = 0; i < steps; ++i) {
    sizes = step(sizes);
    for (Size size : sizes)
      most = std::max(most, size.max);
  }
  constexpr double kLargest = 4000;
  isTooLarge |= isFloat(type) && most > kLargest;
  Bounds unit;
  unit.max = most;
  unit.fraction = -1;
  double rounding = rounded(unit, type).error;
  for (Size size : sizes) {
    Bounds bounds;
    bounds.max = most;
    bounds.fraction = -1;
    bounds.error = size.error + roundings * 8 * (steps + 1) * rounding;
    generic.bounds.push_back(isFloat(type) ? bounds : Bounds());
  }
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace {
struct Ring {
  StringRef plus, times;
  bool floats;
};
} // namespace

static constexpr Ring kRings[] = {
    {"arith.addf", "arith.mulf", true},         {"arith.maximumf", "arith.addf", true},
    {"arith.minimumf", "arith.addf", true},     {"arith.maximumf", "arith.minimumf", true},
    {"arith.minimumf", "arith.maximumf", true}, {"arith.addi", "arith.muli", false},
    {"arith.maxsi", "arith.minsi", false},      {"arith.maxui", "arith.minui", false},
    {"arith.xori", "arith.andi", false},        {"arith.ori", "arith.andi", false},
    {"arith.andi", "arith.ori", false},         {"arith.maxsi", "arith.addi", false},
};

/// s_i = sum over some j of s_j * c + d.
void BodyWriter::addAffine() {
  const Ring &ring = isFloat(type) ? kRings[b.pick(0, 4)] : kRings[b.pick(5, 11)];
  bool isRing = ring.plus == "arith.addf" || ring.plus == "arith.addi",
       isTropical = ring.times == "arith.addf";
  unsigned n = b.pick(1, b.oneIn(2) ? 3 : 1);
  SmallVector<std::string> states, values;
  for (unsigned i = 0; i < n; ++i)
    states.push_back(b.oneIn(2) ? accumulator(start()) : accumulator(oneText()));
  struct Term {
    int of;
    Size factor;
  };
  SmallVector<SmallVector<Term>> terms(n);
  for (unsigned i = 0; i < n; ++i) {
    std::string sum;
    bool hasConstant = false;
    for (unsigned k = 0, count = b.pick(1, b.oneIn(3) ? 3 : 2); k < count; ++k) {
      std::string term;
      if (!hasConstant && b.oneIn(2)) {
        hasConstant = true;
        ElementValue value = element();
        term = value.name;
        terms[i].push_back({-1, value.size});
      } else {
        unsigned j = b.oneIn(2) ? i : b.pick(0, n - 1);
        term = states[j];
        Size factorSize = {1, 0};
        if (!b.oneIn(4)) {
          ElementValue value = !isFloat(type) ? element()
                               : isRing       ? factor()
                               : isTropical   ? finite(ring.plus == "arith.maximumf" ? -1 : 1)
                                              : element();
          factorSize = value.size;
          bool isOver = isTropical && b.oneIn(4);
          if (isOver) {
            value = finite();
            factorSize = value.size;
            term = op("arith.subf", term, value.name);
          } else {
            term = either(ring.times, term, value.name);
          }
        }
        if (isRing && isFloat(type) && b.oneIn(6))
          term = op("arith.negf", term);
        if (isRing && isFloat(type) && b.oneIn(6))
          term = op("arith.divf", term, number("2.0"));
        terms[i].push_back({int(j), factorSize});
      }
      sum = sum.empty()            ? term
            : isRing && b.oneIn(4) ? op(isFloat(type) ? "arith.subf" : "arith.subi", sum, term)
                                   : either(ring.plus, sum, term);
    }
    values.push_back(sum);
  }
  if (!isFloat(type) && n > 1 && b.oneIn(4)) {
    // What an element selects.
    std::string zero = number(type == Element::I1 ? "false" : "0"), is = fresh(), chosen = fresh();
    body += cat(is, " = arith.cmpi slt, ", element().name, ", ", zero, " : ", nameOf(type), "\n",
                chosen, " = arith.select ", is, ", ", values[0], ", ", values[1], " : ",
                nameOf(type), "\n");
    values[0] = chosen;
  }
  bool isLattice = !isRing && !isTropical;
  yield(
      values,
      [=](ArrayRef<Size> old) {
        SmallVector<Size> made;
        for (const SmallVector<Term> &sum : terms) {
          Size all;
          for (const Term &term : sum) {
            Size one = term.of < 0  ? term.factor
                       : isLattice  ? Size::either(old[term.of], term.factor)
                       : isTropical ? old[term.of] + term.factor
                                    : old[term.of] * term.factor;
            all = isRing ? all + one : Size::either(all, one);
          }
          made.push_back(all);
        }
        return made;
      },
      isLattice ? 0 : 2);
}

/// With elements in the place of accumulators.
void BodyWriter::addPolynomial() {
  StringRef add = isFloat(type) ? "arith.addf" : "arith.addi",
            sub = isFloat(type) ? "arith.subf" : "arith.subi",
            mul = isFloat(type) ? "arith.mulf" : "arith.muli";
  StringRef one = oneText(), zero = zeroText();
  auto sum = [&](const std::string &a, const std::string &c) { return either(add, a, c); };
  auto times = [&](const std::string &a, const std::string &c) { return either(mul, a, c); };
  switch (b.pick(0, 3)) {
  case 0: { // a + x + a * x
    std::string a = accumulator(zero);
    ElementValue x = factor();
    yield(
        {sum(sum(a, times(a, x.name)), x.name)},
        [=](ArrayRef<Size> s) { return SmallVector<Size>{s[0] + s[0] * x.size + x.size}; }, 4);
    return;
  }
  case 1: { // Of complex numbers.
    std::string re = accumulator(one), im = accumulator(zero);
    ElementValue x = factor(), y = factor();
    std::string first = op(sub, times(re, x.name), times(im, y.name)),
                second = sum(times(re, y.name), times(im, x.name));
    yield(
        {first, second},
        [=](ArrayRef<Size> s) {
          return SmallVector<Size>{s[0] * x.size + s[1] * y.size, s[0] * y.size + s[1] * x.size};
        },
        4);
    return;
  }
  case 2: { // Of affine maps.
    std::string scale = accumulator(one), offset = accumulator(zero);
    ElementValue x = factor(), y = finite();
    std::string first = times(scale, x.name), second = sum(times(offset, x.name), y.name);
    yield(
        {first, second},
        [=](ArrayRef<Size> s) { return SmallVector<Size>{s[0] * x.size, s[1] * x.size + y.size}; },
        4);
    return;
  }
  case 3: { // Of matrices of two rows.
    SmallVector<std::string> m, made;
    for (unsigned i = 0; i < 4; ++i)
      m.push_back(accumulator(i % 3 == 0 ? one : zero));
    SmallVector<ElementValue> e;
    for (unsigned i = 0; i < 4; ++i)
      e.push_back(factor());
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned j = 0; j < 2; ++j)
        made.push_back(sum(times(m[2 * i], e[j].name), times(m[2 * i + 1], e[2 + j].name)));
    yield(
        made,
        [=](ArrayRef<Size> s) {
          SmallVector<Size> next;
          for (unsigned i = 0; i < 2; ++i)
            for (unsigned j = 0; j < 2; ++j)
              next.push_back(s[2 * i] * e[j].size + s[2 * i + 1] * e[2 + j].size);
          return next;
        },
        4);
    return;
  }
  }
}

/// Sums that are scaled by a running maximum.
void BodyWriter::addScaledSums() {
  StringRef exp = b.oneIn(4) ? "math.exp2" : "math.exp",
            max = b.oneIn(3) ? "arith.maxnumf" : "arith.maximumf";
  unsigned n = b.pick(1, 2);
  std::string m =
      b.oneIn(4) ? accumulator(start()) : accumulator(extremeText(type, /*isLowest=*/true));
  SmallVector<std::string> sums, values;
  for (unsigned i = 0; i < n; ++i)
    sums.push_back(accumulator("0.0"));
  ElementValue x = element();
  values.push_back(either(max, m, x.name));
  std::string old = op(exp, op("arith.subf", m, values[0])),
              added = op(exp, op("arith.subf", x.name, values[0]));
  SmallVector<Size> weights;
  for (unsigned i = 0; i < n; ++i) {
    std::string term = added;
    weights.push_back({1, 0});
    if (b.oneIn(2)) {
      ElementValue weight = element();
      term = either("arith.mulf", added, weight.name);
      weights.back() = weight.size;
    }
    values.push_back(either("arith.addf", either("arith.mulf", sums[i], old), term));
  }
  yield(
      values,
      [=](ArrayRef<Size> s) {
        SmallVector<Size> made = {Size::either(s[0], x.size)};
        for (auto [sum, weight] : llvm::zip(s.drop_front(), weights))
          made.push_back(sum + weight + weight * Size{2 * x.size.error, weight.error});
        return made;
      },
      4 * (1 + 2 * x.size.max));
}

/// The logarithm of a sum of exponentials.
void BodyWriter::addLogSum() {
  std::string a =
      b.oneIn(4) ? accumulator(start()) : accumulator(extremeText(type, /*isLowest=*/true));
  ElementValue x = element();
  std::string most = either("arith.maximumf", a, x.name), difference = op("arith.subf", a, x.name);
  bool isAny = b.oneIn(2);
  std::string exponent = b.oneIn(2) ? op("arith.negf", op("math.absf", difference))
                                    : op("arith.subf", either("arith.minimumf", a, x.name), most);
  std::string power = op("math.exp", exponent);
  std::string rest = b.oneIn(2) ? op("math.log1p", power)
                                : op("math.log", either("arith.addf", power, number("1.0")));
  std::string result = either("arith.addf", most, rest);
  if (isAny) {
    std::string is = fresh(), plain = either("arith.addf", a, x.name), all = fresh();
    body += cat(is, " = arith.cmpf une, ", difference, ", ", difference, " : ", nameOf(type), "\n",
                all, " = arith.select ", is, ", ", plain, ", ", result, " : ", nameOf(type), "\n");
    result = all;
  }
  double more = std::log(steps + 2.0) / (steps + 1.0);
  yield(
      {result},
      [=](ArrayRef<Size> s) {
        return SmallVector<Size>{Size::either(s[0], x.size) + Size{more, x.size.error}};
      },
      8);
}

/// Mean and squared deviations.
void BodyWriter::addMoments() {
  bool hasSquares = b.oneIn(2);
  std::string n = accumulator(b.of<StringRef>({"0.0", "2.0"})), m = accumulator("0.0"), q;
  if (hasSquares)
    q = accumulator("0.0");
  ElementValue x = element();
  std::string count = either("arith.addf", n, number("1.0")), d = op("arith.subf", x.name, m);
  std::string mean = either("arith.addf", m, op("arith.divf", d, count));
  SmallVector<std::string> values = {count, mean};
  if (hasSquares)
    values.push_back(
        either("arith.addf", q, either("arith.mulf", d, op("arith.subf", x.name, mean))));
  yield(
      values,
      [=](ArrayRef<Size> s) {
        Size one = Size::either(s[1], x.size);
        SmallVector<Size> made = {s[0] + Size{1, 0}, one};
        if (hasSquares)
          made.push_back(s[2] + (one + one) * (one + one));
        return made;
      },
      8);
}

/// The first or the last that is wanted, by itself or with another.
void BodyWriter::addChoice() {
  chooses = true;
  bool hasOther = b.oneIn(2);
  std::string own = b.oneIn(2) ? accumulator(start()) : accumulator(extremeText(type, b.oneIn(2))),
              other;
  if (hasOther)
    other = accumulator(start());
  ElementValue x = element(), y = element();
  static constexpr StringRef ofFloats[] = {"ogt", "olt", "oge", "ole", "ugt", "une", "ueq"},
                             ofIntegers[] = {"sgt", "slt", "sge", "sle", "ugt", "ne", "eq"};
  size_t at = b.pick(0, 6);
  std::string is = fresh();
  body += isFloat(type) ? cat(is, " = arith.cmpf ", ofFloats[at])
                        : cat(is, " = arith.cmpi ", ofIntegers[at]);
  std::string against = b.oneIn(3) ? y.name : own;
  body += cat(", ", x.name, ", ", against, " : ", nameOf(type), "\n");
  bool takes = !b.oneIn(4);
  auto select = [&](const std::string &element, const std::string &state) {
    std::string chosen = fresh();
    body += cat(chosen, " = arith.select ", is, ", ", takes ? element : state, ", ",
                takes ? state : element, " : ", nameOf(type), "\n");
    return chosen;
  };
  SmallVector<std::string> values = {select(x.name, own)};
  if (hasOther)
    values.push_back(select(y.name, other));
  yield(
      values,
      [=](ArrayRef<Size> s) {
        SmallVector<Size> made = {Size::either(s[0], x.size)};
        if (hasOther)
          made.push_back(Size::either(s[1], y.size));
        return made;
      },
      0);
}

/// By a kind.
void BodyWriter::addKind() {
  StringRef name = isFloat(type)
                       ? b.of<StringRef>({"arith.addf", "arith.maximumf", "arith.minnumf"})
                       : b.of<StringRef>({"arith.addi", "arith.maxui", "arith.xori"});
  std::string s = b.oneIn(2) ? accumulator(start()) : accumulator(zeroText());
  ElementValue x = element();
  bool isSum = name == "arith.addf";
  yield(
      {either(name, s, x.name)},
      [=](ArrayRef<Size> old) {
        return SmallVector<Size>{isSum ? old[0] + x.size : Size::either(old[0], x.size)};
      },
      name != "arith.maximumf");
}

void BodyWriter::addGroup() {
  switch (b.pick(0, isFloat(type) ? 9 : 6)) {
  default:
    return addAffine();
  case 3:
    return addPolynomial();
  case 4:
  case 5:
    return addChoice();
  case 6:
    return addKind();
  case 7:
    return addScaledSums();
  case 8:
    return addLogSum();
  case 9:
    return addMoments();
  }
}

/// The signs of zeros, which are equal numbers; 0 for NaN, which has none that counts.
void BodyWriter::addSigns(const Value &value) {
  Generic op;
  op.loops = value.rank();
  op.iterators.assign(op.loops, 'p');
  op.inputs = {value};
  op.inputMaps = op.initMaps = {dimsText(firstLoops(op.loops))};
  op.inits = {{b.empty(value.shape, type), value.shape, type, Bounds()}};
  op.body = cat("%one = arith.constant 1.0 : ", nameOf(type),
                "\n%none = arith.constant 0.0 : ", nameOf(type),
                "\n%is = arith.cmpf uno, %x0, %x0 : ", nameOf(type),
                "\n%s = math.copysign %one, %x0 : ", nameOf(type),
                "\n%y = arith.select %is, %none, %s : ", nameOf(type), "\n");
  op.yields = {"%y"};
  Bounds bounds;
  bounds.max = 1;
  op.bounds = {bounds};
  b.generic(op);
}

bool BodyWriter::finish() {
  auto isExact = [](const Value &value) { return value.isExact(); };
  if (isTooLarge ||
      (chooses && !(llvm::all_of(generic.inputs, isExact) && llvm::all_of(generic.inits, isExact))))
    return false;
  for (Bounds &bounds : generic.bounds)
    bounds.special = isFloat(type) && (isSpecial || steps == 0);
  generic.body = body;
  for (const Value &result : b.generic(generic))
    if (isPlain && isFloat(type) && result.bounds.error == 0)
      addSigns(result);
  return true;
}

bool fuzz::addComposedReduction(ProgramBuilder &b) {
  Element type = b.oneIn(3) ? b.anyInteger() : b.floatType();
  if (type == Element::Index)
    return false;
  BodyWriter writer(b, type);
  if (!writer.begin())
    return false;
  for (int64_t i = 0, n = b.oneIn(3) ? b.pick(1, 3) : 1; i < n; ++i)
    writer.addGroup();
  return writer.finish();
}
