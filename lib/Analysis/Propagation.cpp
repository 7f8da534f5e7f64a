//===- Propagation.cpp -----------------------------------------------------===//

#include "tp/Analysis/Propagation.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tp/Support/LocationText.h"
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

Propagation::Propagation(ModuleOp module, const Mesh &mesh) : module(module), mesh(mesh) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration())
      addFunction(function);
}

int Propagation::addNode(RankedTensorType type, const Annotation &annotation, Twine name,
                         Location loc) {
  Node node(type, loc);
  node.priority = annotation.priority;
  node.priorities.assign(type.getRank(), node.priority);
  node.name = name.str();
  node.planLine = annotation.planLine.str();
  node.sharding = Sharding(type.getRank(), /*open=*/true);
  node.annotated = annotation.sharding && !isOpen(annotation.sharding);
  if (annotation.sharding) {
    Sharding given = tp::getSharding(annotation.sharding, mesh, type.getRank());
    // Dynamic sizes never get this far; partial annotations keep their axes busy.
    node.sharding = canonicalize(given, type.getShape());
  }
  node.origins.resize(type.getRank());
  nodes.push_back(std::move(node));
  int id = nodes.size() - 1;
  if (!annotation.group.empty()) {
    nodes[id].group = annotation.group.str();
    whatIs("group \"" + annotation.group + "\"").push_back(id);
  }
  for (Origin &origin : nodes[id].origins)
    origin.source = id;
  return id;
}

std::string Propagation::nameOf(Value value) {
  Operation *op =
      isa<BlockArgument>(value) ? value.getParentBlock()->getParentOp() : value.getDefiningOp();
  if (auto given = op->getAttrOfType<StringAttr>(kNameAttr))
    return ("\"" + given.getValue() + "\"").str();
  return op->getName().getStringRef().str();
}

int Propagation::nodeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return -1;
  auto [it, isNew] = values.try_emplace(value, -1);
  if (!isNew)
    return it->second;
  int id = addNode(type, annotationOf(cast<OpResult>(value)), nameOf(value), value.getLoc());
  nodes[id].home = value.getParentBlock();
  return values[value] = id;
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
    std::string label = name ? ("\"" + name.getValue() + "\"").str()
                             : ("@" + function.getName() + " argument " + Twine(i)).str();
    int id = addNode(type, annotation, label, arg.getLoc());
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
    std::string label = ("@" + function.getName() + " result " + Twine(i)).str();
    int id = addNode(ranked, annotation, label, function.getLoc());
    resultSlots[{function, i}] = id;
    // The new value of a state lives where the state does.
    if (auto alias = function.getResultAttrOfType<IntegerAttr>(i, kAliasAttr))
      whatIs("a state and its new value, " +
             label) = {values.lookup(function.getArgument(alias.getInt())), id};
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
    int id = addNode(cast<RankedTensorType>(value.inputs.front().getType()), *annotation,
                     nameOf(value.inputs.front()), op->getLoc());
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

Propagation::Element Propagation::alike(Operation *op, int from, int to) const {
  return {op, ShardingRule::pointwise(nodes[to].type.getShape(), 1, 1), {from}, {to}};
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
  Element element{op, {}, {}, {}};
  auto describe = [&](int id) {
    TensorRule tensor;
    tensor.dims.resize(nodes[id].type.getRank());
    return tensor;
  };
  for (Value value : used)
    if (int id = nodeOf(value); id >= 0) {
      element.operands.push_back(id);
      element.rule.operands.push_back(describe(id));
    }
  if (element.operands.empty())
    return;
  element.rule.ignored.resize(element.operands.size());
  for (Value result : op->getResults())
    if (int id = nodeOf(result); id >= 0) {
      element.results.push_back(id);
      element.rule.results.push_back(describe(id));
    }
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
  Element element{op, std::move(*rule), {}, {}};
  for (unsigned i = 0, n = element.rule.numOperands(); i < n; ++i)
    element.operands.push_back(nodeOf(getRuleOperand(op, element.rule, i)));
  for (Value result : op->getResults())
    element.results.push_back(nodeOf(result));
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
                              << second.name << " and " << node.name << " are one value (" << what
                              << ") and need the same " << are << ", found " << found;
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
    node.priority = std::min(node.priority, second.priority);
  } else if (second.annotated) {
    node.annotated = true;
    node.sharding = second.sharding;
    node.priority = second.priority;
    node.name = second.name;
    node.planLine = second.planLine;
    node.loc = second.loc;
  }
  node.priorities.assign(node.type.getRank(), node.priority);
  node.isArgument |= second.isArgument;
  if (node.home != second.home)
    node.home = nullptr;
  if (std::exchange(second.loop, nullptr) != node.loop)
    node.loop = nullptr;
  if (node.group.empty())
    node.group = second.group;
  llvm::append_range(node.ops, second.ops);
  second.ops.clear();
  second.priority = node.priority;
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

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// Whether `prefix` begins `list`, cuts compared by part.
static bool isPrefix(ArrayRef<Cut> prefix, ArrayRef<Cut> list) {
  return prefix.size() <= list.size() && llvm::all_of(llvm::zip(prefix, list), [](auto pair) {
           return std::get<0>(pair).part == std::get<1>(pair).part;
         });
}

