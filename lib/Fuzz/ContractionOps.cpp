//===- ContractionOps.cpp - Products, windows and reductions ---------------===//

#include "OpTable.h"

#include "llvm/ADT/StringMap.h"
#include <cmath>
#include <map>

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

static constexpr double kLargest = 4000;
/// Executions of a body that an op may take.
static constexpr int64_t kMostSteps = 6000;

//===----------------------------------------------------------------------===//
// Named ops, as sums of products
//===----------------------------------------------------------------------===//

namespace {
/// `linalg.NAME`: dimensions of operands and result by letters; `x+i` is the window
/// of output position x and kernel position i, `.` a scalar.
struct NamedProduct {
  StringRef name;
  StringRef dims;
};
} // namespace

static constexpr NamedProduct kContractions[] = {
    {"matmul", "m k, k n, m n"},
    {"batch_matmul", "b m k, b k n, b m n"},
    {"matvec", "m k, k, m"},
    {"vecmat", "k, k m, m"},
    {"dot", "k, k, "},
    {"batch_matvec", "b m k, b k, b m"},
    {"batch_vecmat", "b k, b k m, b m"},
    {"batch_reduce_matmul", "b m k, b k n, m n"},
    {"mmt4d", "m k a c, n k e c, m n a e"},
    {"batch_mmt4d", "b m k a c, b n k e c, b m n a e"},
    {"quantized_matmul", "m k, k n, ., ., m n"},
    {"quantized_batch_matmul", "b m k, b k n, ., ., b m n"},
};

static constexpr NamedProduct kWindows[] = {
    {"conv_1d", "x+i, i, x"},
    {"conv_2d", "x+i y+j, i j, x y"},
    {"conv_1d_nwc_wcf", "n x+i c, i c f, n x f"},
    {"conv_1d_ncw_fcw", "n c x+i, f c i, n f x"},
    {"conv_2d_nhwc_hwcf", "n x+i y+j c, i j c f, n x y f"},
    {"conv_2d_nhwc_fhwc", "n x+i y+j c, f i j c, n x y f"},
    {"conv_2d_nchw_fchw", "n c x+i y+j, f c i j, n f x y"},
    {"conv_2d_ngchw_fgchw", "n g c x+i y+j, f g c i j, n g f x y"},
    {"conv_2d_ngchw_gfchw", "n g c x+i y+j, g f c i j, n g f x y"},
    {"conv_2d_nhwgc_gfhwc", "n x+i y+j g c, g f i j c, n x y g f"},
    {"conv_2d_nhwc_hwcf_q", "n x+i y+j c, i j c f, ., ., n x y f"},
    {"conv_2d_nhwc_fhwc_q", "n x+i y+j c, f i j c, ., ., n x y f"},
    {"conv_2d_nchw_fchw_q", "n c x+i y+j, f c i j, ., ., n f x y"},
    {"conv_2d_ngchw_gfchw_q", "n g c x+i y+j, g f c i j, ., ., n g f x y"},
    {"conv_2d_nhwgc_gfhwc_q", "n x+i y+j g c, g f i j c, ., ., n x y g f"},
    {"conv_3d_ndhwc_dhwcf_q", "n x+i y+j z+k c, i j k c f, ., ., n x y z f"},
    {"conv_3d", "x+i y+j z+k, i j k, x y z"},
    {"conv_3d_ndhwc_dhwcf", "n x+i y+j z+k c, i j k c f, n x y z f"},
    {"conv_3d_ncdhw_fcdhw", "n c x+i y+j z+k, f c i j k, n f x y z"},
    {"depthwise_conv_1d_nwc_wc", "n x+i c, i c, n x c"},
    {"depthwise_conv_1d_ncw_cw", "n c x+i, c i, n c x"},
    {"depthwise_conv_1d_nwc_wcm", "n x+i c, i c m, n x c m"},
    {"depthwise_conv_2d_nhwc_hwc", "n x+i y+j c, i j c, n x y c"},
    {"depthwise_conv_2d_nchw_chw", "n c x+i y+j, c i j, n c x y"},
    {"depthwise_conv_2d_nhwc_hwcm", "n x+i y+j c, i j c m, n x y c m"},
    {"depthwise_conv_2d_nhwc_hwc_q", "n x+i y+j c, i j c, ., ., n x y c"},
    {"depthwise_conv_2d_nhwc_hwcm_q", "n x+i y+j c, i j c m, ., ., n x y c m"},
    {"depthwise_conv_3d_ndhwc_dhwc", "n x+i y+j z+k c, i j k c, n x y z c"},
    {"depthwise_conv_3d_ncdhw_cdhw", "n c x+i y+j z+k, c i j k, n c x y z"},
    {"depthwise_conv_3d_ndhwc_dhwcm", "n x+i y+j z+k c, i j k c m, n x y z c m"},
    {"pooling_nhwc_sum", "n x+i y+j c, i j, n x y c"},
    {"pooling_nchw_sum", "n c x+i y+j, i j, n c x y"},
    {"pooling_nhwc_max", "n x+i y+j c, i j, n x y c"},
    {"pooling_nchw_max", "n c x+i y+j, i j, n c x y"},
    {"pooling_nhwc_min", "n x+i y+j c, i j, n x y c"},
    {"pooling_nwc_sum", "n x+i c, i, n x c"},
    {"pooling_ncw_sum", "n c x+i, i, n c x"},
    {"pooling_nwc_max", "n x+i c, i, n x c"},
    {"pooling_ncw_max", "n c x+i, i, n c x"},
    {"pooling_nwc_min", "n x+i c, i, n x c"},
    {"pooling_nhwc_max_unsigned", "n x+i y+j c, i j, n x y c"},
    {"pooling_nhwc_min_unsigned", "n x+i y+j c, i j, n x y c"},
    {"pooling_nwc_max_unsigned", "n x+i c, i, n x c"},
    {"pooling_nwc_min_unsigned", "n x+i c, i, n x c"},
    {"pooling_ndhwc_sum", "n x+i y+j z+k c, i j k, n x y z c"},
    {"pooling_ndhwc_max", "n x+i y+j z+k c, i j k, n x y z c"},
    {"pooling_ndhwc_min", "n x+i y+j z+k c, i j k, n x y z c"},
};

