#pragma once

#include <string>
#include <vector>

#include "ui/play/game_controller.h"
#include "ui/session/player_word.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// The game as the rule set runs it, whatever rule set that is: what is asked, of whom, and every
// answer there is, each with its key.

// Whose turn it is, the question, the answers; the camera's shot that waits to fall.
void DrawGame(const Theme& theme, const Snapshot& shown, GameController& controller,
              ViewState& view, WordSink& words, const ScreenRect& area);
// The line being typed and the clauses, over everything else.
void DrawGameDialogs(const Theme& theme, const Snapshot& shown, GameController& controller,
                     ViewState& view, const ScreenRect& area);
// The keys of the game. True: this frame's letters were its own.
bool HandleGameKeys(const Snapshot& shown, GameController& controller, ViewState& view);
// A click on the table: a unit, the square of an option, or where a shot lies.
void TakeClick(const Snapshot& shown, GameController& controller, ViewState& view);
// On the map or the picture: burning squares, what the game asks about, and what the chosen unit
// may do, the option pointed at with its way.
void DrawGameOverlay(ImDrawList& list, const Theme& theme, const Projection& on,
                     const Snapshot& shown, GameController& controller, const ViewState& view);

// The answers the panel lists now, in their order.
std::vector<LineOption> ListedOptions(GameController& controller, const ViewState& view);
// Units and pieces that have something to do yet, in the order of the table.
std::vector<std::string> ToActYet(const GameShown& game);
// The newest shot of the camera that has not fallen in the game; nullptr: none waits.
const ShotShown* WaitingShot(const Snapshot& shown, const GameController& controller);

// A game that no camera looks at, as the window shows one that a camera does.
std::shared_ptr<const Snapshot> PlainSnapshot(const GameController& controller, double time_s);

}  // namespace fos
