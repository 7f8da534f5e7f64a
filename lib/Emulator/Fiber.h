//===- Fiber.h - A thread of a block, on a stack of its own -----*- C++ -*-===//

#ifndef TP_EMULATOR_FIBER_H
#define TP_EMULATOR_FIBER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlir::tp::emulator {

/// Stacks, used by one fiber after another.
class FiberStacks {
public:
  FiberStacks() = default;
  FiberStacks(const FiberStacks &) = delete;
  FiberStacks &operator=(const FiberStacks &) = delete;
  ~FiberStacks();

  static constexpr size_t bytes = 128 * 1024;
  /// The low end of stack `index`.
  char *get(size_t index);

private:
  std::vector<char *> stacks;
};

/// Runs a function that can stop in between. Fibers that have not ended may be dropped:
/// nothing on their stack is destroyed.
class Fiber {
public:
  using Function = void (*)(void *argument);

  void start(char *stack, Function function, void *argument);
  /// Runs on until the function suspends or ends. From outside.
  void resume();
  /// Back to who resumed. From inside.
  void suspend();
  bool isOnStack(uintptr_t address) const {
    return address - reinterpret_cast<uintptr_t>(stack) < FiberStacks::bytes;
  }

private:
  struct Entry;

  Function function = nullptr;
  void *argument = nullptr;
  char *stack = nullptr;
  bool hasEnded = false;
  /// Where this one, and where who resumed it goes on.
  void *inside = nullptr, *outside = nullptr;
  // What sanitizers keep for the two.
  void *insideFrames = nullptr, *outsideFrames = nullptr;
  const void *outsideStack = nullptr;
  size_t outsideBytes = 0;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_FIBER_H
