//===- Composition.cpp -----------------------------------------------------===//

#include "Composition.h"

#include "KnownMonoids.h"

#include "dialects/TP/ShardingRule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tp/Interfaces/Linearity.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallBitVector.h"
#include <map>

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Two kinds of reduction of which the second distributes over the first.
struct Semiring {
  ReductionKind plus, times;

  bool isRing() const { return plus == ReductionKind::Sum || plus == ReductionKind::Xor; }
  /// Whether a * a = a and a + a * b = a.
  bool isLattice() const {
    return plus != ReductionKind::Sum && plus != ReductionKind::Xor && times != ReductionKind::Sum;
  }
  bool isTropical() const { return times == ReductionKind::Sum; }
  bool isOn(Type type) const {
    // Integers wrap around, which an order is not kept by.
    return !isTropical() || isa<FloatType>(type);
  }
};

using K = ReductionKind;
constexpr Semiring kSemirings[] = {
    {K::Sum, K::Mul},   {K::Max, K::Sum},   {K::Min, K::Sum}, {K::Max, K::Min}, {K::Min, K::Max},
    {K::MaxU, K::MinU}, {K::MinU, K::MaxU}, {K::Xor, K::And}, {K::Or, K::And},  {K::And, K::Or}};

/// What an op on accumulators is in a semiring.
enum class Role { Plus, Minus, Negative, Times, Over, Select, None };

Role getRole(Operation *op, const Semiring &ring) {
  if (op->getNumResults() != 1 || !ring.isOn(op->getResult(0).getType()))
    return Role::None;
  if (isa<arith::SelectOp>(op))
    return Role::Select;
  if (std::optional<ReductionKind> kind = getReductionKind(op))
    return *kind == ring.plus ? Role::Plus : *kind == ring.times ? Role::Times : Role::None;
  bool isSub = isa<arith::SubFOp, arith::SubIOp>(op);
  if (ring.isTropical())
    return isSub ? Role::Over : Role::None;
  if (ring.plus != ReductionKind::Sum)
    return Role::None;
  return isSub                    ? Role::Minus
         : isa<arith::NegFOp>(op) ? Role::Negative
         : isa<arith::DivFOp>(op) ? Role::Over
                                  : Role::None;
}

/// A polynomial with integer coefficients: variables of a product, in order, to the
/// coefficient.
using Polynomial = std::map<SmallVector<unsigned>, int64_t>;

} // namespace

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

/// Nothing where the polynomial is larger than those that blocks compose by, as a body may
/// double it line by line.
static std::optional<Polynomial> normalize(Polynomial p, const Semiring &ring) {
  for (auto it = p.begin(); it != p.end();) {
    if (!ring.isRing())
      it->second = 1;
    else if (ring.plus == ReductionKind::Xor)
      it->second &= 1;
    it = it->second == 0 ? p.erase(it) : std::next(it);
  }
  constexpr size_t kMaxProducts = 64, kMaxDegree = 8;
  constexpr int64_t kMaxCoefficient = 1 << 20;
  if (p.size() > kMaxProducts || llvm::any_of(p, [](const auto &product) {
        return product.first.size() > kMaxDegree || std::abs(product.second) > kMaxCoefficient;
      }))
    return std::nullopt;
  if (!ring.isLattice())
    return p;
  // What another product absorbs.
  Polynomial kept;
  for (const auto &[a, coefficient] : p)
    if (llvm::none_of(p, [&, &mine = a](const auto &other) {
          return other.first != mine &&
                 std::includes(mine.begin(), mine.end(), other.first.begin(), other.first.end());
        }))
      kept[a] = coefficient;
  return kept;
}

static std::optional<Polynomial> add(const Polynomial &a, const Polynomial &b, const Semiring &ring,
                                     int64_t sign = 1) {
  Polynomial sum = a;
  for (const auto &[variables, coefficient] : b)
    sum[variables] += sign * coefficient;
  return normalize(std::move(sum), ring);
}

