//===- Values.h - Global values on their way in and out --------*- C++ -*-===//
//
// What the driver does with the runtime's host arrays. The runtime reports by
// exceptions; nothing here throws.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EXECUTE_VALUES_H
#define TP_EXECUTE_VALUES_H

#include "tprt/array.h"
#include "tprt/manifest.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace mlir {
namespace tp {

/// The value of an input as the user writes it (the path of a .npy file, or a
/// number for a scalar), converted to the argument's type. Fails with what was
/// expected and found when type or shape are others.
llvm::Expected<tprt::Array> readInputValue(llvm::StringRef text, const tprt::ValueInfo &argument);

/// The sizes of the .npy file that is given for the argument `name`.
llvm::Expected<std::vector<int64_t>> readInputShape(llvm::StringRef text, llvm::StringRef name);

/// Reproducible values for an input that nobody gives: they depend on its name.
tprt::Array makeRandomInput(const tprt::ValueInfo &argument);

/// Global values of parameters, from a checkpoint, or random as those that a
/// session makes.
llvm::Expected<std::vector<tprt::Array>>
loadParameters(const std::vector<tprt::ValueInfo> &parameters,
               const std::optional<std::string> &weights);

/// Writes `DIRECTORY/NAME.npy`.
llvm::Error writeValue(llvm::StringRef directory, llvm::StringRef name, const tprt::Array &value);

/// All elements of an array of floats, exactly.
std::vector<double> toDoubles(const tprt::Array &array);

/// The first element in which `value` differs from `reference`.
struct ValueDifference {
  std::string index;
  std::string value;
  std::string reference;
};

/// Compares two arrays of equal type and shape. Floats differ where
/// |a - b| > max(tolerance * max |reference|, rounding), the maximum over finite
/// elements; NaN equals NaN. A tolerance of 0 means equal bits, NaN aside. Integers
/// are equal or they differ.
std::optional<ValueDifference> findDifference(const tprt::Array &value,
                                              const tprt::Array &reference, double tolerance,
                                              double rounding = 0);

/// `f32 [4, 8]: 1, 2, 3, ...` for people.
std::string describeValue(const tprt::Array &value);

} // namespace tp
} // namespace mlir

#endif // TP_EXECUTE_VALUES_H
