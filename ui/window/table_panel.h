// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/picture_cut.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// A picture that is on the graphics card already.
struct ShownPicture {
  ImTextureID texture{};  // null: there is none
  float width = 0;        // of the whole picture
  float height = 0;
  PictureCut part;  // what of it the texture holds
};

// Brings the newest picture to the screen, as much of it as a view needs.
class PictureFeed {
 public:
  virtual ~PictureFeed() = default;
  virtual ImVec2 Size() const = 0;  // of the whole picture; 0 where there is none
  // cut     what of the picture is seen, and how fine.
  // placed  where the whole picture lies on the screen; area  what of the screen it may cover.
  virtual void Paint(ImDrawList& list, const PictureCut& cut, const Placement& placed,
                     const ScreenRect& area) = 0;
};

// The picture with everything the referee knows drawn over it, through the whole camera model.
// Wheel or pinch zooms about the pointer, dragging pans.
void DrawPicture(const Theme& theme, const Snapshot& shown, PictureFeed& pictures,
                 GameController* controller, ViewState& view, const ScreenRect& area);
// The same table from straight above, north up.
void DrawMap(const Theme& theme, const Snapshot& shown, GameController* controller, ViewState& view,
             const ScreenRect& area);
// Before and after of the chosen shot, as large as the area allows.
void DrawEvidenceLens(const Theme& theme, const Snapshot& shown, const ShownPicture& before,
                      const ShownPicture& after, ViewState& view, const ScreenRect& area);
// Fills the area with the board: the picture about it is the room, not the game.
void LookAtBoard(const Snapshot& shown, const ScreenRect& area, ViewState& view);
// Brings the chosen shot into the middle of both views, near enough to see its circle.
void LookAtShot(const Snapshot& shown, ViewState& view);

}  // namespace fos
