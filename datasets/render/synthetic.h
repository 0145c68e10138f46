// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// Made-up tables with known truth: quick to render, drawn through the TableCamera that the
// detectors use, with blocks for figures.
namespace fos {

struct SyntheticOptions {
  std::uint32_t seed = 1;
  int columns = 6;
  int rows = 5;
  double square_in = 4;
  int width_px = 1280;
  int height_px = 720;
  double tilt_deg = 5;           // of the camera's axis from straight down
  double distortion_k1 = -0.03;  // the lens
  int units_a_side = 4;
  double figures_height_in = 1.1;
  Colour cloth{92, 104, 58};
  std::array<Colour, 2> paints{Colour{47, 79, 168}, Colour{176, 48, 40}};
  std::array<double, 3> lamp{1, 1, 1};  // gain of b, g, r in linear light
  double falloff = 0.2;                 // how much darker the far corner is
  double noise_levels = 3;              // one sigma of a pixel's noise, grey levels
  // A warm lamp beside the table's south-west corner: its light there as a share of the room's.
  double side_lamp = 0;
  double focal = 1.1;  // of the picture's width: a longer lens hangs higher
  // Trees and houses of the scenario, 1.5 to 3 in high, beside the stands and leaning over some.
  int trees = 0;
  int houses = 0;
};

// A table as a club might have it: sides' paints, lamps of 2700 to 6500 K, crowding, the camera's
// height and tilt and the picture's size (720p to 4K) drawn by the seed.
SyntheticOptions RandomTable(std::uint32_t seed);

struct SyntheticTable {
  TableSpec table;
  Scenario scenario;
  TableCamera camera;
  cv::Mat bgr;                           // CV_8UC3
  std::vector<StandObservation> stands;  // the truth, with the share of each base that is seen
};
// The table, the camera and the stands as deployed, without its picture.
SyntheticTable LayOutTable(const SyntheticOptions& options);
// `visible` of a stand leaves out what figures, neighbours, trees and houses hide of its base.
// placed  where the stands are instead of where the scenario deploys them; empty: as deployed.
//         The table, the light and the camera are the same for the same options.
SyntheticTable RenderTable(const SyntheticOptions& options,
                           const std::vector<StandObservation>& placed = {});

}  // namespace fos
