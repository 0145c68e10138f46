// SPDX-License-Identifier: MIT
#include "vision/stands/stand_detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vision/image/exposure.h"
#include "vision/stands/across_lights.h"
#include "vision/stands/covered_stands.h"
#include "vision/stands/deployed_stands.h"
#include "vision/stands/formed_units.h"
#include "vision/stands/moved_stands.h"
#include "vision/stands/paint_learning.h"
#include "vision/stands/setup_check.h"
#include "vision/stands/stand_assignment.h"
#include "vision/stands/stand_candidates.h"
#include "vision/stands/stand_measurement.h"
#include "vision/stands/stand_names.h"
#include "vision/stands/stand_packing.h"
#include "vision/stands/unexpected_stands.h"

namespace fos {
namespace {

Polygon SquareOutline(const TableFrame& frame, SquareIndex square) {
  constexpr double kFiguresLean_in = 0.4;  // out of their square
  const double side = frame.square_in + 2 * kFiguresLean_in;
  return ToPolygon(Corners({frame.CentreOf(square), 0}, {side, side}));
}

// The areas that stands cover, square inches, by the column and row of their square.
using CoveredAreas = std::map<std::pair<int, int>, double>;

// No colour that is seen over more of a square than all stands of the fullest cover is a paint's,
// whoever stands where.
std::vector<CoveredPart> CoveredSquares(const TableFrame& frame, const CoveredAreas& areas_in2) {
  double most_in2 = 0;
  for (const auto& [square, area_in2] : areas_in2) most_in2 = std::max(most_in2, area_in2);
  std::vector<CoveredPart> out;
  for (const auto& [square, area_in2] : areas_in2)
    out.push_back({SquareOutline(frame, {square.first, square.second}), most_in2});
  return out;
}

// Those in which the scenario places units.
std::vector<CoveredPart> DeployedSquares(const TableFrame& frame, const Scenario& scenario) {
  CoveredAreas areas_in2;
  for (const UnitSpec& unit : scenario.units) {
    const Box2 box = scenario.kinds.at(static_cast<std::size_t>(unit.kind)).footprint;
    areas_in2[{unit.square.column, unit.square.row}] += unit.stands * box.width_in * box.depth_in;
  }
  return CoveredSquares(frame, areas_in2);
}

// Those on which stands are seen, if only with a corner.
std::vector<CoveredPart> SquaresUnder(const TableFrame& frame,
                                      std::span<const StandObservation> stands) {
  CoveredAreas areas_in2;
  for (const StandObservation& o : stands) {
    std::set<std::pair<int, int>> squares;
    for (const Vec2 corner : Corners(o.table_from_stand, o.footprint))
      if (const auto square = frame.SquareAt(corner)) squares.insert({square->column, square->row});
    for (const auto& square : squares)
      areas_in2[square] += o.footprint.width_in * o.footprint.depth_in;
  }
  return CoveredSquares(frame, areas_in2);
}

// Searches the squares and learns the paints from what is found.
// paints  those of `look`
std::vector<StandHypothesis> LearnAndSearch(const StandLook& look, PaintModel& paints,
                                            std::span<const CoveredPart> deployed) {
  std::vector<StandHypothesis> stands;
  constexpr int kPasses = 3;  // nominal paints, all paints by one lighting fit, each paint
  std::optional<PaintModel> expected;
  for (int pass = 0; pass < kPasses; ++pass) {
    stands = SearchSquares(look);
    if (pass == 0) {
      LearnLight(paints, look.bgr, look.camera, look.scenario, stands);
      expected = paints;
    }
    LearnPaints(paints, *expected, look.bgr, look.camera, look.scenario, stands);
  }
  if (LearnCoveredBackground(paints, look.bgr, look.blind, look.camera, look.table.frame, deployed))
    stands = SearchSquares(look);
  return stands;
}

// The sum of a figure, an area, over the bases of those stands that have a unit.
template <class Figure>
double SumOverPlaced(const StandLook& look, std::span<const StandHypothesis> stands,
                     const Figure& figure) {
  const std::vector<std::optional<std::size_t>> units = UnitsOf(look, stands);
  double sum = 0;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    const Box2 box = look.KindOf(stands[i]).footprint;
    if (units[i]) sum += figure(stands[i]) * box.width_in * box.depth_in;
  }
  return sum;
}

// How much of the deployment some stands explain: the evidence of their paints, nats an area.
double Explained(const StandLook& look, std::span<const StandHypothesis> stands) {
  return SumOverPlaced(look, stands, [](const StandHypothesis& h) { return h.score; });
}

// The same, less what the spread of their paints takes from it: the score of a pixel stops at two
// nats, however narrow its paint is. A side's stands lie all over the table, so that in a wrong
// light their paint has many colours, and explains more for that.
double ExplainedInOneLight(const StandLook& look, std::span<const StandHypothesis> stands) {
  const auto wider = [](const PaintColour& sigma) {
    return std::log(static_cast<double>(sigma.lightness / kUsualSpread.lightness * sigma.red_green /
                                        kUsualSpread.red_green * sigma.yellow_blue /
                                        kUsualSpread.yellow_blue));
  };
  return SumOverPlaced(look, stands, [&](const StandHypothesis& h) {
    const KindSpec& kind = look.KindOf(h);
    const double in_bar = kind.bar_depth_in / kind.footprint.depth_in;
    return h.score - in_bar * wider(look.paints.bar(h.what.side, h.what.kind).sigma) -
           (1 - in_bar) * wider(look.paints.side(h.what.side).sigma);
  });
}

// Whether most of the stands that the scenario places are among these, and look as painted.
bool ArePlain(const StandLook& look, std::span<const StandHypothesis> stands) {
  constexpr double kMost = 0.7;       // of the stands: more than a few trees hide
  constexpr double kAsPainted = 0.5;  // of what they can explain; most do two thirds
  int placed = 0;
  for (const UnitSpec& unit : look.scenario.units) placed += unit.stands;
  const std::vector<std::optional<std::size_t>> units = UnitsOf(look, stands);
  const auto found = std::count_if(units.begin(), units.end(), [](const auto& u) { return !!u; });
  const double beyond = SumOverPlaced(
      look, stands, [](const StandHypothesis& h) { return h.score - kAsPainted * kMostScore; });
  return static_cast<double>(found) > kMost * placed && beyond > 0;
}

// The paints under the light in which they explain most of the deployment, if much of it was not
// found, or looks unlike what people see: a camera that exposes for a pale cloth or a window shows
// paints several times darker, one that exposes for a black cloth several times lighter, daylight
// in shade bluer, a lamp more yellow.
// paints  those of `look`, replaced while it searches
std::optional<PaintModel> OtherLight(const StandLook& look, PaintModel& paints,
                                     std::span<const CoveredPart> deployed,
                                     std::span<const StandHypothesis> found) {
  if (ArePlain(look, found)) return std::nullopt;
  const PaintModel learnt = paints;
  // Of linear light, blue, green and red.
  const std::array<cv::Vec3f, 7> lights{{{0.4F, 0.4F, 0.4F},
                                         {0.15F, 0.15F, 0.15F},
                                         {2, 2, 2},
                                         {6, 6, 6},
                                         {0.5F, 0.35F, 0.25F},
                                         {0.2F, 0.14F, 0.1F},
                                         {0.4F, 0.7F, 1}}};
  std::optional<PaintModel> best;
  double most = Explained(look, found);
  for (const cv::Vec3f& light : lights) {
    paints = PaintModel(look.scenario);
    for (std::size_t s = 0; s < look.scenario.sides.size(); ++s) {
      const auto under = [&](const Paint& paint) {
        return Paint{PaintColourOfLinear(LinearOf(paint.mean).mul(light)), paint.sigma};
      };
      const int side = static_cast<int>(s);
      for (std::size_t k = 0; k < look.scenario.kinds.size(); ++k)
        paints.SetBar(side, static_cast<int>(k), under(paints.bar(side, static_cast<int>(k))));
      paints.SetSide(side, under(paints.side(side)));
    }
    LearnBackground(paints, look.bgr, look.blind, look.camera, look.table.frame, deployed);
    const PaintModel nominal = paints;
    const double explained = Explained(look, SearchSquares(look));
    if (explained <= most) continue;
    most = explained;
    best = nominal;
  }
  paints = learnt;
  return best;
}

// Learns the table and the paints from a picture, and searches the squares.
// paints  those of `look`, as painted
std::vector<StandHypothesis> FirstSearch(const StandLook& look, PaintModel& paints,
                                         std::span<const CoveredPart> deployed) {
  LearnBackground(paints, look.bgr, look.blind, look.camera, look.table.frame, deployed);
  std::vector<StandHypothesis> stands = LearnAndSearch(look, paints, deployed);
  if (const std::optional<PaintModel> other = OtherLight(look, paints, deployed, stands)) {
    PaintModel first = std::exchange(paints, *other);
    std::vector<StandHypothesis> again = LearnAndSearch(look, paints, deployed);
    if (Explained(look, again) > Explained(look, stands)) {
      stands = std::move(again);
    } else {
      paints = std::move(first);
    }
  }
  return stands;
}

// Searches again by the paints of stands that their outlines alone have found, where those explain
// more. Returns whether they do.
// paints  those of `look`, as learnt; replaced where they do
bool SearchAgainByOutlines(const StandLook& look, PaintModel& paints,
                           std::vector<StandHypothesis>& stands) {
  const PaintModel first = paints;
  if (!LearnOutlinedPaints(paints, look.bgr, look.camera, look.scenario, stands)) return false;
  std::vector<StandHypothesis> again = SearchSquares(look);
  if (Explained(look, again) <= Explained(look, stands)) {
    paints = first;
    return false;
  }
  SettleStands(look, again, {});
  DropUnexpected(look, again);
  FindMissing(look, again);
  look.Note("by the paints of those", again);
  stands = std::move(again);
  return true;
}

// How much of the deployment is explained in another light by paints that are followed into it. It
// takes a third of the time of LearnAndSearch, and tells as much where most was found.
// paints  those of `look`, as learnt in `was`; replaced
// found   in `was`
double ExplainedWhenFollowed(const StandLook& look, PaintModel& paints, const cv::Mat& was,
                             std::span<const CoveredPart> deployed,
                             std::span<const StandHypothesis> found) {
  FollowPaints(paints, was, look.bgr, look.camera, look.scenario, found);
  LearnBackground(paints, look.bgr, look.blind, look.camera, look.table.frame, deployed);
  LearnCoveredBackground(paints, look.bgr, look.blind, look.camera, look.table.frame, deployed);
  return ExplainedInOneLight(look, SearchSquares(look));
}

// The pair of lights seen now that differ most nearly as they did; as they were where none does.
TwoLights Followed(const TwoLights& was, std::span<const TwoLights> seen) {
  constexpr double kMostChange = 0.5;  // in logs of linear light: a cloud before the sun
  TwoLights out = was;
  double least = kMostChange;
  for (const TwoLights& now : seen) {
    const double change = cv::norm(now.brighter_by - was.brighter_by);
    if (change >= least) continue;
    least = change;
    out = now;
  }
  return out;
}

Status Check(const cv::Mat& bgr, const cv::Mat& blind, const TableCamera& camera) {
  const CameraModel& lens = camera.lens;
  if (bgr.type() != CV_8UC3 || bgr.cols != lens.width_px || bgr.rows != lens.height_px) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("stands: want a colour picture of {} x {}, as the camera is "
                             "calibrated for, got {} x {}",
                             lens.width_px, lens.height_px, bgr.cols, bgr.rows)};
  }
  if (!blind.empty() && (blind.type() != CV_8UC1 || blind.size() != bgr.size())) {
    return Error{ErrorCode::kBadFormat, "stands: the blind mask is not of the picture's size"};
  }
  return Ok();
}

