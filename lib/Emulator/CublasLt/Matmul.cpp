//===- Matmul.cpp ----------------------------------------------------------===//

#include "Matmul.h"

#include "../NarrowFloats.h"
#include "Product.h"
#include "llvm/ADT/STLExtras.h"
#include <climits>
#include <cmath>
#include <cstring>

using namespace mlir::tp::emulator;
using namespace tprt::cuda;

namespace {

/// What vectors of kernels have, of operands and of a bias.
constexpr uint64_t vectorBytes = 16;

const char *nameOf(LtType type) {
  return type == ltFloat64 ? "f64" : type == ltFloat32 ? "f32" : type == ltFloat16 ? "f16" : "bf16";
}

std::string sizeText(uint64_t rows, uint64_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

bool isKnown(LtType type) {
  return llvm::is_contained({ltFloat64, ltFloat32, ltFloat16, ltBfloat16}, type);
}

} // namespace

//===----------------------------------------------------------------------===//
// What is supported
//===----------------------------------------------------------------------===//

std::string Matmul::describe() const {
  return "cublasLt matmul " + sizeText(m(), n()) + " x " + std::to_string(k()) + " of " +
         nameOf(a.type);
}

Refusal Matmul::check() const {
  auto invalid = [](std::string reason) { return Refusal{ltInvalidValue, std::move(reason)}; };
  auto unsupported = [](std::string reason) { return Refusal{ltNotSupported, std::move(reason)}; };
  const std::pair<const char *, const LtMatrixLayoutState *> operands[] = {
      {"A", &a}, {"B", &b}, {"C", &c}, {"D", &d}};
  for (auto [name, matrix] : operands) {
    const std::string what = name + (" of " + sizeText(matrix->rows, matrix->columns));
    if (matrix->rows == 0 || matrix->columns == 0 || matrix->batch <= 0)
      return invalid(what + " has no elements");
    if (matrix->leadingDimension < 0 || uint64_t(matrix->leadingDimension) < matrix->rows)
      return invalid("columns of " + what + " lie over each other");
    if (matrix->batch != d.batch)
      return invalid("the batches of " + std::string(name) + " and D differ");
    if (matrix->batchStride < 0)
      return invalid(what + " has a negative stride");
    if (matrix->rows > INT_MAX || matrix->columns > INT_MAX)
      return unsupported(what + " is too large");
    if (matrix->order != ltColumnMajor)
      return unsupported(what + " is not column-major");
    if (!isKnown(matrix->type))
      return unsupported(what + " has a type that is not emulated");
  }
  const uint64_t rowsOfB = desc.transposeB ? b.columns : b.rows;
  const uint64_t columnsOfB = desc.transposeB ? b.rows : b.columns;
  const uint64_t rowsOfA = desc.transposeA ? a.columns : a.rows;
  if (rowsOfA != m() || columnsOfB != n() || rowsOfB != k() || c.rows != m() || c.columns != n())
    return invalid("A of " + sizeText(rowsOfA, k()) + ", B of " + sizeText(rowsOfB, columnsOfB) +
                   ", C of " + sizeText(c.rows, c.columns) + " and D of " + sizeText(m(), n()) +
                   " are no product");
  if (desc.compute != ltCompute32 && desc.compute != ltComputeTf32 && desc.compute != ltCompute64)
    return unsupported("a kind of sum that is not emulated");
  const LtType sumType = desc.compute == ltCompute64 ? ltFloat64 : ltFloat32;
  if (desc.scaleType != sumType || desc.pointerMode != ltScalarsOnHost)
    return unsupported(std::string("alpha and beta are ") + nameOf(sumType) + " on the host");
  if ((desc.compute == ltCompute64) != (a.type == ltFloat64))
    return unsupported("sums in f64 are for operands of f64");
  if (desc.compute == ltComputeTf32 && a.type != ltFloat32)
    return unsupported("tf32 is for operands of f32");
  if (a.type != b.type || c.type != d.type ||
      (d.type != a.type && (d.type != ltFloat32 || a.type == ltFloat64)))
    return unsupported(std::string("A, B, C and D of ") + nameOf(a.type) + ", " + nameOf(b.type) +
                       ", " + nameOf(c.type) + " and " + nameOf(d.type));
  const uint32_t known[] = {ltNoEpilogue, ltRelu, ltBias, ltRelu | ltBias, ltGelu, ltGelu | ltBias};
  if (!llvm::is_contained(known, desc.epilogue))
    return unsupported("an epilogue that is not emulated");
  if (desc.compute == ltCompute64 && desc.epilogue != ltNoEpilogue)
    return unsupported("a product of f64 has no epilogue");
  if (hasBias() && desc.biasType != -1 && desc.biasType != d.type)
    return unsupported("the bias has another type than D");
  return {};
}

uint64_t Matmul::workspaceBytes(const Algorithm &algorithm) const {
  return algorithm.parts == 1 ? 0 : algorithm.parts * d.batch * m() * n() * desc.sumBytes();
}

uint64_t Algorithm::alignment(const LtMatrixLayoutState &matrix) const {
  return vectors ? vectorBytes : bytesOf(matrix.type);
}

bool Matmul::suits(const Algorithm &algorithm) const {
  return llvm::all_of(llvm::ArrayRef({&a, &b, &c, &d}), [&](const LtMatrixLayoutState *matrix) {
    const uint64_t bytes = bytesOf(matrix->type), alignment = algorithm.alignment(*matrix);
    return (matrix->columns == 1 || matrix->leadingDimension * bytes % alignment == 0) &&
           (matrix->batch == 1 || matrix->batchStride * bytes % alignment == 0);
  });
}

std::vector<Algorithm> Matmul::algorithms(const LtPreferenceState &preference) const {
  std::vector<Algorithm> candidates;
  for (uint64_t parts : {4, 2, 1})
    if (parts == 1 || k() >= 16 * parts)
      for (bool vectors : {true, false})
        candidates.push_back({parts, vectors});
  llvm::erase_if(candidates, [&](const Algorithm &algorithm) {
    return workspaceBytes(algorithm) > preference.maxWorkspaceBytes || !suits(algorithm) ||
           preference.alignmentA % algorithm.alignment(a) ||
           preference.alignmentB % algorithm.alignment(b) ||
           preference.alignmentC % algorithm.alignment(c) ||
           preference.alignmentD % algorithm.alignment(d);
  });
  return candidates;
}

//===----------------------------------------------------------------------===//
// What it touches
//===----------------------------------------------------------------------===//

namespace {

/// Bytes from `begin` on, of an operand.
struct Range {
  const char *begin;
  size_t bytes;

