// SPDX-License-Identifier: MIT
#include "datasets/score/score_lens_check.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace fos {
namespace {

// A right lens is trusted. A wrong focal length is contradicted where the table tells it, and
// wherever it is not, the stated doubt covers the error on the cloth and above it.
TEST(CheckLenses, ARightLensIsTrustedAndAWrongOneContradictedOrCovered) {
  const auto cases = CheckLenses(std::filesystem::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip");
  ASSERT_EQ(cases.size(), 5U);
  constexpr double kOneInAThousand = 4.7;  // sigmas, of the worst place
  for (const LensCheckCase& one : cases) {
    ASSERT_TRUE(one.trust) << one.lens;
    if (one.right) {
      EXPECT_EQ(*one.trust, TableTrust::kTrusted);
    } else if (one.lens == "x0.93" || one.lens == "x1.07") {
      EXPECT_NE(*one.trust, TableTrust::kTrusted);
    }
    // The camera hangs within a few degrees of straight above: the table tells the focal length to
    // about a percent, so that one 7 % off must be told, and one 3 % off need not be.
    EXPECT_GT(one.focal_sigma, 0.003) << one.lens;
    EXPECT_LT(one.focal_sigma, 0.03) << one.lens;
    EXPECT_EQ(one.focal_sigmas_off == 0, one.right) << one.lens;
    EXPECT_EQ(one.errors_in.size(), 13U * 10U) << one.lens;
    EXPECT_LT(one.error_in, 0.03) << one.lens;
    EXPECT_LT(one.normalised, kOneInAThousand) << one.lens;
    EXPECT_LT(one.house_normalised, kOneInAThousand) << one.lens;
    EXPECT_LT(one.moved_sigmas, kOneInAThousand) << one.lens;
    EXPECT_LE(one.moved_low_in, one.moved_high_in) << one.lens;
    EXPECT_EQ(one.moved_high_in < 1e-6, one.right) << one.lens;
    EXPECT_TRUE(one.trust != TableTrust::kTrusted || one.moved_low_in < 0.01) << one.lens;
  }
  const std::string text = LensCheckTable(cases, true);
  EXPECT_NE(text.find("x0.93"), std::string::npos);
}

TEST(CheckLenses, SaysNothingWhereThereIsNothing) {
  const test::TempDir dir;
  EXPECT_TRUE(CheckLenses(dir.path()).empty());
  EXPECT_EQ(LensCheckTable({}, true), "");
}

}  // namespace
}  // namespace fos
