#include "calibration/table_registration.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <opencv2/calib3d.hpp>

#include "calibration/fiducials.h"
#include "calibration/grid_lines.h"
#include "calibration/grid_search.h"
#include "calibration/pose_fit.h"
#include "calibration/sampling.h"

namespace fos {
namespace {

// A marker whose corners are further than this from where the others say was pushed or is a copy.
constexpr double kStrayMarker_in = 0.15;

const FiducialMarker& SpecOf(const FiducialSpec& spec, int id) {
  return *std::find_if(spec.markers.begin(), spec.markers.end(),
                       [id](const FiducialMarker& m) { return m.id == id; });
}

struct Pose {
  cv::Vec3d rvec;
  cv::Vec3d tvec;
};

// A first pose from whole markers, camera above the table; empty when there is none.
std::optional<Pose> FirstPose(const std::vector<const MarkerSighting*>& markers,
                              const FiducialSpec& spec) {
  std::vector<cv::Point3d> table;
  std::vector<cv::Point2d> rays;
  for (const MarkerSighting* m : markers) {
    const auto corners = MarkerCorners(SpecOf(spec, m->id), spec.size_in);
    for (std::size_t i = 0; i < 4; ++i) {
      table.emplace_back(corners[i].x, corners[i].y, 0);
      rays.emplace_back(m->corner[i][0], m->corner[i][1]);
    }
  }
  std::vector<cv::Mat> rvecs;
  std::vector<cv::Mat> tvecs;
  cv::solvePnPGeneric(table, rays, cv::Matx33d::eye(), cv::noArray(), rvecs, tvecs, false,
                      cv::SOLVEPNP_IPPE);
  for (std::size_t i = 0; i < rvecs.size(); ++i) {  // best first
    Pose pose;
    rvecs[i].reshape(1, 3).convertTo(rvecs[i], CV_64F);
    tvecs[i].reshape(1, 3).convertTo(tvecs[i], CV_64F);
    for (int j = 0; j < 3; ++j) {
      pose.rvec[j] = rvecs[i].at<double>(j);
      pose.tvec[j] = tvecs[i].at<double>(j);
    }
    cv::Matx33d rotation;
    cv::Rodrigues(pose.rvec, rotation);
    if (pose.tvec[2] > 0 && rotation(2, 2) < 0) return pose;
  }
  return std::nullopt;
}

// Furthest corner of a marker from where the pose has it, inches; infinite behind the camera.
double Stray(const CameraModel& lens, const Pose& pose, const MarkerSighting& m,
             const FiducialSpec& spec) {
  const TableCamera camera = MakeTableCamera(lens, pose.rvec, pose.tvec);
  const auto corners = MarkerCorners(SpecOf(spec, m.id), spec.size_in);
  double furthest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto seen = TableFromImage(camera, m.corner_px[i], 0, 0);
    if (!seen.ok()) return INFINITY;
    furthest = std::max(furthest, Distance(seen->at, corners[i]));
  }
  return furthest;
}

// What one fit is made of.
struct Evidence {
  std::vector<LineSight> sights;
  PosePriors priors;
};

// Each marker's edges share a shift of their own: lamps clip the white of one and not of another.
Evidence MarkerEvidence(const std::vector<const MarkerSighting*>& markers) {
  constexpr double kEdgeShift_px = 0.3;  // up to a third of a pixel on prints measured in light
  Evidence out;
  for (const MarkerSighting* m : markers) {
    const int shift = static_cast<int>(out.priors.shift_sigma.size());
    out.priors.shift_sigma.push_back(kEdgeShift_px);
    for (LineSight sight : m->sights) {
      sight.shares[0] = {shift, 1.0};
      out.sights.push_back(sight);
    }
  }
  return out;
}

Result<PoseFit> FitPose(const Evidence& evidence, const Pose& start) {
  return fos::FitPose(evidence.sights, start.rvec, start.tvec, evidence.priors);
}

// The largest set of markers, each id once, that agrees about where the camera is, and a first pose
// from it; empty when not even one gives a pose. A copy of a marker on another sheet, or one that
// was pushed, is left out.
std::vector<const MarkerSighting*> Agreeing(const std::vector<MarkerSighting>& seen,
                                            const CameraModel& lens, const FiducialSpec& spec,
                                            Pose& pose) {
  constexpr std::size_t kMost = 10;  // sets of more than a thousand combinations are not searched
  const std::size_t count = std::min(seen.size(), kMost);
  std::vector<const MarkerSighting*> best;
  double best_stray = INFINITY;
  std::vector<unsigned> sets;
  for (unsigned set = 1; set < (1U << count); ++set) sets.push_back(set);
  std::stable_sort(sets.begin(), sets.end(),
                   [](unsigned a, unsigned b) { return std::popcount(a) > std::popcount(b); });
  for (const unsigned set : sets) {
    const auto size = static_cast<std::size_t>(std::popcount(set));
    if (size < best.size()) break;
    std::vector<const MarkerSighting*> chosen;
    bool twice = false;
    for (std::size_t i = 0; i < count; ++i) {
      if ((set >> i & 1U) == 0) continue;
      for (const MarkerSighting* k : chosen) twice = twice || k->id == seen[i].id;
      chosen.push_back(&seen[i]);
    }
    if (twice) continue;
    std::optional<Pose> trial = FirstPose(chosen, spec);
    if (!trial) continue;
    if (const auto fit = FitPose(MarkerEvidence(chosen), *trial); fit.ok()) {
      trial = Pose{fit->rvec, fit->tvec};
    }
    double stray = 0;
    for (const MarkerSighting* m : chosen) stray = std::max(stray, Stray(lens, *trial, *m, spec));
    if (stray > kStrayMarker_in && size > 1) continue;
    if (size > best.size() || stray < best_stray) {
      best = chosen;
      best_stray = stray;
      pose = *trial;
    }
  }
  return best;
}

// Largest one-sigma error over the playing area that the pose's covariance allows, inches.
double WorstSigma(const TableCamera& camera, const TableFrame& frame) {
  double worst = 0;
  for (const Vec2 at : {Vec2{0, 0}, Vec2{frame.Width(), 0}, Vec2{frame.Width(), frame.Depth()},
                        Vec2{0, frame.Depth()}, Vec2{frame.Width() / 2, frame.Depth() / 2}}) {
    const cv::Vec3d p = camera.rotation * cv::Vec3d(at.x, at.y, 0) + camera.tvec;
    if (!(p[2] > 0)) return INFINITY;
    const auto seen = TableFromImage(camera, ImageFromTable(camera, at, 0), 0, 0);
    if (!seen.ok()) return INFINITY;
    worst = std::max(worst, RmsSigma(seen->cov));
  }
  return worst;
}

// How a hand draws a grid (measured on rendered and real boards): the whole of it a little beside
// where it should be, each line a little beside its mark, and the pen a little beside the line.
constexpr double kOriginSigma_in = 0.01;
constexpr double kLineSigma_in = 0.01;
constexpr double kSideSigma_in = 0.02;
// Further out than this from where the pose has it, a line is something else.
constexpr double kStrayLine_in = 0.12;

// Every fifth crossing, spread over the board, stays out of the fit and tells how good it is.
bool HeldOut(int column, int row) { return (column + 2 * row) % 5 == 0; }
// The crossing a stretch touches; none for those in the middle of a side.
std::optional<std::pair<int, int>> CrossingOf(const GridSight& g) {
  const int part = g.stretch % kStretchesPerSide;
  if (part != 0 && part != kStretchesPerSide - 1) return std::nullopt;
  const int along = g.stretch / kStretchesPerSide + (part == 0 ? 0 : 1);
  return g.runs_north ? std::pair{g.line, along} : std::pair{along, g.line};
}
bool HeldOut(const GridSight& g) {
  const auto crossing = CrossingOf(g);
  return crossing && HeldOut(crossing->first, crossing->second);
}

// One sight for each side of a square in which at least half of what was fitted agrees.
// Added to what the markers say.
void AddGrid(const std::vector<GridSight>& seen, const TableCamera& camera, Evidence& evidence) {
  std::map<std::tuple<bool, int, int>, std::vector<GridSight>> sides;
  for (const GridSight& g : seen) {
    if (!HeldOut(g)) sides[{g.runs_north, g.line, g.stretch / kStretchesPerSide}].push_back(g);
  }
  auto& sigma = evidence.priors.shift_sigma;
  const int east = static_cast<int>(sigma.size());
  const int north = east + 1;
  sigma.insert(sigma.end(), {kOriginSigma_in, kOriginSigma_in});
  std::map<std::pair<bool, int>, int> lines;
  for (const auto& [key, stretches] : sides) {
    if (stretches.size() < 2) continue;
    std::vector<double> offs;
    for (const GridSight& g : stretches) offs.push_back(g.off_in);
    const double middle = Median(offs);
    GridSight side = stretches.front();
    side.off_in = 0;
    side.at = {};
    double agree = 0;
    for (const GridSight& g : stretches) {
      constexpr double kTogether_in = 0.04;
      if (std::abs(g.off_in - middle) > kTogether_in) continue;
      side.off_in += g.off_in;
      side.at = side.at + g.at;
      agree += 1;
    }
    if (agree < 2) continue;
    side.off_in /= agree;
    side.at = side.at / agree;
    LineSight sight = SightOf(side, camera, kSideSigma_in);
    const auto [line, added] =
        lines.try_emplace({side.runs_north, side.line}, static_cast<int>(sigma.size()));
    if (added) sigma.push_back(kLineSigma_in);
    sight.shares[0].shift = side.runs_north ? east : north;
    sight.shares[1].shift = line->second;
    evidence.sights.push_back(sight);
  }
}

std::size_t StretchesOf(const TableFrame& frame) {
  return static_cast<std::size_t>(
      kStretchesPerSide * ((frame.columns + 1) * frame.rows + (frame.rows + 1) * frame.columns));
}

struct GridFit {
  PoseFit fit;
  Evidence evidence;
  double share = 0;
  std::vector<GridSight> seen;  // about `camera`, from which the last round started
  TableCamera camera;
};

// The pose that meets markers (there may be none) and drawn lines, from one near enough that every
// line lies within reach_in; the reach then shrinks to what a hand strays.
std::optional<GridFit> FitGrid(const cv::Mat& grey, const CameraModel& lens, Pose pose,
                               const TableFrame& frame, const Evidence& markers, double reach_in) {
  std::optional<GridFit> out;
  constexpr int kRounds = 5;
  for (int round = 0; round < kRounds; ++round) {
    const bool last = reach_in <= kStrayLine_in;
    const TableCamera camera = MakeTableCamera(lens, pose.rvec, pose.tvec);
    GridFit grid;
    grid.camera = camera;
    grid.seen = MeasureGrid(grey, camera, frame, reach_in);
    grid.share = static_cast<double>(grid.seen.size()) / static_cast<double>(StretchesOf(frame));
    grid.evidence = markers;
    AddGrid(grid.seen, camera, grid.evidence);
    const auto fit = FitPose(grid.evidence, pose);
    if (!fit.ok()) return std::nullopt;
    grid.fit = *fit;
    pose = {fit->rvec, fit->tvec};
    out = std::move(grid);
    if (last) break;
    reach_in = std::max(kStrayLine_in, reach_in / 2);
  }
  return out;
}

// What the left-out crossings say about a pose; `seen` was measured about `from`.
void JudgeByGrid(const std::vector<GridSight>& seen, const TableCamera& from,
                 const TableFrame& frame, TableRegistration& table) {
  table.grid_share = static_cast<double>(seen.size()) / static_cast<double>(StretchesOf(frame));
  std::map<std::pair<int, int>, std::array<std::vector<double>, 2>> crossings;
  for (const GridSight& g : seen) {
    if (!HeldOut(g)) continue;
    const Vec2 side = g.runs_north ? Vec2{1, 0} : Vec2{0, 1};
    const auto drawn =
        TableFromImage(table.camera, ImageFromTable(from, g.at + g.off_in * side, 0), 0, 0);
    if (!drawn.ok()) continue;
    crossings[*CrossingOf(g)][g.runs_north ? 0 : 1].push_back(Dot(drawn->at - g.at, side));
  }
  for (const auto& [crossing, offs] : crossings) {
    if (offs[0].empty() || offs[1].empty()) continue;
    table.held_out.push_back({{crossing.first * frame.square_in, crossing.second * frame.square_in},
                              {Median(offs[0]), Median(offs[1])}});
  }
}

// The plain sentence: good, usable, or not to be trusted and what to do.
std::string Sentence(const TableRegistration& table, std::size_t markers) {
  constexpr double kGood_in = 0.01;    // one sigma
  constexpr double kUsable_in = 0.02;  // two sigma are the ±0.04 in that people can see
  std::string how;
  if (markers > 0) how = fmt::format("{} of {} markers, ", table.markers_used.size(), markers);
  how += fmt::format("{:.0f} % of the grid, ±{:.3f} in at the worst corner", 100 * table.grid_share,
                     2 * table.worst_sigma_in);
  if (!table.held_out.empty()) {
    std::vector<double> off;
    for (const auto& r : table.held_out) off.push_back(Norm(r.error_in));
    how +=
        fmt::format(", drawn crossings within {:.3f} in (median of {})", Median(off), off.size());
  }
  if (table.worst_sigma_in <= kGood_in) return "good: " + how;
  if (table.worst_sigma_in <= kUsable_in) return "usable: " + how;
  return "not to be trusted: " + how + "; clear what hides the markers or bring more light";
}

Status CheckPicture(const cv::Mat& grey, const CameraModel& lens) {
  if (grey.empty() || grey.type() != CV_8UC1) {
    return Error{ErrorCode::kBadFormat, "table registration: want a grey 8-bit picture"};
  }
  if (grey.cols != lens.width_px || grey.rows != lens.height_px) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("the picture is {} x {}, the camera file is for {} x {}; calibrate at "
                             "the size that is played at",
                             grey.cols, grey.rows, lens.width_px, lens.height_px)};
  }
  return Ok();
}

