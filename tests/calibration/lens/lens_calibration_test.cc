// SPDX-License-Identifier: MIT
#include "calibration/lens/lens_calibration.h"

#include <gtest/gtest.h>
#include <opencv2/calib3d.hpp>

#include "calibration/lens/lens_fit.h"
#include "tests/support/charuco_picture.h"
#include "tests/support/plane_picture.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

using test::CharucoViews;
using test::Film;
using test::Held;
using test::Overhead;
using test::PictureOfPlane;
using test::Views;
using test::Webcam;

const CharucoSpec& kBoard = test::kCharuco;
const std::vector<Held> kAllSides = {{8, 0, 30, 0},     {8, 10, 35, 90},  {8.5, -15, 30, 180},
                                     {8.5, 5, 35, 270}, {10, 30, 25, 45}, {11, 170, 30, 225},
                                     {9, 0, 5, 0}};

// Rms and largest distance over the picture between where both lenses see the same rays, once the
// best turn has been taken up as a pose would.
std::pair<double, double> Differ(const CameraModel& truth, const CameraModel& found) {
  cv::Matx33d sum = cv::Matx33d::zeros();
  std::vector<cv::Vec3d> rays;
  std::vector<ImagePoint> pixels;
  for (int j = 0; j <= 12; ++j) {
    for (int i = 0; i <= 16; ++i) {
      const ImagePoint at{(truth.width_px - 1) * i / 16.0, (truth.height_px - 1) * j / 12.0};
      const auto a = Undistort(truth, at);
      const auto b = Undistort(found, at);
      if (!a || !b) return {INFINITY, INFINITY};
      rays.push_back(cv::normalize(cv::Vec3d((*a)[0], (*a)[1], 1)));
      pixels.push_back(at);
      sum += cv::normalize(cv::Vec3d((*b)[0], (*b)[1], 1)) * rays.back().t();
    }
  }
  cv::Matx33d u, vt;
  cv::Vec3d w;
  cv::SVD::compute(sum, w, u, vt);
  double squares = 0;
  double worst = 0;
  for (std::size_t k = 0; k < rays.size(); ++k) {
    const cv::Vec3d ray = u * vt * rays[k];
    const ImagePoint there = Distort(found, ray[0] / ray[2], ray[1] / ray[2]);
    const double d = std::hypot(there.x_px - pixels[k].x_px, there.y_px - pixels[k].y_px);
    squares += d * d;
    worst = std::max(worst, d);
  }
  return {std::sqrt(squares / static_cast<double>(rays.size())), worst};
}

TEST(CalibrateLens, FindsTheLensAndThrowsOutABlurredView) {
  const CameraModel truth = Webcam(640, 480);
  std::vector<LensView> views = CharucoViews(truth, kAllSides);
  cv::GaussianBlur(views[4].grey, views[4].grey, {}, 5.0);
  const auto lens = CalibrateLens(views, kBoard);
  ASSERT_TRUE(lens.ok()) << lens.error().message;
  const auto [rms, worst] = Differ(truth, lens->camera);
  EXPECT_LT(rms, 0.25);  // six small views; sixteen large ones come to a tenth of it
  EXPECT_LT(worst, 0.8);
  EXPECT_LT(lens->held_out_rms_px, 0.2);
  EXPECT_EQ(lens->used.size(), kAllSides.size() - 1);
  ASSERT_EQ(lens->left_out.size(), 1U);
  EXPECT_TRUE(lens->left_out[0].starts_with("4.png")) << lens->left_out[0];
  ASSERT_TRUE(lens->camera.covariance);
  const double sigma = std::sqrt((*lens->camera.covariance)(0, 0));
  EXPECT_LT(std::abs(lens->camera.fx_px - truth.fx_px), 5 * sigma + 0.2);
}

// As a webcam does whose driver is asked for 4:3 and has 16:9: it was told to add views.
TEST(CalibrateLens, SaysThatThePicturesAreStretched) {
  std::vector<LensView> views = CharucoViews(Webcam(640, 480), kAllSides);
  for (LensView& view : views) cv::resize(view.grey, view.grey, {480, 480}, 0, 0, cv::INTER_AREA);
  const auto lens = CalibrateLens(views, kBoard);
  ASSERT_TRUE(lens.ok()) << lens.error().message;
  EXPECT_NEAR(lens->camera.fx_px / lens->camera.fy_px, 0.75, 0.01);
  EXPECT_NE(lens->advice.find("1.33 times as high as it is"), std::string::npos) << lens->advice;
}

