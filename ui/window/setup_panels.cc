// SPDX-License-Identifier: MIT
#include "ui/window/setup_panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/rules/rule_sets.h"
#include "engine/table/sentence.h"
#include "ui/window/setup_typing.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

ImU32 ToneColour(const Theme& theme, Hint::Tone tone) {
  return tone == Hint::Tone::kGood    ? CallColour(theme, Call::kMiss)
         : tone == Hint::Tone::kCould ? CallColour(theme, Call::kTooClose)
                                      : CallColour(theme, Call::kHit);
}

const char* ToneWord(Hint::Tone tone) {
  return tone == Hint::Tone::kGood ? "good" : tone == Hint::Tone::kCould ? "fair" : "poor";
}

// The open camera or recording as its button calls it.
std::string NameOfSource(const SetupScene& s) {
  for (const CameraDevice& device : s.place.devices)
    if (device.source == s.seen.source && !device.name.empty()) return device.name;
  return s.seen.source;
}

void CameraPanel(SetupScene& s) {
  Paragraph("Choose the camera that looks at the table. Adjust it until every line below is good.");
  if (s.place.cameras == 0) {
    FaintParagraph(s.theme,
                   "No camera is plugged in. You can choose a recording or a stream instead.");
  }
  DrawButtons(s.theme, StepActions(s));
  ImGui::Separator();
  if (s.seen.source.empty()) {
    FaintParagraph(s.theme,
                   "No camera is open. Terrain and armies can be set up on the map without one.");
    return;
  }
  Paragraph(NameOfSource(s) + (s.seen.ended ? " (ended)" : ""));
  WarningParagraph(s.theme, Capitalised(s.seen.why));
  if (!s.seen.frame.bgr.empty()) {
    FaintParagraph(s.theme,
                   fmt::format("{} x {} pixels", s.seen.frame.bgr.cols, s.seen.frame.bgr.rows));
  }
  for (const Hint& hint : s.seen.hints) {
    Chip(s.theme, ToneWord(hint.tone), ToneColour(s.theme, hint.tone));
    ImGui::SameLine(s.theme.Px(80));
    Paragraph(hint.text);
  }
}

void LensPanel(SetupScene& s) {
  Paragraph(
      "Calibrate the lens once for each camera, zoom and picture size. Print the board "
      "(`fallofshot print`), glue it to something flat and move it about in front of the camera. "
      "The program takes the views it needs.");
  DrawButtons(s.theme, StepActions(s));
  ImGui::Separator();
  if (s.seen.collecting) {
    const LensCollection& views = s.seen.views;
    Paragraph(fmt::format("{} of {} views", views.views, views.wanted));
    ImGui::ProgressBar(views.wanted > 0 ? std::min(1.0F, static_cast<float>(views.views) /
                                                             static_cast<float>(views.wanted))
                                        : 0.0F);
    if (!views.next.empty()) WarningParagraph(s.theme, "Next: " + views.next);
    if (!views.last.empty()) FaintParagraph(s.theme, views.last);
    constexpr const char* kWays[] = {"left", "right", "top", "bottom"};
    std::string tilts;
    for (std::size_t i = 0; i < views.tilted.size(); ++i) {
      tilts +=
          fmt::format("{}{} {}", i > 0 ? ", " : "", kWays[i], views.tilted[i] ? "seen" : "not yet");
    }
    Paragraph("Sides tilted towards the camera: " + tilts);
    Paragraph(std::string("Near and far: ") + (views.near_and_far ? "seen" : "not yet"));
    return;
  }
  if (!s.seen.lens_said.empty()) Paragraph(Capitalised(s.seen.lens_said));
  if (s.seen.lens != nullptr) {
    Paragraph(fmt::format("The lens is calibrated for pictures of {} x {}.", s.seen.lens->width_px,
                          s.seen.lens->height_px));
  } else {
    FaintParagraph(
        s.theme,
        "The lens is not calibrated. The program assumes a common webcam's lens and states "
        "larger errors.");
  }
}

