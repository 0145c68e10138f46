// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>

#include "engine/rules/ancient/legal.h"
#include "tests/engine/rules/ancient/simple_generator.h"
#include "tests/support/ancient_game.h"

// The number of moves and of two-move sequences from a position. The engine's list of legal moves
// and the simple generator must both give the published counts. Order counts, as in chess perft.
// After the first move both generators use the engine's own position, because the effect of a move
// is tested elsewhere.
namespace fos::ancient::test {
namespace {

std::vector<Action> EngineMoves(const State& s) {
  std::vector<Action> out;
  for (const Action& action : LegalActions(s, s.attacker, /*everything=*/false))
    if (std::holds_alternative<Move>(action.what)) out.push_back(action);
  return out;
}

struct Counts {
  long engine = 0, simple = 0;
};
Counts CountAt(const State& s, int depth) {
  const std::vector<Action> moves = EngineMoves(s);
  if (depth == 1)
    return {static_cast<long>(moves.size()), static_cast<long>(AllSimpleMoves(s).size())};
  Counts sum;
  for (const Action& action : moves) {
    State next = s;
    std::vector<Event> events;
    const auto refusal = Play(next, action, events);
    EXPECT_FALSE(refusal) << refusal->clause << " " << refusal->because;
    if (next.step != Step::kMovement) continue;  // the last enemy was run down
    const Counts counts = CountAt(next, depth - 1);
    sum.engine += counts.engine;
    sum.simple += counts.simple;
  }
  return sum;
}

struct Position {
  const char* name;
  std::function<void(Game&)> lay_out;
  std::vector<long> counts;  // for one move, two
  bool rouse = false;        // the first unit is an elephant, and willing
};

const std::vector<Position>& Positions() {
  static const std::vector<Position> positions = {
      {"one heavy unit alone", [](Game& g) { g.Unit(kBlue, "heavy_infantry", "E5"); }, {12, 0}},
      {"three light stands part and rejoin",
       [](Game& g) { g.Unit(kBlue, "roman_velites", "B2"); },
       {51, 867}},
      {"two Numidians in the open",
       [](Game& g) { g.Unit(kBlue, "numidian_light_cavalry", "E5", 2); },
       {160, 6400}},
      {"an enemy in front",
       [](Game& g) {
         g.Unit(kBlue, "heavy_infantry", "E5");
         g.Unit(kRed, "heavy_infantry", "E6");
       },
       {11, 0}},
      {"the gap",
       [](Game& g) {
         g.Unit(kBlue, "light_infantry", "E5");
         g.Unit(kRed, "heavy_infantry", "E6");
         g.Unit(kRed, "heavy_infantry", "F5");
       },
       {66, 1452}},
      {"pikes bar the cavalry",
       [](Game& g) {
         g.Unit(kBlue, "heavy_cavalry", "E5");
         g.Unit(kRed, "macedonian_phalanx", "E6");
         g.Unit(kRed, "macedonian_phalanx", "F6", 3);
       },
       {44, 0}},
      {"single foot to be run down",
       [](Game& g) {
         g.Unit(kBlue, "heavy_cavalry", "E3");
         g.Unit(kRed, "light_infantry", "E4", 1);
         g.Unit(kRed, "light_infantry", "E6", 1);
         g.Unit(kRed, "foot_crew", "D4", 1);
         g.Unit(kRed, "light_infantry", "F4", 1);
         g.Wood("F4");
       },
       {45, 0}},
      {"an elephant without a roll",
       [](Game& g) {
         g.Unit(kBlue, "elephants", "E3");
         g.Unit(kRed, "light_infantry", "E4", 1);
         g.Unit(kRed, "heavy_infantry", "E6");
       },
       {39, 0}},
      {"a willing elephant",
       [](Game& g) {
         g.Unit(kBlue, "elephants", "E3");
         g.Unit(kRed, "light_infantry", "E4", 1);
         g.Unit(kRed, "heavy_infantry", "E6");
       },
       {42, 0},
       true},
      {"a catapult and its crews",
       [](Game& g) {
         g.Unit(kBlue, "foot_crew", "D4");
         g.Unit(kBlue, "horse_crew", "D4");
         g.Catapult(kBlue, "heavy_catapult", "D4");
       },
       {88, 3696}},
      {"a road with a bend",
       [](Game& g) {
         g.Road("E3 E4 E5 F6 G6");
         g.Unit(kBlue, "heavy_infantry", "E3");
         g.Unit(kBlue, "macedonian_hypaspists", "C3");
       },
       {36, 570}},
      {"a river with a bridge, a leader and his unit",
       [](Game& g) {
         for (const char* square : {"C5", "D5", "E5", "F5", "G5"}) g.Terrain(square).water = true;
         g.Terrain("E5").bridge = true;
         g.Unit(kBlue, "roman_legionary", "E4");
         g.Unit(kBlue, "sub_commander", "E4");
       },
       {32, 440}},
      {"a light detachment that may charge and one that need not",
       [](Game& g) {
         g.Unit(kBlue, "light_cavalry", "E4", 2);
         g.Unit(kRed, "light_infantry", "F5", 1);
         g.Terrain("D5").move_cost = 100;
       },
       {130, 4224}},
  };
  return positions;
}

TEST(AncientPerft, BothGeneratorsGiveThePublishedCounts) {
  ASSERT_GE(Positions().size(), 12u);
  for (const Position& position : Positions()) {
    SCOPED_TRACE(position.name);
    Game g(9, 9);
    position.lay_out(g);
    g.Unit(kRed, "heavy_infantry", "I9");
    g.Start();
    g.To(Step::kMovement);
    if (position.rouse) {
      ASSERT_EQ(g.Do(Rouse{kBlue, 0}), "");
      ASSERT_EQ(g.Dice({1}), "");
    }
    for (std::size_t depth = 1; depth <= position.counts.size(); ++depth) {
      const Counts counts = CountAt(g.s, static_cast<int>(depth));
      EXPECT_EQ(counts.engine, position.counts[depth - 1]) << "depth " << depth;
      EXPECT_EQ(counts.simple, position.counts[depth - 1]) << "depth " << depth;
    }
  }
}

}  // namespace
}  // namespace fos::ancient::test
