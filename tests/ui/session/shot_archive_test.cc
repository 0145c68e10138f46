// SPDX-License-Identifier: MIT
#include "ui/session/shot_archive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include <fmt/format.h>
#include <opencv2/core.hpp>

#include "datasets/render/shot_table.h"
#include "tests/support/temp_dir.h"
#include "ui/cli/verdict_table.h"
#include "ui/session/dispute.h"
#include "ui/session/measured_text.h"
#include "ui/session/shot_words.h"
#include "ui/session/sightings.h"

namespace fos {
namespace {

// A swab on a synthetic table, archived as the match would.
ArchivedShot AnArchivedShot() {
  ShotTable made = MakeShotTable(16);
  made.scenario.ruleset = "napoleonic";
  std::mt19937 random(5);
  const Dropped truth = DropShot(made, Projectile::kQtip, {}, random);
  const cv::Rect all(0, 0, made.camera.lens.width_px, made.camera.lens.height_px);
  const auto picture = [&](const std::vector<Dropped>& lying, std::uint64_t seed) {
    return Delivered(made.webcam,
                     ThroughLens(made.webcam, LightOf(made.camera, With(made, lying), all)), seed);
  };
  ShotSeen seen;
  seen.pictures.before = picture({}, 1);
  seen.pictures.after = picture({truth}, 2);
  seen.pictures.changed = cv::Mat(all.size(), CV_8UC1, cv::Scalar(255));
  seen.pictures.camera = made.camera;
  seen.pictures.noise = 2;
  seen.pictures.blur = {1.1, 0.2};
  seen.pictures.paper = {0.8, 0.25, {0.125, 0.5, 0.25}};
  seen.where = BoundsOf({truth.point, truth.tail});
  seen.finding.shot.shot = {3};
  seen.finding.shot.point = truth.point;
  seen.finding.shot.tail = truth.tail;
  seen.finding.shot.height_in = truth.height_in;
  seen.finding.shot.point_cov = {1e-4, 0, 1e-4};
  seen.finding.how = "the truth";
  seen.lying = {{{1, 1}, {3, 3}, 0.11, 0.12, {}}};
  seen.unknown = {{{{5, 5}, {6, 5}, {6, 6}}, 0.3}};
  TableRegistration registration;
  registration.rms_in = 0.01;
  return ArchiveShot(seen, made.stands, made.table.frame, made.scenario, DecisionPolicy{},
                     registration);
}

std::vector<ArchivedFile> Files(const ArchivedShot& shot) { return FilesOf(shot).value(); }

TEST(ArchivedShot, ReadsBackTheSame) {
  ArchivedShot archived = AnArchivedShot();
  archived.scenario.units[0].mounted = "regular_cavalry";
  const Result<ArchivedShot> back = ArchivedShotFrom(Files(archived), "here");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(cv::norm(back->seen.pictures.before, archived.seen.pictures.before, cv::NORM_INF), 0);
  EXPECT_EQ(cv::norm(back->seen.pictures.after, archived.seen.pictures.after, cv::NORM_INF), 0);
  EXPECT_EQ(cv::norm(back->seen.pictures.changed, archived.seen.pictures.changed, cv::NORM_INF), 0);
  EXPECT_EQ(back->seen.finding.shot.point, archived.seen.finding.shot.point);
  EXPECT_EQ(back->seen.pictures.paper.light, 0.8);
  EXPECT_EQ(back->seen.pictures.paper.ground, 0.25);
  EXPECT_EQ(back->seen.pictures.paper.ground_bgr, archived.seen.pictures.paper.ground_bgr);
  EXPECT_EQ(back->seen.finding.how, "the truth");
  EXPECT_EQ(back->seen.lying.size(), 1U);
  ASSERT_EQ(back->seen.unknown.size(), 1U);
  EXPECT_EQ(back->seen.unknown[0].outline, archived.seen.unknown[0].outline);
  EXPECT_EQ(back->seen.unknown[0].top_in, 0.3);
  ASSERT_EQ(back->stands.size(), archived.stands.size());
  EXPECT_EQ(back->scenario.kinds.size(), archived.scenario.kinds.size());
  EXPECT_EQ(back->scenario.terrain.size(), archived.scenario.terrain.size());
  ASSERT_EQ(back->scenario.units.size(), archived.scenario.units.size());
  ASSERT_FALSE(archived.scenario.units.empty());
  EXPECT_EQ(back->scenario.units[0].id, archived.scenario.units[0].id);
  EXPECT_EQ(back->scenario.units[0].square, archived.scenario.units[0].square);
  EXPECT_EQ(back->scenario.units[0].facing, archived.scenario.units[0].facing);
  EXPECT_EQ(back->scenario.units[0].mounted, "regular_cavalry");
  EXPECT_EQ(back->scenario.sides[1].baseline, archived.scenario.sides[1].baseline);
  // The same pictures and numbers give the same measurement.
  const Remeasured one = MeasureAgain(archived);
  const Remeasured two = MeasureAgain(*back);
  ASSERT_TRUE(one.finding.measured) << one.finding.how;
  EXPECT_EQ(one.finding.shot.point, two.finding.shot.point);
  EXPECT_EQ(one.verdict.text, two.verdict.text);
  EXPECT_TRUE(two.verdict.ruling) << two.verdict.no_ruling;
  EXPECT_LT(Distance(one.finding.shot.point, archived.seen.finding.shot.point), 0.1);
}

// Without the lens's part the pose alone makes the point seem ten times less certain than it is.
TEST(ArchivedShot, KeepsTheDoubtsOfPoseAndLens) {
  ArchivedShot archived = AnArchivedShot();
  TableCamera& camera = archived.seen.pictures.camera;
  camera.pose_covariance = 1e-6 * cv::Matx66d::eye();
  camera.lens_covariance(0, 0) = 4;
  camera.lens_pose_covariance(0, 5) = -1e-3;
  const Result<ArchivedShot> back = ArchivedShotFrom(Files(archived), "here");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->seen.pictures.camera.pose_covariance, camera.pose_covariance);
  EXPECT_EQ(back->seen.pictures.camera.lens_covariance, camera.lens_covariance);
  EXPECT_EQ(back->seen.pictures.camera.lens_pose_covariance, camera.lens_pose_covariance);
}

// An unknown object under a swab supports it in a dispute as it did in the match.
TEST(ArchivedShot, KeepsUnknownObjectsUnderTheSwab) {
  ArchivedShot archived = AnArchivedShot();
  const Remeasured flat = MeasureAgain(archived);
  ASSERT_TRUE(flat.finding.measured) << flat.finding.how;
  const Vec2 tip = flat.finding.shot.point;
  archived.seen.unknown = {
      {{tip + Vec2{-0.3, -0.3}, tip + Vec2{0.3, -0.3}, tip + Vec2{0.3, 0.3}, tip + Vec2{-0.3, 0.3}},
       0.3}};
  const Remeasured held = MeasureAgain(archived);
  EXPECT_GT(held.finding.shot.height_in, flat.finding.shot.height_in);
}

// A dispute uses the club's own rulings, and says so when their files are gone.
TEST(ArchivedShot, UsesTheClubsOwnRulings) {
  const test::TempDir dir;
  ArchivedShot archived = AnArchivedShot();
  archived.scenario.club = {dir.path(), {}, "club.toml"};
  const Result<ArchivedShot> back = ArchivedShotFrom(Files(archived), "here");
  ASSERT_TRUE(back.ok()) << back.error().message;
  const Remeasured without = MeasureAgain(*back);
  EXPECT_FALSE(without.verdict.ruling);
  EXPECT_NE(without.verdict.no_ruling.find("club.toml: no such file"), std::string::npos)
      << without.verdict.no_ruling;
  dir.Write("club.toml",
            "schema = \"fall-of-shot/rules-settings/1\"\nruleset = \"napoleonic\"\n"
            "[artillery]\nchoice = \"nearest\"\n");
  const Remeasured with = MeasureAgain(*back);
  EXPECT_TRUE(with.verdict.ruling) << with.verdict.no_ruling;
}

TEST(Evidence, ShowsTheSameNumbersAsTheTerminal) {
  const ArchivedShot archived = AnArchivedShot();
  const ShotObservation& shot = archived.seen.finding.shot;
  const ShotVerdict verdict = JudgeWithPointAt(
      archived, shot, archived.stands.at(0).table_from_stand.origin + Vec2{1.2, 0.3});
  const EvidenceRequest picture = EvidenceOf(archived, verdict);
  const std::string terminal =
      VerdictTable({{0, 0, ShotRecord(shot, archived.table, "")},
                    {0, 0, VerdictRecord(shot.shot, verdict, archived.scenario)}},
                   "");
  ASSERT_FALSE(picture.stands.empty());
  ASSERT_EQ(picture.stands.size(), verdict.stands.size());
  for (std::size_t i = 0; i < picture.stands.size(); ++i) {
    const MeasuredGap& measured = verdict.stands[i].measured;
    for (const std::string& words :
         {MeasuredText(measured.gap) + " in", ChanceText(measured.p_within)}) {
      EXPECT_NE(picture.stands[i].label.find(words), std::string::npos) << picture.stands[i].label;
      EXPECT_NE(terminal.find(words), std::string::npos) << terminal;
    }
  }
  const std::string place = fmt::format("+/- {:.2f} in", kShownSigmas * RmsSigma(shot.point_cov));
  EXPECT_NE(picture.lines.at(1).find(place), std::string::npos) << picture.lines[1];
  EXPECT_NE(terminal.find(place), std::string::npos) << terminal;
}

// Over water nothing happens (NAP-3F), however near a stand is.
TEST(Evidence, CallsNoHitWhereAShotHasNoEffect) {
  const ArchivedShot archived = AnArchivedShot();
  ShotVerdict verdict = JudgeWithPointAt(archived, archived.seen.finding.shot,
                                         archived.stands.at(0).table_from_stand.origin);
  const auto label = [&] { return EvidenceOf(archived, verdict).stands.at(0).label; };
  EXPECT_NE(label().find("HIT"), std::string::npos) << label();
  verdict.ruling = ShotRuling();
  verdict.ruling->no_effect = true;
  EXPECT_EQ(label().find("HIT"), std::string::npos) << label();
  EXPECT_NE(label().find("no effect"), std::string::npos) << label();
  EXPECT_EQ(EvidenceOf(archived, verdict).stands.at(0).colour, EvidenceStand::Colour::kMiss);
}

TEST(ArchivedShot, RefusesIncompleteArchives) {
  const std::vector<ArchivedFile> whole = Files(AnArchivedShot());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<ArchivedFile> files = whole;
    files.erase(files.begin() + static_cast<std::ptrdiff_t>(i));
    const Result<ArchivedShot> back = ArchivedShotFrom(files, "here");
    ASSERT_FALSE(back.ok());
    EXPECT_NE(back.error().message.find(whole[i].name), std::string::npos);
    files = whole;
    files[i].bytes = files[i].bytes.substr(0, files[i].bytes.size() / 3);
    EXPECT_FALSE(ArchivedShotFrom(files, "here").ok()) << whole[i].name;
    files[i].bytes.clear();
    EXPECT_FALSE(ArchivedShotFrom(files, "here").ok()) << whole[i].name;
  }
}

