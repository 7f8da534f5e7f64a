//===- InterpretingExecutor.cpp - Running by the reference interpreter -----===//

#include "EntryValues.h"
#include "Executor.h"

#include "dialects/TP/TP.h"
#include "tp/Driver/Diagnostics.h"
#include "tp/Interpreter/Interpreter.h"

#include <map>

using namespace mlir;
using namespace mlir::tp;
using interp::Tensor;
using tprt::Array;
using tprt::ValueInfo;
using tprt::ValueKind;

static Tensor toTensor(const Array &array, Type elementType) {
  return Tensor::fromBytes(array.shape, elementType, array.data);
}

static Array toArray(const Tensor &tensor, int32_t dtype) {
  Array array(dtype, std::vector<int64_t>(tensor.getShape()));
  array.data = tensor.toBytes();
  return array;
}

namespace {
class InterpretingExecutor : public Executor {
public:
  InterpretingExecutor(ArrayRef<InterpretedEntry> given, bool isPartitioned, bool poison)
      : entries(given), isPartitioned(isPartitioned), poison(poison) {
    for (InterpretedEntry &entry : entries)
      for (auto [info, type] : llvm::zip_equal(entry.arguments, entry.function.getArgumentTypes()))
        if (info.kind == ValueKind::State)
          states[info.name] =
              toTensor(Array(info.dtype, info.globalShape), getElementTypeOrSelf(type));
  }

  llvm::Expected<CallResults> call(StringRef name, ArrayRef<Array> inputs) override {
    auto entry = llvm::find_if(
        entries, [&](InterpretedEntry &candidate) { return candidate.function.getName() == name; });
    assert(entry != entries.end() && "the module has it");
    func::FuncOp function = entry->function;
    ArrayRef<Array> parameters = entry->parameters;
    std::vector<Tensor> arguments;
    for (auto [info, type] : llvm::zip_equal(entry->arguments, function.getArgumentTypes())) {
      if (info.kind == ValueKind::State) {
        arguments.push_back(states.at(info.name));
        continue;
      }
      ArrayRef<Array> &values = info.kind == ValueKind::Parameter ? parameters : inputs;
      arguments.push_back(toTensor(values.front(), getElementTypeOrSelf(type)));
      values = values.drop_front();
    }
    FailureOr<std::vector<Tensor>> results = run(function, arguments);
    if (failed(results))
      return alreadyReported(ExitStatus::RunFailure);
    CallResults values;
    for (auto [i, result] : llvm::enumerate(*results)) {
      int64_t state = getAliasedArgument(function, i);
      if (state >= 0)
        states.at(entry->arguments[state].name) = result;
      values.results.push_back(toArray(result, getRuntimeType(result.getElementType())));
    }
    for (const ValueInfo &info : entry->arguments)
      if (info.kind == ValueKind::State)
        values.states.push_back(toArray(states.at(info.name), info.dtype));
    return values;
  }

private:
  std::vector<InterpretedEntry> entries;
  bool isPartitioned, poison;
  std::map<std::string, Tensor> states;

  FailureOr<std::vector<Tensor>> run(func::FuncOp function, ArrayRef<Tensor> arguments) {
    if (!isPartitioned)
      return interp::interpretUnsharded(function, arguments, poison);
    interp::InterpreterOptions options;
    options.mesh = getMesh(lookupMesh(function));
    options.poison = poison;
    return interp::interpretPartitioned(function, arguments, options);
  }
};
} // namespace

std::unique_ptr<Executor> tp::makeInterpreter(ArrayRef<InterpretedEntry> entries,
                                              bool isPartitioned, bool poison) {
  return std::make_unique<InterpretingExecutor>(entries, isPartitioned, poison);
}
