//===- Json.cpp - Reports as JSON ------------------------------------------===//

#include "tp/Report/Report.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::json::OStream;

static StringRef getKindName(tprt::ValueKind kind) {
  switch (kind) {
  case tprt::ValueKind::Parameter:
    return "parameter";
  case tprt::ValueKind::State:
    return "state";
  case tprt::ValueKind::Input:
    return "input";
  case tprt::ValueKind::Result:
    return "result";
  }
  llvm_unreachable("unknown kind of value");
}

static void printNumbers(StringRef key, ArrayRef<int64_t> numbers, OStream &json) {
  json.attributeArray(key, [&] {
    for (int64_t number : numbers)
      json.value(number);
  });
}

template <typename T> static llvm::json::Value orNull(std::optional<T> value) {
  return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
}

static void printMemory(const PlanReport &plan, OStream &json) {
  json.attribute("weight_bytes_per_rank", plan.memory.weights);
  json.attribute("state_bytes_per_rank", plan.memory.state);
  json.attribute("arena_bytes_per_rank", plan.memory.arena);
  json.attribute("workspace_bytes_per_rank", plan.memory.workspace);
  json.attribute("communication_bytes_per_rank", plan.communicationBytes);
  json.attribute("product_workspace_bytes_per_rank", plan.productBytes);
  json.attribute("peak_bytes_per_rank", plan.memory.peak());
  json.attribute("limit_bytes_per_rank", orNull(plan.limit));
  json.attribute("fits", orNull(plan.fits()));
}

static void printValue(const ReportedValue &value, OStream &json) {
  json.attribute("name", value.name);
  json.attribute("kind", getKindName(value.info.kind));
  if (!value.entry.empty())
    json.attribute("entry", value.entry);
  json.attribute("count", value.count);
  printNumbers("layers", value.layers, json);
  json.attribute("dtype", tprt_dtype_name(value.info.dtype));
  printNumbers("global_shape", value.info.globalShape, json);
  printNumbers("local_shape", value.info.localShape, json);
  json.attribute("sharding", value.info.sharding);
  json.attribute("bytes_per_rank", value.getBytes());
  json.attributeArray("blocks", [&] {
    for (const std::vector<tprt::Range> &rank : value.info.blocks)
      json.array([&] {
        for (const tprt::Range &block : rank)
          json.array([&] {
            json.value(block.offset);
            json.value(block.size);
          });
      });
  });
}

static void printKinds(ArrayRef<KindTotals> kinds, OStream &json) {
  json.attributeArray("kinds", [&] {
    for (const KindTotals &kind : kinds)
      json.object([&] {
        json.attribute("kind", kind.kind);
        printTotalsJson(kind.totals, json);
        json.attribute("dynamic", kind.isDynamic);
      });
  });
}

static void printEntry(const EntryReport &entry, OStream &json) {
  json.attribute("name", entry.getName());
  json.attribute("arena_bytes", entry.arenaBytes);
  json.attributeArray("arena_buffers", [&] {
    for (const ArenaBuffer &buffer : entry.buffers)
      json.object([&] {
        json.attribute("name", buffer.name);
        json.attribute("bytes", buffer.bytes);
        json.attribute("count", buffer.count);
      });
  });
  json.attribute("dynamic", entry.isDynamic);
  printKinds(entry.kinds, json);
  json.attributeArray("places", [&] {
    for (const PlaceReport &place : entry.places)
      json.object([&] {
        json.attribute("name", place.name);
        json.attribute("layer", place.layer < 0 ? llvm::json::Value(nullptr) : place.layer);
        printKinds(place.kinds, json);
      });
  });
  printExplanationJson(entry.explanation, json);
}

static void printPlan(const PlanReport &plan, OStream &json) {
  json.attribute("plan", plan.plan);
  json.attribute("title", plan.getTitle());
  json.attributeArray("mesh", [&] {
    for (const tprt::MeshAxis &axis : plan.mesh)
      json.object([&] {
        json.attribute("name", axis.name);
        json.attribute("size", axis.size);
      });
  });
  json.attributeObject("memory", [&] { printMemory(plan, json); });
  json.attributeArray("ranks", [&] {
    for (const RankContent &rank : plan.ranks)
      json.object([&] {
        json.attribute("weight_bytes", rank.weights);
        json.attribute("state_bytes", rank.state);
      });
  });
  json.attributeArray("values", [&] {
    for (const ReportedValue &value : plan.values)
      json.object([&] { printValue(value, json); });
  });
  json.attributeArray("entries", [&] {
    for (const EntryReport &entry : plan.entries)
      json.object([&] { printEntry(entry, json); });
  });
}

void tp::printReportJson(const Report &report, llvm::raw_ostream &os, unsigned indent) {
  OStream json(os, indent);
  json.object([&] {
    json.attribute("version", 1);
    json.attribute("program", report.program);
    json.attribute("limit_source", report.limitSource);
    json.attributeArray("plans", [&] {
      for (const PlanReport &plan : report.plans)
        json.object([&] { printPlan(plan, json); });
    });
  });
  os << '\n';
}
