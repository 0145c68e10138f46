// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "vision/appearance/paint_model.h"
#include "vision/appearance/two_lights.h"
#include "vision/scene/stand_scene.h"
#include "vision/stands/paint_learning.h"
#include "vision/stands/stand_look.h"
#include "vision/stands/stand_trace.h"

// Finds every stand on the table by its painted base, in settled pictures.
namespace fos {

// Made once for a scenario on a table. Remembers only what the paints look like: who stands where
// is in the scenes it takes and returns.
class StandDetector {
 public:
  StandDetector(const TableSpec& table, const Scenario& scenario,
                StandDetectorOptions options = {});

  // Learns the paints from where the scenario says units stand, and finds every stand.
  // bgr         CV_8UC3, the size of the camera's lens; settled, best the mean of a few frames
  // blind_mask  CV_8UC1 of that size, non-zero where something covers the table; or empty
  // errors      kBadFormat: a picture or mask of another type or size
  Result<StandScene> Start(const cv::Mat& bgr, const TableCamera& camera,
                           const cv::Mat& blind_mask);

  // Searches again where `changed` (CV_8UC1, the picture's size, or empty for everywhere) is
  // non-zero. Stands elsewhere, and those that the blind mask hides, stay as they are in `before`.
  // Ids follow the assignment of least total distance that keeps units together (AssignStands).
  Result<StandScene> Update(const cv::Mat& bgr, const TableCamera& camera, const StandScene& before,
                            const cv::Mat& changed, const cv::Mat& blind_mask);

  // Learns paints and cloth again when only the light has changed. Call it every few seconds while
  // the light drifts.
  // was, now  CV_8UC3 of this camera, settled: the picture last learnt from, and the present one
  // scene     who stands where, in both
  // covered   other places that do not show the cloth: projectiles, objects put down
  // errors    kBadFormat: a picture of another type or size
  Status FollowLight(const cv::Mat& was, const cv::Mat& now, const TableCamera& camera,
                     const StandScene& scene, std::span<const Polygon> covered);

  // From now on each search overwrites this trace; null: none is kept. Borrowed.
  void Trace(StandTrace* into) { trace_ = into; }

 private:
  // paints  as they are in this picture; borrowed
  StandLook LookAt(const cv::Mat& bgr, const TableCamera& camera, const cv::Mat& blind,
                   const PaintModel& paints) const;
  StandLook LookAt(const cv::Mat& bgr, const TableCamera& camera, const cv::Mat& blind) const {
    return LookAt(bgr, camera, blind, paints_);
  }
  // A part of the table may lie in another light. Where what was found is explained better so,
  // remembers the two, finds the stands again, and returns the picture as if it were all in one.
  // stands  found in the picture as it is; replaced with paints_
  cv::Mat TellLights(const StandLook& as_it_is, std::span<const CoveredPart> deployed,
                     std::vector<StandHypothesis>& stands);

  TableSpec table_;
  Scenario scenario_;
  StandDetectorOptions options_;
  PaintModel paints_;
  double brightened_ = 1;  // every picture, before it is looked at (LightLacking)
  std::optional<TwoLights> lights_;  // empty: all of the table lies in one
  StandTrace* trace_ = nullptr;
};

}  // namespace fos
