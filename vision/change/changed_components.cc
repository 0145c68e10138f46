// SPDX-License-Identifier: MIT
#include "vision/change/changed_components.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

// How many frames ago more than least_px pixels had moved.
// ages  how many pixels last moved so many frames ago
int AgePassedBy(const std::array<int, 256>& ages, double least_px) {
  int passed = 0;
  for (int age = 0; age < 255; ++age) {
    passed += ages[static_cast<std::size_t>(age)];
    if (passed > least_px) return age;
  }
  return 255;
}

// For how many frames an object has been still in which single pixels flicker. An object that moves
// or arrives changes many of its pixels in one frame, and in all as many as the smallest object
// has. Noise and coding change a few at a time, which over some frames add up to as many. odd_px
// how many may flicker in one frame
int StillFrames(const std::array<int, 256>& ages, double odd_px, double smallest_px) {
  int moved = 0;
  for (int age = 0; age < 255; ++age) {
    const int here = ages[static_cast<std::size_t>(age)];
    moved += here;
    if (here > odd_px && moved >= smallest_px) return age;
  }
  return 255;
}

}  // namespace

void LabelComponents(const cv::Mat& mask, cv::Mat& labels, cv::Mat& stats) {
  cv::Rect part = cv::boundingRect(mask);
  if (part.empty()) {
    labels = cv::Mat(mask.size(), CV_32S, cv::Scalar(0));
    stats = cv::Mat(1, cv::CC_STAT_MAX, CV_32S, cv::Scalar(0));
    return;
  }
  // Components are numbered by whole blocks of two by two pixels.
  part = cv::Rect({part.x & ~1, part.y & ~1}, part.br());
  cv::Mat labels_in_part;
  cv::Mat centroids;
  cv::connectedComponentsWithStats(mask(part), labels_in_part, stats, centroids, 8, CV_32S);
  labels = cv::Mat(mask.size(), CV_32S, cv::Scalar(0));
  labels_in_part.copyTo(labels(part));
  stats.col(cv::CC_STAT_LEFT) += part.x;
  stats.col(cv::CC_STAT_TOP) += part.y;
}

cv::Rect RectOf(const cv::Mat& stats, int label) {
  return {stats.at<int>(label, cv::CC_STAT_LEFT), stats.at<int>(label, cv::CC_STAT_TOP),
          stats.at<int>(label, cv::CC_STAT_WIDTH), stats.at<int>(label, cv::CC_STAT_HEIGHT)};
}

std::vector<ChangedComponent> MeasureComponents(const cv::Mat& labels, const cv::Mat& stats,
                                                const ChangeMaps& maps, double least_px) {
  std::vector<ChangedComponent> components;
  for (int i = 1; i < stats.rows; ++i) {
    ChangedComponent c;
    c.label = i;
    c.rect = RectOf(stats, i);
    std::array<int, 256> ages{};
    for (int row = c.rect.y; row < c.rect.br().y; ++row) {
      const auto* l = labels.ptr<int>(row);
      const auto* ch = maps.changed.ptr<std::uint8_t>(row);
      const auto* bo = maps.board.ptr<std::uint8_t>(row);
      const auto* ag = maps.age.ptr<std::uint8_t>(row);
      const auto* un = maps.under_hand.ptr<std::uint8_t>(row);
      for (int column = c.rect.x; column < c.rect.br().x; ++column) {
        if (l[column] != i || ch[column] == 0) continue;
        ++c.area_px;
        (bo[column] != 0 ? c.board_px : c.outside_px) += 1;
        ++ages[ag[column]];
        c.under_hand_px += un[column] != 0 ? 1 : 0;
        c.unseen_px += un[column] == kUnseen ? 1 : 0;
        c.cut_px += row == 0 || row == labels.rows - 1 || column == 0 || column == labels.cols - 1;
      }
    }
    if (c.area_px < least_px) continue;
    constexpr double kOdd = 0.03;  // share of pixels that may flicker in one frame
    c.youngest = AgePassedBy(ages, kOdd * c.area_px);
    c.still_frames = StillFrames(ages, kOdd * c.area_px, least_px);
    c.at_edge = c.rect.x <= 1 || c.rect.y <= 1 || c.rect.br().x >= labels.cols - 1 ||
                c.rect.br().y >= labels.rows - 1;
    components.push_back(c);
  }
  return components;
}

}  // namespace fos
