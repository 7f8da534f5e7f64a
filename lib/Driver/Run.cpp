//===- Run.cpp - tp-run ----------------------------------------------------===//

#include "CompareCalls.h"
#include "EntryValues.h"
#include "Executor.h"
#include "OptionTable.h"

#include "dialects/TP/TP.h"
#include "tp/Driver/Program.h"
#include "tp/Driver/Progress.h"
#include "tp/Driver/Tools.h"
#include "tp/Execute/Values.h"
#include "tp/Plan/Plan.h"
#include "tp/Support/OutputFile.h"
#include "tp/Transforms/MakeSignless.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;
using tprt::Array;
using tprt::ValueInfo;
using tprt::ValueKind;

namespace {
/// One of the programs that are run, under the plan or unsharded: for the
/// interpreter as a module of phase Comm (the unsharded one as it is), else as
/// machine code.
struct Program {
  OwningOpRef<ModuleOp> module;
  func::FuncOp entry;
  std::unique_ptr<SharedObject> code;
};

/// The values that are given from outside.
struct GivenValues {
  std::vector<ValueInfo> arguments;
  std::vector<Array> inputs;
  std::vector<Array> parameters; ///< of the interpreter; compiled code loads its own
};

class Runner {
public:
  Runner(const RunOptions &options, MLIRContext *context, const ToolDiagnostics &diagnostics)
      : options(options), context(context), diagnostics(diagnostics),
        phases(diagnostics, makePhaseOptions(options), options.target),
        unshardedPhases(diagnostics, makePhaseOptions(options)) {}

  Error run();

private:
  const RunOptions &options;
  MLIRContext *context;
  const ToolDiagnostics &diagnostics;
  PhaseRunner phases;
  PhaseRunner unshardedPhases; ///< on the CPU, whatever the target
  Program sharded, unsharded;
  GivenValues given;
  bool isDataMovement = false;
  SmallVector<bool> unsignedResults; ///< how the source types them

  static PhaseOptions makePhaseOptions(const RunOptions &options) {
    PhaseOptions phaseOptions;
    phaseOptions.explain = !options.explainValues.empty();
    phaseOptions.poison = options.poison;
    phaseOptions.reduceDtype = options.reduceDtype;
    return phaseOptions;
  }

  Error prepare();
  Error bindShapes(func::FuncOp entry);
  Error prepareUnsharded(ModuleOp source);
  Error checkMemory();
  Error readInputs();
  Expected<CallResults> callAll();
  Error compile(Program &program, PhaseRunner &phases);
  Expected<std::unique_ptr<Executor>> makeExecutor(Program &program, bool isSharded,
                                                   uint64_t repetition);
  Error writeResults(const CallResults &values);
};
} // namespace

/// Dynamic dimensions have the sizes of --shape, or of the inputs that are given.
Error Runner::bindShapes(func::FuncOp entry) {
  std::vector<std::string> shapes = options.shapes;
  for (BlockArgument argument : entry.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    std::string number = std::to_string(argument.getArgNumber());
    std::string key = (entry.getName() + ".arg" + number).str();
    auto name = entry.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr);
    auto isIt = [&](StringRef text) { return text == key || (name && text == name.getValue()); };
    bool isSaid =
        llvm::any_of(options.shapes, [&](StringRef text) { return isIt(text.rsplit('=').first); });
    auto input = llvm::find_if(options.inputs, [&](const auto &given) {
      return isIt(given.first) || given.first == number;
    });
    if (isSaid || input == options.inputs.end())
      continue;
    Expected<std::vector<int64_t>> sizes = readInputShape(input->second, key);
    if (!sizes)
      return sizes.takeError();
    if (static_cast<int64_t>(sizes->size()) != type.getRank())
      return userError("--input " + input->first + ": expected rank " + Twine(type.getRank()) +
                       ", found rank " + Twine(sizes->size()) + " in " + input->second);
    // Of static dimensions readInputs says what is wrong.
    for (unsigned d = 0; d < sizes->size(); ++d)
      if (!type.isDynamicDim(d))
        (*sizes)[d] = type.getDimSize(d);
    std::string text;
    llvm::raw_string_ostream os(text);
    os << key << '=';
    llvm::interleave(*sizes, os, "x");
    shapes.push_back(text);
  }
  return phases.bindShapes(entry->getParentOfType<ModuleOp>(), shapes);
}

