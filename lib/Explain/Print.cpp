//===- Print.cpp - Explanations as JSON and as text ------------------------===//

#include "tp/Explain/Explain.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::tp;

std::string tp::getMicrosecondsText(int64_t picoseconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3f", static_cast<double>(picoseconds) * 1e-6);
  return text;
}

static void printMicroseconds(int64_t picoseconds, llvm::json::OStream &json) {
  json.attributeBegin("est_us");
  json.rawValue(getMicrosecondsText(picoseconds));
  json.attributeEnd();
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
    printMicroseconds(row.picoseconds, json);
    json.attribute("count", row.count);
    json.attribute("dynamic", row.isDynamic);
    json.attribute("loc", row.loc);
    json.attribute("reason", row.reason);
  });
}

void tp::printTotalsJson(const CollectiveTotals &totals, llvm::json::OStream &json) {
  json.attribute("count", totals.count);
  json.attribute("elements", totals.elements);
  json.attribute("bytes_per_rank", totals.bytesPerRank);
  printMicroseconds(totals.picoseconds, json);
}

void tp::printExplanationJson(const EntryExplanation &entry, llvm::json::OStream &json) {
  json.attributeArray("collectives", [&] {
    for (const CollectiveRow &row : entry.collectives)
      printRow(row, json);
  });
  json.attributeObject("totals", [&] { printTotalsJson(entry.getTotals(), json); });
}

void tp::printExplanationJson(ArrayRef<EntryExplanation> entries, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", 1);
    json.attributeObject("entries", [&] {
      for (const EntryExplanation &entry : entries)
        json.attributeObject(entry.entry, [&] { printExplanationJson(entry, json); });
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
       << getMicrosecondsText(totals.picoseconds) << " us\n";
    for (const CollectiveRow &row : entry.collectives) {
      os << "  " << row.kind << " (" << llvm::join(row.axes, ", ") << ") " << row.elements << " "
         << row.dtype << ", " << row.bytesPerRank << " bytes per rank, "
         << getMicrosecondsText(row.picoseconds) << " us, x" << row.count
         << (row.isDynamic ? " (dynamic)" : "");
      if (!row.loc.empty())
        os << ", " << row.loc;
      if (!row.reason.empty())
        os << ": " << row.reason;
      os << '\n';
    }
  }
}
