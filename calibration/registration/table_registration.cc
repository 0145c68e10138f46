// SPDX-License-Identifier: MIT
#include "calibration/registration/table_registration.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "calibration/camera/sampling.h"
#include "calibration/registration/crossing.h"
#include "calibration/registration/grid_fit.h"
#include "calibration/registration/lens_check.h"
#include "calibration/registration/line_pictures.h"
#include "calibration/registration/table_pose.h"
#include "calibration/targets/fiducials.h"

namespace fos {
namespace {

using registration::CameraOf;
using registration::Evidence;
using registration::FitPose;
using registration::GridFit;
using registration::Known;
using registration::Pose;
using registration::PoseOf;
using registration::WorstSigma;

// A marker whose corners are further than this from where the others say was pushed or is a copy.
constexpr double kStrayMarker_in = 0.15;

// Of the drawn lines, for a grid that is there: one that is elsewhere meets one line in six within
// the reach.
constexpr double kSeenShare = 0.5;

const FiducialMarker& SpecOf(const FiducialSpec& spec, int id) {
  return *std::find_if(spec.markers.begin(), spec.markers.end(),
                       [id](const FiducialMarker& m) { return m.id == id; });
}

// Whether the markers, none of which is read, are seen as in a mirror.
bool IsMirrored(const cv::Mat& grey, const CameraModel& lens, const FiducialSpec& spec) {
  cv::Mat turned;
  cv::flip(grey, turned, 1);
  const auto seen = FindMarkers(turned, lens, spec);
  constexpr std::size_t kSure = 2;  // any pattern may pass for one marker
  return seen.ok() && seen->size() >= kSure;
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
  return registration::FirstPose(table, rays, lens);
}

// How far the light about a marker may eat into its border, of its size: more than half a module,
// and it could not be read. The smallest dictionary's markers have six modules across.
constexpr double kMostEaten = 0.5 / 6;

// Furthest corner of a marker from where the pose has it, however far light has eaten into its
// border; inches, infinite behind the camera.
double Stray(const Pose& pose, const MarkerSighting& m, const FiducialSpec& spec) {
  const TableCamera camera = CameraOf(pose);
  const FiducialMarker& marker = SpecOf(spec, m.id);
  const auto corners = MarkerCorners(marker, spec.size_in);
  std::array<Vec2, 4> off;
  std::array<Vec2, 4> outward;
  double eaten_in = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto seen = TableFromImage(camera, m.corner_px[i], 0, 0);
    if (!seen.ok()) return INFINITY;
    off[i] = seen->at - corners[i];
    outward[i] = Normalized(corners[i] - marker.centre);
    eaten_in -= 0.25 * Dot(off[i], outward[i]);
  }
  const double most_in = m.burnt ? kMostEaten * M_SQRT2 * spec.size_in : 0;
  eaten_in = std::clamp(eaten_in, 0.0, most_in);
  double furthest = 0;
  for (std::size_t i = 0; i < 4; ++i)
    furthest = std::max(furthest, Norm(off[i] + eaten_in * outward[i]));
  return furthest;
}

// Each marker's edges share a shift of their own, because lamps clip the white of one and not of
// another, and each marker lies a little beside its place.
Evidence MarkerEvidence(const std::vector<const MarkerSighting*>& markers, const FiducialSpec& spec,
                        const Known& known) {
  constexpr double kEdgeShift_px = 0.3;  // up to a third of a pixel on prints measured in light
  Evidence out{{}, known.Priors()};
  auto& sigma = out.priors.shift_sigma;
  for (const MarkerSighting* m : markers) {
    // Any share up to the most is as likely: its root mean square.
    const double side_px = std::hypot(m->corner_px[0].x_px - m->corner_px[2].x_px,
                                      m->corner_px[0].y_px - m->corner_px[2].y_px) *
                           M_SQRT1_2;
    sigma.push_back(m->burnt ? std::max(kEdgeShift_px, kMostEaten * side_px / std::sqrt(3.0))
                             : kEdgeShift_px);
  }
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const MarkerSighting& m = *markers[i];
    const int east = static_cast<int>(sigma.size());
    sigma.insert(sigma.end(), {kPrintSigma_in, kPrintSigma_in});
    const cv::Vec2d by_east =
        (m.corner[1] - m.corner[0] + m.corner[2] - m.corner[3]) / (2 * spec.size_in);
    const cv::Vec2d by_north =
        (m.corner[0] - m.corner[3] + m.corner[1] - m.corner[2]) / (2 * spec.size_in);
    for (LineSight sight : m.sights) {
      sight.shares = {{{static_cast<int>(i), 1.0},
                       {east, sight.px_per_unit * sight.normal.dot(by_east)},
                       {east + 1, sight.px_per_unit * sight.normal.dot(by_north)}}};
      out.sights.push_back(sight);
    }
  }
  return out;
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
    if (const auto fit = FitPose(MarkerEvidence(chosen, spec, known), *trial); fit.ok()) {
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

// How far the markers lie from where table.toml has them when none is believed more than the
// others: one sigma of a place on the board, inches; 0 where printing explains it. Three markers
// always agree, whichever one was left out for them, and four agree with some lens: without lines
// this is what is known. known  the lens as its file states it.
double AstrayTogether_in(const std::vector<MarkerSighting>& seen, const FiducialSpec& spec,
                         const Known& known) {
  std::vector<const MarkerSighting*> all;
  for (const MarkerSighting& m : seen) {
    if (std::none_of(all.begin(), all.end(), [&](const auto* one) { return one->id == m.id; }))
      all.push_back(&m);
  }
  const auto first = FirstPose(all, spec, known.lens.lens);
  if (!first) return 0;
  Evidence evidence = MarkerEvidence(all, spec, known);
  // A rule, a hand that lays a sheet down, a sleeve that pushes it.
  constexpr double kLaidByHand_in = 0.2;
  auto& sigma = evidence.priors.shift_sigma;
  const auto places = sigma.begin() + static_cast<std::ptrdiff_t>(all.size());
  std::fill(places, sigma.end(), kLaidByHand_in);
  const auto fit = FitPose(evidence, *first);
  if (!fit.ok()) return 0;
  std::fill(places, sigma.end(), kPrintSigma_in);
  return registration::MarkersAstray_in(*fit, evidence);
}

// What the left-out crossings say about a pose; `seen` was measured about `from`.
void JudgeByGrid(const std::vector<GridSight>& seen, const TableCamera& from,
                 const TableFrame& frame, TableRegistration& table) {
  table.grid_share =
      static_cast<double>(seen.size()) / static_cast<double>(registration::StretchesOf(frame));
  std::map<std::pair<int, int>, std::array<std::vector<double>, 2>> crossings;
  for (const GridSight& g : seen) {
    if (!registration::HeldOut(g)) continue;
    const Vec2 side = g.runs_north ? Vec2{1, 0} : Vec2{0, 1};
    const auto drawn =
        TableFromImage(table.camera, ImageFromTable(from, g.at + g.off_in * side, 0), 0, 0);
    if (!drawn.ok()) continue;
    crossings[*registration::CrossingOf(g)][g.runs_north ? 0 : 1].push_back(
        Dot(drawn->at - g.at, side));
  }
  for (const auto& [crossing, offs] : crossings) {
    if (offs[0].empty() || offs[1].empty()) continue;
    table.held_out.push_back({{crossing.first * frame.square_in, crossing.second * frame.square_in},
                              {Median(offs[0]), Median(offs[1])}});
  }
}

// The ninths of the board by its left-out crossings: how far the drawn lines lie to one side there.
struct LeftOutNinths {
  double worst_in = 0;      // largest shift of a ninth's crossings
  double by_chance_in = 0;  // what the hand that drew them explains of that one
  bool told = false;        // some ninth has crossings enough
};
LeftOutNinths NinthsOf(const std::vector<TableRegistration::Residual>& held_out,
                       const TableFrame& frame) {
  std::array<std::array<std::vector<double>, 2>, 9> ninths;
  std::vector<double> sizes;
  const auto third = [](double share) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(3 * share), 0, 2));
  };
  for (const TableRegistration::Residual& r : held_out) {
    auto& ninth = ninths[3 * third(r.at.y / frame.Depth()) + third(r.at.x / frame.Width())];
    ninth[0].push_back(r.error_in.x);
    ninth[1].push_back(r.error_in.y);
    sizes.push_back(std::abs(r.error_in.x));
    sizes.push_back(std::abs(r.error_in.y));
  }
  constexpr double kSigmaOfMedian = 1.4826;
  const double sigma = kSigmaOfMedian * Median(sizes);
  LeftOutNinths out;
  for (const auto& ninth : ninths) {
    constexpr std::size_t kFewest = 3;
    if (ninth[0].size() < kFewest) continue;
    out.told = true;
    const double shift = std::hypot(Median(ninth[0]), Median(ninth[1]));
    if (shift <= out.worst_in) continue;
    // The largest of nine shifts of two coordinates: one in a hundred lies beyond 3.7 sigmas of a
    // median, which are 1.25 of a mean's.
    out.by_chance_in = 3.7 * 1.25 * sigma / std::sqrt(static_cast<double>(ninth[0].size()));
    out.worst_in = shift;
  }
  return out;
}

