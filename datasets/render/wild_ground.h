// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/render/shot_scene.h"
#include "datasets/render/wild_draws.h"

// What the wild tables are covered with: cloth, felt, snow, sand, printed mats, and the lines,
// roads and markers on it.
namespace fos {

struct WildGround {
  std::string look;  // "green cloth", "snow", ...; for reports
  std::uint32_t salt = 1;
  cv::Vec3f base;           // reflectance: blue, green, red
  cv::Vec3f second;         // of the patches
  double patch_share = 0;   // of the ground
  double patch_in = 1;      // their size
  double patch_soft = 0.2;  // how soft their edges are; 0 is printed
  double fine = 0.05;       // unevenness of the paint over grain_in, share of the light
  double grain_in = 0.03;
  double coarse = 0.05;  // over inches
  double specks = 0;     // share of grain_in-sized places that have flock
  double bump = 0;       // slopes of the surface, peak
  double bump_in = 0.5;
  struct Strip {
    Polygon outline;
    cv::Vec3f paint;
    double edge_in = 0.05;  // a rim of the darker kind; 0: none
  };
  std::vector<Strip> strips;  // roads, rivers
  double square_in = 4;
  int columns = 3;
  int rows = 3;
  double line_in = 0;  // width of the grid's lines; 0: none
  double line_stray_in = 0;
  cv::Vec3f line{0.02F, 0.02F, 0.02F};
  std::vector<SceneMarker> markers;

  cv::Vec3f PaintAt(Vec2 at) const;
  cv::Vec3d NormalAt(Vec2 at) const;
};

// A ground of any look. side_in: of the square board.
WildGround DrawGround(double side_in, Draws& draws);

}  // namespace fos
