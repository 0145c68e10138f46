// SPDX-License-Identifier: MIT
#include "ui/window/playback_bar.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "ui/window/widgets.h"

namespace fos {
namespace {

using Wish = PlaybackWish::What;

// The speeds that F5 goes through.
constexpr std::array<double, 5> kSpeeds = {0.25, 0.5, 1, 2, 4};

double SpeedAfter(double speed) {
  const auto next = std::upper_bound(kSpeeds.begin(), kSpeeds.end(), speed);
  return next == kSpeeds.end() ? kSpeeds.front() : *next;
}

// Which of the controls begin a row in a bar of that width: the six buttons, then the slider.
constexpr std::size_t kSlider = 6;
std::array<bool, kSlider + 1> RowStarts(const Theme& theme, float width) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const auto button = [&](const char* words) {
    return ImGui::CalcTextSize(words).x + 2 * style.FramePadding.x;
  };
  constexpr float kLeastSlider = 170;
  const std::array<float, kSlider + 1> widths = {
      button("pause  F7"),    button("back  Shift+F8"), button("step  F8"),    button("0.25 x  F5"),
      button("< shot  Home"), button("shot >  End"),    theme.Px(kLeastSlider)};
  std::array<bool, kSlider + 1> out{};
  float at = widths[0];
  for (std::size_t i = 1; i < widths.size(); ++i) {
    const float next = at + style.ItemSpacing.x + widths[i];
    out[i] = next > width - 2 * theme.Px(6);
    at = out[i] ? widths[i] : next;
  }
  return out;
}

}  // namespace

float PlaybackHeight(const Theme& theme, float width) {
  const std::array<bool, kSlider + 1> starts = RowStarts(theme, width);
  const auto more = static_cast<float>(std::count(starts.begin(), starts.end(), true));
  const ImGuiStyle& style = ImGui::GetStyle();
  const float row = ImGui::GetFontSize() + 2 * style.FramePadding.y;
  return row + more * (row + style.ItemSpacing.y) + 2 * theme.Px(6);
}

void HandlePlaybackKeys(const Snapshot& shown, DecisionSink& words) {
  if (!shown.playback) return;
  if (ImGui::IsKeyPressed(GLFW_KEY_F7, false)) words.Drive({Wish::kPause, 1, 0});
  if (ImGui::IsKeyPressed(GLFW_KEY_F8))
    words.Drive({ImGui::GetIO().KeyShift ? Wish::kStepBack : Wish::kStep, 1, 0});
  if (ImGui::IsKeyPressed(GLFW_KEY_HOME, false)) words.Drive({Wish::kPreviousShot, 1, 0});
  if (ImGui::IsKeyPressed(GLFW_KEY_END, false)) words.Drive({Wish::kNextShot, 1, 0});
  if (ImGui::IsKeyPressed(GLFW_KEY_F5, false))
    words.Drive({Wish::kSpeed, SpeedAfter(shown.playback->speed), 0});
}

void DrawPlayback(const Theme& theme, const Snapshot& shown, ViewState& view, DecisionSink& words,
                  const ScreenRect& area) {
  if (!shown.playback) return;
  const PlaybackShown& plays = *shown.playback;
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({area.Width(), area.Height()});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{theme.Px(6), theme.Px(5)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
  ImGui::Begin("Playback", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(2);
  const std::array<bool, kSlider + 1> starts = RowStarts(theme, area.Width());
  const auto go_on = [&](std::size_t control) {
    if (!starts.at(control)) ImGui::SameLine();
  };
  if (KeyButton(theme, plays.paused ? "play" : "pause", "F7")) words.Drive({Wish::kPause, 1, 0});
  go_on(1);
  if (KeyButton(theme, "back", "Shift+F8")) words.Drive({Wish::kStepBack, 1, 0});
  go_on(2);
  if (KeyButton(theme, "step", "F8")) words.Drive({Wish::kStep, 1, 0});
  go_on(3);
  if (KeyButton(theme, fmt::format("{:g} x", plays.speed).c_str(), "F5"))
    words.Drive({Wish::kSpeed, SpeedAfter(plays.speed), 0});
  go_on(4);
  if (KeyButton(theme, "< shot", "Home")) words.Drive({Wish::kPreviousShot, 1, 0});
  go_on(5);
  if (KeyButton(theme, "shot >", "End")) words.Drive({Wish::kNextShot, 1, 0});
  if (shown.facts->frames && *shown.facts->frames > 1) {
    go_on(kSlider);
    int at = view.slid_to.value_or(
        static_cast<int>(std::max<std::int64_t>(shown.frame.id.index, 0)));
    ImGui::SetNextItemWidth(-theme.Px(4));
    const char* const format = plays.reviewing  ? "picture %d, again"
                               : plays.hurrying ? "picture %d, judging"
                                                : "picture %d";
    // A drag asks only for its end: what lies between would be judged or decoded for nothing.
    if (ImGui::SliderInt("##picture", &at, 0, static_cast<int>(*shown.facts->frames) - 1, format))
      view.slid_to = at;
    if (ImGui::IsItemDeactivated() && view.slid_to) {
      words.Drive({Wish::kFrame, 1, *view.slid_to});
      view.slid_to.reset();
    }
  }
  ImGui::End();
}

}  // namespace fos
