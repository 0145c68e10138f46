#pragma once

#include <string>
#include <vector>

#include "ui/app/game_desk.h"
#include "ui/app/player_word.h"
#include "ui/app/snapshot.h"
#include "ui/projection.h"
#include "ui/theme.h"
#include "ui/view_state.h"

namespace fos {

// The game as the rule set runs it, whatever rule set that is: what is asked, of whom, and every
// answer there is, each with its key.

// Whose turn it is, the question, the answers; the camera's shot that waits to fall.
void DrawGame(const Theme& theme, const Snapshot& shown, GameDesk& desk, ViewState& view,
              WordSink& words, const ScreenRect& area);
// The line being typed and the clauses, over everything else.
void DrawGameDialogs(const Theme& theme, const Snapshot& shown, GameDesk& desk, ViewState& view,
                     const ScreenRect& area);
// The keys of the game. True: this frame's letters were its own.
bool HandleGameKeys(const Snapshot& shown, GameDesk& desk, ViewState& view);
// A click on the table: a unit, the square of an option, or where a shot lies.
void TakeClick(const Snapshot& shown, GameDesk& desk, ViewState& view);
// On the map or the picture: burning squares, what the game asks about, and what the chosen unit
// may do, the option pointed at with its way.
void DrawGameOverlay(ImDrawList& list, const Theme& theme, const Projection& on,
                     const Snapshot& shown, GameDesk& desk, const ViewState& view);

// The answers the panel lists now, in their order.
std::vector<LineOption> ListedOptions(GameDesk& desk, const ViewState& view);
// Units and pieces that have something to do yet, in the order of the table.
std::vector<std::string> ToActYet(const GameShown& game);
// The newest shot of the camera that has not fallen in the game; nullptr: none waits.
const ShotShown* WaitingShot(const Snapshot& shown, const GameDesk& desk);

// A game that no camera looks at, as the window shows one that a camera does.
std::shared_ptr<const Snapshot> PlainSnapshot(const GameDesk& desk, double time_s);

}  // namespace fos
