// SPDX-License-Identifier: MIT
#include "ui/window/setup_screen.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

#include "ui/window/canvas.h"
#include "ui/window/panel_layout.h"
#include "ui/window/settings_panel.h"
#include "ui/window/setup_actions.h"
#include "ui/window/setup_keys.h"
#include "ui/window/setup_panels.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

constexpr const char* kStepKeys[kSetupSteps] = {"F3", "F4", "F5", "F6", "F7", "F8", "F9"};

Actions Tabs(SetupScene& s) {
  Actions out;
  for (int i = 0; i < kSetupSteps; ++i) {
    out.push_back({kSetupStepNames[i], kStepKeys[i], 0, GLFW_KEY_F3 + i,
                   [&s, i] { GoToStep(s, i); }, i == static_cast<int>(s.setup.step)});
  }
  out.push_back({"help", "F1", 0, GLFW_KEY_F1, [&s] { s.setup.show_help = !s.setup.show_help; }});
  out.push_back({"leave", "Ctrl+Q", 0, 0, [&s] { Leave(s); }});
  return out;
}

void DrawTabs(SetupScene& s, const ScreenRect& area) {
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({area.Width(), area.Height()});
  ImGui::Begin("set-up steps", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  DrawButtons(s.theme, Tabs(s));
  ImGui::End();
}

void DrawSetupHelp(const SetupScene& s, const ScreenRect& area) {
  BeginDialog("set-up help", area);
  Title(s.theme, "Setting up");
  constexpr std::pair<const char*, const char*> kLines[] = {
      {"F3 to F9", "go to a step; PgUp and PgDn: previous, next"},
      {"V", "picture or map"},
      {"+  -  0", "zoom in, out, show all; or the wheel"},
      {"Ctrl+Z  Y", "undo, redo"},
      {"Ctrl+S", "save"},
      {"F2", "settings"},
      {"F11", "full screen"},
      {"Esc", "cancel"},
      {"Ctrl+Q", "leave"},
  };
  for (const auto& [key, does] : kLines) {
    ImGui::TextColored(ToVec4(s.theme.accent), "%s", key);
    ImGui::SameLine(s.theme.Px(100));
    ImGui::TextUnformatted(does);
  }
  ImGui::TextUnformatted("Every button shows its key. Click and drag on the board.");
  ImGui::End();
}

// Asks before unsaved work is lost.
void DrawLeaving(SetupScene& s, const ScreenRect& area) {
  BeginDialog("Leave", area);
  Title(s.theme, "Not saved yet");
  ImGui::TextUnformatted("Table and armies are lost if you leave without saving.");
  for (const Action& action : LeaveActions(s)) {
    if (KeyButton(s.theme, action.name.c_str(), action.key_name)) action.act();
    ImGui::SameLine();
  }
  ImGui::NewLine();
  ImGui::End();
}

// Asks first what decides which armies there are.
void DrawWhichRules(SetupScene& s, const ScreenRect& area) {
  BeginDialog("Which rules", area);
  Title(s.theme, "Which rules do you play?");
  for (const Action& action : RulesActions(s)) {
    if (KeyButton(s.theme, action.name.c_str(), action.key_name)) action.act();
  }
  FaintParagraph(s.theme, "The armies' step (F7) changes them later.");
  ImGui::End();
}

}  // namespace

const ArmySpot* SpotAsked(const SetupView& setup) {
  return setup.reading != nullptr && setup.spot < setup.reading->size()
             ? &(*setup.reading)[setup.spot]
             : nullptr;
}

void DrawSetup(const Theme& theme, const Snapshot& shown, const CameraSeen& seen,
               PictureFeed& pictures, SetupController& controller, SetupHand& hand,
               CameraAsks& camera, const SetupPlace& place, ViewState& view, SetupView& setup) {
  SetupScene s{theme, shown, seen, controller, hand, camera, place, view, setup};
  TakeArmiesRead(s);
  HandleSetupKeys(s);
  view.unsaved = controller.Unsaved();
  if (setup.clicking && setup.clicks.size() >= 4) {
    setup.clicks.resize(4);
    setup.clicking = false;
    setup.ask_north = true;
  }
  view.typing_elsewhere = setup.typing != SetupView::Typing::kNothing;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (theme.body != nullptr) ImGui::PushFont(theme.body);
  const float gap = theme.Px(6);
  const ImGuiStyle& style = ImGui::GetStyle();
  const int rows = ButtonRows(Tabs(s), size.x - 2 * style.WindowPadding.x);
  const float bar = static_cast<float>(rows) * theme.Px(theme.large_controls ? 58 : 42);
  const float preferred =
      std::min(std::clamp(0.34F * size.x, theme.Px(330), std::max(theme.Px(460), 0.34F * size.x)),
               0.6F * size.x);
  ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, size, theme.window);
  const float edge = size.x - ColumnWidth(theme, view.panels, size.x, preferred);
  MoveColumnEdge(theme, {{edge - gap, bar + gap}, {edge, size.y - gap}}, view, size.x);
  const float column = ColumnWidth(theme, view.panels, size.x, preferred);
  const ScreenRect board{{gap, bar + gap}, {size.x - column - gap, size.y - gap}};
  const ScreenRect panel{{size.x - column, bar + gap}, {size.x - gap, size.y - gap}};
  DrawTabs(s, {{0, 0}, {size.x, bar}});
  DrawSetupBoard(theme, shown, seen, pictures, hand, view, setup, board);
  DrawSetupStep(s, panel);
  // A row of the list that was dropped on the board goes to that square.
  if (setup.dragged_row && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const std::size_t row = *std::exchange(setup.dragged_row, std::nullopt);
    const auto square = setup.under_pointer
                            ? controller.Table().frame.SquareAt(*setup.under_pointer)
                            : std::optional<SquareIndex>();
    if (square && setup.step == SetupStep::kArmies) {
      hand.ChooseRow(row);
      hand.Add(square);
    }
  }
  const ScreenRect whole{{0, 0}, size};
  if (!view.show_settings) view.look_before.reset();
  if (view.show_settings) DrawSettings(theme, view, whole);
  if (setup.show_help) DrawSetupHelp(s, whole);
  if (setup.asked_to_leave) {
    DrawLeaving(s, whole);
  } else if (setup.ask_rules) {
    DrawWhichRules(s, whole);
  }
  if (theme.body != nullptr) ImGui::PopFont();
}

}  // namespace fos
