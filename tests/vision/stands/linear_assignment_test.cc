// SPDX-License-Identifier: MIT
#include "vision/stands/linear_assignment.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace fos {
namespace {

using Costs = std::vector<std::vector<double>>;

double CostOf(const AssignedPairs& pairs, const Costs& cost) {
  double sum = 0;
  for (const auto& [row, column] : pairs)
    sum += cost[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  return sum;
}

// By trying every permutation of the longer side.
double LeastCost(const Costs& cost) {
  const std::size_t rows = cost.size();
  const std::size_t columns = cost[0].size();
  std::vector<std::size_t> order(std::max(rows, columns));
  std::iota(order.begin(), order.end(), std::size_t{0});
  double least = std::numeric_limits<double>::max();
  do {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(rows, columns); ++i)
      sum += rows <= columns ? cost[i][order[i]] : cost[order[i]][i];
    least = std::min(least, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

std::vector<int> Names(std::size_t count) {
  std::vector<int> names(count);
  std::iota(names.begin(), names.end(), 0);
  return names;
}

TEST(SolveAssignment, MatchesTheBestOfAllPermutations) {
  std::mt19937 random(7);
  for (std::size_t rows = 1; rows <= 6; ++rows) {
    for (std::size_t columns = 1; columns <= 6; ++columns) {
      Costs cost(rows, std::vector<double>(columns));
      for (std::vector<double>& row : cost) {
        for (double& c : row) c = static_cast<double>(random() % 1000) - 200;
      }
      const AssignedPairs pairs = SolveAssignment(Names(rows), Names(columns), cost);
      EXPECT_EQ(pairs.size(), std::min(rows, columns));
      EXPECT_DOUBLE_EQ(CostOf(pairs, cost), LeastCost(cost)) << rows << " x " << columns;
    }
  }
}

TEST(SolveAssignment, ReturnsTheGivenNames) {
  const AssignedPairs pairs = SolveAssignment({4, 9}, {3, 1}, {{5, 0}, {0, 5}});
  EXPECT_EQ(pairs, (AssignedPairs{{4, 1}, {9, 3}}));
}

}  // namespace
}  // namespace fos