// The same picture read with the board turned a quarter (square boards) or half a turn.
Pose Turned(const Pose& pose, const TableFrame& frame, int quarters) {
  cv::Matx33d rotation;
  cv::Rodrigues(pose.rvec, rotation);
  const double angle = quarters * CV_PI / 2;
  const cv::Matx33d turn(std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0,
                         0, 0, 1);
  const double x = quarters == 3 ? 0 : frame.Width();
  const double y = quarters == 1 ? 0 : frame.Depth();
  Pose out = pose;
  if (quarters == 0) return out;
  out.tvec = rotation * cv::Vec3d(x, y, 0) + pose.tvec;
  cv::Rodrigues(rotation * turn, out.rvec);
  return out;
}

// A comb of lines laid one square to the side misses a single line of each ten: where more of the
// lines are seen a square further on, the board lies there.
Pose SettledOnBoard(const cv::Mat& grey, const CameraModel& lens, Pose pose,
                    const TableFrame& frame) {
  const auto seen = [&](const Pose& at) {
    return MeasureGrid(grey, MakeTableCamera(lens, at.rvec, at.tvec), frame, kStrayLine_in).size();
  };
  cv::Matx33d rotation;
  cv::Rodrigues(pose.rvec, rotation);
  std::size_t best = seen(pose);
  constexpr int kMostMoves = 3;
  for (int move = 0; move < kMostMoves; ++move) {
    const Pose here = pose;
    for (const cv::Vec3d& side :
         {cv::Vec3d(1, 0, 0), cv::Vec3d(-1, 0, 0), cv::Vec3d(0, 1, 0), cv::Vec3d(0, -1, 0)}) {
      const Pose there{here.rvec, here.tvec + rotation * (frame.square_in * side)};
      const std::size_t count = seen(there);
      if (count > best) {
        best = count;
        pose = there;
      }
    }
    if (pose.tvec == here.tvec) break;
  }
  return pose;
}