static bool isLetter(StringRef text) { return text.size() == 1; }

static SmallVector<SmallVector<StringRef>> split(StringRef dims) {
  SmallVector<SmallVector<StringRef>> operands;
  SmallVector<StringRef> texts;
  dims.split(texts, ',');
  for (StringRef text : texts) {
    operands.emplace_back();
    text.split(operands.back(), ' ', -1, /*KeepEmpty=*/false);
  }
  return operands;
}

/// Adds a named op: sizes of its letters are those of a value that fits its first
/// operand, or new ones.
static bool addNamed(ProgramBuilder &b, const NamedProduct &op, bool hasWindows) {
  SmallVector<SmallVector<StringRef>> dims = split(op.dims);
  bool isPool = op.name.starts_with("pooling"), isUnsigned = op.name.contains("unsigned");
  bool isQuantized = dims.size() > 3;
  Element type = b.floatType();
  if (isUnsigned || isQuantized)
    type = b.of({Element::I32, Element::I64});
  else if (b.oneIn(6))
    type = b.of({Element::I32, Element::I64, Element::F32, Element::I8});
  std::map<StringRef, int64_t> sizes;
  std::optional<Value> first = b.find([&](const Value &v) {
    return v.type == type && v.rank() == dims[0].size() && !llvm::is_contained(v.shape, 0);
  });
  bool usesFirst = first && !hasWindows && b.oneIn(2);
  if (usesFirst)
    for (auto [dim, size] : llvm::zip_equal(dims[0], first->shape))
      sizes[dim] = size;
  int64_t steps = 1;
  for (ArrayRef<StringRef> operand : dims)
    for (StringRef dim : operand)
      for (StringRef letter : {dim.take_front(1), dim.take_back(1)}) {
        if (letter == "." || sizes.count(letter))
          continue;
        bool isKernel = letter == "i" || letter == "j" || (hasWindows && letter == "k");
        bool isSmall = dims[0].size() > 3;
        sizes[letter] = isKernel  ? b.pick(1, 3)
                        : isSmall ? b.of<int64_t>({2, 1, 3, 4})
                                  : b.anySize();
        steps *= sizes[letter];
      }
  if (steps > kMostSteps)
    return false;
  // Strides and dilations of x, y, z.
  std::string attributes;
  std::map<StringRef, int64_t> strides, dilations;
  if (hasWindows) {
    SmallVector<int64_t> strideList, dilationList;
    for (StringRef letter : {"x", "y", "z"})
      if (sizes.count(letter)) {
        strideList.push_back(strides[letter] = b.oneIn(3) ? 2 : 1);
        dilationList.push_back(dilations[letter] = b.oneIn(4) ? 2 : 1);
      }
    bool hasAttributes = op.name != "conv_1d" && op.name != "conv_2d" && op.name != "conv_3d";
    if (!hasAttributes)
      for (StringRef letter : {"x", "y", "z"})
        strides[letter] = dilations[letter] = 1;
    std::string shape = cat("tensor<", strideList.size(), "xi64>");
    if (hasAttributes)
      attributes = cat("dilations = dense<[", join(dilationList), "]> : ", shape,
                       ", strides = dense<[", join(strideList), "]> : ", shape);
  }
  auto shapeOf = [&](ArrayRef<StringRef> operand) {
    Shape shape;
    for (StringRef dim : operand) {
      StringRef x = dim.take_front(1), i = dim.take_back(1);
      if (isLetter(dim))
        shape.push_back(sizes[dim]);
      else if (sizes[x] == 0)
        shape.push_back(0);
      else
        shape.push_back((sizes[x] - 1) * strides[x] + (sizes[i] - 1) * dilations[x] + 1);
    }
    return shape;
  };
  SmallVector<Value> inputs;
  SmallVector<std::string> names, types;
  for (auto [n, operand] : llvm::enumerate(ArrayRef(dims).drop_back())) {
    if (operand.size() == 1 && operand[0] == ".") {
      names.push_back(b.scalar(cat(b.pick(-2, 3)), Element::I32));
      types.push_back("i32");
      continue;
    }
    Element operandType = isQuantized ? Element::I8 : type;
    Value value =
        n == 0 && usesFirst && !isQuantized ? *first : b.get(shapeOf(operand), operandType);
    if (isPool && n == 1) {
      // Its elements are not read.
      value = {b.empty(shapeOf(operand), type), shapeOf(operand), type, Bounds()};
    }
    inputs.push_back(value);
    names.push_back(value.name);
    types.push_back(value.typeText());
  }
  Shape shape = shapeOf(dims.back());
  Element resultType = isQuantized ? Element::I32 : type;
  if (!isPool && isNarrowFloat(type) && b.oneIn(2))
    resultType = Element::F32;
  bool selects = isPool && !op.name.contains("sum");
  Value init = b.oneIn(3) ? b.get(shape, resultType)
                          : b.filled(shape, resultType, isFloat(resultType) ? "0.0" : "0");
  if (b.oneIn(12) && !selects)
    init = b.filled(shape, resultType, isFloat(resultType) ? "0.5" : "3");
  Bounds bounds = init.bounds;
  if (selects) {
    bounds = eitherOf(bounds, inputs[0].bounds);
  } else if (isFloat(type)) {
    int64_t terms = std::max<int64_t>(1, steps / std::max<int64_t>(1, countOf(shape)));
    if (usesFirst)
      terms = first->shape.empty() ? 1 : std::max<int64_t>(terms, countOf(first->shape));
    Bounds product =
        isPool ? inputs[0].bounds : productOf(inputs[0].bounds, inputs[1].bounds, resultType);
    bounds = sumOf(bounds, sumOver(product, terms, resultType), resultType);
  }
  if (bounds.max > kLargest)
    return false;
  std::string name = b.nameAttribute(shape), result = b.fresh();
  if (!attributes.empty())
    name = name.empty() ? cat("{", attributes, "} ")
                        : cat(StringRef(name).rtrim().drop_back(), ", ", attributes, "} ");
  b.line(cat(result, " = linalg.", op.name, " ", name, "ins(", join(names), " : ", join(types),
             ") outs(", init.name, " : ", init.typeText(), ") -> ", init.typeText()));
  b.define(result, shape, resultType, bounds);
  return true;
}

