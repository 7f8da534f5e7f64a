//===- Json.cpp ------------------------------------------------------------===//

#include "Json.h"

#include "tp/Support/ToolError.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::tp;

/// The deepest nesting of brackets outside strings.
static unsigned nestingDepth(llvm::StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

static llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text, llvm::StringRef what) {
  constexpr unsigned maxDepth = 64;
  if (nestingDepth(text) > maxDepth)
    return userError(what + ": JSON is nested more than " + llvm::Twine(maxDepth) + " deep");
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return userError(what + ": is not JSON: " + llvm::toString(value.takeError()));
  return value;
}

llvm::Expected<llvm::json::Object> tp::parseJsonObject(llvm::StringRef text, llvm::StringRef what) {
  llvm::Expected<llvm::json::Value> value = parseJson(text, what);
  if (!value)
    return value.takeError();
  if (llvm::json::Object *object = value->getAsObject())
    return std::move(*object);
  return userError(what + ": expected a JSON object, found " + describe(*value));
}

llvm::Expected<llvm::json::Array> tp::parseJsonArray(llvm::StringRef text, llvm::StringRef what) {
  llvm::Expected<llvm::json::Value> value = parseJson(text, what);
  if (!value)
    return value.takeError();
  if (llvm::json::Array *array = value->getAsArray())
    return std::move(*array);
  return userError(what + ": expected a JSON array, found " + describe(*value));
}

llvm::Expected<std::string> tp::readTextFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return userError(path + ": cannot be read: " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

std::string tp::describe(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  if (text.size() > 60)
    text = text.substr(0, 57) + "...";
  return text;
}
