// SPDX-License-Identifier: MIT
#include "engine/files/event_log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "tests/support/temp_dir.h"

namespace fos {
namespace {

StandRecord Stand() {
  StandRecord stand;
  stand.id = "F-1L1#3";
  stand.unit = "F-1L1";
  stand.side = "French";
  stand.kind = "line_infantry";
  stand.square = "C2";
  stand.centre = {10.00004, 6.5};
  stand.bearing_deg = 359.9999;
  stand.polygon = {Vec2{9.25, 6.875}, {10.75, 6.875}, {10.75, 6.125}, {9.25, 6.125}};
  stand.sigma_in = 0.0123;
  stand.visible = 0.61;
  return stand;
}

VerdictEvent Verdict() {
  VerdictEvent verdict;
  verdict.shot = 1;
  verdict.stands.push_back({"F-1L1#3", "French", "line_infantry", false, 0.5, 0.02, 1, Call::kHit});
  verdict.stands.push_back({"F-1A1#1", "French", "gun", true, 0.13, 0.02, 0.4, Call::kTooClose});
  verdict.casualties = {"F-1L1#3"};
  verdict.choice = true;
  verdict.ground = {"C2", {"wood"}, true, false, {"tree"}};
  verdict.text = "A swab in C2.";
  return verdict;
}

// One event of each type, with a different value for every key.
std::vector<EventRecord> OneOfEach() {
  std::vector<EventRecord> events;
  CalibrationEvent calibration;
  calibration.width_px = 1920;
  calibration.height_px = 1080;
  calibration.camera_matrix = {1808.0218361516, 0, 966.8, 0, 1808.02, 541.5, 0, 0, 1};
  calibration.distortion = {-0.0997, 0.0256, -0.0007, -0.00005, 0};
  calibration.rvec = {-3.02, 0.06, 0.04};
  calibration.tvec = {-22.5, 19.7, 75.5};
  calibration.lens_rms_px = 0.21;
  calibration.table_rms_in = 0.011;
  calibration.method = "fiducials";
  calibration.trust = "doubtful";
  calibration.reason = "bring more light";
  events.push_back({0, 0, calibration});
  events.push_back({0, 0, StandsEvent{{Stand()}}});
  events.push_back({1, 0.0333, SetupEvent{false, true, {{"F-1L1", "C2", 4, 0}}, {"?F#1"}, "s.png", "?"}});
  events.push_back({5, 0.1667, ViewEvent{true, "the picture is out of focus; wipe its lens"}});
  events.push_back({6, 0.2, CameraMovedEvent{9.46}});
  events.push_back({6, 0.2, ObjectEvent{3, false, "F8", {{21, 30}, {22, 30}, {21.5, 31}}, 4}});
  events.push_back({6, 0.2, ObjectEvent{3, true, "", {}, 5}});
  events.push_back(
      {7, 0.2333, ShotEvent{1, "qtip", {10, 7.5}, 0.1133, 0.01, "C2", 5, 0.8, "e.png", "shot_01"}});
  events.push_back({7, 0.2333, AskEvent{2, "qtip", {1.25, 2}, "A1", "evidence/shot_02", "where?"}});
  events.push_back({7, 0.2333, Verdict()});
  VerdictEvent ruled = Verdict();
  ruled.trust = "doubtful";
  ruled.ruling = RulingRecord{true,        {"F-1A1#1"}, {"F-1C1#1"}, {"F-1L1#3"},
                              {"F-1L1#4"}, {"x"},       "C2",        {"NAP-3F", "NAP-6D"}};
  events.push_back({7, 0.2333, ruled});
  StandChangeEvent moved;
  moved.id = "F-1L1#3";
  moved.from = PlaceRecord{"C2", {10, 6.5}, 0};
  moved.to = PlaceRecord{"D2", {14, 6.5}, 90};
  moved.remark = "F-1L1#3 from C2 to D2: 1 of 2 squares (NAP-1)";
  moved.refused_by = "NAP-2E";
  events.push_back({8, 0.25, moved});
  moved.remark = moved.refused_by = "";
  StandChangeEvent removed = moved;
  removed.what = StandChangeEvent::What::kRemoved;
  removed.to.reset();
  events.push_back({9, 0.3, removed});
  StandChangeEvent added = moved;
  added.what = StandChangeEvent::What::kAdded;
  added.from.reset();
  events.push_back({10, 0.3333, added});
  events.push_back(
      {10, 0.3333, MoveOverruledEvent{2, {"F-1L1#3"}, "C2", "D2", "NAP-2E", "F-1L1#3 moved"}});
  events.push_back(
      {10, 0.3333, IdentityDoubtedEvent{1, {{"A#1", "B#1"}, {"B#1", "A#1"}}, "A and B: which?"}});
  events.push_back({10, 0.3333, IdentitySettledEvent{1, true, "A and B have changed places"}});
  events.push_back({10, 0.3333, IdentitySettledEvent{2, false, "B and C: no longer", true}});
  events.push_back({11, 0.3667, DiceEvent{{4, 6}, {{1, 2}, {3, 4}}}});
  events.push_back({11,
                    0.3667,
                    DiceEvent{{4},
                              {{1, 2}},
                              {0.997},
                              "evidence/dice_01.png",
                              {{{3, 4}, false, {6, 4}, {0.7, 0.28}}, {{5, 4}, true, {}, {}}}}});
  events.push_back({11, 0.3667, DiceEvent{{}, {{1, 2}}, {}, {}, {}, true}});
  events.push_back({12, 0.4, EndEvent{13, 2.5, {{"decode", {1.5, 3.25}}}, "cut off after 13"}});
  return events;
}

TEST(EventLine, MatchesTheContractExactly) {
  const auto line = EventLine(
      {7, 7.0 / 30,
       ShotEvent{
           1, "qtip", {10.00004, -1e-9}, 0.1133, 0.01, "C2", 5, 0.8, "evidence/shot_01.png"}});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(*line, R"({"type":"shot","frame":7,"time":0.2333,"shot":1,"projectile":"qtip",)"
                   R"("point":[10.0,0.0],"z":0.1133,"sigma":0.01,"square":"C2","at_rest_frame":5,)"
                   R"("visible":0.8,"evidence":"evidence/shot_01.png"})");
  const auto verdict = EventLine({7, 0, Verdict()});
  ASSERT_TRUE(verdict.ok());
  EXPECT_EQ(
      *verdict,
      R"({"type":"verdict","frame":7,"time":0.0,"shot":1,"stands":[{"id":"F-1L1#3",)"
      R"("side":"French","kind":"line_infantry","rule":"circle","distance":0.5,"sigma":0.02,)"
      R"("p_hit":1.0,"call":"hit"},{"id":"F-1A1#1","side":"French","kind":"gun","rule":"touch",)"
      R"("distance":0.13,"sigma":0.02,"p_hit":0.4,"call":"too_close"}],"casualties":["F-1L1#3"],)"
      R"("choice":true,"terrain":{"square":"C2","lies_on":["wood"],"protected":true,)"
      R"("water":false,"burning_test":["tree"]},"text":"A swab in C2."})");
  const auto stands = EventLine({0, 0, StandsEvent{{Stand()}}});
  ASSERT_TRUE(stands.ok());
  EXPECT_EQ(*stands,
            R"({"type":"stands","frame":0,"time":0.0,"stands":[{"id":"F-1L1#3","unit":"F-1L1",)"
            R"("side":"French","kind":"line_infantry","square":"C2","x":10.0,"y":6.5,)"
            R"("bearing":0.0,"polygon":[[9.25,6.875],[10.75,6.875],[10.75,6.125],[9.25,6.125]],)"
            R"("sigma":0.0123,"visible":0.61}]})");
  StandRecord doubtful = Stand();
  doubtful.confidence = 0.71;
  const auto said = EventLine({0, 0, StandsEvent{{doubtful}}});
  ASSERT_TRUE(said.ok());
  EXPECT_NE(said->find(R"("visible":0.61,"confidence":0.71}]})"), std::string::npos) << *said;
  const auto read = ParseEventLine(*said);
  ASSERT_TRUE(read.ok() && *read);
  EXPECT_EQ(std::get<StandsEvent>((*read)->body).stands[0].confidence, 0.71);
}

TEST(EventLine, ReadsBackEveryType) {
  std::vector<std::string> types;
  for (const EventRecord& event : OneOfEach()) {
    const auto line = EventLine(event);
    ASSERT_TRUE(line.ok());
    const auto back = ParseEventLine(*line);
    ASSERT_TRUE(back.ok()) << *line << back.error().message;
    ASSERT_TRUE(back->has_value()) << *line;
    EXPECT_EQ((*back)->body.index(), event.body.index());
    // The parsed event writes the same line, so nothing was lost.
    const auto again = EventLine(**back);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*again, *line);
    types.push_back(line->substr(9, line->find('"', 9) - 9));
  }
  EXPECT_EQ(types, (std::vector<std::string>{
                       "calibration", "stands", "setup", "view", "camera_moved", "object", "object",
                       "shot", "ask", "verdict", "verdict", "stand_moved", "stand_removed",
                       "stand_added", "move_overruled", "identity_doubted", "identity_settled",
                       "identity_settled", "dice", "dice", "dice_taken", "end"}));
}

TEST(DiceText, SaysWhatIsReadAndWhatIsNot) {
  EXPECT_EQ(DiceText({{4, 6}, {{1, 2}, {3, 4}}}), "Dice show 4 6");
  EXPECT_EQ(DiceText({{2}, {{1, 2}}, {0.99}, "", {{{3, 4}, true, {1}, {0.9}}}}),
            "A die shows 2; a die is cocked: throw it again");
  EXPECT_EQ(DiceText({{}, {}, {}, "", {{{3, 4}, false, {6, 4}, {0.7, 0.28}}}}),
            "A die cannot be read surely: it may show 6 (70 %) or 4 (28 %)");
  EXPECT_EQ(DiceText({{}, {{1, 2}, {3, 4}}, {}, {}, {}, true}), "2 dice were picked up");
  EXPECT_EQ(DiceText({}), "");
}

TEST(DiceText, NamesDiceOfOtherSides) {
  DiceEvent dice{{11, 4, 2}, {{1, 2}, {3, 4}, {5, 6}}};
  dice.faces = {12, 6, 12};
  EXPECT_EQ(DiceText(dice), "A die shows 4; D12 show 11 2");
  dice.faces = {12, 6, 6};
  dice.asked = {{{3, 4}, true, {}, {}, 12}, {{3, 4}, false, {6, 9}, {0.7, 0.28}, 12}};
  EXPECT_EQ(DiceText(dice),
            "Dice show 4 2; a D12 shows 11; a D12 is cocked: throw it again; a D12 cannot be read "
            "surely: it may show 6 (70 %) or 9 (28 %)");
}

TEST(ParseEventLine, TakesDiceForSixSidedWhereNothingIsSaid) {
  DiceEvent dice{{4, 6}, {{1, 2}, {3, 4}}, {0.99, 0.98}};
  dice.asked = {{{5, 4}, false, {2}, {0.9}}};
  const Result<std::string> usual = EventLine({11, 0.5, dice});
  ASSERT_TRUE(usual.ok());
  EXPECT_EQ(usual->find("faces"), std::string::npos) << *usual;
  const auto back = std::get<DiceEvent>((*ParseEventLine(*usual))->body);
  EXPECT_TRUE(back.faces.empty());
  EXPECT_EQ(back.FacesOf(1), 6);
  EXPECT_EQ(back.asked.at(0).faces, 6);
  dice.faces = {6, 12};
  dice.values[1] = 12;
  dice.asked[0].faces = 12;
  const Result<std::string> other = EventLine({11, 0.5, dice});
  ASSERT_TRUE(other.ok());
  EXPECT_NE(other->find(R"("faces":[6,12])"), std::string::npos) << *other;
  EXPECT_NE(other->find(R"("chances":[0.9],"faces":12)"), std::string::npos) << *other;
  const auto again = std::get<DiceEvent>((*ParseEventLine(*other))->body);
  EXPECT_EQ(again.FacesOf(1), 12);
  EXPECT_EQ(again.asked.at(0).faces, 12);
}

TEST(ParseEventLine, RefusesDiceWhoseNumbersCannotBe) {
  const auto refusal = [](const std::string& keys) {
    const auto read = ParseEventLine(R"({"type":"dice","frame":0,"time":0,)" + keys + "}");
    return read.ok() ? std::string() : read.error().message;
  };
  const std::string centre = R"("centres":[[1,2]],)";
  EXPECT_EQ(refusal(centre + R"("values":[12],"faces":[12])"), "");
  EXPECT_EQ(refusal(centre + R"("values":[7])"), "") << "other programs may not say its faces";
  for (const char* bad :
       {R"("values":[13])", R"("values":[7],"faces":[6])", R"("values":[0])",
        R"("values":[13],"faces":[12])", R"("values":[4],"faces":[6,12])",
        R"("values":[4],"faces":12)", R"("values":[4],"faces":[0])",
        R"("values":[4],"chances":[0.9,0.9])",
        R"("values":[],"asked":[{"centre":[1,2],"cocked":false,"values":[7],"chances":[1]}])",
        R"("values":[],"asked":[{"centre":[1,2],"cocked":false,"values":[3,4],"chances":[1]}])"}) {
    EXPECT_NE(refusal(centre + bad).find("not an event"), std::string::npos) << bad;
  }
  EXPECT_NE(refusal(centre + R"("values":[7],"faces":[6])").find("a die with 6 faces shows 7"),
            std::string::npos);
}

TEST(EventLine, NeverWritesNaN) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e306}) {
    EventRecord shot{3, 0, ShotEvent{1, "qtip", {10, bad}, 0, 0.01, "C2", 2, 1, ""}};
    const auto line = EventLine(shot);
    ASSERT_FALSE(line.ok());
    EXPECT_EQ(line.error().message, "event `shot` of frame 3: point.1 is not a number");
    EventLogWriter log;
    EXPECT_FALSE(log.Append(shot).ok());
    EXPECT_FALSE(EventLine({0, bad, ViewEvent{}}).ok());
  }
}

