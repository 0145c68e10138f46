// SPDX-License-Identifier: MIT
#include "calibration/registration/table_registration.h"

#include <gtest/gtest.h>

#include "calibration/registration/crossing.h"
#include "calibration/registration/deployment.h"
#include "calibration/targets/fiducials.h"
#include "tests/support/plane_picture.h"

namespace fos {
namespace {

using test::Film;
using test::MarkedTable;
using test::Overhead;
using test::PaintedTable;
using test::PictureOfPlane;
using test::Webcam;

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

// A lens file of another focal length (another zoom, another camera) does not explain markers and
// lines: the table says so, and corrects it.
TEST(RegisterTable, FlagsALensThatDoesNotFit) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 15, 12, 40);
  const cv::Mat grey = PictureOfPlane(truth, PaintedTable(table));
  const auto right = RegisterTable(grey, truth.lens, table);
  ASSERT_TRUE(right.ok()) << right.error().message;
  EXPECT_EQ(right->trust, TableTrust::kTrusted) << right->sentence;
  EXPECT_TRUE(right->reason.empty());
  for (const double scale : {0.93, 0.97, 1.03, 1.07}) {
    CameraModel wrong = truth.lens;
    wrong.fx_px *= scale;
    wrong.fy_px *= scale;
    const auto found = RegisterTable(grey, wrong, table);
    ASSERT_TRUE(found.ok()) << found.error().message;
    // A focal length 7 % off is contradicted. One 3 % off may be, or is moved to where the stated
    // doubt covers what is left, on the cloth and above it.
    if (std::abs(scale - 1) > 0.05) {
      EXPECT_NE(found->trust, TableTrust::kTrusted) << scale;
      EXPECT_NE(found->sentence.find("does not fit this table"), std::string::npos)
          << found->sentence;
      // What else the file says of the lens is right and is believed, so that the table tells the
      // focal length well.
      EXPECT_LT(std::abs(found->camera.lens.fx_px / truth.lens.fx_px - 1), 0.01) << scale;
      EXPECT_NEAR(found->camera.lens.distortion[0], truth.lens.distortion[0], 0.02) << scale;
    }
    EXPECT_LT(std::abs(found->camera.lens.fx_px / truth.lens.fx_px - 1), std::abs(scale - 1));
    EXPECT_LT(WorstError(truth, found->camera, table.frame), 0.03) << scale;
    for (const double height_in : {0.0, 2.0}) {
      for (const Vec2 at : table.frame.Corners()) {
        const auto seen =
            TableFromImage(found->camera, ImageFromTable(truth, at, height_in), height_in, 0);
        ASSERT_TRUE(seen.ok());
        EXPECT_LT(Distance(seen->at, at), 4 * RmsSigma(seen->cov)) << scale << ' ' << height_in;
      }
    }
  }
}

// A focal length that fits is not what is wrong with the file.
TEST(RegisterTable, NamesTheDistortionThatDoesNotFit) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 0, 0, 0);
  CameraModel other = truth.lens;
  other.distortion[0] += 0.15;
  const auto found = RegisterTable(PictureOfPlane(truth, PaintedTable(table)), other, table);
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->trust, TableTrust::kDoubtful) << found->sentence;
  EXPECT_NE(found->reason.find("the centre or the distortion is another one"), std::string::npos)
      << found->reason;
  EXPECT_EQ(found->reason.find("focal length"), std::string::npos) << found->reason;
}

// A height that was measured wrongly contradicts a right lens: the advice names both.
TEST(RegisterTable, AWrongHeightIsToBeMeasuredAgain) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 15, 12, 40);
  RegistrationOptions taped;
  taped.height = TapedHeight{24, 0.1};
  const auto found =
      RegisterTable(PictureOfPlane(truth, PaintedTable(table)), truth.lens, table, taped);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->trust, TableTrust::kDoubtful);
  EXPECT_NE(found->reason.find("or measure the camera's height again"), std::string::npos)
      << found->reason;
}

