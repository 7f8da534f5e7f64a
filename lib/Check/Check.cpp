//===- Check.cpp - Functions against functions -----------------------------===//

#include "tp/Check/Check.h"

#include "Evaluator.h"
#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

namespace {

/// Every part of an axis that the module names.
SmallVector<AxisPart> collectParts(ModuleOp module, const Mesh &mesh) {
  llvm::SmallPtrSet<Attribute, 16> seen;
  SmallVector<AxisPart> parts;
  auto add = [&](AxisAttr axis) { parts.push_back(getAxisPart(axis, mesh)); };
  auto addSharding = [&](Attribute attr) {
    auto sharding = dyn_cast_or_null<ShardingAttr>(attr);
    if (!sharding || !seen.insert(attr).second)
      return;
    for (DimShardingAttr dim : sharding.getDims())
      llvm::for_each(dim.getAxes(), add);
    for (PartialAttr partial : sharding.getPartials())
      llvm::for_each(partial.getAxes(), add);
  };
  module.walk([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        addSharding(function.getArgAttr(i, kShardingAttr));
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        addSharding(function.getResultAttr(i, kShardingAttr));
    }
    if (!isa<comm::CommDialect>(op->getDialect()))
      return;
    if (auto axes = op->getAttrOfType<ArrayAttr>("axes"); axes && seen.insert(axes).second)
      for (Attribute axis : axes)
        add(cast<AxisAttr>(axis));
  });
  return parts;
}

/// Of terms that differ: two values, or one that is computed in two ways.
constexpr char kOther[] = "is not seen to be what the original returns";

/// Where a value comes from, for people.
std::string describeMaker(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return "argument " + std::to_string(argument.getArgNumber());
  return "of '" + value.getDefiningOp()->getName().getStringRef().str() + "'";
}

class Checker {
public:
  Checker(ModuleOp original, ModuleOp partitioned, const Mesh &mesh, Type rounded)
      : original(original), partitioned(partitioned), rounded(rounded),
        ranks(mesh, collectParts(partitioned, mesh)), maps(ranks), algebra(ranks, terms, maps) {}

  LogicalResult run(std::vector<CheckedResult> &results);

private:
  LogicalResult checkFunction(func::FuncOp source, func::FuncOp local,
                              std::vector<CheckedResult> &results);
  /// One error where entries, which share one copy of a parameter or a state, or a state
  /// and its new value, do not agree on how it is cut.
  LogicalResult checkParameters();
  FailureOr<Sharding> getSharding(func::FuncOp local, Attribute attr, Type globalType,
                                  Type localType, Type sourceType, const Twine &what);
  /// What each rank holds of the block of a value that has `term`.
  Relation relate(TermId term, const Sharding &sharding, ArrayRef<int64_t> shape,
                  Attribute padding);
  /// Why ranks do not hold their blocks of the value that the source has; empty if
  /// they do.
  std::string compare(Relation expected, Relation found, const Sharding &sharding,
                      ArrayRef<int64_t> shape);
  /// Whether a rank's block has elements.
  bool hasBlock(const Sharding &sharding, ArrayRef<int64_t> shape, unsigned rank) {
    return llvm::all_of(llvm::enumerate(shape), [&](auto dim) {
      return sharding.dims[dim.index()].block(ranks.getMesh(), dim.value(), rank).size > 0;
    });
  }
  /// Whether no rank has padding in its block of dimension `dim`, of `size` elements in all.
  bool isFullBlock(RankMapId map, const Sharding &sharding, unsigned dim, int64_t size);
  std::string compareBlocks(Relation expected, Relation found, const Sharding &sharding,
                            ArrayRef<int64_t> shape);

  /// The first op of those that compute `value` whose operands the source has and whose
  /// result it has not; null: there is none.
  Operation *findForeign(Value value, Evaluator &evaluator);

  ModuleOp original, partitioned;
  Type rounded;
  Ranks ranks;
  Terms terms;
  Maps maps;
  Relations algebra;
};

