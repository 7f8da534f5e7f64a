//===- Tensor.h - Host values of the reference interpreter -----*- C++ -*-===//
//
// A value is an array of elements, each wide enough for any supported type and
// always rounded to the element type of its tensor: f16, bf16, f32 (and the
// 8-bit floats) lie exactly in a double, integers in an int64. A scalar is a
// tensor of rank 0. Copies share storage until one of them is written.
//
//===----------------------------------------------------------------------===//

#ifndef TP_INTERPRETER_TENSOR_H
#define TP_INTERPRETER_TENSOR_H

#include "dialects/TP/Sharding.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <vector>

namespace mlir {
namespace tp {
namespace interp {

/// One element: `f` where the type is a float, `i` where it is an integer or
/// index, sign-extended from its width (i1 is 0 or 1).
union Element {
  int64_t i;
  double f;

  static Element ofInt(int64_t value) {
    Element e;
    e.i = value;
    return e;
  }
  static Element ofFloat(double value) {
    Element e;
    e.f = value;
    return e;
  }
};

/// Whether elements of this type can be held: floats of at most 64 bits,
/// signless integers of at most 64 bits, index.
bool isSupportedElementType(Type type);
/// Whether values of this type can be held: supported elements, or ranked
/// tensors of them.
bool isSupportedType(Type type);
/// Width in bits; index has 64.
unsigned getElementWidth(Type type);

/// Rounds to the float type, to nearest, ties to even.
double roundTo(FloatType type, double value);
/// Wraps an integer to the width of the type (see Element).
int64_t wrapTo(Type type, int64_t value);
/// The low bits of an integer element, zero-extended.
uint64_t zeroExtend(Type type, int64_t value);

llvm::APFloat toAPFloat(FloatType type, double value);
/// Rounds to `type`, whatever the semantics of `value`.
double fromAPFloat(FloatType type, llvm::APFloat value);
llvm::APInt toAPInt(Type type, int64_t value);
int64_t fromAPInt(Type type, const llvm::APInt &value);

/// The element of a float or integer attribute of this type.
Element fromAttribute(Type type, Attribute value);
/// What uninitialised memory holds under poison: NaN, or bytes of 0xA5.
Element getPoison(Type type);
/// The identity of a reduction.
Element getNeutral(ReductionKind kind, Type type);
/// Combines two elements of the type, rounding once.
Element combine(ReductionKind kind, Type type, Element a, Element b);
/// Whether two elements are the same bit for bit; all NaNs are the same.
bool isSame(Type type, Element a, Element b);
/// As in messages: `1.5`, `-3`, `true`.
std::string toString(Type type, Element value);

class Tensor {
public:
  Tensor() = default;
  Tensor(llvm::ArrayRef<int64_t> shape, Type elementType, Element fill = Element::ofInt(0));

  static Tensor scalar(Type type, Element value) { return Tensor({}, type, value); }
  static Tensor index(Type indexType, int64_t value) {
    return scalar(indexType, Element::ofInt(value));
  }
  /// The value of a constant: a number, or dense elements (splat, dense,
  /// dense_resource); failure for other attributes and for missing resources.
  static FailureOr<Tensor> fromAttribute(TypedAttr attr);
  /// From row-major bytes as the runtime stores them: index as 8 bytes, i1 (and
  /// narrower than 8 bits) as one byte. The size must match.
  static Tensor fromBytes(llvm::ArrayRef<int64_t> shape, Type elementType,
                          llvm::ArrayRef<char> bytes);
  std::vector<char> toBytes() const;

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getDim(unsigned i) const { return shape[i]; }
  int64_t getRank() const { return shape.size(); }
  int64_t size() const { return elements ? elements->size() : 0; }
  Type getElementType() const { return elementType; }
  /// `tensor<shape x element>`.
  RankedTensorType getType() const { return RankedTensorType::get(shape, elementType); }

  llvm::ArrayRef<Element> getElements() const { return *elements; }
  /// For writing: the storage is not shared afterwards.
  llvm::MutableArrayRef<Element> mutate();

  const Element &operator[](int64_t linear) const { return (*elements)[linear]; }
  const Element &at(llvm::ArrayRef<int64_t> indices) const {
    return (*elements)[linearize(indices)];
  }
  /// Row-major position of an element; indices must be in bounds.
  int64_t linearize(llvm::ArrayRef<int64_t> indices) const;
  bool isInBounds(llvm::ArrayRef<int64_t> indices) const;
  /// The value of a scalar.
  const Element &getScalar() const { return (*elements)[0]; }

  /// The same elements under another shape of equal size.
  Tensor reshaped(llvm::ArrayRef<int64_t> newShape) const;

private:
  llvm::SmallVector<int64_t, 4> shape;
  Type elementType;
  std::shared_ptr<std::vector<Element>> elements;
};

/// Whether shapes, types and all elements are the same (isSame).
bool operator==(const Tensor &a, const Tensor &b);
inline bool operator!=(const Tensor &a, const Tensor &b) { return !(a == b); }

int64_t getNumElements(llvm::ArrayRef<int64_t> shape);

/// Calls `body` for every index of `shape`, row-major. Stops at the first
/// failure.
LogicalResult forEachIndex(llvm::ArrayRef<int64_t> shape,
                           llvm::function_ref<LogicalResult(llvm::ArrayRef<int64_t>)> body);

/// Nested lists as in dense attributes, `[[1, 2], [3, 4]]`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Tensor &tensor);

} // namespace interp
} // namespace tp
} // namespace mlir

#endif // TP_INTERPRETER_TENSOR_H
