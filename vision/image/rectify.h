// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/vec2.h"

namespace fos {

// A top-down picture of a small part of the table, as it would look on one level above the cloth:
// east to the right, north up. Pixel (0, 0)'s centre is the patch's north-west corner.
struct TablePatch {
  cv::Mat bgr;           // CV_8UC3, square
  cv::Mat seen;          // CV_8UC1, 255 where the camera's picture covers it and `blind` does not
  Vec2 north_west;       // table place of the centre of pixel (0, 0), inches
  double px_per_in = 0;  // the same both ways
  double height_in = 0;  // the level it was taken at

  Vec2 TableFromPixel(double column, double row) const {
    return {north_west.x + column / px_per_in, north_west.y - row / px_per_in};
  }
  cv::Point2d PixelFromTable(Vec2 at) const {
    return {(at.x - north_west.x) * px_per_in, (north_west.y - at.y) * px_per_in};
  }
};

// The patch of half-width half_in around `centre`. Bilinear: meant for about the picture's own
// scale or a little below it, not for shrinking by more than two.
// bgr     CV_8UC3, the size of the camera's lens.
// blind   CV_8UC1 of the same size, non-zero where the picture says nothing of the table; or empty.
TablePatch RectifyPatch(const cv::Mat& bgr, const cv::Mat& blind, const TableCamera& camera,
                        Vec2 centre, double half_in, double px_per_in, double height_in);

// What a picture of the patch's size holds, laid over the cloth as the camera sees it: one value for
// each pixel of the camera's picture. Beside the patch: what its rim holds. Bilinear.
cv::Mat LaidInPicture(const cv::Mat& of_patch, const TablePatch& patch, const TableCamera& camera);

// The pixel nearest to a place at that height above the cloth.
cv::Point PixelAt(const TableCamera& camera, Vec2 place, double height_in);
// The same of many: an outline stays one.
std::vector<cv::Point> PixelsAt(const TableCamera& camera, std::span<const Vec2> places,
                                double height_in);

// A picture as a camera would have taken it that hangs elsewhere: right on the cloth, while what
// stands up from it is displaced by its parallax.
struct PictureFromElsewhere {
  cv::Mat bgr;   // CV_8UC3, the size of the other camera's lens
  cv::Mat seen;  // CV_8UC1, 255 where the picture shows it
};
// picture  of the size of the lens of `was`, which took it
PictureFromElsewhere SeenFrom(const PictureFromElsewhere& picture, const TableCamera& was,
                              const TableCamera& now);

}  // namespace fos