// How much likelier they are there together than bare table, nats.
double LogOddsOf(std::span<const MeasuredStand> stands) {
  double sum = 0;
  for (const MeasuredStand& m : stands) sum += m.log_odds;
  return sum;
}

// Where something covers a stand, what is found in the same change is a part of that.
void DropAroundCovered(const StandLook& look, const StandScene& before,
                       const RecheckedStands& rechecked, const cv::Mat& changed,
                       std::vector<StandObservation>& found) {
  if (found.empty() || rechecked.lost.empty()) return;
  std::vector<StandObservation> known = before.stands;
  known.insert(known.end(), found.begin(), found.end());
  DropAroundCovered(look, CoveredStands(look, rechecked.lost, before.covered, known, changed),
                    changed, found);
}

// Lost stands that something covers stay where they stood, unless others stand there now.
void KeepCovered(const StandLook& look, const StandScene& before, const RecheckedStands& rechecked,
                 const StandAssignment& assignment, const cv::Mat& changed, StandScene& scene) {
  std::vector<StandObservation> gone;
  for (std::size_t l = 0; l < rechecked.lost.size(); ++l) {
    const StandObservation& o = rechecked.lost[l];
    const bool moved = std::find(assignment.lost_of_found.begin(), assignment.lost_of_found.end(),
                                 static_cast<int>(l)) != assignment.lost_of_found.end();
    const bool taken = std::any_of(scene.stands.begin(), scene.stands.end(), [&](const auto& s) {
      return OverlapDepth(o.table_from_stand, o.footprint, s.table_from_stand, s.footprint) > 0;
    });
    if (!moved && !taken) gone.push_back(o);
  }
  if (gone.empty()) return;
  std::vector<StandObservation> known = before.stands;
  known.insert(known.end(), scene.stands.begin(), scene.stands.end());
  for (const StandObservation& o : CoveredStands(look, gone, before.covered, known, changed)) {
    look.NoteDropped(AsHypothesis(o), "covered: it counts as where it stood");
    scene.stands.push_back(o);
    scene.covered.push_back(o.stand);
  }
}

}  // namespace

