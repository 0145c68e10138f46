// SPDX-License-Identifier: MIT
#include "datasets/score/score.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "datasets/score/score_report.h"
#include "engine/table/pose2.h"

namespace fos {
namespace {

// A board of 12 x 9, a camera 60 in above its middle, three stands and one shot near the first.
class Scored : public testing::Test {
 protected:
  Scored() {
    table.frame = {12, 9, 4.0};
    scenario.sides = {{"French", {}, Facing::kSouth}, {"British", {}, Facing::kNorth}};
    ProjectileSpec qtip;
    qtip.hit_radius_in = 1.0;
    qtip.touch_radius_in = 0.125;
    scenario.projectiles = {qtip};
    KindSpec line;
    line.name = "line";
    line.footprint = {1.5, 0.75};
    KindSpec gun = line;
    gun.name = "gun";
    gun.equipment = true;
    scenario.kinds = {line, gun};

    truth.clip = "made up";
    truth.fps = 10;
    truth.frames = 100;
    CameraModel lens;
    lens.width_px = 1920;
    lens.height_px = 1080;
    lens.fx_px = lens.fy_px = 1800;
    lens.cx_px = 960;
    lens.cy_px = 540;
    // Looks straight down, the picture's up is north.
    truth.camera = MakeTableCamera(lens, {CV_PI, 0, 0}, {-24, 18, 80});
    truth.stands = {Stand("F-1#1", "French", "line", {10, 10}, 0),
                    Stand("B-1#1", "British", "line", {20, 20}, 180),
                    Stand("B-2#1", "British", "gun", {10, 12}, 90)};
    // 0.5 north of the first stand's front edge: inside the circle by 0.5.
    truth.shots = {{"qtip", {10, 10.875}, {40, 99}, 1}};
  }

  static TruthPlace Place(Vec2 at, double bearing_deg, std::int64_t from, std::int64_t to) {
    TruthPlace place;
    place.frames = {from, to};
    place.polygon = Corners({at, HeadingFromBearing(bearing_deg)}, {1.5, 0.75});
    place.bearing_deg = bearing_deg;
    place.visible = 0.6;
    return place;
  }
  static TruthStand Stand(const std::string& key, const std::string& side, const std::string& kind,
                          Vec2 at, double bearing_deg) {
    return {key, key.substr(0, key.find('#')), side, kind, {Place(at, bearing_deg, 0, 99)}};
  }
  // A perfect referee's report of a frame, with each stand shifted by `off`.
  StandsEvent Reported(std::int64_t frame, Vec2 off = {}) const {
    StandsEvent out;
    for (const TruthStand& stand : truth.stands) {
      const TruthPlace* place = stand.At(frame);
      if (place == nullptr) continue;
      StandRecord one;
      one.id = stand.key;
      one.unit = stand.unit;
      one.side = stand.side;
      one.kind = stand.kind;
      one.centre = place->Centre() + off;
      one.bearing_deg = place->bearing_deg;
      for (std::size_t i = 0; i < 4; ++i) one.polygon[i] = place->polygon[i] + off;
      one.sigma_in = 0.02;
      out.stands.push_back(one);
    }
    return out;
  }
  VerdictEvent Verdict() const {
    VerdictEvent verdict;
    verdict.shot = 1;
    verdict.stands = {{"F-1#1", "French", "line", false, 0.5, 0.02, 1, Call::kHit},
                      {"B-2#1", "British", "gun", true, 0.41, 0.02, 0, Call::kMiss}};
    return verdict;
  }
  std::vector<EventRecord> Perfect() const {
    std::vector<EventRecord> events;
    CalibrationEvent calibration;
    calibration.width_px = 1920;
    calibration.height_px = 1080;
    calibration.camera_matrix = {1800, 0, 960, 0, 1800, 540, 0, 0, 1};
    calibration.rvec = {CV_PI, 0, 0};
    calibration.tvec = {-24, 18, 80};
    calibration.method = "fiducials";
    events.push_back({0, 0, calibration});
    events.push_back({3, 0.3, Reported(3)});
    events.push_back({45, 4.5, ShotEvent{1, "qtip", {10, 10.875}, 0, 0.02, "C3", 40, 1, ""}});
    events.push_back({45, 4.5, Verdict()});
    return events;
  }
  ClipScore Score(const std::vector<EventRecord>& events) const {
    return ScoreClip(truth, table, scenario, events);
  }

