// SPDX-License-Identifier: MIT
#include "datasets/sweep/wild_sweep.h"

#include <gtest/gtest.h>

#include <map>

namespace fos {
namespace {

// One table, swept once for all tests that look at it.
const Result<WildSweep>& SweepOf(int seed) {
  static std::map<int, Result<WildSweep>> kept;
  const auto at = kept.find(seed);
  if (at != kept.end()) return at->second;
  WildSweepOptions options;
  options.shots = 1;  // at least: all of one table
  options.seed = seed;
  return kept.emplace(seed, SweepWildShots(options)).first->second;
}

constexpr int kOnWhite = 320052;

TEST(WildSweep, CountsEveryShotOnceInEachOfItsClasses) {
  const Result<WildSweep>& swept = SweepOf(kOnWhite);
  ASSERT_TRUE(swept.ok()) << swept.error().message;
  EXPECT_EQ(swept->unread_tables, 0);
  const WildTally& all = swept->all;
  EXPECT_GE(all.shots, 1);
  EXPECT_EQ(all.measured + all.asked + all.told + all.silent, all.shots);
  EXPECT_EQ(static_cast<int>(all.errors_in.size()) + all.wrong_end, all.measured);
  int grounds = 0;
  int things = 0;
  for (const auto& [name, tally] : swept->by) {
    if (name.rfind("ground:", 0) == 0) grounds += tally.shots;
    if (name.rfind("junk:", 0) == 0 || name.rfind("event:", 0) == 0 ||
        name.find(" lies ") != std::string::npos)
      things += tally.times;
  }
  EXPECT_EQ(grounds, all.shots);
  EXPECT_EQ(things, all.times);
  EXPECT_EQ(SweepText(*swept, false).find("ground:"), std::string::npos);
  EXPECT_NE(SweepText(*swept, true).find("ground:"), std::string::npos);
}

WildTally Swept(int seed) {
  const Result<WildSweep>& swept = SweepOf(seed);
  EXPECT_TRUE(swept.ok());
  return swept.ok() ? swept->all : WildTally();
}

// One of a swab's ends lies in the shade of hard sun, and no paint shows on either.
TEST(WildSweep, TellsNoEndOfASwabByItsShadeAlone) { EXPECT_EQ(Swept(80002).wrong_end, 0); }

// A swab longer than stated lies with its bare end on a stand, whose colour looks like paint. The
// dip is small, and its end was not found: it was taken for hidden, though it lies in the open.
TEST(WildSweep, TellsNoEndByItsPaintWhereTheOtherLiesInTheOpen) {
  EXPECT_EQ(Swept(460015).wrong_end, 0);
}

// A figure was nudged on its base. Before and after hardly differ.
TEST(WildSweep, TakesNoNudgedFigureForAShell) { EXPECT_EQ(Swept(490001).invented, 0); }

// In the dark a painted end shows too little for its edge to be found.
TEST(WildSweep, TellsAnEndByItsPaintWhereItsEdgeIsNotSeen) {
  const WildTally all = Swept(76001);
  EXPECT_GE(all.measured, all.shots - 1);  // one is shorter than a swab
  EXPECT_EQ(all.measured + all.asked, all.shots);
  EXPECT_EQ(all.wrong_end, 0);
}

// Two swabs on snow in hard sun are explained alike either way round: the colours of their ends tell.
TEST(WildSweep, TellsAnEndByTheColoursOfBothWhereTheEvidenceIsTheSame) {
  const WildTally all = Swept(620007);
  EXPECT_EQ(all.measured, all.shots);
  EXPECT_EQ(all.wrong_end, 0);
}

// Burnt white in hard sun, with its shadow beside it, a swab looks like a strip of brighter light.
TEST(WildSweep, PassesNoSwabInSilenceThatTheSunHasBurnt) { EXPECT_EQ(Swept(540010).silent, 0); }

// On white ground in hard sun swabs hardly stand out but for their shadows. All four were told as
// mere objects.
TEST(WildSweep, AsksAboutSwabsThatHardlyStandOutFromWhite) {
  const WildTally all = Swept(kOnWhite);
  EXPECT_GE(all.measured + all.asked, 2);
  EXPECT_EQ(all.silent, 0);
  EXPECT_EQ(all.invented, 0);
}

// A shell's dark shadow is as large as the shell, and what is left, its body, is no coloured shadow.
TEST(WildSweep, LaysNoShellInItsShadow) {
  for (const int seed : {320038, 350004}) {
    const WildTally all = Swept(seed);
    EXPECT_GT(all.measured, 0) << seed;
    for (const double error_in : all.errors_in) EXPECT_LT(error_in, 0.15) << seed;
  }
}

}  // namespace
}  // namespace fos
