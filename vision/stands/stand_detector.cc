#include "vision/stands/stand_detector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "vision/image/rectify.h"
#include "vision/scene/terrain_view.h"
#include "vision/stands/paint_learning.h"
#include "vision/stands/stand_assignment.h"
#include "vision/stands/stand_fit.h"
#include "vision/stands/stand_outline.h"
#include "vision/stands/stand_packing.h"

namespace fos {

struct StandDetector::Look {
  const cv::Mat& bgr;
  const cv::Mat& blind;
  const TableCamera& camera;
  TerrainView terrain;
};

namespace {

constexpr double kDegree = CV_PI / 180;
// Half-width of the piece of table searched at once: a 4 in square and what leans out of it.
constexpr double kTileHalf_in = 2.8;
// A stand may stick out of its square, half of it and a little more.
constexpr double kLeanOut_in = 0.8;
// Figures lean out of their squares by this.
constexpr double kFiguresLean_in = 0.4;
// Nats a pixel of a top, halfway from the least that a pixel counts (see SearchStands) to nothing:
// below it hardly any of it looks like the paint as the whole table shows it.
constexpr double kLeastTop = -0.3;

// Another kind's bar where the scenario places a stand, another side's paint, or one that faces
// another way: as seldom as a club errs in deploying, one stand in a few hundred.
constexpr double kUnexpectedStand_nats = 6;

bool IsHill(const TerrainArea& area) { return area.type == "hill" && area.height_in > 0; }

// Headings about a facing: units are deployed roughly, not exactly.
void AddHeadings(std::vector<double>& headings, double middle_rad, double reach_rad,
                 double step_rad) {
  const int n = static_cast<int>(std::lround(reach_rad / step_rad));
  for (int i = -n; i <= n; ++i) {
    const double h = WrappedAngle(middle_rad + i * step_rad);
    if (std::none_of(headings.begin(), headings.end(),
                     [h](double o) { return std::abs(WrappedAngle(o - h)) < 0.01; }))
      headings.push_back(h);
  }
}

double HalfDiagonal(Box2 box) { return 0.5 * std::hypot(box.width_in, box.depth_in); }

Polygon SquareOutline(const TableFrame& frame, SquareIndex square, double margin_in) {
  const double side = frame.square_in + 2 * margin_in;
  return ToPolygon(Corners({frame.CentreOf(square), 0}, {side, side}));
}

}  // namespace

StandDetector::StandDetector(const TableSpec& table, const Scenario& scenario,
                             StandDetectorOptions options)
    : table_(table), scenario_(scenario), options_(std::move(options)), paints_(scenario) {}

double StandDetector::GroundAt(Vec2 at) const {
  double ground = 0;
  for (const TerrainArea& area : scenario_.terrain) {
    if (IsHill(area) && Contains(area.polygon, at)) ground = std::max(ground, area.height_in);
  }
  return ground;
}

void StandDetector::BeginTrace(const Look& look) const {
  if (!trace_) return;
  *trace_ = {};
  trace_->picture = look.bgr.clone();
  trace_->camera = look.camera;
}

void StandDetector::Note(const char* stage, std::span<const StandHypothesis> stands) const {
  if (trace_) trace_->stages.push_back({stage, {stands.begin(), stands.end()}});
}

void StandDetector::NoteDropped(const StandHypothesis& h, std::string why) const {
  if (trace_) trace_->dropped.push_back({h, std::move(why)});
}

Status StandDetector::Check(const Look& look) const {
  const CameraModel& lens = look.camera.lens;
  if (look.bgr.type() != CV_8UC3 || look.bgr.cols != lens.width_px ||
      look.bgr.rows != lens.height_px) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("stands: want a colour picture of {} x {}, as the camera is "
                             "calibrated for, got {} x {}",
                             lens.width_px, lens.height_px, look.bgr.cols, look.bgr.rows)};
  }
  if (!look.blind.empty() &&
      (look.blind.type() != CV_8UC1 || look.blind.size() != look.bgr.size())) {
    return Error{ErrorCode::kBadFormat, "stands: the blind mask is not of the picture's size"};
  }
  return Ok();
}

std::vector<StandHypothesis> StandDetector::Candidates(const Look& look, Vec2 centre,
                                                       double half_in,
                                                       std::span<const StandClass> classes,
                                                       std::span<const double> headings,
                                                       std::span<const StandHypothesis> others,
                                                       double least_score) const {
  std::vector<StandHypothesis> candidates;
  if (classes.empty()) return candidates;
  TakenFootprints taken;
  for (const StandHypothesis& o : others) {
    const Box2 box = KindOf(o).footprint;
    if (Distance(o.table_from_stand.origin, centre) < half_in * M_SQRT2 + HalfDiagonal(box))
      taken.push_back(ToPolygon(Corners(o.table_from_stand, box)));
  }
  std::vector<double> grounds{0};
  for (const TerrainArea& area : scenario_.terrain) {
    if (IsHill(area) && DistanceTo(area.polygon, centre) < half_in * M_SQRT2 &&
        std::find(grounds.begin(), grounds.end(), area.height_in) == grounds.end())
      grounds.push_back(area.height_in);
  }
  for (const double ground : grounds) {
    const double top =
        ground + scenario_.kinds.at(static_cast<std::size_t>(classes[0].kind)).thickness_in;
    const TablePatch patch = RectifyPatch(look.bgr, look.blind, look.camera, centre, half_in,
                                          options_.search_px_per_in, top);
    for (StandHypothesis& h :
         SearchStands(patch, paints_, scenario_, classes, headings, taken, least_score)) {
      if (!table_.frame.Contains(h.table_from_stand.origin)) continue;
      if (std::abs(GroundAt(h.table_from_stand.origin) - ground) > 1e-6) continue;
      h.ground_in = ground;
      candidates.push_back(h);
    }
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const auto& a, const auto& b) { return a.score > b.score; });
  return candidates;
}

std::vector<StandHypothesis> StandDetector::Search(const Look& look, Vec2 centre, double half_in,
                                                   std::span<const StandClass> classes,
                                                   std::span<const double> headings,
                                                   std::span<const StandHypothesis> others,
                                                   double least_score) const {
  std::vector<StandHypothesis> candidates =
      Candidates(look, centre, half_in, classes, headings, others, least_score);
  // The packing weighs pairs: the best few dozen hold every stand of a square several times over.
  constexpr std::size_t kMost = 160;
  if (candidates.size() > kMost) candidates.resize(kMost);
  std::vector<StandHypothesis> out;
  for (const std::size_t i : SolveSetPacking(candidates, scenario_, 0.8 * least_score))
    out.push_back(candidates[i]);
  return out;
}

StandHypothesis StandDetector::Refine(const Look& look, const StandHypothesis& h,
                                      std::span<const StandHypothesis> others) const {
  const KindSpec& kind = KindOf(h);
  const double top = h.ground_in + kind.thickness_in;
  TakenFootprints taken;
  for (const StandHypothesis& other : others) {
    const Box2 box = KindOf(other).footprint;
    if (&other != &h &&
        OverlapDepth(h.table_from_stand, kind.footprint, other.table_from_stand, box) > -0.5)
      taken.push_back(ToPolygon(Corners(other.table_from_stand, box)));
  }
  const double ppi = std::clamp(PixelsPerInch(look.camera, h.table_from_stand.origin, top),
                                options_.search_px_per_in, 2 * options_.search_px_per_in);
  const TablePatch patch =
      RectifyPatch(look.bgr, look.blind, look.camera, h.table_from_stand.origin,
                   HalfDiagonal(kind.footprint) + 0.3, ppi, top);
  StandHypothesis out =
      RefineOnPaints(patch, paints_, scenario_, h.what, h.table_from_stand, taken);
  out.ground_in = h.ground_in;
  return out;
}

