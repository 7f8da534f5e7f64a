//===- Trial.cpp - One random program, compiled and compared ---------------===//

#include "Trial.h"

#include "../CompareCalls.h"
#include "../EntryValues.h"
#include "../Executor.h"

#include "mlir/Parser/Parser.h"
#include "tp/Driver/Program.h"
#include "tp/Execute/Values.h"
#include "tp/Plan/Plan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::fuzz;
using llvm::Error;
using llvm::Expected;
using tprt::Array;
using tprt::ValueInfo;
using tprt::ValueKind;

static constexpr llvm::StringLiteral kProgramName = "program.mlir", kPlanName = "plan.json";

//===----------------------------------------------------------------------===//
// Outcomes
//===----------------------------------------------------------------------===//

/// Without what differs from program to program: places, numbers, types and lists.
static std::string classOfText(StringRef text) {
  text = text.split('\n').first;
  // The place: `program.mlir:3:5: `.
  for (StringRef name : {kProgramName, kPlanName})
    if (text.consume_front(name))
      text = text.drop_while([](char c) { return c == ':' || c == ' ' || llvm::isDigit(c); });
  std::string result;
  unsigned nesting = 0;
  bool inQuotes = false;
  for (char c : text) {
    if (c == '"')
      inQuotes = !inQuotes;
    bool opens = c == '<' || c == '[', closes = c == '>' || c == ']';
    if (opens)
      ++nesting;
    bool isInside = nesting > 0 || inQuotes;
    if (closes && nesting > 0)
      --nesting;
    if (isInside && !opens && !closes)
      continue;
    if (!llvm::isDigit(c))
      result += c;
    else if (result.empty() || result.back() != 'N')
      result += 'N';
  }
  return result.substr(0, 160);
}

std::string Outcome::classOfMessage() const { return classOfText(message); }

std::string Outcome::toJson() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream os(stream);
  os.object([&] {
    os.attribute("kind", static_cast<int64_t>(kind));
    os.attribute("message", llvm::json::fixUTF8(message));
    os.attribute("unproved", llvm::json::fixUTF8(unproved));
    os.attribute("spoilsProcess", spoilsProcess);
    os.attributeObject("ops", [&] {
      for (const auto &[name, count] : ops)
        os.attribute(name, count);
    });
  });
  return text;
}

Outcome Outcome::fromJson(StringRef text) {
  Outcome outcome;
  Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    outcome.kind = Kind::Failed;
    outcome.message = "no answer: " + llvm::toString(value.takeError());
    return outcome;
  }
  const llvm::json::Object &object = *value->getAsObject();
  outcome.kind = static_cast<Kind>(*object.getInteger("kind"));
  outcome.message = object.getString("message")->str();
  outcome.unproved = object.getString("unproved")->str();
  outcome.spoilsProcess = *object.getBoolean("spoilsProcess");
  for (const auto &[name, count] : *object.getObject("ops"))
    outcome.ops[StringRef(name).str()] = *count.getAsInteger();
  return outcome;
}

