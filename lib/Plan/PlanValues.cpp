//===- PlanValues.cpp - The values that a plan can name --------------------===//

#include "tp/Plan/PlanValues.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tp;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Type ValuePlace::getType() const {
  if (kind == Kind::OpResult)
    return op->getResult(number).getType();
  auto function = cast<func::FuncOp>(op);
  return kind == Kind::Argument ? function.getArgumentTypes()[number]
                                : function.getResultTypes()[number];
}

Location ValuePlace::getLoc() const {
  if (kind == Kind::Argument)
    return cast<func::FuncOp>(op).getArgument(number).getLoc();
  return op->getLoc();
}

/// The attribute `name` of the place; on ops the element of its array.
static Attribute getPlaceAttr(const ValuePlace &place, StringRef name) {
  if (place.kind == ValuePlace::Kind::Argument)
    return cast<func::FuncOp>(place.op).getArgAttr(place.number, name);
  if (place.kind == ValuePlace::Kind::FunctionResult)
    return cast<func::FuncOp>(place.op).getResultAttr(place.number, name);
  auto array = place.op->getAttrOfType<ArrayAttr>(name);
  return array && place.number < array.size() ? array[place.number] : Attribute();
}

ShardingAttr ValuePlace::getSharding() const {
  return dyn_cast_or_null<ShardingAttr>(getPlaceAttr(*this, kShardingAttr));
}

int64_t ValuePlace::getPriority() const {
  int64_t last = 0;
  if (auto own = dyn_cast_or_null<IntegerAttr>(getPlaceAttr(*this, kPriorityAttr)))
    last = own.getInt();
  if (auto cuts = dyn_cast_or_null<DenseI64ArrayAttr>(getPlaceAttr(*this, kCutPriorityAttr)))
    for (int64_t priority : cuts.asArrayRef())
      last = std::max(last, priority);
  return last;
}

StringAttr ValuePlace::getRole() const {
  if (kind == Kind::OpResult)
    return op->getAttrOfType<StringAttr>(kRoleAttr);
  return dyn_cast_or_null<StringAttr>(getPlaceAttr(*this, kRoleAttr));
}

StringRef ValuePlace::getGroup() const {
  auto group = dyn_cast_or_null<StringAttr>(getPlaceAttr(*this, kGroupAttr));
  return group ? group.getValue() : StringRef();
}

StringAttr ValuePlace::getWhy() const {
  return dyn_cast_or_null<StringAttr>(getPlaceAttr(*this, kWhyAttr));
}