TEST(ArchivedShot, RefusesImpossibleNumbers) {
  const std::vector<ArchivedFile> whole = Files(AnArchivedShot());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::vector<ArchivedFile> files = whole;
    std::string& json = files.back().bytes;
    const auto at = json.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    json.replace(at, from.size(), to);
    return ArchivedShotFrom(files, "here");
  };
  EXPECT_FALSE(with("\"version\": 1", "\"version\": 2").ok());
  EXPECT_FALSE(with("\"noise\": 2", "\"noise\": 1e999").ok());
  EXPECT_FALSE(with("\"spec\": 0", "\"spec\": 7").ok());
  EXPECT_FALSE(with("\"doubt\": 0.025", "\"doubt\": -1").ok());
  EXPECT_FALSE(with("\"columns\": 3", "\"columns\": 0").ok());
  EXPECT_FALSE(with("\"facing\": \"", "\"facing\": \"up").ok());
  EXPECT_FALSE(with("\"measured\": true", "\"measured\": \"yes\"").ok());
}

// Measurements that cannot be, which used to end a dispute with an internal error or without end.
TEST(ArchivedShot, RefusesHugeDoubtsAndOtherPlaces) {
  const auto refused = [](const std::function<void(ArchivedShot&)>& spoil) {
    ArchivedShot archived = AnArchivedShot();
    spoil(archived);
    return !ArchivedShotFrom(Files(archived), "here").ok();
  };
  EXPECT_FALSE(refused([](ArchivedShot&) {}));
  EXPECT_TRUE(refused([](ArchivedShot& a) { a.seen.finding.shot.point_cov = {101, 0, 1}; }));
  EXPECT_TRUE(refused([](ArchivedShot& a) { a.stands[0].centre_cov = {1, 0, 101}; }));
  EXPECT_TRUE(refused(
      [](ArchivedShot& a) { a.seen.pictures.camera.pose_covariance = 900 * cv::Matx66d::eye(); }));
  EXPECT_TRUE(refused([](ArchivedShot& a) { a.seen.pictures.camera.pose_covariance(0, 1) = 0.5; }));
  EXPECT_TRUE(refused([](ArchivedShot& a) { a.seen.pictures.camera.lens_covariance(8, 8) = -1; }));
  EXPECT_TRUE(refused([](ArchivedShot& a) { a.seen.pictures.camera.lens_covariance(1, 0) = 1; }));
  EXPECT_TRUE(
      refused([](ArchivedShot& a) { a.seen.pictures.camera.lens_pose_covariance(0, 0) = 1; }));
  EXPECT_TRUE(refused([](ArchivedShot& a) { a.seen.pictures.camera.lens.fx_px = 1e6; }));
  EXPECT_TRUE(refused([](ArchivedShot& a) { a.seen.where = {{700, 700}, {710, 710}}; }));
}