// How well the table tells the focal length depends on how the camera hangs. What is stated holds:
// with the pose free the focal length of a loose lens lies that near.
TEST(RegisterTable, StatesHowWellItTellsTheFocalLength) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  double before = INFINITY;
  for (const double tilt_deg : {4.0, 12.0, 25.0}) {
    const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 15, tilt_deg, 40);
    const cv::Mat grey = PictureOfPlane(truth, PaintedTable(table));
    const auto found = RegisterTable(grey, truth.lens, table);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_LT(found->focal_sigma, before) << tilt_deg;
    before = found->focal_sigma;
    CameraModel loose = truth.lens;
    LensMat focal = LensMat::zeros();
    focal(0, 0) = focal(0, 1) = focal(1, 0) = focal(1, 1) = std::pow(0.3 * loose.fx_px, 2);
    loose.covariance = focal;
    const auto free = RegisterTable(grey, loose, table);
    ASSERT_TRUE(free.ok()) << free.error().message;
    EXPECT_LT(std::abs(free->camera.lens.fx_px / truth.lens.fx_px - 1), 4 * found->focal_sigma)
        << tilt_deg;
  }
  EXPECT_LT(before, 0.01);
  // Without a lens file there is nothing to hold the table against.
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 15, 12, 40);
  const auto assumed =
      RegisterTable(PictureOfPlane(truth, PaintedTable(table)), AssumedLens({960, 720}), table);
  ASSERT_TRUE(assumed.ok()) << assumed.error().message;
  EXPECT_EQ(assumed->focal_sigma, INFINITY);
}

// Straight above the table a refocused lens cannot be told, but for a tape. What it misplaces above
// the cloth is within the stated doubt.
TEST(RegisterTable, DoubtsTheFocalLengthThatItCannotSee) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 0, 0, 0);
  const cv::Mat grey = PictureOfPlane(truth, PaintedTable(table));
  CameraModel file = truth.lens;
  file.fx_px *= 1.02;
  file.fy_px *= 1.02;
  LensMat tight = LensMat::zeros();  // as good views leave it
  tight(0, 0) = tight(0, 1) = tight(1, 0) = tight(1, 1) = std::pow(0.0005 * file.fx_px, 2);
  file.covariance = tight;
  struct Seen {
    double off_in = 0;
    double sigma_in = 0;
  };
  const auto at_corner = [&](const RegistrationOptions& options, double height_in) {
    const auto found = RegisterTable(grey, file, table, options);
    EXPECT_TRUE(found.ok()) << found.error().message;
    const Vec2 at{24, 16};
    const auto seen =
        TableFromImage(found->camera, ImageFromTable(truth, at, height_in), height_in, 0);
    EXPECT_TRUE(seen.ok());
    return Seen{Distance(seen->at, at), RmsSigma(seen->cov)};
  };
  RegistrationOptions taped;
  taped.height = TapedHeight{34, 0.1};
  for (const double height_in : {0.0, 0.5, 1.0, 2.0}) {
    for (const RegistrationOptions& options : {RegistrationOptions{}, taped}) {
      const Seen seen = at_corner(options, height_in);
      EXPECT_LT(seen.off_in, 4 * seen.sigma_in) << height_in;
    }
  }
  const Seen house = at_corner({}, 2);
  const Seen taped_house = at_corner(taped, 2);
  EXPECT_GT(house.off_in, 0.01);
  EXPECT_LT(taped_house.off_in, 0.5 * house.off_in);
  EXPECT_LT(taped_house.sigma_in, 0.6 * house.sigma_in);
}

// Printers and paper leave every marker a little beside its place. That is no reason to doubt the
// lens, and the stated covariance includes it.
TEST(RegisterTable, TheDoubtIncludesUnevenPrint) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(1280, 960), table.frame, 34, 15, 8, 40);
  cv::RNG rng(5);
  double squares = 0;
  double count = 0;
  constexpr int kPrints = 6;
  for (int print = 0; print < kPrints; ++print) {
    TableSpec printed = table;
    for (FiducialMarker& m : printed.fiducials->markers) {
      m.centre = m.centre + Vec2{rng.gaussian(kPrintSigma_in), rng.gaussian(kPrintSigma_in)};
    }
    PaintedTable paint(printed);
    paint.drawn = false;
    const auto found = RegisterTable(PictureOfPlane(truth, paint), truth.lens, table);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(found->trust, TableTrust::kTrusted) << found->sentence;
    for (const Vec2 at : table.frame.Corners()) {
      const auto seen = TableFromImage(found->camera, ImageFromTable(truth, at, 0), 0, 0);
      ASSERT_TRUE(seen.ok());
      const Vec2 off = seen->at - at;
      squares += Dot(off, off) / (2 * RmsSigma(seen->cov) * RmsSigma(seen->cov));
      count += 1;
    }
  }
  // Errors are one sigma, root mean square. Each print has about six free numbers: the mean of 36
  // squares is 1 +- 0.24.
  EXPECT_LT(squares / count, 1 + 3 * 0.24);
}

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