bool PlanValue::hasDims() const {
  auto type = dyn_cast<RankedTensorType>(places.front().getType());
  return type && type.getRank() > 0;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void PlaceWriter::set(const ValuePlace &place, StringRef name, Attribute value,
                      llvm::function_ref<Attribute(Type)> makeDefault) {
  if (place.kind == ValuePlace::Kind::OpResult) {
    SmallVector<Attribute> all;
    for (OpResult result : place.op->getResults()) {
      Attribute old = getPlaceAttr({place.kind, place.op, result.getResultNumber()}, name);
      all.push_back(old ? old : makeDefault(result.getType()));
    }
    all[place.number] = value;
    place.op->setAttr(name, ArrayAttr::get(place.op->getContext(), all));
    return;
  }
  Attributes &attributes = functions[place.op];
  if (attributes.arguments.empty() && attributes.results.empty()) {
    auto function = cast<func::FuncOp>(place.op);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      attributes.arguments.emplace_back(function.getArgAttrDict(i));
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      attributes.results.emplace_back(function.getResultAttrDict(i));
  }
  bool isArgument = place.kind == ValuePlace::Kind::Argument;
  (isArgument ? attributes.arguments : attributes.results)[place.number].set(name, value);
}

void PlaceWriter::setSharding(const ValuePlace &place, ShardingAttr sharding) {
  MLIRContext *context = place.op->getContext();
  // The other results of the op stay open.
  set(place, kShardingAttr, sharding, [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    SmallVector<DimShardingAttr> dims(tensor ? tensor.getRank() : 0,
                                      DimShardingAttr::get(context, {}, /*open=*/true));
    return ShardingAttr::get(context, dims, {});
  });
}

void PlaceWriter::setPriority(const ValuePlace &place, int64_t priority) {
  Builder builder(place.op->getContext());
  set(place, kPriorityAttr, builder.getI64IntegerAttr(priority),
      [&](Type) { return builder.getI64IntegerAttr(0); });
}

void PlaceWriter::setText(const ValuePlace &place, StringRef name, StringRef text) {
  Builder builder(place.op->getContext());
  set(place, name, builder.getStringAttr(text), [&](Type) { return builder.getStringAttr(""); });
}

void PlaceWriter::finish() {
  for (auto &[op, attributes] : functions) {
    auto function = cast<func::FuncOp>(op);
    MLIRContext *context = function.getContext();
    auto toDictionary = [&](NamedAttrList &list) { return list.getDictionary(context); };
    function.setAllArgAttrs(llvm::map_to_vector(attributes.arguments, toDictionary));
    function.setAllResultAttrs(llvm::map_to_vector(attributes.results, toDictionary));
  }
  functions.clear();
}

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

SmallVector<func::FuncOp> tp::getEntries(ModuleOp module) {
  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      entries.push_back(function);
  return entries;
}

namespace {
class Collector {
public:
  std::vector<PlanValue> values;

  void addFunction(func::FuncOp function) {
    SmallVector<size_t> arguments;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      arguments.push_back(addArgument(function, i));
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      auto alias = function.getResultAttrOfType<IntegerAttr>(i, kAliasAttr);
      // The new value of a state lives where the state lives.
      size_t at = alias ? arguments[alias.getInt()] : add();
      addName(at, function.getResultAttrOfType<StringAttr>(i, kNameAttr));
      values[at].names.push_back((function.getName() + ".result" + Twine(i)).str());
      values[at].places.push_back({ValuePlace::Kind::FunctionResult, function, i});
    }
  }

  void addOp(Operation *op) {
    auto name = op->getAttrOfType<StringAttr>(kNameAttr);
    if (!name || isa<func::FuncOp>(op))
      return;
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      size_t at = add();
      std::string suffix = op->getNumResults() == 1 ? "" : "#" + std::to_string(i);
      values[at].names.push_back(name.str() + suffix);
      values[at].places.push_back({ValuePlace::Kind::OpResult, op, i});
    }
  }

private:
  /// Values of the whole module by kind and name.
  llvm::StringMap<size_t> shared;

  size_t add() {
    values.emplace_back();
    return values.size() - 1;
  }

  void addName(size_t at, StringAttr name) {
    if (name && !llvm::is_contained(values[at].names, name.getValue()))
      values[at].names.push_back(name.str());
  }

  size_t addArgument(func::FuncOp function, unsigned number) {
    auto name = function.getArgAttrOfType<StringAttr>(number, kNameAttr);
    auto kind = function.getArgAttrOfType<StringAttr>(number, kKindAttr);
    size_t at;
    if (name && kind && kind.getValue() != "input") {
      std::string key = (kind.getValue() + "/" + name.getValue()).str();
      auto [entry, isNew] = shared.try_emplace(key, values.size());
      at = isNew ? add() : entry->second;
    } else {
      at = add();
    }
    addName(at, name);
    if (auto source = function.getArgAttrOfType<DictionaryAttr>(number, kSourceAttr))
      addName(at, source.getAs<StringAttr>("tensor"));
    values[at].names.push_back((function.getName() + ".arg" + Twine(number)).str());
    values[at].places.push_back({ValuePlace::Kind::Argument, function, number});
    return at;
  }
};
} // namespace

std::vector<PlanValue> tp::collectPlanValues(ModuleOp module) {
  Collector collector;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPublic() && !function.isExternal())
      collector.addFunction(function);
    function.walk([&](Operation *op) { collector.addOp(op); });
  }
  return std::move(collector.values);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool tp::matchesKey(StringRef key, StringRef name) {
  auto [head, rest] = key.split('*');
  if (head.size() == key.size())
    return key == name;
  if (!name.consume_front(head))
    return false;
  // Each piece at its first place leaves the most for the pieces after it.
  while (rest.contains('*')) {
    auto [piece, next] = rest.split('*');
    size_t at = name.find(piece);
    if (at == StringRef::npos)
      return false;
    name = name.substr(at + piece.size());
    rest = next;
  }
  return name.ends_with(rest);
}

SmallVector<StringRef> tp::findNearNames(StringRef key, ArrayRef<PlanValue> values) {
  SmallVector<std::pair<unsigned, StringRef>> near;
  for (const PlanValue &value : values)
    for (const std::string &name : value.names)
      near.push_back({key.edit_distance(name, /*AllowReplacements=*/true), name});
  llvm::sort(near);
  SmallVector<StringRef> names;
  for (auto [distance, name] : near)
    if (names.size() < 3 && distance <= std::max<size_t>(2, key.size() / 2) &&
        !llvm::is_contained(names, name))
      names.push_back(name);
  return names;
}

InFlightDiagnostic tp::emitUnknownName(Location loc, StringRef key, ArrayRef<PlanValue> values) {
  InFlightDiagnostic diag = emitError(loc) << '"' << key << "\" names no value of the program";
  SmallVector<StringRef> near = findNearNames(key, values);
  if (!near.empty()) {
    Diagnostic &note = diag.attachNote(loc) << "similar names: ";
    llvm::interleaveComma(near, note, [&](StringRef name) { note << '"' << name << '"'; });
  }
  return diag;
}