// One sigma at the worst corner of the board, inches. People with a rule in their hands see
// differences of 0.04 in, so two sigma of 0.02 in are as good as they are.
constexpr double kGood_in = 0.01;
constexpr double kUsable_in = 0.02;
// Two sigma of a fifth of the hit circle's radius (1 in): most calls near its edge are then
// too close, and what is called depends on the pose more than on the shot.
constexpr double kUseless_in = 0.1;

// Fills in `trust` and `reason`.
// marked        the table was found by markers, so their places and what hides them count.
// contradicted  the file's lens, where the table does not fit it and corrected it.
// astray        the markers may lie astray instead.
// taped         the camera's height was measured, and may be wrong instead.
void JudgeTrust(TableRegistration& table, bool marked, const CameraModel* contradicted,
                bool astray, bool taped) {
  const double sigma_in = table.worst_sigma_in;
  table.trust = sigma_in <= kUsable_in    ? TableTrust::kTrusted
                : sigma_in <= kUseless_in ? TableTrust::kDoubtful
                                          : TableTrust::kUntrusted;
  if (contradicted != nullptr) {
    table.trust = std::max(table.trust, TableTrust::kDoubtful);
    const double by_table_px = table.camera.lens.fx_px;
    const double doubt_px = 2 * std::sqrt(std::max(0.0, table.camera.lens_covariance(0, 0)));
    const bool focal_fits = std::abs(contradicted->fx_px - by_table_px) < doubt_px;
    const std::string what =
        focal_fits ? std::string("the centre or the distortion is another one, as in pictures that "
                                 "were turned or cropped, and the table was believed")
                   : fmt::format("focal length {:.0f} px by the file, {:.0f} ± {:.0f} px by the "
                                 "table, which was believed",
                                 contradicted->fx_px, by_table_px, doubt_px);
    table.reason = fmt::format(
        "the camera file does not fit this table: {}; run `fallofshot calibrate lens` with this "
        "camera at this zoom and focus{}{}",
        what, taped ? ", or measure the camera's height again" : "",
        astray ? ", or measure the markers' places in table.toml again" : "");
  } else if (table.unexplained_in > kUsable_in) {
    table.trust = std::max(table.trust, TableTrust::kDoubtful);
    table.reason = fmt::format(
        "what is seen lies {:.2g} in (rms) further from its place than any lens explains; check "
        "columns, rows{} in table.toml, and that the cloth lies flat",
        table.unexplained_in, marked ? ", square and the markers' places" : " and square");
  } else if (table.trust != TableTrust::kTrusted) {
    table.reason = fmt::format(
        "places at the worst corner are only known to ±{:.2g} in; clear what hides {}the lines, or "
        "bring more light",
        2 * sigma_in, marked ? "the markers and " : "");
  }
}

