// SPDX-License-Identifier: MIT
#include "ui/window/status_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "ui/window/canvas.h"
#include "ui/window/keys.h"
#include "ui/window/log_panel.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

// How long the message that the camera was moved stays up, seconds of play: players must have time
// to look up from the table.
constexpr double kNews_s = 6;

bool FoundAgainLately(const Snapshot& shown) {
  return shown.found_again_s && shown.frame.time_s - *shown.found_again_s < kNews_s;
}

// The scenario has units and none of their stands is seen.
bool MissesAllStands(const Snapshot& shown) {
  return shown.stands != nullptr && shown.stands->empty() && !shown.facts->scenario.units.empty();
}

// Shots are not called until the players have answered.
bool AsksAboutSetup(const Snapshot& shown) { return shown.setup && !shown.setup->accepted; }

}  // namespace

std::string WatchingText(const Snapshot& shown) {
  switch (shown.watching) {
    case Watching::kLooking:
      return "LOOKING FOR THE TABLE: keep hands off";
    case Watching::kWatching:
      return shown.stands == nullptr ? "FINDING THE STANDS: keep hands off"
             : MissesAllStands(shown) ? "NO STAND FOUND: check the light and the armies' colours"
             : AsksAboutSetup(shown) ? "IS THIS THE SCENARIO'S TABLE? F12 if it is right"
                                      : "WATCHING";
    case Watching::kHands:
      return "NOT WATCHING: hands over the table";
    case Watching::kBlind:
      return "NOT WATCHING: the picture is no good";
    case Watching::kCameraMoved:
      return "NOT WATCHING: the camera was moved";
    case Watching::kNoCamera:
      return "NOT WATCHING: no camera";
    case Watching::kNoTable:
      return "GAME WITHOUT A CAMERA";
    case Watching::kReplay:
      return "REPLAY";
    case Watching::kEnded:
      return "END OF THE RECORDING";
    case Watching::kFailed:
      return "STOPPED";
  }
  return "";
}

namespace {

// The name and the rest in one line of at most that width. A long name loses its end.
std::string FactsWithin(std::string name, const std::string& rest, float width) {
  const auto fits = [&](const std::string& words) {
    return ImGui::CalcTextSize(words.c_str()).x <= width;
  };
  if (fits(name + rest)) return name + rest;
  while (!name.empty()) {
    const auto in_letter = [&] { return (static_cast<unsigned char>(name.back()) & 0xC0) == 0x80; };
    while (name.size() > 1 && in_letter()) name.pop_back();
    name.pop_back();
    if (fits(name + "..." + rest)) return name + "..." + rest;
  }
  return fits(rest) ? rest : "";
}

}  // namespace

