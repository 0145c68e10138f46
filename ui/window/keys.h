// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "ui/session/player_decision.h"
#include "ui/session/snapshot.h"
#include "ui/window/view_state.h"

namespace fos {

// Does what this frame's keys ask for. While text is being typed only Esc is a key. Everything in
// the window can be reached by keys.
// game   a game is played: the page keys turn its answers' pages, not the shots.
// taken  this frame's keys were used already.
void HandleKeys(const Snapshot& shown, ViewState& view, DecisionSink& words, bool game = false,
                bool taken = false);
// Text is being typed, or a text field is about to get the keyboard.
bool IsTyping(const ViewState& view);
void NextArrangement(ViewState& view);
// The step that a key (GLFW_KEY_...) leads to in a replay: one step on or back, the next or the
// previous verdict, either end.
std::size_t ReplayStep(const ReplayPlace& at, int key);
// Letters and buttons one step larger (+1) or smaller (-1).
void Rescale(ViewState& view, int step);
// Changes the setting that the letter stands for; false where it stands for none.
bool ChangeSetting(ViewState& view, char32_t letter);

struct KeyHelp {
  const char* key;
  const char* does;
};
const std::vector<KeyHelp>& KeyHelps();

}  // namespace fos
