//===- MatrixIntrinsics.cpp - Tensor cores and their loads -----------------===//
//
// Fragments as the PTX ISA lays them out: of an 8 x 4 grid of lanes, lane l is row
// l / 4 and column l % 4; registers hold neighbours along a row of 16-bit elements.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Intrinsics.h"
#include "NarrowFloats.h"

#include <cmath>
#include <cstring>

using namespace mlir::tp::emulator;

namespace {

using Lanes = llvm::ArrayRef<void *>;
constexpr uint32_t wholeWarp = ~0u;

enum class Element { F16, BF16, TF32 };

float toFloat(uint16_t bits, Element element) {
  return element == Element::BF16 ? fromBF16(bits) : fromF16(bits);
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// What one lane brings: A of 16 rows in 4 registers, B of 8 columns in 2, C of 16 x 8.
struct Product {
  uint32_t a[4], b[2];
  float c[4];
};

/// Row-major A[16][K], B[K][8], C[16][8] of a warp.
template <int K> struct Tiles {
  float a[16][K], b[K][8], c[16][8];
};

/// m16n8k16 of 16-bit elements: each register holds columns 2c and 2c + 1 of a quarter
/// of A (rows r and r + 8, then the same of columns from 8 on), rows of a half of B.
void spread(const Product &product, unsigned lane, Element element, Tiles<16> &tiles) {
  unsigned row = lane / 4, column = lane % 4 * 2;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned half = 0; half < 2; ++half)
      tiles.a[row + i % 2 * 8][column + i / 2 * 8 + half] =
          toFloat(product.a[i] >> 16 * half & 0xFFFF, element);
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned half = 0; half < 2; ++half)
      tiles.b[column + i * 8 + half][row] = toFloat(product.b[i] >> 16 * half & 0xFFFF, element);
}

/// m16n8k8 of tf32: a register is one element.
void spread(const Product &product, unsigned lane, Element, Tiles<8> &tiles) {
  unsigned row = lane / 4, column = lane % 4;
  for (unsigned i = 0; i < 4; ++i)
    tiles.a[row + i % 2 * 8][column + i / 2 * 4] = fromTF32(product.a[i]);
  for (unsigned i = 0; i < 2; ++i)
    tiles.b[column + i * 4][row] = fromTF32(product.b[i]);
}

template <int K, Element Kind> void combineProduct(Lanes lanes, uint32_t, uint32_t) {
  auto product = [&](unsigned lane) -> Product & { return *static_cast<Product *>(lanes[lane]); };
  auto row = [](unsigned lane, unsigned i) { return lane / 4 + i / 2 * 8; };
  auto column = [](unsigned lane, unsigned i) { return lane % 4 * 2 + i % 2; };
  Tiles<K> tiles;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    spread(product(lane), lane, Kind, tiles);
    for (unsigned i = 0; i < 4; ++i)
      tiles.c[row(lane, i)][column(lane, i)] = product(lane).c[i];
  }
  for (unsigned lane = 0; lane < warpSize; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      unsigned m = row(lane, i), n = column(lane, i);
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += tiles.a[m][k] * tiles.b[k][n];
      product(lane).c[i] = tiles.c[m][n] + sum;
    }
}

struct Four {
  float values[4];
};

template <int K, Element Kind>
void multiply(Four *result, uint32_t site, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,
              uint32_t b0, uint32_t b1, float c0, float c1, float c2, float c3) {
  Product product = {{a0, a1, a2, a3}, {b0, b1}, {c0, c1, c2, c3}};
  Meeting meeting = {combineProduct<K, Kind>, "mma.sync", wholeWarp, 0, false, site, &product};
  Block::current().meet(meeting);
  std::memcpy(result, product.c, sizeof(Four));
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

struct MatrixLoad {
  const char *row;
  uint32_t result[4] = {};
};

/// Lanes 8 i to 8 i + 7 hold the addresses of the rows of matrix i, of 8 x 8 elements of
/// 16 bits; each lane gets two neighbours of its row (transposed: of its column).
template <unsigned Count, bool Transposed> void combineLoad(Lanes lanes, uint32_t, uint32_t) {
  for (unsigned matrix = 0; matrix < Count; ++matrix) {
    uint16_t elements[8][8];
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(elements[row], static_cast<MatrixLoad *>(lanes[matrix * 8 + row])->row, 16);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      unsigned row = lane / 4, column = lane % 4 * 2;
      uint32_t low = Transposed ? elements[column][row] : elements[row][column];
      uint32_t high = Transposed ? elements[column + 1][row] : elements[row][column + 1];
      static_cast<MatrixLoad *>(lanes[lane])->result[matrix] = low | high << 16;
    }
  }
}

template <unsigned Count> struct Registers {
  uint32_t values[Count];
};

template <unsigned Count, bool Transposed> MatrixLoad loadMatrices(uint32_t site, const char *row) {
  Block &block = Block::current();
  if (block.lane() < 8 * Count)
    block.access(reinterpret_cast<uintptr_t>(row), 16, AccessKind::Read, site);
  MatrixLoad load = {row};
  Meeting meeting = {
      combineLoad<Count, Transposed>, "ldmatrix.sync", wholeWarp, 0, false, site, &load};
  block.meet(meeting);
  return load;
}

template <unsigned Count, bool Transposed>
void load(Registers<Count> *result, uint32_t site, const char *row) {
  MatrixLoad load = loadMatrices<Count, Transposed>(site, row);
  std::memcpy(result, load.result, sizeof(*result));
}

template <bool Transposed> uint32_t loadOne(uint32_t site, const char *row) {
  return loadMatrices<1, Transposed>(site, row).result[0];
}

const IntrinsicForm table[] = {
    {"mma.m16n8k16.row.col.bf16", address(multiply<16, Element::BF16>), true, true},
    {"mma.m16n8k16.row.col.f32.f32", address(multiply<16, Element::F16>), true, true},
    {"mma.m16n8k8.row.col.tf32", address(multiply<8, Element::TF32>), true, true},
    {"ldmatrix.sync.aligned.m8n8.x1.b16.p3", address(loadOne<false>), true, true},
    {"ldmatrix.sync.aligned.m8n8.x2.b16.p3", address(load<2, false>), true, true},
    {"ldmatrix.sync.aligned.m8n8.x4.b16.p3", address(load<4, false>), true, true},
    {"ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3", address(loadOne<true>), true, true},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3", address(load<2, true>), true, true},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3", address(load<4, true>), true, true},
};

} // namespace

llvm::ArrayRef<IntrinsicForm> mlir::tp::emulator::getMatrixIntrinsics() { return table; }