TEST(Dispute, RefusesAClickFarOffTheBoard) {
  const ArchivedShot archived = AnArchivedShot();
  EXPECT_TRUE(MayLieAt(archived, archived.seen.finding.shot.point));
  EXPECT_TRUE(MayLieAt(archived, {-11.9, 0}));
  for (const Vec2 far : {Vec2{999, 999}, {-12.1, 0}, {0, 1e9}, {std::nan(""), 0}}) {
    EXPECT_FALSE(MayLieAt(archived, far));
  }
}

TEST(Dispute, SnapsAClickNearTheTipAndKeepsOneFarOff) {
  const ArchivedShot archived = AnArchivedShot();
  const Remeasured found = MeasureAgain(archived);
  ASSERT_TRUE(found.finding.measured);
  const Vec2 tip = found.finding.shot.point;
  EXPECT_EQ(MeasureAgain(archived, tip + Vec2{0.05, -0.04}).finding.shot.point, tip);
  const Vec2 elsewhere = tip + Vec2{0, 1.7};
  const Remeasured clicked = MeasureAgain(archived, elsewhere);
  EXPECT_TRUE(clicked.finding.measured);
  EXPECT_LT(Distance(clicked.finding.shot.point, elsewhere), 0.2);
  EXPECT_GT(RmsSigma(clicked.finding.shot.point_cov), RmsSigma(found.finding.shot.point_cov));
}

