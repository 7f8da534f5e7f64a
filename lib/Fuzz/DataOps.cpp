//===- DataOps.cpp - Constants, reshapes, slices and look-ups --------------===//

#include "OpTable.h"

#include <cmath>

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

static constexpr int64_t kMostElements = 1024;

static std::optional<Value> findRanked(ProgramBuilder &b, unsigned least, unsigned most = 5) {
  return b.find([&](const Value &v) { return v.rank() >= least && v.rank() <= most; });
}

static Shape anyShape(ProgramBuilder &b, int64_t least, int64_t most) {
  Shape shape;
  for (int64_t d = 0, rank = b.pick(least, most); d < rank; ++d)
    shape.push_back(b.anySize());
  return shape;
}

//===----------------------------------------------------------------------===//
// New values
//===----------------------------------------------------------------------===//

bool fuzz::addConstant(ProgramBuilder &b) {
  b.constant(anyShape(b, 0, 3), b.oneIn(3) ? b.anyInteger() : b.floatType());
  return true;
}

bool fuzz::addSplat(ProgramBuilder &b) {
  Element type = b.oneIn(3) ? b.anyInteger() : b.floatType();
  Shape shape = anyShape(b, 1, 3);
  std::optional<Value> scalar =
      b.find([&](const Value &v) { return v.type == type && v.shape.empty(); });
  Bounds bounds;
  std::string number;
  if (scalar && b.oneIn(2)) {
    number = b.fresh();
    b.line(cat(number, " = tensor.extract ", scalar->name, "[] : ", scalar->typeText()));
    bounds = scalar->bounds;
  } else {
    number = b.scalar(isFloat(type) ? "0.75" : type == Element::I1 ? "true" : "2", type);
  }
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.splat ", number, " : ", typeText(shape, type)));
  b.define(result, shape, type, bounds);
  return true;
}

bool fuzz::addIota(ProgramBuilder &b) {
  Shape shape = anyShape(b, 1, 3);
  Element type = b.of({Element::I64, Element::I32, Element::Index, Element::F32});
  Generic op;
  op.loops = shape.size();
  op.iterators.assign(op.loops, 'p');
  op.inits = {{b.empty(shape, type), shape, type, Bounds()}};
  op.initMaps = {dimsText(firstLoops(op.loops))};
  op.body = cat("%i = linalg.index ", b.pick(0, op.loops - 1), " : index\n");
  op.yields = {"%r"};
  if (type == Element::Index)
    op.yields = {"%i"};
  else if (type == Element::F32)
    op.body += "%k = arith.index_cast %i : index to i32\n%r = arith.sitofp %k : i32 to f32\n";
  else
    op.body += cat("%r = arith.index_cast %i : index to ", nameOf(type), "\n");
  op.bounds = {{20, 0, 0, false}};
  b.generic(op);
  return true;
}

/// Adds something that depends on the position, or masks by it.
bool fuzz::addPositions(ProgramBuilder &b) {
  std::optional<Value> x = b.find(
      [](const Value &v) { return v.rank() >= 1 && isFloat(v.type) && v.bounds.max < 1000; });
  if (!x)
    return false;
  unsigned rank = x->rank();
  Generic op;
  op.loops = rank;
  op.iterators.assign(rank, 'p');
  op.inputs = {*x};
  op.inputMaps = op.initMaps = {dimsText(firstLoops(rank))};
  op.inits = {{b.empty(x->shape, x->type), x->shape, x->type, Bounds()}};
  op.body = cat("%i = linalg.index ", b.pick(0, rank - 1), " : index\n%j = linalg.index ",
                b.pick(0, rank - 1), " : index\n");
  StringRef type = nameOf(x->type);
  Bounds bounds = x->bounds;
  if (b.oneIn(2)) {
    op.body +=
        cat("%c = arith.constant -4.0 : ", type,
            "\n%m = arith.cmpi ule, %i, %j : index\n%r = arith.select %m, %x0, %c : ", type, "\n");
    bounds = eitherOf(bounds, {4, 0, 0, false});
  } else {
    op.body += cat("%k = arith.index_cast %i : index to i32\n%f = arith.sitofp %k : i32 to ", type,
                   "\n%r = arith.addf %x0, %f : ", type, "\n");
    bounds = sumOf(bounds, {20, 0, 0, false}, x->type);
  }
  op.yields = {"%r"};
  op.bounds = {bounds};
  b.generic(op);
  return true;
}

