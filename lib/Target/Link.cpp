//===- Link.cpp - Programs and shared objects ------------------------------===//
//
// A C++ compiler driver knows where the C library's start files and the
// libraries of the system are; the linker is LLVM's.
//
//===----------------------------------------------------------------------===//

#include "OutputPath.h"
#include "RunTool.h"
#include "RuntimeFiles.h"
#include "tp/Target/CPU.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// A compiler driver and the arguments that make it use lld.
FailureOr<SmallVector<std::string>> getLinker(function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<StringRef> llvmTools = {TP_LLVM_TOOLS_DIR};
  for (StringRef name : {"clang++", "clang++-22"}) {
    if (auto path = llvm::sys::findProgramByName(name, llvmTools))
      return SmallVector<std::string>{*path, "-fuse-ld=lld"};
    if (name == "clang++")
      continue;
    if (auto path = llvm::sys::findProgramByName(name))
      return SmallVector<std::string>{*path, "-fuse-ld=lld"};
  }
  for (StringRef name : {"g++", "c++"})
    if (auto path = llvm::sys::findProgramByName(name))
      return SmallVector<std::string>{*path, "-B" TP_LLVM_TOOLS_DIR, "-fuse-ld=lld"};
  return emitError() << "linking needs clang++-22 or g++ on the PATH";
}

LogicalResult link(ArrayRef<std::string> inputs, StringRef path,
                   function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<SmallVector<std::string>> command = getLinker(emitError);
  if (failed(command))
    return failure();
  OutputPath output(path);
  command->append(inputs.begin(), inputs.end());
  command->append({"-o", output.get().str()});
  if (failed(runTool(*command, [&] { return emitError() << "cannot link " << path; })))
    return failure();
  if (std::error_code error = output.keep())
    return emitError() << "cannot write " << path << ": " << error.message();
  return success();
}

/// What the runtime needs of the system; the C++ library goes into the file.
constexpr const char *kSystemLibraries[] = {"-static-libstdc++", "-static-libgcc", "-pthread",
                                            "-ldl", "-lm"};

} // namespace

LogicalResult tp::linkExecutable(StringRef object, const LinkOptions &options, StringRef path,
                                 function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<SmallVector<std::string>> files =
      findRuntimeFiles({"libtprt_main.a", "libtprt.a"}, options.runtimeDirectory, emitError);
  if (failed(files))
    return failure();
  SmallVector<std::string> inputs = {object.str(), (*files)[0], (*files)[1]};
  inputs.append(std::begin(kSystemLibraries), std::end(kSystemLibraries));
  // Where libtprt_mpi.so is looked for when mpirun starts the executable.
  inputs.push_back("-Wl,-rpath,$ORIGIN:" + llvm::sys::path::parent_path((*files)[0]).str());
  return link(inputs, path, emitError);
}

LogicalResult tp::linkLibrary(StringRef object, const LinkOptions &options, StringRef path,
                              function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<SmallVector<std::string>> files = findRuntimeFiles(
      {"libtprt_api.a", "libtprt.a", "tprt_exports.map"}, options.runtimeDirectory, emitError);
  if (failed(files))
    return failure();
  // References between its own functions stay inside, whatever else is loaded.
  SmallVector<std::string> inputs = {"-shared",
                                     "-Wl,-Bsymbolic",
                                     "-Wl,-z,defs",
                                     "-Wl,-soname," + llvm::sys::path::filename(path).str(),
                                     "-Wl,--version-script=" + (*files)[2],
                                     object.str(),
                                     "-Wl,--whole-archive",
                                     (*files)[0],
                                     "-Wl,--no-whole-archive",
                                     (*files)[1]};
  inputs.append(std::begin(kSystemLibraries), std::end(kSystemLibraries));
  return link(inputs, path, emitError);
}

LogicalResult tp::linkSharedObject(StringRef object, StringRef path,
                                   function_ref<InFlightDiagnostic()> emitError) {
  return link({"-shared", "-nostartfiles", object.str(), "-lm", "-static-libgcc"}, path, emitError);
}
