//===- Rank.cpp - Control flow and dispatch of one rank --------------------===//

#include "Rank.h"

#include "dialects/Comm/Comm.h"
#include "dialects/NN/NN.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tp/Interfaces/Expand.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

/// Deeper is taken for recursion without end.
static constexpr size_t kMaxCallDepth = 1000;

LogicalResult interp::emitUnknown(Operation *op, Environment &env) {
  return env.emitError(op) << "is not known to the interpreter";
}

FailureOr<Results> interp::evaluateElementwise(Operation *op, ArrayRef<Tensor> operands,
                                               Environment &env) {
  auto [it, isNew] = env.program.functions.try_emplace(op);
  if (isNew)
    it->second = getScalarFunction(op);
  const ScalarFunction &function = it->second;
  if (!function)
    return emitUnknown(op, env);
  ArrayRef<int64_t> shape;
  for (const Tensor &operand : operands)
    if (operand.getRank() > 0)
      shape = operand.getShape();
  for (const Tensor &operand : operands)
    if (operand.getRank() > 0 && operand.getShape() != shape)
      return env.emitError(op) << "has operands of different shapes";
  Results results;
  SmallVector<MutableArrayRef<Element>> outs;
  for (Type type : op->getResultTypes())
    results.push_back(Tensor(shape, getElementTypeOrSelf(type)));
  for (Tensor &result : results)
    outs.push_back(result.mutate());
  SmallVector<Element> in(operands.size()), out(results.size());
  for (int64_t i = 0, n = getNumElements(shape); i < n; ++i) {
    // A select may have one condition for all elements.
    for (auto [slot, operand] : llvm::zip_equal(in, operands))
      slot = operand.getRank() > 0 ? operand[i] : operand.getScalar();
    if (const char *problem = function(in.data(), out.data()))
      return env.emitError(op) << problem;
    for (auto [slot, value] : llvm::zip_equal(outs, out))
      slot[i] = value;
  }
  return results;
}

static FailureOr<Results> evaluateConstant(arith::ConstantOp op, Environment &env) {
  auto it = env.program.constants.find(op);
  if (it == env.program.constants.end()) {
    FailureOr<Tensor> value = Tensor::fromAttribute(op.getValue());
    if (failed(value))
      return env.emitError(op) << "has a value that the interpreter cannot read";
    it = env.program.constants.try_emplace(op, *value).first;
  }
  return Results{it->second};
}

static FailureOr<Results> evaluatePoison(ub::PoisonOp op, Environment &env) {
  auto shaped = dyn_cast<RankedTensorType>(op.getType());
  if (shaped && !shaped.hasStaticShape())
    return emitUnknown(op, env);
  ArrayRef<int64_t> shape = shaped ? shaped.getShape() : ArrayRef<int64_t>();
  return Results{makeUninitialized(shape, getElementTypeOrSelf(op.getType()), env)};
}

SmallVector<Tensor> Rank::lookup(ValueRange values) const {
  SmallVector<Tensor> tensors;
  for (Value value : values)
    tensors.push_back(env.lookup(value));
  return tensors;
}

/// Gives names their values, checked against their types: a cast or a loop may
/// promise sizes that do not come.
LogicalResult Rank::bind(Operation *op, ValueRange values, ArrayRef<Tensor> tensors) {
  assert(values.size() == tensors.size() && "one tensor per value");
  for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && failed(verifyCompatibleShape(type.getShape(), tensor.getShape())))
      return env.emitError(op) << "gives a value of " << tensor.getType() << " where " << type
                               << " was promised";
    env.bind(value, tensor);
  }
  return success();
}

LogicalResult Rank::start(func::FuncOp entry, ArrayRef<Tensor> arguments) {
  if (entry.isExternal())
    return entry.emitError() << "function '" << entry.getSymName() << "' has no body";
  if (entry.getNumArguments() != arguments.size())
    return entry.emitError() << "function '" << entry.getSymName() << "' takes "
                             << entry.getNumArguments() << " arguments, found " << arguments.size();
  for (auto [i, type, argument] : llvm::enumerate(entry.getArgumentTypes(), arguments)) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    bool fits = getElementTypeOrSelf(type) == argument.getElementType() &&
                (shaped ? succeeded(verifyCompatibleShape(shaped.getShape(), argument.getShape()))
                        : argument.getRank() == 0 && !isa<ShapedType>(type));
    if (!fits)
      return entry.emitError() << "argument " << i << " of '" << entry.getSymName() << "' is "
                               << type << ", found a value of " << argument.getType();
  }
  return enter(entry, entry.getBody(), arguments);
}

LogicalResult Rank::run() {
  while (state == State::Running) {
    Operation *op = &*frames.back().next;
    if (comm::isCollective(op)) {
      state = State::Waiting;
      break;
    }
    if (failed(env.step(op)) || failed(execute(op)))
      return failure();
  }
  return success();
}

LogicalResult Rank::resume(ArrayRef<Tensor> values) {
  Operation *op = getCollective();
  state = State::Running;
  ++frames.back().next;
  return bind(op, op->getResults(), values);
}

