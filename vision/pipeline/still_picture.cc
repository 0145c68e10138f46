// SPDX-License-Identifier: MIT
#include "vision/pipeline/still_picture.h"

#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

// Share of the picture, or of a part of it, that must change for it to move: a thousandth of the
// picture is a tenth of a hand.
constexpr double kLeastMoved = 0.001;

}  // namespace

void StillPicture::Add(const Frame& frame) {
  cv::Mat thumbnail;
  cv::resize(frame.bgr, thumbnail, {frame.bgr.cols / kShrink, frame.bgr.rows / kShrink}, 0, 0,
             cv::INTER_AREA);
  cv::cvtColor(thumbnail, thumbnail, cv::COLOR_BGR2GRAY);
  bool still = false;
  if (thumbnails_.empty()) {
    still_frames_ = cv::Mat(thumbnail.size(), CV_16UC1, cv::Scalar(1));
  } else {
    cv::Mat moved;
    cv::absdiff(thumbnail, thumbnails_.back(), moved);
    moved = moved > least_change_;
    still = cv::countNonZero(moved) < kLeastMoved * static_cast<double>(thumbnail.total());
    cv::add(still_frames_, cv::Scalar(1), still_frames_);
    still_frames_.setTo(1, moved);
  }
  thumbnails_.push_back(thumbnail);
  if (thumbnails_.size() > 2) thumbnails_.pop_front();
  still_steps_ = still ? still_steps_ + 1 : 0;
}

void StillPicture::Reset() {
  thumbnails_.clear();
  still_steps_ = 0;
}

bool StillPicture::StillInside(const std::vector<cv::Point>& outline, int frames) const {
  if (thumbnails_.empty()) return false;
  std::vector<cv::Point> small;
  for (const cv::Point& p : outline) small.push_back(p / kShrink);
  cv::Mat inside(still_frames_.size(), CV_8UC1, cv::Scalar(0));
  cv::fillConvexPoly(inside, small, cv::Scalar(255));
  const int moved = cv::countNonZero((still_frames_ < frames) & inside);
  return moved < kLeastMoved * cv::countNonZero(inside);
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