TEST(CalibrateLens, SaddlesAreNotHalfAPixelOff) {
  const CameraModel truth = Webcam(640, 480);
  const TableFrame frame{9, 6, 1.0};
  const Held& h = kAllSides[4];
  const auto views = CharucoViews(truth, {h});
  const auto board = FindCharuco("view", views[0].grey, kBoard);
  ASSERT_TRUE(board.ok()) << board.error().message;
  EXPECT_GE(board->seen.size(), 30U);
  const TableCamera camera =
      Overhead(truth, frame, h.distance_in, h.turn_deg, h.tilt_deg, h.lean_deg);
  double x = 0, y = 0;
  for (const ImagePoint& p : board->seen) {
    // The nearest true corner.
    double best = 1e9;
    ImagePoint at;
    for (int i = 1; i < 9; ++i) {
      for (int j = 1; j < 6; ++j) {
        const ImagePoint q =
            ImageFromTable(camera, {static_cast<double>(i), static_cast<double>(j)}, 0);
        const double d = std::hypot(p.x_px - q.x_px, p.y_px - q.y_px);
        if (d < best) {
          best = d;
          at = q;
        }
      }
    }
    EXPECT_LT(best, 0.3);
    x += p.x_px - at.x_px;
    y += p.y_px - at.y_px;
  }
  const auto count = static_cast<double>(board->seen.size());
  EXPECT_LT(std::abs(x / count), 0.03);
  EXPECT_LT(std::abs(y / count), 0.03);
}

TEST(CalibrateLens, APlainChessboardWillDo) {
  const CameraModel truth = Webcam(640, 480);
  // Whole in the picture, in all of its corners: held aside rather than near.
  std::vector<LensView> views;
  int seed = 0;
  for (const auto& [tilt, lean, x, y] : {std::tuple{25.0, 0.0, -2.2, -1.6},
                                         {28.0, 90.0, 2.2, -1.6},
                                         {25.0, 180.0, -2.2, 1.6},
                                         {28.0, 270.0, 2.2, 1.6},
                                         {5.0, 0.0, 0.0, 0.0},
                                         {35.0, 45.0, 0.0, 0.0}}) {
    TableCamera camera = Overhead(truth, {10, 7, 1.0}, 15, 0, tilt, lean);
    camera = MakeTableCamera(truth, camera.rvec, camera.tvec + cv::Vec3d(x, y, 0));
    const auto light = [](Vec2 p) {
      if (p.x < 0 || p.y < 0 || p.x >= 10 || p.y >= 7) return 0.75;
      return (static_cast<int>(p.x) + static_cast<int>(p.y)) % 2 == 0 ? 0.03 : 0.75;
    };
    views.push_back(
        {std::to_string(seed),
         PictureOfPlane(camera, light, {0.7, 1.0, static_cast<std::uint64_t>(++seed)})});
  }
  const auto lens = CalibrateLens(views, ChessboardSpec{9, 6, 1.0});
  ASSERT_TRUE(lens.ok()) << lens.error().message;
  EXPECT_LT(Differ(truth, lens->camera).first, 0.5);
}

TEST(CalibrateLens, DegenerateSetsAreRefusedWithTheReason) {
  const CameraModel truth = Webcam(640, 480);
  const auto refusal = [&](const std::vector<LensView>& views) {
    const auto lens = CalibrateLens(views, kBoard);
    return lens.ok() ? std::string("accepted") : lens.error().message;
  };
  EXPECT_NE(
      refusal(CharucoViews(truth, {{8, 0, 0, 0}, {8, 90, 0, 0}, {9, 180, 2, 0}, {8, 5, 1, 9}}))
          .find("parallel"),
      std::string::npos);
  std::vector<LensView> views = CharucoViews(truth, {kAllSides[0], kAllSides[1], kAllSides[2]});
  EXPECT_NE(refusal(views).find("at least 4"), std::string::npos);
  views.push_back({"small.png", cv::Mat(240, 320, CV_8UC1, cv::Scalar(90))});
  EXPECT_NE(refusal(views).find("small.png is 320 x 240"), std::string::npos);
  EXPECT_NE(refusal({}).find("no view"), std::string::npos);
  const cv::Mat blank(480, 640, CV_8UC1, cv::Scalar(90));
  EXPECT_NE(refusal({{"a", blank}, {"b", blank}}).find("no view shows the board"),
            std::string::npos);
  EXPECT_NE(refusal({{"a", cv::Mat()}}).find("a"), std::string::npos);
  CharucoSpec other = kBoard;
  std::swap(other.squares_x, other.squares_y);
  const auto wrong = CalibrateLens(CharucoViews(truth, {kAllSides[0], kAllSides[1]}), other);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("another board"), std::string::npos)
      << wrong.error().message;
  std::vector<LensView> smeared = CharucoViews(truth, kAllSides);
  for (LensView& view : smeared) cv::GaussianBlur(view.grey, view.grey, {}, 7.0);
  EXPECT_NE(refusal(smeared).find("blurred"), std::string::npos) << refusal(smeared);
  CharucoSpec unknown = kBoard;
  unknown.dictionary = "DICT_NONE";
  const auto lens = CalibrateLens({{"a", blank}}, unknown);
  ASSERT_FALSE(lens.ok());
  EXPECT_EQ(lens.error().code, ErrorCode::kBadFormat);
}