static std::optional<Polynomial> multiply(const Polynomial &a, const Polynomial &b,
                                          const Semiring &ring) {
  Polynomial product;
  for (const auto &[x, p] : a)
    for (const auto &[y, q] : b) {
      SmallVector<unsigned> variables(x);
      llvm::append_range(variables, y);
      llvm::sort(variables);
      // Products of bits and of an order's are idempotent.
      if (ring.isLattice() || ring.plus == ReductionKind::Xor)
        variables.erase(llvm::unique(variables), variables.end());
      product[variables] += p * q;
    }
  return normalize(std::move(product), ring);
}

static std::optional<Polynomial> substitute(const Polynomial &p, ArrayRef<Polynomial> values,
                                            const Semiring &ring) {
  std::optional<Polynomial> result = Polynomial();
  for (const auto &[variables, coefficient] : p) {
    std::optional<Polynomial> product = Polynomial{{{}, coefficient}};
    for (unsigned variable : variables)
      if (product)
        product = multiply(*product, values[variable], ring);
    if (product)
      result = add(*result, *product, ring);
    if (!product || !result)
      return std::nullopt;
  }
  return result;
}

namespace {

/// The body as polynomials of accumulators (variables 0 to n - 1) and of the elements that
/// they are combined with.
class Polynomials {
public:
  Polynomials(linalg::LinalgOp op, const Semiring &ring, const llvm::DenseSet<Value> &dependent)
      : op(op), ring(ring), dependent(dependent), n(op->getNumResults()) {}

  /// The element that has the place of each accumulator; nothing where the body is no
  /// associative polynomial.
  std::optional<SmallVector<Value>> getElements();

private:
  /// Nothing where the value is no polynomial, or too large a one.
  std::optional<Polynomial> get(Value value);
  std::optional<Polynomial> compute(Value value);
  bool isAssociative(ArrayRef<Polynomial> yields, ArrayRef<unsigned> places) const;

  linalg::LinalgOp op;
  const Semiring &ring;
  const llvm::DenseSet<Value> &dependent;
  unsigned n;
  llvm::SetVector<Value> elements;
  llvm::DenseMap<Value, std::optional<Polynomial>> known;
};

} // namespace

std::optional<Polynomial> Polynomials::get(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  std::optional<Polynomial> polynomial = compute(value);
  known.insert({value, polynomial});
  return polynomial;
}

std::optional<Polynomial> Polynomials::compute(Value value) {
  for (auto [i, accumulator] : llvm::enumerate(op.getRegionOutputArgs()))
    if (value == accumulator)
      return Polynomial{{{unsigned(i)}, 1}};
  Operation *def = value.getDefiningOp();
  if (!dependent.contains(value)) {
    // Sums and products of elements are looked into, else they would be further elements.
    Role role = def && def->getBlock() == op.getBlock() && elements.size() <= 2 * n
                    ? getRole(def, ring)
                    : Role::None;
    if (role == Role::None || role == Role::Select || role == Role::Over) {
      elements.insert(value);
      unsigned place = llvm::find(elements, value) - elements.begin();
      return Polynomial{{{n + place}, 1}};
    }
  }
  if (!def)
    return std::nullopt;
  Role role = getRole(def, ring);
  if (role == Role::None || role == Role::Select || role == Role::Over)
    return std::nullopt;
  SmallVector<Polynomial> operands;
  for (Value operand : def->getOperands()) {
    std::optional<Polynomial> one = get(operand);
    if (!one)
      return std::nullopt;
    operands.push_back(*one);
  }
  switch (role) {
  case Role::Plus:
    return add(operands[0], operands[1], ring);
  case Role::Minus:
    return add(operands[0], operands[1], ring, /*sign=*/-1);
  case Role::Negative:
    return add({}, operands[0], ring, /*sign=*/-1);
  default:
    return multiply(operands[0], operands[1], ring);
  }
}

