//===- Verify.cpp - Constraints of rt operations ---------------------------===//

#include "dialects/RT/RT.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::rt;

static Type elementType(Value value) { return getElementTypeOrSelf(value.getType()); }
static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

/// Checks one form for all buffers: contiguous memrefs and no result or a token, or tensors
/// and one result of the type of `dst`.
static LogicalResult verifyForm(Operation *op, ValueRange buffers, Value dst) {
  bool isTensor = isa<RankedTensorType>(dst.getType());
  for (Value buffer : buffers) {
    if (isa<RankedTensorType>(buffer.getType()) != isTensor)
      return op->emitOpError("takes tensors or memrefs, not both");
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (type && !isContiguous(type))
      return op->emitOpError("needs contiguous buffers, found ") << type;
    if (elementType(buffer) != elementType(dst))
      return op->emitOpError("needs equal element types, found ")
             << elementType(buffer) << " and " << elementType(dst);
  }
  if (!isTensor && (op->getNumResults() > 1 || !llvm::all_of(op->getResultTypes(), [](Type type) {
                      return isa<TokenType>(type);
                    })))
    return op->emitOpError("has no result but a token where it works on memrefs");
  if (isTensor && (op->getNumResults() != 1 || op->getResult(0).getType() != dst.getType()))
    return op->emitOpError("on tensors has one result of type ") << dst.getType();
  return success();
}

static LogicalResult verifyKind(Operation *op, Reduction kind, Type element) {
  bool isFloat = isa<FloatType>(element);
  bool integerOnly = llvm::is_contained(
      {Reduction::And, Reduction::Or, Reduction::Xor, Reduction::MaxU, Reduction::MinU}, kind);
  bool floatOnly = kind == Reduction::MaxNum || kind == Reduction::MinNum;
  if ((integerOnly && isFloat) || (floatOnly && !isFloat))
    return op->emitOpError("kind ") << stringifyReduction(kind) << " does not apply to " << element;
  return success();
}

static GroupOp lookupGroup(Operation *op, FlatSymbolRefAttr group, SymbolTableCollection &tables) {
  auto groupOp = tables.lookupNearestSymbolFrom<GroupOp>(op, group);
  if (!groupOp)
    op->emitOpError("names no rt.group: ") << group;
  return groupOp;
}

/// Checks that `big` is k times `small` along `dim`, for the group's k.
static LogicalResult verifyScaled(Operation *op, Value small, Value big, int64_t dim, int64_t k) {
  SmallVector<int64_t> shape(shapeOf(small));
  if (dim < 0 || dim >= static_cast<int64_t>(shape.size()))
    return op->emitOpError("has no dimension ") << dim << " in a value of rank " << shape.size();
  shape[dim] *= k;
  if (shapeOf(big) != ArrayRef(shape))
    return op->emitOpError("over ") << k << " ranks along dimension " << dim << " goes between "
                                    << small.getType() << " and " << big.getType();
  return success();
}

LogicalResult GroupOp::verify() {
  if (getParts().empty() || getParts().size() % 3 != 0)
    return emitOpError("needs (axis, pre, size) triples, found ")
           << getParts().size() << " numbers";
  for (unsigned i = 0; i < getParts().size(); i += 3)
    if (getParts()[i] < 0 || getParts()[i + 1] < 1 || getParts()[i + 2] < 1)
      return emitOpError("part ") << i / 3 << " needs axis >= 0, pre >= 1 and size >= 1, found "
                                  << getParts()[i] << ", " << getParts()[i + 1] << " and "
                                  << getParts()[i + 2];
  return success();
}

LogicalResult CoordinateOp::verify() {
  if (static_cast<int32_t>(getAxis()) < 0 || static_cast<int64_t>(getSize()) < 1)
    return emitOpError("needs axis >= 0 and size >= 1, found ")
           << static_cast<int32_t>(getAxis()) << " and " << static_cast<int64_t>(getSize());
  return success();
}

LogicalResult ArenaOp::verify() {
  auto type = cast<MemRefType>(getType());
  if (type.getRank() != 1 || !type.getElementType().isInteger(8) || !type.getLayout().isIdentity())
    return emitOpError("gives a memref of one dimension of i8, found ") << type;
  return success();
}

LogicalResult AllReduceOp::verify() {
  if (failed(verifyForm(*this, getBuffer(), getBuffer())))
    return failure();
  return verifyKind(*this, getKind(), elementType(getBuffer()));
}

LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &tables) {
  return success(lookupGroup(*this, getGroupAttr(), tables));
}

LogicalResult AllGatherOp::verify() { return verifyForm(*this, {getSrc(), getDst()}, getDst()); }

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &tables) {
  GroupOp group = lookupGroup(*this, getGroupAttr(), tables);
  if (!group)
    return failure();
  return verifyScaled(*this, getSrc(), getDst(), getDim(), group.getGroupSize());
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(verifyForm(*this, {getSrc(), getDst()}, getDst())))
    return failure();
  return verifyKind(*this, getKind(), elementType(getSrc()));
}

LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &tables) {
  GroupOp group = lookupGroup(*this, getGroupAttr(), tables);
  if (!group)
    return failure();
  return verifyScaled(*this, getDst(), getSrc(), getDim(), group.getGroupSize());
}

/// For collectives that keep the shape.
static LogicalResult verifySameShape(Operation *op, Value src, Value dst) {
  if (failed(verifyForm(op, {src, dst}, dst)))
    return failure();
  if (shapeOf(src) != shapeOf(dst))
    return op->emitOpError("needs buffers of one shape, found ")
           << src.getType() << " and " << dst.getType();
  return success();
}

LogicalResult AllToAllOp::verify() { return verifySameShape(*this, getSrc(), getDst()); }

LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &tables) {
  GroupOp group = lookupGroup(*this, getGroupAttr(), tables);
  if (!group)
    return failure();
  ArrayRef<int64_t> shape = shapeOf(getSrc());
  if (shape.empty() || shape.front() != group.getGroupSize())
    return emitOpError("over ") << group.getGroupSize()
                                << " ranks needs a first dimension of that size, found "
                                << getSrc().getType();
  return success();
}

LogicalResult PermuteOp::verify() { return verifySameShape(*this, getSrc(), getDst()); }

LogicalResult PermuteOp::verifySymbolUses(SymbolTableCollection &tables) {
  GroupOp group = lookupGroup(*this, getGroupAttr(), tables);
  if (!group)
    return failure();
  int64_t k = group.getGroupSize();
  if (static_cast<int64_t>(getSources().size()) != k)
    return emitOpError("needs ") << k << " sources, found " << getSources().size();
  for (int32_t source : getSources())
    if (source < -1 || source >= k)
      return emitOpError("source ") << source << " is no rank of a group of " << k;
  return success();
}

/// Checks that `rows` x `columns` elements, `batch` times, lie inside `memref`.
static LogicalResult verifyMatrix(Operation *op, StringRef name, Value memref, int64_t rows,
                                  int64_t columns, int64_t ld, int64_t stride, int64_t batch) {
  if (ld < columns || stride < 0)
    return op->emitOpError() << name << " has rows of " << columns
                             << " elements, a leading dimension of " << ld
                             << " and a batch stride of " << stride;
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return op->emitOpError() << name << " needs static strides, found " << type;
  int64_t last = 0;
  for (auto [size, step] : llvm::zip_equal(type.getShape(), strides))
    last += (size - 1) * step;
  int64_t touched = (batch - 1) * stride + (rows - 1) * ld + columns - 1;
  if (touched > last)
    return op->emitOpError() << name << " reaches element " << touched << " of " << type;
  return success();
}

/// Checks the sizes of a product and where its operands lie; `result` is named `name`.
template <typename OpTy>
static LogicalResult verifyProduct(OpTy op, StringRef name, Value result, int64_t ld,
                                   int64_t stride) {
  int64_t m = op.getM(), n = op.getN(), k = op.getK(), batch = op.getBatch();
  if (m < 1 || n < 1 || k < 1 || batch < 1)
    return op.emitOpError("needs m, n, k and batch >= 1, found ")
           << m << ", " << n << ", " << k << " and " << batch;
  Type a = elementType(op.getA()), b = elementType(op.getB()), c = elementType(result);
  bool doubles = std::is_same_v<OpTy, GemmOp>;
  if (!(a.isF64() && doubles) && !a.isF32() && !a.isF16() && !a.isBF16())
    return op.emitOpError(doubles ? "takes f64, f32, f16 or bf16, found "
                                  : "takes f32, f16 or bf16, found ")
           << a;
  if (a != b || (c != a && !c.isF32()))
    return op.emitOpError("needs A and B of one type and ")
           << name << " of that type or f32, found " << a << ", " << b << " and " << c;
  bool transA = op.getTransA(), transB = op.getTransB();
  if (failed(verifyMatrix(op, "A", op.getA(), transA ? k : m, transA ? m : k, op.getLda(),
                          op.getStrideA(), batch)) ||
      failed(verifyMatrix(op, "B", op.getB(), transB ? n : k, transB ? k : n, op.getLdb(),
                          op.getStrideB(), batch)))
    return failure();
  return verifyMatrix(op, name, result, m, n, ld, stride, batch);
}

