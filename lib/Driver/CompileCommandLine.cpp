//===- CompileCommandLine.cpp - Command line of tp-compile -----------------===//

#define TP_OPTIONS "CompileOptions.inc"
#include "OptionTable.inc"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;

static constexpr char kUsage[] = "tp-compile FILE [--plan PLAN] [--mesh AXIS=SIZE,...] "
                                 "[--emit=PHASE | --report] [options] -o OUT";

static std::optional<Phase> parsePhase(StringRef name) {
  return llvm::StringSwitch<std::optional<Phase>>(name)
      .Case("plan", Phase::Plan)
      .Case("reshard", Phase::Reshard)
      .Case("partition", Phase::Partition)
      .Case("comm", Phase::Comm)
      .Case("rt", Phase::RT)
      .Case("llvm", Phase::LLVM)
      .Case("device", Phase::Device)
      .Case("obj", Phase::Object)
      .Default(std::nullopt);
}

/// `24GiB`, `800MB`, `1.5GiB`, or bytes.
static Expected<uint64_t> parseMemory(StringRef text) {
  static constexpr std::pair<StringLiteral, double> units[] = {
      {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"KB", 1e3},
      {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},    {"", 1}};
  for (auto [unit, factor] : units) {
    StringRef number = text;
    double value;
    if (!number.consume_back_insensitive(unit))
      continue;
    if (number.trim().getAsDouble(value) || !(value * factor >= 1) || value * factor >= 0x1p62)
      break;
    return static_cast<uint64_t>(value * factor);
  }
  return usageError("--memory must be a size such as 24GiB, 800MB or 1000000, found '" + text + "'",
                    kUsage);
}

static Error addReport(ReportOptions &options, StringRef file) {
  if (file.ends_with(".json"))
    options.jsonFile = file;
  else if (file.ends_with(".html"))
    options.htmlFile = file;
  else
    return usageError("--report= needs a file that ends in .html or .json, found '" + file + "'",
                      kUsage);
  return Error::success();
}

/// The first plan and mesh are the program's, second ones the other's; where it
/// lacks one it has the first.
static Error readPlans(CompileOptions &options, const llvm::opt::InputArgList &arguments) {
  std::vector<std::string> plans = arguments.getAllArgValues(OPT_plan);
  std::vector<std::string> meshes = arguments.getAllArgValues(OPT_mesh);
  if (plans.size() > 2 || meshes.size() > 2)
    return usageError(Twine("more than two ") + (plans.size() > 2 ? "--plan" : "--mesh"), kUsage);
  options.plan = plans.empty() ? "" : plans.front();
  options.mesh = meshes.empty() ? "" : meshes.front();
  if (plans.size() < 2 && meshes.size() < 2)
    return Error::success();
  options.otherPlan = {plans.empty() ? "" : plans.back(), meshes.empty() ? "" : meshes.back()};
  if (!options.report.isWanted())
    return usageError("a second --plan or --mesh is for --report, which compares", kUsage);
  return Error::success();
}

/// What a report goes with.
static Error checkReport(const CompileOptions &options, bool hasPhase) {
  if (options.report.memory && !options.report.isWanted())
    return usageError("--memory is the limit of --report, which is not asked for", kUsage);
  if (!options.report.isWanted())
    return Error::success();
  if (options.emit < Phase::RT)
    return usageError("--report needs the memory of phase rt, --emit stops before", kUsage);
  if (!options.otherPlan)
    return Error::success();
  if (hasPhase || !options.output.empty() || !options.writePlanFile.empty() ||
      options.explainText || !options.explainFile.empty() || !options.explainValues.empty())
    return usageError("with two plans there is --report only: no -o, --emit, --shared, --explain "
                      "or --write-plan",
                      kUsage);
  return Error::success();
}

/// What programs have without being asked: machine code for the devices of today, and
/// text for what comes.
static Expected<std::vector<std::string>> defaultImages() {
  return std::vector<std::string>{"sm_80", "sm_90", "ptx_90"};
}