TEST(ParseEventLine, IgnoresUnknownKeysAndRequiresKnownOnes) {
  const auto unknown = ParseEventLine(R"({"type":"weather","frame":0,"time":0})");
  ASSERT_TRUE(unknown.ok());
  EXPECT_FALSE(unknown->has_value());
  EXPECT_TRUE(ParseEventLine(R"({"type":"view","frame":0,"time":0,"state":"clear","x":1})").ok());
  for (
      const char* bad :
      {"", "{", "[]", "null", "7", R"({"frame":0})", R"({"type":"view","frame":0,"time":0})",
       R"({"type":"view","frame":"a","time":0,"state":"clear"})",
       R"({"type":"view","frame":0,"time":0,"state":"foggy"})",
       R"({"type":"shot","frame":0,"time":0,"shot":1,"projectile":"qtip","point":[1]})",
       R"({"type":"stands","frame":0,"time":0,"stands":[{"id":"a"}]})",
       R"({"type":"stands","frame":0,"time":0,"stands":7})",
       R"({"type":"verdict","frame":0,"time":0,"shot":1,"stands":[{"id":"a","distance":1,"sigma":1,"p_hit":1,"call":"maybe"}]})",
       R"({"type":"dice","frame":0,"time":0,"values":["a"],"centres":[]})"}) {
    EXPECT_FALSE(ParseEventLine(bad).ok()) << bad;
  }
}