static int64_t getBits(const RankedTensorType &type) {
  Type element = type.getElementType();
  return type.getNumElements() * (element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64);
}

Propagation::Claims Propagation::collectClaims(const Element &element, int64_t priority) const {
  const ShardingRule &rule = element.rule;
  Claims all(rule.factors.size());
  auto collect = [&](const TensorRule &tensor, int id, unsigned number) {
    if (id < 0 || nodes[id].priority > priority)
      return;
    const Node &node = nodes[id];
    for (auto [d, factors] : llvm::enumerate(tensor.dims)) {
      const SmallVector<Cut, 2> &cuts = node.sharding.dims[d].cuts;
      if (cuts.empty())
        continue;
      auto lists = projectDim(rule, factors, node.type.getDimSize(d), cuts);
      if (failed(lists))
        continue;
      for (auto [factor, list] : llvm::zip_equal(factors, *lists))
        if (!list.empty() && rule.factors[factor].kind != FactorKind::Replicated)
          all[factor].push_back(
              {list,
               id,
               &tensor,
               number < rule.numOperands(),
               {node.priorities[d], -getBits(node.type), number, static_cast<unsigned>(d)}});
    }
  };
  for (auto [i, tensor] : llvm::enumerate(rule.operands))
    if (!rule.ignored.test(i) && !element.silentOperands)
      collect(tensor, element.operands[i], i);
  for (auto [i, tensor] : llvm::enumerate(rule.results))
    if (!element.silentResults)
      collect(tensor, element.results[i], rule.numOperands() + i);
  for (SmallVector<Claim, 2> &claims : all)
    llvm::sort(claims, [](const Claim &a, const Claim &b) { return a.key < b.key; });
  return all;
}

double Propagation::costOfKeeping(const Element &element, std::optional<unsigned> keeper,
                                  const AxisPart &part) const {
  const ShardingRule &rule = element.rule;
  // An argument that is cut is there to be cut: to gather it costs memory, too.
  constexpr double kGatheredArgument = 2;
  double cost = 0, ranks = part.size;
  auto add = [&](const TensorRule &tensor, int id, bool isResult) {
    if (id < 0)
      return;
    const Node &node = nodes[id];
    bool hasKeeper = false, isCut = false, byKeeper = false;
    for (auto [dim, factors] : llvm::zip_equal(node.sharding.dims, tensor.dims)) {
      bool here = keeper && llvm::is_contained(factors, *keeper);
      hasKeeper |= here;
      for (const Cut &cut : dim.cuts)
        if (cut.part.overlaps(part)) {
          isCut = true;
          byKeeper |= here;
        }
    }
    if (byKeeper)
      return;
    // What a rank sends of the whole tensor: see tp/Analysis/Hardware.h.
    double share = (ranks - 1) / ranks * static_cast<double>(getBits(node.type)) / 8;
    if (isResult && keeper && !hasKeeper)
      cost += isCut ? share : 2 * share; // Partial: scattered, or reduced.
    else if (isCut && hasKeeper)
      cost += share / ranks;
    else if (isCut && !isResult &&
             llvm::none_of(node.gathered, [&](auto &p) { return p.overlaps(part); })) {
      // It is gathered once for all ops that use it, and before a loop for all trips.
      double uses = std::max<double>(node.ops.size() - (node.isArgument ? 0 : 1), 1);
      if (node.home && node.home->findAncestorOpInBlock(*element.op))
        uses *= estimateRuns(element.op->getBlock(), node.home);
      cost += share * (node.isArgument ? kGatheredArgument : 1) / uses;
    }
  };
  for (auto [i, tensor] : llvm::enumerate(rule.operands))
    if (!rule.ignored.test(i))
      add(tensor, element.operands[i], /*isResult=*/false);
  for (auto [tensor, id] : llvm::zip_equal(rule.results, element.results))
    add(tensor, id, /*isResult=*/true);
  return cost;
}

