// SPDX-License-Identifier: MIT
#include "ui/session/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <thread>
#include <variant>

#include "datasets/render/synthetic.h"
#include "engine/files/data_path.h"
#include "engine/files/whole_file.h"
#include "engine/shots/seen.h"
#include "tests/support/temp_dir.h"
#include "ui/session/shot_words.h"

namespace fos {
namespace {

constexpr double kFps = 10;

// These tests step the match themselves; it asks the source only for the frame rate.
class Pace : public FrameSource {
 public:
  explicit Pace(cv::Size size) : size_(size) {}
  Result<std::optional<Frame>> Next() override { return std::optional<Frame>(); }
  cv::Size Size() const override { return size_; }
  double FramesPerSecond() const override { return kFps; }
  std::optional<int> FrameCount() const override { return std::nullopt; }

 private:
  cv::Size size_;
};

// A synthetic table with units of one stand each, alike in side and kind, and its other stands.
struct Alike {
  SyntheticOptions options;
  SyntheticTable made;
  std::vector<StandObservation> stands;  // the alike ones first
  explicit Alike(std::size_t alike) {
    options.seed = 6;
    options.columns = 4;
    options.rows = 4;
    options.width_px = 800;
    options.height_px = 720;
    options.units_a_side = 3;
    options.noise_levels = 0;  // noise is added to each frame
    made = LayOutTable(options);
    std::vector<UnitSpec>& units = made.scenario.units;
    const UnitSpec first = units.front();
    for (UnitSpec& unit : units) {
      if (unit.side != first.side || stands.size() == alike) continue;
      unit.stands = 1;
      unit.kind = first.kind;
      StandObservation stand = made.stands.front();
      stand.unit = unit.id;
      stand.stand.text = unit.id + "#1";
      stand.table_from_stand = {made.table.frame.CentreOf(unit.square),
                                HeadingFromBearing(BearingOf(unit.facing))};
      stands.push_back(stand);
    }
    const auto alike_end = static_cast<std::ptrdiff_t>(stands.size());
    for (const StandObservation& stand : made.stands) {
      if (std::none_of(stands.begin(), stands.begin() + alike_end,
                       [&](const auto& one) { return one.unit == stand.unit; }))
        stands.push_back(stand);
    }
  }
  cv::Mat Picture(const std::vector<StandObservation>& placed) const {
    return RenderTable(options, placed).bgr;
  }
};

// A match on such a table, fed with rendered pictures.
class Watched {
 public:
  // hung  the rig knows where the camera hangs
  explicit Watched(const Alike& table, bool hung = false)
      : camera_(table.made.camera),
        rig_(RigOver(table, hung)),
        out_(dir_.path() / "out"),
        match_(rig_, out_, DecisionPolicy{}) {}
  void See(const cv::Mat& picture, int frames) {
    for (int i = 0; i < frames; ++i, ++frame_) {
      cv::Mat grain(picture.size(), CV_16SC3);
      noise_.fill(grain, cv::RNG::NORMAL, 0, 1.5);
      cv::Mat seen;
      cv::add(picture, grain, seen, cv::noArray(), CV_8UC3);
      const Status stepped = match_.Step({{frame_}, frame_ / kFps, seen});
      ASSERT_TRUE(stepped.ok()) << stepped.error().message;
    }
  }
  // A hand reaches in from the lower edge, covers those places, and leaves.
  void Handle(const cv::Mat& before, const cv::Mat& after, const std::vector<Vec2>& places) {
    std::vector<cv::Point> points;
    for (const Vec2 at : places) {
      const ImagePoint p = ImageFromTable(camera_, at, 0);
      points.emplace_back(cvRound(p.x_px), cvRound(p.y_px));
    }
    cv::Rect hand = cv::boundingRect(points);
    constexpr int kAbout_px = 50;
    hand = {hand.x - kAbout_px, hand.y - kAbout_px, hand.width + 2 * kAbout_px,
            before.rows - hand.y + kAbout_px};
    for (const cv::Mat& picture : {before, after}) {
      for (const int sway : {0, 6, 0}) {
        cv::Mat covered = picture.clone();
        cv::rectangle(covered, hand + cv::Point(sway, 0), cv::Scalar(90, 130, 190), cv::FILLED);
        See(covered, 1);
      }
    }
    See(after, 20);
  }
  template <typename Event>
  std::vector<Event> Events() const {
    std::vector<Event> out;
    for (const EventRecord& record : match_.Events())
      if (const auto* event = std::get_if<Event>(&record.body)) out.push_back(*event);
    return out;
  }
  Match& match() { return match_; }
  OutFolder& out() { return out_; }

