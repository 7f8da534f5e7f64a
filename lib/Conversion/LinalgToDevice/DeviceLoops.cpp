//===- DeviceLoops.cpp - A structured op on the threads of a device --------===//

#include "DeviceLoops.h"

#include "../LinalgToRT/KernelFunctions.h"
#include "WarpReduction.h"
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

class Emitter {
public:
  Emitter(OpBuilder &builder, linalg::LinalgOp op, IRMapping &mapping)
      : builder(builder), op(op), mapping(mapping), loc(op.getLoc()),
        sizes(op.getStaticLoopRanges()), indices(sizes.size()) {
    for (unsigned i = 0; i < sizes.size(); ++i)
      (isIndependentLoop(op, i) ? parallel : sequential).push_back(i);
  }

  LaunchShape emit() {
    if (llvm::is_contained(sizes, 0))
      return {0, 1};
    std::optional<Combiner> combiner = findCombiner();
    if (combiner && sharesReductions())
      return emitShared(*combiner);
    int64_t points = count(parallel);
    LaunchShape shape;
    shape.threads = points < kThreads ? llvm::alignTo(points, kWarpSize) : kThreads;
    shape.blocks = std::min<int64_t>(llvm::divideCeil(points, shape.threads), kMaxBlocks);
    Value first = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, blockNumber(), constant(shape.threads)),
        threadNumber());
    forEach(first, points, shape.blocks * shape.threads, [&](Value point) {
      setIndices(parallel, point);
      emitSequential();
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

  /// Whether results stay what they are along the sequential loops, in a register.
  bool staysInRegisters() {
    return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      return llvm::none_of(sequential, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
    });
  }

  /// The operation that combines elements, where the order does not matter.
  std::optional<Combiner> findCombiner() {
    if (sequential.empty() || op.getNumDpsInits() != 1 || !staysInRegisters())
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

  LaunchShape emitShared(const Combiner &combiner) {
    int64_t points = count(parallel), elements = count(sequential);
    LaunchShape shape;
    shape.blocks = std::min(points, kMaxBlocks);
    shape.threads = std::clamp<int64_t>(llvm::PowerOf2Ceil(elements) / 2, kWarpSize, kThreads);
    OpOperand &init = op.getDpsInitsMutable()[0];
    Value thread = threadNumber();
    forEach(blockNumber(), points, shape.blocks, [&](Value point) {
      setIndices(parallel, point);
      Value neutral = combiner.getNeutral(builder, loc);
      auto loop = scf::ForOp::create(builder, loc, thread, constant(elements),
                                     constant(shape.threads), ValueRange(neutral));
      {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(loop.getBody());
        setIndices(sequential, loop.getInductionVar());
        scf::YieldOp::create(builder, loc, emitBody(loop.getRegionIterArg(0)));
      }
      bool isRepeated = points > shape.blocks;
      Value all = reduceOverBlock(builder, loc, combiner, loop.getResult(0), thread, shape.threads,
                                  isRepeated);
      Value isFirst =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread, constant(0));
      auto branch = scf::IfOp::create(builder, loc, isFirst);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      store(init, combiner.combine(builder, loc, load(init), all));
    });
    return shape;
  }

  /// The iterations of the sequential loops, by one thread.
  void emitSequential() {
    if (sequential.empty() || !staysInRegisters()) {
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
    IRMapping values = mapping;
    Block *body = op.getBlock();
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (op.isDpsInit(&operand)) {
        unsigned number = operand.getOperandNumber() - op.getNumDpsInputs();
        if (accumulators[number])
          values.map(argument, accumulators[number]);
      } else if (!argument.use_empty()) {
        values.map(argument, load(operand));
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

  /// Indices of `loops` at `point` of their product, row-major. Devices divide numbers
  /// of 32 bits much faster.
  void setIndices(ArrayRef<unsigned> loops, Value point) {
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

LaunchShape tp::emitDeviceLoops(OpBuilder &builder, linalg::LinalgOp op, IRMapping &mapping) {
  return Emitter(builder, op, mapping).emit();
}
