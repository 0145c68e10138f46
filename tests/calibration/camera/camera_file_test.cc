// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "calibration/camera/camera_model.h"
#include "engine/files/whole_file.h"

namespace fos {
namespace {

// A file of this test's own, gone when the test ends.
class CameraFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("fos_camera_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "camera.yaml";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result<CameraModel> Read(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return ReadCamera(path_);
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

std::string Yaml(const std::string& size = "image_width: 1920\nimage_height: 1080\n",
                 const std::string& matrix = "1800., 0., 960., 0., 1800., 540., 0., 0., 1.",
                 const std::string& distortion = "-0.1, 0.02, 0., 0., 0.") {
  return "%YAML:1.0\n---\n" + size +
         "camera_matrix: !!opencv-matrix\n   rows: 3\n   cols: 3\n   dt: d\n   data: [ " + matrix +
         " ]\ndistortion_coefficients: !!opencv-matrix\n   rows: 1\n   cols: 5\n   dt: d\n"
         "   data: [ " +
         distortion + " ]\n";
}

TEST_F(CameraFile, ReadsWhatOpenCvWrites) {
  const auto camera = Read(Yaml());
  ASSERT_TRUE(camera.ok()) << camera.error().message;
  EXPECT_EQ(camera->width_px, 1920);
  EXPECT_EQ(camera->height_px, 1080);
  EXPECT_EQ(camera->fx_px, 1800);
  EXPECT_EQ(camera->cy_px, 540);
  EXPECT_EQ(camera->distortion, (std::array<double, 5>{-0.1, 0.02, 0, 0, 0}));
  EXPECT_FALSE(camera->covariance);
}

TEST_F(CameraFile, RoundTripKeepsEveryBit) {
  for (const auto lens : {CameraModel::Lens::kBrownConrady, CameraModel::Lens::kFisheye}) {
    CameraModel camera;
    camera.width_px = 1280;
    camera.height_px = 720;
    camera.fx_px = 1234.5678901234567;
    camera.fy_px = 1234.1 / 3;
    camera.cx_px = 640.1;
    camera.cy_px = 359.9;
    camera.lens = lens;
    camera.distortion = {-0.05, 0.01 / 3, 1e-4, -2e-4, 0};
    camera.rms_px = 0.1 / 3;
    cv::Matx<double, 9, 9> covariance = cv::Matx<double, 9, 9>::eye() * (1.0 / 3);
    covariance(0, 1) = covariance(1, 0) = 0.1;
    camera.covariance = covariance;
    ASSERT_TRUE(WriteCamera(camera, path_).ok());
    const auto back = ReadCamera(path_);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->width_px, camera.width_px);
    EXPECT_EQ(back->height_px, camera.height_px);
    EXPECT_EQ(back->fx_px, camera.fx_px);
    EXPECT_EQ(back->fy_px, camera.fy_px);
    EXPECT_EQ(back->cx_px, camera.cx_px);
    EXPECT_EQ(back->cy_px, camera.cy_px);
    EXPECT_EQ(back->lens, camera.lens);
    EXPECT_EQ(back->distortion, camera.distortion);
    EXPECT_EQ(back->rms_px, camera.rms_px);
    ASSERT_TRUE(back->covariance);
    EXPECT_EQ(*back->covariance, covariance);
  }
}

// A lens that ReadCamera accepts, all of its numbers of arbitrary digits.
CameraModel AnyLens(cv::RNG& rng) {
  CameraModel camera;
  camera.width_px = rng.uniform(320, 4000);
  camera.height_px = rng.uniform(240, 3000);
  const double side = std::max(camera.width_px, camera.height_px);
  camera.fx_px = side * rng.uniform(0.6, 3.0);
  camera.fy_px = camera.fx_px * rng.uniform(0.99, 1.01);
  camera.cx_px = camera.width_px * rng.uniform(0.4, 0.6);
  camera.cy_px = camera.height_px * rng.uniform(0.4, 0.6);
  if (rng.uniform(0, 4) == 0) camera.lens = CameraModel::Lens::kFisheye;
  for (std::size_t i = 0; i < 4; ++i) {
    camera.distortion[i] = rng.uniform(0, 4) == 0 ? 0.0 : rng.gaussian(0.002);
  }
  if (rng.uniform(0, 3) > 0) camera.rms_px = rng.uniform(0.0, 2.0);
  if (rng.uniform(0, 3) > 0) {
    LensMat root;
    for (double& number : root.val) number = rng.gaussian(std::pow(10, rng.uniform(-6, 2)));
    camera.covariance = root * root.t();
  }
  return camera;
}

std::string Bytes(const std::filesystem::path& path) { return ReadWholeFile(path).value(); }

TEST_F(CameraFile, AnyLensIsReadAsItWasWrittenAndWrittenAsItWasRead) {
  cv::RNG rng(20);
  for (int trial = 0; trial < 200; ++trial) {
    const CameraModel camera = AnyLens(rng);
    const Status written = WriteCamera(camera, path_);
    ASSERT_TRUE(written.ok()) << written.error().message;
    const std::string first = Bytes(path_);
    const auto read = ReadCamera(path_);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(NumbersOf(*read), NumbersOf(camera));
    EXPECT_EQ(read->lens, camera.lens);
    EXPECT_EQ(read->rms_px, camera.rms_px);
    ASSERT_EQ(read->covariance.has_value(), camera.covariance.has_value());
    if (camera.covariance) {
      EXPECT_EQ(*read->covariance, *camera.covariance);
    }
    ASSERT_TRUE(WriteCamera(*read, path_).ok());
    EXPECT_EQ(Bytes(path_), first) << "trial " << trial;
  }
}

TEST_F(CameraFile, WhatCannotBeReadIsNotWritten) {
  cv::RNG rng(21);
  CameraModel camera = AnyLens(rng);
  camera.covariance = LensMat::eye();
  (*camera.covariance)(0, 1) = 3;
  const Status written = WriteCamera(camera, path_);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kOutOfRange);
  EXPECT_NE(written.error().message.find("covariance"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(CameraFile, WritingLeavesNothingBehindWhenItFails) {
  CameraModel camera;
  camera.width_px = camera.height_px = 100;
  camera.fx_px = camera.fy_px = 100;
  const auto nowhere = folder_ / "missing" / "camera.yaml";
  const Status status = WriteCamera(camera, nowhere);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_FALSE(std::filesystem::exists(nowhere.parent_path()));
}

struct Hostile {
  const char* name;
  std::string text;
  ErrorCode code;
  const char* says;
};
class HostileCamera : public CameraFile, public ::testing::WithParamInterface<Hostile> {};

TEST_P(HostileCamera, IsRefusedInOneLineThatNamesFileAndKey) {
  const auto camera = Read(GetParam().text);
  ASSERT_FALSE(camera.ok());
  EXPECT_EQ(camera.error().code, GetParam().code) << camera.error().message;
  EXPECT_NE(camera.error().message.find("camera.yaml"), std::string::npos);
  EXPECT_NE(camera.error().message.find(GetParam().says), std::string::npos)
      << camera.error().message;
  EXPECT_EQ(camera.error().message.find('\n'), std::string::npos) << camera.error().message;
}

const std::string kSize = "image_width: 1920\nimage_height: 1080\n";
const std::string kMatrix = "1800., 0., 960., 0., 1800., 540., 0., 0., 1.";
INSTANTIATE_TEST_SUITE_P(
    All, HostileCamera,
    ::testing::Values(
        Hostile{"empty", "", ErrorCode::kBadFormat, "%YAML"},
        Hostile{"text", "hello\n", ErrorCode::kBadFormat, "%YAML"},
        Hostile{"zeros", std::string(100, '\0'), ErrorCode::kBadFormat, "%YAML"},
        Hostile{"broken", "%YAML:1.0\n---\n[[[{\x01", ErrorCode::kBadFormat, "YAML"},
        Hostile{"half", Yaml().substr(0, Yaml().size() / 2), ErrorCode::kBadFormat, ""},
        Hostile{"no_width", Yaml("image_height: 1080\n"), ErrorCode::kBadFormat, "image_width"},
        Hostile{"width_text", Yaml("image_width: wide\nimage_height: 1080\n"),
                ErrorCode::kBadFormat, "image_width"},
        Hostile{"width_negative", Yaml("image_width: -1920\nimage_height: 1080\n"),
                ErrorCode::kOutOfRange, "image_width"},
        Hostile{"width_huge", Yaml("image_width: 2000000000\nimage_height: 1080\n"),
                ErrorCode::kOutOfRange, "image_width"},
        Hostile{"matrix_missing", "%YAML:1.0\n---\n" + kSize, ErrorCode::kBadFormat,
                "camera_matrix"},
        Hostile{"matrix_scalar", "%YAML:1.0\n---\n" + kSize + "camera_matrix: 3\n",
                ErrorCode::kBadFormat, "camera_matrix"},
        Hostile{"matrix_huge",
                "%YAML:1.0\n---\n" + kSize +
                    "camera_matrix: !!opencv-matrix\n   rows: 2000000000\n   cols: 2000000000\n"
                    "   dt: d\n   data: [ 1. ]\n",
                ErrorCode::kBadFormat, "camera_matrix"},
        Hostile{"matrix_short", Yaml(kSize, "1800., 0., 960."), ErrorCode::kBadFormat,
                "camera_matrix"},
        Hostile{"matrix_text", Yaml(kSize, "a, b, c, 0., 1800., 540., 0., 0., 1."),
                ErrorCode::kBadFormat, "camera_matrix"},
        Hostile{"matrix_nan", Yaml(kSize, ".Nan, 0., 960., 0., 1800., 540., 0., 0., 1."),
                ErrorCode::kOutOfRange, "camera_matrix"},
        Hostile{"focal_zero", Yaml(kSize, "0., 0., 960., 0., 1800., 540., 0., 0., 1."),
                ErrorCode::kOutOfRange, "fx"},
        Hostile{"focal_negative", Yaml(kSize, "1800., 0., 960., 0., -1800., 540., 0., 0., 1."),
                ErrorCode::kOutOfRange, "fy"},
        Hostile{"centre_out", Yaml(kSize, "1800., 0., 9600., 0., 1800., 540., 0., 0., 1."),
                ErrorCode::kOutOfRange, "centre"},
        Hostile{"skew", Yaml(kSize, "1800., 5., 960., 0., 1800., 540., 0., 0., 1."),
                ErrorCode::kBadFormat, "fx 0 cx"},
        Hostile{"distortion_nan", Yaml(kSize, kMatrix, "-0.1, .Nan, 0., 0., 0."),
                ErrorCode::kOutOfRange, "distortion_coefficients"},
        Hostile{"distortion_inf", Yaml(kSize, kMatrix, "-0.1, .Inf, 0., 0., 0."),
                ErrorCode::kOutOfRange, "distortion_coefficients"},
        Hostile{"distortion_absurd", Yaml(kSize, kMatrix, "-50., 0., 0., 0., 0."),
                ErrorCode::kOutOfRange, "folds"},
        Hostile{"lens_unknown", Yaml() + "lens: \"periscope\"\n", ErrorCode::kBadFormat, "lens"},
        Hostile{"rms_negative", Yaml() + "rms_px: -1.\n", ErrorCode::kOutOfRange, "rms_px"},
        Hostile{"covariance_small", Yaml() + "covariance: [ 1., 2. ]\n", ErrorCode::kBadFormat,
                "covariance"}),
    [](const auto& hostile) { return std::string(hostile.param.name); });

TEST_F(CameraFile, EveryTruncationIsReadOrRefused) {
  const std::string whole = Yaml();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto camera = Read(whole.substr(0, length));
    if (!camera.ok()) {
      EXPECT_EQ(camera.error().message.find('\n'), std::string::npos);
    }
  }
}

// OpenCV's parsers recurse once a level, and used to end the program.
TEST_F(CameraFile, DeepNestingIsRefused) {
  const auto times = [](const char* piece, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += piece;
    return out;
  };
  std::string indented;
  for (int i = 0; i < 900; ++i) indented += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  for (const std::string& deep :
       {Yaml() + "x: " + times("[", 100'000) + times("]", 100'000) + "\n",
        Yaml() + "x: " + times("{ a: ", 50'000) + "\n",
        Yaml() + "x:\n   " + times("- ", 50'000) + "1\n", Yaml() + indented,
        "<?xml version=\"1.0\"?>\n<opencv_storage>" + times("<a>", 100'000),
        times("{\"a\":", 50'000), "{\"a\": " + times("[", 50'000)}) {
    const auto camera = Read(deep);
    ASSERT_FALSE(camera.ok());
    EXPECT_NE(camera.error().message.find("nested deeper than any camera file"), std::string::npos)
        << camera.error().message;
  }
  EXPECT_TRUE(Read(Yaml()).ok());
}

// OpenCV's parser takes the text between a line's indent and its colon for one of length -1.
TEST_F(CameraFile, AnEmptyKeyIsRefused) {
  const auto camera = Read(Yaml() + "x:\n   : 5\n");
  ASSERT_FALSE(camera.ok());
  EXPECT_NE(camera.error().message.find("not readable as YAML"), std::string::npos)
      << camera.error().message;
}

TEST_F(CameraFile, MissingFileAndFolderAreNamed) {
  const auto missing = ReadCamera(folder_ / "none.yaml");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message.find("none.yaml"), std::string::npos);
  EXPECT_FALSE(ReadCamera(folder_).ok());
}

}  // namespace
}  // namespace fos
