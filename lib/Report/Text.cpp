//===- Text.cpp - Reports as text ------------------------------------------===//

#include "tp/Report/Report.h"

#include "tp/Support/LocationText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::tp;
using Cells = std::vector<std::string>;

/// Rows that a list shows before it only counts the rest.
static constexpr size_t kShown = 8;
static constexpr size_t kPlacesShown = 24;

static std::string print(llvm::function_ref<void(llvm::raw_ostream &)> body) {
  std::string text;
  llvm::raw_string_ostream os(text);
  body(os);
  return text;
}

/// `179447040 (171.1 MiB)`.
static std::string getBytesText(int64_t bytes) {
  static constexpr StringRef units[] = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / 1024;
  unsigned unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  return print([&](llvm::raw_ostream &os) {
    os << bytes;
    if (bytes >= 1024)
      os << " (" << llvm::format("%.1f ", value) << units[unit] << ")";
  });
}

/// What became of `before`.
static std::string getChange(int64_t before, int64_t after) {
  if (before == after)
    return "";
  if (!before || !after)
    return before ? "none now" : "new";
  if (before > 0 && after / before >= 10)
    return "x " + std::to_string(after / before);
  double percent = 100.0 * static_cast<double>(after - before) / static_cast<double>(before);
  return print([&](llvm::raw_ostream &os) { os << llvm::format("%+.1f %%", percent); });
}

namespace {

/// Lines of a name and a cell per plan; with two plans a last one says what
/// differs.
class Table {
public:
  explicit Table(size_t numPlans) : numPlans(numPlans) {}

  void addTitle(StringRef title, Cells columns) {
    if (numPlans > 1)
      columns.push_back("difference");
    rows.push_back({toOneLine(title), std::move(columns)});
  }

  void add(StringRef name, Cells cells, std::string difference = "") {
    if (numPlans > 1)
      cells.push_back(std::move(difference));
    rows.push_back({toOneLine(name), std::move(cells)});
  }

  /// Cells that are marked when they differ.
  void addTexts(StringRef name, const Cells &cells) {
    add(name, cells, llvm::all_equal(cells) ? "" : "differs");
  }

  void addNumbers(StringRef name, ArrayRef<int64_t> values,
                  llvm::function_ref<std::string(int64_t)> text) {
    Cells cells;
    for (int64_t value : values)
      cells.push_back(text(value));
    add(name, cells, getChange(values.front(), values.back()));
  }

  void print(llvm::raw_ostream &os) const {
    size_t nameWidth = 0;
    std::vector<size_t> widths;
    for (const Row &row : rows) {
      nameWidth = std::max(nameWidth, row.name.size());
      widths.resize(std::max(widths.size(), row.cells.size()));
      for (auto [i, cell] : llvm::enumerate(row.cells))
        widths[i] = std::max(widths[i], cell.size());
    }
    for (const Row &row : rows) {
      std::string line;
      llvm::raw_string_ostream text(line);
      text << llvm::left_justify(row.name, nameWidth);
      for (auto [i, cell] : llvm::enumerate(row.cells))
        text << "  " << llvm::right_justify(cell, widths[i]);
      os << StringRef(line).rtrim() << '\n';
    }
  }

private:
  struct Row {
    std::string name;
    Cells cells;
  };
  size_t numPlans;
  std::vector<Row> rows;
};

class Printer {
public:
  Printer(const Report &report, llvm::raw_ostream &os) : report(report), os(os) {}

  void print() {
    os << toOneLine(report.program) << ", limit: " << toOneLine(report.limitSource) << "\n\n";
    printMemory();
    os << '\n';
    printValues();
    for (size_t i = 0; i < report.plans.front().entries.size(); ++i) {
      os << '\n';
      printEntry(i);
    }
  }

private:
  const Report &report;
  llvm::raw_ostream &os;

  template <typename Get> auto collect(Get get) const {
    std::vector<decltype(get(report.plans.front()))> values;
    for (const PlanReport &plan : report.plans)
      values.push_back(get(plan));
    return values;
  }

  Table makeTable(StringRef title) const {
    Table table(report.plans.size());
    table.addTitle(title, collect([](const PlanReport &p) { return toOneLine(p.getTitle()); }));
    return table;
  }

