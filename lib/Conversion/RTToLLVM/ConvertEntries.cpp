//===- ConvertEntries.cpp - Entries as LLVM functions ----------------------===//
//
// Each operation becomes the call of abi.def that it stands for; after a call
// that can fail the function goes on only when it did not.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "RuntimeABI.h"
#include "tprt/tprt.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Replaces the rt operations of one entry by calls.
class EntryConverter {
public:
  EntryConverter(const Lowering &lowering, LLVM::LLVMFuncOp function)
      : lowering(lowering), function(function), context(function.getArgument(0)) {}

  LogicalResult convert() {
    SmallVector<Operation *> ops;
    SmallVector<rt::WaitOp> waits;
    function.walk([&](Operation *op) {
      if (auto wait = dyn_cast<rt::WaitOp>(op))
        waits.push_back(wait);
      else if (isa<rt::RTDialect>(op->getDialect()))
        ops.push_back(op);
    });
    numberStreams();
    // While what they wait for is there.
    for (rt::WaitOp wait : waits)
      if (failed(convert(wait)))
        return failure();
    for (Operation *op : ops)
      if (failed(convert(op)))
        return failure();
    return success();
  }

private:
  using Arguments = SmallVector<Value>;
  /// Slots before the arguments of a check's kernel.
  static constexpr unsigned kCheckSlots = 4;

  /// A collective with a token gets the lowest stream, above 0, that nothing is waited for on.
  void numberStreams() {
    llvm::SmallBitVector busy(1, true);
    function.walk([&](Operation *op) {
      if (auto wait = dyn_cast<rt::WaitOp>(op))
        busy.reset(streams.lookup(wait.getToken().getDefiningOp()));
      if (!rt::isCollective(op) || op->getNumResults() == 0)
        return;
      int free = busy.find_first_unset();
      if (free < 0) {
        free = busy.size();
        busy.resize(free + 1);
      }
      busy.set(free);
      streams[op] = free;
    });
  }

  LogicalResult convert(rt::WaitOp wait) {
    OpBuilder builder(wait);
    Operation *collective = wait.getToken().getDefiningOp();
    auto i32 = [&](int64_t value) { return lowering.constant(builder, wait.getLoc(), value, 32); };
    return call(wait, "wait",
                {context, i32(lowering.getOperations().getNumber(collective)),
                 i32(streams.lookup(collective))});
  }

