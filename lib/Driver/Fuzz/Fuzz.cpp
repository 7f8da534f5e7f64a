//===- Fuzz.cpp - tp-fuzz --------------------------------------------------===//

#include "Child.h"
#include "Mutants.h"
#include "Options.h"
#include "Totals.h"

#include "../EntryValues.h"

#include "mlir/Parser/Parser.h"
#include "tp/Driver/Program.h"
#include "tp/Driver/Registration.h"
#include "tp/Driver/Tools.h"
#include "tp/Execute/Values.h"
#include "tp/Fuzz/Mutate.h"
#include "tp/Fuzz/Shrink.h"
#include "tp/Support/OutputFile.h"
#include "tp/Support/ToolError.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::fuzz;
using llvm::Error;
using llvm::Expected;
using tprt::ValueInfo;
using Mode = FuzzOptions::Mode;

namespace fs = llvm::sys::fs;

/// Attributes and types of a context are never freed.
static constexpr unsigned kProgramsPerContext = 400;
/// Seconds that shrinking one failure may take.
static constexpr double kShrinkSeconds = 120;
static constexpr double kSaveSeconds = 30;

static std::atomic<bool> interrupted = false;

static StringRef nameOf(Mode mode) {
  switch (mode) {
  case Mode::Interpreted:
    return "interpreted";
  case Mode::Compiled:
    return "compiled";
  case Mode::Mutated:
    return "mutated";
  }
  llvm_unreachable("all modes are named");
}

static std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registerDialects(registry);
  auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false);
  return context;
}

namespace {
class Session {
public:
  Session(const FuzzOptions &options) : options(options) {}

  Error run();
  bool hasFailures() const { return now.failed > 0; }

private:
  const FuzzOptions &options;
  State state;
  Corpus corpus;
  Totals *totals = nullptr; ///< of all runs
  Totals now;               ///< of this one
  uint64_t next = 1, last = UINT64_MAX;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now(), shown, saved;
  std::vector<std::unique_ptr<Child>> workers;
  std::map<std::string, uint64_t> numShrunk;
  std::vector<std::string> reports;

  std::string path(const Twine &name) const { return (options.directory + "/" + name).str(); }
  std::string logFile() const { return path("processes.log"); }
  double secondsSince(std::chrono::steady_clock::time_point time) const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - time).count();
  }
  bool isOver() const {
    return interrupted || next > last ||
           (options.seconds > 0 && secondsSince(begin) >= options.seconds);
  }
  TrialOptions trialOptions() const { return {options.mode == Mode::Compiled, options.target}; }

  Error prepare();
  Error printProgram() const;
  Child::Answer makeAnswer() const;
  Error loop();
  bool giveWork();
  Error collect();
  Error record(uint64_t seed, const Outcome &outcome);
  Error save();
  void showProgress();

  Error keepFailure(uint64_t seed, const Outcome &outcome);
  Error keepProgram(uint64_t seed, const Outcome &outcome, const std::string &directory);
  Error keepMutant(uint64_t seed, const Outcome &outcome, const std::string &directory);
  Expected<std::string> writeInputs(ModuleOp module, const RandomEntry &entry,
                                    const std::string &directory);
  Expected<std::string> makeCommand(const RandomProgram &program, const std::string &directory);
};
} // namespace

Error Session::prepare() {
  if (std::error_code error = fs::create_directories(options.directory))
    return userError("cannot make the directory " + options.directory + ": " + error.message());
  // Compiled programs of a child that crashes stay behind; here they do no harm.
  std::string temporary = path("tmp");
  if (std::error_code error = fs::create_directories(temporary))
    return userError("cannot make the directory " + temporary + ": " + error.message());
  setenv("TMPDIR", temporary.c_str(), /*overwrite=*/1);
  std::string mode = nameOf(options.mode).str();
  if (options.resume) {
    Expected<State> loaded = State::load(path("state.json"));
    if (!loaded)
      return loaded.takeError();
    state = std::move(*loaded);
  }
  totals = &state[mode];
  next = options.seed.value_or(totals->next);
  if (options.count > 0)
    last = next + options.count - 1;
  if (options.mode == Mode::Mutated) {
    Expected<Corpus> loaded = Corpus::load(options.corpus);
    if (!loaded)
      return loaded.takeError();
    corpus = std::move(*loaded);
  }
  return Error::success();
}