 private:
  static Rig RigOver(const Alike& table, bool hung) {
    const SyntheticTable& made = table.made;
    Rig rig{made.table,
            made.scenario,
            made.camera.lens,
            std::make_unique<Pace>(cv::Size(table.options.width_px, table.options.height_px)),
            "made up",
            "made up"};
    if (hung) rig.hung = KnownPose{made.camera.rvec, made.camera.tvec};
    return rig;
  }

  TableCamera camera_;
  test::TempDir dir_;
  Rig rig_;
  OutFolder out_;
  Match match_;
  cv::RNG noise_{5};
  int frame_ = 0;
};

std::string NameAt(const Match& match, Vec2 place) {
  const Snapshot now = match.Now();
  for (const StandObservation& stand : *now.stands)
    if (Distance(stand.table_from_stand.origin, place) < 0.2) return stand.stand.text;
  return "none";
}

TEST(Match, RenamesStandsByThePlayersAnswer) {
  const Alike table(2);
  const std::string a = table.stands[0].stand.text;
  const std::string b = table.stands[1].stand.text;
  Watched watched(table);
  const cv::Mat first = table.Picture(table.stands);
  watched.See(first, 15);
  // Both move to a spot between their places and far away: kept or swapped, the distances are about
  // equal. In truth they swapped.
  std::vector<StandObservation> placed = table.stands;
  const Vec2 from_a = placed[0].table_from_stand.origin;
  const Vec2 from_b = placed[1].table_from_stand.origin;
  const Vec2 middle = 0.5 * (from_a + from_b) + Vec2{0, 6};
  const Vec2 aside = 0.25 * (from_b - from_a);
  const Vec2 near_a = middle - aside;
  const Vec2 near_b = middle + aside;
  placed[0].table_from_stand.origin = near_b;
  placed[1].table_from_stand.origin = near_a;
  const cv::Mat second = table.Picture(placed);
  watched.Handle(first, second, {from_a, from_b, near_a, near_b});
  EXPECT_EQ(NameAt(watched.match(), near_a), a);
  const auto doubted = watched.Events<IdentityDoubtedEvent>();
  ASSERT_EQ(doubted.size(), 1U);
  EXPECT_EQ(doubted[0].stands.size(), 2U);

  PlayerDecision word;
  word.what = PlayerDecision::What::kIdentify;
  word.doubt = doubted[0].doubt;
  word.changed = true;
  ASSERT_TRUE(watched.match().Decide(word).ok());
  EXPECT_EQ(NameAt(watched.match(), near_a), b);
  EXPECT_EQ(NameAt(watched.match(), near_b), a);
  ASSERT_EQ(watched.Events<IdentitySettledEvent>().size(), 1U);
  EXPECT_TRUE(watched.Events<IdentitySettledEvent>()[0].changed);

  // Tracking uses the new names: the stand removed next has the right one.
  placed.erase(placed.begin());  // a, which stands nearer to b's place
  watched.Handle(second, table.Picture(placed), {near_b});
  const auto changes = watched.Events<StandChangeEvent>();
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes.back().id, a);
  EXPECT_FALSE(changes.back().to);
  EXPECT_EQ(NameAt(watched.match(), near_a), b);
}

// Three stands move closer together, so each may have swapped with its neighbour. An answer about
// two of them also settles the third.
TEST(Match, WithdrawsADoubtThatAnotherAnswerResolves) {
  for (const bool changed : {false, true}) {
    const Alike table(3);
    Watched watched(table);
    const cv::Mat first = table.Picture(table.stands);
    watched.See(first, 15);
    std::vector<StandObservation> placed = table.stands;
    std::vector<Vec2> places;
    Vec2 middle;
    for (std::size_t i = 0; i < 3; ++i) {
      places.push_back(placed[i].table_from_stand.origin);
      middle = middle + places[i] / 3.0;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      Vec2& at = placed[i].table_from_stand.origin;
      at = middle + 0.5 * (at - middle) + Vec2{0, 6};
      places.push_back(at);
    }
    watched.Handle(first, table.Picture(placed), places);
    const auto doubted = watched.Events<IdentityDoubtedEvent>();
    ASSERT_EQ(doubted.size(), 2U);
    PlayerDecision word;
    word.what = PlayerDecision::What::kIdentify;
    word.doubt = doubted[1].doubt;
    word.changed = changed;
    ASSERT_TRUE(watched.match().Decide(word).ok());
    const auto settled = watched.Events<IdentitySettledEvent>();
    ASSERT_EQ(settled.size(), 2U);
    EXPECT_FALSE(settled[0].withdrawn);
    EXPECT_EQ(settled[0].doubt, doubted[1].doubt);
    EXPECT_TRUE(settled[1].withdrawn);
    EXPECT_EQ(settled[1].doubt, doubted[0].doubt);
    for (const auto& doubt : watched.match().Now().doubts) EXPECT_TRUE(doubt->changed);
    // An answer to a withdrawn doubt changes nothing.
    word.doubt = doubted[0].doubt;
    word.changed = true;
    ASSERT_TRUE(watched.match().Decide(word).ok());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < 3; ++i)
      names.push_back(NameAt(watched.match(), placed[i].table_from_stand.origin));
    std::vector<std::string> truth;
    for (std::size_t i = 0; i < 3; ++i) truth.push_back(table.stands[i].stand.text);
    if (changed) {
      for (const auto& one : doubted[1].stands) {
        const auto at =
            std::find_if(table.stands.begin(), table.stands.end(),
                         [&](const StandObservation& stand) { return stand.stand.text == one.id; });
        truth[static_cast<std::size_t>(at - table.stands.begin())] = one.may_be;
      }
    }
    EXPECT_EQ(names, truth);
  }
}

