//===- Config.h - Fields of config.json -------------------------*- C++ -*-===//
//
// Typed access with a sticky error: the first field that is missing, of the
// wrong type or unsupported is remembered, later accesses return a harmless
// value, and `takeError` is asked once at the end. Values of 1 and 1.0 keep
// code that divides by a size safe until then.
//
//===----------------------------------------------------------------------===//

#ifndef TP_IMPORT_CONFIG_H
#define TP_IMPORT_CONFIG_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir {
namespace tp {

class Config {
public:
  /// Reads and parses a file. Fails with a user error that names it.
  static llvm::Expected<Config> read(llvm::StringRef path);

  /// Whether the field is there and not null; does not count as reading it.
  bool has(llvm::StringRef field) const { return lookup(field); }
  /// The same for a field that is not false either.
  bool isSet(llvm::StringRef field) const {
    return has(field) && lookup(field)->getAsBoolean() != false;
  }
  /// Whether the field is there, null or not; does not count as reading it.
  bool isGiven(llvm::StringRef field) const { return fields.get(field); }
  /// Whether anything has asked for the field's value.
  bool wasRead(llvm::StringRef field) const { return asked.contains(field); }

  /// A size, from 1 to 2^31 - 1; without `fallback` the field must be there.
  int64_t size(llvm::StringRef field, std::optional<int64_t> fallback = std::nullopt);
  /// A finite positive number; without `fallback` the field must be there.
  double number(llvm::StringRef field, std::optional<double> fallback = std::nullopt);
  /// A string; without `fallback` it must be there, and is empty when it is not.
  std::string string(llvm::StringRef field, std::optional<std::string> fallback = std::nullopt);
  /// An array of strings, or nothing.
  std::vector<std::string> strings(llvm::StringRef field);
  /// Token ids: an integer, an array of integers, or nothing.
  llvm::SmallVector<int64_t> tokens(llvm::StringRef field);
  /// A truth value.
  bool boolean(llvm::StringRef field, bool fallback);

  /// The field must have this value where it is there; anything else is unsupported.
  void expect(llvm::StringRef field, const llvm::json::Value &value);
  /// The field, where it is there, must be the number that field `other` has.
  void expectEqual(llvm::StringRef field, double value, llvm::StringRef other);
  /// The field, where it is there, must be an array with this string in it.
  void expectElement(llvm::StringRef field, llvm::StringRef element);
  /// Fields that nothing has asked for are not supported.
  void expectAllRead();
  /// The field must be absent or null: `what` is not supported.
  void expectAbsent(llvm::StringRef field, llvm::StringRef what);

  /// An object field as a configuration of its own (its fields are named
  /// `field.x` in messages), or nothing when it is absent.
  std::optional<Config> object(llvm::StringRef field);
  /// Takes over the error of a configuration that `object` gave.
  void adopt(const Config &part);

  /// Records an error about this field, if it is the first.
  void fail(llvm::StringRef field, const llvm::Twine &message, std::vector<std::string> notes = {});
  /// The first error, as a user error `FILE: FIELD: message`.
  llvm::Error takeError() const;

private:
  struct Failure {
    std::string message;
    std::vector<std::string> notes;
  };

  Config(llvm::json::Object fields, std::string file)
      : fields(std::move(fields)), file(std::move(file)) {}

  /// The value of a field that is there and not null.
  const llvm::json::Value *lookup(llvm::StringRef field) const;
  /// The same; records that the field was asked for.
  const llvm::json::Value *find(llvm::StringRef field);
  /// The same; records that it is missing.
  const llvm::json::Value *need(llvm::StringRef field);

  llvm::json::Object fields;
  llvm::StringSet<> asked; ///< Fields that were asked for.
  std::string file;
  std::string prefix; ///< Of field names in messages: "rope_parameters.".
  std::optional<Failure> failure;
};

} // namespace tp
} // namespace mlir

#endif // TP_IMPORT_CONFIG_H