Error Session::printProgram() const {
  uint64_t seed = options.seed.value_or(1);
  if (options.mode == Mode::Mutated) {
    Expected<Corpus> loaded = Corpus::load(options.corpus);
    if (!loaded)
      return loaded.takeError();
    Mutant mutant = makeMutant(*loaded, seed);
    return writeOutputFile("-", mutant.program + (mutant.plan.empty() ? "" : "\n") + mutant.plan);
  }
  Choices choices(seed);
  RandomProgram program = makeRandomProgram(choices);
  return writeOutputFile("-", program.text + program.plan.toJson());
}

/// What a worker does for each seed.
Child::Answer Session::makeAnswer() const {
  struct Work {
    std::unique_ptr<MLIRContext> context;
    unsigned programs = 0;
  };
  auto work = std::make_shared<Work>();
  return [this, work](uint64_t seed, Announce announce) {
    if (work->programs++ % kProgramsPerContext == 0)
      work->context = makeContext();
    if (options.mode == Mode::Mutated)
      return runMutant(*work->context, makeMutant(corpus, seed), announce);
    announce("making a program");
    Choices choices(seed);
    return runTrial(*work->context, makeRandomProgram(choices), trialOptions(), announce);
  };
}

/// Gives every idle worker a seed; false when all are idle and nothing is left.
bool Session::giveWork() {
  bool isWorking = false;
  bool mustSave = options.resume && secondsSince(saved) > kSaveSeconds;
  for (std::unique_ptr<Child> &worker : workers) {
    if (worker && worker->hasEnded())
      worker.reset();
    if (worker && worker->isBusy()) {
      isWorking = true;
      continue;
    }
    // What is saved is a whole range of seeds.
    if (isOver() || mustSave)
      continue;
    if (!worker)
      worker = Child::start([this] { return makeAnswer(); }, logFile());
    worker->ask(next++);
    isWorking = true;
  }
  return isWorking;
}

Error Session::collect() {
  SmallVector<pollfd> files;
  SmallVector<Child *> busy;
  for (std::unique_ptr<Child> &worker : workers)
    if (worker && worker->isBusy()) {
      files.push_back({worker->getFile(), POLLIN, 0});
      busy.push_back(worker.get());
    }
  poll(files.data(), files.size(), /*milliseconds=*/500);
  for (auto [file, worker] : llvm::zip_equal(files, busy)) {
    std::optional<Outcome> outcome;
    if (file.revents)
      outcome = worker->read();
    else if (worker->secondsBusy() > options.timeout)
      outcome = worker->kill();
    if (outcome)
      if (Error error = record(worker->getRequest(), *outcome))
        return error;
  }
  return Error::success();
}

Error Session::record(uint64_t seed, const Outcome &found) {
  Outcome outcome = found;
  // The tools that take programs print an error there (parseProgram).
  if (options.mode == Mode::Mutated && isUnderUpstream(outcome))
    outcome.kind = Outcome::Kind::Refused;
  now.add(outcome);
  totals->add(outcome);
  if (options.unproved && !outcome.unproved.empty())
    (llvm::outs() << "seed " << seed << " is not proved: " << outcome.unproved << '\n').flush();
  if (outcome.kind != Outcome::Kind::Failed)
    return Error::success();
  return keepFailure(seed, outcome);
}

Error Session::save() {
  totals->next = next;
  totals->seconds += secondsSince(saved);
  saved = std::chrono::steady_clock::now();
  return options.resume ? state.save(path("state.json")) : Error::success();
}