bool fuzz::addContraction(ProgramBuilder &b) {
  // The first ones are the usual ones.
  size_t at = b.pick(0, b.oneIn(2) ? std::size(kContractions) - 1 : 3);
  return addNamed(b, kContractions[at], /*hasWindows=*/false);
}

bool fuzz::addWindow(ProgramBuilder &b) {
  return addNamed(b, kWindows[b.pick(0, std::size(kWindows) - 1)], /*hasWindows=*/true);
}

/// linalg.contract with any subset of loops in each operand.
bool fuzz::addContract(ProgramBuilder &b) {
  std::optional<Value> x =
      b.find([&](const Value &v) { return v.type == b.floatType() && v.rank() >= 1; });
  if (!x)
    return false;
  unsigned loops = x->rank();
  SmallVector<int64_t> sizes(x->shape.begin(), x->shape.end());
  while (loops < 4 && b.oneIn(2)) {
    sizes.push_back(b.anySize());
    ++loops;
  }
  Shape xLoops = firstLoops(x->rank()), yLoops, outLoops, yShape, outShape;
  int64_t terms = 1, steps = 1;
  for (unsigned d = 0; d < loops; ++d) {
    bool inX = d < x->rank();
    if (!inX || b.oneIn(2)) {
      yLoops.insert(yLoops.begin() + b.pick(0, yLoops.size()), d);
    }
    steps *= sizes[d];
    // A loop of one operand alone must be in the result.
    bool inY = llvm::is_contained(yLoops, int64_t(d));
    if (!(inX && inY) || b.oneIn(3))
      outLoops.insert(outLoops.begin() + b.pick(0, outLoops.size()), d);
    else
      terms *= sizes[d];
  }
  // One loop at least is contracted.
  if (steps > kMostSteps || outLoops.size() == loops)
    return false;
  for (int64_t d : yLoops)
    yShape.push_back(sizes[d]);
  for (int64_t d : outLoops)
    outShape.push_back(sizes[d]);
  Value y = b.get(yShape, x->type);
  Value init = b.oneIn(4) ? b.get(outShape, x->type) : b.filled(outShape, x->type, "0.0");
  Bounds bounds =
      sumOf(init.bounds, sumOver(productOf(x->bounds, y.bounds, x->type), terms, x->type), x->type);
  if (bounds.max > kLargest)
    return false;
  std::string result = b.fresh();
  b.line(cat(result, " = linalg.contract indexing_maps = [", mapText(loops, dimsText(xLoops)), ", ",
             mapText(loops, dimsText(yLoops)), ", ", mapText(loops, dimsText(outLoops)), "] ins(",
             x->name, ", ", y.name, " : ", x->typeText(), ", ", y.typeText(), ") outs(", init.name,
             " : ", init.typeText(), ") -> ", init.typeText()));
  b.define(result, outShape, x->type, bounds);
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
struct Combiner {
  StringRef op;
  bool floats;
  /// Neutral element of floats of each type, in the order of Element, or of
  /// integers: a number, or low and high for the ends of the range.
  StringRef neutral;
};
} // namespace

