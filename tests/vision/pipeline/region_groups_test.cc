// SPDX-License-Identifier: MIT
#include "vision/pipeline/region_groups.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

// A region that fills its rectangle.
SettledRegion FullRegion(const cv::Rect& rect, int at_rest) {
  constexpr double kPixelsPerInch2 = 100;
  SettledRegion out;
  out.rect = rect;
  out.mask = cv::Mat(rect.size(), CV_8UC1, cv::Scalar(255));
  out.at_rest = {at_rest};
  out.area_in2 = rect.area() / kPixelsPerInch2;
  return out;
}

TEST(RegionsBesideHands, AreSearchedOnceWhenTheyHaveStoodForAFrame) {
  RegionsBesideHands regions;
  const SettledRegion shot = FullRegion({40, 40, 10, 6}, 7);
  EXPECT_FALSE(regions.IsDue(shot, {10}));
  EXPECT_TRUE(regions.IsDue(shot, {11}));
  EXPECT_FALSE(regions.IsDue(shot, {12}));
  EXPECT_FALSE(regions.IsDue(shot, {40}));
}

TEST(RegionsBesideHands, AreSearchedAgainAfterAFewSeconds) {
  RegionsBesideHands regions;
  const SettledRegion shot = FullRegion({40, 40, 10, 6}, 7);
  EXPECT_FALSE(regions.IsDue(shot, {10}));
  EXPECT_TRUE(regions.IsDue(shot, {11}));
  EXPECT_FALSE(regions.IsDue(shot, {110}));
  EXPECT_TRUE(regions.IsDue(shot, {111}));
}

TEST(RegionsBesideHands, AreNotSearchedWhileTheyGrow) {
  RegionsBesideHands regions;
  for (int i = 0; i < 8; ++i) {
    const SettledRegion shadow = FullRegion({40, 40, 10 + 4 * i, 8 + 4 * i}, 7 + i);
    EXPECT_FALSE(regions.IsDue(shadow, {10 + i})) << i;
  }
}

// Two pieces of a shadow that are joined in one frame and part in the next.
TEST(RegionsBesideHands, AreNotSearchedForAPieceOfWhatWasSearched) {
  RegionsBesideHands regions;
  const SettledRegion whole = FullRegion({40, 40, 30, 6}, 7);
  EXPECT_FALSE(regions.IsDue(whole, {10}));
  EXPECT_TRUE(regions.IsDue(whole, {11}));
  const SettledRegion piece = FullRegion({40, 40, 9, 6}, 7);
  EXPECT_FALSE(regions.IsDue(piece, {12}));
  EXPECT_FALSE(regions.IsDue(piece, {13}));
}

// What came to rest on such a place has moved since it was searched.
TEST(RegionsBesideHands, AreSearchedForAShotOnAPlaceThatWasSearched) {
  RegionsBesideHands regions;
  const SettledRegion shadow = FullRegion({40, 40, 30, 6}, 7);
  EXPECT_FALSE(regions.IsDue(shadow, {10}));
  EXPECT_TRUE(regions.IsDue(shadow, {11}));
  const SettledRegion shot = FullRegion({44, 40, 9, 6}, 14);
  EXPECT_FALSE(regions.IsDue(shot, {17}));
  EXPECT_TRUE(regions.IsDue(shot, {18}));
}

}  // namespace
}  // namespace fos
