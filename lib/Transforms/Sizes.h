//===- Sizes.h - How large a value may be ----------------------*- C++ -*-===//

#ifndef TP_LIB_TRANSFORMS_SIZES_H
#define TP_LIB_TRANSFORMS_SIZES_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir {
namespace tp {

/// More than any memory has; products of sizes below it do not overflow.
constexpr int64_t kMaxElements = int64_t(1) << 40;

/// Whether a value of this shape, of which dynamic sizes count as 1, has more.
inline bool hasTooManyElements(llvm::ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size))
      continue;
    if (size > kMaxElements / std::max<int64_t>(elements, 1))
      return true;
    elements *= size;
  }
  return false;
}

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TRANSFORMS_SIZES_H
