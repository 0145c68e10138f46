// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/table/observation.h"
#include "vision/scene/stand_scene.h"
#include "vision/stands/stand_look.h"

// Gives newly found stands their ids and units.
namespace fos {

// Names the stands by the deployment. Adds a remark for each difference from it.
void NameByDeployment(const StandLook& look, std::vector<StandObservation>& stands,
                      std::vector<std::string>& remarks);

// Names a stand that was not there before: the first of its class that the scenario has and nobody
// has seen, else a stranger, with a remark.
// before  the scene before this search; scene  what this search has found so far
void NameNewcomer(const Scenario& scenario, StandObservation& stand, const StandScene& before,
                  StandScene& scene);

}  // namespace fos