bool fuzz::addGenerate(ProgramBuilder &b) {
  Shape shape = anyShape(b, 1, 2);
  SmallVector<std::string> arguments;
  for (unsigned d = 0; d < shape.size(); ++d)
    arguments.push_back(cat("%i", d, ": index"));
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.generate {"));
  b.line(cat("^bb0(", join(arguments), "):"));
  b.line(cat("  %k = arith.addi %i0, %i", shape.size() - 1, " : index"));
  b.line("  %c = arith.index_cast %k : index to i32");
  b.line("  tensor.yield %c : i32");
  b.line(cat("} : ", typeText(shape, Element::I32)));
  b.define(result, shape, Element::I32);
  return true;
}

//===----------------------------------------------------------------------===//
// Other shapes
//===----------------------------------------------------------------------===//

bool fuzz::addTranspose(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 2);
  if (!x)
    return false;
  Shape order = firstLoops(x->rank()), shape;
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[b.pick(0, i - 1)]);
  for (int64_t d : order)
    shape.push_back(x->shape[d]);
  std::string out = b.empty(shape, x->type), result = b.fresh();
  b.line(cat(result, " = linalg.transpose ins(", x->name, " : ", x->typeText(), ") outs(", out,
             " : ", typeText(shape, x->type), ") permutation = [", join(order), "]"));
  b.define(result, shape, x->type, x->bounds);
  return true;
}

bool fuzz::addBroadcast(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 0, 2);
  if (!x)
    return false;
  int64_t dim = b.pick(0, x->rank());
  Shape shape = x->shape;
  shape.insert(shape.begin() + dim, b.anySize());
  std::string out = b.empty(shape, x->type), result = b.fresh();
  b.line(cat(result, " = linalg.broadcast ins(", x->name, " : ", x->typeText(), ") outs(", out,
             " : ", typeText(shape, x->type), ") dimensions = [", dim, "]"));
  b.define(result, shape, x->type, x->bounds);
  return true;
}

/// Groups of `[0, 1], [2]` with `sizes[i]` dimensions in group i.
static std::string groupsText(ArrayRef<int64_t> sizes) {
  SmallVector<std::string> groups;
  int64_t at = 0;
  for (int64_t size : sizes) {
    SmallVector<int64_t> group;
    for (int64_t i = 0; i < size; ++i)
      group.push_back(at++);
    groups.push_back(cat("[", join(group), "]"));
  }
  return cat("[", join(groups), "]");
}

/// Joins neighbours; several groups, of two or three dimensions, at once.
bool fuzz::addCollapse(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 1);
  if (!x)
    return false;
  Shape shape, groups;
  for (unsigned d = 0; d < x->rank();) {
    int64_t most = std::min<int64_t>(3, x->rank() - d), size = b.oneIn(2) ? b.pick(1, most) : 1;
    shape.push_back(1);
    groups.push_back(size);
    for (int64_t i = 0; i < size; ++i)
      shape.back() *= x->shape[d++];
  }
  if (shape.size() == x->rank()) {
    // Something must be joined.
    shape = {countOf(x->shape)};
    groups = {static_cast<int64_t>(x->rank())};
    if (x->rank() == 1)
      return false;
  }
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.collapse_shape ", x->name, " ", groupsText(groups), " ",
             b.nameAttribute(shape), ": ", x->typeText(), " into ", typeText(shape, x->type)));
  b.define(result, shape, x->type, x->bounds);
  return true;
}

