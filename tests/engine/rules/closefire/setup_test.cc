// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <set>
#include <string>

#include "engine/game/script_runner.h"
#include "tests/support/closefire_game.h"
#include "tests/support/temp_dir.h"

// Scenarios as files (sections 2 and 3), the sample battle, scripts and random games.
namespace fos::closefire::test {
namespace {

std::string Unit(const std::string& id, const std::string& side, const std::string& arm, double x,
                 double y, const std::string& more = "parts = [4]",
                 const std::string& leader = "") {
  return fmt::format(
      "[[unit]]\nid = \"{}\"\nside = \"{}\"\narm = \"{}\"\ngrade = \"C\"\nat = [{}, {}]\nfacing = "
      "0.0\n{}\n{}",
      id, side, arm, x, y, more, leader.empty() ? "" : "commander = \"" + leader + "\"\n");
}
std::string Head(const std::string& battle, const std::string& more = "") {
  return "ruleset = \"closefire\"\n[scenario]\nname = \"Test\"\nbattle = \"" + battle + "\"\n" +
         more +
         "[table]\nlength = 72.0\nwidth = 48.0\n[[side]]\nname = \"Blue\"\n[[side]]\nname = "
         "\"Red\"\n";
}
std::string BrigadeText(int foot, int horse, int dragoons) {
  std::string out =
      "[[leader]]\nid = \"L\"\nside = \"Blue\"\nrank = \"brigadier\"\nat = [10.0, 4.0]\n";
  int n = 0;
  for (int i = 0; i < foot; ++i)
    out += Unit(fmt::format("F{}", ++n), "Blue", "foot", 4.0 + 6 * i, 8.0, "parts = [4]", "L");
  for (int i = 0; i < horse; ++i)
    out += Unit(fmt::format("H{}", ++n), "Blue", "horse", 4.0 + 6 * i, 4.0, "parts = [1, 1]", "L");
  for (int i = 0; i < dragoons; ++i)
    out +=
        Unit(fmt::format("D{}", ++n), "Blue", "dragoons", 40.0 + 6 * i, 4.0, "parts = [1, 1]", "L");
  return out + Unit("E", "Red", "foot", 10.0, 40.0);
}

std::vector<std::string> NotesOf(const std::string& text) {
  const fos::test::TempDir folder;
  const auto state = ReadGame(folder.Write("game.toml", text), 1);
  EXPECT_TRUE(state.ok()) << (state.ok() ? "" : state.error().message);
  return state.ok() ? state.value().setup->notes : std::vector<std::string>{};
}
bool Noted(const std::vector<std::string>& notes, const std::string& clause) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.rfind(clause, 0) == 0; });
}
std::string FaultOf(const std::string& text) {
  const fos::test::TempDir folder;
  const auto state = ReadGame(folder.Write("game.toml", text), 1);
  return state.ok() ? "" : state.error().message;
}

// CF-12.4: the rules do not say how much of a move must be rough.
TEST(CloseFireSetup, RefusesAnUnsupportedSetting) {
  const fos::test::TempDir folder;
  const auto said = [&](const std::string& line) {
    const auto read = ReadSettings(folder.Write("club.toml", "[settings]\n" + line + "\n"), {});
    return read.ok() ? std::string{} : read.error().message;
  };
  EXPECT_EQ(said("rough_if_any_part = true"), "");
  const std::string no = said("rough_if_any_part = false");
  EXPECT_NE(no.find("club.toml:2: `rough_if_any_part` in [settings] must be true"),
            std::string::npos)
      << no;
  EXPECT_NE(no.find("write true"), std::string::npos) << no;
  EXPECT_EQ(no.find('\n'), std::string::npos);
}

TEST(CloseFireSetup, BrigadesAndWings) {  // EX-2.9.1 EX-2.9.2 EX-2.9.3 EX-2.10.1
  EXPECT_FALSE(Noted(NotesOf(Head("meeting") + BrigadeText(5, 0, 1)), "CF-2.9"));
  EXPECT_TRUE(Noted(NotesOf(Head("meeting") + BrigadeText(4, 2, 0)), "CF-2.9"));
  EXPECT_TRUE(Noted(NotesOf(Head("meeting") + BrigadeText(7, 0, 0)), "CF-2.9"));
  EXPECT_TRUE(Noted(NotesOf(Head("meeting") + BrigadeText(4, 0, 0)), "CF-2.10"));
  // A brigade without a wing answers to the marshal.
  Game g;
  const int marshal = g.Leader(kBlue, Rank::kMarshal, {100, 100});
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {100, 100}, marshal);
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Commands(brigadier, foot);
  EXPECT_TRUE(Field(g.s).InChain(brigadier, foot));
  EXPECT_TRUE(Field(g.s).InChain(marshal, foot));
}