  void printMemory() {
    Table table = makeTable("memory of a rank, bytes");
    auto add = [&](StringRef name, auto get) {
      table.addNumbers(name, collect(get), getBytesText);
    };
    using Plan = const PlanReport &;
    add("  weights", [](Plan p) { return p.memory.weights; });
    add("  state", [](Plan p) { return p.memory.state; });
    add("  arena", [](Plan p) { return p.memory.arena; });
    add("  workspace", [](Plan p) { return p.memory.workspace; });
    add("    of it communication", [](Plan p) { return p.communicationBytes; });
    if (llvm::any_of(report.plans, [](Plan p) { return p.productBytes != 0; }))
      add("    of it matrix products", [](Plan p) { return p.productBytes; });
    add("  total", [](Plan p) { return p.memory.peak(); });
    if (report.plans.front().limit) {
      add("  limit", [](Plan p) { return *p.limit; });
      table.addTexts("  fits",
                     collect([](Plan p) { return std::string(*p.fits() ? "yes" : "no"); }));
    }
    add("  padding of the emptiest rank", [](Plan p) {
      int64_t least = p.memory.weights + p.memory.state;
      for (const RankContent &rank : p.ranks)
        least = std::min(least, rank.weights + rank.state);
      return p.memory.weights + p.memory.state - least;
    });
    table.print(os);
    if (report.plans.front().isForGPUs)
      os << "not in it: buffers of NCCL, graphs and code of the driver\n";
  }

  /// The same value under each plan; null where it has no equal.
  using Row = std::vector<const ReportedValue *>;

  /// One row per name, entry and number of layers, the largest first.
  std::vector<Row> alignValues() const {
    std::vector<Row> rows;
    for (size_t i = 0; i < report.plans.size(); ++i)
      for (const ReportedValue &value : report.plans[i].values) {
        auto isSame = [&](const Row &row) {
          auto *other = *llvm::find_if(row, [](auto *v) { return v != nullptr; });
          return !row[i] && other->name == value.name && other->entry == value.entry &&
                 other->layers == value.layers;
        };
        auto row = llvm::find_if(rows, isSame);
        if (row == rows.end())
          row = rows.insert(rows.end(), Row(report.plans.size()));
        (*row)[i] = &value;
      }
    // By the larger of both.
    auto getLargest = [](const Row &row) {
      return *std::min_element(row.begin(), row.end(),
                               [](auto *a, auto *b) { return a && (!b || a->comesBefore(*b)); });
    };
    llvm::sort(rows, [&](const Row &a, const Row &b) {
      return getLargest(a)->comesBefore(*getLargest(b));
    });
    return rows;
  }

  void printValues() {
    Table table = makeTable("largest values, bytes of a rank");
    std::vector<Row> rows = alignValues();
    for (const Row &row : ArrayRef(rows).take_front(kShown)) {
      const ReportedValue &any = **llvm::find_if(row, [](auto *v) { return v != nullptr; });
      std::string name = "  " + (any.entry.empty() ? "" : any.entry + ", ") + any.name;
      if (any.count > 1)
        name += " x" + std::to_string(any.count);
      Cells cells;
      for (const ReportedValue *value : row)
        cells.push_back(value ? value->info.sharding + "  " + getBytesText(value->getBytes())
                              : "-");
      std::string difference;
      if (row.front() && row.back())
        difference = getChange(row.front()->getBytes(), row.back()->getBytes());
      table.add(name, cells,
                difference.empty() && !llvm::all_equal(cells) ? "differs" : difference);
    }
    if (rows.size() > kShown)
      table.add("  " + std::to_string(rows.size() - kShown) + " more", {});
    table.print(os);
  }

  static std::string getTotalsText(const CollectiveTotals &totals, bool isDynamic) {
    if (!totals.count)
      return "-";
    return (isDynamic ? "at least " : "") + std::to_string(totals.count) + ", " +
           getBytesText(totals.bytesPerRank) + ", " + getMicrosecondsText(totals.picoseconds) +
           " us";
  }

  /// A row about collectives: `get` yields their totals and whether they are a
  /// lower bound.
  template <typename Get>
  void addTotals(Table &table, StringRef name, ArrayRef<const EntryReport *> entries, Get get) {
    Cells cells;
    std::vector<int64_t> bytes;
    for (const EntryReport *entry : entries) {
      auto [totals, isDynamic] = get(*entry);
      cells.push_back(getTotalsText(totals, isDynamic));
      bytes.push_back(totals.bytesPerRank);
    }
    std::string difference = getChange(bytes.front(), bytes.back());
    table.add(name, cells, difference.empty() && !llvm::all_equal(cells) ? "differs" : difference);
  }

