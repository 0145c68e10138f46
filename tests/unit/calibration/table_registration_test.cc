#include "calibration/table_registration.h"

#include <gtest/gtest.h>

#include "tests/support/plane_picture.h"

namespace fos {
namespace {

using testing::Film;
using testing::MarkedTable;
using testing::Overhead;
using testing::PaintedTable;
using testing::PictureOfPlane;
using testing::Webcam;

// Largest distance on the board between where a crossing is and where the registration has it.
double WorstError(const TableCamera& truth, const TableCamera& found, const TableFrame& frame) {
  double worst = 0;
  for (int c = 0; c <= frame.columns; ++c) {
    for (int r = 0; r <= frame.rows; ++r) {
      const Vec2 at{c * frame.square_in, r * frame.square_in};
      const auto seen = TableFromImage(found, ImageFromTable(truth, at, 0), 0, 0);
      if (!seen.ok()) return INFINITY;
      worst = std::max(worst, Distance(seen->at, at));
    }
  }
  return worst;
}

struct Hanging {
  const char* name;
  int width, height;
  double above_in, turn_deg, tilt_deg, lean_deg;
  double blur_px, noise;
};
class Registration : public ::testing::TestWithParam<Hanging> {};

TEST_P(Registration, FindsTheTableByItsMarkers) {
  const Hanging& h = GetParam();
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(h.width, h.height), table.frame, h.above_in, h.turn_deg,
                                     h.tilt_deg, h.lean_deg);
  const cv::Mat grey = PictureOfPlane(truth, PaintedTable(table), {h.blur_px, h.noise, 3});
  const auto found = RegisterTable(grey, truth.lens, table);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->markers_used, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_LT(WorstError(truth, found->camera, table.frame), 0.02);
  EXPECT_TRUE(found->sentence.starts_with("good")) << found->sentence;
  EXPECT_FALSE(found->held_out.empty());
  for (const auto& r : found->held_out) EXPECT_LT(Norm(r.error_in), 0.06);
  // The stated doubt covers what was missed.
  EXPECT_LT(WorstError(truth, found->camera, table.frame), 4 * found->worst_sigma_in);
}

INSTANTIATE_TEST_SUITE_P(Cameras, Registration,
                         ::testing::Values(Hanging{"plain", 960, 720, 34, 0, 0, 0, 0.7, 1},
                                           Hanging{"upside_down", 960, 720, 34, 180, 4, 70, 0.7, 1},
                                           Hanging{"quarter_turn_tilted", 900, 900, 36, 90, 12, 200,
                                                   0.7, 1},
                                           Hanging{"askew_noisy", 960, 720, 40, 23, 6, 300, 1.0, 4},
                                           Hanging{"blurred", 960, 720, 34, 0, 3, 120, 1.8, 1}),
                         [](const auto& hanging) { return std::string(hanging.param.name); });

TEST(RegisterTable, AnyMarkersWillDo) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 15, 5, 40);
  for (const std::vector<std::size_t>& shown :
       {std::vector<std::size_t>{0, 1, 2}, {1, 3}, {0, 1}, {2}}) {
    TableSpec printed = table;
    printed.fiducials->markers.clear();
    for (const std::size_t i : shown) {
      printed.fiducials->markers.push_back(table.fiducials->markers[i]);
    }
    const cv::Mat grey = PictureOfPlane(truth, PaintedTable(printed));
    const auto found = RegisterTable(grey, truth.lens, table);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(found->markers_used.size(), shown.size());
    EXPECT_LT(WorstError(truth, found->camera, table.frame), 0.04) << shown.size() << " markers";
  }
}

TEST(RegisterTable, OneMarkerWithoutLinesIsNotTrusted) {
  TableSpec printed = MarkedTable(6, 4, 4.0);
  const TableSpec table = printed;
  printed.fiducials->markers.resize(1);
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 0, 5, 40);
  PaintedTable paint(printed);
  paint.drawn = false;
  const auto found = RegisterTable(PictureOfPlane(truth, paint), truth.lens, table);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_TRUE(found->sentence.starts_with("not to be trusted")) << found->sentence;
}

