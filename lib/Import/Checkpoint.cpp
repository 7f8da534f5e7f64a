//===- Checkpoint.cpp ------------------------------------------------------===//

#include "tp/Import/Checkpoint.h"

#include "Json.h"
#include "tp/Support/ToolError.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace mlir;
using namespace mlir::tp;

/// The index's map from tensors to files of the same directory.
static llvm::Expected<std::map<std::string, std::string>> readIndex(llvm::StringRef path) {
  llvm::Expected<std::string> text = readTextFile(path);
  if (!text)
    return text.takeError();
  auto index = parseStrictJsonObject(*text, path);
  if (!index)
    return index.takeError();
  const llvm::json::Object *weightMap = index->getObject("weight_map");
  if (!weightMap)
    return userError(path + ": weight_map is missing");
  std::map<std::string, std::string> files;
  for (const auto &[tensor, value] : *weightMap) {
    std::optional<llvm::StringRef> file = value.getAsString();
    files.emplace(llvm::StringRef(tensor).str(), file ? file->str() : "");
  }
  for (const auto &[tensor, file] : files)
    if (file.empty() || llvm::sys::path::filename(file) != file || file == "." || file == "..")
      return userError(path + ": weight_map of tensor '" + tensor +
                       "': expected the name of a file in this directory, found " +
                       describe(*weightMap->get(tensor)));
  return files;
}

/// Reads every part once and checks that each tensor lies where the index says.
static llvm::Error readParts(Checkpoint &checkpoint, llvm::StringRef directory) {
  auto index = readIndex(checkpoint.listing);
  if (!index)
    return index.takeError();
  std::map<std::string, std::string> firstTensor;
  for (const auto &[tensor, file] : *index)
    firstTensor.emplace(file, tensor);
  for (const auto &[file, tensor] : firstTensor) {
    std::string path = joinPath(directory, file);
    if (!llvm::sys::fs::exists(path))
      return userError(checkpoint.listing + ": tensor '" + tensor + "' is in '" + file +
                       "', which does not exist");
    auto part = readSafetensorsHeader(path);
    if (!part)
      return part.takeError();
    for (auto &[name, info] : *part) {
      auto [place, isNew] = checkpoint.tensors.emplace(name, info);
      if (!isNew)
        return userError(path + ": tensor '" + name + "' is also in '" + place->second.file + "'");
    }
  }
  for (const auto &[tensor, file] : *index) {
    auto place = checkpoint.tensors.find(tensor);
    if (place == checkpoint.tensors.end() ||
        llvm::sys::path::filename(place->second.file) != llvm::StringRef(file))
      return userError(checkpoint.listing + ": tensor '" + tensor + "' is not in '" + file + "'");
  }
  return llvm::Error::success();
}

llvm::Expected<Checkpoint> Checkpoint::open(llvm::StringRef directory) {
  Checkpoint checkpoint;
  checkpoint.listing = joinPath(directory, "model.safetensors.index.json");
  if (llvm::sys::fs::exists(checkpoint.listing)) {
    if (llvm::Error error = readParts(checkpoint, directory))
      return error;
    return checkpoint;
  }
  checkpoint.listing = joinPath(directory, "model.safetensors");
  if (!llvm::sys::fs::exists(checkpoint.listing))
    return userError(directory +
                     ": has neither model.safetensors nor model.safetensors.index.json");
  auto tensors = readSafetensorsHeader(checkpoint.listing);
  if (!tensors)
    return tensors.takeError();
  checkpoint.tensors = std::move(*tensors);
  return checkpoint;
}
