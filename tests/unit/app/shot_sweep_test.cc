#include "ui/app/shot_sweep.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

TEST(ShotSweep, FindsWhatFallsOnAMadeUpTable) {
  ShotSweepOptions options;
  options.shots = 1;
  options.seed = 16;
  const Result<ShotSweep> swept = SweepShots(options);
  ASSERT_TRUE(swept.ok()) << swept.error().message;
  EXPECT_EQ(swept->tables, 1);
  EXPECT_EQ(swept->unread_tables, 0);
  int there = 0;
  for (const auto& [view, count] : swept->shots) there += count.there;
  EXPECT_GE(there, 1);
  EXPECT_GT(swept->errors_in.size(), 0U);
  for (const double error : swept->errors_in) EXPECT_LT(error, 0.15);
  EXPECT_NE(SweepText(*swept, true).find("expected calibration error"), std::string::npos);
}

}  // namespace
}  // namespace fos