FailureOr<Sharding> Checker::getSharding(func::FuncOp local, Attribute attr, Type globalType,
                                         Type localType, Type sourceType, const Twine &what) {
  auto ranked = dyn_cast<RankedTensorType>(globalType);
  if (globalType != sourceType)
    return local.emitError() << what << " of @" << local.getName() << " has "
                             << "tp.global_type " << globalType << ", in the original it is "
                             << sourceType;
  auto sharding = dyn_cast_or_null<ShardingAttr>(attr);
  if (!ranked)
    return Sharding();
  if (!sharding)
    return local.emitError() << what << " of @" << local.getName()
                             << " has no tp.sharding: the module is not partitioned";
  FailureOr<Sharding> plain = tp::getSharding(sharding, ranks.getMesh(), ranked.getRank(),
                                              [&] { return local.emitError(); });
  if (failed(plain))
    return failure();
  auto localRanked = dyn_cast<RankedTensorType>(localType);
  if (!localRanked || localRanked != ranked.clone(plain->localShape(ranked.getShape())))
    return local.emitError() << what << " of @" << local.getName() << " is " << localType
                             << ", its sharding " << tp::toString(*plain, ranks.getMesh()) << " of "
                             << globalType << " gives another local type";
  return plain;
}

Relation Checker::relate(TermId term, const Sharding &sharding, ArrayRef<int64_t> shape,
                         Attribute padding) {
  Relation relation = algebra.whole(term);
  SmallVector<int64_t> local = sharding.localShape(shape);
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (sharding.dims[d].cuts.empty())
      continue;
    relation.layout[d][0].size = local[d];
    relation.maps[d] = maps.make([&](unsigned rank) {
      ShardBlock block = sharding.dims[d].block(ranks.getMesh(), shape[d], rank);
      Map map = makeRange(block.offset, block.size);
      append(map, {local[d] - block.size, -1, 1, padding});
      return map;
    });
  }
  return relation;
}

bool Checker::isFullBlock(RankMapId map, const Sharding &sharding, unsigned dim, int64_t size) {
  for (unsigned rank = 0; rank < ranks.count(); ++rank) {
    Map block;
    appendSlice(block, maps.get(map, rank), 0,
                sharding.dims[dim].block(ranks.getMesh(), size, rank).size);
    if (hasPadding(block))
      return false;
  }
  return true;
}

std::string Checker::compare(Relation expected, Relation found, const Sharding &sharding,
                             ArrayRef<int64_t> shape) {
  if (expected.isUndefined || llvm::is_contained(shape, 0))
    return "";
  if (found.isUndefined)
    return "is a tensor without content";
  // Ranks without a block need none of it.
  if (llvm::all_of(llvm::seq(ranks.count()), [&](unsigned rank) {
        return !found.isAbsent(rank) || !hasBlock(sharding, shape, rank);
      }))
    found.absent.clear();
  // Padding of broadcasts may be behind the block.
  algebra.dropRepeats(found, [&](unsigned dim) {
    for (auto [d, local] : llvm::enumerate(found.layout))
      if (local.size() == 1 && local[0].dim == int(dim) && local[0].stride == 1 &&
          maps.size(found.maps[dim]) == local[0].size)
        return isFullBlock(found.maps[dim], sharding, d, shape[d]);
    return false;
  });
  // Splats have no blocks.
  if (expected.maps.empty() && found.maps.empty() && found.absent.empty() && !found.partial)
    return expected.term == found.term ? "" : kOther;
  if (found.partial)
    return "is still to be reduced by " + stringifyReductionKind(found.kind).str() + " over ranks";
  if (!found.absent.empty())
    return "is there on some ranks only";
  if (expected.maps.empty() || found.maps.empty())
    return kOther;
  std::string why = compareBlocks(expected, found, sharding, shape);
  if (why.empty())
    return why;
  // The value may be a view of what ranks have parts of.
  Relation whole = expected, part = found;
  if (algebra.isRange(whole) ? algebra.commit(whole) : algebra.materialize(whole))
    if (algebra.commit(part) && llvm::is_contained(algebra.viewsOf(part.term), whole.term) &&
        algebra.lift(part, whole.term) && compareBlocks(whole, part, sharding, shape).empty())
      return "";
  return why;
}