  const char *end() const { return begin + bytes; }
};

struct Operand {
  std::string name;
  std::vector<Range> ranges;
  uint64_t alignment = 1;
  /// Whether it is D as well.
  bool isResult = false;

  /// All between its first and its last byte.
  Range hull() const {
    auto [first, last] =
        std::minmax_element(ranges.begin(), ranges.end(),
                            [](const Range &x, const Range &y) { return x.begin < y.begin; });
    return {first->begin, static_cast<size_t>(last->end() - first->begin)};
  }
};

bool overlap(const Range &x, const Range &y) { return x.begin < y.end() && y.begin < x.end(); }

/// The columns of all matrices, joined where one begins at the end of another. With `once`
/// those of one where all are the same.
Operand operandOf(const char *name, const char *data, const LtMatrixLayoutState &matrix,
                  bool once = true) {
  Operand operand = {name + (" of " + sizeText(matrix.rows, matrix.columns)), {}};
  const size_t bytes = bytesOf(matrix.type);
  const int32_t batch = once && matrix.batchStride == 0 ? 1 : matrix.batch;
  for (int32_t i = 0; i < batch; ++i) {
    const char *begin = data + i * matrix.batchStride * bytes;
    for (uint64_t column = 0; column < matrix.columns; ++column) {
      const char *next = begin + column * matrix.leadingDimension * bytes;
      if (!operand.ranges.empty() && operand.ranges.back().end() == next)
        operand.ranges.back().bytes += matrix.rows * bytes;
      else
        operand.ranges.push_back({next, matrix.rows * bytes});
    }
  }
  return operand;
}

llvm::Error of(const Operand &operand, llvm::Error error) {
  return llvm::createStringError(operand.name + ": " + llvm::toString(std::move(error)));
}

/// Fails where both touch a byte.
llvm::Error checkApart(const Operand &result, const Operand &other, const Operation &operation) {
  if (!overlap(result.hull(), other.hull()))
    return llvm::Error::success();
  for (const Range &mine : result.ranges)
    for (const Range &range : other.ranges)
      if (overlap(mine, range))
        return llvm::createStringError(operation.name + " writes " + result.name +
                                       " to memory of " + other.name);
  return llvm::Error::success();
}

llvm::Error checkNoOverlap(const Operand &result, const Operation &operation) {
  std::vector<Range> ranges = result.ranges;
  llvm::sort(ranges, [](const Range &x, const Range &y) { return x.begin < y.begin; });
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].begin < ranges[i - 1].end())
      return llvm::createStringError(operation.name + " writes bytes of " + result.name +
                                     " several times");
  return llvm::Error::success();
}