  TableSpec table;
  Scenario scenario;
  Truth truth;
};

TEST_F(Scored, PerfectReportIsPerfect) {
  const ClipScore s = Score(Perfect());
  EXPECT_EQ(s.shots_found, 1);
  EXPECT_EQ(s.shots_missed, 0);
  EXPECT_EQ(s.shots_invented, 0);
  EXPECT_EQ(s.shots_within_two_sigma, 1);
  ASSERT_EQ(s.verdict_delays.size(), 1u);
  EXPECT_EQ(s.verdict_delays[0], 5);
  EXPECT_EQ(s.verdict_delays_s[0], 0.5);
  EXPECT_EQ(s.CallsRight(), 2);
  EXPECT_EQ(s.CallsWrong() + s.CallsTooClose() + s.uncalled + s.calls_invented, 0);
  ASSERT_EQ(s.calls.size(), 2u);
  EXPECT_NEAR(s.calls[0].margin_in, -0.5, 1e-9);
  EXPECT_EQ(s.half_visible.there, 3);
  EXPECT_EQ(s.half_visible.found, 3);
  EXPECT_EQ(s.stands_invented, 0);
  EXPECT_EQ(s.side_right, 3);
  EXPECT_EQ(s.kind_right, 3);
  EXPECT_EQ(s.unit_right, 3);
  EXPECT_EQ(s.centres_within_95, 3);
  EXPECT_EQ(s.identity_swaps, 0);
  EXPECT_EQ(s.changes_missed + s.changes_invented, 0);
  EXPECT_TRUE(s.details.empty());
  EXPECT_EQ(s.clear_called_obstructed, 0);
  EXPECT_EQ(s.clear_frames, 100);
  EXPECT_GT(s.calibration_errors_in.size(), 50u);
  EXPECT_LT(*Quantile(s.calibration_errors_in, 1), 1e-6);
}

TEST_F(Scored, CountsEverythingAsMissedWithoutReports) {
  const ClipScore s = Score({});
  EXPECT_EQ(s.details.size(), 4u) << "a shot and three stands";
  EXPECT_EQ(s.shots_missed, 1);
  EXPECT_EQ(s.half_visible.found, 0);
  EXPECT_EQ(s.half_visible.there, 3);
  EXPECT_TRUE(s.calls.empty());
}

TEST_F(Scored, ShotsTooFarTooEarlyAndTwice) {
  std::vector<EventRecord> events = Perfect();
  auto& shot = std::get<ShotEvent>(events[2].body);
  shot.point = {10, 11.9};  // 1.025 in off: not that shot
  ClipScore s = Score(events);
  EXPECT_EQ(s.shots_missed, 1);
  EXPECT_EQ(s.shots_invented, 1);
  shot.point = {10.03, 10.915};  // 0.05 in off
  s = Score(events);
  EXPECT_NEAR(s.shot_errors_in.at(0), 0.05, 1e-9);
  EXPECT_EQ(s.shots_within_two_sigma, 0);
  events[2].frame = 39;  // known before it lay there
  s = Score(events);
  EXPECT_EQ(s.shots_found, 0);
  events = Perfect();
  events.push_back({50, 5, ShotEvent{2, "shell", {10, 10.9}, 0, 0.02, "C3", 40, 1, ""}});
  s = Score(events);
  EXPECT_EQ(s.shots_found, 1);
  EXPECT_EQ(s.shots_invented, 1);
  EXPECT_EQ(s.shots_wrong_type, 0);
}

TEST_F(Scored, ScoresCallsByTheTrueMargin) {
  std::vector<EventRecord> events = Perfect();
  auto& verdict = std::get<VerdictEvent>(events[3].body);
  verdict.stands[0].call = Call::kMiss;
  verdict.stands[1].call = Call::kTooClose;
  ClipScore s = Score(events);
  EXPECT_EQ(s.CallsWrong(), 1);
  EXPECT_EQ(s.WrongFar(), 1);
  EXPECT_EQ(s.CallsTooClose(), 1);
  EXPECT_EQ(s.TooCloseFar(), 1);
  // The gun is 0.375 from the tip: with a touch radius of 0.35 that is 0.025 short of touching.
  scenario.projectiles[0].touch_radius_in = 0.35;
  s = Score(events);
  EXPECT_EQ(s.TooCloseFar(), 0);
  EXPECT_FALSE(s.calls[1].truly_hit);
  // And the line stands 0.5 away: with a radius of 0.45 a call "hit" is wrong by only 0.05.
  verdict.stands[0].call = Call::kHit;
  scenario.projectiles[0].hit_radius_in = 0.45;
  s = Score(events);
  EXPECT_EQ(s.CallsWrong(), 1);
  EXPECT_EQ(s.WrongFar(), 0);
  // Unnamed stands in reach, and named ones that are not there.
  verdict.stands[1].id = "ghost";
  s = Score(events);
  EXPECT_EQ(s.uncalled, 1);
  EXPECT_EQ(s.calls_invented, 1);
}

TEST_F(Scored, MeasuresToTargetPointsInsteadOfTheFootprint) {
  scenario.kinds[0].target = {{0, -0.375}};  // its rear edge: 1.25 from the tip
  const ClipScore s = Score(Perfect());
  EXPECT_NEAR(s.calls.at(0).margin_in, 0.25, 1e-9);
  EXPECT_EQ(s.CallsWrong(), 1);
}

TEST_F(Scored, StandsShiftedTurnedRenamedAndInvented) {
  std::vector<EventRecord> events = Perfect();
  events[1].body = Reported(3, {0.03, 0.04});
  auto& stands = std::get<StandsEvent>(events[1].body).stands;
  stands[0].side = "British";
  stands[1].kind = "gun";
  stands[1].bearing_deg = 183;
  stands[2].unit = "B-9";
  StandRecord ghost = stands[0];
  ghost.centre = {30, 30};
  ghost.polygon = Corners({{30, 30}, 0}, {1.5, 0.75});
  for (StandRecord& stand : stands) stand.confidence = 0.99;
  ghost.confidence = 0.2;
  stands.push_back(ghost);
  const ClipScore s = Score(events);
  int came_true = 0;
  for (const Prediction& one : s.stand_predictions) came_true += one.came_true ? 1 : 0;
  EXPECT_EQ(s.stand_predictions.size(), 4u);
  EXPECT_EQ(came_true, 1) << "one is of the wrong side, one of the wrong kind, one not there";
  EXPECT_EQ(s.half_visible.found, 3);
  EXPECT_EQ(s.stands_invented, 1);
  EXPECT_EQ(s.side_right, 2);
  EXPECT_EQ(s.kind_right, 2);
  EXPECT_EQ(s.unit_right, 2);
  EXPECT_NEAR(*Quantile(s.centre_errors_in, 0.5), 0.05, 1e-9);
  EXPECT_EQ(s.centres_within_95, 0);  // 0.05 is 2.5 sigma of 0.02; 95 % reach 2.45
  EXPECT_NEAR(*Quantile(s.bearing_errors_deg, 1), 3, 1e-9);
  // Half a footprint off is another place.
  events[1].body = Reported(3, {0.7, 0.0});
  EXPECT_EQ(Score(events).half_visible.found, 2) << "not the one that is shifted along its depth";
}

TEST_F(Scored, ScoresDiceByPlaceAndValue) {
  truth.dice = {{4, {30, 10}, {20, 60}}, {5, {31, 10}, {20, 60}}, {6, {32, 10}, {20, 60}}};
  // One right, one wrong and a value where none lies; the third is told when it has gone.
  DiceEvent read{{4, 2, 3}, {{30.05, 10}, {31, 10.1}, {5, 5}}};
  DiceEvent late{{6}, {{32, 10}}};
  DiceEvent taken;
  taken.taken = true;
  taken.centres = {{32, 10}};
  const ClipScore score = ScoreClip(truth, table, scenario,
                                    {{30, 3, read}, {62, 6.2, late}, {63, 6.3, taken}});
  EXPECT_EQ(score.dice_right, 1);
  EXPECT_EQ(score.dice_wrong, 1);
  EXPECT_EQ(score.dice_missed, 1);
  EXPECT_EQ(score.dice_invented, 2);
  DiceEvent asked;
  asked.asked = {{{32, 10}, false, {6, 4}, {0.6, 0.4}}, {{5, 5}, false, {6}, {0.9}}};
  const ClipScore of_asked = ScoreClip(truth, table, scenario, {{30, 3, asked}});
  EXPECT_EQ(of_asked.dice_asked, 1);
  EXPECT_EQ(of_asked.dice_invented, 1) << "asked about where none lies";
  // The right number on a die of other sides is wrong.
  DiceEvent d12 = read;
  d12.faces = {12, 6, 6};
  const ClipScore of_d12 = ScoreClip(truth, table, scenario, {{30, 3, d12}});
  EXPECT_EQ(of_d12.dice_right, 0);
  EXPECT_EQ(of_d12.dice_wrong, 2);
  truth.dice[0].faces = 12;
  EXPECT_EQ(ScoreClip(truth, table, scenario, {{30, 3, d12}}).dice_right, 1);
}

TEST_F(Scored, CountsObjectsThatAreTold) {
  truth.objects = {{{30, 10}, 20}};
  const auto told_about = [](Vec2 at) {
    ObjectEvent event;
    for (const Vec2 corner : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}})
      event.outline.push_back(at + corner);
    return event;
  };
  ObjectEvent gone = told_about({30, 10});
  gone.gone = true;
  const ClipScore score =
      ScoreClip(truth, table, scenario,
                {{10, 1, told_about({30, 10})}, {30, 3, told_about({31, 10})},
                 {40, 4, told_about({20, 30})}, {50, 5, gone}});
  EXPECT_EQ(score.objects_told, 3);
  EXPECT_EQ(score.objects_invented, 2) << "one before it came, one elsewhere";
}

