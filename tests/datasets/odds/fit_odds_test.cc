// SPDX-License-Identifier: MIT
#include "datasets/odds/fit_odds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "vision/shots/shot_odds.h"

namespace fos {
namespace {

// Things whose answer is drawn with these odds.
OddsQuestion Drawn(const std::vector<double>& weights, int count) {
  std::mt19937 random(3);
  std::normal_distribution<double> spread(0, 1);
  std::uniform_real_distribution<double> chance(0, 1);
  OddsQuestion out{"drawn", {"one", "a", "b"}, {0, 0, 0}, {}};
  for (int i = 0; i < count; ++i) {
    OddsExample e{std::to_string(i / 5), {1, spread(random), spread(random)}, false, 1};
    double odds = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) odds += weights[k] * e.terms[k];
    e.is_so = chance(random) < 1 / (1 + std::exp(-odds));
    out.examples.push_back(e);
  }
  return out;
}

TEST(FitOdds, FindsTheWeightsThatTheAnswersWereDrawnWith) {
  const std::vector<double> drawn{-0.5, 2, -1};
  const FittedOdds fit = FitOdds(Drawn(drawn, 4000));
  ASSERT_EQ(fit.weights.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(fit.weights[i], drawn[i], 0.2) << i;
  EXPECT_NEAR(fit.now.log_loss, std::log(2), 1e-9) << "weights of nothing know nothing";
  EXPECT_LT(fit.fitted.log_loss, 0.5);
  EXPECT_LT(fit.fitted.calibration_error, 0.03);
}

TEST(FitOdds, CountsAThingByItsWeight) {
  OddsQuestion question{"drawn", {"one"}, {0}, {}};
  question.examples = {{"a", {1}, true, 3}, {"b", {1}, false, 1}};
  EXPECT_NEAR(FitOdds(question).weights[0], std::log(3), 1e-3);
}

TEST(FitOdds, StaysFiniteWhereOneTermTellsEverything) {
  OddsQuestion question{"drawn", {"one", "told", "never"}, {0, 0, 0}, {}};
  for (int i = 0; i < 40; ++i)
    question.examples.push_back({std::to_string(i), {1, i % 2 ? 1.0 : 0.0, 0}, i % 2 == 1, 1});
  const FittedOdds fit = FitOdds(question);
  EXPECT_LT(std::abs(fit.weights[1]), 100);
  EXPECT_NEAR(fit.weights[2], 0, 1e-6);
  EXPECT_LT(fit.fitted.log_loss, 0.1);
}

LabelledThing Swab(bool is_it) {
  LabelledThing thing;
  thing.table = "7";
  thing.is_it = is_it;
  for (const WeighedTerm& term : kSwabWeights) thing.terms.emplace_back(term.name, 1.0);
  for (const WeighedTerm& term : kTipWeights) thing.ends.emplace_back(term.name, 1.0);
  return thing;
}

TEST(QuestionsOf, AskWhichEndIsDippedOfSwabsOnly) {
  const Result<std::vector<OddsQuestion>> asked =
      QuestionsOf(std::vector<LabelledThing>{Swab(true), Swab(false)});
  ASSERT_TRUE(asked.ok()) << asked.error().message;
  ASSERT_EQ(asked->size(), 2u);
  EXPECT_EQ(asked->at(0).examples.size(), 2u);
  EXPECT_EQ(asked->at(0).in_use[0], kSwabWeights[0].weight);
  EXPECT_EQ(asked->at(1).name, "tip");
  EXPECT_EQ(asked->at(1).examples.size(), 1u);
}

TEST(QuestionsOf, RefuseThingsOfAnotherVersion) {
  LabelledThing old = Swab(true);
  old.terms.back().first = "once";
  const Result<std::vector<OddsQuestion>> asked = QuestionsOf(std::vector<LabelledThing>{old});
  ASSERT_FALSE(asked.ok());
  EXPECT_NE(asked.error().message.find("table 7"), std::string::npos) << asked.error().message;
}

}  // namespace
}  // namespace fos