std::string Checker::compareBlocks(Relation expected, Relation found, const Sharding &sharding,
                                   ArrayRef<int64_t> shape) {
  SmallVector<int64_t> global(shape);
  // Along a broadcast all blocks are equal.
  llvm::SmallBitVector isFree(shape.size(), true);
  for (const Relation *relation : {&expected, &found})
    for (auto [d, atoms] : llvm::enumerate(relation->layout))
      for (const Atom &atom : atoms)
        if (atom.dim >= 0)
          isFree.reset(d);
  if (!algebra.commit(expected, global))
    return "of the original is beyond the checker: " + algebra.why;
  if (!algebra.commit(found, global))
    return "is beyond the checker: " + algebra.why;
  if (expected.term != found.term)
    return kOther;
  for (unsigned d = 0; d < shape.size(); ++d) {
    for (unsigned rank = 0; rank < ranks.count() && !isFree.test(d); ++rank) {
      if (!hasBlock(sharding, shape, rank))
        continue;
      ShardBlock block = sharding.dims[d].block(ranks.getMesh(), shape[d], rank);
      Map want, have;
      appendSlice(want, SmallVector<Run>(maps.get(expected.maps[d], rank)), block.offset,
                  block.size);
      appendSlice(have, SmallVector<Run>(maps.get(found.maps[d], rank)), 0, block.size);
      if (maps.intern(want) != maps.intern(have))
        return "has in dimension " + std::to_string(d) + " on rank " + std::to_string(rank) + " " +
               check::toString(have) + ", its block is " + check::toString(want);
      if (llvm::any_of(want, [](const Run &run) { return run.isPadding() && !run.fill; }))
        return "of the original is beyond the checker: it has elements of which nothing is known";
    }
  }
  return "";
}

Operation *Checker::findForeign(Value value, Evaluator &evaluator) {
  auto isForeign = [&](Value one) {
    const std::optional<Relation> &relation = evaluator.get(one).relation;
    return relation && !relation->isUndefined && !terms.isOfSource(relation->term);
  };
  Block *body = value.getParentBlock();
  DenseSet<Operation *> slice;
  SmallVector<Value> work = {value};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    op = op ? body->findAncestorOpInBlock(*op) : nullptr;
    if (op && slice.insert(op).second)
      op->walk([&](Operation *nested) { llvm::append_range(work, nested->getOperands()); });
  }
  // In the order of the program, from within first.
  Operation *first = nullptr;
  for (Operation &op : *body) {
    if (!slice.contains(&op))
      continue;
    op.walk([&](Operation *nested) {
      if (!llvm::any_of(nested->getResults(), isForeign) ||
          llvm::any_of(nested->getOperands(), isForeign))
        return WalkResult::advance();
      first = nested;
      return WalkResult::interrupt();
    });
    if (first)
      break;
  }
  return first;
}

