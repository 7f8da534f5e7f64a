//===- DeviceLoops.cpp - A structured op on the threads of a device --------===//

#include "DeviceLoops.h"

#include "../LinalgToRT/KernelFunctions.h"
#include "WarpReduction.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

constexpr int64_t kThreads = 256;
/// Blocks that keep any device busy; more points are taken in turn.
constexpr int64_t kMaxBlocks = 4096;
/// Elements from which threads share a reduction.
constexpr int64_t kSharedReduction = 32;
/// Points that keep a device busy with a thread each.
constexpr int64_t kEnoughPoints = 2048;
/// Bytes of the widest access, and the most elements that a thread takes for it.
constexpr int64_t kWidestAccess = 16, kMostNeighbours = 8;

/// Whether a thread has a result in a register along all loops that are not independent: it
/// is loaded once before and stored once behind them.
bool keepsResults(linalg::LinalgOp op) {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (unsigned i = 0; i < op.getNumLoops(); ++i)
      if (!isIndependentLoop(op, i) && map.isFunctionOfDim(i))
        return false;
  }
  return true;
}

class Emitter {
public:
  Emitter(OpBuilder &builder, linalg::LinalgOp op, IRMapping &mapping)
      : builder(builder), op(op), mapping(mapping), loc(op.getLoc()),
        sizes(op.getStaticLoopRanges()), indices(sizes.size()) {
    for (unsigned i = 0; i < sizes.size(); ++i)
      (isIndependentLoop(op, i) ? parallel : sequential).push_back(i);
  }

  /// The same for blocks that take a row each, one trip of the first `rowLoops` loops.
  void emitRows(unsigned rowLoops, LaunchShape shape) {
    SmallVector<unsigned> rows = llvm::to_vector(llvm::seq(0u, rowLoops));
    llvm::erase_if(parallel, [&](unsigned loop) { return loop < rowLoops; });
    std::optional<Combiner> combiner = findCombiner();
    forEach(blockNumber(), count(rows), shape.blocks, [&](Value row) {
      setIndices(rows, row);
      if (combiner && count(sequential) >= kSharedReduction) {
        int64_t width = getVectorWidth(sequential, kWarpSize), points = count(parallel);
        bool isRepeated = points > 1 || count(rows) > shape.blocks;
        Value thread = threadNumber();
        forEach(constant(0), points, 1, [&](Value point) {
          setIndices(parallel, point);
          emitSharedPoint(*combiner, width, thread, shape.threads, isRepeated);
        });
        return;
      }
      int64_t width = sequential.empty() ? getVectorWidth(parallel, kWarpSize) : 1;
      forEach(threadNumber(), count(parallel) / width, shape.threads, [&](Value point) {
        setIndices(parallel, point, width);
        emitPoint(width);
      });
    });
  }

  LaunchShape emit() {
    if (llvm::is_contained(sizes, 0))
      return {0, 1};
    std::optional<Combiner> combiner = findCombiner();
    if (combiner && sharesReductions())
      return emitShared(*combiner);
    int64_t width = sequential.empty() ? getVectorWidth(parallel, kEnoughPoints) : 1;
    int64_t points = count(parallel) / width;
    LaunchShape shape;
    shape.threads = points < kThreads ? llvm::alignTo(points, kWarpSize) : kThreads;
    shape.blocks = std::min<int64_t>(llvm::divideCeil(points, shape.threads), kMaxBlocks);
    Value first = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, blockNumber(), constant(shape.threads)),
        threadNumber());
    forEach(first, points, shape.blocks * shape.threads, [&](Value point) {
      setIndices(parallel, point, width);
      emitPoint(width);
    });
    return shape;
  }

