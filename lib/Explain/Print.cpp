//===- Print.cpp - Explanations as JSON and as text ------------------------===//

#include "tp/Explain/Explain.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::tp;

static llvm::format_object<double> microseconds(int64_t picoseconds) {
  return llvm::format("%.3f", static_cast<double>(picoseconds) * 1e-6);
}

static void printRow(const CollectiveRow &row, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("kind", row.kind);
    json.attributeArray("axes", [&] {
      for (const std::string &axis : row.axes)
        json.value(axis);
    });
    json.attribute("elements", row.elements);
    json.attribute("dtype", row.dtype);
    json.attribute("bytes_per_rank", row.bytesPerRank);
    json.attributeBegin("est_us");
    json.rawValue([&](llvm::raw_ostream &os) { os << microseconds(row.picoseconds); });
    json.attributeEnd();
    json.attribute("count", row.count);
    json.attribute("dynamic", row.isDynamic);
    json.attribute("loc", row.loc);
    json.attribute("reason", row.reason);
  });
}

static void printTotals(const CollectiveTotals &totals, llvm::json::OStream &json) {
  json.attribute("count", totals.count);
  json.attribute("elements", totals.elements);
  json.attribute("bytes_per_rank", totals.bytesPerRank);
  json.attributeBegin("est_us");
  json.rawValue([&](llvm::raw_ostream &os) { os << microseconds(totals.picoseconds); });
  json.attributeEnd();
}

void tp::printExplanationJson(ArrayRef<EntryExplanation> entries, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", 1);
    json.attributeObject("entries", [&] {
      for (const EntryExplanation &entry : entries)
        json.attributeObject(entry.entry, [&] {
          json.attributeArray("collectives", [&] {
            for (const CollectiveRow &row : entry.collectives)
              printRow(row, json);
          });
          json.attributeObject("totals", [&] { printTotals(entry.getTotals(), json); });
        });
    });
  });
  os << '\n';
}

void tp::printExplanationText(ArrayRef<EntryExplanation> entries, llvm::raw_ostream &os) {
  for (const EntryExplanation &entry : entries) {
    CollectiveTotals totals = entry.getTotals();
    os << entry.entry << ": " << totals.count
       << (totals.count == 1 ? " collective, " : " collectives, ") << totals.elements
       << " elements, " << totals.bytesPerRank << " bytes per rank, "
       << microseconds(totals.picoseconds) << " us\n";
    for (const CollectiveRow &row : entry.collectives) {
      os << "  " << row.kind << " (" << llvm::join(row.axes, ", ") << ") " << row.elements << " "
         << row.dtype << ", " << row.bytesPerRank << " bytes per rank, "
         << microseconds(row.picoseconds) << " us, x" << row.count
         << (row.isDynamic ? " (dynamic)" : "");
      if (!row.loc.empty())
        os << ", " << row.loc;
      if (!row.reason.empty())
        os << ": " << row.reason;
      os << '\n';
    }
  }
}
