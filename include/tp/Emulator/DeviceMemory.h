//===- DeviceMemory.h - Memory of the emulated device -----------*- C++ -*-===//
//
// What is allocated on an emulated device, which bytes of it were ever written,
// and who touched them. Device addresses are addresses of this process.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_DEVICEMEMORY_H
#define TP_EMULATOR_DEVICEMEMORY_H

#include "tp/Emulator/AccessHistory.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir::tp::emulator {

/// A bit per byte: whether it was ever written.
class WrittenBytes {
public:
  explicit WrittenBytes(size_t bytes) : words((bytes + 63) / 64) {}

  void set(size_t begin, size_t end);
  /// The first byte of [begin, end) that was never written, or `end`.
  size_t firstUnwritten(size_t begin, size_t end) const;

private:
  std::vector<uint64_t> words;
};

/// A stretch of memory that kernels may use: an allocation, a global variable of
/// device code, the shared memory of a block.
class MemoryRegion {
public:
  MemoryRegion(std::string name, char *base, size_t bytes)
      : name(std::move(name)), base(base), bytes(bytes), written(bytes) {}

  uintptr_t begin() const { return reinterpret_cast<uintptr_t>(base); }
  uintptr_t end() const { return begin() + bytes; }

  bool contains(uintptr_t address) const { return address - begin() < bytes; }

  /// How messages name it: "the allocation of 4096 bytes".
  const std::string name;
  char *const base;
  const size_t bytes;
  WrittenBytes written;
  AccessHistory history;
};

/// The global memory of one device.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory();

  /// `bytes` of undefined content, aligned to 256 bytes; not null, also for 0 bytes.
  void *allocate(size_t bytes);
  /// The allocation at `address` is there behind `operation` only.
  llvm::Error begin(void *address, const Operation &operation);
  /// Ends an allocation, behind all that has touched it. Fails where `address` is not the
  /// start of one, or where something is not ordered before `operation`.
  llvm::Error free(void *address, const Operation &operation);
  /// Memory that others own, with defined content: variables of device code.
  void addVariable(const std::string &name, char *base, size_t bytes);
  void removeVariable(const char *base);

  /// The region that the address is in; null where it is in none.
  MemoryRegion *find(uintptr_t address);
  /// Where an address is, in words: "4 bytes behind the allocation of 64 bytes", "in an
  /// allocation of 64 bytes that was freed".
  std::string describe(uintptr_t address) const;

  /// Notes that an operation as a whole touches [address, address + bytes), which must be
  /// in one allocation; what is read must have been written.
  llvm::Error read(const void *address, size_t bytes, const Operation &operation);
  llvm::Error write(void *address, size_t bytes, const Operation &operation);

  /// Forgets who touched what: what follows is ordered behind all that was.
  void forgetAccesses();
  /// To be called for each region before its history is used.
  void noteUse(MemoryRegion &region) { used.push_back(&region); }

private:
  llvm::Expected<MemoryRegion *> findRange(const void *address, size_t bytes, AccessKind kind,
                                           const Operation &operation);
  llvm::Error note(MemoryRegion &region, size_t begin, size_t end, AccessKind kind,
                   const Operation &operation);

  /// By their first address.
  std::map<uintptr_t, std::unique_ptr<MemoryRegion>> allocations, variables;
  /// Bytes of freed allocations by their address, until it is used again.
  std::map<uintptr_t, size_t> freed;
  std::vector<MemoryRegion *> used;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_DEVICEMEMORY_H
