//===- Attention.cpp - Attention, causal or in both directions -------------===//
//
// One pass over the visible positions in tiles, softmax online: with m the
// largest score so far, l = sum exp(s - m) and o = sum exp(s - m) v, a tile with
// a larger score first scales l and o by exp(m_old - m_new). So a score buffer
// has the size of a tile, and nothing is read outside of the positions from the
// first to the last that a row of the block sees.
//
// Where keys and values are a block of the positions, m, l and o are the results. A row
// may then see nothing in a tile, or at all: its m is -inf, and nothing is subtracted
// from scores that are -inf already.
//
// A block is a few query rows of one batch row and key head; a row is (step,
// member of the group), numbered step * group + member. All rows of a block use
// a key or value while it is in registers. Scores vectorise over the depth (a
// sum per row and position), exponentials over the positions of a tile, the
// weighted sum again over the depth.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tp;

/// What the types of a declared kernel do not say.
constexpr StringLiteral kScaleAttr = "nn.attention_scale";
constexpr StringLiteral kWindowAttr = "nn.attention_window";
constexpr StringLiteral kBidirectionalAttr = "nn.attention_bidirectional";
/// Positions per tile.
constexpr int64_t tileSize = 64;
/// Positions whose scores are computed, and summed over the depth, together.
constexpr int64_t scoreGroup = 4;
/// Query rows per block.
constexpr int64_t maxBlockRows = 4;
/// Over all positions, the rows of a block start to see less than a tile apart, so that each
/// sees a position of the first tile and none has a softmax over nothing.
static_assert(maxBlockRows <= tileSize);
/// Largest depth: the vectors of a row are written out in the code.
constexpr int64_t maxDepth = 512;

bool mlir::tp::hasAttentionKernel(const AttentionShape &shape) {
  return shape.depth >= 1 && shape.depth <= maxDepth && shape.batch * shape.steps > 0 &&
         shape.heads * shape.group > 0 && shape.capacity > 0;
}

/// Rows of a block: a divisor of the number of rows where there is one above 1,
/// so that no second version of the code is needed for what is left.
static int64_t blockRows(const AttentionShape &shape) {
  int64_t rows = shape.steps * shape.group;
  for (int64_t candidate = maxBlockRows; candidate > 1; --candidate)
    if (rows % candidate == 0)
      return candidate;
  return std::min(maxBlockRows, rows);
}

static int64_t blocksPerHead(const AttentionShape &shape) {
  return llvm::divideCeil(shape.steps * shape.group, blockRows(shape));
}

int64_t mlir::tp::getAttentionRange(const AttentionShape &shape) {
  return shape.batch * shape.heads * blocksPerHead(shape);
}

namespace {

/// Buffers of one block: scores, then weights, [rows, tile]; and per row the
/// first position it sees, the end of those and the state of its softmax.
struct Scratch {
  Value scores, first, visible, largest, total, factor;
};

/// Emits one block of query rows.
class BlockEmitter {
public:
  BlockEmitter(KernelBuilder &b, const AttentionShape &shape, ValueRange buffers, Scratch scratch)
      : b(b), shape(shape), query(buffers[0]), keys(buffers[1]), values(buffers[2]),
        positions(buffers[3]), scratch(scratch), depth(b.cut(shape.depth)) {
    if (shape.isBlock) {
      place = buffers[4];
      result = buffers[5];
      largest = buffers[6];
    } else {
      result = buffers[4];
    }
  }

  /// `rows` rows from `firstRow` on.
  void emit(Value batch, Value head, Value firstRow, int64_t rows);

private:
  struct Row {
    Value step, member;
    Value first, visible; ///< The positions it sees, [first, visible).
    SmallVector<Value> query;
  };

  Row startRow(Value firstRow, int64_t number, Value start);
  /// Scores of positions [tile, end).
  void score(Value tile, Value end);
  /// Turns the scores of a tile into weights and updates largest, total, factor.
  void weigh(Value tile, Value end);
  /// Adds the weighted values of positions [from, to) to the sums, one after
  /// another per row; where `guarded`, only to the rows that see them.
  SmallVector<Value> accumulate(Value tile, Value from, Value to, bool guarded, ValueRange sums);

  SmallVector<Value> loadRow(Value cache, Value position) {
    SmallVector<Value> parts;
    for (Piece piece : depth)
      parts.push_back(
          b.loadVector(cache, {batch, head, position, b.index(piece.offset)}, piece.width));
    return parts;
  }
  SmallVector<Value> queryPlace(const Row &row, int64_t offset) {
    return {batch, row.step, head, row.member, b.index(offset)};
  }

  KernelBuilder &b;
  const AttentionShape &shape;
  /// Number i of `place`.
  Value placeOf(int64_t i) {
    Value number = memref::LoadOp::create(b, place, ValueRange{b.index(i)});
    return arith::IndexCastOp::create(b, b.getIndexType(), number);
  }