LogicalResult Checker::checkFunction(func::FuncOp source, func::FuncOp local,
                                     std::vector<CheckedResult> &results) {
  if (source.getNumArguments() != local.getNumArguments() ||
      source.getNumResults() != local.getNumResults())
    return local.emitError() << "@" << local.getName() << " has " << local.getNumArguments()
                             << " arguments and " << local.getNumResults()
                             << " results, in the original " << source.getNumArguments() << " and "
                             << source.getNumResults();
  if (!source.getBody().hasOneBlock() || !local.getBody().hasOneBlock())
    return local.emitError() << "@" << local.getName()
                             << " has several blocks, which the checker does not follow";
  Evaluator before(algebra, /*isSource=*/true), after(algebra, /*isSource=*/false, rounded);
  auto globalType = [](Attribute attr, Type type) {
    auto typeAttr = dyn_cast_or_null<TypeAttr>(attr);
    return typeAttr ? typeAttr.getValue() : type;
  };
  for (unsigned i = 0; i < source.getNumArguments(); ++i) {
    BlockArgument argument = source.getArgument(i), block = local.getArgument(i);
    Type type = argument.getType();
    FailureOr<Sharding> sharding =
        getSharding(local, local.getArgAttr(i, kShardingAttr),
                    globalType(local.getArgAttr(i, kGlobalTypeAttr), block.getType()),
                    block.getType(), type, "argument " + Twine(i));
    if (failed(sharding))
      return failure();
    Key key = {kArgumentTerm, keyOf(StringAttr::get(source.getContext(), source.getName())), i};
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked) {
      Scalar scalar;
      scalar.term = terms.intern(key);
      before.define(argument, scalar);
      after.define(block, scalar);
      continue;
    }
    TermId term = terms.intern(key, ranked.getShape());
    before.define(argument, algebra.whole(term));
    auto kind = local.getArgAttrOfType<StringAttr>(i, kKindAttr);
    bool isState = kind && kind.getValue() == "state";
    Attribute zero =
        isState ? Attribute() : getNeutral(ReductionKind::Sum, ranked.getElementType());
    Relation relation = relate(term, *sharding, ranked.getShape(), zero);
    // A partial input: coordinate 0 has it, the others the neutral element.
    for (const PartialAxis &axis : sharding->partial) {
      if (relation.absent.empty())
        relation.absent.resize(ranks.count());
      for (unsigned rank = 0; rank < ranks.count(); ++rank)
        if (axis.part.coordinate(ranks.getMesh(), rank) != 0)
          relation.absent[rank] = getNeutral(axis.kind, ranked.getElementType());
    }
    after.define(block, relation);
  }
  algebra.isSource = true;
  before.run(source.getBody().front());
  terms.endSource();
  algebra.isSource = false;
  after.run(local.getBody().front());
  Operation *sourceReturn = source.getBody().front().getTerminator();
  Operation *localReturn = local.getBody().front().getTerminator();
  for (unsigned i = 0; i < source.getNumResults(); ++i) {
    FailureOr<Sharding> sharding =
        getSharding(local, local.getResultAttr(i, kShardingAttr),
                    globalType(local.getResultAttr(i, kGlobalTypeAttr), local.getResultTypes()[i]),
                    local.getResultTypes()[i], source.getResultTypes()[i], "result " + Twine(i));
    if (failed(sharding))
      return failure();
    const Known &want = before.get(sourceReturn->getOperand(i));
    const Known &have = after.get(localReturn->getOperand(i));
    CheckedResult result{local.getName().str(), i, "", localReturn->getLoc()};
    if (have.failure) {
      result.loc = have.failure->op->getLoc();
      result.why =
          ("'" + have.failure->op->getName().getStringRef() + "' " + have.failure->why).str();
    } else if (want.failure) {
      result.loc = want.failure->op->getLoc();
      result.why = ("'" + want.failure->op->getName().getStringRef() +
                    "' of the original is beyond the checker: " + want.failure->why)
                       .str();
    } else if (have.relation) {
      result.why = compare(*want.relation, *have.relation, *sharding,
                           cast<RankedTensorType>(source.getResultTypes()[i]).getShape());
    } else if (want.scalar.term != have.scalar.term ||
               want.scalar.constants != have.scalar.constants) {
      result.why = kOther;
    }
    if (result.why == kOther) {
      Operation *foreign = have.relation ? findForeign(localReturn->getOperand(i), after) : nullptr;
      if (foreign) {
        result.loc = foreign->getLoc();
        result.why = ("is another value: the original has nothing that this '" +
                      foreign->getName().getStringRef() + "' gives")
                         .str();
      } else {
        result.why += ": it is " + describeMaker(localReturn->getOperand(i)) + ", there it is " +
                      describeMaker(sourceReturn->getOperand(i));
      }
    }
    if (!result.why.empty() && !have.failure && !want.failure)
      result.why = "what is returned " + result.why;
    results.push_back(result);
  }
  return success();
}

LogicalResult Checker::checkParameters() {
  struct Held {
    Sharding sharding;
    RankedTensorType type;
    std::string where;
    Location loc;
  };
  const Mesh &mesh = ranks.getMesh();
  auto agree = [&](const Twine &what, const Held &a, const Held &b) -> LogicalResult {
    if (a.type == b.type && equivalent(a.sharding, b.sharding, a.type.getShape()))
      return success();
    InFlightDiagnostic error = emitError(b.loc)
                               << what << " is " << a.type << " cut as "
                               << tp::toString(a.sharding, mesh) << " as " << a.where << " and "
                               << b.type << " cut as " << tp::toString(b.sharding, mesh) << " as "
                               << b.where << ", which are one value";
    error.attachNote(a.loc) << "the other one";
    return error;
  };
  std::map<std::pair<StringRef, StringRef>, Held> known;
  for (auto function : partitioned.getOps<func::FuncOp>()) {
    if (function.isDeclaration())
      continue;
    auto held = [&](Attribute sharding, Attribute global,
                    const Twine &where) -> std::optional<Held> {
      auto typeAttr = dyn_cast_or_null<TypeAttr>(global);
      auto type = typeAttr ? dyn_cast<RankedTensorType>(typeAttr.getValue()) : RankedTensorType();
      auto attr = dyn_cast_or_null<ShardingAttr>(sharding);
      if (!type || !attr)
        return std::nullopt;
      return Held{tp::getSharding(attr, mesh, type.getRank()), type,
                  (where + " of @" + function.getName()).str(), function.getLoc()};
    };
    auto argument = [&](unsigned i) {
      return held(function.getArgAttr(i, kShardingAttr), function.getArgAttr(i, kGlobalTypeAttr),
                  "argument " + Twine(i));
    };
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto kind = function.getArgAttrOfType<StringAttr>(i, kKindAttr);
      auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr);
      std::optional<Held> here = argument(i);
      if (!kind || !name || kind.getValue() == "input" || !here)
        continue;
      auto [it, isNew] = known.try_emplace({kind.getValue(), name.getValue()}, *here);
      if (!isNew &&
          failed(agree(kind.getValue() + " \"" + name.getValue() + "\"", it->second, *here)))
        return failure();
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      auto alias = function.getResultAttrOfType<IntegerAttr>(i, kAliasAttr);
      std::optional<Held> before = alias ? argument(alias.getInt()) : std::nullopt,
                          after = held(function.getResultAttr(i, kShardingAttr),
                                       function.getResultAttr(i, kGlobalTypeAttr),
                                       "result " + Twine(i));
      if (before && after && failed(agree("a state", *before, *after)))
        return failure();
    }
  }
  return success();
}

