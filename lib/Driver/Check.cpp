//===- Check.cpp - tp-check ------------------------------------------------===//

#include "OptionTable.h"

#include "tp/Driver/Program.h"
#include "tp/Driver/Registration.h"
#include "tp/Driver/Tools.h"
#include "tp/Support/OutputFile.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;
using llvm::opt::DefaultVis;

#define OPTTABLE_STR_TABLE_CODE
#include "CheckOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

namespace {
enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "CheckOptions.inc"
#undef OPTION
};

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "CheckOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr llvm::opt::OptTable::Info kInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "CheckOptions.inc"
#undef OPTION
};

struct CheckOptTable : llvm::opt::GenericOptTable {
  CheckOptTable() : GenericOptTable(OptionStrTable, OptionPrefixesTable, kInfos) {}
};

struct CheckCommand {
  std::string original, partitioned;
  bool verbose = false;
  CheckOptions options;
};
} // namespace

static constexpr char kUsage[] = "tp-check ORIGINAL PARTITIONED [--verbose] [--reduce-dtype TYPE]";

static Expected<std::optional<CheckCommand>> parseCheckCommandLine(int argc, char **argv) {
  CheckOptTable table;
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
  Expected<std::optional<CheckCommand>> command = parseCheckCommandLine(argc, argv);
  if (!command)
    return static_cast<int>(printError(command.takeError(), llvm::errs()));
  if (!*command)
    return 0;
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  ToolDiagnostics diagnostics(&context, /*strict=*/false);
  return static_cast<int>(diagnostics.report(check(**command, &context, diagnostics)));
}
