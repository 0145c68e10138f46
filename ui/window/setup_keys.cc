// SPDX-License-Identifier: MIT
#include "ui/window/setup_keys.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <utility>

#include "ui/window/keys.h"

namespace fos {
void HandleSetupKeys(SetupScene& s) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto pressed = [](int key, bool again = false) { return ImGui::IsKeyPressed(key, again); };
  if (s.setup.asked_to_leave || s.setup.ask_rules) {
    for (const Action& action : s.setup.asked_to_leave ? LeaveActions(s) : RulesActions(s)) {
      bool meant = action.key != 0 && pressed(action.key);
      for (const ImWchar letter : io.InputQueueCharacters)
        meant = meant || (action.letter != 0 && letter == action.letter);
      if (!meant) continue;
      action.act();
      break;
    }
    return;
  }
  if (std::exchange(s.view.close_asked, false) || (io.KeyCtrl && pressed(GLFW_KEY_Q))) Leave(s);
  if (s.setup.typing != SetupView::Typing::kNothing) {
    if (pressed(GLFW_KEY_ESCAPE)) s.setup.typing = SetupView::Typing::kNothing;
    return;
  }
  if (io.WantTextInput) return;
  if (io.KeyCtrl) {
    if (pressed(GLFW_KEY_S)) SaveAll(s);
    if (pressed(GLFW_KEY_Z) && s.controller.Undo()) s.hand.Follow();
    if (pressed(GLFW_KEY_Y) && s.controller.Redo()) s.hand.Follow();
    return;
  }
  if (pressed(GLFW_KEY_F1)) s.setup.show_help = !s.setup.show_help;
  if (pressed(GLFW_KEY_F2)) s.view.show_settings = !s.view.show_settings;
  if (pressed(GLFW_KEY_F11)) s.view.full_screen = !s.view.full_screen;
  if (s.view.show_settings || s.setup.show_help) {
    if (pressed(GLFW_KEY_ESCAPE)) s.view.show_settings = s.setup.show_help = false;
    if (s.view.show_settings) {
      for (const ImWchar letter : io.InputQueueCharacters) ChangeSetting(s.view, letter);
    }
    return;
  }
  for (int i = 0; i < kSetupSteps; ++i) {
    if (pressed(GLFW_KEY_F3 + i)) GoToStep(s, i);
  }
  const int step = static_cast<int>(s.setup.step);
  if (pressed(GLFW_KEY_PAGE_DOWN)) GoToStep(s, step + 1);
  if (pressed(GLFW_KEY_PAGE_UP)) GoToStep(s, step - 1);
  if (s.setup.step == SetupStep::kTable && pressed(GLFW_KEY_ESCAPE)) {
    s.setup.clicking = s.setup.ask_north = false;
    s.setup.clicks.clear();
  }
  for (const Action& action : StepActions(s)) {
    if (action.key != 0 && pressed(action.key, action.repeats)) {
      action.act();
      break;
    }
  }
  for (const ImWchar typed : io.InputQueueCharacters) {
    const ImWchar letter = typed == '=' ? '+' : typed;
    bool done = false;
    for (const Actions& actions : {StepActions(s), CommonActions(s)}) {
      for (const Action& action : actions) {
        if (done || action.letter == 0 || action.letter != letter) continue;
        action.act();
        done = true;
      }
    }
    // Letters that the step does not use change the settings, as in a match.
    if (!done) ChangeSetting(s.view, letter);
  }
}

}  // namespace fos
