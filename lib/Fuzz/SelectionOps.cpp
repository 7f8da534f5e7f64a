//===- SelectionOps.cpp - Argmax, top-k and sorting ------------------------===//
//
// In the forms in which front ends and people write them; there is no op for any.
// Values are exact, so that equal ones are equal on all ranks, and not NaN.
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

static std::optional<Value> findOrdered(ProgramBuilder &b, int64_t least) {
  return b.find([&](const Value &v) {
    return v.rank() >= 1 && v.rank() <= 3 && v.isExact() && !v.bounds.special &&
           v.type != Element::I1 && v.type != Element::Index &&
           llvm::all_of(v.shape, [&](int64_t size) { return size >= least; });
  });
}

/// `arith.cmpf ogt`, or `olt`, `oge`, `ole`; of integers signed.
static std::string compareText(Element type, bool isGreater, bool orEqual) {
  return cat(isFloat(type) ? "arith.cmpf o" : "arith.cmpi s", isGreater ? "g" : "l",
             orEqual ? "e" : "t");
}

/// The last index that is wanted of equal ones, or the first.
static SmallVector<Value> makeArgmax(ProgramBuilder &b, const Value &x, int64_t dim, bool isMax,
                                     bool keepsLast, Element indexType) {
  unsigned rank = x.rank();
  Shape outLoops = firstLoops(rank), shape = x.shape;
  outLoops.erase(outLoops.begin() + dim);
  shape.erase(shape.begin() + dim);
  Generic op;
  op.loops = rank;
  op.iterators.assign(rank, 'p');
  op.iterators[dim] = 'r';
  op.inputs = {x};
  op.inputMaps = {dimsText(firstLoops(rank))};
  op.inits = {b.filled(shape, x.type, extremeText(x.type, /*isLowest=*/isMax)),
              b.filled(shape, indexType, b.of<StringRef>({"0", "-1"}))};
  op.initMaps = {dimsText(outLoops), dimsText(outLoops)};
  std::string value = "arith.select %m, %x0, %o0";
  if (isFloat(x.type) && b.oneIn(3))
    value = cat("arith.", isMax ? "maximumf" : "minimumf", " %x0, %o0");
  op.body = cat("%j = linalg.index ", dim, " : index\n%k = arith.index_cast %j : index to ",
                nameOf(indexType), "\n%m = ", compareText(x.type, isMax, keepsLast),
                ", %x0, %o0 : ", nameOf(x.type), "\n%v = ", value, " : ", nameOf(x.type),
                "\n%n = arith.select %m, %k, %o1 : ", nameOf(indexType), "\n");
  op.yields = {"%v", "%n"};
  op.bounds = {x.bounds, Bounds()};
  return b.generic(op);
}

/// Largest or smallest element and its index, as front ends write it.
bool fuzz::addArgmax(ProgramBuilder &b) {
  std::optional<Value> x = findOrdered(b, 0);
  if (!x)
    return false;
  int64_t dim = b.pick(0, x->rank() - 1);
  bool isMax = b.oneIn(2), keepsLast = b.oneIn(4);
  makeArgmax(b, *x, dim, isMax, keepsLast, b.of({Element::I64, Element::I32}));
  return true;
}

/// `x` with its element at `index` along `dim` taken out of the race.
static Value maskFound(ProgramBuilder &b, const Value &x, const Value &index, int64_t dim,
                       bool isMax) {
  Shape outLoops = firstLoops(x.rank());
  outLoops.erase(outLoops.begin() + dim);
  Generic op;
  op.loops = x.rank();
  op.iterators.assign(op.loops, 'p');
  op.inputs = {x, index};
  op.inputMaps = {dimsText(firstLoops(op.loops)), dimsText(outLoops)};
  op.inits = {{b.empty(x.shape, x.type), x.shape, x.type, Bounds()}};
  op.initMaps = {dimsText(firstLoops(op.loops))};
  op.body =
      cat("%c = arith.constant ", extremeText(x.type, /*isLowest=*/isMax), " : ", nameOf(x.type),
          "\n%j = linalg.index ", dim, " : index\n%k = arith.index_cast %j : index to ",
          nameOf(index.type), "\n%m = arith.cmpi eq, %k, %x1 : ", nameOf(index.type),
          "\n%r = arith.select %m, %c, %x0 : ", nameOf(x.type), "\n");
  op.yields = {"%r"};
  op.bounds = {x.bounds};
  op.bounds[0].special = isFloat(x.type);
  return b.generic(op).front();
}