LogicalResult Checker::run(std::vector<CheckedResult> &results) {
  if (failed(checkParameters()))
    return failure();
  for (auto local : partitioned.getOps<func::FuncOp>()) {
    if (local.isDeclaration())
      continue;
    auto source = original.lookupSymbol<func::FuncOp>(local.getName());
    if (!source || source.isDeclaration())
      return local.emitError() << "@" << local.getName() << " is no function of the original";
    if (failed(checkFunction(source, local, results)))
      return failure();
  }
  return success();
}

/// Inlines calls, and canonicalizes.
LogicalResult simplify(ModuleOp module) {
  MLIRContext *context = module.getContext();
  SmallVector<linalg::SoftmaxOp> softmaxes;
  bool hasCalls = false, isStatic = true;
  module.walk([&](Operation *op) {
    if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
      softmaxes.push_back(softmax);
    hasCalls |= isa<func::CallOp>(op);
    auto isOpen = [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return shaped && !shaped.hasStaticShape();
    };
    isStatic &=
        llvm::none_of(op->getOperandTypes(), isOpen) && llvm::none_of(op->getResultTypes(), isOpen);
  });
  // Softmax is what upstream says that it is made of.
  IRRewriter rewriter(context);
  for (linalg::SoftmaxOp op : softmaxes) {
    rewriter.setInsertionPoint(op);
    if (FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter); succeeded(parts))
      rewriter.replaceOp(op, *parts);
  }
  if (hasCalls) {
    PassManager pm(context);
    pm.addPass(createInlinerPass());
    pm.enableVerifier(false);
    if (failed(pm.run(module)))
      return failure();
  }
  // What linalg has for all of its ops finds sizes that types lack, and does nothing, at
  // more cost than the others together, where they lack none.
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    if (!isStatic || !isa<linalg::LinalgDialect>(dialect))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  FrozenRewritePatternSet frozen(std::move(patterns));
  // The driver drops dead ops; regions have one block.
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal();
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  for (auto function : module.getOps<func::FuncOp>())
    (void)applyPatternsGreedily(function, frozen, config);
  return success();
}

} // namespace

FailureOr<std::vector<CheckedResult>> tp::checkPartitioned(ModuleOp original, ModuleOp partitioned,
                                                           const CheckOptions &options) {
  if (!lookupMesh(partitioned))
    return partitioned.emitError() << "has no tp.mesh: the module is not partitioned";
  Mesh mesh = getMesh(lookupMesh(partitioned));
  MLIRContext *context = original.getContext();
  Type rounded = llvm::StringSwitch<Type>(options.reduceDtype)
                     .Case("bf16", BFloat16Type::get(context))
                     .Case("f16", Float16Type::get(context))
                     .Case("f32", Float32Type::get(context))
                     .Default(Type());
  if (failed(simplify(original)))
    return failure();
  std::vector<CheckedResult> results;
  if (failed(Checker(original, partitioned, mesh, rounded).run(results)))
    return failure();
  return results;
}

void tp::reportUnproved(const std::vector<CheckedResult> &results, DiagnosticSeverity severity) {
  std::optional<InFlightDiagnostic> report;
  for (const CheckedResult &result : results) {
    if (result.isProved())
      continue;
    std::string text = "result " + std::to_string(result.number) + " of @" + result.function +
                       " is not proved: " + result.why;
    if (report)
      report->attachNote(result.loc) << text;
    else
      report.emplace(
          (severity == DiagnosticSeverity::Error ? emitError(result.loc) : emitRemark(result.loc))
          << text);
  }
}
