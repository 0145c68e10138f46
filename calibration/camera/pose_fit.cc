// SPDX-License-Identifier: MIT
#include "calibration/camera/pose_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <opencv2/calib3d.hpp>

#include "calibration/camera/least_squares.h"

namespace fos {
namespace {

constexpr int kPose =
    6;  // turn about x y z, shift along x y z; then the paper, the lens, the shared shifts
constexpr int kLens = 9;
constexpr int kMost = kPose + 1 + kLens;
using Gradient = std::array<double, kMost>;

struct State {
  cv::Matx33d rotation;
  cv::Vec3d tvec;
  double paper_in = 0;
  LensVec lens;  // standard units of the prior: its mean is 0, its sigma 1
  CameraModel lens_now;
  std::vector<double> shifts;
};

// What stays the same during a fit.
struct Problem {
  const std::vector<LineSight>& sights;
  const PosePriors& priors;
  int common = 0;  // unknowns that every sight may share: pose, paper, lens
};

// Residual of one sight in pixels and its derivatives by pose, paper and lens; false behind the
// camera.
bool Evaluate(const Problem& problem, const State& s, const LineSight& sight, double& residual_px,
              Gradient& gradient) {
  const cv::Vec3d turned =
      s.rotation * cv::Vec3d(sight.at.x, sight.at.y, sight.on_paper ? s.paper_in : 0.0);
  const cv::Vec3d p = turned + s.tvec;
  if (!(p[2] > 1e-6)) return false;
  const double x = p[0] / p[2];
  const double y = p[1] / p[2];
  const LensPrior& prior = problem.priors.lens;
  cv::Vec2d by_ray;
  if (prior.rank == 0) {
    by_ray = sight.px_per_unit * sight.normal;
    residual_px = by_ray[0] * x + by_ray[1] * y + sight.px_per_unit * sight.offset;
  } else {
    // The lens changes with every step, so what it does to the ray is not known beforehand.
    const ImagePoint at = Distort(s.lens_now, x, y);
    const DistortDerivative by = DerivativeOf(s.lens_now, x, y);
    by_ray = by.by_ray.t() * sight.across;
    residual_px = sight.across[0] * (at.x_px - sight.seen.x_px) +
                  sight.across[1] * (at.y_px - sight.seen.y_px);
    for (int i = 0; i < prior.rank; ++i) {
      double by_unit = 0;
      for (int j = 0; j < kLens; ++j) {
        by_unit += (sight.across[0] * by.by_lens(0, j) + sight.across[1] * by.by_lens(1, j)) *
                   prior.factor(j, i);
      }
      gradient[static_cast<std::size_t>(kPose + 1 + i)] = by_unit;
    }
  }
  for (const LineSight::Share& share : sight.shares) {
    if (share.shift < 0) continue;
    residual_px += share.px_per_unit * s.shifts[static_cast<std::size_t>(share.shift)];
  }
  const cv::Vec3d by_shift(by_ray[0] / p[2], by_ray[1] / p[2],
                           -(by_ray[0] * x + by_ray[1] * y) / p[2]);
  const cv::Vec3d by_turn = turned.cross(by_shift);
  const cv::Vec3d up(s.rotation(0, 2), s.rotation(1, 2), s.rotation(2, 2));
  for (std::size_t i = 0; i < 3; ++i) {
    gradient[i] = by_turn[static_cast<int>(i)];
    gradient[i + 3] = by_shift[static_cast<int>(i)];
  }
  gradient[kPose] = sight.on_paper ? up.dot(by_shift) : 0.0;
  return true;
}

// How far the eye lies above where the tape has it, in sigmas, and its derivatives by the pose.
double HeightResidual(const State& s, const TapedHeight& height, cv::Vec6d& by_pose) {
  const cv::Vec3d up(s.rotation(0, 2), s.rotation(1, 2), s.rotation(2, 2));
  const cv::Vec3d by_turn = s.tvec.cross(up);
  for (int i = 0; i < 3; ++i) {
    by_pose[i] = by_turn[i] / height.sigma_in;
    by_pose[i + 3] = -up[i] / height.sigma_in;
  }
  return (-up.dot(s.tvec) - height.inches) / height.sigma_in;
}

// Huber's weight: squares up to kHuber sigmas, straight beyond. 2 keeps 99 % of the efficiency on
// normal noise.
constexpr double kHuber = 2.0;
double Weight(double normalised) {
  const double size = std::abs(normalised);
  return size <= kHuber ? 1.0 : kHuber / size;
}
double Cost(double normalised) {
  const double size = std::abs(normalised);
  return size <= kHuber ? 0.5 * size * size : kHuber * (size - 0.5 * kHuber);
}

double TotalCost(const Problem& problem, const State& s) {
  const PosePriors& priors = problem.priors;
  const auto half_square = [](double x) { return 0.5 * x * x; };
  double sum = half_square((s.paper_in - priors.paper_in) / priors.paper_sigma_in);
  for (int i = 0; i < priors.lens.rank; ++i) sum += half_square(s.lens[i]);
  if (priors.height) {
    cv::Vec6d by_pose;
    sum += half_square(HeightResidual(s, *priors.height, by_pose));
  }
  for (std::size_t i = 0; i < s.shifts.size(); ++i) {
    sum += half_square(s.shifts[i] / priors.shift_sigma[i]);
  }
  for (const LineSight& sight : problem.sights) {
    double r = 0;
    Gradient g;
    if (!Evaluate(problem, s, sight, r, g)) return INFINITY;
    sum += Cost(r / sight.sigma_px);
  }
  return sum;
}

State Moved(const Problem& problem, const State& s, const cv::Mat_<double>& step) {
  State out = s;
  cv::Matx33d turn;
  cv::Rodrigues(cv::Vec3d(step(0), step(1), step(2)), turn);
  out.rotation = turn * s.rotation;
  out.tvec += cv::Vec3d(step(3), step(4), step(5));
  out.paper_in += step(6);
  const LensPrior& prior = problem.priors.lens;
  for (int i = 0; i < prior.rank; ++i) out.lens[i] += step(kPose + 1 + i);
  if (prior.rank > 0) out.lens_now = fos::Moved(prior.lens, prior.factor * out.lens);
  for (std::size_t i = 0; i < out.shifts.size(); ++i) {
    out.shifts[i] += step(problem.common + static_cast<int>(i));
  }
  return out;
}

// Gauss and Newton's equations a * step = b.
void Normal(const Problem& problem, const State& s, cv::Mat_<double>& a, cv::Mat_<double>& b) {
  const PosePriors& priors = problem.priors;
  a = 0;
  b = 0;
  const double paper = 1.0 / (priors.paper_sigma_in * priors.paper_sigma_in);
  a(6, 6) += paper;
  b(6) -= paper * (s.paper_in - priors.paper_in);
  for (int i = 0; i < priors.lens.rank; ++i) {
    a(kPose + 1 + i, kPose + 1 + i) += 1;
    b(kPose + 1 + i) -= s.lens[i];
  }
  if (priors.height) {
    cv::Vec6d by_pose;
    const double r = HeightResidual(s, *priors.height, by_pose);
    for (int i = 0; i < kPose; ++i) {
      b(i) -= by_pose[i] * r;
      for (int j = 0; j < kPose; ++j) a(i, j) += by_pose[i] * by_pose[j];
    }
  }
  for (std::size_t i = 0; i < s.shifts.size(); ++i) {
    const double prior = 1.0 / (priors.shift_sigma[i] * priors.shift_sigma[i]);
    const int k = problem.common + static_cast<int>(i);
    a(k, k) += prior;
    b(k) -= prior * s.shifts[i];
  }
  for (const LineSight& sight : problem.sights) {
    double r = 0;
    Gradient g;
    if (!Evaluate(problem, s, sight, r, g)) continue;
    const double w = Weight(r / sight.sigma_px) / (sight.sigma_px * sight.sigma_px);
    for (int i = 0; i < problem.common; ++i) {
      const double wg = w * g[static_cast<std::size_t>(i)];
      b(i) -= wg * r;
      for (int j = 0; j < problem.common; ++j) a(i, j) += wg * g[static_cast<std::size_t>(j)];
    }
    for (const LineSight::Share& share : sight.shares) {
      if (share.shift < 0) continue;
      const int k = problem.common + share.shift;
      b(k) -= w * share.px_per_unit * r;
      for (int i = 0; i < problem.common; ++i) {
        const double both = w * share.px_per_unit * g[static_cast<std::size_t>(i)];
        a(i, k) += both;
        a(k, i) += both;
      }
      for (const LineSight::Share& other : sight.shares) {
        if (other.shift >= 0) {
          a(k, problem.common + other.shift) += w * share.px_per_unit * other.px_per_unit;
        }
      }
    }
  }
}

// From small turns about the camera's axes to changes of rvec.
cv::Matx33d RvecFromTurn(const cv::Vec3d& rvec, const cv::Matx33d& rotation) {
  constexpr double kStep = 1e-6;
  cv::Matx33d turn_from_rvec;
  for (int i = 0; i < 3; ++i) {
    cv::Vec3d moved = rvec;
    moved[i] += kStep;
    cv::Matx33d there;
    cv::Rodrigues(moved, there);
    // Read off the matrix: cv::Rodrigues takes turns below 1e-5 for none.
    const cv::Matx33d small = there * rotation.t();
    const cv::Vec3d turn(0.5 * (small(2, 1) - small(1, 2)), 0.5 * (small(0, 2) - small(2, 0)),
                         0.5 * (small(1, 0) - small(0, 1)));
    for (int j = 0; j < 3; ++j) turn_from_rvec(j, i) = turn[j] / kStep;
  }
  return turn_from_rvec.inv();
}

// How many sigmas of each kind a lens lies from the prior's own.
LensVec StandardUnits(const LensPrior& prior, const CameraModel& lens) {
  return prior.standard * (NumbersOf(lens) - NumbersOf(prior.lens));
}

}  // namespace

void PutInPicture(LineSight& sight, const cv::Vec2d& ray, const CameraModel& lens) {
  sight.seen = Distort(lens, ray[0], ray[1]);
  const cv::Matx22d by_ray = DerivativeOf(lens, ray[0], ray[1]).by_ray;
  const cv::Vec2d across = by_ray.inv().t() * sight.normal;
  sight.across = across / cv::norm(across);
}

LensPrior PriorOf(const CameraModel& lens) {
  LensPrior prior;
  prior.lens = lens;
  if (!lens.covariance) return prior;
  // Eigenvectors of the covariance itself: its numbers differ by millions in size, and what is
  // small beside the largest may still be worth pixels. So each is first measured by what it does
  // to the picture's border.
  LensVec unit;
  const double side = std::max(lens.width_px, lens.height_px);
  for (int i = 0; i < kLens; ++i) unit[i] = i < 4 ? 1.0 : 1.0 / side;
  LensMat scaled;
  for (int i = 0; i < kLens; ++i) {
    for (int j = 0; j < kLens; ++j) {
      scaled(i, j) =
          0.5 * ((*lens.covariance)(i, j) + (*lens.covariance)(j, i)) / (unit[i] * unit[j]);
    }
  }
  LensVec values;
  LensMat vectors;  // in rows
  cv::eigen(scaled, values, vectors);
  constexpr double kNothing_px2 = 1e-8;
  for (int i = 0; i < kLens && values[i] > kNothing_px2; ++i) {
    for (int j = 0; j < kLens; ++j) {
      prior.factor(j, prior.rank) = std::sqrt(values[i]) * vectors(i, j) * unit[j];
      prior.standard(prior.rank, j) = vectors(i, j) / unit[j] / std::sqrt(values[i]);
    }
    ++prior.rank;
  }
  return prior;
}

CameraModel AssumedLens(cv::Size picture) {
  CameraModel lens;
  lens.width_px = picture.width;
  lens.height_px = picture.height;
  const double side = std::max(picture.width, picture.height);
  // Webcams and telephones see 50 to 80 degrees across: focal lengths of 0.6 to 1.07 of the
  // picture's width. Their pixels are square, their axis passes within a few percent of the middle,
  // and their barrel is -0.3 to 0.1.
  constexpr double kFocal = 0.82;
  constexpr double kFocalSigma = 0.2;  // of the focal length itself
  constexpr double kAspectSigma = 0.002;
  constexpr double kMiddleSigma = 0.02;  // of the picture's width
  constexpr double kBarrelSigma = 0.1;
  lens.fx_px = lens.fy_px = kFocal * side;
  lens.cx_px = 0.5 * (picture.width - 1);
  lens.cy_px = 0.5 * (picture.height - 1);
  LensMat covariance = LensMat::zeros();
  const double focal = kFocalSigma * lens.fx_px;
  covariance(0, 0) = covariance(0, 1) = covariance(1, 0) = focal * focal;
  covariance(1, 1) = focal * focal + std::pow(kAspectSigma * lens.fx_px, 2);
  covariance(2, 2) = covariance(3, 3) = std::pow(kMiddleSigma * side, 2);
  covariance(4, 4) = kBarrelSigma * kBarrelSigma;
  lens.covariance = covariance;
  return lens;
}

CameraModel WithDoubt(const CameraModel& lens) {
  if (lens.covariance) return lens;
  constexpr double kFocalSigma = 0.007;    // of the focal length
  constexpr double kAspectSigma = 0.0005;  // of the focal length
  constexpr double kMiddleSigma = 0.001;   // of the picture's width
  constexpr double kBarrelSigma = 0.002;
  CameraModel out = lens;
  LensMat covariance = LensMat::zeros();
  const double focal = kFocalSigma * lens.fx_px;
  covariance(0, 0) = focal * focal;
  covariance(0, 1) = covariance(1, 0) = focal * focal * lens.fy_px / lens.fx_px;
  covariance(1, 1) = std::pow(kFocalSigma * lens.fy_px, 2) + std::pow(kAspectSigma * lens.fy_px, 2);
  covariance(2, 2) = covariance(3, 3) = std::pow(kMiddleSigma * lens.width_px, 2);
  covariance(4, 4) = kBarrelSigma * kBarrelSigma;
  out.covariance = covariance;
  return out;
}

Result<PoseFit> FitPose(const std::vector<LineSight>& sights, const cv::Vec3d& rvec,
                        const cv::Vec3d& tvec, const PosePriors& priors) {
  FOS_CHECK(priors.paper_sigma_in > 0);
  const Error unfixed{ErrorCode::kDegenerate, "what is seen of the table does not fix the camera"};
  if (sights.size() < 6) return unfixed;
  const int shifts = static_cast<int>(priors.shift_sigma.size());
  for (const double sigma : priors.shift_sigma) FOS_CHECK(sigma > 0);
  for (const LineSight& sight : sights) {
    for (const LineSight::Share& share : sight.shares) FOS_CHECK(share.shift < shifts);
  }
  if (priors.height) FOS_CHECK(priors.height->sigma_in > 0);
  const Problem problem{sights, priors, kPose + 1 + priors.lens.rank};
  State state;
  state.tvec = tvec;
  state.paper_in = priors.paper_in;
  state.lens = StandardUnits(priors.lens, priors.lens_now.value_or(priors.lens.lens));
  state.lens_now = priors.lens_now.value_or(priors.lens.lens);
  state.shifts.assign(priors.shift_sigma.size(), 0.0);
  cv::Rodrigues(rvec, state.rotation);
  double cost = TotalCost(problem, state);
  if (!std::isfinite(cost)) return unfixed;

  const int size = problem.common + shifts;
  cv::Mat_<double> a(size, size);
  cv::Mat_<double> b(size, 1);
  const auto step_of = [&](const State& from, double damping) -> std::optional<State> {
    Normal(problem, from, a, b);
    for (int j = 0; j < size; ++j) a(j, j) += damping * a(j, j) + 1e-12;
    cv::Mat_<double> step;
    if (!cv::solve(a, b, step, cv::DECOMP_CHOLESKY)) return std::nullopt;
    return Moved(problem, from, step);
  };
  const auto cost_of = [&](const State& at) { return TotalCost(problem, at); };
  const DampingOptions damping{.first = 1e-6, .largest = 1e12, .steps = 60, .settled = 1e-10};
  if (!MinimiseDamped(state, cost, cost_of, step_of, damping)) return unfixed;
  Normal(problem, state, a, b);
  cv::Mat_<double> inverse;
  if (cv::invert(a, inverse, cv::DECOMP_CHOLESKY) == 0) return unfixed;
  cv::Matx66d covariance;
  for (int i = 0; i < kPose; ++i) {
    for (int j = 0; j < kPose; ++j) covariance(i, j) = inverse(i, j);
  }

  PoseFit out;
  out.tvec = state.tvec;
  cv::Rodrigues(state.rotation, out.rvec);
  // The nearer of the two names of a rotation by about half a turn, so that a pose found again is
  // close to the one before in numbers too.
  if (const double angle = cv::norm(out.rvec); angle > 1e-9) {
    const cv::Vec3d other = out.rvec * ((angle - 2 * CV_PI) / angle);
    if (cv::norm(other - rvec) < cv::norm(out.rvec - rvec)) out.rvec = other;
  }
  out.shifts = state.shifts;
  out.paper_in = state.paper_in;
  out.cost = cost;
  double chi2 = 0;
  for (const LineSight& sight : sights) {
    double r = 0;
    Gradient g;
    Evaluate(problem, state, sight, r, g);
    out.residual_px.push_back(r);
    chi2 += 2 * Cost(r / sight.sigma_px);
  }
  const double freedom = std::max(1.0, static_cast<double>(sights.size()) - kPose);
  out.chi2_per_dof = chi2 / freedom;
  cv::Matx66d jacobian = cv::Matx66d::eye();
  const cv::Matx33d rvec_from_turn = RvecFromTurn(out.rvec, state.rotation);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) jacobian(i, j) = rvec_from_turn(i, j);
  }
  const double wider = std::max(1.0, out.chi2_per_dof);
  out.covariance = wider * (jacobian * covariance * jacobian.t());
  out.lens = state.lens_now;
  if (const LensPrior& lens = priors.lens; lens.rank > 0) {
    cv::Matx<double, kLens, kLens> units = LensMat::zeros();
    cv::Matx<double, kLens, kPose> with_pose = cv::Matx<double, kLens, kPose>::zeros();
    for (int i = 0; i < lens.rank; ++i) {
      for (int j = 0; j < lens.rank; ++j) units(i, j) = inverse(kPose + 1 + i, kPose + 1 + j);
      for (int j = 0; j < kPose; ++j) with_pose(i, j) = inverse(kPose + 1 + i, j);
    }
    out.lens_covariance = wider * (lens.factor * units * lens.factor.t());
    out.lens_pose_covariance = wider * (lens.factor * with_pose * jacobian.t());
    // What one sigma of refocusing does to the estimate: in standard units the prior's precision is
    // 1, so a prior that is `off` moves lens and pose by their covariance with the lens times it.
    LensVec refocused;
    refocused[0] = priors.refocus_sigma * lens.lens.fx_px;
    refocused[1] = priors.refocus_sigma * lens.lens.fy_px;
    const LensVec off = lens.standard * refocused;
    const LensVec by_lens = lens.factor * (units * off);
    const cv::Vec6d by_pose = jacobian * (with_pose.t() * off);
    out.covariance += by_pose * by_pose.t();
    out.lens_covariance += by_lens * by_lens.t();
    out.lens_pose_covariance += by_lens * by_pose.t();
    out.lens.covariance = out.lens_covariance;
  }
  return out;
}

}  // namespace fos