double Propagation::costOfOrder(const Element &element, ArrayRef<std::optional<Claim>> claims,
                                ArrayRef<unsigned> order) const {
  SmallVector<std::pair<unsigned, AxisPart>> kept;
  SmallVector<AxisPart> lost;
  for (unsigned factor : order)
    for (const Cut &cut : claims[factor]->cuts) {
      auto overlaps = [&](const auto &other) { return other.second.overlaps(cut.part); };
      if (llvm::none_of(kept, overlaps)) {
        kept.push_back({factor, cut.part});
        continue;
      }
      // The list ends here: what follows is kept by none, or by a later factor.
      llvm::append_range(lost, llvm::map_range(ArrayRef(claims[factor]->cuts),
                                               [](const Cut &c) { return c.part; }));
      break;
    }
  double cost = 0;
  for (auto &[factor, part] : kept)
    cost += costOfKeeping(element, factor, part);
  for (const AxisPart &part : lost)
    if (llvm::none_of(kept, [&](const auto &other) { return other.second.overlaps(part); })) {
      kept.push_back({0, part});
      cost += costOfKeeping(element, std::nullopt, part);
    }
  return cost;
}

std::optional<double> Propagation::propose(const Element &element, int64_t priority, bool settle,
                                           Round &round) const {
  const ShardingRule &rule = element.rule;
  // What each factor could be cut by: the best claim, lengthened by claims that
  // continue it.
  Claims all = collectClaims(element, priority);
  SmallVector<std::optional<Claim>> claims(rule.factors.size());
  SmallVector<unsigned> order;
  for (auto [factor, list] : llvm::enumerate(all)) {
    if (list.empty())
      continue;
    claims[factor] = list.front();
    for (const Claim &claim : list)
      if (claim.cuts.size() > claims[factor]->cuts.size() &&
          isPrefix(claims[factor]->cuts, claim.cuts))
        claims[factor] = claim;
    order.push_back(factor);
  }
  // One axis cuts one factor: the one that was annotated earlier, then the one with
  // which the op communicates least, keeps it.
  auto byKey = [&](unsigned a, unsigned b) {
    return std::tie(claims[a]->key, a) < std::tie(claims[b]->key, b);
  };
  llvm::sort(order, byKey);
  auto isRival = [&](unsigned factor) {
    return llvm::any_of(order, [&](unsigned other) {
      return other != factor && llvm::any_of(claims[factor]->cuts, [&](const Cut &cut) {
               return llvm::any_of(claims[other]->cuts, [&](const Cut &theirs) {
                 return theirs.part.overlaps(cut.part);
               });
             });
    });
  };
  SmallVector<unsigned> rivals(llvm::make_filter_range(order, isRival));
  double difference = std::numeric_limits<double>::infinity();
  if (!rivals.empty()) {
    SmallVector<double> costs(rule.factors.size());
    for (unsigned first : rivals) {
      SmallVector<unsigned> tried = {first};
      llvm::copy_if(rivals, std::back_inserter(tried), [&](unsigned f) { return f != first; });
      costs[first] = costOfOrder(element, claims, tried);
    }
    // What operands agree to reduce over stays so, whatever is wanted of the result:
    // the sum is scattered, and sums of several such results are taken first.
    auto isAgreed = [&](unsigned factor) {
      return rule.factors[factor].kind == FactorKind::Reduction &&
             llvm::none_of(rivals, [&](unsigned other) {
               return other != factor &&
                      llvm::any_of(all[other], [](const Claim &claim) { return claim.isOperand; });
             });
    };
    auto rank = [&](unsigned factor) {
      return std::pair(std::get<0>(claims[factor]->key), !isAgreed(factor));
    };
    llvm::sort(rivals, [&](unsigned a, unsigned b) {
      auto left = std::pair(rank(a), costs[a]), right = std::pair(rank(b), costs[b]);
      return left != right ? left < right : byKey(a, b);
    });
    if (rank(rivals[0]) == rank(rivals[1]))
      difference = costs[rivals[1]] - costs[rivals[0]];
    auto next = rivals.begin();
    for (unsigned &factor : order)
      if (llvm::is_contained(rivals, factor))
        factor = *next++;
  }

  auto has = [](const TensorRule &tensor, unsigned factor) {
    return llvm::any_of(tensor.dims, [&](const DimFactors &factors) {
      return llvm::is_contained(factors, factor);
    });
  };
  SmallVector<std::pair<unsigned, AxisPart>> used;
  auto truncate = [&](unsigned factor, const AxisPart &part) {
    SmallVector<Cut, 2> &cuts = claims[factor]->cuts;
    cuts.erase(llvm::find_if(cuts, [&](const Cut &cut) { return cut.part.overlaps(part); }),
               cuts.end());
  };
  for (unsigned factor : order) {
    for (const Cut &cut : SmallVector<Cut, 2>(claims[factor]->cuts))
      for (auto &[owner, part] : used)
        if (owner != factor && part.overlaps(cut.part)) {
          truncate(factor, cut.part);
          if (!settle)
            truncate(owner, part);
          for (const Claim &claim : all[factor])
            if (settle && claim.isOperand && !has(*claim.tensor, owner))
              round.gathers.push_back({claim.node, cut.part});
        }
    for (const Cut &cut : claims[factor]->cuts)
      used.push_back({factor, cut.part});
  }
  for (auto [i, tensor] : llvm::enumerate(rule.operands))
    if (element.operands[i] >= 0)
      proposeFor(element, tensor, element.operands[i], claims, round.proposals);
  for (auto [i, tensor] : llvm::enumerate(rule.results))
    if (element.results[i] >= 0)
      proposeFor(element, tensor, element.results[i], claims, round.proposals);
  if (rivals.empty())
    return std::nullopt;
  if (settle) {
    SmallVector<int64_t> places(rule.factors.size(), 0);
    for (auto [place, factor] : llvm::enumerate(rivals))
      places[factor] = place;
    round.decisions.push_back(
        {element.op, DenseI64ArrayAttr::get(element.op->getContext(), places)});
  }
  return difference;
}

