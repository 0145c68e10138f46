// SPDX-License-Identifier: MIT
#pragma once

#include "ui/session/snapshot.h"
#include "ui/setup/setup_camera.h"
#include "ui/setup/setup_controller.h"
#include "ui/setup/setup_hand.h"
#include "ui/window/action.h"
#include "ui/window/setup_screen.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// Everything one frame of the set-up screen works on.
struct SetupScene {
  const Theme& theme;
  const Snapshot& shown;
  const CameraSeen& seen;
  SetupController& controller;
  SetupHand& hand;
  CameraAsks& camera;
  const SetupPlace& place;
  ViewState& view;
  SetupView& setup;
};

// What can be done at the scene's step.
Actions StepActions(SetupScene& scene);
// What can be done at every step.
Actions CommonActions(SetupScene& scene);
// Begins to ask what stands where the camera has seen the armies, as soon as it has.
void TakeArmiesRead(SetupScene& scene);
// Table, scenario and, where the table or the lens is known, the rig.
void SaveAll(SetupScene& scene);
// Asks once more when there are unsaved changes.
void Leave(SetupScene& scene);
// The answers to its question when something is unsaved.
Actions LeaveActions(SetupScene& scene);
// The answers to which rules a new battle is played under.
Actions RulesActions(SetupScene& scene);
void GoToStep(SetupScene& scene, int step);

}  // namespace fos
