//===- OutlineDeviceKernels.cpp - What an entry computes, on a device ------===//
//
// An entry runs on the host and its buffers are on a device: structured ops and calls of
// the library become kernels of many threads, stores and loops of loads and stores kernels
// of one, as do deferred checks, and loads by which the entry decides wait for the device.
//
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "DeviceLoops.h"
#include "RankReductions.h"
#include "WarpReduction.h"

#include "../LinalgToRT/KernelFunctions.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tp/Conversion/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tp {
#define GEN_PASS_DEF_OUTLINEDEVICEKERNELSPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Whether one thread of a device can run `op` as it stands: it computes with scalars
/// and elements of buffers, and yields nothing to what follows.
bool isElementCode(Operation *op) {
  if (op->getNumResults() != 0)
    return false;
  bool stores = false;
  WalkResult result = op->walk([&](Operation *nested) {
    stores |= isa<memref::StoreOp>(nested);
    bool isElement =
        isa<memref::LoadOp, memref::StoreOp, memref::GetGlobalOp, ViewLikeOpInterface>(nested);
    bool isScalar = isa<arith::ArithDialect, affine::AffineDialect, index::IndexDialect,
                        math::MathDialect, scf::SCFDialect, ub::UBDialect>(nested->getDialect());
    return isElement || isScalar ? WalkResult::advance() : WalkResult::interrupt();
  });
  return stores && !result.wasInterrupted();
}

/// Whether one kernel does what is in `op`: calls of the library side by side, or, with
/// `rt.rows`, ops on the same rows in turn.
bool isGroup(Operation *op) {
  auto group = dyn_cast<scf::ExecuteRegionOp>(op);
  return group && group.getNumResults() == 0 && group.getRegion().hasOneBlock() &&
         llvm::all_of(group.getRegion().front().without_terminator(), [&](Operation &member) {
           return isa<rt::KernelCallOp>(member) ||
                  (isa<linalg::LinalgOp>(member) && op->hasAttr(rt::kRowsAttr));
         });
}

/// The linalg ops and calls of the library that `op` is or has.
SmallVector<Operation *> getMembers(Operation *op) {
  if (isa<linalg::LinalgOp, rt::KernelCallOp>(op))
    return {op};
  SmallVector<Operation *> members;
  if (isGroup(op))
    for (Operation &member :
         cast<scf::ExecuteRegionOp>(op).getRegion().front().without_terminator())
      members.push_back(&member);
  return members;
}

/// How members are called together: each kind once.
std::string getName(ArrayRef<Operation *> members) {
  llvm::SetVector<StringRef> names;
  for (Operation *member : members) {
    auto call = dyn_cast<rt::KernelCallOp>(member);
    names.insert(call ? call.getKernel() : member->getName().stripDialect());
  }
  return members.empty() ? "elements" : llvm::join(names, "_");
}

/// Whether what `op`, which has the members, does may write to what `value` is or leads to.
bool mayWrite(Operation *op, ArrayRef<Operation *> members, Value value) {
  auto takes = [&](Operation *member) { return llvm::is_contained(member->getOperands(), value); };
  if (op->hasAttr(rt::kRowsAttr)) {
    Value buffer = getBufferRoot(value);
    return !buffer || llvm::any_of(members, [&](Operation *member) {
      return llvm::any_of(member->getOperands(), [&](Value operand) {
        return isa<MemRefType>(operand.getType()) && getBufferRoot(operand) == buffer &&
               hasEffect<MemoryEffects::Write>(member, operand);
      });
    });
  }
  if (isa<linalg::LinalgOp>(op))
    return takes(op);
  return members.empty() || llvm::none_of(members, takes) ||
         llvm::any_of(members, [&](Operation *member) {
           return takes(member) && hasEffect<MemoryEffects::Write>(member, value);
         });
}

/// The bytes of which the address of a buffer is a multiple, as far as that is known and more
/// than its elements want; else 0. Buffers of the runtime and of the arena are at multiples
/// of 64.
int64_t getAlignment(Value argument) {
  constexpr int64_t buffers = 64;
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type || !getBufferRoot(argument))
    return 0;
  SmallVector<int64_t> strides;
  int64_t offset, bytes = rt::getElementBytes(type.getElementType());
  if (failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset))
    return 0;
  int64_t alignment = llvm::MinAlign(buffers, offset * bytes);
  return alignment > bytes ? alignment : 0;
}

