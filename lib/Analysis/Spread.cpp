//===- Spread.cpp - Rounds of propagation ----------------------------------===//
//
// What an op proposes for its tensors, which factor gets an axis that several want,
// and the rounds until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "tp/Analysis/Propagation.h"

using namespace mlir;
using namespace mlir::tp;

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

/// Whether the op adds what it reduces over `factor` to this operand. Ranks without a part of
/// it then begin with the neutral element, so nothing is to be gathered.
static bool isAddedTo(Operation *op, const ShardingRule &rule, unsigned operand, unsigned factor) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  return dps && rule.factors[factor].kind == FactorKind::Reduction &&
         operand < op->getNumOperands() && dps.isDpsInit(&op->getOpOperand(operand));
}

Propagation::Claims Propagation::collectClaims(const Element &element, int64_t priority) const {
  const ShardingRule &rule = *element.rule;
  Claims all(rule.factors.size());
  auto collect = [&](const TensorRule &tensor, int id, unsigned number) {
    if (id < 0 || nodes[id].priority() > priority)
      return;
    const Node &node = nodes[id];
    for (auto [d, factors] : llvm::enumerate(tensor.dims)) {
      const Cuts &cuts = node.sharding.dims[d].cuts;
      if (cuts.empty())
        continue;
      auto add = [&, d = static_cast<unsigned>(d)](unsigned factor, const Cuts &list) {
        if (!list.empty() && rule.factors[factor].kind != FactorKind::Replicated)
          all[factor].push_back({list,
                                 id,
                                 &tensor,
                                 number < rule.numOperands(),
                                 {node.priorities[d], -getBits(node.type), number, d}});
      };
      if (factors.size() == 1) {
        add(factors[0], cuts);
        continue;
      }
      auto lists = projectDim(rule, factors, node.type.getDimSize(d), cuts);
      if (succeeded(lists))
        for (auto [factor, list] : llvm::zip_equal(factors, *lists))
          add(factor, list);
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
  const ShardingRule &rule = *element.rule;
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
    if (!rule.ignored.test(i) && !(keeper && isAddedTo(element.op, rule, i, *keeper)))
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
  const ShardingRule &rule = *element.rule;
  // What each factor could be cut by: the best claim, lengthened by claims that
  // continue it.
  Claims all = collectClaims(element, priority);
  SmallVector<std::optional<Claim>, 4> claims(rule.factors.size());
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
  if (order.empty())
    return std::nullopt;
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
  // Whether cutting `factor` instead leaves what the claim wants of an operand to be gathered.
  auto isReadWithout = [&](const Claim &claim, unsigned factor) {
    return claim.isOperand && !isAddedTo(element.op, rule, claim.number(), factor);
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
      auto isOther = [&](const Claim &claim) { return isReadWithout(claim, factor); };
      return rule.factors[factor].kind == FactorKind::Reduction &&
             llvm::none_of(rivals, [&](unsigned other) {
               return other != factor && llvm::any_of(all[other], isOther);
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
    Cuts &cuts = claims[factor]->cuts;
    cuts.erase(llvm::find_if(cuts, [&](const Cut &cut) { return cut.part.overlaps(part); }),
               cuts.end());
  };
  for (unsigned factor : order) {
    for (const Cut &cut : Cuts(claims[factor]->cuts))
      for (auto &[owner, part] : used)
        if (owner != factor && part.overlaps(cut.part)) {
          truncate(factor, cut.part);
          if (!settle)
            truncate(owner, part);
          for (const Claim &claim : all[factor])
            if (settle && !has(*claim.tensor, owner) && isReadWithout(claim, owner))
              round.gathers.push_back({claim.node, cut.part});
        }
    for (const Cut &cut : claims[factor]->cuts)
      used.push_back({factor, cut.part});
  }
  SmallVector<Cuts, 4> cuts(rule.factors.size());
  for (unsigned factor : order)
    if (rule.factors[factor].kind != FactorKind::Candidate)
      cuts[factor] = claims[factor]->cuts;
  for (auto [i, tensor] : llvm::enumerate(rule.operands))
    if (element.operands[i] >= 0)
      proposeFor(element, tensor, element.operands[i], claims, cuts, round.proposals);
  for (auto [i, tensor] : llvm::enumerate(rule.results))
    if (element.results[i] >= 0)
      proposeFor(element, tensor, element.results[i], claims, cuts, round.proposals);
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
                             ArrayRef<std::optional<Claim>> claims, ArrayRef<Cuts> cuts,
                             SmallVectorImpl<Proposal> &proposals) const {
  const Node &node = nodes[id];
  const ShardingRule &rule = *element.rule;
  for (auto [d, factors] : llvm::enumerate(tensor.dims)) {
    const DimSharding &dim = node.sharding.dims[d];
    size_t most = 0;
    for (unsigned factor : factors)
      most += cuts[factor].size();
    if (!dim.open || most <= dim.cuts.size())
      continue;
    FailureOr<Cuts> wanted = expandDim(rule, factors, node.type.getDimSize(d), cuts);
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
  // Elements of which nothing is cut have nothing to say.
  std::vector<unsigned> work;
  for (const Node &node : nodes)
    if (node.sharding.isSharded())
      llvm::append_range(work, node.ops);
  llvm::sort(work);
  work.erase(llvm::unique(work), work.end());
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
    if (!llvm::is_contained(priorities, node.priority()))
      priorities.push_back(node.priority());
  llvm::sort(priorities);
  for (int64_t priority : priorities) {
    if (priority != priorities.front())
      barAxes();
    spread(priority);
  }
}
