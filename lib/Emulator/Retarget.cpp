//===- Retarget.cpp --------------------------------------------------------===//

#include "Retarget.h"

#include "Assembly.h"
#include "Intrinsics.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace mlir::tp::emulator;

namespace {

// Address space of the target.
constexpr unsigned sharedSpace = 3;
// Bytes between variables in shared memory, which are in none.
constexpr uint64_t sharedGap = 256;

class Retargeter {
public:
  Retargeter(Module &module) : module(module), context(module.getContext()) {
    result.sites.push_back("an unknown place");
  }

  Error run(const llvm::DataLayout &layout, StringRef triple);
  RetargetedModule takeResult() { return std::move(result); }

private:
  Error convertCall(CallInst &call);
  Value *convertOperand(IRBuilder<> &builder, Value *operand);
  void instrument(Instruction &instruction);
  void instrument(Instruction &before, Value *pointer, Value *bytes, AccessKind kind);
  void placeSharedVariables();
  void addEntry(Function &kernel);
  bool meets(Function &kernel);
  Value *getSite(const Instruction &instruction);
  std::string siteText(const Instruction &instruction);

  Module &module;
  LLVMContext &context;
  RetargetedModule result;
  StringMap<uint32_t> siteNumbers;
  /// Functions in which threads wait for each other.
  SmallPtrSet<Function *, 8> meetingFunctions;
};

std::string placeText(const DILocation &location) {
  SmallString<128> file = location.getFilename();
  sys::path::remove_dots(file, /*remove_dot_dot=*/true);
  return (file + ":" + Twine(location.getLine())).str();
}

/// Whether the thread's own stack, or its parameters, is all that the pointer can be of.
bool isPrivate(Value *pointer) {
  const Value *object = getUnderlyingObject(pointer);
  if (isa<AllocaInst>(object))
    return true;
  auto *argument = dyn_cast<Argument>(object);
  return argument && argument->hasByValAttr();
}

/// The type on the host, where it is another: of small floats and vectors an integer.
Type *getHostType(Type *type, const llvm::DataLayout &layout) {
  if (type->isIntegerTy(1))
    return Type::getInt32Ty(type->getContext());
  if (type->isHalfTy() || type->isBFloatTy() || type->isVectorTy())
    return Type::getIntNTy(type->getContext(), layout.getTypeSizeInBits(type));
  if (auto *pointer = dyn_cast<PointerType>(type))
    return PointerType::getUnqual(pointer->getContext());
  return type;
}

} // namespace

std::string Retargeter::siteText(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc();
  if (!location)
    return "function '" + instruction.getFunction()->getName().str() + "'";
  std::string text = placeText(*location);
  while (const DILocation *caller = location->getInlinedAt()) {
    location = caller;
    text += ", called at " + placeText(*location);
  }
  return text;
}

