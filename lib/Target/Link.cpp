//===- Link.cpp - Programs and shared objects ------------------------------===//
//
// A C++ compiler driver knows where the C library's start files and the
// libraries of the system are; the linker is LLVM's.
//
//===----------------------------------------------------------------------===//

#include "OutputPath.h"
#include "RunTool.h"
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

/// ../lib of the running program.
std::string getDefaultRuntimeDirectory() {
  // Any address in the program serves; where it is a shared object, main's.
  std::string program =
      llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&linkExecutable));
  StringRef prefix = llvm::sys::path::parent_path(llvm::sys::path::parent_path(program));
  SmallString<128> directory(prefix);
  llvm::sys::path::append(directory, "lib");
  return directory.str().str();
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

/// Paths of files of the runtime.
FailureOr<SmallVector<std::string>> findRuntime(ArrayRef<StringRef> names,
                                                const LinkOptions &options,
                                                function_ref<InFlightDiagnostic()> emitError) {
  std::string directory =
      options.runtimeDirectory.empty() ? getDefaultRuntimeDirectory() : options.runtimeDirectory;
  SmallVector<std::string> paths;
  for (StringRef name : names) {
    SmallString<128> path(directory);
    llvm::sys::path::append(path, name);
    if (!llvm::sys::fs::exists(path))
      return (emitError() << "the runtime is missing: no " << path.str()).attachNote()
             << "it is built by: cmake --build build --target tp-tools";
    paths.push_back(path.str().str());
  }
  return paths;
}

} // namespace

LogicalResult tp::linkExecutable(StringRef object, const LinkOptions &options, StringRef path,
                                 function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<SmallVector<std::string>> files =
      findRuntime({"libtprt_main.a", "libtprt.a"}, options, emitError);
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
  FailureOr<SmallVector<std::string>> files =
      findRuntime({"libtprt_api.a", "libtprt.a", "tprt_exports.map"}, options, emitError);
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
