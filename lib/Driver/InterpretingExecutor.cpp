//===- InterpretingExecutor.cpp - Running by the reference interpreter -----===//

#include "EntryValues.h"
#include "Executor.h"

#include "dialects/TP/TP.h"
#include "tp/Driver/Diagnostics.h"
#include "tp/Interpreter/Interpreter.h"

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
  InterpretingExecutor(func::FuncOp function, bool isPartitioned, ArrayRef<ValueInfo> infos,
                       ArrayRef<Array> parameters, bool poison)
      : function(function), isPartitioned(isPartitioned), infos(infos), poison(poison) {
    for (auto [info, type] : llvm::zip_equal(infos, function.getArgumentTypes())) {
      Type element = getElementTypeOrSelf(type);
      if (info.kind == ValueKind::Parameter) {
        arguments.push_back(toTensor(parameters.front(), element));
        parameters = parameters.drop_front();
        continue;
      }
      arguments.push_back(toTensor(Array(info.dtype, info.globalShape), element));
    }
  }

  llvm::Expected<CallResults> call(ArrayRef<Array> inputs) override {
    for (auto [i, info] : llvm::enumerate(infos))
      if (info.kind == ValueKind::Input) {
        arguments[i] = toTensor(inputs.front(), arguments[i].getElementType());
        inputs = inputs.drop_front();
      }
    FailureOr<std::vector<Tensor>> results = run();
    if (failed(results))
      return alreadyReported(ExitStatus::RunFailure);
    CallResults values;
    for (auto [i, result] : llvm::enumerate(*results)) {
      int64_t state = getAliasedArgument(function, i);
      if (state >= 0)
        arguments[state] = result;
      values.results.push_back(toArray(result, getRuntimeType(result.getElementType())));
    }
    for (auto [info, argument] : llvm::zip_equal(infos, arguments))
      if (info.kind == ValueKind::State)
        values.states.push_back(toArray(argument, info.dtype));
    return values;
  }

private:
  func::FuncOp function;
  bool isPartitioned;
  std::vector<ValueInfo> infos;
  bool poison;
  std::vector<Tensor> arguments;

  FailureOr<std::vector<Tensor>> run() {
    if (!isPartitioned)
      return interp::interpretUnsharded(function, arguments, poison);
    interp::InterpreterOptions options;
    options.mesh = getMesh(lookupMesh(function));
    options.poison = poison;
    return interp::interpretPartitioned(function, arguments, options);
  }
};
} // namespace

std::unique_ptr<Executor> tp::makeInterpreter(func::FuncOp function, bool isPartitioned,
                                              ArrayRef<ValueInfo> arguments,
                                              ArrayRef<Array> parameters, bool poison) {
  return std::make_unique<InterpretingExecutor>(function, isPartitioned, arguments, parameters,
                                                poison);
}