/// Puts `part`, which lacks `dim`, into `all` at position `at` of it.
static Value putAt(ProgramBuilder &b, const Value &part, const Value &all, int64_t dim,
                   const std::string &at) {
  SmallVector<std::string> offsets(all.rank(), "0");
  Shape sizes = all.shape, ones(all.rank(), 1);
  offsets[dim] = at;
  sizes[dim] = 1;
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.insert_slice ", part.name, " into ", all.name, "[", join(offsets),
             "] [", join(sizes), "] [", join(ones), "] : ", part.typeText(), " into ",
             all.typeText()));
  return b.define(result, all.shape, all.type, eitherOf(all.bounds, part.bounds));
}

/// The k largest or smallest along a dimension and their indices, one after the other:
/// each is found, noted and masked; in a loop or written out.
bool fuzz::addTopK(ProgramBuilder &b) {
  std::optional<Value> x = findOrdered(b, 1);
  if (!x)
    return false;
  int64_t dim = b.pick(0, x->rank() - 1), k = b.pick(1, std::min<int64_t>(3, x->shape[dim]));
  bool isMax = b.oneIn(2), isLoop = b.oneIn(2);
  Element indexType = b.of({Element::I64, Element::I32});
  Shape shape = x->shape;
  shape[dim] = k;
  Value values = b.filled(shape, x->type, isFloat(x->type) ? "0.0" : "0");
  Value indices = b.filled(shape, indexType, "0");
  values.bounds = x->bounds;
  // One of them: of the elements that are left.
  auto select = [&](Value &rest, const std::string &at) {
    SmallVector<Value> best = makeArgmax(b, rest, dim, isMax, /*keepsLast=*/false, indexType);
    best[0].bounds = x->bounds;
    values = putAt(b, best[0], values, dim, at);
    indices = putAt(b, best[1], indices, dim, at);
    rest = maskFound(b, rest, best[1], dim, isMax);
  };
  if (!isLoop) {
    Value rest = *x;
    for (int64_t i = 0; i < k; ++i)
      select(rest, cat(i));
    return true;
  }
  std::string low = b.index(0), high = b.index(k), step = b.index(1), result = b.fresh();
  std::string types =
      join(ArrayRef<std::string>{x->typeText(), values.typeText(), indices.typeText()});
  b.line(cat(result, ":3 = scf.for ", result, "i = ", low, " to ", high, " step ", step,
             " iter_args(", result, "x = ", x->name, ", ", result, "v = ", values.name, ", ",
             result, "o = ", indices.name, ") -> (", types, ") {"));
  b.nest([&] {
    Value rest = *x;
    rest.name = result + "x";
    values.name = result + "v";
    indices.name = result + "o";
    select(rest, result + "i");
    b.line(cat("scf.yield ", rest.name, ", ", values.name, ", ", indices.name, " : ", types));
  });
  b.line("}");
  b.define(result + "#1", shape, x->type, x->bounds);
  b.define(result + "#2", shape, indexType);
  return true;
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// How many elements along `dim` are in front of each: those that are smaller, and
/// equal ones of smaller index.
static Value countInFront(ProgramBuilder &b, const Value &x, int64_t dim) {
  unsigned rank = x.rank();
  Shape other = firstLoops(rank);
  other[dim] = rank;
  Generic op;
  op.loops = rank + 1;
  op.iterators = std::string(rank, 'p') + "r";
  op.inputs = {x, x};
  op.inputMaps = {dimsText(firstLoops(rank)), dimsText(other)};
  op.inits = {b.filled(x.shape, Element::I64, "0")};
  op.initMaps = {dimsText(firstLoops(rank))};
  op.body = cat("%i = linalg.index ", dim, " : index\n%j = linalg.index ", rank,
                " : index\n%l = ", compareText(x.type, /*isGreater=*/false, /*orEqual=*/false),
                ", %x1, %x0 : ", nameOf(x.type),
                "\n%e = ", isFloat(x.type) ? "arith.cmpf oeq" : "arith.cmpi eq",
                ", %x1, %x0 : ", nameOf(x.type), "\n%b = arith.cmpi ult, %j, %i : index\n",
                "%t = arith.andi %e, %b : i1\n%f = arith.ori %l, %t : i1\n",
                "%n = arith.extui %f : i1 to i64\n%s = arith.addi %o0, %n : i64\n");
  op.yields = {"%s"};
  return b.generic(op).front();
}

/// Every element at its place, as the sum over all that are there.
static void placeByCount(ProgramBuilder &b, const Value &x, int64_t dim) {
  Value count = countInFront(b, x, dim);
  unsigned rank = x.rank();
  Shape source = firstLoops(rank);
  source[dim] = rank;
  Generic op;
  op.loops = rank + 1;
  op.iterators = std::string(rank, 'p') + "r";
  op.inputs = {x, count};
  op.inputMaps = {dimsText(source), dimsText(source)};
  op.inits = {b.filled(x.shape, x.type, isFloat(x.type) ? "0.0" : "0")};
  op.initMaps = {dimsText(firstLoops(rank))};
  StringRef type = nameOf(x.type);
  op.body =
      cat("%z = arith.constant ", isFloat(x.type) ? "0.0" : "0", " : ", type,
          "\n%i = linalg.index ", dim, " : index\n%k = arith.index_cast %i : index to i64",
          "\n%m = arith.cmpi eq, %x1, %k : i64\n%v = arith.select %m, %x0, %z : ", type,
          "\n%s = ", isFloat(x.type) ? "arith.addf" : "arith.addi", " %o0, %v : ", type, "\n");
  op.yields = {"%s"};
  op.bounds = {x.bounds};
  b.generic(op);
}

/// Body of a generic op on index `dim` of `rank`: the element of `x` at %at along it.
static std::string readAt(const Value &x, int64_t dim) {
  SmallVector<std::string> indices;
  std::string text;
  for (unsigned d = 0; d < x.rank(); ++d) {
    indices.push_back(d == dim ? "%at" : cat("%p", d));
    if (d != dim)
      text += cat("%p", d, " = linalg.index ", d, " : index\n");
  }
  return cat(text, "%y = tensor.extract ", x.name, "[", join(indices), "] : ", x.typeText(), "\n");
}

/// Neighbours change places where they are in the wrong order, those behind even and
/// those behind odd positions in turn (odd-even transposition).
static void exchangeNeighbours(ProgramBuilder &b, const Value &x, int64_t dim) {
  int64_t n = x.shape[dim];
  std::string low = b.index(0), high = b.index(n), step = b.index(1), result = b.fresh();
  b.line(cat(result, " = scf.for ", result, "i = ", low, " to ", high, " step ", step,
             " iter_args(", result, "x = ", x.name, ") -> (", x.typeText(), ") {"));
  b.nest([&] {
    Value carried = x;
    carried.name = result + "x";
    Generic op;
    op.loops = x.rank();
    op.iterators.assign(op.loops, 'p');
    op.inputs = {carried};
    op.inputMaps = op.initMaps = {dimsText(firstLoops(op.loops))};
    op.inits = {{b.empty(x.shape, x.type), x.shape, x.type, Bounds()}};
    // The partner of the first of a pair is the next one, that of the second the one
    // before; those at the ends have none.
    StringRef type = nameOf(x.type);
    op.body = cat(
        "%one = arith.constant 1 : index\n%two = arith.constant 2 : index\n",
        "%last = arith.constant ", n - 1, " : index\n%i = linalg.index ", dim,
        " : index\n%sum = arith.addi %i, ", result, "i : index\n",
        "%odd = arith.remui %sum, %two : index\n", "%isFirst = arith.cmpi ne, %odd, %one : index\n",
        "%up = arith.addi %i, %one : index\n%next = arith.minui %up, %last : index\n",
        "%isZero = arith.cmpi ult, %i, %one : index\n", "%down = arith.subi %i, %one : index\n",
        "%before = arith.select %isZero, %i, %down : index\n",
        "%at = arith.select %isFirst, %next, %before : index\n", readAt(carried, dim),
        "%min = ", isFloat(x.type) ? "arith.minimumf" : "arith.minsi", " %x0, %y : ", type,
        "\n%max = ", isFloat(x.type) ? "arith.maximumf" : "arith.maxsi", " %x0, %y : ", type,
        "\n%r = arith.select %isFirst, %min, %max : ", type, "\n");
    op.yields = {"%r"};
    op.bounds = {x.bounds};
    Value next = b.generic(op).front();
    b.line(cat("scf.yield ", next.name, " : ", x.typeText()));
  });
  b.line("}");
  b.define(result, x.shape, x.type, x.bounds);
}

/// Element by element: the smallest of the rest goes to the front.
static void sortElements(ProgramBuilder &b, const Value &x) {
  std::string type = x.typeText();
  StringRef element = nameOf(x.type);
  int64_t n = x.shape[0];
  std::string low = b.index(0), high = b.index(n), one = b.index(1), outer = b.fresh();
  std::string inner = b.fresh();
  b.line(cat(outer, " = scf.for ", outer, "i = ", low, " to ", high, " step ", one, " iter_args(",
             outer, "x = ", x.name, ") -> (", type, ") {"));
  b.nest([&] {
    std::string after = b.fresh();
    b.line(cat(after, " = arith.addi ", outer, "i, ", one, " : index"));
    b.line(cat(inner, " = scf.for ", inner, "i = ", after, " to ", high, " step ", one,
               " iter_args(", inner, "x = ", outer, "x) -> (", type, ") {"));
    b.nest([&] {
      std::string first = b.fresh(), second = b.fresh(), less = b.fresh(), min = b.fresh(),
                  max = b.fresh(), once = b.fresh(), twice = b.fresh();
      b.line(cat(first, " = tensor.extract ", inner, "x[", outer, "i] : ", type));
      b.line(cat(second, " = tensor.extract ", inner, "x[", inner, "i] : ", type));
      b.line(cat(less, " = ", compareText(x.type, /*isGreater=*/false, /*orEqual=*/false), ", ",
                 second, ", ", first, " : ", element));
      b.line(cat(min, " = arith.select ", less, ", ", second, ", ", first, " : ", element));
      b.line(cat(max, " = arith.select ", less, ", ", first, ", ", second, " : ", element));
      b.line(cat(once, " = tensor.insert ", min, " into ", inner, "x[", outer, "i] : ", type));
      b.line(cat(twice, " = tensor.insert ", max, " into ", once, "[", inner, "i] : ", type));
      b.line(cat("scf.yield ", twice, " : ", type));
    });
    b.line("}");
    b.line(cat("scf.yield ", inner, " : ", type));
  });
  b.line("}");
  b.define(outer, x.shape, x.type, x.bounds);
}

bool fuzz::addSort(ProgramBuilder &b) {
  std::optional<Value> x = findOrdered(b, 1);
  if (!x)
    return false;
  int64_t dim = b.pick(0, x->rank() - 1);
  switch (b.pick(0, 2)) {
  case 0:
    placeByCount(b, *x, dim);
    return true;
  case 1:
    exchangeNeighbours(b, *x, dim);
    return true;
  default:
    if (x->rank() != 1)
      return false;
    sortElements(b, *x);
    return true;
  }
}