/// Compiles up to the comm phase and reads what is given from outside.
Error Runner::prepare() {
  Expected<OwningOpRef<ModuleOp>> program = parseProgram(options.file, context, diagnostics);
  if (!program)
    return program.takeError();
  sharded.module = std::move(*program);
  ModuleOp module = *sharded.module;
  Expected<func::FuncOp> entry = findEntry(module, options.entry, options.file);
  if (!entry)
    return entry.takeError();
  for (Type type : entry->getResultTypes())
    unsignedResults.push_back(getElementTypeOrSelf(type).isUnsignedInteger());
  makeSignless(module);
  if (Error error = bindShapes(*entry))
    return error;
  OwningOpRef<ModuleOp> source = module.clone();
  if (failed(
          applyRequestedPlan(module, options.plan, options.mesh, !options.explainValues.empty())))
    return alreadyReported();
  std::string name = entry->getName().str();
  keepOnlyEntry(*entry);
  OwningOpRef<ModuleOp> checkedSource = keepSource(module, options);
  if (Error error = phases.run(module, Phase::Plan))
    return error;
  sharded.entry = module.lookupSymbol<func::FuncOp>(name);
  remarkUnevenBlocks(module);
  if (options.plan != "replicated")
    remarkIdleAxes(module);
  if (diagnostics.hasError())
    return alreadyReported();
  if (Error error = explainValues(module, options, /*toStderr=*/false))
    return error;
  isDataMovement = onlyMovesData(sharded.entry);
  Expected<std::vector<ValueInfo>> arguments = describeArguments(sharded.entry);
  if (!arguments)
    return arguments.takeError();
  given.arguments = std::move(*arguments);
  for (Phase phase : {Phase::Reshard, Phase::Partition, Phase::Comm})
    if (Error error = phases.run(module, phase))
      return error;
  sharded.entry = module.lookupSymbol<func::FuncOp>(name);
  if (Error error = checkAgainst(checkedSource.get(), module, options))
    return error;
  if (Error error = explainProgram(module, options, /*toStderr=*/false))
    return error;
  if (!options.compare)
    return Error::success();
  unsharded.module = std::move(source);
  unsharded.entry = unsharded.module->lookupSymbol<func::FuncOp>(name);
  return prepareUnsharded(*unsharded.module);
}

/// The unsharded program: compiled code goes the same way on a mesh of one.
Error Runner::prepareUnsharded(ModuleOp source) {
  std::string name = unsharded.entry.getName().str();
  removeShardings(source);
  keepOnlyEntry(unsharded.entry);
  if (options.interpret)
    return Error::success();
  Plan one;
  one.mesh.emplace();
  one.mesh->names.push_back("one");
  one.mesh->sizes.push_back(1);
  if (failed(applyPlan(source, one)))
    return alreadyReported();
  Error error = unshardedPhases.run(source, Phase::Plan, Phase::Comm);
  unsharded.entry = source.lookupSymbol<func::FuncOp>(name);
  return error;
}