  LogicalResult convert(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto i32 = [&](int64_t value) { return lowering.constant(builder, loc, value, 32); };
    auto i64 = [&](int64_t value) { return lowering.constant(builder, loc, value, 64); };
    auto pointer = [&](Value memref) { return lowering.getPointer(builder, loc, memref); };
    auto stream = [&] { return i32(streams.lookup(op)); };
    auto number = [&] { return i32(lowering.getOperations().getNumber(op)); };
    auto group = [&](FlatSymbolRefAttr name) { return i32(lowering.getGroup(name)); };
    auto dtype = [&](Value memref) {
      return i32(*rt::getDType(getElementTypeOrSelf(memref.getType())));
    };
    // What both products begin with; `typed` are the matrices whose types they tell.
    auto product = [&](auto o, ArrayRef<Value> typed) {
      Arguments arguments = {context, stream(), number()};
      for (Value matrix : typed)
        arguments.push_back(dtype(matrix));
      arguments.append({i32(o.getTransA()), i32(o.getTransB()), i64(o.getM()), i64(o.getN()),
                        i64(o.getK()), pointer(o.getA()), i64(o.getLda()), i64(o.getStrideA()),
                        pointer(o.getB()), i64(o.getLdb()), i64(o.getStrideB())});
      return arguments;
    };
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](rt::CoordinateOp o) {
          return query(op, "coordinate", {context, i32(o.getAxis())});
        })
        .Case([&](rt::ArenaOp o) {
          Value base = emitCall(builder, loc, "arena", {context});
          o.replaceAllUsesWith(
              lowering.createMemRef(builder, loc, cast<MemRefType>(o.getType()), base));
          o.erase();
          return success();
        })
        .Case([&](rt::AllReduceOp o) {
          Value buffer = pointer(o.getBuffer());
          return call(op, "all_reduce",
                      {context, stream(), number(), group(o.getGroupAttr()),
                       i32(int64_t(o.getKind())), dtype(o.getBuffer()), buffer, buffer,
                       i64(count(o.getBuffer()))});
        })
        .Case([&](rt::AllGatherOp o) {
          auto [outer, inner] = splitAt(o.getSrc(), o.getDim());
          return call(op, "all_gather",
                      {context, stream(), number(), group(o.getGroupAttr()), dtype(o.getSrc()),
                       pointer(o.getSrc()), pointer(o.getDst()), i64(outer), i64(inner)});
        })
        .Case([&](rt::ReduceScatterOp o) {
          auto [outer, inner] = splitAt(o.getDst(), o.getDim());
          return call(op, "reduce_scatter",
                      {context, stream(), number(), group(o.getGroupAttr()),
                       i32(int64_t(o.getKind())), dtype(o.getSrc()), pointer(o.getSrc()),
                       pointer(o.getDst()), i64(outer), i64(inner)});
        })
        .Case([&](rt::AllToAllOp o) {
          int64_t k = cast<MemRefType>(o.getSrc().getType()).getDimSize(0);
          return call(op, "all_to_all",
                      {context, stream(), number(), group(o.getGroupAttr()), dtype(o.getSrc()),
                       pointer(o.getSrc()), pointer(o.getDst()), i64(count(o.getSrc()) / k)});
        })
        .Case([&](rt::PermuteOp o) {
          Value sources = createTable(builder, loc, o.getSources());
          return call(op, "permute",
                      {context, stream(), number(), group(o.getGroupAttr()), dtype(o.getSrc()),
                       pointer(o.getSrc()), pointer(o.getDst()), i64(count(o.getSrc())), sources});
        })
        .Case([&](rt::GemmOp o) {
          Arguments arguments = product(o, {o.getA(), o.getB(), o.getC()});
          arguments.append({pointer(o.getC()), i64(o.getLdc()), i64(o.getStrideC()),
                            i64(o.getBatch()), i32(o.getAccumulate())});
          return call(op, "gemm", arguments);
        })
        .Case([&](rt::GemmFusedOp o) {
          auto optional = [&](Value memref) {
            return memref ? pointer(memref)
                          : LLVM::ZeroOp::create(builder, loc, lowering.getPointerType());
          };
          Arguments arguments = product(o, {o.getA(), o.getD()});
          arguments.append({optional(o.getC()), i64(o.getLdc()), i64(o.getStrideC()),
                            optional(o.getBias()), i64(o.getStrideBias()), pointer(o.getD()),
                            i64(o.getLdd()), i64(o.getStrideD()), i64(o.getBatch()),
                            i32(int64_t(o.getActivation()))});
          return call(op, "gemm_fused", arguments);
        })
        .Case([&](rt::ParallelForOp o) {
          Value task = LLVM::AddressOfOp::create(builder, loc, lowering.getPointerType(),
                                                 getTaskName(o.getKernel()));
          Value slots = packArguments(builder, loc, o.getArguments());
          return call(
              op, "parallel_for",
              {context, stream(), number(), task, slots, i64(o.getRange()), i64(o.getGrain())});
        })
        .Case([&](rt::LaunchOp o) {
          Value slots = packArguments(builder, loc, o.getArguments());
          return call(op, "launch",
                      {context, stream(), number(),
                       i32(lowering.getDeviceKernel(o.getKernelAttr())), i64(o.getBlocks()),
                       i32(o.getThreads()), i32(o.getShared()), slots,
                       i32(o.getArguments().size())});
        })
        .Case([&](rt::LaunchCheckOp o) {
          Value status = emitCall(builder, loc, "status", {context});
          Value row = i64(lowering.getOperations().getNumber(op));
          Value slots = packArguments(builder, loc, o.getArguments(),
                                      {status, row, i64(o.getLower()), i64(o.getUpper())});
          return call(op, "launch",
                      {context, stream(), number(),
                       i32(lowering.getDeviceKernel(o.getKernelAttr())), /*blocks=*/i64(1),
                       /*threads=*/i32(1), /*shared_bytes=*/i32(0), slots,
                       i32(kCheckSlots + o.getArguments().size())});
        })
        .Case([&](rt::ReadOp o) {
          Type type = o.getResult().getType();
          OpBuilder start = OpBuilder::atBlockBegin(&function.getBody().front());
          Value element =
              LLVM::AllocaOp::create(start, loc, lowering.getPointerType(), start.getI64Type(),
                                     lowering.constant(start, loc, 1, 64), kSlotBytes);
          return call(
              op, "read",
              {context, number(), pointer(o.getBuffer()), element, i64(rt::getElementBytes(type))},
              [&](OpBuilder &behind) {
                o.replaceAllUsesWith(lowering.loadScalar(behind, loc, type, element));
              });
        })
        .Case([&](rt::CopyOp o) {
          int64_t bytes =
              count(o.getSrc()) * rt::getElementBytes(getElementTypeOrSelf(o.getSrc().getType()));
          return call(
              op, "copy",
              {context, stream(), number(), pointer(o.getSrc()), pointer(o.getDst()), i64(bytes)});
        })
        .Case([&](rt::CheckIndexOp o) {
          Value value = lowering.convert(builder, loc, builder.getI64Type(), o.getValue());
          return call(op, "check_index",
                      {context, number(), value, i64(o.getLower()), i64(o.getUpper())});
        })
        .Default([](Operation *other) { return other->emitOpError("has no lowering to LLVM"); });
  }

  static int64_t count(Value memref) { return cast<MemRefType>(memref.getType()).getNumElements(); }

  /// Elements before and from dimension `dim` on.
  static std::pair<int64_t, int64_t> splitAt(Value memref, int64_t dim) {
    int64_t outer = 1, inner = 1;
    for (auto [i, size] : llvm::enumerate(cast<MemRefType>(memref.getType()).getShape()))
      (int64_t(i) < dim ? outer : inner) *= size;
    return {outer, inner};
  }

  Value emitCall(OpBuilder &builder, Location loc, StringRef name, const Arguments &arguments) {
    LLVM::LLVMFuncOp callee = declareRuntimeFunction(lowering.getModule(), name);
    return LLVM::CallOp::create(builder, loc, callee, arguments).getResult();
  }

  LogicalResult query(Operation *op, StringRef name, const Arguments &arguments) {
    OpBuilder builder(op);
    Value result = emitCall(builder, op->getLoc(), name, arguments);
    op->getResult(0).replaceAllUsesWith(
        lowering.convert(builder, op->getLoc(), op->getResult(0).getType(), result));
    op->erase();
    return success();
  }

  /// The call in place of `op`; the function goes on, with what `then` adds, only when
  /// it succeeds.
  LogicalResult call(Operation *op, StringRef name, const Arguments &arguments,
                     function_ref<void(OpBuilder &)> then = {}) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value status = emitCall(builder, loc, name, arguments);
    Block *block = op->getBlock();
    Block *rest = block->splitBlock(op);
    builder.setInsertionPointToEnd(block);
    Value isFailure = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, status,
                                           lowering.constant(builder, loc, 0, 32));
    // Of cf like the branches around it: upstream's conversions may merge blocks, and
    // so make a branch hand on what has no LLVM type yet.
    cf::CondBranchOp::create(builder, loc, isFailure, getExit(), ValueRange(status), rest,
                             ValueRange());
    builder.setInsertionPoint(op);
    if (then)
      then(builder);
    op->erase();
    return success();
  }

  /// The block that returns the status it gets.
  Block *getExit() {
    if (exit)
      return exit;
    OpBuilder builder(lowering.getContext());
    Location loc = function.getLoc();
    exit = builder.createBlock(&function.getBody(), function.getBody().end(), builder.getI32Type(),
                               loc);
    LLVM::ReturnOp::create(builder, loc, exit->getArgument(0));
    return exit;
  }

  /// One block of slots at the start of the entry serves all calls: each is done
  /// with it when it returns.
  Value packArguments(OpBuilder &builder, Location loc, OperandRange arguments,
                      ArrayRef<Value> leading = {}) {
    if (!slots) {
      unsigned most = 1;
      function.walk([&](Operation *op) {
        if (isa<rt::ParallelForOp, rt::LaunchOp>(op))
          most = std::max(most, op->getNumOperands());
        if (isa<rt::LaunchCheckOp>(op))
          most = std::max(most, kCheckSlots + op->getNumOperands());
      });
      OpBuilder start = OpBuilder::atBlockBegin(&function.getBody().front());
      slots = LLVM::AllocaOp::create(start, loc, lowering.getPointerType(), start.getI64Type(),
                                     lowering.constant(start, loc, most, 64), kSlotBytes);
    }
    for (auto [i, value] : llvm::enumerate(leading))
      LLVM::StoreOp::create(builder, loc, value, lowering.getSlot(builder, loc, slots, i));
    for (auto [i, argument] : llvm::enumerate(arguments)) {
      Value slot = lowering.getSlot(builder, loc, slots, leading.size() + i);
      if (isa<MemRefType>(argument.getType()))
        LLVM::StoreOp::create(builder, loc, lowering.getPointer(builder, loc, argument), slot);
      else
        lowering.storeScalar(builder, loc, argument, slot);
    }
    return slots;
  }

  /// A constant I32 array.
  Value createTable(OpBuilder &builder, Location loc, ArrayRef<int32_t> values) {
    OpBuilder atModule = OpBuilder::atBlockBegin(lowering.getModule().getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), values.size());
    std::string name;
    for (unsigned i = 0; name.empty() || lowering.getModule().lookupSymbol(name); ++i)
      name = "tprt.permutation." + std::to_string(i);
    auto data = DenseElementsAttr::get(
        RankedTensorType::get({int64_t(values.size())}, builder.getI32Type()), values);
    auto global = LLVM::GlobalOp::create(atModule, loc, type, /*isConstant=*/true,
                                         LLVM::Linkage::Internal, name, data);
    return LLVM::AddressOfOp::create(builder, loc, global);
  }

  const Lowering &lowering;
  LLVM::LLVMFuncOp function;
  Value context;
  Value slots;
  Block *exit = nullptr;
  DenseMap<Operation *, int64_t> streams; ///< 0: that of computation
};

} // namespace