Value *Retargeter::getSite(const Instruction &instruction) {
  auto [it, isNew] = siteNumbers.try_emplace(siteText(instruction), result.sites.size());
  if (isNew)
    result.sites.push_back(it->first().str());
  return ConstantInt::get(Type::getInt32Ty(context), it->second);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value *Retargeter::convertOperand(IRBuilder<> &builder, Value *operand) {
  Type *type = operand->getType();
  Type *host = getHostType(type, module.getDataLayout());
  if (type->isIntegerTy(1))
    return builder.CreateZExt(operand, host);
  if (type->isPointerTy())
    return builder.CreateAddrSpaceCast(operand, host);
  return type == host ? operand : builder.CreateBitCast(operand, host);
}

Error Retargeter::convertCall(CallInst &call) {
  Function *callee = call.getCalledFunction();
  if (!callee)
    return createStringError(siteText(call) + ": calls through pointers cannot be emulated");
  IRBuilder<> builder(&call);
  Type *intType = builder.getInt32Ty();
  if (callee->getIntrinsicID() == Intrinsic::trap || callee->getName() == "__assertfail") {
    FunctionCallee trap =
        module.getOrInsertFunction("tp_emulator_trap", builder.getVoidTy(), intType);
    builder.CreateCall(trap, {getSite(call)});
    call.eraseFromParent();
    return Error::success();
  }
  // Which architecture code is for does not matter here.
  if (callee->getName() == "__nvvm_reflect" || callee->getName() == "llvm.nvvm.reflect") {
    call.replaceAllUsesWith(ConstantInt::get(call.getType(), 0));
    call.eraseFromParent();
    return Error::success();
  }
  StringRef name = callee->getName();
  if (!name.consume_front("llvm.nvvm.")) {
    if (callee->isDeclaration() && !callee->isIntrinsic())
      return createStringError(siteText(call) + ": function '" + name +
                               "' is not defined in the module");
    return Error::success();
  }
  const IntrinsicForm *intrinsic = findIntrinsic(name);
  if (!intrinsic)
    return createStringError(siteText(call) + ": emulated devices do not have '" +
                             callee->getName() + "'");
  if (intrinsic->meets)
    meetingFunctions.insert(call.getFunction());

  Type *type = call.getType();
  SmallVector<Value *> operands;
  AllocaInst *structure = nullptr;
  if (type->isStructTy()) {
    IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
    structure = entry.CreateAlloca(type);
    operands.push_back(structure);
  }
  if (intrinsic->takesSite)
    operands.push_back(getSite(call));
  for (Value *operand : call.args())
    operands.push_back(convertOperand(builder, operand));
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  Type *hostType = structure || type->isVoidTy() ? builder.getVoidTy()
                                                 : getHostType(type, module.getDataLayout());
  FunctionCallee function = module.getOrInsertFunction(
      ("tp_emulator." + name).str(), FunctionType::get(hostType, types, /*isVarArg=*/false));
  Value *value = builder.CreateCall(function, operands);
  if (structure)
    value = builder.CreateLoad(type, structure);
  else if (type->isIntegerTy(1))
    value = builder.CreateICmpNE(value, ConstantInt::get(hostType, 0));
  else if (type != hostType)
    value = type->isPointerTy() ? builder.CreateAddrSpaceCast(value, type)
                                : builder.CreateBitCast(value, type);
  if (!type->isVoidTy())
    call.replaceAllUsesWith(value);
  call.eraseFromParent();
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void Retargeter::instrument(Instruction &before, Value *pointer, Value *bytes, AccessKind kind) {
  if (isPrivate(pointer))
    return;
  IRBuilder<> builder(&before);
  FunctionCallee function =
      module.getOrInsertFunction("tp_emulator_access", builder.getVoidTy(), builder.getInt32Ty(),
                                 builder.getInt32Ty(), builder.getPtrTy(), builder.getInt64Ty());
  builder.CreateCall(function, {getSite(before), builder.getInt32(static_cast<uint32_t>(kind)),
                                convertOperand(builder, pointer),
                                builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty())});
}

void Retargeter::instrument(Instruction &instruction) {
  auto sizeOf = [&](Type *type) {
    return ConstantInt::get(Type::getInt64Ty(context),
                            module.getDataLayout().getTypeStoreSize(type));
  };
  // What is less aligned than it is large becomes several instructions of the device.
  auto instrumentParts = [&](Value *pointer, Type *type, Align align, AccessKind kind) {
    uint64_t bytes = module.getDataLayout().getTypeStoreSize(type);
    uint64_t part = std::min(align.value(), bytes);
    IRBuilder<> builder(&instruction);
    for (uint64_t at = 0; at < bytes; at += part)
      instrument(instruction,
                 at == 0 ? pointer : builder.CreatePtrAdd(pointer, builder.getInt64(at)),
                 builder.getInt64(std::min(part, bytes - at)), kind);
  };
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    instrumentParts(load->getPointerOperand(), load->getType(), load->getAlign(), AccessKind::Read);
  else if (auto *store = dyn_cast<StoreInst>(&instruction))
    instrumentParts(store->getPointerOperand(), store->getValueOperand()->getType(),
                    store->getAlign(), AccessKind::Write);
  else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    instrument(instruction, atomic->getPointerOperand(), sizeOf(atomic->getType()),
               AccessKind::Atomic);
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    instrument(instruction, exchange->getPointerOperand(),
               sizeOf(exchange->getNewValOperand()->getType()), AccessKind::Atomic);
  else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
    if (auto *transfer = dyn_cast<MemTransferInst>(memory))
      instrument(instruction, transfer->getRawSource(), memory->getLength(), AccessKind::Read);
    instrument(instruction, memory->getRawDest(), memory->getLength(), AccessKind::Write);
  }
}

//===----------------------------------------------------------------------===//
// Variables and kernels
//===----------------------------------------------------------------------===//