TEST(CalibrateLens, SaysWhenTheCameraMirrorsItsPictures) {
  std::vector<LensView> views = CharucoViews(Webcam(640, 480), kAllSides);
  for (LensView& view : views) cv::flip(view.grey, view.grey, 1);
  const auto lens = CalibrateLens(views, kBoard);
  ASSERT_FALSE(lens.ok());
  EXPECT_NE(lens.error().message.find("the picture is mirrored; switch mirroring off"),
            std::string::npos)
      << lens.error().message;
}

TEST(FindMarkerGrid, NamesAnotherBoardAndAMirroredOne) {
  const TableSpec table = test::MarkedTable(6, 4, 4.0);
  const TableCamera camera = Overhead(Webcam(960, 720), table.frame, 34, 0, 0, 0);
  cv::Mat grey = PictureOfPlane(camera, test::PaintedTable(table), {0.7, 1.0, 3});
  MarkerGridSpec row;  // the table's four markers lie at its corners, not in a row
  row.markers_x = 4;
  row.markers_y = 1;
  row.marker_length_in = table.fiducials->size_in;
  row.dictionary = table.fiducials->dictionary;
  const auto other = FindMarkerGrid("view", grey, row);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().message,
            "view: the markers do not lie as 4 x 1 with such gaps do: another board");
  cv::flip(grey, grey, 1);
  const auto mirrored = FindMarkerGrid("view", grey, row);
  ASSERT_FALSE(mirrored.ok());
  EXPECT_NE(mirrored.error().message.find("mirrored"), std::string::npos)
      << mirrored.error().message;
}

// Folders of photographs hold copies, and pictures of another camera.
TEST(CalibrateLens, LeavesOutCopiesAndViewsOfAnotherSize) {
  const std::vector<LensView> views = CharucoViews(Webcam(640, 480), kAllSides);
  const auto alone = CalibrateLens(views, kBoard);
  ASSERT_TRUE(alone.ok()) << alone.error().message;
  std::vector<LensView> more = {{"first.png", cv::Mat(240, 320, CV_8UC1, cv::Scalar(90))}};
  more.insert(more.end(), views.begin(), views.end());
  more.push_back({"copy.png", views[1].grey});
  const auto lens = CalibrateLens(more, kBoard);
  ASSERT_TRUE(lens.ok()) << lens.error().message;
  EXPECT_EQ(lens->camera.fx_px, alone->camera.fx_px);
  EXPECT_EQ(lens->held_out_rms_px, alone->held_out_rms_px);
  EXPECT_EQ(lens->left_out,
            (std::vector<std::string>{"first.png is 320 x 240, most views are 640 x 480",
                                      "copy.png: the same picture as " + views[1].name}));
}

// The inner corners of the board held in `held`, each moved by `noise`.
std::vector<BoardView> MadeUpViews(const CameraModel& truth, const std::vector<Held>& held,
                                   const std::function<ImagePoint()>& noise) {
  std::vector<BoardView> views;
  for (const Held& h : held) {
    const TableCamera camera =
        Overhead(truth, {9, 6, 1.0}, h.distance_in, h.turn_deg, h.tilt_deg, h.lean_deg);
    BoardView view;
    view.name = std::to_string(views.size());
    view.square_px = 60;
    for (int i = 1; i < 9; ++i) {
      for (int j = 1; j < 6; ++j) {
        const Vec2 at{static_cast<double>(i), static_cast<double>(j)};
        const ImagePoint p = ImageFromTable(camera, at, 0);
        const ImagePoint off = noise();
        view.board_in.push_back(at);
        view.seen.push_back({p.x_px + off.x_px, p.y_px + off.y_px});
      }
    }
    views.push_back(view);
  }
  return views;
}