// Later the second and third stand were handled together. If the first two had swapped before, it
// was the first that was handled later.
TEST(Match, UpdatesDoubtsOfLaterLooksAfterAnAnswer) {
  const Alike table(3);
  const auto name = [&](std::size_t i) { return table.stands[i].stand.text; };
  Watched watched(table);
  const cv::Mat first = table.Picture(table.stands);
  watched.See(first, 15);
  std::vector<StandObservation> placed = table.stands;
  const auto carry = [&](std::size_t a, std::size_t b, Vec2 to_a, Vec2 to_b) {
    const cv::Mat before = table.Picture(placed);
    std::vector<Vec2> places{placed[a].table_from_stand.origin, placed[b].table_from_stand.origin};
    placed[a].table_from_stand.origin = to_a;
    placed[b].table_from_stand.origin = to_b;
    places.insert(places.end(), {to_a, to_b});
    watched.Handle(before, table.Picture(placed), places);
  };
  carry(0, 1, {3, 8}, {5, 8});
  ASSERT_EQ(watched.Events<IdentityDoubtedEvent>().size(), 1U);
  const Vec2 last{11.6, 9.5};
  carry(1, 2, last, {12.6, 8.2});
  auto doubted = watched.Events<IdentityDoubtedEvent>();
  ASSERT_EQ(doubted.size(), 2U);
  EXPECT_EQ(doubted[1].stands[0].id, name(1));
  PlayerDecision word;
  word.what = PlayerDecision::What::kIdentify;
  word.doubt = doubted[0].doubt;
  word.changed = true;
  ASSERT_TRUE(watched.match().Decide(word).ok());
  EXPECT_EQ(NameAt(watched.match(), last), name(0));
  doubted = watched.Events<IdentityDoubtedEvent>();
  ASSERT_EQ(doubted.size(), 3U);
  ASSERT_EQ(doubted[2].stands.size(), 2U);
  EXPECT_EQ(doubted[2].stands[0].id, name(0));
  EXPECT_EQ(doubted[2].stands[1].id, name(2));
  EXPECT_EQ(watched.Events<IdentitySettledEvent>().back().doubt, doubted[1].doubt);
  word.doubt = doubted[2].doubt;
  ASSERT_TRUE(watched.match().Decide(word).ok());
  EXPECT_EQ(NameAt(watched.match(), last), name(2));
  EXPECT_EQ(NameAt(watched.match(), {3, 8}), name(1));
}

