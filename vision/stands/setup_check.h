// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"
#include "vision/scene/stand_scene.h"
#include "vision/stands/stand_look.h"

// Whether the stands on the table are those that the scenario places.
namespace fos {

// What was seen of one unit.
struct UnitSeen {
  int stands = 0;     // that it has
  int seen = 0;       // of them, in its square
  double hidden = 0;  // share of its square where a stand would be out of view
};

// Probability that every unit is where the scenario places it and that all strangers are chance,
// given what was seen. A unit that is in place misses stands by the detector's own rate, all of
// them at once where something hides them; players misplace a unit now and then, or set up another
// scenario.
// strangers  stands seen where the scenario places none of their kind
double ChanceThatSetupFits(std::span<const UnitSeen> units, int strangers);

// Compares the stands with the scenario's deployment. Empty: they fit.
std::optional<SetupDoubt> CheckSetup(const StandLook& look,
                                     std::span<const StandObservation> stands);

// The question for the players, one sentence.
std::string SetupQuestion(const SetupDoubt& doubt, const Scenario& scenario);

// The picture with the squares of the missing units, their numbers, and the strangers.
cv::Mat DrawSetup(const cv::Mat& bgr, const TableCamera& camera, const TableFrame& frame,
                  const Scenario& scenario, const StandScene& scene);

}  // namespace fos