/// `places`: of each accumulator the variable that is its element.
bool Polynomials::isAssociative(ArrayRef<Polynomial> yields, ArrayRef<unsigned> places) const {
  // Three times as many variables: s, t and u.
  auto variable = [](unsigned v) { return Polynomial{{{v}, 1}}; };
  using Tuple = SmallVector<Polynomial>;
  auto apply = [&](ArrayRef<Polynomial> s, ArrayRef<Polynomial> t) -> std::optional<Tuple> {
    Tuple values(2 * n), made;
    for (unsigned i = 0; i < n; ++i) {
      values[i] = s[i];
      values[places[i]] = t[i];
    }
    for (const Polynomial &p : yields) {
      std::optional<Polynomial> one = substitute(p, values, ring);
      if (!one)
        return std::nullopt;
      made.push_back(std::move(*one));
    }
    return made;
  };
  Tuple s, t, u;
  for (unsigned i = 0; i < n; ++i) {
    s.push_back(variable(i));
    t.push_back(variable(n + i));
    u.push_back(variable(2 * n + i));
  }
  std::optional<Tuple> first = apply(s, t), last = apply(t, u);
  if (!first || !last)
    return false;
  first = apply(*first, u);
  last = apply(s, *last);
  return first && last && *first == *last;
}

std::optional<SmallVector<Value>> Polynomials::getElements() {
  constexpr unsigned kMaxResults = 4;
  if (n > kMaxResults)
    return std::nullopt;
  SmallVector<Polynomial> yields;
  for (Value value : op.getBlock()->getTerminator()->getOperands()) {
    std::optional<Polynomial> one = get(value);
    if (!one)
      return std::nullopt;
    yields.push_back(*one);
  }
  if (elements.size() != n)
    return std::nullopt;
  SmallVector<unsigned> places;
  for (unsigned i = 0; i < n; ++i)
    places.push_back(n + i);
  do {
    bool isTyped = true;
    for (unsigned i = 0; i < n; ++i)
      isTyped &= elements[places[i] - n].getType() == op.getRegionOutputArgs()[i].getType();
    if (isTyped && isAssociative(yields, places))
      return llvm::map_to_vector(places, [&](unsigned place) { return elements[place - n]; });
  } while (std::next_permutation(places.begin(), places.end()));
  return std::nullopt;
}

/// A body that is associative with each element in the place of an accumulator.
static std::optional<BlockReduction> getPolynomial(linalg::LinalgOp op, const Semiring &ring,
                                                   const llvm::DenseSet<Value> &dependent) {
  std::optional<SmallVector<Value>> elements = Polynomials(op, ring, dependent).getElements();
  if (!elements)
    return std::nullopt;
  BlockReduction reduction;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    reduction.parts.push_back(
        {i, getNeutralElement(ring.plus, getElementTypeOrSelf(op->getResult(i)))});
  reduction.step = [=](OpBuilder &builder, Location loc, IRMapping &mapping, ValueRange parts,
                       const BlockReduction::Place &place) {
    SmallVector<Value> made = cloneDependent(builder, op, mapping, parts);
    for (auto [value, element] : llvm::zip_equal(made, *elements))
      value = arith::SelectOp::create(builder, loc, place.isFirst(),
                                      mapping.lookupOrDefault(element), value);
    return made;
  };
  reduction.merge = [=](OpBuilder &builder, Location, ValueRange results, ValueRange parts) {
    return applyBody(builder, op, *elements, parts, results);
  };
  return reduction;
}

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

namespace {

/// The body as an affine map of its accumulators.
class AffineBody {
public:
  AffineBody(linalg::LinalgOp op, const Semiring &ring, const llvm::DenseSet<Value> &dependent)
      : op(op), ring(ring), dependent(dependent), n(op->getNumResults()) {}

  /// Whether it is one; finds out which parts there are.
  bool analyze();

  BlockReduction getReduction() const;

private:
  /// The accumulators that a value is linear in, how often each occurs in it, and whether it
  /// is more than that.
  struct Form {
    explicit Form(unsigned n) : accumulators(n), uses(n, 0) {}

    llvm::SmallBitVector accumulators;
    SmallVector<unsigned> uses;
    bool hasConstant = false;
  };
  /// Nothing where the value is not linear, or reads accumulators at too many places.
  std::optional<Form> getForm(Value value);
  std::optional<Form> computeForm(Value value);
  bool isOne(unsigned result) const {
    return yields[result] == op.getRegionOutputArgs()[result] ||
           (addsOnly[result] && forms[result].accumulators.count() == 1);
  }
  bool addsToItself(Value value, unsigned result) const;
  bool hasSumsOfFactors() const;
  bool reachesAlike() const;

