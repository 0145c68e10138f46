// SPDX-License-Identifier: MIT
#include "vision/image/patch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/calib3d.hpp>

#include "vision/image/patch_pair.h"

namespace fos {
namespace {

// 640 x 480 from 40 in above (12, 9), tilted by ten degrees, with a lens that bends.
TableCamera TiltedCamera() {
  CameraModel lens;
  lens.width_px = 640;
  lens.height_px = 480;
  lens.fx_px = 810;
  lens.fy_px = 805;
  lens.cx_px = 322;
  lens.cy_px = 236;
  lens.distortion = {-0.12, 0.03, 0.001, -0.002, 0};
  const double tilt = 10 * CV_PI / 180;
  const cv::Matx33d rotation(1, 0, 0, 0, -std::cos(tilt), -std::sin(tilt), 0, std::sin(tilt),
                             -std::cos(tilt));
  const cv::Vec3d eye(12, 2, 40);
  cv::Vec3d rvec;
  cv::Rodrigues(rotation, rvec);
  return MakeTableCamera(lens, rvec, -(rotation * eye));
}

// The table painted so that its colour tells the place: blue by x, green by y.
cv::Mat PaintedTable(const TableCamera& camera, double level_in) {
  cv::Mat out(camera.lens.height_px, camera.lens.width_px, CV_32FC3);
  for (int row = 0; row < out.rows; ++row) {
    for (int column = 0; column < out.cols; ++column) {
      const auto at = TableFromImage(
          camera, {static_cast<double>(column), static_cast<double>(row)}, level_in, 0);
      out.at<cv::Vec3f>(row, column) = {static_cast<float>(10 * at->at.x),
                                        static_cast<float>(10 * at->at.y), 7};
    }
  }
  return out;
}

TEST(TableBox, GrowsAndBounds) {
  const TableBox box = BoundsOf({{3, 4}, {1, 7}, {2, 5}});
  EXPECT_EQ(box.low, (Vec2{1, 4}));
  EXPECT_EQ(box.high, (Vec2{3, 7}));
  const TableBox grown = Grown(box, 0.5);
  EXPECT_TRUE(grown.Contains({0.6, 7.4}));
  EXPECT_FALSE(box.Contains({0.6, 7.4}));
  EXPECT_THROW(BoundsOf({}), std::logic_error);
}

TEST(PatchGrid, PixelsAndInchesAreInverse) {
  const PatchGrid grid(TiltedCamera(), {{10, 8}, {13.03, 10.01}}, 0.1, 37);
  EXPECT_EQ(grid.Size(), cv::Size(112, 74));
  for (const Vec2 p : {Vec2{10, 8}, Vec2{11.234, 9.5}, Vec2{14, 7}}) {
    EXPECT_LT(Distance(grid.ToTable(grid.FromTable(p)), p), 1e-12);
  }
  // Row 0 is the north edge; the pixels fill the box from edge to edge.
  const double half = 0.5 / 37;
  EXPECT_NEAR(grid.ToTable({0, 0}).x, grid.Box().low.x + half, 1e-12);
  EXPECT_NEAR(grid.ToTable({0, 0}).y, grid.Box().high.y - half, 1e-12);
  EXPECT_NEAR(grid.ToTable({111, 73}).x, grid.Box().high.x - half, 1e-12);
  EXPECT_NEAR(grid.ToTable({111, 73}).y, grid.Box().low.y + half, 1e-12);
}

TEST(PatchGrid, RefusesAnEmptyBox) {
  EXPECT_THROW(PatchGrid(TiltedCamera(), {{10, 8}, {10, 9}}, 0, 20), std::logic_error);
  EXPECT_THROW(PatchGrid(TiltedCamera(), {{10, 8}, {11, 9}}, 0, 0), std::logic_error);
}

TEST(PatchGrid, CutsThePixelsOfEachPlace) {
  const TableCamera camera = TiltedCamera();
  for (const double level : {0.0, 0.6}) {
    const cv::Mat picture = PaintedTable(camera, level);
    const PatchGrid grid(camera, {{4, 3}, {9, 15}}, level, 30);
    const cv::Mat cut = grid.Cut(picture);
    ASSERT_EQ(cut.type(), CV_32FC3);
    ASSERT_EQ(cut.size(), grid.Size());
    double worst = 0;
    for (int row = 0; row < cut.rows; row += 3) {
      for (int column = 0; column < cut.cols; column += 3) {
        const Vec2 at = grid.ToTable({static_cast<double>(column), static_cast<double>(row)});
        const auto c = cut.at<cv::Vec3f>(row, column);
        worst = std::max(worst, Distance({c[0] / 10.0, c[1] / 10.0}, at));
      }
    }
    // OpenCV's bicubic (a = -0.75) bends a ramp by up to a twentieth of a pixel each way, and its
    // maps count in 32nds.
    EXPECT_LT(worst, 0.1 / PixelsPerInch(camera, {6, 9}, level)) << level;
  }
}

TEST(BodyShare, IsTheShareOfAPixelThatTheBodyCovers) {
  const cv::Vec3f cloth(12, 24, 12);
  const cv::Vec3f white(200, 205, 210);
  EXPECT_NEAR(BodyShare(0.4 * white + 0.6 * cloth, cloth, white), 0.4, 1e-4);
  EXPECT_NEAR(BodyShare(0.4 * white + 0.2 * cloth, cloth, white), 0.4, 1e-4) << "in its own shadow";
  EXPECT_NEAR(BodyShare(0.5 * cloth, cloth, white), 0, 1e-4);
}

// Where a camera leaves a dark place wholly black, all that came is body.
TEST(BodyShare, WorksBeforeBlack) {
  const cv::Vec3f white(200, 210, 220);
  const cv::Vec3f black(0, 0, 0);
  EXPECT_NEAR(BodyShare(0.4 * white, black, white), 0.4, 1e-4);
  EXPECT_EQ(BodyShare(black, black, white), 0);
  EXPECT_EQ(BodyShare(black, black, black), 0);
  EXPECT_NEAR(WhiteShare(0.4F * white, black, white), 0.4, 1e-4);
}

TEST(WhiteShare, RedPaintOnGreenClothIsHardlyWhite) {
  // To be white in part it would have to take green light away from the cloth, which gave none.
  const cv::Vec3f cloth(10, 24, 10);
  const cv::Vec3f white(200, 205, 210);
  const cv::Vec3f red(6, 6, 120);
  EXPECT_LT(WhiteShare(red, cloth, white), 0.25);
  EXPECT_NEAR(WhiteShare(0.4F * white + 0.6F * cloth, cloth, white), 0.4, 1e-4);
}

TEST(PatchGrid, CutsAMaskWithoutInventingGreys) {
  const TableCamera camera = TiltedCamera();
  cv::Mat mask(480, 640, CV_8UC1, cv::Scalar(0));
  const ImagePoint middle = ImageFromTable(camera, {8, 9}, 0);
  mask(cv::Rect(0, 0, cvRound(middle.x_px), 480)).setTo(255);
  const PatchGrid grid(camera, {{7, 8}, {9, 10}}, 0, 40);
  const cv::Mat cut = grid.CutMask(mask);
  EXPECT_EQ(cv::countNonZero(cut) + cv::countNonZero(cut == 0), static_cast<int>(cut.total()));
  EXPECT_EQ(cv::countNonZero(cut == 255), cv::countNonZero(cut));
  const double share = cv::countNonZero(cut) / static_cast<double>(cut.total());
  EXPECT_NEAR(share, 0.5, 0.03);
  const PatchGrid beyond(camera, {{-60, 8}, {-58, 10}}, 0, 20);
  EXPECT_EQ(cv::countNonZero(beyond.CutMask(mask)), 0) << "outside the picture nothing is marked";
}

TEST(PatchGrid, ACroppedCameraCutsTheSame) {
  const TableCamera camera = TiltedCamera();
  const cv::Mat picture = PaintedTable(camera, 0.1);
  const cv::Rect part(60, 40, 300, 280);
  const TableBox box{{6, 8}, {9, 11}};
  const PatchGrid whole(camera, box, 0.1, 25);
  const PatchGrid cropped(Cropped(camera, part), box, 0.1, 25);
  EXPECT_LT(cv::norm(whole.Cut(picture), cropped.Cut(picture(part)), cv::NORM_INF), 0.02);
}

}  // namespace
}  // namespace fos
