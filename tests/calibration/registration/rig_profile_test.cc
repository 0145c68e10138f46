// SPDX-License-Identifier: MIT
#include "calibration/registration/rig_profile.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/files/table_file.h"
#include "engine/files/whole_file.h"
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
  rig.lens = test::Webcam(1920, 1080);
  rig.lens.rms_px = 0.125;
  LensMat covariance = LensMat::eye();
  covariance(0, 1) = covariance(1, 0) = 0.5;
  covariance(4, 4) = 1e-6;
  rig.lens.covariance = covariance;
  rig.table = test::MarkedTable(12, 9, 4.0);
  rig.table.charuco = CharucoSpec{9, 6, 1.0, 0.75, "DICT_5X5_100"};
  rig.height = TapedHeight{68.5, 0.3};
  rig.pose = RigProfile::Pose{{3.1, 0.01, -0.02}, {-24, 18, 68}, 0.004};
  rig.paints["French \"Garde\""] = {47, 79, 168};
  rig.made = "2026-01-17";
  rig.program = "0.1.0";
  return rig;
}

// A table of arbitrary digits that ReadTable accepts.
TableSpec AnyTable(cv::RNG& rng) {
  TableSpec table;
  table.frame = {rng.uniform(1, 40), rng.uniform(1, 40), rng.uniform(0.3, 12.0)};
  if (rng.uniform(0, 2) == 0) {
    table.fiducials = FiducialSpec{"DICT_4X4_50", rng.uniform(0.5, 2.0), {}};
    const int count = rng.uniform(1, 6);
    for (int i = 0; i < count; ++i) {
      table.fiducials->markers.push_back({7 * i, {4.0 * i + rng.uniform(-1.0, 1.0), -1.0 / 3}});
    }
  }
  if (rng.uniform(0, 2) == 0) {
    const double square = rng.uniform(0.2, 3.0);
    table.charuco = CharucoSpec{9, 6, square, 0.7 * square, "DICT_5X5_100"};
  }
  // West of the board, where no marker lies.
  const int trays = rng.uniform(0, 3);
  for (int i = 0; i < trays; ++i)
    table.trays.push_back({{rng.uniform(-30.0, -20.0), 11.0 * i}, {rng.uniform(2.0, 10.0), 9.9}});
  return table;
}

Colour AnyColour(cv::RNG& rng) {
  const auto part = [&] { return static_cast<std::uint8_t>(rng.uniform(0, 256)); };
  return {part(), part(), part()};
}

LearntProjectile AnyProjectile(cv::RNG& rng) {
  LearntProjectile one;
  one.samples = rng.uniform(1, 20);
  if (rng.uniform(0, 2) == 0) {
    one.length_in = rng.uniform(2.5, 3.5);
    one.length_sigma_in = rng.uniform(0.01, 0.1);
    one.cotton_length_in = rng.uniform(0.3, 0.7);
    one.cotton_thickness_in = rng.uniform(0.1, 0.3);
    one.dip_in = rng.uniform(0.1, 0.5);
    one.stick = AnyColour(rng);
    one.tip_paint = AnyColour(rng);
  } else {
    one.type = Projectile::kShell;
    one.size_in = rng.uniform(0.3, 0.6);
    one.size_sigma_in = rng.uniform(0.01, 0.1);
    one.body = AnyColour(rng);
    one.mark = AnyColour(rng);
  }
  return one;
}

RigProfile AnyRig(cv::RNG& rng) {
  RigProfile rig;
  rig.lens = test::Webcam(1280, 720);
  for (double* number : {&rig.lens.fx_px, &rig.lens.fy_px, &rig.lens.cx_px, &rig.lens.cy_px}) {
    *number *= rng.uniform(0.98, 1.02);
  }
  if (rng.uniform(0, 2) == 0) {
    rig.lens.rms_px = rng.uniform(0.0, 2.0);
    LensMat root;
    for (double& number : root.val) number = rng.gaussian(std::pow(10, rng.uniform(-6, 2)));
    rig.lens.covariance = root * root.t();
  }
  rig.table = AnyTable(rng);
  if (rng.uniform(0, 2) == 0) {
    rig.height = TapedHeight{rng.uniform(20.0, 90.0), rng.uniform(0.01, 1.0)};
  }
  if (rng.uniform(0, 2) == 0) {
    rig.pose = RigProfile::Pose{{rng.gaussian(1.0), rng.gaussian(1.0), -0.0},
                                {rng.gaussian(30.0), rng.gaussian(30.0), rng.uniform(20.0, 90.0)},
                                rng.uniform(0.0, 1.0)};
  }
  const int paints = rng.uniform(0, 3);
  for (int i = 0; i < paints; ++i) {
    rig.paints[i == 0 ? "Side \\ \"one\""
                      : "Zweite Stra\xc3\x9f"
                        "e"] = AnyColour(rng);
  }
  const int projectiles = rng.uniform(0, 3);
  for (int i = 0; i < projectiles; ++i) rig.projectiles.push_back(AnyProjectile(rng));
  rig.made = "2026-11-22";
  rig.program = "1.2.3";
  return rig;
}

