//===- OptimizeModule.cpp - LLVM IR on its way to machine code -------------===//

#include "OptimizeModule.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace mlir;
using namespace mlir::tp;

std::unique_ptr<llvm::Module> tp::translateToLLVM(ModuleOp module, llvm::LLVMContext &context) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  registerNVVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context, "tp");
  if (!code)
    module.emitError("cannot be translated to LLVM IR");
  return code;
}

/// Runs the passes of `getPasses`, with the analyses that passes of LLVM want.
static void runPasses(llvm::Module &module, llvm::TargetMachine *machine,
                      function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> getPasses) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  tuning.LoopUnrolling = true;
  llvm::PassBuilder builder(machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  getPasses(builder).run(module, modules);
}

void tp::optimizeModule(llvm::Module &module, llvm::TargetMachine &machine) {
  runPasses(module, &machine, [](llvm::PassBuilder &builder) {
    return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  });
}

void tp::dropUnused(llvm::Module &module) {
  runPasses(module, nullptr, [](llvm::PassBuilder &) {
    llvm::ModulePassManager passes;
    passes.addPass(llvm::GlobalDCEPass());
    return passes;
  });
}
