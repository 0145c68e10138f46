// SPDX-License-Identifier: MIT
#include "vision/pipeline/tracked_objects.h"

#include <gtest/gtest.h>

#include <optional>

namespace fos {
namespace {

const TableBox kHere{{4, 4}, {6, 5}};
const Polygon kOutline{{4, 4}, {6, 4}, {6, 5}, {4, 5}};

TEST(TrackedObjects, TellThatAThingIsGoneOnlyWhereItsComingWasTold) {
  TrackedObjects objects({});
  // A patch of light that was no clear thing goes again, as it came: without a word.
  EXPECT_FALSE(objects.ToggleUnexplained(kHere, kOutline, ThingChange::kNone));
  EXPECT_FALSE(objects.ToggleUnexplained(kHere, kOutline, ThingChange::kNone));
  // A thing is put down there and taken up.
  const auto came = objects.ToggleUnexplained(kHere, kOutline, ThingChange::kCame);
  ASSERT_TRUE(came);
  EXPECT_EQ(came->number, 1);
  EXPECT_FALSE(came->gone);
  EXPECT_TRUE(objects.HasUnexplained(1));
  EXPECT_TRUE(objects.LiesUnexplained(kHere));
  EXPECT_FALSE(objects.ToggleUnexplained(kHere, kOutline, ThingChange::kNone)) << "other light";
  EXPECT_TRUE(objects.HasUnexplained(1));
  const auto went = objects.ToggleUnexplained(kHere, kOutline, ThingChange::kWent);
  ASSERT_TRUE(went);
  EXPECT_EQ(went->number, 1);
  EXPECT_TRUE(went->gone);
  EXPECT_FALSE(objects.HasUnexplained(1));
  EXPECT_FALSE(objects.LiesUnexplained(kHere));
}

TEST(TrackedObjects, TellOfAThingThatComesWhereSomethingUnclearWas) {
  TrackedObjects objects({});
  EXPECT_FALSE(objects.ToggleUnexplained(kHere, kOutline, ThingChange::kNone));
  const auto came = objects.ToggleUnexplained(kHere, kOutline, ThingChange::kCame);
  ASSERT_TRUE(came);
  EXPECT_FALSE(came->gone);
  EXPECT_EQ(objects.Outlines().size(), 1U);
}

}  // namespace
}  // namespace fos
