//===- WishesTest.cpp - Which wishes priorities leave ----------------------===//

#include "tp/Analysis/Wishes.h"

#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace mlir::tp;

namespace {

constexpr AxisPart kX{0, 1, 4}, kY{1, 1, 2}, kMajorX{0, 1, 2}, kMinorX{0, 2, 2};

/// One list of axes for a factor.
struct Given {
  unsigned factor;
  llvm::SmallVector<AxisPart> axes;
  int64_t priority;
};

/// What is left of the wishes, "0:x,y@1 " for axes x and y on factor 0.
std::string resolve(llvm::ArrayRef<Given> given) {
  llvm::SmallVector<Wishes> factors(2);
  for (const Given &wish : given) {
    llvm::SmallVector<Cut> cuts;
    for (const AxisPart &axis : wish.axes)
      cuts.push_back({axis, 1});
    addWish(factors[wish.factor], cuts, wish.priority);
  }
  applyPriorities(factors);
  std::string text;
  for (auto [factor, wishes] : llvm::enumerate(factors))
    for (const Wish &wish : wishes) {
      text += std::to_string(factor) + ":";
      for (const Cut &cut : wish.cuts)
        text += std::string(cut.part.axis == 0 ? "x" : "y") + std::to_string(cut.part.size);
      text += "@" + std::to_string(wish.priority) + " ";
    }
  return text;
}

TEST(Wishes, EarlierFactorKeepsTheAxis) {
  EXPECT_EQ(resolve({{0, {kX}, 1}, {1, {kX}, 0}}), "1:x4@0 ");
  EXPECT_EQ(resolve({{0, {kX}, 0}, {1, {kX}, 1}}), "0:x4@0 ");
  // Parts of it, too; what comes before in the list stays.
  EXPECT_EQ(resolve({{0, {kX}, 1}, {1, {kMinorX}, 0}}), "1:x2@0 ");
  EXPECT_EQ(resolve({{0, {kY, kX}, 1}, {1, {kX}, 0}}), "0:y2@1 1:x4@0 ");
  EXPECT_EQ(resolve({{0, {kMajorX}, 1}, {1, {kMinorX}, 0}}), "0:x2@1 1:x2@0 ");
}

TEST(Wishes, LaterListGoesOnFromTheEarlierOne) {
  EXPECT_EQ(resolve({{0, {kX}, 0}, {0, {kX, kY}, 1}}), "0:x4@0 0:x4y2@1 ");
  EXPECT_EQ(resolve({{0, {kX}, 0}, {0, {kY}, 1}}), "0:x4@0 ");
  EXPECT_EQ(resolve({{0, {kX, kY}, 0}, {0, {kX}, 1}}), "0:x4y2@0 ");
  // To be whole is no wish for an axis.
  EXPECT_EQ(resolve({{0, {}, 0}, {0, {kY}, 1}}), "0:@0 0:y2@1 ");
}

TEST(Wishes, EqualPrioritiesLeaveEachOther) {
  EXPECT_EQ(resolve({{0, {kX}, 1}, {1, {kX}, 1}}), "0:x4@1 1:x4@1 ");
  EXPECT_EQ(resolve({{0, {kX}, 0}, {0, {kY}, 0}}), "0:x4@0 0:y2@0 ");
}

TEST(Wishes, TheSmallestNumberOfEqualListsCounts) {
  EXPECT_EQ(resolve({{0, {kX}, 2}, {0, {kX}, 0}, {1, {kX}, 1}}), "0:x4@0 ");
}

} // namespace