/// One entry of a module.
class EntryOutliner {
public:
  EntryOutliner(KernelTable &kernels, func::FuncOp entry) : kernels(kernels), entry(entry) {}

  LogicalResult outline() {
    passScalarsInBuffers();
    values.emplace(entry);
    replaceCopies();
    copyConstants();
    values.emplace(entry);
    SmallVector<Operation *> roots;
    collect(entry.getBody(), roots);
    // Before any of them is replaced.
    SmallVector<Captures> captures;
    for (Operation *root : roots)
      captures.emplace_back(*values, root);
    for (auto [root, captured] : llvm::zip_equal(roots, captures))
      if (failed(outline(root, captured)))
        return failure();
    readOnHost();
    return success();
  }

  unsigned getCount() const { return count; }

private:
  /// A scalar argument lies in a buffer, too.
  void passScalarsInBuffers() {
    Block &body = entry.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    SmallVector<Type> types;
    for (BlockArgument argument : body.getArguments()) {
      if (!isa<MemRefType>(argument.getType())) {
        auto type = MemRefType::get({}, argument.getType());
        argument.setType(type);
        auto load = memref::LoadOp::create(builder, argument.getLoc(), argument, ValueRange());
        argument.replaceAllUsesExcept(load, load);
      }
      types.push_back(argument.getType());
    }
    entry.setFunctionType(builder.getFunctionType(types, entry.getResultTypes()));
  }

