// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "calibration/registration/table_registration.h"
#include "vision/dice/dice_finder.h"
#include "vision/image/frame.h"
#include "vision/scene/stand_scene.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_detector.h"

// The events the pipeline reports.
namespace fos {

// The table has been found, or found again.
struct TableFound {
  TableRegistration registration;
};
// Every stand, at the start and after each change.
struct StandsSeen {
  StandScene scene;
  // Set for the first look only: the picture it was made from, and its camera. That look runs
  // beside the frames, so hands may have come in or the camera been knocked since.
  cv::Mat picture = {};
  std::optional<TableCamera> camera = {};
};
struct ViewChanged {
  bool obstructed = false;
  // Why nothing can be judged and what to do, for the players; empty: hands over the table.
  std::string why = {};
};
struct CameraMoved {
  double shift_px = 0;
};
// A projectile has come to rest. Measuring it again from these pictures gives the same result.
struct ShotSeen {
  ProjectileFinding finding;
  ShotPictures pictures;         // CV_8UC3, of the part of the picture around it
  TableBox where;                // the part of the table in which something is new
  std::vector<LyingSwab> lying;  // swabs that lay there already and may support it
  std::vector<Lump> unknown;  // likewise other objects, of which only the greatest height is known
};
// Something that is neither a stand nor a projectile lies on the table since then, or is gone.
struct ObjectSeen {
  int number = 0;  // from 1; the same when it is gone
  bool gone = false;
  Polygon outline;  // on the cloth, inches
  FrameId at_rest;
  // What a projectile would be measured from if it is one after all: its finding is not measured.
  // Null when it is gone.
  std::shared_ptr<const ShotSeen> pictures = {};
};
// A throw: dice that have come to rest and lain still, with no hand over the table.
struct DiceSeen {
  std::vector<DieFound> dice;
  std::vector<cv::Mat> pictures;                 // CV_8UC3, one a die: what is about it
  std::vector<std::vector<cv::Point>> outlines;  // of what each covers in its picture
  std::vector<double> at_rest_s;  // one a die: when it came to rest, seconds of the source
  FrameId at_rest;                // of the last of them
};
// Dice that were told have been picked up.
struct DiceTaken {
  std::vector<Vec2> centres;  // inches
};
// A question the program cannot settle, in words for the players.
struct NeedsPeople {
  std::string text;
};
// What happened, and the frame from which it was known.
struct Sighting {
  std::variant<TableFound, StandsSeen, ViewChanged, CameraMoved, ShotSeen, StandChange, NeedsPeople,
               IdentityDoubt, ObjectSeen, DiceSeen, DiceTaken>
      what;
  FrameId frame;
  double time_s = 0;
};

}  // namespace fos
