#pragma once

#include <array>
#include <cstddef>
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

// The steps of setting up, in the order they are usually taken; any may be gone to at any time.
enum class SetupStep { kCamera, kLens, kTable, kColours, kTerrain, kArmies, kSave };
inline constexpr int kSetupSteps = 7;

// What is toggled and half done on the screen; nothing of the set-up itself.
struct SetupView {
  SetupStep step = SetupStep::kCamera;
  bool map = false;  // the map in the large place, not the picture
  bool show_help = false;

  // The board's corners are being clicked in the picture, then north is asked for.
  bool clicking = false;
  bool ask_north = false;
  std::vector<ImagePoint> clicks;
  std::optional<TapedHeight> height;  // of the camera, where people measured it
  ImagePoint cursor;

  enum class Typing {
    kNothing,
    kSource,
    kBattle,
    kSide,
    kHeight,
    kMarker
  } typing = Typing::kNothing;
  bool focus = false;  // the next frame puts the cursor into the words
  std::array<char, 400> words{};

  int page = 0;                            // of the troops' list, so far as the keys have come
  std::optional<std::size_t> dragged_row;  // of that list, on its way to the board
  std::optional<Vec2> under_pointer;       // a place of the table
  std::string said;                        // what the last saving came to
  bool asked_to_leave = false;             // with changes that nobody saved
  bool play = false;                       // saved, and to be opened in the referee's window
};

// What the screen needs to know of the machine.
struct SetupPlace {
  std::string folder;  // where it is saved
  std::vector<CameraDevice> devices;
};

// The whole screen: keys first, then the board and the step's panel. Between ImGui::NewFrame and
// ImGui::Render; needs no window. `shown` is the set-up as the overlay draws it: its facts are the
// controller's plan, its stands the controller's, its table what the camera found.
void DrawSetup(const Theme& theme, const Snapshot& shown, const CameraSeen& seen,
               PictureFeed& pictures, SetupController& controller, SetupHand& hand,
               CameraAsks& camera, const SetupPlace& place, ViewState& view, SetupView& setup);

// The large picture or map with what is being set up, and the pointer on it.
void DrawSetupBoard(const Theme& theme, const Snapshot& shown, const CameraSeen& seen,
                    PictureFeed& pictures, SetupHand& hand, ViewState& view, SetupView& setup,
                    const ScreenRect& area);
// Is it the map that is shown large? Where there is no picture it is.
bool ShowsMap(const CameraSeen& seen, const SetupView& setup);

}  // namespace fos