static constexpr Combiner kCombiners[] = {
    {"arith.addf", true, "0.0"},     {"arith.maximumf", true, "-inf"},
    {"arith.minimumf", true, "inf"}, {"arith.maxnumf", true, "-inf"},
    {"arith.minnumf", true, "inf"},  {"arith.mulf", true, "1.0"},
    {"arith.addi", false, "0"},      {"arith.muli", false, "1"},
    {"arith.maxsi", false, "low"},   {"arith.minsi", false, "high"},
    {"arith.maxui", false, "0"},     {"arith.minui", false, "-1"},
    {"arith.andi", false, "-1"},     {"arith.ori", false, "0"},
    {"arith.xori", false, "0"},
};

static std::string neutralText(const Combiner &combiner, Element type) {
  StringRef neutral = combiner.neutral;
  if (neutral.ends_with("inf"))
    return extremeText(type, /*isLowest=*/neutral.starts_with("-"));
  if (type == Element::I1)
    return neutral == "1" || neutral == "-1" || neutral == "low" ? "true" : "false";
  if (neutral == "low" || neutral == "high")
    return extremeText(type, /*isLowest=*/neutral == "low");
  return neutral.str();
}

static std::optional<Combiner> pickCombiner(ProgramBuilder &b, Element type) {
  Combiner combiner = kCombiners[b.pick(0, std::size(kCombiners) - 1)];
  if (combiner.floats != isFloat(type))
    combiner =
        isFloat(type) ? kCombiners[b.pick(0, 5)] : kCombiners[b.pick(6, std::size(kCombiners) - 1)];
  return combiner;
}