// Centres that were measured with a rule are a few hundredths of an inch off, each another way. On
// a cloth without lines nothing else tells, and the stated doubt covers what that does.
TEST(RegisterTable, DoubtsMarkersThatLieAstray) {
  TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 0, 3, 40);
  PaintedTable paint(table);
  paint.drawn = false;
  const cv::Mat grey = PictureOfPlane(truth, paint);
  const auto right = RegisterTable(grey, truth.lens, table);
  ASSERT_TRUE(right.ok()) << right.error().message;
  EXPECT_EQ(right->trust, TableTrust::kTrusted) << right->sentence;
  ASSERT_EQ(right->markers_used.size(), 4U);
  cv::RNG rng(8);
  double normalised = 0;
  constexpr int kTrials = 8;
  for (int trial = 0; trial < kTrials; ++trial) {
    TableSpec written = table;
    for (FiducialMarker& marker : written.fiducials->markers)
      marker.centre = marker.centre + Vec2{rng.gaussian(0.04), rng.gaussian(0.04)};
    const auto found = RegisterTable(grey, truth.lens, written);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_NE(found->trust, TableTrust::kTrusted) << found->sentence;
    EXPECT_NE(found->sentence.find("markers' places in table.toml"), std::string::npos)
        << found->sentence;
    normalised +=
        std::pow(WorstError(truth, found->camera, table.frame) / found->worst_sigma_in, 2);
  }
  // The worst of all places, and 0.04 in is known from two numbers: a little over two sigma.
  EXPECT_LT(std::sqrt(normalised / kTrials), 3);
  // Half an inch: no hit or miss is called.
  for (const Vec2 far : {Vec2{0.6, -0.5}, Vec2{0.8, -0.5}}) {
    TableSpec written = table;
    auto& markers = written.fiducials->markers;
    markers[0].centre = markers[0].centre + Vec2{0.5, -0.4};
    markers[2].centre = markers[2].centre + far;
    const auto found = RegisterTable(grey, truth.lens, written);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(found->trust, TableTrust::kUntrusted) << found->sentence;
    EXPECT_LT(WorstError(truth, found->camera, table.frame), 3 * found->worst_sigma_in)
        << found->sentence;
  }
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

// Cameras that show people themselves mirror their pictures. By its lines such a table would be
// found with east and west exchanged.
TEST(RegisterTable, RefusesAMirroredPicture) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 0, 0, 0);
  cv::Mat seen = PictureOfPlane(truth, PaintedTable(table), {0.7, 1.0, 3});
  cv::flip(seen, seen, 1);
  cv::cvtColor(seen, seen, cv::COLOR_GRAY2BGR);
  RegistrationOptions known;  // tells which way round the lines lie
  known.before = KnownPose{truth.rvec, truth.tvec};
  const auto found = RegisterTable(seen, truth.lens, table, Scenario{}, known);
  ASSERT_FALSE(found.ok()) << found->sentence;
  EXPECT_EQ(found.error().code, ErrorCode::kBadFormat);
  EXPECT_EQ(found.error().message,
            "the picture is mirrored; switch mirroring off in the camera's settings");
}

TEST(RegisterTable, SaysWhenNoMarkerWasReadAndTheLinesHadToDo) {
  const TableSpec table = MarkedTable(6, 4, 4.0);
  TableSpec covered = table;
  covered.fiducials.reset();
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 34, 0, 0, 0);
  cv::Mat seen = PictureOfPlane(truth, PaintedTable(covered), {0.7, 1.0, 3});
  cv::cvtColor(seen, seen, cv::COLOR_GRAY2BGR);
  RegistrationOptions known;
  known.before = KnownPose{truth.rvec, truth.tvec};
  const auto found = RegisterTable(seen, truth.lens, table, Scenario{}, known);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_NE(found->sentence.find("none of the table's 4 markers was read"), std::string::npos)
      << found->sentence;
}

