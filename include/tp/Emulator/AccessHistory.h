//===- AccessHistory.h - Who touched which byte in a launch -----*- C++ -*-===//
//
// Finds data races: two threads of a launch that touch the same byte, one of them
// writing, with nothing between that orders them. What orders: barriers of the
// block, and of the warp where all its threads take part. Blocks are never ordered.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_ACCESSHISTORY_H
#define TP_EMULATOR_ACCESSHISTORY_H

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace mlir::tp::emulator {

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// An access of a thread, and what has ordered it so far.
struct Access {
  static constexpr uint32_t noBlock = ~0u;
  /// Stand for "several blocks", "several threads of the block".
  static constexpr uint32_t anyBlock = ~0u - 1;
  static constexpr uint16_t anyThread = ~0;

  uint32_t block = noBlock;
  uint16_t thread = 0;
  AccessKind kind = AccessKind::Read;
  /// Barriers of the block, and of the warp, that the thread has passed.
  uint32_t blockBarriers = 0;
  uint32_t warpBarriers = 0;
  /// Where in the code.
  uint32_t site = 0;

  bool happened() const { return block != noBlock; }
  /// Whether something orders this access before `later`.
  bool isBefore(const Access &later) const;
};

/// The accesses of one launch to one region.
class AccessHistory {
public:
  /// Notes that `access` touches bytes [begin, end); an earlier access that it races
  /// with, if there is one.
  std::optional<Access> note(size_t begin, size_t end, const Access &access);

  bool isEmpty() const { return pages.empty(); }
  void clear() { pages.clear(); }

private:
  /// Last write and last read of some bytes. A read stands for all that are not before
  /// it: where those are of several threads, it is of `anyThread`.
  struct Cell {
    Access write, read;
  };
  /// Cells are words until something touches a part of a word.
  struct Page {
    unsigned bytesPerCell = 4;
    std::vector<Cell> cells;
  };
  static constexpr size_t pageBytes = 1024;

  Page &getPage(size_t index, bool words);
  std::optional<Access> noteCell(Cell &cell, const Access &access);

  std::vector<std::unique_ptr<Page>> pages;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_ACCESSHISTORY_H
