//===- Report.h - What a plan takes, before there is machine code -*- C++ -*-===//
//
// Memory of a rank, the collectives of each entry and where every value lies,
// read off a module of phase rt. The memory is that of the manifest, as the
// runtime accounts it. Several plans for one program stand side by side, as text,
// as JSON or as a page that shows the JSON in pictures.
//
//===----------------------------------------------------------------------===//

#ifndef TP_REPORT_REPORT_H
#define TP_REPORT_REPORT_H

#include "tp/Explain/Explain.h"
#include "tprt/memory.h"
#include <optional>

namespace mlir {
namespace tp {

/// A name whose first dotted component that is a number counts layers:
/// `model.layers.3.mlp` is `model.layers.*.mlp`, layer 3 of `model.layers`.
struct LayerName {
  std::string pattern;
  /// Empty where there is no such component, as in a place of a file.
  std::string stack;
  int64_t layer = -1;
};
LayerName splitLayerName(StringRef name);

/// Values of all layers that have one name but for the layer, and one layout.
struct ReportedValue {
  /// The first of them.
  tprt::ValueInfo info;
  std::string name;
  /// Of an input or a result.
  std::string entry;
  int64_t count = 1;
  std::vector<int64_t> layers;

  int64_t getBytes() const { return count * info.localBytes(); }
  /// The larger first, then by name.
  bool comesBefore(const ReportedValue &other) const;
};

/// Buffers of equal name and size in the arena, which they share with others at
/// other times.
struct ArenaBuffer {
  std::string name;
  int64_t bytes = 0;
  int64_t count = 1;
};

/// Collectives of one kind.
struct KindTotals {
  std::string kind;
  CollectiveTotals totals;
  /// Some are in a loop of unknown trip count: the totals are a lower bound.
  bool isDynamic = false;
};

/// Collectives of a layer or, outside of layers, at one location.
struct PlaceReport {
  std::string name;
  std::string stack;
  int64_t layer = -1;
  std::vector<KindTotals> kinds;
};

struct EntryReport {
  EntryExplanation explanation;
  int64_t arenaBytes = 0;
  /// The largest first.
  std::vector<ArenaBuffer> buffers;
  std::vector<KindTotals> kinds;
  /// In program order.
  std::vector<PlaceReport> places;
  bool isDynamic = false;

  const std::string &getName() const { return explanation.entry; }
};

/// What the blocks of one rank hold; the rest of its buffers is padding.
struct RankContent {
  int64_t weights = 0;
  int64_t state = 0;
};

struct PlanReport {
  /// As it was asked for; empty: the annotations of the program.
  std::string plan;
  std::vector<tprt::MeshAxis> mesh;
  tprt::MemoryUse memory;
  /// Parts of the workspace.
  int64_t communicationBytes = 0, productBytes = 0;
  /// For GPUs: what their libraries and driver take is not in the memory.
  bool isForGPUs = false;
  /// Of a rank; none where nobody said what a GPU has.
  std::optional<int64_t> limit;
  std::vector<RankContent> ranks;
  /// Parameters, states, inputs, results; each kind with the largest first.
  std::vector<ReportedValue> values;
  std::vector<EntryReport> entries;

  /// Nothing where there is no limit.
  std::optional<bool> fits() const {
    return limit ? std::optional(memory.peak() <= *limit) : std::nullopt;
  }
  /// `megatron, tp=4`.
  std::string getTitle() const;
};

struct Report {
  std::string program;
  /// Where the limits come from, as a person reads it.
  std::string limitSource;
  std::vector<PlanReport> plans;
};

/// Reports on a module of phase rt with the collectives that explainCollectives
/// found in phase comm. There is no limit yet. Emits an error where a value has
/// no type of the ABI.
FailureOr<PlanReport> buildPlanReport(ModuleOp module, std::vector<EntryExplanation> explanations);

/// Cuts the values of two plans for one program so that each has the layers of its
/// equal in the other, also where they agree in some layers only.
void alignLayers(PlanReport &a, PlanReport &b);

/// Columns of text, one per plan; what differs is said in a last one.
void printReportText(const Report &report, llvm::raw_ostream &os);
/// The form that docs/Tools.md describes.
void printReportJson(const Report &report, llvm::raw_ostream &os, unsigned indent = 1);
/// A page that needs nothing but itself: the JSON and a script that draws it.
void printReportHtml(const Report &report, llvm::raw_ostream &os);

} // namespace tp
} // namespace mlir

#endif // TP_REPORT_REPORT_H