// The ninths of a small board have too few crossings to say how far they lie to one side.
TEST(RegisterTable, SaysNothingOfNinthsThatAreNotMeasured) {
  TableSpec table;
  table.frame = {8, 8, 2.0};
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 23, 0, 3, 0);
  const auto found =
      RegisterFromGrid(PictureOfPlane(truth, PaintedTable(table)), truth.lens, table.frame);
  ASSERT_TRUE(found.ok()) << found.error().message;
  const std::string& says = found->front().sentence;
  EXPECT_NE(says.find("drawn crossings within"), std::string::npos) << says;
  EXPECT_EQ(says.find("worst ninth"), std::string::npos) << says;
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

// Lines do not tell north, and nobody stands on the table to tell it by.
TEST(RegisterTable, TheGridAloneLiesAsItLayWhenItWasLastFound) {
  TableSpec table;
  table.frame = {6, 6, 4.0};
  Scenario empty;
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, 12, 5, 250);
  const auto picture = [&](const TableCamera& camera) {
    cv::Mat bgr;
    cv::cvtColor(PictureOfPlane(camera, PaintedTable(table)), bgr, cv::COLOR_GRAY2BGR);
    return bgr;
  };
  const cv::Mat seen = picture(truth);
  EXPECT_FALSE(RegisterTable(seen, truth.lens, table, empty).ok());
  // Whichever of the four it was said to be, and wherever it was knocked to since.
  const auto placements = RegisterFromGrid(seen, truth.lens, table.frame);
  ASSERT_TRUE(placements.ok());
  ASSERT_EQ(placements->size(), 4U);
  for (const TableRegistration& said : *placements) {
    RegistrationOptions known;
    known.before = KnownPose{said.camera.rvec, said.camera.tvec};
    const auto found = RegisterTable(seen, truth.lens, table, empty, known);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_LT(WorstError(said.camera, found->camera, table.frame), 0.01);
  }
  RegistrationOptions known;
  known.before = KnownPose{truth.rvec, truth.tvec, true};
  const TableCamera knocked = Overhead(Webcam(960, 720), table.frame, 45, 9, 7, 262);
  const auto found = RegisterTable(picture(knocked), truth.lens, table, empty, known);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_LT(WorstError(knocked, found->camera, table.frame), 0.06);
  // Turned by half a right angle it may be any of two.
  const TableCamera turned = Overhead(Webcam(960, 720), table.frame, 46, 12 + 45, 5, 250);
  EXPECT_FALSE(RegisterTable(picture(turned), truth.lens, table, empty, known).ok());
}

// Without markers the armies tell a mirrored picture, in which east and west are exchanged.
TEST(RegisterTable, RefusesAMirroredPictureOfATableWithoutMarkers) {
  TableSpec table;
  table.frame = {8, 6, 4.0};
  Scenario scenario;
  scenario.sides = {{"Red", {200, 40, 40}, Facing::kSouth},
                    {"Blue", {40, 60, 190}, Facing::kNorth}};
  const auto deploy = [&](int side, std::initializer_list<SquareIndex> squares) {
    for (const SquareIndex square : squares) {
      UnitSpec unit;
      unit.side = side;
      unit.square = square;
      scenario.units.push_back(unit);
    }
  };
  deploy(0, {{0, 0}, {1, 0}, {2, 1}, {3, 0}, {1, 1}});
  deploy(1, {{0, 5}, {2, 5}, {3, 4}, {6, 5}, {2, 4}});
  for (const double turn_deg : {12.0, 190.0}) {
    const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, turn_deg, 5, 250);
    cv::Mat seen;
    cv::cvtColor(PictureOfPlane(truth, PaintedTable(table)), seen, cv::COLOR_GRAY2BGR);
    for (const UnitSpec& unit : scenario.units) {
      const Colour paint = scenario.sides[static_cast<std::size_t>(unit.side)].paint;
      std::vector<cv::Point> base;
      for (const Vec2 off : {Vec2{-1.3, -1.3}, {1.3, -1.3}, {1.3, 1.3}, {-1.3, 1.3}}) {
        const ImagePoint at = ImageFromTable(truth, table.frame.CentreOf(unit.square) + off, 0);
        base.emplace_back(static_cast<int>(at.x_px), static_cast<int>(at.y_px));
      }
      cv::fillPoly(seen, std::vector{base}, cv::Scalar(paint.b, paint.g, paint.r));
    }
    const auto found = RegisterTable(seen, truth.lens, table, scenario);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_LT(WorstError(truth, found->camera, table.frame), 0.06);
    for (const int axis : {0, 1}) {
      cv::Mat mirrored;
      cv::flip(seen, mirrored, axis);
      // Where the camera hung another evening does not make it a table.
      RegistrationOptions known;
      known.before = KnownPose{truth.rvec, truth.tvec};
      const auto wrong = RegisterTable(mirrored, truth.lens, table, scenario, known);
      ASSERT_FALSE(wrong.ok()) << wrong->sentence;
      EXPECT_EQ(wrong.error().code, ErrorCode::kBadFormat);
      EXPECT_EQ(wrong.error().message, kMirrored);
    }
  }
}

