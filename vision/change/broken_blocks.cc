// SPDX-License-Identifier: MIT
#include "vision/change/broken_blocks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

constexpr int kBlock_px = 16;

// All CV_8UC1, of one size, cut to start at whole blocks.
struct Greys {
  cv::Mat change;
  cv::Mat now;
  cv::Mat known;
  Greys Turned() const { return {change.t(), now.t(), known.t()}; }
};

// Where a change begins or ends from one pixel to the next.
struct Cuts {
  int all = 0;
  int between_blocks = 0;  // of them on the lines between blocks
  int of_now = 0;          // of these where the picture now has the edge, not the known one
  int lines = 0;           // on how many of those
  int sides = 0;           // sides of blocks that are cut for a good part of their length

  // Those on upright lines.
  void Add(const Greys& greys, int nothing, int much) {
    for (int column = 1; column < greys.change.cols; ++column) {
      const bool line = column % kBlock_px == 0;
      int on_line = 0;
      for (int top = 0; top < greys.change.rows; top += kBlock_px) {
        int on_side = 0;
        for (int row = top; row < std::min(top + kBlock_px, greys.change.rows); ++row) {
          const auto* d = greys.change.ptr<std::uint8_t>(row, column);
          const auto [low, high] = std::minmax(d[-1], d[0]);
          if (low > nothing || high < much) continue;
          ++on_side;
          const auto* n = greys.now.ptr<std::uint8_t>(row, column);
          const auto* k = greys.known.ptr<std::uint8_t>(row, column);
          if (line) of_now += std::abs(n[0] - n[-1]) > std::abs(k[0] - k[-1]);
        }
        on_line += on_side;
        constexpr int kGoodPart_px = 6;
        if (line) sides += on_side >= kGoodPart_px;
      }
      all += on_line;
      constexpr int kLeast_px = 2;  // noise leaves single ones
      if (!line) continue;
      between_blocks += on_line;
      lines += on_line >= kLeast_px;
    }
  }
};

}  // namespace

bool HasBrokenBlocks(const cv::Mat& bgr, const cv::Mat& background, const cv::Vec3d& gain,
                     const cv::Rect& part, double noise) {
  const auto down = [](int px) { return px / kBlock_px * kBlock_px; };
  // One block more on each side, so that the change's own borders are between two blocks.
  cv::Rect blocks;
  blocks.x = down(std::max(0, part.x - kBlock_px));
  blocks.y = down(std::max(0, part.y - kBlock_px));
  blocks.width = down(part.br().x + 2 * kBlock_px) - blocks.x;
  blocks.height = down(part.br().y + 2 * kBlock_px) - blocks.y;
  blocks &= cv::Rect({}, bgr.size());
  if (blocks.empty()) return false;
  cv::Mat expected;
  cv::multiply(background(blocks), cv::Scalar(gain[0], gain[1], gain[2]), expected);
  Greys greys;
  cv::absdiff(bgr(blocks), expected, greys.change);
  cv::cvtColor(greys.change, greys.change, cv::COLOR_BGR2GRAY);
  cv::cvtColor(bgr(blocks), greys.now, cv::COLOR_BGR2GRAY);
  cv::cvtColor(expected, greys.known, cv::COLOR_BGR2GRAY);
  // Coding leaves differences of its own, and grain.
  constexpr double kCoding = 6;  // grey levels
  const int nothing = static_cast<int>(kCoding + 3 * noise);
  const int much = 2 * nothing + 10;
  Cuts cuts;
  cuts.Add(greys, nothing, much);
  cuts.Add(greys.Turned(), nothing, much);
  // The lens blurs the edges of things, so that few are as sharp as that, and of those one in
  // sixteen lies on a line between blocks. A straight edge may lie along one by chance, not along
  // two; the edges of a die of a block's size may, here and there, but not from corner to corner.
  constexpr double kMost = 0.6;
  // A background that was taken from a damaged picture is none of the picture's damage.
  return cuts.lines >= 2 && cuts.sides >= 2 && cuts.between_blocks >= kMost * cuts.all &&
         2 * cuts.of_now >= cuts.between_blocks;
}

double ShareOfConcealedBlocks(const cv::Mat& bgr, const cv::Mat& background) {
  const auto is_of_one_colour = [&](int left, int top) {
    const auto first = bgr.at<cv::Vec3b>(top, left);
    // Light beyond what a picture can show has no grain either. Recorders end the range sooner:
    // ITU-R BT.601 at 16 and 235.
    const auto is_clipped = [](std::uint8_t value) { return value <= 16 || value >= 235; };
    if (is_clipped(first[0]) && is_clipped(first[1]) && is_clipped(first[2])) return false;
    for (int row = top; row < top + kBlock_px; ++row) {
      const auto* pixel = bgr.ptr<cv::Vec3b>(row, left);
      for (int i = 0; i < kBlock_px; ++i)
        if (pixel[i] != first) return false;
    }
    return true;
  };
  const auto was_another = [&](int left, int top) {
    constexpr double kOther = 20;  // grey levels, somewhere in it: more than coding leaves
    const auto now = bgr.at<cv::Vec3b>(top, left);
    cv::Mat off;
    cv::absdiff(background(cv::Rect(left, top, kBlock_px, kBlock_px)),
                cv::Scalar(now[0], now[1], now[2]), off);
    return cv::norm(off, cv::NORM_INF) > kOther;
  };
  int all = 0;
  // By colour: a coarse coder leaves no grain on a plain sleeve either, but its blocks differ.
  std::map<std::array<std::uint8_t, 3>, int> concealed;
  int most = 0;
  for (int top = 0; top + kBlock_px <= bgr.rows; top += kBlock_px) {
    for (int left = 0; left + kBlock_px <= bgr.cols; left += kBlock_px, ++all) {
      if (!is_of_one_colour(left, top) || !was_another(left, top)) continue;
      const auto& colour = bgr.at<cv::Vec3b>(top, left);
      most = std::max(most, ++concealed[{colour[0], colour[1], colour[2]}]);
    }
  }
  return all > 0 ? static_cast<double>(most) / all : 0;
}

}  // namespace fos