/// Bounds of n elements combined.
static Bounds combined(const Combiner &combiner, Bounds x, int64_t n, Element type) {
  if (combiner.op == "arith.addf")
    return sumOver(x, n, type);
  if (combiner.op != "arith.mulf")
    return x;
  Bounds all = x;
  for (int64_t i = 1; i < n && all.max <= kLargest; ++i)
    all = productOf(all, x, type);
  return all;
}

/// The value that a reduction begins with.
static Value initOf(ProgramBuilder &b, const Combiner &combiner, ArrayRef<int64_t> shape,
                    Element type) {
  if (b.oneIn(4))
    return b.get(shape, type);
  Value init = b.filled(shape, type, neutralText(combiner, type));
  if (isFloat(type))
    init.bounds = {combiner.neutral == "1.0" ? 1.0 : 0.0, 0, 0, combiner.neutral.ends_with("inf")};
  return init;
}

static Bounds joinInit(const Combiner &combiner, Bounds init, Bounds all, Element type) {
  if (combiner.op == "arith.addf")
    return sumOf(init, all, type);
  if (combiner.op == "arith.mulf")
    return productOf(init, all, type);
  return eitherOf(init, all);
}

bool fuzz::addReduce(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) { return v.rank() >= 1; });
  if (!x)
    return false;
  Combiner combiner = *pickCombiner(b, x->type);
  SmallVector<int64_t> dims;
  Shape shape;
  int64_t terms = 1, must = b.pick(0, x->rank() - 1);
  for (auto [d, size] : llvm::enumerate(x->shape)) {
    if (static_cast<int64_t>(d) == must || b.oneIn(4)) {
      dims.push_back(d);
      terms *= size;
    } else {
      shape.push_back(size);
    }
  }
  Value init = initOf(b, combiner, shape, x->type);
  Bounds bounds =
      joinInit(combiner, init.bounds, combined(combiner, x->bounds, terms, x->type), x->type);
  if (bounds.max > kLargest)
    return false;
  std::string result = b.fresh();
  b.line(cat(result, " = linalg.reduce { ", combiner.op, " } ins(", x->name, " : ", x->typeText(),
             ") outs(", init.name, " : ", init.typeText(), ") dimensions = [", join(dims), "]"));
  b.define(result, shape, x->type, bounds);
  return true;
}

