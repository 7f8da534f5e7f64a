//===- Annotate.cpp - What propagation found, written down and explained ---===//

#include "tp/Analysis/Propagation.h"

#include "tp/Support/LocationText.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tp;

/// The axis list of `claim` as a dimension, for people.
static std::string describeCuts(ArrayRef<Cut> cuts, const Mesh &mesh) {
  Sharding one(1);
  one.dims[0].cuts.assign(cuts.begin(), cuts.end());
  std::string text = toString(one, mesh);
  return text.substr(1, text.size() - 2);
}

std::string Propagation::describeAnnotation(int id) const {
  const Node &node = nodes[id];
  std::string text = "the annotation of " + nameOf(node);
  StringRef line = node.annotation.planLine;
  std::string at = line.empty() ? getLocationText(node.loc) : line.str();
  return at.empty() ? text : text + " (" + at + ")";
}

std::string Propagation::explainWhole(int id, unsigned d) const {
  const Node &node = nodes[id];
  for (unsigned index : node.ops) {
    Element element = elements[index];
    bool isBarrier = std::exchange(element.silentOperands, false);
    isBarrier |= std::exchange(element.silentResults, false);
    Claims claims = collectClaims(element, std::numeric_limits<int64_t>::max());
    for (auto list : {std::pair(ArrayRef(element.rule->operands), ArrayRef<int>(element.operands)),
                      std::pair(ArrayRef(element.rule->results), ArrayRef<int>(element.results))})
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
               << nameOf(nodes[claim.node]) << ", but ";
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
  if (StringRef group = node.annotation.group; !group.empty())
    os << "; sharded alike with all of group \"" << group << '"';
  return text;
}

ShardingAttr Propagation::attrOf(int id) { return shardings.getAttr(nodes[id].sharding.closed()); }

DenseI64ArrayAttr Propagation::prioritiesOf(int id) const {
  if (llvm::all_of(nodes[id].priorities, [](int64_t priority) { return priority == 0; }))
    return {};
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
      priorities.push_back(cutPriorities);
      shardings.push_back(known ? attrOf(it->second)
                                : ShardingAttr::get(module.getContext(), {}, {}));
      if (known && explainAll)
        reasons.push_back(builder.getStringAttr(explain(it->second)));
    }
    op->setAttr(shardingName, builder.getArrayAttr(shardings));
    if (anyPriority) {
      for (Attribute &list : priorities)
        list = list ? list : builder.getDenseI64ArrayAttr({});
      op->setAttr(priorityName, builder.getArrayAttr(priorities));
    }
    if (!reasons.empty() && !whyName.empty())
      op->setAttr(whyName, builder.getArrayAttr(reasons));
  };
  if (!op->getDiscardableAttrDictionary().empty()) {
    op->removeDiscardableAttr(kGroupAttr);
    op->removeDiscardableAttr(kPlanLineAttr);
  }
  annotateValues(op->getResults(), kShardingAttr, kCutPriorityAttr, kWhyAttr);
  if (DenseI64ArrayAttr decision = decisions.lookup(op))
    op->setAttr(kFactorPriorityAttr, decision);
  if (isRegionFlow(op))
    annotateValues(getRegionArguments(op), kArgShardingAttr, kArgCutPriorityAttr, "");
}