LogicalResult Rank::enter(Operation *op, Region &region, ArrayRef<Tensor> arguments) {
  if (!region.hasOneBlock())
    return env.emitError(op) << "has unstructured control flow, which the interpreter does not run";
  frames.push_back({op, region.front().begin()});
  return bind(op, region.getArguments(), arguments);
}

LogicalResult Rank::finish(ArrayRef<Tensor> values) {
  Operation *op = frames.back().op;
  frames.pop_back();
  return bind(op, op->getResults(), values);
}

LogicalResult Rank::call(func::CallOp op) {
  auto callee = env.program.symbols.lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
  if (!callee || callee.isExternal())
    return env.emitError(op) << "calls a function without a body";
  if (calls.size() == kMaxCallDepth)
    return env.emitError(op) << "exceeds " << kMaxCallDepth << " nested calls";
  SmallVector<Tensor> arguments = lookup(op.getOperands());
  calls.push_back({op, std::move(env.values)});
  env.values.clear();
  return enter(callee, callee.getBody(), arguments);
}

LogicalResult Rank::returnFrom(func::ReturnOp op) {
  SmallVector<Tensor> values = lookup(op.getOperands());
  frames.pop_back();
  if (calls.empty()) {
    results = std::move(values);
    state = State::Returned;
    return success();
  }
  Call call = std::move(calls.back());
  calls.pop_back();
  env.values = std::move(call.values);
  return bind(call.site, call.site->getResults(), values);
}

FailureOr<LoopRange> interp::getLoopRange(scf::ForOp loop, int64_t lower, int64_t upper,
                                          int64_t step, Environment &env) {
  Type type = loop.getInductionVar().getType();
  // Values are kept with their sign; an unsigned loop takes the bits of its type.
  bool isUnsigned = loop.getUnsignedCmp();
  auto bound = [&](int64_t number) {
    return isUnsigned ? zeroExtend(type, number) : static_cast<uint64_t>(number);
  };
  auto isLess = [&](uint64_t a, uint64_t b) {
    return isUnsigned ? a < b : static_cast<int64_t>(a) < static_cast<int64_t>(b);
  };
  LoopRange range{bound(lower), bound(step), 0};
  if (!isLess(0, range.step))
    return env.emitError(loop) << "needs a positive step, found "
                               << static_cast<int64_t>(range.step);
  if (isLess(range.lower, bound(upper)))
    range.trips = (bound(upper) - range.lower - 1) / range.step + 1;
  return range;
}

LogicalResult Rank::enterFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  auto bound = [&](Value value) { return env.lookup(value).getScalar().i; };
  FailureOr<LoopRange> range = getLoopRange(
      loop, bound(loop.getLowerBound()), bound(loop.getUpperBound()), bound(loop.getStep()), env);
  if (failed(range))
    return failure();
  SmallVector<Tensor> carried = lookup(loop.getInitArgs());
  if (range->trips == 0)
    return bind(op, op->getResults(), carried);
  Type type = loop.getInductionVar().getType();
  carried.insert(carried.begin(), Tensor::index(type, wrapTo(type, range->lower)));
  if (failed(enter(op, loop.getRegion(), carried)))
    return failure();
  Frame &frame = frames.back();
  frame.remaining = range->trips - 1;
  frame.value = range->lower;
  frame.step = range->step;
  return success();
}

/// At the terminator of a region of scf: the next trip, the next region, or on
/// behind the op.
LogicalResult Rank::leave(Operation *terminator) {
  Frame &frame = frames.back();
  SmallVector<Tensor> values = lookup(terminator->getOperands());
  if (auto loop = dyn_cast<scf::ForOp>(frame.op)) {
    if (frame.remaining == 0)
      return finish(values);
    --frame.remaining;
    frame.value += frame.step;
    frame.next = loop.getBody()->begin();
    Type type = loop.getInductionVar().getType();
    values.insert(values.begin(), Tensor::index(type, wrapTo(type, frame.value)));
    return bind(loop, loop.getBody()->getArguments(), values);
  }
  auto loop = dyn_cast<scf::WhileOp>(frame.op);
  if (!loop)
    return finish(values);
  Block *target = loop.getBeforeBody();
  if (isa<scf::ConditionOp>(terminator)) {
    bool goesOn = values.front().getScalar().i;
    values.erase(values.begin());
    if (!goesOn)
      return finish(values);
    target = loop.getAfterBody();
  }
  frame.next = target->begin();
  return bind(loop, target->getArguments(), values);
}