void StandDetector::Settle(const Look& look, std::vector<StandHypothesis>& stands,
                           std::span<const StandHypothesis> fixed) const {
  constexpr double kOverlap_in = 0.04;  // half a search pixel
  constexpr int kSweeps = 2;
  const auto depth = [&](const StandHypothesis& a, const StandHypothesis& b) {
    return OverlapDepth(a.table_from_stand, KindOf(a).footprint, b.table_from_stand,
                        KindOf(b).footprint);
  };
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (StandHypothesis& h : stands) {
      if (h.by_outline) continue;
      const KindSpec& kind = KindOf(h);
      TakenFootprints taken;
      bool overlaps = false;
      const auto beside = [&](const StandHypothesis& other) {
        if (&other == &h) return;
        const double d = depth(h, other);
        overlaps = overlaps || d > kOverlap_in;
        if (d > -1)
          taken.push_back(ToPolygon(Corners(other.table_from_stand, KindOf(other).footprint)));
      };
      for (const StandHypothesis& other : stands) beside(other);
      for (const StandHypothesis& other : fixed) beside(other);
      if (!overlaps) continue;
      const TablePatch patch =
          RectifyPatch(look.bgr, look.blind, look.camera, h.table_from_stand.origin,
                       HalfDiagonal(kind.footprint) + 0.45, options_.search_px_per_in,
                       h.ground_in + kind.thickness_in);
      std::vector<double> headings;
      AddHeadings(headings, h.table_from_stand.heading_rad, 4 * kDegree, 2 * kDegree);
      const std::array<StandClass, 1> what{h.what};
      const auto summits = SearchStands(patch, paints_, scenario_, what, headings, taken, -1);
      if (summits.empty()) continue;
      h.table_from_stand = summits.front().table_from_stand;
      h.score = summits.front().score;
    }
  }
  std::vector<StandHypothesis> all = stands;
  all.insert(all.end(), fixed.begin(), fixed.end());
  for (int sweep = 0; sweep < 3; ++sweep)
    for (std::size_t i = 0; i < stands.size(); ++i)
      if (!stands[i].by_outline) all[i] = stands[i] = Refine(look, all[i], all);
  // What has no evidence of its own once its neighbours have theirs was their echo.
  std::sort(stands.begin(), stands.end(),
            [](const auto& a, const auto& b) { return a.score > b.score; });
  std::vector<StandHypothesis> kept;
  constexpr double kSame_in = 0.3;
  for (const StandHypothesis& h : stands) {
    if (!h.by_outline && h.score < options_.least_score) {
      NoteDropped(
          h, fmt::format("settled: score {:.2f} (bar {:.2f}, top {:.2f})", h.score, h.bar, h.top));
      continue;
    }
    const auto same = [&](const StandHypothesis& k) { return depth(h, k) > kSame_in; };
    if (std::any_of(kept.begin(), kept.end(), same) ||
        std::any_of(fixed.begin(), fixed.end(), same)) {
      NoteDropped(h, fmt::format("settled: lies in another, score {:.2f}", h.score));
      continue;
    }
    kept.push_back(h);
  }
  stands = std::move(kept);
}

std::vector<StandHypothesis> StandDetector::SearchByOutline(const Look& look, Vec2 centre,
                                                            double half_in, StandClass what,
                                                            std::span<const double> headings,
                                                            std::span<const StandHypothesis> others,
                                                            std::size_t room,
                                                            double least_bar_nats) const {
  const std::array<StandClass, 1> classes{what};
  const Box2 box = scenario_.kinds.at(static_cast<std::size_t>(what.kind)).footprint;
  std::vector<StandHypothesis> all(others.begin(), others.end());
  std::vector<StandHypothesis> kept;
  constexpr double kMargin_in = 0.3;  // half the depth of the usual base, less what leans out
  const double searched_in = half_in + kMargin_in;
  while (kept.size() < room) {
    // The paints as the whole table shows them only say where to look: places apart from one
    // another by what the outline may move.
    constexpr double kApart_in = 0.15;
    constexpr double kApart_rad = 9 * kDegree;
    constexpr double kTooDeep_in = 0.3;
    constexpr std::size_t kMostSeeds = 24;
    std::vector<StandHypothesis> seeds;
    for (const StandHypothesis& h : Candidates(look, centre, searched_in, classes, headings, all,
                                               options_.least_score_faint)) {
      const auto near = [&](const StandHypothesis& s) {
        return Distance(s.table_from_stand.origin, h.table_from_stand.origin) < kApart_in &&
               std::abs(WrappedAngle(s.table_from_stand.heading_rad -
                                     h.table_from_stand.heading_rad)) < kApart_rad;
      };
      const auto in = [&](const StandHypothesis& o) {
        return OverlapDepth(h.table_from_stand, box, o.table_from_stand, KindOf(o).footprint) >
               kTooDeep_in;
      };
      // Past the rim of what is searched all is unknown, and a bar there would be no worse than one
      // that is hidden.
      const auto past_rim = [&](Vec2 corner) {
        return std::max(std::abs(corner.x - centre.x), std::abs(corner.y - centre.y)) > searched_in;
      };
      const auto corners = Corners(h.table_from_stand, box);
      if (std::any_of(corners.begin(), corners.end(), past_rim) ||
          std::any_of(seeds.begin(), seeds.end(), near) || std::any_of(all.begin(), all.end(), in))
        continue;
      seeds.push_back(h);
      if (seeds.size() == kMostSeeds) break;
    }
    // Which of them explains the picture best is told by the colours as they are just there.
    std::optional<StandHypothesis> best;
    Measured best_measured;
    for (StandHypothesis h : seeds) {
      h.by_outline = true;
      const Measured first = Measure(look, h, all);
      h.table_from_stand = first.stand.table_from_stand;
      const Measured m = Measure(look, h, all);
      h.table_from_stand = m.stand.table_from_stand;
      if (std::any_of(all.begin(), all.end(), [&](const StandHypothesis& o) {
            return OverlapDepth(h.table_from_stand, box, o.table_from_stand, KindOf(o).footprint) >
                   kTooDeep_in;
          }))
        continue;
      if ((best && m.evidence <= best_measured.evidence) || LacksPaint(h, m)) continue;
      best = h;
      best_measured = m;
    }
    if (!best || !Believable(*best, best_measured)) break;
    if (best_measured.bar_evidence < least_bar_nats) {
      NoteDropped(*best, fmt::format("its bar says too little of how it faces: {:.0f} nats",
                                     best_measured.bar_evidence));
      break;
    }
    kept.push_back(*best);
    all.push_back(*best);
  }
  return kept;
}

