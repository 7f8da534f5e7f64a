//===- HeadSplit.cpp -------------------------------------------------------===//

#include "tp/Plan/HeadSplit.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir::tp;

int64_t mlir::tp::largestQueryHeads(int64_t kvHeads, int64_t group, const HeadSplit &split) {
  return llvm::divideCeil(kvHeads, split.kvHeads) * llvm::divideCeil(group, split.group);
}

HeadSplit mlir::tp::chooseHeadSplit(int64_t kvHeads, int64_t group, int64_t devices) {
  HeadSplit best{devices, 1};
  if (kvHeads >= devices)
    return best;
  for (int64_t major = devices - 1; major >= 1; --major) {
    if (devices % major != 0)
      continue;
    HeadSplit split{major, devices / major};
    if (largestQueryHeads(kvHeads, group, split) < largestQueryHeads(kvHeads, group, best))
      best = split;
  }
  return best;
}
