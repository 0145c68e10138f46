// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/vec2.h"

namespace fos {

// A rectangle of the table, inches.
struct TableBox {
  Vec2 low;   // south-west corner
  Vec2 high;  // north-east corner

  bool Contains(Vec2 p) const {
    return p.x >= low.x && p.y >= low.y && p.x <= high.x && p.y <= high.y;
  }
};
// The box grown by margin_in on every side.
TableBox Grown(const TableBox& box, double margin_in);
// The smallest box about points; FOS_CHECKs that there are some.
TableBox BoundsOf(const std::vector<Vec2>& points);

// A small piece of the table seen from straight above, as it looks on the level level_in above the
// cloth (what stands higher or lower is displaced by its parallax). Row 0 is the north edge. Made
// once for a place, it cuts the same piece out of any number of pictures of the same camera.
class PatchGrid {
 public:
  // FOS_CHECKs that the box is not empty and that px_per_in is positive.
  PatchGrid(const TableCamera& camera, const TableBox& box, double level_in, double px_per_in);

  // CV_32FC3, bicubic; outside the picture its edge is repeated. bgr: CV_8UC3 or CV_32FC3.
  cv::Mat Cut(const cv::Mat& bgr) const;
  // CV_8UC1, nearest neighbour; 0 outside the picture.
  cv::Mat CutMask(const cv::Mat& mask) const;

  cv::Size Size() const { return map_.size(); }
  double PixelsPerInch() const { return px_per_in_; }
  double Level() const { return level_in_; }
  const TableBox& Box() const { return box_; }
  // Patch pixel (column, row; the first pixel's centre is (0, 0)) to inches and back.
  Vec2 ToTable(cv::Point2d at) const {
    return {box_.low.x + (at.x + 0.5) / px_per_in_, box_.high.y - (at.y + 0.5) / px_per_in_};
  }
  cv::Point2d FromTable(Vec2 at) const {
    return {(at.x - box_.low.x) * px_per_in_ - 0.5, (box_.high.y - at.y) * px_per_in_ - 0.5};
  }

 private:
  TableBox box_;
  double level_in_;
  double px_per_in_;
  cv::Mat map_;  // CV_32FC2, picture coordinates
};

}  // namespace fos