std::vector<StandHypothesis> StandDetector::TwoInsteadOf(const Look& look,
                                                         std::span<const StandHypothesis> stands,
                                                         std::size_t i) const {
  const StandHypothesis& one = stands[i];
  std::vector<StandHypothesis> others(stands.begin(), stands.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
  const double evidence = Measure(look, one, others).evidence;
  const auto measure = [&](const StandHypothesis& h, const StandHypothesis& beside) {
    std::vector<StandHypothesis> about = others;
    about.push_back(beside);
    return Measure(look, h, about);
  };
  const auto in_others = [&](const StandHypothesis& h, double depth_in) {
    return std::any_of(others.begin(), others.end(), [&](const StandHypothesis& o) {
      return OverlapDepth(h.table_from_stand, KindOf(h).footprint, o.table_from_stand,
                          KindOf(o).footprint) > depth_in;
    });
  };
  // Where they touch is unknown: paint is as even within them as at their ends, which alone say how
  // far the two reach. The outline moves each by a tenth of an inch.
  constexpr double kStep_in = 0.2;
  constexpr double kMoves_in = 0.2;
  const double width = KindOf(one).footprint.width_in;
  const int steps = static_cast<int>(std::ceil(width / 2 / kStep_in));
  std::vector<StandHypothesis> two;
  double most = 0;
  const auto try_at = [&](int k) {
    std::vector<StandHypothesis> pair(2, one);
    for (std::size_t j = 0; j < 2; ++j) {
      const double way = (j == 0 ? -0.5 : 0.5) * width + k * (width / 2 / steps);
      pair[j].by_outline = true;
      pair[j].table_from_stand = one.table_from_stand * Pose2{{way, 0}, 0};
    }
    if (in_others(pair[0], kMoves_in) || in_others(pair[1], kMoves_in)) return true;
    const double together = measure(pair[0], pair[1]).evidence + measure(pair[1], pair[0]).evidence;
    if (together > most) {
      most = together;
      two = std::move(pair);
    }
    // Of the two at least three quarters lie there, the fourth says as much against it; of one that
    // stands alone but a half.
    return together > 0.5 * evidence;
  };
  if (!try_at(0)) return {};
  for (int k = 1; k <= steps; ++k) {
    try_at(k);
    try_at(-k);
  }
  if (two.empty()) return {};
  double together = 0;
  for (std::size_t j = 0; j < 2; ++j) {
    StandHypothesis& h = two[j];
    Measured m;
    for (int round = 0; round < 3; ++round) {
      m = measure(h, two[1 - j]);
      h.table_from_stand = m.stand.table_from_stand;
    }
    constexpr double kTooDeep_in = 0.1;  // contact, and the doubt of both
    // Where one of them is the one itself, the other is no more than missing.
    constexpr double kSame_in = 0.15;  // what the outline may move, and its doubt
    if (in_others(h, kTooDeep_in) || !Believable(h, m) ||
        Distance(h.table_from_stand.origin, one.table_from_stand.origin) < kSame_in)
      return {};
    together += m.evidence;
  }
  // One that stands there alone has half of each at most.
  constexpr double kMoreThanOne = 1.5;
  if (together < kMoreThanOne * evidence) return {};
  NoteDropped(one,
              fmt::format("two stand there: evidence {:.0f}, as one {:.0f}", together, evidence));
  return two;
}

bool StandDetector::IsAbout(const UnitSpec& unit, const StandHypothesis& h) const {
  const Vec2 off = h.table_from_stand.origin - table_.frame.CentreOf(unit.square);
  const double reach = table_.frame.square_in / 2 + kLeanOut_in;
  return h.what == StandClass{unit.side, unit.kind} && std::abs(off.x) < reach &&
         std::abs(off.y) < reach;
}

bool StandDetector::FindMissing(const Look& look, const UnitSpec& unit,
                                std::vector<StandHypothesis>& stands) const {
  const StandClass what{unit.side, unit.kind};
  int expected = 0;
  for (const UnitSpec& other : scenario_.units) {
    if (other.square == unit.square && StandClass{other.side, other.kind} == what)
      expected += other.stands;
  }
  const std::size_t before = stands.size();
  const auto is_here = [&](const StandHypothesis& h) { return IsAbout(unit, h); };
  auto here = std::count_if(stands.begin(), stands.end(), is_here);
  if (here >= expected) return false;
  // Of two side by side in contact the halves next to each other look much like one: it may have
  // been taken for both.
  for (std::size_t i = 0; i < stands.size() && here < expected; ++i) {
    if (!is_here(stands[i])) continue;
    const std::vector<StandHypothesis> two = TwoInsteadOf(look, stands, i);
    if (two.empty()) continue;
    stands[i] = two[0];
    stands.push_back(two[1]);
    ++here;
  }
  if (here >= expected) return true;
  // First as deployed, then any way round.
  const double half = table_.frame.square_in / 2 + kLeanOut_in;
  for (const double reach : {24.0, 180.0}) {
    std::vector<double> headings;
    AddHeadings(headings, HeadingFromBearing(BearingOf(unit.facing)), reach * kDegree,
                (reach < 90 ? 4 : 6) * kDegree);
    const auto room = static_cast<std::size_t>(expected - static_cast<int>(here));
    const auto found =
        SearchByOutline(look, table_.frame.CentreOf(unit.square), half, what, headings, stands,
                        room, reach < 90 ? -kUnexpectedStand_nats : kUnexpectedStand_nats);
    if (found.empty()) continue;
    stands.insert(stands.end(), found.begin(), found.end());
    break;
  }
  return stands.size() > before;
}

bool StandDetector::FindMissing(const Look& look, std::vector<StandHypothesis>& stands) const {
  bool any = false;
  for (const UnitSpec& unit : scenario_.units) any |= FindMissing(look, unit, stands);
  return any;
}

bool StandDetector::ReplaceWeak(const Look& look, std::vector<StandHypothesis>& stands,
                                std::span<const Measured> measured) const {
  // Nats a square inch of base.
  const auto strength = [&](std::size_t i) {
    const Box2 box = KindOf(stands[i]).footprint;
    return measured[i].evidence / (box.width_in * box.depth_in);
  };
  std::vector<double> all;
  for (std::size_t i = 0; i < stands.size(); ++i) all.push_back(strength(i));
  if (all.empty()) return false;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  // What says so much less for itself than the others do stands under trees, or is a shadow that is
  // dark as a gun's bar, with the gun beside it; twice as much said for another place decides.
  constexpr double kWeak = 1.0 / 3;
  constexpr double kMore = 2;
  const double weak = kWeak * *middle;
  bool any = false;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    if (strength(i) > weak) continue;
    const auto unit = std::find_if(scenario_.units.begin(), scenario_.units.end(),
                                   [&](const UnitSpec& u) { return IsAbout(u, stands[i]); });
    if (unit == scenario_.units.end()) continue;
    std::vector<StandHypothesis> others = stands;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const std::size_t known = others.size();
    if (!FindMissing(look, *unit, others) || others.size() != known + 1) continue;
    const double evidence = Measure(look, others.back(), others).evidence;
    if (evidence < kMore * measured[i].evidence) continue;
    NoteDropped(stands[i], fmt::format("stands elsewhere: evidence {:.0f}, there {:.0f}",
                                       measured[i].evidence, evidence));
    stands[i] = others.back();
    any = true;
  }
  return any;
}