bool fuzz::addExpand(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 1, 3);
  if (!x || llvm::is_contained(x->shape, 0))
    return false;
  Shape shape, groups;
  for (int64_t size : x->shape) {
    int64_t left = size, parts = 1;
    while (parts < 3 && shape.size() < 5 && b.oneIn(3)) {
      SmallVector<int64_t> divisors;
      for (int64_t i = 1; i <= left; ++i)
        if (left % i == 0)
          divisors.push_back(i);
      int64_t outer = divisors[b.pick(0, divisors.size() - 1)];
      shape.push_back(outer);
      left /= outer;
      ++parts;
    }
    shape.push_back(left);
    groups.push_back(parts);
  }
  if (shape.size() == x->rank() || shape.size() > 6)
    return false;
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.expand_shape ", x->name, " ", groupsText(groups), " output_shape [",
             join(shape), "] ", b.nameAttribute(shape), ": ", x->typeText(), " into ",
             typeText(shape, x->type)));
  b.define(result, shape, x->type, x->bounds);
  return true;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
struct Slice {
  SmallVector<std::string> offsets;
  Shape sizes, strides;

  std::string text() const {
    return cat("[", join(offsets), "] [", join(sizes), "] [", join(strides), "]");
  }
};
} // namespace

/// Some part of a shape, now and then every other element of it.
static Slice anySlice(ProgramBuilder &b, ArrayRef<int64_t> shape) {
  Slice slice;
  for (int64_t whole : shape) {
    int64_t stride = 1, size = whole;
    if (whole > 0 && b.oneIn(2)) {
      stride = whole > 2 && b.oneIn(5) ? 2 : 1;
      size = b.pick(1, (whole + stride - 1) / stride);
    }
    int64_t last = size == 0 ? 0 : whole - 1 - (size - 1) * stride;
    slice.offsets.push_back(cat(b.pick(0, last)));
    slice.sizes.push_back(size);
    slice.strides.push_back(stride);
  }
  return slice;
}

/// The sizes without some of the unit dimensions.
static Shape reduced(ProgramBuilder &b, ArrayRef<int64_t> sizes) {
  Shape shape;
  bool drops = b.oneIn(3);
  for (int64_t size : sizes)
    if (size != 1 || !drops)
      shape.push_back(size);
  return shape;
}

static Value extract(ProgramBuilder &b, const Value &x, const Slice &slice) {
  Shape shape = reduced(b, slice.sizes);
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.extract_slice ", x.name, slice.text(), " ", b.nameAttribute(shape),
             ": ", x.typeText(), " to ", typeText(shape, x.type)));
  return b.define(result, shape, x.type, x.bounds);
}

static void insert(ProgramBuilder &b, const Value &x, const Slice &slice) {
  Shape shape = reduced(b, slice.sizes);
  Value source = b.get(shape, x.type);
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.insert_slice ", source.name, " into ", x.name, slice.text(), " ",
             b.nameAttribute(x.shape), ": ", source.typeText(), " into ", x.typeText()));
  b.define(result, x.shape, x.type, eitherOf(x.bounds, source.bounds));
}

bool fuzz::addExtractSlice(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 1);
  if (!x || llvm::is_contained(x->shape, 0))
    return false;
  extract(b, *x, anySlice(b, x->shape));
  return true;
}

bool fuzz::addInsertSlice(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 1);
  if (!x || llvm::is_contained(x->shape, 0))
    return false;
  insert(b, *x, anySlice(b, x->shape));
  return true;
}

/// A slice at a place that only the run knows, read or written.
bool fuzz::addMovingSlice(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 1);
  if (!x || llvm::is_contained(x->shape, 0))
    return false;
  Slice slice;
  for (int64_t whole : x->shape) {
    bool moves = b.oneIn(2);
    int64_t size = moves ? b.pick(1, whole) : whole;
    slice.sizes.push_back(size);
    slice.strides.push_back(1);
    slice.offsets.push_back(moves ? b.scalarArgument(Element::Index, whole - size) : "0");
  }
  if (b.oneIn(2))
    extract(b, *x, slice);
  else
    insert(b, *x, slice);
  return true;
}