void Propagation::proposeFor(const Element &element, const TensorRule &tensor, int id,
                             ArrayRef<std::optional<Claim>> claims,
                             SmallVectorImpl<Proposal> &proposals) const {
  const Node &node = nodes[id];
  const ShardingRule &rule = element.rule;
  SmallVector<SmallVector<Cut, 2>> cuts(rule.factors.size());
  for (auto [factor, claim] : llvm::enumerate(claims))
    if (claim && rule.factors[factor].kind != FactorKind::Candidate)
      cuts[factor] = claim->cuts;
  for (auto [d, factors] : llvm::enumerate(tensor.dims)) {
    const DimSharding &dim = node.sharding.dims[d];
    if (!dim.open)
      continue;
    FailureOr<SmallVector<Cut, 2>> wanted = expandDim(rule, factors, node.type.getDimSize(d), cuts);
    if (failed(wanted) || wanted->size() <= dim.cuts.size() || !isPrefix(dim.cuts, *wanted))
      continue;
    // The claim that counts is that of the first factor which brings something.
    const Claim *claim = nullptr;
    for (unsigned factor : factors)
      if (!claim && !cuts[factor].empty())
        claim = &*claims[factor];
    Sharding canonical(node.type.getRank());
    canonical.dims[d].cuts = *wanted;
    proposals.push_back({id, static_cast<unsigned>(d),
                         canonicalize(canonical, node.type.getShape()).dims[d].cuts, *claim,
                         element.op});
  }
}

