//===- Json.h - Reading JSON that may be anything ---------------*- C++ -*-===//

#ifndef LIB_IMPORT_JSON_H
#define LIB_IMPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace mlir {
namespace tp {

/// Parses `text`, which must be an object, nested at most 64 deep (the parser
/// below recurses). `what` names it in errors, e.g. the file.
llvm::Expected<llvm::json::Object> parseJsonObject(llvm::StringRef text, llvm::StringRef what);

/// The same for an array.
llvm::Expected<llvm::json::Array> parseJsonArray(llvm::StringRef text, llvm::StringRef what);

/// As parseJsonObject, where no object may name a member twice: the parser below
/// keeps the last.
llvm::Expected<llvm::json::Object> parseStrictJsonObject(llvm::StringRef text,
                                                         llvm::StringRef what);

/// The first number of a JSON text that is not written as an integer, such as
/// 72.0, which llvm::json takes for 72; empty without one.
llvm::StringRef findFraction(llvm::StringRef text);

/// The path of a file of a directory.
std::string joinPath(llvm::StringRef directory, llvm::StringRef name);

/// The whole text of a file, with a user error that names it.
llvm::Expected<std::string> readTextFile(llvm::StringRef path);

/// A value as it stands in messages: compact, cut after some 60 characters.
std::string describe(const llvm::json::Value &value);

} // namespace tp
} // namespace mlir

#endif // LIB_IMPORT_JSON_H