void TablePanel(SetupScene& s) {
  const TableFrame& frame = s.controller.Table().frame;
  Paragraph(fmt::format("The board has {} x {} squares of {:g} in.", frame.columns, frame.rows,
                        frame.square_in));
  if (s.setup.height) {
    Paragraph(fmt::format("The camera hangs {:g} in above the board, +/- {:g} in.",
                          s.setup.height->inches, s.setup.height->sigma_in));
  }
  if (s.setup.ask_north) {
    WarningParagraph(s.theme, "Which way is north in the picture? Press an arrow key.");
  } else if (s.setup.clicking) {
    WarningParagraph(
        s.theme,
        fmt::format("Click the four corners of the board in any order: {} of 4 done. Each click "
                    "snaps to the nearest crossing.",
                    s.setup.clicks.size()));
  }
  DrawButtons(s.theme, StepActions(s));
  // The earlier result is being corrected: do not show it.
  if (s.setup.clicking || s.setup.ask_north) return;
  ImGui::Separator();
  if (s.seen.found == nullptr) {
    WarningParagraph(s.theme, Capitalised(s.seen.table_said));
    if (s.seen.table_said.empty()) {
      FaintParagraph(s.theme, s.seen.frame.bgr.empty() ? "Open a camera first."
                                                       : "The table has not been looked for yet.");
    }
    return;
  }
  const TableRegistration& table = s.seen.found->table;
  Paragraph(s.seen.table_said + ".");
  // "good: ...", "usable: ...", or what to do about it.
  const std::size_t colon = table.sentence.find(':');
  const std::string verdict = table.sentence.substr(0, colon);
  constexpr std::size_t kLongest = 24;
  if (colon != std::string::npos && verdict.size() <= kLongest) {
    Chip(s.theme, verdict.c_str(),
         ToneColour(s.theme, verdict == "good"                       ? Hint::Tone::kGood
                             : table.trust == TableTrust::kUntrusted ? Hint::Tone::kMust
                                                                     : Hint::Tone::kCould));
    Paragraph(table.sentence.substr(std::min(colon + 2, table.sentence.size())));
  } else {
    Paragraph(table.sentence);
  }
  if (s.seen.found->north_guessed) {
    WarningParagraph(
        s.theme,
        "The lines do not show which side is north. The program assumes that it is up; press N to "
        "change it.");
  }
  if (!table.relies_on.empty()) FaintParagraph(s.theme, "This relies on " + table.relies_on + ".");
  if (!table.held_out.empty()) {
    double worst = 0;
    for (const auto& one : table.held_out) worst = std::max(worst, Norm(one.error_in));
    FaintParagraph(
        s.theme,
        fmt::format("Check: {} that the fit did not use. The lines on the picture show their "
                    "errors fifty times enlarged; the worst is {:.3f} in.",
                    Counted(table.held_out.size(), "crossing"), worst));
  }
  FaintParagraph(
      s.theme,
      "Swabs and shells differ from club to club. To show the program yours, save, leave, and run "
      "`fallofshot calibrate projectiles CAMERA --rig RIG --scenario SCENARIO`.");
}

void DrawSwatch(const Theme& theme, Colour paint) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetTextLineHeight();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + 2 * side, at.y + side}, Rgba(paint.r, paint.g, paint.b));
  list.AddRect(at, {at.x + 2 * side, at.y + side}, theme.faint);
  ImGui::Dummy({2 * side, side});
}

void ColoursPanel(SetupScene& s) {
  Paragraph(
      "Put the armies in their squares. The program then learns how their paints look in this "
      "light.");
  DrawButtons(s.theme, StepActions(s));
  ImGui::Separator();
  if (s.seen.colours != nullptr && s.seen.colours->text.empty()) {
    Paragraph(s.seen.colours_said);
  } else {
    WarningParagraph(s.theme, Capitalised(s.seen.colours_said));
  }
  if (s.seen.colours == nullptr) return;
  for (const SideSpec& side : s.controller.Plan().sides) {
    DrawSwatch(s.theme, side.paint);
    ImGui::SameLine();
    const auto seen = s.seen.colours->paints.find(side.name);
    if (seen != s.seen.colours->paints.end()) {
      DrawSwatch(s.theme, seen->second);
      ImGui::SameLine();
      Paragraph(side.name + ": as planned, as seen by the camera");
    } else {
      Paragraph(side.name + ": as planned; no stand was found");
    }
  }
}

