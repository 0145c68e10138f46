// SPDX-License-Identifier: MIT
#include "vision/pipeline/dice_tracker.h"

#include <gtest/gtest.h>

#include <opencv2/core.hpp>

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

DieFound ReadDie(int value, double side_in) {
  DieFound out = DieAt({10, 10});
  out.value = value;
  out.side_in = side_in;
  out.p[static_cast<std::size_t>(value - 1)] = 1;
  out.p_die = 1;
  out.p_right = 0.99;
  return out;
}
ProjectileFinding FoundAt(Vec2 at, Projectile projectile, bool measured) {
  ProjectileFinding out;
  out.shot.projectile = projectile;
  out.measured = measured;
  for (const Vec2 corner : {Vec2{-0.2, -0.2}, Vec2{0.2, -0.2}, Vec2{0.2, 0.2}, Vec2{-0.2, 0.2}})
    out.outline.push_back(at + corner);
  return out;
}

DiceTracker WithShells(double size_in) {
  ProjectileSpec shell;
  shell.type = Projectile::kShell;
  shell.size_in = size_in;
  Scenario scenario;
  scenario.projectiles = {shell};
  return DiceTracker(scenario);
}

TEST(DiceTracker, AShellIsNoneWhereSeveralPipsAreRead) {
  const DiceTracker tracker = WithShells(0.5);
  const ProjectileFinding measured = FoundAt({10, 10}, Projectile::kShell, true);
  const ProjectileFinding asked = FoundAt({10, 10}, Projectile::kShell, false);
  EXPECT_FALSE(tracker.IsLeftTo(measured, ReadDie(4, 0.5), {}));
  EXPECT_FALSE(tracker.IsLeftTo(asked, ReadDie(4, 0.5), {}));
  EXPECT_TRUE(tracker.IsLeftTo(asked, ReadDie(1, 0.5), {})) << "a shell has one mark";
  EXPECT_FALSE(tracker.IsLeftTo(asked, ReadDie(1, 0.75), {})) << "no shell is so large";
  EXPECT_TRUE(tracker.IsLeftTo(measured, ReadDie(1, 0.75), {}));
  EXPECT_FALSE(tracker.IsLeftTo(FoundAt({12, 10}, Projectile::kShell, true), ReadDie(1, 0.5), {}));
  EXPECT_TRUE(tracker.IsLeftTo(FoundAt({10, 10}, Projectile::kQtip, true), ReadDie(4, 0.5), {}));
  DieFound unsure = ReadDie(4, 0.5);
  unsure.p_right = 0.8;
  EXPECT_TRUE(tracker.IsLeftTo(asked, unsure, {}));
}

TEST(DiceTracker, AShellIsNoneBesideDiceOfItsMake) {
  const DiceTracker tracker = WithShells(0.5);
  const ProjectileFinding measured = FoundAt({10, 10}, Projectile::kShell, true);
  std::vector<DieFound> beside = {ReadDie(4, 0.5)};
  EXPECT_FALSE(tracker.IsLeftTo(measured, ReadDie(1, 0.5), beside));
  const ProjectileFinding swab = FoundAt({10, 10}, Projectile::kQtip, true);
  EXPECT_TRUE(tracker.IsLeftTo(swab, ReadDie(1, 0.5), beside));
  beside.front().body = {200, 30, 30};
  EXPECT_TRUE(tracker.IsLeftTo(measured, ReadDie(1, 0.5), beside)) << "of another colour";
  beside.front() = ReadDie(4, 0.63);
  EXPECT_TRUE(tracker.IsLeftTo(measured, ReadDie(1, 0.5), beside)) << "of another size";
  beside.front() = ReadDie(1, 0.5);
  EXPECT_TRUE(tracker.IsLeftTo(measured, ReadDie(1, 0.5), beside)) << "another shell";
}

// A shell that is turned by an eighth, in a coarse picture, was read as a five.
TEST(DiceTracker, LeavesAShellWhoseOwnMarkTellsIt) {
  const DiceTracker tracker = WithShells(0.4);
  ProjectileFinding shell = FoundAt({10, 10}, Projectile::kShell, true);
  shell.mark_seen = true;
  EXPECT_TRUE(tracker.IsLeftTo(shell, ReadDie(5, 0.5), {}));
  shell.measured = false;
  EXPECT_FALSE(tracker.IsLeftTo(shell, ReadDie(5, 0.5), {}));
}

// Its number is often not read.
TEST(DiceTracker, ATwelveSidedDieIsLeftToWhatIsMeasured) {
  const DiceTracker tracker = WithShells(0.5);
  DieFound die = ReadDie(1, 0.7);
  die.faces = 12;
  for (const bool read : {true, false}) {
    die.p_right = read ? 0.99 : 0.5;
    for (const bool measured : {true, false}) {
      for (const Projectile projectile : {Projectile::kQtip, Projectile::kShell}) {
        const bool no_shell = read && projectile == Projectile::kShell;
        EXPECT_EQ(tracker.IsLeftTo(FoundAt({10, 10}, projectile, measured), die, {}),
                  measured && !no_shell);
      }
    }
  }
}

TEST(DiceTracker, WithoutDiceThereIsNoThrow) {
  DiceTracker tracker{Scenario{}};
  EXPECT_FALSE(tracker.Throw(1.0, true, {}));
}

TEST(DrawDice, FramesEachDieAndLeavesItsFace) {
  DiceSeen thrown;
  const cv::Rect face(24, 20, 12, 12);
  for (const int grey : {60, 90}) {
    thrown.pictures.emplace_back(60, 60, CV_8UC3, cv::Scalar::all(grey));
    thrown.outlines.push_back({face.tl(), {face.br().x, face.y}, face.br(), {face.x, face.br().y}});
  }
  const cv::Mat drawn =
      DrawDice(thrown, {{"shows 4 (98 %)"}, {"may show 6 (70 %)", "or 4 (28 %)"}});
  constexpr int kPanel_px = 240;
  ASSERT_EQ(drawn.cols, 2 * kPanel_px);
  EXPECT_GT(drawn.rows, kPanel_px + 40) << "room for two lines";
  const auto off = [](const cv::Mat& part, int grey) {
    const cv::Mat even(part.size(), part.type(), cv::Scalar::all(grey));
    return cv::norm(part, even, cv::NORM_INF);
  };
  for (const int die : {0, 1}) {
    const cv::Mat panel = drawn.colRange(die * kPanel_px, (die + 1) * kPanel_px);
    constexpr int kScale = 4;
    const cv::Rect large(kScale * face.x, kScale * face.y, kScale * face.width,
                         kScale * face.height);
    const int grey = die == 0 ? 60 : 90;
    EXPECT_EQ(off(panel(large), grey), 0) << "face covered";
    const cv::Rect about = large + cv::Size(20, 20) - cv::Point(10, 10);
    EXPECT_GT(off(panel(about), grey), 100) << "no frame";
    EXPECT_GT(off(panel.rowRange(kPanel_px, panel.rows), 30), 100) << "no words";
  }
}

}  // namespace
}  // namespace fos