StandDetector::StandDetector(const TableSpec& table, const Scenario& scenario,
                             StandDetectorOptions options)
    : table_(table), scenario_(scenario), options_(std::move(options)), paints_(scenario) {}

StandLook StandDetector::LookAt(const cv::Mat& bgr, const TableCamera& camera, const cv::Mat& blind,
                                const PaintModel& paints) const {
  return {bgr,
          blind,
          camera,
          table_,
          scenario_,
          options_,
          paints,
          trace_,
          TerrainView(scenario_, camera),
          PointSpreadOf(bgr, camera, table_)};
}

cv::Mat StandDetector::TellLights(const StandLook& as_it_is, std::span<const CoveredPart> deployed,
                                  std::vector<StandHypothesis>& stands) {
  // Which pair of lights, if any, is told by how much of the deployment it explains; a river or a
  // field in its own colour explains no more. The sun across a single stand explains a third of a
  // stand more, mottling a tenth; where two colours of the ground gain as much, that speaks for
  // light by itself.
  constexpr double kPartOfAStand = 0.25;
  constexpr double kWhereTwoAgree = 0.125;
  const cv::Mat bgr = as_it_is.bgr;
  const cv::Mat& blind = as_it_is.blind;
  const TableCamera& camera = as_it_is.camera;
  const double a_stand =
      Explained(as_it_is, stands) / std::max(1.0, static_cast<double>(stands.size()));
  double explained_best = ExplainedInOneLight(as_it_is, stands);
  lights_.reset();
  cv::Mat even = bgr;
  for (const TwoLights& lights : FindTwoLights(bgr, blind, camera, table_.frame)) {
    const cv::Mat in_one = InOneLight(bgr, blind, camera, table_.frame, lights);
    const StandLook look = LookAt(in_one, camera, blind);
    // Those of larger parts of the table come first.
    const double most =
        explained_best + a_stand * (lights.grounds > 1 ? kWhereTwoAgree : kPartOfAStand);
    PaintModel before = paints_;
    // Most pairs are a river or a lamp's gradient. One pass tells, where the paints are known well.
    if (ArePlain(look, stands) &&
        ExplainedWhenFollowed(look, paints_, even, deployed, stands) <= most) {
      paints_ = std::move(before);
      continue;
    }
    paints_ = PaintModel(scenario_);
    std::vector<StandHypothesis> again = FirstSearch(look, paints_, deployed);
    if (const double explained = ExplainedInOneLight(look, again); explained > most) {
      explained_best = explained;
      lights_ = lights;
      stands = std::move(again);
      even = in_one;
    } else {
      paints_ = std::move(before);
    }
  }
  return even;
}

