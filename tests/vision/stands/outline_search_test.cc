// SPDX-License-Identifier: MIT
#include "vision/stands/outline_search.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

using Indices = std::vector<std::size_t>;
constexpr Box2 kBase{1.5, 0.75};

TEST(LikeliestSet, PrefersTwoStandsInContactToOneBetweenThem) {
  const std::vector<PlaceOdds> places{{{{0.75, 0}, 0}, 30}, {{{0, 0}, 0}, 25}, {{{1.5, 0}, 0}, 22}};
  EXPECT_EQ(LikeliestSet(places, kBase, 2), (Indices{1, 2}));
  EXPECT_EQ(LikeliestSet(places, kBase, 1), (Indices{0}));
}

TEST(LikeliestSet, CountsWhatTwoShareOnce) {
  // Half an inch of the second lies in the first, as deep as is allowed; the third is free.
  const std::vector<PlaceOdds> places{{{{0, 0}, 0}, 30}, {{{0, 0.5}, 0}, 20}, {{{0, 2}, 0}, 16}};
  EXPECT_EQ(LikeliestSet(places, kBase, 2), (Indices{0, 2}));
}

TEST(LikeliestSet, LeavesOutWhatIsLikelierBareTable) {
  const std::vector<PlaceOdds> places{{{{0, 0}, 0}, 3}, {{{3, 0}, 0}, -0.5}};
  EXPECT_EQ(LikeliestSet(places, kBase, 2), (Indices{0}));
  EXPECT_TRUE(LikeliestSet({}, kBase, 2).empty());
}

}  // namespace
}  // namespace fos