LogicalResult tp::convertEntry(const Lowering &lowering, func::FuncOp entry) {
  MLIRContext *context = lowering.getContext();
  Type pointer = lowering.getPointerType(), i32 = IntegerType::get(context, 32);
  auto function = createFunction(entry, getEntryName(entry.getName()), i32, {pointer, pointer});
  OpBuilder builder = OpBuilder::atBlockEnd(&function.getBody().front());
  function.setPassthroughAttr(builder.getStrArrayAttr({rt::kEntryFunctionAttr}));
  Location loc = entry.getLoc();
  // Destinations of results follow the arguments; a result without one has an
  // empty slot there.
  int64_t numArguments = 0;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    numArguments += !entry.getArgAttr(i, rt::kResultAttr);
  SmallVector<Value> replacements;
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto result = entry.getArgAttrOfType<IntegerAttr>(i, rt::kResultAttr);
    Value slot = lowering.getSlot(builder, loc, function.getArgument(1),
                                  result ? numArguments + result.getInt() : i);
    Value buffer = LLVM::LoadOp::create(builder, loc, pointer, slot);
    if (auto memref = dyn_cast<MemRefType>(type))
      replacements.push_back(lowering.createMemRef(builder, loc, memref, buffer));
    else
      replacements.push_back(lowering.loadScalar(builder, loc, type, buffer));
  }
  moveBody(entry, function, replacements, [&](OpBuilder &b, Location at) {
    LLVM::ReturnOp::create(b, at, lowering.constant(b, at, TPRT_OK, 32));
  });
  entry.erase();
  return EntryConverter(lowering, function).convert();
}
