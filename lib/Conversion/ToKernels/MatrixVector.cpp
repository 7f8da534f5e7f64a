//===- MatrixVector.cpp - Products with few rows ---------------------------===//
//
// Bound by reading W from memory. A chunk of rows of W is cut into four parts,
// and a row of each part is read at a time: four long streams of cache lines,
// each in the order of memory, are in flight (neighbouring rows instead would be
// short streams that end where the next one begins, and hardware prefetches
// them badly), and each element of A is used four times. With one row of A, two
// accumulators per row of W hide the latency of the fused multiply-add.
//
//===----------------------------------------------------------------------===//

#include "MatrixVector.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tp;

/// Rows of W that are read at a time; the unit of the range.
constexpr int64_t blockRows = 4;
/// Bytes of W below which a chunk is not worth waking a worker for.
constexpr int64_t chunkBytes = 64 * 1024;

int64_t mlir::tp::getMatrixVectorRange(const MatrixVectorShape &shape) {
  return llvm::divideCeil(shape.n, blockRows);
}

int64_t mlir::tp::getMatrixVectorGrain(const MatrixVectorShape &shape) {
  int64_t bytes = blockRows * shape.k * llvm::divideCeil(shape.w.getIntOrFloatBitWidth(), 8);
  return std::clamp<int64_t>(chunkBytes / std::max<int64_t>(bytes, 1), 1,
                             std::max<int64_t>(getMatrixVectorRange(shape), 1));
}

namespace {

/// Emits the product of all rows of A with some rows of W.
class BlockEmitter {
public:
  BlockEmitter(KernelBuilder &b, const MatrixVectorShape &shape, ValueRange buffers)
      : b(b), shape(shape), a(buffers[0]), w(buffers[1]), c(buffers[2]) {}

  void emit(ArrayRef<Value> rowIndices);

private:
  /// Accumulators are numbered [chain][row of W][row of A].
  size_t slot(int64_t chain, int64_t rows, int64_t row, int64_t m) const {
    return (chain * rows + row) * shape.m + m;
  }
  /// Adds the products of `width` elements from column `column` on.
  void step(Value column, int64_t width, ArrayRef<Value> rowIndices,
            MutableArrayRef<Value> accumulators);

  KernelBuilder &b;
  const MatrixVectorShape &shape;
  Value a, w, c;
};

void BlockEmitter::step(Value column, int64_t width, ArrayRef<Value> rowIndices,
                        MutableArrayRef<Value> accumulators) {
  SmallVector<Value> x;
  for (int64_t m = 0; m < shape.m; ++m)
    x.push_back(b.loadVector(a, {b.index(m), column}, width));
  for (auto [row, rowIndex] : llvm::enumerate(rowIndices)) {
    Value weights = b.loadVector(w, {rowIndex, column}, width);
    for (int64_t m = 0; m < shape.m; ++m) {
      Value &sum = accumulators[row * shape.m + m];
      sum = b.fma(x[m], weights, sum);
    }
  }
}

void BlockEmitter::emit(ArrayRef<Value> rowIndices) {
  int64_t rows = rowIndices.size();
  int64_t lanes = b.getLanes(), chains = shape.m == 1 ? 2 : 1, stride = chains * lanes;
  int64_t main = shape.k / stride * stride, perChain = rows * shape.m;
  SmallVector<Value> sums(chains * perChain, b.splat(0, lanes));
  if (main > 0)
    sums = b.loop(b.index(0), b.index(main), stride, sums,
                  [&](Value column, ValueRange carried) -> SmallVector<Value> {
                    SmallVector<Value> next(carried);
                    for (int64_t chain = 0; chain < chains; ++chain)
                      step(b.addIndex(column, chain * lanes), lanes, rowIndices,
                           MutableArrayRef<Value>(next).slice(chain * perChain, perChain));
                    return next;
                  });
  // What is left of the columns, in pieces; each width has sums of its own.
  SmallVector<SmallVector<Value>> parts(perChain);
  if (main > 0)
    for (auto [number, sum] : llvm::enumerate(sums))
      parts[number % perChain].push_back(sum);
  for (Piece piece : b.cut(shape.k - main, main)) {
    SmallVector<Value> rest(perChain, b.splat(0, piece.width));
    step(b.index(piece.offset), piece.width, rowIndices, rest);
    for (auto [part, sum] : llvm::zip_equal(parts, rest))
      part.push_back(sum);
  }
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t m = 0; m < shape.m; ++m) {
      ArrayRef<Value> vectors = parts[row * shape.m + m];
      Value total = vectors.empty() ? b.real(0) : b.sum(vectors);
      SmallVector<Value> place = {b.index(m), rowIndices[row]};
      if (shape.accumulate)
        total = b.add(b.load(c, place), total);
      b.store(total, c, place);
    }
}

std::string kernelName(const MatrixVectorShape &shape) {
  std::string name;
  llvm::raw_string_ostream os(name);
  os << "tp_matvec_" << shape.a << '_' << shape.w << '_' << shape.c << '_' << shape.m << 'x'
     << shape.n << 'x' << shape.k << (shape.accumulate ? "_add" : "");
  return name;
}

} // namespace

func::FuncOp mlir::tp::getMatrixVectorKernel(ModuleOp module, Location loc,
                                             const MatrixVectorShape &shape, int64_t bits) {
  SmallVector<Type> parameters = {MemRefType::get({shape.m, shape.k}, shape.a),
                                  MemRefType::get({shape.n, shape.k}, shape.w),
                                  MemRefType::get({shape.m, shape.n}, shape.c)};
  func::FuncOp kernel = declareKernel(module, kernelName(shape), parameters, loc);
  defineKernel(kernel, bits, computeTypeFor(shape.c),
               [&](KernelBuilder &b, Value begin, Value end, ValueRange buffers) {
                 BlockEmitter block(b, shape, buffers);
                 int64_t whole = shape.n / blockRows, rest = shape.n % blockRows;
                 Value limit = b.minIndex(end, b.index(whole));
                 if (whole > 0) {
                   Value first = arith::MulIOp::create(b, begin, b.index(blockRows));
                   Value part = b.subIndex(limit, begin);
                   b.loop(b.index(0), part, 1, [&](Value number) {
                     SmallVector<Value> rows = {b.addIndex(first, number)};
                     while (rows.size() < blockRows)
                       rows.push_back(b.addIndex(rows.back(), part));
                     block.emit(rows);
                   });
                 }
                 if (rest == 0)
                   return;
                 Value last =
                     arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, end, b.index(whole));
                 auto branch = scf::IfOp::create(b, last, /*withElseRegion=*/false);
                 OpBuilder::InsertionGuard guard(b);
                 b.setInsertionPointToStart(branch.thenBlock());
                 SmallVector<Value> rows;
                 for (int64_t row = whole * blockRows; row < shape.n; ++row)
                   rows.push_back(b.index(row));
                 block.emit(rows);
               });
  return kernel;
}
