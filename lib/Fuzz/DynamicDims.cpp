//===- DynamicDims.cpp - Sizes that only a run knows -----------------------===//
//
// One size of a static program becomes one that is not known: inputs lose it, and so
// do the values that depend on them, as far as their ops take it. In front of the
// others there is a tensor.cast back.
//
//===----------------------------------------------------------------------===//

#include "DynamicDims.h"

#include "dialects/Comm/Comm.h"
#include "dialects/NN/NN.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::fuzz;

static RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static bool isDynamic(Value value) {
  RankedTensorType type = tensorOf(value);
  return type && !type.hasStaticShape();
}

namespace {
class Forgetter {
public:
  Forgetter(func::FuncOp function, int64_t size, Choices &choices)
      : function(function), size(size), choices(choices) {}

  /// False where no input has the size.
  bool run(RandomProgram &program) {
    forgetArguments(program);
    if (!known)
      return false;
    visit(function.front());
    function.setType(FunctionType::get(function.getContext(), function.front().getArgumentTypes(),
                                       function.front().getTerminator()->getOperandTypes()));
    for (auto [value, twin] : twins)
      if (twin.use_empty())
        twin.getDefiningOp()->erase();
    return true;
  }

private:
  func::FuncOp function;
  int64_t size;
  Choices &choices;
  Value known; ///< the size, as a number
  llvm::DenseMap<Value, Value> twins;

  /// Of the dimensions that have the size, some or all.
  SmallVector<int64_t> forget(ArrayRef<int64_t> shape) {
    SmallVector<int64_t> forgotten(shape);
    for (int64_t &dim : forgotten)
      if (dim == size && !choices.oneIn(4))
        dim = ShapedType::kDynamic;
    return forgotten;
  }

  void forgetArguments(RandomProgram &program) {
    for (BlockArgument argument : function.getArguments()) {
      RankedTensorType type = tensorOf(argument);
      if (!type || function.getArgAttr(argument.getArgNumber(), kKindAttr))
        continue;
      setType(argument, forget(type.getShape()));
      for (int64_t d = 0; d < type.getRank() && !known && isDynamic(argument); ++d)
        if (tensorOf(argument).isDynamicDim(d)) {
          OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
          known = tensor::DimOp::create(builder, argument.getLoc(), argument, d);
        }
      if (!isDynamic(argument))
        continue;
      std::string sizes;
      for (int64_t dim : type.getShape())
        sizes += (sizes.empty() ? "" : "x") + std::to_string(dim);
      program.shapes.push_back(
          {(function.getName() + ".arg" + Twine(argument.getArgNumber())).str(), sizes});
    }
  }

  /// A value that is to be read as it was keeps a cast to that.
  void setType(Value value, ArrayRef<int64_t> shape) {
    RankedTensorType type = tensorOf(value);
    if (type.getShape() == shape)
      return;
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfterValue(value);
    value.setType(type.clone(shape));
    twins[value] = tensor::CastOp::create(builder, value.getLoc(), type, value);
    // Where it is not known what an op takes.
    value.replaceUsesWithIf(twins[value], [&](OpOperand &use) {
      return use.getOwner() != twins[value].getDefiningOp() &&
             isa<linalg::LinalgOp, tensor::PadOp, tensor::GenerateOp>(
                 use.getOwner()->getParentOp());
    });
  }

  void takeTwin(OpOperand &operand) {
    if (Value twin = twins.lookup(operand.get()))
      operand.set(twin);
  }
  /// Gives an operand a shape by a cast.
  void setShape(OpOperand &operand, ArrayRef<int64_t> shape) {
    RankedTensorType type = tensorOf(operand.get());
    if (!type || type.getShape() == shape)
      return;
    OpBuilder builder(operand.getOwner());
    operand.set(tensor::CastOp::create(builder, operand.getOwner()->getLoc(), type.clone(shape),
                                       operand.get()));
  }

  void visit(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op);
  }

  void visit(Operation *op) {
    bool isOfLoop = isa<scf::YieldOp>(op) && isa<scf::ForOp>(op->getParentOp());
    if (isa<tensor::CastOp, tensor::DimOp>(op) || isOfLoop)
      return;
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return visit(empty);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return visit(loop);
    if (isa<scf::SCFDialect>(op->getDialect()))
      for (Region &region : op->getRegions())
        for (Block &block : region)
          visit(block);
    if (isa<func::ReturnOp>(op))
      return visitReturn(op);
    if (llvm::none_of(op->getOperands(), isDynamic))
      return;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return visit(slice);
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      return visit(expand);
    SmallVector<Value> operands(op->getOperands());
    SmallVector<Type> types(op->getResultTypes());
    SmallVector<SmallVector<int64_t>> shapes = adapt(op);
    if (!shapes.empty()) {
      for (auto [result, shape] : llvm::zip_equal(op->getResults(), shapes))
        result.setType(tensorOf(result).clone(shape));
      bool isRight = succeeded(verify(op, /*verifyRecursively=*/false));
      for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
        result.setType(type);
      if (isRight) {
        for (auto [result, shape] : llvm::zip_equal(op->getResults(), shapes))
          setType(result, shape);
        return;
      }
      op->setOperands(operands);
    }
    for (OpOperand &operand : op->getOpOperands())
      takeTwin(operand);
  }

  void visit(tensor::EmptyOp op) {
    SmallVector<int64_t> shape = forget(op.getType().getShape());
    SmallVector<Value> sizes(llvm::count(shape, ShapedType::kDynamic), known);
    op->setOperands(sizes);
    setType(op.getResult(), shape);
  }

