//===- MachineCode.cpp - Objects, programs and shared objects --------------===//

#include "tp/Driver/Program.h"

#include "tp/Support/OutputFile.h"
#include "tp/Support/TemporaryFile.h"
#include "tp/Target/CPU.h"
#include "tp/Target/CUDA.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;

Error tp::writeDeviceText(ModuleOp module, StringRef path) {
  FailureOr<std::string> text = emitDeviceText(module);
  return failed(text) ? alreadyReported() : writeOutputFile(path, *text);
}

Error tp::writeObject(ModuleOp module, StringRef cpu, StringRef path) {
  CPUTargetOptions options;
  options.cpu = cpu.str();
  auto object = emitObject(module, options);
  if (failed(object))
    return alreadyReported();
  return writeOutputFile(path, StringRef(object->data(), object->size()));
}

/// Makes an object of the module and lets `link` make the file of it. The errors of
/// `link` are about that file.
static Error
linkObject(ModuleOp module, StringRef cpu, StringRef path,
           function_ref<LogicalResult(StringRef, function_ref<InFlightDiagnostic()>)> link) {
  TemporaryFile object;
  if (std::error_code error = object.create("tp", "o"))
    return runFailure("cannot make a temporary file: " + error.message());
  if (Error error = writeObject(module, cpu, object.path()))
    return error;
  Location loc = NameLoc::get(StringAttr::get(module.getContext(), path));
  if (failed(link(object.path(), [&] { return emitError(loc); })))
    return alreadyReported(ExitStatus::RunFailure);
  return Error::success();
}

/// Whether a file can be made at `path`: the linker's own words for that are many.
static Error checkWritable(StringRef path) {
  namespace fs = llvm::sys::fs;
  std::error_code error;
  if (fs::is_directory(path)) {
    error = std::make_error_code(std::errc::is_a_directory);
  } else if (llvm::Expected<fs::TempFile> file = fs::TempFile::create(path + ".%%%%%%%%.tmp")) {
    llvm::consumeError(file->discard());
  } else {
    error = llvm::errorToErrorCode(file.takeError());
  }
  if (error)
    return userError("cannot write output '" + path + "': " + error.message());
  return Error::success();
}

using EmitError = function_ref<InFlightDiagnostic()>;

Error tp::writeExecutable(ModuleOp module, StringRef cpu, StringRef path) {
  if (Error error = checkWritable(path))
    return error;
  return linkObject(module, cpu, path, [&](StringRef object, EmitError emitError) {
    return linkExecutable(object, LinkOptions(), path, emitError);
  });
}

Error tp::writeLibrary(ModuleOp module, StringRef cpu, StringRef path) {
  if (Error error = checkWritable(path))
    return error;
  return linkObject(module, cpu, path, [&](StringRef object, EmitError emitError) {
    return linkLibrary(object, LinkOptions(), path, emitError);
  });
}

Error tp::writeSharedObject(ModuleOp module, StringRef cpu, StringRef path) {
  return linkObject(module, cpu, path, [&](StringRef object, EmitError emitError) {
    return linkSharedObject(object, path, emitError);
  });
}