void TerrainPanel(SetupScene& s) {
  Paragraph(
      s.hand.Drawing()
          ? fmt::format("Drawing a {}: click its corners in order, then the first one again to "
                        "close it. Or move the cross with the arrow keys.",
                        s.hand.Type())
      : s.hand.Area() >= 0
          ? fmt::format(
                "Changing a {}: drag a corner or the whole piece. Or choose a corner with Tab "
                "and move it with the arrow keys (with Shift in fine steps).",
                s.hand.Type())
          : "Draw around every wood, house, road and river. Click a piece to change it.");
  // The kinds of terrain, for the pointer; K and J step through them.
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  for (const std::string& type : SetupController::TerrainTypes()) {
    const bool chosen = type == s.hand.Type();
    if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, ToVec4(Faded(s.theme.accent, 0.45F)));
    if (ImGui::Button(type.c_str())) s.hand.SetType(type);
    if (chosen) ImGui::PopStyleColor();
    if (ImGui::GetItemRectMax().x + s.theme.Px(70) < right) ImGui::SameLine();
  }
  ImGui::NewLine();
  DrawButtons(s.theme, StepActions(s));
  const auto& terrain = s.controller.Plan().terrain;
  if (s.hand.Area() >= 0 && static_cast<std::size_t>(s.hand.Area()) < terrain.size()) {
    const TerrainArea& area = terrain[static_cast<std::size_t>(s.hand.Area())];
    Paragraph(fmt::format("{}: {}, {:.4g} in high, {:.0f} square inches", Capitalised(area.type),
                          Counted(area.polygon.size(), "corner"), area.height_in,
                          Area(area.polygon)));
  }
  if (const TerrainObject* tree = s.hand.Tree()) {
    Paragraph(fmt::format("The tree is {:.4g} in high. U and D change that.", tree->height_in));
  }
  FaintParagraph(s.theme, Counted(terrain.size(), "piece") + " of terrain");
}

