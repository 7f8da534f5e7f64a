//===- Check.cpp - tp-check ------------------------------------------------===//

#define TP_OPTIONS "CheckOptions.inc"
#include "OptionTable.inc"

#include "tp/Driver/Program.h"
#include "tp/Driver/Tools.h"
#include "tp/Support/OutputFile.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;

namespace {
struct CheckCommand {
  std::string original, partitioned;
  bool verbose = false;
  CheckOptions options;
};
} // namespace

static constexpr char kUsage[] = "tp-check ORIGINAL PARTITIONED [--verbose] [--reduce-dtype TYPE]";

static Expected<std::optional<CheckCommand>> parseCheckCommandLine(int argc, char **argv) {
  ToolOptTable table;
  Expected<llvm::opt::InputArgList> arguments =
      parseArguments(table, argc, argv, OPT_UNKNOWN, kUsage);
  if (!arguments)
    return arguments.takeError();
  if (arguments->hasArg(OPT_help)) {
    if (Error error =
            printHelp(table, kUsage,
                      "Proves that a partitioned program (tp-compile --emit=comm) computes "
                      "what the original does"))
      return error;
    return std::nullopt;
  }
  std::vector<std::string> files = arguments->getAllArgValues(OPT_INPUT);
  if (files.size() != 2)
    return usageError("needs two files, the original program and the partitioned one, found " +
                          llvm::Twine(files.size()),
                      kUsage);
  CheckCommand command{files[0], files[1], arguments->hasArg(OPT_verbose), {}};
  if (const llvm::opt::Arg *argument = arguments->getLastArg(OPT_reduce_dtype)) {
    ProgramOptions shared;
    if (Error error = readReduceDtype(shared, argument->getValue(), kUsage))
      return error;
    command.options.reduceDtype = shared.reduceDtype;
  }
  return command;
}

static Error check(const CheckCommand &command, MLIRContext *context,
                   ToolDiagnostics &diagnostics) {
  Expected<OwningOpRef<ModuleOp>> original = parseProgram(command.original, context, diagnostics);
  if (!original)
    return original.takeError();
  Expected<OwningOpRef<ModuleOp>> partitioned =
      parseProgram(command.partitioned, context, diagnostics);
  if (!partitioned)
    return partitioned.takeError();
  // A program with dynamic dimensions is the one of the sizes that were compiled for.
  if (Error error = PhaseRunner(diagnostics, PhaseOptions())
                        .bindShapes(**original, getShapesOf(**partitioned, **original)))
    return error;
  FailureOr<std::vector<CheckedResult>> results =
      proveProgram(**original, **partitioned, command.options);
  if (failed(results))
    return alreadyReported();
  std::string text;
  llvm::raw_string_ostream os(text);
  size_t proved = 0;
  for (const CheckedResult &result : *results) {
    proved += result.isProved();
    if (command.verbose)
      os << "@" << result.function << " result " << result.number << ": "
         << (result.isProved() ? "proved" : "not proved") << '\n';
  }
  os << proved << " of " << results->size() << " results proved\n";
  if (Error error = writeOutputFile("-", text))
    return error;
  reportUnproved(*results);
  return diagnostics.hasError() ? alreadyReported(ExitStatus::Different) : Error::success();
}

int tp::checkMain(int argc, char **argv) {
  return runTool<CheckCommand>(parseCheckCommandLine(argc, argv), /*strict=*/nullptr, check);
}