TEST(ReachesInOneMove, ComesFromTheTablesOnSquaresAndIsUnlimitedElsewhere) {
  Scenario scenario;
  scenario.ruleset = "napoleonic";
  scenario.kinds.resize(2);
  scenario.kinds[0].name = "line_infantry";  // two squares, and one more by road
  scenario.kinds[1].name = "camels";
  const TableFrame frame{12, 9, 4.0};
  const std::vector<double> reach = ReachesInOneMove(scenario, frame);
  ASSERT_EQ(reach.size(), 2U);
  EXPECT_NEAR(reach[0], 4 * 4.0 * std::numbers::sqrt2, 1e-9);
  EXPECT_TRUE(std::isinf(reach[1]));
  // A club's own tables override the reach.
  const auto path = FindData("engine/rules/napoleonic/tables.toml");
  ASSERT_TRUE(path.ok());
  const Result<std::string> shipped = ReadWholeFile(*path);
  ASSERT_TRUE(shipped.ok()) << shipped.error().message;
  std::string text = *shipped;
  const std::size_t line = text.find("[unit.line_infantry]");
  const std::string was = "move = 2.0";
  const std::size_t move = text.find(was, line);
  ASSERT_NE(move, std::string::npos);
  text.replace(move, was.size(), "move = 3.0");
  const test::TempDir dir;
  dir.Write("club.toml", text);
  scenario.club = {dir.path(), "club.toml", ""};
  EXPECT_NEAR(ReachesInOneMove(scenario, frame)[0], 5 * 4.0 * std::numbers::sqrt2, 1e-9);
  scenario.club = {};
  scenario.ruleset = "closefire";
  EXPECT_TRUE(std::isinf(ReachesInOneMove(scenario, frame)[0]));
}

// A table with one shell upon it, of the scenario's body colour. Its mark is missing, so the camera
// knows that it fell and not where its point is.
struct WithShell {
  Alike table{1};
  Vec2 at;
  cv::Mat before;
  cv::Mat after;
  explicit WithShell(const cv::Scalar& body = {39, 162, 201}) {
    ProjectileSpec& shell = table.made.scenario.projectiles.emplace_back();
    shell.type = Projectile::kShell;
    shell.size_in = 0.4;
    shell.body = {201, 162, 39};
    shell.mark = {20, 20, 20};
    shell.hit_radius_in = 1;
    shell.touch_radius_in = 0.25;
    before = table.Picture(table.stands);
    // Beside the first stand, and clear of the others.
    at = table.stands.front().table_from_stand.origin + Vec2{1.6, 1.2};
    after = With(before, body);
  }
  cv::Mat With(const cv::Mat& picture, const cv::Scalar& body = {39, 162, 201}) const {
    cv::Mat out = picture.clone();
    std::vector<cv::Point> corners;
    for (const Vec2 way : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}}) {
      const ImagePoint p = ImageFromTable(table.made.camera, at + 0.2 * way, 0.1);
      corners.emplace_back(static_cast<int>(std::lround(16 * p.x_px)),
                           static_cast<int>(std::lround(16 * p.y_px)));
    }
    cv::fillConvexPoly(out, corners, body, cv::LINE_AA, 4);
    return out;
  }
};

