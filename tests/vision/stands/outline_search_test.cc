// SPDX-License-Identifier: MIT
#include "vision/stands/outline_search.h"

#include <array>

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

TEST(LikeliestSet, PrefersAPlaceInContactWithTheUnit) {
  const std::vector<PlaceOdds> places{{{{3, 3}, 0}, 22}, {{{0, 0}, 0}, 20}};
  EXPECT_EQ(LikeliestSet(places, kBase, 1), (Indices{0}));
  const std::array<Pose2, 1> fellow{{{{1.6, 0}, 0}}};
  EXPECT_EQ(LikeliestSet(places, kBase, 1, fellow), (Indices{1}));
  const std::vector<PlaceOdds> far_likelier{{{{3, 3}, 0}, 27}, {{{0, 0}, 0}, 20}};
  EXPECT_EQ(LikeliestSet(far_likelier, kBase, 1, fellow), (Indices{0}));
}

}  // namespace
}  // namespace fos