std::vector<Vec2> StandDetector::PaintedSpots(const Look& look, int side,
                                              std::span<const StandHypothesis> known) const {
  constexpr double kPixelsPerIn = 7;  // a dozen of the smallest base's top
  constexpr double kTop_in = 0.1;     // of the usual base; a spot is right to half an inch
  const TableFrame& frame = table_.frame;
  const TablePatch patch =
      RectifyPatch(look.bgr, look.blind, look.camera, {frame.Width() / 2, frame.Depth() / 2},
                   0.5 * std::max(frame.Width(), frame.Depth()), kPixelsPerIn, kTop_in);
  std::vector<float> of_bin(kPaintBins, -1e9F);
  for (std::size_t kind = 0; kind < scenario_.kinds.size(); ++kind) {
    const StandEvidence& evidence = paints_.Evidence(side, static_cast<int>(kind));
    for (std::size_t b = 0; b < of_bin.size(); ++b)
      of_bin[b] = std::max(of_bin[b], evidence.top[b]);
  }
  cv::Mat taken(patch.bgr.size(), CV_8UC1, cv::Scalar(0));
  for (const StandHypothesis& h : known) {
    constexpr double kBeside_in = 0.1;
    const Box2 box = KindOf(h).footprint;
    std::vector<cv::Point> outline;
    for (const Vec2 corner : Corners(
             h.table_from_stand, {box.width_in + 2 * kBeside_in, box.depth_in + 2 * kBeside_in})) {
      const cv::Point2d p = patch.PixelFromTable(corner);
      outline.emplace_back(cvRound(p.x), cvRound(p.y));
    }
    cv::fillConvexPoly(taken, outline, cv::Scalar(255));
  }
  cv::Mat evidence(patch.bgr.size(), CV_32FC1, cv::Scalar(0));
  cv::Mat painted(patch.bgr.size(), CV_32FC1, cv::Scalar(0));
  for (int r = 0; r < evidence.rows; ++r) {
    for (int c = 0; c < evidence.cols; ++c) {
      if (patch.seen.at<std::uint8_t>(r, c) == 0 || taken.at<std::uint8_t>(r, c) != 0 ||
          !frame.Contains(patch.TableFromPixel(c, r)))
        continue;
      const float e = of_bin[static_cast<std::size_t>(PaintBin(patch.bgr.at<cv::Vec3b>(r, c)))];
      evidence.at<float>(r, c) =
          std::clamp(e, -0.6F, 1.5F);  // figures say little, as in the search
      painted.at<float>(r, c) = e > 0 ? 1.0F : 0.0F;
    }
  }
  // The smallest base's top, and what lies about a whole unit: a river or a roof goes on.
  const auto odd = [](double inches) {
    return 2 * static_cast<int>(std::lround(inches * kPixelsPerIn / 2)) + 1;
  };
  constexpr double kSpot_in = 0.6;
  constexpr double kUnit_in = 4.4;
  constexpr double kApart_in = 0.9;
  const auto mean_over = [&](const cv::Mat& of, double inches) {
    cv::Mat out;
    cv::boxFilter(of, out, -1, {odd(inches), odd(inches)}, {-1, -1}, true, cv::BORDER_REPLICATE);
    return out;
  };
  const cv::Mat spot = mean_over(evidence, kSpot_in);
  const cv::Mat about = mean_over(painted, kUnit_in);
  cv::Mat highest;
  cv::dilate(spot, highest,
             cv::getStructuringElement(cv::MORPH_RECT, {odd(kApart_in), odd(kApart_in)}));
  std::vector<std::pair<float, Vec2>> found;
  constexpr float kLeastSpot = 0.3F;   // nats a pixel, figures counted in
  constexpr float kMostAbout = 0.45F;  // four bases in contact cover a quarter
  for (int r = 0; r < spot.rows; ++r) {
    for (int c = 0; c < spot.cols; ++c) {
      const float here = spot.at<float>(r, c);
      if (here < kLeastSpot || here < highest.at<float>(r, c) || about.at<float>(r, c) > kMostAbout)
        continue;
      found.emplace_back(here, patch.TableFromPixel(c, r));
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Vec2> out;
  constexpr std::size_t kMost = 10;  // a twentieth of a second each
  for (const auto& [strength, at] : found) {
    if (out.size() == kMost) break;
    out.push_back(at);
  }
  return out;
}

bool StandDetector::IsUnexpected(const StandHypothesis& h, const Measured& m) const {
  // Nobody said that it should be there, and a table has thousands of places: its paints, its own
  // bar and its outline must each say so by themselves.
  constexpr double kLeastScore = 1.8;
  constexpr double kLeastEvidence_nats = 60;
  constexpr double kLeastBar_nats = 20;
  constexpr double kLeastSide_nats = 10;
  constexpr double kLeastEdges = 0.3;
  if (!Believable(h, m)) return false;
  if (h.score >= kLeastScore && m.evidence >= kLeastEvidence_nats &&
      m.bar_evidence >= kLeastBar_nats && m.side_evidence >= kLeastSide_nats &&
      m.edges >= kLeastEdges)
    return true;
  NoteDropped(h, fmt::format("no stranger: score {:.2f}, evidence {:.0f}, bar {:.0f}, side {:.0f} "
                             "nats, edges {:.2f}",
                             h.score, m.evidence, m.bar_evidence, m.side_evidence, m.edges));
  return false;
}

void StandDetector::FindUnexpectedStands(const Look& look,
                                         std::vector<StandHypothesis>& stands) const {
  constexpr double kMostHidden = 0.3;  // what is seen there is terrain
  constexpr double kHalf_in = 1.7;     // of the piece searched: the longest base and its rim
  std::vector<double> headings;
  AddHeadings(headings, 0, CV_PI, 10 * kDegree);
  for (std::size_t side = 0; side < scenario_.sides.size(); ++side) {
    std::vector<StandClass> classes;
    for (std::size_t kind = 0; kind < scenario_.kinds.size(); ++kind)
      classes.push_back({static_cast<int>(side), static_cast<int>(kind)});
    for (const Vec2 spot : PaintedSpots(look, static_cast<int>(side), stands)) {
      std::vector<StandHypothesis> here =
          Search(look, spot, kHalf_in, classes, headings, stands, options_.least_score);
      Settle(look, here, stands);
      for (const StandHypothesis& h : here) {
        const Box2 box = KindOf(h).footprint;
        const double top = h.ground_in + KindOf(h).thickness_in;
        if (look.terrain.Fills(h.table_from_stand, box) ||
            look.terrain.HiddenShare(h.table_from_stand, box, top) > kMostHidden)
          continue;
        std::vector<StandHypothesis> others = stands;
        others.insert(others.end(), here.begin(), here.end());
        std::erase_if(others, [&](const StandHypothesis& o) {
          return o.table_from_stand.origin == h.table_from_stand.origin;
        });
        const Measured m = Measure(look, h, others);
        if (!IsUnexpected(h, m)) continue;
        // Where by another side's paint, as it is just there, it is one as well, it is of the side
        // whose paint had to change less: two blues are alike, the one in better light.
        StandHypothesis best = h;
        double least_off = m.paint_off;
        for (std::size_t other = 0; other < scenario_.sides.size(); ++other) {
          if (other == side) continue;
          StandHypothesis rival = h;
          rival.what.side = static_cast<int>(other);
          rival = Refine(look, rival, others);
          const Measured as_rival = Measure(look, rival, others);
          if (as_rival.paint_off >= least_off || !IsUnexpected(rival, as_rival)) continue;
          best = rival;
          least_off = as_rival.paint_off;
        }
        stands.push_back(best);
      }
    }
  }
}

void StandDetector::DropUnexpected(const Look& look, std::vector<StandHypothesis>& stands) const {
  std::vector<int> room;
  for (const UnitSpec& unit : scenario_.units) room.push_back(unit.stands);
  // Where more are seen than are placed, those for which the picture says most.
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < stands.size(); ++i)
    order.emplace_back(Measure(look, stands[i], stands).evidence, i);
  std::sort(order.begin(), order.end(), std::greater<>());
  std::vector<StandHypothesis> kept;
  for (const auto& [evidence, i] : order) {
    const StandHypothesis& h = stands[i];
    const auto takes = [&](std::size_t u) { return room[u] > 0 && IsAbout(scenario_.units[u], h); };
    std::size_t u = 0;
    while (u < room.size() && !takes(u)) ++u;
    if (u < room.size()) {
      --room[u];
    } else if (h.score < options_.least_score_unexpected) {
      NoteDropped(h, fmt::format("not placed there by the scenario, score {:.2f}, evidence {:.0f}",
                                 h.score, evidence));
      continue;
    }
    kept.push_back(h);
  }
  stands = std::move(kept);
}

std::vector<StandDetector::Measured> StandDetector::MeasureAll(
    const Look& look, std::vector<StandHypothesis>& stands,
    std::span<const StandHypothesis> fixed) const {
  // Each needs to know where its neighbours are: from the paints first, then as they were measured.
  std::vector<StandHypothesis> all = stands;
  all.insert(all.end(), fixed.begin(), fixed.end());
  std::vector<Measured> measured(stands.size());
  constexpr int kSweeps = 2;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t i = 0; i < stands.size(); ++i) {
      measured[i] = Measure(look, all[i], all);
      all[i].table_from_stand = measured[i].stand.table_from_stand;
    }
  }
  std::vector<Measured> out;
  std::vector<StandHypothesis> kept;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    if (!Believable(stands[i], measured[i])) continue;
    out.push_back(measured[i]);
    kept.push_back(stands[i]);
  }
  stands = std::move(kept);
  return out;
}

