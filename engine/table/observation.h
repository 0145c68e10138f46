// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/table/ids.h"
#include "engine/table/scenario.h"
#include "engine/table/shapes.h"

// What was seen on the table, in inches, with its uncertainty. No rule is applied here.
namespace fos {

// One stand as seen in one settled frame.
struct StandObservation {
  StandId stand;           // stable across frames; assigned by the tracker, not the detector
  std::string unit;        // the scenario's unit id; empty while unknown
  int side = 0;            // index into Scenario::sides
  int kind = 0;            // index into Scenario::kinds
  Pose2 table_from_stand;  // centre of the footprint and facing
  Box2 footprint;          // width and depth of its kind, inches
  double ground_in = 0;    // height of the ground under it; the base's top is `thickness` higher
  Cov2 centre_cov;         // inches squared: detection noise plus registration error
  double heading_sigma_rad = 0;
  double visible = 1;     // share of the base's top in view, [0, 1]
  double confidence = 0;  // probability in [0, 1] that this is a stand
};

// One stand before and after.
struct StandMoved {
  StandObservation from, to;
};

// One projectile at rest. Whether the shot was allowed is not recorded here.
struct ShotObservation {
  ShotId shot;
  Projectile projectile{};  // swab or shell
  Vec2 point;               // inches: the swab's tip, the shell's marked centre
  Vec2 tail;                // inches: the swab's other end; equals point for a shell
  double height_in = 0;  // of the point above the table, for example on a hill or leaning on a base
  Cov2 point_cov;        // inches squared; longer along the swab than across it
  double visible = 1;    // share of the painted end or of the shell's top in view
  FrameId at_rest;       // first frame in which it is still
  std::array<FrameId, 2> seen{};  // first and last frame of the evidence
};

}  // namespace fos
