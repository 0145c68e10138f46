// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"
#include "vision/appearance/paint_model.h"
#include "vision/stands/stand_look.h"
#include "vision/stands/stand_search.h"

// Stands that are moved from one of two lights (two_lights.h) into the other. Where the stands of
// each paint lay in one of them only, the two explained nothing until then.
namespace fos {

// The paints as they are in another picture of the same moment, in which some places lie in another
// light (InOneLight): each as the places have changed where its stands are, or were when it was
// learnt.
// was, now  CV_8UC3, of one size
PaintModel Relit(const PaintModel& paints, const cv::Mat& was, const cv::Mat& now,
                 const TableCamera& camera, const Scenario& scenario,
                 std::span<const StandHypothesis> stands);

// How the places of stands differ between a picture and the same as if all of it lay in one of two
// lights. Borrows everything.
class AcrossLights {
 public:
  // as_it_is  CV_8UC3
  // lost      stands that are no longer where they stood
  AcrossLights(const StandLook& in_one, const cv::Mat& as_it_is,
               std::span<const StandObservation> lost)
      : in_one_(in_one), as_it_is_(as_it_is), lost_(lost) {}

  // Whether any of these is a lost one that went from one light into the other.
  bool AnyWent(std::span<const StandObservation> moved) const;
  // Whether enough has changed in the other light for one of them to have gone there. Most that are
  // lost have been taken off the table.
  // changed  CV_8UC1, 255 where the picture has; or empty
  bool AnyMayHaveGone(const cv::Mat& changed) const;

 private:
  double GainedAt(const StandObservation& o) const;

  const StandLook& in_one_;
  const cv::Mat& as_it_is_;
  std::span<const StandObservation> lost_;
};

}  // namespace fos
