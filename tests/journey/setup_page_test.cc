// SPDX-License-Identifier: MIT
// The pictures of docs/setup.md, with what the program says of each. Drawn anew by
//   FOS_WRITE_DOCS=1 build/tests/journey_test --gtest_filter='SetupPage.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <string>
#include <vector>

#include "datasets/render/augmentation.h"
#include "datasets/render/synthetic.h"
#include "engine/files/whole_file.h"
#include "ui/session/find_table.h"
#include "vision/image/picture_hints.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

const fs::path kDocs = fs::path(FOS_SOURCE_DIR) / "docs";

SyntheticOptions Table() {
  SyntheticOptions options;
  options.seed = 4;
  options.columns = 6;
  options.rows = 4;
  options.units_a_side = 3;
  options.noise_levels = 1.5;
  return options;
}

SyntheticTable Good() { return RenderTable(Table()); }

SyntheticTable FromTheSide() {
  SyntheticOptions options = Table();
  options.tilt_deg = 52;
  return RenderTable(options);
}

// The same table in a quarter of the picture's width, the rest is floor.
SyntheticTable TooFar() {
  SyntheticTable out = Good();
  constexpr int kShrunk = 4;
  cv::Mat small;
  cv::resize(out.bgr, small, {}, 1.0 / kShrunk, 1.0 / kShrunk, cv::INTER_AREA);
  cv::Mat floor(out.bgr.size(), CV_8UC3, cv::Scalar(52, 60, 72));
  const cv::Point corner((floor.cols - small.cols) / 2, (floor.rows - small.rows) / 2);
  small.copyTo(floor(cv::Rect(corner, small.size())));
  out.bgr = floor;
  CameraModel& lens = out.camera.lens;
  for (double* focal : {&lens.fx_px, &lens.fy_px}) *focal /= kShrunk;
  lens.cx_px = (lens.cx_px + 0.5) / kShrunk - 0.5 + corner.x;
  lens.cy_px = (lens.cy_px + 0.5) / kShrunk - 0.5 + corner.y;
  return out;
}

// A lamp that the cloth reflects.
SyntheticTable Glare() {
  SyntheticTable out = Good();
  cv::Mat light(out.bgr.size(), CV_32FC3, cv::Scalar::all(0));
  cv::ellipse(light, {out.bgr.cols * 2 / 5, out.bgr.rows / 2}, {out.bgr.cols / 5, out.bgr.rows / 3},
              20, 0, 360, cv::Scalar::all(330), cv::FILLED);
  cv::GaussianBlur(light, light, {}, 0.04 * out.bgr.cols);
  cv::add(out.bgr, light, out.bgr, cv::noArray(), CV_8UC3);
  return out;
}

SyntheticTable OutOfFocus() {
  SyntheticTable out = Good();
  cv::GaussianBlur(out.bgr, out.bgr, {}, 3.5);
  return out;
}

// Against a window.
SyntheticTable Hazy() {
  SyntheticTable out = Good();
  out.bgr = Augmented(*AugmentationNamed("veiled"), out.bgr, 0);
  return out;
}

struct PagePicture {
  const char* name;
  SyntheticTable (*make)();
  // The beginning of what must be mended; empty: nothing.
  const char* wrong;
};
const PagePicture kPictures[] = {{"place-good", &Good, ""},
                                 {"place-side", &FromTheSide, "Height"},
                                 {"place-far", &TooFar, "Size"},
                                 {"place-glare", &Glare, "Light"},
                                 {"place-haze", &Hazy, "Haze"},
                                 {"place-focus", &OutOfFocus, "Focus"}};

std::vector<Hint> HintsAbout(const SyntheticTable& seen) {
  const cv::Mat board = BoardMask(seen.camera, seen.table.frame);
  return HintsOf(LookAtPicture(seen.bgr, board), LookAtView(seen.camera, seen.table, seen.bgr));
}

TEST(SetupPage, SaysOfEachPictureWhatTheProgramSays) {
  const Result<std::string> page = ReadWholeFile(kDocs / "setup.md");
  ASSERT_TRUE(page.ok());
  const bool write = std::getenv("FOS_WRITE_DOCS") != nullptr;
  for (const PagePicture& one : kPictures) {
    const SyntheticTable seen = one.make();
    const std::string wrong = one.wrong;
    bool told = wrong.empty();
    std::string all;
    for (const Hint& hint : HintsAbout(seen)) {
      all += hint.text + '\n';
      const bool about = !wrong.empty() && hint.text.rfind(wrong, 0) == 0;
      told = told || (about && hint.tone != Hint::Tone::kGood);
      // What the program advises stands on the page: the words after the measured ones.
      if (about && hint.tone != Hint::Tone::kGood) {
        const std::string advice = hint.text.substr(hint.text.rfind("; ") + 2);
        EXPECT_NE(page->find(advice), std::string::npos) << one.name << ": " << advice;
      }
      if (wrong.empty()) {
        EXPECT_EQ(hint.tone, Hint::Tone::kGood) << hint.text;
      }
    }
    EXPECT_TRUE(told) << one.name << '\n' << all;
    const std::string file = std::string("pictures/") + one.name + ".jpg";
    EXPECT_NE(page->find(file), std::string::npos) << file;
    cv::Mat small;
    cv::resize(seen.bgr, small, {480, 270}, 0, 0, cv::INTER_AREA);
    if (write) {
      ASSERT_TRUE(cv::imwrite((kDocs / file).string(), small, {cv::IMWRITE_JPEG_QUALITY, 85}));
    }
    const cv::Mat there = cv::imread((kDocs / file).string(), cv::IMREAD_COLOR);
    ASSERT_EQ(there.size(), small.size()) << file;
    // JPEG, and decoders that differ by a level.
    EXPECT_LT(cv::norm(there, small, cv::NORM_L1) / static_cast<double>(3 * small.total()), 4)
        << file << " is not what the program draws";
  }
}

// A table that is found from its picture is found in the good one, and in the others the table, if
// it is found, is where it is.
TEST(SetupPage, TheGoodPictureFindsItsTable) {
  const SyntheticTable seen = Good();
  const Result<PlacedTable> found =
      FindTable({{}, 0, seen.bgr}, seen.camera.lens, seen.table, nullptr, TableWays{});
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->table.trust, TableTrust::kTrusted) << found->table.sentence;
}

}  // namespace
}  // namespace fos
