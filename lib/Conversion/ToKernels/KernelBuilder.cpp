//===- KernelBuilder.cpp - Writing CPU kernels -----------------------------===//

#include "KernelBuilder.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::tp;

SmallVector<Piece> KernelBuilder::cut(int64_t size, int64_t start) const {
  SmallVector<Piece> pieces;
  for (int64_t width = lanes; size > 0; width /= 2)
    for (; size >= width; size -= width, start += width)
      pieces.push_back({start, width});
  return pieces;
}

Value KernelBuilder::index(int64_t value) { return arith::ConstantIndexOp::create(*this, value); }

Value KernelBuilder::real(double value) {
  return arith::ConstantOp::create(*this, getFloatAttr(compute, value));
}

Value KernelBuilder::lowest() {
  const llvm::fltSemantics &semantics = cast<FloatType>(compute).getFloatSemantics();
  return arith::ConstantOp::create(
      *this, getFloatAttr(compute, APFloat::getInf(semantics, /*Negative=*/true)));
}

Value KernelBuilder::splat(double value, int64_t width) {
  VectorType type = vectorOf(width);
  return arith::ConstantOp::create(
      *this, DenseElementsAttr::get(type, cast<Attribute>(getFloatAttr(compute, value))));
}

Value KernelBuilder::broadcast(Value scalar, int64_t width) {
  return vector::BroadcastOp::create(*this, vectorOf(width), scalar);
}

Value KernelBuilder::convert(Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(*this, type, value);
  return arith::TruncFOp::create(*this, type, value);
}

Value KernelBuilder::load(Value buffer, ValueRange indices) {
  return convert(memref::LoadOp::create(*this, buffer, indices), compute);
}

Value KernelBuilder::loadVector(Value buffer, ValueRange indices, int64_t width) {
  return convert(loadRaw(buffer, indices, width), compute);
}

Value KernelBuilder::loadRaw(Value buffer, ValueRange indices, int64_t width) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  return vector::LoadOp::create(*this, VectorType::get({width}, element), buffer, indices);
}

void KernelBuilder::store(Value value, Value buffer, ValueRange indices) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  memref::StoreOp::create(*this, convert(value, element), buffer, indices);
}

void KernelBuilder::storeVector(Value vector, Value buffer, ValueRange indices) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  vector::StoreOp::create(*this, convert(vector, element), buffer, indices);
}

Value KernelBuilder::larger(Value a, Value b) {
  Value greater = arith::CmpFOp::create(*this, arith::CmpFPredicate::OGT, a, b);
  return arith::SelectOp::create(*this, greater, a, b);
}

Value KernelBuilder::sum(ArrayRef<Value> vectors) {
  // One vector per width first, halved where there is one of half the width.
  llvm::MapVector<int64_t, Value> byWidth;
  for (Value vector : vectors) {
    Value &total = byWidth[cast<VectorType>(vector.getType()).getDimSize(0)];
    total = total ? add(total, vector) : vector;
  }
  Value result;
  for (auto &[width, vector] : byWidth)
    result = vector::ReductionOp::create(*this, vector::CombiningKind::ADD, vector, result,
                                         arith::FastMathFlags::reassoc);
  return result;
}

Value KernelBuilder::shuffle(Value a, Value b, function_ref<int64_t(int64_t)> source) {
  SmallVector<int64_t> lanes;
  for (int64_t lane = 0; lane < cast<VectorType>(a.getType()).getDimSize(0); ++lane)
    lanes.push_back(source(lane));
  return vector::ShuffleOp::create(*this, a, b, lanes);
}

Value KernelBuilder::sumEachOfFour(ArrayRef<SmallVector<Value>> lists) {
  assert(lists.size() == 4);
  Value result;
  SmallVector<SmallVector<Value>> narrow(4);
  for (size_t i = 0; i < lists.front().size(); ++i) {
    int64_t width = cast<VectorType>(lists[0][i].getType()).getDimSize(0);
    if (width < 4) {
      for (auto [rest, list] : llvm::zip(narrow, lists))
        rest.push_back(list[i]);
      continue;
    }
    // In each group of four lanes: a and b become (a0 + a2, b0 + b2, a1 + a3,
    // b1 + b3); with c and d the same, (sum of a, of b, of c, of d).
    auto pair = [&](Value x, Value y) {
      auto half = [&](int64_t first) {
        return shuffle(x, y, [&](int64_t lane) {
          return lane / 4 * 4 + first + lane % 4 / 2 + (lane % 2) * width;
        });
      };
      return add(half(0), half(2));
    };
    Value ab = pair(lists[0][i], lists[1][i]), cd = pair(lists[2][i], lists[3][i]);
    auto quarter = [&](int64_t first) {
      return shuffle(ab, cd, [&](int64_t lane) {
        return lane / 4 * 4 + first + lane % 2 + (lane % 4 / 2) * width;
      });
    };
    Value sums = add(quarter(0), quarter(2));
    for (; width > 4; width /= 2) {
      auto half = [&](int64_t first) {
        return vector::ExtractStridedSliceOp::create(*this, sums, ArrayRef<int64_t>{first},
                                                     ArrayRef<int64_t>{width / 2},
                                                     ArrayRef<int64_t>{1});
      };
      sums = add(half(0), half(width / 2));
    }
    result = result ? add(result, sums) : sums;
  }
  if (narrow.front().empty())
    return result;
  SmallVector<Value> scalars;
  for (ArrayRef<Value> rest : narrow)
    scalars.push_back(sum(rest));
  Value sums = vector::FromElementsOp::create(*this, vectorOf(4), scalars);
  return result ? add(result, sums) : sums;
}

SmallVector<Value> KernelBuilder::loop(Value from, Value to, int64_t step, ValueRange inits,
                                       LoopBody body) {
  auto op = scf::ForOp::create(*this, from, to, index(step), inits);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(op.getBody());
  SmallVector<Value> next = body(op.getInductionVar(), op.getRegionIterArgs());
  setInsertionPointToEnd(op.getBody());
  // Without carried values the loop comes with its terminator.
  if (!inits.empty())
    scf::YieldOp::create(*this, next);
  return llvm::to_vector_of<Value>(op.getResults());
}

void KernelBuilder::loop(Value from, Value to, int64_t step, function_ref<void(Value)> body) {
  loop(from, to, step, ValueRange(), [&](Value iv, ValueRange) -> SmallVector<Value> {
    body(iv);
    return {};
  });
}

func::FuncOp mlir::tp::declareKernel(ModuleOp module, StringRef name, TypeRange parameters,
                                     Location loc) {
  if (auto existing = module.lookupSymbol<func::FuncOp>(name))
    return existing;
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> inputs(2, builder.getIndexType());
  llvm::append_range(inputs, parameters);
  FunctionType type = builder.getFunctionType(inputs, TypeRange());
  auto function = func::FuncOp::create(builder, loc, name, type);
  function.setPrivate();
  function->setAttr(rt::kKernelAttr, builder.getUnitAttr());
  return function;
}

void mlir::tp::defineKernel(func::FuncOp kernel, int64_t bits, Type compute, KernelBody body) {
  if (!kernel.isDeclaration())
    return;
  Block *entry = kernel.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockBegin(entry);
  KernelBuilder b(kernel.getLoc(), builder, bits, compute);
  body(b, entry->getArgument(0), entry->getArgument(1), entry->getArguments().drop_front(2));
  b.setInsertionPointToEnd(entry);
  func::ReturnOp::create(b);
}

Type mlir::tp::computeTypeFor(Type element) {
  return element.isF64() ? element : Type(Float32Type::get(element.getContext()));
}
