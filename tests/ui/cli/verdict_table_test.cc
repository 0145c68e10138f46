// SPDX-License-Identifier: MIT
#include "ui/cli/verdict_table.h"

#include <gtest/gtest.h>

#include "ui/cli/progress.h"

namespace fos {
namespace {

TEST(VerdictTable, SaysSoWhenNothingWasShot) {
  EXPECT_EQ(VerdictTable({{0, 0, ViewEvent{}}}, "out"), "No shot was detected.\n");
}

TEST(VerdictTable, ShowsEveryStandNearAShot) {
  VerdictEvent verdict;
  verdict.shot = 1;
  verdict.stands.push_back(
      {"B-1V1#3", "British", "light_infantry", false, 1.834, 0.012, 0.0002, Call::kMiss});
  verdict.stands.push_back(
      {"B-1V1#1", "British", "light_infantry", false, 0.412, 0.012, 0.99996, Call::kHit});
  verdict.stands.push_back({"F-1A1#1", "French", "gun", true, 0.13, 0.02, 0.41, Call::kTooClose});
  verdict.casualties = {"B-1V1#1"};
  verdict.ground = {"K5", {"wood"}, true, false, {"tree"}};
  verdict.text = "The cotton swab lies in K5.";
  const std::string table = VerdictTable(
      {{45, 1.5,
        ShotEvent{
            1, "qtip", {40.464, 18.561}, 0.1133, 0.0098, "K5", 36, 0.9, "evidence/shot_01.png"}},
       {45, 1.5, verdict},
       {50, 1.7, ShotEvent{2, "shell", {-1, 18}, 0.1, 0.01, "", 48, 1, ""}}},
      "out");
  EXPECT_EQ(table,
            "Shot 1: cotton swab, judged at 1.5 s, at rest from frame 36\n"
            "  lies in K5, 40.46 in east and 18.56 in north of the south-west corner, +/- 0.02 in\n"
            "  90 % of it is visible\n"
            "  stand    kind            side     rule             distance  chance of hit  call\n"
            "  F-1A1#1  gun             French   touch     0.13 +/- 0.04 in         41.0 %  TOO "
            "CLOSE: settle it from the picture\n"
            "  B-1V1#1  light infantry  British  circle    0.41 +/- 0.02 in       > 99.9 %  HIT\n"
            "  B-1V1#3  light infantry  British  circle    1.83 +/- 0.02 in        < 0.1 %  miss\n"
            "  ground: on wood; protected; burning test due: tree\n"
            "  casualties: B-1V1#1\n"
            "  The cotton swab lies in K5.\n"
            "  picture: out/evidence/shot_01.png\n"
            "\n"
            "Shot 2: shell, judged at 1.7 s, at rest from frame 48\n"
            "  lies off the board, -1.00 in east and 18.00 in north of the south-west corner, +/- "
            "0.02 in\n"
            "  100 % of it is visible\n"
            "  not judged\n");
}

// What lies in the circle does not fall over water, and with a touched gun one of its crew alone.
TEST(VerdictTable, TellsTheCasualtiesOfTheRules) {
  const ShotEvent shot{1, "qtip", {22.03, 1.52}, 0.23, 0.027, "F1", 110, 1, ""};
  VerdictEvent verdict;
  verdict.shot = 1;
  verdict.casualties = {"B-1A2#1", "B-1X2#1", "B-1X2#2"};
  const auto said = [&](RulingRecord ruling) {
    verdict.ruling = std::move(ruling);
    const std::string table = VerdictTable({{116, 3.9, shot}, {116, 3.9, verdict}}, "out");
    const std::size_t from = table.find("  casualties: ");
    return table.substr(from, table.find('\n', from) - from);
  };
  EXPECT_EQ(said({true, {}, {}, {}, {}, {}, "", {}}), "  casualties: none");
  EXPECT_EQ(said({false, {"B-1A2#1"}, {"B-1X2#1"}, {}, {}, {}, "", {}}),
            "  casualties: B-1A2#1, B-1X2#1");
  EXPECT_EQ(said({false, {}, {}, {"B-1X2#1", "B-1X2#2"}, {}, {}, "", {}}),
            "  casualties: B-1X2#1, B-1X2#2 (the firer chooses one)");
  EXPECT_EQ(said({false, {}, {}, {"B-1X2#1"}, {"B-1X2#2"}, {}, "", {}}), "  casualties: B-1X2#1");
}

// Over water nothing happens (NAP-3F), however near a stand is.
TEST(VerdictTable, CallsNoHitWhereAShotHasNoEffect) {
  VerdictEvent verdict;
  verdict.shot = 1;
  verdict.stands = {{"B-1V1#1", "British", "light_infantry", false, 0.4, 0.01, 1, Call::kHit},
                    {"F-1A1#1", "French", "gun", true, 0.13, 0.02, 0.41, Call::kTooClose}};
  verdict.ruling = RulingRecord{true, {}, {}, {}, {}, {}, "", {}};
  const ShotEvent shot{1, "qtip", {22.03, 1.52}, 0.23, 0.027, "F1", 110, 1, ""};
  const std::string table = VerdictTable({{116, 3.9, shot}, {116, 3.9, verdict}}, "out");
  EXPECT_EQ(table.find("HIT"), std::string::npos) << table;
  EXPECT_EQ(table.find("TOO CLOSE"), std::string::npos) << table;
  EXPECT_NE(table.find("inside: no effect"), std::string::npos) << table;
}

TEST(VerdictTable, ShowsWhereToSeeAndAnswerAQuestion) {
  EXPECT_EQ(VerdictTable({{50, 1.7,
                           AskEvent{2,
                                    "shell",
                                    {3, 18},
                                    "A5",
                                    "evidence/shot_02",
                                    "Shot 2: a shell lies in A5; mark the point"}}},
                         "out"),
            "Shot 2: a shell lies in A5; mark the point\n"
            "  picture: out/evidence/shot_02_asked.png\n"
            "  answer: fallofshot dispute out/events.jsonl --shot 2 --tip EAST,NORTH\n");
}

// The line is copied into a shell.
TEST(VerdictTable, QuotesAFolderThatIsNoPlainWord) {
  const AskEvent ask{2, "shell", {3, 18}, "A5", "evidence/shot_02", "Shot 2: mark the point"};
  const auto answer = [&](const char* folder) {
    const std::string table = VerdictTable({{50, 1.7, ask}}, folder);
    return table.substr(table.find("  answer: "));
  };
  EXPECT_EQ(answer("/tmp/\xC3\xBCnder/o"),
            "  answer: fallofshot dispute /tmp/\xC3\xBCnder/o/events.jsonl --shot 2 --tip "
            "EAST,NORTH\n");
  EXPECT_EQ(answer("club's night"),
            "  answer: fallofshot dispute 'club'\\''s night/events.jsonl' --shot 2 --tip "
            "EAST,NORTH\n");
}

TEST(VerdictTable, ShowsWhatDiceShow) {
  DiceEvent dice{{4, 6}, {{1, 2}, {3, 4}}, {0.99, 0.98}, "evidence/dice_01.png"};
  dice.asked.push_back({{5, 6}, false, {2, 3}, {0.6, 0.3}});
  DiceEvent taken;
  taken.taken = true;
  EXPECT_EQ(VerdictTable({{40, 1.3, dice}, {90, 3, taken}}, "out"),
            "No shot was detected.\n"
            "\n"
            "Dice show 4 6; a die cannot be read surely: it may show 2 (60 %) or 3 (30 %), at 1.3 s\n"
            "  picture: out/evidence/dice_01.png\n");
  dice.asked.clear();
  dice.faces = {12, 12};
  EXPECT_EQ(VerdictTable({{40, 1.3, dice}}, "out"),
            "No shot was detected.\n"
            "\n"
            "D12 show 4 6, at 1.3 s\n"
            "  picture: out/evidence/dice_01.png\n");
}

TEST(VerdictTable, SaysWhenTheTableCannotBeTrusted) {
  VerdictEvent verdict;
  verdict.shot = 1;
  verdict.trust = "untrusted";
  const ShotEvent shot{1, "qtip", {40.464, 18.561}, 0.1133, 0.0098, "K5", 36, 0.9, ""};
  EXPECT_NE(VerdictTable({{45, 1.5, shot}, {45, 1.5, verdict}}, "out")
                .find("not called: the table's position is not reliable"),
            std::string::npos);
  verdict.trust = "misfit";
  EXPECT_NE(VerdictTable({{45, 1.5, shot}, {45, 1.5, verdict}}, "out")
                .find("not called: the stands are not those of the scenario"),
            std::string::npos);
  verdict.trust = "doubtful";
  EXPECT_NE(VerdictTable({{45, 1.5, shot}, {45, 1.5, verdict}}, "out").find("less sure than usual"),
            std::string::npos);
}

TEST(ProgressText, FillsUp) {
  EXPECT_EQ(ProgressText(0, 75), "[..............................]   0 %  0/75");
  EXPECT_EQ(ProgressText(75, 75), "[##############################] 100 %  75/75");
  EXPECT_EQ(ProgressText(99, 75), "[##############################] 100 %  99/75");
  EXPECT_EQ(ProgressText(12, std::nullopt), "12");
}

}  // namespace
}  // namespace fos