void DrawStatus(const Theme& theme, const Snapshot& shown, ViewState& view,
                const ScreenRect& area) {
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({area.Width(), area.Height()});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{theme.Px(12), theme.Px(7)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
  ImGui::PushStyleColor(
      ImGuiCol_WindowBg,
      WatchingColour(theme, shown.watching == Watching::kWatching &&
                                    (shown.stands == nullptr || MissesAllStands(shown) ||
                                     AsksAboutSetup(shown))
                                ? Watching::kLooking
                                : shown.watching));
  ImGui::PushStyleColor(ImGuiCol_Text, Rgba(255, 255, 255));
  ImGui::Begin("Status", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  Title(theme, WatchingText(shown).c_str());
  ImGui::SameLine(0, theme.Px(20));
  const std::string name = shown.facts->scenario.name.empty()
                               ? std::filesystem::path(shown.facts->name).filename().string()
                               : shown.facts->scenario.name;
  const std::size_t shots = shown.shots.size();
  const std::string rest =
      fmt::format("   {}   {} shot{}", ClockText(shown.frame.time_s), shots, shots == 1 ? "" : "s");
  ImGui::PushStyleColor(ImGuiCol_Button, Rgba(0, 0, 0, 60));
  const char* const help = "F1  help";
  const char* const settings = "F2  settings";
  const char* const arrangement = view.arrangement == Arrangement::kBoth ? "V  picture + map"
                                  : view.arrangement == Arrangement::kPictureOnly ? "V  picture"
                                                                                  : "V  map";
  const ImGuiStyle& style = ImGui::GetStyle();
  const float wide = ImGui::CalcTextSize(help).x + ImGui::CalcTextSize(settings).x +
                     ImGui::CalcTextSize(arrangement).x + 6 * style.FramePadding.x +
                     2 * style.ItemSpacing.x + theme.Px(12);
  const float buttons = std::max(area.Width() - wide, theme.Px(300));
  // On the baseline of the title, whose letters are larger.
  ImGui::SetCursorPosY(theme.Px(10));
  const float room = buttons - ImGui::GetCursorPosX() - style.ItemSpacing.x;
  ImGui::TextUnformatted(FactsWithin(name, rest, room).c_str());
  ImGui::SameLine(buttons);
  ImGui::SetCursorPosY(theme.Px(5));
  if (ImGui::Button(arrangement)) NextArrangement(view);
  ImGui::SameLine();
  if (ImGui::Button(settings)) view.show_settings = !view.show_settings;
  ImGui::SameLine();
  if (ImGui::Button(help)) view.show_help = !view.show_help;
  ImGui::PopStyleColor();
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

void DrawBanner(const Theme& theme, const Snapshot& shown, const ScreenRect& area) {
  std::string words;
  std::string more;
  switch (shown.watching) {
    case Watching::kHands:
      words = WatchingText(shown);
      break;
    case Watching::kBlind:
      words = WatchingText(shown);
      more = shown.why;
      break;
    case Watching::kCameraMoved:
      words = WatchingText(shown);
      more = "Keep hands off: the table is being found again.";
      break;
    case Watching::kNoCamera:
      words = WatchingText(shown);
      more = "Plug the camera in again. The game then continues.";
      break;
    case Watching::kLooking:
      words = "LOOKING FOR THE TABLE";
      more = shown.why;
      break;
    case Watching::kFailed:
      words = "STOPPED";
      more = shown.why;
      break;
    case Watching::kWatching:
    case Watching::kNoTable:
    case Watching::kReplay:
    case Watching::kEnded:
      if (!FoundAgainLately(shown)) return;
      words = "The camera was moved. The table has been found again.";
      break;
  }
  const ImFont* title = theme.title != nullptr ? theme.title : ImGui::GetFont();
  const ImFont* body = theme.body != nullptr ? theme.body : ImGui::GetFont();
  const float room = area.Width() - theme.Px(48);
  // Large enough to be read from three metres away, if the area has room.
  const float natural = title->CalcTextSizeA(theme.Px(32), 1e6F, 0, words.c_str()).x;
  const float size = theme.Px(32) * std::min(1.0F, room / std::max(natural, 1.0F));
  const ImVec2 extent = title->CalcTextSizeA(size, 1e6F, 0, words.c_str());
  const float small = theme.Px(17);
  const ImVec2 below =
      more.empty() ? ImVec2{0, 0} : body->CalcTextSizeA(small, 1e6F, room, more.c_str());
  const float width = std::max(extent.x, below.x);
  const float middle = 0.5F * (area.low.x + area.high.x);
  const ImVec2 low{middle - width / 2 - theme.Px(20), area.low.y + theme.Px(14)};
  const ImVec2 high{middle + width / 2 + theme.Px(20),
                    low.y + extent.y + below.y + theme.Px(more.empty() ? 16.0F : 22.0F)};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(low, high, Faded(WatchingColour(theme, shown.watching), 0.93F), theme.Px(10));
  list.AddText(title, size, {middle - extent.x / 2, low.y + theme.Px(8)}, Rgba(255, 255, 255),
               words.c_str());
  if (!more.empty()) {
    list.AddText(body, small, {middle - below.x / 2, low.y + extent.y + theme.Px(12)},
                 Rgba(255, 255, 255), more.c_str(), nullptr, room);
  }
}

bool CameraFails(const Snapshot& shown) {
  return shown.watching == Watching::kBlind || shown.watching == Watching::kCameraMoved ||
         shown.watching == Watching::kNoCamera || shown.watching == Watching::kFailed;
}

void DrawVerdictWaits(const Theme& theme, int shot, const ScreenRect& area) {
  // Below the banner, which says what is more urgent.
  const ImVec2 at{0.5F * (area.low.x + area.high.x), area.low.y + theme.Px(110)};
  DrawPlate(*ImGui::GetForegroundDrawList(), theme, at,
            fmt::format("Shot {} is judged. Its verdict comes up when you have finished.", shot),
            Rgba(255, 255, 255), theme.Px(22));
}

namespace {

// How much smaller than usual the letters of the keys' four columns must be to fit the room.
float KeysScale(const Theme& theme, ImVec2 room) {
  std::array<float, 4> columns{};
  const std::vector<KeyHelp>& keys = KeyHelps();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    float& key = columns.at(2 * (i % 2));
    float& does = columns.at(2 * (i % 2) + 1);
    key = std::max(key, ImGui::CalcTextSize(keys[i].key).x);
    does = std::max(does, ImGui::CalcTextSize(keys[i].does).x);
  }
  const float wide = columns[0] + columns[1] + columns[2] + columns[3];
  const float rows = std::ceil(static_cast<float>(keys.size()) / 2);
  constexpr float kSmallest = 0.7F;
  return std::clamp(std::min((room.x - theme.Px(60)) / wide,
                             (room.y / rows - theme.Px(3)) / ImGui::GetTextLineHeight()),
                    kSmallest, 1.0F);
}

}  // namespace

void DrawHelp(const Theme& theme, ViewState& view, const ScreenRect& area) {
  BeginDialog("Help", area);
  Title(theme, "Keys");
  ImGui::SameLine(0, theme.Px(20));
  if (KeyButton(theme, "close", "Esc")) view.show_help = false;
  FaintParagraph(theme,
                 "Green strip: shots are judged; any other colour says why not. Wheel: zoom. Drag: "
                 "move the view. Click a line of the log to see it.");
  ImGui::Separator();
  // All of them, and whole, on a small screen too.
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2{theme.Px(6), theme.Px(1.5F)});
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  ImGui::SetWindowFontScale(
      KeysScale(theme, {area.Width() - 2 * padding.x,
                        area.Height() - ImGui::GetCursorPosY() - padding.y}));
  if (ImGui::BeginTable("keys", 4, ImGuiTableFlags_SizingFixedFit)) {
    for (const KeyHelp& key : KeyHelps()) {
      ImGui::TableNextColumn();
      ImGui::TextColored(ToVec4(theme.accent), "%s", key.key);
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(key.does);
    }
    ImGui::EndTable();
  }
  ImGui::SetWindowFontScale(1);
  ImGui::PopStyleVar();
  ImGui::End();
}

}  // namespace fos
