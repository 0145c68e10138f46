// SPDX-License-Identifier: MIT
#include "datasets/render/wild_dice.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace fos {
namespace {

// A bare table.
const WildScene kBare;

TEST(WildDice, ShowTheirValueAsHollowsOnTop) {
  std::array<int, 7> seen{};
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    DieKind kind = DrawDieKind(draws);
    kind.hollow_in = 0.02;
    const auto die = LayDie(kind, kBare, {5, 5}, draws.Uniform(0, 6), draws);
    ASSERT_TRUE(die.has_value());
    EXPECT_NEAR(die->top_in, kind.side_in, 1e-9);
    EXPECT_LT(die->tilt_rad, 1e-6);
    int on_top = 0;
    for (const SpineBall& hollow : die->solid.hollows) {
      const cv::Vec3d at = die->solid.centre + die->solid.table_from_own * hollow.at;
      on_top += at[2] > kind.side_in ? 1 : 0;
    }
    EXPECT_EQ(on_top, die->value) << "seed " << seed;
    ++seen[static_cast<std::size_t>(die->value)];
  }
  for (std::size_t value = 1; value <= 6; ++value) EXPECT_GT(seen[value], 0) << value;
}

TEST(WildDice, AverageDiceShowTwoToFive) {
  Draws draws(3);
  DieKind kind = DrawDieKind(draws);
  kind.average = true;
  for (int i = 0; i < 40; ++i) {
    const auto die = LayDie(kind, kBare, {5, 5}, 0.1 * i, draws);
    ASSERT_TRUE(die.has_value());
    EXPECT_GE(die->value, 2);
    EXPECT_LE(die->value, 5);
  }
}

TEST(WildDice, OneOfAThrowLeansOnAnother) {
  int cocked = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Draws draws(seed);
    const DieKind kind = DrawDieKind(draws);
    const std::vector<WildDie> dice = ThrowDice(kind, kBare, {5, 5}, 3, true, draws);
    for (const WildDie& die : dice) {
      cocked += die.cocked ? 1 : 0;
      EXPECT_EQ(die.cocked, die.tilt_rad > 0.2);
      // None has its middle in another.
      for (const WildDie& other : dice) {
        if (&other == &die) continue;
        EXPECT_GT(DistanceTo(other.solid, die.solid.centre), 0.3 * kind.side_in);
      }
    }
  }
  EXPECT_GT(cocked, 10);
}

TEST(WildDice, DoNotLieOnAnEdge) {
  WildScene scene;
  scene.solids.push_back(
      UprightBlock({{5, 5}, 0}, {2, 2}, 0, 0.1, 0.01, Plain({0.5F, 0.5F, 0.5F})));
  scene.solids.back().holds = true;
  Draws draws(1);
  const DieKind kind = DrawDieKind(draws);
  EXPECT_FALSE(LayDie(kind, scene, {6, 5}, 0, draws).has_value());
  const auto on_it = LayDie(kind, scene, {5, 5}, 0, draws);
  ASSERT_TRUE(on_it.has_value());
  EXPECT_NEAR(on_it->top_in, 0.1 + kind.side_in, 2e-3);
}

}  // namespace
}  // namespace fos