std::vector<StandObservation> StandDetector::ObservationsOf(std::span<const Measured> measured) {
  std::vector<StandObservation> out;
  for (const Measured& m : measured) out.push_back(m.stand);
  return out;
}

bool StandDetector::LacksPaint(const StandHypothesis& h, const Measured& m) {
  // Nats a piece, an eighth of what one piece may say at most.
  constexpr double kPlain_nats = 0.5;
  return h.top < kLeastTop && m.top_evidence < kPlain_nats * m.top_pieces;
}

bool StandDetector::Believable(const StandHypothesis& h, const Measured& m) const {
  // The search tries about e^12 poses a square: to be wrong once in some thousand squares the
  // picture must be e^20 times likelier with the stand than without it.
  constexpr double kLeastEvidence_nats = 20;
  // Of a base less than this of what no terrain hides is in view only where something else is
  // taken for it.
  constexpr double kLeastVisible = 0.4;
  const auto numbers = [&] {
    return fmt::format(
        "score {:.2f} (bar {:.2f}, top {:.2f}){}, evidence {:.0f} (top {:.0f}), visible {:.2f}, "
        "edges {:.2f}, "
        "bar seen {:.2f}, bar {:.0f}, side {:.0f} nats",
        h.score, h.bar, h.top, h.by_outline ? " by outline" : "", m.evidence, m.top_evidence,
        m.stand.visible, m.edges, m.bar_seen, m.bar_evidence, m.side_evidence);
  };
  // A line or a road's edge may pass for a bar: what lies behind it must be paint by itself.
  constexpr double kLeastTop_nats = 10;
  if (m.evidence < kLeastEvidence_nats || m.top_evidence < kLeastTop_nats ||
      m.like < kLeastVisible * m.open) {
    NoteDropped(h, "little of it is in view: " + numbers());
    return false;
  }
  if (LacksPaint(h, m)) {
    NoteDropped(h, "nothing there looks like the side's paint: " + numbers());
    return false;
  }
  if (!h.by_outline && h.score >= options_.least_score) return true;
  if (m.bar_evidence > -kUnexpectedStand_nats && m.side_evidence > -kUnexpectedStand_nats)
    return true;
  NoteDropped(h, "neither paint nor outline: " + numbers());
  return false;
}

StandDetector::Measured StandDetector::Measure(const Look& look, const StandHypothesis& h,
                                               std::span<const StandHypothesis> others) const {
  const KindSpec& kind = KindOf(h);
  std::vector<OutlineNeighbour> near;
  for (const StandHypothesis& other : others) {
    constexpr double kReach_in = 0.6;  // a ring about the base and what the outline may move
    const Box2 box = KindOf(other).footprint;
    const double depth =
        OverlapDepth(h.table_from_stand, kind.footprint, other.table_from_stand, box);
    // What lies a third of an inch in it is the stand itself or a rival for its place.
    constexpr double kSame_in = 0.34;
    if (&other != &h && depth > -kReach_in && depth < kSame_in)
      near.push_back({Inverse(other.table_from_stand), box});
  }
  const Paint& side = paints_.side(h.what.side);
  const Paint& bar = paints_.bar(h.what.side, h.what.kind);
  OutlineRivals rivals;
  for (std::size_t k = 0; k < scenario_.kinds.size(); ++k) {
    // A base of another size has another outline: that tells it already.
    constexpr double kAlike_in = 0.1;
    const Box2 box = scenario_.kinds[k].footprint;
    if (static_cast<int>(k) != h.what.kind &&
        std::abs(box.width_in - kind.footprint.width_in) < kAlike_in &&
        std::abs(box.depth_in - kind.footprint.depth_in) < kAlike_in)
      rivals.bars.push_back(paints_.bar(h.what.side, static_cast<int>(k)));
  }
  for (std::size_t k = 0; k < scenario_.sides.size(); ++k)
    if (static_cast<int>(k) != h.what.side)
      rivals.sides.push_back(paints_.side(static_cast<int>(k)));
  constexpr double kStrayed_in = 0.5;  // the ring about the base and what it may move
  const TerrainView terrain =
      look.terrain.Near(h.table_from_stand.origin, HalfDiagonal(kind.footprint) + kStrayed_in);
  const StandOutline outline = FitOutline(look.bgr, look.camera, kind, side, bar,
                                          h.table_from_stand, h.ground_in, near, rivals, terrain);
  const StandFit fit =
      FitStand(look.bgr, look.camera, kind, side, bar, outline, h.ground_in, near, terrain);
  StandObservation out;
  out.side = h.what.side;
  out.kind = h.what.kind;
  out.table_from_stand = fit.table_from_stand;
  out.footprint = kind.footprint;
  out.ground_in = h.ground_in;
  out.centre_cov = fit.centre_cov;
  out.heading_sigma_rad = fit.heading_sigma_rad;
  out.visible = outline.visible;
  out.confidence = 1 / (1 + std::exp(-4 * (h.score - options_.least_score)));
  // Where the registration itself is unsure, so is everything that stands there.
  const ImagePoint at =
      ImageFromTable(look.camera, out.table_from_stand.origin, h.ground_in + kind.thickness_in);
  const auto registered = TableFromImage(look.camera, at, h.ground_in + kind.thickness_in, 0);
  if (registered.ok()) out.centre_cov = out.centre_cov + registered->cov;
  // Where the table itself has the paint's colour, what is like it beside the base is table; else
  // it is another stand of that side.
  constexpr double kStandsOut = 0.8;  // nats a pixel, figures counted in
  const bool may_be_table = h.top < kStandsOut;
  const auto least = [may_be_table](double alone, double patch) {
    return may_be_table ? std::min(alone, patch) : alone;
  };
  double top_evidence = least(outline.top_evidence, outline.patch_top_evidence);
  // A cloth is mottled over inches: less than this, nats a piece, is no paint.
  constexpr double kMottling_nats = 0.15;
  if (h.by_outline && may_be_table && top_evidence < kMottling_nats * outline.top_pieces)
    top_evidence = 0;
  return {out,
          least(outline.evidence, outline.patch_evidence),
          top_evidence,
          outline.top_pieces,
          fit.edges,
          outline.like,
          outline.open,
          outline.bar_seen,
          outline.bar_evidence,
          outline.side_evidence,
          DistanceSquared(side, outline.top.mean)};
}