/// One or two reductions in one generic, of an elementwise function of one or two
/// operands.
bool fuzz::addReduceGeneric(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) { return v.rank() >= 1; });
  if (!x)
    return false;
  Element type = x->type;
  unsigned rank = x->rank();
  Generic op;
  op.loops = rank;
  op.iterators.assign(rank, 'p');
  Shape outLoops, shape;
  int64_t terms = 1, must = b.pick(0, rank - 1);
  for (unsigned d = 0; d < rank; ++d) {
    if (d == must || b.oneIn(3)) {
      op.iterators[d] = 'r';
      terms *= x->shape[d];
    } else {
      size_t at = b.pick(0, outLoops.size());
      outLoops.insert(outLoops.begin() + at, d);
      shape.insert(shape.begin() + at, x->shape[d]);
    }
  }
  op.inputs = {*x};
  op.inputMaps = {dimsText(firstLoops(rank))};
  std::string element = "%x0";
  Bounds bounds = x->bounds;
  if (b.oneIn(3)) {
    // Times another value that has some of the loops.
    Shape loops, otherShape;
    for (unsigned d = 0; d < rank; ++d)
      if (b.oneIn(2)) {
        loops.push_back(d);
        otherShape.push_back(x->shape[d]);
      }
    Value y = b.get(otherShape, type);
    op.inputs.push_back(y);
    op.inputMaps.push_back(dimsText(loops));
    op.body += cat("%t = ", isFloat(type) ? "arith.mulf" : "arith.muli",
                   " %x0, %x1 : ", nameOf(type), "\n");
    element = "%t";
    bounds = productOf(bounds, y.bounds, type);
  }
  for (int64_t i = 0, n = b.oneIn(4) ? 2 : 1; i < n; ++i) {
    Combiner combiner = *pickCombiner(b, type);
    Value init = initOf(b, combiner, shape, type);
    op.inits.push_back(init);
    op.initMaps.push_back(dimsText(outLoops));
    std::string accumulator = cat("%o", i), yielded = cat("%y", i);
    bool swaps = b.oneIn(3);
    op.body += cat(yielded, " = ", combiner.op, " ", swaps ? element : accumulator, ", ",
                   swaps ? accumulator : element, " : ", nameOf(type), "\n");
    op.yields.push_back(yielded);
    op.bounds.push_back(
        joinInit(combiner, init.bounds, combined(combiner, bounds, terms, type), type));
    if (op.bounds.back().max > kLargest)
      return false;
  }
  b.generic(op);
  return true;
}

/// A generic with any maps: permuted, repeated, shifted, strided, reversed, constant
/// and sums of loops; one operand has all loops as they are.
bool fuzz::addAnyMaps(ProgramBuilder &b) {
  Element type = b.oneIn(4) ? b.anyInteger() : b.floatType();
  std::optional<Value> whole =
      b.find([&](const Value &v) { return v.type == type && v.rank() >= 1; });
  if (!whole)
    return false;
  unsigned loops = whole->rank();
  ArrayRef<int64_t> sizes = whole->shape;
  if (llvm::is_contained(sizes, 0))
    return false;
  Generic op;
  op.loops = loops;
  op.inputs = {*whole};
  op.inputMaps = {dimsText(firstLoops(loops))};
  Shape outLoops, outShape;
  int64_t terms = 1;
  for (unsigned d = 0; d < loops; ++d) {
    bool reduces = b.oneIn(4);
    op.iterators += reduces ? 'r' : 'p';
    if (reduces) {
      terms *= sizes[d];
      continue;
    }
    size_t at = b.oneIn(3) ? b.pick(0, outLoops.size()) : outLoops.size();
    outLoops.insert(outLoops.begin() + at, d);
    outShape.insert(outShape.begin() + at, sizes[d]);
  }
  Bounds sum = whole->bounds;
  std::string element = "%x0";
  for (int64_t i = 1, n = 1 + b.pick(0, 2); i < n; ++i) {
    SmallVector<std::string> results;
    Shape shape;
    for (int64_t r = 0, rank = b.pick(0, 3); r < rank; ++r) {
      int64_t d = b.pick(0, loops - 1), e = b.pick(0, loops - 1);
      switch (b.pick(0, 9)) {
      default:
        results.push_back(cat("d", d));
        shape.push_back(sizes[d]);
        break;
      case 5:
        results.push_back(cat(b.pick(0, 1)));
        shape.push_back(2);
        break;
      case 6:
        results.push_back(cat("d", d, " + ", b.pick(1, 2)));
        shape.push_back(sizes[d] + 2);
        break;
      case 7:
        results.push_back(cat("d", d, " * 2"));
        shape.push_back(2 * sizes[d]);
        break;
      case 8:
        results.push_back(cat(sizes[d] - 1, " - d", d));
        shape.push_back(sizes[d]);
        break;
      case 9:
        if (d == e)
          e = (e + 1) % loops;
        results.push_back(d == e ? cat("d", d) : cat("d", d, " + d", e));
        shape.push_back(d == e ? sizes[d] : sizes[d] + sizes[e] - 1);
        break;
      }
    }
    if (countOf(shape) > 600)
      return false;
    Value value = b.get(shape, type);
    op.inputs.push_back(value);
    op.inputMaps.push_back(join(results));
    bool multiplies = b.oneIn(2);
    op.body += cat("%t", i, " = arith.", multiplies ? "mul" : "add", isFloat(type) ? "f " : "i ",
                   element, ", %x", i, " : ", nameOf(type), "\n");
    element = cat("%t", i);
    sum = multiplies ? productOf(sum, value.bounds, type) : sumOf(sum, value.bounds, type);
  }
  if (!isFloat(type) && type != Element::I1 && b.oneIn(4)) {
    op.body += cat("%i = linalg.index ", b.pick(0, loops - 1), " : index\n");
    StringRef index = "%i";
    if (type != Element::Index) {
      op.body += cat("%c = arith.index_cast %i : index to ", nameOf(type), "\n");
      index = "%c";
    }
    op.body += cat("%p = arith.addi ", element, ", ", index, " : ", nameOf(type), "\n");
    element = "%p";
  }
  bool accumulates = terms != 1 || llvm::is_contained(op.iterators, 'r') || b.oneIn(3);
  Value init = accumulates ? (b.oneIn(2) ? b.get(outShape, type)
                                         : b.filled(outShape, type,
                                                    type == Element::I1 ? "false"
                                                    : isFloat(type)     ? "0.0"
                                                                        : "0"))
                           : Value{b.empty(outShape, type), outShape, type, Bounds()};
  if (accumulates) {
    op.body +=
        cat("%s = arith.add", isFloat(type) ? "f " : "i ", element, ", %o0 : ", nameOf(type), "\n");
    element = "%s";
    sum = sumOf(init.bounds, sumOver(sum, terms, type), type);
  }
  if (sum.max > kLargest)
    return false;
  op.inits = {init};
  op.initMaps = {dimsText(outLoops)};
  op.yields = {element};
  op.bounds = {sum};
  b.generic(op);
  return true;
}

