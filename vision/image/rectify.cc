// SPDX-License-Identifier: MIT
#include "vision/image/rectify.h"

#include <algorithm>
#include <cmath>

#include <opencv2/imgproc.hpp>

namespace fos {

TablePatch RectifyPatch(const cv::Mat& bgr, const cv::Mat& blind, const TableCamera& camera,
                        Vec2 centre, double half_in, double px_per_in, double height_in) {
  FOS_CHECK(half_in > 0 && px_per_in > 0);
  const int size = std::max(2, static_cast<int>(std::lround(2 * half_in * px_per_in)));
  TablePatch patch;
  patch.px_per_in = px_per_in;
  patch.height_in = height_in;
  const double reach = 0.5 * (size - 1) / px_per_in;
  patch.north_west = {centre.x - reach, centre.y + reach};

  // The lens bends smoothly: exact every kStep pixels and linear between is within 0.01 px.
  constexpr int kStep = 8;
  const int knots = (size + kStep - 1) / kStep + 1;
  cv::Mat coarse(knots, knots, CV_32FC2);
  for (int r = 0; r < knots; ++r) {
    for (int c = 0; c < knots; ++c) {
      const Vec2 at = patch.TableFromPixel(c * kStep, r * kStep);
      const ImagePoint p = ImageFromTable(camera, at, height_in);
      coarse.at<cv::Vec2f>(r, c) = {static_cast<float>(p.x_px), static_cast<float>(p.y_px)};
    }
  }
  cv::Mat map(size, size, CV_32FC2);
  for (int r = 0; r < size; ++r) {
    const int kr = r / kStep;
    const float fr = static_cast<float>(r - kr * kStep) / kStep;
    const auto* upper = coarse.ptr<cv::Vec2f>(kr);
    const auto* lower = coarse.ptr<cv::Vec2f>(kr + 1);
    auto* out = map.ptr<cv::Vec2f>(r);
    for (int c = 0; c < size; ++c) {
      const int kc = c / kStep;
      const float fc = static_cast<float>(c - kc * kStep) / kStep;
      out[c] = (upper[kc] * (1 - fc) + upper[kc + 1] * fc) * (1 - fr) +
               (lower[kc] * (1 - fc) + lower[kc + 1] * fc) * fr;
    }
  }
  cv::remap(bgr, patch.bgr, map, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  patch.seen = cv::Mat(size, size, CV_8UC1);
  for (int r = 0; r < size; ++r) {
    const auto* at = map.ptr<cv::Vec2f>(r);
    auto* out = patch.seen.ptr<std::uint8_t>(r);
    for (int c = 0; c < size; ++c) {
      const int x = cvRound(at[c][0]);
      const int y = cvRound(at[c][1]);
      const bool inside = x >= 0 && y >= 0 && x < bgr.cols && y < bgr.rows;
      out[c] = inside && (blind.empty() || blind.at<std::uint8_t>(y, x) == 0) ? 255 : 0;
    }
  }
  return patch;
}

namespace {

// For cv::remap, CV_32FC2: for each pixel of the camera's picture where another one shows the same
// place on the cloth; far outside where the pixel shows none.
// from  (Vec2 on the cloth) -> cv::Point2d in the other one
template <typename From>
cv::Mat MapOverCloth(const TableCamera& now, const From& from) {
  // A knock and a lens bend the picture so little that every sixteenth pixel is enough. One node
  // more on each side, so that the last pixels lie between two.
  constexpr int kStep = 16;
  constexpr double kOutside = -1e4;
  const cv::Size picture{now.lens.width_px, now.lens.height_px};
  cv::Mat nodes(picture.height / kStep + 3, picture.width / kStep + 3, CV_32FC2);
  for (int row = 0; row < nodes.rows; ++row) {
    for (int column = 0; column < nodes.cols; ++column) {
      const ImagePoint at{(column - 0.5) * kStep - 0.5, (row - 0.5) * kStep - 0.5};
      const auto on_cloth = TableFromImage(now, at, 0, 0);
      const cv::Point2d at_other =
          on_cloth.ok() ? from(on_cloth->at) : cv::Point2d(kOutside, kOutside);
      nodes.at<cv::Vec2f>(row, column) = {static_cast<float>(at_other.x),
                                          static_cast<float>(at_other.y)};
    }
  }
  cv::Mat grown;
  cv::resize(nodes, grown, {}, kStep, kStep, cv::INTER_LINEAR);
  return grown(cv::Rect({kStep, kStep}, picture));
}

}  // namespace

cv::Point PixelAt(const TableCamera& camera, Vec2 place, double height_in) {
  const ImagePoint at = ImageFromTable(camera, place, height_in);
  return {cvRound(at.x_px), cvRound(at.y_px)};
}

std::vector<cv::Point> PixelsAt(const TableCamera& camera, std::span<const Vec2> places,
                                double height_in) {
  std::vector<cv::Point> out;
  for (const Vec2 place : places) out.push_back(PixelAt(camera, place, height_in));
  return out;
}

cv::Mat LaidInPicture(const cv::Mat& of_patch, const TablePatch& patch, const TableCamera& camera) {
  const cv::Mat map = MapOverCloth(camera, [&](Vec2 at) { return patch.PixelFromTable(at); });
  cv::Mat out;
  cv::remap(of_patch, out, map, {}, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  return out;
}

PictureFromElsewhere SeenFrom(const PictureFromElsewhere& picture, const TableCamera& was,
                              const TableCamera& now) {
  const cv::Mat map = MapOverCloth(now, [&](Vec2 at) {
    const ImagePoint p = ImageFromTable(was, at, 0);
    return cv::Point2d(p.x_px, p.y_px);
  });
  PictureFromElsewhere out;
  cv::remap(picture.bgr, out.bgr, map, {}, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  cv::remap(picture.seen, out.seen, map, {}, cv::INTER_NEAREST, cv::BORDER_CONSTANT, cv::Scalar(0));
  return out;
}

}  // namespace fos