TEST(Dispute, TurningPointsLieOnTheLimit) {
  const ArchivedShot archived = AnArchivedShot();
  ShotObservation shot = archived.seen.finding.shot;
  ASSERT_FALSE(archived.stands.empty());
  for (const Vec2 off : {Vec2{0, 0}, Vec2{0.3, 0.1}, Vec2{1.9, 0.4}, Vec2{-1.2, -1.1}}) {
    const ShotVerdict verdict =
        JudgeWithPointAt(archived, shot, archived.stands[0].table_from_stand.origin + off);
    shot.point = archived.stands[0].table_from_stand.origin + off;
    for (const TurningPoint& turn : TurningPoints(verdict, shot)) {
      const ShotVerdict moved = JudgeWithPointAt(archived, shot, shot.point + turn.by);
      const auto same =
          std::find_if(moved.stands.begin(), moved.stands.end(),
                       [&](const StandVerdict& s) { return s.stand.stand.text == turn.stand; });
      ASSERT_NE(same, moved.stands.end());
      EXPECT_NEAR(same->measured.gap.inches, same->limit_in, 1e-6) << turn.stand;
    }
  }
}

TEST(Dispute, AppliesTheRulesWhenUnitsWereArchived) {
  ArchivedShot archived = AnArchivedShot();
  // In the middle of a stand without protecting terrain: by the rules it falls.
  const StandObservation& stand = archived.stands.front();
  archived.scenario.terrain.clear();
  archived.seen.finding.shot.point = stand.table_from_stand.origin;
  const ShotVerdict verdict =
      JudgeWithPointAt(archived, archived.seen.finding.shot, stand.table_from_stand.origin);
  ASSERT_TRUE(verdict.ruling) << verdict.no_ruling;
  EXPECT_NE(verdict.text.find("NAP-3F"), std::string::npos) << verdict.text;
  const std::string text = DisputeText(archived, {archived.seen.finding, verdict});
  EXPECT_NE(text.find("by the rules: " + verdict.text), std::string::npos) << text;
  EXPECT_NE(text.find("; falls: "), std::string::npos) << text;
  // An archive of an older program has no units: circle and touch alone.
  archived.scenario.units.clear();
  EXPECT_EQ(DisputeText(archived, MeasureAgain(archived)).find("by the rules"), std::string::npos);
}