TEST(CloseFireSetup, AttackerDeploysAtADistance) {  // EX-3.4.1
  const auto game = [](double y) {
    return Head("attack", "attacker = \"Blue\"\n") + Unit("A", "Blue", "foot", 10.0, 20.0) +
           Unit("D", "Red", "foot", 10.0, y);
  };
  // Red's rear edge is an inch south of its front, Blue's front at 20 in.
  EXPECT_NE(FaultOf(game(20.0 + 236.0 / 20 + 1)).find("CF-3.4"), std::string::npos);
  EXPECT_EQ(FaultOf(game(20.0 + 242.0 / 20 + 1)), "");
}

TEST(CloseFireSetup, NotesTroopsInTheEnemysHalfInAnAttack) {  // CF-3.3 CF-3.4
  // The centre line is at 24 in. Each base reaches an inch to the south of its front.
  const auto notes = [](double attacker, double defender) {
    return NotesOf(Head("attack", "attacker = \"Blue\"\n") +
                   Unit("A", "Blue", "foot", 10.0, attacker) +
                   Unit("B", "Blue", "foot", 60.0, 2.0) + Unit("D", "Red", "foot", 10.0, 46.0) +
                   Unit("E", "Red", "foot", 60.0, defender));
  };
  EXPECT_FALSE(Noted(notes(24.0, 25.0), "CF-3.3"));
  EXPECT_FALSE(Noted(notes(24.0, 25.0), "CF-3.4"));
  EXPECT_TRUE(Noted(notes(24.0, 23.0), "CF-3.3: E is 40 yd inside the enemy's half"));
  EXPECT_TRUE(Noted(notes(25.0, 25.0), "CF-3.4: A is 20 yd inside the enemy's half"));
}

TEST(CloseFireSetup, RoadsAndRiversJoinTwoEdges) {  // CF-3.2
  const auto noted = [](const std::string& ways) {
    return Noted(
        NotesOf(Head("attack", "attacker = \"Blue\"\nroad_along_axis = true\n") +
                Unit("A", "Blue", "foot", 10.0, 8.0) + Unit("D", "Red", "foot", 10.0, 40.0) + ways),
        "CF-3.2: the r");
  };
  const auto way = [](const std::string& type, double y0, double y1) {
    return fmt::format(
        "[[terrain]]\ntype = \"{}\"\npolygon = [[30, {}], [31, {}], [31, {}], [30, {}]]\n", type,
        y0, y0, y1, y1);
  };
  EXPECT_FALSE(noted(way("road", 0, 48)));
  EXPECT_TRUE(noted(way("road", 0, 40)));
  EXPECT_TRUE(noted(way("river", 4, 48)));
  EXPECT_FALSE(noted(way("river", 0, 20) + way("river", 20, 48)));
}

TEST(CloseFireSetup, MeetingEngagements) {  // EX-3.5.1 EX-3.5.2
  EXPECT_NE(FaultOf(Head("meeting") + Unit("A", "Blue", "foot", 10.0, 24 - 118.0 / 20) +
                    Unit("D", "Red", "foot", 10.0, 40.0))
                .find("CF-3.5"),
            std::string::npos);
  EXPECT_TRUE(Noted(NotesOf(Head("meeting") + Unit("A", "Blue", "foot", 10.0, 8.0) +
                            Unit("D", "Red", "foot", 10.0, 40.0) +
                            Unit("G", "Blue", "gun", 30.0, 8.0, "gun = \"heavy\"")),
                    "CF-3.5"));
}