bool Propagation::accept(const Proposal &proposal) {
  Node &node = nodes[proposal.node];
  DimSharding &dim = node.sharding.dims[proposal.dim];
  if (proposal.cuts.size() <= dim.cuts.size() || !isPrefix(dim.cuts, proposal.cuts))
    return false;
  for (const Cut &cut : ArrayRef(proposal.cuts).drop_front(dim.cuts.size()))
    if (node.sharding.uses(cut.part) ||
        (!node.barred.empty() && llvm::any_of(node.barred[proposal.dim], [&](const AxisPart &part) {
          return part.overlaps(cut.part);
        })))
      return false;
  int64_t priority = std::get<0>(proposal.claim.key);
  node.priorities[proposal.dim] =
      dim.cuts.empty() ? priority : std::max(node.priorities[proposal.dim], priority);
  dim.cuts = proposal.cuts;
  node.origins[proposal.dim] = {proposal.claim.node, proposal.via};
  return true;
}

/// Orders cuts by mesh position, for ties that nothing else decides.
static bool comesBefore(ArrayRef<Cut> a, ArrayRef<Cut> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](const Cut &x, const Cut &y) { return x.part < y.part; });
}

void Propagation::Contests::set(unsigned element, std::optional<double> difference) {
  if (auto it = differences.find(element); it != differences.end()) {
    order.erase({-it->second, element});
    differences.erase(it);
  }
  if (difference) {
    differences[element] = *difference;
    order.insert({-*difference, element});
  }
}

std::vector<unsigned> Propagation::Contests::takeClearest() {
  std::vector<unsigned> taken;
  double first = order.begin()->first;
  while (!order.empty() && order.begin()->first == first) {
    taken.push_back(order.begin()->second);
    set(taken.back(), std::nullopt);
  }
  return taken;
}

void Propagation::round(std::vector<unsigned> &work, Contests &contests, int64_t priority,
                        bool settle) {
  Round said;
  for (unsigned index : work) {
    std::optional<double> difference = propose(elements[index], priority, settle, said);
    if (!settle)
      contests.set(index, difference);
  }
  llvm::sort(said.proposals, [](const Proposal &a, const Proposal &b) {
    if (a.node != b.node)
      return a.node < b.node;
    if (a.claim.key != b.claim.key)
      return a.claim.key < b.claim.key;
    if (a.dim != b.dim)
      return a.dim < b.dim;
    return comesBefore(a.cuts, b.cuts);
  });
  work.clear();
  llvm::DenseSet<unsigned> next;
  auto visit = [&](const Node &node) {
    for (unsigned index : node.ops)
      if (next.insert(index).second)
        work.push_back(index);
  };
  for (const Proposal &proposal : said.proposals)
    if (accept(proposal))
      visit(nodes[proposal.node]);
  for (auto &[op, decision] : said.decisions)
    decisions[op] = decision;
  for (const Gather &gather : said.gathers) {
    Node &node = nodes[gather.node];
    if (llvm::is_contained(node.gathered, gather.part))
      continue;
    node.gathered.push_back(gather.part);
    visit(node);
  }
}

void Propagation::spread(int64_t priority) {
  Contests contests;
  std::vector<unsigned> work(elements.size());
  for (unsigned i = 0, n = elements.size(); i < n; ++i)
    work[i] = i;
  while (true) {
    while (!work.empty())
      round(work, contests, priority, /*settle=*/false);
    if (contests.empty())
      return;
    work = contests.takeClearest();
    round(work, contests, priority, /*settle=*/true);
  }
}