void StandDetector::PartFootprints(std::vector<StandObservation>& stands) const {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < stands.size(); ++i) {
      for (std::size_t j = i + 1; j < stands.size(); ++j) {
        StandObservation& a = stands[i];
        StandObservation& b = stands[j];
        const Vec2 apart = b.table_from_stand.origin - a.table_from_stand.origin;
        if (Norm(apart) > HalfDiagonal(a.footprint) + HalfDiagonal(b.footprint)) continue;
        const double depth =
            OverlapDepth(a.table_from_stand, a.footprint, b.table_from_stand, b.footprint);
        if (depth <= 0) continue;
        // The side of a that b is nearest to.
        const Vec2 local = Rotated(apart, -a.table_from_stand.heading_rad);
        const double over_x = std::abs(local.x) / a.footprint.width_in;
        const double over_y = std::abs(local.y) / a.footprint.depth_in;
        const Vec2 side =
            over_x > over_y ? Vec2{local.x > 0 ? 1.0 : -1.0, 0} : Vec2{0, local.y > 0 ? 1.0 : -1.0};
        const Vec2 axis = Rotated(side, a.table_from_stand.heading_rad);
        const double va = VarianceAlong(a.centre_cov, axis) + 1e-9;
        const double vb = VarianceAlong(b.centre_cov, axis) + 1e-9;
        a.table_from_stand.origin = a.table_from_stand.origin - axis * (depth * va / (va + vb));
        b.table_from_stand.origin = b.table_from_stand.origin + axis * (depth * vb / (va + vb));
      }
    }
  }
}

std::string StandDetector::MayHide(const Look& look, SquareIndex square, int kind,
                                   std::span<const StandObservation> seen) const {
  const KindSpec& spec = scenario_.kinds.at(static_cast<std::size_t>(kind));
  const Vec2 centre = table_.frame.CentreOf(square);
  const double half = table_.frame.square_in / 2;
  const TerrainView terrain =
      look.terrain.Near(centre, half * M_SQRT2 + HalfDiagonal(spec.footprint));
  if (terrain.empty()) return {};
  constexpr double kStep_in = 0.25;
  // With less of it in view than this it need not be found.
  constexpr double kEnoughInView = 0.4;
  for (double y = -half; y <= half; y += kStep_in) {
    for (double x = -half; x <= half; x += kStep_in) {
      for (const double heading : {0.0, CV_PI / 4, CV_PI / 2, 3 * CV_PI / 4}) {
        const Pose2 pose{centre + Vec2{x, y}, heading};
        const double top = GroundAt(pose.origin) + spec.thickness_in;
        if (1 - terrain.HiddenShare(pose, spec.footprint, top) >= kEnoughInView ||
            terrain.Fills(pose, spec.footprint))
          continue;
        const auto in = [&](const StandObservation& s) {
          return OverlapDepth(pose, spec.footprint, s.table_from_stand, s.footprint) > 0;
        };
        if (std::none_of(seen.begin(), seen.end(), in)) return terrain.NameOfTallest();
      }
    }
  }
  return {};
}

void StandDetector::NameByDeployment(const Look& look, std::vector<StandObservation>& stands,
                                     std::vector<std::string>& remarks) const {
  std::vector<int> room;
  for (const UnitSpec& unit : scenario_.units) room.push_back(unit.stands);
  struct Match {
    double distance;
    std::size_t stand, unit;
  };
  std::vector<Match> matches;
  for (std::size_t s = 0; s < stands.size(); ++s) {
    for (std::size_t u = 0; u < scenario_.units.size(); ++u) {
      const UnitSpec& unit = scenario_.units[u];
      if (unit.side != stands[s].side || unit.kind != stands[s].kind) continue;
      // How far outside its square; within, all places are as good.
      const Vec2 off = stands[s].table_from_stand.origin - table_.frame.CentreOf(unit.square);
      const double half = table_.frame.square_in / 2;
      matches.push_back({std::hypot(std::max(0.0, std::abs(off.x) - half),
                                    std::max(0.0, std::abs(off.y) - half)) +
                             1e-3 * Norm(off),
                         s, u});
    }
  }
  std::sort(matches.begin(), matches.end(),
            [](const Match& a, const Match& b) { return a.distance < b.distance; });
  std::vector<int> unit_of(stands.size(), -1);
  std::vector<char> astray(stands.size(), 0);
  std::vector<int> missing = room;
  for (const Match& m : matches) {
    if (unit_of[m.stand] >= 0 || room[m.unit] == 0) continue;
    unit_of[m.stand] = static_cast<int>(m.unit);
    --room[m.unit];
    // Who is missed where the unit should be is taken for the one of its kind that is one too many
    // elsewhere, but people are told.
    astray[m.stand] = m.distance > kLeanOut_in ? 1 : 0;
    if (astray[m.stand] == 0) --missing[m.unit];
  }
  // Numbers run as the unit itself would count: front rank first, each from its left.
  std::vector<std::size_t> order(stands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (unit_of[a] != unit_of[b]) return unit_of[a] < unit_of[b];
    if (unit_of[a] < 0) return a < b;
    const double heading =
        HeadingFromBearing(BearingOf(scenario_.units[static_cast<std::size_t>(unit_of[a])].facing));
    const Vec2 pa = Rotated(stands[a].table_from_stand.origin, -heading);
    const Vec2 pb = Rotated(stands[b].table_from_stand.origin, -heading);
    const double rank_a = std::round(-pa.y / 0.5);
    const double rank_b = std::round(-pb.y / 0.5);
    return rank_a != rank_b ? rank_a < rank_b : pa.x < pb.x;
  });
  std::vector<StandObservation> named;
  std::map<std::string, int> last;
  for (const std::size_t i : order) {
    StandObservation o = stands[i];
    const std::optional<SquareIndex> square = table_.frame.SquareAt(o.table_from_stand.origin);
    const std::string where = square ? SquareName(*square) : "a place off the board";
    if (unit_of[i] >= 0) {
      const UnitSpec& unit = scenario_.units[static_cast<std::size_t>(unit_of[i])];
      o.unit = unit.id;
      o.stand.text = fmt::format("{}#{}", unit.id, ++last[unit.id]);
      if (astray[i] != 0) {
        remarks.push_back(fmt::format(
            "one {} stand ({}) seen in {} that the scenario does not place there; taken for {}",
            scenario_.sides[static_cast<std::size_t>(o.side)].name,
            scenario_.kinds[static_cast<std::size_t>(o.kind)].name, where, o.stand.text));
      }
    } else {
      const std::string& side = scenario_.sides[static_cast<std::size_t>(o.side)].name;
      o.stand.text = fmt::format("?{}#{}", side, ++last["?" + side]);
      remarks.push_back(fmt::format("one {} stand ({}) seen in {} that the scenario does not place",
                                    side, scenario_.kinds[static_cast<std::size_t>(o.kind)].name,
                                    where));
    }
    named.push_back(std::move(o));
  }
  for (std::size_t u = 0; u < scenario_.units.size(); ++u) {
    const UnitSpec& unit = scenario_.units[u];
    if (missing[u] == 0) continue;
    const std::string before = MayHide(look, unit.square, unit.kind, stands);
    remarks.push_back(
        fmt::format("{}: {} stands expected in {}, {} seen{}", unit.id, unit.stands,
                    SquareName(unit.square), unit.stands - missing[u],
                    before.empty() ? "" : fmt::format("; a {} there may hide the rest", before)));
  }
  stands = std::move(named);
}

std::vector<StandHypothesis> StandDetector::SearchSquares(const Look& look) const {
  std::map<std::pair<int, int>, std::vector<const UnitSpec*>> by_square;
  for (const UnitSpec& unit : scenario_.units)
    by_square[{unit.square.column, unit.square.row}].push_back(&unit);
  std::vector<StandHypothesis> stands;
  for (const auto& [square, units] : by_square) {
    std::vector<StandClass> classes;
    std::vector<double> headings;
    for (const UnitSpec* unit : units) {
      const StandClass what{unit->side, unit->kind};
      if (std::find(classes.begin(), classes.end(), what) == classes.end()) classes.push_back(what);
      AddHeadings(headings, HeadingFromBearing(BearingOf(unit->facing)), 20 * kDegree, 4 * kDegree);
    }
    const auto found = Search(look, table_.frame.CentreOf({square.first, square.second}),
                              table_.frame.square_in / 2 + kLeanOut_in, classes, headings, {},
                              options_.least_score);
    stands.insert(stands.end(), found.begin(), found.end());
  }
  return stands;
}