  /// What a loop carries loses the size in its block argument, what is yielded and the
  /// result.
  void visit(scf::ForOp loop) {
    for (auto [init, argument] :
         llvm::zip_equal(loop.getInitArgsMutable(), loop.getRegionIterArgs())) {
      if (choices.oneIn(3))
        takeTwin(init);
      else if (isDynamic(init.get()))
        setType(argument, tensorOf(init.get()).getShape());
    }
    visit(*loop.getBody());
    for (auto [init, yielded, result] :
         llvm::zip_equal(loop.getInitArgs(), loop.getBody()->getTerminator()->getOpOperands(),
                         loop.getResults()))
      if (isDynamic(init)) {
        setShape(yielded, tensorOf(init).getShape());
        setType(result, tensorOf(init).getShape());
      } else {
        takeTwin(yielded);
      }
  }

  /// Puts an op of another result in place of `op`.
  void replace(Operation *op, Value other) {
    SmallVector<int64_t> shape(tensorOf(other).getShape());
    op->getResult(0).replaceAllUsesWith(other);
    other.setType(op->getResult(0).getType());
    op->erase();
    setType(other, shape);
  }

  /// A part that begins in front has the size of the run.
  void visit(tensor::ExtractSliceOp op) {
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets(), sizes = op.getMixedSizes();
    bool isReduced = op.getType().getRank() != op.getSourceType().getRank();
    for (auto [offset, extent] : llvm::zip_equal(offsets, sizes))
      if (!isReduced && isConstantIntValue(offset, 0) && isConstantIntValue(extent, size))
        extent = known;
    OpBuilder builder(op);
    if (isReduced)
      return takeTwin(op.getSourceMutable());
    replace(op, tensor::ExtractSliceOp::create(builder, op.getLoc(), op.getSource(), offsets, sizes,
                                               op.getMixedStrides(),
                                               llvm::to_vector(op->getDiscardableAttrs())));
  }

  /// What is split must be known.
  void visit(tensor::ExpandShapeOp op) {
    RankedTensorType type = op.getSrcType(), whole = tensorOf(twins.lookup(op.getSrc()));
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(op.getContext(), op.getResultType().getShape());
    SmallVector<int64_t> shape(op.getResultType().getShape());
    bool isRight = true;
    for (auto [d, group] : llvm::enumerate(op.getReassociationIndices()))
      if (type.isDynamicDim(d)) {
        isRight &= group.size() == 1 && whole.getDimSize(d) == size;
        sizes[group[0]] = known;
        shape[group[0]] = ShapedType::kDynamic;
      }
    OpBuilder builder(op);
    if (!isRight)
      return takeTwin(op.getSrcMutable());
    auto expanded = tensor::ExpandShapeOp::create(builder, op.getLoc(), type.clone(shape),
                                                  op.getSrc(), op.getReassociationIndices(), sizes);
    expanded->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    replace(op, expanded);
  }

  /// States keep their types.
  void visitReturn(Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (function.getResultAttr(operand.getOperandNumber(), kAliasAttr) || choices.oneIn(2))
        takeTwin(operand);
  }

  /// Shapes of the results of an op that takes its operands without the size, some of
  /// which are cast; none where it does not.
  SmallVector<SmallVector<int64_t>> adapt(Operation *op) {
    auto shapeOf = [](Value value) { return SmallVector<int64_t>(tensorOf(value).getShape()); };
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      SmallVector<SmallVector<int64_t>> shapes;
      for (Value init : linalgOp.getDpsInits())
        shapes.push_back(shapeOf(init));
      return shapes;
    }
    if (op->getNumResults() != 1 || !tensorOf(op->getResult(0)))
      return {};
    if (op->hasTrait<OpTrait::Elementwise>() || isa<ConstraintOp, BarrierOp>(op)) {
      SmallVector<int64_t> shape = shapeOf(op->getResult(0));
      for (Value operand : op->getOperands())
        if (isDynamic(operand))
          for (auto [dim, found] : llvm::zip_equal(shape, tensorOf(operand).getShape()))
            dim = ShapedType::isDynamic(found) ? found : dim;
      for (OpOperand &operand : op->getOpOperands())
        setShape(operand, shape);
      return {shape};
    }
    if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
      takeTwin(slice.getSourceMutable());
      return {shapeOf(slice.getDest())};
    }
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
      return {SmallVector<int64_t>(tensor::CollapseShapeOp::inferCollapsedType(
                                       collapse.getSrcType(), collapse.getReassociationMaps())
                                       .getShape())};
    if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      return {SmallVector<int64_t>(
          tensor::ConcatOp::inferResultType(concat.getDim(), concat.getInputs().getTypes())
              .getShape())};
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      return {SmallVector<int64_t>(tensor::PadOp::inferResultType(
                                       pad.getSourceType(), pad.getStaticLow(), pad.getStaticHigh())
                                       .getShape())};
    return {};
  }
};
} // namespace

void fuzz::forgetSizes(RandomProgram &program, Choices &choices) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                      math::MathDialect, scf::SCFDialect, tensor::TensorDialect, TPDialect,
                      nn::NNDialect, comm::CommDialect>();
  context.disableMultithreading();
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program.text, &context);
  // Whoever takes the program will say so.
  if (!module)
    return;
  for (const RandomEntry &entry : program.entries) {
    auto function = module->lookupSymbol<func::FuncOp>(entry.name);
    SmallVector<int64_t> sizes;
    for (Value argument : function.getArguments())
      if (RankedTensorType type = tensorOf(argument))
        llvm::append_range(sizes, type.getShape());
    if (!sizes.empty())
      Forgetter(function, sizes[choices.pick(0, sizes.size() - 1)], choices).run(program);
  }
  assert(succeeded(verify(*module)) && "a size was forgotten where it is needed");
  program.text.clear();
  llvm::raw_string_ostream os(program.text);
  module->print(os);
}
