// SPDX-License-Identifier: MIT
#include "vision/image/diagnostics.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

TEST(StageTimes, GiveMedianAndTailToOneHundredth) {
  StageTimes times;
  for (int i = 1; i <= 1000; ++i) times.Add("watch", 0.01 * i);
  times.Add("register", 0);
  const CallTimes& watch = times.Calls().at("watch");
  EXPECT_NEAR(watch.Quantile(0.5), 5.0, 0.05);
  EXPECT_NEAR(watch.Quantile(0.99), 9.9, 0.1);
  EXPECT_NEAR(watch.Quantile(1), 10.0, 0.1);
  EXPECT_EQ(watch.Count(), 1000);
  EXPECT_NEAR(watch.Sum(), 5005, 1e-6);
  EXPECT_LT(times.Calls().at("register").Quantile(0.5), 1e-3);
  EXPECT_EQ(CallTimes{}.Quantile(0.5), 0);
}

}  // namespace
}  // namespace fos
