//===- RowNorm.cpp - Normalisation of rows ---------------------------------===//
//
// A row is read once for the sum of its squares and once to scale it; where its
// mean is subtracted, once more before, for the sum. All but the first time it
// comes from the nearest cache. Differences from the mean are squared, not the
// values, so that a large mean costs no digits.
//
//===----------------------------------------------------------------------===//

#include "RowNorm.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::tp;

/// What the types of a declared kernel do not say.
constexpr StringLiteral kEpsilonAttr = "nn.row_norm_epsilon";
constexpr StringLiteral kOffsetAttr = "nn.row_norm_weight_offset";
/// Sums that are independent of each other.
constexpr int64_t chains = 4;
/// Elements below which a chunk is not worth waking a worker for.
constexpr int64_t chunkElements = 32 * 1024;

int64_t mlir::tp::getRowNormGrain(const RowNormShape &shape) {
  return std::max<int64_t>(chunkElements / std::max<int64_t>(shape.size, 1), 1);
}

func::FuncOp mlir::tp::declareRowNormKernel(ModuleOp module, Location loc,
                                            const RowNormShape &shape) {
  std::string name;
  llvm::raw_string_ostream os(name);
  os << (shape.bias ? "tp_layer_norm_" : "tp_rms_norm_") << shape.element << '_' << shape.weight
     << '_';
  if (shape.bias)
    os << shape.bias << '_';
  os << shape.rows << 'x' << shape.size << '_'
     << llvm::utohexstr(llvm::bit_cast<uint64_t>(shape.epsilon));
  if (shape.weightOffset != 0)
    os << '_' << llvm::utohexstr(llvm::bit_cast<uint64_t>(shape.weightOffset));
  auto rows = MemRefType::get({shape.rows, shape.size}, shape.element);
  SmallVector<Type> parameters = {rows, MemRefType::get({shape.size}, shape.weight)};
  if (shape.bias)
    parameters.push_back(MemRefType::get({shape.size}, shape.bias));
  parameters.push_back(rows);
  func::FuncOp kernel = declareKernel(module, name, parameters, loc);
  Builder builder(module.getContext());
  kernel->setAttr(kEpsilonAttr, builder.getF64FloatAttr(shape.epsilon));
  kernel->setAttr(kOffsetAttr, builder.getF64FloatAttr(shape.weightOffset));
  return kernel;
}

/// Sum over the row of `term(column, width, sum)`, which adds to a partial sum.
static Value sumOver(KernelBuilder &b, int64_t size,
                     function_ref<Value(Value column, int64_t width, Value sum)> term) {
  int64_t lanes = b.getLanes(), stride = chains * lanes, main = size / stride * stride;
  SmallVector<Value> sums(chains, b.splat(0, lanes));
  sums = b.loop(b.index(0), b.index(main), stride, sums, [&](Value column, ValueRange carried) {
    SmallVector<Value> next;
    for (int64_t chain = 0; chain < chains; ++chain)
      next.push_back(term(b.addIndex(column, chain * lanes), lanes, carried[chain]));
    return next;
  });
  for (Piece piece : b.cut(size - main, main))
    sums.push_back(term(b.index(piece.offset), piece.width, b.splat(0, piece.width)));
  return b.sum(sums);
}

bool mlir::tp::defineRowNormKernel(func::FuncOp kernel, int64_t bits) {
  auto epsilon = kernel->getAttrOfType<FloatAttr>(kEpsilonAttr);
  if (!epsilon || !kernel.isDeclaration())
    return false;
  double offset = kernel->getAttrOfType<FloatAttr>(kOffsetAttr).getValueAsDouble();
  auto type = cast<MemRefType>(kernel.getArgumentTypes()[2]);
  int64_t size = type.getDimSize(1);
  auto body = [&](KernelBuilder &b, Value begin, Value end, ValueRange buffers) {
    Value input = buffers[0], weight = buffers[1], result = buffers.back();
    Value bias = buffers.size() == 4 ? buffers[2] : Value();
    int64_t lanes = b.getLanes(), main = size / lanes * lanes;
    b.loop(begin, end, 1, [&](Value row) {
      auto meanOver = [&](function_ref<Value(Value, int64_t, Value)> term) -> Value {
        return arith::DivFOp::create(b, sumOver(b, size, term), b.real(size));
      };
      Value mean;
      /// The row's elements, without their mean where there is a bias.
      auto load = [&](Value column, int64_t width) {
        Value x = b.loadVector(input, {row, column}, width);
        return mean ? b.sub(x, b.broadcast(mean, width)) : x;
      };
      if (bias)
        mean = meanOver([&](Value column, int64_t width, Value sum) {
          return b.add(sum, b.loadVector(input, {row, column}, width));
        });
      Value squares = meanOver([&](Value column, int64_t width, Value sum) {
        Value x = load(column, width);
        return b.fma(x, x, sum);
      });
      Value root = math::SqrtOp::create(b, b.add(squares, b.real(epsilon.getValueAsDouble())));
      Value scale = arith::DivFOp::create(b, b.real(1), root);
      auto apply = [&](Value column, int64_t width) {
        Value x = b.mul(load(column, width), b.broadcast(scale, width));
        Value factor = b.loadVector(weight, {column}, width);
        if (offset != 0)
          factor = b.add(factor, b.splat(offset, width));
        x = bias ? b.fma(x, factor, b.loadVector(bias, {column}, width)) : b.mul(x, factor);
        b.storeVector(x, result, {row, column});
      };
      b.loop(b.index(0), b.index(main), lanes, [&](Value column) { apply(column, lanes); });
      for (Piece piece : b.cut(size - main, main))
        apply(b.index(piece.offset), piece.width);
    });
  };
  defineKernel(kernel, bits, computeTypeFor(type.getElementType()), body);
  kernel->removeAttr(kEpsilonAttr);
  kernel->removeAttr(kOffsetAttr);
  return true;
}
