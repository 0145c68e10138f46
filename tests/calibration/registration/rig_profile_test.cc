#include "calibration/registration/rig_profile.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/plane_picture.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

class Rig : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / "rig_profile_test";
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string Refusal(const std::string& text) const {
    std::ofstream(folder_ / "broken.toml") << text;
    const auto rig = ReadRig(folder_ / "broken.toml");
    return rig.ok() ? std::string("accepted") : rig.error().message;
  }
  fs::path folder_;
};

RigProfile Made() {
  RigProfile rig;
  rig.lens = testing::Webcam(1920, 1080);
  rig.lens.rms_px = 0.125;
  LensMat covariance = LensMat::eye();
  covariance(0, 1) = covariance(1, 0) = 0.5;
  covariance(4, 4) = 1e-6;
  rig.lens.covariance = covariance;
  rig.table = testing::MarkedTable(12, 9, 4.0);
  rig.table.charuco = CharucoSpec{9, 6, 1.0, 0.75, "DICT_5X5_100"};
  rig.height = TapedHeight{68.5, 0.3};
  rig.pose = RigProfile::Pose{{3.1, 0.01, -0.02}, {-24, 18, 68}, 0.004};
  rig.paints["French \"Garde\""] = {47, 79, 168};
  rig.made = "2026-01-17";
  rig.program = "0.1.0";
  return rig;
}

TEST_F(Rig, WhatIsWrittenIsRead) {
  const RigProfile made = Made();
  ASSERT_TRUE(WriteRig(made, folder_ / "rig.toml").ok());
  const auto read = ReadRig(folder_ / "rig.toml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_LT(cv::norm(NumbersOf(read->lens) - NumbersOf(made.lens)), 1e-6);
  EXPECT_EQ(read->lens.width_px, 1920);
  EXPECT_EQ(read->lens.rms_px, 0.125);
  ASSERT_TRUE(read->lens.covariance);
  EXPECT_LT(cv::norm(*read->lens.covariance - *made.lens.covariance), 1e-9);
  EXPECT_EQ(read->table.frame.columns, 12);
  ASSERT_TRUE(read->table.fiducials);
  EXPECT_EQ(read->table.fiducials->markers.size(), 4U);
  EXPECT_LT(
      Distance(read->table.fiducials->markers[2].centre, made.table.fiducials->markers[2].centre),
      1e-6);
  ASSERT_TRUE(read->table.charuco);
  EXPECT_EQ(read->table.charuco->dictionary, "DICT_5X5_100");
  ASSERT_TRUE(read->height);
  EXPECT_EQ(read->height->inches, 68.5);
  ASSERT_TRUE(read->pose);
  EXPECT_LT(cv::norm(read->pose->tvec - made.pose->tvec), 1e-9);
  EXPECT_EQ(read->paints, made.paints);
  EXPECT_EQ(read->made, "2026-01-17");
}

TEST_F(Rig, BrokenOnesAreRefusedInOneLine) {
  ASSERT_TRUE(WriteRig(Made(), folder_ / "rig.toml").ok());
  std::stringstream whole;
  whole << std::ifstream(folder_ / "rig.toml").rdbuf();
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole.str();
    text.replace(text.find(from), from.size(), to);
    return Refusal(text);
  };
  EXPECT_NE(with("format = 1", "format = 2").find("this program knows 1"), std::string::npos);
  EXPECT_NE(with("focal = [", "focal = [1, ").find("holds 3 numbers; want 2"), std::string::npos);
  EXPECT_NE(with("columns = 12", "colums = 12").find("columns"), std::string::npos);
  EXPECT_NE(with("[height]\ninches = 68.5", "[height]\ninches = -1").find("inches"),
            std::string::npos);
  EXPECT_NE(with("distortion = [-0.1,", "distortion = [-9,").find("folds over"), std::string::npos);
  EXPECT_NE(with("covariance = [1,", "covariance = [-1,").find("variance below 0"),
            std::string::npos);
  EXPECT_NE(Refusal("").find("rig"), std::string::npos) << Refusal("");
  EXPECT_NE(Refusal("\x01\xff").find("broken.toml"), std::string::npos);
  for (const std::string& text : {with("focal = [", "focal = [nan, "), Refusal("[camera]\n")}) {
    EXPECT_NE(text, "accepted");
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
  EXPECT_EQ(ReadRig(folder_ / "none.toml").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace fos
