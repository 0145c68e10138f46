// SPDX-License-Identifier: MIT
#include "ui/report/dice_fairness.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "engine/game/chance.h"

namespace fos {
namespace {

DiceRecord RecordOf(const std::vector<int>& counts, double chance = 1,
                    DieFaces kind = DieFaces::kOrdinary) {
  DiceRecord out;
  out.kind = kind;
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (int n = 0; n < counts[i]; ++n) out.Add(static_cast<int>(i) + 1, chance);
  return out;
}

// Abramowitz & Stegun, table 26.8.
TEST(ChiSquareTail, IsThatOfTheTables) {
  EXPECT_NEAR(ChiSquareTail(3.84146, 1), 0.05, 1e-6);
  EXPECT_NEAR(ChiSquareTail(7.81473, 3), 0.05, 1e-6);
  EXPECT_NEAR(ChiSquareTail(11.0705, 5), 0.05, 1e-6);
  EXPECT_NEAR(ChiSquareTail(15.0863, 5), 0.01, 1e-6);
  EXPECT_NEAR(ChiSquareTail(20.5150, 5), 0.001, 1e-7);
  EXPECT_NEAR(ChiSquareTail(19.6751, 11), 0.05, 1e-6);
  EXPECT_NEAR(ChiSquareTail(24.7250, 11), 0.01, 1e-6);
  EXPECT_NEAR(ChiSquareTail(0, 5), 1, 1e-12);
}

TEST(DiceFairness, CertainReadingsGivePearsonsStatistic) {
  const DiceRecord dice = RecordOf({5, 8, 9, 8, 10, 20});
  EXPECT_EQ(dice.throws, 60);
  EXPECT_NEAR(dice.ChiSquare(), 13.4, 1e-9);
  EXPECT_NEAR(dice.Likelihood(), 0.0199, 5e-5);
  EXPECT_NEAR(dice.LikelihoodAtWorst(), dice.Likelihood(), 1e-12);
  EXPECT_NEAR(RecordOf({10, 10, 10, 10, 10, 10}).Likelihood(), 1, 1e-12);
  EXPECT_EQ(DiceRecord().ChiSquare(), 0);
  DiceRecord average;
  average.kind = DieFaces::kAverage;
  for (const int face : {2, 3, 3, 4, 4, 5}) average.Add(face);
  EXPECT_NEAR(average.ChiSquare(), 0, 1e-12);
  EXPECT_EQ(average.DegreesOfFreedom(), 3);
}

TEST(DiceFairness, TwelveSidedDiceHaveTwelveEqualNumbers) {
  const ByFace shares = FaceShares(DieFaces::kTwelve);
  for (const double share : shares) EXPECT_NEAR(share, 1.0 / 12, 1e-12);
  EXPECT_EQ(FaceShares(DieFaces::kOrdinary)[6], 0);
  EXPECT_EQ(FaceShares(DieFaces::kAverage)[5], 0);
  const DiceRecord dice =
      RecordOf({10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 4, 16}, 1, DieFaces::kTwelve);
  EXPECT_EQ(dice.throws, 120);
  EXPECT_EQ(dice.DegreesOfFreedom(), 11);
  EXPECT_NEAR(dice.ChiSquare(), 7.2, 1e-9);
  EXPECT_NEAR(dice.Likelihood(), ChiSquareTail(7.2, 11), 1e-12);
  // A doubtful reading may have been any of the other eleven.
  DiceRecord doubtful;
  doubtful.kind = DieFaces::kTwelve;
  doubtful.Add(12, 0.89);
  EXPECT_NEAR(doubtful.faces[11], 0.89, 1e-12);
  EXPECT_NEAR(doubtful.faces[0], 0.01, 1e-12);
}

// The statistic keeps its distribution whatever the doubt: fair dice, read through a camera that
// errs as often as it says, fall below 5 % in 5 % of all samples.
TEST(DiceFairness, DoubtfulReadingsOfFairDiceAreNoMoreUneven) {
  for (const DieFaces kind : {DieFaces::kOrdinary, DieFaces::kAverage, DieFaces::kTwelve}) {
    const auto thrown = [kind](Generator& chance) {
      constexpr std::array<int, 7> kAverage = {0, 2, 3, 3, 4, 4, 5};
      const int face = chance.Die(SidesOf(kind));
      return kind == DieFaces::kAverage ? kAverage[static_cast<std::size_t>(face)] : face;
    };
    for (const double sure : {1.0, 0.8}) {
      Generator chance{27};
      constexpr int kSamples = 2000;
      int below = 0;
      for (int sample = 0; sample < kSamples; ++sample) {
        DiceRecord dice;
        dice.kind = kind;
        for (int i = 0; i < 120; ++i) {
          // A reading that tells nothing is a throw of its own.
          const int shown = thrown(chance);
          const bool blind = chance.Below(1000) >= 1000 * sure;
          const int read = blind ? thrown(chance) : shown;
          const ByFace shares = FaceShares(kind);
          ByFace chances{};
          for (std::size_t f = 0; f < chances.size(); ++f)
            chances[f] = (1 - sure) * shares[f] + (static_cast<int>(f) == read - 1 ? sure : 0);
          dice.Add(chances);
        }
        below += dice.Likelihood() < 0.05;
      }
      EXPECT_NEAR(below / double{kSamples}, 0.05, 0.016) << sure;
    }
  }
}

TEST(DiceFairness, ThrowsNeededShowAnUnfairDieInNineOfTenCases) {
  const std::int64_t needed = ThrowsNeeded(DieFaces::kOrdinary);
  EXPECT_GT(needed, 500);
  EXPECT_LT(needed, 2000);
  Generator chance{9};
  int shown = 0;
  constexpr int kSamples = 400;
  for (int sample = 0; sample < kSamples; ++sample) {
    DiceRecord dice;
    for (std::int64_t i = 0; i < needed; ++i) dice.Add(chance.Below(4) == 0 ? 6 : chance.Die(5));
    shown += dice.Likelihood() < kBeyondDoubt;
  }
  EXPECT_NEAR(shown / double{kSamples}, 0.9, 0.05);
}

TEST(DiceFairness, ThrowsNeededOfATwelveSidedDie) {
  const std::int64_t needed = ThrowsNeeded(DieFaces::kTwelve);
  EXPECT_GT(needed, ThrowsNeeded(DieFaces::kOrdinary));
  Generator chance{11};
  int shown = 0;
  constexpr int kSamples = 400;
  for (int sample = 0; sample < kSamples; ++sample) {
    DiceRecord dice;
    dice.kind = DieFaces::kTwelve;
    for (std::int64_t i = 0; i < needed; ++i) dice.Add(chance.Below(8) == 0 ? 12 : chance.Die(11));
    shown += dice.Likelihood() < kBeyondDoubt;
  }
  EXPECT_NEAR(shown / double{kSamples}, 0.9, 0.05);
}

TEST(DiceFairness, AccusesOnlyBeyondDoubt) {
  EXPECT_NE(FairnessInWords(RecordOf({0, 0, 0, 0, 0, 29})).find("Too few dice"), std::string::npos);
  const std::string few =
      FairnessInWords(RecordOf({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 59}, 1, DieFaces::kTwelve));
  EXPECT_NE(few.find("Too few dice"), std::string::npos) << few;
  EXPECT_NE(few.find("an eighth of all throws instead of a twelfth"), std::string::npos) << few;
  // One of fifty samples of fair dice looks like this.
  const std::string uneven = FairnessInWords(RecordOf({5, 8, 9, 8, 10, 20}));
  EXPECT_NE(uneven.find("2.0 %"), std::string::npos) << uneven;
  EXPECT_NE(uneven.find("no proof"), std::string::npos) << uneven;
  EXPECT_NE(uneven.find("throws are needed"), std::string::npos) << uneven;
  const std::vector<int> sixes = {60, 60, 60, 60, 60, 140};
  EXPECT_NE(FairnessInWords(RecordOf(sixes)).find("uneven beyond doubt"), std::string::npos);
  // Readings that are wrong in every tenth case might all be sixes too many.
  const std::string doubtful = FairnessInWords(RecordOf(sixes, 0.9));
  EXPECT_NE(doubtful.find("could explain"), std::string::npos) << doubtful;
}

}  // namespace
}  // namespace fos