PlayerDecision Said(PlayerDecision::What what, int shot, Vec2 point = {}) {
  PlayerDecision out;
  out.what = what;
  out.shot = shot;
  out.point = point;
  return out;
}

TEST(Match, PlayersMarkAPointThatCannotBeMeasured) {
  const WithShell thrown;
  Watched watched(thrown.table);
  watched.See(thrown.before, 15);
  watched.See(thrown.after, 20);
  const auto asked = watched.Events<AskEvent>();
  ASSERT_EQ(asked.size(), 1U);
  // Its picture is written with the log.
  ASSERT_TRUE(watched.match().WriteLog().ok());
  const auto file = watched.out().FileFor(AskedPicture(asked[0].kept));
  ASSERT_TRUE(file.ok());
  const cv::Mat picture = cv::imread(file->string());
  EXPECT_GT(picture.cols, picture.rows);
  Snapshot now = watched.match().Now();
  ASSERT_EQ(now.shots.size(), 1U);
  EXPECT_FALSE(now.shots[0]->question.empty());
  EXPECT_EQ(CallOf(*now.shots[0]).word, "WHERE?");
  // A question cannot be accepted.
  ASSERT_TRUE(watched.match().Decide(Said(PlayerDecision::What::kAccept, 1)).ok());
  EXPECT_TRUE(watched.match().Now().shots[0]->decisions.empty());
  ASSERT_TRUE(watched.match().Decide(Said(PlayerDecision::What::kMove, 1, thrown.at)).ok());
  now = watched.match().Now();
  EXPECT_TRUE(now.shots[0]->question.empty());
  EXPECT_LT(Distance(now.shots[0]->shot.point, thrown.at), 0.15);
  ASSERT_FALSE(now.shots[0]->verdict.stands.empty());
  EXPECT_EQ(WordsOf(*now.shots[0]).players, "Camera could not tell the point, players gave it");
  // Taken back, the question is open again.
  ASSERT_TRUE(watched.match().Decide(Said(PlayerDecision::What::kTakeBack, 1)).ok());
  EXPECT_FALSE(watched.match().Now().shots[0]->question.empty());
  EXPECT_TRUE(watched.match().Now().shots[0]->verdict.stands.empty());
  // The log keeps both: what was said, as undone, and that it was taken back.
  const std::vector<LogLine>& log = *watched.match().Now().log;
  ASSERT_GE(log.size(), 2U);
  EXPECT_TRUE(log[log.size() - 2].undone) << log[log.size() - 2].text;
  EXPECT_FALSE(log.back().undone) << log.back().text;
}

// Two units are not on the table: the referee asks before any verdict, calls nothing, and goes on
// when they are put there.
TEST(Match, CallsNothingOnATableThatDoesNotFitItsScenario) {
  const WithShell thrown;
  const std::vector<StandObservation>& all = thrown.table.stands;
  const std::string kept = all.back().unit;
  const auto gone = [&](const StandObservation& s) {
    return s.side != all.front().side && s.unit != kept;
  };
  std::vector<StandObservation> some = all;
  std::erase_if(some, gone);
  std::vector<Vec2> places;
  for (const StandObservation& stand : all)
    if (gone(stand)) places.push_back(stand.table_from_stand.origin);
  ASSERT_GE(places.size(), 4U);
  const cv::Mat before = thrown.table.Picture(some);
  const cv::Mat after = thrown.With(before);
  Watched watched(thrown.table, true);  // the units alone do not tell north
  watched.See(before, 15);
  watched.See(after, 20);
  std::vector<SetupEvent> setups = watched.Events<SetupEvent>();
  ASSERT_EQ(setups.size(), 1U) << watched.match().Now().why;
  EXPECT_FALSE(setups[0].fits);
  EXPECT_FALSE(setups[0].missing.empty());
  EXPECT_EQ(setups[0].evidence, "evidence/setup.png");
  const auto calls = [&] {
    std::vector<Call> out;
    for (const StandVerdict& one : watched.match().Now().shots.at(0)->verdict.stands)
      out.push_back(one.call);
    return out;
  };
  ASSERT_TRUE(watched.match().Decide(Said(PlayerDecision::What::kMove, 1, thrown.at)).ok());
  ASSERT_FALSE(calls().empty());
  for (const Call call : calls()) EXPECT_EQ(call, Call::kTooClose);
  watched.Handle(after, thrown.after, places);
  setups = watched.Events<SetupEvent>();
  ASSERT_EQ(setups.size(), 2U);
  EXPECT_TRUE(setups[1].fits);
}