TEST(CloseFireSetup, HussarsAreCavalryOfABrigade) {  // CF-2.9
  const std::string leader =
      "[[leader]]\nid = \"L\"\nside = \"Blue\"\nrank = \"brigadier\"\nat = [10.0, 4.0]\n";
  EXPECT_TRUE(Noted(
      NotesOf(Head("meeting") + leader + Unit("F", "Blue", "foot", 10.0, 8.0, "parts = [4]", "L") +
              Unit("H", "Blue", "hussars", 20.0, 8.0, "parts = [1, 1]", "L") +
              Unit("E", "Red", "foot", 10.0, 40.0)),
      "CF-2.9"));
}

TEST(CloseFireSetup, DragoonsOnFootStandOnFootBases) {  // CF-2.2
  const auto dragoons = [](const std::string& base) {
    return Head("meeting") +
           Unit("D", "Blue", "dragoons", 10.0, 8.0,
                "parts = [2, 2]\nmounted = false\nbase = " + base) +
           Unit("E", "Red", "foot", 10.0, 40.0);
  };
  EXPECT_FALSE(Noted(NotesOf(dragoons("[1.0, 1.0]")), "CF-2.2"));
  EXPECT_TRUE(Noted(NotesOf(dragoons("[1.0, 1.25]")), "CF-2.2"));
}

TEST(CloseFireSetup, PlayersMayAgreeOnThePositions) {  // CF-3.4 CF-3.5
  const auto with = [](std::string head) {
    const std::string name = "[scenario]\n";
    return head.insert(head.find(name) + name.size(), "agreed_positions = true\n") +
           Unit("F", "Blue", "foot", 30.0, 20.0) + Unit("X", "Red", "foot", 30.0, 22.0);
  };
  EXPECT_EQ(FaultOf(with(Head("meeting"))), "");
  EXPECT_EQ(FaultOf(with(Head("attack", "attacker = \"Blue\"\n"))), "");
}

TEST(CloseFireSetup, EachSideDeploysInItsOwnHalf) {  // CF-3.5
  const std::string blue = Unit("A", "Blue", "foot", 10.0, 8.0) +
                           Unit("B", "Blue", "foot", 20.0, 8.0) +
                           Unit("C", "Red", "foot", 10.0, 40.0);
  EXPECT_EQ(FaultOf(Head("meeting") + blue), "");
  EXPECT_NE(FaultOf(Head("meeting") + blue + Unit("F", "Blue", "foot", 30.0, 38.0)).find("CF-3.5"),
            std::string::npos);
  EXPECT_NE(FaultOf(Head("meeting") + blue +
                    Unit("F", "Blue", "foot", 30.0, 22.0, "parts = [4]\nhidden = true"))
                .find("CF-3.5"),
            std::string::npos);
  // `deploy` is checked too.
  const fos::test::TempDir folder;
  Game g;
  g.s = ReadGame(folder.Write("game.toml", Head("meeting") + blue), 1).value();
  EXPECT_EQ(g.Do("deploy A at 300 380 0"), "CF-3.5");
  EXPECT_EQ(g.Do("deploy A at 300 300 0"), "") << g.because;
}

TEST(CloseFireSetup, ColumnsAndDepthsAreThoseThatFormAccepts) {  // CF-10.2 CF-10.4 CF-14.3
  const std::string red = Unit("E", "Red", "foot", 10.0, 40.0);
  EXPECT_NE(FaultOf(Head("meeting") + red +
                    Unit("H", "Blue", "horse", 10.0, 8.0, "parts = [1, 1, 1, 1]\nfiles = 2"))
                .find("CF-10.2"),
            std::string::npos);
  const fos::test::TempDir folder;
  Game g;
  g.s = ReadGame(folder.Write("game.toml",
                              Head("meeting") + red +
                                  Unit("A", "Blue", "foot", 10.0, 10.0,
                                       "parts = [3, 3, 3]\nformation = \"assault\"\nfiles = 3") +
                                  Unit("M", "Blue", "foot", 30.0, 10.0,
                                       "parts = [3, 3, 3]\nformation = \"march\"")),
                 1)
            .value();
  const UnitId march = FindUnit(g.s, "M").value();
  for (const char* line : {"initiative", "dice 5 2", "choose first", "done Blue", "done Red",
                           "done Blue", "done Red", "done Blue"})
    EXPECT_EQ(g.Do(line), "") << line << ": " << g.because;
  while (g.s.waiting)
    EXPECT_EQ(g.Do(g.s.waiting->ask.choices.empty() ? "dice 3" : "choose +0"), "");
  EXPECT_EQ(g.Do("done Red"), "") << g.because;
  while (g.s.waiting)
    EXPECT_EQ(g.Do(g.s.waiting->ask.choices.empty() ? "dice 3" : "choose +0"), "");
  EXPECT_EQ(g.Do("roll M avd"), "") << g.because;
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("form M assault 3"), "") << g.because;
  EXPECT_EQ(Field(g.s).FrontOf(march).ranks, 3);
}