bool fuzz::addPad(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 1, 4);
  if (!x || countOf(x->shape) > kMostElements / 8)
    return false;
  SmallVector<int64_t> low, high;
  Shape shape;
  SmallVector<std::string> arguments;
  for (auto [d, size] : llvm::enumerate(x->shape)) {
    low.push_back(b.oneIn(2) ? b.pick(0, 3) : 0);
    high.push_back(b.oneIn(2) ? b.pick(0, 3) : 0);
    shape.push_back(low.back() + size + high.back());
    arguments.push_back(cat("%i", d, ": index"));
  }
  std::string number = b.scalar(isFloat(x->type)         ? b.of<StringRef>({"0.0", "-1.5"})
                                : x->type == Element::I1 ? "true"
                                                         : "3",
                                x->type);
  Bounds bounds = x->bounds;
  // Now and then an element of another value.
  std::optional<Value> other = b.find([&](const Value &v) {
    return v.type == x->type && v.rank() <= 4 && !llvm::is_contained(v.shape, 0);
  });
  if (other && b.oneIn(4)) {
    std::string zero = b.scalar("0", Element::Index);
    number = b.fresh();
    b.line(cat(number, " = tensor.extract ", other->name, "[",
               join(SmallVector<std::string>(other->rank(), zero)), "] : ", other->typeText()));
    bounds = eitherOf(bounds, other->bounds);
  }
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.pad ", x->name, " low[", join(low), "] high[", join(high), "] {"));
  b.line(cat("^bb0(", join(arguments), "):"));
  b.line(cat("  tensor.yield ", number, " : ", nameOf(x->type)));
  b.line(cat("} : ", x->typeText(), " to ", typeText(shape, x->type)));
  b.define(result, shape, x->type, bounds);
  return true;
}

bool fuzz::addConcat(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 1, 4);
  if (!x)
    return false;
  int64_t dim = b.pick(0, x->rank() - 1);
  SmallVector<Value> operands = {*x};
  SmallVector<std::string> names = {x->name}, types = {x->typeText()};
  Shape shape = x->shape;
  Bounds bounds = x->bounds;
  for (int64_t i = 0, n = b.pick(1, 2); i < n; ++i) {
    std::optional<Value> y = b.find([&](const Value &v) {
      if (v.type != x->type || v.rank() != x->rank())
        return false;
      for (auto [d, size] : llvm::enumerate(v.shape))
        if (static_cast<int64_t>(d) != dim && size != x->shape[d])
          return false;
      return true;
    });
    shape[dim] += y->shape[dim];
    names.push_back(y->name);
    types.push_back(y->typeText());
    bounds = eitherOf(bounds, y->bounds);
  }
  if (countOf(shape) > kMostElements)
    return false;
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.concat dim(", dim, ") ", join(names), " : (", join(types), ") -> ",
             typeText(shape, x->type)));
  b.define(result, shape, x->type, bounds);
  return true;
}

bool fuzz::addCopy(ProgramBuilder &b) {
  Value x = b.any();
  std::string out = b.empty(x.shape, x.type), result = b.fresh();
  b.line(cat(result, " = linalg.copy ins(", x.name, " : ", x.typeText(), ") outs(", out, " : ",
             x.typeText(), ") -> ", x.typeText()));
  b.define(result, x.shape, x.type, x.bounds);
  return true;
}

bool fuzz::addBarrier(ProgramBuilder &b) {
  Value x = b.any();
  std::string result = b.fresh();
  b.line(cat(result, " = tp.barrier ", x.name, " ",
             b.of<StringRef>({"forward", "backward", "both"}), " : ", x.typeText()));
  b.define(result, x.shape, x.type, x.bounds);
  return true;
}

//===----------------------------------------------------------------------===//
// Look-ups behind a captured tensor.extract
//===----------------------------------------------------------------------===//

