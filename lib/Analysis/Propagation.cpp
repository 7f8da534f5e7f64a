//===- Propagation.cpp - The graph of values and ops -----------------------===//

#include "tp/Analysis/Propagation.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tp;

//===----------------------------------------------------------------------===//
// Annotations
//===----------------------------------------------------------------------===//

/// `get` reads an attribute of the value.
static Annotation annotationOf(llvm::function_ref<Attribute(StringRef)> get) {
  auto text = [&](StringRef name) {
    auto attr = dyn_cast_or_null<StringAttr>(get(name));
    return attr ? attr.getValue() : StringRef();
  };
  Annotation annotation;
  annotation.sharding = dyn_cast_or_null<ShardingAttr>(get(kShardingAttr));
  if (auto priority = dyn_cast_or_null<IntegerAttr>(get(kPriorityAttr)))
    annotation.priority = priority.getInt();
  annotation.group = text(kGroupAttr);
  annotation.planLine = text(kPlanLineAttr);
  return annotation;
}

static Annotation annotationOf(OpResult result) {
  Operation *op = result.getOwner();
  Annotation annotation = annotationOf([&](StringRef name) {
    auto array = op->getAttrOfType<ArrayAttr>(name);
    return array ? array[result.getResultNumber()] : Attribute();
  });
  if (auto constraint = dyn_cast<ConstraintOp>(op))
    annotation.sharding = constraint.getSharding();
  return annotation;
}

/// Of an argument or a result of a function.
static Annotation annotationOf(DictionaryAttr attributes) {
  return annotationOf(
      [&](StringRef name) { return attributes ? attributes.get(name) : Attribute(); });
}

/// Whether the sharding leaves everything to propagation.
static bool isOpen(ShardingAttr sharding) {
  return !sharding.getDims().empty() && sharding.getPartials().empty() &&
         llvm::all_of(sharding.getDims(),
                      [](DimShardingAttr dim) { return dim.getOpen() && dim.getAxes().empty(); });
}

FailureOr<Annotation> tp::findAnnotation(Operation *op, const FlowValue &value) {
  Annotation found;
  for (Value input : value.inputs) {
    Annotation own;
    if (auto result = dyn_cast<OpResult>(input))
      own = annotationOf(result);
    else
      own.sharding = cast_or_null<ShardingAttr>(
          getRegionArgumentAttr(cast<BlockArgument>(input), kArgShardingAttr));
    StringRef group = own.group.empty() ? found.group : own.group;
    if (own.sharding && !isOpen(own.sharding)) {
      if (found.sharding && found.sharding != own.sharding)
        return op->emitError() << "'" << op->getName() << "' carries one value with two shardings, "
                               << found.sharding << " and " << own.sharding
                               << ": its arguments and results need the same";
      found = own;
    }
    found.group = group;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

Propagation::Propagation(ModuleOp module, const Mesh &mesh)
    : module(module), mesh(mesh), shardings(module.getContext(), this->mesh) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration())
      addFunction(function);
}

int Propagation::addNode(RankedTensorType type, const Annotation &annotation, Location loc) {
  int id = nodes.size();
  Node &node = nodes.emplace_back(type, loc);
  node.annotation = annotation;
  node.priorities.assign(type.getRank(), annotation.priority);
  node.sharding = Sharding(type.getRank(), /*open=*/true);
  node.annotated = annotation.sharding && !isOpen(annotation.sharding);
  if (annotation.sharding) {
    Sharding given = tp::getSharding(annotation.sharding, mesh, type.getRank());
    // Dynamic sizes never get this far; partial annotations keep their axes busy.
    node.sharding = canonicalize(given, type.getShape());
  }
  node.origins.assign(type.getRank(), {id, nullptr});
  if (!annotation.group.empty())
    whatIs("group \"" + annotation.group + "\"").push_back(id);
  return id;
}

std::string Propagation::nameOf(const Node &node) const {
  if (!node.value)
    return ("@" + func::FuncOp(node.function).getName() + " result " + Twine(node.result)).str();
  auto argument = dyn_cast<BlockArgument>(node.value);
  Operation *op = argument ? argument.getOwner()->getParentOp() : node.value.getDefiningOp();
  auto function = dyn_cast<func::FuncOp>(op);
  auto given = function ? function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr)
                        : op->getAttrOfType<StringAttr>(kNameAttr);
  if (given) {
    auto value = dyn_cast<OpResult>(node.value);
    bool isOneOfSeveral = value && op->getNumResults() > 1;
    std::string number = isOneOfSeveral ? "#" + std::to_string(value.getResultNumber()) : "";
    return ("\"" + given.getValue() + number + "\"").str();
  }
  if (function)
    return ("@" + function.getName() + " argument " + Twine(argument.getArgNumber())).str();
  return op->getName().getStringRef().str();
}

int Propagation::nodeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return -1;
  auto [it, isNew] = values.try_emplace(value, -1);
  if (!isNew)
    return it->second;
  int id = addNode(type, annotationOf(cast<OpResult>(value)), value.getLoc());
  nodes[id].value = value;
  nodes[id].home = value.getParentBlock();
  return it->second = id;
}