LogicalResult WaitOp::verify() {
  Operation *collective = getToken().getDefiningOp();
  if (!collective || !isCollective(collective) || collective->getBlock() != (*this)->getBlock())
    return emitOpError("takes the token of a collective in the same block");
  if (!getToken().hasOneUse())
    return emitOpError("takes a token that nothing else takes");
  if (getBuffers().size() != collective->getNumOperands())
    return emitOpError("keeps the ") << collective->getNumOperands()
                                     << " buffers of its collective, found " << getBuffers().size();
  return success();
}

LogicalResult GemmOp::verify() { return verifyProduct(*this, "C", getC(), getLdc(), getStrideC()); }

LogicalResult GemmFusedOp::verify() {
  if (failed(verifyProduct(*this, "D", getD(), getLdd(), getStrideD())))
    return failure();
  Type type = elementType(getD());
  for (Value added : {getC(), getBias()})
    if (added && elementType(added) != type)
      return emitOpError("adds what has the type of D, ")
             << type << ", found " << elementType(added);
  int64_t m = getM(), n = getN(), batch = getBatch();
  if (getC() && failed(verifyMatrix(*this, "C", getC(), m, n, getLdc(), getStrideC(), batch)))
    return failure();
  if (!getBias())
    return success();
  if (int64_t(getStrideBias()) * getElementBytes(type) % 16 != 0)
    return emitOpError("needs biases at multiples of 16 bytes, found one every ")
           << int64_t(getStrideBias()) << " elements";
  return verifyMatrix(*this, "the bias", getBias(), 1, n, n, getStrideBias(), batch);
}

LogicalResult ParallelForOp::verify() {
  if (static_cast<int64_t>(getRange()) < 0 || static_cast<int64_t>(getGrain()) < 1)
    return emitOpError("needs range >= 0 and grain >= 1, found ")
           << static_cast<int64_t>(getRange()) << " and " << static_cast<int64_t>(getGrain());
  return success();
}

/// Whether a kernel's parameter may stand for the argument: it reaches the same
/// elements from the same address. What a dimension of one element steps by does
/// not matter, and neither does anything where there are no elements.
static bool fits(Type argument, Type parameter) {
  auto from = dyn_cast<MemRefType>(argument), to = dyn_cast<MemRefType>(parameter);
  if (!from || !to)
    return argument == parameter;
  SmallVector<int64_t> fromStrides, toStrides;
  int64_t fromOffset, toOffset;
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType() ||
      failed(from.getStridesAndOffset(fromStrides, fromOffset)) ||
      failed(to.getStridesAndOffset(toStrides, toOffset)) || toOffset != 0)
    return false;
  if (llvm::is_contained(from.getShape(), 0))
    return true;
  for (auto [size, have, want] : llvm::zip_equal(from.getShape(), fromStrides, toStrides))
    if (size != 1 && have != want)
      return false;
  return true;
}

/// Checks the kernel that `op` runs: its parameters are `leading`, then what fits
/// `arguments`.
static LogicalResult verifyKernel(Operation *op, FlatSymbolRefAttr name, ArrayRef<Type> leading,
                                  OperandRange arguments, bool onDevice,
                                  SymbolTableCollection &tables) {
  auto kernel = tables.lookupNearestSymbolFrom<func::FuncOp>(op, name);
  if (!kernel || !kernel->hasAttr(kKernelAttr))
    return op->emitOpError("names no function with rt.kernel: ") << name;
  if (kernel->hasAttr(kDeviceAttr) != onDevice)
    return op->emitOpError(onDevice ? "needs a kernel with rt.device: "
                                    : "needs a kernel without rt.device: ")
           << name;
  FunctionType type = kernel.getFunctionType();
  if (type.getNumInputs() != arguments.size() + leading.size() || type.getNumResults() != 0 ||
      type.getInputs().take_front(leading.size()) != leading) {
    std::string first;
    llvm::raw_string_ostream text(first);
    llvm::interleaveComma(leading, text);
    return op->emitOpError("needs a kernel of ")
           << (leading.empty() ? "" : "(" + first + ") and ") << arguments.size()
           << (leading.empty() ? " parameters, found " : " more parameters, found ") << type;
  }
  for (auto [i, argument] : llvm::enumerate(arguments.getTypes()))
    if (!fits(argument, type.getInput(i + leading.size())))
      return op->emitOpError("argument ")
             << i << " of type " << argument << " does not fit the kernel's "
             << type.getInput(i + leading.size());
  return success();
}