  /// The value with `states` (null: nothing) for accumulators; null: nothing.
  Value apply(OpBuilder &builder, Location loc, IRMapping &mapping, Value value,
              ArrayRef<Value> states, bool hasConstant) const;
  Value constant(OpBuilder &builder, Location loc, ReductionKind neutralOf, Type type) const {
    return arith::ConstantOp::create(builder, loc, getNeutralElement(neutralOf, type));
  }

  mutable linalg::LinalgOp op;
  Semiring ring;
  llvm::DenseSet<Value> dependent;
  unsigned n;
  SmallVector<Value> yields;
  SmallVector<Form> forms;
  llvm::DenseMap<Value, std::optional<Form>> known;
  SmallVector<bool> addsOnly;
  /// The number of the part that is entry (i, j) of the product, or i's constant; -1: none.
  SmallVector<SmallVector<int>> factors;
  SmallVector<int> constants;
};

} // namespace

std::optional<AffineBody::Form> AffineBody::getForm(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  std::optional<Form> form = computeForm(value);
  // What applies the body follows each way to an accumulator.
  constexpr unsigned kMaxUses = 64;
  if (form && llvm::any_of(form->uses, [](unsigned uses) { return uses > kMaxUses; }))
    form.reset();
  known.insert({value, form});
  return form;
}

std::optional<AffineBody::Form> AffineBody::computeForm(Value value) {
  Form form(n);
  for (auto [i, accumulator] : llvm::enumerate(op.getRegionOutputArgs()))
    if (value == accumulator) {
      form.accumulators.set(i);
      form.uses[i] = 1;
      return form;
    }
  if (!dependent.contains(value)) {
    form.hasConstant = true;
    return form;
  }
  Operation *def = value.getDefiningOp();
  Role role = def && def->getNumRegions() == 0 ? getRole(def, ring) : Role::None;
  if (role == Role::None)
    return std::nullopt;
  auto depends = [&](unsigned i) { return dependent.contains(def->getOperand(i)); };
  if (role == Role::Over && depends(1))
    return std::nullopt;
  if (role == Role::Times && depends(0) == depends(1))
    return std::nullopt;
  if (role == Role::Select && (depends(0) || !def->getOperand(0).getType().isInteger(1)))
    return std::nullopt;
  // What is not selected may be infinite or NaN, which no coefficient takes away.
  if (role == Role::Select && isa<FloatType>(value.getType()))
    return std::nullopt;
  for (Value operand : def->getOperands().drop_front(role == Role::Select)) {
    if ((role == Role::Times || role == Role::Over) && !dependent.contains(operand))
      continue;
    std::optional<Form> one = getForm(operand);
    if (!one)
      return std::nullopt;
    form.accumulators |= one->accumulators;
    form.hasConstant |= one->hasConstant;
    for (unsigned i = 0; i < n; ++i)
      form.uses[i] += one->uses[i];
  }
  return form;
}

/// Whether the value is the accumulator plus what does not depend on it.
bool AffineBody::addsToItself(Value value, unsigned result) const {
  if (value == op.getRegionOutputArgs()[result])
    return true;
  Operation *def = value.getDefiningOp();
  if (!def || !dependent.contains(value))
    return false;
  Role role = getRole(def, ring);
  if (role == Role::Plus)
    for (unsigned i : {0u, 1u})
      if (!dependent.contains(def->getOperand(1 - i)))
        return addsToItself(def->getOperand(i), result);
  return role == Role::Minus && !dependent.contains(def->getOperand(1)) &&
         addsToItself(def->getOperand(0), result);
}

/// Whether an accumulator gets into another, or comes back, on several ways of as many
/// steps: a block's factor is the sum of theirs.
bool AffineBody::hasSumsOfFactors() const {
  SmallVector<SmallVector<unsigned>> ways(n, SmallVector<unsigned>(n, 0));
  for (unsigned i = 0; i < n; ++i)
    ways[i][i] = 1;
  // Two ways from one to one part and meet within as many steps as there are pairs.
  for (unsigned step = 0; step < 2 * n * n; ++step) {
    SmallVector<SmallVector<unsigned>> next(n, SmallVector<unsigned>(n, 0));
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = 0; j < n; ++j) {
        for (unsigned k = 0; k < n; ++k)
          next[i][j] += forms[i].uses[k] * ways[k][j];
        if (next[i][j] > 1)
          return true;
      }
    ways = next;
  }
  return false;
}