  Value query, keys, values, positions, result;
  Value place, largest; ///< Of a block.
  Scratch scratch;
  SmallVector<Piece> depth;
  Value batch, head;
  SmallVector<Row> rows;
};

BlockEmitter::Row BlockEmitter::startRow(Value firstRow, int64_t number, Value start) {
  Row row;
  Value flat = b.addIndex(firstRow, number), group = b.index(shape.group);
  row.step = arith::DivSIOp::create(b, flat, group);
  row.member = arith::RemSIOp::create(b, flat, group);
  Value end = start;
  if (!shape.bidirectional)
    end = b.addIndex(b.addIndex(start, row.step), 1);
  if (!shape.bidirectional && shape.isBlock)
    end = b.addIndex(end, placeOf(0));
  if (shape.isBlock)
    end = b.subIndex(end, placeOf(1));
  // Never past the cache, whatever the position.
  row.visible = b.minIndex(end, shape.isBlock ? placeOf(2) : b.index(shape.capacity));
  row.first = b.index(0);
  if (shape.window != 0)
    row.first = b.maxIndex(b.subIndex(end, b.index(shape.window)), row.first);
  for (Piece piece : depth) {
    Value part = b.loadVector(query, queryPlace(row, piece.offset), piece.width);
    row.query.push_back(b.mul(part, b.splat(shape.scale, piece.width)));
  }
  Value place = b.index(number);
  memref::StoreOp::create(b, row.first, scratch.first, place);
  memref::StoreOp::create(b, row.visible, scratch.visible, place);
  b.store(b.lowest(), scratch.largest, place);
  b.store(b.real(0), scratch.total, place);
  return row;
}

void BlockEmitter::score(Value tile, Value end) {
  Value last = b.subIndex(end, b.index(1));
  b.loop(tile, end, scoreGroup, [&](Value position) {
    // Past the end, the last position again: those scores are not used.
    SmallVector<SmallVector<Value>> group;
    for (int64_t i = 0; i < scoreGroup; ++i)
      group.push_back(loadRow(keys, b.minIndex(b.addIndex(position, i), last)));
    Value slot = b.subIndex(position, tile);
    for (auto [number, row] : llvm::enumerate(rows)) {
      SmallVector<SmallVector<Value>> sums;
      for (ArrayRef<Value> key : group) {
        // A chain of multiply-adds per width.
        llvm::MapVector<int64_t, Value> chains;
        for (auto [piece, q, k] : llvm::zip_equal(depth, row.query, key)) {
          Value &chain = chains[piece.width];
          chain = chain ? b.fma(q, k, chain) : b.mul(q, k);
        }
        sums.push_back(llvm::to_vector(llvm::make_second_range(chains)));
      }
      b.storeVector(b.sumEachOfFour(sums), scratch.scores, {b.index(number), slot});
    }
  });
}

void BlockEmitter::weigh(Value tile, Value end) {
  int64_t width = b.getLanes();
  Value zero = b.index(0), used = b.subIndex(end, tile);
  Value lowest = b.broadcast(b.lowest(), width);
  b.loop(zero, b.index(rows.size()), 1, [&](Value row) {
    // The visible positions of the tile are those below `count`, without the first
    // `hidden` where there is a window.
    Value count = b.subIndex(memref::LoadOp::create(b, scratch.visible, row), tile);
    Value hidden;
    if (shape.window != 0)
      hidden = b.subIndex(memref::LoadOp::create(b, scratch.first, row), tile);
    SmallVector<Value> best =
        b.loop(zero, used, width, lowest, [&](Value slot, ValueRange carried) {
          auto below = [&](Value limit) -> Value {
            Value rest = b.maxIndex(b.subIndex(limit, slot), zero);
            auto maskType = VectorType::get({width}, b.getI1Type());
            return vector::CreateMaskOp::create(b, maskType, ValueRange{rest});
          };
          Value part = b.loadVector(scratch.scores, {row, slot}, width);
          part = arith::SelectOp::create(b, below(count), part, lowest);
          if (hidden)
            part = arith::SelectOp::create(b, below(hidden), lowest, part);
          b.storeVector(part, scratch.scores, {row, slot});
          return SmallVector<Value>{b.larger(part, carried[0])};
        });
    Value bestOfTile = vector::ReductionOp::create(b, vector::CombiningKind::MAXNUMF, best[0]);
    Value before = b.load(scratch.largest, row);
    Value largest = b.larger(bestOfTile, before);
    Value top = largest;
    if (shape.isBlock) {
      Value isLowest = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, largest, b.lowest());
      top = arith::SelectOp::create(b, isLowest, b.real(0), largest);
    }
    Value shift = b.broadcast(top, width);
    SmallVector<Value> total =
        b.loop(zero, used, width, b.splat(0, width), [&](Value slot, ValueRange carried) {
          Value part = b.loadVector(scratch.scores, {row, slot}, width);
          Value weight = math::ExpOp::create(b, b.sub(part, shift));
          b.storeVector(weight, scratch.scores, {row, slot});
          return SmallVector<Value>{b.add(carried[0], weight)};
        });
    Value factor = math::ExpOp::create(b, b.sub(before, top));
    Value scaled = b.mul(b.load(scratch.total, row), factor);
    b.store(b.add(scaled, b.sum(total)), scratch.total, row);
    b.store(largest, scratch.largest, row);
    b.store(factor, scratch.factor, row);
  });
}

