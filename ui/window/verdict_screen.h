// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "ui/play/game_controller.h"
#include "ui/session/player_decision.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/table_panel.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// The chosen shot's verdict, to be read from across the table: its place magnified, the call and
// who falls in letters a tenth of the screen high, the reason in a line, and the players' answers
// as large buttons. While the point is dragged the call is the one that it would get there. place
// the camera's picture around the shot; without one the map is drawn. film   the picture of its film
// that is due; without one there is no film.
void DrawVerdict(const Theme& theme, const Snapshot& shown, const ShownPicture& place,
                 const ShownPicture& film, GameController* controller, ViewState& view,
                 DecisionSink& words, const ScreenRect& area);
// The place of a shot with its circle and the bases near it, for those who only look on.
void DrawShotPlace(const Theme& theme, const Snapshot& shown, const ShownPicture& place,
                   const std::shared_ptr<const ShotShown>& shot, const ScreenRect& area);
// The keys of that screen. True: the key was taken, and means nothing else. A key that begins text
// (a dispute's reason, a game's line) leaves the screen, so that the text cannot be taken for keys.
bool HandleVerdictKeys(const Snapshot& shown, GameController* controller, ViewState& view,
                       DecisionSink& words);

}  // namespace fos