/// A running sum, maximum or product along a dimension, as one reduction under a
/// mask: out[.., i, ..] = sum of x[.., j, ..] for j <= i.
bool fuzz::addScan(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) {
    return v.rank() >= 1 && v.type != Element::I1 && v.type != Element::Index;
  });
  if (!x)
    return false;
  Combiner combiner = isFloat(x->type) ? kCombiners[b.pick(0, 2)] : kCombiners[b.pick(6, 9)];
  unsigned rank = x->rank();
  int64_t dim = b.pick(0, rank - 1);
  // Loop `rank` runs over the elements that are combined.
  Shape read = firstLoops(rank);
  read[dim] = rank;
  Value init = b.filled(x->shape, x->type, neutralText(combiner, x->type));
  init.bounds = {0, 0, 0, combiner.neutral.ends_with("inf")};
  Generic op;
  op.loops = rank + 1;
  op.iterators = std::string(rank, 'p') + "r";
  op.inputs = {*x};
  op.inputMaps = {dimsText(read)};
  op.inits = {init};
  op.initMaps = {dimsText(firstLoops(rank))};
  op.body = cat("%i = linalg.index ", dim, " : index\n%j = linalg.index ", rank,
                " : index\n%m = arith.cmpi ", b.of<StringRef>({"sle", "slt", "sge"}),
                ", %j, %i : index\n%t = ", combiner.op, " %o0, %x0 : ", nameOf(x->type),
                "\n%s = arith.select %m, %t, %o0 : ", nameOf(x->type), "\n");
  op.yields = {"%s"};
  op.bounds = {joinInit(combiner, init.bounds,
                        combined(combiner, x->bounds, x->shape[dim], x->type), x->type)};
  if (op.bounds[0].max > kLargest)
    return false;
  b.generic(op);
  return true;
}

