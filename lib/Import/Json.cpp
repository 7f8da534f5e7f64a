//===- Json.cpp ------------------------------------------------------------===//

#include "Json.h"

#include "tp/Support/ToolError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::tp;

/// Calls `visit` with the place of each character outside strings, and the last
/// string before it, with its quotes.
static void scan(llvm::StringRef text,
                 llvm::function_ref<void(size_t at, llvm::StringRef string)> visit) {
  llvm::StringRef string;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '"') {
      visit(i, string);
      continue;
    }
    size_t begin = i++;
    for (; i < text.size() && text[i] != '"'; ++i)
      if (text[i] == '\\')
        ++i;
    string = text.slice(begin, i + 1);
  }
}

/// The deepest nesting of brackets outside strings.
static unsigned nestingDepth(llvm::StringRef text) {
  unsigned depth = 0, deepest = 0;
  scan(text, [&](size_t at, llvm::StringRef) {
    if (text[at] == '[' || text[at] == '{')
      deepest = std::max(deepest, ++depth);
    else if ((text[at] == ']' || text[at] == '}') && depth > 0)
      --depth;
  });
  return deepest;
}

/// A key, quoted, that an object of `text`, which is JSON, has twice; or nothing.
static llvm::StringRef findDuplicateKey(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringSet<>> objects; // the open ones' keys
  llvm::StringRef duplicate;
  scan(text, [&](size_t at, llvm::StringRef string) {
    if (text[at] == '{')
      objects.emplace_back();
    else if (text[at] == '}')
      objects.pop_back();
    else if (text[at] == ':') {
      llvm::json::Value key = llvm::cantFail(llvm::json::parse(string));
      if (!objects.back().insert(*key.getAsString()).second && duplicate.empty())
        duplicate = string;
    }
  });
  return duplicate;
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

llvm::Expected<llvm::json::Object> tp::parseStrictJsonObject(llvm::StringRef text,
                                                             llvm::StringRef what) {
  auto object = parseJsonObject(text, what);
  if (!object)
    return object;
  if (llvm::StringRef key = findDuplicateKey(text); !key.empty())
    return userError(what + ": duplicate key " + key);
  return object;
}

llvm::StringRef tp::findFraction(llvm::StringRef text) {
  constexpr llvm::StringLiteral digits = "0123456789+-.eE";
  llvm::StringRef fraction;
  scan(text, [&](size_t at, llvm::StringRef) {
    bool isPart =
        at > 0 && llvm::isDigit(text[at - 1]) && llvm::StringRef(".eE").contains(text[at]);
    if (!isPart || !fraction.empty())
      return;
    size_t begin = text.find_last_not_of(digits, at) + 1;
    fraction = text.slice(begin, text.find_first_not_of(digits, at));
  });
  return fraction;
}

llvm::Expected<llvm::json::Array> tp::parseJsonArray(llvm::StringRef text, llvm::StringRef what) {
  llvm::Expected<llvm::json::Value> value = parseJson(text, what);
  if (!value)
    return value.takeError();
  if (llvm::json::Array *array = value->getAsArray())
    return std::move(*array);
  return userError(what + ": expected a JSON array, found " + describe(*value));
}

std::string tp::joinPath(llvm::StringRef directory, llvm::StringRef name) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, name);
  return path.str().str();
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