/// Whether what an accumulator gets into in one step are those that it gets into in two:
/// then a block's factor is none only where it never is one.
bool AffineBody::reachesAlike() const {
  for (const Form &form : forms) {
    llvm::SmallBitVector twice(n);
    for (unsigned k : form.accumulators.set_bits())
      twice |= forms[k].accumulators;
    if (twice != form.accumulators)
      return false;
  }
  return true;
}

bool AffineBody::analyze() {
  constexpr unsigned kMaxResults = 4;
  if (n > kMaxResults)
    return false;
  llvm::append_range(yields, op.getBlock()->getTerminator()->getOperands());
  for (auto [i, value] : llvm::enumerate(yields)) {
    std::optional<Form> form = getForm(value);
    if (!form)
      return false;
    forms.push_back(*form);
    addsOnly.push_back(addsToItself(value, i));
  }
  if (isa<FloatType>(yields[0].getType())) {
    // Of an infinity some ways may make NaN, or infinities of both signs, and their sum not.
    if (!ring.isLattice() && hasSumsOfFactors())
      return false;
    // What a body forgets may be infinite or NaN, which no coefficient takes away.
    if (!reachesAlike())
      return false;
  }
  // What reaches what in one or more steps.
  SmallVector<llvm::SmallBitVector> reached;
  llvm::SmallBitVector hasConstant(n);
  for (const Form &form : forms) {
    hasConstant[reached.size()] = form.hasConstant;
    reached.push_back(form.accumulators);
  }
  for (unsigned k = 0; k < n; ++k)
    for (unsigned i = 0; i < n; ++i)
      if (reached[i].test(k))
        reached[i] |= reached[k];
  factors.assign(n, SmallVector<int>(n, -1));
  for (unsigned i = 0; i < n; ++i) {
    bool isConstant = hasConstant.test(i);
    for (unsigned j = 0; j < n; ++j)
      isConstant |= reached[i].test(j) && hasConstant.test(j);
    constants.push_back(isConstant ? int(i) : -1);
  }
  int number = 0;
  for (int &part : constants)
    if (part >= 0)
      part = number++;
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n; ++j)
      if (reached[i].test(j) && !isOne(i))
        factors[i][j] = number++;
  return number != 0;
}

/// `a` and `b` combined by `kind`, of a semiring.
static Value combine(OpBuilder &builder, Location loc, ReductionKind kind, Value a, Value b) {
  bool isFloat = isa<FloatType>(a.getType());
  auto create = [&](auto ofFloats, auto ofIntegers) -> Value {
    if (isFloat)
      return decltype(ofFloats)::create(builder, loc, a, b);
    return decltype(ofIntegers)::create(builder, loc, a, b);
  };
  switch (kind) {
  case K::Sum:
    return create(arith::AddFOp(), arith::AddIOp());
  case K::Mul:
    return create(arith::MulFOp(), arith::MulIOp());
  case K::Max:
    return create(arith::MaximumFOp(), arith::MaxSIOp());
  case K::Min:
    return create(arith::MinimumFOp(), arith::MinSIOp());
  case K::MaxU:
    return arith::MaxUIOp::create(builder, loc, a, b);
  case K::MinU:
    return arith::MinUIOp::create(builder, loc, a, b);
  case K::And:
    return arith::AndIOp::create(builder, loc, a, b);
  case K::Or:
    return arith::OrIOp::create(builder, loc, a, b);
  case K::Xor:
    return arith::XOrIOp::create(builder, loc, a, b);
  default:
    llvm_unreachable("no kind of a semiring");
  }
}

