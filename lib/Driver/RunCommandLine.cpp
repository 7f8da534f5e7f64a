//===- RunCommandLine.cpp - Command line of tp-run -------------------------===//

#define TP_OPTIONS "RunOptions.inc"
#include "OptionTable.inc"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;

static constexpr char kUsage[] =
    "tp-run FILE [--plan PLAN] [--mesh AXIS=SIZE,...] [--entry F] [--input K=VALUE]... [options]";

static Error readCount(uint64_t &count, const llvm::opt::Arg &argument, uint64_t least) {
  Expected<uint64_t> value = parseCount(argument, least, kUsage);
  if (!value)
    return value.takeError();
  count = *value;
  return Error::success();
}

static Error readOption(RunOptions &options, const llvm::opt::Arg &argument) {
  Expected<bool> isCommon = readCommonOption(options, argument, kUsage);
  if (!isCommon || *isCommon)
    return isCommon.takeError();
  StringRef value = argument.getNumValues() ? argument.getValue() : "";
  switch (argument.getOption().getID()) {
  case OPT_plan:
    options.plan = value;
    break;
  case OPT_mesh:
    options.mesh = value;
    break;
  case OPT_entry:
    options.entry = value;
    break;
  case OPT_input: {
    auto [key, text] = value.split('=');
    if (key.empty() || text.empty())
      return usageError("--input takes K=FILE.npy or K=NUMBER, found '" + value + "'", kUsage);
    options.inputs.push_back({key.str(), text.str()});
    break;
  }
  case OPT_weights:
    options.weights = value.str();
    break;
  case OPT_output:
    options.outputDirectory = value;
    break;
  case OPT_target:
    return readTarget(options.target, value, getImagesOfThisMachine, kUsage);
  case OPT_compare:
    options.compare = true;
    break;
  case OPT_calls:
    return readCount(options.calls, argument, /*least=*/1);
  case OPT_repeat:
    return readCount(options.repeat, argument, /*least=*/1);
  case OPT_jitter:
    options.jitterSeed.emplace();
    return readCount(*options.jitterSeed, argument, /*least=*/0);
  case OPT_poison:
    options.poison = true;
    break;
  case OPT_interpret:
    options.interpret = true;
    break;
  case OPT_autotune:
    options.autotune = value.str();
    break;
  case OPT_check_collectives:
    options.checkCollectives = true;
    break;
  case OPT_virtual_ranks:
    return readCount(options.virtualRanks, argument, /*least=*/1);
  }
  return Error::success();
}

Expected<std::optional<RunOptions>> tp::parseRunCommandLine(int argc, char **argv) {
  ToolOptTable table;
  Expected<llvm::opt::InputArgList> arguments =
      parseArguments(table, argc, argv, OPT_UNKNOWN, kUsage);
  if (!arguments)
    return arguments.takeError();
  if (arguments->hasArg(OPT_help)) {
    if (Error error = printHelp(table, kUsage, "Runs a program under a plan, on threads as ranks"))
      return error;
    return std::nullopt;
  }
  RunOptions options;
  Expected<std::string> file = takeInputFile(*arguments, OPT_INPUT, kUsage);
  if (!file)
    return file.takeError();
  options.file = *file;
  for (const llvm::opt::Arg *argument : *arguments)
    if (Error error = readOption(options, *argument))
      return error;
  if (options.jitterSeed && options.interpret)
    return usageError("--jitter has no effect on the interpreter, leave --interpret out", kUsage);
  if (options.autotune && !options.target.hasDevices())
    return usageError("--autotune measures products on devices, which --target cuda has", kUsage);
  if (options.target.hasDevices() && options.interpret)
    return usageError("--interpret runs on no device, leave --target out", kUsage);
  if (options.virtualRanks && !options.target.hasDevices())
    return usageError("--virtual-ranks puts all ranks on one GPU, give --target cuda", kUsage);
  return options;
}