TEST(CloseFireSetup, RefusesFaultyFiles) {
  EXPECT_NE(FaultOf(Head("meeting") + Unit("A", "Blue", "fot", 10.0, 8.0)).find("foot"),
            std::string::npos);
  EXPECT_NE(FaultOf(Head("siege") + Unit("A", "Blue", "foot", 10.0, 8.0)), "");
  EXPECT_NE(
      FaultOf(Head("meeting") + Unit("A", "Blue", "foot", 10.0, 8.0, "parts = [2]")).find("CF-2.4"),
      std::string::npos);
  EXPECT_NE(FaultOf(Head("meeting") + Unit("A", "Blue", "foot", 10.0, 8.0) +
                    Unit("A", "Blue", "foot", 20.0, 8.0)),
            "");
  EXPECT_NE(FaultOf(Head("meeting")), "");
}

// Invariants that hold after every line of a random game.
void ExpectSound(const State& s) {
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const fos::closefire::Unit& unit = At(s, u);
    EXPECT_GE(unit[Of::kDp], 0);
    EXPECT_LE(unit[Of::kDp], 6);
    EXPECT_GE(unit[Of::kAllowanceMilliYd], 0);
    if (!unit.OnTable()) continue;
    EXPECT_FALSE(unit.bases.empty()) << Info(s, u).id;
    int parts = 0;
    for (const int part : Info(s, u).parts) parts += part;
    EXPECT_LE(static_cast<int>(unit.bases.size()), 24);
    EXPECT_FALSE(InCombat(s, u) && OpponentsOf(s, u).empty());
  }
  for (const Engaged& pair : s.engaged) EXPECT_NE(Info(s, pair.a).side, Info(s, pair.b).side);
}

TEST(CloseFireGame, RandomGamesKeepInvariantsAndReplay) {
  const std::filesystem::path sample =
      std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/kirchheim.toml";
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    auto start = ReadGame(sample, seed);
    ASSERT_TRUE(start.ok()) << start.error().message;
    State s = start.value();
    Generator chance{seed};
    std::vector<Action> played;
    std::vector<std::vector<Event>> events;
    while (s.phase != Phase::kOver && played.size() < 250) {
      const Action action = ParseLine(s, RandomLineOf(s, chance));
      std::vector<Event> fresh;
      const auto refused = Act(s, action, fresh);
      ASSERT_FALSE(refused) << action.line << ": " << refused->because;
      played.push_back(action);
      events.push_back(std::move(fresh));
      ExpectSound(s);
      if (HasFailure()) return;
    }
    // Played again with the drawn dice written in, it is the same bit for bit.
    State again = start.value();
    for (std::size_t i = 0; i < played.size(); ++i) {
      std::vector<Event> fresh;
      ASSERT_FALSE(Act(again, Rules::AsThrown(played[i], events[i]), fresh));
    }
    EXPECT_EQ(StateToJson(again), StateToJson(s));
  }
}

