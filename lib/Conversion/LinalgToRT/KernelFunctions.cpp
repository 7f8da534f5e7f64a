//===- KernelFunctions.cpp - What makes a function a kernel ----------------===//

#include "KernelFunctions.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::tp;

static constexpr StringLiteral kNoAliasAttr = "llvm.noalias";

static llvm::hash_code hash(func::FuncOp function) {
  llvm::hash_code code = hash_value(Type(function.getFunctionType()));
  function.getBody().walk([&](Operation *op) {
    code = llvm::hash_combine(
        code, OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::IgnoreLocations));
  });
  return code;
}

static bool areEqual(func::FuncOp a, func::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() && a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

KernelTable::KernelTable(ModuleOp module) : table(module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(rt::kKernelAttr) && !function.isExternal())
      byHash[hash(function)].push_back(function);
}

func::FuncOp KernelTable::share(func::FuncOp kernel) {
  SmallVector<func::FuncOp> &candidates = byHash[hash(kernel)];
  for (func::FuncOp candidate : candidates)
    if (areEqual(candidate, kernel)) {
      kernel.erase();
      return candidate;
    }
  table.insert(kernel);
  candidates.push_back(kernel);
  return kernel;
}

static Type getParameterType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getLayout().isIdentity())
    return type;
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)memref.getStridesAndOffset(strides, offset);
  if (rt::isContiguous(memref) && llvm::all_of(memref.getShape(), [](int64_t n) { return n != 1; }))
    return MemRefType::get(memref.getShape(), memref.getElementType());
  return MemRefType::get(memref.getShape(), memref.getElementType(),
                         StridedLayoutAttr::get(type.getContext(), 0, strides));
}

/// Whether what is written or read through `argument` is written through no other.
static bool isIndependent(Value argument, ArrayRef<Value> arguments,
                          function_ref<bool(Value)> isWritten) {
  Value root = getBufferRoot(argument);
  for (Value other : arguments) {
    if (other == argument || !isa<MemRefType>(other.getType()) ||
        (!isWritten(argument) && !isWritten(other)))
      continue;
    Value otherRoot = getBufferRoot(other);
    if (!root || !otherRoot || otherRoot == root)
      return false;
  }
  return true;
}

func::FuncOp tp::createKernelFunction(Location loc, StringRef name, TypeRange leading,
                                      ArrayRef<Value> arguments,
                                      function_ref<bool(Value)> isWritten) {
  OpBuilder builder(loc.getContext());
  SmallVector<Type> types(leading);
  for (Value argument : arguments)
    types.push_back(getParameterType(argument.getType()));
  auto kernel = func::FuncOp::create(loc, name, builder.getFunctionType(types, {}));
  kernel.setPrivate();
  kernel->setAttr(rt::kKernelAttr, builder.getUnitAttr());
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (isa<MemRefType>(argument.getType()) && isIndependent(argument, arguments, isWritten))
      kernel.setArgAttr(leading.size() + i, kNoAliasAttr, builder.getUnitAttr());
  kernel.addEntryBlock();
  return kernel;
}

LogicalResult tp::checkKernelArgument(Operation *op, Type type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getLayout().isIdentity() ||
      (succeeded(memref.getStridesAndOffset(strides, offset)) &&
       !llvm::is_contained(strides, ShapedType::kDynamic)))
    return success();
  return op->emitError("cannot become a kernel: strides of ") << type << " are not static";
}

bool tp::isIndependentLoop(linalg::LinalgOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           AffineMap map = op.getMatchingIndexingMap(&init);
           return map.isProjectedPermutation() && map.isFunctionOfDim(loop);
         });
}

void tp::setKernelFastMath(linalg::LinalgOp op) {
  auto add = [](Operation *target, arith::FastMathFlags flags) {
    auto interface = dyn_cast<arith::ArithFastMathInterface>(target);
    if (!interface)
      return;
    flags = flags | interface.getFastMathFlagsAttr().getValue();
    target->setAttr(interface.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(target->getContext(), flags));
  };
  Block *body = op.getBlock();
  body->walk([&](Operation *nested) {
    if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(nested))
      add(nested, arith::FastMathFlags::contract);
  });
  if (op.getNumReductionLoops() == 0)
    return;
  for (BlockArgument accumulator : op.getRegionOutputArgs())
    for (Operation *user : accumulator.getUsers())
      if (isa<arith::AddFOp, arith::MulFOp>(user))
        add(user, arith::FastMathFlags::reassoc | arith::FastMathFlags::contract);
}
