//===- VerifySource.cpp - Where a parameter's value comes from -------------===//

#include "VerifySource.h"

#include "dialects/TP/TP.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tp;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// The array `key` of integers, `fallback` where the source lacks it.
static FailureOr<SmallVector<int64_t>> readArray(DictionaryAttr source, StringRef key,
                                                 ArrayRef<int64_t> fallback, EmitError emitError) {
  Attribute value = source.get(key);
  if (!value)
    return SmallVector<int64_t>(fallback);
  if (auto dense = dyn_cast<DenseI64ArrayAttr>(value))
    return SmallVector<int64_t>(dense.asArrayRef());
  SmallVector<int64_t> numbers;
  auto array = dyn_cast<ArrayAttr>(value);
  for (Attribute element : array ? array.getValue() : ArrayRef<Attribute>())
    if (auto integer = dyn_cast<IntegerAttr>(element); integer && integer.getType().isInteger(64))
      numbers.push_back(integer.getInt());
  if (!array || numbers.size() != array.size())
    return emitError() << key << " must be an array of i64, found " << value;
  return numbers;
}

/// Product of sizes, or nothing where one is negative or it needs more than 64 bits.
static std::optional<int64_t> countElements(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 0 || llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

/// Checks that the sizes are those of one set of elements.
static LogicalResult verifyReshape(ArrayRef<int64_t> from, ArrayRef<int64_t> to, StringRef what,
                                   EmitError emitError) {
  std::optional<int64_t> count = countElements(from);
  if (count && count == countElements(to))
    return success();
  InFlightDiagnostic diag = emitError() << what << " [";
  llvm::interleaveComma(from, diag);
  diag << "] must have the elements of [";
  llvm::interleaveComma(to, diag);
  return diag << "]";
}

LogicalResult tp::verifySource(DictionaryAttr source, ShapedType type, EmitError emitError) {
  for (NamedAttribute entry : source) {
    StringRef key = entry.getName().getValue();
    if (!llvm::is_contained({"tensor", "dtype", "shape", "view", "offset", "size", "permutation"},
                            key))
      return emitError() << "has no member " << key;
    if ((key == "tensor" || key == "dtype") && !isa<StringAttr>(entry.getValue()))
      return emitError() << key << " must be a string, found " << entry.getValue();
  }
  // A value of dynamic shape cannot be given from outside, which is said elsewhere.
  if (!type || !type.hasStaticShape())
    return success();
  auto shape = readArray(source, "shape", type.getShape(), emitError);
  if (failed(shape))
    return failure();
  auto view = readArray(source, "view", *shape, emitError);
  if (failed(view) || failed(verifyReshape(*view, *shape, "view", emitError)))
    return failure();
  size_t rank = view->size();
  auto offset = readArray(source, "offset", SmallVector<int64_t>(rank, 0), emitError);
  auto size = readArray(source, "size", *view, emitError);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(rank));
  auto permutation = readArray(source, "permutation", order, emitError);
  if (failed(offset) || failed(size) || failed(permutation))
    return failure();
  if (offset->size() != rank || size->size() != rank || permutation->size() != rank)
    return emitError() << "offset, size and permutation must have " << rank << " elements, found "
                       << offset->size() << ", " << size->size() << " and " << permutation->size();
  for (size_t i = 0; i < rank; ++i)
    if ((*offset)[i] < 0 || (*size)[i] < 0 || (*offset)[i] > (*view)[i] - (*size)[i])
      return emitError() << "the slice of " << (*size)[i] << " elements from " << (*offset)[i]
                         << " on is outside of dimension " << i << " of size " << (*view)[i];
  llvm::sort(*permutation);
  if (*permutation != order)
    return emitError() << "permutation must name every dimension once";
  return verifyReshape(*size, type.getShape(), "the slice", emitError);
}
