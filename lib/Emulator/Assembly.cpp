//===- Assembly.cpp - PTX in device IR -------------------------------------===//

#include "Assembly.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace mlir::tp::emulator;

namespace {

/// One block of assembly.
class Expander {
public:
  Expander(CallInst &call)
      : call(call), builder(&call), i32(builder.getInt32Ty()), i64(builder.getInt64Ty()),
        carry(builder.getInt64(0)) {}

  Error expand() {
    auto *assembly = cast<InlineAsm>(call.getCalledOperand());
    std::vector<InlineAsm::ConstraintInfo> constraints = assembly->ParseConstraints();
    unsigned numOutputs = 0;
    for (const InlineAsm::ConstraintInfo &constraint : constraints)
      numOutputs += constraint.Type == InlineAsm::isOutput;
    for (auto [i, argument] : llvm::enumerate(call.args()))
      registers["$" + std::to_string(numOutputs + i)] = argument;
    SmallVector<StringRef> statements;
    SplitString(assembly->getAsmString(), statements, ";");
    for (StringRef statement : statements) {
      statement = statement.trim(" \t\r\n");
      statement.consume_front("{");
      statement = statement.trim(" \t\r\n");
      // Braces of the block, and declarations: registers are known when they are set.
      if (statement.empty() || statement == "}" || statement.starts_with(".reg"))
        continue;
      if (!translate(statement))
        return createStringError("inline assembly '" + statement + "' cannot be emulated");
    }
    for (unsigned i = 0; i < numOutputs; ++i)
      if (!registers.lookup("$" + std::to_string(i)))
        return createStringError("inline assembly without result " + Twine(i) +
                                 " cannot be emulated");
    replace(numOutputs);
    return Error::success();
  }

private:
  /// One instruction; false where it is not known.
  bool translate(StringRef statement) {
    size_t end = statement.find_first_of(" \t");
    StringRef name = statement.take_front(end);
    SmallVector<StringRef> operands;
    split(statement.drop_front(end), operands);
    if (name == "mov.b64" && operands.size() == 2)
      return move(operands[0], operands[1]);
    SmallVector<Value *> values;
    for (StringRef operand : drop_begin(operands)) {
      Value *value = read(operand);
      if (!value)
        return false;
      values.push_back(value);
    }
    Value *result = compute(name, values);
    if (result)
      registers[operands.front()] = result;
    return result;
  }

  /// Operands between commas; those in braces are one.
  static void split(StringRef text, SmallVectorImpl<StringRef> &operands) {
    size_t begin = 0, depth = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
      if (i == text.size() || (text[i] == ',' && depth == 0)) {
        operands.push_back(text.slice(begin, i).trim(" \t"));
        begin = i + 1;
      } else {
        depth += text[i] == '{';
        depth -= text[i] == '}';
      }
    }
  }

  Value *read(StringRef operand) {
    uint32_t number;
    if (!operand.getAsInteger(10, number))
      return builder.getInt32(number);
    return registers.lookup(operand);
  }

  /// Both halves of a number of 64 bits, from or to two registers.
  bool move(StringRef to, StringRef from) {
    auto halves = [](StringRef pair) { return pair.drop_front().drop_back().split(','); };
    if (to.starts_with("{")) {
      Value *whole = read(from);
      if (!whole)
        return false;
      auto [low, high] = halves(to);
      registers[low.trim()] = builder.CreateTrunc(whole, i32);
      registers[high.trim()] = builder.CreateTrunc(builder.CreateLShr(whole, 32), i32);
      return true;
    }
    if (!from.starts_with("{"))
      return false;
    auto [low, high] = halves(from);
    Value *a = read(low.trim()), *b = read(high.trim());
    if (!a || !b)
      return false;
    registers[to] = builder.CreateOr(builder.CreateZExt(a, i64),
                                     builder.CreateShl(builder.CreateZExt(b, i64), 32));
    return true;
  }

