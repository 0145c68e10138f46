// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/render/wild_table.h"

namespace fos {

// A unit that was moved on a wild table.
struct WildMove {
  std::string unit;
  std::vector<StandObservation> stands;  // all of the table's, in the order they had before
  cv::Mat bgr;                           // CV_8UC3, like that before
  cv::Mat changed;                       // CV_8UC1, 255 where it shows another thing
};

// A picture of a wild table with its stands, for the stands' own sweep.
struct WildStands {
  WildTable made;             // its stands as they stand, with their share in view
  std::size_t strangers = 0;  // the last of them: the scenario does not place them
  int absent = 0;             // stands that the scenario places and that are not there
  std::string light;          // "hard sun, JPEG"; for reports
  cv::Mat bgr;                // CV_8UC3, the mean of the frames that a referee starts with
  std::optional<WildMove> move;
};

// On most of the tables some stands that the scenario places are missing; on a few a stand lies in
// a square where it places none. Up to three things that are no stands lie about.
// moves  a unit of two stands or more is moved too, to where there is room, turned by up to 45
//        degrees and lined up anew by eye; none where there is no such unit or no room
WildStands MakeWildStands(std::uint32_t seed, bool moves = false);

}  // namespace fos
