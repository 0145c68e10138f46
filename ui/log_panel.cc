#include "ui/log_panel.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace fos {

std::string ClockText(double seconds) {
  const double s = std::isfinite(seconds) && seconds > 0 ? seconds : 0;
  const auto minutes = static_cast<long>(s / 60);
  return fmt::format("{}:{:04.1f}", minutes, s - 60 * static_cast<double>(minutes));
}

void DrawLog(const Theme& theme, const Snapshot& shown, ViewState& view, const ScreenRect& area) {
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({area.Width(), area.Height()});
  ImGui::Begin("Log", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  const bool at_end = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - 1;
  int index = 0;
  for (const LogLine& line : *shown.log) {
    ImGui::PushID(index++);
    const ImU32 colour = line.tone == LogLine::Tone::kWarning ? CallColour(theme, Call::kTooClose)
                         : line.tone == LogLine::Tone::kShot  ? theme.accent
                                                              : theme.text;
    ImGui::TextDisabled("%s", ClockText(line.time_s).c_str());
    ImGui::SameLine(theme.Px(70));
    ImGui::PushStyleColor(ImGuiCol_Text, line.tone == LogLine::Tone::kWarning && theme.light
                                             ? Rgba(150, 84, 0)
                                             : colour);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(line.text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    if (line.shot > 0 && ImGui::IsItemClicked()) view.selected_shot = line.shot;
    ImGui::PopID();
  }
  if (at_end) ImGui::SetScrollHereY(1);
  ImGui::End();
}

}  // namespace fos