TEST(CloseFireGame, ShowNamesKindsLossesAndLeaders) {  // CF-4.1 CF-8.6
  const auto game =
      OpenGame(std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/kirchheim.toml", 7);
  ASSERT_TRUE(game.ok()) << game.error().message;
  const std::string shown = game.value()->DescribeTable();
  for (const char* part :
       {"Allies: 0 casualties, 0 units lost.", "Allies 1st foot, A-1F1 (C, 4 bases)",
        "Allies marshal A-M at (720, 80)"})
    EXPECT_NE(shown.find(part), std::string::npos) << shown;
}

TEST(CloseFireGame, PlaysTheSampleScript) {
  const std::filesystem::path folder = std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios";
  auto game = OpenGame(folder / "kirchheim.toml", 7);
  ASSERT_TRUE(game.ok()) << game.error().message;
  std::ifstream in(folder / "kirchheim.script");
  std::ostringstream script;
  script << in.rdbuf();
  ScriptOptions options;
  options.seed = 7;
  int refused = 0;
  options.report = [&](const ScriptStep& step) { refused += step.outcome.refused.has_value(); };
  const auto played = RunScript(*game.value(), script.str(), options);
  ASSERT_TRUE(played.ok()) << played.error().message;
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(game.value()->Next().kind, PromptKind::kOver);
  EXPECT_GT(game.value()->Played(), 40u);
}

TEST(CloseFireGame, SentencesNameTheKindAndTheClause) {  // CF-8.2 CF-13.1
  const std::filesystem::path folder = std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios";
  auto game = OpenGame(folder / "kirchheim.toml", 7);
  ASSERT_TRUE(game.ok()) << game.error().message;
  std::ifstream in(folder / "kirchheim.script");
  std::ostringstream script;
  script << in.rdbuf();
  std::vector<std::string> told;
  ScriptOptions options;
  options.report = [&](const ScriptStep& step) {
    told.insert(told.end(), step.outcome.told.begin(), step.outcome.told.end());
  };
  ASSERT_TRUE(RunScript(*game.value(), script.str(), options).ok());
  const auto has = [&](std::string_view sentence) {
    return std::find(told.begin(), told.end(), sentence) != told.end();
  };
  EXPECT_TRUE(has("3rd foot, F-1F3 takes 1 DP (fatigue): 1 now (CF-13.1)."));
  EXPECT_TRUE(has("Brigadier F-B3 attaches to dragoons F-3D1 (CF-4.3)."));
  EXPECT_TRUE(has("Artillery phase, French first."));
  for (const std::string& sentence : told)
    if (sentence.find("takes 1 DP") != std::string::npos) {
      EXPECT_NE(sentence.find(" (CF-"), std::string::npos) << sentence;
    }
}

TEST(CloseFireGame, EveryDeclarationSaysWhatItDid) {
  const std::filesystem::path folder = std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios";
  auto game = OpenGame(folder / "kirchheim.toml", 7);
  ASSERT_TRUE(game.ok()) << game.error().message;
  Generator chance{5};
  std::set<std::string> verbs;
  for (int n = 0; n < 400 && game.value()->Next().kind != PromptKind::kOver; ++n) {
    const bool declares = game.value()->Next().kind == PromptKind::kDeclare;
    const std::string line = game.value()->RandomLine(chance);
    const auto outcome = game.value()->Play(line);
    ASSERT_TRUE(outcome.ok() && !outcome->refused) << line;
    if (!declares) continue;
    EXPECT_FALSE(outcome->told.empty()) << line;
    verbs.insert(line.substr(0, line.find(' ')));
  }
  EXPECT_TRUE(verbs.contains("done") && verbs.contains("halt") && verbs.contains("roll"));
}

TEST(CloseFireGame, ReachOfAUnitForTheOverlay) {  // CF-15.2, CF-15.5
  const std::filesystem::path folder = std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios";
  auto game = OpenGame(folder / "kirchheim.toml", 7);
  ASSERT_TRUE(game.ok()) << game.error().message;
  const PieceReach gun = game.value()->ReachOf("A-G1");
  EXPECT_EQ(gun.unit, "yards");
  EXPECT_GT(gun.range, 100);
  ASSERT_EQ(gun.arc_in.size(), 1u);
  const GameView view = game.value()->View();
  const auto at = std::find_if(view.pieces.begin(), view.pieces.end(),
                               [](const PieceView& piece) { return piece.unit == "A-G1"; });
  ASSERT_NE(at, view.pieces.end());
  // It faces north: all of its wedge is ahead of it.
  for (const Vec2 corner : gun.arc_in.front()) EXPECT_GE(corner.y, at->at_in.y);
  for (const SightLine& sight : gun.sights) {
    EXPECT_EQ(sight.clear, sight.because.empty()) << sight.target;
    EXPECT_EQ(sight.target.rfind("F-", 0), 0u) << sight.target;
  }
  // Horse do not fire, and an unknown unit has no reach.
  EXPECT_EQ(game.value()->ReachOf("A-3H1").range, 0);
  EXPECT_TRUE(game.value()->ReachOf("nobody").arc_in.empty());
}

}  // namespace
}  // namespace fos::closefire::test
