//===- Collectives.cpp - The collectives of an entry -----------------------===//

#include "tp/Explain/Explain.h"

#include "dialects/Comm/Comm.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tp/Support/LocationText.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

void CollectiveTotals::add(const CollectiveRow &row) {
  count += row.count;
  elements += row.elements * row.count;
  bytesPerRank += row.bytesPerRank * row.count;
  picoseconds += row.picoseconds * row.count;
}

CollectiveTotals EntryExplanation::getTotals() const {
  CollectiveTotals totals;
  for (const CollectiveRow &row : collectives)
    totals.add(row);
  return totals;
}

static std::optional<CollectiveKind> getKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<CollectiveKind>>(op)
      .Case([](comm::AllGatherOp) { return CollectiveKind::AllGather; })
      .Case([](comm::ReduceScatterOp) { return CollectiveKind::ReduceScatter; })
      .Case([](comm::AllReduceOp) { return CollectiveKind::AllReduce; })
      .Case([](comm::AllToAllOp) { return CollectiveKind::AllToAll; })
      .Case([](comm::PermuteOp) { return CollectiveKind::Permute; })
      .Default([](Operation *) { return std::nullopt; });
}

static std::string printToString(llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

/// As in plans.
static std::string getAxisText(AxisAttr axis) {
  std::string text = axis.getName().str();
  if (axis.getSize())
    text += (":(" + Twine(axis.getPre()) + ")" + Twine(axis.getSize())).str();
  return text;
}

namespace {
/// How often the code at hand runs.
struct Frequency {
  int64_t count = 1;
  bool isDynamic = false;
};

class Walker {
public:
  Walker(const Mesh &mesh, const Hardware &hardware, std::vector<CollectiveRow> &rows)
      : mesh(mesh), hardware(hardware), rows(rows) {}

  void visitFunction(func::FuncOp function, Frequency frequency) {
    if (function.isExternal() || llvm::is_contained(active, function))
      return;
    active.push_back(function);
    visitRegion(function.getBody(), frequency);
    active.pop_back();
  }

private:
  const Mesh &mesh;
  const Hardware &hardware;
  std::vector<CollectiveRow> &rows;
  SmallVector<func::FuncOp> active;

  void visitRegion(Region &region, Frequency frequency) {
    for (Block &block : region)
      for (Operation &op : block)
        visitOp(&op, frequency);
  }

  void visitOp(Operation *op, Frequency frequency) {
    if (std::optional<CollectiveKind> kind = getKind(op))
      addRow(op, *kind, frequency);
    if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee =
              SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr()))
        visitFunction(callee, frequency);
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      if (trips)
        frequency.count *= trips->getZExtValue();
      else
        frequency.isDynamic = true;
    }
    for (Region &region : op->getRegions())
      visitRegion(region, frequency);
  }

  void addRow(Operation *op, CollectiveKind kind, Frequency frequency) {
    CollectiveRow row;
    row.kind = op->getName().stripDialect().str();
    int64_t ranks = 1;
    for (AxisAttr axis : op->getAttrOfType<ArrayAttr>("axes").getAsRange<AxisAttr>()) {
      row.axes.push_back(getAxisText(axis));
      ranks *= getAxisPart(axis, mesh).size;
    }
    Type element = comm::getTransferType(op);
    int64_t bytes = getElementBytes(element);
    for (auto [from, to] : llvm::zip_equal(op->getOperandTypes(), op->getResultTypes()))
      row.elements += std::max(cast<RankedTensorType>(from).getNumElements(),
                               cast<RankedTensorType>(to).getNumElements()) *
                      getElementBytes(getElementTypeOrSelf(from)) / bytes;
    row.dtype = printToString([&](llvm::raw_ostream &os) { element.print(os); });
    row.bytesPerRank = tp::bytesPerRank(kind, ranks, row.elements, bytes);
    row.picoseconds = hardware.picoseconds(/*messages=*/1, row.bytesPerRank);
    row.count = frequency.count;
    row.isDynamic = frequency.isDynamic;
    row.loc = getLocationText(op->getLoc());
    if (auto reason = op->getAttrOfType<StringAttr>("reason"))
      row.reason = reason.str();
    rows.push_back(std::move(row));
  }
};
} // namespace

std::vector<EntryExplanation> tp::explainCollectives(ModuleOp module, const Hardware &hardware) {
  std::vector<EntryExplanation> entries;
  MeshOp meshOp = lookupMesh(module);
  Mesh mesh = meshOp ? getMesh(meshOp) : Mesh();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    entries.push_back({function.getName().str(), {}});
    Walker(mesh, hardware, entries.back().collectives).visitFunction(function, Frequency());
  }
  return entries;
}
