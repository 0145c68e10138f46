// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/table_panel.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// The shot whose verdict the onlookers see; null: they see the table. It is the one whose verdict
// fills the players' screen, or else a new one for some seconds.
std::shared_ptr<const ShotShown> ShotForAudience(const Snapshot& shown, const ViewState& view);

// Draws the onlookers' whole screen, `size` large: one shot's verdict, or the table from above with
// the state of the camera and of the game. No letter is lower than a twelfth of the screen, from
// ascent to descent. Takes no input.
// shot   as from ShotForAudience.
// place  the camera's picture around it; without one the map is drawn.
// game   nullptr: none is played.
void DrawAudience(const Theme& theme, const Snapshot& shown,
                  const std::shared_ptr<const ShotShown>& shot, const ShownPicture& place,
                  const GameShown* game, ImVec2 size);

}  // namespace fos