void Retargeter::placeSharedVariables() {
  const llvm::DataLayout &layout = module.getDataLayout();
  auto sizeOf = [&](GlobalVariable &variable) -> uint64_t {
    return variable.isDeclaration() ? 0 : layout.getTypeAllocSize(variable.getValueType());
  };
  // Those whose size the launch gives share what is behind the others.
  SmallVector<GlobalVariable *> variables, sizedByLaunch;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == sharedSpace)
      (sizeOf(variable) ? variables : sizedByLaunch).push_back(&variable);
  llvm::append_range(variables, sizedByLaunch);
  uint64_t end = 0;
  for (GlobalVariable *variable : variables) {
    uint64_t alignment = std::max<uint64_t>(variable->getAlign().valueOrOne().value(), 16);
    SharedVariable place;
    place.name = demangle(variable->getName());
    place.bytes = sizeOf(*variable);
    place.offset = alignTo(end, alignment);
    if (place.bytes != 0)
      end = place.offset + place.bytes + sharedGap;
    result.sharedBytes = alignTo(result.sharedBytes, alignment) + place.bytes;
    result.shared.push_back(place);

    convertUsersOfConstantsToInstructions({variable});
    DenseMap<Function *, Value *> addresses;
    for (Use &use : make_early_inc_range(variable->uses())) {
      auto *user = cast<Instruction>(use.getUser());
      Value *&address = addresses[user->getFunction()];
      if (!address) {
        IRBuilder<> builder(&*user->getFunction()->getEntryBlock().getFirstInsertionPt());
        FunctionCallee base =
            module.getOrInsertFunction("tp_emulator_shared_memory", builder.getPtrTy());
        Value *start =
            builder.CreateConstGEP1_64(builder.getInt8Ty(), builder.CreateCall(base), place.offset);
        address = builder.CreateAddrSpaceCast(start, variable->getType());
      }
      use.set(address);
    }
    variable->eraseFromParent();
  }
  result.sharedExtent = end;
}

void Retargeter::addEntry(Function &kernel) {
  kernel.setCallingConv(CallingConv::C);
  std::string name = kernel.getName().str() + ".entry";
  Type *pointer = PointerType::getUnqual(context);
  auto *entry = Function::Create(FunctionType::get(Type::getVoidTy(context), {pointer}, false),
                                 GlobalValue::ExternalLinkage, name, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  SmallVector<Value *> arguments;
  std::vector<uint32_t> bytes;
  for (Argument &argument : kernel.args()) {
    Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    bytes.push_back(module.getDataLayout().getTypeStoreSize(type));
    Value *address = builder.CreateLoad(
        pointer, builder.CreateConstGEP1_64(pointer, entry->getArg(0), argument.getArgNo()));
    arguments.push_back(argument.hasByValAttr() ? address
                                                : builder.CreateLoad(argument.getType(), address));
  }
  builder.CreateCall(&kernel, arguments);
  builder.CreateRetVoid();
  result.kernels.push_back({kernel.getName().str(), name, meets(kernel), std::move(bytes)});
}

bool Retargeter::meets(Function &kernel) {
  SmallSetVector<Function *, 8> reached;
  reached.insert(&kernel);
  for (size_t i = 0; i < reached.size(); ++i) {
    if (meetingFunctions.contains(reached[i]))
      return true;
    for (Instruction &instruction : instructions(*reached[i]))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
          reached.insert(callee);
  }
  return false;
}

Error Retargeter::run(const llvm::DataLayout &layout, StringRef triple) {
  module.setDataLayout(layout);
  module.setTargetTriple(Triple(triple));
  for (Function &function : module) {
    // "sm_90" is no processor of the host.
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isInlineAsm()) {
        std::string site = siteText(*call);
        if (Error error = expandAssembly(*call))
          return createStringError(site + ": " + toString(std::move(error)));
      }
    SmallVector<Instruction *> all;
    for (Instruction &instruction : instructions(function))
      all.push_back(&instruction);
    for (Instruction *instruction : all)
      instrument(*instruction);
    for (Instruction *instruction : all)
      if (auto *call = dyn_cast<CallInst>(instruction))
        if (Error error = convertCall(*call))
          return error;
  }
  placeSharedVariables();
  for (GlobalVariable &variable : module.globals())
    if (!variable.getName().starts_with("llvm.")) {
      variable.setLinkage(GlobalValue::ExternalLinkage);
      variable.setVisibility(GlobalValue::DefaultVisibility);
      result.variables.push_back(
          {variable.getName().str(), layout.getTypeAllocSize(variable.getValueType())});
    }
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel && !function.isDeclaration())
      kernels.push_back(&function);
  for (Function *kernel : kernels)
    addEntry(*kernel);
  return Error::success();
}

Expected<RetargetedModule>
mlir::tp::emulator::retarget(Module &module, const llvm::DataLayout &layout, StringRef triple) {
  Retargeter retargeter(module);
  if (Error error = retargeter.run(layout, triple))
    return std::move(error);
  return retargeter.takeResult();
}
