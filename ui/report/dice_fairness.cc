// SPDX-License-Identifier: MIT
#include "ui/report/dice_fairness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <fmt/format.h>

#include "engine/table/result.h"

namespace fos {
namespace {

int NumbersOf(DieFaces kind) { return kind == DieFaces::kAverage ? 4 : SidesOf(kind); }

int HighestOf(DieFaces kind) { return kind == DieFaces::kAverage ? 5 : SidesOf(kind); }

// The same for a variable that is not central: a mixture of central ones.
// source  Abramowitz & Stegun, 26.4.25.
double NoncentralTail(double x, int dof, double noncentrality) {
  double weight = std::exp(-noncentrality / 2);
  double out = 0;
  constexpr int kTerms = 200;  // enough for a noncentrality up to 100
  for (int j = 0; j < kTerms; ++j) {
    out += weight * ChiSquareTail(x, dof + 2 * j);
    weight *= noncentrality / 2 / (j + 1);
  }
  return out;
}

// Where `falling` falls below `level`, by halving.
template <typename Function>
double Crossing(double low, double high, double level, const Function& falling) {
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (falling(middle) > level ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::string Percent(double likelihood) {
  constexpr double kLeast = 0.001;
  return likelihood < kLeast ? std::string("less than 0.1 %")
                             : fmt::format("{:.1f} %", 100 * likelihood);
}

}  // namespace

ByFace FaceShares(DieFaces kind) {
  if (kind == DieFaces::kAverage) return {0, 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  ByFace out{};
  std::fill_n(out.begin(), SidesOf(kind), 1.0 / SidesOf(kind));
  return out;
}

std::int64_t LeastDice(DieFaces kind) { return std::int64_t{5} * SidesOf(kind); }

double ChiSquareTail(double x, int dof) {
  FOS_CHECK(dof > 0 && dof % 2 == 1);
  double out = std::erfc(std::sqrt(x / 2));
  double term = std::sqrt(2 * x / std::numbers::pi) * std::exp(-x / 2);
  for (int k = 1; k < dof; k += 2) {
    out += term;
    term *= x / (k + 2);
  }
  return out;
}

void DiceRecord::Add(const ByFace& chances) {
  ++throws;
  const ByFace shares = FaceShares(kind);
  const std::size_t likeliest =
      static_cast<std::size_t>(std::max_element(chances.begin(), chances.end()) - chances.begin());
  double tells = 0;  // how far the chances are from what is known without looking
  for (std::size_t i = 0; i < faces.size(); ++i) {
    faces[i] += chances[i];
    if (shares[i] > 0) tells += (chances[i] - shares[i]) * (chances[i] - shares[i]) / shares[i];
  }
  mistakes += 1 - chances[likeliest];
  if (shares[likeliest] > 0) certain += tells / (1 / shares[likeliest] - 1);
}

void DiceRecord::Add(int face, double chance) {
  const ByFace shares = FaceShares(kind);
  const auto shown = static_cast<std::size_t>(face - 1);
  ByFace chances{};
  for (std::size_t i = 0; i < chances.size(); ++i)
    chances[i] = i == shown ? chance : (1 - chance) * shares[i] / (1 - shares[shown]);
  Add(chances);
}

int DiceRecord::DegreesOfFreedom() const { return NumbersOf(kind) - 1; }

double DiceRecord::ChiSquare() const {
  if (certain <= 0) return 0;
  const ByFace shares = FaceShares(kind);
  double out = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (shares[i] <= 0) continue;
    const double off = faces[i] - static_cast<double>(throws) * shares[i];
    out += off * off / (shares[i] * certain);
  }
  return out;
}

double DiceRecord::Likelihood() const { return ChiSquareTail(ChiSquare(), DegreesOfFreedom()); }

double DiceRecord::LikelihoodAtWorst() const {
  if (throws == 0) return 1;
  const ByFace shares = FaceShares(kind);
  double square = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (shares[i] <= 0) continue;
    const double expected = static_cast<double>(throws) * shares[i];
    const double off = std::max(std::abs(faces[i] - expected) - mistakes, 0.0);
    square += off * off / expected;
  }
  return ChiSquareTail(square, DegreesOfFreedom());
}

std::int64_t ThrowsNeeded(DieFaces kind) {
  // The highest number comes half as often again; the others share the rest as before.
  const ByFace shares = FaceShares(kind);
  const auto highest = static_cast<std::size_t>(HighestOf(kind) - 1);
  const double too_often = 1.5 * shares[highest];
  double effect = 0;  // noncentrality of one throw
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] <= 0) continue;
    const double unfair =
        i == highest ? too_often : shares[i] * (1 - too_often) / (1 - shares[highest]);
    effect += (unfair - shares[i]) * (unfair - shares[i]) / shares[i];
  }
  const int dof = NumbersOf(kind) - 1;
  const double limit =
      Crossing(0, 100, kBeyondDoubt, [&](double x) { return ChiSquareTail(x, dof); });
  constexpr double kMissed = 0.1;
  const double needed = Crossing(
      0, 100, kMissed, [&](double lambda) { return 1 - NoncentralTail(limit, dof, lambda); });
  return static_cast<std::int64_t>(std::ceil(needed / effect));
}

std::string FairnessInWords(const DiceRecord& dice) {
  const std::string needed = fmt::format(
      "About {} throws are needed to be sure that a die shows its highest number in {}.",
      ThrowsNeeded(dice.kind),
      dice.kind == DieFaces::kTwelve ? "an eighth of all throws instead of a twelfth"
                                     : "a quarter of all throws instead of a sixth");
  if (dice.throws < LeastDice(dice.kind))
    return "Too few dice to say whether they are fair. " + needed;
  const std::string measured =
      fmt::format("Fair dice are at least as uneven as these in {} of such samples. ",
                  Percent(dice.Likelihood()));
  if (dice.Likelihood() >= kBeyondDoubt)
    return measured + "That is no proof against them. " + needed;
  if (dice.LikelihoodAtWorst() >= kBeyondDoubt)
    return measured + "The doubt in the camera's readings could explain that.";
  return measured +
         "They are uneven beyond doubt, even if every doubtful reading erred the same way. The "
         "table, the way they are thrown or the dice themselves may be the cause.";
}

}  // namespace fos