TEST(RegisterFromPose, FindsLinesWhereTheyWereAndNowhereElse) {
  TableSpec table;
  table.frame = {8, 6, 4.0};
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, 3, 5, 250);
  const cv::Mat seen = PictureOfPlane(truth, PaintedTable(table));
  const cv::Vec3d nudged = truth.tvec + cv::Vec3d(0.15, -0.1, 0.1);
  const auto found = RegisterFromPose(seen, truth.lens, table.frame, {truth.rvec, nudged});
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->method, TableRegistration::Method::kGrid);
  EXPECT_LT(WorstError(truth, found->camera, table.frame), 0.03);
  const cv::Vec3d elsewhere = truth.tvec + cv::Vec3d(1.6, 1.3, 0);
  EXPECT_FALSE(RegisterFromPose(seen, truth.lens, table.frame, {truth.rvec, elsewhere}).ok());
  EXPECT_FALSE(RegisterFromPose({}, truth.lens, table.frame, {truth.rvec, nudged}).ok());
}

// A board that has more or fewer squares than table.toml says fits at more than one place.
TEST(RegisterFromGrid, RefusesAGridThatMayLieElsewhere) {
  TableSpec table;
  table.frame = {8, 6, 4.0};
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, 4, 5, 250);
  const cv::Mat seen = PictureOfPlane(truth, PaintedTable(table));
  EXPECT_TRUE(RegisterFromGrid(seen, truth.lens, table.frame).ok());
  for (const TableFrame& wrong : {TableFrame{7, 6, 4.0}, TableFrame{6, 6, 4.0},
                                  TableFrame{8, 5, 4.0}, TableFrame{9, 6, 4.0}}) {
    const auto found = RegisterFromGrid(seen, truth.lens, wrong);
    ASSERT_FALSE(found.ok()) << wrong.columns << " x " << wrong.rows;
    EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
    EXPECT_NE(found.error().message.find("table.toml"), std::string::npos);
  }
  EXPECT_FALSE(RegisterFromGrid(seen, truth.lens, {4, 3, 8.0}).ok());
}

TEST(RegisterFromGrid, RefusesClothWithoutLines) {
  TableSpec table;
  table.frame = {8, 6, 4.0};
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, 0, 5, 250);
  PaintedTable paint(table);
  paint.drawn = false;
  EXPECT_FALSE(RegisterFromGrid(PictureOfPlane(truth, paint), truth.lens, table.frame).ok());
  const cv::Mat flat(720, 960, CV_8UC1, cv::Scalar(80));
  EXPECT_FALSE(RegisterFromGrid(flat, truth.lens, table.frame).ok());
}

// The advice names nothing that the table does not have.
TEST(RegisterFromGrid, AnUnevenBoardWithoutMarkersIsToldNothingOfMarkers) {
  TableSpec table;
  table.frame = {8, 6, 4.0};
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, 4, 5, 250);
  const PaintedTable paint(table);
  // A cloth with folds: no lens bends lines like this.
  bool checks_the_file = false;
  for (const double fold_in : {0.08, 0.12, 0.16, 0.2}) {
    const cv::Mat seen = PictureOfPlane(truth, [&](Vec2 p) {
      return paint(p + Vec2{fold_in * std::sin(0.4 * p.y), fold_in * std::sin(0.3 * p.x)});
    });
    const auto found = RegisterFromGrid(seen, truth.lens, table.frame);
    if (!found.ok()) continue;
    const std::string& sentence = found->front().sentence;
    EXPECT_NE(found->front().trust, TableTrust::kTrusted) << sentence;
    EXPECT_EQ(sentence.find("marker"), std::string::npos) << sentence;
    checks_the_file = checks_the_file ||
                      sentence.find("columns, rows and square in table.toml") != std::string::npos;
  }
  EXPECT_TRUE(checks_the_file);
}