SmallVector<Value> BlockEmitter::accumulate(Value tile, Value from, Value to, bool guarded,
                                            ValueRange sums) {
  return b.loop(from, to, 1, sums, [&](Value position, ValueRange old) {
    SmallVector<Value> next, value = loadRow(values, position);
    Value slot = b.subIndex(position, tile);
    for (auto [number, row] : llvm::enumerate(rows)) {
      Value weight = b.load(scratch.scores, {b.index(number), slot});
      Value sees;
      if (guarded) {
        sees = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, position, row.visible);
        if (shape.window != 0) {
          Value from = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, position, row.first);
          sees = arith::AndIOp::create(b, sees, from);
        }
      }
      for (auto [piece, part] : llvm::zip_equal(depth, value)) {
        Value before = old[next.size()];
        Value sum = b.fma(b.broadcast(weight, piece.width), part, before);
        next.push_back(guarded ? arith::SelectOp::create(b, sees, sum, before) : sum);
      }
    }
    return next;
  });
}

void BlockEmitter::emit(Value inBatch, Value inHead, Value firstRow, int64_t count) {
  batch = inBatch;
  head = inHead;
  rows.clear();
  Value start = arith::IndexCastOp::create(b, b.getIndexType(),
                                           memref::LoadOp::create(b, positions, ValueRange{batch}));
  for (int64_t number = 0; number < count; ++number)
    rows.push_back(startRow(firstRow, number, start));
  SmallVector<Value> sums;
  for (size_t row = 0; row < rows.size(); ++row)
    for (Piece piece : depth)
      sums.push_back(b.splat(0, piece.width));
  // Rows are in the order of their steps: the first one starts and ends first.
  Value begin = rows.front().first, common = rows.front().visible, limit = rows.back().visible;
  sums = b.loop(begin, limit, tileSize, sums, [&](Value tile, ValueRange carried) {
    Value end = b.minIndex(b.addIndex(tile, tileSize), limit);
    score(tile, end);
    weigh(tile, end);
    SmallVector<Value> scaled;
    for (size_t row = 0; row < rows.size(); ++row) {
      Value factor = b.load(scratch.factor, b.index(row));
      for (Piece piece : depth)
        scaled.push_back(b.mul(carried[scaled.size()], b.broadcast(factor, piece.width)));
    }
    if (shape.bidirectional)
      return accumulate(tile, tile, end, /*guarded=*/false, scaled);
    // All rows see the positions from `shared` to `whole`.
    Value whole = b.minIndex(end, b.maxIndex(common, tile)), shared = tile;
    if (shape.steps > 1 && shape.window != 0) {
      shared = b.minIndex(b.maxIndex(rows.back().first, tile), whole);
      scaled = accumulate(tile, tile, shared, /*guarded=*/true, scaled);
    }
    scaled = accumulate(tile, shared, whole, /*guarded=*/false, scaled);
    if (shape.steps > 1)
      scaled = accumulate(tile, whole, end, /*guarded=*/true, scaled);
    return scaled;
  });
  ArrayRef<Value> rest(sums);
  for (auto [number, row] : llvm::enumerate(rows)) {
    Value total = b.load(scratch.total, b.index(number));
    if (shape.isBlock) {
      for (auto [piece, sum] : llvm::zip(depth, rest))
        b.storeVector(sum, result, queryPlace(row, piece.offset));
      b.store(total, result, queryPlace(row, shape.depth));
      b.store(b.load(scratch.largest, b.index(number)), largest,
              {batch, row.step, head, row.member});
      rest = rest.drop_front(depth.size());
      continue;
    }
    for (auto [piece, sum] : llvm::zip(depth, rest))
      b.storeVector(arith::DivFOp::create(b, sum, b.broadcast(total, piece.width)), result,
                    queryPlace(row, piece.offset));
    rest = rest.drop_front(depth.size());
  }
}

