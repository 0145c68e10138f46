// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ui/window/setup_actions.h"

namespace fos {

// The text field of the set-up: opened by an action, closed by Enter or Esc.
void StartTyping(SetupView& setup, SetupView::Typing what, const std::string& words);
void DrawTypingField(SetupScene& scene);

}  // namespace fos
