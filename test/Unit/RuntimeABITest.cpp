//===- RuntimeABITest.cpp - abi.def, the header and the lowering agree -----===//

#include "../../lib/Conversion/RTToLLVM/RuntimeABI.h"
#include "dialects/RT/RT.h"
#include "mlir/IR/MLIRContext.h"
#include "tprt/tprt.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// The LLVM type that a C type of the header is passed as, as text.
template <typename T> std::string getCType() {
  if (std::is_pointer_v<T>)
    return "!llvm.ptr";
  return "i" + std::to_string(8 * sizeof(T));
}

template <typename Result, typename... Parameters>
std::vector<std::string> getSignature(Result (*)(Parameters...)) {
  return {getCType<Result>(), getCType<Parameters>()...};
}

std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Name and signature of every function that the header declares.
std::vector<std::pair<std::string, std::vector<std::string>>> getHeader() {
  return {
#define TPRT_CALL(name, parameters) {#name, getSignature(decltype (&tprt_##name)(nullptr))},
#define TPRT_QUERY(name, result, parameters)                                                       \
  {#name, getSignature(decltype (&tprt_##name)(nullptr))},
#include "tprt/abi.def"
  };
}

TEST(RuntimeABI, DeclarationsAreThoseOfTheHeader) {
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  auto header = getHeader();
  ASSERT_EQ(getABIEntries().size(), header.size());
  for (auto &[name, signature] : header) {
    LLVM::LLVMFuncOp function = declareRuntimeFunction(*module, name);
    EXPECT_EQ(function.getName(), "tprt_" + name);
    std::vector<std::string> declared = {print(function.getFunctionType().getReturnType())};
    for (Type type : function.getFunctionType().getParams())
      declared.push_back(print(type));
    EXPECT_EQ(declared, signature) << name;
    EXPECT_EQ(getABIEntry(name).parameters.front(), ABIType::CTX) << name;
    EXPECT_EQ(declareRuntimeFunction(*module, name), function) << "declared once";
  }
}

/// Each operation of the dialect but the group, which is data, is an entry point
/// of its name, and each entry point an operation; the library of kernels has one for all.
TEST(RuntimeABI, OperationsAreEntryPoints) {
  MLIRContext context;
  context.loadDialect<rt::RTDialect>();
  std::set<std::string> operations, entries;
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.getDialectNamespace() == "rt" && op.getStringRef() != "rt.group" &&
        op.getStringRef() != rt::KernelCallOp::getOperationName())
      operations.insert(op.getStringRef().drop_front(3).str());
  for (const ABIEntry &entry : getABIEntries())
    entries.insert(entry.name.str());
  // A check is a launch whose kernel tells where the status is.
  operations.erase("launch_check");
  entries.erase("status");
  EXPECT_EQ(operations, entries);
}

/// The library has each kernel of abi.def, with its parameters, and no other.
TEST(RuntimeABI, KernelsOfTheLibrary) {
  const char *names[] = {
#define TPRT_KERNEL(name, parameters) #name,
#include "tprt/abi.def"
  };
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library =
      llvm::parseIRFile(TP_BINARY_DIR "/lib/tprt_kernels.bc", problem, context);
  ASSERT_TRUE(library) << problem.getMessage().str();
  auto getType = [&](rt::KernelParameter parameter) -> llvm::Type * {
    switch (parameter) {
    case rt::KernelParameter::I32:
      return llvm::Type::getInt32Ty(context);
    case rt::KernelParameter::I64:
      return llvm::Type::getInt64Ty(context);
    case rt::KernelParameter::F32:
      return llvm::Type::getFloatTy(context);
    default:
      return llvm::PointerType::get(context, 0);
    }
  };
  for (StringRef name : names) {
    llvm::Function *function = library->getFunction((rt::kLibraryPrefix + name).str());
    ASSERT_TRUE(function && !function->isDeclaration()) << name.str();
    ArrayRef<rt::KernelParameter> parameters = *rt::getLibraryKernel(name);
    ASSERT_EQ(parameters.size(), function->arg_size()) << name.str();
    for (auto [parameter, argument] : llvm::zip_equal(parameters, function->args()))
      EXPECT_EQ(getType(parameter), argument.getType()) << name.str();
    EXPECT_TRUE(function->hasFnAttribute(llvm::Attribute::AlwaysInline)) << name.str();
  }
  EXPECT_EQ(std::size(names), size_t(llvm::count_if(*library, [](llvm::Function &function) {
              return function.getName().starts_with(rt::kLibraryPrefix);
            })));
}

TEST(RuntimeABI, ElementTypes) {
  MLIRContext context;
  Builder b(&context);
  EXPECT_EQ(rt::getDType(b.getF64Type()), TPRT_F64);
  EXPECT_EQ(rt::getDType(b.getF32Type()), TPRT_F32);
  EXPECT_EQ(rt::getDType(b.getF16Type()), TPRT_F16);
  EXPECT_EQ(rt::getDType(b.getBF16Type()), TPRT_BF16);
  EXPECT_EQ(rt::getDType(b.getI64Type()), TPRT_I64);
  EXPECT_EQ(rt::getDType(b.getI32Type()), TPRT_I32);
  EXPECT_EQ(rt::getDType(b.getIntegerType(16)), TPRT_I16);
  EXPECT_EQ(rt::getDType(b.getI8Type()), TPRT_I8);
  EXPECT_EQ(rt::getDType(b.getI1Type()), TPRT_I1);
  EXPECT_EQ(rt::getDType(b.getIndexType()), TPRT_INDEX);
  EXPECT_EQ(rt::getDType(b.getIntegerType(4)), std::nullopt);
  EXPECT_EQ(rt::getElementBytes(b.getI1Type()), 1);
  EXPECT_EQ(rt::getElementBytes(b.getIndexType()), 8);
}

} // namespace