void ArmiesPanel(SetupScene& s) {
  const Scenario& plan = s.controller.Plan();
  if (const ArmySpot* spot = SpotAsked(s.setup)) {
    WarningParagraph(
        s.theme, fmt::format("Place {} of {}: what of {} stands in {}?", s.setup.spot + 1,
                             s.setup.reading->size(),
                             plan.sides[static_cast<std::size_t>(spot->side)].name,
                             SquareName(spot->square)));
  }
  for (std::size_t i = 0; i < plan.sides.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    DrawSwatch(s.theme, plan.sides[i].paint);
    ImGui::SameLine();
    const std::string words = s.controller.PointsOf(static_cast<int>(i)) > 0
                                  ? fmt::format("{}: {:g} points", plan.sides[i].name,
                                                s.controller.PointsOf(static_cast<int>(i)))
                                  : plan.sides[i].name;
    if (ImGui::Selectable(words.c_str(), static_cast<int>(i) == s.hand.Side())) {
      s.hand.ChooseSide(static_cast<int>(i));
    }
    ImGui::PopID();
  }
  DrawButtons(s.theme, StepActions(s));
  ImGui::Separator();
  if (s.hand.Unit() >= 0 && static_cast<std::size_t>(s.hand.Unit()) < plan.units.size()) {
    const UnitSpec& unit = plan.units[static_cast<std::size_t>(s.hand.Unit())];
    const std::string kind = KeyInWords(plan.kinds[static_cast<std::size_t>(unit.kind)].name);
    Paragraph(fmt::format("{}: {}, {}, {} in {}, facing {}", unit.id, kind,
                          plan.sides[static_cast<std::size_t>(unit.side)].name,
                          Counted(static_cast<std::size_t>(unit.stands), "stand"),
                          SquareName(unit.square), FacingName(unit.facing)));
    FaintParagraph(s.theme, "Drag the unit, or move it from square to square with the arrow keys.");
    ImGui::Separator();
  }
  FaintParagraph(
      s.theme,
      fmt::format("Troops of the {} rules: choose one with Up and Down, or drag it onto the board.",
                  RuleSetTitle(plan.ruleset)));
  const float left = ImGui::GetContentRegionAvail().y;
  const float faults = std::min(0.4F * left, s.theme.Px(110));
  ImGui::BeginChild("troops", {0, std::max(left - faults, s.theme.Px(60))});
  for (std::size_t i = 0; i < s.controller.Troops().size(); ++i) {
    const Troop& troop = s.controller.Troops()[i];
    ImGui::PushID(static_cast<int>(i));
    const bool chosen = i == s.hand.Row();
    if (ImGui::Selectable("##row", chosen)) s.hand.ChooseRow(i);
    if (ImGui::IsItemActive()) s.setup.dragged_row = i;
    if (chosen && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
    ImGui::SameLine(s.theme.Px(4));
    ImGui::TextUnformatted(troop.name.c_str());
    const std::string cost = troop.points > 0
                                 ? fmt::format("{} x {:g} = {:g} pts", troop.stands, troop.points,
                                               troop.stands * troop.points)
                                 : Counted(static_cast<std::size_t>(troop.stands), "stand");
    ImGui::SameLine(std::max(s.theme.Px(120), ImGui::GetWindowContentRegionMax().x -
                                                  ImGui::CalcTextSize(cost.c_str()).x -
                                                  s.theme.Px(6)));
    ImGui::PushStyleColor(ImGuiCol_Text, ToVec4(s.theme.faint));
    ImGui::TextUnformatted(cost.c_str());
    ImGui::PopStyleColor();
    ImGui::PopID();
  }
  ImGui::EndChild();
}

void DrawFaults(const SetupScene& s) {
  if (s.controller.Faults().empty()) {
    Paragraph("Nothing on the table breaks the rules.");
    return;
  }
  constexpr std::size_t kMost = 6;
  for (std::size_t i = 0; i < s.controller.Faults().size() && i < kMost; ++i) {
    WarningParagraph(s.theme, "- " + Capitalised(s.controller.Faults()[i]));
  }
  if (s.controller.Faults().size() > kMost) {
    FaintParagraph(s.theme, fmt::format("and {} more", s.controller.Faults().size() - kMost));
  }
}

void SavePanel(SetupScene& s) {
  const Scenario& plan = s.controller.Plan();
  Paragraph(plan.name.empty() ? "The battle has no name yet." : plan.name);
  Paragraph(fmt::format(
      "{} rules, {}, {} of terrain, {}", RuleSetTitle(plan.ruleset),
      Counted(plan.units.size(), "unit"), Counted(plan.terrain.size(), "piece"),
      plan.turns ? Counted(static_cast<std::size_t>(*plan.turns), "turn") : "no turn limit"));
  FaintParagraph(s.theme,
                 fmt::format("The files go to {0}. `fallofshot setup --out {0}` opens them again.",
                             s.place.folder));
  DrawButtons(s.theme, StepActions(s));
  ImGui::Separator();
  if (!s.seen.saved.empty()) Paragraph(s.seen.saved);
  DrawFaults(s);
}

}  // namespace

void DrawSetupStep(SetupScene& s, const ScreenRect& area) {
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({area.Width(), area.Height()});
  // It may scroll, where the window is too small.
  ImGui::Begin("set-up step", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  Title(s.theme, kSetupStepNames[static_cast<int>(s.setup.step)]);
  DrawTypingField(s);
  WarningParagraph(s.theme, Capitalised(s.setup.said));
  WarningParagraph(s.theme, Capitalised(s.hand.Refused()));
  switch (s.setup.step) {
    case SetupStep::kCamera:
      CameraPanel(s);
      break;
    case SetupStep::kLens:
      LensPanel(s);
      break;
    case SetupStep::kTable:
      TablePanel(s);
      break;
    case SetupStep::kColours:
      ColoursPanel(s);
      break;
    case SetupStep::kTerrain:
      TerrainPanel(s);
      break;
    case SetupStep::kArmies:
      ArmiesPanel(s);
      DrawFaults(s);
      break;
    case SetupStep::kSave:
      SavePanel(s);
      break;
  }
  ImGui::End();
}

}  // namespace fos
