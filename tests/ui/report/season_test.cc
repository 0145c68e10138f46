// SPDX-License-Identifier: MIT
#include "ui/report/season.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "engine/files/event_log.h"
#include "ui/report/camera_story.h"
#include "ui/session/decision_record.h"
#include "ui/session/dice_record.h"

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

BattleThrow Thrown(std::size_t line, std::vector<int> faces) {
  BattleThrow out;
  out.line = line;
  out.faces = std::move(faces);
  return out;
}

// A watched shot hits what its ruling takes, not every stand whose call is a hit (NAP-3F).
TEST(SeasonShooting, CountsWhatTheRulingTakes) {
  Battle battle;
  battle.sides = {{"Blue", {}, {}}, {"Red", {}, {}}};
  CameraStory story(battle);
  const auto judged = [&](int shot, const std::string& ruling) {
    const std::string head = R"("frame":1,"time":1,"shot":)" + std::to_string(shot);
    story.Take(SeenLine(R"({"type":"shot",)" + head +
                        R"(,"projectile":"qtip","point":[18,21],"z":0,"sigma":0.02,"square":"E6",)"
                        R"("at_rest_frame":1,"visible":1,"evidence":""})"));
    story.Take(SeenLine(
        R"({"type":"verdict",)" + head +
        R"(,"stands":[],"casualties":["A#1","A#2","G#1"],"choice":true,"terrain":{"square":"E6",)"
        R"("lies_on":[],"protected":false,"water":false,"burning_test":[]},"ruling":{)" +
        ruling + R"(},"text":"said"})"));
  };
  const std::string none = R"("no_effect":false,"barred":[],"doubtful":[],"fire_square":"",)"
                           R"("clauses":["NAP-3F"],)";
  judged(1, none + R"("equipment":[],"crew":[],"eligible":["A#1","A#2"])");
  judged(2, none + R"("equipment":["G#1"],"crew":["C#1"],"eligible":[])");
  judged(3, R"("no_effect":true,"barred":[],"doubtful":[],"fire_square":"","clauses":[],)"
            R"("equipment":[],"crew":[],"eligible":[])");
  judged(4, R"("no_effect":false,"barred":["A#1"],"doubtful":[],"fire_square":"","clauses":[],)"
            R"("equipment":[],"crew":[],"eligible":[])");
  // The players' word for a protected stand takes nothing; for one of two it leaves the other.
  const auto says = [&](int shot, const char* stand, Call call) {
    DecisionRecord record;
    record.decision = SettledAs(shot, call);
    record.decision.stand = stand;
    story.Decide(record);
  };
  says(4, "A#1", Call::kHit);
  says(1, "A#2", Call::kMiss);
  story.Finish();
  const std::vector<BattleShot>& shots = battle.turns.at(0).shots;
  ASSERT_EQ(shots.size(), 4U);
  EXPECT_EQ(shots[0].lost, std::vector<std::string>{"A#1"});
  EXPECT_EQ(shots[1].lost, (std::vector<std::string>{"G#1", "C#1"}));
  EXPECT_EQ(shots[2].Hits(), 0);
  EXPECT_EQ(shots[3].Hits(), 0);
  Season season;
  season.Add(GameLog(), battle, "");
  EXPECT_EQ(season.Shots().ByPlayer().at(0).shots, 4);
  EXPECT_EQ(season.Shots().ByPlayer().at(0).hits, 3);
}

TEST(SeasonDice, TellsThrownFromDrawnAndSixSidedFromOthers) {
  Battle battle;
  battle.throws = {Thrown(1, {1, 6, 6}), Thrown(2, {2, 3}), Thrown(3, {20, 4}), Thrown(4, {3, 6})};
  battle.throws[1].drawn = true;
  battle.throws[2].sides = 20;
  battle.throws[3].kinds = {DieFaces::kAverage, DieFaces::kOrdinary};
  GameLog log;
  log.records = {SeenLine(R"({"type":"dice","frame":1,"time":1,"values":[5,5],)"
                          R"("centres":[[1,1],[2,2]]})")};
  Season season;
  season.Add(log, battle, "");
  const std::vector<DiceRecord> dice = season.Dice();
  ASSERT_EQ(dice.size(), 4u);
  EXPECT_EQ(dice[0].who, "drawn by the program");
  EXPECT_EQ(dice[0].faces, (ByFace{0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(dice[1].who, "seen by the camera");
  EXPECT_EQ(dice[1].faces[4], 2);
  EXPECT_EQ(dice[2].who, "thrown");
  EXPECT_EQ(dice[2].faces, (ByFace{1, 0, 0, 0, 0, 3}));
  EXPECT_EQ(dice[3].who, "thrown, average dice");
  EXPECT_EQ(dice[3].faces, (ByFace{0, 0, 1, 0, 0, 0}));
}

TEST(SeasonDice, CountsTwelveSidedDiceByThemselves) {
  Battle battle;
  battle.throws = {Thrown(1, {5}), Thrown(2, {12, 4})};
  battle.throws[1].sides = 12;
  DiceEvent seen{{5, 4, 11}, {{1, 1}, {2, 2}, {3, 3}}, {1, 1, 1}};
  seen.faces = {6, 12, 12};
  seen.asked = {{{4, 4}, false, {6, 9}, {0.6, 0.28}, 12}};
  GameLog log;
  log.records = {SeenLine(EventLine({1, 0.1, seen}).value())};
  Season season;
  season.Add(log, battle, "");
  const std::vector<DiceRecord> dice = season.Dice();
  ASSERT_EQ(dice.size(), 4u);
  EXPECT_EQ(dice[0].who, "seen by the camera");
  EXPECT_EQ(dice[0].faces, (ByFace{0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(dice[1].who, "seen by the camera, twelve-sided dice");
  EXPECT_EQ(dice[1].throws, 3);
  EXPECT_NEAR(dice[1].faces[3], 1.01, 1e-12);
  EXPECT_NEAR(dice[1].faces[5], 0.61, 1e-12);
  EXPECT_NEAR(dice[1].faces[8], 0.29, 1e-12);
  EXPECT_EQ(dice[2].who, "thrown");
  EXPECT_EQ(dice[3].who, "thrown, twelve-sided dice");
  EXPECT_EQ(dice[3].faces, (ByFace{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1}));
  const std::string csv = SeasonCsv(season);
  EXPECT_NE(csv.find("dice,\"thrown, twelve-sided dice\",\"12\",1\r\n"), std::string::npos) << csv;
  EXPECT_EQ(csv.find("dice,\"thrown\",\"7\""), std::string::npos) << csv;
  const std::string html = SeasonHtml(season, "");
  EXPECT_NE(html.find("2 dice thrown, twelve-sided dice"), std::string::npos);
  // Average dice have six sides.
  log.start.ruleset = "closefire";
  Season other;
  other.Add(log, Battle(), "");
  ASSERT_EQ(other.Dice().size(), 1u);
  EXPECT_EQ(other.Dice()[0].who, "seen by the camera, twelve-sided dice");
}

TEST(SeasonDice, CountsWhatTheCameraReadWithItsChances) {
  Battle battle;
  battle.throws = {Thrown(3, {4, 6}), Thrown(5, {1})};
  DiceRead taken;
  taken.line = 3;
  taken.values = {4, 6};
  taken.chances = {0.97, 1};
  DiceRead typed = taken;  // the players typed a one
  typed.line = 5;
  typed.by_camera = false;
  typed.values = {2};
  typed.chances = {0.98};
  GameLog log;
  const Record line;  // accepted
  log.records = {
      line, line, line, SeenLine(DiceReadLine(taken)), line, line, SeenLine(DiceReadLine(typed))};
  Season season;
  season.Add(log, battle, "table-1");
  ASSERT_EQ(season.Dice().size(), 1u);
  const DiceRecord dice = season.Dice()[0];
  EXPECT_EQ(dice.who, "thrown at table-1");
  EXPECT_NEAR(dice.faces[3], 0.97, 1e-12);
  EXPECT_NEAR(dice.faces[0], 1 + 0.03 / 5, 1e-12);
  EXPECT_NEAR(dice.mistakes, 0.03, 1e-12);
  EXPECT_EQ(dice.throws, 3);
}

TEST(SeasonDice, SharesOutADoubtfulDieOfTheCameraAndLeavesACockedOneOut) {
  DiceEvent seen;
  seen.asked = {{{1, 1}, false, {6, 4}, {0.7, 0.24}}, {{2, 2}, true, {1}, {0.9}}};
  GameLog log;
  log.records = {SeenLine(EventLine({1, 0.1, seen}).value())};
  Season season;
  season.Add(log, Battle(), "");
  ASSERT_EQ(season.Dice().size(), 1u);
  const DiceRecord dice = season.Dice()[0];
  EXPECT_EQ(dice.throws, 1);
  EXPECT_NEAR(dice.faces[5], 0.71, 1e-12);
  EXPECT_NEAR(dice.faces[3], 0.25, 1e-12);
  EXPECT_NEAR(dice.faces[0], 0.01, 1e-12);
  // Under rules with average dice nobody knows what those were.
  log.start.ruleset = "closefire";
  Season other;
  other.Add(log, Battle(), "");
  EXPECT_TRUE(other.Dice().empty());
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

// A watched match: hits are what the rules let fall, not all that lies in the circle.
TEST(CameraStory, CountsAsHitsWhatTheRulesLetFall) {
  Battle battle;
  CameraStory story(battle);
  const auto fell = [&](int shot, const std::string& ruling, const std::string& stands) {
    const std::string frame = R"("frame":9,"time":0.3,"shot":)" + std::to_string(shot);
    story.Take(SeenLine(R"({"type":"shot",)" + frame +
                        R"(,"projectile":"qtip","point":[1,2],"z":0.1,"sigma":0.01,"square":"A1",)"
                        R"("at_rest_frame":8,"visible":1,"evidence":"e.png"})"));
    std::string near;
    for (const char* id : {"A#1", "A#2", "G#1"}) {
      near += (near.empty() ? "" : ",") + std::string(R"({"id":")") + id +
              R"(","side":"S","kind":"k","rule":")" + (*id == 'G' ? "touch" : "circle") +
              R"(","distance":0.1,"sigma":0.01,"p_hit":1,"call":"hit"})";
    }
    story.Take(SeenLine(R"({"type":"verdict",)" + frame + R"(,"stands":[)" + near +
                        R"(],"casualties":)" + stands + R"(,"choice":true,"ruling":{)" + ruling +
                        R"(},"text":"It fell."})"));
  };
  const std::string all = R"(["A#1","A#2","G#1"])";
  fell(1, R"("eligible":["A#1","A#2"])", all);
  fell(2, R"("no_effect":true)", all);
  fell(3, R"("equipment":["G#1"],"crew":["A#1"])", all);
  fell(4, R"("eligible":["A#1"],"barred":["A#2"])", all);
  const auto settle = [&](int shot, const char* stand, Call call) {
    DecisionRecord word;
    word.decision = SettledAs(shot, call);
    word.decision.stand = stand;
    story.Decide(word);
  };
  settle(2, "A#1", Call::kHit);  // the rules still give it no effect
  settle(4, "A#2", Call::kHit);  // now there are two, of which the firer picks one
  fell(5, R"("eligible":["A#1"])", R"(["A#1"])");
  settle(5, "A#1", Call::kMiss);
  fell(6, R"("eligible":["A#1"])", R"(["A#1"])");
  DecisionRecord moved;
  moved.decision = Said(6, PlayerDecision::What::kMove);
  moved.casualties = {"A#1", "A#2"};
  moved.choice = true;
  story.Decide(moved);
  // What falls by the rules once a call is settled: the gun with its crew.
  fell(7, R"("eligible":["A#1"])", R"(["A#1"])");
  DecisionRecord gun;
  gun.decision = SettledAs(7, Call::kHit);
  gun.decision.stand = "G#1";
  gun.casualties = {"G#1", "A#2"};
  story.Decide(gun);
  story.Finish();
  std::vector<int> hits;
  for (const BattleShot& shot : battle.turns.at(0).shots) hits.push_back(shot.Hits());
  EXPECT_EQ(hits, (std::vector<int>{1, 0, 2, 1, 0, 1, 2}));
  EXPECT_EQ(battle.turns[0].shots[6].lost, (std::vector<std::string>{"G#1", "A#2"}));
  EXPECT_EQ(battle.turns[0].shots[2].lost, (std::vector<std::string>{"G#1", "A#1"}));
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
  battle.throws = {Thrown(1, {1, 1, 1, 1, 1})};
  season.Add(GameLog(), battle, "");
  EXPECT_NE(SeasonHtml(season, "").find("Too few dice"), std::string::npos);
  EXPECT_NE(SeasonHtml(Season(), "Empty").find("0 games"), std::string::npos);
}

TEST(SeasonPages, ShortenLongNamesByLetters) {
  std::string name;
  for (int i = 0; i < 40; ++i) name += "\u00fc";
  const Drawing plot = BarPlot("", {{name, 1, "1"}, {name.substr(0, 2 * 28), 1, "1"}}, Colour{});
  std::vector<std::string> names;
  for (const auto& mark : plot.marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (label != nullptr && label->anchor == Label::Anchor::kEnd) names.push_back(label->text);
  }
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0], name.substr(0, 2 * 27) + "\u2026");
  EXPECT_EQ(names[1], name.substr(0, 2 * 28));
}

}  // namespace
}  // namespace fos
