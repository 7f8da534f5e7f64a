//===- Work.cpp - What an operation of the runtime must do ----------------===//

#include "Work.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tp/Analysis/Hardware.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::tp;

namespace {

/// More than any count: a count that is not known.
constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

int64_t times(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  int64_t result;
  return a == kUnknown || b == kUnknown || llvm::MulOverflow(a, b, result) ? kUnknown : result;
}

int64_t plus(int64_t a, int64_t b) {
  int64_t result;
  return a == kUnknown || b == kUnknown || llvm::AddOverflow(a, b, result) ? kUnknown : result;
}

int64_t getBytes(MemRefType type) {
  return times(type.getNumElements(), rt::getElementBytes(type.getElementType()));
}

/// Trips of a loop; threads that share one begin at their number, which counts as 0.
int64_t getTrips(scf::ForOp loop) {
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  int64_t begin = getConstantIntValue(loop.getLowerBound()).value_or(0);
  if (!end || !step || *step <= 0)
    return kUnknown;
  return *end > begin ? llvm::divideCeil(*end - begin, *step) : 0;
}

bool isFloatArithmetic(Operation *op) {
  if (op->getNumResults() != 1 || !isa<FloatType>(op->getResult(0).getType()))
    return false;
  return isa<math::MathDialect>(op->getDialect()) ||
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::RemFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp>(op);
}

/// One kernel as a launch runs it.
class KernelWork {
public:
  KernelWork(func::FuncOp kernel, int64_t threads) : kernel(kernel), threads(threads) {}

  Work get() {
    Work work;
    int64_t flops = 0;
    kernel.walk([&](Operation *op) {
      if (isFloatArithmetic(op))
        flops = plus(flops, times(getCount(op), isa<math::FmaOp>(op) ? 2 : 1));
      else if (isa<CallOpInterface>(op))
        flops = kUnknown;
      if (auto call = dyn_cast<rt::KernelCallOp>(op)) {
        Work part = getLibraryWork(call);
        flops = part.flops < 0 ? kUnknown : plus(flops, part.flops);
        work.bytes += part.bytes;
      }
    });
    work.flops = flops == kUnknown ? -1 : flops;
    for (BlockArgument argument : kernel.getArguments())
      if (auto type = dyn_cast<MemRefType>(argument.getType())) {
        Traffic traffic;
        add(argument, traffic);
        int64_t whole = getBytes(type);
        work.bytes += std::min(traffic.read, whole) + std::min(traffic.written, whole);
      }
    return work;
  }

private:
  struct Traffic {
    int64_t read = 0, written = 0;
  };

  /// How often all threads together do `op`.
  int64_t getCount(Operation *op) {
    int64_t count = threads;
    for (Operation *outer = op->getParentOp(); outer != kernel; outer = outer->getParentOp()) {
      if (auto loop = dyn_cast<scf::ForOp>(outer))
        count = times(count, getTrips(loop));
      else if (isa<LoopLikeOpInterface>(outer))
        count = kUnknown;
    }
    return count;
  }

  /// Adds what is done with `memory`, a view of an argument.
  void add(Value memory, Traffic &traffic) {
    auto type = cast<MemRefType>(memory.getType());
    auto accessed = [&](Operation *op) {
      return std::min(times(getCount(op), rt::getElementBytes(type.getElementType())),
                      getBytes(type));
    };
    for (Operation *user : memory.getUsers()) {
      auto view = dyn_cast<ViewLikeOpInterface>(user);
      if (view && isa<MemRefType>(view->getResult(0).getType()))
        add(view->getResult(0), traffic);
      else if (auto store = dyn_cast<memref::StoreOp>(user))
        traffic.written = plus(traffic.written, accessed(store));
      else if (isa<memref::LoadOp>(user))
        traffic.read = plus(traffic.read, accessed(user));
      else if (isa<rt::KernelCallOp>(user))
        continue; // which says itself what it does
      else
        traffic.read = plus(traffic.read, getBytes(type)); // or written
    }
  }