Result<StandScene> StandDetector::Start(const cv::Mat& taken, const TableCamera& camera,
                                        const cv::Mat& blind_mask) try {
  if (const Status checked = Check(taken, blind_mask, camera); !checked.ok())
    return checked.error();
  brightened_ = LightLacking(taken, camera, table_);
  const cv::Mat bgr = Brightened(taken, brightened_);
  cv::Mat even = bgr;  // in one light
  const StandLook look = LookAt(even, camera, blind_mask);
  const std::vector<CoveredPart> deployed = DeployedSquares(table_.frame, scenario_);
  std::vector<StandHypothesis> stands = FirstSearch(look, paints_, deployed);
  even = TellLights(look, deployed, stands);
  look.BeginTrace();
  look.Note("searched", stands);
  SettleStands(look, stands, {});
  DropUnexpected(look, stands);
  look.Note("settled", stands);
  bool more = FindMissing(look, stands);
  if (more) more = !SearchAgainByOutlines(look, paints_, stands);
  look.Note("with those missing", stands);
  if (more) {
    SettleStands(look, stands, {});
    DropUnexpected(look, stands);
  }
  FindUnexpectedStands(look, stands);
  look.Note("settled again", stands);
  const std::size_t claimed = stands.size();
  std::vector<MeasuredGroup> known;
  std::vector<MeasuredStand> measured = MeasureAll(look, stands, {}, known);
  if (std::vector<StandHypothesis> formed = stands; FormUp(look, formed, measured)) {
    look.Note("formed up", formed);
    std::vector<MeasuredGroup> known_formed = known;
    std::vector<MeasuredStand> again = MeasureAll(look, formed, {}, known_formed);
    if (LogOddsOf(again) > LogOddsOf(measured) + kUnexpectedStand_nats) {
      stands = std::move(formed);
      known = std::move(known_formed);
      measured = std::move(again);
    }
  }
  if (CloseRanks(look, stands, measured)) measured = MeasureAll(look, stands, {}, known);
  // A false detection may have kept the place of a stand. Search again where one was dropped or
  // replaced.
  const bool moved = ReplaceWeak(look, stands, measured);
  const bool found = (stands.size() < claimed || moved) && FindMissing(look, stands);
  if (found || moved) {
    look.Note("with those whose place was taken", stands);
    measured = MeasureAll(look, stands, {}, known);
  }
  if (trace_) trace_->paints = paints_;

  StandScene scene;
  scene.stands = ObservationsOf(measured);
  SeparateFootprints(scene.stands);
  NameByDeployment(look, scene.stands, scene.remarks);
  scene.setup_doubt = CheckSetup(look, scene.stands);
  return scene;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("stands: ") + e.what()};
}