Value AffineBody::apply(OpBuilder &builder, Location loc, IRMapping &mapping, Value value,
                        ArrayRef<Value> states, bool hasConstant) const {
  for (auto [i, accumulator] : llvm::enumerate(op.getRegionOutputArgs()))
    if (value == accumulator)
      return states[i];
  if (!dependent.contains(value))
    return hasConstant ? mapping.lookupOrDefault(value) : Value();
  Operation *def = value.getDefiningOp();
  Role role = getRole(def, ring);
  auto part = [&](unsigned i) {
    return apply(builder, loc, mapping, def->getOperand(i), states, hasConstant);
  };
  auto given = [&](unsigned i) { return mapping.lookupOrDefault(def->getOperand(i)); };
  auto clone = [&](ValueRange operands) {
    Operation *made = builder.clone(*def);
    made->setOperands(operands);
    return made->getResult(0);
  };
  switch (role) {
  case Role::Times: {
    unsigned own = dependent.contains(def->getOperand(0)) ? 0 : 1;
    Value scaled = part(own);
    if (!scaled)
      return {};
    return own == 0 ? clone({scaled, given(1)}) : clone({given(0), scaled});
  }
  case Role::Over: {
    Value scaled = part(0);
    return scaled ? clone({scaled, given(1)}) : Value();
  }
  case Role::Negative: {
    Value inner = part(0);
    return inner ? clone({inner}) : Value();
  }
  case Role::Plus: {
    Value a = part(0), b = part(1);
    return a && b ? clone({a, b}) : a ? a : b;
  }
  case Role::Minus: {
    Value a = part(0), b = part(1);
    if (a || !b)
      return a && b ? clone({a, b}) : a;
    return clone({constant(builder, loc, ring.plus, b.getType()), b});
  }
  default: {
    Value a = part(1), b = part(2);
    if (!a && !b)
      return {};
    Value nothing = constant(builder, loc, ring.plus, value.getType());
    return clone({given(0), a ? a : nothing, b ? b : nothing});
  }
  }
}

BlockReduction AffineBody::getReduction() const {
  BlockReduction reduction;
  auto addPart = [&](unsigned result, int number) {
    if (number < 0)
      return;
    Type type = getElementTypeOrSelf(op->getResult(result));
    reduction.parts.push_back({result, getNeutralElement(ring.plus, type)});
  };
  for (unsigned i = 0; i < n; ++i)
    addPart(i, constants[i]);
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n; ++j)
      addPart(i, factors[i][j]);

  reduction.step = [self = *this](OpBuilder &builder, Location loc, IRMapping &mapping,
                                  ValueRange parts, const BlockReduction::Place &place) {
    unsigned n = self.n;
    Type type = self.yields[0].getType();
    Value first = place.isFirst();
    Value nothing = self.constant(builder, loc, self.ring.plus, type),
          one = self.constant(builder, loc, self.ring.times, type);
    SmallVector<Value> made(parts.size());
    auto set = [&](int number, unsigned i, ArrayRef<Value> begin, ArrayRef<Value> states,
                   bool hasConstant) {
      if (number < 0)
        return;
      Value start = self.apply(builder, loc, mapping, self.yields[i], begin, hasConstant);
      Value next = self.apply(builder, loc, mapping, self.yields[i], states, hasConstant);
      made[number] = arith::SelectOp::create(builder, loc, first, start ? start : nothing,
                                             next ? next : nothing);
    };
    SmallVector<Value> none(n), sums(n);
    for (unsigned i = 0; i < n; ++i)
      if (self.constants[i] >= 0)
        sums[i] = parts[self.constants[i]];
    for (unsigned i = 0; i < n; ++i)
      set(self.constants[i], i, none, sums, /*hasConstant=*/true);
    for (unsigned j = 0; j < n; ++j) {
      SmallVector<Value> unit(n), column(n);
      unit[j] = one;
      for (unsigned i = 0; i < n; ++i)
        column[i] = self.factors[i][j] >= 0   ? parts[self.factors[i][j]]
                    : i == j && self.isOne(i) ? one
                                              : Value();
      for (unsigned i = 0; i < n; ++i)
        set(self.factors[i][j], i, unit, column, /*hasConstant=*/false);
    }
    return made;
  };
  reduction.merge = [self = *this](OpBuilder &builder, Location loc, ValueRange results,
                                   ValueRange parts) {
    SmallVector<Value> made;
    for (unsigned i = 0; i < self.n; ++i) {
      Value sum = self.isOne(i) ? results[i] : Value();
      auto add = [&](Value value) {
        sum = sum ? combine(builder, loc, self.ring.plus, sum, value) : value;
      };
      for (unsigned j = 0; j < self.n; ++j)
        if (int number = self.factors[i][j]; number >= 0)
          add(combine(builder, loc, self.ring.times, results[j], parts[number]));
      if (self.constants[i] >= 0)
        add(parts[self.constants[i]]);
      made.push_back(sum ? sum : self.constant(builder, loc, self.ring.plus, results[i].getType()));
    }
    return made;
  };
  return reduction;
}