bool fuzz::isKnownLimit(StringRef error) {
  // Each is a limit that the documentation names.
  static constexpr StringRef limits[] = {
      "cannot avoid RaW conflict",
  };
  return llvm::any_of(limits, [&](StringRef limit) { return error.contains(limit); });
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Array fuzz::makeInput(const InputValues &values, size_t number, const ValueInfo &argument) {
  std::mt19937_64 random(number + 1);
  bool isFloat = argument.dtype <= TPRT_BF16;
  if (!isFloat) {
    Array array(TPRT_I64, argument.globalShape);
    int64_t low = argument.dtype == TPRT_I1 ? 0 : values.low;
    int64_t high = argument.dtype == TPRT_I1 ? 1 : values.high;
    Array result(argument.dtype, argument.globalShape);
    for (int64_t i = 0, n = array.count(); i < n; ++i) {
      int64_t element = low + static_cast<int64_t>(random() % uint64_t(high - low + 1));
      // Little-endian: the low bytes are the narrower integer.
      size_t size = tprt_dtype_size(argument.dtype);
      std::memcpy(result.data.data() + i * size, &element, size);
    }
    return result;
  }
  Array array(argument.dtype == TPRT_F64 ? TPRT_F64 : TPRT_F32, argument.globalShape);
  static constexpr double special[] = {std::numeric_limits<double>::quiet_NaN(),
                                       std::numeric_limits<double>::infinity(),
                                       -std::numeric_limits<double>::infinity(), -0.0};
  // Few, so that not all that is computed of them is NaN, or many.
  const uint64_t specialOneIn = values.special ? 4 + random() % 20 : 0;
  for (int64_t i = 0, n = array.count(); i < n; ++i) {
    double element = static_cast<double>(random() % 17) / 4 - 2;
    if (values.special && random() % specialOneIn == 0)
      element = special[random() % std::size(special)];
    if (argument.dtype == TPRT_F64)
      array.as<double>()[i] = element;
    else
      array.as<float>()[i] = static_cast<float>(element);
  }
  return tprt::convertArray(array, argument.dtype, argument.name);
}

/// Parts of a sum that are multiplied before they are summed may be infinities of both
/// signs where the whole is one (docs/Plan.md): NaN stands for an infinity then.
static void acceptNaNForInfinity(std::vector<Array> &found, const std::vector<Array> &expected) {
  for (auto [values, reference] : llvm::zip_equal(found, expected)) {
    if (values.dtype > TPRT_BF16)
      continue;
    std::vector<double> a = toDoubles(values), b = toDoubles(reference);
    size_t size = tprt_dtype_size(values.dtype);
    for (size_t i = 0; i < a.size(); ++i)
      if (std::isnan(a[i]) && std::isinf(b[i]))
        std::memcpy(values.data.data() + i * size, reference.data.data() + i * size, size);
  }
}

//===----------------------------------------------------------------------===//
// The trial
//===----------------------------------------------------------------------===//

namespace {
class Trial {
public:
  Trial(MLIRContext &context, const RandomProgram &program, const TrialOptions &options,
        Announce announce)
      : context(context), program(program), options(options), announce(announce), log(logText),
        diagnostics(&context, /*strict=*/false, log),
        phases(diagnostics, makePhaseOptions(), options.target) {}

  Outcome run();

private:
  MLIRContext &context;
  const RandomProgram &program;
  const TrialOptions &options;
  Announce announce;
  std::string logText;
  llvm::raw_string_ostream log;
  ToolDiagnostics diagnostics;
  PhaseRunner phases;
  OwningOpRef<ModuleOp> module, source;
  struct Entry {
    StringRef name;
    std::vector<ValueInfo> arguments;
    /// Of arguments that are inputs and of those that are parameters.
    std::vector<Array> inputs, parameters;
  };
  std::vector<Entry> entries;
  bool isDataMovement = false;
  Outcome outcome;

  static PhaseOptions makePhaseOptions() {
    PhaseOptions phaseOptions;
    phaseOptions.poison = true;
    return phaseOptions;
  }

  Outcome fail(const Twine &message) {
    outcome.kind = Outcome::Kind::Failed;
    outcome.message = message.str();
    // What is wrong on a device stays wrong for the process.
    outcome.spoilsProcess |= options.target.hasDevices();
    return outcome;
  }
  /// What was reported: the error line and its notes.
  std::string takeErrors(Error error);
  Outcome refuse(Error error);

  bool parse();
  /// Results and states after each call: of all entries, one after the other, as often
  /// as the program says.
  Expected<std::vector<CallResults>> runUnsharded();
  Error partition();
  bool prove();
  Expected<std::vector<CallResults>> runPartitioned();
  Expected<std::vector<CallResults>> callOften(Executor &executor);
  std::unique_ptr<Executor> interpret(ModuleOp which, bool isPartitioned);
};
} // namespace

std::string Trial::takeErrors(Error error) {
  diagnostics.report(std::move(error));
  SmallVector<StringRef> lines;
  StringRef(logText).split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::string text;
  // The error first, then what explains it.
  for (StringRef line : lines)
    if (!text.empty() || line.contains("error: "))
      text += (line + "\n").str();
  return text.empty() ? "no error was printed" : StringRef(text).rtrim().str();
}

/// A program that was refused: a known limit at a place, or a failure.
Outcome Trial::refuse(Error error) {
  std::string message = takeErrors(std::move(error));
  bool hasPlace =
      StringRef(message).starts_with(kProgramName) || StringRef(message).starts_with(kPlanName);
  if (!hasPlace)
    return fail("refused without a place: " + message);
  if (!isKnownLimit(message))
    return fail("refused: " + StringRef(message).split("error: ").second);
  outcome.kind = Outcome::Kind::Refused;
  outcome.message = message;
  return outcome;
}

bool Trial::parse() {
  announce("parsing");
  module = parseSourceString<ModuleOp>(program.text, ParserConfig(&context), kProgramName);
  if (!module)
    return false;
  module->walk([&](Operation *op) {
    if (!isa<ModuleOp>(op))
      ++outcome.ops[op->getName().getStringRef().str()];
  });
  return true;
}

Expected<std::vector<CallResults>> Trial::callOften(Executor &executor) {
  std::vector<CallResults> calls;
  for (unsigned i = 0; i < program.calls; ++i)
    for (const Entry &entry : entries) {
      Expected<CallResults> values = executor.call(entry.name, entry.inputs);
      if (!values)
        return values.takeError();
      calls.push_back(std::move(*values));
    }
  return calls;
}

std::unique_ptr<Executor> Trial::interpret(ModuleOp which, bool isPartitioned) {
  std::vector<InterpretedEntry> interpreted;
  for (const Entry &entry : entries)
    interpreted.push_back(
        {which.lookupSymbol<func::FuncOp>(entry.name), entry.arguments, entry.parameters});
  return makeInterpreter(interpreted, isPartitioned, /*poison=*/true);
}

Expected<std::vector<CallResults>> Trial::runUnsharded() {
  announce("running the unsharded program");
  source = module->clone();
  removeShardings(*source);
  for (const RandomEntry &made : program.entries) {
    Entry entry{made.name, {}, {}, {}};
    Expected<std::vector<ValueInfo>> infos =
        describeArguments(source->lookupSymbol<func::FuncOp>(made.name));
    if (!infos)
      return infos.takeError();
    entry.arguments = std::move(*infos);
    std::vector<ValueInfo> stored;
    for (auto [i, argument] : llvm::enumerate(entry.arguments)) {
      if (argument.kind == ValueKind::Input)
        entry.inputs.push_back(makeInput(made.inputs[i], i, argument));
      if (argument.kind == ValueKind::Parameter)
        stored.push_back(argument);
    }
    // By their names, as the runtime does without weights.
    Expected<std::vector<Array>> random = loadParameters(stored, std::nullopt);
    if (!random)
      return random.takeError();
    entry.parameters = std::move(*random);
    entries.push_back(std::move(entry));
  }
  return callOften(*interpret(*source, /*isPartitioned=*/false));
}

Error Trial::partition() {
  announce("applying the plan");
  FailureOr<Plan> plan = parsePlan(program.plan.toJson(), kPlanName, &context);
  if (failed(plan) || failed(applyPlan(*module, *plan)))
    return alreadyReported();
  announce("planning");
  if (Error error = phases.run(*module, Phase::Plan))
    return error;
  // What one entry computes may be a state that another one moves.
  isDataMovement = llvm::all_of(entries, [&](const Entry &entry) {
    return onlyMovesData(module->lookupSymbol<func::FuncOp>(entry.name));
  });
  for (auto [phase, name] : {std::pair(Phase::Reshard, "inserting reshards"),
                             std::pair(Phase::Partition, "partitioning"),
                             std::pair(Phase::Comm, "optimising communication")}) {
    announce(name);
    if (Error error = phases.run(*module, phase))
      return error;
  }
  return Error::success();
}

/// Asks the relation checker, and notes where its proof ends. False where it fails.
bool Trial::prove() {
  announce("proving");
  OwningOpRef<ModuleOp> original = source->clone();
  FailureOr<std::vector<CheckedResult>> results = proveProgram(*original, *module);
  if (failed(results))
    return false;
  for (const CheckedResult &result : *results)
    if (!result.isProved()) {
      outcome.unproved = classOfText(result.why);
      return true;
    }
  return true;
}

Expected<std::vector<CallResults>> Trial::runPartitioned() {
  if (!options.compiled) {
    announce("interpreting");
    return callOften(*interpret(*module, /*isPartitioned=*/true));
  }
  announce("compiling");
  Expected<std::unique_ptr<SharedObject>> code = SharedObject::compile(*module, phases);
  if (!code)
    return code.takeError();
  announce("running compiled code");
  ExecutionOptions execution;
  execution.poison = true;
  execution.checkCollectives = true;
  Expected<std::unique_ptr<Executor>> executor = (*code)->load(execution);
  if (!executor)
    return executor.takeError();
  return callOften(**executor);
}

Outcome Trial::run() {
  if (!parse())
    return fail("the generated program does not parse: " + takeErrors(alreadyReported()));
  if (!program.shapes.empty()) {
    announce("binding sizes");
    if (Error error = phases.bindShapes(*module, program.shapeOptions()))
      return refuse(std::move(error));
  }
  Expected<std::vector<CallResults>> expected = runUnsharded();
  if (!expected)
    return fail("the unsharded program does not run: " + takeErrors(expected.takeError()));
  if (Error error = partition())
    return refuse(std::move(error));
  if (options.spoil)
    options.spoil(*module);
  if (!prove())
    return fail("the checker fails: " + takeErrors(alreadyReported()));
  Expected<std::vector<CallResults>> found = runPartitioned();
  if (!found) {
    if (options.compiled && diagnostics.hasError())
      return refuse(found.takeError());
    return fail("the partitioned program does not run: " + takeErrors(found.takeError()));
  }
  announce("comparing");
  bool isSpecial = program.hasSpecialInputs();
  for (auto [call, pair] : llvm::enumerate(llvm::zip_equal(*found, *expected))) {
    auto &[values, reference] = pair;
    size_t number = call % entries.size(), round = call / entries.size();
    StringRef name = entries[number].name;
    ArrayRef<double> roundings = program.entries[number].roundings;
    if (isSpecial) {
      acceptNaNForInfinity(values.results, reference.results);
      acceptNaNForInfinity(values.states, reference.states);
    }
    // The new values of states are the last results.
    size_t numStates = std::min(roundings.size(), reference.states.size());
    if (Error error = compareCalls(values, reference, isDataMovement, "unsharded it is", roundings,
                                   roundings.take_back(numStates)))
      return fail((outcome.unproved.empty() ? "proved, but " : "") +
                  (entries.size() > 1 ? ("@" + name + " ").str() : std::string()) +
                  (round > 0 ? "in call " + std::to_string(round + 1) + " " : std::string()) +
                  llvm::toString(std::move(error)));
  }
  return outcome;
}

Outcome fuzz::runTrial(MLIRContext &context, const RandomProgram &program,
                       const TrialOptions &options, Announce announce) {
  return Trial(context, program, options, announce).run();
}
