//===- Html.cpp - Reports as a page ----------------------------------------===//
//
// The page is one file that needs no network: its style, its script and the
// report as JSON. The script draws; this file only puts the parts together.
//
//===----------------------------------------------------------------------===//

#include "tp/Report/Report.h"

using namespace mlir;
using namespace mlir::tp;

// Of the files in Page/.
extern const char kReportPage[], kReportStyle[], kReportScript[];

/// JSON that stays inside its element whatever its strings contain: `<` begins
/// nothing but strings' text, where it has another spelling.
static std::string getData(const Report &report) {
  std::string json, data;
  llvm::raw_string_ostream os(json);
  printReportJson(report, os, /*indent=*/0);
  for (char c : json)
    data += c == '<' ? "\\u003c" : std::string(1, c);
  return data;
}

void tp::printReportHtml(const Report &report, llvm::raw_ostream &os) {
  const std::pair<StringRef, std::string> parts[] = {
      {"{{style}}", kReportStyle}, {"{{data}}", getData(report)}, {"{{script}}", kReportScript}};
  StringRef page = kReportPage;
  for (const auto &[mark, text] : parts) {
    auto [before, after] = page.split(mark);
    os << before << text;
    page = after;
  }
  os << page;
}
