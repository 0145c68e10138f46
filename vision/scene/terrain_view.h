// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/pose2.h"
#include "engine/table/scenario.h"
#include "engine/table/shapes.h"

namespace fos {

// What the scenario's trees, houses and hedges hide from the camera. A point at height H appears
// displaced away from the camera's foot: at distance d, on level h, by (H - h) d / (eye - H).
class TerrainView {
 public:
  TerrainView() = default;  // hides nothing
  // Walls stand upright on their outlines; a tree is as round as it is wide, its top in the middle.
  TerrainView(const Scenario& scenario, const TableCamera& camera);

  // Whether something stands between the eye and this place at height_in above the cloth.
  bool Hides(Vec2 at, double height_in) const;
  // The hidden share of a base's top; top_in is the top's height above the cloth.
  double HiddenShare(const Pose2& table_from_stand, Box2 footprint, double top_in) const;
  // Whether a house, a hedge or a trunk leaves no room for a stand there.
  bool Fills(const Pose2& table_from_stand, Box2 footprint) const;
  // Only what can hide or fill anything within reach_in of a place.
  TerrainView Near(Vec2 at, double reach_in) const;
  bool empty() const { return solids_.empty(); }
  // The type of the tallest object, "tree"; empty if there is none.
  std::string NameOfTallest() const;

 private:
  struct Solid {
    std::string type;
    Polygon outline;  // upright walls; empty: round
    Circle round;     // the same as a circle, or one about the outline
    bool dome = false;
    double foot_in = 0;  // of it, above the cloth
    double top_in = 0;
  };
  bool Hides(const Solid& solid, Vec2 at, double height_in) const;

  std::vector<Solid> solids_;
  cv::Vec3d eye_;
};

}  // namespace fos
