// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/rules/napoleonic/legal.h"
#include "tests/engine/rules/napoleonic/simple_generator.h"
#include "tests/support/napoleonic_game.h"

// The number of move sequences of a given length from a position. The engine's list of legal moves
// and the simple generator must both give the published counts. Order counts, as in chess perft.
namespace fos::napoleonic::test {
namespace {

long EngineCount(const State& s, int depth) {
  if (depth == 0) return 1;
  long count = 0;
  for (const Action& action : LegalActions(s, s.attacker, /*everything=*/false)) {
    if (!std::holds_alternative<Move>(action.what)) continue;
    State next = s;
    std::vector<Event> events;
    const auto refusal = Play(next, action, events);
    EXPECT_FALSE(refusal) << refusal->clause << " " << refusal->because;
    count += EngineCount(next, depth - 1);
  }
  return count;
}

// The simple generator moves the pieces by hand.
long SimpleCount(const State& s, int depth) {
  if (depth == 0) return 1;
  long count = 0;
  for (const SimpleMove& move : AllSimpleMoves(s)) {
    if (depth == 1) {
      ++count;
      continue;
    }
    State next = s;
    for (const int i : move.stands) {
      Stand& stand = next.stands[static_cast<std::size_t>(i)];
      stand.cell = static_cast<Cell>(move.to);
      stand.moved = true;
    }
    for (const int i : move.equipment) {
      next.equipment[static_cast<std::size_t>(i)].cell = static_cast<Cell>(move.to);
      next.equipment[static_cast<std::size_t>(i)].moved = true;
    }
    bool enemies = false;
    for (const Stand& stand : next.stands)
      enemies = enemies || (stand.fate == Fate::kOnBoard && stand.side != next.attacker &&
                            stand.cell == move.to);
    if (!enemies)
      for (Equipment& e : next.equipment)
        if (e.cell == move.to) e.owner = next.attacker;
    count += SimpleCount(next, depth - 1);
  }
  return count;
}

struct Position {
  const char* name;
  std::function<void(Game&)> lay_out;
  std::vector<long> counts;  // for one move, two, ...
};

const std::vector<Position>& Positions() {
  static const std::vector<Position> positions = {
      {"one line unit alone",
       [](Game& g) {
         g.Unit(kBlue, "line_infantry", 4, "E5");
         g.Unit(kRed, "line_infantry", 4, "I9");
       },
       {12}},
      {"light cavalry in the open",
       [](Game& g) {
         g.Unit(kBlue, "light_cavalry", 3, "E5");
         g.Unit(kRed, "line_infantry", 4, "I9");
       },
       {204, 13872}},
      {"three light stands part and rejoin",
       [](Game& g) {
         g.Unit(kBlue, "light_infantry", 3, "B2");
         g.Unit(kRed, "line_infantry", 4, "I9");
       },
       {51, 867}},
      {"a line unit and an enemy in front",
       [](Game& g) {
         g.Unit(kBlue, "line_infantry", 4, "E5");
         g.Unit(kRed, "line_infantry", 4, "E6");
       },
       {11}},
      {"the gap",
       [](Game& g) {
         g.Unit(kBlue, "light_infantry", 3, "E5");
         g.Unit(kRed, "line_infantry", 4, "E6");
         g.Unit(kRed, "line_infantry", 4, "F5");
       },
       {64, 1282}},
      {"a road with a bend",
       [](Game& g) {
         g.Road("E3 E4 E5 F6 G6");
         g.Unit(kBlue, "line_infantry", 4, "E3");
         g.Unit(kBlue, "line_infantry", 4, "C3");
         g.Unit(kRed, "line_infantry", 4, "I9");
       },
       {22, 258}},
      {"two units in each other's way",
       [](Game& g) {
         g.Unit(kBlue, "line_infantry", 4, "E5");
         g.Unit(kBlue, "guards_infantry", 4, "E6");
         g.Unit(kRed, "line_infantry", 4, "I9");
       },
       {22, 252}},
      {"a limbered gun and its crew",
       [](Game& g) {
         g.Unit(kBlue, "foot_crew", 2, "D4");
         g.Gun(kBlue, "foot_gun", "D4", -1, true);
         g.Unit(kRed, "line_infantry", 4, "I9");
       },
       {48, 432}},
      {"a battery, one gun unlimbered",
       [](Game& g) {
         const int battery = g.Battery(kBlue);
         g.Unit(kBlue, "foot_crew", 2, "D4");
         g.Unit(kBlue, "mounted_crew", 1, "D4");
         g.Gun(kBlue, "foot_gun", "D4", battery, true);
         g.Gun(kBlue, "foot_gun", "D4", battery, false);
         g.Gun(kBlue, "supply_wagon", "D4", battery);
         g.Unit(kRed, "line_infantry", 4, "I9");
       },
       {186}},
      {"a river with a bridge",
       [](Game& g) {
         for (const char* square : {"C5", "D5", "E5", "F5", "G5"}) g.Terrain(square).water = true;
         g.Terrain("E5").bridge = true;
         g.Unit(kBlue, "line_cavalry", 3, "E3");
         g.Unit(kRed, "line_infantry", 4, "E7");
       },
       {36}},
      {"a commander, his unit and one stand that may not attack",
       [](Game& g) {
         g.Unit(kBlue, "division_commander", 1, "B2");
         g.Unit(kBlue, "guards_infantry", 1, "B2");
         g.Unit(kRed, "line_infantry", 4, "C3");
       },
       {43, 612}},
      {"heavy going",
       [](Game& g) {
         g.Terrain("D5").move_cost = 100;
         g.Terrain("E6").move_cost = 50;
         g.Unit(kBlue, "line_cavalry", 3, "D4");
         g.Unit(kBlue, "line_infantry", 4, "E5");
         g.Unit(kRed, "light_cavalry", 3, "D7");
       },
       {53, 827}},
      {"unmanned enemy guns",
       [](Game& g) {
         g.Unit(kBlue, "foot_crew", 2, "E4");
         g.Gun(kRed, "foot_gun", "E5", -1, true);
         g.Unit(kRed, "line_infantry", 4, "I9");
       },
       {24, 144}},
  };
  return positions;
}

TEST(NapoleonicPerft, BothGeneratorsGiveThePublishedCounts) {
  ASSERT_GE(Positions().size(), 12u);
  for (const Position& position : Positions()) {
    SCOPED_TRACE(position.name);
    Game g(9, 9);
    position.lay_out(g);
    g.Start();
    g.To(Step::kMovement);
    for (std::size_t depth = 1; depth <= position.counts.size(); ++depth) {
      EXPECT_EQ(EngineCount(g.s, static_cast<int>(depth)), position.counts[depth - 1]);
      EXPECT_EQ(SimpleCount(g.s, static_cast<int>(depth)), position.counts[depth - 1]);
    }
  }
}

// Every listed action is accepted, in the short and in the full list.
TEST(NapoleonicLegal, ListedActionsAreAccepted) {
  for (const Position& position : Positions()) {
    SCOPED_TRACE(position.name);
    Game g(9, 9);
    position.lay_out(g);
    g.Start();
    for (const Step step : {Step::kArtillery, Step::kMusketry, Step::kMovement, Step::kEnd}) {
      g.To(step);
      for (const int side : {kBlue, kRed})
        for (const Action& action : LegalActions(g.s, side)) {
          State next = g.s;
          std::vector<Event> events;
          const auto refusal = Play(next, action, events);
          EXPECT_FALSE(refusal) << refusal->clause << " " << refusal->because;
        }
    }
  }
}

TEST(NapoleonicLegal, AFriendYetToMoveMayMakeRoom) {  // NAP-2C
  Game g;
  const PieceNo first = g.Unit(kBlue, "line_infantry", 4, "E4");
  g.Unit(kBlue, "line_infantry", 4, "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  const auto onto = [&](bool strict) {
    std::vector<Action> moves;
    AppendMoves(g.s, first, g.At("E4"), strict, moves);
    return std::any_of(moves.begin(), moves.end(), [&](const Action& action) {
      return std::get<Move>(action.what).path.back() == g.At("E5");
    });
  };
  EXPECT_FALSE(onto(true));
  EXPECT_TRUE(onto(false));
}

TEST(NapoleonicLegal, PoolingAndSurrenderAreListed) {  // NAP-3C, NAP-12
  Game g;
  const PieceNo crew = g.Unit(kBlue, "foot_crew", 2, "E4");
  const int battery = g.Battery(kBlue);
  g.Gun(kBlue, "foot_gun", "E4", battery);
  g.setup.units.back().battery = battery;
  const PieceNo taken = g.Gun(kRed, "foot_gun", "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(crew, "E5"), "") << g.because;
  int pools = 0;
  int surrenders = 0;
  for (const Action& action : LegalActions(g.s, kBlue)) {
    if (const auto* pool = std::get_if<Pool>(&action.what))
      pools += pool->equipment == taken && pool->battery == battery;
    surrenders += std::holds_alternative<Surrender>(action.what);
  }
  EXPECT_EQ(pools, 1);
  EXPECT_EQ(surrenders, 1);
  EXPECT_EQ(g.Do(Pool{kBlue, taken, battery}), "");
  EXPECT_EQ(g.Do(Pool{kBlue, taken, battery}), "NAP-3C");
}

}  // namespace
}  // namespace fos::napoleonic::test
