//===- Dialect.cpp - The rt dialect and its element types ------------------===//

#include "dialects/RT/RT.h"
#include "mlir/IR/DialectImplementation.h"
#include "tprt/tprt.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::rt;

#include "dialects/RT/RTDialect.cpp.inc"
#include "dialects/RT/RTEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/RT/RTTypes.cpp.inc"

void RTDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/RT/RTOps.cpp.inc"
      >();
  addTypes<TokenType>();
}

// Lowering writes the number of the enumeration.
static_assert(int(Reduction::Sum) == TPRT_SUM && int(Reduction::Mul) == TPRT_MUL &&
                  int(Reduction::Max) == TPRT_MAX && int(Reduction::Min) == TPRT_MIN &&
                  int(Reduction::MaxU) == TPRT_MAXU && int(Reduction::MinU) == TPRT_MINU &&
                  int(Reduction::And) == TPRT_AND && int(Reduction::Or) == TPRT_OR &&
                  int(Reduction::Xor) == TPRT_XOR && int(Reduction::MaxNum) == TPRT_MAXNUM &&
                  int(Reduction::MinNum) == TPRT_MINNUM,
              "reductions are numbered as in the runtime ABI");
static_assert(int(Activation::None) == TPRT_NO_ACTIVATION && int(Activation::Relu) == TPRT_RELU &&
                  int(Activation::GeluTanh) == TPRT_GELU_TANH,
              "activations are numbered as in the runtime ABI");

std::optional<int32_t> rt::getDType(Type type) {
  if (type.isF64())
    return TPRT_F64;
  if (type.isF32())
    return TPRT_F32;
  if (type.isF16())
    return TPRT_F16;
  if (type.isBF16())
    return TPRT_BF16;
  if (type.isIndex())
    return TPRT_INDEX;
  if (!type.isSignlessInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 64:
    return TPRT_I64;
  case 32:
    return TPRT_I32;
  case 16:
    return TPRT_I16;
  case 8:
    return TPRT_I8;
  case 1:
    return TPRT_I1;
  default:
    return std::nullopt;
  }
}

int64_t rt::getElementBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(complex.getElementType());
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

bool rt::isContiguous(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)))
    return false;
  int64_t expected = 1;
  for (auto [size, stride] : llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (size != 1 && stride != expected)
      return false;
    expected *= size;
  }
  return true;
}

SmallVector<func::FuncOp> rt::getDeviceKernels(ModuleOp module) {
  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kDeviceAttr))
      kernels.push_back(function);
  return kernels;
}

SmallVector<Type> rt::getCheckParameters(MLIRContext *context) {
  Type index = IndexType::get(context);
  return {MemRefType::get({TPRT_STATUS_WORDS}, IntegerType::get(context, 64)), index, index, index};
}

bool rt::isCollective(Operation *op) {
  return isa<AllReduceOp, AllGatherOp, ReduceScatterOp, AllToAllOp, PermuteOp>(op);
}

bool rt::isNamedOperation(Operation *op) {
  return isCollective(op) || isa<GemmOp, GemmFusedOp, ParallelForOp, LaunchOp, LaunchCheckOp,
                                 ReadOp, CopyOp, CheckIndexOp>(op);
}
