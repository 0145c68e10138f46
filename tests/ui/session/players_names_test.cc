// SPDX-License-Identifier: MIT
#include "ui/session/players_names.h"

#include <gtest/gtest.h>

#include "ui/session/shot_words.h"

namespace fos {
namespace {

// Red has a gun, a unit of horse and two of line infantry.
Scenario TwoOfAKind() {
  Scenario out;
  out.sides = {{"Red", {200, 40, 40}, Facing::kNorth}, {"Blue", {40, 40, 200}, Facing::kSouth}};
  out.kinds.resize(3);
  out.kinds[0].name = "line_infantry";
  out.kinds[1].name = "foot_gun";
  out.kinds[2].name = "light_cavalry";
  const auto unit = [&](const char* id, int side, int kind, int stands) {
    UnitSpec spec;
    spec.id = id;
    spec.side = side;
    spec.kind = kind;
    spec.stands = stands;
    out.units.push_back(spec);
  };
  unit("R-1", 0, 0, 4);
  unit("R-10", 0, 0, 4);
  unit("R-1G1", 0, 1, 1);
  unit("R-2", 0, 2, 3);
  unit("B-1", 1, 0, 4);
  return out;
}

TEST(PlayersNames, SayWhatPeopleSay) {
  const PlayersNames names(TwoOfAKind());
  EXPECT_EQ(names.Of("R-1G1"), "Red foot gun");
  EXPECT_EQ(names.Of("R-1G1#1"), "Red foot gun");  // it has no second stand
  EXPECT_EQ(names.Of("R-2#3"), "Red light cavalry, stand 3");
  EXPECT_EQ(names.Of("B-1#2"), "Blue line infantry, stand 2");
  // Red has two units of line infantry: the id tells them apart.
  EXPECT_EQ(names.Of("R-1#2"), "Red line infantry R-1, stand 2");
  EXPECT_EQ(names.Of("R-10"), "Red line infantry R-10");
  EXPECT_EQ(names.Of("R-3#1"), "R-3#1");  // unknown
  EXPECT_EQ(PlayersNames().Of("R-1#2"), "R-1#2");
}

TEST(PlayersNames, StandInSentences) {
  const PlayersNames names(TwoOfAKind());
  EXPECT_EQ(names.In("The swab's tip lies in C4: R-1G1#1 and R-10#4 are hit (NAP-3F), R-1x is not."),
            "The swab's tip lies in C4: Red foot gun and Red line infantry R-10, stand 4 are hit "
            "(NAP-3F), R-1x is not.");
  EXPECT_EQ(names.In(""), "");
}

TEST(PlayersNames, AreThoseOfAVerdict) {
  ShotShown shot;
  shot.verdict.ruling = ShotRuling{};
  shot.verdict.ruling->eligible = {{"B-1#1"}, {"R-2#2"}};
  EXPECT_EQ(WordsOf(shot, PlayersNames(TwoOfAKind())).falls,
            "the firer picks Blue line infantry, stand 1 or Red light cavalry, stand 2");
  EXPECT_EQ(WordsOf(shot).falls, "the firer picks B-1#1 or R-2#2");
}

}  // namespace
}  // namespace fos
