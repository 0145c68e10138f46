// SPDX-License-Identifier: MIT
#include "datasets/render/wild_d12.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "datasets/render/wild_table.h"

namespace fos {
namespace {

const WildScene kEmptyTable;

cv::Vec3d FaceNormal(const WildSolid& solid, std::size_t face) {
  const cv::Vec4d& plane = solid.planes[face];
  return solid.table_from_own * cv::Vec3d(plane[0], plane[1], plane[2]);
}

TEST(WildD12, HasEachNumberAndOppositeOnesAddUpToThirteen) {
  const std::vector<cv::Vec4d> planes = D12Planes(0.7);
  ASSERT_EQ(planes.size(), 12U);
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Draws draws(seed);
    const D12Kind kind = DrawD12Kind(draws);
    EXPECT_GE(kind.size_in, 0.59);
    EXPECT_LE(kind.size_in, 0.87);
    std::array<int, 13> seen{};
    for (std::size_t i = 0; i < planes.size(); ++i) {
      ++seen.at(static_cast<std::size_t>(kind.numbers[i]));
      const std::size_t other = i % 2 == 0 ? i + 1 : i - 1;
      EXPECT_EQ(kind.numbers[i] + kind.numbers[other], 13);
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(planes[i][axis], -planes[other][axis], 1e-12);
    }
    EXPECT_EQ(std::count(seen.begin() + 1, seen.end(), 1), 12);
  }
}

TEST(WildD12, LiesFlatWithItsNumberUp) {
  std::array<int, 13> seen{};
  Draws draws(1);
  const D12Kind kind = DrawD12Kind(draws);
  for (int i = 0; i < 150; ++i) {
    const auto die = LayD12(kind, kEmptyTable, {5, 6}, draws.Uniform(0, 6), draws);
    ASSERT_TRUE(die.has_value());
    EXPECT_EQ(die->faces, 12);
    EXPECT_FALSE(die->cocked);
    EXPECT_EQ(die->tilt_rad, 0);
    EXPECT_NEAR(die->top_in, kind.size_in, 1e-9);
    EXPECT_EQ(die->centre, (Vec2{5, 6}));
    std::size_t up = 0;
    for (std::size_t face = 0; face < 12; ++face)
      if (FaceNormal(die->solid, face)[2] > FaceNormal(die->solid, up)[2]) up = face;
    EXPECT_NEAR(FaceNormal(die->solid, up)[2], 1, 1e-9);
    EXPECT_EQ(die->value, kind.numbers[up]);
    EXPECT_NEAR(DistanceTo(die->solid, {5, 6, 0}), 0, 1e-9);
    EXPECT_NEAR(SupportAt(std::array{die->solid}, {5, 6}), kind.size_in, 1e-3);
    ++seen[static_cast<std::size_t>(die->value)];
  }
  for (std::size_t value = 1; value <= 12; ++value) EXPECT_GT(seen[value], 0) << value;
}

TEST(WildD12, WritesNumbersUprightAndNotMirrored) {
  Draws draws(4);
  D12Kind kind = DrawD12Kind(draws);
  kind.rim = 0;
  kind.clear = 0;
  kind.marble.reset();
  kind.body = {0, 0, 0};
  kind.numeral = {1, 1, 1};
  // Ink in the upper right quarter only.
  for (cv::Mat& ink : kind.ink) {
    ink.setTo(0);
    ink(cv::Rect(ink.cols / 2, 0, ink.cols / 2, ink.rows / 2)).setTo(255);
  }
  const double heading = 0.7;
  const auto die = LayD12(kind, kEmptyTable, {0, 0}, heading, draws);
  ASSERT_TRUE(die.has_value());
  const auto up = static_cast<std::size_t>(
      std::find(kind.numbers.begin(), kind.numbers.end(), die->value) - kind.numbers.begin());
  // A heading of 0 lays the face's first axis along the table's.
  const double top = heading + kind.upright_rad[up];
  const auto inked = [&](double right_in, double up_in) {
    const cv::Vec3d at(right_in * std::sin(top) + up_in * std::cos(top),
                       -right_in * std::cos(top) + up_in * std::sin(top), die->top_in);
    return die->solid.paint(SurfaceOf(die->solid, at))[1] > 0.5F;
  };
  EXPECT_TRUE(inked(0.05, 0.05));
  EXPECT_FALSE(inked(-0.05, 0.05));
  EXPECT_FALSE(inked(0.05, -0.05));
  EXPECT_FALSE(inked(-0.05, -0.05));
}

TEST(WildD12, ShowsItsNumberInAPicture) {
  WildTable t = MakeWildTable(3);
  const double side = t.table.frame.Width();
  const Vec2 middle{side / 2, side / 2};
  int plain = 0;
  constexpr int kMakes = 30;
  for (std::uint32_t seed = 1; seed <= kMakes; ++seed) {
    Draws draws(seed);
    const D12Kind kind = DrawD12Kind(draws);
    t.scene.solids.clear();
    const auto die = LayD12(kind, t.scene, middle, draws.Uniform(0, 6), draws);
    ASSERT_TRUE(die.has_value());
    t.scene.solids = {die->solid};
    const ImagePoint at = ImageFromTable(t.camera, middle, die->top_in);
    const double radius_px = 0.22 * kind.size_in * PixelsPerInch(t.camera, middle, die->top_in);
    const int reach = static_cast<int>(std::ceil(radius_px));
    const cv::Rect part(static_cast<int>(at.x_px) - reach, static_cast<int>(at.y_px) - reach,
                        2 * reach + 1, 2 * reach + 1);
    const cv::Mat light = LightAt(Rendered(t.camera, t.scene, part), t.scene, {});
    // Of the brightest of the three colours, how much darker the darkest place is.
    double shown = 0;
    for (int c = 0; c < 3; ++c) {
      cv::Mat one;
      cv::extractChannel(light, one, c);
      double low = 0;
      double high = 0;
      cv::minMaxLoc(one, &low, &high);
      shown = std::max(shown, 1 - low / high);
    }
    plain += shown > 0.4 ? 1 : 0;
  }
  EXPECT_GE(plain, kMakes * 9 / 10);
}

TEST(WildD12, SomeOfAThrowTouchAndNoneAreInOneAnother) {
  int touching = 0;
  int dice = 0;
  for (std::uint32_t seed = 1; seed <= 25; ++seed) {
    Draws draws(seed);
    const D12Kind kind = DrawD12Kind(draws);
    const std::vector<WildDie> thrown = ThrowD12(kind, kEmptyTable, {5, 5}, 4, draws);
    EXPECT_LE(thrown.size(), 4U);
    dice += static_cast<int>(thrown.size());
    for (std::size_t i = 0; i < thrown.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double apart = Distance(thrown[i].centre, thrown[j].centre) / kind.size_in;
        EXPECT_GT(apart, 0.95);
        touching += apart < 1.26 && DistanceTo(thrown[i].solid, thrown[j].solid.centre) <
                                        0.65 * kind.size_in
                        ? 1
                        : 0;
      }
    }
  }
  EXPECT_GT(dice, 60);
  EXPECT_GT(touching, 5);
}

TEST(WildD12, DoesNotLieOnAnEdge) {
  WildScene scene;
  scene.solids.push_back(
      UprightBlock({{5, 5}, 0}, {2, 2}, 0, 0.1, 0.01, Plain({0.5F, 0.5F, 0.5F})));
  scene.solids.back().holds = true;
  Draws draws(1);
  const D12Kind kind = DrawD12Kind(draws);
  EXPECT_FALSE(LayD12(kind, scene, {6, 5}, 0, draws).has_value());
  const auto on_it = LayD12(kind, scene, {5, 5}, 0, draws);
  ASSERT_TRUE(on_it.has_value());
  EXPECT_NEAR(on_it->top_in, 0.1 + kind.size_in, 2e-3);
}

}  // namespace
}  // namespace fos
