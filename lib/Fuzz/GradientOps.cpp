//===- GradientOps.cpp - Steps of training ---------------------------------===//

#include "OpTable.h"

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

/// out[d0, d1] = sum over d2 of a * b.
static Value contract(ProgramBuilder &b, const Value &x, StringRef xMap, const Value &y,
                      StringRef yMap, const Shape &shape, int64_t summed) {
  Generic op;
  op.loops = 3;
  op.iterators = "ppr";
  op.inputs = {x, y};
  op.inputMaps = {xMap.str(), yMap.str()};
  op.inits = {b.filled(shape, x.type, "0.0")};
  op.initMaps = {"d0, d1"};
  StringRef type = nameOf(x.type);
  op.body = cat("%p = arith.mulf %x0, %x1 : ", type, "\n%s = arith.addf %o0, %p : ", type, "\n");
  op.yields = {"%s"};
  op.bounds = {sumOver(productOf(x.bounds, y.bounds, x.type), summed, x.type)};
  return b.generic(op).front();
}

static Value compute(ProgramBuilder &b, StringRef name, const Value &x, const Value &y,
                     Bounds bounds) {
  std::string result = b.fresh();
  b.line(cat(result, " = ", name, " ", x.name, ", ", y.name, " : ", x.typeText()));
  return b.define(result, x.shape, x.type, bounds);
}

/// A layer with a bias, forward and backward, and the step that its weights take:
/// each of its contractions reads a dimension that another one sums over.
bool fuzz::addTrainingStep(ProgramBuilder &b) {
  Element type = b.of({Element::F32, Element::F32, b.floatType()});
  int64_t rows = b.anySize(), in = b.anySize(), out = b.anySize();
  Value x = b.get({rows, in}, type), weight = b.get({in, out}, type), bias = b.get({out}, type);
  Value wanted = b.get({rows, out}, type);
  for (const Value &value : {x, weight, bias, wanted})
    if (value.bounds.max > 8 || value.bounds.special)
      return true;
  Value product = contract(b, x, "d0, d2", weight, "d2, d1", {rows, out}, in);
  Generic add;
  add.loops = 2;
  add.iterators = "pp";
  add.inputs = {product, bias};
  add.inputMaps = {"d0, d1", "d1"};
  add.inits = {{b.empty({rows, out}, type), {rows, out}, type, Bounds()}};
  add.initMaps = {"d0, d1"};
  add.body = cat("%s = arith.addf %x0, %x1 : ", nameOf(type), "\n");
  add.yields = {"%s"};
  add.bounds = {sumOf(product.bounds, bias.bounds, type)};
  Value result = b.generic(add).front();
  Value error = compute(b, "arith.subf", result, wanted, sumOf(result.bounds, wanted.bounds, type));
  Value gradient = contract(b, x, "d2, d0", error, "d2, d1", {in, out}, rows);
  if (b.oneIn(2))
    contract(b, error, "d0, d2", weight, "d1, d2", {rows, in}, out);
  if (b.oneIn(2)) {
    Generic sum;
    sum.loops = 2;
    sum.iterators = "pr";
    sum.inputs = {error};
    sum.inputMaps = {"d1, d0"};
    sum.inits = {b.filled({out}, type, "0.0")};
    sum.initMaps = {"d0"};
    sum.body = cat("%s = arith.addf %o0, %x0 : ", nameOf(type), "\n");
    sum.yields = {"%s"};
    sum.bounds = {sumOver(error.bounds, rows, type)};
    b.generic(sum);
  }
  Value rate = b.filled({in, out}, type, "0.25");
  rate.bounds = {0.25, 2, 0, false};
  Value step =
      compute(b, "arith.mulf", gradient, rate, productOf(gradient.bounds, rate.bounds, type));
  compute(b, "arith.subf", weight, step, sumOf(weight.bounds, step.bounds, type));
  return true;
}
