// SPDX-License-Identifier: MIT
#include "ui/cli/interrupt.h"

#include <gtest/gtest.h>
#include <csignal>

namespace fos {
namespace {

TEST(Interrupt, IsNotedOnceAndTheSecondTimeEnds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int signal : {SIGINT, SIGTERM}) {
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.Asked());
    std::raise(signal);
    EXPECT_TRUE(interrupt.Asked());
    EXPECT_EXIT(std::raise(signal), testing::KilledBySignal(signal), "");
  }
  // And when nobody puts anything away any more, at once.
  EXPECT_EXIT(std::raise(SIGINT), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace fos