  /// Plans for one program have the same entries.
  void printEntry(size_t number) {
    std::vector<const EntryReport *> entries =
        collect([&](const PlanReport &plan) { return &plan.entries[number]; });
    Table table = makeTable("a call of " + entries.front()->getName() +
                            ": collectives, bytes of a rank, time");
    std::vector<std::string> kinds;
    for (const EntryReport *entry : entries)
      for (const KindTotals &kind : entry->kinds)
        if (!llvm::is_contained(kinds, kind.kind))
          kinds.push_back(kind.kind);
    for (const std::string &kind : kinds)
      addTotals(table, "  " + kind, entries, [&](const EntryReport &entry) {
        for (const KindTotals &totals : entry.kinds)
          if (totals.kind == kind)
            return std::pair(totals.totals, totals.isDynamic);
        return std::pair(CollectiveTotals(), false);
      });
    addTotals(table, "  total", entries, [](const EntryReport &entry) {
      return std::pair(entry.explanation.getTotals(), entry.isDynamic);
    });
    addPlaces(table, entries);
    addBuffers(table, entries);
    table.print(os);
  }

  static std::string getKindsText(const PlaceReport *place) {
    if (!place)
      return "-";
    CollectiveTotals sum;
    std::string text;
    for (const KindTotals &kind : place->kinds) {
      text += (text.empty() ? "" : " + ") + std::to_string(kind.totals.count) + " " + kind.kind +
              (kind.isDynamic ? " at least" : "");
      sum.bytesPerRank += kind.totals.bytesPerRank;
    }
    return text + ", " + std::to_string(sum.bytesPerRank);
  }

  static const PlaceReport *findPlace(ArrayRef<PlaceReport> places, const PlaceReport &like) {
    auto found = llvm::find_if(places, [&](const PlaceReport &p) { return p.name == like.name; });
    return found == places.end() ? nullptr : &*found;
  }

  /// The places of all plans: one that those before lack follows the one that it
  /// follows in its own.
  static std::vector<const PlaceReport *> orderPlaces(ArrayRef<const EntryReport *> entries) {
    std::vector<const PlaceReport *> places;
    for (const EntryReport *entry : entries) {
      size_t next = 0;
      for (const PlaceReport &place : entry->places) {
        auto known = llvm::find_if(places, [&](auto *p) { return p->name == place.name; });
        next = known != places.end() ? known - places.begin() + 1 : next;
        if (known == places.end())
          places.insert(places.begin() + next++, &place);
      }
    }
    return places;
  }

  /// Layers at equal distances with equal cells are one row.
  void addPlaces(Table &table, ArrayRef<const EntryReport *> entries) {
    struct PlaceRow {
      std::string name, stack;
      int64_t first, last, step;
      Cells cells;

      /// Whether the layer continues this row.
      bool takes(const PlaceReport &place) const {
        return place.layer > last && stack == place.stack && first >= 0 &&
               (first == last || place.layer - last == step);
      }
    };
    std::vector<PlaceRow> rows;
    for (const PlaceReport *place : orderPlaces(entries)) {
      Cells cells;
      for (const EntryReport *entry : entries)
        cells.push_back(getKindsText(findPlace(entry->places, *place)));
      if (!rows.empty() && rows.back().takes(*place) && rows.back().cells == cells) {
        rows.back().step = place->layer - rows.back().last;
        rows.back().last = place->layer;
      } else {
        rows.push_back({place->name, place->stack, place->layer, place->layer, 1, cells});
      }
    }
    for (const PlaceRow &row : ArrayRef(rows).take_front(kPlacesShown)) {
      std::string name = row.name.empty() ? "unknown place" : row.name;
      if (row.last > row.first)
        name += " to " + std::to_string(row.last);
      if (row.step > 1)
        name += " by " + std::to_string(row.step);
      table.addTexts("    " + name, row.cells);
    }
    if (rows.size() > kPlacesShown)
      table.add("    " + std::to_string(rows.size() - kPlacesShown) + " more places", {});
  }

  void addBuffers(Table &table, ArrayRef<const EntryReport *> entries) {
    std::vector<int64_t> bytes;
    std::vector<Cells> lists;
    size_t most = 0;
    for (const EntryReport *entry : entries) {
      bytes.push_back(entry->arenaBytes);
      Cells &list = lists.emplace_back();
      for (const ArenaBuffer &buffer : ArrayRef(entry->buffers).take_front(kLargestBuffers))
        list.push_back(toOneLine(buffer.name) +
                       (buffer.count > 1 ? " x" + std::to_string(buffer.count) : "") + "  " +
                       std::to_string(buffer.bytes));
      most = std::max(most, list.size());
    }
    table.addNumbers("  arena", bytes, getBytesText);
    for (size_t i = 0; i < most; ++i) {
      Cells cells;
      for (const Cells &list : lists)
        cells.push_back(i < list.size() ? list[i] : "");
      table.add(i ? "" : "    largest buffers, in turn", cells);
    }
  }

  static constexpr size_t kLargestBuffers = 4;
};

} // namespace

void tp::printReportText(const Report &report, llvm::raw_ostream &os) {
  Printer(report, os).print();
}