TEST_F(Scored, CountsStandsByShareInView) {
  truth.stands[0].places[0].visible = 0.45;
  truth.stands[1].places[0].visible = 0.39;
  const ClipScore s = Score(Perfect());
  EXPECT_EQ(s.half_visible.there, 1);
  EXPECT_EQ(s.some_visible.found, 1);
  EXPECT_EQ(s.less_visible.found, 1);
}

// The second stand goes from (20, 20) to (30, 20) under a hand, the third is taken.
class Changed : public Scored {
 protected:
  Changed() {
    truth.shots.clear();
    truth.stands[1].places = {Place({20, 20}, 180, 0, 49), Place({30, 20}, 180, 60, 99)};
    truth.stands[2].places[0].frames.to = 54;
    truth.obstructed = {{45, 64}};
    moved.id = "B-1#1";
    moved.from = PlaceRecord{"F6", {20, 20}, 180};
    moved.to = PlaceRecord{"H6", {30, 20}, 180};
    removed.what = StandChangeEvent::What::kRemoved;
    removed.id = "B-2#1";
    removed.from = PlaceRecord{"C4", {10, 12}, 90};
    events = {{0, 0, Reported(0)}, {47, 4.7, ViewEvent{true}}, {67, 6.7, ViewEvent{false}},
              {68, 6.8, moved},    {68, 6.8, removed},         {68, 6.8, Reported(68)}};
  }
  StandChangeEvent moved;
  StandChangeEvent removed;
  std::vector<EventRecord> events;
};

