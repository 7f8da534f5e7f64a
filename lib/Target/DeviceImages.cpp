//===- DeviceImages.cpp - Kernels as part of an object file ----------------===//
//
// Kernels and entries are lowered together. Here kernels leave the module: they
// become code of a device, once for each image that is asked for, and come back as
// bytes of the program.
//
//===----------------------------------------------------------------------===//

#include "DeviceImages.h"

#include "CudaToolkit.h"
#include "DeviceLibrary.h"
#include "DeviceMath.h"
#include "OptimizeModule.h"
#include "RunTool.h"

#include "dialects/RT/RT.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "tp/Support/TemporaryFile.h"
#include "tp/Target/CUDA.h"
#include "tprt/tprt.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <mutex>

using namespace mlir;
using namespace mlir::tp;

namespace {

/// The oldest architecture that has what kernels use.
constexpr unsigned kOldest = 80;

const llvm::Target &getDeviceTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(llvm::Triple("nvptx64-nvidia-cuda"), message);
  assert(target && "LLVM is built with NVPTX");
  return *target;
}

std::unique_ptr<llvm::TargetMachine> createDeviceMachine(unsigned arch) {
  return std::unique_ptr<llvm::TargetMachine>(getDeviceTarget().createTargetMachine(
      llvm::Triple("nvptx64-nvidia-cuda"), "sm_" + std::to_string(arch), /*Features=*/"",
      llvm::TargetOptions(), std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

bool isKernel(const llvm::GlobalValue &value) {
  auto *function = llvm::dyn_cast<llvm::Function>(&value);
  return function && function->getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

/// The kernels of `code` and what they use, optimized for one architecture.
FailureOr<std::unique_ptr<llvm::Module>> takeKernels(const llvm::Module &code,
                                                     llvm::TargetMachine &machine,
                                                     function_ref<InFlightDiagnostic()> emitError) {
  std::unique_ptr<llvm::Module> kernels = llvm::CloneModule(code);
  kernels->setModuleIdentifier("kernels");
  kernels->setDataLayout(machine.createDataLayout());
  kernels->setTargetTriple(machine.getTargetTriple());
  // The table of the program keeps its entries; without it they are unused.
  if (llvm::GlobalVariable *table = kernels->getNamedGlobal(TPRT_MODULE_SYMBOL))
    table->eraseFromParent();
  llvm::internalizeModule(*kernels, isKernel);
  dropUnused(*kernels);
  if (failed(linkDeviceLibrary(*kernels, emitError)) || failed(linkDeviceMath(*kernels, emitError)))
    return failure();
  optimizeModule(*kernels, machine);
  return kernels;
}

SmallVector<char, 0> toBitcode(const llvm::Module &kernels) {
  SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(kernels, stream);
  return bitcode;
}

SmallVector<char, 0> toPTX(llvm::Module &kernels, llvm::TargetMachine &machine) {
  SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager emitter;
  [[maybe_unused]] bool isImpossible =
      machine.addPassesToEmitFile(emitter, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
  assert(!isImpossible && "NVPTX makes text");
  emitter.run(kernels);
  return text;
}

/// Machine code that ptxas makes of text.
FailureOr<SmallVector<char, 0>> assemble(StringRef ptx, unsigned arch,
                                         function_ref<InFlightDiagnostic()> emitError) {
  std::optional<std::string> ptxas = findInCudaToolkit("bin/ptxas");
  if (!ptxas)
    return (emitError() << "machine code for sm_" << arch << " needs ptxas of the CUDA toolkit")
               .attachNote()
           << "have it on the PATH, set CUDA_HOME to the toolkit's folder, or ask for ptx_" << arch
           << ", which the driver compiles when the program starts";
  TemporaryFile source, object;
  std::error_code error = source.create("tp-kernels", "ptx");
  if (!error)
    error = object.create("tp-kernels", "cubin");
  if (!error) {
    llvm::raw_fd_ostream stream(source.path(), error);
    stream << ptx;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return emitError() << "cannot make a temporary file: " << error.message();
  if (failed(runTool(
          {*ptxas, "-arch=sm_" + std::to_string(arch), "-O3", source.path().str(), "-o",
           object.path().str()},
          [&] { return emitError() << *ptxas << " makes no machine code for sm_" << arch; })))
    return failure();
  auto code = llvm::MemoryBuffer::getFile(object.path());
  if (!code)
    return emitError() << *ptxas << " makes no machine code for sm_" << arch << ": "
                       << code.getError().message();
  return SmallVector<char, 0>((*code)->getBufferStart(), (*code)->getBufferEnd());
}

struct DeviceImage {
  int32_t kind;
  unsigned arch;
  SmallVector<char, 0> bytes;
};

/// The image that `target` names, of the kernels of `code`.
FailureOr<DeviceImage> emitImage(const llvm::Module &code, const DeviceTarget &target,
                                 function_ref<InFlightDiagnostic()> emitError) {
  std::unique_ptr<llvm::TargetMachine> machine = createDeviceMachine(target.arch);
  FailureOr<std::unique_ptr<llvm::Module>> kernels = takeKernels(code, *machine, emitError);
  if (failed(kernels))
    return failure();
  if (target.kind == DeviceTarget::Kind::Bitcode)
    return DeviceImage{TPRT_IMAGE_BITCODE, target.arch, toBitcode(**kernels)};
  SmallVector<char, 0> ptx = toPTX(**kernels, *machine);
  if (target.kind == DeviceTarget::Kind::PTX) {
    ptx.push_back('\0');
    return DeviceImage{TPRT_IMAGE_PTX, target.arch, std::move(ptx)};
  }
  FailureOr<SmallVector<char, 0>> cubin =
      assemble(StringRef(ptx.data(), ptx.size()), target.arch, emitError);
  if (failed(cubin))
    return failure();
  return DeviceImage{TPRT_IMAGE_CUBIN, target.arch, std::move(*cubin)};
}

/// What `rt.images` of the module asks for.
FailureOr<SmallVector<DeviceTarget>> getTargets(ModuleOp module) {
  SmallVector<DeviceTarget> targets;
  auto names = module->getAttrOfType<ArrayAttr>(rt::kImagesAttr);
  for (Attribute attribute : names ? names.getValue() : ArrayRef<Attribute>()) {
    auto name = dyn_cast<StringAttr>(attribute);
    std::optional<DeviceTarget> target = name ? DeviceTarget::parse(name.getValue()) : std::nullopt;
    if (!target)
      return module.emitError() << rt::kImagesAttr << " takes sm_" << kOldest << " and newer, ptx_"
                                << kOldest << " and newer, and emulated, found " << attribute;
    targets.push_back(*target);
  }
  return targets;
}

/// Defines the table of images in place of its declaration.
void defineTable(llvm::Module &code, ArrayRef<DeviceImage> images) {
  llvm::LLVMContext &context = code.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
  auto *rowType = llvm::StructType::get(context, {i32, i32, pointer, i64});
  SmallVector<llvm::Constant *> rows;
  for (const DeviceImage &image : images) {
    auto *bytes = llvm::ConstantDataArray::getString(
        context, StringRef(image.bytes.data(), image.bytes.size()), /*AddNull=*/false);
    auto *data = new llvm::GlobalVariable(code, bytes->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::PrivateLinkage, bytes, "tprt.image");
    data->setAlignment(llvm::Align(64));
    rows.push_back(llvm::ConstantStruct::get(
        rowType, {llvm::ConstantInt::get(i32, image.kind), llvm::ConstantInt::get(i32, image.arch),
                  data, llvm::ConstantInt::get(i64, image.bytes.size())}));
  }
  auto *tableType = llvm::ArrayType::get(rowType, rows.size());
  auto *table = new llvm::GlobalVariable(code, tableType, /*isConstant=*/true,
                                         llvm::GlobalValue::PrivateLinkage,
                                         llvm::ConstantArray::get(tableType, rows), "tprt.images");
  if (llvm::GlobalVariable *declared = code.getNamedGlobal(rt::kImageTable)) {
    declared->replaceAllUsesWith(table);
    declared->eraseFromParent();
  }
}

} // namespace

std::optional<DeviceTarget> DeviceTarget::parse(StringRef name) {
  if (name == "emulated")
    return DeviceTarget{Kind::Bitcode, kOldest};
  DeviceTarget target;
  if (name.consume_front("sm_"))
    target.kind = Kind::Cubin;
  else if (name.consume_front("ptx_"))
    target.kind = Kind::PTX;
  else
    return std::nullopt;
  if (name.getAsInteger(10, target.arch) || target.arch < kOldest)
    return std::nullopt;
  std::unique_ptr<llvm::MCSubtargetInfo> generic(
      getDeviceTarget().createMCSubtargetInfo(llvm::Triple("nvptx64-nvidia-cuda"), "", ""));
  if (!generic->isCPUStringValid("sm_" + name.str()))
    return std::nullopt;
  return target;
}

LogicalResult tp::embedDeviceImages(ModuleOp module, llvm::Module &code) {
  FailureOr<SmallVector<DeviceTarget>> targets = getTargets(module);
  if (failed(targets))
    return failure();
  if (targets->empty())
    return success();
  SmallVector<DeviceImage> images;
  for (const DeviceTarget &target : *targets) {
    FailureOr<DeviceImage> image = emitImage(code, target, [&] { return module.emitError(); });
    if (failed(image))
      return failure();
    images.push_back(std::move(*image));
  }
  for (llvm::Function &function : llvm::make_early_inc_range(code))
    if (isKernel(function))
      function.eraseFromParent();
  defineTable(code, images);
  dropUnused(code);
  return success();
}

FailureOr<std::string> tp::emitDeviceText(ModuleOp module) {
  FailureOr<SmallVector<DeviceTarget>> targets = getTargets(module);
  if (failed(targets))
    return failure();
  const DeviceTarget *target = llvm::find_if(*targets, [](const DeviceTarget &candidate) {
    return candidate.kind != DeviceTarget::Kind::Bitcode;
  });
  bool isPTX = target != targets->end();
  if (targets->empty())
    return module.emitError("is not lowered to a device");
  if (!isPTX)
    target = targets->begin();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateToLLVM(module, context);
  if (!code)
    return failure();
  std::unique_ptr<llvm::TargetMachine> machine = createDeviceMachine(target->arch);
  FailureOr<std::unique_ptr<llvm::Module>> kernels =
      takeKernels(*code, *machine, [&] { return module.emitError(); });
  if (failed(kernels))
    return failure();
  if (isPTX) {
    SmallVector<char, 0> text = toPTX(**kernels, *machine);
    return std::string(text.begin(), text.end());
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*kernels)->print(stream, nullptr);
  return text;
}
