// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"
#include "vision/appearance/paint_model.h"

// Stands that are moved from one of two lights (two_lights.h) into the other. Where the stands of
// each paint lay in one of them only, the two explained nothing until then.
namespace fos {

// A picture beside the same as if all of it lay in one of two lights (InOneLight). Borrows
// everything.
class AcrossLights {
 public:
  // as_it_is, in_one  CV_8UC3, of one size
  AcrossLights(const cv::Mat& as_it_is, const cv::Mat& in_one, const TableCamera& camera,
               const Scenario& scenario)
      : as_it_is_(as_it_is), in_one_(in_one), camera_(camera), scenario_(scenario) {}

  // Whether enough has changed in the other light for one of these to have gone there. Most stands
  // that are no longer where they stood have been taken off the table.
  // changed  CV_8UC1, 255 where the picture has; or empty
  bool AnyMayHaveGone(std::span<const StandObservation> lost, const cv::Mat& changed) const;
  // Whether any that was moved is one of those that are lost, gone from one light into the other.
  bool AnyWent(std::span<const StandObservation> lost,
               std::span<const StandObservation> moved) const;
  // The paints as they are in the one light: each as the places have changed where its stands are,
  // or were when it was learnt.
  PaintModel Relit(const PaintModel& paints, std::span<const StandObservation> stands) const;

 private:
  // How much lighter each pixel of a stand's place is in the one light: linear light of blue, green
  // and red.
  using Gains = std::array<std::vector<float>, 3>;
  Gains GainsAt(const StandObservation& o) const;
  double GainedAt(const StandObservation& o) const;

  const cv::Mat& as_it_is_;
  const cv::Mat& in_one_;
  const TableCamera& camera_;
  const Scenario& scenario_;
};

}  // namespace fos
