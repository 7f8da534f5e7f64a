//===- Tensor.cpp - Host values ---------------------------------------------===//

#include "tp/Interpreter/Tensor.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

int64_t interp::getNumElements(ArrayRef<int64_t> shape) {
  int64_t n = 1;
  for (int64_t size : shape)
    n *= size;
  return n;
}

Tensor::Tensor(ArrayRef<int64_t> shape, Type elementType, Element fill)
    : shape(shape.begin(), shape.end()), elementType(elementType),
      elements(std::make_shared<std::vector<Element>>(getNumElements(shape), fill)) {
  assert(isSupportedElementType(elementType) && "check the type first");
}

/// Bytes of one element in the runtime's layout.
static int64_t getByteWidth(Type type) { return llvm::divideCeil(getElementWidth(type), 8); }

FailureOr<Tensor> Tensor::fromAttribute(TypedAttr attr) {
  Type type = attr.getType();
  if (!isSupportedElementType(getElementTypeOrSelf(type)))
    return failure();
  if (isa<FloatAttr, IntegerAttr>(attr))
    return scalar(type, interp::fromAttribute(type, attr));
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped)
    return failure();
  Type element = shaped.getElementType();
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    if (dense.isSplat())
      return Tensor(shaped.getShape(), element,
                    interp::fromAttribute(element, dense.getSplatValue<Attribute>()));
    Tensor result(shaped.getShape(), element);
    MutableArrayRef<Element> out = result.mutate();
    if (auto floating = dyn_cast<FloatType>(element)) {
      for (auto [slot, value] : llvm::zip_equal(out, dense.getValues<APFloat>()))
        slot = Element::ofFloat(fromAPFloat(floating, value));
    } else {
      for (auto [slot, value] : llvm::zip_equal(out, dense.getValues<APInt>()))
        slot = Element::ofInt(fromAPInt(element, value));
    }
    return result;
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    int64_t bytes = getNumElements(shaped.getShape()) * getByteWidth(element);
    if (!blob || static_cast<int64_t>(blob->getData().size()) != bytes)
      return failure();
    return fromBytes(shaped.getShape(), element, blob->getData());
  }
  return failure();
}

Tensor Tensor::fromBytes(ArrayRef<int64_t> shape, Type elementType, ArrayRef<char> bytes) {
  Tensor result(shape, elementType);
  int64_t width = getByteWidth(elementType);
  assert(static_cast<int64_t>(bytes.size()) == result.size() * width && "size mismatch");
  const char *next = bytes.data();
  for (Element &slot : result.mutate()) {
    uint64_t bits = 0;
    std::memcpy(&bits, next, width);
    next += width;
    if (auto floating = dyn_cast<FloatType>(elementType)) {
      llvm::APInt raw(floating.getWidth(), bits, /*isSigned=*/false, /*implicitTrunc=*/true);
      slot.f = fromAPFloat(floating, llvm::APFloat(floating.getFloatSemantics(), raw));
    } else {
      slot.i = wrapTo(elementType, static_cast<int64_t>(bits));
    }
  }
  return result;
}

std::vector<char> Tensor::toBytes() const {
  int64_t width = getByteWidth(elementType);
  std::vector<char> bytes(size() * width);
  char *next = bytes.data();
  for (Element element : getElements()) {
    uint64_t bits = static_cast<uint64_t>(element.i);
    if (auto floating = dyn_cast<FloatType>(elementType))
      bits = toAPFloat(floating, element.f).bitcastToAPInt().getZExtValue();
    std::memcpy(next, &bits, width);
    next += width;
  }
  return bytes;
}

MutableArrayRef<Element> Tensor::mutate() {
  if (elements.use_count() != 1)
    elements = std::make_shared<std::vector<Element>>(*elements);
  return *elements;
}

int64_t Tensor::linearize(ArrayRef<int64_t> indices) const {
  assert(isInBounds(indices) && "index out of bounds");
  int64_t linear = 0;
  for (auto [index, size] : llvm::zip_equal(indices, shape))
    linear = linear * size + index;
  return linear;
}

bool Tensor::isInBounds(ArrayRef<int64_t> indices) const {
  return llvm::all_of(llvm::zip_equal(indices, shape), [](auto pair) {
    auto [index, size] = pair;
    return index >= 0 && index < size;
  });
}

Tensor Tensor::reshaped(ArrayRef<int64_t> newShape) const {
  assert(getNumElements(newShape) == size() && "a reshape keeps the number of elements");
  Tensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

bool interp::operator==(const Tensor &a, const Tensor &b) {
  return a.getShape() == b.getShape() && a.getElementType() == b.getElementType() &&
         llvm::all_of(llvm::zip_equal(a.getElements(), b.getElements()), [&](auto pair) {
           return isSame(a.getElementType(), std::get<0>(pair), std::get<1>(pair));
         });
}

LogicalResult interp::forEachIndex(ArrayRef<int64_t> shape,
                                   function_ref<LogicalResult(ArrayRef<int64_t>)> body) {
  if (llvm::is_contained(shape, 0))
    return success();
  SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    if (failed(body(index)))
      return failure();
    int64_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1])
      index[--d] = 0;
    if (d == 0)
      return success();
  }
}

static void print(raw_ostream &os, const Tensor &tensor, unsigned dim, int64_t &next) {
  if (dim == tensor.getRank()) {
    os << toString(tensor.getElementType(), tensor[next++]);
    return;
  }
  os << '[';
  for (int64_t i = 0; i < tensor.getDim(dim); ++i) {
    os << (i ? ", " : "");
    print(os, tensor, dim + 1, next);
  }
  os << ']';
}

raw_ostream &interp::operator<<(raw_ostream &os, const Tensor &tensor) {
  int64_t next = 0;
  print(os, tensor, 0, next);
  return os;
}