// A camera over a table: the board is seen in the middle of the picture only. What is stated for
// the corners must cover what the lens does there.
TEST(CalibrateLens, AcceptsABoardThatNeverReachesACornerAndDoubtsTheCorners) {
  cv::RNG rng(5);
  const std::vector<Held> middle = {{18, 0, 30, 0},   {18, 9, 30, 90}, {18, 0, 30, 180},
                                    {19, 0, 30, 270}, {20, 0, 5, 0},   {22, 40, 35, 45}};
  double normalised = 0;
  constexpr int kTrials = 10;
  for (int trial = 0; trial < kTrials; ++trial) {
    CameraModel truth = Webcam(1280, 720);
    truth.distortion = {rng.uniform(-0.3, 0.0), rng.uniform(0.0, 0.1), rng.gaussian(0.0007),
                        rng.gaussian(0.0007), 0};
    const auto lens =
        CalibrateLens(MadeUpViews(truth, middle,
                                  [&] {
                                    return ImagePoint{rng.gaussian(0.1), rng.gaussian(0.1)};
                                  }),
                      {1280, 720});
    ASSERT_TRUE(lens.ok()) << lens.error().message;
    const double worst_px = Differ(truth, lens->camera).second;
    const double doubt_px = TableErrorOfLens(lens->camera);
    normalised += worst_px * worst_px / (doubt_px * doubt_px) / kTrials;
    EXPECT_NE(lens->quality, LensQuality::kGood);
    EXPECT_NE(lens->advice.find("bottom left"), std::string::npos) << lens->advice;
  }
  EXPECT_LT(normalised, 4);  // two sigma: the worst of many places, and the bend was made up freely
}

// However large the doubt in corners that were never seen, where the board was there is none.
TEST(CalibrateLens, DoubtsNoPartOfThePictureInWhichTheBoardWasSeen) {
  cv::RNG rng(7);
  const std::vector<Held> near = {{12, 0, 30, 0},   {12, 9, 30, 90}, {12, 0, 30, 180},
                                  {13, 0, 30, 270}, {14, 0, 5, 0},   {13, 40, 35, 45}};
  for (int trial = 0; trial < 5; ++trial) {
    CameraModel truth = Webcam(1280, 720);
    truth.distortion = {rng.uniform(-0.3, -0.2), rng.uniform(0.0, 0.1), 0, 0, 0};
    const auto lens =
        CalibrateLens(MadeUpViews(truth, near,
                                  [&] {
                                    return ImagePoint{rng.gaussian(0.1), rng.gaussian(0.1)};
                                  }),
                      {1280, 720});
    ASSERT_TRUE(lens.ok()) << lens.error().message;
    EXPECT_GT(lens->regions[0].doubt_px, 1) << trial;
    EXPECT_LT(lens->regions[4].doubt_px, 0.15) << trial;
    EXPECT_EQ(lens->advice.find("middle"), std::string::npos) << lens->advice;
  }
}

// Half of the views have corners four times as far off as the others: they count like all others.
TEST(CalibrateLens, StatesTheErrorOfAllLeftOutViews) {
  cv::RNG rng(6);
  std::vector<Held> held = kAllSides;
  for (Held& h : held) h.distance_in *= 1.3;
  int corner = 0;
  double squares = 0;
  const auto views = MadeUpViews(Webcam(1280, 720), held, [&] {
    const double sigma_px = corner++ / 40 % 2 == 0 ? 0.1 : 0.4;
    const ImagePoint off{rng.gaussian(sigma_px), rng.gaussian(sigma_px)};
    squares += off.x_px * off.x_px + off.y_px * off.y_px;
    return off;
  });
  const auto lens = CalibrateLens(views, {1280, 720});
  ASSERT_TRUE(lens.ok()) << lens.error().message;
  EXPECT_TRUE(lens->left_out.empty());
  // A pose takes up six numbers of eighty; the lens of the other views adds a little.
  EXPECT_NEAR(lens->held_out_rms_px / std::sqrt(squares / corner), 1.0, 0.1);
}

// No table under such a lens could be trusted: it is refused, and what to do is said.
TEST(CalibrateLens, RefusesALensThatMissesLeftOutCorners) {
  for (const double sigma_px : {1.0, 2.2}) {
    cv::RNG rng(8);
    std::vector<Held> held = kAllSides;
    held.insert(held.end(), kAllSides.begin(), kAllSides.end());
    for (Held& h : held) h.distance_in *= 1.3;
    const auto views = MadeUpViews(Webcam(1280, 720), held, [&] {
      return ImagePoint{rng.gaussian(sigma_px), rng.gaussian(sigma_px)};
    });
    const auto lens = CalibrateLens(views, {1280, 720});
    // 0.08 in on a table of 48 in that fills 1280 px are 2.1 px.
    const bool bad = sigma_px * std::sqrt(2) > 2.1;
    EXPECT_EQ(lens.ok(), !bad) << sigma_px;
    if (!lens.ok()) {
      EXPECT_NE(lens.error().message.find("flat and stiff"), std::string::npos)
          << lens.error().message;
    }
  }
}

