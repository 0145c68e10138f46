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

#include "calibration/crossing.h"
#include "calibration/fiducials.h"
#include "calibration/grid_lines.h"
#include "calibration/grid_search.h"
#include "calibration/line_pictures.h"
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

// Where the camera may hang, and its lens as far as the table has told it.
struct Pose {
  cv::Vec3d rvec;
  cv::Vec3d tvec;
  CameraModel lens;
};
TableCamera CameraOf(const Pose& pose) { return MakeTableCamera(pose.lens, pose.rvec, pose.tvec); }

// What is known before the table is seen.
struct Known {
  LensPrior lens;
  std::optional<TapedHeight> height;

  PosePriors Priors() const {
    PosePriors priors;
    priors.lens = lens;
    priors.height = height;
    return priors;
  }
};

// A first pose from points of the cloth, camera above the table; empty when there is none.
std::optional<Pose> FirstPose(const std::vector<cv::Point3d>& table,
                              const std::vector<cv::Point2d>& rays, const CameraModel& lens) {
  std::vector<cv::Mat> rvecs;
  std::vector<cv::Mat> tvecs;
  cv::solvePnPGeneric(table, rays, cv::Matx33d::eye(), cv::noArray(), rvecs, tvecs, false,
                      cv::SOLVEPNP_IPPE);
  for (std::size_t i = 0; i < rvecs.size(); ++i) {  // best first
    Pose pose;
    pose.lens = lens;
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

// A first pose from whole markers, camera above the table; empty when there is none.
std::optional<Pose> FirstPose(const std::vector<const MarkerSighting*>& markers,
                              const FiducialSpec& spec, const CameraModel& lens) {
  std::vector<cv::Point3d> table;
  std::vector<cv::Point2d> rays;
  for (const MarkerSighting* m : markers) {
    const auto corners = MarkerCorners(SpecOf(spec, m->id), spec.size_in);
    for (std::size_t i = 0; i < 4; ++i) {
      table.emplace_back(corners[i].x, corners[i].y, 0);
      rays.emplace_back(m->corner[i][0], m->corner[i][1]);
    }
  }
  return FirstPose(table, rays, lens);
}
// Furthest corner of a marker from where the pose has it, inches; infinite behind the camera.
double Stray(const Pose& pose, const MarkerSighting& m, const FiducialSpec& spec) {
  const TableCamera camera = CameraOf(pose);
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
Evidence MarkerEvidence(const std::vector<const MarkerSighting*>& markers, const Known& known) {
  constexpr double kEdgeShift_px = 0.3;  // up to a third of a pixel on prints measured in light
  Evidence out{{}, known.Priors()};
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

Result<PoseFit> FitPose(Evidence evidence, const Pose& start) {
  evidence.priors.lens_now = start.lens;
  return fos::FitPose(evidence.sights, start.rvec, start.tvec, evidence.priors);
}
Pose PoseOf(const PoseFit& fit) { return {fit.rvec, fit.tvec, fit.lens}; }
TableCamera CameraOf(const PoseFit& fit) {
  TableCamera camera = MakeTableCamera(fit.lens, fit.rvec, fit.tvec, fit.covariance);
  camera.lens_covariance = fit.lens_covariance;
  camera.lens_pose_covariance = fit.lens_pose_covariance;
  return camera;
}

// The largest set of markers, each id once, that agrees about where the camera is, and a first pose
// from it; empty when not even one gives a pose. A copy of a marker on another sheet, or one that
// was pushed, is left out.
std::vector<const MarkerSighting*> Agreeing(const std::vector<MarkerSighting>& seen,
                                            const Known& known, const FiducialSpec& spec,
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
    std::optional<Pose> trial = FirstPose(chosen, spec, known.lens.lens);
    if (!trial) continue;
    if (const auto fit = FitPose(MarkerEvidence(chosen, known), *trial); fit.ok()) {
      trial = PoseOf(*fit);
    }
    double stray = 0;
    for (const MarkerSighting* m : chosen) stray = std::max(stray, Stray(*trial, *m, spec));
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
  cv::Mat lines;  // the picture in which they were seen
};

// A lens that is fitted with the table must stay one.
bool SaneLens(const CameraModel& lens) {
  const double side = std::max(lens.width_px, lens.height_px);
  constexpr double kShortest = 0.2;  // of the picture's longer side: 136 degrees across
  if (!(std::min(lens.fx_px, lens.fy_px) > kShortest * side)) return false;
  const double right = lens.width_px - 1;
  const double bottom = lens.height_px - 1;
  for (const ImagePoint at : {ImagePoint{0, 0}, {right, 0}, {0, bottom}, {right, bottom}}) {
    if (!Undistort(lens, at)) return false;
  }
  return true;
}

// The pose that meets markers (there may be none) and drawn lines, from one near enough that every
// line lies within reach_in; the reach then shrinks to what a hand strays.
std::optional<GridFit> FitGrid(const cv::Mat& lines, Pose pose, const TableFrame& frame,
                               const Evidence& markers, double reach_in) {
  std::optional<GridFit> out;
  constexpr int kRounds = 6;
  // Every change of the lens bends the lines a little differently: two rounds more settle that.
  int more = markers.priors.lens.rank > 0 ? 2 : 0;
  for (int round = 0; round < kRounds; ++round) {
    const bool last = reach_in <= kStrayLine_in;
    GridFit grid;
    grid.camera = CameraOf(pose);
    grid.lines = lines;
    grid.seen = MeasureGrid(lines, grid.camera, frame, reach_in);
    grid.share = static_cast<double>(grid.seen.size()) / static_cast<double>(StretchesOf(frame));
    grid.evidence = markers;
    AddGrid(grid.seen, grid.camera, grid.evidence);
    const auto fit = FitPose(grid.evidence, pose);
    if (!fit.ok() || !SaneLens(fit->lens)) return std::nullopt;
    grid.fit = *fit;
    pose = PoseOf(*fit);
    out = std::move(grid);
    if (last && more-- == 0) break;
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

Status CheckPicture(const cv::Mat& picture, const CameraModel& lens) {
  if (picture.empty() || (picture.type() != CV_8UC1 && picture.type() != CV_8UC3)) {
    return Error{ErrorCode::kBadFormat, "table registration: want an 8-bit picture"};
  }
  if (picture.cols != lens.width_px || picture.rows != lens.height_px) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("the picture is {} x {}, the camera file is for {} x {}; calibrate at "
                             "the size that is played at",
                             picture.cols, picture.rows, lens.width_px, lens.height_px)};
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
Pose SettledOnBoard(const cv::Mat& lines, Pose pose, const TableFrame& frame) {
  const auto seen = [&](const Pose& at) {
    return MeasureGrid(lines, CameraOf(at), frame, kStrayLine_in).size();
  };
  cv::Matx33d rotation;
  cv::Rodrigues(pose.rvec, rotation);
  std::size_t best = seen(pose);
  constexpr int kMostMoves = 3;
  for (int move = 0; move < kMostMoves; ++move) {
    const Pose here = pose;
    for (const cv::Vec3d& side :
         {cv::Vec3d(1, 0, 0), cv::Vec3d(-1, 0, 0), cv::Vec3d(0, 1, 0), cv::Vec3d(0, -1, 0)}) {
      const Pose there{here.rvec, here.tvec + rotation * (frame.square_in * side), here.lens};
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

// What the pose leans on for the camera's height, in words.
std::string ReliesOn(const Known& known, const TableCamera& camera, const TableFrame& frame) {
  std::string out = known.lens.rank == 0 ? "the lens file as exact" : "the lens file's own doubt";
  const double focal =
      std::sqrt(
          std::max(0.0, known.lens.lens.covariance ? (*known.lens.lens.covariance)(0, 0) : 0.0)) /
      known.lens.lens.fx_px;
  constexpr double kCalibrated = 0.05;  // a lens file knows its focal length to a percent
  if (focal > kCalibrated) out = "a common webcam's lens, as there is no lens file";
  if (known.height) {
    out += fmt::format(" and a height of {:.1f} in measured by tape", known.height->inches);
  }
  // What the doubt about the camera's height does to things above the cloth, at the worst corner.
  constexpr double kHouse_in = 2;
  double worst = 0;
  for (const Vec2 corner : {Vec2{0, 0}, Vec2{frame.Width(), 0}, Vec2{0, frame.Depth()},
                            Vec2{frame.Width(), frame.Depth()}}) {
    const cv::Vec3d p = camera.rotation * cv::Vec3d(corner.x, corner.y, kHouse_in) + camera.tvec;
    if (!(p[2] > 0)) continue;
    const auto seen =
        TableFromImage(camera, ImageFromTable(camera, corner, kHouse_in), kHouse_in, 0);
    if (seen.ok()) worst = std::max(worst, RmsSigma(seen->cov));
  }
  out += fmt::format("; house tops {:g} in up are known to ±{:.3f} in at the worst corner",
                     kHouse_in, 2 * worst);
  const double tilt = std::acos(std::clamp(-camera.rotation(2, 2), -1.0, 1.0)) * 180 / CV_PI;
  constexpr double kOverhead_deg = 8;
  if (focal > kCalibrated && !known.height && tilt < kOverhead_deg) {
    out +=
        "; straight from above a flat table tells neither focal length nor height: calibrate "
        "the lens or give --height";
  }
  return out;
}

TableRegistration MakeRegistration(const TableFrame& frame, const PoseFit& fit,
                                   const std::vector<LineSight>& sights,
                                   const std::optional<GridFit>& grid, const Known& known) {
  TableRegistration out;
  out.camera = CameraOf(fit);
  const Rms rms = RmsOf(fit, sights, out.camera);
  out.rms_px = rms.px;
  out.rms_in = rms.in;
  out.worst_sigma_in = WorstSigma(out.camera, frame);
  if (grid) JudgeByGrid(grid->seen, grid->camera, frame, out);
  out.relies_on = ReliesOn(known, out.camera, frame);
  return out;
}

// How far two poses put the same pixel apart, at the worst corner of the board, inches.
double Apart(const PoseFit& a, const PoseFit& b, const TableFrame& frame) {
  const TableCamera from = CameraOf(a);
  const TableCamera to = CameraOf(b);
  double apart = 0;
  for (const Vec2 corner : {Vec2{0, 0}, Vec2{frame.Width(), 0}, Vec2{0, frame.Depth()},
                            Vec2{frame.Width(), frame.Depth()}}) {
    const auto there = TableFromImage(to, ImageFromTable(from, corner, 0), 0, 0);
    if (!there.ok()) return INFINITY;
    apart = std::max(apart, Distance(there->at, corner));
  }
  return apart;
}

constexpr double kFirstPose_in = 0.35;  // how far off the search for a grid may leave a line
constexpr double kLeastShare = 0.3;     // of the lines; by chance a tenth lies within reach
constexpr double kPlainShare = 0.7;     // needs nothing else tried
// Edges are everywhere: of furniture, of figures, of what is printed.
constexpr double kLeastEdges = 0.45;
double LeastShare(LineKind kind) { return kind == LineKind::kEdges ? kLeastEdges : kLeastShare; }

// The kind of line in which most of the grid is seen, from a pose within reach_in.
std::optional<GridFit> FitClearestGrid(const cv::Mat& picture, const Pose& pose,
                                       const TableFrame& frame, const Evidence& markers,
                                       double reach_in) {
  std::optional<GridFit> best;
  for (const LineKind kind : LineKindsOf(picture)) {
    auto grid = FitGrid(LinePicture(picture, kind), pose, frame, markers, reach_in);
    if (!grid || grid->share < LeastShare(kind)) continue;
    if (!best || grid->share > best->share) best = std::move(grid);
    if (best->share >= kPlainShare) break;
  }
  return best;
}

// Lenses to search the grid with: what is known, and where that is loose, what lies about it.
std::vector<CameraModel> LensesToTry(const Known& known) {
  std::vector<CameraModel> out = {known.lens.lens};
  if (!known.lens.lens.covariance) return out;
  const double sigma = std::sqrt(std::max(0.0, (*known.lens.lens.covariance)(0, 0)));
  constexpr double kLoose = 0.05;  // a tilted square is square only for the right focal length
  if (!(sigma > kLoose * known.lens.lens.fx_px)) return out;
  for (const double sigmas : {1.0, -1.0, 2.0}) {
    LensVec change;
    change[0] = change[1] = sigmas * sigma;
    const CameraModel moved = Moved(known.lens.lens, change);
    if (SaneLens(moved)) out.push_back(moved);
  }
  return out;
}

// The grid without any first idea of where it lies. What it is drawn in, whether what is near the
// picture's border may count, and a loose lens are tried in turn until it is plain.
std::optional<GridFit> SearchGrid(const cv::Mat& picture, const Known& known,
                                  const TableFrame& frame) {
  const Evidence nothing{{}, known.Priors()};
  std::optional<GridFit> best;
  const auto look = [&](const cv::Mat& lines, LineKind kind, const CameraModel& lens, bool rim) {
    const auto found = FindGrid(lines, lens, frame, rim);
    if (!found.ok()) return;
    // A first pose by which hardly a line is seen is not worth fitting.
    const Pose first{found->rvec, found->tvec, lens};
    const std::size_t seen = MeasureGrid(lines, CameraOf(first), frame, kFirstPose_in).size();
    if (static_cast<double>(seen) < kLeastShare * static_cast<double>(StretchesOf(frame))) return;
    auto grid = FitGrid(lines, first, frame, nothing, kFirstPose_in);
    if (!grid) return;
    const Pose settled = SettledOnBoard(lines, PoseOf(grid->fit), frame);
    if (settled.tvec != grid->fit.tvec) {
      grid = FitGrid(lines, settled, frame, nothing, kFirstPose_in);
    }
    if (!grid || grid->share < LeastShare(kind)) return;
    if (!best || grid->share > best->share) best = std::move(grid);
  };
  const std::vector<LineKind> kinds = LineKindsOf(picture);
  std::vector<cv::Mat> lines;
  for (const LineKind kind : kinds) lines.push_back(LinePicture(picture, kind));
  const std::vector<CameraModel> lenses = LensesToTry(known);
  for (std::size_t l = 0; l < lenses.size(); ++l) {
    for (const bool trust_the_rim : {true, false}) {
      // A lens is only changed to see whether a tilted board comes out better.
      if (l > 0 && !trust_the_rim) continue;
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        look(lines[k], kinds[k], lenses[l], trust_the_rim);
        if (best && best->share >= kPlainShare) return best;
      }
    }
  }
  return best;
}

// Markers are laid by hand. Where they and the lines tell of different tables (the fit is then
// worse than either's own noise), the lines are what people measure from.
std::optional<GridFit> LinesAgainst(const GridFit& both, const Known& known,
                                    const TableFrame& frame, double& apart_in) {
  constexpr double kAtOdds = 1.5;  // chi squared a degree of freedom
  if (both.fit.chi2_per_dof <= kAtOdds) return std::nullopt;
  auto alone = FitGrid(both.lines, PoseOf(both.fit), frame, {{}, known.Priors()}, kStrayLine_in);
  if (!alone) return std::nullopt;
  const double sigma_alone = WorstSigma(CameraOf(alone->fit), frame);
  apart_in = Apart(both.fit, alone->fit, frame);
  constexpr double kTooFar = 4;  // sigmas of the lines alone
  constexpr double kMatters_in = 0.02;
  if (apart_in > kTooFar * sigma_alone && apart_in > kMatters_in) return alone;
  return std::nullopt;
}

}  // namespace

Result<TableRegistration> RegisterTable(const cv::Mat& picture, const CameraModel& lens,
                                        const TableSpec& table,
                                        const RegistrationOptions& options) try {
  if (const Status fit = CheckPicture(picture, lens); !fit.ok()) return fit.error();
  if (!table.fiducials) {
    return Error{ErrorCode::kNotFound, "the table has no [fiducials] to find it by"};
  }
  const FiducialSpec& spec = *table.fiducials;
  const Known known{PriorOf(lens), options.height};
  const cv::Mat grey = LinePicture(picture, LineKind::kLightness);
  auto seen = FindMarkers(grey, lens, spec);
  if (!seen.ok()) return seen.error();
  Pose pose;
  const auto markers = Agreeing(seen.value(), known, spec, pose);
  if (markers.empty()) {
    return Error{ErrorCode::kNotFound,
                 "none of the table's markers is seen; clear the corners or bring more light"};
  }
  Evidence evidence = MarkerEvidence(markers, known);
  const auto first = FitPose(evidence, {pose.rvec, pose.tvec, lens});
  if (!first.ok()) return first.error();
  PoseFit fit = *first;
  pose = PoseOf(fit);
  const double sigma_in = WorstSigma(CameraOf(fit), table.frame);

  // With markers at all corners the lines are within reach; with fewer the grid is found by itself
  // and the markers say which way round it lies.
  constexpr double kSure_in = 0.05;
  if (sigma_in > kSure_in) {
    if (const auto found = SearchGrid(picture, known, table.frame)) {
      double nearest = 0.5 * table.frame.square_in;
      for (int quarters = 0; quarters < 4; ++quarters) {
        if (quarters % 2 == 1 && table.frame.columns != table.frame.rows) continue;
        const Pose trial = Turned(PoseOf(found->fit), table.frame, quarters);
        double stray = 0;
        for (const MarkerSighting* m : markers) stray = std::max(stray, Stray(trial, *m, spec));
        if (stray < nearest) {
          nearest = stray;
          pose = trial;
        }
      }
    }
  }
  const double reach_in = sigma_in > kSure_in ? kFirstPose_in : kStrayLine_in;
  std::string note;
  auto grid = FitClearestGrid(picture, pose, table.frame, evidence, reach_in);
  if (grid) {
    double apart_in = 0;
    if (auto alone = LinesAgainst(*grid, known, table.frame, apart_in)) {
      note = fmt::format(
          "; the markers lie up to {:.2f} in from where table.toml has them, the drawn lines were "
          "believed",
          apart_in);
      grid = std::move(alone);
    }
    fit = grid->fit;
    evidence = grid->evidence;
  }

  TableRegistration out = MakeRegistration(table.frame, fit, evidence.sights, grid, known);
  if (!std::isfinite(out.worst_sigma_in)) {
    // A pose that looks away from part of the board is no use to anyone.
    return Error{ErrorCode::kNotFound,
                 "too little of the table's markers is seen to find it; clear the corners or bring "
                 "more light"};
  }
  out.method = TableRegistration::Method::kFiducials;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    out.markers_used.push_back(markers[i]->id);
    // The markers' shifts come first; where the lines alone were believed there are none.
    if (note.empty()) out.marker_shift_px.push_back(-fit.shifts[i]);
  }
  std::sort(out.markers_used.begin(), out.markers_used.end());
  out.sentence = Sentence(out, spec.markers.size()) + note;
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("table registration: ") + e.err};
}

Result<std::vector<TableRegistration>> RegisterFromGrid(const cv::Mat& picture,
                                                        const CameraModel& lens,
                                                        const TableFrame& frame,
                                                        const RegistrationOptions& options) try {
  if (const Status fit = CheckPicture(picture, lens); !fit.ok()) return fit.error();
  const Known known{PriorOf(lens), options.height};
  const auto grid = SearchGrid(picture, known, frame);
  if (!grid) {
    return Error{ErrorCode::kNotFound,
                 "no grid of the board's size stands out; check columns, rows and square in "
                 "table.toml, bring more light or put up corner markers"};
  }
  std::vector<TableRegistration> out;
  for (int quarters = 0; quarters < 4; ++quarters) {
    if (quarters % 2 == 1 && frame.columns != frame.rows) continue;
    const Pose turned = Turned(PoseOf(grid->fit), frame, quarters);
    // Fitted again, so that each placement has its own covariance.
    const auto fitted = FitGrid(grid->lines, turned, frame, {{}, known.Priors()}, kStrayLine_in);
    if (!fitted) continue;
    TableRegistration table =
        MakeRegistration(frame, fitted->fit, fitted->evidence.sights, fitted, known);
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

Result<TableRegistration> RegisterFromClicks(const cv::Mat& picture, const CameraModel& lens,
                                             const TableFrame& frame,
                                             const std::vector<Click>& clicks,
                                             const RegistrationOptions& options) try {
  if (const Status fit = CheckPicture(picture, lens); !fit.ok()) return fit.error();
  if (clicks.size() < 4) {
    return Error{ErrorCode::kOutOfRange,
                 fmt::format("{} clicks do not fix the table; click four crossings, far apart",
                             clicks.size())};
  }
  const Known known{PriorOf(lens), options.height};
  const cv::Mat grey = LinePicture(picture, LineKind::kLightness);
  constexpr double kReach_px = 12;  // of a click, at 1000 pixels across
  constexpr double kClick_px = 4;   // one sigma of a click that nothing was found near
  constexpr double kSnapped_px = 0.5;
  const double scale = std::max(1.0, picture.cols / 1000.0);
  Evidence evidence{{}, known.Priors()};
  std::vector<cv::Point3d> table;
  std::vector<cv::Point2d> rays;
  for (const Click& click : clicks) {
    const auto snapped = SnapToCrossing(grey, click.at, kReach_px * scale);
    const ImagePoint at = snapped.value_or(click.at);
    const auto ray = Undistort(lens, at);
    if (!ray) return Error{ErrorCode::kDegenerate, "a click lies where the lens sees nothing"};
    table.emplace_back(click.crossing_in.x, click.crossing_in.y, 0);
    rays.emplace_back((*ray)[0], (*ray)[1]);
    const cv::Matx22d by_ray = DerivativeOf(lens, (*ray)[0], (*ray)[1]).by_ray;
    for (int axis = 0; axis < 2; ++axis) {
      LineSight sight;
      sight.at = click.crossing_in;
      sight.normal = axis == 0 ? cv::Vec2d(1, 0) : cv::Vec2d(0, 1);
      sight.offset = -(*ray)[axis];
      sight.px_per_unit = std::hypot(by_ray(0, axis), by_ray(1, axis));
      sight.sigma_px = snapped ? kSnapped_px * scale : kClick_px * scale;
      PutInPicture(sight, *ray, lens);
      evidence.sights.push_back(sight);
    }
  }
  const Error crooked{ErrorCode::kDegenerate,
                      "the clicks do not lie as those crossings of a flat board do; click the same "
                      "corner of the picture for the corner that is named, four far apart"};
  const auto first = FirstPose(table, rays, lens);
  if (!first) return crooked;
  const auto fit = FitPose(evidence, *first);
  if (!fit.ok()) return crooked;
  const TableCamera by_clicks = CameraOf(*fit);
  for (std::size_t i = 0; i < clicks.size(); ++i) {
    const auto seen = TableFromImage(by_clicks, clicks[i].at, 0, 0);
    const double off = seen.ok() ? Distance(seen->at, clicks[i].crossing_in) : INFINITY;
    // Four points and a flat board leave two numbers over: one click on the wrong crossing shows.
    constexpr double kWrong = 0.25;  // of a square
    if (off > kWrong * frame.square_in) {
      return Error{ErrorCode::kDegenerate,
                   fmt::format("click {} at ({:.0f}, {:.0f}) does not fit the others: by them it "
                               "lies {:.1f} in from ({:g}, {:g}) in",
                               i + 1, clicks[i].at.x_px, clicks[i].at.y_px, std::min(off, 1e3),
                               clicks[i].crossing_in.x, clicks[i].crossing_in.y)};
    }
  }
  if (!std::isfinite(WorstSigma(by_clicks, frame))) return crooked;
  const auto grid = FitClearestGrid(picture, PoseOf(*fit), frame, evidence, kFirstPose_in);
  TableRegistration out = MakeRegistration(
      frame, grid ? grid->fit : *fit, grid ? grid->evidence.sights : evidence.sights, grid, known);
  out.method = TableRegistration::Method::kManual;
  out.sentence = Sentence(out, 0);
  if (!grid) out.sentence += "; no drawn line was found, only the clicks are relied on";
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("table registration: ") + e.err};
}

}  // namespace fos
