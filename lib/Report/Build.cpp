//===- Build.cpp - Read a report off a module of phase rt ------------------===//

#include "tp/Report/Report.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "tp/Conversion/Manifest.h"
#include "tp/Support/LocationText.h"
#include "tprt/error.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::tp;
using tprt::ValueInfo;
using tprt::ValueKind;

LayerName tp::splitLayerName(StringRef name) {
  // file:line:column is no name of a model.
  if (name.contains(':'))
    return {name.str(), "", -1};
  size_t begin = 0;
  while (begin <= name.size()) {
    size_t end = std::min(name.find('.', begin), name.size());
    StringRef part = name.slice(begin, end);
    int64_t layer;
    if (begin > 0 && llvm::all_of(part, llvm::isDigit) && !part.getAsInteger(10, layer))
      return {(name.take_front(begin) + "*" + name.drop_front(end)).str(),
              name.take_front(begin - 1).str(), layer};
    begin = end + 1;
  }
  return {name.str(), "", -1};
}

bool ReportedValue::comesBefore(const ReportedValue &other) const {
  int64_t mine = getBytes(), others = other.getBytes();
  return mine != others ? mine > others
                        : std::tie(info.kind, name, entry, layers) <
                              std::tie(other.info.kind, other.name, other.entry, other.layers);
}

std::string PlanReport::getTitle() const {
  std::string text = plan.empty() ? "annotations" : plan;
  for (const tprt::MeshAxis &axis : mesh)
    text += ", " + axis.name + "=" + std::to_string(axis.size);
  return text;
}

namespace {

/// The first of equal layouts collects the others.
void addValue(std::vector<ReportedValue> &values, const ValueInfo &info, StringRef entry) {
  LayerName name = splitLayerName(info.name);
  auto isEqual = [&](const ReportedValue &other) {
    return other.name == name.pattern && other.entry == entry && other.info.kind == info.kind &&
           other.info.dtype == info.dtype && other.info.globalShape == info.globalShape &&
           other.info.sharding == info.sharding && other.info.blocks == info.blocks;
  };
  if (name.layer >= 0)
    if (auto known = llvm::find_if(values, isEqual); known != values.end()) {
      ++known->count;
      known->layers.push_back(name.layer);
      return;
    }
  ReportedValue value;
  value.info = info;
  value.name = name.pattern;
  value.entry = entry.str();
  if (name.layer >= 0)
    value.layers.push_back(name.layer);
  values.push_back(std::move(value));
}

void sortValues(std::vector<ReportedValue> &values) {
  llvm::sort(values, [](const ReportedValue &a, const ReportedValue &b) {
    return a.info.kind != b.info.kind ? a.info.kind < b.info.kind : a.comesBefore(b);
  });
}

std::vector<ReportedValue> collectValues(const tprt::Manifest &manifest) {
  std::vector<ReportedValue> values;
  std::set<std::string> stored;
  for (const tprt::EntryInfo &entry : manifest.entries) {
    for (const ValueInfo &argument : entry.arguments) {
      if (argument.kind == ValueKind::Input)
        addValue(values, argument, entry.name);
      else if (stored.insert(argument.name).second)
        addValue(values, argument, "");
    }
    for (ValueInfo result : entry.results)
      if (result.state < 0) {
        result.kind = ValueKind::Result;
        addValue(values, result, entry.name);
      }
  }
  sortValues(values);
  return values;
}

std::vector<RankContent> collectContents(const tprt::Manifest &manifest,
                                         ArrayRef<ReportedValue> values) {
  std::vector<RankContent> ranks(manifest.numRanks());
  for (const ReportedValue &value : values) {
    if (value.info.kind != ValueKind::Parameter && value.info.kind != ValueKind::State)
      continue;
    for (auto [rank, blocks] : llvm::enumerate(value.info.blocks)) {
      int64_t bytes = value.count * tprt_dtype_size(value.info.dtype);
      for (const tprt::Range &block : blocks)
        bytes *= block.size;
      (value.info.kind == ValueKind::State ? ranks[rank].state : ranks[rank].weights) += bytes;
    }
  }
  return ranks;
}

std::vector<ArenaBuffer> collectBuffers(func::FuncOp function) {
  llvm::MapVector<std::pair<std::string, int64_t>, int64_t,
                  std::map<std::pair<std::string, int64_t>, unsigned>>
      counts;
  function.walk([&](memref::ViewOp view) {
    if (!view.getSource().getDefiningOp<rt::ArenaOp>())
      return;
    auto type = cast<MemRefType>(view.getType());
    std::string place = splitLayerName(getLocationText(view.getLoc())).pattern;
    int64_t bytes = type.getNumElements() * rt::getElementBytes(type.getElementType());
    ++counts[{place, bytes}];
  });
  std::vector<ArenaBuffer> buffers;
  for (auto &[key, count] : counts)
    buffers.push_back({key.first, key.second, count});
  llvm::sort(buffers, [](const ArenaBuffer &a, const ArenaBuffer &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  });
  return buffers;
}

void addTo(std::vector<KindTotals> &kinds, const CollectiveRow &row) {
  auto known = llvm::find_if(kinds, [&](const KindTotals &k) { return k.kind == row.kind; });
  if (known == kinds.end())
    known = kinds.insert(kinds.end(), KindTotals{row.kind, {}, false});
  known->totals.add(row);
  known->isDynamic |= row.isDynamic;
}

EntryReport buildEntry(EntryExplanation explanation) {
  EntryReport entry;
  for (const CollectiveRow &row : explanation.collectives) {
    addTo(entry.kinds, row);
    entry.isDynamic |= row.isDynamic;
    LayerName name = splitLayerName(row.loc);
    auto place = llvm::find_if(entry.places, [&](const PlaceReport &p) {
      return name.stack.empty() ? p.layer < 0 && p.name == row.loc
                                : p.stack == name.stack && p.layer == name.layer;
    });
    if (place == entry.places.end()) {
      std::string text =
          name.stack.empty() ? row.loc : name.stack + "." + std::to_string(name.layer);
      place = entry.places.insert(entry.places.end(), {text, name.stack, name.layer, {}});
    }
    addTo(place->kinds, row);
  }
  entry.explanation = std::move(explanation);
  return entry;
}

} // namespace