// What the players settle counts for what falls, and for what is still asked: a gun takes the
// nearest crew stand along, and the circle then decides nothing (NAP-3F).
TEST(Dispute, JudgesAgainWithTheCallsThatThePlayersSettled) {
  ArchivedShot archived = AnArchivedShot();
  Scenario& scenario = archived.scenario;
  scenario.terrain.clear();
  scenario.units.clear();
  scenario.kinds.assign(2, {});
  scenario.kinds[0].name = "foot_gun";
  scenario.kinds[0].equipment = true;
  scenario.kinds[1].name = "foot_crew";
  archived.stands.clear();
  const auto unit = [&](const char* id, int kind, std::vector<Vec2> centres) {
    scenario.kinds[static_cast<std::size_t>(kind)].footprint = {1.2, 0.6};
    UnitSpec spec;
    spec.id = id;
    spec.kind = kind;
    spec.stands = static_cast<int>(centres.size());
    spec.square = *archived.table.SquareAt(centres.front());
    scenario.units.push_back(spec);
    for (const Vec2& centre : centres) {
      StandObservation stand;
      stand.stand.text = fmt::format("{}#{}", id, &centre - centres.data() + 1);
      stand.unit = id;
      stand.kind = kind;
      stand.table_from_stand.origin = centre;
      stand.footprint = {1.2, 0.6};
      archived.stands.push_back(stand);
    }
  };
  unit("G", 0, {{5.4, 5.5}});
  unit("C", 1, {{7.0, 6.5}, {5.4, 7.1}});
  const ProjectileSpec& spec =
      scenario.projectiles[static_cast<std::size_t>(archived.seen.finding.spec)];
  // On the limit of the touch; the first crew stand lies in the circle.
  ShotShown shot;
  shot.shot = archived.seen.finding.shot;
  shot.shot.point = {6.0 + spec.touch_radius_in, 5.5};
  shot.verdict = JudgeWithPointAt(archived, shot.shot, shot.shot.point);
  shot.archived = std::make_shared<const Recalled<ArchivedShot>>(
      std::make_shared<const ArchivedShot>(archived));
  ASSERT_TRUE(shot.verdict.ruling) << shot.verdict.no_ruling;
  ASSERT_EQ(OpenCalls(shot).size(), 1u) << shot.verdict.text;
  EXPECT_EQ(OpenCalls(shot)[0]->stand.stand.text, "G#1");
  EXPECT_FALSE(RulingWithCalls(shot)) << "nothing is settled yet";
  shot.decisions = {{PlayerDecision::What::kSettle, 3, "G#1", Call::kHit, {}}};
  shot.with_calls = RulingWithCalls(shot);
  ASSERT_TRUE(shot.with_calls);
  EXPECT_EQ(FallenOf(shot).sure, (std::vector<std::string>{"G#1", "C#1"}));
  EXPECT_TRUE(FallenOf(shot).picked.empty());
  EXPECT_TRUE(OpenCalls(shot).empty());
  EXPECT_EQ(WordsOf(shot).falls, "G#1 and C#1 fall");
  shot.decisions[0].call = Call::kMiss;
  shot.with_calls = RulingWithCalls(shot);
  EXPECT_EQ(FallenOf(shot).sure, (std::vector<std::string>{"C#1"})) << shot.with_calls->text;
  // Seen with the point elsewhere, nothing is settled.
  EXPECT_FALSE(WithPointAt(shot, {3, 3})->with_calls);
}

TEST(Dispute, TellsPlayersWhatToDo) {
  ArchivedShot archived = AnArchivedShot();
  const std::string text = DisputeText(archived, MeasureAgain(archived));
  EXPECT_NE(text.find("Now:"), std::string::npos);
  EXPECT_NE(text.find("measured from its painted end"), std::string::npos) << text;
  // Nothing is visible in the pictures: a click is asked for.
  archived.seen.pictures.before.copyTo(archived.seen.pictures.after);
  const Remeasured none = MeasureAgain(archived);
  EXPECT_FALSE(none.finding.measured);
  EXPECT_NE(DisputeText(archived, none).find("--tip"), std::string::npos);
}

}  // namespace
}  // namespace fos
