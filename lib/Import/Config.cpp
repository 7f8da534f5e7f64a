//===- Config.cpp ----------------------------------------------------------===//

#include "tp/Import/Config.h"

#include "Json.h"
#include "tp/Support/ToolError.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::tp;

llvm::Expected<Config> Config::read(llvm::StringRef path) {
  llvm::Expected<std::string> text = readTextFile(path);
  if (!text)
    return text.takeError();
  auto object = parseJsonObject(*text, path);
  if (!object)
    return object.takeError();
  return Config(std::move(*object), path.str());
}

const llvm::json::Value *Config::lookup(llvm::StringRef field) const {
  const llvm::json::Value *value = fields.get(field);
  return value && value->kind() != llvm::json::Value::Null ? value : nullptr;
}

const llvm::json::Value *Config::find(llvm::StringRef field) {
  asked.insert(field);
  return lookup(field);
}

const llvm::json::Value *Config::need(llvm::StringRef field) {
  const llvm::json::Value *value = find(field);
  if (!value)
    fail(field, "is missing");
  return value;
}

int64_t Config::size(llvm::StringRef field, std::optional<int64_t> fallback) {
  if (fallback && !find(field))
    return *fallback;
  const llvm::json::Value *value = need(field);
  if (!value)
    return 1;
  std::optional<int64_t> size = value->getAsInteger();
  if (size && *size >= 1 && *size <= std::numeric_limits<int32_t>::max())
    return *size;
  fail(field, "expected a size from 1 to 2147483647, found " + describe(*value));
  return 1;
}

double Config::number(llvm::StringRef field, std::optional<double> fallback) {
  if (fallback && !find(field))
    return *fallback;
  const llvm::json::Value *value = need(field);
  if (!value)
    return 1;
  std::optional<double> number = value->getAsNumber();
  if (number && std::isfinite(*number) && *number > 0)
    return *number;
  fail(field, "expected a positive number, found " + describe(*value));
  return 1;
}

std::string Config::string(llvm::StringRef field, std::optional<std::string> fallback) {
  if (fallback && !find(field))
    return *fallback;
  const llvm::json::Value *value = need(field);
  if (!value)
    return "";
  if (std::optional<llvm::StringRef> text = value->getAsString())
    return text->str();
  fail(field, "expected a string, found " + describe(*value));
  return "";
}

llvm::SmallVector<int64_t> Config::tokens(llvm::StringRef field) {
  llvm::SmallVector<int64_t> ids;
  const llvm::json::Value *value = find(field);
  if (!value)
    return ids;
  auto add = [&](const llvm::json::Value &element) {
    std::optional<int64_t> id = element.getAsInteger();
    if (id && *id >= 0)
      ids.push_back(*id);
    else
      fail(field, "expected token ids, found " + describe(*value));
  };
  if (const llvm::json::Array *array = value->getAsArray())
    for (const llvm::json::Value &element : *array)
      add(element);
  else
    add(*value);
  return ids;
}

std::vector<std::string> Config::strings(llvm::StringRef field) {
  std::vector<std::string> texts;
  const llvm::json::Value *value = find(field);
  if (!value)
    return texts;
  if (const llvm::json::Array *array = value->getAsArray())
    for (const llvm::json::Value &element : *array)
      if (std::optional<llvm::StringRef> text = element.getAsString())
        texts.push_back(text->str());
  if (!value->getAsArray() || texts.size() != value->getAsArray()->size())
    fail(field, "expected an array of strings, found " + describe(*value));
  return texts;
}

bool Config::boolean(llvm::StringRef field, bool fallback) {
  const llvm::json::Value *value = find(field);
  if (!value)
    return fallback;
  if (std::optional<bool> truth = value->getAsBoolean())
    return *truth;
  fail(field, "expected true or false, found " + describe(*value));
  return fallback;
}

void Config::expect(llvm::StringRef field, const llvm::json::Value &value) {
  const llvm::json::Value *found = find(field);
  if (found && *found != value)
    fail(field, "only " + describe(value) + " is supported, found " + describe(*found));
}

void Config::expectEqual(llvm::StringRef field, double value, llvm::StringRef other) {
  if (number(field, value) != value)
    fail(field, "must be that of " + other + ", found " + describe(*find(field)));
}

void Config::expectElement(llvm::StringRef field, llvm::StringRef element) {
  const llvm::json::Value *found = find(field);
  if (!found)
    return;
  const llvm::json::Array *array = found->getAsArray();
  if (!array || llvm::none_of(*array, [&](const llvm::json::Value &value) {
        return value.getAsString() == element;
      }))
    fail(field, "expected " + element + ", found " + describe(*found));
}

void Config::expectAllRead() {
  std::vector<llvm::StringRef> names;
  for (const auto &[name, value] : fields)
    if (has(name) && !wasRead(name))
      names.push_back(name);
  if (!names.empty())
    fail(*std::min_element(names.begin(), names.end()), "is not known here");
}

void Config::expectAbsent(llvm::StringRef field, llvm::StringRef what) {
  if (const llvm::json::Value *found = find(field))
    fail(field, what + " is not supported, found " + describe(*found));
}

std::optional<Config> Config::object(llvm::StringRef field) {
  const llvm::json::Value *value = find(field);
  if (!value)
    return std::nullopt;
  const llvm::json::Object *object = value->getAsObject();
  if (!object) {
    fail(field, "expected an object, found " + describe(*value));
    return std::nullopt;
  }
  Config part(*object, file);
  part.prefix = (prefix + field + ".").str();
  return part;
}

void Config::adopt(const Config &part) {
  if (!failure)
    failure = part.failure;
}

void Config::fail(llvm::StringRef field, const llvm::Twine &message,
                  std::vector<std::string> notes) {
  if (!failure)
    failure = Failure{(file + ": " + prefix + field + ": " + message).str(), std::move(notes)};
}

llvm::Error Config::takeError() const {
  if (failure)
    return userError(failure->message, failure->notes);
  return llvm::Error::success();
}
