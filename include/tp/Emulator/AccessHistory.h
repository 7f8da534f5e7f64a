//===- AccessHistory.h - Who touched which byte ------------------*- C++ -*-===//
//
// Finds data races: two accesses of the same byte, one of them writing, with nothing
// that orders them. Operations are ordered by streams and events (Order.h); threads of
// one launch by barriers of the block, and of the warp where all its threads take part.
// Blocks of one launch are never ordered.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_ACCESSHISTORY_H
#define TP_EMULATOR_ACCESSHISTORY_H

#include "tp/Emulator/Order.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace mlir::tp::emulator {

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// An access of a thread of a launch, or of an operation as a whole.
struct Access {
  /// Stand for "several blocks", "several threads of the block".
  static constexpr uint32_t anyBlock = ~0u;
  static constexpr uint16_t anyThread = ~0;

  /// Null where nothing happened.
  const Operation *operation = nullptr;
  uint32_t block = 0;
  uint16_t thread = 0;
  AccessKind kind = AccessKind::Read;
  /// Barriers of the block, and of the warp, that the thread has passed.
  uint32_t blockBarriers = 0;
  uint32_t warpBarriers = 0;
  /// Where in the code; 0 of an operation as a whole.
  uint32_t site = 0;

  /// Whether something orders this access before `later`.
  bool isBefore(const Access &later) const;
};

/// The accesses to one region.
class AccessHistory {
public:
  /// Notes that `access` touches bytes [begin, end); an earlier access that it races
  /// with, if there is one.
  std::optional<Access> note(size_t begin, size_t end, const Access &access);

  bool isEmpty() const { return pages.empty(); }
  void clear() { pages.clear(); }

private:
  /// Last write of some bytes, and the last reads: at most one per operation, which
  /// stands for all its threads that read.
  struct Cell {
    Access write;
    llvm::SmallVector<Access, 1> reads;
  };
  /// One cell until something touches a part of the page; words until something touches a
  /// part of a word.
  struct Page {
    size_t bytesPerCell = pageBytes;
    std::vector<Cell> cells = std::vector<Cell>(1);

    void split(size_t bytes);
  };
  static constexpr size_t pageBytes = 1024;

  static std::optional<Access> noteCell(Cell &cell, const Access &access);
  static void noteRead(Cell &cell, const Access &access);

  std::vector<std::unique_ptr<Page>> pages;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_ACCESSHISTORY_H
