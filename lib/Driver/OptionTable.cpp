//===- OptionTable.cpp - What the two command lines share ------------------===//

#include "OptionTable.h"

#include "tp/Execute/CompiledProgram.h"
#include "tp/Target/CUDA.h"

#include "tp/Support/OutputFile.h"
#include "tp/Support/ToolError.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;
using llvm::opt::Arg;
using llvm::opt::InputArgList;

Error tp::usageError(const llvm::Twine &message, const char *usage) {
  return userError(message, {std::string("usage: ") + usage});
}

/// Lets MLIR read its own options, which it keeps in global places.
static Error parseMlirOptions(const char *tool, ArrayRef<std::string> options, const char *usage) {
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  SmallVector<const char *> arguments = {tool};
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  std::string message;
  llvm::raw_string_ostream os(message);
  if (llvm::cl::ParseCommandLineOptions(arguments.size(), arguments.data(), "", &os))
    return Error::success();
  StringRef text = StringRef(message).split('\n').first;
  text.consume_front((Twine(tool) + ": ").str());
  return usageError(text, usage);
}

/// `--unknown`, with the option that may be meant.
static Error unknownOption(const llvm::opt::OptTable &table, StringRef option, const char *usage) {
  std::string nearest;
  std::string hint;
  if (table.findNearest(option, nearest) <= 2)
    hint = "; is " + nearest + " meant?";
  return usageError("unknown option " + option + hint, usage);
}

Expected<InputArgList> tp::parseArguments(const llvm::opt::OptTable &table, int argc, char **argv,
                                          unsigned unknownId, const char *usage) {
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList arguments =
      table.ParseArgs(llvm::ArrayRef(argv + 1, argc - 1), missingIndex, missingCount);
  if (missingCount)
    return usageError(arguments.getArgString(missingIndex) + Twine(" needs a value"), usage);
  for (const Arg *argument : arguments)
    if (argument->getOption().getKind() == llvm::opt::Option::SeparateClass &&
        StringRef(argument->getValue()).empty())
      return usageError(argument->getSpelling() + Twine(" needs a value"), usage);
  SmallVector<std::string> mlirOptions;
  for (const Arg *argument : arguments.filtered(unknownId)) {
    std::string text = argument->getAsString(arguments);
    if (!StringRef(text).starts_with("--mlir-"))
      return unknownOption(table, text, usage);
    mlirOptions.push_back(text);
  }
  if (Error error = parseMlirOptions(argv[0], mlirOptions, usage))
    return error;
  return arguments;
}

Error tp::printHelp(const llvm::opt::OptTable &table, const char *usage, const char *title) {
  std::string text;
  llvm::raw_string_ostream os(text);
  table.printHelp(os, usage, title);
  os << "\n--mlir-NAME[=VALUE] stands for the option --NAME of tp-opt that every tool of MLIR has, "
        "as --mlir-timing\n";
  return writeOutputFile("-", text);
}

Expected<std::string> tp::takeInputFile(const InputArgList &arguments, unsigned inputId,
                                        const char *usage) {
  std::vector<std::string> files = arguments.getAllArgValues(inputId);
  if (files.size() == 1)
    return files.front();
  if (files.empty())
    return usageError("no input file", usage);
  return usageError("more than one input file: " + files[0] + ", " + files[1], usage);
}

Error tp::readReduceDtype(ProgramOptions &options, StringRef value, const char *usage) {
  if (value != "bf16" && value != "f16" && value != "f32")
    return usageError("no type '" + value + "', --reduce-dtype takes bf16, f16 or f32", usage);
  options.reduceDtype = value.str();
  return Error::success();
}

/// Sorts a value of --explain=.
static Error addExplain(ProgramOptions &options, StringRef value, const char *usage) {
  if (value.consume_front("value:"))
    options.explainValues.push_back(value.str());
  else if (value.empty())
    return usageError("--explain= needs a file or value:NAME", usage);
  else
    options.explainFile = value.str();
  return Error::success();
}

Expected<bool> tp::readCommonOption(ProgramOptions &options, const Arg &argument,
                                    const char *usage) {
  StringRef name = argument.getOption().getName();
  StringRef value = argument.getNumValues() ? argument.getValue() : "";
  if (name == "reduce-dtype" || name == "explain=") {
    if (Error error = name == "explain=" ? addExplain(options, value, usage)
                                         : readReduceDtype(options, value, usage))
      return std::move(error);
    return true;
  }
  if (name == "shape")
    options.shapes.push_back(value.str());
  else if (name == "strict")
    options.strict = true;
  else if (name == "no-check")
    options.check = false;
  else if (name == "explain")
    options.explainText = true;
  else
    return false;
  return true;
}

Error tp::readTarget(CodeTarget &target, StringRef value,
                     function_ref<Expected<std::vector<std::string>>()> getImages,
                     const char *usage) {
  target.images.clear();
  if (value == "cpu")
    return Error::success();
  auto [name, list] = value.split(':');
  if (name != "cuda" || (list.empty() && value.contains(':')))
    return usageError("no target '" + value + "', --target takes cpu or cuda", usage);
  if (list.empty()) {
    Expected<std::vector<std::string>> images = getImages();
    if (!images)
      return images.takeError();
    target.images = std::move(*images);
    return Error::success();
  }
  unsigned newest = 0;
  bool hasText = false;
  for (StringRef image : llvm::split(list, ',')) {
    std::optional<DeviceTarget> parsed = DeviceTarget::parse(image);
    if (!parsed)
      return usageError("no kind of device '" + image +
                            "', --target cuda: takes sm_NN, ptx_NN, of sm_80 and newer, and "
                            "emulated",
                        usage);
    target.images.push_back(image.str());
    hasText |= parsed->kind == DeviceTarget::Kind::PTX;
    if (parsed->kind == DeviceTarget::Kind::Cubin)
      newest = std::max(newest, parsed->arch);
  }
  if (newest && !hasText)
    target.images.push_back("ptx_" + std::to_string(newest));
  return Error::success();
}

Expected<std::vector<std::string>> tp::getImagesOfThisMachine() {
  Expected<std::string> image = getImageForThisMachine();
  if (!image)
    return image.takeError();
  return std::vector<std::string>{*image};
}

Expected<uint64_t> tp::parseCount(const Arg &argument, uint64_t least, const char *usage) {
  uint64_t count;
  StringRef text = argument.getValue();
  if (text.getAsInteger(10, count) || count < least)
    return usageError(argument.getSpelling() + Twine(" must be an integer of at least ") +
                          Twine(least) + ", found '" + text + "'",
                      usage);
  return count;
}
