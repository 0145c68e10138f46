// SPDX-License-Identifier: MIT
#include "vision/pipeline/dice_tracker.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

StandObservation StandAt(Vec2 centre) {
  StandObservation out;
  out.table_from_stand = {centre, 0};
  out.footprint = {1.5, 0.75};
  return out;
}
DieFound DieAt(Vec2 centre) {
  DieFound out;
  out.centre = centre;
  out.side_in = 0.6;
  return out;
}

// The dots of a figure's base, or the bare place that it left, look like pips.
TEST(DiceTracker, ADieDoesNotLieWhereAStandStands) {
  const std::vector<StandObservation> stands = {StandAt({10, 10}), StandAt({20, 10})};
  EXPECT_TRUE(OnAStand(DieAt({10.5, 10.2}), stands));
  EXPECT_TRUE(OnAStand(DieAt({20, 10.6}), stands)) << "half of it covers the base's edge";
  EXPECT_FALSE(OnAStand(DieAt({10, 10.75}), stands)) << "it leans on the base";
  EXPECT_FALSE(OnAStand(DieAt({15, 10}), stands));
}

TEST(DiceTracker, WithoutDiceThereIsNoThrow) {
  DiceTracker tracker{Scenario{}};
  EXPECT_FALSE(tracker.Throw(1.0, true, {}));
}

}  // namespace
}  // namespace fos