void Propagation::addFunction(func::FuncOp function) {
  for (BlockArgument arg : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (!type)
      continue;
    unsigned i = arg.getArgNumber();
    auto kind = function.getArgAttrOfType<StringAttr>(i, kKindAttr);
    auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr);
    Annotation annotation = annotationOf(function.getArgAttrDict(i));
    int id = addNode(type, annotation, arg.getLoc());
    nodes[id].value = arg;
    nodes[id].isArgument = true;
    nodes[id].home = arg.getOwner();
    values[arg] = id;
    if (kind && name && kind.getValue() != "input")
      whatIs(kind.getValue() + " \"" + name.getValue() + "\"").push_back(id);
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked)
      continue;
    Annotation annotation = annotationOf(function.getResultAttrDict(i));
    int id = addNode(ranked, annotation, function.getLoc());
    nodes[id].function = function;
    nodes[id].result = i;
    resultSlots[{function, i}] = id;
    // The new value of a state lives where the state does.
    if (auto alias = function.getResultAttrOfType<IntegerAttr>(i, kAliasAttr))
      whatIs("a state and its new value, " +
             nameOf(nodes[id])) = {values.lookup(function.getArgument(alias.getInt())), id};
  }
  for (Block &block : function.getBody())
    addBlock(block);
}

void Propagation::addBlock(Block &block) {
  for (Operation &op : block)
    if (isRegionFlow(&op))
      addRegionOp(&op);
    else
      addOp(&op);
}

/// What the op carries is a node for all its names, connected to each value that
/// flows into it.
void Propagation::addRegionOp(Operation *op) {
  SmallVector<FlowValue> carried = getFlowValues(op);
  llvm::erase_if(carried, [](const FlowValue &value) {
    return !isa<RankedTensorType>(value.inputs.front().getType());
  });
  for (FlowValue &value : carried) {
    FailureOr<Annotation> annotation = findAnnotation(op, value);
    assert(succeeded(annotation) && "checked before");
    // Plans know it as a result of the op.
    auto result = llvm::find_if(value.inputs, llvm::IsaPred<OpResult>);
    Value named = result == value.inputs.end() ? value.inputs.front() : *result;
    int id = addNode(cast<RankedTensorType>(named.getType()), *annotation, op->getLoc());
    nodes[id].value = named;
    nodes[id].home = value.inputs.front().getParentBlock();
    nodes[id].loop = isa<LoopLikeOpInterface>(op) ? op : nullptr;
    for (Value input : value.inputs)
      values[input] = id;
  }
  auto connectSources = [&](bool ofOp) {
    for (FlowValue &value : carried)
      for (OpOperand *source : value.sources)
        if ((source->getOwner() == op) == ofOp)
          connectAlike(source->getOwner(), nodeOf(source->get()), nodeOf(value.inputs.front()),
                       /*escapes=*/!ofOp && isa<LoopLikeOpInterface>(op));
  };
  connectSources(/*ofOp=*/true);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      addBlock(block);
  connectSources(/*ofOp=*/false);
}

size_t Propagation::SameFactors::operator()(const ShardingRule &rule) const {
  llvm::hash_code hash = llvm::hash_combine(rule.operands.size(), rule.results.size());
  for (const Factor &factor : rule.factors)
    hash = llvm::hash_combine(hash, factor.kind, factor.size);
  return hash;
}

bool Propagation::SameFactors::operator()(const ShardingRule &a, const ShardingRule &b) const {
  return a.factors == b.factors && a.operands == b.operands && a.results == b.results &&
         a.inits == b.inits && a.ignored == b.ignored;
}

const ShardingRule *Propagation::share(ShardingRule &&rule) {
  rule.captured.clear();
  rule.linearIn = nullptr;
  return &*rules.insert(std::move(rule)).first;
}

Propagation::Element Propagation::alike(Operation *op, int from, int to) {
  return {op, share(ShardingRule::pointwise(nodes[to].type.getShape(), 1, 1)), {from}, {to}};
}

void Propagation::connectAlike(Operation *op, int from, int to, bool escapes) {
  Element element = alike(op, from, to);
  element.escapes = escapes;
  connect(std::move(element));
}

void Propagation::connect(Element element) {
  unsigned index = elements.size();
  llvm::SmallDenseSet<int> seen;
  for (ArrayRef<int> list : {ArrayRef<int>(element.operands), ArrayRef<int>(element.results)})
    for (int node : list)
      if (node >= 0 && seen.insert(node).second)
        nodes[node].ops.push_back(index);
  elements.push_back(std::move(element));
}

/// An op of no factors: it needs its tensors whole, those that its regions use, too.
void Propagation::addWithoutRule(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return; // What it passes on is the region op's.
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  Element element{op, nullptr, {}, {}};
  ShardingRule rule;
  auto describe = [&](int id) {
    TensorRule tensor;
    tensor.dims.resize(nodes[id].type.getRank());
    return tensor;
  };
  for (Value value : used)
    if (int id = nodeOf(value); id >= 0) {
      element.operands.push_back(id);
      rule.operands.push_back(describe(id));
    }
  if (element.operands.empty())
    return;
  rule.ignored.resize(element.operands.size());
  for (Value result : op->getResults())
    if (int id = nodeOf(result); id >= 0) {
      element.results.push_back(id);
      rule.results.push_back(describe(id));
    }
  element.rule = share(std::move(rule));
  connect(std::move(element));
}

