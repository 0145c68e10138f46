// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "datasets/render/wild_camera.h"
#include "datasets/render/wild_junk.h"
#include "datasets/render/wild_light.h"
#include "datasets/render/wild_things.h"
#include "engine/table/observation.h"

// Wild tables: made-up tables whose grounds, light, optics, swabs, shells and junk range wider than
// any detector's priors. They share no constant and no helper with vision. Who stands where and
// where the camera hangs are shot_table's.
namespace fos {

struct WildTable {
  TableSpec table;
  Scenario scenario;
  TableCamera camera;  // the true one
  CameraModel lens;    // as calibrated: not quite the true one
  double fps = 15;
  std::vector<StandObservation> stands;  // the truth
  WildScene scene;                       // what lies on it is added to scene.solids
  std::string light;                     // "lamp", "two lamps", "hard sun", "dim"; for reports
  LightMoment moment;
  double edge_creeps_in = 0;  // each frame, of moment.edge
  SwabKind swabs;
  ShellKind shells;
};

// The table of a seed.
// misplace  changes who stands where, before the bases are put there; empty: as deployed
WildTable MakeWildTable(std::uint32_t seed, const std::function<void(WildTable&)>& misplace = {});

// Something somewhere on the table. Its `what` is empty where no place was found in many tries.
WildThing DropWildShot(const WildTable& table, Projectile type, Draws& draws);
WildThing DropWildJunk(const WildTable& table, const std::string& what, Draws& draws);

// The part of the picture that some solids can change, their shadows with them.
cv::Rect PartChanged(const WildTable& table, std::span<const WildSolid> solids);

}  // namespace fos
