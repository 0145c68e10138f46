// SPDX-License-Identifier: MIT
#include "calibration/lens/lens_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <opencv2/calib3d.hpp>

#include "calibration/camera/least_squares.h"
#include "calibration/camera/sampling.h"

namespace fos {
namespace {

constexpr int kLens = 9;  // fx fy cx cy and the five of CameraModel::distortion
constexpr int kPose = 6;
using PoseVec = cv::Vec<double, kPose>;
using PoseMat = cv::Matx<double, kPose, kPose>;
using CrossMat = cv::Matx<double, kLens, kPose>;

using Fitted = std::array<bool, kLens>;
// For a start: focal length, centre and one term of the bend.
constexpr Fitted kFirst = {true, true, true, true, true, false, false, false, false};
Fitted AllOf(CameraModel::Lens lens) {
  const bool fisheye = lens == CameraModel::Lens::kFisheye;
  return {true, true, true, true, true, true, true, true, !fisheye};
}

std::optional<ImagePoint> Project(const CameraModel& camera, const cv::Matx33d& rotation,
                                  const cv::Vec3d& tvec, Vec2 at) {
  const cv::Vec3d p = rotation * cv::Vec3d(at.x, at.y, 0) + tvec;
  if (!(p[2] > 1e-6)) return std::nullopt;
  return Distort(camera, p[0] / p[2], p[1] / p[2]);
}

// Of a distance, in sigmas of one coordinate: one in a hundred lies beyond by chance.
constexpr double kHuber = 3.0;
double Weight(double normalised) { return normalised <= kHuber ? 1.0 : kHuber / normalised; }
double Cost(double normalised) {
  return normalised <= kHuber ? 0.5 * normalised * normalised
                              : kHuber * (normalised - 0.5 * kHuber);
}

// What is known of lenses before anything is seen, as a pull on the numbers. It matters only where
// the views leave a number open: there it keeps the fit from bending the unseen part of the picture
// at will, and its sigma is the doubt that stays.
struct Prior {
  LensVec mean;
  LensVec sigma;                // infinite where nothing is known
  double aspect_sigma = 0.002;  // pixels are square
};
// Whether the camera's picture was stretched to another shape: 16:9 to 4:3 or back is 1.33. No
// sensor's own pixels are that far from square.
bool Stretched(const CameraModel& camera) {
  constexpr double kStretched = 1.1;
  const double ratio = camera.fx_px / camera.fy_px;
  return std::max(ratio, 1 / ratio) > kStretched;
}
// first  a lens fitted with the first term of the bend alone.
Prior PriorOf(const CameraModel& first) {
  Prior prior;
  if (Stretched(first)) prior.aspect_sigma = INFINITY;
  prior.sigma = LensVec::all(INFINITY);
  prior.mean[2] = 0.5 * (first.width_px - 1);
  prior.mean[3] = 0.5 * (first.height_px - 1);
  // The axis of a webcam passes within a few percent of the picture's middle.
  constexpr double kMiddle = 0.03;
  prior.sigma[2] = prior.sigma[3] = kMiddle * first.width_px;
  if (first.lens == CameraModel::Lens::kFisheye) {
    // The polynomial describes a lens between one true to angles (all terms 0) and one true to
    // tangents: the series of tan.
    prior.sigma[4] = 1.0 / 3;
    prior.sigma[5] = 2.0 / 15;
    prior.sigma[6] = 17.0 / 315;
    prior.sigma[7] = 62.0 / 2835;
  } else {
    // A lens true to angles, atan(c r) / c, has k1 = -c^2 / 3, k2 = c^4 / 5 and k3 = -c^6 / 7: the
    // further terms are bound to be small where the first is. Webcams bend back towards the rim by
    // some hundredths whatever the first term (k1 0.1 with k2 -0.2 is common).
    prior.sigma[4] = 1.0 / 3;
    const double k1 = std::abs(first.distortion[0]);
    const double corner = std::hypot(first.width_px, first.height_px) / 2 / first.fx_px;
    constexpr double kMoustache = 0.02;
    prior.sigma[5] = 9.0 / 5 * k1 * k1 + kMoustache / std::pow(corner, 4);
    prior.sigma[8] = 27.0 / 7 * k1 * k1 * k1 + kMoustache / std::pow(corner, 6);
    constexpr double kDecentred = 0.002;  // p1, p2 of elements that are centred as makers manage
    prior.sigma[6] = prior.sigma[7] = kDecentred;
  }
  return prior;
}
double PriorCost(const Prior& prior, const LensVec& v) {
  double sum = 0;
  for (int i = 0; i < kLens; ++i) {
    const double r = (v[i] - prior.mean[i]) / prior.sigma[i];
    sum += 0.5 * r * r;
  }
  const double aspect = (v[1] / v[0] - 1) / prior.aspect_sigma;
  return sum + 0.5 * aspect * aspect;
}

double ViewCost(const CameraModel& camera, const BoardView& view, const BoardPose& pose,
                double sigma) {
  cv::Matx33d rotation;
  cv::Rodrigues(pose.rvec, rotation);
  double sum = 0;
  for (std::size_t i = 0; i < view.seen.size(); ++i) {
    const auto p = Project(camera, rotation, pose.tvec, view.board_in[i]);
    if (!p) return INFINITY;
    sum += Cost(std::hypot(p->x_px - view.seen[i].x_px, p->y_px - view.seen[i].y_px) / sigma);
  }
  return sum;
}

BoardPose Moved(const BoardPose& pose, const PoseVec& step) {
  cv::Matx33d rotation, turn;
  cv::Rodrigues(pose.rvec, rotation);
  cv::Rodrigues(cv::Vec3d(step[0], step[1], step[2]), turn);
  BoardPose out;
  cv::Rodrigues(turn * rotation, out.rvec);
  out.tvec = pose.tvec + cv::Vec3d(step[3], step[4], step[5]);
  return out;
}

struct Blocks {
  LensMat lens = LensMat::zeros();
  CrossMat cross = CrossMat::zeros();
  PoseMat pose = PoseMat::zeros();
  LensVec lens_right;
  PoseVec pose_right;
};

Blocks Linearise(const CameraModel& camera, const BoardView& view, const BoardPose& pose,
                 double sigma, const Fitted& fitted) {
  Blocks out;
  cv::Matx33d rotation;
  cv::Rodrigues(pose.rvec, rotation);
  for (std::size_t i = 0; i < view.seen.size(); ++i) {
    const cv::Vec3d turned = rotation * cv::Vec3d(view.board_in[i].x, view.board_in[i].y, 0);
    const cv::Vec3d p = turned + pose.tvec;
    if (!(p[2] > 1e-6)) continue;
    const double x = p[0] / p[2];
    const double y = p[1] / p[2];
    const ImagePoint at = Distort(camera, x, y);
    const DistortDerivative by = DerivativeOf(camera, x, y);
    const std::array<double, 2> rest = {at.x_px - view.seen[i].x_px, at.y_px - view.seen[i].y_px};
    const double w = Weight(std::hypot(rest[0], rest[1]) / sigma) / (sigma * sigma);
    for (int axis = 0; axis < 2; ++axis) {
      const double by_x = by.by_ray(axis, 0);
      const double by_y = by.by_ray(axis, 1);
      const cv::Vec3d shift(by_x / p[2], by_y / p[2], -(by_x * x + by_y * y) / p[2]);
      const cv::Vec3d turn = turned.cross(shift);
      const PoseVec jp(turn[0], turn[1], turn[2], shift[0], shift[1], shift[2]);
      LensVec jl;
      for (int k = 0; k < kLens; ++k) {
        if (fitted[static_cast<std::size_t>(k)]) jl[k] = by.by_lens(axis, k);
      }
      const double off = rest[static_cast<std::size_t>(axis)];
      out.lens += w * (jl * jl.t());
      out.cross += w * (jl * jp.t());
      out.pose += w * (jp * jp.t());
      out.lens_right -= w * off * jl;
      out.pose_right -= w * off * jp;
    }
  }
  return out;
}

struct Problem {
  const std::vector<BoardView>& views;
  Fitted fitted;
  Prior prior;
};

double TotalCost(const Problem& problem, const CameraModel& camera,
                 const std::vector<BoardPose>& poses, const std::vector<double>& sigma) {
  double sum = PriorCost(problem.prior, NumbersOf(camera));
  for (std::size_t i = 0; i < poses.size(); ++i) {
    sum += ViewCost(camera, problem.views[i], poses[i], sigma[i]);
  }
  return sum;
}

// Gauss and Newton's equations for the lens with every view's pose eliminated (Schur complement).
struct Reduced {
  LensMat a = LensMat::zeros();
  LensVec b;
  std::vector<Blocks> blocks;
  std::vector<PoseMat> inverse;  // of each view's own damped block
};
std::optional<Reduced> Reduce(const Problem& problem, const CameraModel& camera,
                              const std::vector<BoardPose>& poses, const std::vector<double>& sigma,
                              double damping) {
  Reduced out;
  const LensVec v = NumbersOf(camera);
  for (int i = 0; i < kLens; ++i) {
    const double pull = 1 / (problem.prior.sigma[i] * problem.prior.sigma[i]);
    out.a(i, i) += pull;
    out.b[i] -= pull > 0 ? pull * (v[i] - problem.prior.mean[i]) : 0.0;
  }
  const double aspect = v[1] / v[0] - 1;
  const LensVec by_aspect(-v[1] / (v[0] * v[0]), 1 / v[0], 0, 0, 0, 0, 0, 0, 0);
  const double pull = 1 / (problem.prior.aspect_sigma * problem.prior.aspect_sigma);
  out.a += pull * (by_aspect * by_aspect.t());
  out.b -= pull * aspect * by_aspect;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Blocks block = Linearise(camera, problem.views[i], poses[i], sigma[i], problem.fitted);
    PoseMat own = block.pose;
    for (int k = 0; k < kPose; ++k) own(k, k) *= 1 + damping;
    bool fine = false;
    const PoseMat inverse = own.inv(cv::DECOMP_CHOLESKY, &fine);
    if (!fine) return std::nullopt;
    for (int k = 0; k < kLens; ++k) out.a(k, k) += damping * block.lens(k, k);
    out.a += block.lens - block.cross * inverse * block.cross.t();
    out.b += block.lens_right - block.cross * inverse * block.pose_right;
    out.blocks.push_back(block);
    out.inverse.push_back(inverse);
  }
  for (int i = 0; i < kLens; ++i) {
    if (problem.fitted[static_cast<std::size_t>(i)]) continue;
    for (int j = 0; j < kLens; ++j) out.a(i, j) = out.a(j, i) = 0;
    out.a(i, i) = 1;
    out.b[i] = 0;
  }
  return out;
}

// A lens and where each view's board lay.
struct LensState {
  CameraModel camera;
  std::vector<BoardPose> poses;
};

// Where the damped equations lead; empty where they cannot be solved.
std::optional<LensState> Stepped(const Problem& problem, const LensState& from,
                                 const std::vector<double>& sigma, double damping) {
  const auto reduced = Reduce(problem, from.camera, from.poses, sigma, damping);
  if (!reduced) return std::nullopt;
  // Numbers of very different size: scaled to a unit diagonal before they are inverted.
  LensVec scale;
  for (int i = 0; i < kLens; ++i) scale[i] = 1 / std::sqrt(std::max(1e-30, reduced->a(i, i)));
  const LensMat scaled = LensMat::diag(scale) * reduced->a * LensMat::diag(scale);
  bool fine = false;
  const LensMat inverse = scaled.inv(cv::DECOMP_CHOLESKY, &fine);
  if (!fine) return std::nullopt;
  const LensVec move = LensMat::diag(scale) * (inverse * (LensMat::diag(scale) * reduced->b));
  LensState next{fos::Moved(from.camera, move), {}};
  for (std::size_t i = 0; i < from.poses.size(); ++i) {
    const PoseVec turn =
        reduced->inverse[i] * (reduced->blocks[i].pose_right - reduced->blocks[i].cross.t() * move);
    next.poses.push_back(Moved(from.poses[i], turn));
  }
  return next;
}

bool Minimise(const Problem& problem, CameraModel& camera, std::vector<BoardPose>& poses,
              const std::vector<double>& sigma) {
  LensState state{camera, poses};
  double cost = TotalCost(problem, camera, poses, sigma);
  if (!std::isfinite(cost)) return false;
  const auto cost_of = [&](const LensState& at) {
    return TotalCost(problem, at.camera, at.poses, sigma);
  };
  const auto step_of = [&](const LensState& from, double damping) {
    return Stepped(problem, from, sigma, damping);
  };
  if (!MinimiseDamped(state, cost, cost_of, step_of, {})) return false;
  camera = state.camera;
  poses = std::move(state.poses);
  return true;
}

std::vector<double> Residuals(const CameraModel& camera, const BoardView& view,
                              const BoardPose& pose) {
  cv::Matx33d rotation;
  cv::Rodrigues(pose.rvec, rotation);
  std::vector<double> out;
  for (std::size_t i = 0; i < view.seen.size(); ++i) {
    const auto p = Project(camera, rotation, pose.tvec, view.board_in[i]);
    out.push_back(p ? std::hypot(p->x_px - view.seen[i].x_px, p->y_px - view.seen[i].y_px)
                    : INFINITY);
  }
  return out;
}

// A pose to start from: the plane's homography in undistorted coordinates.
std::optional<BoardPose> FirstPose(const BoardView& view, const CameraModel& camera) {
  std::vector<cv::Point3d> board;
  std::vector<cv::Point2d> rays;
  for (std::size_t i = 0; i < view.seen.size(); ++i) {
    const auto ray = Undistort(camera, view.seen[i]);
    if (!ray) continue;
    board.emplace_back(view.board_in[i].x, view.board_in[i].y, 0);
    rays.emplace_back((*ray)[0], (*ray)[1]);
  }
  if (board.size() < 4) return std::nullopt;
  BoardPose pose;
  cv::Mat rvec, tvec;
  if (!cv::solvePnP(board, rays, cv::Matx33d::eye(), cv::noArray(), rvec, tvec, false,
                    cv::SOLVEPNP_IPPE)) {
    return std::nullopt;
  }
  rvec.reshape(1, 3).convertTo(rvec, CV_64F);
  tvec.reshape(1, 3).convertTo(tvec, CV_64F);
  for (int k = 0; k < 3; ++k) {
    pose.rvec[k] = rvec.at<double>(k);
    pose.tvec[k] = tvec.at<double>(k);
  }
  if (!(pose.tvec[2] > 0) || !std::isfinite(cv::norm(pose.rvec))) return std::nullopt;
  return pose;
}

// The covariance of the numbers that were fitted, from the lower triangle of an inverse that
// rounding has left not quite symmetric. Zero for the others.
LensMat CovarianceOf(const LensMat& inverse, const Fitted& fitted) {
  LensMat out = LensMat::zeros();
  for (int i = 0; i < kLens; ++i) {
    for (int j = 0; j <= i; ++j) {
      if (!fitted[static_cast<std::size_t>(i)] || !fitted[static_cast<std::size_t>(j)]) continue;
      out(i, j) = out(j, i) = inverse(i, j);
    }
  }
  return out;
}

// Robust spread of one coordinate, from distances: half of all lie within 1.1774 sigma.
double SigmaOf(std::vector<double> distances) {
  constexpr double kMedianOfRayleigh = 1.1774;
  constexpr double kFinest_px = 0.02;  // no corner is better known than that
  // The view's own pose and its share of the lens have taken up some of the noise.
  const double count = 2 * static_cast<double>(distances.size());
  constexpr double kTaken = kPose + 2;
  const double taken = std::sqrt(count / std::max(1.0, count - kTaken));
  return std::max(kFinest_px, taken * Median(std::move(distances)) / kMedianOfRayleigh);
}

// A lens to start from: the focal length by the vanishing points of each view.
CameraModel FirstLens(const std::vector<BoardView>& views, cv::Size picture,
                      CameraModel::Lens lens) {
  const BoardPoints points = PointsOf(views);
  const cv::Mat guess = cv::initCameraMatrix2D(points.board, points.image, picture, 1.0);
  double focal = guess.at<double>(0, 0);
  const double side = std::max(picture.width, picture.height);
  // A wild guess (nearly parallel views) starts from a common lens instead: 60 degrees.
  if (!(focal > 0.3 * side && focal < 10 * side)) focal = 0.87 * side;
  CameraModel camera;
  camera.width_px = picture.width;
  camera.height_px = picture.height;
  camera.lens = lens;
  camera.fx_px = camera.fy_px = focal;
  // Both focal lengths apart. Where they say that the picture was stretched, no fit finds its way
  // there from one of square pixels.
  const cv::Mat apart = cv::initCameraMatrix2D(points.board, points.image, picture, 0.0);
  CameraModel stretched = camera;
  stretched.fx_px = apart.at<double>(0, 0);
  stretched.fy_px = apart.at<double>(1, 1);
  constexpr double kMost = 2;  // a wilder ratio comes from nearly parallel views
  const auto sane = [&](double f) { return f > focal / kMost && f < focal * kMost; };
  if (sane(stretched.fx_px) && sane(stretched.fy_px) && Stretched(stretched)) return stretched;
  camera.cx_px = 0.5 * (picture.width - 1);
  camera.cy_px = 0.5 * (picture.height - 1);
  return camera;
}

struct Misfit {
  double rms_px = 0;
  double chi2_per_dof = 0;
};
Misfit MisfitOf(const CameraModel& camera, const std::vector<BoardView>& views,
                const std::vector<BoardPose>& poses, const std::vector<double>& sigma) {
  double squares = 0;
  double chi2 = 0;
  double count = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    for (const double d : Residuals(camera, views[i], poses[i])) {
      squares += d * d;
      chi2 += 2 * Cost(d / sigma[i]);
      count += 1;
    }
  }
  const double freedom =
      std::max(1.0, 2 * count - kPose * static_cast<double>(views.size()) - kLens);
  return {std::sqrt(squares / std::max(1.0, count)), chi2 / freedom};
}

}  // namespace