std::string kernelName(const AttentionShape &shape) {
  std::string name;
  llvm::raw_string_ostream os(name);
  os << (shape.isBlock ? "tp_attention_block_" : "tp_attention_") << shape.element << '_'
     << shape.batch << 'x' << shape.steps << 'x' << shape.heads << 'x' << shape.group << 'x'
     << shape.depth << '_' << shape.capacity << '_'
     << llvm::utohexstr(llvm::bit_cast<uint64_t>(shape.scale));
  if (shape.window != 0)
    os << "_window" << shape.window;
  if (shape.bidirectional)
    os << "_bidirectional";
  return name;
}

} // namespace

func::FuncOp mlir::tp::declareAttentionKernel(ModuleOp module, Location loc,
                                              const AttentionShape &shape) {
  auto queryType = MemRefType::get(
      {shape.batch, shape.steps, shape.heads, shape.group, shape.depth}, shape.element);
  auto cacheType =
      MemRefType::get({shape.batch, shape.heads, shape.capacity, shape.depth}, shape.element);
  auto posType = MemRefType::get({shape.batch}, IntegerType::get(module.getContext(), 64));
  SmallVector<Type> parameters = {queryType, cacheType, cacheType, posType};
  if (shape.isBlock) {
    SmallVector<int64_t> sums(queryType.getShape());
    ++sums.back();
    Type compute = computeTypeFor(shape.element);
    parameters.push_back(MemRefType::get({3}, posType.getElementType()));
    parameters.push_back(MemRefType::get(sums, compute));
    parameters.push_back(MemRefType::get(queryType.getShape().drop_back(), compute));
  } else {
    parameters.push_back(queryType);
  }
  func::FuncOp kernel = declareKernel(module, kernelName(shape), parameters, loc);
  Builder builder(module.getContext());
  kernel->setAttr(kScaleAttr, builder.getF64FloatAttr(shape.scale));
  kernel->setAttr(kWindowAttr, builder.getI64IntegerAttr(shape.window));
  kernel->setAttr(kBidirectionalAttr, builder.getBoolAttr(shape.bidirectional));
  return kernel;
}

bool mlir::tp::defineAttentionKernel(func::FuncOp kernel, int64_t bits) {
  auto scale = kernel->getAttrOfType<FloatAttr>(kScaleAttr);
  if (!scale || !kernel.isDeclaration())
    return false;
  auto query = cast<MemRefType>(kernel.getArgumentTypes()[2]);
  int64_t capacity = cast<MemRefType>(kernel.getArgumentTypes()[3]).getDimSize(2);
  AttentionShape shape{query.getDimSize(0),
                       query.getDimSize(1),
                       query.getDimSize(2),
                       query.getDimSize(3),
                       capacity,
                       query.getDimSize(4),
                       scale.getValueAsDouble(),
                       kernel->getAttrOfType<IntegerAttr>(kWindowAttr).getInt(),
                       kernel->getAttrOfType<BoolAttr>(kBidirectionalAttr).getValue(),
                       query.getElementType(),
                       /*isBlock=*/kernel.getNumArguments() == 9};
  auto body = [&](KernelBuilder &b, Value begin, Value end, ValueRange buffers) {
    int64_t rows = blockRows(shape), perHead = blocksPerHead(shape);
    int64_t whole = shape.steps * shape.group / rows, rest = shape.steps * shape.group % rows;
    auto allocate = [&](ArrayRef<int64_t> sizes, Type type) -> Value {
      return memref::AllocaOp::create(b, MemRefType::get(sizes, type));
    };
    Type compute = b.getCompute();
    Scratch scratch{allocate({rows, tileSize}, compute),
                    allocate(rows, b.getIndexType()),
                    allocate(rows, b.getIndexType()),
                    allocate(rows, compute),
                    allocate(rows, compute),
                    allocate(rows, compute)};
    BlockEmitter block(b, shape, buffers, scratch);
    b.loop(begin, end, 1, [&](Value number) {
      Value pair = arith::DivSIOp::create(b, number, b.index(perHead));
      Value inHead = arith::RemSIOp::create(b, number, b.index(perHead));
      Value batch = arith::DivSIOp::create(b, pair, b.index(shape.heads));
      Value head = arith::RemSIOp::create(b, pair, b.index(shape.heads));
      Value first = arith::MulIOp::create(b, inHead, b.index(rows));
      if (rest == 0)
        return block.emit(batch, head, first, rows);
      Value isWhole = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, inHead, b.index(whole));
      auto branch = scf::IfOp::create(b, isWhole, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      block.emit(batch, head, first, rows);
      b.setInsertionPointToStart(branch.elseBlock());
      block.emit(batch, head, first, rest);
    });
  };
  defineKernel(kernel, bits, computeTypeFor(shape.element), body);
  kernel->removeAttr(kScaleAttr);
  kernel->removeAttr(kWindowAttr);
  kernel->removeAttr(kBidirectionalAttr);
  return true;
}
