// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/pose2.h"
#include "engine/table/scenario.h"

// Small things lying on felt, seen through a real lens, for tests: rays are cast with solids, their
// sides and the soft shadow of one lamp; light is gathered over each pixel, blurred as light,
// raised to 1/2.2 and given noise, as a camera does.
namespace fos::test {

// A rod with round ends, inches.
struct Rod {
  cv::Vec3d from;  // the middles of its round ends
  cv::Vec3d to;
  double radius_in = 0.1;
  Colour colour;
  double dipped_in = 0;  // this much of it from its far end by `from` has the other colour
  Colour dip;
};
// An upright box.
struct Block {
  Pose2 table_from_block;
  Box2 size;
  double bottom_in = 0;
  double top_in = 0.1;
  Colour colour;
  double mark_radius_in = 0;  // of a disc in the middle of the top
  Colour mark;
};

struct Tabletop {
  Colour cloth{92, 104, 58};
  bool grid = true;  // lines every four inches, as on the table
  std::vector<Rod> rods;
  std::vector<Block> blocks;
  std::function<double(Vec2)> light;  // on the cloth, 1 where it is empty
};

// Adds a swab of the contract's shape lying flat on the level ground_in.
// bend_in  of its middle off the straight line between its ends, to the left as seen from the tip
void LaySwab(Tabletop& table, Vec2 tip, double toward_tail_rad, Colour dip, double ground_in = 0,
             double bend_in = 0);

// 1280 x 960 from 50 in over (16, 12), six degrees off the vertical, 20 pixels an inch, with a lens
// that bends.
TableCamera TabletopCamera();

// seed  of the noise alone: the felt is the same each time. CV_8UC3.
cv::Mat PictureOf(const TableCamera& camera, const Tabletop& table, std::uint64_t seed,
                  double noise = 1.5);

}  // namespace fos::test