Result<StandScene> StandDetector::Update(const cv::Mat& taken, const TableCamera& camera,
                                         const StandScene& before, const cv::Mat& changed,
                                         const cv::Mat& blind_mask) try {
  if (const Status checked = Check(taken, blind_mask, camera); !checked.ok())
    return checked.error();
  const cv::Mat bgr = Brightened(taken, brightened_);
  const cv::Mat even = lights_ ? InOneLight(bgr, blind_mask, camera, table_.frame, *lights_) : bgr;
  const StandLook look = LookAt(even, camera, blind_mask);
  look.BeginTrace();
  if (!changed.empty() && (changed.type() != CV_8UC1 || changed.size() != bgr.size()))
    return Error{ErrorCode::kBadFormat, "stands: the mask of changes is not of the picture's size"};

  RecheckedStands rechecked = RecheckStands(look, before, changed);
  std::vector<StandObservation> seen = FindMovedStands(look, before, rechecked, changed);
  const auto any_missed = [&] { return seen.size() < rechecked.lost.size(); };
  const auto take_if_more = [&](RecheckedStands again, std::vector<StandObservation> moved) {
    if (again.kept.size() + moved.size() <= rechecked.kept.size() + seen.size()) return;
    rechecked = std::move(again);
    seen = std::move(moved);
  };
  const auto try_instead = [&](const StandLook& other, RecheckedStands again) {
    std::vector<StandObservation> moved = FindMovedStands(other, before, again, changed);
    take_if_more(std::move(again), std::move(moved));
  };
  if (any_missed() && !rechecked.pushed.empty()) try_instead(look, AsLost(rechecked));
  if (any_missed() && lights_) {
    // A mottled cloth may pass for one in two lights: where that does not explain all that was
    // moved, the picture as it is may explain more.
    const StandLook as_it_is = LookAt(bgr, camera, blind_mask);
    try_instead(as_it_is, RecheckStands(as_it_is, before, changed));
  }
  if (any_missed() && !lights_) {
    // Where the stands of each paint lay in one light only, a second one explained nothing until
    // some of them were put down in it.
    std::vector<CoveredPart> covered;
    for (const StandObservation& o : before.stands)
      covered.push_back({ToPolygon(Corners(o.table_from_stand, o.footprint))});
    for (const TwoLights& lights : FindTwoLights(bgr, blind_mask, camera, table_.frame)) {
      const cv::Mat in_one = InOneLight(bgr, blind_mask, camera, table_.frame, lights);
      const AcrossLights across(bgr, in_one, camera, scenario_);
      if (!across.AnyMayHaveGone(rechecked.lost, changed)) continue;
      PaintModel relit = across.Relit(paints_, before.stands);
      LearnBackground(relit, in_one, blind_mask, camera, table_.frame, covered);
      const StandLook in_light = LookAt(in_one, camera, blind_mask, relit);
      RecheckedStands again = RecheckStands(in_light, before, changed);
      std::vector<StandObservation> moved = FindMovedStands(in_light, before, again, changed);
      // Where none went into the other light, it was another thing that hid one.
      if (across.AnyWent(again.lost, moved)) take_if_more(std::move(again), std::move(moved));
    }
  }

  DropAroundCovered(look, before, rechecked, changed, seen);
  StandScene scene;
  scene.stands = rechecked.kept;
  const StandAssignment assignment = AssignStands(rechecked.lost, seen, options_.reach_in);
  scene.doubts = assignment.doubts;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const int l = assignment.lost_of_found[i];
    if (l >= 0) {
      seen[i].stand = rechecked.lost[static_cast<std::size_t>(l)].stand;
      seen[i].unit = rechecked.lost[static_cast<std::size_t>(l)].unit;
    } else {
      NameNewcomer(scenario_, seen[i], before, scene);
    }
    scene.stands.push_back(seen[i]);
  }
  KeepCovered(look, before, rechecked, assignment, changed, scene);
  if (!scene.doubts.empty()) {
    const auto handled = std::make_shared<const HandledStands>(
        HandledStands{rechecked.lost, seen, options_.reach_in});
    for (IdentityDoubt& doubt : scene.doubts) doubt.handled = handled;
  }
  SeparateFootprints(scene.stands);
  std::sort(scene.stands.begin(), scene.stands.end(),
            [](const auto& a, const auto& b) { return a.stand < b.stand; });
  // Until it fits; from then on units move as the game goes.
  if (before.setup_doubt) scene.setup_doubt = CheckSetup(look, scene.stands);
  return scene;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("stands: ") + e.what()};
}

