// SPDX-License-Identifier: MIT
#include "ui/window/log_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "ui/window/canvas.h"
#include "ui/window/game_answers.h"
#include "ui/window/widgets.h"

namespace fos {

std::string ClockText(double seconds) {
  const double s = std::isfinite(seconds) && seconds > 0 ? seconds : 0;
  const auto minutes = static_cast<long>(s / 60);
  return fmt::format("{}:{:04.1f}", minutes, s - 60 * static_cast<double>(minutes));
}

namespace {

// The line as a sentence; a name at its start, such as that of a stand, stays as it is.
std::string AsSentence(const std::string& line) {
  const std::string first = line.substr(0, line.find(' '));
  const bool word =
      std::all_of(first.begin(), first.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return word ? Capitalised(line) : line;
}

}  // namespace

std::vector<LogRow> LogRows(const Snapshot& shown, const GameController* controller,
                            std::string_view search) {
  std::vector<LogRow> out;
  for (const LogLine& line : *shown.log) {
    LogRow row{line.time_s, AsSentence(line.text), line.category, line.shot, 0, {}};
    row.undone = line.undone;
    out.push_back(std::move(row));
  }
  const std::size_t seen = out.size();
  if (controller != nullptr) {
    for (const GameLogEntry& entry : controller->Now()->log) {
      LogRow row;
      row.time_s = entry.time_s;
      row.shot = entry.shot;
      row.number = entry.number;
      row.clauses = entry.clauses;
      row.line = entry.line.substr(0, entry.line.find(" drawn "));
      row.undone = entry.undone;
      if (!entry.refused.empty()) {
        row.category = LogLine::Category::kWarning;
        row.text = fmt::format("{}: refused. {}", entry.line, entry.refused);
      } else {
        row.category = LogLine::Category::kPlain;
        row.text = entry.said;
        if (!row.text.empty() && row.text.back() != '.') row.text += '.';
        for (const std::string& told : entry.told) {
          // What comes next is asked beside the table.
          if (told.starts_with("Next:") && !row.text.empty()) continue;
          row.text += (row.text.empty() ? "" : "  ") + told;
        }
        if (!entry.dice_read.empty()) row.text += "  " + entry.dice_read;
      }
      for (std::size_t i = 0; i < entry.clauses.size(); ++i) {
        row.text += (i == 0 ? "  (" : ", ") + entry.clauses[i];
        if (i + 1 == entry.clauses.size()) row.text += ')';
      }
      out.push_back(std::move(row));
    }
  }
  // Both are in order of time; the merge keeps each in its own order.
  std::inplace_merge(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(seen), out.end(),
                     [](const LogRow& a, const LogRow& b) { return a.time_s < b.time_s; });
  if (search.empty()) return out;
  const auto lower = [](std::string_view text) {
    std::string low(text);
    for (char& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return low;
  };
  const std::string wanted = lower(search);
  std::erase_if(out, [&](const LogRow& row) {
    const bool cited = std::any_of(
        row.clauses.begin(), row.clauses.end(),
        [&](const std::string& clause) { return lower(clause).find(wanted) != std::string::npos; });
    return !cited && lower(row.text).find(wanted) == std::string::npos &&
           lower(row.line).find(wanted) == std::string::npos;
  });
  return out;
}

void DrawLog(const Theme& theme, const Snapshot& shown, const GameController* controller,
             ViewState& view, const ScreenRect& area) {
  BeginPanel("Log", area);
  GamePanelView& chosen = view.game_panel;
  if (chosen.searching) {
    if (chosen.focus_search) ImGui::SetKeyboardFocusHere();
    chosen.focus_search = false;
    ImGui::SetNextItemWidth(-theme.Px(230));
    ImGui::InputText("##search", chosen.search.data(), chosen.search.size());
    ImGui::SameLine();
    ImGui::TextDisabled("search the log (Esc ends)");
    ImGui::BeginChild("lines");
  }
  const bool at_end = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - 1;
  int index = 0;
  for (const LogRow& row :
       LogRows(shown, controller, chosen.searching ? std::string_view(chosen.search.data()) : "")) {
    ImGui::PushID(index++);
    const ImU32 colour = row.category == LogLine::Category::kWarning ? WarningColour(theme)
                         : row.category == LogLine::Category::kShot  ? theme.accent
                                                                     : theme.text;
    ImGui::TextDisabled("%s", ClockText(row.time_s).c_str());
    ImGui::SameLine(theme.Px(70));
    if (row.number > 0) {
      ImGui::TextColored(ToVec4(theme.accent), "%d", row.number);
      ImGui::SameLine(theme.Px(104));
    }
    if (row.undone) {
      StruckParagraph(theme, row.text);
    } else {
      Paragraph(row.text.empty() ? " " : row.text, colour);
    }
    if (!row.line.empty() && ImGui::IsItemHovered())
      ImGui::SetTooltip("%s", ("Typed as: " + row.line).c_str());
    // A click on a line about a shot shows its verdict; on another, its clause.
    if (ImGui::IsItemClicked()) {
      if (row.shot > 0) {
        view.selected_shot = row.shot;
        view.chosen_stand = -1;
        view.show_before = false;
        view.verdict_zoom = 1;
        view.verdict = true;
      } else if (!row.clauses.empty()) {
        ShowClause(chosen, row.clauses.front(), row.number);
      }
    }
    ImGui::PopID();
  }
  if (at_end) ImGui::SetScrollHereY(1);
  if (chosen.searching) ImGui::EndChild();
  ImGui::End();
}

}  // namespace fos
