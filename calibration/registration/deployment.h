// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/registration/table_registration.h"
#include "engine/table/scenario.h"

namespace fos {

struct DeploymentChoice {
  std::size_t index = 0;  // into the candidates
  double margin = 0;      // how much better than the next, in correlations: above 0.3 is plain
};

// Which of the placements that look alike to the lines is the one the armies stand on: squares
// where the scenario deploys units should look unlike the cloth, and each side's nearer its nominal
// paint than the other's. Only differences between squares count, so no lamp's colour matters. bgr
// CV_8UC3, the picture the candidates were found in. candidates from RegisterFromGrid. errors
// kBadFormat (another kind of picture, or one in which the armies stand as in a mirror),
//            kDegenerate when it cannot be told: an empty table, or a deployment that looks the
//            same turned round. Then a person must say.
Result<DeploymentChoice> ChooseByDeployment(const cv::Mat& bgr,
                                            const std::vector<TableRegistration>& candidates,
                                            const TableFrame& frame, const Scenario& scenario);

// Which of them hangs the camera as it hung before.
// errors  kDegenerate when it was turned so far that two are about as near.
Result<DeploymentChoice> ChooseByPose(const std::vector<TableRegistration>& candidates,
                                      const TableFrame& frame, const KnownPose& before);

// The whole of it: from markers where the table has them, else from the grid. Which way round that
// lies is told by where the camera hung before in this game, for units have moved since; else by
// the deployment; else by where it hung on another evening.
// errors  those of RegisterTable, RegisterFromGrid, RegisterFromPose and ChooseByDeployment.
Result<TableRegistration> RegisterTable(const cv::Mat& bgr, const CameraModel& lens,
                                        const TableSpec& table, const Scenario& scenario,
                                        const RegistrationOptions& options = {});

}  // namespace fos
