//===- MatrixVector.cpp - Products with few rows ---------------------------===//
//
// Bound by reading W from memory. A chunk of rows of W is cut into four parts,
// and a row of each part is read at a time: four long streams of cache lines,
// each in the order of memory, are in flight (neighbouring rows instead would be
// short streams that end where the next one begins, and hardware prefetches
// them badly), and each element of A is used four times. With one row of A, two
// accumulators per row of W hide the latency of the fused multiply-add.
//
// Where A and W are bf16 and the CPU has avx512_bf16, products are of pairs: exact,
// summed in f32 (subnormal numbers count as zero).
//
//===----------------------------------------------------------------------===//

#include "MatrixVector.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace mlir::tp;

/// Rows of W that are read at a time; the unit of the range.
constexpr int64_t blockRows = 4;
/// Bytes of W below which a chunk is not worth waking a worker for.
constexpr int64_t chunkBytes = 64 * 1024;

using Part = MatrixVectorShape::Part;

static int64_t countBlocks(const Part &part) { return llvm::divideCeil(part.n, blockRows); }

int64_t mlir::tp::getMatrixVectorRange(const MatrixVectorShape &shape) {
  int64_t blocks = 0;
  for (const Part &part : shape.parts)
    blocks += countBlocks(part);
  return blocks;
}

int64_t mlir::tp::getMatrixVectorGrain(const MatrixVectorShape &shape) {
  // A block of the part with the widest elements.
  int64_t bytes = 1;
  for (const Part &part : shape.parts)
    bytes = std::max<int64_t>(bytes, blockRows * shape.k *
                                         llvm::divideCeil(part.w.getIntOrFloatBitWidth(), 8));
  return std::clamp<int64_t>(chunkBytes / bytes, 1, getMatrixVectorRange(shape));
}

namespace {

/// Emits the products of all rows of A with rows of the W of one part.
class PartEmitter {
public:
  PartEmitter(KernelBuilder &b, const MatrixVectorShape &shape, const Part &part, bool bf16Dot,
              Value a, Value w, Value c)
      : b(b), shape(shape), part(part),
        inPairs(bf16Dot && b.getLanes() == 16 && b.getCompute().isF32() && shape.a.isBF16() &&
                part.w.isBF16()),
        a(a), w(w), c(c) {}

  /// Blocks [begin, end) of the part.
  void emitBlocks(Value begin, Value end);

private:
  /// These rows of W.
  void emitRows(ArrayRef<Value> rowIndices);
  /// Columns of a full vector of A or W.
  int64_t getWidth() const { return inPairs ? 2 * b.getLanes() : b.getLanes(); }
  /// Adds the products of `width` elements from column `column` on; there is an
  /// accumulator per row of W and, within it, row of A.
  void step(Value column, int64_t width, ArrayRef<Value> rowIndices,
            MutableArrayRef<Value> accumulators);

  KernelBuilder &b;
  const MatrixVectorShape &shape;
  const Part &part;
  bool inPairs;
  Value a, w, c;
};

void PartEmitter::step(Value column, int64_t width, ArrayRef<Value> rowIndices,
                       MutableArrayRef<Value> accumulators) {
  bool dot = inPairs && width == getWidth();
  auto load = [&](Value buffer, Value row) {
    return dot ? b.loadRaw(buffer, {row, column}, width)
               : b.loadVector(buffer, {row, column}, width);
  };
  SmallVector<Value> x;
  for (int64_t m = 0; m < shape.m; ++m)
    x.push_back(load(a, b.index(m)));
  for (auto [row, rowIndex] : llvm::enumerate(rowIndices)) {
    Value weights = load(w, rowIndex);
    for (int64_t m = 0; m < shape.m; ++m) {
      Value &sum = accumulators[row * shape.m + m];
      sum = dot ? x86vector::DotBF16Op::create(b, sum.getType(), sum, x[m], weights)
                : b.fma(x[m], weights, sum);
    }
  }
}

void PartEmitter::emitRows(ArrayRef<Value> rowIndices) {
  int64_t rows = rowIndices.size();
  int64_t lanes = b.getLanes(), width = getWidth();
  int64_t chains = shape.m == 1 ? 2 : 1, stride = chains * width;
  int64_t main = shape.k / stride * stride, perChain = rows * shape.m;
  SmallVector<Value> sums(chains * perChain, b.splat(0, lanes));
  if (main > 0)
    sums = b.loop(b.index(0), b.index(main), stride, sums,
                  [&](Value column, ValueRange carried) -> SmallVector<Value> {
                    SmallVector<Value> next(carried);
                    for (int64_t chain = 0; chain < chains; ++chain)
                      step(b.addIndex(column, chain * width), width, rowIndices,
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
      if (part.accumulate)
        total = b.add(b.load(c, place), total);
      b.store(total, c, place);
    }
}

void PartEmitter::emitBlocks(Value begin, Value end) {
  int64_t whole = part.n / blockRows, rest = part.n % blockRows;
  Value limit = b.minIndex(end, b.index(whole));
  if (whole > 0) {
    Value first = arith::MulIOp::create(b, begin, b.index(blockRows));
    Value count = b.subIndex(limit, begin);
    b.loop(b.index(0), count, 1, [&](Value number) {
      SmallVector<Value> rows = {b.addIndex(first, number)};
      while (rows.size() < blockRows)
        rows.push_back(b.addIndex(rows.back(), count));
      emitRows(rows);
    });
  }
  if (rest == 0)
    return;
  Value hasLast = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, end, b.index(whole));
  auto branch = scf::IfOp::create(b, hasLast, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> rows;
  for (int64_t row = whole * blockRows; row < part.n; ++row)
    rows.push_back(b.index(row));
  emitRows(rows);
}

std::string kernelName(const MatrixVectorShape &shape) {
  std::string name;
  llvm::raw_string_ostream os(name);
  os << "tp_matvec_" << shape.m << 'x' << shape.k << '_' << shape.a;
  for (const Part &part : shape.parts)
    os << '_' << part.n << '_' << part.w << '_' << part.c << (part.accumulate ? "_add" : "");
  return name;
}

} // namespace

func::FuncOp mlir::tp::getMatrixVectorKernel(ModuleOp module, Location loc,
                                             const MatrixVectorShape &shape, int64_t bits,
                                             bool bf16Dot) {
  SmallVector<Type> parameters = {MemRefType::get({shape.m, shape.k}, shape.a)};
  for (const Part &part : shape.parts)
    parameters.append(
        {MemRefType::get({part.n, shape.k}, part.w), MemRefType::get({shape.m, part.n}, part.c)});
  func::FuncOp kernel = declareKernel(module, kernelName(shape), parameters, loc);
  auto body = [&](KernelBuilder &b, Value begin, Value end, ValueRange buffers) {
    int64_t offset = 0;
    for (auto [number, part] : llvm::enumerate(shape.parts)) {
      PartEmitter emitter(b, shape, part, bf16Dot, buffers[0], buffers[2 * number + 1],
                          buffers[2 * number + 2]);
      int64_t blocks = countBlocks(part);
      if (shape.parts.size() == 1) {
        emitter.emitBlocks(begin, end);
        break;
      }
      // What of [begin, end) lies in the part.
      auto inPart = [&](Value position) {
        Value own = b.subIndex(position, b.index(offset));
        return b.minIndex(arith::MaxSIOp::create(b, own, b.index(0)), b.index(blocks));
      };
      emitter.emitBlocks(inPart(begin), inPart(end));
      offset += blocks;
    }
  };
  defineKernel(kernel, bits, computeTypeFor(shape.parts.front().c), body);
  return kernel;
}
