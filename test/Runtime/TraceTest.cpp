//===- TraceTest.cpp - what ranks did, measured ---------------------------===//
//
// Structure, names and bytes; never how long something took.
//
//===----------------------------------------------------------------------===//

#include "ToyModel.h"
#include "core/LanguageModel.h"
#include "core/StatsTable.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <sstream>

using namespace tprt;
using namespace tprt_test;
using nlohmann::json;

namespace {

/// All kinds of collectives once, over three ranks, and what else takes time.
tprt_status_t everything(tprt_context_t *ctx, void *const *buffers) {
  float *x = static_cast<float *>(buffers[1]);
  float wide[30] = {}, narrow[10] = {};
  const int32_t sources[3] = {1, 2, -1};
  const tprt_status_t statuses[] = {
      tprt_all_reduce(ctx, 0, 0, 0, TPRT_SUM, TPRT_F32, x, x, 10),
      tprt_all_gather(ctx, 0, 1, 0, TPRT_F32, x, wide, 2, 5),
      tprt_reduce_scatter(ctx, 0, 2, 0, TPRT_SUM, TPRT_F32, wide, narrow, 2, 5),
      tprt_all_to_all(ctx, 0, 3, 0, TPRT_F32, wide, wide + 15, 5),
      tprt_permute(ctx, 0, 4, 0, TPRT_F32, narrow, x, 10, sources),
      tprt_parallel_for(
          ctx, 0, 6, [](void *, int64_t, int64_t) {}, nullptr, 4, 1),
      tprt_gemm(ctx, 0, 5, TPRT_F32, TPRT_F32, TPRT_F32, 0, 0, 1, 2, 3, wide, 3, 0, wide, 2, 0,
                narrow, 2, 0, 1, 0)};
  for (tprt_status_t status : statuses)
    if (status)
      return status;
  return TPRT_OK;
}

json traceOf(const Session &session, int64_t *leftOut = nullptr) {
  std::string text;
  const int64_t count = session.writeTrace([&](const std::string &piece) { text += piece; });
  if (leftOut)
    *leftOut = count;
  return json::parse(text);
}

/// Events of one category, by thread.
std::map<int, std::vector<json>> spansOf(const json &trace, const std::string &category = "") {
  std::map<int, std::vector<json>> result;
  for (const json &event : trace["traceEvents"])
    if (event["ph"] == "X" && (category.empty() || event["cat"] == category))
      result[event["tid"].get<int>()].push_back(event);
  return result;
}

int64_t nanoseconds(const json &event, const char *key) {
  return std::llround(event[key].get<double>() * 1000);
}

/// Every span of a thread lies in the innermost one that is open.
void expectNested(const json &trace) {
  for (const auto &[rank, spans] : spansOf(trace)) {
    std::vector<int64_t> open;
    int64_t last = 0;
    for (const json &span : spans) {
      const int64_t begin = nanoseconds(span, "ts"), end = begin + nanoseconds(span, "dur");
      EXPECT_GE(begin, last);
      last = begin;
      const bool isEntry = span["cat"] == "entry";
      while (open.size() > size_t(isEntry ? 0 : 1) && begin >= open.back())
        open.pop_back();
      EXPECT_EQ(open.empty(), isEntry) << span;
      if (!open.empty())
        EXPECT_LE(end, open.back()) << span;
      open.push_back(end);
    }
  }
}

std::unique_ptr<TestModule> makeEverything() {
  std::string operations = "\"operations\": [";
  for (int i = 0; i < 7; ++i)
    operations += std::string(i ? ", " : "") + R"({"name": "n", "loc": "layer.)" +
                  std::to_string(i) + R"(", "reason": "\"why\" )" + std::to_string(i) + "\"" +
                  (i == 5   ? R"(, "flops": 90000000000, "bytes": 12)"
                   : i == 6 ? R"(, "bytes": 34)"
                            : "") +
                  "}";
  return std::make_unique<TestModule>(
      std::vector<int64_t>{3},
      std::vector<TestEntry>{{"f",
                              everything,
                              {{"x", "input", "f32", {10}, {}, ""}},
                              {{"y", "", "f32", {3, 10}, {{0}, {}}, ""}},
                              64}},
      R"([{"axes": [{"axis": 0}]}])", operations + "]");
}

} // namespace

