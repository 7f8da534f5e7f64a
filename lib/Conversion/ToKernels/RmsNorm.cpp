//===- RmsNorm.cpp - Root-mean-square normalisation of rows ----------------===//
//
// A row is read twice, the second time from the nearest cache: once for the sum
// of its squares, once to scale it.
//
//===----------------------------------------------------------------------===//

#include "RmsNorm.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::tp;

/// What the types of a declared kernel do not say.
constexpr StringLiteral kEpsilonAttr = "nn.rms_norm_epsilon";
constexpr StringLiteral kOffsetAttr = "nn.rms_norm_weight_offset";
/// Sums of squares that are independent of each other.
constexpr int64_t chains = 4;
/// Elements below which a chunk is not worth waking a worker for.
constexpr int64_t chunkElements = 32 * 1024;

int64_t mlir::tp::getRmsNormGrain(const RmsNormShape &shape) {
  return std::max<int64_t>(chunkElements / std::max<int64_t>(shape.size, 1), 1);
}

func::FuncOp mlir::tp::declareRmsNormKernel(ModuleOp module, Location loc,
                                            const RmsNormShape &shape) {
  std::string name;
  llvm::raw_string_ostream os(name);
  os << "tp_rms_norm_" << shape.element << '_' << shape.weight << '_' << shape.rows << 'x'
     << shape.size << '_' << llvm::utohexstr(llvm::bit_cast<uint64_t>(shape.epsilon));
  if (shape.weightOffset != 0)
    os << '_' << llvm::utohexstr(llvm::bit_cast<uint64_t>(shape.weightOffset));
  auto rows = MemRefType::get({shape.rows, shape.size}, shape.element);
  auto weight = MemRefType::get({shape.size}, shape.weight);
  func::FuncOp kernel = declareKernel(module, name, {rows, weight, rows}, loc);
  Builder builder(module.getContext());
  kernel->setAttr(kEpsilonAttr, builder.getF64FloatAttr(shape.epsilon));
  kernel->setAttr(kOffsetAttr, builder.getF64FloatAttr(shape.weightOffset));
  return kernel;
}

/// Sum over the row of the squares.
static Value sumSquares(KernelBuilder &b, Value input, Value row, int64_t size) {
  int64_t lanes = b.getLanes(), stride = chains * lanes, main = size / stride * stride;
  auto square = [&](Value column, int64_t width, Value sum) {
    Value x = b.loadVector(input, {row, column}, width);
    return b.fma(x, x, sum);
  };
  SmallVector<Value> sums(chains, b.splat(0, lanes));
  sums = b.loop(b.index(0), b.index(main), stride, sums, [&](Value column, ValueRange carried) {
    SmallVector<Value> next;
    for (int64_t chain = 0; chain < chains; ++chain)
      next.push_back(square(b.addIndex(column, chain * lanes), lanes, carried[chain]));
    return next;
  });
  for (Piece piece : b.cut(size - main, main))
    sums.push_back(square(b.index(piece.offset), piece.width, b.splat(0, piece.width)));
  return b.sum(sums);
}

bool mlir::tp::defineRmsNormKernel(func::FuncOp kernel, int64_t bits) {
  auto epsilon = kernel->getAttrOfType<FloatAttr>(kEpsilonAttr);
  if (!epsilon || !kernel.isDeclaration())
    return false;
  double offset = kernel->getAttrOfType<FloatAttr>(kOffsetAttr).getValueAsDouble();
  auto type = cast<MemRefType>(kernel.getArgumentTypes()[2]);
  int64_t size = type.getDimSize(1);
  auto body = [&](KernelBuilder &b, Value begin, Value end, ValueRange buffers) {
    Value input = buffers[0], weight = buffers[1], result = buffers[2];
    int64_t lanes = b.getLanes(), main = size / lanes * lanes;
    b.loop(begin, end, 1, [&](Value row) {
      Value mean = arith::DivFOp::create(b, sumSquares(b, input, row, size), b.real(size));
      Value root = math::SqrtOp::create(b, b.add(mean, b.real(epsilon.getValueAsDouble())));
      Value scale = arith::DivFOp::create(b, b.real(1), root);
      auto apply = [&](Value column, int64_t width) {
        Value x = b.mul(b.loadVector(input, {row, column}, width), b.broadcast(scale, width));
        Value factor = b.loadVector(weight, {column}, width);
        if (offset != 0)
          factor = b.add(factor, b.splat(offset, width));
        b.storeVector(b.mul(x, factor), result, {row, column});
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
