//===- ReportTest.cpp - Reports of plans ------------------------------------===//

#include "tp/Report/Report.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

std::string print(const Report &report, void (*form)(const Report &, llvm::raw_ostream &)) {
  std::string text;
  llvm::raw_string_ostream os(text);
  form(report, os);
  return text;
}

/// What follows `begin` in its line, runs of spaces as one.
std::string lineAfter(StringRef text, StringRef begin) {
  std::string line;
  for (char c : text.split(begin).second.split('\n').first.trim())
    if (c != ' ' || line.back() != ' ')
      line += c;
  return line;
}

/// A plan whose entry `step` has the given totals, all of one kind at one place.
PlanReport makePlan(StringRef name, CollectiveTotals totals, bool isDynamic) {
  PlanReport plan;
  plan.plan = name.str();
  plan.mesh = {{"tp", 2}};
  plan.ranks.resize(2);
  plan.limit = 1000;
  EntryReport entry;
  entry.explanation.entry = "step";
  entry.isDynamic = isDynamic;
  entry.kinds = {{"all_reduce", totals, isDynamic}};
  entry.places = {{"f.mlir:3:4", "", -1, entry.kinds}};
  plan.entries = {entry};
  return plan;
}

TEST(Report, NamesOfLayers) {
  auto split = [](StringRef name) {
    LayerName found = splitLayerName(name);
    return found.pattern + " " + found.stack + " " + std::to_string(found.layer);
  };
  EXPECT_EQ(split("model.layers.12.mlp.weight"), "model.layers.*.mlp.weight model.layers 12");
  EXPECT_EQ(split("h.0"), "h.* h 0");
  EXPECT_EQ(split("a.1.b.2"), "a.*.b.2 a 1"); // the outer stack
  EXPECT_EQ(split("ffn.arg0"), "ffn.arg0  -1");
  EXPECT_EQ(split("0.weight"), "0.weight  -1"); // a stack has a name
  EXPECT_EQ(split("a..b"), "a..b  -1");
  EXPECT_EQ(split(""), "  -1");
  EXPECT_EQ(split("model.3.mlir:7:8"), "model.3.mlir:7:8  -1"); // a place in a file
  EXPECT_EQ(split("a.99999999999999999999.b"), "a.99999999999999999999.b  -1");
}

TEST(Report, CountsThatAreNotKnownAreLowerBounds) {
  Report report;
  report.program = "f.mlir";
  report.limitSource = "--memory";
  report.plans = {makePlan("a", {1, 8, 64, 5000000}, true)};
  std::string text = print(report, printReportText);
  EXPECT_EQ(lineAfter(text, "  all_reduce"), "at least 1, 64, 5.000 us");
  EXPECT_EQ(lineAfter(text, "    f.mlir:3:4"), "1 all_reduce at least, 64");
  std::string json =
      print(report, [](const Report &r, llvm::raw_ostream &os) { printReportJson(r, os); });
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  ASSERT_TRUE(bool(value));
  const llvm::json::Value &plan = value->getAsObject()->getArray("plans")->front();
  const llvm::json::Object &entry = *plan.getAsObject()->getArray("entries")->front().getAsObject();
  EXPECT_TRUE(*entry.getBoolean("dynamic"));
}

TEST(Report, DifferencesAreMarked) {
  Report report;
  report.plans = {makePlan("a", {1, 8, 64, 5000000}, false),
                  makePlan("b", {1, 8, 96, 6000000}, false)};
  report.plans[0].memory.weights = 1000;
  report.plans[1].memory.weights = 900;
  report.plans[1].memory.state = 101;
  std::string text = print(report, printReportText);
  EXPECT_EQ(lineAfter(text, "  weights"), "1000 900 -10.0 %");
  EXPECT_EQ(lineAfter(text, "  state"), "0 101 new");
  EXPECT_EQ(lineAfter(text, "  limit"), "1000 1000");
  EXPECT_EQ(lineAfter(text, "  fits"), "yes no differs");
  EXPECT_EQ(lineAfter(text, "  all_reduce"), "1, 64, 5.000 us 1, 96, 6.000 us +50.0 %");
  EXPECT_EQ(lineAfter(text, "    f.mlir:3:4"), "1 all_reduce, 64 1 all_reduce, 96 differs");
}

TEST(Report, NamesStayTextInThePage) {
  Report report;
  report.program = "</script><script>alert(1)</script>\xE2\x80\xA8\"'";
  report.plans = {makePlan("<!--", {1, 8, 64, 5000000}, false)};
  std::string page = print(report, printReportHtml);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<!--"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>\\u003cscript>alert(1)"), std::string::npos);
}

} // namespace
