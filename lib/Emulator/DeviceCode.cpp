//===- DeviceCode.cpp ------------------------------------------------------===//

#include "tp/Emulator/DeviceCode.h"

#include "Block.h"
#include "Intrinsics.h"
#include "NarrowFloats.h"
#include "Retarget.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm;
using namespace mlir::tp::emulator;

/// All tables of intrinsics.
static std::array<ArrayRef<IntrinsicForm>, 5> getTables() {
  return {getThreadIntrinsics(), getWarpIntrinsics(), getMatrixIntrinsics(), getMathIntrinsics(),
          getRoundingIntrinsics()};
}

const IntrinsicForm *mlir::tp::emulator::findIntrinsic(StringRef name) {
  static const StringMap<const IntrinsicForm *> all = [] {
    StringMap<const IntrinsicForm *> map;
    for (ArrayRef<IntrinsicForm> table : getTables())
      for (const IntrinsicForm &intrinsic : table)
        map[intrinsic.name] = &intrinsic;
    return map;
  }();
  return all.lookup(name);
}

namespace {

/// Functions that compiled device code may call.
orc::SymbolMap getHostFunctions(orc::ExecutionSession &session) {
  orc::SymbolMap symbols;
  auto add = [&](const Twine &name, void *function) {
    symbols[session.intern(name.str())] = {orc::ExecutorAddr::fromPtr(function),
                                           JITSymbolFlags::Exported};
  };
  for (ArrayRef<IntrinsicForm> table : getTables())
    for (const IntrinsicForm &intrinsic : table)
      add(Twine("tp_emulator.") + intrinsic.name, intrinsic.function);
  add("tp_emulator_access", reinterpret_cast<void *>(tp_emulator_access));
  add("tp_emulator_shared_memory", reinterpret_cast<void *>(tp_emulator_shared_memory));
  add("tp_emulator_trap", reinterpret_cast<void *>(tp_emulator_trap));
  // The host's compiler library may lack it.
  add("__truncsfbf2", reinterpret_cast<void *>(roundToBF16));
  return symbols;
}

Expected<std::unique_ptr<orc::LLJIT>> createJIT() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  Expected<std::unique_ptr<orc::LLJIT>> jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit;
  orc::JITDylib &library = (*jit)->getMainJITDylib();
  if (Error error =
          library.define(orc::absoluteSymbols(getHostFunctions((*jit)->getExecutionSession()))))
    return std::move(error);
  // The math library.
  Expected<std::unique_ptr<orc::DynamicLibrarySearchGenerator>> process =
      orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
          (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return jit;
}

} // namespace

class DeviceCode::Impl {
public:
  explicit Impl(DeviceMemory &memory) : memory(memory) {}
  ~Impl() {
    for (const char *variable : variables)
      memory.removeVariable(variable);
  }

  DeviceMemory &memory;
  std::unique_ptr<orc::LLJIT> jit;
  StringMap<HostKernel> kernels;
  std::vector<SharedVariable> shared;
  uint32_t sharedBytes = 0, sharedExtent = 0;
  std::vector<std::string> sites;
  /// Variables in global memory that the memory has been told of.
  std::vector<const char *> variables;
  FiberStacks stacks;
};

DeviceCode::DeviceCode(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
DeviceCode::~DeviceCode() = default;

Expected<std::unique_ptr<DeviceCode>> DeviceCode::load(StringRef ir, DeviceMemory &memory) {
  auto context = std::make_unique<LLVMContext>();
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseIR(MemoryBufferRef(ir, "device code"), diagnostic, *context);
  if (!module)
    return createStringError("device code, line " + Twine(diagnostic.getLineNo()) + ": " +
                             diagnostic.getMessage());
  Expected<std::unique_ptr<orc::LLJIT>> jit = createJIT();
  if (!jit)
    return jit.takeError();
  Expected<RetargetedModule> retargeted =
      retarget(*module, (*jit)->getDataLayout(), (*jit)->getTargetTriple().str());
  if (!retargeted)
    return retargeted.takeError();
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(*module, &stream))
    return createStringError("device code does not verify on the host: " + problem);
  if (Error error =
          (*jit)->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))))
    return std::move(error);

  auto impl = std::make_unique<Impl>(memory);
  for (const RetargetedModule::Kernel &kernel : retargeted->kernels) {
    Expected<orc::ExecutorAddr> address = (*jit)->lookup(kernel.entry);
    if (!address)
      return address.takeError();
    impl->kernels[kernel.name] = {kernel.name, address->toPtr<void(void *const *)>(), kernel.meets,
                                  kernel.parameterBytes};
  }
  for (const RetargetedModule::Variable &variable : retargeted->variables) {
    Expected<orc::ExecutorAddr> address = (*jit)->lookup(variable.name);
    if (!address)
      return address.takeError();
    memory.addVariable(variable.name, address->toPtr<char *>(), variable.bytes);
    impl->variables.push_back(address->toPtr<char *>());
  }
  impl->jit = std::move(*jit);
  impl->shared = std::move(retargeted->shared);
  impl->sharedBytes = retargeted->sharedBytes;
  impl->sharedExtent = retargeted->sharedExtent;
  impl->sites = std::move(retargeted->sites);
  return std::unique_ptr<DeviceCode>(new DeviceCode(std::move(impl)));
}

bool DeviceCode::hasKernel(StringRef name) const { return impl->kernels.contains(name); }

ArrayRef<uint32_t> DeviceCode::parameterBytes(StringRef kernel) const {
  return impl->kernels.find(kernel)->second.parameterBytes;
}

uint32_t DeviceCode::sharedBytes() const { return impl->sharedBytes; }

Error DeviceCode::launch(StringRef name, const LaunchConfig &config, void *const *params,
                         const Operation &operation) {
  constexpr uint64_t maxThreads = 1024;
  auto kernel = impl->kernels.find(name);
  if (kernel == impl->kernels.end())
    return createStringError("the device code has no kernel '" + name + "'");
  if (config.block.count() == 0 || config.block.count() > maxThreads)
    return createStringError("kernel '" + name + "': a block of " + Twine(config.block.count()) +
                             " threads, of 1 to " + Twine(maxThreads));
  uint64_t sharedBytes = uint64_t(impl->sharedBytes) + config.sharedBytes;
  if (sharedBytes > maxSharedBytes)
    return createStringError("kernel '" + name + "': " + Twine(sharedBytes) +
                             " bytes of shared memory per block, of at most " +
                             Twine(maxSharedBytes));
  LaunchContext launch = {kernel->second,
                          operation,
                          config,
                          params,
                          impl->memory,
                          impl->shared,
                          impl->sharedExtent + config.sharedBytes,
                          impl->sites};
  for (uint32_t z = 0; z < config.grid.z; ++z)
    for (uint32_t y = 0; y < config.grid.y; ++y)
      for (uint32_t x = 0; x < config.grid.x; ++x)
        if (Error error = Block(launch, impl->stacks, {x, y, z}).run())
          return error;
  return Error::success();
}
