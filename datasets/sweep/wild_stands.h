// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "datasets/render/wild_table.h"

namespace fos {

// A picture of a wild table with its stands, for the stands' own sweep.
struct WildStands {
  WildTable made;             // its stands as they stand, with their share in view
  std::size_t strangers = 0;  // the last of them: the scenario does not place them
  int absent = 0;             // stands that the scenario places and that are not there
  std::string light;          // "hard sun, JPEG"; for reports
  cv::Mat bgr;                // CV_8UC3, the mean of the frames that a referee starts with
};

// On most of the tables some stands that the scenario places are missing; on a few a stand lies in
// a square where it places none. Up to three things that are no stands lie about.
WildStands MakeWildStands(std::uint32_t seed);

}  // namespace fos