void Propagation::spreadAll(const std::set<Bar> &bars) {
  for (const Bar &bar : bars) {
    nodes[bar.node].barred.resize(nodes[bar.node].type.getRank());
    nodes[bar.node].barred[bar.dim].push_back(bar.part);
    nodes[bar.node].carriedWhole = true;
  }
  llvm::SmallVector<int64_t> priorities = {0};
  for (const Node &node : nodes)
    if (!llvm::is_contained(priorities, node.priority))
      priorities.push_back(node.priority);
  llvm::sort(priorities);
  for (int64_t priority : priorities) {
    if (priority != priorities.front())
      barAxes();
    spread(priority);
  }
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

/// The axis list of `claim` as a dimension, for people.
static std::string describeCuts(ArrayRef<Cut> cuts, const Mesh &mesh) {
  Sharding one(1);
  one.dims[0].cuts.assign(cuts.begin(), cuts.end());
  StringRef text = StringRef(toString(one, mesh)).drop_front().drop_back();
  return text.str();
}

std::string Propagation::describeAnnotation(int id) const {
  const Node &node = nodes[id];
  std::string text = "the annotation of " + node.name;
  std::string at = node.planLine.empty() ? getLocationText(node.loc) : node.planLine;
  return at.empty() ? text : text + " (" + at + ")";
}

std::string Propagation::explainWhole(int id, unsigned d) const {
  const Node &node = nodes[id];
  for (unsigned index : node.ops) {
    Element element = elements[index];
    bool isBarrier = std::exchange(element.silentOperands, false);
    isBarrier |= std::exchange(element.silentResults, false);
    Claims claims = collectClaims(element, std::numeric_limits<int64_t>::max());
    for (auto list : {std::pair(ArrayRef(element.rule.operands), ArrayRef<int>(element.operands)),
                      std::pair(ArrayRef(element.rule.results), ArrayRef<int>(element.results))})
      for (auto [tensor, other] : llvm::zip_equal(list.first, list.second)) {
        if (other != id)
          continue;
        for (unsigned factor : tensor.dims[d])
          for (const Claim &claim : claims[factor]) {
            if (claim.node == id)
              continue;
            std::string text;
            llvm::raw_string_ostream os(text);
            os << element.op->getName();
            if (std::string at = getLocationText(element.op->getLoc()); !at.empty())
              os << " at " << at;
            os << " has it cut over " << describeCuts(claim.cuts, mesh) << " in "
               << nodes[claim.node].name << ", but ";
            auto isClaimed = [&](const AxisPart &part) {
              return llvm::any_of(claim.cuts,
                                  [&](const Cut &cut) { return cut.part.overlaps(part); });
            };
            if (!node.sharding.dims[d].open)
              os << describeAnnotation(id) << " keeps it whole";
            else if (llvm::any_of(claim.cuts,
                                  [&](const Cut &cut) { return node.sharding.uses(cut.part); }))
              os << "that cuts another dimension here";
            else if (isBarrier)
              os << "does not let it through";
            else if (!node.barred.empty() && llvm::any_of(node.barred[d], isClaimed))
              os << (node.carriedWhole ? "ops of the loop would gather it in each trip"
                                       : "every use needs it whole, and an annotation of an "
                                         "earlier priority counts more");
            else
              os << "the op has given that to what it communicates less with";
            return text;
          }
      }
  }
  return "";
}

std::string Propagation::explain(int id) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Node &node = nodes[id];
  os << toString(node.sharding.closed(), mesh);
  if (llvm::all_of(node.sharding.dims, [](const DimSharding &dim) { return dim.cuts.empty(); }))
    os << (node.annotated      ? " by " + describeAnnotation(id)
           : node.carriedWhole ? ": ops of the loop would gather it in each trip"
                               : ": no annotation reaches it");
  for (auto [d, dim] : llvm::enumerate(node.sharding.dims)) {
    if (dim.cuts.empty()) {
      if (std::string why = explainWhole(id, d); !why.empty())
        os << "; dimension " << d << " is whole: " << why;
      continue;
    }
    os << "; dimension " << d;
    int at = id;
    // Copies go back to an annotation; each is younger than what it copies.
    AxisPart major = dim.cuts.front().part;
    for (const Origin *origin = &node.origins[d]; origin->via;) {
      os << " from " << origin->via->getName();
      if (std::string place = getLocationText(origin->via->getLoc()); !place.empty())
        os << " at " << place;
      at = origin->source;
      const Node &source = nodes[at];
      const Origin *next = nullptr;
      for (auto [e, other] : llvm::enumerate(source.sharding.dims))
        if (!next &&
            llvm::any_of(other.cuts, [&](const Cut &cut) { return cut.part.overlaps(major); }))
          next = &source.origins[e];
      if (!next)
        break;
      origin = next;
      os << ',';
    }
    os << " because of " << describeAnnotation(at);
  }
  if (!node.group.empty())
    os << "; sharded alike with all of group \"" << node.group << '"';
  return text;
}

ShardingAttr Propagation::attrOf(int id) const {
  return getShardingAttr(module->getContext(), nodes[id].sharding.closed(), mesh);
}

