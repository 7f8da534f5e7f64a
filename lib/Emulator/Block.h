//===- Block.h - The threads of one block, as fibers ------------*- C++ -*-===//
//
// A block runs on one thread of the host. Its threads are fibers, which run until
// they wait for others: at a barrier of the block, or at an operation in which the
// threads of a warp exchange values. When all that must take part have come, they
// go on. Threads that cannot go on are a fault of the kernel, which is told.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_BLOCK_H
#define TP_EMULATOR_BLOCK_H

#include "Fiber.h"
#include "tp/Emulator/DeviceCode.h"
#include "tp/Emulator/DeviceMemory.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlir::tp::emulator {

constexpr unsigned warpSize = 32;

/// What a thread brings to an operation of its warp. Threads meet where `combine`,
/// `mask` and `qualifier` are equal.
struct Meeting {
  /// Gets `data` of each thread of the mask, in the order of lanes, and sets its results.
  void (*combine)(llvm::ArrayRef<void *> lanes, uint32_t mask, uint32_t qualifier);
  /// Name for messages.
  const char *name;
  /// Lanes that take part.
  uint32_t mask;
  uint32_t qualifier;
  /// Whether what threads wrote before is there for the others after.
  bool ordersMemory;
  uint32_t site;
  void *data;
};

/// A kernel as host code.
struct HostKernel {
  std::string name;
  /// Runs one thread; params[i] is the address of parameter i.
  void (*run)(void *const *params) = nullptr;
  /// Whether its threads ever wait for each other.
  bool meets = false;
  std::vector<uint32_t> parameterBytes;
};

/// A variable in shared memory, at a distance from others.
struct SharedVariable {
  std::string name;
  uint32_t offset = 0;
  /// 0 where the launch says it.
  uint32_t bytes = 0;
};

/// What all blocks of a launch have in common.
struct LaunchContext {
  const HostKernel &kernel;
  const Operation &operation;
  const LaunchConfig &config;
  void *const *params;
  DeviceMemory &memory;
  llvm::ArrayRef<SharedVariable> shared;
  /// Bytes of shared memory per block, with what is between variables.
  uint32_t sharedBytes;
  /// "file:line" of each place that the code names.
  llvm::ArrayRef<std::string> sites;
};

class Block {
public:
  Block(const LaunchContext &launch, FiberStacks &stacks, Dim3 index);

  /// Runs all threads to their end; the first fault.
  llvm::Error run();

  /// The block whose code runs on this thread of the host.
  static Block &current();

  // Called by the code of threads, for the thread that runs.

  const LaunchContext &launch() const { return context; }
  Dim3 index() const { return blockIndex; }
  /// Row-major in the block, x fastest.
  unsigned threadNumber() const { return running; }
  Dim3 threadIndex() const;
  unsigned lane() const { return running % warpSize; }
  char *sharedMemory() const { return shared->base; }

  /// Checks and notes an access of the running thread.
  void access(uintptr_t address, size_t bytes, AccessKind kind, uint32_t site);
  /// Copies later: no thread may count on it before `finishCopies`.
  void copyLater(void *to, const void *from, size_t bytes, size_t zeros, uint32_t site);
  /// Makes a group of the copies since the last one.
  void commitCopies();
  /// Does all copies but those of the `pending` groups that were committed last, and of
  /// none.
  void finishCopies(size_t pending);
  /// Waits for the lanes of the mask, and has results in its data.
  void meet(Meeting &meeting);
  /// Waits for all threads of the block; `value` of each is given to all: how many were
  /// not 0.
  uint32_t waitForBlock(uint32_t barrier, uint32_t value, bool aligned, uint32_t site);
  /// Ends the launch. Stacks are left as they are: the message must be moved here, and
  /// callers hold nothing that has to be destroyed.
  [[noreturn]] void fault(std::string &&message, uint32_t site);

private:
  enum class State { Ready, AtMeeting, AtBarrier, Ended };
  struct Copy {
    void *to;
    const void *from;
    size_t bytes, zeros;
    uint32_t site;
  };
  struct Thread {
    State state = State::Ready;
    Fiber fiber;
    Meeting *meeting = nullptr;
    uint32_t barrier = 0, barrierValue = 0, barrierSite = 0;
    bool aligned = false;
    uint32_t blockBarriers = 0, warpBarriers = 0;
    /// Copies not committed yet, and groups of committed ones in order.
    std::vector<Copy> copies;
    std::vector<std::vector<Copy>> groups;
  };

  void runOnOneFiber();
  void runOnFibers();
  void runThread();
  bool isAt(unsigned thread, const Meeting &meeting) const;
  /// Lets the threads of the warp that begins at `first` go on where all have met;
  /// whether there were any.
  bool finishMeetings(unsigned first);
  /// Lets all threads go on where all are at one barrier.
  bool finishBarrier();
  /// Records why no thread can go on.
  void explainWait();
  void explainMeeting(unsigned waiting);
  void copy(const Copy &copy);
  /// The region of global memory that the address is in; null where it is in none.
  MemoryRegion *findGlobal(uintptr_t address);
  void touch(MemoryRegion &region, uintptr_t address, size_t bytes, AccessKind kind, uint32_t site);
  size_t endOf(const SharedVariable &variable) const;
  /// Where a byte of shared memory is that is in no variable.
  std::string placeInShared(size_t begin) const;
  /// What is wrong with an access of [begin, end) of a region, which is noted; empty where
  /// nothing is.
  std::string findProblem(MemoryRegion &region, size_t begin, size_t end, AccessKind kind,
                          uint32_t site);
  /// The variable that [begin, end) of shared memory is in; null where it is in none.
  const SharedVariable *findShared(size_t begin, size_t end) const;
  /// "byte 4 of shared variable 'sums'".
  std::string byteText(const MemoryRegion &region, size_t offset) const;
  void record(const std::string &message, uint32_t site);
  std::string nameOf(unsigned thread) const;
  std::string nameOf(const Access &access) const;
  std::string placeOf(const Access &access) const;
  std::string waitText(unsigned thread) const;
  const std::string &siteText(uint32_t site) const { return context.sites[site]; }

  const LaunchContext &context;
  FiberStacks &stacks;
  const Dim3 blockIndex;
  const uint32_t blockNumber;
  std::vector<Thread> threads;
  std::unique_ptr<char[]> sharedStorage;
  std::unique_ptr<MemoryRegion> shared;
  /// Regions of global memory that were touched last, the latest first.
  std::array<MemoryRegion *, 4> recent = {};
  unsigned running = 0;
  /// What the running thread runs on: its own, or the first one's.
  Fiber *fiber = nullptr;
  std::string failure;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_BLOCK_H
