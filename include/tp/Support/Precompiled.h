//===- Precompiled.h - The headers that nearly every file includes --------===//
//
// Compiled once and reused (target_precompile_headers); no file relies on it:
// each still includes what it uses.
//
//===----------------------------------------------------------------------===//

#ifndef TP_SUPPORT_PRECOMPILED_H
#define TP_SUPPORT_PRECOMPILED_H

// Statistics of passes have the layout that the library has, which is built without
// assertions and keeps none.
#ifndef NDEBUG
#define NDEBUG
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
#endif

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#endif // TP_SUPPORT_PRECOMPILED_H