TEST_F(Changed, MovesAndRemovals) {
  ClipScore s = Score(events);
  EXPECT_EQ(s.changes_right, 2);
  EXPECT_EQ(s.changes_missed, 0);
  EXPECT_EQ(s.changes_invented, 0);
  // Looked at in frames 44 (three stands) and 99 (two).
  EXPECT_EQ(s.half_visible.there, 5);
  EXPECT_EQ(s.half_visible.found, 5);
  EXPECT_EQ(s.stands_invented, 0);
  EXPECT_EQ(s.identity_swaps, 0);

  std::get<StandChangeEvent>(events[3].body).to->centre = {31.1, 20};
  s = Score(events);
  EXPECT_EQ(s.changes_right, 1);
  EXPECT_EQ(s.changes_missed, 1);
  EXPECT_EQ(s.changes_invented, 1);
  std::get<StandChangeEvent>(events[3].body) = moved;
  std::get<StandChangeEvent>(events[4].body).what = StandChangeEvent::What::kAdded;
  EXPECT_EQ(Score(events).changes_right, 1);
}

TEST_F(Changed, CountsErrorsInAnOutdatedListOfStands) {
  events.pop_back();
  const ClipScore s = Score(events);
  EXPECT_EQ(s.half_visible.found, 4);
  EXPECT_EQ(s.stands_invented, 2);
}