/// What is read: A, B, C where it has an effect, the bias.
std::vector<Operand> readBy(const Matmul &matmul, const MatmulData &data) {
  std::vector<Operand> read = {operandOf("A", data.a, matmul.a), operandOf("B", data.b, matmul.b)};
  if (data.beta != 0) {
    read.push_back(operandOf("C", data.c, matmul.c));
    read.back().isResult = data.c == data.d;
  }
  if (matmul.hasBias()) {
    const LtMatmulDescState &desc = matmul.desc;
    LtMatrixLayoutState bias = {matmul.d.type, matmul.m(), 1, static_cast<int64_t>(matmul.m())};
    bias.batch = matmul.d.batch;
    bias.batchStride = desc.biasStride;
    read.push_back(operandOf("the bias", static_cast<const char *>(desc.bias), bias));
    read.back().alignment = vectorBytes;
  }
  return read;
}

llvm::Error checkAligned(const Operand &operand, const Operation &operation) {
  for (const Range &range : operand.ranges)
    if (reinterpret_cast<uintptr_t>(range.begin) % operand.alignment)
      return llvm::createStringError(operation.name + " reads " + operand.name + " by " +
                                     std::to_string(operand.alignment) +
                                     " bytes, and it does not begin at a multiple of these");
  return llvm::Error::success();
}

/// Notes all accesses.
llvm::Error touch(const Matmul &matmul, const Algorithm &algorithm, const MatmulData &data,
                  DeviceMemory &memory, const Operation &operation) {
  const std::vector<Operand> read = readBy(matmul, data);
  for (const Operand &operand : read) {
    if (llvm::Error error = checkAligned(operand, operation))
      return error;
    for (const Range &range : operand.ranges)
      if (llvm::Error error = memory.read(range.begin, range.bytes, operation))
        return of(operand, std::move(error));
  }
  std::vector<Operand> written = {operandOf("D", data.d, matmul.d, /*once=*/false)};
  if (const uint64_t bytes = matmul.workspaceBytes(algorithm))
    written.push_back({"the workspace", {{data.workspace, bytes}}});
  if (llvm::Error error = checkNoOverlap(written.front(), operation))
    return error;
  for (const Operand &result : written)
    for (const Range &range : result.ranges)
      if (llvm::Error error = memory.write(const_cast<char *>(range.begin), range.bytes, operation))
        return of(result, std::move(error));
  for (const Operand &result : written)
    for (const Operand &operand : read)
      if (!operand.isResult || &result != &written.front())
        if (llvm::Error error = checkApart(result, operand, operation))
          return error;
  return written.size() == 1 ? llvm::Error::success()
                             : checkApart(written[1], written[0], operation);
}

//===----------------------------------------------------------------------===//
// Its values
//===----------------------------------------------------------------------===//

template <typename T> T bitsAt(const char *from) {
  T bits;
  std::memcpy(&bits, from, sizeof(bits));
  return bits;
}

/// In f64, which holds all of them.
double load(const char *from, LtType type) {
  return type == ltFloat64   ? bitsAt<double>(from)
         : type == ltFloat32 ? bitsAt<float>(from)
         : type == ltFloat16 ? fromF16(bitsAt<uint16_t>(from))
                             : fromBF16(bitsAt<uint16_t>(from));
}

