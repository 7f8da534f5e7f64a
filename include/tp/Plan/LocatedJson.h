//===- LocatedJson.h - JSON that remembers order and positions ------------===//
//
// A plan is written by people: the order of its axes has a meaning and a message
// about it points at a line and a column. The JSON reader of LLVM keeps neither
// order nor positions nor duplicate keys; its YAML reader (JSON is a subset of
// YAML) keeps all three but takes more than JSON. So the text is checked by the
// first and read by the second.
//
//===----------------------------------------------------------------------===//

#ifndef TP_PLAN_LOCATEDJSON_H
#define TP_PLAN_LOCATEDJSON_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include <string>
#include <vector>

namespace mlir {
namespace tp {

struct LocatedMember;

/// A JSON value with the position of its first character.
struct LocatedJson {
  enum class Kind { Null, Boolean, Number, String, Array, Object };

  Kind kind;
  Location loc;
  /// The contents of a string; a number or a boolean as it is written.
  std::string text;
  std::vector<LocatedJson> elements;
  /// In the order of the text. Keys are distinct.
  std::vector<LocatedMember> members;

  LocatedJson(Kind kind, Location loc) : kind(kind), loc(loc) {}

  /// "an object", "a number", ... for messages.
  StringRef kindName() const;
  /// The value of a number that is an integer, or none.
  std::optional<int64_t> integer() const;
};

struct LocatedMember {
  std::string key;
  Location keyLoc;
  LocatedJson value;
};

/// Reads `text`; positions are of `fileName`. Emits one error at its place when
/// it is not JSON, nests deeper than 64, or has an object with a key twice.
FailureOr<LocatedJson> parseLocatedJson(StringRef text, StringRef fileName, MLIRContext *context);

} // namespace tp
} // namespace mlir

#endif // TP_PLAN_LOCATEDJSON_H
