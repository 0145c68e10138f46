#include "calibration/pose_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <opencv2/calib3d.hpp>

namespace fos {
namespace {

constexpr int kPose =
    6;  // turn about x y z, shift along x y z; then the paper, then the shared shifts
constexpr int kCommon = 7;
using Vec7 = cv::Vec<double, kCommon>;

struct State {
  cv::Matx33d rotation;
  cv::Vec3d tvec;
  double paper_in = 0;
  std::vector<double> shifts;
};

// Residual of one sight in pixels and its derivatives by pose and paper; false behind the camera.
bool Evaluate(const State& s, const LineSight& sight, double& residual_px, Vec7& gradient) {
  const cv::Vec3d turned =
      s.rotation * cv::Vec3d(sight.at.x, sight.at.y, sight.on_paper ? s.paper_in : 0.0);
  const cv::Vec3d p = turned + s.tvec;
  if (!(p[2] > 1e-6)) return false;
  const double x = p[0] / p[2];
  const double y = p[1] / p[2];
  const double across = sight.normal[0] * x + sight.normal[1] * y;
  residual_px = sight.px_per_unit * (across + sight.offset);
  for (const LineSight::Share& share : sight.shares) {
    if (share.shift < 0) continue;
    residual_px += share.px_per_unit * s.shifts[static_cast<std::size_t>(share.shift)];
  }
  const double k = sight.px_per_unit / p[2];
  const cv::Vec3d by_shift(k * sight.normal[0], k * sight.normal[1], -k * across);
  const cv::Vec3d by_turn = turned.cross(by_shift);
  const cv::Vec3d up(s.rotation(0, 2), s.rotation(1, 2), s.rotation(2, 2));
  gradient = {by_turn[0],
              by_turn[1],
              by_turn[2],
              by_shift[0],
              by_shift[1],
              by_shift[2],
              sight.on_paper ? up.dot(by_shift) : 0.0};
  return true;
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

double TotalCost(const State& s, const std::vector<LineSight>& sights, const PosePriors& priors) {
  const auto half_square = [](double x) { return 0.5 * x * x; };
  double sum = half_square((s.paper_in - priors.paper_in) / priors.paper_sigma_in);
  for (std::size_t i = 0; i < s.shifts.size(); ++i) {
    sum += half_square(s.shifts[i] / priors.shift_sigma[i]);
  }
  for (const LineSight& sight : sights) {
    double r = 0;
    Vec7 g;
    if (!Evaluate(s, sight, r, g)) return INFINITY;
    sum += Cost(r / sight.sigma_px);
  }
  return sum;
}

State Moved(const State& s, const cv::Mat_<double>& step) {
  State out = s;
  cv::Matx33d turn;
  cv::Rodrigues(cv::Vec3d(step(0), step(1), step(2)), turn);
  out.rotation = turn * s.rotation;
  out.tvec += cv::Vec3d(step(3), step(4), step(5));
  out.paper_in += step(6);
  for (std::size_t i = 0; i < out.shifts.size(); ++i) {
    out.shifts[i] += step(kCommon + static_cast<int>(i));
  }
  return out;
}

// Gauss and Newton's equations a * step = b.
void Normal(const State& s, const std::vector<LineSight>& sights, const PosePriors& priors,
            cv::Mat_<double>& a, cv::Mat_<double>& b) {
  a = 0;
  b = 0;
  const double paper = 1.0 / (priors.paper_sigma_in * priors.paper_sigma_in);
  a(6, 6) += paper;
  b(6) -= paper * (s.paper_in - priors.paper_in);
  for (std::size_t i = 0; i < s.shifts.size(); ++i) {
    const double prior = 1.0 / (priors.shift_sigma[i] * priors.shift_sigma[i]);
    const int k = kCommon + static_cast<int>(i);
    a(k, k) += prior;
    b(k) -= prior * s.shifts[i];
  }
  for (const LineSight& sight : sights) {
    double r = 0;
    Vec7 g;
    if (!Evaluate(s, sight, r, g)) continue;
    const double w = Weight(r / sight.sigma_px) / (sight.sigma_px * sight.sigma_px);
    for (int i = 0; i < kCommon; ++i) {
      b(i) -= w * g[i] * r;
      for (int j = 0; j < kCommon; ++j) a(i, j) += w * g[i] * g[j];
    }
    for (const LineSight::Share& share : sight.shares) {
      if (share.shift < 0) continue;
      const int k = kCommon + share.shift;
      b(k) -= w * share.px_per_unit * r;
      for (int i = 0; i < kCommon; ++i) {
        a(i, k) += w * share.px_per_unit * g[i];
        a(k, i) += w * share.px_per_unit * g[i];
      }
      for (const LineSight::Share& other : sight.shares) {
        if (other.shift >= 0) {
          a(k, kCommon + other.shift) += w * share.px_per_unit * other.px_per_unit;
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

}  // namespace

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
  State state{cv::Matx33d::eye(), tvec, priors.paper_in,
              std::vector<double>(priors.shift_sigma.size(), 0.0)};
  cv::Rodrigues(rvec, state.rotation);
  double cost = TotalCost(state, sights, priors);
  if (!std::isfinite(cost)) return unfixed;

  const int size = kCommon + shifts;
  cv::Mat_<double> a(size, size);
  cv::Mat_<double> b(size, 1);
  double damping = 1e-6;
  constexpr int kSteps = 60;
  constexpr double kSettled = 1e-10;
  for (int i = 0; i < kSteps && damping < 1e12; ++i) {
    Normal(state, sights, priors, a, b);
    cv::Mat_<double> damped = a.clone();
    for (int j = 0; j < size; ++j) damped(j, j) += damping * a(j, j) + 1e-12;
    cv::Mat_<double> step;
    if (!cv::solve(damped, b, step, cv::DECOMP_CHOLESKY)) return unfixed;
    State next = Moved(state, step);
    const double next_cost = TotalCost(next, sights, priors);
    if (next_cost <= cost) {
      const bool settled = cost - next_cost <= kSettled * (1 + cost);
      state = std::move(next);
      cost = next_cost;
      damping = std::max(damping / 10, 1e-9);
      if (settled) break;
    } else {
      damping *= 10;
    }
  }

  Normal(state, sights, priors, a, b);
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
  double chi2 = 0;
  for (const LineSight& sight : sights) {
    double r = 0;
    Vec7 g;
    Evaluate(state, sight, r, g);
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
  out.covariance = std::max(1.0, out.chi2_per_dof) * (jacobian * covariance * jacobian.t());
  return out;
}

}  // namespace fos
