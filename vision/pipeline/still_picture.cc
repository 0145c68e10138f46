#include "vision/pipeline/still_picture.h"

#include <opencv2/imgproc.hpp>

namespace fos {

void StillPicture::Add(const Frame& frame) {
  cv::Mat thumbnail;
  cv::resize(frame.bgr, thumbnail, {frame.bgr.cols / kShrink, frame.bgr.rows / kShrink}, 0, 0,
             cv::INTER_AREA);
  cv::cvtColor(thumbnail, thumbnail, cv::COLOR_BGR2GRAY);
  bool still = false;
  if (!thumbnails_.empty()) {
    cv::Mat moved;
    cv::absdiff(thumbnail, thumbnails_.back(), moved);
    // A thousandth of the picture is a tenth of a hand.
    still =
        cv::countNonZero(moved > least_change_) < 0.001 * static_cast<double>(thumbnail.total());
  }
  thumbnails_.push_back(thumbnail);
  if (thumbnails_.size() > 2) thumbnails_.pop_front();
  still_steps_ = still ? still_steps_ + 1 : 0;
}

void StillPicture::Reset() {
  thumbnails_.clear();
  still_steps_ = 0;
}

bool StillPicture::MovesOverStillTable(double least_px) const {
  if (thumbnails_.size() < 2) return false;
  const cv::Mat& before = thumbnails_.front();
  cv::Mat moved;
  cv::absdiff(before, thumbnails_.back(), moved);
  moved = moved > least_change_;
  cv::Mat high;
  cv::Mat low;
  cv::dilate(before, high, {});
  cv::erode(before, low, {});
  const cv::Mat range = high - low;
  // A trembling table changes at its edges alone, a hand everywhere.
  if (cv::countNonZero(moved & (range < least_change_)) < least_px) return false;
  const cv::Mat edges = range > 2 * least_change_;
  // A hand covers a few of these tiles, an arm across the picture less than half.
  constexpr int kTiles = 8;
  constexpr double kShare = 0.01;  // of a tile: less is noise
  int with_edges = 0;
  int at_rest = 0;
  for (int row = 0; row < kTiles; ++row) {
    for (int column = 0; column < kTiles; ++column) {
      const cv::Rect tile(
          {before.cols * column / kTiles, before.rows * row / kTiles},
          cv::Point{before.cols * (column + 1) / kTiles, before.rows * (row + 1) / kTiles});
      if (cv::countNonZero(edges(tile)) < kShare * tile.area()) continue;
      ++with_edges;
      at_rest += cv::countNonZero(moved(tile)) < kShare * tile.area() ? 1 : 0;
    }
  }
  return 2 * at_rest > with_edges;
}

}  // namespace fos
