#pragma once

#include <vector>

#include "ui/app/player_word.h"
#include "ui/app/snapshot.h"
#include "ui/view_state.h"

namespace fos {

// What the keyboard asks for in this frame, off ImGui's input. While words are being typed only Esc
// is a key. Nothing in the window is reachable by mouse alone.
void HandleKeys(const Snapshot& shown, ViewState& view, WordSink& words);
void NextArrangement(ViewState& view);
// Letters and buttons one step larger (+1) or smaller (-1).
void Rescale(ViewState& view, int step);

struct KeyHelp {
  const char* key;
  const char* does;
};
const std::vector<KeyHelp>& KeyHelps();

}  // namespace fos