// Grey pictures of the same plane, one for each of blue, green and red.
cv::Mat ColourPicture(const TableCamera& camera,
                      const std::function<cv::Vec3d(Vec2)>& light_of_bgr) {
  std::vector<cv::Mat> planes;
  for (int k = 0; k < 3; ++k) {
    planes.push_back(PictureOfPlane(camera, [&](Vec2 p) { return light_of_bgr(p)[k]; },
                                    {0.7, 1.0, static_cast<std::uint64_t>(k) + 5}));
  }
  cv::Mat out;
  cv::merge(planes, out);
  return out;
}

// Brown on green: lines as light as the cloth, of another colour.
TEST(RegisterFromGrid, LinesOfColourAloneAreFound) {
  TableSpec table;
  table.frame = {8, 6, 4.0};
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, 12, 5, 250);
  PaintedTable drawn(table);
  drawn.cloth = 0;
  drawn.line = 1;
  const cv::Vec3d green(0.06, 0.16, 0.07);
  const cv::Vec3d brown(0.05, 0.112, 0.17);  // code values of the same lightness
  const cv::Mat picture =
      ColourPicture(truth, [&](Vec2 p) { return drawn(p) > 0.5 ? brown : green; });
  cv::Mat grey;
  cv::cvtColor(picture, grey, cv::COLOR_BGR2GRAY);
  EXPECT_FALSE(RegisterFromGrid(grey, truth.lens, table.frame).ok());
  const auto found = RegisterFromGrid(picture, truth.lens, table.frame);
  ASSERT_TRUE(found.ok()) << found.error().message;
  double nearest = INFINITY;
  for (const TableRegistration& r : *found) {
    nearest = std::min(nearest, WorstError(truth, r.camera, table.frame));
  }
  EXPECT_LT(nearest, 0.06);
}

// A chequered board has edges and no lines, and here nothing is known of the lens.
TEST(RegisterFromGrid, AChequeredBoardIsFoundWithoutALens) {
  const TableFrame frame{8, 8, 2.0};
  CameraModel lens = Webcam(960, 720);
  lens.distortion = {-0.06, 0, 0, 0, 0};
  const TableCamera truth = Overhead(lens, frame, 27, 12, 6, 250);
  const cv::Mat picture = PictureOfPlane(truth, [&](Vec2 p) {
    if (!(p.x > 0 && p.y > 0 && p.x < 16 && p.y < 16)) return 0.3;
    return (static_cast<int>(p.x / 2) + static_cast<int>(p.y / 2)) % 2 == 0 ? 0.05 : 0.7;
  });
  const auto found = RegisterFromGrid(picture, AssumedLens(picture.size()), frame);
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->size(), 4U);
  double nearest = INFINITY;
  for (const TableRegistration& r : *found) {
    nearest = std::min(nearest, WorstError(truth, r.camera, frame));
  }
  EXPECT_LT(nearest, 0.06);
  EXPECT_NE(found->front().relies_on.find("no lens file"), std::string::npos);
}

