//===- Program.h - From a file to the phases of its compilation -*- C++ -*-===//

#ifndef TP_DRIVER_PROGRAM_H
#define TP_DRIVER_PROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/Timing.h"
#include "tp/Check/Check.h"
#include "tp/Driver/CommandLine.h"
#include "tp/Driver/Diagnostics.h"
#include "tp/Pipelines/Pipelines.h"

namespace mlir {
namespace tp {

struct Report;

/// For programs whose partition is at hand: the sizes of the arguments of `original`,
/// as bindShapes takes them, that those of `partitioned` had.
std::vector<std::string> getShapesOf(ModuleOp partitioned, ModuleOp original);

/// Parses a program. Fails when the file cannot be read or does not parse.
llvm::Expected<OwningOpRef<ModuleOp>> parseProgram(StringRef file, MLIRContext *context,
                                                   const ToolDiagnostics &diagnostics);

/// Runs phases on modules, with what MLIR's own options ask for (timing, printing
/// after passes, reproducers).
class PhaseRunner {
public:
  PhaseRunner(const ToolDiagnostics &diagnostics, const PhaseOptions &options,
              CodeTarget target = CodeTarget());

  const CodeTarget &getTarget() const { return target; }

  /// Gives a source program that is a language model an entry that samples, for targets
  /// where the host does not.
  llvm::Error addSampling(ModuleOp module);
  /// Gives arguments of a source program their sizes, each NAME=SIZExSIZE, and all that
  /// follows from them. Fails when they do not fit.
  llvm::Error bindShapes(ModuleOp module, ArrayRef<std::string> shapes);
  /// Takes a module from the phase before to `phase`, which is Plan to LLVM; Plan
  /// takes an annotated source program. Fails when the program is rejected, or
  /// when something was reported that counts as an error.
  llvm::Error run(ModuleOp module, Phase phase);
  /// The same for the phases from `first` to `last`.
  llvm::Error run(ModuleOp module, Phase first, Phase last);
  /// Times what is done outside of passes, for --mlir-timing.
  TimingScope time(StringRef name) { return timing.nest(name); }

private:
  llvm::Error run(ModuleOp module, StringRef name,
                  llvm::function_ref<void(PassManager &)> addPasses);

  const ToolDiagnostics &diagnostics;
  PhaseOptions options;
  CodeTarget target;
  DefaultTimingManager timingManager;
  TimingScope timing;
};

/// Proves a module of phase Comm against its source, both of which are changed: result
/// by result as checkPartitioned, and what that does not prove against the source as
/// buildSourcePipeline writes it out. Fails with one located error as checkPartitioned.
FailureOr<std::vector<CheckedResult>> proveProgram(ModuleOp source, ModuleOp partitioned,
                                                   const CheckOptions &options = {});
/// The source of a program, kept to prove the partitioned one against it; null where
/// the options say not to.
OwningOpRef<ModuleOp> keepSource(ModuleOp module, const ProgramOptions &options);
/// Checks a module of phase Comm, with a remark on the first result that is not proved
/// to be that of `source` and notes on the others. Does nothing without a source.
llvm::Error checkAgainst(ModuleOp source, ModuleOp partitioned, const ProgramOptions &options);

/// Remarks on values of a module with shardings whose dimensions are cut into
/// blocks of different sizes: one for each size and way to cut it.
void remarkUnevenBlocks(ModuleOp module);
/// Remarks on axes of the mesh over which no value of a module with shardings is cut
/// or partial, so that ranks compute the same.
void remarkIdleAxes(ModuleOp module);

/// Prints or writes what --explain asks for about a module of phase Comm;
/// `toStderr` when standard output is taken. Empty requests do nothing.
llvm::Error explainProgram(ModuleOp module, const ProgramOptions &options, bool toStderr);
/// The same for --explain=value:, about a module of phase Plan.
llvm::Error explainValues(ModuleOp module, const ProgramOptions &options, bool toStderr);

/// Prints and writes what --report asks for; `toStderr` as above.
llvm::Error writeReport(const Report &report, const ReportOptions &options, bool toStderr);
/// Bytes of memory that this machine has.
int64_t getMachineMemory();

/// The kernels of a module of phase LLVM, for devices, as text.
llvm::Error writeDeviceText(ModuleOp module, StringRef path);

/// Machine code of a module of phase LLVM in a file: an object, a program, a shared
/// object with the runtime and its C interface, or one that takes the runtime from
/// the program that loads it.
llvm::Error writeObject(ModuleOp module, StringRef cpu, StringRef path);
llvm::Error writeExecutable(ModuleOp module, StringRef cpu, StringRef path);
llvm::Error writeLibrary(ModuleOp module, StringRef cpu, StringRef path);
llvm::Error writeSharedObject(ModuleOp module, StringRef cpu, StringRef path);

} // namespace tp
} // namespace mlir

#endif // TP_DRIVER_PROGRAM_H
