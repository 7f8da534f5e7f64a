//===- Interpreter.cpp - All ranks in lockstep -----------------------------===//

#include "tp/Interpreter/Interpreter.h"

#include "Rank.h"
#include "dialects/TP/TP.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

/// `rank 3`, `ranks 0, 2`.
static std::string namesOf(ArrayRef<int64_t> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(ranks, os);
  return text;
}

namespace {

class Lockstep {
public:
  Lockstep(const InterpreterOptions &options) : options(options) {}

  LogicalResult start(func::FuncOp entry, ArrayRef<std::vector<Tensor>> arguments) {
    for (auto [rank, values] : llvm::enumerate(arguments)) {
      ranks.push_back(std::make_unique<Rank>(options, rank, program));
      if (failed(ranks.back()->start(entry, values)))
        return failure();
    }
    return success();
  }

  LogicalResult run() {
    while (true) {
      for (auto &rank : ranks)
        if (failed(rank->run()))
          return failure();
      bool allReturned = true, progress = false;
      for (size_t rank = 0; rank < ranks.size(); ++rank) {
        allReturned &= ranks[rank]->getState() == Rank::State::Returned;
        if (ranks[rank]->getState() != Rank::State::Waiting)
          continue;
        FailureOr<bool> met = meet(rank);
        if (failed(met))
          return failure();
        progress |= *met;
      }
      if (allReturned)
        return success();
      if (!progress)
        return emitMismatch();
    }
  }

  std::vector<std::vector<Tensor>> getResults() const {
    std::vector<std::vector<Tensor>> results;
    for (auto &rank : ranks)
      results.emplace_back(rank->getResults().begin(), rank->getResults().end());
    return results;
  }

private:
  bool waitsIn(int64_t rank, Operation *collective) const {
    return ranks[rank]->getState() == Rank::State::Waiting &&
           ranks[rank]->getCollective() == collective;
  }

  /// Executes the collective that `rank` waits in where all of its group wait in
  /// it; says whether it did.
  FailureOr<bool> meet(int64_t rank) {
    Operation *op = ranks[rank]->getCollective();
    FailureOr<SmallVector<AxisPart>> axes = getAxes(op, ranks[rank]->getEnvironment());
    if (failed(axes))
      return failure();
    SmallVector<int64_t> group = getGroup(*axes, options.mesh, rank);
    if (!llvm::all_of(group, [&](int64_t member) { return waitsIn(member, op); }))
      return false;
    std::vector<std::vector<Tensor>> results(group.size());
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      SmallVector<const Tensor *> operands;
      for (int64_t member : group)
        operands.push_back(&ranks[member]->getCollectiveOperand(i));
      for (auto [list, result] : llvm::zip_equal(results, evaluateCollective(op, operands)))
        list.push_back(std::move(result));
    }
    for (auto [member, list] : llvm::zip_equal(group, results))
      if (failed(ranks[member]->resume(list)))
        return failure();
    return true;
  }

  /// The lowest rank that waits, and what the rest of its group does instead.
  LogicalResult emitMismatch() {
    int64_t first = 0;
    while (ranks[first]->getState() != Rank::State::Waiting)
      ++first;
    Operation *op = ranks[first]->getCollective();
    FailureOr<SmallVector<AxisPart>> axes = getAxes(op, ranks[first]->getEnvironment());
    if (failed(axes))
      return failure();
    SmallVector<int64_t> here, elsewhere;
    for (int64_t member : getGroup(*axes, options.mesh, first))
      (waitsIn(member, op) ? here : elsewhere).push_back(member);
    InFlightDiagnostic diagnostic = op->emitOpError()
                                    << "is met by " << namesOf(here) << " but not by "
                                    << namesOf(elsewhere) << ", ";
    Rank &other = *ranks[elsewhere.front()];
    if (other.getState() == Rank::State::Returned)
      return diagnostic << "which " << (elsewhere.size() > 1 ? "have" : "has") << " returned";
    Operation *otherOp = other.getCollective();
    diagnostic << "as " << namesOf(elsewhere.front()) << " waits in '" << otherOp->getName() << "'";
    diagnostic.attachNote(otherOp->getLoc()) << "the other collective is here";
    return diagnostic;
  }

  const InterpreterOptions &options;
  Program program;
  std::vector<std::unique_ptr<Rank>> ranks;
};

} // namespace

FailureOr<std::vector<std::vector<Tensor>>>
interp::interpret(func::FuncOp entry, ArrayRef<std::vector<Tensor>> arguments,
                  const InterpreterOptions &options) {
  assert(static_cast<int64_t>(arguments.size()) == options.mesh.numDevices() &&
         "arguments of every rank");
  Lockstep lockstep(options);
  if (failed(lockstep.start(entry, arguments)) || failed(lockstep.run()))
    return failure();
  return lockstep.getResults();
}

/// The sharding attribute of a value of this rank, replicated where there is none.
static Sharding getShardingOrReplicated(Attribute attr, const Mesh &mesh, unsigned rank) {
  if (auto sharding = dyn_cast_or_null<ShardingAttr>(attr))
    return getSharding(sharding, mesh, rank);
  return Sharding(rank);
}

FailureOr<std::vector<Tensor>> interp::interpretPartitioned(func::FuncOp entry,
                                                            ArrayRef<Tensor> arguments,
                                                            const InterpreterOptions &options) {
  const Mesh &mesh = options.mesh;
  std::vector<std::vector<Tensor>> locals(mesh.numDevices());
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Attribute attr = i < entry.getNumArguments() ? entry.getArgAttr(i, kShardingAttr) : nullptr;
    Sharding sharding = getShardingOrReplicated(attr, mesh, argument.getRank());
    for (auto [device, values] : llvm::enumerate(locals))
      values.push_back(shard(argument, sharding, mesh, device));
  }
  auto perRank = interpret(entry, locals, options);
  if (failed(perRank))
    return failure();
  std::vector<Tensor> results;
  for (unsigned i = 0; i < entry.getNumResults(); ++i) {
    std::vector<Tensor> values;
    for (const std::vector<Tensor> &rank : *perRank)
      values.push_back(rank[i]);
    SmallVector<int64_t> shape(values[0].getShape());
    if (auto type = entry.getResultAttrOfType<TypeAttr>(i, kGlobalTypeAttr))
      if (auto ranked = dyn_cast<RankedTensorType>(type.getValue()))
        shape.assign(ranked.getShape().begin(), ranked.getShape().end());
    Sharding sharding =
        getShardingOrReplicated(entry.getResultAttr(i, kShardingAttr), mesh, shape.size());
    FailureOr<Tensor> global = unshard(values, sharding, mesh, shape, [&] {
      return entry.emitError() << "result " << i << " of '" << entry.getSymName() << "': ";
    });
    if (failed(global))
      return failure();
    results.push_back(*global);
  }
  return results;
}

FailureOr<std::vector<Tensor>> interp::interpretUnsharded(func::FuncOp entry,
                                                          ArrayRef<Tensor> arguments, bool poison) {
  InterpreterOptions options;
  options.poison = poison;
  auto results =
      interpret(entry, {std::vector<Tensor>(arguments.begin(), arguments.end())}, options);
  if (failed(results))
    return failure();
  return results->front();
}