// The plain sentence: good, usable, doubtful or not to be trusted, the figures, and the reason.
std::string Sentence(const TableRegistration& table, const TableFrame& frame, std::size_t markers) {
  std::string how;
  if (markers > 0) how = fmt::format("{} of {} markers, ", table.markers_used.size(), markers);
  how += fmt::format("{:.0f} % of the grid, ±{:.3f} in at the worst corner", 100 * table.grid_share,
                     2 * table.worst_sigma_in);
  if (!table.held_out.empty()) {
    std::vector<double> off;
    for (const auto& r : table.held_out) off.push_back(Norm(r.error_in));
    how += fmt::format(", drawn crossings within {:.3f} in (median of {})", Median(off), off.size());
    if (const LeftOutNinths ninths = NinthsOf(table.held_out, frame); ninths.told)
      how += fmt::format(", shifted by {:.3f} in in the worst ninth of the board", ninths.worst_in);
  }
  switch (table.trust) {
    case TableTrust::kTrusted:
      return (table.worst_sigma_in <= kGood_in ? "good: " : "usable: ") + how;
    case TableTrust::kDoubtful:
      return "doubtful: " + how + "; " + table.reason;
    case TableTrust::kUntrusted:
      return "not to be trusted: " + how + "; " + table.reason;
  }
  throw std::logic_error("no such trust");
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
std::string ReliesOn(const Known& known, const TableCamera& camera, const TableFrame& frame,
                     bool contradicted) {
  const bool calibrated = registration::IsCalibrated(known.lens) && !contradicted;
  std::string out = contradicted  ? "a lens fitted to the table, as it contradicts the file"
                    : !calibrated ? "a common webcam's lens, as there is no lens file"
                                  : "the lens file";
  if (known.height) {
    out += fmt::format(" and a height of {:.1f} in measured by tape", known.height->inches);
  }
  // What the doubt about the camera's height does to things above the cloth, at the worst corner.
  constexpr double kHouse_in = 2;
  double worst = 0;
  for (const Vec2 corner : frame.Corners()) {
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
  if (!calibrated && !known.height && tilt < kOverhead_deg) {
    out +=
        "; straight from above a flat table tells neither focal length nor height: calibrate "
        "the lens or give --height";
  }
  return out;
}

// What a table was found by.
struct Fitted {
  PoseFit fit;
  Evidence evidence;
  std::optional<GridFit> grid;
  registration::LensCheck lens;  // of the lens as it was known
  bool doubts_markers = false;   // markers and lines tell of different tables
  std::size_t markers_used = 0;
  bool left_marker_out = false;  // one that was seen does not agree with the others
  bool lines_tell = false;       // where the table is, whatever the markers say
  double astray_in = 0;  // how far markers lie from their places; 0 where printing explains it
};
Fitted FittedOf(GridFit grid, const registration::LensCheck& lens) {
  Fitted out;
  out.fit = grid.fit;
  out.evidence = grid.evidence;
  out.lens = lens;
  out.grid = std::move(grid);
  return out;
}
Fitted FittedOf(GridFit grid, const Known& known) {
  const auto lens = registration::CheckLens(grid.fit, grid.evidence, known);
  return FittedOf(std::move(grid), lens);
}

// Grows the stated covariance until the worst corner of the board is in doubt by at least
// `least_in`. What is seen of the table says nothing about the doubt of refocusing, which stays.
void GrowDoubt(TableCamera& camera, const Fitted& fitted, const TableFrame& frame,
               double& worst_sigma_in, double least_in) {
  if (!(worst_sigma_in < least_in) || !(worst_sigma_in > 0)) return;
  Evidence seen = fitted.evidence;
  seen.priors.refocus_sigma = 0;
  const auto fit = FitPose(seen, PoseOf(fitted.fit));
  const TableCamera grown = fit.ok() ? CameraOf(*fit) : camera;
  const double wider = std::pow(least_in / WorstSigma(grown, frame), 2) - 1;
  camera.pose_covariance += wider * grown.pose_covariance;
  camera.lens_covariance += wider * grown.lens_covariance;
  camera.lens_pose_covariance += wider * grown.lens_pose_covariance;
  worst_sigma_in = WorstSigma(camera, frame);
}

// marked, contradicted  as in JudgeTrust.
TableRegistration MakeRegistration(const TableFrame& frame, const Fitted& fitted,
                                   const Known& known, bool marked,
                                   const CameraModel* contradicted) {
  TableRegistration out;
  out.camera = CameraOf(fitted.fit);
  const Rms rms = RmsOf(fitted.fit, fitted.evidence.sights, out.camera);
  out.rms_px = rms.px;
  out.rms_in = rms.in;
  out.worst_sigma_in = WorstSigma(out.camera, frame);
  out.unexplained_in = registration::Unexplained_in(fitted.fit, fitted.evidence, out.camera);
  if (fitted.grid) JudgeByGrid(fitted.grid->seen, fitted.grid->camera, frame, out);
  const LeftOutNinths left_out = NinthsOf(out.held_out, frame);
  if (left_out.worst_in > left_out.by_chance_in) {
    const double beyond_in =
        std::sqrt(std::pow(left_out.worst_in, 2) - std::pow(left_out.by_chance_in, 2));
    out.unexplained_in = std::max(out.unexplained_in, beyond_in);
  }
  out.unexplained_in = std::max(out.unexplained_in, fitted.astray_in);
  GrowDoubt(out.camera, fitted, frame, out.worst_sigma_in, out.unexplained_in);
  JudgeTrust(out, marked, contradicted, fitted.astray_in > 0, known.height.has_value());
  out.relies_on = ReliesOn(known, out.camera, frame, contradicted != nullptr);
  out.focal_sigma = fitted.lens.focal_sigma;
  return out;
}

// Finds the table with the lens as it is known and, where what is seen contradicts it, again with a
// loose one: the focal length alone where that settles it, else the whole lens. That counts only
// where it settles the matter.
// find    (Known) -> Result<T>, T derived from Fitted.
// looser  what was known of the loose lens, where that was taken; else empty.
template <typename Find>
auto FindWithCheckedLens(const Known& known, const Find& find, std::optional<Known>& looser) {
  auto found = find(known);
  looser.reset();
  if (!registration::IsCalibrated(known.lens)) return found;
  if (found.ok() && !found->lens.contradicted && !found->left_marker_out) return found;
  const bool refocused = found.ok() && found->lens.contradicted && found->lens.focal_explains;
  const Known loose =
      refocused ? registration::WithLooseFocal(known) : registration::Loosened(known);
  auto again = find(loose);
  if (!again.ok() || again->doubts_markers) return found;
  if (found.ok() && !found->lens.contradicted) {
    // A marker was pushed, or the lens puts it elsewhere: the lens, if all agree with another one.
    constexpr double kExplained = 1.5;  // chi-square per degree of freedom
    if (again->markers_used <= found->markers_used || again->fit.chi2_per_dof > kExplained) {
      return found;
    }
  }
  looser = loose;
  again->lens = found.ok() ? found->lens : registration::LensCheck{};
  return again;
}

struct FittedMarkers : Fitted {
  std::vector<int> markers;
  std::vector<double> shift_px;  // of each
  std::string note;
};

// The table by its markers and, where they are seen, its lines.
Result<FittedMarkers> FitMarkers(const cv::Mat& picture, const std::vector<MarkerSighting>& seen,
                                 const TableSpec& table, const Known& known) {
  const FiducialSpec& spec = *table.fiducials;
  Pose pose;
  const auto markers = Agreeing(seen, known, spec, pose);
  if (markers.empty()) {
    return Error{ErrorCode::kNotFound,
                 "none of the table's markers is seen; clear the corners or bring more light"};
  }
  Evidence evidence = MarkerEvidence(markers, spec, known);
  const auto first = FitPose(evidence, {pose.rvec, pose.tvec, known.lens.lens});
  if (!first.ok()) return first.error();
  PoseFit fit = *first;
  pose = PoseOf(fit);
  const double sigma_in = WorstSigma(CameraOf(fit), table.frame);

  // With markers at all corners the lines are within reach; with fewer the grid is found by itself
  // and the markers say which way round it lies.
  constexpr double kSure_in = 0.05;
  if (sigma_in > kSure_in) {
    if (const auto found = registration::SearchGrid(picture, known, table.frame)) {
      double nearest = 0.5 * table.frame.square_in;
      for (int quarters = 0; quarters < 4; ++quarters) {
        if (quarters % 2 == 1 && table.frame.columns != table.frame.rows) continue;
        const Pose trial = registration::Turned(PoseOf(found->fit), table.frame, quarters);
        double stray = 0;
        for (const MarkerSighting* m : markers) stray = std::max(stray, Stray(trial, *m, spec));
        if (stray < nearest) {
          nearest = stray;
          pose = trial;
        }
      }
    }
  }
  const double reach_in =
      sigma_in > kSure_in ? registration::kFirstPose_in : registration::kStrayLine_in;
  FittedMarkers out;
  std::set<int> ids;
  for (const MarkerSighting& m : seen) ids.insert(m.id);
  out.markers_used = markers.size();
  out.left_marker_out = markers.size() < ids.size();
  out.lens = registration::CheckLens(fit, evidence, known);
  auto grid = registration::FitClearestGrid(picture, pose, table.frame, evidence, reach_in);
  // One marker does not say which lines are the board's: a hill's edges, a road and a row of bases
  // make half a grid.
  if (grid && markers.size() == 1 && grid->share < kSeenShare) grid.reset();
  if (grid) {
    out.lens = registration::CheckLens(grid->fit, grid->evidence, known);
    double apart_in = 0;
    if (auto alone = registration::LinesAgainst(*grid, known, table.frame, apart_in)) {
      out.note = fmt::format(
          "; the markers lie up to {:.2f} in from where table.toml has them, the drawn lines were "
          "believed",
          apart_in);
      grid = std::move(alone);
      out.doubts_markers = true;
    }
    fit = grid->fit;
    evidence = grid->evidence;
  }

  for (std::size_t i = 0; i < markers.size(); ++i) {
    out.markers.push_back(markers[i]->id);
    // The markers' shifts come first; where the lines alone were believed there are none.
    if (out.note.empty()) out.shift_px.push_back(-fit.shifts[i]);
  }
  out.fit = fit;
  out.evidence = std::move(evidence);
  out.astray_in = registration::MarkersAstray_in(out.fit, out.evidence);
  constexpr std::size_t kAgreeAnyway = 3;
  out.lines_tell = grid && grid->share >= kSeenShare;
  const bool left_over = out.left_marker_out && markers.size() <= kAgreeAnyway;
  // The fit takes markers that lie far astray for strays, so that their shifts tell too little.
  // Chi-square per degree of freedom: residuals of more than twice their noise throughout. A sheet
  // that is not quite flat makes 2 or 3.
  constexpr double kFarOff = 5;
  const bool unexplained = out.astray_in > 0 || out.fit.chi2_per_dof > kFarOff;
  if (!out.lines_tell && (left_over || unexplained)) {
    out.astray_in = std::max(out.astray_in, AstrayTogether_in(seen, spec, known));
  }
  out.grid = std::move(grid);
  return out;
}

constexpr double kReach_px = 12;  // of a click, at 1000 pixels across
double ClickScale(const cv::Mat& picture) { return std::max(1.0, picture.cols / 1000.0); }

const char kCrookedClicks[] =
    "the clicks do not lie as those crossings of a flat board do; click the same corner of the "
    "picture for the corner that is named, four far apart";

// A place of the picture as sights of a crossing, one along each axis.
Status AddPointed(const CameraModel& lens, ImagePoint seen, Vec2 crossing_in, double sigma_px,
                  std::vector<LineSight>& out) {
  const auto ray = Undistort(lens, seen);
  if (!ray) return Error{ErrorCode::kDegenerate, "a click lies where the lens sees nothing"};
  const cv::Matx22d by_ray = DerivativeOf(lens, (*ray)[0], (*ray)[1]).by_ray;
  for (int axis = 0; axis < 2; ++axis) {
    LineSight sight;
    sight.at = crossing_in;
    sight.normal = axis == 0 ? cv::Vec2d(1, 0) : cv::Vec2d(0, 1);
    sight.offset = -(*ray)[axis];
    sight.px_per_unit = std::hypot(by_ray(0, axis), by_ray(1, axis));
    sight.sigma_px = sigma_px;
    PutInPicture(sight, *ray, lens);
    out.push_back(sight);
  }
  return Ok();
}

// The clicks as sights of the crossings that they name.
// snap  take the crossing that is drawn nearest to a click for the click itself.
Result<std::vector<LineSight>> ClickSights(const cv::Mat& grey, const CameraModel& lens,
                                           const std::vector<Click>& clicks, bool snap) {
  constexpr double kClick_px = 4;  // one sigma of a click that nothing was found near
  constexpr double kSnapped_px = 0.5;
  const double scale = ClickScale(grey);
  std::vector<LineSight> out;
  for (const Click& click : clicks) {
    std::optional<ImagePoint> snapped;
    if (snap) snapped = SnapToCrossing(grey, click.at, kReach_px * scale);
    const Status added = AddPointed(lens, snapped.value_or(click.at), click.crossing_in,
                                    scale * (snapped ? kSnapped_px : kClick_px), out);
    if (!added.ok()) return added.error();
  }
  return out;
}

// The pose by all crossings that are drawn near where `first` has them: most are right where some
// of the few clicks were not.
Pose ByCrossings(const cv::Mat& grey, const TableFrame& frame, const Pose& first,
                 Evidence evidence) {
  const TableCamera camera = CameraOf(first);
  const double scale = ClickScale(grey);
  constexpr int kMost = 12;  // crossings along a side of the board are enough
  const int east = std::max(1, frame.columns / kMost);
  const int north = std::max(1, frame.rows / kMost);
  for (int c = 0; c <= frame.columns; c += east) {
    for (int r = 0; r <= frame.rows; r += north) {
      const Vec2 at{c * frame.square_in, r * frame.square_in};
      const ImagePoint here = ImageFromTable(camera, at, 0);
      const ImagePoint next = ImageFromTable(camera, at + Vec2{frame.square_in, 0}, 0);
      const ImagePoint over = ImageFromTable(camera, at + Vec2{0, frame.square_in}, 0);
      const double side_px = std::min(std::hypot(next.x_px - here.x_px, next.y_px - here.y_px),
                                      std::hypot(over.x_px - here.x_px, over.y_px - here.y_px));
      constexpr double kShare = 0.4;  // of a square: nearer to this crossing than to the next
      const double reach_px = std::min(kReach_px * scale, kShare * side_px);
      if (const auto seen = SnapToCrossing(grey, here, reach_px)) {
        (void)AddPointed(first.lens, *seen, at, scale, evidence.sights).ok();
      }
    }
  }
  const auto fit = FitPose(evidence, first);
  return fit.ok() && registration::SaneLens(fit->lens) ? PoseOf(*fit) : first;
}

// Refuses a click that lies further than most_in from where the camera sees its crossing.
Status ClicksFit(const TableCamera& camera, const std::vector<Click>& clicks, double most_in) {
  for (std::size_t i = 0; i < clicks.size(); ++i) {
    const auto seen = TableFromImage(camera, clicks[i].at, 0, 0);
    const double off = seen.ok() ? Distance(seen->at, clicks[i].crossing_in) : INFINITY;
    if (off <= most_in) continue;
    return Error{ErrorCode::kDegenerate,
                 fmt::format("click {} at ({:.0f}, {:.0f}) does not fit the others: by them it "
                             "lies {:.1f} in from ({:g}, {:g}) in",
                             i + 1, clicks[i].at.x_px, clicks[i].at.y_px, std::min(off, 1e3),
                             clicks[i].crossing_in.x, clicks[i].crossing_in.y)};
  }
  return Ok();
}

// The table by its clicks and, where they are seen, its lines.
// grey  the picture as LinePicture makes it of lightness
Result<Fitted> FitClicks(const cv::Mat& picture, const cv::Mat& grey, const TableFrame& frame,
                         const std::vector<Click>& clicks, const Known& known,
                         const std::vector<LineSight>& sights) {
  std::vector<cv::Point3d> table;
  std::vector<cv::Point2d> rays;
  for (std::size_t i = 0; i < sights.size(); i += 2) {
    table.emplace_back(sights[i].at.x, sights[i].at.y, 0);
    rays.emplace_back(-sights[i].offset, -sights[i + 1].offset);
  }
  const Error crooked{ErrorCode::kDegenerate, kCrookedClicks};
  const auto first = registration::FirstPose(table, rays, known.lens.lens);
  if (!first) return crooked;
  const Evidence evidence{sights, known.Priors()};
  const auto fit = FitPose(evidence, *first);
  if (!fit.ok() || !registration::SaneLens(fit->lens)) return crooked;
  if (!std::isfinite(WorstSigma(CameraOf(*fit), frame))) return crooked;
  const Pose pose = ByCrossings(grey, frame, PoseOf(*fit), evidence);
  auto grid =
      registration::FitClearestGrid(picture, pose, frame, evidence, registration::kFirstPose_in);
  if (grid && grid->share >= kSeenShare) {
    constexpr double kNextCrossing = 0.5;  // of a square: half the way there
    const Status near = ClicksFit(CameraOf(grid->fit), clicks, kNextCrossing * frame.square_in);
    if (!near.ok()) return near.error();
    return FittedOf(std::move(*grid), known);
  }
  // Four points and a flat board leave two numbers over: one click on the wrong crossing shows.
  constexpr double kWrong = 0.25;  // of a square
  const Status together = ClicksFit(CameraOf(*fit), clicks, kWrong * frame.square_in);
  if (!together.ok()) return together.error();
  if (grid) return FittedOf(std::move(*grid), known);
  Fitted by_click;
  by_click.fit = *fit;
  by_click.evidence = evidence;
  by_click.lens = registration::CheckLens(*fit, evidence, known);
  return by_click;
}

// A table without markers, found by a lens that was checked against it.
// look  finds it by what is known: Result<Fitted>(const Known&)
template <class Look>
Result<TableRegistration> RegisterUnmarked(const TableFrame& frame, const Known& known,
                                           TableRegistration::Method method, const Look& look) {
  std::optional<Known> looser;
  const Result<Fitted> found = FindWithCheckedLens(known, look, looser);
  if (!found.ok()) return found.error();
  TableRegistration out = MakeRegistration(frame, *found, known, /*marked=*/false,
                                           looser ? &known.lens.lens : nullptr);
  out.method = method;
  out.sentence = Sentence(out, frame, 0);
  if (!found->grid) out.sentence += "; no drawn line was found, only the clicks are relied on";
  return out;
}

}  // namespace

void TellMarkersUnread(TableRegistration& by_lines, const FiducialSpec& spec) {
  const std::size_t count = spec.markers.size();
  by_lines.sentence +=
      fmt::format("; none of the table's {} marker{} was read, and lines tell less: clear the "
                  "corners or bring more light",
                  count, count == 1 ? "" : "s");
}

Result<TableRegistration> RegisterTable(const cv::Mat& picture, const CameraModel& lens,
                                        const TableSpec& table,
                                        const RegistrationOptions& options) try {
  if (const Status fit = CheckPicture(picture, lens); !fit.ok()) return fit.error();
  if (!table.fiducials) {
    return Error{ErrorCode::kNotFound, "the table has no [fiducials] to find it by"};
  }
  const Known known = registration::KnownOf(lens, options.height);
  const cv::Mat grey = LinePicture(picture, LineKind::kLightness);
  const auto seen = FindMarkers(grey, lens, *table.fiducials);
  if (!seen.ok()) return seen.error();
  if (seen->empty() && IsMirrored(grey, lens, *table.fiducials)) {
    return Error{ErrorCode::kBadFormat, kMirrored};
  }
  std::optional<Known> looser;
  auto found = FindWithCheckedLens(
      known, [&](const Known& k) { return FitMarkers(picture, *seen, table, k); }, looser);
  if (!found.ok()) return found.error();
  // The lens may be wrong, or the places of the markers. One number, the focal length, does not
  // explain markers that lie about at random; the whole lens explains any four.
  const bool refocused = found->lens.focal_explains && found->astray_in == 0;
  if (looser && !found->lines_tell && !refocused) {
    found->astray_in =
        std::max(found->astray_in, AstrayTogether_in(*seen, *table.fiducials, known));
  }
  TableRegistration out =
      MakeRegistration(table.frame, *found, known, /*marked=*/true, looser ? &lens : nullptr);
  if (!std::isfinite(out.worst_sigma_in)) {
    // A pose that looks away from part of the board is no use to anyone.
    return Error{ErrorCode::kNotFound,
                 "too little of the table's markers is seen to find it; clear the corners or bring "
                 "more light"};
  }
  out.method = TableRegistration::Method::kFiducials;
  out.markers_used = found->markers;
  out.marker_shift_px = found->shift_px;
  std::sort(out.markers_used.begin(), out.markers_used.end());
  out.sentence = Sentence(out, table.frame, table.fiducials->markers.size()) + found->note;
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("table registration: ") + e.err};
}

