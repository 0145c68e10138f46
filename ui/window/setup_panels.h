// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/projection.h"
#include "ui/window/setup_actions.h"

namespace fos {

inline constexpr const char* kSetupStepNames[kSetupSteps] = {
    "Camera", "Lens", "Table", "Terrain", "Armies", "Colours", "Save"};

// The panel of the scene's step: what to do, the buttons, what has come of it.
void DrawSetupStep(SetupScene& scene, const ScreenRect& area);

}  // namespace fos
