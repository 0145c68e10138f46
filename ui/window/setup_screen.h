// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/session/snapshot.h"
#include "ui/setup/setup_camera.h"
#include "ui/setup/setup_controller.h"
#include "ui/setup/setup_hand.h"
#include "ui/window/table_panel.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// The steps of the set-up in their usual order; the player may go to any at any time.
enum class SetupStep { kCamera, kLens, kTable, kTerrain, kArmies, kColours, kSave };
inline constexpr int kSetupSteps = 7;

// What is toggled and half done on the screen. The set-up itself is in SetupController.
struct SetupView {
  SetupStep step = SetupStep::kCamera;
  bool map = false;  // the large view shows the map, not the picture
  bool show_help = false;

  // The board's corners are being clicked in the picture; then north is asked for.
  bool clicking = false;
  bool ask_north = false;
  std::vector<ImagePoint> clicks;
  std::optional<TapedHeight> height;  // of the camera, if it was measured by tape
  ImagePoint cursor;

  enum class Typing {
    kNothing,
    kSource,
    kBattle,
    kSide,
    kHeight,
    kMarker
  } typing = Typing::kNothing;
  bool focus = false;  // the next frame gives the text field the keyboard
  std::array<char, 400> words{};

  std::optional<std::size_t> dragged_row;  // of the list of troops, being dragged to the board
  std::optional<Vec2> under_pointer;       // on the table
  // The armies that are being read off the picture: what stands at each place is asked in turn.
  bool read_armies = false;  // the places are being looked for; what was seen before:
  std::shared_ptr<const std::vector<ArmySpot>> read_before;
  std::shared_ptr<const std::vector<ArmySpot>> reading;  // null: none
  std::size_t spot = 0;                                  // of them, asked about
  std::string said;                        // the outcome of the last action
  bool asked_to_leave = false;             // with unsaved changes; not answered yet
  bool ask_rules = false;                  // a new battle: which rules are played?
  bool play = false;                       // saved; open it in the referee's window
};

// What the screen needs to know of the machine.
struct SetupPlace {
  std::string folder;  // where the files are saved
  std::vector<CameraDevice> devices;  // cameras first, then recordings
  std::size_t cameras = 0;            // how many of them are cameras
};

// Draws the whole screen: keys first, then the board and the step's panel. Between ImGui::NewFrame
// and ImGui::Render; needs no window.
// shown  the set-up as the overlay draws it: facts and stands of the controller, the table as the
//        camera found it.
void DrawSetup(const Theme& theme, const Snapshot& shown, const CameraSeen& seen,
               PictureFeed& pictures, SetupController& controller, SetupHand& hand,
               CameraAsks& camera, const SetupPlace& place, ViewState& view, SetupView& setup);

// The place whose troops are asked for; nullptr: none.
const ArmySpot* SpotAsked(const SetupView& setup);

// Draws the large picture or map with what is being set up, and handles the pointer on it.
void DrawSetupBoard(const Theme& theme, const Snapshot& shown, const CameraSeen& seen,
                    PictureFeed& pictures, SetupHand& hand, ViewState& view, SetupView& setup,
                    const ScreenRect& area);
// Whether the large view shows the map: always where there is no picture.
bool ShowsMap(const CameraSeen& seen, const SetupView& setup);

}  // namespace fos
