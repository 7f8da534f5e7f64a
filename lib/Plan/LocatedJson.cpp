//===- LocatedJson.cpp - JSON that remembers order and positions -----------===//

#include "tp/Plan/LocatedJson.h"

#include "tp/Support/Nesting.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace mlir;
using namespace mlir::tp;

StringRef LocatedJson::kindName() const {
  switch (kind) {
  case Kind::Null:
    return "null";
  case Kind::Boolean:
    return "a boolean";
  case Kind::Number:
    return "a number";
  case Kind::String:
    return "a string";
  case Kind::Array:
    return "an array";
  case Kind::Object:
    return "an object";
  }
  llvm_unreachable("all kinds are named");
}

std::optional<int64_t> LocatedJson::integer() const {
  int64_t value;
  if (kind != Kind::Number || StringRef(text).getAsInteger(10, value))
    return std::nullopt;
  return value;
}

static constexpr unsigned kMaxDepth = 64;

namespace {
/// Turns the nodes of a YAML document into located values.
class Reader {
public:
  Reader(StringRef text, StringRef fileName, MLIRContext *context)
      : fileName(StringAttr::get(context, fileName)), stream(text, sources, /*ShowColors=*/false) {
    sources.setDiagHandler([](const llvm::SMDiagnostic &diag,
                              void *self) { static_cast<Reader *>(self)->syntaxError(diag); },
                           this);
  }

  FailureOr<LocatedJson> read() {
    llvm::yaml::document_iterator document = stream.begin();
    llvm::yaml::Node *root = document == stream.end() ? nullptr : document->getRoot();
    FailureOr<LocatedJson> value = failure();
    if (root)
      value = readNode(*root);
    assert((succeeded(value) || reported) && "JSON is read as YAML");
    return value;
  }

private:
  StringAttr fileName;
  llvm::SourceMgr sources;
  llvm::yaml::Stream stream;
  bool reported = false;

  Location locate(llvm::SMLoc at) {
    auto [line, column] = sources.getLineAndColumn(at);
    return FileLineColLoc::get(fileName, line, column);
  }

  void syntaxError(const llvm::SMDiagnostic &diag) {
    if (!reported)
      emitError(FileLineColLoc::get(fileName, diag.getLineNo(), diag.getColumnNo() + 1))
          << diag.getMessage();
    reported = true;
  }

  /// The contents of a quoted scalar.
  static std::string unquote(StringRef raw) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(raw);
    if (value)
      if (std::optional<StringRef> text = value->getAsString())
        return text->str();
    llvm::consumeError(value.takeError());
    return raw.str();
  }

  FailureOr<LocatedJson> readNode(llvm::yaml::Node &node) {
    const char *start = node.getSourceRange().Start.getPointer();
    // The range of a collection begins after its bracket.
    if (isa<llvm::yaml::MappingNode, llvm::yaml::SequenceNode>(node))
      do
        --start;
      while (llvm::isSpace(*start));
    Location loc = locate(llvm::SMLoc::getFromPointer(start));
    if (auto *mapping = dyn_cast<llvm::yaml::MappingNode>(&node))
      return readObject(*mapping, loc);
    if (auto *sequence = dyn_cast<llvm::yaml::SequenceNode>(&node)) {
      LocatedJson array(LocatedJson::Kind::Array, loc);
      for (llvm::yaml::Node &element : *sequence) {
        FailureOr<LocatedJson> value = readNode(element);
        if (failed(value))
          return failure();
        array.elements.push_back(std::move(*value));
      }
      if (reported)
        return failure();
      return array;
    }
    auto *scalar = dyn_cast<llvm::yaml::ScalarNode>(&node);
    // A plain scalar may end in the blanks after it.
    StringRef raw = scalar ? scalar->getRawValue().trim() : "null";
    using Kind = LocatedJson::Kind;
    Kind kind = raw.starts_with("\"")             ? Kind::String
                : raw == "null"                   ? Kind::Null
                : raw == "true" || raw == "false" ? Kind::Boolean
                                                  : Kind::Number;
    LocatedJson value(kind, loc);
    value.text = kind == Kind::String ? unquote(raw) : raw.str();
    return value;
  }

  FailureOr<LocatedJson> readObject(llvm::yaml::MappingNode &mapping, Location loc) {
    LocatedJson object(LocatedJson::Kind::Object, loc);
    llvm::StringMap<Location> seen;
    for (llvm::yaml::KeyValueNode &member : mapping) {
      auto *key = dyn_cast_or_null<llvm::yaml::ScalarNode>(member.getKey());
      if (!key || reported)
        return failure();
      Location keyLoc = locate(key->getSourceRange().Start);
      std::string name = unquote(key->getRawValue());
      llvm::yaml::Node *node = member.getValue();
      FailureOr<LocatedJson> value = failure();
      if (node)
        value = readNode(*node);
      if (failed(value))
        return failure();
      auto [other, isNew] = seen.try_emplace(name, keyLoc);
      if (!isNew) {
        InFlightDiagnostic diag = emitError(keyLoc) << "duplicate key \"" << name << '"';
        diag.attachNote(other->second) << "the first is here";
        reported = true;
        return failure();
      }
      object.members.push_back({std::move(name), keyLoc, std::move(*value)});
    }
    if (reported)
      return failure();
    return object;
  }
};
} // namespace

/// LLVM's message is "[line:column, byte=offset]: what".
static LogicalResult emitJsonError(llvm::Error error, StringAttr fileName) {
  std::string message = llvm::toString(std::move(error));
  StringRef rest = message;
  unsigned line = 1, column = 1;
  if (rest.consume_front("[") && !rest.consumeInteger(10, line) && rest.consume_front(":"))
    rest.consumeInteger(10, column);
  size_t end = rest.find("]: ");
  std::string what = (end == StringRef::npos ? rest : rest.substr(end + 3)).str();
  if (!what.empty())
    what[0] = llvm::toLower(what[0]);
  // Columns count from 0 there, from 1 in messages.
  return emitError(FileLineColLoc::get(fileName, line, column + 1)) << "not JSON: " << what;
}

FailureOr<LocatedJson> tp::parseLocatedJson(StringRef text, StringRef fileName,
                                            MLIRContext *context) {
  StringAttr file = StringAttr::get(context, fileName);
  text.consume_front("\xEF\xBB\xBF"); // the mark of UTF-8 that some editors write
  if (std::optional<TextPosition> at = findTooDeep(text, kMaxDepth))
    return emitError(FileLineColLoc::get(file, at->line, at->column))
           << "not a plan: nested deeper than " << kMaxDepth;
  llvm::Expected<llvm::json::Value> checked = llvm::json::parse(text);
  if (!checked)
    return emitJsonError(checked.takeError(), file);
  return Reader(text, fileName, context).read();
}