BoardPoints PointsOf(const std::vector<BoardView>& views) {
  BoardPoints out;
  for (const BoardView& view : views) {
    auto& board = out.board.emplace_back();
    auto& image = out.image.emplace_back();
    for (std::size_t i = 0; i < view.seen.size(); ++i) {
      board.emplace_back(static_cast<float>(view.board_in[i].x),
                         static_cast<float>(view.board_in[i].y), 0.0F);
      image.emplace_back(static_cast<float>(view.seen[i].x_px),
                         static_cast<float>(view.seen[i].y_px));
    }
  }
  return out;
}

Result<PosedView> PoseBoard(const BoardView& view, const CameraModel& camera) try {
  const Error unfixed{ErrorCode::kDegenerate, view.name + ": the corners do not fix a pose"};
  const auto first = FirstPose(view, camera);
  if (!first) return unfixed;
  const std::vector<BoardView> one = {view};
  Problem problem{one, {}, {}};
  problem.prior.sigma = LensVec::all(INFINITY);
  CameraModel fixed = camera;
  std::vector<BoardPose> poses = {*first};
  if (!Minimise(problem, fixed, poses, {0.2})) return unfixed;
  PosedView out{poses[0], 0, Residuals(camera, view, poses[0])};
  double squares = 0;
  for (const double d : out.distance_px) squares += d * d;
  // Six numbers were fitted to two for each corner.
  const double freedom = std::max(1.0, static_cast<double>(out.distance_px.size()) - 3.0);
  out.rms_px = std::sqrt(squares / freedom);
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, view.name + ": " + e.err};
}

