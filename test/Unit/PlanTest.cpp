//===- PlanTest.cpp - Keys, meshes and positions of plans ------------------===//

#include "tp/Plan/Plan.h"
#include "tp/Plan/HeadSplit.h"
#include "tp/Plan/LocatedJson.h"
#include "tp/Plan/PlanValues.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace mlir::tp;

static Mesh mesh(std::initializer_list<std::pair<const char *, int64_t>> axes) {
  Mesh result;
  for (auto [name, size] : axes) {
    result.names.push_back(name);
    result.sizes.push_back(size);
  }
  return result;
}

static std::string text(const Mesh &mesh) {
  std::string result;
  for (auto [name, size] : llvm::zip(mesh.names, mesh.sizes))
    result += name + "=" + std::to_string(size) + " ";
  return result;
}

TEST(Plan, StarStandsForAnyText) {
  EXPECT_TRUE(matchesKey("a.b", "a.b"));
  EXPECT_FALSE(matchesKey("a.b", "a.bc"));
  EXPECT_TRUE(matchesKey("*", ""));
  EXPECT_TRUE(matchesKey("*.weight", "model.layers.0.q.weight"));
  EXPECT_FALSE(matchesKey("*.weight", "model.weights"));
  EXPECT_TRUE(matchesKey("a*b*b", "abb"));
  EXPECT_FALSE(matchesKey("a*b*b", "ab"));
  EXPECT_TRUE(matchesKey("*ab*ab*", "xababx"));
  EXPECT_FALSE(matchesKey("ab*ba", "aba"));
  EXPECT_TRUE(matchesKey("**", "x"));
  // Nothing else has a meaning.
  EXPECT_FALSE(matchesKey("a?c", "abc"));
  EXPECT_FALSE(matchesKey("[ab]*", "a"));
}

TEST(Plan, MeshOptionReplacesSizesOrAll) {
  std::optional<Mesh> plan = mesh({{"dp", 2}, {"tp", 4}});
  EXPECT_EQ(text(overrideMesh(plan, mesh({{"tp", 3}}))), "dp=2 tp=3 ");
  EXPECT_EQ(text(overrideMesh(plan, mesh({{"tp", 3}, {"dp", 1}}))), "tp=3 dp=1 ");
  EXPECT_EQ(text(overrideMesh(plan, mesh({{"pp", 3}}))), "pp=3 ");
  EXPECT_EQ(text(overrideMesh(std::nullopt, mesh({{"tp", 3}}))), "tp=3 ");
}

static std::string place(Location loc) {
  auto file = cast<FileLineColLoc>(loc);
  return std::to_string(file.getLine()) + ":" + std::to_string(file.getColumn());
}

TEST(LocatedJson, KeepsOrderAndPositions) {
  MLIRContext context;
  FailureOr<LocatedJson> json =
      parseLocatedJson("{\n  \"b\" : [ true, null ,{}],\n\t\"a\":\"\\u00e9\\n\\/\\"
                       "ud83d\\ude00\",\"n\" : -12 \n}",
                       "f.json", &context);
  ASSERT_TRUE(succeeded(json));
  ASSERT_EQ(json->members.size(), 3u);
  EXPECT_EQ(json->members[0].key, "b");
  EXPECT_EQ(place(json->members[0].keyLoc), "2:3");
  const LocatedJson &array = json->members[0].value;
  EXPECT_EQ(place(array.loc), "2:9");
  ASSERT_EQ(array.elements.size(), 3u);
  EXPECT_EQ(array.elements[0].kind, LocatedJson::Kind::Boolean);
  EXPECT_EQ(array.elements[1].kind, LocatedJson::Kind::Null);
  EXPECT_EQ(place(array.elements[2].loc), "2:23");
  EXPECT_EQ(json->members[1].key, "a");
  EXPECT_EQ(json->members[1].value.text, "\u00e9\n/\U0001F600");
  EXPECT_EQ(place(json->members[1].value.loc), "3:6");
  EXPECT_EQ(json->members[2].value.integer(), -12);
}

TEST(LocatedJson, TakesNothingButJson) {
  MLIRContext context;
  for (const char *bad : {"", "{", "{a: 1}", "{'a': 1}", "{\"a\": 1,}", "# comment\n{}", "- a",
                          "{} {}", "{\"a\": \"\xff\"}", "{\"a\" 1}", "{\"a\": 1, \"a\": 2}",
                          "[\"\\x\"]", "{\"a\": !!str b}"}) {
    unsigned errors = 0;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &) { ++errors; });
    EXPECT_TRUE(failed(parseLocatedJson(bad, "f.json", &context))) << bad;
    EXPECT_EQ(errors, 1u) << bad;
  }
}