//===----------------------------------------------------------------------===//
// All ways
//===----------------------------------------------------------------------===//

std::optional<BlockReduction> tp::getComposition(linalg::LinalgOp op) {
  llvm::DenseSet<Value> dependent = getDependent(op);
  for (Operation &nested : op.getBlock()->without_terminator())
    if (nested.getNumRegions() != 0 || !isPure(&nested))
      return std::nullopt;
  for (const Semiring &ring : kSemirings)
    if (std::optional<BlockReduction> reduction = getPolynomial(op, ring, dependent))
      return reduction;
  for (const Semiring &ring : kSemirings)
    if (AffineBody body(op, ring, dependent); body.analyze())
      return body.getReduction();
  for (auto get : {getScaledSums, getLogSum, getMoments})
    if (std::optional<BlockReduction> reduction = get(op))
      return reduction;
  return std::nullopt;
}

SmallVector<SmallVector<unsigned>> tp::getIndependentResults(linalg::LinalgOp op) {
  unsigned n = op->getNumResults();
  // Accumulators that each value of the body depends on.
  llvm::DenseMap<Value, llvm::SmallBitVector> known;
  for (auto [i, accumulator] : llvm::enumerate(op.getRegionOutputArgs())) {
    known[accumulator] = llvm::SmallBitVector(n);
    known[accumulator].set(i);
  }
  for (Operation &nested : op.getBlock()->without_terminator()) {
    llvm::SmallBitVector all(n);
    nested.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto it = known.find(operand); it != known.end())
          all |= it->second;
    });
    for (Value result : nested.getResults())
      known[result] = all;
  }
  llvm::EquivalenceClasses<unsigned> classes;
  for (auto [i, value] : llvm::enumerate(op.getBlock()->getTerminator()->getOperands())) {
    classes.insert(i);
    if (auto it = known.find(value); it != known.end())
      for (unsigned j : it->second.set_bits())
        classes.unionSets(i, j);
  }
  std::map<unsigned, SmallVector<unsigned>> groups;
  for (unsigned i = 0; i < n; ++i)
    groups[classes.getLeaderValue(i)].push_back(i);
  return llvm::map_to_vector(groups, [](auto &group) { return group.second; });
}

linalg::GenericOp tp::createPart(OpBuilder &builder, linalg::LinalgOp op,
                                 ArrayRef<unsigned> results) {
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray(), kept(maps);
  kept.truncate(numInputs);
  SmallVector<Value> inits, yields;
  for (unsigned i : results) {
    kept.push_back(maps[numInputs + i]);
    inits.push_back(op.getDpsInits()[i]);
    yields.push_back(op.getBlock()->getTerminator()->getOperand(i));
  }
  // What these need of the body.
  llvm::SmallPtrSet<Operation *, 8> needed;
  for (SmallVector<Value> open = yields; !open.empty();) {
    Operation *def = open.pop_back_val().getDefiningOp();
    if (!def || !(def = op.getBlock()->findAncestorOpInBlock(*def)) || !needed.insert(def).second)
      continue;
    def->walk([&](Operation *inner) { llvm::append_range(open, inner->getOperands()); });
  }
  return linalg::GenericOp::create(
      builder, op.getLoc(), ValueRange(inits).getTypes(), op.getDpsInputs(), inits, kept,
      op.getIteratorTypesArray(), [&](OpBuilder &nested, Location at, ValueRange args) {
        IRMapping mapping;
        mapping.map(op.getRegionInputArgs(), args.take_front(numInputs));
        for (auto [place, i] : llvm::enumerate(results))
          mapping.map(op.getRegionOutputArgs()[i], args[numInputs + place]);
        for (Operation &old : op.getBlock()->without_terminator())
          if (needed.contains(&old))
            nested.clone(old, mapping);
        linalg::YieldOp::create(nested, at, llvm::map_to_vector(yields, [&](Value value) {
                                  return mapping.lookupOrDefault(value);
                                }));
      });
}
