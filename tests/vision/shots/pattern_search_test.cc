// SPDX-License-Identifier: MIT
#include "vision/shots/pattern_search.h"

#include <gtest/gtest.h>

#include <cmath>

// Searches for a pose whose predictions meet what was seen.
namespace fos {
namespace {

struct Place {
  double x = 0;
  double y = 0;

  bool operator==(const Place&) const = default;
};
Place Moved(Place p, std::size_t way, double by) {
  (way == 0 ? p.x : p.y) += by;
  return p;
}

// Predictions that a straight line gives exactly, one of which depends on both: a narrow ridge.
std::array<double, 3> Values(const Place& p) { return {p.x, p.y, 5 * (p.x + p.y)}; }
constexpr std::array<double, 3> kSeen = {1.0, 2.0, 15.0};
double PriorOf(const Place& p) { return -0.5 * (p.x * p.x) / 4; }
double Score(const Place& p) {
  double out = PriorOf(p);
  const auto values = Values(p);
  for (std::size_t i = 0; i < values.size(); ++i)
    out -= 0.5 * (values[i] - kSeen[i]) * (values[i] - kSeen[i]);
  return out;
}
double Predicted(const Place& p, std::vector<float>& values) {
  values.clear();
  for (const double v : Values(p)) values.push_back(static_cast<float>(v));
  return Score(p);
}
Curvature<2> RidgeAt(const Place& p) { return CurvatureAt<2>(p, Predicted, PriorOf, Moved); }

TEST(CurvatureAt, IsExactWherePredictionsAreStraight) {
  const Curvature<2> at = RidgeAt({0.3, -0.2});
  EXPECT_NEAR(at.hessian(0, 0), -(1 + 25 + 0.25), 1e-3);
  EXPECT_NEAR(at.hessian(1, 1), -(1 + 25), 1e-3);
  EXPECT_NEAR(at.hessian(0, 1), -25, 1e-3);
  EXPECT_EQ(at.hessian(0, 1), at.hessian(1, 0));
  const double step = 1e-4;
  EXPECT_NEAR(at.gradient[0], (Score({0.3 + step, -0.2}) - Score({0.3 - step, -0.2})) / (2 * step),
              1e-3);
}

TEST(CurvatureAt, AnImpossiblePoseTellsNothingOfItsWay) {
  const auto predicted = [](const Place& p, std::vector<float>& values) {
    const double score = Predicted(p, values);
    return p.x > 0 ? -1e18 : score;
  };
  const Curvature<2> at = CurvatureAt<2>(Place{0, 0}, predicted, PriorOf, Moved);
  EXPECT_EQ(at.gradient[0], 0);
  EXPECT_NEAR(at.hessian(0, 1), 0, 1e-9);
  EXPECT_NEAR(at.hessian(1, 1), -26, 1e-3);
}

TEST(NewtonSearch, FollowsARidgeToItsTop) {
  const Place top = NewtonSearch<2>(Place{0, 0}, Score, RidgeAt, Moved);
  // The best of the quadratic, by hand: (26.25, 25; 25, 26) times it is (76, 77).
  EXPECT_NEAR(top.x, (76 * 26 - 77 * 25) / (26.25 * 26 - 25 * 25), 0.05);
  EXPECT_NEAR(Score(top), Score({0.887, 2.1087}), 0.1);
}

TEST(CovarianceOf, IsTheInverseOfTheInformation) {
  const auto cov = CovarianceOf<2>(RidgeAt({1, 2}));
  const double determinant = 26.25 * 26 - 25 * 25;
  EXPECT_NEAR(cov(0, 0), 26 / determinant, 1e-3);
  EXPECT_NEAR(cov(0, 1), -25 / determinant, 1e-3);
}

TEST(PatternSearch, DoesNotWeighAPoseAgainThatABoundKeeps) {
  // y may not be changed at all, and the best x is where the search begins.
  int weighed = 0;
  const auto score = [&](const Place& p) {
    ++weighed;
    return -p.x * p.x;
  };
  const auto moved = [](Place p, std::size_t way, double by) {
    if (way == 0) p.x += by;
    return p;
  };
  const Place found = PatternSearch(Place{0, 5}, 1, 0.5, 2, score, moved);
  EXPECT_EQ(found, (Place{0, 5}));
  EXPECT_EQ(weighed, 1 + 2 * 2);  // the start, and x both ways with either step
}

}  // namespace
}  // namespace fos