TEST(RegisterTable, ACopyAndAPushedMarkerAreLeftOut) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 0, 3, 40);
  TableSpec printed = table;
  printed.fiducials->markers[2].centre = printed.fiducials->markers[2].centre + Vec2{0.6, -0.5};
  printed.fiducials->markers.push_back({0, {12, 8}});  // a spare sheet left on the board
  const auto found = RegisterTable(PictureOfPlane(truth, PaintedTable(printed)), truth.lens, table);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->markers_used, (std::vector<int>{0, 1, 3}));
  EXPECT_LT(WorstError(truth, found->camera, table.frame), 0.03);
}

TEST(RegisterTable, RefusesWhatItCannotUse) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const CameraModel lens = Webcam(640, 480);
  const auto code = [&](const cv::Mat& picture, const TableSpec& spec) {
    const auto found = RegisterTable(picture, lens, spec);
    return found.ok() ? std::optional<ErrorCode>() : found.error().code;
  };
  EXPECT_EQ(code(cv::Mat(), table), ErrorCode::kBadFormat);
  EXPECT_EQ(code(cv::Mat(480, 640, CV_32FC1, cv::Scalar(0)), table), ErrorCode::kBadFormat);
  EXPECT_EQ(code(cv::Mat(480, 640, CV_8UC3, cv::Scalar(0)), table), ErrorCode::kNotFound);
  EXPECT_EQ(code(cv::Mat(720, 1280, CV_8UC1, cv::Scalar(0)), table), ErrorCode::kBadFormat);
  EXPECT_EQ(code(cv::Mat(480, 640, CV_8UC1, cv::Scalar(90)), table), ErrorCode::kNotFound);
  TableSpec unknown = table;
  unknown.fiducials->dictionary = "DICT_9X9_9";
  EXPECT_EQ(code(cv::Mat(480, 640, CV_8UC1, cv::Scalar(90)), unknown), ErrorCode::kBadFormat);
  cv::Mat noise(480, 640, CV_8UC1);
  cv::RNG(7).fill(noise, cv::RNG::UNIFORM, 0, 256);
  EXPECT_EQ(code(noise, table), ErrorCode::kNotFound);
}

TEST(RegisterFromGrid, FindsAllPlacementsOfTheDrawnLines) {
  for (const auto& [columns, rows, line] :
       {std::tuple{8, 6, 0.10}, std::tuple{6, 6, 0.10}, std::tuple{8, 6, 0.5}}) {
    TableSpec table;
    table.frame = {columns, rows, 4.0};
    const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, 12, 5, 250);
    PaintedTable paint(table);
    paint.line = line;  // pen on light cloth, chalk on dark
    const auto found = RegisterFromGrid(PictureOfPlane(truth, paint), truth.lens, table.frame);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(found->size(), columns == rows ? 4U : 2U);
    int right = 0;
    for (const TableRegistration& r : *found) {
      EXPECT_GT(CameraCentre(r.camera)[2], 0);
      right += WorstError(truth, r.camera, table.frame) < 0.06 ? 1 : 0;
    }
    EXPECT_EQ(right, 1);
  }
}

TEST(RegisterFromGrid, RefusesClothWithoutLinesAndBoardsOfAnotherSize) {
  TableSpec table;
  table.frame = {8, 6, 4.0};
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, 0, 5, 250);
  PaintedTable paint(table);
  paint.drawn = false;
  EXPECT_FALSE(RegisterFromGrid(PictureOfPlane(truth, paint), truth.lens, table.frame).ok());
  const cv::Mat flat(720, 960, CV_8UC1, cv::Scalar(80));
  EXPECT_FALSE(RegisterFromGrid(flat, truth.lens, table.frame).ok());
}

}  // namespace
}  // namespace fos