void Session::showProgress() {
  bool isTerminal = isatty(STDERR_FILENO);
  if (secondsSince(shown) < (isTerminal ? 0.5 : 20))
    return;
  shown = std::chrono::steady_clock::now();
  double seconds = secondsSince(begin);
  llvm::errs() << (isTerminal ? "\r" : "") << "tp-fuzz: " << now.programs << " programs, "
               << now.numRefused() << " refused, " << now.failed << " failed, "
               << static_cast<uint64_t>(now.programs / seconds) << "/s, "
               << static_cast<uint64_t>(seconds) << " s" << (isTerminal ? "   " : "\n");
}

Error Session::loop() {
  workers.resize(options.jobs);
  begin = shown = saved = std::chrono::steady_clock::now();
  while (true) {
    if (!giveWork()) {
      if (Error error = save())
        return error;
      if (isOver())
        return Error::success();
      continue;
    }
    if (Error error = collect())
      return error;
    showProgress();
  }
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

/// Writes values of all arguments of an entry; the options that name them.
Expected<std::string> Session::writeInputs(ModuleOp module, const RandomEntry &entry,
                                           const std::string &directory) {
  Expected<std::vector<ValueInfo>> arguments =
      describeArguments(module.lookupSymbol<func::FuncOp>(entry.name));
  if (!arguments)
    return arguments.takeError();
  std::string text;
  for (auto [i, argument] : llvm::enumerate(*arguments)) {
    if (argument.kind != tprt::ValueKind::Input)
      continue;
    std::string name = entry.name + ".arg" + std::to_string(i);
    if (Error error = writeValue(directory, name, makeInput(entry.inputs[i], i, argument)))
      return error;
    text += " --input " + std::to_string(i) + "=" + directory + "/" + name + ".npy";
  }
  return text;
}

/// The commands of tp-run that do the same, a line for each entry.
Expected<std::string> Session::makeCommand(const RandomProgram &program,
                                           const std::string &directory) {
  std::unique_ptr<MLIRContext> context = makeContext();
  ScopedDiagnosticHandler handler(context.get(), [](Diagnostic &) {});
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(program.text, ParserConfig(context.get()));
  std::string shapes;
  for (const std::string &shape : program.shapeOptions())
    shapes += " --shape " + shape;
  if (module && !shapes.empty()) {
    ToolDiagnostics diagnostics(context.get(), /*strict=*/false, llvm::nulls());
    if (Error error = PhaseRunner(diagnostics, {}).bindShapes(*module, program.shapeOptions())) {
      llvm::consumeError(std::move(error));
      module = {};
    }
  }
  std::string text;
  for (const RandomEntry &entry : program.entries) {
    Expected<std::string> inputs = module ? writeInputs(*module, entry, directory) : std::string();
    if (!inputs)
      return inputs.takeError();
    text += (text.empty() ? "tp-run " : "\n  tp-run ") + directory + "/program.mlir --plan " +
            directory + "/plan.json" + shapes +
            (program.entries.size() > 1 ? " --entry " + entry.name : "") + *inputs +
            " --compare --poison" +
            (program.calls > 1 ? " --calls " + std::to_string(program.calls) : "") +
            (options.mode == Mode::Compiled ? "" : " --interpret");
  }
  return text;
}

Error Session::keepProgram(uint64_t seed, const Outcome &outcome, const std::string &directory) {
  Choices choices(seed);
  RandomProgram program = makeRandomProgram(choices);
  std::string wanted = outcome.classOfMessage();
  bool parses = !StringRef(outcome.message).contains("pars");
  auto start = std::chrono::steady_clock::now();
  Outcome smallest = outcome;
  program = shrink(choices.getTape(), choices.getSpans().vec(), [&](const RandomProgram &smaller) {
    // The shrinker parses as well, and what does not parse may crash it.
    if (interrupted || secondsSince(start) > kShrinkSeconds || !parses)
      return false;
    Outcome found = runInChild(
        [&](Announce announce) {
          return runTrial(*makeContext(), smaller, trialOptions(), announce);
        },
        options.timeout, logFile());
    bool fails = found.kind == Outcome::Kind::Failed && found.classOfMessage() == wanted;
    if (fails)
      smallest = found;
    return fails;
  });
  Expected<std::string> command = parses ? makeCommand(program, directory) : std::string();
  if (!command)
    return command.takeError();
  std::string report = "seed " + std::to_string(seed) + ": " + smallest.message;
  for (auto [name, text] :
       {std::pair("program.mlir", program.text), std::pair("plan.json", program.plan.toJson()),
        std::pair("failure.txt", report + "\n\n  " + *command + "\n")})
    if (Error error = writeOutputFile(directory + "/" + name, text))
      return error;
  reports.push_back(report + "\n  " + *command);
  return Error::success();
}

Error Session::keepMutant(uint64_t seed, const Outcome &outcome, const std::string &directory) {
  Mutant mutant = makeMutant(corpus, seed);
  std::string wanted = outcome.classOfMessage();
  auto start = std::chrono::steady_clock::now();
  auto fails = [&](const Mutant &smaller) {
    if (interrupted || secondsSince(start) > kShrinkSeconds)
      return false;
    Outcome found =
        runInChild([&](Announce announce) { return runMutant(*makeContext(), smaller, announce); },
                   options.timeout, logFile());
    return found.kind == Outcome::Kind::Failed && found.classOfMessage() == wanted;
  };
  mutant.program =
      reduceLines(mutant.program, [&](StringRef text) { return fails({text.str(), mutant.plan}); });
  std::string command = "tp-compile " + directory + "/program.mlir";
  if (!mutant.plan.empty()) {
    if (Error error = writeOutputFile(directory + "/plan.json", mutant.plan))
      return error;
    command += " --plan " + directory + "/plan.json";
  }
  command += " --emit=llvm -o -";
  std::string report = "seed " + std::to_string(seed) + ": " + outcome.message;
  if (Error error = writeOutputFile(directory + "/program.mlir", mutant.program))
    return error;
  if (Error error = writeOutputFile(directory + "/failure.txt", report + "\n\n" + command + "\n"))
    return error;
  reports.push_back(report + "\n  " + command);
  return Error::success();
}

/// Shrinks it and writes it down, unless there are enough of its kind.
Error Session::keepFailure(uint64_t seed, const Outcome &outcome) {
  if (numShrunk[outcome.classOfMessage()]++ >= options.shrinks)
    return Error::success();
  llvm::errs() << (isatty(STDERR_FILENO) ? "\n" : "") << "tp-fuzz: seed " << seed << ": "
               << outcome.message << '\n';
  std::string directory = path(nameOf(options.mode) + "-" + Twine(seed));
  if (std::error_code error = fs::create_directories(directory))
    return userError("cannot make the directory " + directory + ": " + error.message());
  return options.mode == Mode::Mutated ? keepMutant(seed, outcome, directory)
                                       : keepProgram(seed, outcome, directory);
}

//===----------------------------------------------------------------------===//
// The tool
//===----------------------------------------------------------------------===//

Error Session::run() {
  if (options.print)
    return printProgram();
  if (Error error = prepare())
    return error;
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });
  if (Error error = loop())
    return error;
  workers.clear();
  (void)fs::remove_directories(path("tmp"));
  if (isatty(STDERR_FILENO))
    llvm::errs() << '\n';
  std::string text;
  llvm::raw_string_ostream os(text);
  now.next = next;
  now.seconds = secondsSince(begin);
  now.print(os, nameOf(options.mode));
  if (options.resume && totals->programs != now.programs)
    totals->print(os, (nameOf(options.mode) + ", all runs").str());
  for (const std::string &report : reports)
    os << report << '\n';
  return writeOutputFile("-", text);
}

int tp::fuzzMain(int argc, char **argv) {
  Expected<std::optional<FuzzOptions>> options = parseFuzzCommandLine(argc, argv);
  if (!options)
    return static_cast<int>(printError(options.takeError(), llvm::errs()));
  if (!*options)
    return 0;
  Session session(**options);
  if (Error error = session.run())
    return static_cast<int>(printError(std::move(error), llvm::errs()));
  return static_cast<int>(session.hasFailures() ? ExitStatus::Different : ExitStatus::Success);
}
