#include "calibration/pose_fit.h"

#include <algorithm>
#include <cmath>

#include <opencv2/calib3d.hpp>

namespace fos {
namespace {

constexpr int kParameters = 7;  // turn about x y z, shift along x y z, print bias
using Vec7 = cv::Vec<double, kParameters>;
using Mat7 = cv::Matx<double, kParameters, kParameters>;

struct State {
  cv::Matx33d rotation;
  cv::Vec3d tvec;
  double bias_px = 0;
};

// Residual of one sight in pixels and its derivatives; false behind the camera.
bool Evaluate(const State& s, const LineSight& sight, double& residual_px, Vec7& gradient) {
  const cv::Vec3d turned = s.rotation * cv::Vec3d(sight.at.x, sight.at.y, 0);
  const cv::Vec3d p = turned + s.tvec;
  if (!(p[2] > 1e-6)) return false;
  const double x = p[0] / p[2];
  const double y = p[1] / p[2];
  const double across = sight.normal[0] * x + sight.normal[1] * y;
  residual_px = sight.px_per_unit * (across + sight.offset) + sight.bias * s.bias_px;
  const double k = sight.px_per_unit / p[2];
  const cv::Vec3d by_shift(k * sight.normal[0], k * sight.normal[1], -k * across);
  const cv::Vec3d by_turn = turned.cross(by_shift);
  gradient = {by_turn[0],  by_turn[1],  by_turn[2], by_shift[0],
              by_shift[1], by_shift[2], sight.bias};
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

double TotalCost(const State& s, const std::vector<LineSight>& sights, double bias_prior_px) {
  double sum = 0.5 * s.bias_px * s.bias_px / (bias_prior_px * bias_prior_px);
  for (const LineSight& sight : sights) {
    double r = 0;
    Vec7 g;
    if (!Evaluate(s, sight, r, g)) return INFINITY;
    sum += Cost(r / sight.sigma_px);
  }
  return sum;
}

State Moved(const State& s, const Vec7& step) {
  cv::Matx33d turn;
  cv::Rodrigues(cv::Vec3d(step[0], step[1], step[2]), turn);
  return {turn * s.rotation, s.tvec + cv::Vec3d(step[3], step[4], step[5]), s.bias_px + step[6]};
}

void Normal(const State& s, const std::vector<LineSight>& sights, double bias_prior_px, Mat7& a,
            Vec7& b) {
  a = Mat7::zeros();
  b = Vec7::all(0);
  const double prior = 1.0 / (bias_prior_px * bias_prior_px);
  a(6, 6) += prior;
  b[6] -= prior * s.bias_px;
  for (const LineSight& sight : sights) {
    double r = 0;
    Vec7 g;
    if (!Evaluate(s, sight, r, g)) continue;
    const double w = Weight(r / sight.sigma_px) / (sight.sigma_px * sight.sigma_px);
    for (int i = 0; i < kParameters; ++i) {
      b[i] -= w * g[i] * r;
      for (int j = 0; j < kParameters; ++j) a(i, j) += w * g[i] * g[j];
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
    cv::Vec3d turn;
    cv::Rodrigues(there * rotation.t(), turn);
    for (int j = 0; j < 3; ++j) turn_from_rvec(j, i) = turn[j] / kStep;
  }
  return turn_from_rvec.inv();
}

}  // namespace

Result<PoseFit> FitPose(const std::vector<LineSight>& sights, const cv::Vec3d& rvec,
                        const cv::Vec3d& tvec, double bias_prior_px) {
  FOS_CHECK(bias_prior_px > 0);
  const Error unfixed{ErrorCode::kDegenerate, "what is seen of the table does not fix the camera"};
  if (sights.size() < 6) return unfixed;
  State state{cv::Matx33d::eye(), tvec, 0};
  cv::Rodrigues(rvec, state.rotation);
  double cost = TotalCost(state, sights, bias_prior_px);
  if (!std::isfinite(cost)) return unfixed;

  Mat7 a;
  Vec7 b;
  double damping = 1e-6;
  constexpr int kSteps = 60;
  constexpr double kSettled = 1e-10;
  for (int i = 0; i < kSteps && damping < 1e12; ++i) {
    Normal(state, sights, bias_prior_px, a, b);
    Mat7 damped = a;
    for (int j = 0; j < kParameters; ++j) damped(j, j) += damping * a(j, j) + 1e-12;
    bool solvable = false;
    const Vec7 step = damped.inv(cv::DECOMP_CHOLESKY, &solvable) * b;
    if (!solvable) return unfixed;
    const State next = Moved(state, step);
    const double next_cost = TotalCost(next, sights, bias_prior_px);
    if (next_cost <= cost) {
      const bool settled = cost - next_cost <= kSettled * (1 + cost);
      state = next;
      cost = next_cost;
      damping = std::max(damping / 10, 1e-9);
      if (settled) break;
    } else {
      damping *= 10;
    }
  }

  Normal(state, sights, bias_prior_px, a, b);
  bool invertible = false;
  const Mat7 covariance = a.inv(cv::DECOMP_CHOLESKY, &invertible);
  if (!invertible) return unfixed;

  PoseFit out;
  out.tvec = state.tvec;
  cv::Rodrigues(state.rotation, out.rvec);
  // The nearer of the two names of a rotation by about half a turn, so that a pose found again is
  // close to the one before in numbers too.
  if (const double angle = cv::norm(out.rvec); angle > 1e-9) {
    const cv::Vec3d other = out.rvec * ((angle - 2 * CV_PI) / angle);
    if (cv::norm(other - rvec) < cv::norm(out.rvec - rvec)) out.rvec = other;
  }
  out.print_bias_px = state.bias_px;
  double chi2 = 0;
  for (const LineSight& sight : sights) {
    double r = 0;
    Vec7 g;
    Evaluate(state, sight, r, g);
    out.residual_px.push_back(r);
    chi2 += 2 * Cost(r / sight.sigma_px);
  }
  const double freedom = std::max(1.0, static_cast<double>(sights.size()) - 6.0);
  out.chi2_per_dof = chi2 / freedom;
  cv::Matx66d jacobian = cv::Matx66d::eye();
  const cv::Matx33d rvec_from_turn = RvecFromTurn(out.rvec, state.rotation);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) jacobian(i, j) = rvec_from_turn(i, j);
  }
  out.covariance = std::max(1.0, out.chi2_per_dof) *
                   (jacobian * covariance.get_minor<6, 6>(0, 0) * jacobian.t());
  return out;
}

}  // namespace fos