/// Rows of a table by indices: out[i.., r..] = table[ids[i..], r..], where the index
/// may stand at any dimension of the table.
bool fuzz::addGather(ProgramBuilder &b) {
  std::optional<Value> table = findRanked(b, 1, 3);
  if (!table || llvm::is_contained(table->shape, 0))
    return false;
  int64_t dim = b.pick(0, table->rank() - 1);
  Shape idShape = anyShape(b, 1, 2);
  Shape shape = idShape;
  for (auto [d, size] : llvm::enumerate(table->shape))
    if (static_cast<int64_t>(d) != dim)
      shape.push_back(size);
  if (countOf(shape) > kMostElements)
    return false;
  Element idType = b.of({Element::I64, Element::Index, Element::I32});
  Value ids = b.indices(idShape, idType, table->shape[dim] - 1);
  Generic op;
  op.loops = shape.size();
  op.iterators.assign(op.loops, 'p');
  op.inputs = {ids};
  op.inputMaps = {dimsText(firstLoops(idShape.size()))};
  bool accumulates = isFloat(table->type) && b.oneIn(4);
  Value init = accumulates ? b.get(shape, table->type)
                           : Value{b.empty(shape, table->type), shape, table->type, Bounds()};
  op.inits = {init};
  op.initMaps = {dimsText(firstLoops(op.loops))};
  std::string row = "%x0";
  if (idType != Element::Index) {
    op.body += cat("%row = arith.index_cast %x0 : ", nameOf(idType), " to index\n");
    row = "%row";
  }
  SmallVector<std::string> indices;
  unsigned next = idShape.size();
  for (unsigned d = 0; d < table->rank(); ++d) {
    if (d == dim) {
      indices.push_back(row);
      continue;
    }
    op.body += cat("%i", d, " = linalg.index ", next++, " : index\n");
    indices.push_back(cat("%i", d));
  }
  op.body +=
      cat("%v = tensor.extract ", table->name, "[", join(indices), "] : ", table->typeText(), "\n");
  op.yields = {"%v"};
  op.bounds = {table->bounds};
  if (accumulates) {
    op.body += cat("%s = arith.addf %v, %o0 : ", nameOf(table->type), "\n");
    op.yields = {"%s"};
    op.bounds = {sumOf(table->bounds, init.bounds, table->type)};
  }
  b.generic(op);
  return true;
}

/// Reversed, rolled or shifted with a border, by arithmetic on the index.
bool fuzz::addRoll(ProgramBuilder &b) {
  std::optional<Value> x = findRanked(b, 1, 4);
  if (!x || llvm::is_contained(x->shape, 0))
    return false;
  int64_t dim = b.pick(0, x->rank() - 1), size = x->shape[dim];
  Generic op;
  op.loops = x->rank();
  op.iterators.assign(op.loops, 'p');
  op.inits = {{b.empty(x->shape, x->type), x->shape, x->type, Bounds()}};
  op.initMaps = {dimsText(firstLoops(op.loops))};
  SmallVector<std::string> indices;
  for (unsigned d = 0; d < op.loops; ++d) {
    op.body += cat("%i", d, " = linalg.index ", d, " : index\n");
    indices.push_back(cat("%i", d));
  }
  std::string i = indices[dim];
  indices[dim] = "%at";
  switch (b.pick(0, 2)) {
  case 0:
    op.body +=
        cat("%c = arith.constant ", size - 1, " : index\n%at = arith.subi %c, ", i, " : index\n");
    break;
  case 1:
    op.body +=
        cat("%c = arith.constant ", b.pick(0, size), " : index\n%n = arith.constant ", size,
            " : index\n%t = arith.addi ", i, ", %c : index\n%at = arith.remui %t, %n : index\n");
    break;
  case 2:
    // Those beyond the last are the last.
    op.body +=
        cat("%c = arith.constant ", b.pick(0, size), " : index\n%n = arith.constant ", size - 1,
            " : index\n%t = arith.addi ", i, ", %c : index\n%at = arith.minui %t, %n : index\n");
    break;
  }
  op.body += cat("%v = tensor.extract ", x->name, "[", join(indices), "] : ", x->typeText(), "\n");
  op.yields = {"%v"};
  op.bounds = {x->bounds};
  b.generic(op);
  return true;
}