Result<StandScene> StandDetector::Start(const cv::Mat& bgr, const TableCamera& camera,
                                        const cv::Mat& blind_mask) try {
  const Look look{bgr, blind_mask, camera, TerrainView(scenario_, camera)};
  if (const Status checked = Check(look); !checked.ok()) return checked.error();
  BeginTrace(look);
  std::vector<Polygon> deployed;
  for (const UnitSpec& unit : scenario_.units) {
    deployed.push_back(SquareOutline(table_.frame, unit.square, kFiguresLean_in));
  }
  LearnBackground(paints_, bgr, blind_mask, camera, table_.frame, deployed);

  std::vector<StandHypothesis> stands;
  constexpr int kPasses = 3;  // nominal paints, the law of all paints, each paint
  for (int pass = 0; pass < kPasses; ++pass) {
    stands = SearchSquares(look);
    if (pass == 0) LearnPaints(paints_, bgr, camera, scenario_, stands, PaintLaw::kTogether);
    LearnPaints(paints_, bgr, camera, scenario_, stands, PaintLaw::kEach);
  }
  Note("searched", stands);
  Settle(look, stands, {});
  DropUnexpected(look, stands);
  Note("settled", stands);
  FindMissing(look, stands);
  Note("with those missing", stands);
  Settle(look, stands, {});
  DropUnexpected(look, stands);
  FindUnexpectedStands(look, stands);
  Note("settled again", stands);
  const std::size_t claimed = stands.size();
  std::vector<Measured> measured = MeasureAll(look, stands, {});
  // What the picture bears out little or not at all in the end may have kept the place of what
  // stands there.
  const bool moved = ReplaceWeak(look, stands, measured);
  if ((stands.size() < claimed && FindMissing(look, stands)) || moved) {
    Note("with those whose place was taken", stands);
    measured = MeasureAll(look, stands, {});
  }
  if (trace_) trace_->paints = paints_;

  StandScene scene;
  scene.stands = ObservationsOf(measured);
  PartFootprints(scene.stands);
  NameByDeployment(look, scene.stands, scene.remarks);
  return scene;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("stands: ") + e.what()};
}

Status StandDetector::FollowLight(const cv::Mat& was, const cv::Mat& now, const TableCamera& camera,
                                  const StandScene& scene, std::span<const Polygon> covered) {
  const cv::Mat nothing;
  for (const cv::Mat& bgr : {was, now}) {
    const Look look{bgr, nothing, camera, TerrainView(scenario_, camera)};
    if (Status checked = Check(look); !checked.ok()) return checked;
  }
  std::vector<StandHypothesis> stands;
  std::vector<Polygon> excluded(covered.begin(), covered.end());
  for (const StandObservation& o : scene.stands) {
    stands.push_back(AsHypothesis(o));
    for (const Vec2 corner : Corners(o.table_from_stand, o.footprint)) {
      const std::optional<SquareIndex> square = table_.frame.SquareAt(corner);
      if (square) excluded.push_back(SquareOutline(table_.frame, *square, kFiguresLean_in));
    }
  }
  if (!FollowPaints(paints_, was, now, camera, scenario_, stands)) return Done{};
  LearnBackground(paints_, now, {}, camera, table_.frame, excluded);
  return Done{};
}

StandDetector::Cover StandDetector::CoverOf(const Look& look, const StandObservation& stand,
                                            const cv::Mat& changed) const {
  const double top =
      stand.ground_in + scenario_.kinds.at(static_cast<std::size_t>(stand.kind)).thickness_in;
  // A little beyond the base: what touches it may have pushed it.
  constexpr double kMargin_in = 0.05;
  const Box2 box{stand.footprint.width_in + 2 * kMargin_in,
                 stand.footprint.depth_in + 2 * kMargin_in};
  std::vector<cv::Point> outline;
  for (const Vec2 corner : Corners(stand.table_from_stand, box)) {
    const ImagePoint p = ImageFromTable(look.camera, corner, top);
    outline.emplace_back(cvRound(p.x_px), cvRound(p.y_px));
  }
  const cv::Rect frame = cv::boundingRect(outline) & cv::Rect({0, 0}, look.bgr.size());
  Cover cover;
  if (frame.empty()) return cover;
  cv::Mat mask(frame.size(), CV_8UC1, cv::Scalar(0));
  for (cv::Point& p : outline) p -= frame.tl();
  cv::fillConvexPoly(mask, outline, cv::Scalar(255));
  const int area = std::max(1, cv::countNonZero(mask));
  constexpr double kTouched = 0.03;  // of the base: less is noise at its rim
  cover.changed =
      changed.empty() || cv::countNonZero(mask & (changed(frame) != 0)) > kTouched * area;
  if (!look.blind.empty())
    cover.blind = static_cast<double>(cv::countNonZero(mask & (look.blind(frame) != 0))) / area;
  return cover;
}

std::vector<Vec2> StandDetector::PlacesToSearch(const Look& look, const cv::Mat& changed) const {
  // Tiles of the board with anything changed in them, a little over each other so that every stand
  // lies whole in one.
  constexpr double kStep_in = 2 * kTileHalf_in - 2.4;  // less the longest base's diagonal
  constexpr double kProbe_in = 0.2;
  constexpr int kLeastProbes = 6;  // a quarter of a square inch: less than half the smallest base
  std::vector<Vec2> out;
  const TableFrame& frame = table_.frame;
  for (double y = kStep_in / 2; y < frame.Depth() + kStep_in / 2; y += kStep_in) {
    for (double x = kStep_in / 2; x < frame.Width() + kStep_in / 2; x += kStep_in) {
      int probes = 0;
      for (double v = -kStep_in / 2; v < kStep_in / 2; v += kProbe_in) {
        for (double u = -kStep_in / 2; u < kStep_in / 2; u += kProbe_in) {
          const ImagePoint p = ImageFromTable(look.camera, {x + u, y + v}, 0);
          const int px = cvRound(p.x_px);
          const int py = cvRound(p.y_px);
          if (px < 0 || py < 0 || px >= look.bgr.cols || py >= look.bgr.rows) continue;
          if (changed.empty() || changed.at<std::uint8_t>(py, px) != 0) ++probes;
        }
      }
      if (probes >= kLeastProbes) out.push_back({x, y});
    }
  }
  return out;
}

StandHypothesis StandDetector::AsHypothesis(const StandObservation& stand) {
  return {{stand.side, stand.kind}, stand.table_from_stand, stand.ground_in, 0, 0, 0};
}

void StandDetector::NameNewcomer(StandObservation& stand, const StandScene& before,
                                 StandScene& scene) const {
  const auto used = [&](const std::string& id) {
    const auto is = [&](const StandObservation& o) { return o.stand.text == id; };
    return std::any_of(before.stands.begin(), before.stands.end(), is) ||
           std::any_of(scene.stands.begin(), scene.stands.end(), is);
  };
  for (const UnitSpec& unit : scenario_.units) {
    if (unit.side != stand.side || unit.kind != stand.kind) continue;
    for (int n = 1; n <= unit.stands; ++n) {
      const std::string id = fmt::format("{}#{}", unit.id, n);
      if (used(id)) continue;
      stand.unit = unit.id;
      stand.stand.text = id;
      return;
    }
  }
  const std::string& side = scenario_.sides[static_cast<std::size_t>(stand.side)].name;
  for (int n = 1;; ++n) {
    stand.stand.text = fmt::format("?{}#{}", side, n);
    if (!used(stand.stand.text)) break;
  }
  scene.remarks.push_back(
      fmt::format("one {} stand ({}) has appeared that the scenario does not have", side,
                  scenario_.kinds[static_cast<std::size_t>(stand.kind)].name));
}

