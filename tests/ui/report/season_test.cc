// SPDX-License-Identifier: MIT
#include "ui/report/season.h"

#include <gtest/gtest.h>

#include <string>

#include "ui/session/decision_record.h"

namespace fos {
namespace {

Record SeenLine(const std::string& text) {
  Record out;
  out.kind = RecordKind::kSeen;
  out.text = text;
  return out;
}
Record VerdictOn(int shot, const std::string& call) {
  return SeenLine(R"({"type":"verdict","shot":)" + std::to_string(shot) +
                  R"(,"stands":[{"id":"A#1","call":")" + call + R"("}]})");
}
Record Decided(PlayerDecision decision) {
  Record out;
  out.kind = RecordKind::kWord;
  DecisionRecord line;
  line.decision = std::move(decision);
  out.text = DecisionLine(line);
  return out;
}
PlayerDecision SettledAs(int shot, Call call) {
  PlayerDecision out;
  out.what = PlayerDecision::What::kSettle;
  out.shot = shot;
  out.stand = "A#1";
  out.call = call;
  return out;
}
PlayerDecision Said(int shot, PlayerDecision::What what) {
  PlayerDecision out;
  out.what = what;
  out.shot = shot;
  return out;
}
Record PlayedLine(const std::string& text) {
  Record out;
  out.text = text;
  return out;
}

TEST(SeasonReferee, CountsWhatPlayersSaidOfTheCamerasCalls) {
  using What = PlayerDecision::What;
  GameLog log;
  for (const char* call : {"hit", "hit", "too_close", "miss", "hit", "hit"}) {
    log.records.push_back(VerdictOn(static_cast<int>(log.records.size()) + 1, call));
  }
  log.records.push_back(Decided(Said(1, What::kAccept)));
  log.records.push_back(Decided(Said(2, What::kDispute)));
  log.records.push_back(Decided(SettledAs(2, Call::kMiss)));  // overruled
  log.records.push_back(Decided(SettledAs(3, Call::kHit)));   // left open by the camera
  log.records.push_back(Decided(SettledAs(4, Call::kMiss)));  // as the camera said
  log.records.push_back(Decided(SettledAs(5, Call::kMiss)));
  log.records.push_back(Decided(Said(5, What::kTakeBack)));
  log.records.push_back(Decided(Said(6, What::kMove)));  // overruled
  // The verdict on the point that the players gave is no call of the camera.
  log.records.push_back(VerdictOn(6, "miss"));
  log.records.push_back(SeenLine("not JSON"));
  Season season;
  season.Add(log, Battle(), "table-1");
  const std::vector<RefereeRecord> referees = season.Referees();
  ASSERT_EQ(referees.size(), 1u);
  EXPECT_EQ(referees[0].table, "table-1");
  EXPECT_EQ(referees[0].verdicts, 6);
  EXPECT_EQ(referees[0].called, 5);
  EXPECT_EQ(referees[0].disputed, 1);
  EXPECT_EQ(referees[0].settled_close, 1);
  EXPECT_EQ(referees[0].overruled, 2);
}

TEST(SeasonDice, TellsThrownFromDrawnAndLeavesOtherDiceOut) {
  GameLog log;
  log.records = {PlayedLine("dice 1 6 6"), PlayedLine("dice 2 3 drawn 8ff34785799e5cc4"),
                 PlayedLine("dicey 4"), PlayedLine("move A dice 5"),
                 SeenLine(R"({"type":"dice","values":[5,5]})")};
  GameLog other;
  other.records = {PlayedLine("dice 1 1"), PlayedLine("dice 12")};
  Season season;
  season.Add(log, Battle(), "");
  season.Add(other, Battle(), "");
  const std::vector<DiceRecord> dice = season.Dice();
  ASSERT_EQ(dice.size(), 3u);
  EXPECT_EQ(dice[0].who, "drawn by the program");
  EXPECT_EQ(dice[0].faces, (std::array<std::int64_t, 6>{0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(dice[1].who, "seen by the camera");
  EXPECT_EQ(dice[1].faces[4], 2);
  EXPECT_EQ(dice[2].who, "thrown");
  EXPECT_EQ(dice[2].faces, (std::array<std::int64_t, 6>{1, 0, 0, 0, 0, 2}));
}

// Sixty throws of a die; the upper tail of chi-square with five degrees of freedom is 0.05 at
// 11.0705 and 0.01 at 15.0863 (Abramowitz & Stegun, table 26.8).
TEST(SeasonDice, KnowsHowLikelyFairDiceAreAsUneven) {
  DiceRecord dice;
  dice.faces = {5, 8, 9, 8, 10, 20};
  EXPECT_NEAR(dice.ChiSquare(), 13.4, 1e-9);
  EXPECT_NEAR(dice.Likelihood(), 0.0199, 5e-5);
  dice.faces = {10, 10, 10, 10, 10, 10};
  EXPECT_NEAR(dice.Likelihood(), 1.0, 1e-12);
  EXPECT_EQ(DiceRecord().ChiSquare(), 0);
}

TEST(SeasonRange, CountsByGunAndBand) {
  Battle battle;
  battle.day = "2026-03-01";
  battle.sides = {{"Blue", {}, {"Ada"}}};
  BattleTurn turn;
  const auto shot = [&](double range_in, std::vector<std::string> lost) {
    BattleShot one;
    one.side = 0;
    one.kind = "field_gun";
    one.from = Vec2{0, 0};
    one.landed = Vec2{range_in, 0};
    one.thrown = true;
    one.lost = std::move(lost);
    turn.shots.push_back(one);
  };
  shot(5.99, {"A#1"});
  shot(6.0, {});
  shot(11.9, {"A#2", "A#3"});
  turn.shots.push_back(BattleShot());  // nobody knows from where
  BattleShot volley = turn.shots[0];
  volley.thrown = false;
  turn.shots.push_back(volley);
  battle.turns = {turn};
  Season season;
  season.Add(GameLog(), battle, "");
  const std::vector<RangeRecord> ranges = season.Ranges();
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].gun, "field gun");
  EXPECT_EQ(RangeName(ranges[0].band), "0 to 6 in");
  EXPECT_EQ(ranges[0].hits, 1);
  EXPECT_EQ(RangeName(ranges[1].band), "6 to 12 in");
  EXPECT_EQ(ranges[1].shots, 2);
  EXPECT_EQ(ranges[1].hits, 2);
}

TEST(SeasonPages, EscapeTextsAndFormulas) {
  Battle battle;
  battle.day = "2026-03-01";
  battle.sides = {{"Blue", {}, {"=HYPERLINK(\"x\")<script>"}}};
  BattleShot shot;
  shot.side = 0;
  shot.thrown = true;
  BattleTurn turn;
  turn.shots = {shot};
  battle.turns = {turn};
  Season season;
  season.Add(GameLog(), battle, "");
  const std::string html = SeasonHtml(season, "A <b>");
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_EQ(html.find("A <b>"), std::string::npos);
  EXPECT_NE(html.find("1 game, 1 March 2026."), std::string::npos);
  EXPECT_NE(SeasonCsv(season).find("shots,\"'=HYPERLINK(\"\"x\"\")<script>\",\"\",1\r\n"),
            std::string::npos)
      << SeasonCsv(season);
  GameLog few;
  few.records = {PlayedLine("dice 1 1 1 1 1")};
  season.Add(few, battle, "");
  EXPECT_NE(SeasonHtml(season, "").find("Too few dice"), std::string::npos);
  EXPECT_NE(SeasonHtml(Season(), "Empty").find("0 games"), std::string::npos);
}

}  // namespace
}  // namespace fos