/// The reader of positions is one of YAML, which JSON is not quite a part of.
TEST(LocatedJson, TakesAllOfJson) {
  MLIRContext context;
  const std::string longKey = "{\"" + std::string(3000, 'k') + "\"\n : 1}";
  for (StringRef text : {"[\"\x7f\"]", "[\"\xC2\x80\", \"\xC2\x85\", \"\u2028\"]",
                         "[\"\xEF\xBB\xBF\", \"\xEF\xBF\xBF\"]", "{\"a\"\n\n:\n1}",
                         "[\"\\ud83d\", \"\\u0000\"]", "{\"#\": \"- &a *b !c %d @e\"}",
                         "\t[\t1e5\r,\r-0\t]\r", "{\"\": {\"\": []}}", longKey.c_str()}) {
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diag) { ADD_FAILURE() << text.str() << ": " << diag.str(); });
    EXPECT_TRUE(succeeded(parseLocatedJson(text, "f.json", &context))) << text.str();
  }
}

TEST(HeadSplit, IsAsInTheTable) {
  struct Row {
    int64_t kvHeads, group, devices;
    HeadSplit split;
  };
  const Row rows[] = {
      {1, 4, 1, {1, 1}}, {1, 4, 2, {1, 2}}, {1, 4, 3, {1, 3}}, {1, 4, 4, {1, 4}},
      {2, 2, 4, {2, 2}}, {3, 3, 2, {2, 1}}, {3, 3, 3, {3, 1}}, {3, 3, 4, {4, 1}},
      {2, 3, 4, {2, 2}}, {2, 3, 3, {1, 3}}, {1, 1, 2, {2, 1}}, {4, 2, 8, {4, 2}},
      {2, 5, 3, {1, 3}}, {2, 4, 8, {2, 4}}, {3, 1, 4, {4, 1}}, {3, 2, 2, {2, 1}},
      {1, 6, 4, {1, 4}}, {1, 2, 4, {2, 2}}, {8, 4, 6, {6, 1}}, {8, 8, 64, {8, 8}},
  };
  for (const Row &row : rows) {
    HeadSplit split = chooseHeadSplit(row.kvHeads, row.group, row.devices);
    EXPECT_EQ(split, row.split) << row.kvHeads << " kv heads, groups of " << row.group << ", on "
                                << row.devices << ": " << split.kvHeads << " x " << split.group;
  }
}

/// Query heads of the largest rank, counted head by head.
static int64_t countLargest(int64_t kvHeads, int64_t group, int64_t major, int64_t minor) {
  int64_t kvBlock = (kvHeads + major - 1) / major, groupBlock = (group + minor - 1) / minor;
  std::map<std::pair<int64_t, int64_t>, int64_t> heads;
  int64_t most = 0;
  for (int64_t k = 0; k < kvHeads; ++k)
    for (int64_t g = 0; g < group; ++g)
      most = std::max(most, ++heads[{k / kvBlock, g / groupBlock}]);
  return most;
}

TEST(HeadSplit, NoSplitHasFewerHeadsOnItsLargestRank) {
  for (int64_t kvHeads = 1; kvHeads <= 9; ++kvHeads)
    for (int64_t group = 1; group <= 9; ++group)
      for (int64_t devices = kvHeads + 1; devices <= 16; ++devices) {
        HeadSplit split = chooseHeadSplit(kvHeads, group, devices);
        std::string what = std::to_string(kvHeads) + " kv heads, groups of " +
                           std::to_string(group) + ", on " + std::to_string(devices);
        ASSERT_EQ(split.kvHeads * split.group, devices) << what;
        int64_t chosen = countLargest(kvHeads, group, split.kvHeads, split.group);
        EXPECT_EQ(largestQueryHeads(kvHeads, group, split), chosen) << what;
        int64_t alone = countLargest(kvHeads, group, devices, 1);
        EXPECT_EQ(split.group == 1, chosen == alone) << what;
        for (int64_t major = 1; major < devices; ++major) {
          if (devices % major != 0)
            continue;
          int64_t other = countLargest(kvHeads, group, major, devices / major);
          EXPECT_LE(chosen, other) << what;
          // Among equals the fewest copies of keys and values.
          EXPECT_TRUE(other > chosen || split.kvHeads >= major) << what;
        }
      }
}