LogicalResult ParallelForOp::verifySymbolUses(SymbolTableCollection &tables) {
  Type index = IndexType::get(getContext());
  return verifyKernel(*this, getKernelAttr(), {index, index}, getArguments(), /*onDevice=*/false,
                      tables);
}

/// Checks how an operation is launched.
template <typename Op> static LogicalResult verifyLaunch(Op op) {
  int64_t blocks = op.getBlocks(), threads = op.getThreads(), shared = op.getShared();
  if (blocks < 0 || threads < 1 || threads > 1024)
    return op.emitOpError("needs blocks >= 0 and threads in [1, 1024], found ")
           << blocks << " and " << threads;
  if (shared < 0 || shared > INT32_MAX)
    return op.emitOpError("needs shared >= 0, found ") << shared;
  return success();
}

LogicalResult LaunchOp::verify() { return verifyLaunch(*this); }

static bool fits(KernelParameter parameter, Type type) {
  switch (parameter) {
  case KernelParameter::Input:
  case KernelParameter::Output: {
    auto memref = dyn_cast<MemRefType>(type);
    return memref && isContiguous(memref);
  }
  case KernelParameter::I32:
    return type.isSignlessInteger(32);
  case KernelParameter::I64:
    return type.isSignlessInteger(64);
  case KernelParameter::F32:
    return type.isF32();
  }
  llvm_unreachable("all kinds are listed");
}

LogicalResult KernelCallOp::verify() {
  if (failed(verifyLaunch(*this)))
    return failure();
  if (getThreads() % 32 != 0)
    return emitOpError("needs a multiple of 32 threads, found ") << getThreads();
  std::optional<ArrayRef<KernelParameter>> parameters = getLibraryKernel(getKernel());
  if (!parameters)
    return emitOpError("the library of kernels has no '") << getKernel() << "'";
  if (parameters->size() != getArguments().size())
    return emitOpError("'") << getKernel() << "' takes " << parameters->size()
                            << " arguments, found " << getArguments().size();
  for (auto [i, parameter] : llvm::enumerate(*parameters)) {
    constexpr StringLiteral kinds[] = {"a contiguous memref", "a contiguous memref", "i32", "i64",
                                       "f32"};
    if (!fits(parameter, getArguments()[i].getType()))
      return emitOpError("argument ")
             << i << " of '" << getKernel() << "' is " << kinds[unsigned(parameter)] << ", found "
             << getArguments()[i].getType();
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyKernel(*this, getKernelAttr(), {}, getArguments(), /*onDevice=*/true, tables);
}

LogicalResult LaunchCheckOp::verify() {
  int64_t lower = getLower(), upper = getUpper();
  if (lower >= upper)
    return emitOpError("needs lower < upper, found ") << lower << " and " << upper;
  return success();
}

LogicalResult LaunchCheckOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyKernel(*this, getKernelAttr(), getCheckParameters(getContext()), getArguments(),
                      /*onDevice=*/true, tables);
}

LogicalResult ReadOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  if (type.getRank() != 0 || type.getElementType() != getResult().getType())
    return emitOpError("reads a memref of rank 0 as its element, found ")
           << type << " and " << getResult().getType();
  return success();
}

LogicalResult CopyOp::verify() { return verifySameShape(*this, getSrc(), getDst()); }

LogicalResult CheckIndexOp::verify() {
  int64_t lower = getLower(), upper = getUpper();
  if (lower > upper || (getDeferred() && lower == upper))
    return emitOpError(getDeferred() ? "needs lower < upper, found "
                                     : "needs lower <= upper, found ")
           << lower << " and " << upper;
  return success();
}