Result<LensFit> FitLens(const std::vector<BoardView>& views, cv::Size picture,
                        CameraModel::Lens lens) try {
  const Error unfixed{ErrorCode::kDegenerate, "the views do not fix a lens"};
  if (views.empty()) return unfixed;
  CameraModel camera = FirstLens(views, picture, lens);
  LensFit out;
  for (const BoardView& view : views) {
    const auto pose = FirstPose(view, camera);
    if (!pose) return unfixed;
    out.poses.push_back(*pose);
  }
  Problem problem{views, kFirst, PriorOf(camera)};
  std::vector<double> sigma(views.size(), 1.0);
  if (!Minimise(problem, camera, out.poses, sigma)) return unfixed;
  problem.fitted = AllOf(lens);
  problem.prior = PriorOf(camera);
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < views.size(); ++i) {
      sigma[i] = SigmaOf(Residuals(camera, views[i], out.poses[i]));
    }
    if (!Minimise(problem, camera, out.poses, sigma)) return unfixed;
  }
  const auto reduced = Reduce(problem, camera, out.poses, sigma, 0);
  if (!reduced) return unfixed;
  LensVec scale;
  for (int i = 0; i < kLens; ++i) scale[i] = 1 / std::sqrt(std::max(1e-30, reduced->a(i, i)));
  bool fine = false;
  const LensMat inverse = LensMat(LensMat::diag(scale) * reduced->a * LensMat::diag(scale))
                              .inv(cv::DECOMP_CHOLESKY, &fine);
  if (!fine) return unfixed;
  const Misfit misfit = MisfitOf(camera, views, out.poses, sigma);
  camera.covariance =
      std::max(1.0, misfit.chi2_per_dof) *
      CovarianceOf(LensMat::diag(scale) * inverse * LensMat::diag(scale), problem.fitted);
  out.camera = camera;
  out.sigma_px = sigma;
  out.rms_px = misfit.rms_px;
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("lens: ") + e.err};
}

}  // namespace fos