  /// What `name` makes of `values`; null where it is not known.
  Value *compute(StringRef name, ArrayRef<Value *> values) {
    if (Value *number = computeInteger(name, values))
      return number;
    auto intrinsic = [&](Intrinsic::ID id, ArrayRef<Value *> operands) {
      return builder.CreateIntrinsic(id, operands);
    };
    if (name == "rcp.approx.ftz.f32")
      return intrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, values);
    if (name == "rsqrt.approx.ftz.f64")
      return intrinsic(Intrinsic::nvvm_rsqrt_approx_ftz_d, values);
    if (name == "setp.equ.f64")
      return builder.CreateFCmpUEQ(values[0], values[1]);
    if (name == "selp.f64")
      return builder.CreateSelect(values[2], values[0], values[1]);
    // A difference is a sum with the other sign, in any mode.
    Intrinsic::ID sum = StringSwitch<Intrinsic::ID>(name)
                            .Case("sub.rn.f32", Intrinsic::nvvm_add_rn_f)
                            .Case("sub.rn.ftz.f32", Intrinsic::nvvm_add_rn_ftz_f)
                            .Case("sub.rn.f64", Intrinsic::nvvm_add_rn_d)
                            .Case("sub.rz.f32", Intrinsic::nvvm_add_rz_f)
                            .Case("sub.rz.ftz.f32", Intrinsic::nvvm_add_rz_ftz_f)
                            .Case("sub.rz.f64", Intrinsic::nvvm_add_rz_d)
                            .Case("sub.rm.f32", Intrinsic::nvvm_add_rm_f)
                            .Case("sub.rm.ftz.f32", Intrinsic::nvvm_add_rm_ftz_f)
                            .Case("sub.rm.f64", Intrinsic::nvvm_add_rm_d)
                            .Case("sub.rp.f32", Intrinsic::nvvm_add_rp_f)
                            .Case("sub.rp.ftz.f32", Intrinsic::nvvm_add_rp_ftz_f)
                            .Case("sub.rp.f64", Intrinsic::nvvm_add_rp_d)
                            .Default(Intrinsic::not_intrinsic);
    if (sum == Intrinsic::not_intrinsic)
      return nullptr;
    return intrinsic(sum, {values[0], builder.CreateFNeg(values[1])});
  }

  /// Instructions on u32: products of which one half is taken, sums and differences,
  /// with the carry of the one before ("c" behind the name) and for the next (".cc").
  Value *computeInteger(StringRef name, ArrayRef<Value *> values) {
    if (name == "bfind.shiftamt.u32")
      // By how much the highest one can be shifted; all ones where there is none.
      return builder.CreateSelect(
          builder.CreateICmpEQ(values[0], builder.getInt32(0)), builder.getInt32(-1),
          builder.CreateIntrinsic(Intrinsic::ctlz, {i32}, {values[0], builder.getFalse()}));
    if (!name.consume_back(".u32"))
      return nullptr;
    bool setsCarry = name.consume_back(".cc");
    bool isHigh = name.consume_back(".hi");
    bool isProduct = name.consume_back(".lo") || isHigh;
    SmallVector<Value *> wide;
    for (Value *value : values)
      wide.push_back(builder.CreateZExt(value, i64));
    if (isProduct) {
      Value *product = builder.CreateMul(wide[0], wide[1]);
      Value *half = isHigh ? builder.CreateLShr(product, 32)
                           : builder.CreateAnd(product, builder.getInt64(UINT32_MAX));
      if (name == "mul")
        return builder.CreateTrunc(half, i32);
      if (name != "mad" && name != "madc")
        return nullptr;
      Value *result = builder.CreateAdd(half, wide[2]);
      return finish(name == "madc" ? builder.CreateAdd(result, carry) : result, setsCarry);
    }
    if (name == "add" || name == "addc") {
      Value *result = builder.CreateAdd(wide[0], wide[1]);
      return finish(name == "addc" ? builder.CreateAdd(result, carry) : result, setsCarry);
    }
    if (name == "sub" || name == "subc") {
      Value *result = builder.CreateSub(wide[0], wide[1]);
      return finish(name == "subc" ? builder.CreateSub(result, carry) : result, setsCarry);
    }
    return nullptr;
  }

  /// The low half of a sum or difference of 64 bits, whose bit 32 is what it carries or
  /// borrows.
  Value *finish(Value *result, bool setsCarry) {
    if (setsCarry)
      carry = builder.CreateAnd(builder.CreateLShr(result, 32), builder.getInt64(1));
    return builder.CreateTrunc(result, i32);
  }

  void replace(unsigned numOutputs) {
    Value *result = registers.lookup("$0");
    if (numOutputs > 1) {
      result = PoisonValue::get(call.getType());
      for (unsigned i = 0; i < numOutputs; ++i)
        result = builder.CreateInsertValue(result, registers.lookup("$" + std::to_string(i)), i);
    }
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  CallInst &call;
  IRBuilder<> builder;
  Type *i32, *i64;
  Value *carry; ///< 0 or 1, as i64
  StringMap<Value *> registers;
};

} // namespace

Error mlir::tp::emulator::expandAssembly(CallInst &call) { return Expander(call).expand(); }
