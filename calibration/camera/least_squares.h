// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

namespace fos {

// Levenberg-Marquardt: the one loop that the fits of pose and lens share. Each fit brings its own
// normal equations, because their structure is what makes them fast: a pose has shifts that each
// occur in few sights, a lens has poses that are eliminated view by view (Schur complement).
//
// Ceres was considered. Its automatic derivatives and Schur solvers would replace some 150 lines
// here, but the covariances, which are half of each fit, would stay, every file that states a
// residual would compile Ceres's and Eigen's headers, and a build would need thirty more packages.
// source  Hartley & Zisserman, Multiple View Geometry, 2nd ed., A6.2.
struct DampingOptions {
  double first = 1e-3;    // share of each diagonal element that is added to it
  double largest = 1e10;  // above it no step makes the cost smaller
  int steps = 100;
  double settled = 1e-8;  // of 1 + cost: a smaller gain ends the fit
};

// Moves `state` to where `cost_of` is least.
// cost     of `state`; kept up to date.
// step_of  (state, damping) -> optional<State>: where the damped normal equations lead; empty where
//          they cannot be solved, which a larger damping may mend.
// returns  false when no equations could be solved, not even the most damped ones.
template <typename State, typename CostOf, typename StepOf>
bool MinimiseDamped(State& state, double& cost, const CostOf& cost_of, const StepOf& step_of,
                    const DampingOptions& options) {
  double damping = options.first;
  bool any = false;
  for (int i = 0; i < options.steps && damping < options.largest; ++i) {
    std::optional<State> next = step_of(state, damping);
    const double next_cost = next ? cost_of(*next) : cost;
    if (!next || !(next_cost <= cost)) {
      any = any || next.has_value();
      damping *= 10;
      continue;
    }
    any = true;
    const bool settled = cost - next_cost <= options.settled * (1 + cost);
    state = std::move(*next);
    cost = next_cost;
    constexpr double kLeast = 1e-9;
    damping = std::max(damping / 10, kLeast);
    if (settled) break;
  }
  return any;
}

}  // namespace fos
