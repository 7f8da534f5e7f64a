//===- ReduceModule.cpp - Fewer ops, results, arguments and annotations ----===//

#include "tp/Fuzz/Shrink.h"

#include "dialects/Comm/Comm.h"
#include "dialects/NN/NN.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::fuzz;

namespace {
/// A program as a module, changed step by step. A step that does not fail any more
/// is undone.
class Reducer {
public:
  Reducer(RandomProgram program, StillFails stillFails)
      : best(std::move(program)), stillFails(stillFails) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, scf::SCFDialect, tensor::TensorDialect, TPDialect,
                        nn::NNDialect, comm::CommDialect>();
    context.disableMultithreading();
    context.getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
  }

  RandomProgram run() {
    if (!parse())
      return best;
    bool changed = true;
    while (changed) {
      changed = dropPlanEntries();
      changed |= shrinkMesh();
      changed |= dropResults();
      changed |= replaceValues();
      changed |= dropArguments();
    }
    return best;
  }

private:
  MLIRContext context;
  RandomProgram best;
  StillFails stillFails;
  OwningOpRef<ModuleOp> module;

  func::FuncOp entry() { return module->lookupSymbol<func::FuncOp>(kEntryName); }

  bool parse() {
    module = parseSourceString<ModuleOp>(best.text, &context);
    return module && entry();
  }

  /// Takes the module as it is now, with this plan and these inputs, if it fails;
  /// else goes back to the best one.
  bool attempt(RandomProgram candidate) {
    eraseDead();
    if (succeeded(verify(*module))) {
      candidate.text.clear();
      llvm::raw_string_ostream os(candidate.text);
      module->print(os);
      dropForgottenNames(candidate.plan);
      bool isSame = candidate.text == best.text && candidate.plan.toJson() == best.plan.toJson();
      if (!isSame && stillFails(candidate)) {
        best = std::move(candidate);
        return true;
      }
    }
    parse();
    return false;
  }

