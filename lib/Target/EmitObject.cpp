//===- EmitObject.cpp - Machine code for a CPU -----------------------------===//

#include "DeviceImages.h"
#include "OptimizeModule.h"
#include "SinkBufferLoads.h"

#include "tp/Target/CPU.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include <mutex>

using namespace mlir;
using namespace mlir::tp;

namespace {

void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// "+avx512f,-sse4a,...": what the processor of this machine has, in an order
/// that does not depend on hashing.
std::string getHostFeatures() {
  SmallVector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(features);
  return llvm::join(features, ",");
}

/// Whether LLVM makes code for this triple and CPU: of x86 it knows 32-bit ones, too.
bool isKnownCPU(const llvm::Target &target, const llvm::Triple &triple, StringRef cpu) {
  std::unique_ptr<llvm::MCSubtargetInfo> generic(target.createMCSubtargetInfo(triple, "", ""));
  if (!generic || !generic->isCPUStringValid(cpu))
    return false;
  std::unique_ptr<llvm::MCSubtargetInfo> info(target.createMCSubtargetInfo(triple, cpu, ""));
  return triple.getArch() != llvm::Triple::x86_64 || info->checkFeatures("+64bit");
}

/// The machine for which code is made, or an error.
FailureOr<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const CPUTargetOptions &options,
                                                                    Operation *op) {
  initializeTargets();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return op->emitError() << message;
  std::string cpu = options.cpu, features;
  if (cpu == "native") {
    cpu = llvm::sys::getHostCPUName().str();
    features = getHostFeatures();
  }
  if (!isKnownCPU(*target, triple, cpu)) {
    InFlightDiagnostic error = op->emitError("unknown CPU '");
    error << cpu << "' for " << triple.str();
    error.attachNote(op->getLoc())
        << "--cpu takes native or a name that LLVM knows for " << triple.getArchName().str();
    return error;
  }
  llvm::TargetOptions targetOptions;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu, features, targetOptions, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  assert(machine && "the target of this machine is built");
  return machine;
}

/// Tells every function the machine it is for. Vectors are as wide as registers:
/// kernels stream through memory, where the narrower clock costs nothing.
void setFunctionAttributes(llvm::Module &module, const llvm::TargetMachine &machine) {
  bool isWide = machine.getMCSubtargetInfo()->checkFeatures("+avx512f");
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!machine.getTargetFeatureString().empty())
      function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (isWide)
      function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

} // namespace

CPUVectors tp::getCPUVectors(const CPUTargetOptions &options) {
  initializeTargets();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target || !triple.isX86())
    return {};
  bool isNative = options.cpu == "native";
  std::unique_ptr<llvm::MCSubtargetInfo> generic(target->createMCSubtargetInfo(triple, "", ""));
  std::string cpu = isNative ? llvm::sys::getHostCPUName().str() : options.cpu;
  if (!generic || !generic->isCPUStringValid(cpu))
    return {};
  std::unique_ptr<llvm::MCSubtargetInfo> machine(
      target->createMCSubtargetInfo(triple, cpu, isNative ? getHostFeatures() : ""));
  if (machine->checkFeatures("+avx512f"))
    return {512, machine->checkFeatures("+avx512bf16")};
  return {machine->checkFeatures("+avx") ? 256 : 128};
}

FailureOr<SmallVector<char, 0>> tp::emitObject(ModuleOp module, const CPUTargetOptions &options) {
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine = createTargetMachine(options, module);
  if (failed(machine))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateToLLVM(module, context);
  if (!code || failed(embedDeviceImages(module, *code)))
    return failure();
  code->setDataLayout((*machine)->createDataLayout());
  code->setTargetTriple((*machine)->getTargetTriple());
  setFunctionAttributes(*code, **machine);
  sinkBufferLoads(*code);
  optimizeModule(*code, **machine);

  SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager emitter;
  [[maybe_unused]] bool isImpossible =
      (*machine)->addPassesToEmitFile(emitter, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  assert(!isImpossible && "the target of this machine makes object files");
  emitter.run(*code);
  return object;
}
