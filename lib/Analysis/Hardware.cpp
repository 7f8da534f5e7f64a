//===- Hardware.cpp --------------------------------------------------------===//

#include "tp/Analysis/Hardware.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tp;

int64_t tp::bytesPerRank(CollectiveKind kind, int64_t k, int64_t elements, int64_t elementBytes) {
  int64_t bytes = elements * elementBytes;
  switch (kind) {
  case CollectiveKind::AllReduce:
    return llvm::divideCeil(2 * (k - 1) * bytes, k);
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
    return llvm::divideCeil((k - 1) * bytes, k);
  case CollectiveKind::Permute:
    return bytes;
  }
  llvm_unreachable("unknown kind of collective");
}

int64_t Hardware::picoseconds(int64_t messages, int64_t bytes) const {
  return messages * std::llround(latency * 1e12) +
         std::llround(static_cast<double>(bytes) * 1e12 / bandwidth);
}
