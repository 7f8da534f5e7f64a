//===- Safetensors.h - Headers of .safetensors files -----------*- C++ -*-===//
//
// A file is eight bytes of header length (little endian), a JSON object that
// maps each tensor's name to its dtype, shape and place, and the data. The
// importer needs names, dtypes and shapes: the data are never read.
//
//===----------------------------------------------------------------------===//

#ifndef TP_IMPORT_SAFETENSORS_H
#define TP_IMPORT_SAFETENSORS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace mlir {
namespace tp {

/// What a header says about one tensor.
struct TensorInfo {
  std::string dtype; ///< As in the file, e.g. "F32", "BF16".
  llvm::SmallVector<int64_t> shape;
  std::string file; ///< Path of the file that holds it.
};

/// Tensors by name, in the order of names.
using TensorTable = std::map<std::string, TensorInfo>;

/// Reads the header of a file and checks it against the file's size: every
/// tensor's place has the size of its dtype and shape, and together they fill
/// the data exactly. Fails with a user error that names the file.
llvm::Expected<TensorTable> readSafetensorsHeader(llvm::StringRef path);

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_SAFETENSORS_H