/// One error where what is given and what comes out, whole and on every rank, takes more
/// memory than there is: it is an absurd size, and not a machine that is too busy.
Error Runner::checkMemory() {
  func::FuncOp entry = sharded.entry;
  int64_t ranks = getMesh(lookupMesh(entry)).numDevices();
  uint64_t total = 0, largest = 0;
  std::string largestName;
  Location largestLoc = entry.getLoc();
  Type largestType;
  auto bytesOf = [&](Type type) -> uint64_t {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getElementType().isIndex() || options.interpret)
      return (tensor ? tensor.getNumElements() : 1) * sizeof(int64_t);
    return tensor.getNumElements() * llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
  };
  auto add = [&](Attribute globalType, Type local, const Twine &name, Location loc) {
    auto attr = dyn_cast_or_null<TypeAttr>(globalType);
    Type global = attr ? attr.getValue() : local;
    uint64_t bytes = bytesOf(global);
    total = llvm::SaturatingAdd(
        total, llvm::SaturatingMultiplyAdd(bytesOf(local), uint64_t(ranks), bytes));
    if (bytes < largest)
      return;
    largest = bytes;
    largestName = name.str();
    largestLoc = loc;
    largestType = global;
  };
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
    add(entry.getResultAttr(i, kGlobalTypeAttr), type, "result " + Twine(i), entry.getLoc());
  for (BlockArgument argument : entry.getArguments())
    add(entry.getArgAttr(argument.getArgNumber(), kGlobalTypeAttr), argument.getType(),
        given.arguments[argument.getArgNumber()].name, argument.getLoc());
  uint64_t machine = getMachineMemory();
  if (total <= machine)
    return Error::success();
  emitError(largestLoc) << "arguments and results of @" << entry.getName() << " take at least "
                        << total << " bytes on " << ranks << (ranks == 1 ? " rank" : " ranks")
                        << ", this machine has " << machine << "; the largest is " << largestName
                        << ", " << largestType;
  return alreadyReported();
}

/// Finds the argument that --input K= names.
static Expected<size_t> findInput(StringRef key, const std::vector<ValueInfo> &arguments) {
  size_t found = arguments.size();
  std::string names;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (argument.name == key)
      found = i;
    if (argument.kind == ValueKind::Input)
      names += (names.empty() ? "" : ", ") + argument.name;
  }
  if (found == arguments.size() && !key.getAsInteger(10, found) && found < arguments.size())
    key = arguments[found].name;
  if (found >= arguments.size())
    return userError("--input " + key + ": the entry has no such argument",
                     {"its inputs: " + (names.empty() ? "none" : names)});
  if (arguments[found].kind != ValueKind::Input)
    return userError("--input " + key + ": it is a " +
                     (arguments[found].kind == ValueKind::State ? "state" : "parameter") +
                     ", not an input");
  return found;
}

Error Runner::readInputs() {
  SmallVector<std::optional<Array>> values(given.arguments.size());
  for (const auto &[key, text] : options.inputs) {
    Expected<size_t> argument = findInput(key, given.arguments);
    if (!argument)
      return argument.takeError();
    if (values[*argument])
      return userError("--input " + key + ": the argument is given twice");
    Expected<Array> value = readInputValue(text, given.arguments[*argument]);
    if (!value)
      return value.takeError();
    values[*argument] = std::move(*value);
  }
  std::vector<ValueInfo> parameters;
  for (auto [argument, value] : llvm::zip(given.arguments, values)) {
    if (argument.kind == ValueKind::Input)
      given.inputs.push_back(value ? std::move(*value) : makeRandomInput(argument));
    if (argument.kind == ValueKind::Parameter)
      parameters.push_back(argument);
  }
  if (!options.interpret)
    return Error::success();
  Expected<std::vector<Array>> loaded = loadParameters(parameters, options.weights);
  if (!loaded)
    return loaded.takeError();
  given.parameters = std::move(*loaded);
  return Error::success();
}

Error Runner::compile(Program &program, PhaseRunner &phases) {
  Expected<std::unique_ptr<SharedObject>> code = SharedObject::compile(*program.module, phases);
  if (!code)
    return code.takeError();
  program.code = std::move(*code);
  return Error::success();
}

