//===- Order.h - What happens before what on a device -----------*- C++ -*-===//
//
// Work on a device is ordered by streams, events and the host's waits, and by
// nothing else. Vector clocks know whether one operation is ordered before another,
// whatever the order was in which an emulated device ran them.
//
//===----------------------------------------------------------------------===//

#ifndef TP_EMULATOR_ORDER_H
#define TP_EMULATOR_ORDER_H

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace mlir::tp::emulator {

/// How far each line (a stream, a thread of the host) had come that is known to be past.
class Clock {
public:
  uint64_t get(unsigned line) const { return line < ticks.size() ? ticks[line] : 0; }
  void set(unsigned line, uint64_t tick);
  /// Whether all that the other knows is known here.
  bool covers(const Clock &other) const;
  /// Knows afterwards what either knew.
  void join(const Clock &other);

private:
  std::vector<uint64_t> ticks;
};

/// Something that runs on a line: a launch, a copy.
struct Operation {
  /// How messages name it: "kernel 'axpy' on stream 2".
  std::string name;
  unsigned line = 0;
  uint64_t tick = 0;
  /// What is past when it begins.
  Clock past;

  bool isBefore(const Operation &later) const { return later.past.get(line) >= tick; }
};

/// Lines and what they have done. Not for several threads at once.
class Order {
public:
  unsigned addLine();
  /// The next operation of a line.
  const Operation &add(unsigned line, std::string name);
  /// What is past for what comes next on the line.
  const Clock &clock(unsigned line) const { return clocks[line]; }
  /// What comes next on the line is behind what the clock knows.
  void wait(unsigned line, const Clock &clock) { clocks[line].join(clock); }

private:
  std::vector<Clock> clocks;
  std::deque<Operation> operations;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_ORDER_H