  void eraseDead() {
    bool changed = true;
    while (changed) {
      changed = false;
      module->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
        bool isFree =
            isOpTriviallyDead(op) ||
            isa<func::CallOp, scf::WhileOp, scf::ForOp, scf::IfOp, scf::IndexSwitchOp>(op);
        if (isFree && op->use_empty() && op->getNumResults() > 0) {
          op->erase();
          changed = true;
        }
      });
      for (auto function : llvm::make_early_inc_range(module->getOps<func::FuncOp>()))
        if (function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, *module)) {
          function.erase();
          changed = true;
        }
    }
  }

  /// A plan must not name what is gone.
  void dropForgottenNames(PlanText &plan) {
    llvm::StringSet<> names;
    module->walk([&](Operation *op) {
      if (auto name = op->getAttrOfType<StringAttr>(kNameAttr))
        names.insert(name.getValue());
    });
    auto isGone = [&](const auto &entry) {
      return !StringRef(entry.first).starts_with((kEntryName + ".").str()) &&
             !names.contains(entry.first);
    };
    llvm::erase_if(plan.shard, isGone);
    llvm::erase_if(plan.priority, isGone);
  }

  static void eraseKey(PlanText &plan, const std::string &key) {
    auto isIt = [&](const auto &entry) { return entry.first == key; };
    llvm::erase_if(plan.shard, isIt);
    llvm::erase_if(plan.priority, isIt);
  }
  /// Argument or result `number` is gone; those behind it move.
  static void eraseNumbered(PlanText &plan, StringRef what, unsigned number, unsigned count) {
    auto key = [&](unsigned i) { return (kEntryName + "." + what + Twine(i)).str(); };
    eraseKey(plan, key(number));
    for (unsigned i = number + 1; i < count; ++i) {
      for (auto &entry : plan.shard)
        if (entry.first == key(i))
          entry.first = key(i - 1);
      for (auto &entry : plan.priority)
        if (entry.first == key(i))
          entry.first = key(i - 1);
    }
  }

  bool dropPlanEntries() {
    bool changed = false;
    for (size_t i = best.plan.shard.size(); i-- > 0;) {
      RandomProgram candidate = best;
      eraseKey(candidate.plan, best.plan.shard[i].first);
      changed |= attempt(std::move(candidate));
    }
    for (size_t i = best.plan.priority.size(); i-- > 0;) {
      RandomProgram candidate = best;
      candidate.plan.priority.erase(candidate.plan.priority.begin() + i);
      changed |= attempt(std::move(candidate));
    }
    return changed;
  }

  /// A module's own mesh goes where no op needs it; so do axes that nothing names, and
  /// the others become shorter.
  bool shrinkMesh() {
    bool changed = false;
    if (MeshOp mesh = lookupMesh(*module)) {
      mesh.erase();
      if (!attempt(best))
        return false;
      changed = true;
    }
    for (size_t i = best.plan.mesh.size(); i-- > 0;) {
      RandomProgram candidate = best;
      candidate.plan.mesh.erase(candidate.plan.mesh.begin() + i);
      if (!candidate.plan.mesh.empty() && attempt(candidate)) {
        changed = true;
        continue;
      }
      for (int64_t size = 2; size < best.plan.mesh[i].second; ++size) {
        candidate = best;
        candidate.plan.mesh[i].second = size;
        if (attempt(candidate)) {
          changed = true;
          break;
        }
      }
    }
    return changed;
  }

  bool dropResults() {
    bool changed = false;
    for (unsigned i = entry().getNumResults(); i-- > 0 && entry().getNumResults() > 1;) {
      RandomProgram candidate = best;
      unsigned count = entry().getNumResults();
      entry().front().getTerminator()->eraseOperand(i);
      if (failed(entry().eraseResult(i))) {
        parse();
        continue;
      }
      eraseNumbered(candidate.plan, "result", i, count);
      candidate.roundings.erase(candidate.roundings.begin() + i);
      changed |= attempt(std::move(candidate));
    }
    return changed;
  }

  /// All values that ops define, in the order of the module, without those of
  /// bodies of linalg ops.
  SmallVector<Value> collectValues() {
    SmallVector<Value> values;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      llvm::append_range(values, op->getResults());
      return isa<linalg::LinalgOp, tensor::PadOp, tensor::GenerateOp>(op) ? WalkResult::skip()
                                                                          : WalkResult::advance();
    });
    return values;
  }

  /// Replaces values by operands of their op of the same type, or by new arguments.
  bool replaceValues() {
    bool changed = false;
    for (size_t i = collectValues().size(); i-- > 0;) {
      SmallVector<Value> values = collectValues();
      if (i >= values.size() || values[i].use_empty())
        continue;
      Operation *op = values[i].getDefiningOp();
      SmallVector<unsigned> same;
      for (auto [number, operand] : llvm::enumerate(op->getOperands()))
        if (operand.getType() == values[i].getType())
          same.push_back(number);
      bool replaced = false;
      for (unsigned number : same) {
        Value value = collectValues()[i];
        value.replaceAllUsesWith(value.getDefiningOp()->getOperand(number));
        if ((replaced = attempt(best)))
          break;
      }
      if (!replaced)
        replaced = replaceByArgument(i);
      changed |= replaced;
    }
    return changed;
  }

  bool replaceByArgument(size_t i) {
    Value value = collectValues()[i];
    Operation *op = value.getDefiningOp();
    auto function = op->getParentOfType<func::FuncOp>();
    bool isConstant = op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op);
    if (function != entry() || isConstant || best.inputs.size() > 12)
      return false;
    RandomProgram candidate = best;
    unsigned number = function.getNumArguments();
    if (failed(function.insertArgument(number, value.getType(), {}, value.getLoc()))) {
      parse();
      return false;
    }
    value.replaceAllUsesWith(function.getArgument(number));
    InputValues input;
    Type element = getElementTypeOrSelf(value.getType());
    // It may be an index.
    if (!isa<FloatType>(element))
      input = {0, 1, false};
    candidate.inputs.push_back(input);
    return attempt(std::move(candidate));
  }

  /// Results that are new values of states name these by number. False where one is
  /// that of argument `erased`.
  bool renumberStates(unsigned erased) {
    func::FuncOp function = entry();
    for (unsigned i = 0, n = function.getNumResults(); i < n; ++i) {
      auto alias = function.getResultAttrOfType<IntegerAttr>(i, kAliasAttr);
      if (!alias || alias.getInt() < erased)
        continue;
      if (alias.getInt() == erased)
        return false;
      function.setResultAttr(i, kAliasAttr, IntegerAttr::get(alias.getType(), alias.getInt() - 1));
    }
    return true;
  }

  bool dropArguments() {
    bool changed = false;
    for (unsigned i = entry().getNumArguments(); i-- > 0;) {
      if (!entry().getArgument(i).use_empty())
        continue;
      RandomProgram candidate = best;
      unsigned count = entry().getNumArguments();
      if (!renumberStates(i) || failed(entry().eraseArgument(i))) {
        parse();
        continue;
      }
      eraseNumbered(candidate.plan, "arg", i, count);
      candidate.inputs.erase(candidate.inputs.begin() + i);
      changed |= attempt(std::move(candidate));
    }
    return changed;
  }
};
} // namespace

RandomProgram fuzz::reduceModule(RandomProgram program, StillFails stillFails) {
  // What crashes the parser would crash it here as well.
  if (!stillFails(program))
    return program;
  return Reducer(std::move(program), stillFails).run();
}