void Propagation::addOp(Operation *op) {
  if (auto ret = dyn_cast<func::ReturnOp>(op)) {
    for (auto [i, value] : llvm::enumerate(ret.getOperands()))
      if (isa<RankedTensorType>(value.getType()))
        connectAlike(op, nodeOf(value), resultSlots.lookup({ret->getParentOp(), i}),
                     /*escapes=*/true);
    return;
  }
  if (auto constraint = dyn_cast<ConstraintOp>(op))
    return connectAlike(op, nodeOf(constraint.getInput()), nodeOf(constraint.getResult()));
  if (auto barrier = dyn_cast<BarrierOp>(op)) {
    Element element = alike(op, nodeOf(barrier.getInput()), nodeOf(barrier.getResult()));
    element.escapes = true;
    element.silentOperands = barrier.getDirection() != BarrierDirection::Backward;
    element.silentResults = barrier.getDirection() != BarrierDirection::Forward;
    return connect(std::move(element));
  }
  FailureOr<ShardingRule> rule = getRule(op);
  if (failed(rule)) {
    // Replicated on every rank; nothing spreads through it.
    for (Value result : op->getResults())
      if (int id = nodeOf(result); id >= 0 && !nodes[id].annotated)
        nodes[id].sharding = Sharding(nodes[id].type.getRank());
    return addWithoutRule(op);
  }
  Element element{op, nullptr, {}, {}};
  for (unsigned i = 0, n = rule->numOperands(); i < n; ++i)
    element.operands.push_back(nodeOf(getRuleOperand(op, *rule, i)));
  for (Value result : op->getResults())
    element.results.push_back(nodeOf(result));
  element.rule = share(std::move(*rule));
  connect(std::move(element));
}

//===----------------------------------------------------------------------===//
// Values that are one
//===----------------------------------------------------------------------===//

SmallVector<int> &Propagation::whatIs(const Twine &what) {
  return joined[StringAttr::get(module.getContext(), what)];
}

LogicalResult Propagation::join(int id, int other, StringRef what) {
  Node &node = nodes[id], &second = nodes[other];
  auto reject = [&](const Twine &are, const Twine &found) {
    InFlightDiagnostic diag = emitError(second.loc)
                              << nameOf(second) << " and " << nameOf(node) << " are one value ("
                              << what << ") and need the same " << are << ", found " << found;
    diag.attachNote(node.loc) << "the other is here";
    return diag;
  };
  if (node.type.getShape() != second.type.getShape()) {
    std::string found;
    llvm::raw_string_ostream(found) << second.type << " and " << node.type;
    return reject("shape", found);
  }
  if (second.annotated && node.annotated) {
    if (node.sharding != second.sharding)
      return reject("sharding",
                    toString(second.sharding, mesh) + " and " + toString(node.sharding, mesh));
    node.annotation.priority = std::min(node.priority(), second.priority());
  } else if (second.annotated) {
    node.annotated = true;
    node.sharding = second.sharding;
    node.annotation.priority = second.priority();
    node.annotation.planLine = second.annotation.planLine;
    node.value = second.value;
    node.function = second.function;
    node.result = second.result;
    node.loc = second.loc;
  }
  node.priorities.assign(node.type.getRank(), node.priority());
  node.isArgument |= second.isArgument;
  if (node.home != second.home)
    node.home = nullptr;
  if (std::exchange(second.loop, nullptr) != node.loop)
    node.loop = nullptr;
  if (node.annotation.group.empty())
    node.annotation.group = second.annotation.group;
  llvm::append_range(node.ops, second.ops);
  second.ops.clear();
  second.annotation.priority = node.priority();
  return success();
}

LogicalResult Propagation::joinValues() {
  // The node that stands for a node.
  std::vector<int> leaders(nodes.size());
  std::iota(leaders.begin(), leaders.end(), 0);
  auto find = [&](int id) {
    while (leaders[id] != id)
      id = leaders[id] = leaders[leaders[id]];
    return id;
  };
  llvm::SmallDenseSet<int> grown;
  for (auto &[what, list] : joined)
    for (int id : ArrayRef(list).drop_front()) {
      int first = find(list.front()), other = find(id);
      if (first == other)
        continue;
      if (failed(join(first, other, what.getValue())))
        return failure();
      leaders[other] = first;
      grown.insert(first);
    }
  for (int id : grown) {
    llvm::sort(nodes[id].ops);
    nodes[id].ops.erase(llvm::unique(nodes[id].ops), nodes[id].ops.end());
  }
  auto update = [&](int &id) { id = id < 0 ? id : find(id); };
  for (Element &element : elements) {
    llvm::for_each(element.operands, update);
    llvm::for_each(element.results, update);
  }
  for (auto &[value, id] : values)
    update(id);
  for (auto &[slot, id] : resultSlots)
    update(id);
  return success();
}