Status StandDetector::FollowLight(const cv::Mat& taken_then, const cv::Mat& taken,
                                  const TableCamera& camera, const StandScene& scene,
                                  std::span<const Polygon> covered) {
  const cv::Mat nothing;
  for (const cv::Mat& bgr : {taken_then, taken}) {
    if (Status checked = Check(bgr, nothing, camera); !checked.ok()) return checked;
  }
  const cv::Mat was = Brightened(taken_then, brightened_);
  const double brightened = LightLacking(taken, camera, table_);
  const cv::Mat now = Brightened(taken, brightened);
  std::vector<StandHypothesis> stands;
  for (const StandObservation& o : scene.stands) stands.push_back(AsHypothesis(o));
  std::vector<CoveredPart> parts = SquaresUnder(table_.frame, scene.stands);
  for (const Polygon& outline : covered) parts.push_back({outline});
  cv::Mat even_then = was;
  cv::Mat even = now;
  if (lights_) {
    even_then = InOneLight(was, {}, camera, table_.frame, *lights_);
    lights_ = Followed(*lights_, FindTwoLights(now, {}, camera, table_.frame));
    even = InOneLight(now, {}, camera, table_.frame, *lights_);
  }
  if (!FollowPaints(paints_, even_then, even, camera, scenario_, stands)) return Done{};
  brightened_ = brightened;
  LearnBackground(paints_, even, {}, camera, table_.frame, parts);
  LearnCoveredBackground(paints_, even, {}, camera, table_.frame, parts);
  return Done{};
}

}  // namespace fos