/// All rows up to each one, or from it on, as a mask of all rows keeps them.
static void reduceMasked(ProgramBuilder &b, const Value &x, int64_t dim, const Combiner &combiner,
                         const Value &init, Bounds bounds) {
  unsigned rank = x.rank();
  Shape read = firstLoops(rank);
  read[dim] = rank;
  StringRef type = nameOf(x.type);
  Generic op;
  op.loops = rank + 1;
  op.iterators = std::string(rank, 'p') + "r";
  op.inputs = {x};
  op.inputMaps = {dimsText(read)};
  op.inits = {init};
  op.initMaps = {dimsText(firstLoops(rank))};
  op.body = cat("%n = arith.constant ", neutralText(combiner, x.type), " : ", type,
                "\n%i = linalg.index ", dim, " : index\n%j = linalg.index ", rank,
                " : index\n%m = arith.cmpi ", b.of<StringRef>({"sge", "ule", "sgt", "ult"}),
                ", %i, %j : index\n%s = arith.select %m, ", b.oneIn(2) ? "%x0, %n" : "%n, %x0",
                " : ", type, "\n%t = ", combiner.op, " %o0, %s : ", type, "\n");
  op.yields = {"%t"};
  // A row may be masked wholly.
  bounds.special |= init.bounds.special;
  op.bounds = {bounds};
  b.generic(op);
}

/// All rows up to each one, or from it on, as windows of a padded value that reach past
/// its end, what front ends make of cumulative sums, or by a mask.
bool fuzz::addRunningReduction(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) {
    return v.rank() >= 1 && v.rank() <= 4 && countOf(v.shape) <= 512 &&
           !llvm::is_contained(v.shape, 0) && v.type != Element::I1 && v.type != Element::Index;
  });
  if (!x)
    return false;
  Combiner combiner = isFloat(x->type) ? kCombiners[b.pick(0, 2)] : kCombiners[b.pick(6, 9)];
  unsigned rank = x->rank();
  int64_t dim = b.pick(0, rank - 1), rows = x->shape[dim];
  Value init = b.filled(x->shape, x->type, neutralText(combiner, x->type));
  init.bounds = {0, 0, 0, combiner.neutral.ends_with("inf")};
  Bounds bounds =
      joinInit(combiner, init.bounds, combined(combiner, x->bounds, rows, x->type), x->type);
  if (bounds.max > kLargest)
    return false;
  if (b.oneIn(3)) {
    reduceMasked(b, *x, dim, combiner, init, bounds);
    return true;
  }
  std::string number = b.scalar(neutralText(combiner, x->type), x->type);
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  (b.oneIn(2) ? low : high)[dim] = rows - 1;
  Value padded{b.fresh(), x->shape, x->type, x->bounds};
  padded.shape[dim] += rows - 1;
  SmallVector<std::string> arguments, read;
  for (unsigned d = 0; d < rank; ++d) {
    arguments.push_back(cat("%i", d, ": index"));
    read.push_back(cat("d", d));
  }
  read[dim] += cat(" + d", rank);
  b.line(cat(padded.name, " = tensor.pad ", x->name, " low[", join(low), "] high[", join(high),
             "] {"));
  b.line(cat("^bb0(", join(arguments), "):"));
  b.line(cat("  tensor.yield ", number, " : ", nameOf(x->type)));
  b.line(cat("} : ", x->typeText(), " to ", padded.typeText()));
  Generic op;
  op.loops = rank + 1;
  op.iterators = std::string(rank, 'p') + "r";
  op.inputs = {padded, {b.empty({rows}, x->type), {rows}, x->type, Bounds()}};
  op.inputMaps = {join(read), cat("d", rank)};
  op.inits = {init};
  op.initMaps = {dimsText(firstLoops(rank))};
  op.body = cat("%t = ", combiner.op, " %o0, %x0 : ", nameOf(x->type), "\n");
  op.yields = {"%t"};
  op.bounds = {bounds};
  b.generic(op);
  return true;
}

bool fuzz::addSoftmax(ProgramBuilder &b) {
  std::optional<Value> x = b.find([](const Value &v) {
    return v.rank() >= 1 && isFloat(v.type) && v.bounds.max <= 16 && !v.bounds.special &&
           !llvm::is_contained(v.shape, 0);
  });
  if (!x)
    return false;
  std::string out = b.empty(x->shape, x->type), result = b.fresh();
  b.line(cat(result, " = linalg.softmax dimension(", b.pick(0, x->rank() - 1), ") ins(", x->name,
             " : ", x->typeText(), ") outs(", out, " : ", x->typeText(), ") -> ", x->typeText()));
  Bounds bounds = rounded({1, -1, 2 * x->bounds.error, false}, x->type);
  bounds.error *= 8;
  b.define(result, x->shape, x->type, bounds);
  return true;
}