struct Rms {
  double px = 0;
  double in = 0;
};
Rms RmsOf(const PoseFit& fit, const std::vector<LineSight>& sights, const TableCamera& camera) {
  Rms rms;
  for (std::size_t i = 0; i < sights.size(); ++i) {
    const double r = fit.residual_px[i];
    const double px_per_in = PixelsPerInch(camera, sights[i].at, 0);
    rms.px += r * r;
    rms.in += r * r / (px_per_in * px_per_in);
  }
  const double count = static_cast<double>(std::max<std::size_t>(1, sights.size()));
  return {std::sqrt(rms.px / count), std::sqrt(rms.in / count)};
}

TableRegistration MakeRegistration(const CameraModel& lens, const TableFrame& frame,
                                   const PoseFit& fit, const std::vector<LineSight>& sights,
                                   const std::optional<GridFit>& grid) {
  TableRegistration out;
  out.camera = MakeTableCamera(lens, fit.rvec, fit.tvec, fit.covariance);
  const Rms rms = RmsOf(fit, sights, out.camera);
  out.rms_px = rms.px;
  out.rms_in = rms.in;
  out.worst_sigma_in = WorstSigma(out.camera, frame);
  if (grid) JudgeByGrid(grid->seen, grid->camera, frame, out);
  return out;
}