/// Ops without control flow, but those of nn.
static FailureOr<Results> evaluateOp(Operation *op, ArrayRef<Tensor> operands, Environment &env) {
  return llvm::TypeSwitch<Operation *, FailureOr<Results>>(op)
      .Case([&](arith::ConstantOp op) { return evaluateConstant(op, env); })
      .Case([&](ub::PoisonOp op) { return evaluatePoison(op, env); })
      .Case([&](comm::CoordinateOp op) { return evaluateCoordinate(op, env); })
      .Case([&](comm::CheckIndexOp op) -> FailureOr<Results> {
        int64_t value = operands[0].getScalar().i;
        if (value >= static_cast<int64_t>(op.getLower()) &&
            value < static_cast<int64_t>(op.getUpper()))
          return Results{operands[0]};
        return env.emitError(op) << op.getReason().value_or("index") << " must be in ["
                                 << static_cast<int64_t>(op.getLower()) << ", "
                                 << static_cast<int64_t>(op.getUpper()) << "), found " << value;
      })
      .Case([&](tp::WindowOp op) -> FailureOr<Results> {
        if (env.options.mesh.numDevices() > 1)
          return env.emitError(op) << "stands on global values: the program is not partitioned";
        return Results{evaluateWindow(op, operands[0], env)};
      })
      .Case<tp::ReshardOp, tp::ConstraintOp, tp::BarrierOp>(
          [&](Operation *op) -> FailureOr<Results> {
            if (env.options.mesh.numDevices() > 1)
              return env.emitError(op) << "stands on global values: the program is not partitioned";
            return Results{operands[0]};
          })
      .Default([&](Operation *op) -> FailureOr<Results> {
        Dialect *dialect = op->getDialect();
        if (isa_and_nonnull<arith::ArithDialect, math::MathDialect, affine::AffineDialect>(dialect))
          return evaluateElementwise(op, operands, env);
        if (isa_and_nonnull<tensor::TensorDialect>(dialect))
          return evaluateTensorOp(op, operands, env);
        if (isa_and_nonnull<linalg::LinalgDialect>(dialect))
          return evaluateLinalgOp(op, operands, env);
        return emitUnknown(op, env);
      });
}

/// Puts what `op` decomposes into in its place.
static LogicalResult expand(Operation *op) {
  IRRewriter rewriter(op);
  if (isExpandable(op))
    return expandOp(rewriter, op);
  auto values = cast<linalg::AggregatedOpInterface>(op).decomposeOperation(rewriter);
  if (succeeded(values))
    rewriter.replaceOp(op, *values);
  return values;
}

/// What the op decomposes into, in terms of the region's arguments for its operands.
static FailureOr<Region *> getDefinition(Operation *op, Environment &env) {
  OwningOpRef<func::FuncOp> &function = env.program.definitions[op];
  if (!function) {
    auto type = FunctionType::get(op->getContext(), op->getOperandTypes(), op->getResultTypes());
    function = func::FuncOp::create(op->getLoc(), "definition", type);
    Block &block = *function->addEntryBlock();
    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    IRMapping mapping;
    mapping.map(op->getOperands(), block.getArguments());
    Operation *clone = builder.clone(*op, mapping);
    scf::YieldOp::create(builder, op->getLoc(), clone->getResults());
    if (failed(expand(clone)))
      return failure();
  }
  return &function->getBody();
}

LogicalResult Rank::evaluate(Operation *op) {
  for (Type type : op->getResultTypes()) {
    if (!isSupportedType(type))
      return env.emitError(op) << "gives a value of type " << type
                               << ", which the interpreter cannot hold";
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape() && failed(checkSizes(op, tensor.getShape(), env)))
      return failure();
  }
  SmallVector<Tensor> operands = lookup(op->getOperands());
  std::optional<FailureOr<Results>> evaluated;
  if (isa_and_nonnull<nn::NNDialect>(op->getDialect()))
    evaluated = evaluateNNOp(op, operands, env);
  else if (!isExpandable(op) || isa<linalg::SoftmaxOp, tensor::ReshapeOp, tensor::BitcastOp>(op))
    evaluated = evaluateOp(op, operands, env);
  if (evaluated)
    return failed(*evaluated) ? failure() : bind(op, op->getResults(), **evaluated);
  FailureOr<Region *> definition = getDefinition(op, env);
  if (failed(definition))
    return emitUnknown(op, env);
  return enter(op, **definition, operands);
}

LogicalResult Rank::execute(Operation *op) {
  using R = LogicalResult;
  // Where control goes elsewhere it comes back behind the op.
  ++frames.back().next;
  return llvm::TypeSwitch<Operation *, R>(op)
      .Case([&](func::CallOp op) { return call(op); })
      .Case([&](func::ReturnOp op) { return returnFrom(op); })
      .Case<scf::YieldOp, scf::ConditionOp>([&](Operation *op) { return leave(op); })
      .Case([&](scf::ForOp op) { return enterFor(op); })
      .Case([&](scf::WhileOp op) { return enter(op, op.getBefore(), lookup(op.getInits())); })
      .Case([&](scf::IfOp op) -> R {
        bool condition = env.lookup(op.getCondition()).getScalar().i;
        Region &region = condition ? op.getThenRegion() : op.getElseRegion();
        return region.empty() ? success() : enter(op, region, {});
      })
      .Case([&](scf::IndexSwitchOp op) -> R {
        int64_t value = env.lookup(op.getArg()).getScalar().i;
        for (auto [i, label] : llvm::enumerate(op.getCases()))
          if (label == value)
            return enter(op, op.getCaseRegions()[i], {});
        return enter(op, op.getDefaultRegion(), {});
      })
      .Case([&](scf::ExecuteRegionOp op) { return enter(op, op.getRegion(), {}); })
      .Default([&](Operation *op) { return evaluate(op); });
}
