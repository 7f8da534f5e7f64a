//===- Options.h - Command line of tp-import --------------------*- C++ -*-===//

#ifndef TOOLS_TP_IMPORT_OPTIONS_H
#define TOOLS_TP_IMPORT_OPTIONS_H

#include "tp/Import/Import.h"

namespace mlir {
namespace tp {

struct CommandLine {
  ImportOptions import;
  std::string output; ///< "-" is standard output.
};

/// Reads the command line; nothing is left to do after `--help`. Fails with a user error.
llvm::Expected<std::optional<CommandLine>> parseCommandLine(int argc, char **argv);

} // namespace tp
} // namespace mlir

#endif // TOOLS_TP_IMPORT_OPTIONS_H
