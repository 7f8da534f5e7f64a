//===- AccessHistory.cpp ---------------------------------------------------===//

#include "tp/Emulator/AccessHistory.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tp::emulator;

namespace {
constexpr unsigned warpSize = 32;
} // namespace

bool Access::isBefore(const Access &later) const {
  if (operation != later.operation)
    return operation->isBefore(*later.operation);
  if (block != later.block || block == anyBlock)
    return false;
  if (thread == later.thread && thread != anyThread)
    return true;
  if (blockBarriers < later.blockBarriers)
    return true;
  return thread != anyThread && thread / warpSize == later.thread / warpSize &&
         warpBarriers < later.warpBarriers;
}

void AccessHistory::Page::split(size_t bytes) {
  std::vector<Cell> finer;
  finer.reserve(pageBytes / bytes);
  for (const Cell &cell : cells)
    finer.insert(finer.end(), bytesPerCell / bytes, cell);
  cells = std::move(finer);
  bytesPerCell = bytes;
}

void AccessHistory::noteRead(Cell &cell, const Access &access) {
  if (cell.reads.size() == 1 && cell.reads.front().isBefore(access)) {
    cell.reads.front() = access;
    return;
  }
  Access reader = access;
  llvm::erase_if(cell.reads, [&](const Access &earlier) {
    if (earlier.isBefore(access))
      return true;
    if (earlier.operation != access.operation)
      return false;
    // Several threads read it; a writer must be behind a barrier of them all.
    reader.thread = Access::anyThread;
    if (earlier.block != access.block)
      reader.block = Access::anyBlock;
    return true;
  });
  cell.reads.push_back(reader);
}

std::optional<Access> AccessHistory::noteCell(Cell &cell, const Access &access) {
  std::optional<Access> race;
  bool bothAtomic = cell.write.kind == AccessKind::Atomic && access.kind == AccessKind::Atomic;
  if (cell.write.operation && !cell.write.isBefore(access) && !bothAtomic)
    race = cell.write;
  if (access.kind == AccessKind::Read) {
    noteRead(cell, access);
    return race;
  }
  for (const Access &read : cell.reads)
    if (!race && !read.isBefore(access))
      race = read;
  cell.write = access;
  cell.reads.clear();
  return race;
}

std::optional<Access> AccessHistory::note(size_t begin, size_t end, const Access &access) {
  size_t finest = begin % 4 == 0 && end % 4 == 0 ? 4 : 1;
  std::optional<Access> race;
  for (size_t at = begin; at < end;) {
    size_t index = at / pageBytes;
    if (pages.size() <= index)
      pages.resize(index + 1);
    if (!pages[index])
      pages[index] = std::make_unique<Page>();
    Page &page = *pages[index];
    size_t stop = std::min(end, (index + 1) * pageBytes);
    bool whole = stop - at == pageBytes;
    if (!whole && page.bytesPerCell > finest)
      page.split(finest);
    for (; at < stop; at += page.bytesPerCell) {
      std::optional<Access> found =
          noteCell(page.cells[at % pageBytes / page.bytesPerCell], access);
      if (found && !race)
        race = found;
    }
    // All cells are equal now.
    if (whole && access.kind == AccessKind::Write && page.bytesPerCell != pageBytes) {
      page.cells.resize(1);
      page.bytesPerCell = pageBytes;
    }
  }
  return race;
}