// Corners whose errors have heavier tails than a normal distribution give a chi-square per degree
// of freedom above 1, by which the covariance is scaled.
TEST(FitLens, WritesAFileThatIsReadAgainWhateverTheMisfit) {
  const test::TempDir dir;
  cv::RNG rng(11);
  using Lens = CameraModel::Lens;
  for (int trial = 0; trial < 40; ++trial) {
    const double sigma_px = rng.uniform(0.02, 0.3);
    const double strays = rng.uniform(0.0, 0.4);
    const auto noise = [&] {
      const double wide = rng.uniform(0.0, 1.0) < strays ? 6 : 1;
      return ImagePoint{rng.gaussian(wide * sigma_px), rng.gaussian(wide * sigma_px)};
    };
    const std::vector<BoardView> views = MadeUpViews(Webcam(1280, 720), kAllSides, noise);
    const Lens lens = trial % 2 == 0 ? Lens::kBrownConrady : Lens::kFisheye;
    const auto fit = FitLens(views, {1280, 720}, lens);
    ASSERT_TRUE(fit.ok()) << fit.error().message;
    ASSERT_TRUE(fit->camera.covariance);
    EXPECT_EQ(*fit->camera.covariance, fit->camera.covariance->t()) << "trial " << trial;
    const auto path = dir.path() / "camera.yaml";
    const Status written = WriteCamera(fit->camera, path);
    ASSERT_TRUE(written.ok()) << written.error().message;
    const auto read = ReadCamera(path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(NumbersOf(*read), NumbersOf(fit->camera));
    EXPECT_EQ(*read->covariance, *fit->camera.covariance);
  }
}

// The stated covariance against the errors made, from corners with known noise.
TEST(FitLens, CovarianceIsHonest) {
  cv::RNG rng(77);
  constexpr int kTrials = 60;
  constexpr int kNumbers = 8;
  double sum = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    CameraModel truth = Webcam(1280, 720);
    truth.cx_px = 639.5 + rng.gaussian(8.0);
    truth.cy_px = 359.5 + rng.gaussian(8.0);
    truth.fy_px = truth.fx_px * (1 + rng.gaussian(0.0005));
    truth.distortion = {rng.uniform(-0.3, 0.0), rng.uniform(0.0, 0.1), rng.gaussian(0.0007),
                        rng.gaussian(0.0007), 0};
    const double sigma_px = rng.uniform(0.03, 0.2);
    std::vector<Held> held = kAllSides;
    for (Held& h : held) h.distance_in *= 1.3;
    const std::vector<BoardView> views = MadeUpViews(truth, held, [&] {
      return ImagePoint{rng.gaussian(sigma_px), rng.gaussian(sigma_px)};
    });
    const auto fit = FitLens(views, {1280, 720}, CameraModel::Lens::kBrownConrady);
    ASSERT_TRUE(fit.ok()) << fit.error().message;
    const CameraModel& c = fit->camera;
    const double error[kNumbers] = {c.fx_px - truth.fx_px,
                                    c.fy_px - truth.fy_px,
                                    c.cx_px - truth.cx_px,
                                    c.cy_px - truth.cy_px,
                                    c.distortion[0] - truth.distortion[0],
                                    c.distortion[1] - truth.distortion[1],
                                    c.distortion[2] - truth.distortion[2],
                                    c.distortion[3] - truth.distortion[3]};
    cv::Mat_<double> correlation(kNumbers, kNumbers);
    cv::Mat_<double> scaled(kNumbers, 1);
    for (int i = 0; i < kNumbers; ++i) {
      scaled(i) = error[i] / std::sqrt((*c.covariance)(i, i));
      for (int j = 0; j < kNumbers; ++j) {
        correlation(i, j) =
            (*c.covariance)(i, j) / std::sqrt((*c.covariance)(i, i) * (*c.covariance)(j, j));
      }
    }
    cv::Mat_<double> weighed;
    ASSERT_TRUE(cv::solve(correlation, scaled, weighed, cv::DECOMP_SVD));
    sum += scaled.dot(weighed);
  }
  // Chi squared with eight degrees of freedom, five standard deviations of the mean; noise is
  // estimated from the residuals, view by view, which costs a little more.
  const double mean = sum / kTrials;
  const double slack = 5 * std::sqrt(16.0 / kTrials);
  EXPECT_LT(mean, 8 + slack + 1);
  EXPECT_GT(mean, 8 - slack);
}

}  // namespace
}  // namespace fos
