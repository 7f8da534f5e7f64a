//===- RankReductions.cpp - kernels that reduce over ranks on one device ---===//

#include "RankReductions.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

// What each block has does not matter: the runtime chooses the grid.
constexpr int64_t kBlocks = 1, kThreads = 256;

/// The kernel's own table of addresses is in registers once the library's function is
/// inlined with this number of parts.
void addKernel(SymbolTable &symbols, Location loc, rt::Reduction kind, Type element,
               int64_t ranks) {
  const int32_t dtype = *rt::getDType(element);
  std::string name;
  llvm::raw_string_ostream(name) << "reduce_" << rt::stringifyReduction(kind) << "_" << element
                                 << "_" << ranks;
  if (symbols.lookup(name))
    return;
  ImplicitLocOpBuilder builder(loc, loc.getContext());
  Type i64 = builder.getI64Type();
  SmallVector<Type> parameters(ranks, i64);
  parameters.push_back(MemRefType::get({1}, element));
  parameters.push_back(i64);
  auto kernel = func::FuncOp::create(builder, name, builder.getFunctionType(parameters, {}));
  kernel.setPrivate();
  kernel->setAttr(rt::kKernelAttr, builder.getUnitAttr());
  kernel->setAttr(rt::kDeviceAttr, builder.getUnitAttr());
  symbols.insert(kernel);
  Block *body = kernel.addEntryBlock();
  builder.setInsertionPointToStart(body);
  Value table = memref::AllocaOp::create(builder, MemRefType::get({ranks}, i64));
  for (int64_t rank = 0; rank < ranks; ++rank) {
    Value place = arith::ConstantIndexOp::create(builder, rank);
    memref::StoreOp::create(builder, body->getArgument(rank), table, place);
  }
  auto i32 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, builder.getI32Type(), value);
  };
  rt::KernelCallOp::create(builder, "reduce", kBlocks, kThreads,
                           ValueRange{i32(int64_t(kind)), i32(dtype), table, i32(ranks),
                                      body->getArgument(ranks), body->getArgument(ranks + 1)});
  func::ReturnOp::create(builder);
}

} // namespace

void tp::addRankReductions(ModuleOp module) {
  SymbolTable symbols(module);
  auto add = [&](Operation *op, rt::Reduction kind, Type element, StringRef group) {
    const int64_t ranks = symbols.lookup<rt::GroupOp>(group).getGroupSize();
    if (ranks > 1)
      addKernel(symbols, op->getLoc(), kind, element, ranks);
  };
  // In the order in which they stand, so that equal programs have equal kernels.
  SmallVector<Operation *> collectives;
  module.walk([&](Operation *op) {
    if (isa<rt::AllReduceOp, rt::ReduceScatterOp>(op))
      collectives.push_back(op);
  });
  for (Operation *op : collectives) {
    if (auto reduce = dyn_cast<rt::AllReduceOp>(op))
      add(op, reduce.getKind(), getElementTypeOrSelf(reduce.getBuffer().getType()),
          reduce.getGroup());
    else if (auto scatter = dyn_cast<rt::ReduceScatterOp>(op))
      add(op, scatter.getKind(), getElementTypeOrSelf(scatter.getSrc().getType()),
          scatter.getGroup());
  }
}
