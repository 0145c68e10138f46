// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "calibration/camera/learnt_projectile.h"
#include "calibration/camera/table_camera.h"
#include "engine/table/observation.h"
#include "vision/image/paper_light.h"
#include "vision/image/patch.h"
#include "vision/image/point_spread.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_trace.h"
#include "vision/shots/swab_lengths.h"

namespace fos {

struct ShotDetectorOptions {
  std::vector<LearntProjectile> learnt;  // kinds that were measured by `calibrate projectiles`
  bool learning = false;                 // sticks may have any colour: `calibrate projectiles`
  // Where an edge of the profile may be placed, one sigma, picture pixels, on top of noise:
  // fringes, sharpening and soft shadows move a half-height crossing by about this (rendered
  // swabs, path-traced and made-up tables alike; two that check each other halve it).
  double edge_sigma_px = 0.45;
  // Across the swab: a lamp from one side lights one flank and leaves the other in the swab's own
  // shadow, which moves the axis by up to two thirds of a pixel (path-traced swabs and over four
  // hundred on made-up tables: a fifth, one sigma).
  double axis_sigma_px = 0.2;
  // Grey levels by which a thing must differ from what was there to count as seen, at the least:
  // coding leaves errors of this size where nothing happened.
  double least_change = 12;
  // Told of whatever is judged, on the thread that asked; or empty.
  OnJudged on_judged = {};
};

// The table before something came to rest and now, both settled, of the same camera; all of one
// size, the whole picture or the same part of it.
struct ShotPictures {
  cv::Mat before;      // CV_8UC3 or CV_32FC3, brought to the exposure of `after`
  cv::Mat after;       // the same, averaged over the settled frames
  cv::Mat changed;     // CV_8UC1, 255 where the picture is new and still
  TableCamera camera;  // of that part
  double noise = 1;    // grey levels, one sigma of a pixel of `after`
  PointSpread blur = {};
  PaperLight paper = {};
};

// What the image model expects to see with a projectile in its place.
struct PredictedView {
  cv::Rect where;  // of the pictures it was made from
  cv::Mat bgr;     // CV_8UC3, of that size
};
// The pictures as if what that view shows had lain there before.
ShotPictures AlreadyThere(const ShotPictures& pictures, const PredictedView& view);
// The same of whatever is seen now where `mask` is not 0: CV_8UC1 of the pictures' size, or empty.
ShotPictures AlreadyThere(ShotPictures pictures, const cv::Mat& mask);

// A projectile that lies where there was none.
struct ProjectileFinding {
  ShotObservation shot;  // shot.shot and the frame numbers are the caller's
  int spec = 0;          // index into Scenario::projectiles
  bool measured = true;  // false: seen, but the point that counts is not to be had; ask the players
  // Seen as a whole, but the point that counts was not told: neither end of a swab, no mark of a
  // shell.
  bool point_untold = false;
  bool mark_seen = false;  // of a shell
  double tip_disagreement_in =
      0;            // by how much the two ways of measuring differ; 0 when there was only one
  std::string how;  // in words: what the point was measured from
  double tail_height_in = 0;  // of a swab's other end
  Polygon outline;            // what it covers on the table, inches
  // Of a swab whose ends both lie in the open: what `calibrate projectiles` learns. Colours as in
  // LearntProjectile.
  std::optional<LearntProjectile> looks = {};
  // By how much it is likelier than that nothing came, nats; 0 where the image model was not asked.
  double evidence = 0;
  // Null where the image model was not asked: a person's word placed it.
  std::shared_ptr<const PredictedView> predicted = {};
};

// What a swab of the scenario looks like; learnt: nullptr where its kind was not learnt.
SwabShape ShapeOf(const ProjectileSpec& spec, const LearntProjectile* learnt = nullptr);
// The scenario's sizes and paints of projectiles as they were learnt, where they were.
void TakeLearnt(const std::vector<LearntProjectile>& learnt, Scenario& scenario);

// Finds projectiles among what is new on a settled table.
class ShotDetector {
 public:
  explicit ShotDetector(const Scenario& scenario, ShotDetectorOptions options = {});

  // All projectiles in `where`, the swab first. `where` is a part of the table in which something
  // is new.
  enum class Effort {
    kDetectorsOnly,  // what stands out by its colour
    kFull            // also a swab that only the image model as a whole explains
  };
  std::vector<ProjectileFinding> Find(const ShotPictures& pictures, const TerrainMap& terrain,
                                      const TableBox& where, Effort effort = Effort::kFull) const;

  // The projectile whose point a person has clicked on, inches: the nearest thing to it that can be
  // measured there, else the click itself with the doubt of a hand. Always measured.
  // spec  index into Scenario::projectiles; FOS_CHECKs that it is one.
  ProjectileFinding At(const ShotPictures& pictures, const TerrainMap& terrain,
                       const TableBox& where, int spec, Vec2 click) const;

  // Takes the length of a swab seen whole to what is known of the lengths. Returns what the players
  // are told, once, when these contradict the scenario; else empty.
  std::string Learn(const ProjectileFinding& finding);

 private:
  const LearntProjectile* Learnt(Projectile type) const;

  std::vector<ProjectileSpec> specs_;
  SwabLengths lengths_;
  ShotDetectorOptions options_;
};

}  // namespace fos
