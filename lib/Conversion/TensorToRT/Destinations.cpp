//===- Destinations.cpp - Values that end in given buffers ----------------===//

#include "Destinations.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tp;

Value tp::getOrigin(Value value, Operation *scope) {
  while (Operation *op = value.getDefiningOp()) {
    if (scope && !scope->isProperAncestor(op))
      break;
    if (isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
            tensor::ReshapeOp>(op))
      value = op->getOperand(0);
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      value = insert.getDest();
    else if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
      value = style.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      value = loop.getTiedLoopInit(cast<OpResult>(value))->get();
    else
      break;
  }
  return value;
}

Value tp::createCopy(OpBuilder &builder, Value value) {
  return bufferization::AllocTensorOp::create(
      builder, value.getLoc(), cast<RankedTensorType>(value.getType()), ValueRange(), value);
}

namespace {

/// How deep in nested ops a value is defined.
unsigned getDepth(Value value) {
  unsigned depth = 0;
  for (Operation *op = value.getParentRegion()->getParentOp(); op; op = op->getParentOp())
    ++depth;
  return depth;
}

/// Whether `a`, which is visible where `b` is, was defined after it. Then `b` is
/// no view of `a`.
bool isDefinedAfter(Value a, Value b) {
  unsigned depthOfA = getDepth(a), depthOfB = getDepth(b);
  if (depthOfA != depthOfB)
    return depthOfA > depthOfB;
  Operation *opOfA = a.getDefiningOp(), *opOfB = b.getDefiningOp();
  if (!opOfA || !opOfB)
    return opOfA;
  return opOfA != opOfB && opOfB->isBeforeInBlock(opOfA);
}

/// Whether a branch hands on what was there before. That is copied by an op of its
/// own: it must not be computed in the destination, which other branches write.
bool isFromOutside(Value value, Operation *terminator) {
  return !isa<LoopLikeOpInterface>(terminator->getParentOp()) &&
         value.getParentRegion() != terminator->getParentRegion();
}

/// `value`, copied into `tensor`. A linalg.copy would be taken for a place that the
/// value can be computed in.
Value createElementwiseCopy(OpBuilder &builder, Value value, Value tensor) {
  unsigned rank = cast<RankedTensorType>(value.getType()).getRank();
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, value.getLoc(), tensor.getType(), value, tensor, maps,
                                   iterators,
                                   [](OpBuilder &nested, Location loc, ValueRange arguments) {
                                     linalg::YieldOp::create(nested, loc, arguments.front());
                                   })
      .getResult(0);
}

/// All destinations of one value.
struct Group {
  SmallVector<Destination> members;

  Value getValue() const { return members.front().operand->get(); }
  bool isRead() const { return members.front().isRead; }
};

} // namespace

void tp::materializeInDestinations(SmallVector<Destination> destinations, bool copyFirst) {
  if (copyFirst)
    for (const Destination &destination : destinations)
      if (destination.operand->get() != destination.tensor) {
        OpBuilder builder(destination.operand->getOwner());
        destination.operand->set(createCopy(builder, destination.operand->get()));
      }
  // A value that becomes the contents of a tensor which is read goes there first,
  // and from there to the others.
  llvm::MapVector<Value, Group> groups;
  for (bool isRead : {true, false})
    for (const Destination &destination : destinations)
      if (destination.isRead == isRead && destination.operand->get() != destination.tensor)
        groups[destination.operand->get()].members.push_back(destination);
  SmallVector<std::pair<unsigned, Group *>> order;
  for (auto [i, entry] : llvm::enumerate(groups))
    order.push_back({i, &entry.second});
  llvm::sort(order, [](const auto &a, const auto &b) {
    if (a.second->isRead() != b.second->isRead())
      return b.second->isRead();
    Value x = a.second->getValue(), y = b.second->getValue();
    if (isDefinedAfter(x, y) || isDefinedAfter(y, x))
      return isDefinedAfter(x, y);
    return a.first < b.first;
  });
  // What is there is read before it is overwritten; where values go around in a
  // circle, one is kept in a copy.
  llvm::SmallDenseMap<Value, SmallVector<Group *, 1>> readers;
  for (auto [number, group] : order)
    readers[getOrigin(group->getValue())].push_back(group);
  auto overwrites = [&](const Group &group) {
    SmallVector<Group *> overwritten;
    for (const Destination &member : group.members)
      for (Group *reader : readers.lookup(member.tensor))
        if (reader != &group)
          overwritten.push_back(reader);
    return overwritten;
  };
  while (!order.empty()) {
    auto next =
        llvm::find_if(order, [&](const auto &entry) { return overwrites(*entry.second).empty(); });
    if (next == order.end()) {
      next = order.begin();
      for (Group *reader : overwrites(*next->second)) {
        OpBuilder builder(reader->members.front().operand->getOwner());
        Value copy = createCopy(builder, reader->getValue());
        llvm::erase(readers[getOrigin(reader->getValue())], reader);
        for (const Destination &member : reader->members)
          member.operand->set(copy);
      }
    }
    Group *group = next->second;
    order.erase(next);
    OpBuilder builder(group->members.front().operand->getOwner());
    Value value = group->getValue();
    llvm::erase(readers[getOrigin(value)], group);
    for (const Destination &member : group->members) {
      if (isFromOutside(value, member.operand->getOwner())) {
        value = createElementwiseCopy(builder, value, member.tensor);
        member.operand->set(value);
        continue;
      }
      value = bufferization::MaterializeInDestinationOp::create(
                  builder, value.getLoc(), member.tensor.getType(), value, member.tensor)
                  .getResult();
      member.operand->set(value);
    }
  }
}