/// Cuts each of `values` into the layers that are also together in `others`.
static std::vector<ReportedValue> cutLayers(ArrayRef<ReportedValue> values,
                                            ArrayRef<ReportedValue> others) {
  std::vector<ReportedValue> pieces;
  for (const ReportedValue &value : values) {
    std::map<const ReportedValue *, size_t> pieceOf;
    for (int64_t layer : value.layers) {
      auto *other = llvm::find_if(others, [&](const ReportedValue &o) {
        return o.name == value.name && o.entry == value.entry && o.info.kind == value.info.kind &&
               llvm::is_contained(o.layers, layer);
      });
      auto [known, isNew] = pieceOf.try_emplace(other, pieces.size());
      if (isNew) {
        pieces.push_back(value);
        pieces.back().layers.clear();
      }
      ReportedValue &piece = pieces[known->second];
      piece.layers.push_back(layer);
      piece.count = piece.layers.size();
    }
    if (value.layers.empty())
      pieces.push_back(value);
  }
  sortValues(pieces);
  return pieces;
}

void tp::alignLayers(PlanReport &a, PlanReport &b) {
  a.values = cutLayers(a.values, b.values);
  b.values = cutLayers(b.values, a.values);
}

FailureOr<PlanReport> tp::buildPlanReport(ModuleOp module,
                                          std::vector<EntryExplanation> explanations) {
  FailureOr<std::string> text = buildManifest(module);
  if (failed(text))
    return failure();
  tprt::Manifest manifest;
  try {
    manifest = tprt::parseManifest(*text);
  } catch (const tprt::Error &error) {
    return module.emitError() << error.what();
  }
  PlanReport report;
  report.mesh = manifest.mesh;
  report.communicationBytes = tprt::threadCommunicationBytes(manifest);
  report.isForGPUs = manifest.target == tprt::Target::CUDA;
  report.productBytes = tprt::productWorkspaceBytes(manifest);
  report.memory = tprt::memoryUse(tprt::memoryItems(manifest, report.communicationBytes));
  report.values = collectValues(manifest);
  report.ranks = collectContents(manifest, report.values);
  for (EntryExplanation &explanation : explanations) {
    EntryReport entry = buildEntry(std::move(explanation));
    entry.arenaBytes = manifest.entries[manifest.findEntry(entry.getName())].arenaBytes;
    entry.buffers = collectBuffers(module.lookupSymbol<func::FuncOp>(entry.getName()));
    report.entries.push_back(std::move(entry));
  }
  return report;
}
