//===- CompileCommandLine.cpp - Command line of tp-compile -----------------===//

#include "OptionTable.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;
using llvm::opt::DefaultVis;

#define OPTTABLE_STR_TABLE_CODE
#include "CompileOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

namespace {
enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "CompileOptions.inc"
#undef OPTION
};

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "CompileOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr llvm::opt::OptTable::Info kInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "CompileOptions.inc"
#undef OPTION
};

struct CompileOptTable : llvm::opt::GenericOptTable {
  CompileOptTable() : GenericOptTable(OptionStrTable, OptionPrefixesTable, kInfos) {}
};
} // namespace

static constexpr char kUsage[] =
    "tp-compile FILE [--plan PLAN] [--mesh AXIS=SIZE,...] [--emit=PHASE] [options] -o OUT";

static std::optional<Phase> parsePhase(StringRef name) {
  return llvm::StringSwitch<std::optional<Phase>>(name)
      .Case("plan", Phase::Plan)
      .Case("reshard", Phase::Reshard)
      .Case("partition", Phase::Partition)
      .Case("comm", Phase::Comm)
      .Case("rt", Phase::RT)
      .Case("llvm", Phase::LLVM)
      .Case("obj", Phase::Object)
      .Default(std::nullopt);
}

static Error readOption(CompileOptions &options, const llvm::opt::Arg &argument) {
  StringRef value = argument.getNumValues() ? argument.getValue() : "";
  switch (argument.getOption().getID()) {
  case OPT_plan:
    options.plan = value;
    break;
  case OPT_mesh:
    options.mesh = value;
    break;
  case OPT_reduce_dtype:
    return readReduceDtype(options, value, kUsage);
  case OPT_strict:
    options.strict = true;
    break;
  case OPT_explain:
    options.explainText = true;
    break;
  case OPT_explain_EQ:
    return addExplain(options, value, kUsage);
  case OPT_o:
    options.output = value;
    break;
  case OPT_emit:
    if (std::optional<Phase> phase = parsePhase(value))
      options.emit = *phase;
    else
      return usageError("no phase '" + value +
                            "', --emit takes plan, reshard, partition, comm, rt, llvm or obj",
                        kUsage);
    break;
  case OPT_target:
    if (value != "cpu")
      return usageError("no target '" + value + "', --target takes cpu", kUsage);
    break;
  case OPT_cpu:
    options.cpu = value;
    break;
  case OPT_write_plan:
    options.writePlanFile = value;
    break;
  }
  return Error::success();
}

Expected<std::optional<CompileOptions>> tp::parseCompileCommandLine(int argc, char **argv) {
  CompileOptTable table;
  Expected<llvm::opt::InputArgList> arguments =
      parseArguments(table, argc, argv, OPT_UNKNOWN, kUsage);
  if (!arguments)
    return arguments.takeError();
  if (arguments->hasArg(OPT_help)) {
    if (Error error =
            printHelp(table, kUsage,
                      "Turns an unsharded program and a plan into one executable for many devices"))
      return error;
    return std::nullopt;
  }
  CompileOptions options;
  Expected<std::string> file = takeInputFile(*arguments, OPT_INPUT, kUsage);
  if (!file)
    return file.takeError();
  options.file = *file;
  for (const llvm::opt::Arg *argument : *arguments)
    if (Error error = readOption(options, *argument))
      return error;
  if (options.emit < Phase::Comm && (options.explainText || !options.explainFile.empty()))
    return usageError("--explain lists the collectives of phase comm, --emit stops before", kUsage);
  // Outputs; "-" is standard output.
  std::pair<StringRef, StringRef> files[] = {{"-o", options.output},
                                             {"--write-plan", options.writePlanFile},
                                             {"--explain", options.explainFile}};
  for (auto [i, a] : llvm::enumerate(files))
    for (auto &b : llvm::drop_begin(files, i + 1))
      if (!a.second.empty() && a.second != "-" && a.second == b.second)
        return usageError(a.first + " and " + b.first + " name the same file, '" + a.second + "'",
                          kUsage);
  bool isModule = options.emit < Phase::Object;
  if (!isModule && options.output.empty())
    return usageError("no output file, give one by -o", kUsage);
  if (!isModule && options.output == "-")
    return usageError("programs and object files cannot go to standard output", kUsage);
  if (options.output.empty())
    options.output = "-";
  return options;
}
