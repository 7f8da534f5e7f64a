//===- OptionTable.h - What the command lines of tools share ----*- C++ -*-===//

#ifndef LIB_DRIVER_OPTIONTABLE_H
#define LIB_DRIVER_OPTIONTABLE_H

#include "mlir/Support/LLVM.h"
#include "tp/Driver/CommandLine.h"
#include "tp/Driver/Diagnostics.h"
#include "tp/Driver/Registration.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

namespace mlir {
namespace tp {

/// Splits the command line by `table` and hands options of MLIR on. Fails when an
/// option is unknown or lacks its value. `usage` is the tool's first line of help.
llvm::Expected<llvm::opt::InputArgList> parseArguments(const llvm::opt::OptTable &table, int argc,
                                                       char **argv, unsigned unknownId,
                                                       const char *usage);

/// A wrong command line: exit status 2, the usage as a note.
llvm::Error usageError(const llvm::Twine &message, const char *usage);

/// Prints the help of a tool on standard output.
llvm::Error printHelp(const llvm::opt::OptTable &table, const char *usage, const char *title);

/// The one input file. Fails when there is none or more than one.
llvm::Expected<std::string> takeInputFile(const llvm::opt::InputArgList &arguments,
                                          unsigned inputId, const char *usage);

/// Reads an option of CommonOptions.td, but for --plan and --mesh, which tools count
/// differently. False when it is none of these.
llvm::Expected<bool> readCommonOption(ProgramOptions &options, const llvm::opt::Arg &argument,
                                      const char *usage);

/// Checks a value of --reduce-dtype.
llvm::Error readReduceDtype(ProgramOptions &options, llvm::StringRef value, const char *usage);

/// Reads a value of --target: cpu, cuda for what `getImages` gives, or cuda and a list.
/// Code for no newer device than the last of a list is made to run on newer ones by text
/// for it, where the list has none.
llvm::Error readTarget(CodeTarget &target, llvm::StringRef value,
                       llvm::function_ref<llvm::Expected<std::vector<std::string>>()> getImages,
                       const char *usage);

/// For tools that run what they compile: the images for the devices of this machine.
llvm::Expected<std::vector<std::string>> getImagesOfThisMachine();

/// The value of an option that is an integer of at least `least`.
llvm::Expected<uint64_t> parseCount(const llvm::opt::Arg &argument, uint64_t least,
                                    const char *usage);

/// The main function of a tool behind its command line: its exit status. `run` gets a
/// context of all dialects; `strict` makes remarks errors.
template <typename Options>
int runTool(
    llvm::Expected<std::optional<Options>> options, bool Options::*strict,
    llvm::function_ref<llvm::Error(const Options &, MLIRContext *, ToolDiagnostics &)> run) {
  if (!options)
    return static_cast<int>(printError(options.takeError(), llvm::errs()));
  if (!*options)
    return 0;
  reportFatalErrors();
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  ToolDiagnostics diagnostics(&context, strict && (**options).*strict);
  return static_cast<int>(diagnostics.report(run(**options, &context, diagnostics)));
}

} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_OPTIONTABLE_H