// How far two poses put the same pixel apart, at the worst corner of the board, inches.
double Apart(const CameraModel& lens, const PoseFit& a, const PoseFit& b, const TableFrame& frame) {
  const TableCamera from = MakeTableCamera(lens, a.rvec, a.tvec);
  const TableCamera to = MakeTableCamera(lens, b.rvec, b.tvec);
  double apart = 0;
  for (const Vec2 corner : {Vec2{0, 0}, Vec2{frame.Width(), 0}, Vec2{0, frame.Depth()},
                            Vec2{frame.Width(), frame.Depth()}}) {
    const auto there = TableFromImage(to, ImageFromTable(from, corner, 0), 0, 0);
    if (!there.ok()) return INFINITY;
    apart = std::max(apart, Distance(there->at, corner));
  }
  return apart;
}

}  // namespace

Result<TableRegistration> RegisterTable(const cv::Mat& grey, const CameraModel& lens,
                                        const TableSpec& table) try {
  if (const Status fit = CheckPicture(grey, lens); !fit.ok()) return fit.error();
  if (!table.fiducials) {
    return Error{ErrorCode::kNotFound, "the table has no [fiducials] to find it by"};
  }
  const FiducialSpec& spec = *table.fiducials;
  auto seen = FindMarkers(grey, lens, spec);
  if (!seen.ok()) return seen.error();
  Pose pose;
  const auto markers = Agreeing(seen.value(), lens, spec, pose);
  if (markers.empty()) {
    return Error{ErrorCode::kNotFound,
                 "none of the table's markers is seen; clear the corners or bring more light"};
  }
  Evidence evidence = MarkerEvidence(markers);
  const auto first = FitPose(evidence, pose);
  if (!first.ok()) return first.error();
  PoseFit fit = *first;
  pose = {fit.rvec, fit.tvec};
  const double sigma_in =
      WorstSigma(MakeTableCamera(lens, fit.rvec, fit.tvec, fit.covariance), table.frame);

  // With markers at all corners the lines are within reach; with fewer the grid is found by itself
  // and the markers say which way round it lies.
  constexpr double kSure_in = 0.05;
  if (sigma_in > kSure_in) {
    if (const auto found = FindGrid(grey, lens, table.frame); found.ok()) {
      double nearest = 0.5 * table.frame.square_in;
      for (int quarters = 0; quarters < 4; ++quarters) {
        if (quarters % 2 == 1 && table.frame.columns != table.frame.rows) continue;
        const Pose trial = Turned({found->rvec, found->tvec}, table.frame, quarters);
        double stray = 0;
        for (const MarkerSighting* m : markers) {
          stray = std::max(stray, Stray(lens, trial, *m, spec));
        }
        if (stray < nearest) {
          nearest = stray;
          pose = trial;
        }
      }
    }
  }
  constexpr double kFirstPose_in = 0.35;
  constexpr double kLeastShare = 0.3;  // of the lines; by chance a tenth lies within reach
  const double reach_in = sigma_in > kSure_in ? kFirstPose_in : kStrayLine_in;
  std::string note;
  auto grid = FitGrid(grey, lens, pose, table.frame, evidence, reach_in);
  if (grid && grid->share >= kLeastShare) {
    fit = grid->fit;
    evidence = grid->evidence;
    // Markers are laid by hand. Where they and the lines tell of different tables (the fit is then
    // worse than either's own noise), the lines are what people measure from.
    constexpr double kAtOdds = 1.5;  // chi squared a degree of freedom
    const auto alone = fit.chi2_per_dof > kAtOdds ? FitGrid(grey, lens, {fit.rvec, fit.tvec},
                                                            table.frame, {}, kStrayLine_in)
                                                  : std::nullopt;
    if (alone) {
      const double sigma_alone =
          WorstSigma(MakeTableCamera(lens, alone->fit.rvec, alone->fit.tvec, alone->fit.covariance),
                     table.frame);
      const double apart = Apart(lens, fit, alone->fit, table.frame);
      constexpr double kTooFar = 4;  // sigmas of the lines alone
      constexpr double kMatters_in = 0.02;
      if (apart > kTooFar * sigma_alone && apart > kMatters_in) {
        note = fmt::format(
            "; the markers lie up to {:.2f} in from where table.toml has them, the "
            "drawn lines were believed",
            apart);
        fit = alone->fit;
        evidence = alone->evidence;
      }
    }
  }

  TableRegistration out = MakeRegistration(lens, table.frame, fit, evidence.sights, grid);
  if (!std::isfinite(out.worst_sigma_in)) {
    // A pose that looks away from part of the board is no use to anyone.
    return Error{ErrorCode::kNotFound,
                 "too little of the table's markers is seen to find it; clear the corners or bring "
                 "more light"};
  }
  out.method = TableRegistration::Method::kFiducials;
  for (const MarkerSighting* m : markers) out.markers_used.push_back(m->id);
  std::sort(out.markers_used.begin(), out.markers_used.end());
  out.sentence = Sentence(out, spec.markers.size()) + note;
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("table registration: ") + e.err};
}

