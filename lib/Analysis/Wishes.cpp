//===- Wishes.cpp ----------------------------------------------------------===//

#include "tp/Analysis/Wishes.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tp;
using llvm::ArrayRef;

void mlir::tp::addWish(Wishes &wishes, ArrayRef<Cut> cuts, int64_t priority) {
  auto *known =
      llvm::find_if(wishes, [&](const Wish &wish) { return cuts == ArrayRef(wish.cuts); });
  if (known == wishes.end()) {
    wishes.emplace_back();
    wishes.back().cuts.assign(cuts.begin(), cuts.end());
    wishes.back().priority = priority;
  } else {
    known->priority = std::min(known->priority, priority);
  }
}

/// How many cuts of the wish for `factor` the earlier wishes allow.
static size_t getAllowed(ArrayRef<Wishes> factors, size_t factor, const Wish &wish) {
  size_t allowed = wish.cuts.size();
  for (auto [other, wishes] : llvm::enumerate(factors))
    for (const Wish &earlier : wishes) {
      if (earlier.priority >= wish.priority || earlier.cuts.empty())
        continue;
      size_t common = 0;
      if (other == factor) {
        while (common < earlier.cuts.size() && common < wish.cuts.size() &&
               earlier.cuts[common] == wish.cuts[common])
          ++common;
        if (common < earlier.cuts.size())
          return 0;
      }
      for (const Cut &taken : earlier.cuts)
        for (size_t i = common; i < allowed; ++i)
          if (wish.cuts[i].part.overlaps(taken.part))
            allowed = i;
    }
  return allowed;
}

void mlir::tp::applyPriorities(llvm::MutableArrayRef<Wishes> factors) {
  llvm::SmallVector<Wishes> result;
  for (size_t factor = 0; factor < factors.size(); ++factor) {
    result.emplace_back();
    for (const Wish &wish : factors[factor]) {
      size_t allowed = getAllowed(factors, factor, wish);
      if (allowed > 0 || wish.cuts.empty())
        addWish(result.back(), ArrayRef(wish.cuts).take_front(allowed), wish.priority);
    }
  }
  std::move(result.begin(), result.end(), factors.begin());
}