Result<std::vector<TableRegistration>> RegisterFromGrid(const cv::Mat& picture,
                                                        const CameraModel& lens,
                                                        const TableFrame& frame,
                                                        const RegistrationOptions& options) try {
  if (const Status fit = CheckPicture(picture, lens); !fit.ok()) return fit.error();
  Known known = registration::KnownOf(lens, options.height);
  std::optional<Known> looser;
  const auto search = [&](const Known& k) -> Result<Fitted> {
    if (auto grid = registration::SearchGrid(picture, k, frame)) {
      return FittedOf(std::move(*grid), k);
    }
    return Error{ErrorCode::kNotFound,
                 "no grid of the board's size stands out; check columns, rows and square in "
                 "table.toml, bring more light or put up corner markers"};
  };
  const Result<Fitted> found = FindWithCheckedLens(known, search, looser);
  if (!found.ok()) return found.error();
  const std::optional<GridFit>& grid = found->grid;
  if (const auto doubt = registration::DoubtfulPlacement(*grid, frame)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("the grid that was found {}; check columns, rows and square in "
                             "table.toml, clear the board's outer lines, or name four crossings "
                             "with --clicks",
                             *doubt)};
  }
  if (looser) known = *looser;
  std::vector<TableRegistration> out;
  for (int quarters = 0; quarters < 4; ++quarters) {
    if (quarters % 2 == 1 && frame.columns != frame.rows) continue;
    const Pose turned = registration::Turned(PoseOf(grid->fit), frame, quarters);
    // Fitted again, so that each placement has its own covariance.
    const auto fitted = registration::FitGrid(grid->lines, turned, frame, {{}, known.Priors()},
                                              registration::kStrayLine_in);
    if (!fitted) continue;
    TableRegistration table =
        MakeRegistration(frame, FittedOf(*fitted, found->lens), known, /*marked=*/false,
                         looser ? &lens : nullptr);
    table.method = TableRegistration::Method::kGrid;
    table.sentence = Sentence(table, frame, 0);
    out.push_back(std::move(table));
  }
  if (out.empty()) {
    return Error{ErrorCode::kNotFound, "the drawn grid does not fix the camera; bring more light"};
  }
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("table registration: ") + e.err};
}