std::string Contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(EventLogWriter, WritesInFrameOrderAndLeavesNoOtherFile) {
  const test::TempDir dir;
  EventLogWriter log;
  ASSERT_TRUE(log.Append({5, 0, ViewEvent{true}}).ok());
  ASSERT_TRUE(log.Append({2, 0, CameraMovedEvent{1}}).ok());
  ASSERT_TRUE(log.Append({5, 0, ViewEvent{false}}).ok());
  ASSERT_TRUE(log.Write(dir.path() / "events.jsonl").ok());
  const auto back = ReadEventLog(dir.path() / "events.jsonl");
  ASSERT_TRUE(back.ok()) << back.error().message;
  ASSERT_EQ(back->size(), 3u);
  EXPECT_EQ((*back)[0].frame, 2);
  EXPECT_TRUE(std::get<ViewEvent>((*back)[1].body).obstructed);
  EXPECT_FALSE(std::get<ViewEvent>((*back)[2].body).obstructed);
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(dir.path())) {
    files.push_back(file.path().filename().string());
  }
  EXPECT_EQ(files, std::vector<std::string>{"events.jsonl"});
}

TEST(EventLogWriter, KeepsAnOlderLogWhenItCannotWrite) {
  const test::TempDir dir;
  EventLogWriter log;
  ASSERT_TRUE(log.Append({5, 0, ViewEvent{true}}).ok());
  EXPECT_EQ(log.Write(dir.path() / "none" / "events.jsonl").error().code, ErrorCode::kIo);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "none"));
  // Its place is taken by a folder: the rename fails, nothing half-written stays beside it.
  std::filesystem::create_directories(dir.path() / "events.jsonl" / "x");
  EXPECT_FALSE(log.Write(dir.path() / "events.jsonl").ok());
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "events.jsonl.partial"));
}

TEST(ReadEventLog, NamesFileAndLine) {
  const test::TempDir dir;
  EXPECT_EQ(ReadEventLog(dir.path() / "none").error().code, ErrorCode::kNotFound);
  const auto path = dir.Write(
      "e.jsonl", "{\"type\":\"view\",\"frame\":0,\"time\":0,\"state\":\"clear\"}\n\n{\"type\":\n");
  const auto broken = ReadEventLog(path);
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().message.find("e.jsonl:3: not an event"), std::string::npos);
  EXPECT_EQ(broken.error().message.find('\n'), std::string::npos) << "one line";
  EXPECT_EQ(Contents(path).size(), 61u) << "reading changes nothing";
}

}  // namespace
}  // namespace fos