  void replaceCopies() {
    SmallVector<memref::CopyOp> copies;
    entry.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) {
      OpBuilder builder(copy);
      Value from = copy.getSource(), to = copy.getTarget();
      Value root = getBufferRoot(from);
      bool isApart = root && getBufferRoot(to) && root != getBufferRoot(to);
      bool isPlain = rt::isContiguous(cast<MemRefType>(from.getType())) &&
                     rt::isContiguous(cast<MemRefType>(to.getType()));
      // Where a kernel can find the place, the host need not.
      bool isOnDevice = values->isOnDevice(from) || values->isOnDevice(to);
      // An update in place, once equal views are one value.
      if (from == to)
        ;
      else if (isPlain && isApart && !isConstantBuffer(from) && !isOnDevice)
        rt::CopyOp::create(builder, copy.getLoc(), from, to);
      else
        linalg::CopyOp::create(builder, copy.getLoc(), from, to);
      copy.erase();
    }
  }

  /// Operations of the runtime take buffers of their rank, and the device's copy of a
  /// constant is known to kernels alone.
  void copyConstants() {
    SmallVector<OpOperand *> uses;
    entry.walk([&](Operation *op) {
      if (!isa<rt::RTDialect>(op->getDialect()) || isa<rt::KernelCallOp>(op))
        return;
      for (OpOperand &operand : op->getOpOperands())
        if (isa<MemRefType>(operand.get().getType()) && isConstantBuffer(operand.get()))
          uses.push_back(&operand);
    });
    for (OpOperand *use : uses) {
      OpBuilder builder(use->getOwner());
      Location loc = use->getOwner()->getLoc();
      auto type = cast<MemRefType>(use->get().getType());
      Value copy = memref::AllocOp::create(builder, loc,
                                           MemRefType::get(type.getShape(), type.getElementType()));
      linalg::CopyOp::create(builder, loc, use->get(), copy);
      use->set(copy);
    }
  }

  /// What becomes a kernel each, from the outside in.
  void collect(Region &region, SmallVectorImpl<Operation *> &roots) {
    for (Block &block : region)
      for (Operation &op : block) {
        if (isa<linalg::LinalgOp, rt::KernelCallOp>(op) || isGroup(&op) || isElementCode(&op) ||
            isDeviceCheck(&op)) {
          roots.push_back(&op);
          continue;
        }
        for (Region &inner : op.getRegions())
          collect(inner, roots);
      }
  }

  /// Whether a kernel can check the index, which need not come to the host for it.
  bool isDeviceCheck(Operation *op) {
    auto check = dyn_cast<rt::CheckIndexOp>(op);
    return check && check.getDeferred() && values->isOnDevice(check.getValue()) &&
           values->canRecompute(check.getValue(), check);
  }

  LogicalResult outline(Operation *op, const Captures &captures) {
    ArrayRef<Value> arguments = captures.getArguments();
    SmallVector<Operation *> members = getMembers(op);
    for (Operation *member : members) {
      auto structured = dyn_cast<linalg::LinalgOp>(member);
      if (structured && (!structured.hasPureBufferSemantics() || structured.hasDynamicShape()))
        return member->emitError("cannot become a kernel: not on static memrefs");
    }
    for (Value argument : arguments)
      if (failed(checkKernelArgument(op, argument.getType())))
        return failure();
    if (auto check = dyn_cast<rt::CheckIndexOp>(op)) {
      outlineCheck(check, captures);
      return success();
    }
    for (Operation *member : members)
      if (auto structured = dyn_cast<linalg::LinalgOp>(member))
        setKernelFastMath(structured);
    Location loc = op->getLoc();
    auto isWritten = [&](Value value) { return mayWrite(op, members, value); };
    func::FuncOp kernel = createKernelFunction(loc, getName(members), {}, arguments, isWritten);
    kernel->setAttr(rt::kDeviceAttr, UnitAttr::get(op->getContext()));
    // Functions of the library look at addresses themselves.
    bool hasLoops = llvm::any_of(members, llvm::IsaPred<linalg::LinalgOp>);
    for (auto [i, argument] : llvm::enumerate(arguments)) {
      if (int64_t alignment = hasLoops ? getAlignment(argument) : 0)
        kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                          Builder(op->getContext()).getI64IntegerAttr(alignment));
      // Behind a barrier stands there what another thread has written.
      if (op->hasAttr(rt::kRowsAttr) && isa<MemRefType>(argument.getType()) && isWritten(argument))
        kernel.removeArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName());
    }
    Block &body = kernel.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    IRMapping mapping;
    mapping.map(arguments, body.getArguments());
    captures.recompute(builder, mapping);
    LaunchShape shape;
    int64_t shared = 0;
    if (auto rows = op->getAttrOfType<IntegerAttr>(rt::kRowsAttr))
      shape = emitRows(builder, members, mapping, rows.getInt());
    else if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      shape = emitDeviceLoops(builder, structured, mapping);
    else if (members.empty())
      builder.clone(*op, mapping);
    else
      shape = emitCalls(builder, members, mapping, shared);
    func::ReturnOp::create(builder, loc);
    if (shape.blocks != 0) {
      OpBuilder atOp(op);
      rt::LaunchOp::create(atOp, loc, kernels.share(kernel).getSymName(), shape.blocks,
                           shape.threads, arguments, shared);
      ++count;
    } else {
      kernel.erase();
    }
    op->erase();
    return success();
  }

  /// Calls of the library, which any launch makes where there are several; `shared` becomes the
  /// memory that they need.
  static LaunchShape emitCalls(OpBuilder &builder, ArrayRef<Operation *> calls, IRMapping &mapping,
                               int64_t &shared) {
    LaunchShape shape = {0, 1};
    for (Operation *member : calls) {
      auto call = cast<rt::KernelCallOp>(builder.clone(*member, mapping));
      shape.blocks = std::max<int64_t>(shape.blocks, call.getBlocks());
      shape.threads = std::max<int64_t>(shape.threads, call.getThreads());
      shared = std::max<int64_t>(shared, call.getShared());
    }
    return shape;
  }

  /// Ops on `rows` rows in turn; what one has written is there for the next ones.
  static LaunchShape emitRows(OpBuilder &builder, ArrayRef<Operation *> members, IRMapping &mapping,
                              int64_t rows) {
    LaunchShape shape = {std::min(rows, kMaxRowBlocks), 1};
    for (Operation *member : members) {
      auto call = dyn_cast<rt::KernelCallOp>(member);
      int64_t threads =
          call ? call.getThreads() : getRowThreads(cast<linalg::LinalgOp>(member), rows);
      shape.threads = std::max(shape.threads, threads);
    }
    for (Operation *member : members) {
      if (member != members.front())
        NVVM::Barrier0Op::create(builder, member->getLoc());
      if (auto structured = dyn_cast<linalg::LinalgOp>(member))
        emitDeviceRows(builder, structured, mapping, rows, shape);
      else
        builder.clone(*member, mapping);
    }
    return shape;
  }

  void outlineCheck(rt::CheckIndexOp check, const Captures &captures) {
    ArrayRef<Value> arguments = captures.getArguments();
    Location loc = check.getLoc();
    func::FuncOp kernel =
        createKernelFunction(loc, "check", rt::getCheckParameters(check.getContext()), arguments,
                             [](Value) { return false; });
    kernel->setAttr(rt::kDeviceAttr, UnitAttr::get(check.getContext()));
    Block &body = kernel.getBody().front();
    Value status = body.getArgument(0), row = body.getArgument(1);
    Value lower = body.getArgument(2), upper = body.getArgument(3);
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    IRMapping mapping;
    mapping.map(arguments, body.getArguments().drop_front(4));
    captures.recompute(builder, mapping);
    Value value = mapping.lookup(check.getValue());
    Value isBelow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, value, lower);
    Value isAbove = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, value, upper);
    Value isOut = arith::OrIOp::create(builder, loc, isBelow, isAbove);
    auto index = [&](int64_t number) {
      return arith::ConstantIndexOp::create(builder, loc, number).getResult();
    };
    auto whenOut = scf::IfOp::create(builder, loc, isOut);
    builder.setInsertionPointToStart(whenOut.thenBlock());
    Value before = memref::LoadOp::create(builder, loc, status, index(0));
    Value zero = arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), 0);
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, before, zero);
    auto whenFirst = scf::IfOp::create(builder, loc, isFirst);
    builder.setInsertionPointToStart(whenFirst.thenBlock());
    const Value words[] = {index(1), row, value, lower, upper};
    for (auto [i, word] : llvm::enumerate(words)) {
      Value number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), word);
      memref::StoreOp::create(builder, loc, number, status, index(i));
    }
    builder.setInsertionPointToEnd(&body);
    func::ReturnOp::create(builder, loc);
    OpBuilder atCheck(check);
    rt::LaunchCheckOp::create(atCheck, loc, kernels.share(kernel).getSymName(), check.getLower(),
                              check.getUpper(), check.getReasonAttr(), arguments);
    check.erase();
    ++count;
  }

  /// What is still loaded and used decides on the host.
  void readOnHost() {
    SmallVector<Operation *> ops;
    entry.getBody().walk([&](Operation *op) { ops.push_back(op); });
    SmallVector<memref::LoadOp> loads;
    // Later ones first: what only they use goes with them.
    for (Operation *op : llvm::reverse(ops)) {
      if (isOpTriviallyDead(op))
        op->erase();
      else if (isDeviceLoad(op))
        loads.push_back(cast<memref::LoadOp>(op));
    }
    for (memref::LoadOp load : loads) {
      OpBuilder builder(load);
      Location loc = load.getLoc();
      Value element = load.getMemRef();
      auto type = cast<MemRefType>(element.getType());
      if (type.getRank() != 0) {
        SmallVector<OpFoldResult> offsets = getAsOpFoldResult(load.getIndices());
        SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
        auto view = cast<MemRefType>(
            memref::SubViewOp::inferRankReducedResultType({}, type, offsets, ones, ones));
        element = memref::SubViewOp::create(builder, loc, view, element, offsets, ones, ones);
      }
      load.replaceAllUsesWith(
          rt::ReadOp::create(builder, loc, type.getElementType(), element).getResult());
      load.erase();
    }
  }

  KernelTable &kernels;
  func::FuncOp entry;
  std::optional<DeviceValues> values;
  unsigned count = 0;
};

struct OutlineDeviceKernelsPass : tp::impl::OutlineDeviceKernelsPassBase<OutlineDeviceKernelsPass> {
  using OutlineDeviceKernelsPassBase::OutlineDeviceKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(&getContext());
    SmallVector<StringRef> names(images.begin(), images.end());
    module->setAttr(rt::kImagesAttr, builder.getStrArrayAttr(names));
    declareScratch(module);
    KernelTable kernels(module);
    for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (!function->hasAttr(rt::kEntryAttr))
        continue;
      EntryOutliner outliner(kernels, function);
      if (failed(outliner.outline()))
        return signalPassFailure();
      outlined += outliner.getCount();
    }
    addRankReductions(module);
  }

private:
  static void declareScratch(ModuleOp module) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto type = MemRefType::get({kWarpSize}, builder.getI64Type(), MemRefLayoutAttrInterface(),
                                builder.getI64IntegerAttr(3));
    memref::GlobalOp::create(builder, module.getLoc(), kBlockScratch,
                             builder.getStringAttr("private"), type,
                             /*initial_value=*/builder.getUnitAttr(), /*constant=*/false,
                             /*alignment=*/IntegerAttr());
  }
};

} // namespace