Result<TableRegistration> RegisterFromPose(const cv::Mat& picture, const CameraModel& lens,
                                           const TableFrame& frame, const KnownPose& before,
                                           const RegistrationOptions& options) try {
  if (const Status fit = CheckPicture(picture, lens); !fit.ok()) return fit.error();
  const Known known = registration::KnownOf(lens, options.height);
  const auto look = [&](const Known& k) -> Result<Fitted> {
    auto grid = registration::FitClearestGrid(picture, {before.rvec, before.tvec, lens}, frame,
                                              {{}, k.Priors()}, registration::kFirstPose_in);
    if (grid && grid->share >= kSeenShare) return FittedOf(std::move(*grid), k);
    return Error{ErrorCode::kNotFound,
                 "the drawn lines are not where they were when the table was last found; find it "
                 "again: fallofshot setup, or calibrate table"};
  };
  return RegisterUnmarked(frame, known, TableRegistration::Method::kGrid, look);
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
                 fmt::format("{} {} not fix the table; click four crossings, far apart",
                             clicks.size(), clicks.size() == 1 ? "click does" : "clicks do")};
  }
  const Known known = registration::KnownOf(lens, options.height);
  const cv::Mat grey = LinePicture(picture, LineKind::kLightness);
  const auto register_by = [&](bool snap) -> Result<TableRegistration> {
    const auto sights = ClickSights(grey, known.lens.lens, clicks, snap);
    if (!sights.ok()) return sights.error();
    const auto look = [&](const Known& k) {
      return FitClicks(picture, grey, frame, clicks, k, *sights);
    };
    return RegisterUnmarked(frame, known, TableRegistration::Method::kManual, look);
  };
  // Something else may lie nearer to a click than its crossing, such as an edge beside the corner
  // of a chequered board. The drawn lines tell, from where the clicks themselves put the board.
  Result<TableRegistration> snapped = register_by(true);
  if (snapped.ok() && snapped->grid_share >= kSeenShare) return snapped;
  Result<TableRegistration> as_clicked = register_by(false);
  const bool lines_tell = as_clicked.ok() && as_clicked->grid_share >= kSeenShare;
  return lines_tell || !snapped.ok() ? as_clicked : snapped;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("table registration: ") + e.err};
}

}  // namespace fos
