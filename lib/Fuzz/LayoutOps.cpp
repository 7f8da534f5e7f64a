//===- LayoutOps.cpp - Elements at other places, by ops of their own -------===//

#include "OpTable.h"

#include <numeric>

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

static constexpr int64_t kMostElements = 512;

static std::optional<Value> findFull(ProgramBuilder &b, unsigned least, unsigned most) {
  return b.find([&](const Value &v) {
    return v.rank() >= least && v.rank() <= most && !llvm::is_contained(v.shape, 0);
  });
}

/// Tiles that need not fit, and back.
bool fuzz::addPack(ProgramBuilder &b) {
  std::optional<Value> x = findFull(b, 1, 2);
  if (!x || countOf(x->shape) > kMostElements / 4)
    return false;
  Shape order = firstLoops(x->rank()), outer, tiles;
  if (order.size() == 2 && b.oneIn(3))
    std::swap(order[0], order[1]);
  bool isOuterSwapped = x->rank() == 2 && b.oneIn(3), isWhole = true;
  for (int64_t dim : order)
    tiles.push_back(b.pick(1, std::min<int64_t>(3, x->shape[dim])));
  for (int64_t d = 0; d < x->rank(); ++d) {
    int64_t tile = tiles[llvm::find(order, d) - order.begin()];
    outer.push_back((x->shape[d] + tile - 1) / tile);
    isWhole &= x->shape[d] % tile == 0;
  }
  if (isOuterSwapped)
    std::swap(outer[0], outer[1]);
  Shape shape = outer;
  shape.append(tiles.begin(), tiles.end());
  std::string type = typeText(shape, x->type), result = b.fresh();
  std::string how = cat(isOuterSwapped ? " outer_dims_perm = [1, 0]" : "", " inner_dims_pos = [",
                        join(order), "] inner_tiles = [", join(tiles), "] into ");
  std::string padding;
  if (!isWhole)
    padding = cat(" padding_value(",
                  b.scalar(isFloat(x->type)         ? "1.0"
                           : x->type == Element::I1 ? "true"
                                                    : "1",
                           x->type),
                  " : ", nameOf(x->type), ")");
  std::string out = b.empty(shape, x->type);
  b.line(cat(result, " = linalg.pack ", x->name, padding, how, out, " : ", x->typeText(), " -> ",
             type));
  Value packed = b.define(result, shape, x->type, x->bounds);
  if (b.oneIn(2))
    return true;
  std::string back = b.fresh(), whole = b.empty(x->shape, x->type);
  b.line(
      cat(back, " = linalg.unpack ", packed.name, how, whole, " : ", type, " -> ", x->typeText()));
  b.define(back, x->shape, x->type, x->bounds);
  return true;
}

/// Any other shape of as many elements.
bool fuzz::addReshape(ProgramBuilder &b) {
  std::optional<Value> x = findFull(b, 0, 4);
  if (!x)
    return false;
  Shape shape;
  int64_t left = countOf(x->shape);
  while (shape.size() < 3 && b.oneIn(2)) {
    SmallVector<int64_t> divisors;
    for (int64_t i = 1; i <= left; ++i)
      if (left % i == 0)
        divisors.push_back(i);
    shape.push_back(divisors[b.pick(0, divisors.size() - 1)]);
    left /= shape.back();
  }
  shape.push_back(left);
  std::string sizes = b.fresh(), result = b.fresh();
  std::string type = cat("tensor<", shape.size(), "xi64>");
  b.line(cat(sizes, " = arith.constant dense<[", join(shape), "]> : ", type));
  b.line(cat(result, " = tensor.reshape ", x->name, "(", sizes, ") : (", x->typeText(), ", ", type,
             ") -> ", typeText(shape, x->type)));
  b.define(result, shape, x->type, x->bounds);
  return true;
}

/// Some elements, and the number of dimensions where they are integers.
bool fuzz::addFromElements(ProgramBuilder &b) {
  std::optional<Value> x = findFull(b, 1, 3);
  if (!x)
    return false;
  SmallVector<std::string> scalars;
  for (int64_t i = 0, n = b.pick(1, 4); i < n; ++i) {
    SmallVector<std::string> at;
    for (int64_t size : x->shape)
      at.push_back(b.index(b.pick(0, size - 1)));
    scalars.push_back(b.fresh());
    b.line(
        cat(scalars.back(), " = tensor.extract ", x->name, "[", join(at), "] : ", x->typeText()));
  }
  if (x->type == Element::Index) {
    scalars.push_back(b.fresh());
    b.line(cat(scalars.back(), " = tensor.rank ", x->name, " : ", x->typeText()));
  }
  Shape shape = {static_cast<int64_t>(scalars.size())};
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.from_elements ", join(scalars), " : ", typeText(shape, x->type)));
  b.define(result, shape, x->type, x->bounds);
  return true;
}

/// Rows of a dimension, by indices that are given.
bool fuzz::addTensorGather(ProgramBuilder &b) {
  std::optional<Value> x = findFull(b, 1, 3);
  if (!x)
    return false;
  int64_t dim = b.pick(0, x->rank() - 1), rows = b.pick(1, 5);
  bool keeps = b.oneIn(2);
  Value ids = b.indices({rows, 1}, Element::Index, x->shape[dim] - 1);
  Shape shape = {rows};
  for (auto [d, size] : llvm::enumerate(x->shape))
    if (static_cast<int64_t>(d) != dim)
      shape.push_back(size);
    else if (keeps)
      shape.push_back(1);
  std::string result = b.fresh();
  b.line(cat(result, " = tensor.gather ", x->name, "[", ids.name, "] gather_dims([", dim, "]) : (",
             x->typeText(), ", ", ids.typeText(), ") -> ", typeText(shape, x->type)));
  b.define(result, shape, x->type, x->bounds);
  return true;
}

/// Rows put at places of which none comes twice.
bool fuzz::addTensorScatter(ProgramBuilder &b) {
  std::optional<Value> x = findFull(b, 1, 3);
  if (!x)
    return false;
  int64_t dim = b.pick(0, x->rank() - 1), rows = b.pick(1, x->shape[dim]);
  Shape order(x->shape[dim]), shape = x->shape;
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[b.pick(0, i - 1)]);
  SmallVector<std::string> places;
  for (int64_t i = 0; i < rows; ++i)
    places.push_back(cat("[", order[i], "]"));
  shape[dim] = 1;
  shape.insert(shape.begin(), rows);
  Value source = b.get(shape, x->type);
  std::string ids = b.fresh(), type = typeText({rows, 1}, Element::Index), result = b.fresh();
  b.line(cat(ids, " = arith.constant dense<[", join(places), "]> : ", type));
  b.line(cat(result, " = tensor.scatter ", source.name, " into ", x->name, "[", ids,
             "] scatter_dims([", dim, "]) unique : (", source.typeText(), ", ", x->typeText(), ", ",
             type, ") -> ", x->typeText()));
  b.define(result, x->shape, x->type, eitherOf(x->bounds, source.bounds));
  return true;
}
