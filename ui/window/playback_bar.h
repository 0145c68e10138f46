// SPDX-License-Identifier: MIT
#pragma once

#include "ui/session/player_decision.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"

namespace fos {

// Of the bar at that width: where its controls have no room in one row it has several.
float PlaybackHeight(const Theme& theme, float width);
// The controls of a recording, which fill `area`: pause, one picture on or back, speed, the shot
// before and the next, and a slider over its pictures. Draws nothing where none plays.
void DrawPlayback(const Theme& theme, const Snapshot& shown, ViewState& view, DecisionSink& words,
                  const ScreenRect& area);
// Its keys: F5 speed, F7 pause, F8 one picture on, with Shift one back,
// Home the shot before, End the next.
void HandlePlaybackKeys(const Snapshot& shown, DecisionSink& words);

}  // namespace fos