Expected<std::unique_ptr<Executor>> Runner::makeExecutor(Program &program, bool isSharded,
                                                         uint64_t repetition) {
  if (options.interpret)
    return makeInterpreter({{program.entry, given.arguments, given.parameters}}, isSharded,
                           options.poison);
  ExecutionOptions execution;
  execution.weights = options.weights;
  execution.checkCollectives = options.checkCollectives;
  execution.poison = options.poison;
  if (isSharded) {
    execution.autotune = options.autotune;
    execution.virtualRanks = int(options.virtualRanks);
  }
  if (options.jitterSeed)
    execution.jitterSeed = *options.jitterSeed + repetition;
  return program.code->load(execution);
}

/// Runs everything --repeat times; all repetitions must give the same bits.
Expected<CallResults> Runner::callAll() {
  std::vector<CallResults> first;
  for (uint64_t repetition = 0; repetition < options.repeat; ++repetition) {
    Expected<std::unique_ptr<Executor>> executor =
        makeExecutor(sharded, /*isSharded=*/true, repetition);
    if (!executor)
      return executor.takeError();
    for (uint64_t i = 0; i < options.calls; ++i) {
      Expected<CallResults> values = (*executor)->call(sharded.entry.getName(), given.inputs);
      if (!values)
        return values.takeError();
      if (repetition == 0)
        first.push_back(std::move(*values));
      else if (Error error =
                   compareCalls(*values, first[i], /*exactly=*/true, "in the first run it was"))
        return error;
    }
  }
  if (options.compare) {
    Expected<std::unique_ptr<Executor>> executor =
        makeExecutor(unsharded, /*isSharded=*/false, /*repetition=*/0);
    if (!executor)
      return executor.takeError();
    for (const CallResults &values : first) {
      Expected<CallResults> reference = (*executor)->call(unsharded.entry.getName(), given.inputs);
      if (!reference)
        return reference.takeError();
      if (Error error = compareCalls(values, *reference, isDataMovement, "unsharded it is"))
        return error;
    }
  }
  CallResults &last = first.back();
  for (auto [i, value] : llvm::enumerate(last.results))
    value.isUnsigned = unsignedResults[i];
  return std::move(last);
}

Error Runner::writeResults(const CallResults &values) {
  StringRef directory = options.outputDirectory;
  if (directory.empty())
    return Error::success();
  std::error_code error = llvm::sys::fs::create_directories(directory);
  if (!error && !llvm::sys::fs::is_directory(directory))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    return userError("cannot make the directory " + directory + ": " + error.message());
  for (auto [i, value] : llvm::enumerate(values.results))
    if (Error error = writeValue(directory, "result" + std::to_string(i), value))
      return error;
  for (auto [i, value] : llvm::enumerate(values.states))
    if (Error error = writeValue(directory, "state" + std::to_string(i), value))
      return error;
  return Error::success();
}

/// One line per result, for people.
static Error printResults(const CallResults &values, bool wasCompared) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [i, value] : llvm::enumerate(values.results))
    os << "result" << i << ' ' << describeValue(value) << '\n';
  if (wasCompared)
    os << "equal to the unsharded program\n";
  return writeOutputFile("-", text);
}

Error Runner::run() {
  auto progress = std::make_unique<Progress>("tp-run");
  progress->step("partitioning");
  if (Error error = prepare())
    return error;
  if (Error error = checkMemory())
    return error;
  progress->step("reading inputs");
  if (Error error = readInputs())
    return error;
  if (!options.interpret) {
    progress->step("compiling");
    if (Error error = compile(sharded, phases))
      return error;
    if (options.compare)
      if (Error error = compile(unsharded, unshardedPhases))
        return error;
  }
  progress->step(options.interpret ? "interpreting" : "running");
  Expected<CallResults> values = callAll();
  if (!values)
    return values.takeError();
  if (Error error = writeResults(*values))
    return error;
  progress.reset();
  return printResults(*values, options.compare);
}

int tp::runMain(int argc, char **argv) {
  return runTool<RunOptions>(
      parseRunCommandLine(argc, argv), &RunOptions::strict,
      [](const RunOptions &options, MLIRContext *context, ToolDiagnostics &diagnostics) {
        return Runner(options, context, diagnostics).run();
      });
}
