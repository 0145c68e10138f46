// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

#include "datasets/render/synthetic.h"

// Robot soccer's way to see, for comparison only: each pixel of each picture is sorted by a table
// of colours, runs of one colour are joined to regions, and their sizes and middles are kept.
// source  Bruce, Balch, Veloso: Fast and Inexpensive Color Image Segmentation for Interactive
//         Robots (CMVision), IROS 2000.
namespace fos::bench {

struct Region {
  std::uint8_t colour = 0;  // 0: none; else a side and one
  int area_px = 0;
  cv::Rect around;
};
struct Regions {
  std::vector<Region> found;
};

class ColourTable {
 public:
  // Learns both sides' paints from the stands of a picture.
  ColourTable(const SyntheticTable& made, const cv::Mat& bgr);

  Regions Sort(const cv::Mat& bgr) const;
  // How many stands' middles lie in a region of their side's colour.
  int StandsIn(const Regions& regions) const;

 private:
  static constexpr int kBits = 6;  // of each channel
  static std::size_t IndexOf(const std::uint8_t* bgr) {
    return static_cast<std::size_t>((bgr[0] >> (8 - kBits)) << (2 * kBits) |
                                    (bgr[1] >> (8 - kBits)) << kBits | bgr[2] >> (8 - kBits));
  }
  struct Place {
    cv::Point at;
    std::uint8_t colour = 0;
  };
  std::vector<std::uint8_t> table_;
  std::vector<Place> stands_;
};

}  // namespace fos::bench