void ExpectSame(const TableSpec& a, const TableSpec& b) {
  EXPECT_EQ(a.frame.columns, b.frame.columns);
  EXPECT_EQ(a.frame.rows, b.frame.rows);
  EXPECT_EQ(a.frame.square_in, b.frame.square_in);
  EXPECT_EQ(a.trays, b.trays);
  ASSERT_EQ(a.fiducials.has_value(), b.fiducials.has_value());
  if (a.fiducials) {
    EXPECT_EQ(a.fiducials->size_in, b.fiducials->size_in);
    ASSERT_EQ(a.fiducials->markers.size(), b.fiducials->markers.size());
    for (std::size_t i = 0; i < a.fiducials->markers.size(); ++i) {
      EXPECT_EQ(a.fiducials->markers[i].id, b.fiducials->markers[i].id);
      EXPECT_EQ(a.fiducials->markers[i].centre, b.fiducials->markers[i].centre);
    }
  }
  ASSERT_EQ(a.charuco.has_value(), b.charuco.has_value());
  if (a.charuco) {
    EXPECT_EQ(a.charuco->square_length_in, b.charuco->square_length_in);
    EXPECT_EQ(a.charuco->marker_length_in, b.charuco->marker_length_in);
  }
}

void ExpectSame(const RigProfile& a, const RigProfile& b) {
  EXPECT_EQ(NumbersOf(a.lens), NumbersOf(b.lens));
  EXPECT_EQ(a.lens.rms_px, b.lens.rms_px);
  ASSERT_EQ(a.lens.covariance.has_value(), b.lens.covariance.has_value());
  // Only one triangle of a covariance is written.
  for (int i = 0; a.lens.covariance && i < 9; ++i) {
    for (int j = i; j < 9; ++j) EXPECT_EQ((*a.lens.covariance)(i, j), (*b.lens.covariance)(i, j));
  }
  ExpectSame(a.table, b.table);
  ASSERT_EQ(a.height.has_value(), b.height.has_value());
  if (a.height) {
    EXPECT_EQ(a.height->inches, b.height->inches);
    EXPECT_EQ(a.height->sigma_in, b.height->sigma_in);
  }
  ASSERT_EQ(a.pose.has_value(), b.pose.has_value());
  if (a.pose) {
    EXPECT_EQ(a.pose->rvec, b.pose->rvec);
    EXPECT_EQ(a.pose->tvec, b.pose->tvec);
    EXPECT_EQ(a.pose->worst_sigma_in, b.pose->worst_sigma_in);
  }
  EXPECT_EQ(a.paints, b.paints);
  EXPECT_TRUE(a.projectiles == b.projectiles);
  EXPECT_EQ(a.made, b.made);
  EXPECT_EQ(a.program, b.program);
}

TEST_F(Rig, AnyRigIsReadAsItWasWrittenAndWrittenAsItWasRead) {
  cv::RNG rng(22);
  const fs::path path = folder_ / "rig.toml";
  for (int trial = 0; trial < 200; ++trial) {
    const RigProfile made = AnyRig(rng);
    const Status written = WriteRig(made, path);
    ASSERT_TRUE(written.ok()) << written.error().message;
    const std::string first = ReadWholeFile(path).value();
    const auto read = ReadRig(path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    ExpectSame(made, *read);
    ASSERT_TRUE(WriteRig(*read, path).ok());
    EXPECT_EQ(ReadWholeFile(path).value(), first) << "trial " << trial;
  }
}

TEST_F(Rig, AnyTableIsReadAsItWasWrittenAndWrittenAsItWasRead) {
  cv::RNG rng(23);
  for (int trial = 0; trial < 200; ++trial) {
    const TableSpec made = AnyTable(rng);
    const std::string text = TableText(made);
    ASSERT_TRUE(WriteWholeFile(folder_ / "table.toml", text).ok());
    const auto read = ReadTable(folder_ / "table.toml");
    ASSERT_TRUE(read.ok()) << read.error().message;
    ExpectSame(made, *read);
    EXPECT_EQ(TableText(*read), text);
  }
}

TEST_F(Rig, WhatCannotBeReadIsNotWritten) {
  RigProfile rig = Made();
  rig.pose->worst_sigma_in = INFINITY;
  const Status written = WriteRig(rig, folder_ / "rig.toml");
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().message.find("not written"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "rig.toml"));
}

TEST_F(Rig, KeepsWhatWasLearntOfProjectiles) {
  RigProfile made = Made();
  LearntProjectile swab;
  swab.samples = 3;
  swab.length_in = 2.913;
  swab.length_sigma_in = 0.017;
  swab.cotton_length_in = 0.52;
  swab.cotton_thickness_in = 0.23;
  swab.dip_in = 0.31;
  swab.stick = {60, 110, 190};
  swab.tip_paint = {90, 20, 21};
  LearntProjectile shell;
  shell.type = Projectile::kShell;
  shell.samples = 4;
  shell.size_in = 0.413;
  shell.size_sigma_in = 0.012;
  shell.body = {201, 162, 39};
  shell.mark = {20, 21, 22};
  made.projectiles = {swab, shell};
  ASSERT_TRUE(WriteRig(made, folder_ / "rig.toml").ok());
  const auto read = ReadRig(folder_ / "rig.toml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->projectiles.size(), 2U);
  EXPECT_EQ(read->projectiles[0].samples, 3);
  EXPECT_DOUBLE_EQ(read->projectiles[0].length_in, 2.913);
  EXPECT_DOUBLE_EQ(read->projectiles[0].length_sigma_in, 0.017);
  EXPECT_DOUBLE_EQ(read->projectiles[0].dip_in, 0.31);
  EXPECT_EQ(read->projectiles[0].stick.b, 190);
  EXPECT_EQ(read->projectiles[1].type, Projectile::kShell);
  EXPECT_DOUBLE_EQ(read->projectiles[1].size_in, 0.413);
  EXPECT_EQ(read->projectiles[1].mark.g, 21);
  // Written again it is the same text.
  ASSERT_TRUE(WriteRig(*read, folder_ / "again.toml").ok());
  const auto text = [](const fs::path& file) {
    std::ostringstream out;
    out << std::ifstream(file).rdbuf();
    return out.str();
  };
  EXPECT_EQ(text(folder_ / "rig.toml"), text(folder_ / "again.toml"));
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
