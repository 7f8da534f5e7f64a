//===- AccessHistory.cpp ---------------------------------------------------===//

#include "tp/Emulator/AccessHistory.h"

using namespace mlir::tp::emulator;

namespace {
constexpr unsigned warpSize = 32;
} // namespace

bool Access::isBefore(const Access &later) const {
  if (block != later.block)
    return false;
  if (thread == later.thread && thread != anyThread)
    return true;
  if (blockBarriers < later.blockBarriers)
    return true;
  return thread != anyThread && thread / warpSize == later.thread / warpSize &&
         warpBarriers < later.warpBarriers;
}

AccessHistory::Page &AccessHistory::getPage(size_t index, bool words) {
  if (pages.size() <= index)
    pages.resize(index + 1);
  std::unique_ptr<Page> &page = pages[index];
  if (!page) {
    page = std::make_unique<Page>();
    page->bytesPerCell = words ? 4 : 1;
    page->cells.resize(pageBytes / page->bytesPerCell);
  }
  if (!words && page->bytesPerCell == 4) {
    std::vector<Cell> bytes;
    bytes.reserve(pageBytes);
    for (const Cell &cell : page->cells)
      bytes.insert(bytes.end(), 4, cell);
    page->cells = std::move(bytes);
    page->bytesPerCell = 1;
  }
  return *page;
}

std::optional<Access> AccessHistory::noteCell(Cell &cell, const Access &access) {
  auto conflicts = [&](const Access &earlier) {
    return earlier.happened() && !earlier.isBefore(access) &&
           !(earlier.kind == AccessKind::Atomic && access.kind == AccessKind::Atomic);
  };
  std::optional<Access> race;
  if (conflicts(cell.write))
    race = cell.write;
  if (access.kind == AccessKind::Read) {
    if (cell.read.happened() && !cell.read.isBefore(access)) {
      // Several threads read it; a writer must be behind a barrier of them all.
      Access both = access;
      both.thread = Access::anyThread;
      if (cell.read.block != access.block)
        both.block = Access::anyBlock;
      cell.read = both;
    } else {
      cell.read = access;
    }
    return race;
  }
  if (!race && conflicts(cell.read))
    race = cell.read;
  cell.write = access;
  cell.read = Access();
  return race;
}

std::optional<Access> AccessHistory::note(size_t begin, size_t end, const Access &access) {
  bool words = begin % 4 == 0 && end % 4 == 0;
  std::optional<Access> race;
  for (size_t at = begin; at < end;) {
    Page &page = getPage(at / pageBytes, words);
    size_t pageEnd = (at / pageBytes + 1) * pageBytes;
    size_t stop = end < pageEnd ? end : pageEnd;
    for (; at < stop; at += page.bytesPerCell) {
      std::optional<Access> found =
          noteCell(page.cells[at % pageBytes / page.bytesPerCell], access);
      if (found && !race)
        race = found;
    }
  }
  return race;
}
