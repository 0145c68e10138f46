// SPDX-License-Identifier: MIT
#pragma once

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// Draws the line editor, the list of clauses and the menu of the chosen unit over everything else,
// where they are open.
void DrawGameDialogs(const Theme& theme, const Snapshot& shown, GameController& controller,
                     ViewState& view, const ScreenRect& area);

}  // namespace fos
