#include "calibration/table_registration.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <opencv2/calib3d.hpp>

#include "calibration/fiducials.h"
#include "calibration/pose_fit.h"

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
  for (unsigned set = 1; set < (1U << count); ++set) {
    const auto size = static_cast<std::size_t>(std::popcount(set));
    if (size < best.size()) continue;
    std::vector<const MarkerSighting*> chosen;
    bool twice = false;
    for (std::size_t i = 0; i < count; ++i) {
      if ((set >> i & 1U) == 0) continue;
      for (const MarkerSighting* k : chosen) twice = twice || k->id == seen[i].id;
      chosen.push_back(&seen[i]);
    }
    if (twice) continue;
    const auto trial = FirstPose(chosen, spec);
    if (!trial) continue;
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

Result<PoseFit> FitMarkers(const std::vector<const MarkerSighting*>& markers, const Pose& pose) {
  std::vector<LineSight> sights;
  int bias = 0;  // each marker has its own: lamps clip the white of one and not of another
  for (const MarkerSighting* m : markers) {
    for (LineSight sight : m->sights) {
      sight.bias = bias;
      sights.push_back(sight);
    }
    ++bias;
  }
  return FitPose(sights, pose.rvec, pose.tvec);
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

// The plain sentence: good, usable, or not to be trusted and what to do.
std::string Sentence(const TableRegistration& table, double worst_sigma_in, std::size_t markers) {
  constexpr double kGood_in = 0.01;    // one sigma: a twentieth of the doubt of a tape measure
  constexpr double kUsable_in = 0.02;  // two sigma are the ±0.04 in that people can see
  const std::string how = fmt::format("{} of {} markers, ±{:.3f} in at the worst corner",
                                      table.markers_used.size(), markers, 2 * worst_sigma_in);
  if (worst_sigma_in <= kGood_in) return "good: " + how;
  if (worst_sigma_in <= kUsable_in) return "usable: " + how;
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
  const auto fit = FitMarkers(markers, pose);
  if (!fit.ok()) return fit.error();

  TableRegistration out;
  out.method = TableRegistration::Method::kFiducials;
  out.camera = MakeTableCamera(lens, fit->rvec, fit->tvec, fit->covariance);
  double squares_px2 = 0;
  double squares_in2 = 0;
  std::size_t k = 0;
  for (const MarkerSighting* m : markers) {
    out.markers_used.push_back(m->id);
    for (const LineSight& sight : m->sights) {
      const double r = fit->residual_px[k++];
      squares_px2 += r * r;
      const double px_per_in = PixelsPerInch(out.camera, sight.at, 0);
      squares_in2 += r * r / (px_per_in * px_per_in);
    }
  }
  std::sort(out.markers_used.begin(), out.markers_used.end());
  out.rms_px = std::sqrt(squares_px2 / static_cast<double>(k));
  out.rms_in = std::sqrt(squares_in2 / static_cast<double>(k));
  out.sentence = Sentence(out, WorstSigma(out.camera, table.frame), spec.markers.size());
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("table registration: ") + e.err};
}

}  // namespace fos