private:
  int64_t count(ArrayRef<unsigned> loops) const {
    int64_t result = 1;
    for (unsigned loop : loops)
      result *= sizes[loop];
    return result;
  }

  /// The operation that combines elements, where the order does not matter.
  std::optional<Combiner> findCombiner() {
    if (sequential.empty() || op.getNumDpsInits() != 1 || !keepsResults(op))
      return std::nullopt;
    return Combiner::match(op.getRegionOutputArgs().front(),
                           op.getBlock()->getTerminator()->getOperand(0));
  }

  /// Whether a block takes a point: else each thread would read far from its neighbours,
  /// or most of the device has nothing to do.
  bool sharesReductions() {
    if (count(sequential) < kSharedReduction)
      return false;
    if (count(parallel) < kEnoughPoints)
      return true;
    return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
      AffineMap map = op.getMatchingIndexingMap(input);
      if (!isa<MemRefType>(input->get().getType()) || map.getNumResults() == 0)
        return false;
      auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
      return last && llvm::is_contained(sequential, last.getPosition());
    });
  }

  /// Where the elements of an operand at neighbours along a loop lie: apart, in one place, or
  /// side by side.
  enum class Neighbours { Apart, Same, Adjacent };
  Neighbours getNeighbours(OpOperand &operand, unsigned loop) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!type || !map.isFunctionOfDim(loop))
      return Neighbours::Same;
    SmallVector<int64_t> strides;
    int64_t offset;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    bool isAdjacent = last && last.getPosition() == loop &&
                      llvm::none_of(map.getResults().drop_back(),
                                    [&](AffineExpr e) { return e.isFunctionOfDim(loop); }) &&
                      succeeded(type.getStridesAndOffset(strides, offset)) && strides.back() == 1;
    return isAdjacent ? Neighbours::Adjacent : Neighbours::Apart;
  }

  /// How many neighbours along the last of `loops` a thread takes, so that an access of the
  /// narrowest elements is as wide as it can be and at least `enough` of them are left; 1
  /// where some element would not lie beside its neighbour.
  int64_t getVectorWidth(ArrayRef<unsigned> loops, int64_t enough) {
    unsigned loop = loops.empty() ? 0 : loops.back();
    int64_t narrowest = kWidestAccess;
    for (OpOperand &operand : op->getOpOperands()) {
      if (loops.empty())
        return 1;
      switch (getNeighbours(operand, loop)) {
      case Neighbours::Apart:
        return 1;
      case Neighbours::Same:
        break;
      case Neighbours::Adjacent:
        narrowest = std::min(narrowest, rt::getElementBytes(getElementTypeOrSelf(operand.get())));
      }
    }
    int64_t width = std::min<int64_t>(kWidestAccess / narrowest, kMostNeighbours);
    while (width > 1 && (sizes[loop] % width != 0 || count(loops) / width < enough))
      width /= 2;
    return width;
  }

  void emitPoint(int64_t width) {
    if (width > 1)
      emitNeighbours(width);
    else
      emitSequential();
  }

  /// An elementwise op on `width` neighbours from `indices` on. All are loaded first, so that
  /// machine code may load them at once.
  void emitNeighbours(int64_t width) {
    unsigned loop = parallel.back();
    Value first = indices[loop];
    SmallVector<Value> places;
    SmallVector<SmallVector<Value>> inputs, before, results;
    for (int64_t i = 0; i < width; ++i) {
      places.push_back(arith::AddIOp::create(builder, loc, first, constant(i)));
      indices[loop] = places.back();
      inputs.push_back(loadInputs());
      before.emplace_back();
      for (OpOperand &init : op.getDpsInitsMutable())
        before.back().push_back(op.payloadUsesValueFromOperand(&init) ? load(init) : Value());
    }
    for (int64_t i = 0; i < width; ++i) {
      indices[loop] = places[i];
      results.push_back(emitBody(before[i], inputs[i]));
    }
    for (int64_t i = 0; i < width; ++i) {
      indices[loop] = places[i];
      storeAll(results[i]);
    }
  }

  LaunchShape emitShared(const Combiner &combiner) {
    int64_t width = getVectorWidth(sequential, kWarpSize);
    int64_t points = count(parallel), elements = count(sequential) / width;
    LaunchShape shape;
    shape.blocks = std::min(points, kMaxBlocks);
    int64_t threads = width > 1 ? llvm::PowerOf2Ceil(elements) : llvm::PowerOf2Ceil(elements) / 2;
    shape.threads = std::clamp<int64_t>(threads, kWarpSize, kThreads);
    Value thread = threadNumber();
    bool isRepeated = points > shape.blocks;
    forEach(blockNumber(), points, shape.blocks, [&](Value point) {
      setIndices(parallel, point);
      emitSharedPoint(combiner, width, thread, shape.threads, isRepeated);
    });
    return shape;
  }

  /// The reduction at `indices`, of which each of `threads` threads of a block takes `width`
  /// neighbours at a time; the first one adds the result.
  void emitSharedPoint(const Combiner &combiner, int64_t width, Value thread, int64_t threads,
                       bool isRepeated) {
    OpOperand &init = op.getDpsInitsMutable()[0];
    int64_t elements = count(sequential) / width;
    Value neutral = combiner.getNeutral(builder, loc);
    auto loop = scf::ForOp::create(builder, loc, thread, constant(elements), constant(threads),
                                   ValueRange(neutral));
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      setIndices(sequential, loop.getInductionVar(), width);
      unsigned last = sequential.back();
      Value first = indices[last];
      SmallVector<SmallVector<Value>> inputs;
      for (int64_t i = 0; i < width; ++i) {
        if (i > 0)
          indices[last] = arith::AddIOp::create(builder, loc, first, constant(i));
        inputs.push_back(loadInputs());
      }
      SmallVector<Value> sum = {loop.getRegionIterArg(0)};
      for (int64_t i = 0; i < width; ++i) {
        indices[last] = i == 0 ? first : arith::AddIOp::create(builder, loc, first, constant(i));
        sum = emitBody(sum, inputs[i]);
      }
      scf::YieldOp::create(builder, loc, sum);
    }
    Value all =
        reduceOverBlock(builder, loc, combiner, loop.getResult(0), thread, threads, isRepeated);
    Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread, constant(0));
    auto branch = scf::IfOp::create(builder, loc, isFirst);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    store(init, combiner.combine(builder, loc, load(init), all));
  }

  /// The iterations of the sequential loops, by one thread.
  void emitSequential() {
    if (sequential.empty() || !keepsResults(op)) {
      emitNest(sequential, {}, [&](ValueRange) -> SmallVector<Value> {
        SmallVector<Value> before;
        for (OpOperand &init : op.getDpsInitsMutable())
          before.push_back(op.payloadUsesValueFromOperand(&init) ? load(init) : Value());
        storeAll(emitBody(before));
        return {};
      });
      return;
    }
    SmallVector<Value> before;
    for (OpOperand &init : op.getDpsInitsMutable())
      before.push_back(
          op.payloadUsesValueFromOperand(&init)
              ? load(init)
              : arith::ConstantOp::create(
                    builder, loc, builder.getZeroAttr(getElementTypeOrSelf(init.get().getType()))));
    storeAll(emitNest(sequential, before, [&](ValueRange carried) { return emitBody(carried); }));
  }

  /// A nest of loops that carry `values`; returns them behind it.
  SmallVector<Value> emitNest(ArrayRef<unsigned> loops, ValueRange values,
                              function_ref<SmallVector<Value>(ValueRange)> body) {
    if (loops.empty())
      return body(values);
    auto loop = scf::ForOp::create(builder, loc, constant(0), constant(sizes[loops.front()]),
                                   constant(1), values);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    indices[loops.front()] = loop.getInductionVar();
    SmallVector<Value> next = emitNest(loops.drop_front(), loop.getRegionIterArgs(), body);
    if (!values.empty())
      scf::YieldOp::create(builder, loc, next);
    return loop.getResults();
  }

  /// The body on the elements at `indices`, with `accumulators` as those of the results.
  SmallVector<Value> emitBody(ValueRange accumulators) {
    return emitBody(accumulators, loadInputs());
  }

  /// The elements of the operands at `indices`; null for those that the body does not use.
  SmallVector<Value> loadInputs() {
    SmallVector<Value> inputs;
    for (OpOperand *operand : op.getDpsInputOperands())
      inputs.push_back(op.getMatchingBlockArgument(operand).use_empty() ? Value() : load(*operand));
    return inputs;
  }

  SmallVector<Value> emitBody(ValueRange accumulators, ArrayRef<Value> inputs) {
    IRMapping values = mapping;
    Block *body = op.getBlock();
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (op.isDpsInit(&operand)) {
        unsigned number = operand.getOperandNumber() - op.getNumDpsInputs();
        if (accumulators[number])
          values.map(argument, accumulators[number]);
      } else if (Value input = inputs[operand.getOperandNumber()]) {
        values.map(argument, input);
      }
    }
    for (Operation &inner : body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        values.map(index.getResult(), indices[index.getDim()]);
        continue;
      }
      Operation *clone = builder.clone(inner, values);
      clone->walk([&](linalg::IndexOp nested) {
        nested.replaceAllUsesWith(indices[nested.getDim()]);
        nested.erase();
      });
    }
    SmallVector<Value> results;
    for (Value result : body->getTerminator()->getOperands())
      results.push_back(values.lookupOrDefault(result));
    return results;
  }

  SmallVector<Value> getPosition(OpOperand &operand) {
    SmallVector<Value> position;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (AffineExpr result : map.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        position.push_back(indices[dim.getPosition()]);
      else
        position.push_back(affine::AffineApplyOp::create(
            builder, loc, AffineMap::get(map.getNumDims(), 0, result), indices));
    }
    return position;
  }

  Value load(OpOperand &operand) {
    Value value = mapping.lookupOrDefault(operand.get());
    if (!isa<MemRefType>(value.getType()))
      return value;
    return memref::LoadOp::create(builder, loc, value, getPosition(operand));
  }

  void store(OpOperand &operand, Value value) {
    memref::StoreOp::create(builder, loc, value, mapping.lookupOrDefault(operand.get()),
                            getPosition(operand));
  }

  void storeAll(ValueRange values) {
    for (auto [init, value] : llvm::zip_equal(op.getDpsInitsMutable(), values))
      store(init, value);
  }

  /// `body` for first, first + step, ... below `end`.
  void forEach(Value first, int64_t end, int64_t step, function_ref<void(Value)> body) {
    OpBuilder::InsertionGuard guard(builder);
    if (step == end) {
      body(first);
    } else if (step > end) {
      Value isIn =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, first, constant(end));
      auto branch = scf::IfOp::create(builder, loc, isIn);
      builder.setInsertionPointToStart(branch.thenBlock());
      body(first);
    } else {
      auto loop = scf::ForOp::create(builder, loc, first, constant(end), constant(step));
      builder.setInsertionPointToStart(loop.getBody());
      body(loop.getInductionVar());
    }
  }

  /// Indices of `loops` at `point` of their product, row-major, where the last one goes in
  /// steps of `width`. Devices divide numbers of 32 bits much faster.
  void setIndices(ArrayRef<unsigned> loops, Value point, int64_t width = 1) {
    if (width > 1) {
      sizes[loops.back()] /= width;
      setIndices(loops, point);
      sizes[loops.back()] *= width;
      Value &index = indices[loops.back()];
      index = arith::MulIOp::create(builder, loc, index, constant(width));
      return;
    }
    bool isSmall = llvm::isInt<32>(count(loops));
    Type type = isSmall ? Type(builder.getI32Type()) : Type(builder.getI64Type());
    Value rest;
    for (unsigned position = loops.size(); position-- > 0;) {
      unsigned loop = loops[position];
      if (sizes[loop] == 1) {
        indices[loop] = constant(0);
        continue;
      }
      bool isLast = count(loops.take_front(position)) == 1;
      if (isLast && !rest) {
        indices[loop] = point;
        continue;
      }
      if (!rest)
        rest = arith::IndexCastUIOp::create(builder, loc, type, point);
      Value index = rest;
      if (!isLast) {
        Value size =
            arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, sizes[loop]));
        index = arith::RemUIOp::create(builder, loc, rest, size);
        rest = arith::DivUIOp::create(builder, loc, rest, size);
      }
      indices[loop] = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), index);
    }
  }

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value toIndex(Value number) {
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), number);
  }
  Value threadNumber() {
    return toIndex(NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type()));
  }
  Value blockNumber() {
    return toIndex(NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type()));
  }

  OpBuilder &builder;
  linalg::LinalgOp op;
  IRMapping &mapping;
  Location loc;
  SmallVector<int64_t> sizes;
  SmallVector<Value> indices; ///< per loop, at the place of the builder
  SmallVector<unsigned> parallel, sequential;
};

} // namespace

std::optional<unsigned> tp::getRowLoops(linalg::LinalgOp op, int64_t rows) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t count = 1;
  for (unsigned loop = 0;; ++loop) {
    if (count == rows)
      return loop;
    if (loop == sizes.size() || !isIndependentLoop(op, loop))
      return std::nullopt;
    count *= sizes[loop];
  }
}

int64_t tp::getRowThreads(linalg::LinalgOp op, int64_t rows) {
  constexpr int64_t perThread = 8, most = 512;
  int64_t points = 1;
  for (int64_t size : op.getStaticLoopRanges())
    points *= size;
  int64_t threads = llvm::PowerOf2Ceil(llvm::divideCeil(points / rows, perThread));
  return std::clamp(threads, kWarpSize, most);
}

void tp::emitDeviceRows(OpBuilder &builder, linalg::LinalgOp op, IRMapping &mapping, int64_t rows,
                        LaunchShape shape) {
  Emitter(builder, op, mapping).emitRows(*getRowLoops(op, rows), shape);
}

LaunchShape tp::emitDeviceLoops(OpBuilder &builder, linalg::LinalgOp op, IRMapping &mapping) {
  return Emitter(builder, op, mapping).emit();
}