Result<StandScene> StandDetector::Update(const cv::Mat& bgr, const TableCamera& camera,
                                         const StandScene& before, const cv::Mat& changed,
                                         const cv::Mat& blind_mask) try {
  const Look look{bgr, blind_mask, camera, TerrainView(scenario_, camera)};
  if (const Status checked = Check(look); !checked.ok()) return checked.error();
  BeginTrace(look);
  if (!changed.empty() && (changed.type() != CV_8UC1 || changed.size() != bgr.size()))
    return Error{ErrorCode::kBadFormat, "stands: the mask of changes is not of the picture's size"};

  // Who need not be looked at, who still stands, who is gone from where it stood.
  StandScene scene;
  std::vector<StandHypothesis> fixed;
  std::vector<std::size_t> handled;
  for (std::size_t i = 0; i < before.stands.size(); ++i) {
    const StandObservation& o = before.stands[i];
    const Cover cover = CoverOf(look, o, changed);
    constexpr double kHidden = 0.3;  // of the base: more, and nothing can be said of it
    if (!cover.changed || cover.blind > kHidden) {
      scene.stands.push_back(o);
      fixed.push_back(AsHypothesis(o));
    } else {
      handled.push_back(i);
    }
  }
  std::vector<StandHypothesis> asked;
  for (const std::size_t i : handled) asked.push_back(AsHypothesis(before.stands[i]));
  std::vector<StandHypothesis> around = fixed;
  around.insert(around.end(), asked.begin(), asked.end());
  std::vector<StandObservation> lost;
  for (std::size_t k = 0; k < handled.size(); ++k) {
    const StandObservation& o = before.stands[handled[k]];
    StandHypothesis h = Refine(look, around[fixed.size() + k], around);
    Measured measured = Measure(look, h, around);
    bool there = h.score >= options_.least_score && Believable(h, measured);
    if (!there) {
      // Its place is known: in another light, or half covered, its outline is enough. But hands
      // were there: it is as likely gone, so the bar must be its own too, by the odds at which a
      // search believes.
      constexpr double kOwnBar_nats = 10;
      constexpr double kLeastBarSeen = 0.6;
      h.by_outline = true;
      const Measured again = Measure(look, h, around);
      there = h.top > kLeastTop && Believable(h, again) && again.bar_evidence > kOwnBar_nats &&
              again.bar_seen > kLeastBarSeen;
      if (there) measured = again;
      NoteDropped(h, fmt::format("{}: evidence {:.0f} (top {:.0f}), bar {:.0f} nats, seen {:.2f}",
                                 there ? "kept by its outline" : "no longer there", again.evidence,
                                 again.top_evidence, again.bar_evidence, again.bar_seen));
    }
    constexpr double kNudge_in = 0.3;  // further, and it is looked for like any other
    if (!there ||
        Distance(measured.stand.table_from_stand.origin, o.table_from_stand.origin) > kNudge_in) {
      lost.push_back(o);
      continue;
    }
    StandObservation now = measured.stand;
    now.stand = o.stand;
    now.unit = o.unit;
    scene.stands.push_back(now);
  }
  for (const StandObservation& o : scene.stands) {
    if (std::none_of(fixed.begin(), fixed.end(), [&](const StandHypothesis& h) {
          return h.table_from_stand.origin == o.table_from_stand.origin;
        }))
      fixed.push_back(AsHypothesis(o));
  }

  // What to look for: what left its place, and what the scenario has and nobody has seen of late.
  std::vector<StandClass> classes;
  std::vector<int> wanted;  // how many of each
  const auto want = [&](StandClass what, int count) {
    const auto at = std::find(classes.begin(), classes.end(), what);
    if (at == classes.end()) {
      classes.push_back(what);
      wanted.push_back(count);
    } else {
      wanted[static_cast<std::size_t>(at - classes.begin())] += count;
    }
  };
  for (const StandObservation& o : lost) want({o.side, o.kind}, 1);
  for (const UnitSpec& unit : scenario_.units) {
    const auto known = std::count_if(before.stands.begin(), before.stands.end(),
                                     [&](const auto& o) { return o.unit == unit.id; });
    if (known < unit.stands) want({unit.side, unit.kind}, 0);
  }
  std::vector<StandHypothesis> found;
  if (!classes.empty()) {
    std::vector<double> headings;
    AddHeadings(headings, 0, CV_PI, 6 * kDegree);
    for (const Vec2 centre : PlacesToSearch(look, changed)) {
      std::vector<StandHypothesis> others = fixed;
      others.insert(others.end(), found.begin(), found.end());
      const auto here =
          Search(look, centre, kTileHalf_in, classes, headings, others, options_.least_score);
      found.insert(found.end(), here.begin(), here.end());
    }
    Settle(look, found, fixed);
    // Of each class no more than can be there, the best first; others only on strong evidence.
    std::vector<StandHypothesis> kept;
    for (const StandHypothesis& h : found) {
      const auto at = std::find(classes.begin(), classes.end(), h.what);
      int& left = wanted[static_cast<std::size_t>(at - classes.begin())];
      if (left <= 0 && h.score < options_.least_score_unexpected) continue;
      --left;
      kept.push_back(h);
    }
    found = std::move(kept);
    // Stands are carried by units: what is still wanted may stand beside what was found.
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const std::vector<StandHypothesis> mates = found;
      for (const StandHypothesis& mate : mates) {
        if (wanted[c] <= 0) break;
        if (mate.what != classes[c]) continue;
        std::vector<double> facing;
        AddHeadings(facing, mate.table_from_stand.heading_rad, 24 * kDegree, 4 * kDegree);
        std::vector<StandHypothesis> others = fixed;
        others.insert(others.end(), found.begin(), found.end());
        const auto faint =
            SearchByOutline(look, mate.table_from_stand.origin, kTileHalf_in, classes[c], facing,
                            others, static_cast<std::size_t>(wanted[c]), -kUnexpectedStand_nats);
        wanted[c] -= static_cast<int>(faint.size());
        found.insert(found.end(), faint.begin(), faint.end());
      }
    }
  }
  std::vector<StandObservation> seen = ObservationsOf(MeasureAll(look, found, fixed));

  const StandAssignment assignment = AssignStands(lost, seen, options_.reach_in);
  scene.doubts = assignment.doubts;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const int l = assignment.lost_of_found[i];
    if (l >= 0) {
      seen[i].stand = lost[static_cast<std::size_t>(l)].stand;
      seen[i].unit = lost[static_cast<std::size_t>(l)].unit;
    } else {
      NameNewcomer(seen[i], before, scene);
    }
    scene.stands.push_back(seen[i]);
  }
  if (!scene.doubts.empty()) {
    const auto handled_together =
        std::make_shared<const HandledStands>(HandledStands{lost, seen, options_.reach_in});
    for (IdentityDoubt& doubt : scene.doubts) doubt.handled = handled_together;
  }
  PartFootprints(scene.stands);
  std::sort(scene.stands.begin(), scene.stands.end(),
            [](const auto& a, const auto& b) { return a.stand < b.stand; });
  return scene;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("stands: ") + e.what()};
}

}  // namespace fos