// The players say that the table is right although the stands are not those of the scenario: shots
// are called from then on. They can take it back.
TEST(Match, PlayersAcceptATableThatDoesNotFitItsScenario) {
  const WithShell thrown;
  std::vector<StandObservation> some = thrown.table.stands;
  const std::string kept = some.back().unit;
  const int side = some.front().side;
  std::erase_if(some, [&](const StandObservation& s) { return s.side != side && s.unit != kept; });
  const cv::Mat before = thrown.table.Picture(some);
  Watched watched(thrown.table, true);
  EXPECT_FALSE(watched.match().Now().setup);
  for (int i = 0; i < 6 && !watched.match().Now().setup; ++i) watched.See(before, 15);
  ASSERT_TRUE(watched.match().Now().setup) << watched.match().Now().why;
  EXPECT_FALSE(watched.match().Now().setup->accepted);
  EXPECT_FALSE(watched.match().Now().setup->text.empty());
  PlayerDecision right;
  right.what = PlayerDecision::What::kTable;
  right.changed = true;
  ASSERT_TRUE(watched.match().Decide(right).ok());
  ASSERT_TRUE(watched.match().Decide(right).ok());  // said twice, it counts once
  EXPECT_TRUE(watched.match().Now().setup->accepted);
  watched.See(thrown.With(before), 20);
  ASSERT_TRUE(watched.match().Decide(Said(PlayerDecision::What::kMove, 1, thrown.at)).ok());
  const auto shots = watched.match().Now().shots;
  ASSERT_EQ(shots.size(), 1U);
  ASSERT_FALSE(shots[0]->verdict.stands.empty());
  EXPECT_TRUE(std::any_of(shots[0]->verdict.stands.begin(), shots[0]->verdict.stands.end(),
                          [](const StandVerdict& one) { return one.call != Call::kTooClose; }));
  right.changed = false;
  ASSERT_TRUE(watched.match().Decide(right).ok());
  EXPECT_FALSE(watched.match().Now().setup->accepted);
  const std::vector<SetupEvent> setups = watched.Events<SetupEvent>();
  ASSERT_EQ(setups.size(), 3U);
  EXPECT_FALSE(setups[0].accepted.has_value());
  EXPECT_EQ(setups[1].accepted, std::optional<bool>(true));
  EXPECT_EQ(setups[2].accepted, std::optional<bool>(false));
  const auto log = watched.match().Now().log;
  EXPECT_TRUE(std::any_of(log->begin(), log->end(), [](const LogLine& line) {
    return line.text.find("right as it stands") != std::string::npos;
  }));
  // It begins in a player's words, without the figures of a calibration.
  EXPECT_TRUE(log->front().text.starts_with("The table was found, to within 0."))
      << log->front().text;
  EXPECT_EQ(log->front().text.find('%'), std::string::npos) << log->front().text;
}