  func::FuncOp kernel;
  const int64_t threads;
};

/// Of a product with `result`, the stride of which is given.
template <typename OpTy> Work getWork(OpTy op, Value result, int64_t resultStride) {
  auto bytes = [&](Value memory, int64_t rows, int64_t columns, int64_t stride) {
    int64_t items = stride ? int64_t(op.getBatch()) : 1;
    return items * rows * columns *
           rt::getElementBytes(cast<MemRefType>(memory.getType()).getElementType());
  };
  int64_t m = op.getM(), n = op.getN(), k = op.getK(), batch = op.getBatch();
  Work work;
  work.flops = times(times(times(times(2, m), n), k), batch);
  work.bytes = bytes(op.getA(), m, k, op.getStrideA()) + bytes(op.getB(), k, n, op.getStrideB()) +
               bytes(result, m, n, resultStride);
  if constexpr (std::is_same_v<OpTy, rt::GemmOp>) {
    if (op.getAccumulate())
      work.bytes += bytes(result, m, n, resultStride);
  } else {
    if (op.getC())
      work.bytes += bytes(op.getC(), m, n, op.getStrideC());
    if (op.getBias())
      work.bytes += bytes(op.getBias(), 1, n, op.getStrideBias());
  }
  return work;
}

/// `elements` are those of the larger of operand and result.
Work getWork(CollectiveKind kind, Operation *op, FlatSymbolRefAttr name, Value larger) {
  auto group = SymbolTable::lookupNearestSymbolFrom<rt::GroupOp>(op, name);
  auto type = cast<ShapedType>(larger.getType());
  int64_t k = group.getGroupSize(), elements = type.getNumElements();
  bool reduces = kind == CollectiveKind::AllReduce || kind == CollectiveKind::ReduceScatter;
  int64_t flops = reduces ? llvm::divideCeil((k - 1) * elements, k) : 0;
  return {flops, bytesPerRank(kind, k, elements, rt::getElementBytes(type.getElementType()))};
}

std::optional<Work> getCollectiveWork(Operation *op) {
  using Kind = CollectiveKind;
  return llvm::TypeSwitch<Operation *, std::optional<Work>>(op)
      .Case([](rt::AllReduceOp o) {
        return getWork(Kind::AllReduce, o, o.getGroupAttr(), o.getBuffer());
      })
      .Case([](rt::AllGatherOp o) {
        return getWork(Kind::AllGather, o, o.getGroupAttr(), o.getDst());
      })
      .Case([](rt::ReduceScatterOp o) {
        return getWork(Kind::ReduceScatter, o, o.getGroupAttr(), o.getSrc());
      })
      .Case(
          [](rt::AllToAllOp o) { return getWork(Kind::AllToAll, o, o.getGroupAttr(), o.getSrc()); })
      .Case([](rt::PermuteOp o) { return getWork(Kind::Permute, o, o.getGroupAttr(), o.getSrc()); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace

std::optional<Work> tp::getWork(Operation *op) {
  if (auto gemm = dyn_cast<rt::GemmOp>(op))
    return ::getWork(gemm, gemm.getC(), gemm.getStrideC());
  if (auto gemm = dyn_cast<rt::GemmFusedOp>(op))
    return ::getWork(gemm, gemm.getD(), gemm.getStrideD());
  if (auto copy = dyn_cast<rt::CopyOp>(op))
    return Work{0, 2 * getBytes(cast<MemRefType>(copy.getOperand(0).getType()))};
  if (std::optional<Work> work = getCollectiveWork(op))
    return work;
  if (auto check = dyn_cast<rt::LaunchCheckOp>(op)) {
    // A thread that loads what the index is computed from.
    Work work{0, 0};
    for (Value argument : check.getArguments())
      if (auto type = dyn_cast<MemRefType>(argument.getType()))
        work.bytes += std::min<int64_t>(getBytes(type), rt::getElementBytes(type.getElementType()));
    return work;
  }
  auto launch = dyn_cast<rt::LaunchOp>(op);
  if (!launch)
    return std::nullopt;
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, launch.getKernelAttr());
  if (!kernel || kernel.isExternal())
    return std::nullopt;
  return KernelWork(kernel, times(launch.getBlocks(), launch.getThreads())).get();
}