TEST_F(Changed, CountsAnIdThatMovesToAnotherStandAsASwap) {
  auto& after = std::get<StandsEvent>(events.back().body).stands;
  ASSERT_EQ(after.size(), 2u);
  std::swap(after[0].id, after[1].id);
  EXPECT_EQ(Score(events).identity_swaps, 2);
}

TEST_F(Changed, HandsFrameByFrame) {
  const ClipScore s = Score(events);
  EXPECT_EQ(s.obstructed_frames, 20);
  EXPECT_EQ(s.obstructed_seen, 18);         // two late
  EXPECT_EQ(s.clear_called_obstructed, 2);  // two late
  EXPECT_EQ(s.clear_frames, 80);
}

TEST_F(Scored, ScoresKnocksAndTheCameraAfterThem) {
  TruthCameraMove move;
  move.frames = {20, 25};
  move.after = MakeTableCamera(truth.camera.lens, {CV_PI, 0, 0}, {-24.5, 18, 80});
  truth.camera_moves = {move};
  std::vector<EventRecord> events = Perfect();
  ClipScore s = Score(events);
  EXPECT_EQ(s.camera_moves_missed, 1);
  events.push_back({22, 2.2, CameraMovedEvent{9}});
  CalibrationEvent after = std::get<CalibrationEvent>(events[0].body);
  events.push_back({30, 3, after});  // still the old pose: half an inch off
  s = Score(events);
  EXPECT_EQ(s.camera_moves_found, 1);
  EXPECT_NEAR(*Quantile(s.calibration_errors_in, 1), 0.5, 1e-6);
  events.push_back({90, 9, CameraMovedEvent{9}});
  EXPECT_EQ(Score(events).camera_moves_invented, 1);
}

StandError Off(double error_in, double sigma_in, double in_view) {
  StandError e;
  e.kind = "line";
  e.in_view = in_view;
  e.px_per_in = 25;
  e.error_in = error_in;
  e.sigma_in = sigma_in;
  e.sigmas = InSigmas({error_in, 0}, IsotropicCov(sigma_in));
  return e;
}

TEST(StandErrors, ShowsTheClassesWhereSigmaIsTooWide) {
  std::vector<StandError> errors;
  for (int i = 0; i < 10; ++i) {
    errors.push_back(Off(0.02 * std::sqrt(2), 0.02, 0.65));   // honest
    errors.push_back(Off(0.005 * std::sqrt(2), 0.02, 0.85));  // four times too wide
  }
  errors.push_back(Off(0.06, 0.02, 0.45));  // three sigmas
  const std::vector<StandErrorClass> classes = ByClass(errors);
  const auto of = [&](const std::string& what) {
    const auto at = std::find_if(classes.begin(), classes.end(),
                                 [&](const StandErrorClass& c) { return c.what == what; });
    return at == classes.end() ? StandErrorClass{} : *at;
  };
  EXPECT_EQ(classes[0].what, "all");
  EXPECT_EQ(classes[0].stands, 21);
  EXPECT_NEAR(classes[0].inside_95, 20.0 / 21, 1e-9);
  EXPECT_EQ(of("in view 0.6 to 0.7").stands, 10);
  EXPECT_NEAR(of("in view 0.6 to 0.7").sigmas_rms, 1, 1e-9);
  EXPECT_NEAR(of("in view from 0.8").sigmas_rms, 0.25, 1e-9);
  EXPECT_NEAR(of("in view from 0.8").error_rms_in, 0.005, 1e-9);
  EXPECT_EQ(of("in view 0.4 to 0.5").inside_95, 0);
  EXPECT_EQ(of("in view 0.5 to 0.6").stands, 0);
  EXPECT_EQ(of("line").stands, 21);
  EXPECT_EQ(of("by itself").stands, 21);
  EXPECT_EQ(of("all").bearing_sigmas_rms, -1);
  EXPECT_NE(ClassTable(errors).find("px/in 20 to 27"), std::string::npos);
  EXPECT_EQ(ClassTable({}), "");
}