TEST(Trace, EverySpanHasItsPlace) {
  const auto module = makeEverything();
  SessionOptions options;
  options.trace = true;
  options.checkCollectives = true; // more waits, nothing else
  Session session(module->module(), options);
  session.call(0);
  session.call(0);
  int64_t leftOut = -1;
  const json trace = traceOf(session, &leftOut);
  EXPECT_EQ(leftOut, 0);
  EXPECT_EQ(trace["otherData"]["spans_left_out"], 0);
  expectNested(trace);

  // 10, 2 x 15, 2 x 15 and 15 floats among three, and all 10 to one.
  const std::vector<std::pair<std::string, int64_t>> wanted = {{"layer.0.all_reduce", 54},
                                                               {"layer.1.all_gather", 80},
                                                               {"layer.2.reduce_scatter", 80},
                                                               {"layer.3.all_to_all", 40},
                                                               {"layer.4.permute", 40}};
  const auto collectives = spansOf(trace, "collective");
  ASSERT_EQ(collectives.size(), 3u);
  for (const auto &[rank, spans] : collectives) {
    ASSERT_EQ(spans.size(), 10u);
    for (size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(spans[i]["name"], wanted[i % 5].first);
      EXPECT_EQ(spans[i]["args"]["bytes"], wanted[i % 5].second);
      EXPECT_EQ(spans[i]["args"]["reason"], "\"why\" " + std::to_string(i % 5));
    }
  }
  for (const auto &[rank, spans] : spansOf(trace, "entry")) {
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(spans[0]["name"], "f");
  }
  for (const auto &[rank, spans] : spansOf(trace, "compute")) {
    ASSERT_EQ(spans.size(), 4u);
    EXPECT_EQ(spans[0]["name"], "layer.6.kernel");
    EXPECT_EQ(spans[0]["args"]["reason"], "\"why\" 6");
    EXPECT_EQ(spans[0]["args"]["bytes"], 34);
    EXPECT_FALSE(spans[0]["args"].contains("flops"));
    EXPECT_EQ(spans[1]["name"], "layer.5.gemm");
    EXPECT_EQ(spans[1]["args"]["flops"], 90000000000);
    EXPECT_EQ(spans[1]["args"]["bytes"], 12);
  }
  // One wait for the comparison and one for the data of each.
  for (const auto &[rank, spans] : spansOf(trace, "wait"))
    EXPECT_EQ(spans.size(), 20u);
  int names = 0;
  for (const json &event : trace["traceEvents"])
    names += event["ph"] == "M" && event["name"] == "thread_name" &&
             event["args"]["name"] == "rank " + std::to_string(event["tid"].get<int>());
  EXPECT_EQ(names, 3);

  const EntryActivity activity = session.activity(0);
  EXPECT_EQ(activity.calls, 2);
  ASSERT_EQ(activity.ranks.size(), 3u);
  for (const RankActivity &rank : activity.ranks) {
    EXPECT_EQ(rank.collectives, 10);
    EXPECT_EQ(rank.bytesSent, 2 * (54 + 80 + 80 + 40 + 40));
    EXPECT_GT(rank.seconds, 0);
    EXPECT_LE(rank.waitSeconds + rank.copySeconds, rank.seconds);
    EXPECT_LE(rank.seconds, activity.seconds);
  }
}

TEST(Trace, NothingIsMeasuredUnasked) {
  const auto module = makeEverything();
  Session session(module->module());
  session.call(0);
  EXPECT_EQ(session.activity(0).calls, 0);
  EXPECT_TRUE(session.activity(0).ranks.empty());
  EXPECT_TRUE(spansOf(traceOf(session)).empty());
}

TEST(Trace, GeneratingTokens) {
  const auto module = makeToyModel(2, 2);
  SessionOptions options;
  options.trace = true;
  Session session(module->module(), options);
  LanguageModel model(session);
  GenerateOptions how;
  how.count = 4;
  model.generate({{1, 2, 3, 4, 5}, {6}}, how);
  EXPECT_EQ(model.tokenCounts(), (std::map<int, int64_t>{{0, 6}, {1, 6}}));
  const json trace = traceOf(session);
  expectNested(trace);
  const auto entries = spansOf(trace, "entry");
  for (int rank : {0, 1}) {
    std::vector<std::string> names;
    for (const json &span : entries.at(rank))
      names.push_back(span["name"]);
    EXPECT_EQ(names,
              (std::vector<std::string>{"prefill", "prefill", "decode", "decode", "decode"}));
  }
  // A pair of floats of each row, to one other rank.
  EXPECT_EQ(session.activity(0).ranks[1].bytesSent, 2 * 2 * 8);
  EXPECT_EQ(session.activity(1).ranks[0].bytesSent, 3 * 2 * 8);
}

TEST(Trace, MemoryAddsUp) {
  const auto module = makeToyModel(3, 1);
  Session session(module->module());
  const MemoryUse memory = session.memory();
  std::map<MemoryKind, int64_t> sums;
  int64_t last = INT64_MAX;
  for (const MemoryItem &item : session.memoryItems()) {
    sums[item.kind] += item.bytes;
    EXPECT_LE(item.bytes, last) << item.name;
    last = item.bytes;
  }
  EXPECT_EQ(sums[MemoryKind::Weights], memory.weights);
  EXPECT_EQ(sums[MemoryKind::State], memory.state);
  EXPECT_EQ(sums[MemoryKind::Arena], memory.arena);
  EXPECT_EQ(sums[MemoryKind::Workspace], memory.workspace);
  EXPECT_EQ(memory.weights, 4 * 3 * 4); // blocks of 4 of 11 rows
  // What the ranks have is what the manifest alone says.
  const int64_t communication = threadCommunicationBytes(session.manifest());
  EXPECT_GT(communication, 0);
  EXPECT_EQ(memoryUse(memoryItems(session.manifest(), communication)).peak(), memory.peak());
}

TEST(Trace, StatisticsAsATable) {
  const auto module = makeToyModel(2, 1);
  SessionOptions options;
  options.stats = true;
  Session session(module->module(), options);
  LanguageModel model(session);
  GenerateOptions how;
  how.count = 3;
  model.generate({{1, 2, 3}}, how);
  const std::string table = statsTable(session, model.tokenCounts());
  // By words, without the times.
  std::map<std::string, std::vector<std::string>> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;)
      row.push_back(word);
    if (row.size() > 1)
      rows[row[0] + (row[0] == "decode" && row.size() > 5 ? " on " + row[1] : "")] = row;
  }
  EXPECT_EQ(rows["decode"][1], "2"); // calls
  EXPECT_EQ(rows["decode"][3], "2"); // tokens
  for (const char *rank : {"decode on 0", "decode on 1"}) {
    ASSERT_EQ(rows.count(rank), 1u) << table;
    EXPECT_EQ(rows[rank][rows[rank].size() - 2], "2"); // collectives
    EXPECT_EQ(rows[rank].back(), "16");                // bytes
  }
  EXPECT_EQ(rows["weights"][1], std::to_string(session.memory().weights));
  EXPECT_EQ(rows["embed"][1], "72");
  EXPECT_EQ(rows["total"][1], std::to_string(session.memory().peak()));
}
