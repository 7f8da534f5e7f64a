//===- Choices.cpp - Where a generator's choices come from -----------------===//

#include "tp/Fuzz/Choices.h"

#include <algorithm>
#include <cassert>

using namespace mlir::tp;
using namespace mlir::tp::fuzz;

int64_t Choices::pick(int64_t low, int64_t high) {
  assert(low <= high && "no choice");
  uint64_t last = high - low, choice = 0;
  if (!isReplay)
    choice = random() % (last + 1);
  else if (tape.size() < replayed.size())
    choice = std::min<uint64_t>(replayed[tape.size()], last);
  tape.push_back(choice);
  return low + choice;
}
