//===- Shards.cpp - The meaning of a sharding, executed --------------------===//

#include "tp/Interpreter/Shards.h"

#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

Tensor interp::shard(const Tensor &global, const Sharding &sharding, const Mesh &mesh,
                     int64_t device, Padding padding) {
  Type type = global.getElementType();
  Tensor local(sharding.localShape(global.getShape()), type,
               padding == Padding::Poison ? getPoison(type) : Element::ofInt(0));
  SmallVector<ShardBlock> blocks = sharding.blocks(mesh, global.getShape(), device);
  SmallVector<int64_t> sizes, globalIndex(blocks.size());
  for (const ShardBlock &block : blocks)
    sizes.push_back(block.size);
  const PartialAxis *neutral = llvm::find_if(sharding.partial, [&](const PartialAxis &axis) {
    return axis.part.coordinate(mesh, device) != 0;
  });
  MutableArrayRef<Element> out = local.mutate();
  (void)forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    for (auto [d, block] : llvm::enumerate(blocks))
      globalIndex[d] = block.offset + index[d];
    out[local.linearize(index)] = neutral != sharding.partial.end()
                                      ? getNeutral(neutral->kind, type)
                                      : global.at(globalIndex);
    return success();
  });
  return local;
}

std::vector<Tensor> interp::shardAll(const Tensor &global, const Sharding &sharding,
                                     const Mesh &mesh, Padding padding) {
  std::vector<Tensor> locals;
  for (int64_t device = 0; device < mesh.numDevices(); ++device)
    locals.push_back(shard(global, sharding, mesh, device, padding));
  return locals;
}

Tensor interp::reduceInOrder(ReductionKind kind, ArrayRef<const Tensor *> values) {
  const Tensor &first = *values.front();
  auto floating = dyn_cast<FloatType>(first.getElementType());
  Type accumulator = first.getElementType();
  if (floating && floating.getWidth() < 64)
    accumulator = Float32Type::get(floating.getContext());
  Tensor result = first;
  for (auto [i, slot] : llvm::enumerate(result.mutate())) {
    for (const Tensor *value : values.drop_front())
      slot = combine(kind, accumulator, slot, (*value)[i]);
    if (floating)
      slot.f = roundTo(floating, slot.f);
  }
  return result;
}

SmallVector<int64_t> interp::getGroup(ArrayRef<AxisPart> parts, const Mesh &mesh, int64_t device) {
  SmallVector<int64_t> group = {device};
  for (const AxisPart &part : parts) {
    // One step of the part's coordinate, in device ids.
    int64_t step = mesh.sizes[part.axis] / (part.pre * part.size);
    for (unsigned axis = part.axis + 1; axis < mesh.numAxes(); ++axis)
      step *= mesh.sizes[axis];
    int64_t coordinate = part.coordinate(mesh, device);
    SmallVector<int64_t> wider;
    for (int64_t member : group)
      for (int64_t c = 0; c < part.size; ++c)
        wider.push_back(member + (c - coordinate) * step);
    group = std::move(wider);
  }
  return group;
}

/// Every device's value after its partial axes are reduced.
static std::vector<Tensor> reducePartial(ArrayRef<Tensor> locals, const Sharding &sharding,
                                         const Mesh &mesh) {
  std::vector<Tensor> values(locals.begin(), locals.end());
  for (size_t i = 0, n = sharding.partial.size(); i < n;) {
    ReductionKind kind = sharding.partial[i].kind;
    SmallVector<AxisPart> parts;
    for (; i < n && sharding.partial[i].kind == kind; ++i)
      parts.push_back(sharding.partial[i].part);
    std::vector<Tensor> reduced(values.size());
    for (size_t device = 0; device < values.size(); ++device) {
      SmallVector<int64_t> group = getGroup(parts, mesh, device);
      size_t leader = *llvm::min_element(group);
      if (leader < device) {
        reduced[device] = reduced[leader];
        continue;
      }
      SmallVector<const Tensor *> members;
      for (int64_t member : group)
        members.push_back(&values[member]);
      reduced[device] = reduceInOrder(kind, members);
    }
    values = std::move(reduced);
  }
  return values;
}

static std::string indexToString(ArrayRef<int64_t> index) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(index, os);
  os << ']';
  return text;
}

FailureOr<Tensor> interp::unshard(ArrayRef<Tensor> locals, const Sharding &sharding,
                                  const Mesh &mesh, ArrayRef<int64_t> globalShape,
                                  function_ref<InFlightDiagnostic()> emitError) {
  assert(static_cast<int64_t>(locals.size()) == mesh.numDevices() && "one value per device");
  SmallVector<int64_t> localShape = sharding.localShape(globalShape);
  for (auto [device, local] : llvm::enumerate(locals))
    if (local.getShape() != ArrayRef(localShape))
      return emitError() << "rank " << device << " holds " << indexToString(local.getShape())
                         << " where the sharding gives " << indexToString(localShape);
  Type type = locals.front().getElementType();
  std::vector<Tensor> values = reducePartial(locals, sharding, mesh);
  Tensor global(globalShape, type);
  MutableArrayRef<Element> out = global.mutate();
  std::vector<int64_t> writer(out.size(), -1);
  for (size_t device = 0; device < values.size(); ++device) {
    const Tensor &value = values[device];
    SmallVector<ShardBlock> blocks = sharding.blocks(mesh, globalShape, device);
    SmallVector<int64_t> sizes, globalIndex(blocks.size());
    for (const ShardBlock &block : blocks)
      sizes.push_back(block.size);
    LogicalResult agrees = forEachIndex(sizes, [&](ArrayRef<int64_t> index) -> LogicalResult {
      for (auto [d, block] : llvm::enumerate(blocks))
        globalIndex[d] = block.offset + index[d];
      int64_t position = global.linearize(globalIndex);
      Element element = value.at(index);
      if (writer[position] < 0) {
        writer[position] = device;
        out[position] = element;
        return success();
      }
      if (isSame(type, out[position], element))
        return success();
      return emitError() << "replicas differ at index " << indexToString(globalIndex) << ": rank "
                         << writer[position] << " holds " << toString(type, out[position])
                         << ", rank " << device << " holds " << toString(type, element);
    });
    if (failed(agrees))
      return failure();
  }
  assert(!llvm::is_contained(writer, -1) && "blocks cover the global value");
  return global;
}