Result<std::vector<TableRegistration>> RegisterFromGrid(const cv::Mat& grey,
                                                        const CameraModel& lens,
                                                        const TableFrame& frame) try {
  if (const Status fit = CheckPicture(grey, lens); !fit.ok()) return fit.error();
  constexpr double kFirstPose_in = 0.35;
  constexpr double kLeastShare = 0.3;
  std::optional<GridFit> grid;
  for (const bool trust_the_rim : {true, false}) {
    const auto found = FindGrid(grey, lens, frame, trust_the_rim);
    if (!found.ok()) continue;
    grid = FitGrid(grey, lens, {found->rvec, found->tvec}, frame, {}, kFirstPose_in);
    if (!grid) continue;
    const Pose settled = SettledOnBoard(grey, lens, {grid->fit.rvec, grid->fit.tvec}, frame);
    if (settled.tvec != grid->fit.tvec) {
      grid = FitGrid(grey, lens, settled, frame, {}, kFirstPose_in);
    }
    if (grid && grid->share >= kLeastShare) break;
  }
  if (!grid || grid->share < kLeastShare) {
    return Error{ErrorCode::kNotFound,
                 "no grid of the board's size stands out; check columns, rows and square in "
                 "table.toml, bring more light or put up corner markers"};
  }
  std::vector<TableRegistration> out;
  for (int quarters = 0; quarters < 4; ++quarters) {
    if (quarters % 2 == 1 && frame.columns != frame.rows) continue;
    const Pose turned = Turned({grid->fit.rvec, grid->fit.tvec}, frame, quarters);
    // Fitted again, so that each placement has its own covariance.
    const auto fitted = FitGrid(grey, lens, turned, frame, {}, kStrayLine_in);
    if (!fitted) continue;
    TableRegistration table =
        MakeRegistration(lens, frame, fitted->fit, fitted->evidence.sights, fitted);
    table.method = TableRegistration::Method::kGrid;
    table.sentence = Sentence(table, 0);
    out.push_back(std::move(table));
  }
  if (out.empty()) {
    return Error{ErrorCode::kNotFound, "the drawn grid does not fix the camera; bring more light"};
  }
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("table registration: ") + e.err};
}

}  // namespace fos