DenseI64ArrayAttr Propagation::prioritiesOf(int id) const {
  SmallVector<int64_t> list;
  for (auto [dim, priority] : llvm::zip_equal(nodes[id].sharding.dims, nodes[id].priorities))
    list.push_back(dim.cuts.empty() ? 0 : priority);
  bool any = llvm::any_of(list, [](int64_t priority) { return priority != 0; });
  return any ? Builder(module->getContext()).getDenseI64ArrayAttr(list) : DenseI64ArrayAttr();
}

/// What the answer takes the place of.
static NamedAttrList withoutRequests(DictionaryAttr attributes) {
  NamedAttrList list(attributes);
  list.erase(kGroupAttr);
  list.erase(kPlanLineAttr);
  return list;
}

void Propagation::annotate(bool explainAll) {
  MLIRContext *context = module.getContext();
  Builder builder(context);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration())
      continue;
    // All at once: setting them one by one is quadratic.
    SmallVector<DictionaryAttr> argAttrs, resultAttrs;
    for (BlockArgument arg : function.getArguments()) {
      NamedAttrList list = withoutRequests(function.getArgAttrDict(arg.getArgNumber()));
      if (auto it = values.find(arg); it != values.end()) {
        list.set(kShardingAttr, attrOf(it->second));
        if (DenseI64ArrayAttr priorities = prioritiesOf(it->second))
          list.set(kCutPriorityAttr, priorities);
        if (explainAll)
          list.set(kWhyAttr, builder.getStringAttr(explain(it->second)));
      }
      argAttrs.push_back(list.getDictionary(context));
    }
    for (unsigned i = 0, n = function.getNumResults(); i < n; ++i) {
      NamedAttrList list = withoutRequests(function.getResultAttrDict(i));
      if (auto it = resultSlots.find({function, i}); it != resultSlots.end()) {
        list.set(kShardingAttr, attrOf(it->second));
        if (explainAll)
          list.set(kWhyAttr, builder.getStringAttr(explain(it->second)));
      }
      resultAttrs.push_back(list.getDictionary(context));
    }
    function.setAllArgAttrs(argAttrs);
    function.setAllResultAttrs(resultAttrs);
    walkFlow(function.getBody(), [&](Operation *op) { annotateOp(op, explainAll); });
  }
}

void Propagation::annotateOp(Operation *op, bool explainAll) {
  Builder builder(module.getContext());
  auto annotateValues = [&](ValueRange list, StringRef shardingName, StringRef priorityName,
                            StringRef whyName) {
    if (llvm::none_of(list.getTypes(), [](Type type) { return isa<RankedTensorType>(type); }))
      return;
    SmallVector<Attribute> shardings, priorities, reasons;
    bool anyPriority = false;
    for (Value value : list) {
      auto it = values.find(value);
      bool known = it != values.end();
      DenseI64ArrayAttr cutPriorities = known ? prioritiesOf(it->second) : DenseI64ArrayAttr();
      anyPriority |= static_cast<bool>(cutPriorities);
      priorities.push_back(cutPriorities ? cutPriorities : builder.getDenseI64ArrayAttr({}));
      shardings.push_back(known ? attrOf(it->second)
                                : ShardingAttr::get(module.getContext(), {}, {}));
      if (known && explainAll)
        reasons.push_back(builder.getStringAttr(explain(it->second)));
    }
    op->setAttr(shardingName, builder.getArrayAttr(shardings));
    if (anyPriority)
      op->setAttr(priorityName, builder.getArrayAttr(priorities));
    if (!reasons.empty() && !whyName.empty())
      op->setAttr(whyName, builder.getArrayAttr(reasons));
  };
  annotateValues(op->getResults(), kShardingAttr, kCutPriorityAttr, kWhyAttr);
  op->removeDiscardableAttr(kGroupAttr);
  op->removeDiscardableAttr(kPlanLineAttr);
  if (DenseI64ArrayAttr decision = decisions.lookup(op))
    op->setAttr(kFactorPriorityAttr, decision);
  if (isRegionFlow(op))
    annotateValues(getRegionArguments(op), kArgShardingAttr, kArgCutPriorityAttr, "");
}