TEST(StandErrors, CountsStandsWithinATenthOfAnInchAsNeighbours) {
  const auto at = [](Vec2 centre) { return ToPolygon(Corners({centre, 0}, {1.5, 0.75})); };
  const Polygon stand = at({10, 10});
  EXPECT_FALSE(IsBeside(stand, {stand}));
  EXPECT_TRUE(IsBeside(stand, {at({11.55, 10.2}), stand}));
  EXPECT_FALSE(IsBeside(stand, {stand, at({11.65, 10})}));
}

TEST_F(Scored, TotalAddsAndPools) {
  ClipScore a = Score(Perfect());
  ClipScore b = Score({});
  a.work_s = 3;
  a.decode_s = 2;
  EXPECT_EQ(Total({a, b}).work_s, 3) << "the other was not timed";
  b.work_s = 1;
  b.decode_s = 1;
  const ClipScore total = Total({a, b});
  EXPECT_EQ(total.shots_found, 1);
  EXPECT_EQ(total.shots_missed, 1);
  EXPECT_EQ(total.half_visible.there, 6);
  EXPECT_EQ(total.calls.size(), 2u);
  EXPECT_EQ(total.work_s, 4);
  EXPECT_EQ(total.decode_s, 3);
}

TEST(Reliability, TellsCalibratedFromMiscalibratedProbabilities) {
  std::vector<ScoredCall> calls;
  for (int i = 0; i < 10; ++i) {
    ScoredCall call;
    call.p_hit = 0.9;
    call.truly_hit = i != 0;
    calls.push_back(call);
  }
  EXPECT_NEAR(ExpectedCalibrationError(calls), 0, 1e-12);
  for (ScoredCall& call : calls) call.truly_hit = false;
  EXPECT_NEAR(ExpectedCalibrationError(calls), 0.9, 1e-12);
  EXPECT_EQ(ExpectedCalibrationError({}), 0);
  EXPECT_EQ(Reliability(calls)[9].count, 10);
}

TEST(StandPredictions, AreRightWhereAStandOfThatSideAndKindIs) {
  std::vector<Prediction> said;
  for (int i = 0; i < 20; ++i) said.push_back({0.95, i != 0});
  said.push_back({0.3, false});
  EXPECT_NEAR(CalibrationError(said), 0.3 / 21, 1e-12);
  EXPECT_EQ(BinsOf(said)[3].count, 1);
  EXPECT_NE(PredictionLines("confidence", "right", said).find("0.95 right of 20"),
            std::string::npos);
  EXPECT_TRUE(PredictionLines("confidence", "right", {}).empty());
}

TEST(Quantile, Interpolates) {
  EXPECT_FALSE(Quantile({}, 0.5));
  EXPECT_EQ(Quantile({3}, 0.95), 3);
  EXPECT_EQ(Quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_EQ(Quantile({1, 2}, 1), 2);
}

TEST_F(Scored, ReportNamesFailuresAndIsJson) {
  std::vector<EventRecord> events = Perfect();
  std::get<VerdictEvent>(events[3].body).stands[0].call = Call::kMiss;
  ClipScore unjudged = Score({});
  unjudged.clip = "broken";
  unjudged.error = "video.mkv: stops half-way";
  const std::string text = ScoreTable({Score(events), unjudged});
  for (const char* part : {"made up", "all", "1/1/0", "F-1#1: called miss",
                           "truly a hit by 0.500 in", "broken: not judged: video.mkv"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  }
  EXPECT_EQ(text.find("shot missed"), std::string::npos);
  EXPECT_NE(ScoreTable({unjudged}, true).find("broken: shot missed: qtip at (10.00, 10.88)"),
            std::string::npos)
      << ScoreTable({unjudged}, true);
  const std::string json = ScoreJson({Score(events), unjudged});
  for (const char* part : {"\"clips\"", "\"total\"", "\"error\": \"video.mkv: stops half-way\"",
                           "\"wrong_margin_over_0.1\": 1"}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << '\n' << json;
  }
}

}  // namespace
}  // namespace fos
