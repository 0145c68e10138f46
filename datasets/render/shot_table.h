// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "datasets/render/shot_scene.h"
#include "datasets/render/webcam.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// Made-up tables on which made-up shots fall: twelve inches of a club's table as its camera would
// show them, with stands and figures, trees, a road, a hill, and other things that players drop.
namespace fos {

// Something that lies on the table.
struct Dropped {
  std::string what;  // "qtip", "shell", "pencil", ...; for reports
  std::vector<ScenePill> pills;
  std::vector<SceneBox> boxes;
  bool shot = false;  // a projectile of the scenario, whole
  Projectile projectile{};
  Vec2 point;  // of a shot: what counts
  Vec2 tail;
  double height_in = 0;                   // of the point
  std::string lies = "";                  // "flat", "on a base", "on another", "on a hill"
  std::vector<cv::Vec3d> visible_points;  // on the visible part of a shot: its painted end or top
  // The axis of a swab, for things that come to lie on it.
  cv::Vec3d axis_from;
  cv::Vec3d axis_to;
};

struct ShotTable {
  TableSpec table;
  Scenario scenario;
  TableCamera camera;  // the true one, of the small picture
  CameraModel lens;    // as calibrated: not quite the true one
  Webcam webcam;
  ShotScene scene;                       // without what is dropped
  std::vector<StandObservation> stands;  // the truth
  double fps = 30;
};

// The table of a seed: lamp, cloth, paints, camera, picture size (720p to 4K), who stands where.
ShotTable MakeShotTable(std::uint32_t seed);

// A swab or a shell at a free place of the table, resting on what is under it.
// lying  what lies there already.
Dropped DropShot(const ShotTable& table, Projectile type, const std::vector<Dropped>& lying,
                 std::mt19937& random);
// Something that is not a projectile: a pencil, dice, tape, a match, a straw, a figure, paper, half
// a swab.
Dropped DropOther(const ShotTable& table, std::mt19937& random);

// The scene with what lies on it.
ShotScene With(const ShotTable& table, const std::vector<Dropped>& lying);
// The part of the picture that a dropped thing and its shadow can change.
cv::Rect PartChanged(const ShotTable& table, const Dropped& dropped);

}  // namespace fos
