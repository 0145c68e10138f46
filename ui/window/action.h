// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <imgui.h>

#include "ui/window/theme.h"

namespace fos {

// One thing the player can do now, by its key or by a button that shows the key.
struct Action {
  std::string name;
  const char* key_name = "";
  ImWchar letter = 0;  // the letter that is typed; 0: `key` is pressed instead
  int key = 0;         // GLFW_KEY_...
  std::function<void()> act;
  bool on = false;       // chosen already: drawn lit
  bool button = true;    // false: no button, because dragging on the board does the same
  bool repeats = false;  // repeats while its key is held down
};
using Actions = std::vector<Action>;

// Draws the buttons, as many to a row as fit, and does what is pressed.
void DrawButtons(const Theme& theme, const Actions& actions);
// How many rows DrawButtons() needs at that width.
int ButtonRows(const Actions& actions, float width);

}  // namespace fos
