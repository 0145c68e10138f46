// SPDX-License-Identifier: MIT
#include "tests/bench/colour_table.h"

#include <algorithm>
#include <cmath>

#include "engine/table/quantile.h"

namespace fos::bench {
namespace {

struct Run {
  int row = 0, from = 0, to = 0;  // columns, the last one not included
  std::uint8_t colour = 0;
  int parent = 0;
};

int RootOf(std::vector<Run>& runs, int i) {
  while (runs[static_cast<std::size_t>(i)].parent != i) {
    int& up = runs[static_cast<std::size_t>(i)].parent;
    up = runs[static_cast<std::size_t>(up)].parent;
    i = up;
  }
  return i;
}

// Joins the runs of two rows that touch and are of one colour.
void Join(std::vector<Run>& runs, std::size_t above, std::size_t below, std::size_t end) {
  std::size_t a = above;
  for (std::size_t b = below; a < below && b < end;) {
    const Run& one = runs[a];
    const Run& other = runs[b];
    if (one.colour == other.colour && one.from < other.to && other.from < one.to) {
      const int x = RootOf(runs, static_cast<int>(a));
      const int y = RootOf(runs, static_cast<int>(b));
      runs[static_cast<std::size_t>(std::max(x, y))].parent = std::min(x, y);
    }
    one.to < other.to ? ++a : ++b;
  }
}

}  // namespace

ColourTable::ColourTable(const SyntheticTable& made, const cv::Mat& bgr)
    : table_(std::size_t{1} << (3 * kBits)) {
  std::array<std::array<std::vector<double>, 3>, 2> seen;
  for (const StandObservation& stand : made.stands) {
    // Beside the figures: near the base's rear corners.
    const auto side = static_cast<std::size_t>(stand.side);
    const Pose2& pose = stand.table_from_stand;
    const double top_in =
        stand.ground_in + made.scenario.kinds[static_cast<std::size_t>(stand.kind)].thickness_in;
    for (const double across : {-0.4, 0.4}) {
      const Vec2 at = pose.origin +
                      Rotated({-0.4 * stand.footprint.depth_in, across * stand.footprint.width_in},
                              pose.heading_rad);
      const ImagePoint p = ImageFromTable(made.camera, at, top_in);
      const cv::Point pixel(cvRound(p.x_px), cvRound(p.y_px));
      if (!cv::Rect({}, bgr.size()).contains(pixel)) continue;
      stands_.push_back({pixel, static_cast<std::uint8_t>(side + 1)});
      const auto& colour = bgr.at<cv::Vec3b>(pixel);
      for (int c = 0; c < 3; ++c) seen[side][static_cast<std::size_t>(c)].push_back(colour[c]);
    }
  }
  constexpr double kAlike = 40;  // grey levels
  const int step = 1 << (8 - kBits);
  std::size_t index = 0;
  for (int b = 0; b < 256; b += step)
    for (int g = 0; g < 256; g += step)
      for (int r = 0; r < 256; r += step, ++index) {
        double nearest = kAlike;
        for (std::size_t side = 0; side < seen.size(); ++side) {
          const auto off = [&](std::size_t c, int level) {
            return level + step / 2 - Quantile(seen[side][c], 0.5).value_or(1e3);
          };
          const double far = std::hypot(off(0, b), off(1, g), off(2, r));
          if (far >= nearest) continue;
          nearest = far;
          table_[index] = static_cast<std::uint8_t>(side + 1);
        }
      }
}

Regions ColourTable::Sort(const cv::Mat& bgr) const {
  std::vector<Run> runs;
  std::size_t above = 0;
  std::size_t below = 0;
  for (int row = 0; row < bgr.rows; ++row) {
    const auto* pixel = bgr.ptr<std::uint8_t>(row);
    for (int x = 0; x < bgr.cols;) {
      const std::uint8_t colour = table_[IndexOf(pixel + 3 * x)];
      const int from = x;
      while (x < bgr.cols && table_[IndexOf(pixel + 3 * x)] == colour) ++x;
      if (colour != 0) runs.push_back({row, from, x, colour, static_cast<int>(runs.size())});
    }
    Join(runs, above, below, runs.size());
    above = below;
    below = runs.size();
  }
  Regions out;
  std::vector<int> number(runs.size(), -1);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    const auto root = static_cast<std::size_t>(RootOf(runs, static_cast<int>(i)));
    const cv::Rect around(run.from, run.row, run.to - run.from, 1);
    if (number[root] < 0) {
      number[root] = static_cast<int>(out.found.size());
      out.found.push_back({run.colour, 0, around});
    }
    Region& region = out.found[static_cast<std::size_t>(number[root])];
    region.area_px += around.width;
    region.around |= around;
  }
  return out;
}

int ColourTable::StandsIn(const Regions& regions) const {
  constexpr int kLeast_px = 20;
  int places = 0;
  for (const Place& place : stands_)
    places += std::any_of(regions.found.begin(), regions.found.end(), [&](const Region& region) {
      return region.colour == place.colour && region.area_px >= kLeast_px &&
             region.around.contains(place.at);
    });
  return places / 2;  // two of each stand
}

}  // namespace fos::bench
