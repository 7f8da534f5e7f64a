//===- CommandLine.cpp - Command line of tp-fuzz ---------------------------===//

#include "Options.h"

#define TP_OPTIONS "FuzzOptions.inc"
#include "../OptionTable.inc"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::fuzz;
using llvm::Error;
using llvm::Expected;

static constexpr char kUsage[] =
    "tp-fuzz [--seed S] [--count N] [--seconds T] [--compiled | --mutate] [options]";

static Error readOption(FuzzOptions &options, const llvm::opt::Arg &argument) {
  auto readCount = [&](uint64_t &count, uint64_t least) -> Error {
    Expected<uint64_t> value = parseCount(argument, least, kUsage);
    if (!value)
      return value.takeError();
    count = *value;
    return Error::success();
  };
  switch (argument.getOption().getID()) {
  case OPT_seed:
    options.seed.emplace();
    return readCount(*options.seed, /*least=*/0);
  case OPT_count:
    return readCount(options.count, /*least=*/1);
  case OPT_seconds:
    return readCount(options.seconds, /*least=*/1);
  case OPT_jobs:
    return readCount(options.jobs, /*least=*/1);
  case OPT_timeout:
    return readCount(options.timeout, /*least=*/1);
  case OPT_shrinks:
    return readCount(options.shrinks, /*least=*/0);
  case OPT_compiled:
    options.mode = FuzzOptions::Mode::Compiled;
    break;
  case OPT_target:
    return readTarget(options.target, argument.getValue(), getImagesOfThisMachine, kUsage);
  case OPT_mutate:
    options.mode = FuzzOptions::Mode::Mutated;
    break;
  case OPT_corpus:
    options.corpus.push_back(argument.getValue());
    break;
  case OPT_resume:
    options.resume = true;
    options.directory = argument.getValue();
    break;
  case OPT_out:
    options.directory = argument.getValue();
    break;
  case OPT_unproved:
    options.unproved = true;
    break;
  case OPT_print:
    options.print = true;
    break;
  }
  return Error::success();
}

Expected<std::optional<FuzzOptions>> fuzz::parseFuzzCommandLine(int argc, char **argv) {
  ToolOptTable table;
  Expected<llvm::opt::InputArgList> arguments =
      parseArguments(table, argc, argv, OPT_UNKNOWN, kUsage);
  if (!arguments)
    return arguments.takeError();
  if (arguments->hasArg(OPT_help)) {
    if (Error error = printHelp(table, kUsage,
                                "Partitions random programs under random plans and compares "
                                "their values with those of the unsharded programs"))
      return error;
    return std::nullopt;
  }
  FuzzOptions options;
  std::vector<std::string> files = arguments->getAllArgValues(OPT_INPUT);
  if (!files.empty())
    return usageError("no file is taken, found " + files.front(), kUsage);
  for (auto [a, b] : {std::pair(OPT_compiled, OPT_mutate), std::pair(OPT_resume, OPT_out)})
    if (arguments->hasArg(a) && arguments->hasArg(b))
      return usageError(arguments->getLastArg(a)->getSpelling() + " and " +
                            arguments->getLastArg(b)->getSpelling() + " do not go together",
                        kUsage);
  for (const llvm::opt::Arg *argument : *arguments)
    if (Error error = readOption(options, *argument))
      return error;
  if (!options.corpus.empty() && options.mode != FuzzOptions::Mode::Mutated)
    return usageError("--corpus is what --mutate changes, which is not asked for", kUsage);
  if (options.target.hasDevices() && options.mode != FuzzOptions::Mode::Compiled)
    return usageError("--target is what --compiled programs run on, which is not asked for",
                      kUsage);
  if (options.count == 0 && options.seconds == 0)
    options.count = options.print ? 1 : 1000;
  if (options.corpus.empty())
    options.corpus.push_back("test");
  return options;
}
