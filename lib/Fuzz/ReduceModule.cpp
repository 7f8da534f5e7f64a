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
      changed = dropEntries();
      changed |= dropPlanLines();
      changed |= shrinkMesh();
      for (size_t i = 0; i < best.entries.size(); ++i)
        changed |= dropResults(i);
      changed |= replaceValues();
      for (size_t i = 0; i < best.entries.size(); ++i)
        changed |= dropArguments(i);
    }
    return best;
  }

private:
  MLIRContext context;
  RandomProgram best;
  StillFails stillFails;
  OwningOpRef<ModuleOp> module;

  func::FuncOp entry(size_t i) { return module->lookupSymbol<func::FuncOp>(best.entries[i].name); }

  bool parse() {
    module = parseSourceString<ModuleOp>(best.text, &context);
    return module && llvm::all_of(llvm::seq(best.entries.size()),
                                  [&](size_t i) { return static_cast<bool>(entry(i)); });
  }

  /// Takes the module as it is now, with this plan and these inputs, if it fails;
  /// else goes back to the best one.
  bool attempt(RandomProgram candidate) {
    eraseDead();
    if (succeeded(verify(*module))) {
      candidate.text.clear();
      llvm::raw_string_ostream os(candidate.text);
      module->print(os);
      dropForgottenNames(candidate);
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

  /// Changes the names that a plan and the sizes of arguments speak of, or drops what
  /// speaks of a name where `change` says so by false.
  static void changeKeys(RandomProgram &program, llvm::function_ref<bool(std::string &)> change) {
    auto isGone = [&](auto &line) { return !change(line.first); };
    llvm::erase_if(program.plan.shard, isGone);
    llvm::erase_if(program.plan.priority, isGone);
    llvm::erase_if(program.plan.barrier, isGone);
    for (std::vector<std::string> &keys : program.plan.alike)
      llvm::erase_if(keys, [&](std::string &key) { return !change(key); });
    llvm::erase_if(program.plan.alike, [](const auto &keys) { return keys.size() < 2; });
    llvm::erase_if(program.shapes, isGone);
  }

  /// A plan must not name what is gone.
  void dropForgottenNames(RandomProgram &program) {
    llvm::StringSet<> names;
    module->walk([&](Operation *op) {
      if (auto name = op->getAttrOfType<StringAttr>(kNameAttr))
        names.insert(name.getValue());
      if (auto function = dyn_cast<func::FuncOp>(op)) {
        for (unsigned i = 0; i < function.getNumArguments(); ++i) {
          names.insert((function.getName() + ".arg" + Twine(i)).str());
          if (auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr))
            names.insert(name.getValue());
        }
        for (unsigned i = 0; i < function.getNumResults(); ++i)
          names.insert((function.getName() + ".result" + Twine(i)).str());
      }
    });
    changeKeys(program, [&](std::string &key) { return names.contains(key); });
  }

  /// Argument or result `number` of an entry is gone; those behind it move.
  static void eraseNumbered(RandomProgram &program, StringRef entry, StringRef what,
                            unsigned number) {
    std::string prefix = (entry + "." + what).str();
    changeKeys(program, [&](std::string &key) {
      StringRef text = key;
      unsigned found;
      if (!text.consume_front(prefix) || text.getAsInteger(10, found))
        return true;
      if (found > number)
        key = prefix + std::to_string(found - 1);
      return found != number;
    });
  }

  bool dropEntries() {
    bool changed = false;
    for (size_t i = best.entries.size(); i-- > 0 && best.entries.size() > 1;) {
      RandomProgram candidate = best;
      candidate.entries.erase(candidate.entries.begin() + i);
      entry(i).erase();
      changed |= attempt(std::move(candidate));
    }
    return changed;
  }

  bool dropPlanLines() {
    bool changed = false;
    auto drop = [&](auto list) {
      for (size_t i = list(best).size(); i-- > 0;) {
        RandomProgram candidate = best;
        list(candidate).erase(list(candidate).begin() + i);
        changed |= attempt(std::move(candidate));
      }
    };
    drop([](RandomProgram &program) -> auto & { return program.plan.barrier; });
    drop([](RandomProgram &program) -> auto & { return program.plan.alike; });
    drop([](RandomProgram &program) -> auto & { return program.plan.priority; });
    drop([](RandomProgram &program) -> auto & { return program.plan.shard; });
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

  bool dropResults(size_t number) {
    bool changed = false;
    for (unsigned i = entry(number).getNumResults();
         i-- > 0 && entry(number).getNumResults() > 1;) {
      RandomProgram candidate = best;
      entry(number).front().getTerminator()->eraseOperand(i);
      if (failed(entry(number).eraseResult(i))) {
        parse();
        continue;
      }
      RandomEntry &smaller = candidate.entries[number];
      eraseNumbered(candidate, smaller.name, "result", i);
      smaller.roundings.erase(smaller.roundings.begin() + i);
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
    auto shaped = dyn_cast<ShapedType>(value.getType());
    RandomProgram candidate = best;
    auto made = llvm::find_if(candidate.entries, [&](const RandomEntry &candidateEntry) {
      return candidateEntry.name == function.getName();
    });
    if (made == candidate.entries.end() || isConstant || made->inputs.size() > 12 ||
        (shaped && !shaped.hasStaticShape()))
      return false;
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
    made->inputs.push_back(input);
    return attempt(std::move(candidate));
  }

  /// Results that are new values of states name these by number. False where one is
  /// that of argument `erased`.
  static bool renumberStates(func::FuncOp function, unsigned erased) {
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

  bool dropArguments(size_t number) {
    bool changed = false;
    for (unsigned i = entry(number).getNumArguments(); i-- > 0;) {
      if (!entry(number).getArgument(i).use_empty())
        continue;
      RandomProgram candidate = best;
      if (!renumberStates(entry(number), i) || failed(entry(number).eraseArgument(i))) {
        parse();
        continue;
      }
      RandomEntry &smaller = candidate.entries[number];
      eraseNumbered(candidate, smaller.name, "arg", i);
      smaller.inputs.erase(smaller.inputs.begin() + i);
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
