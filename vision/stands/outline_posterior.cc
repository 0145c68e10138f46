// SPDX-License-Identifier: MIT
#include "vision/stands/outline_posterior.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace fos {
namespace {

constexpr double kCoarse_in = 0.03;
constexpr double kCoarse_rad = 0.03;

struct Minimum {
  Motion at;
  double cost = 0;
};

Minimum LowestOfGrid(const OutlineCost& cost) {
  Motion best;
  double least = cost(best);
  for (int i = -4; i <= 4; ++i) {
    for (int j = -4; j <= 4; ++j) {
      for (int k = -3; k <= 3; ++k) {
        const Motion m{i * kCoarse_in, j * kCoarse_in, k * kCoarse_rad};
        const double c = cost(m);
        if (c < least) {
          least = c;
          best = m;
        }
      }
    }
  }
  return {best, least};
}

// Pattern search with halving steps.
Minimum Descend(const OutlineCost& cost, Minimum from) {
  Motion best = from.at;
  double least = from.cost;
  for (double reach = 0.5 * kCoarse_in; reach > 0.001; reach *= 0.5) {
    for (int round = 0; round < 8; ++round) {
      bool better = false;
      for (const Motion& way : {Motion{reach, 0, 0}, Motion{-reach, 0, 0}, Motion{0, reach, 0},
                                Motion{0, -reach, 0}, Motion{0, 0, reach}, Motion{0, 0, -reach}}) {
        const Motion m{best.x + way.x, best.y + way.y, best.turn + way.turn};
        const double c = cost(m);
        if (c < least) {
          least = c;
          best = m;
          better = true;
        }
      }
      if (!better) break;
    }
  }
  return {best, least};
}

}  // namespace

OutlineCost::OutlineCost(std::span<const OutlinePoint> points, double reach_in, double step_in)
    : samples_(points.empty() ? 0 : points[0].cost.size()), middle_(reach_in / step_in) {
  points_.reserve(points.size());
  costs_.reserve(points.size() * samples_);
  for (const OutlinePoint& p : points) {
    points_.push_back(
        {p.outward.x / step_in, p.outward.y / step_in, Cross(p.at, p.outward) / step_in});
    costs_.insert(costs_.end(), p.cost.begin(), p.cost.end());
  }
}

double OutlineCost::operator()(const Motion& m) const {
  double sum = 0;
  const double last = static_cast<double>(samples_) - 1.001;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& p = points_[i];
    const double k = std::clamp(p.x * m.x + p.y * m.y + p.turn * m.turn + middle_, 0.0, last);
    const auto low = static_cast<int>(k);
    const float* const cost = costs_.data() + i * samples_ + low;
    const double f = k - low;
    sum += static_cast<double>(cost[0]) * (1 - f) + static_cast<double>(cost[1]) * f;
  }
  // Prior: the search by paints is right to a tenth of an inch and five degrees.
  constexpr double kPlaced_in = 0.1;
  constexpr double kPlaced_rad = 0.09;
  return sum + 0.5 * ((m.x * m.x + m.y * m.y) / (kPlaced_in * kPlaced_in) +
                      m.turn * m.turn / (kPlaced_rad * kPlaced_rad));
}

Motion LikeliestMotion(const OutlineCost& cost) { return Descend(cost, LowestOfGrid(cost)).at; }

MotionPosterior SumOverMotions(const OutlineCost& cost) {
  const auto [best, least] = Descend(cost, Minimum{{}, cost({})});
  // Steps of about three quarters of a sigma.
  const auto step_of = [&, &best = best, &least = least](Motion way) {
    double step = 0.0015;
    for (int i = 0; i < 12; ++i) {
      const auto at = [&](double s) {
        return cost({best.x + s * way.x, best.y + s * way.y, best.turn + s * way.turn});
      };
      if (0.5 * (at(step) + at(-step)) - least > 0.25) break;
      step *= 1.4;
    }
    return step;
  };
  const double sx = step_of({1, 0, 0});
  const double sy = step_of({0, 1, 0});
  const double st = step_of({0, 0, 1});
  constexpr int kHalf = 3;
  double total = 0;
  Motion mean;
  std::array<double, 4> second{};  // xx, xy, yy, turn turn, about the lowest place
  for (int i = -kHalf; i <= kHalf; ++i) {
    for (int j = -kHalf; j <= kHalf; ++j) {
      for (int k = -kHalf; k <= kHalf; ++k) {
        const double dx = i * sx;
        const double dy = j * sy;
        const double dt = k * st;
        const double w = std::exp(least - cost({best.x + dx, best.y + dy, best.turn + dt}));
        total += w;
        mean.x += w * dx;
        mean.y += w * dy;
        mean.turn += w * dt;
        second[0] += w * dx * dx;
        second[1] += w * dx * dy;
        second[2] += w * dy * dy;
        second[3] += w * dt * dt;
      }
    }
  }
  mean = {mean.x / total, mean.y / total, mean.turn / total};
  const Cov2 cov{second[0] / total - mean.x * mean.x, second[1] / total - mean.x * mean.y,
                 second[2] / total - mean.y * mean.y};
  return {{best.x + mean.x, best.y + mean.y, best.turn + mean.turn},
          cov,
          second[3] / total - mean.turn * mean.turn};
}

}  // namespace fos