void store(char *to, float value, LtType type) {
  if (type == ltFloat32) {
    std::memcpy(to, &value, sizeof(value));
    return;
  }
  const uint16_t narrow = type == ltFloat16 ? roundToF16(value) : roundToBF16(value);
  std::memcpy(to, &narrow, sizeof(narrow));
}

void store(char *to, double value, LtType) { std::memcpy(to, &value, sizeof(value)); }

/// One of the batch; its sums are rows of the stored matrix or columns.
Factor factorOf(const char *data, const LtMatrixLayoutState &matrix, int32_t batch,
                bool sumsAreRows, bool tf32) {
  const auto ld = static_cast<uint64_t>(matrix.leadingDimension);
  return {data + batch * matrix.batchStride * bytesOf(matrix.type),
          matrix.type,
          tf32,
          sumsAreRows ? matrix.rows : matrix.columns,
          sumsAreRows ? 1 : ld,
          sumsAreRows ? ld : 1};
}

float finish(uint32_t epilogue, float value) {
  if (epilogue & ltRelu)
    return value > 0 || value != value ? value : 0;
  if (epilogue & ltGelu)
    return 0.5f * value *
           (1 + std::tanh(0.797884561f * (value + 0.044715f * value * value * value)));
  return value;
}

double finish(uint32_t, double value) { return value; }

/// With sums in T.
template <typename T>
void compute(const Matmul &matmul, const Algorithm &algorithm, const MatmulData &data) {
  const LtMatmulDescState &desc = matmul.desc;
  const uint64_t m = matmul.m(), n = matmul.n(), k = matmul.k();
  const bool tf32 = desc.compute == ltComputeTf32;
  const auto alpha = static_cast<T>(data.alpha), beta = static_cast<T>(data.beta);
  std::vector<T> total(m * n), part(algorithm.parts == 1 ? 0 : m * n);
  for (int32_t batch = 0; batch < matmul.d.batch; ++batch) {
    const Factor a = factorOf(data.a, matmul.a, batch, !desc.transposeA, tf32);
    const Factor b = factorOf(data.b, matmul.b, batch, desc.transposeB, tf32);
    std::fill(total.begin(), total.end(), T(0));
    if (algorithm.parts == 1)
      addProducts(a, b, 0, k, total.data());
    for (uint64_t p = 0; algorithm.parts != 1 && p < algorithm.parts; ++p) {
      std::fill(part.begin(), part.end(), T(0));
      addProducts(a, b, p * k / algorithm.parts, (p + 1) * k / algorithm.parts, part.data());
      for (uint64_t i = 0; i < m * n; ++i)
        total[i] += part[i];
    }
    const size_t bytes = bytesOf(matmul.d.type);
    auto at = [&](const LtMatrixLayoutState &matrix, uint64_t row, uint64_t column) {
      return (batch * matrix.batchStride + column * matrix.leadingDimension + row) * bytes;
    };
    for (uint64_t column = 0; column < n; ++column)
      for (uint64_t row = 0; row < m; ++row) {
        T value = alpha * total[column * m + row];
        if (beta != 0)
          value += beta * static_cast<T>(load(data.c + at(matmul.c, row, column), matmul.c.type));
        if (matmul.hasBias())
          value += static_cast<T>(
              load(static_cast<const char *>(desc.bias) + (batch * desc.biasStride + row) * bytes,
                   matmul.d.type));
        store(data.d + at(matmul.d, row, column), finish(desc.epilogue, value), matmul.d.type);
      }
  }
}

} // namespace

llvm::Error mlir::tp::emulator::perform(const Matmul &matmul, const Algorithm &algorithm,
                                        const MatmulData &data, DeviceMemory &memory,
                                        const Operation &operation) {
  if (llvm::Error error = touch(matmul, algorithm, data, memory, operation))
    return error;
  if (matmul.desc.compute == ltCompute64)
    compute<double>(matmul, algorithm, data);
  else
    compute<float>(matmul, algorithm, data);
  // Partial results, of which nobody knows more.
  if (const uint64_t bytes = matmul.workspaceBytes(algorithm))
    std::memset(data.workspace, 0xFF, bytes);
  return llvm::Error::success();
}
