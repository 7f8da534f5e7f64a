//===- CommandLine.h - Command lines of tp-compile and tp-run --*- C++ -*-===//
//
// Options of ours are read by llvm::opt; options of MLIR (--mlir-timing,
// --mlir-print-ir-after-all, ...), in the form --mlir-NAME[=VALUE], are handed on
// to where MLIR registers them.
//
//===----------------------------------------------------------------------===//

#ifndef TP_DRIVER_COMMANDLINE_H
#define TP_DRIVER_COMMANDLINE_H

#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir {
namespace tp {

/// What code is made for.
struct CodeTarget {
  /// The processor that entries run on, as --cpu names it.
  std::string cpu = "native";
  /// What is made of kernels for devices, as in `rt.images`; empty: all is for the CPU.
  std::vector<std::string> images;
  /// Products of f32 on devices round their factors to tf32.
  bool tf32 = false;

  bool hasDevices() const { return !images.empty(); }
};

/// What both tools take.
struct ProgramOptions {
  std::string file;
  std::string plan;
  std::string mesh;
  /// Sizes of arguments, NAME=SIZExSIZE.
  std::vector<std::string> shapes;
  /// As in PhaseOptions.
  std::string reduceDtype;
  bool strict = false;
  /// Prove the partitioned program against the source.
  bool check = true;
  /// Print the list of collectives as text.
  bool explainText = false;
  /// Write it as JSON to this file; empty: do not.
  std::string explainFile;
  /// Names of values to explain.
  std::vector<std::string> explainValues;
};

enum class Phase { Plan, Reshard, Partition, Comm, RT, LLVM, Device, Object, Executable };

/// A plan and a mesh, as the command line names them.
struct PlanRequest {
  std::string plan, mesh;
};

/// What --report asks for.
struct ReportOptions {
  bool text = false;
  /// Files to write; empty: do not.
  std::string jsonFile, htmlFile;
  /// Bytes that a rank may take; none: its share of this machine's memory.
  std::optional<uint64_t> memory;

  bool isWanted() const { return text || !jsonFile.empty() || !htmlFile.empty(); }
};

struct CompileOptions : ProgramOptions {
  /// Empty: only reports are wanted.
  std::string output;
  ReportOptions report;
  /// Beside `plan` and `mesh`, for the report.
  std::optional<PlanRequest> otherPlan;
  Phase emit = Phase::Executable;
  /// With phase Executable: a shared object instead.
  bool shared = false;
  CodeTarget target;
  std::string writePlanFile;
};

struct RunOptions : ProgramOptions {
  std::string entry;
  /// Argument (position or name) and value.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::optional<std::string> weights;
  std::string outputDirectory;
  CodeTarget target;
  bool compare = false;
  uint64_t calls = 1;
  uint64_t repeat = 1;
  std::optional<uint64_t> jitterSeed;
  bool poison = false;
  bool interpret = false;
  bool checkCollectives = false;
  /// File with algorithms of products on devices.
  std::optional<std::string> autotune;
  uint64_t virtualRanks = 0; ///< on one GPU; 0: one each
};

/// Read the command line; none after --help, which prints to standard output.
/// Fail with a user error, usage as a note.
llvm::Expected<std::optional<CompileOptions>> parseCompileCommandLine(int argc, char **argv);
llvm::Expected<std::optional<RunOptions>> parseRunCommandLine(int argc, char **argv);

} // namespace tp
} // namespace mlir

#endif // TP_DRIVER_COMMANDLINE_H
