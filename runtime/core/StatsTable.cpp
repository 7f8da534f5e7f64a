//===- StatsTable.cpp - time and memory of a run as a table ---------------===//

#include "StatsTable.h"

#include "CountText.h"

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace tprt;

namespace {

constexpr size_t kLargestShown = 5;

std::string number(double value, const char *format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string percent(double part, double whole) {
  return whole > 0 ? number(100 * part / whole, "%.1f %%") : "-";
}

/// Rows of cells in columns; the first column is flush left, the others right.
class Table {
public:
  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }

  std::string text() const {
    std::vector<size_t> widths;
    for (const std::vector<std::string> &row : rows)
      for (size_t i = 0; i < row.size(); ++i) {
        widths.resize(std::max(widths.size(), i + 1), 0);
        widths[i] = std::max(widths[i], row[i].size());
      }
    std::string result;
    for (const std::vector<std::string> &row : rows)
      for (size_t i = 0; i < row.size(); ++i) {
        const std::string space(widths[i] - row[i].size(), ' ');
        const bool last = i + 1 == row.size();
        result += i ? "  " + space + row[i] : row[i] + (last ? "" : space);
        result += last ? "\n" : "";
      }
    return result;
  }

private:
  std::vector<std::vector<std::string>> rows;
};

std::string speedTable(const Session &session, const std::map<int, int64_t> &tokens) {
  Table table;
  table.add({"phase", "calls", "seconds", "tokens", "tokens/s"});
  for (size_t i = 0; i < session.manifest().entries.size(); ++i) {
    const EntryActivity activity = session.activity(int(i));
    if (!activity.calls)
      continue;
    const auto found = tokens.find(int(i));
    const bool known = found != tokens.end() && activity.seconds > 0;
    table.add({session.manifest().entries[i].name, std::to_string(activity.calls),
               number(activity.seconds, "%.4f"), known ? std::to_string(found->second) : "-",
               known ? number(double(found->second) / activity.seconds, "%.1f") : "-"});
  }
  return table.text();
}

/// How the entries reach the device, and how often the host waits for it in them; nothing
/// on CPUs.
std::string launchTable(const Session &session) {
  Table table;
  for (size_t i = 0; i < session.manifest().entries.size(); ++i) {
    const std::string how = session.howRun(int(i));
    const EntryActivity activity = session.activity(int(i));
    if (!activity.calls || how.empty())
      continue;
    int64_t waits = 0;
    for (const RankActivity &rank : activity.ranks)
      waits = std::max(waits, rank.hostWaits);
    table.add({session.manifest().entries[i].name, "launched", how});
    table.add({session.manifest().entries[i].name, "host waits", std::to_string(waits)});
  }
  if (const std::string how = session.howSmallCollectives(); !how.empty())
    table.add({"small collectives", "done", how});
  const std::string text = table.text();
  return text.empty() ? text : text + "\n";
}

std::string rankTable(const Session &session) {
  Table table;
  table.add({"phase", "rank", "compute s", "wait s", "copy s", "exposed", "utilisation",
             "collectives", "bytes sent"});
  for (size_t i = 0; i < session.manifest().entries.size(); ++i) {
    const EntryActivity activity = session.activity(int(i));
    if (!activity.calls)
      continue;
    for (size_t rank = 0; rank < activity.ranks.size(); ++rank) {
      const RankActivity &mine = activity.ranks[rank];
      const double talking = mine.waitSeconds + mine.copySeconds;
      table.add({session.manifest().entries[i].name, std::to_string(rank),
                 number(mine.seconds - talking, "%.4f"), number(mine.waitSeconds, "%.4f"),
                 number(mine.copySeconds, "%.4f"), percent(talking, mine.seconds),
                 percent(mine.seconds - talking, activity.seconds),
                 std::to_string(mine.collectives), std::to_string(mine.bytesSent)});
    }
  }
  return table.text();
}

std::string memoryTable(const Session &session) {
  const MemoryUse memory = session.memory();
  const std::vector<MemoryItem> items = session.memoryItems();
  const struct {
    const char *name;
    MemoryKind kind;
    int64_t bytes;
  } kinds[] = {{"weights", MemoryKind::Weights, memory.weights},
               {"state", MemoryKind::State, memory.state},
               {"arena", MemoryKind::Arena, memory.arena},
               {"workspace", MemoryKind::Workspace, memory.workspace}};
  Table table;
  table.add({"memory of a rank", "bytes", "share"});
  for (const auto &kind : kinds) {
    table.add({kind.name, std::to_string(kind.bytes),
               percent(double(kind.bytes), double(memory.peak()))});
    size_t shown = 0;
    int64_t rest = kind.bytes, left = 0;
    for (const MemoryItem &item : items) {
      if (item.kind != kind.kind || !item.bytes)
        continue;
      if (shown == kLargestShown) {
        ++left;
        continue;
      }
      ++shown;
      rest -= item.bytes;
      table.add({"  " + item.name, std::to_string(item.bytes),
                 percent(double(item.bytes), double(memory.peak()))});
    }
    if (left)
      table.add({"  " + std::to_string(left) + " more", std::to_string(rest),
                 percent(double(rest), double(memory.peak()))});
  }
  table.add({"total", std::to_string(memory.peak()), percent(1, 1)});
  return table.text();
}

} // namespace

std::string tprt::statsTable(const Session &session, const std::map<int, int64_t> &tokens) {
  return countText(session.numRanks(), "rank") + ", weights loaded in " +
         number(session.loadSeconds(), "%.3f s\n") + "\n" + speedTable(session, tokens) + "\n" +
         launchTable(session) + rankTable(session) + "\n" + memoryTable(session);
}
