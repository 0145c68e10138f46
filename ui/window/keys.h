#pragma once

#include <cstddef>
#include <vector>

#include "ui/session/player_word.h"
#include "ui/session/snapshot.h"
#include "ui/window/view_state.h"

namespace fos {

// What the keyboard asks for in this frame, off ImGui's input. While words are being typed only Esc
// is a key. Nothing in the window is reachable by mouse alone.
// game   a game is played: paging through its answers comes before paging through shots.
// taken  what was pressed in this frame was for another already.
void HandleKeys(const Snapshot& shown, ViewState& view, WordSink& words, bool game = false,
                bool taken = false);
// A line, a reason or a search is being typed, or is about to be.
bool WantsWords(const ViewState& view);
void NextArrangement(ViewState& view);
// Where a key of GLFW's leads in a replay: a step on or back, to the verdict behind or before, to
// either end.
std::size_t ReplayStep(const ReplayPlace& at, int key);
// Letters and buttons one step larger (+1) or smaller (-1).
void Rescale(ViewState& view, int step);

struct KeyHelp {
  const char* key;
  const char* does;
};
const std::vector<KeyHelp>& KeyHelps();

}  // namespace fos