// Something that is no shell of the scenario's colour is told as an object, and the players make it
// a shot.
TEST(Match, PlayersMakeAnObjectAShot) {
  const WithShell thrown(cv::Scalar(200, 60, 190));
  Watched watched(thrown.table);
  watched.See(thrown.before, 15);
  watched.See(thrown.after, 20);
  ASSERT_EQ(watched.Events<ObjectEvent>().size(), 1U);
  const Snapshot before = watched.match().Now();
  ASSERT_EQ(before.objects.size(), 1U);
  EXPECT_LT(Distance(before.objects[0]->middle, thrown.at), 0.3);
  PlayerDecision word = Said(PlayerDecision::What::kPoint, 0, before.objects[0]->middle);
  word.object = before.objects[0]->number;
  ASSERT_TRUE(watched.match().Decide(word).ok());
  Snapshot now = watched.match().Now();
  EXPECT_TRUE(now.objects.empty());
  ASSERT_TRUE(watched.match().Decide(word).ok());  // another player says the same
  now = watched.match().Now();
  ASSERT_EQ(now.shots.size(), 1U);
  EXPECT_TRUE(now.shots[0]->by_players);
  EXPECT_LT(Distance(now.shots[0]->shot.point, thrown.at), 0.3);
  EXPECT_FALSE(now.shots[0]->verdict.stands.empty());
  EXPECT_NE(now.log->back().text.find("Shot 1: the players say that it fell"), std::string::npos);
  ASSERT_TRUE(watched.match().Decide(Said(PlayerDecision::What::kTakeBack, 1)).ok());
  EXPECT_EQ(CallOf(*watched.match().Now().shots[0]).word, "TAKEN BACK");
  // A second time there is nothing left to take back.
  const std::size_t lines = watched.match().Now().log->size();
  ASSERT_TRUE(watched.match().Decide(Said(PlayerDecision::What::kTakeBack, 1)).ok());
  EXPECT_EQ(watched.match().Now().log->size(), lines);
}

// A long evening has hundreds of shots; the pictures of the last few are enough in memory.
TEST(Match, KeepsThePicturesOfAFewShotsInMemoryAndReadsTheOthersBack) {
  const WithShell thrown;
  Watched watched(thrown.table);
  const cv::Mat& picture = thrown.before;
  watched.See(picture, 15);
  const auto shots = [&] { return watched.match().Now().shots; };
  const auto fell_at = [&](Vec2 point) {
    ASSERT_TRUE(watched.match().Decide(Said(PlayerDecision::What::kPoint, 0, point)).ok());
  };
  fell_at({5, 7});
  ASSERT_EQ(shots().size(), 1u);
  std::weak_ptr<const ArchivedShot> archived = shots()[0]->archived->Get();
  while (shots()[0]->panels->Get() == nullptr) std::this_thread::yield();
  std::weak_ptr<const EvidencePanels> panels = shots()[0]->panels->Get();
  const cv::Mat after = archived.lock()->seen.pictures.after.clone();
  const cv::Mat drawn = panels.lock()->after.clone();
  for (int i = 1; i < 12; ++i) fell_at({5 + 0.1 * i, 7});
  // Others write and draw meanwhile.
  for (int i = 0; i < 400 && !(archived.expired() && panels.expired()); ++i)
    watched.See(picture, 1);
  EXPECT_TRUE(archived.expired());
  EXPECT_TRUE(panels.expired());

  const auto read = shots()[0]->archived->Get();
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(cv::norm(read->seen.pictures.after, after, cv::NORM_INF), 0);
  const auto again = shots()[0]->panels->Get();
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(cv::norm(again->after, drawn, cv::NORM_INF), 0);
  // Such a shot is still the players' to move.
  const Vec2 elsewhere{5.6, 7.5};
  ASSERT_TRUE(watched.match().Decide(Said(PlayerDecision::What::kMove, 1, elsewhere)).ok());
  EXPECT_LT(Distance(shots()[0]->shot.point, elsewhere), 0.11);
}

}  // namespace
}  // namespace fos
