//===- Order.cpp -----------------------------------------------------------===//

#include "tp/Emulator/Order.h"

#include <algorithm>

using namespace mlir::tp::emulator;

void Clock::set(unsigned line, uint64_t tick) {
  if (line >= ticks.size())
    ticks.resize(line + 1);
  ticks[line] = tick;
}

bool Clock::covers(const Clock &other) const {
  for (unsigned line = 0; line < other.ticks.size(); ++line)
    if (other.ticks[line] > get(line))
      return false;
  return true;
}

void Clock::join(const Clock &other) {
  for (unsigned line = 0; line < other.ticks.size(); ++line)
    if (other.ticks[line] > get(line))
      set(line, other.ticks[line]);
}

unsigned Order::addLine() {
  clocks.emplace_back();
  return clocks.size() - 1;
}

const Operation &Order::add(unsigned line, std::string name) {
  Clock &clock = clocks[line];
  operations.push_back({std::move(name), line, clock.get(line) + 1, clock});
  clock.set(line, operations.back().tick);
  return operations.back();
}
