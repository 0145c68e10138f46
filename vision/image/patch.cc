// SPDX-License-Identifier: MIT
#include "vision/image/patch.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "engine/table/result.h"

namespace fos {

TableBox Grown(const TableBox& box, double margin_in) {
  return {box.low - Vec2{margin_in, margin_in}, box.high + Vec2{margin_in, margin_in}};
}

TableBox BoundsOf(const std::vector<Vec2>& points) {
  FOS_CHECK(!points.empty());
  TableBox box{points.front(), points.front()};
  for (const Vec2 p : points) {
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
  }
  return box;
}

PatchGrid::PatchGrid(const TableCamera& camera, const TableBox& box, double level_in,
                     double px_per_in)
    : box_(box), level_in_(level_in), px_per_in_(px_per_in) {
  FOS_CHECK(px_per_in > 0 && box.high.x > box.low.x && box.high.y > box.low.y);
  const int columns =
      std::max(1, static_cast<int>(std::lround((box.high.x - box.low.x) * px_per_in)));
  const int rows = std::max(1, static_cast<int>(std::lround((box.high.y - box.low.y) * px_per_in)));
  box_.high = {box.low.x + columns / px_per_in, box.high.y};
  box_.low.y = box.high.y - rows / px_per_in;
  map_.create(rows, columns, CV_32FC2);
  for (int row = 0; row < rows; ++row) {
    auto* line = map_.ptr<cv::Vec2f>(row);
    for (int column = 0; column < columns; ++column) {
      const Vec2 at = ToTable({static_cast<double>(column), static_cast<double>(row)});
      const ImagePoint p = ImageFromTable(camera, at, level_in);
      line[column] = {static_cast<float>(p.x_px), static_cast<float>(p.y_px)};
    }
  }
}

cv::Mat PatchGrid::Cut(const cv::Mat& bgr) const {
  cv::Mat cut;
  cv::remap(bgr, cut, map_, cv::noArray(), cv::INTER_CUBIC, cv::BORDER_REPLICATE);
  cv::Mat out;
  cut.convertTo(out, CV_32FC3);
  return out;
}

cv::Mat PatchGrid::CutMask(const cv::Mat& mask) const {
  cv::Mat out;
  cv::remap(mask, out, map_, cv::noArray(), cv::INTER_NEAREST, cv::BORDER_CONSTANT, 0);
  return out;
}

}  // namespace fos