TEST(RegisterFromClicks, ClicksSnapToCrossingsAndTheGridDoesTheRest) {
  TableSpec table;
  table.frame = {8, 6, 4.0};
  const TableCamera truth = Overhead(Webcam(960, 720), table.frame, 46, 12, 5, 250);
  const cv::Mat grey = PictureOfPlane(truth, PaintedTable(table));
  cv::RNG rng(11);
  std::vector<Click> clicks;
  for (const Vec2 at : {Vec2{4, 4}, Vec2{28, 4}, Vec2{28, 20}, Vec2{4, 20}}) {
    const ImagePoint p = ImageFromTable(truth, at, 0);
    clicks.push_back({{p.x_px + rng.uniform(-6.0, 6.0), p.y_px + rng.uniform(-6.0, 6.0)}, at});
    const auto snapped = SnapToCrossing(grey, clicks.back().at, 12);
    ASSERT_TRUE(snapped);
    // A line is drawn up to 0.03 in beside its place: half a pixel here.
    EXPECT_LT(std::hypot(snapped->x_px - p.x_px, snapped->y_px - p.y_px), 1.5);
  }
  const auto found = RegisterFromClicks(grey, truth.lens, table.frame, clicks);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->method, TableRegistration::Method::kManual);
  EXPECT_LT(WorstError(truth, found->camera, table.frame), 0.06);
  EXPECT_GT(found->grid_share, 0.8);

  // On bare cloth the clicks are all there is, and that is said.
  PaintedTable bare(table);
  bare.drawn = false;
  const auto rough =
      RegisterFromClicks(PictureOfPlane(truth, bare), truth.lens, table.frame, clicks);
  ASSERT_TRUE(rough.ok()) << rough.error().message;
  EXPECT_NE(rough->sentence.find("only the clicks"), std::string::npos);
  EXPECT_LT(WorstError(truth, rough->camera, table.frame), 1.5);

  const auto code = [&](std::vector<Click> wrong) {
    const auto refused = RegisterFromClicks(grey, truth.lens, table.frame, wrong);
    return refused.ok() ? std::optional<ErrorCode>() : refused.error().code;
  };
  EXPECT_EQ(code({clicks[0], clicks[1], clicks[2]}), ErrorCode::kOutOfRange);
  EXPECT_EQ(RegisterFromClicks(grey, truth.lens, table.frame, {clicks[0]}).error().message,
            "1 click does not fix the table; click four crossings, far apart");
  std::vector<Click> swapped = clicks;
  std::swap(swapped[0].crossing_in, swapped[1].crossing_in);
  EXPECT_EQ(code(swapped), ErrorCode::kDegenerate);
  std::vector<Click> row = clicks;
  for (Click& click : row) click = clicks[0];
  EXPECT_EQ(code(row), ErrorCode::kDegenerate);
}

// Two outer corners of this board are squares as white as the paper about it: nothing is drawn
// there that a click could snap to, and the others have other edges near them.
TEST(RegisterFromClicks, TheOuterCornersOfAChequeredBoardMayBeClickedRoughly) {
  const TableFrame frame{10, 7, 1.0};
  CameraModel lens = Webcam(640, 480);
  const TableCamera truth = Overhead(lens, frame, 16, 12, 6, 250);
  const cv::Mat picture = PictureOfPlane(truth, [&](Vec2 p) {
    if (!(p.x > 0 && p.y > 0 && p.x < 10 && p.y < 7)) return 0.7;
    return (static_cast<int>(p.x) + static_cast<int>(p.y)) % 2 == 0 ? 0.05 : 0.7;
  });
  cv::RNG rng(4);
  for (const double off_px : {0.0, 5.0, 7.0, 10.0}) {
    for (int round = 0; round < 4; ++round) {
      std::vector<Click> clicks;
      for (const Vec2 at : frame.Corners()) {
        const ImagePoint p = ImageFromTable(truth, at, 0);
        const double way = rng.uniform(-CV_PI, CV_PI);
        clicks.push_back({{p.x_px + off_px * std::cos(way), p.y_px + off_px * std::sin(way)}, at});
      }
      const auto found = RegisterFromClicks(picture, AssumedLens(picture.size()), frame, clicks);
      ASSERT_TRUE(found.ok()) << off_px << " px: " << found.error().message;
      EXPECT_GT(found->grid_share, 0.7) << off_px << " px";
      EXPECT_LT(WorstError(truth, found->camera, frame), 0.1) << off_px << " px";
      std::swap(clicks[0].crossing_in, clicks[1].crossing_in);
      EXPECT_FALSE(RegisterFromClicks(picture, AssumedLens(picture.size()), frame, clicks).ok());
    }
  }
}

TEST(SnapToCrossing, HostilePicturesSnapToNothing) {
  EXPECT_FALSE(SnapToCrossing(cv::Mat(), {1, 1}, 10));
  const cv::Mat flat(100, 100, CV_8UC1, cv::Scalar(90));
  EXPECT_FALSE(SnapToCrossing(flat, {50, 50}, 10));
  EXPECT_FALSE(SnapToCrossing(flat, {-500, 50}, 10));
  EXPECT_FALSE(SnapToCrossing(flat, {NAN, 50}, 10));
  EXPECT_FALSE(SnapToCrossing(flat, {50, 50}, NAN));
}

}  // namespace
}  // namespace fos
