// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/result.h"
#include "engine/table/shapes.h"

// What truly lay where in a labelled clip (contract, section 2.3). Only the scores read it.
namespace fos {

// Frames, both ends included.
struct FrameSpan {
  std::int64_t from = 0;
  std::int64_t to = 0;
  bool Contains(std::int64_t frame) const { return frame >= from && frame <= to; }
};

struct TruthPlace {  // of a stand, for a while
  FrameSpan frames;
  std::array<Vec2, 4> polygon{};  // front-left, front-right, rear-right, rear-left
  double bearing_deg = 0;
  double visible = 1;

  Vec2 Centre() const { return 0.25 * (polygon[0] + polygon[1] + polygon[2] + polygon[3]); }
};
struct TruthStand {
  std::string key;
  std::string unit;
  std::string side;
  std::string kind;
  std::vector<TruthPlace> places;  // in order of time

  // Where it is in a frame; null while it is in a hand or gone.
  const TruthPlace* At(std::int64_t frame) const;
};
struct TruthShot {
  std::string projectile;
  Vec2 point;
  FrameSpan frames;  // at rest and not yet lifted
  double visible = 1;
};
struct TruthDie {
  int value = 0;
  Vec2 centre;
  FrameSpan frames;  // at rest
  int faces = 6;
};
// Something that is neither shot, die nor stand: a pencil, a ruler.
struct TruthObject {
  Vec2 centre;
  std::int64_t from = 0;
};
struct TruthCameraMove {
  FrameSpan frames;  // from the knock to the first frame of the new, still camera
  TableCamera after;
  double shift_px = 0;
};
struct Truth {
  std::string clip;
  double fps = 0;
  std::int64_t frames = 0;
  TableCamera camera;  // before any move
  std::vector<TruthStand> stands;
  std::vector<TruthShot> shots;
  std::vector<TruthDie> dice;
  std::vector<TruthObject> objects;  // of the clip's events, those that have a centre
  std::vector<FrameSpan> obstructed;
  std::vector<TruthCameraMove> camera_moves;

  bool Obstructed(std::int64_t frame) const;
  const TableCamera& CameraAt(std::int64_t frame) const;
};

// True for a folder that holds a labelled clip.
bool IsLabelled(const std::filesystem::path& clip);
// errors  kNotFound, kBadFormat with the file and the missing key.
Result<Truth> ReadTruth(const std::filesystem::path& clip);

}  // namespace fos