static Error readOption(CompileOptions &options, const llvm::opt::Arg &argument) {
  Expected<bool> isCommon = readCommonOption(options, argument, kUsage);
  if (!isCommon || *isCommon)
    return isCommon.takeError();
  StringRef value = argument.getNumValues() ? argument.getValue() : "";
  switch (argument.getOption().getID()) {
  case OPT_o:
    options.output = value;
    break;
  case OPT_emit:
    if (std::optional<Phase> phase = parsePhase(value))
      options.emit = *phase;
    else
      return usageError(
          "no phase '" + value +
              "', --emit takes plan, reshard, partition, comm, rt, llvm, device or obj",
          kUsage);
    break;
  case OPT_target:
    return readTarget(options.target, value, defaultImages, kUsage);
  case OPT_tf32:
    options.target.tf32 = true;
    break;
  case OPT_cpu:
    options.target.cpu = value;
    break;
  case OPT_shared:
    options.shared = true;
    break;
  case OPT_write_plan:
    options.writePlanFile = value;
    break;
  case OPT_report:
    options.report.text = true;
    break;
  case OPT_report_EQ:
    return addReport(options.report, value);
  case OPT_memory: {
    Expected<uint64_t> memory = parseMemory(value);
    if (!memory)
      return memory.takeError();
    options.report.memory = *memory;
    break;
  }
  }
  return Error::success();
}

/// Whether two paths name one regular file, or would when it is written.
static bool isSameFile(StringRef a, StringRef b) {
  return a == b || (llvm::sys::fs::is_regular_file(a) && llvm::sys::fs::equivalent(a, b));
}

/// No output may take the place of another one or of an input; "-" is a standard stream.
static Error checkFiles(const CompileOptions &options) {
  StringRef otherPlan = options.otherPlan ? StringRef(options.otherPlan->plan) : StringRef();
  std::pair<StringRef, StringRef> files[] = {{"-o", options.output},
                                             {"--write-plan", options.writePlanFile},
                                             {"--explain", options.explainFile},
                                             {"--report", options.report.jsonFile},
                                             {"--report", options.report.htmlFile},
                                             {"the program", options.file},
                                             {"--plan", options.plan},
                                             {"--plan", otherPlan}};
  constexpr size_t numOutputs = 5;
  for (auto [i, a] : llvm::enumerate(ArrayRef(files).take_front(numOutputs)))
    for (const auto &b : llvm::drop_begin(files, i + 1))
      if (!a.second.empty() && a.second != "-" && isSameFile(a.second, b.second))
        return usageError(a.first + " and " + b.first + " name the same file, '" + a.second + "'",
                          kUsage);
  return Error::success();
}

Expected<std::optional<CompileOptions>> tp::parseCompileCommandLine(int argc, char **argv) {
  ToolOptTable table;
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
  if (Error error = readPlans(options, *arguments))
    return error;
  bool hasPhase = arguments->hasArg(OPT_emit) || options.shared;
  if (Error error = checkReport(options, hasPhase))
    return error;
  if (options.emit < Phase::Comm && (options.explainText || !options.explainFile.empty()))
    return usageError("--explain lists the collectives of phase comm, --emit stops before", kUsage);
  if (options.emit == Phase::Device && !options.target.hasDevices())
    return usageError("--emit=device shows kernels of devices, which --target cuda has", kUsage);
  if (options.target.tf32 && !options.target.hasDevices())
    return usageError("--tf32 is a precision of devices, which --target cuda has", kUsage);
  if (options.shared && options.emit != Phase::Executable)
    return usageError("--shared makes a whole library, --emit stops before", kUsage);
  if (Error error = checkFiles(options))
    return error;
  // A report alone.
  if (options.report.isWanted() && options.output.empty() && !hasPhase) {
    options.emit = Phase::RT;
    return options;
  }
  bool isText = options.emit < Phase::Object;
  if (!isText && options.output.empty())
    return usageError("no output file, give one by -o", kUsage);
  if (!isText && options.output == "-")
    return usageError("programs and object files cannot go to standard output", kUsage);
  if (options.output.empty())
    options.output = "-";
  return options;
}
