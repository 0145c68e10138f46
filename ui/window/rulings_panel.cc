// SPDX-License-Identifier: MIT
#include "ui/window/rulings_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ui/session/dispute.h"
#include "ui/session/measured_text.h"
#include "ui/window/canvas.h"
#include "ui/window/keys.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

void DrawList(const Theme& theme, const Snapshot& shown, ViewState& view, float height) {
  ImGui::BeginChild("shots", {0, height});
  for (const auto& shot : shown.shots) {
    const int number = shot->shot.shot.number;
    ImGui::PushID(number);
    const ShotCall call = CallOf(*shot);
    const bool chosen = number == view.selected_shot;
    const ImVec2 start = ImGui::GetCursorPos();
    if (ImGui::Selectable("##row", chosen, 0, {0, ImGui::GetTextLineHeight() + theme.Px(8)})) {
      view.selected_shot = number;
    }
    if (chosen && view.scroll_to_selected) {
      ImGui::SetScrollHereY(0.5F);
      view.scroll_to_selected = false;
    }
    const ImVec2 after = ImGui::GetCursorPos();
    ImGui::SetCursorPos({start.x + theme.Px(6), start.y + theme.Px(4)});
    ImGui::Text("%d", number);
    ImGui::SameLine(theme.Px(38));
    ImGui::TextUnformatted(
        fmt::format("{} in {}", shot->projectile,
                    shot->verdict.ground.square.empty() ? "no square" : shot->verdict.ground.square)
            .c_str());
    ImGui::SameLine(std::max(theme.Px(170), ImGui::GetContentRegionAvail().x - theme.Px(110)));
    Chip(theme, call.word.c_str(), CallColour(theme, call.call));
    ImGui::SetCursorPos(after);
    ImGui::PopID();
  }
  ImGui::EndChild();
}

// What the table of stands says of each.
constexpr std::array<const char*, 5> kStandHeads = {"Stand", "Inches", "Rule", "Chance", "Call"};
constexpr std::size_t kRuleColumn = 2;
using StandRow = std::array<std::string, kStandHeads.size()>;

StandRow RowOf(const ShotShown& shot, const StandVerdict& stand) {
  const std::string& id = stand.stand.stand.text;
  return {id, MeasuredText(stand.measured.gap, " \xC2\xB1"), RuleWords(stand),
          ChanceText(stand.measured.p_within),
          StandWord(shot, stand) + (SettledCall(shot, id).has_value() ? " *" : "")};
}

void DrawStandsTable(const Theme& theme, const ShotShown& shot, const PlayersNames& names,
                     ViewState& view) {
  if (shot.verdict.stands.empty()) {
    ImGui::TextDisabled("No stand is near the circle.");
    return;
  }
  std::vector<StandRow> rows;
  for (const StandVerdict& stand : shot.verdict.stands) rows.push_back(RowOf(shot, stand));
  // The longest words of each column: the columns share the room in proportion.
  std::array<float, kStandHeads.size()> widths{};
  float wide = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] = ImGui::CalcTextSize(kStandHeads[i]).x;
    for (const StandRow& row : rows)
      widths[i] = std::max(widths[i], ImGui::CalcTextSize(row[i].c_str()).x);
    widths[i] += 2 * ImGui::GetStyle().CellPadding.x;
    wide += widths[i];
  }
  // In a narrow column the rule is left out: the sentence above names its clause.
  const bool with_rule = wide <= ImGui::GetContentRegionAvail().x;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
  const int columns = static_cast<int>(kStandHeads.size()) - (with_rule ? 0 : 1);
  if (!ImGui::BeginTable("stands", columns, kFlags)) return;
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (i != kRuleColumn || with_rule) ImGui::TableSetupColumn(kStandHeads[i], 0, widths[i]);
  ImGui::TableHeadersRow();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const StandRow& row = rows[i];
    const int at = static_cast<int>(i);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (ImGui::Selectable(row[0].c_str(), view.chosen_stand == at,
                          ImGuiSelectableFlags_SpanAllColumns)) {
      view.chosen_stand = view.chosen_stand == at ? -1 : at;
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", names.Of(row[0]).c_str());
    for (std::size_t j = 1; j + 1 < row.size(); ++j) {
      if (j == kRuleColumn && !with_rule) continue;
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(row[j].c_str());
    }
    ImGui::TableNextColumn();
    ImGui::TextColored(ToVec4(CallColour(theme, CallAsItCounts(shot, shot.verdict.stands[i]))),
                       "%s", row.back().c_str());
  }
  ImGui::EndTable();
}

void DrawWords(const Theme& theme, const ShotShown& shot) {
  for (const PlayerDecision& word : shot.decisions) {
    switch (word.what) {
      case PlayerDecision::What::kAccept:
        ImGui::TextDisabled("The players accept the verdict.");
        break;
      case PlayerDecision::What::kDispute:
        FaintParagraph(theme, "Disputed: " + word.reason);
        break;
      case PlayerDecision::What::kMove:  // said in full above
      case PlayerDecision::What::kPoint:
      case PlayerDecision::What::kTakeBack:
        break;
      case PlayerDecision::What::kSettle:
        FaintParagraph(theme,
                       fmt::format("* {}: the players say {}.", word.stand, CallWord(word.call)));
        break;
      case PlayerDecision::What::kOverrule:  // of a move, not of a shot
      case PlayerDecision::What::kIdentify:  // of stands
      case PlayerDecision::What::kTable:     // of the table
        break;
    }
  }
}

void DrawThumbnails(const Theme& theme, const ShownPicture& before, const ShownPicture& after,
                    ViewState& view) {
  if (before.texture == ImTextureID{} || after.texture == ImTextureID{}) return;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float side = std::min((room.x - theme.Px(6)) / 2, room.y);
  if (side < theme.Px(70)) return;  // too small to be of use; E shows them large
  ImGui::Image(before.texture, {side, side});
  if (ImGui::IsItemClicked()) view.show_evidence = true;
  ImGui::SameLine(0, theme.Px(6));
  ImGui::Image(after.texture, {side, side});
  if (ImGui::IsItemClicked()) view.show_evidence = true;
}

void DrawReplaySteps(const Theme& theme, const ReplayPlace& at, ViewState& view,
                     DecisionSink& words) {
  DrawReplayWidget(
      theme, {"shot", "step", at.step, at.steps},
      [&](int key) { words.StepTo(ReplayStep(at, key)); },
      [&](std::size_t place) { words.StepTo(place); }, view.replay);
}

}  // namespace

void DrawPointing(const Theme& theme, const Snapshot& shown, ViewState& view, DecisionSink& words) {
  WarningParagraph(theme, "What fell? Click where its point lies.");
  bool first = true;
  for (const ProjectileSpec& spec : shown.facts->scenario.projectiles) {
    const bool swab = spec.type == Projectile::kQtip;
    const std::string name = ProjectileName(spec.type);
    if (!first) ImGui::SameLine();
    if (ImGui::RadioButton(swab ? "a swab" : "a shell", view.projectile == name)) {
      view.projectile = name;
    }
    first = false;
  }
  KeyButtonRow button(theme, /*beside=*/true);
  if (view.moving && button("it lies there", "Enter")) return PostPointedAt(view, words);
  if (button("cancel", "Esc")) StopMoving(view);
}

void DrawShotButtons(const Theme& theme, const ShotShown& shot, const PlayersNames& names, ViewState& view,
                     DecisionSink& words) {
  const int number = shot.shot.shot.number;
  if (view.moving && !view.pointing) {
    Paragraph("Click where the point lies, or move it with the arrow keys.");
    KeyButtonRow button(theme);
    if (button("it lies there", "Enter")) {
      PostMovedPoint(shot, view, words);
      return;
    }
    if (button("cancel", "Esc")) StopMoving(view);
    return;
  }
  if (!shot.question.empty()) {
    if (shot.archived == nullptr) return;
    KeyButtonRow button(theme);
    if (button("say where it is", "X")) StartMoving(shot, view);
    if (button("verdict", "Space")) view.verdict = true;
    return;
  }
  if (const StandVerdict* stand = StandToSettle(shot, view)) {
    const std::string& id = stand->stand.stand.text;
    ImGui::AlignTextToFramePadding();
    Paragraph(fmt::format("{} is:", names.Of(id)));
    KeyButtonRow button(theme, /*beside=*/true);
    if (button("hit", "H")) {
      words.Post({PlayerDecision::What::kSettle, number, id, Call::kHit, {}});
    }
    if (button("miss", "M")) {
      words.Post({PlayerDecision::What::kSettle, number, id, Call::kMiss, {}});
    }
  }
  KeyButtonRow button(theme);
  if (button("evidence", "E")) view.show_evidence = !view.show_evidence;
  if (button("accept", "A")) words.Post({PlayerDecision::What::kAccept, number, {}, {}, {}});
  if (button("dispute in words", "D")) StartDispute(view);
  if (shot.archived != nullptr && button("drag the point", "X")) StartMoving(shot, view);
  if (button("verdict", "Space")) view.verdict = true;
  if (MayTakeBack(shot) && button("take back", "U")) PostTakeBack(shot, words);
}

void DrawDispute(const Snapshot& shown, GameController* controller, ViewState& view,
                 DecisionSink& words) {
  const bool overrules = view.overruled_move != 0;
  ImGui::TextUnformatted("Type the reason. Enter records it, Esc cancels.");
  if (view.focus_reason) {
    ImGui::SetKeyboardFocusHere();
    view.focus_reason = false;
  }
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputText("##reason", view.reason.data(), view.reason.size(),
                                        ImGuiInputTextFlags_EnterReturnsTrue);
  const std::string reason = view.reason.data();
  const bool pressed = ImGui::Button(overrules ? "allow the move" : "record the dispute");
  ImGui::SameLine();
  if (ImGui::Button("cancel")) view.disputing = false;
  if ((!entered && !pressed) || reason.empty()) return;
  view.disputing = false;
  if (!overrules) {
    words.Post({PlayerDecision::What::kDispute, view.selected_shot, {}, {}, reason});
    return;
  }
  PlayerDecision word;
  word.what = PlayerDecision::What::kOverrule;
  word.move = view.overruled_move;
  word.reason = reason;
  words.Post(word);
  if (controller == nullptr) return;
  for (const auto& move : shown.moves) {
    if (move->number == word.move && !move->line.empty()) {
      controller->Say("overrule " + move->line, shown.frame.time_s);
    }
  }
}

const StandVerdict* StandToSettle(const ShotShown& shot, const ViewState& view) {
  const auto& stands = shot.verdict.stands;
  if (view.chosen_stand >= 0 && static_cast<std::size_t>(view.chosen_stand) < stands.size()) {
    return &stands[static_cast<std::size_t>(view.chosen_stand)];
  }
  const std::vector<const StandVerdict*> open = OpenCalls(shot);
  return open.empty() ? nullptr : open.front();
}

void ChooseNextStand(const ShotShown& shot, ViewState& view) {
  const int count = static_cast<int>(shot.verdict.stands.size());
  view.chosen_stand = view.chosen_stand + 1 < count ? view.chosen_stand + 1 : -1;
}

void StartMoving(const ShotShown& shot, ViewState& view) {
  if (shot.archived == nullptr) return;  // nothing to measure it again from
  StopMoving(view);
  view.moving = shot.shot.point;
  view.show_evidence = false;
}

void PostMovedPoint(const ShotShown& shot, ViewState& view, DecisionSink& words) {
  PlayerDecision word;
  word.what = PlayerDecision::What::kMove;
  word.shot = shot.shot.shot.number;
  word.point = *view.moving;
  words.Post(word);
  StopMoving(view);
}

void StopMoving(ViewState& view) {
  view.moving.reset();
  view.grip.reset();
  view.preview = {};
  view.pointing = false;
}

std::shared_ptr<const ShotShown> AsMoved(const std::shared_ptr<const ShotShown>& shot,
                                         ViewState& view) {
  if (shot == nullptr || !view.moving || view.pointing) return shot;
  ViewState::Preview& kept = view.preview;
  const int number = shot->shot.shot.number;
  if (kept.shown == nullptr || kept.shot != number || !(kept.at == *view.moving)) {
    std::optional<ShotShown> moved = WithPointAt(*shot, *view.moving);
    kept = {number, *view.moving,
            moved ? std::make_shared<const ShotShown>(*std::move(moved)) : shot};
  }
  return kept.shown;
}

void StartPointing(const Snapshot& shown, ViewState& view) {
  if (shown.table == nullptr || shown.facts->scenario.projectiles.empty()) return;
  StopMoving(view);
  view.pointing = true;
  view.verdict = false;
  view.show_evidence = false;
  view.projectile = ProjectileName(shown.facts->scenario.projectiles.front().type);
}

void PostPointedAt(ViewState& view, DecisionSink& words) {
  if (!view.moving) return;
  PlayerDecision word;
  word.what = PlayerDecision::What::kPoint;
  word.point = *view.moving;
  word.projectile = view.projectile;
  words.Post(word);
  StopMoving(view);
}

void PostObject(const ObjectShown& object, const std::string& projectile, DecisionSink& words) {
  PlayerDecision word;
  word.what = PlayerDecision::What::kPoint;
  word.point = object.middle;
  word.object = object.number;
  word.projectile = projectile;
  words.Post(word);
}

bool MayTakeBack(const ShotShown& shot) {
  return !shot.decisions.empty() || (shot.by_players && !shot.withdrawn);
}

void PostTakeBack(const ShotShown& shot, DecisionSink& words) {
  PlayerDecision word;
  word.what = PlayerDecision::What::kTakeBack;
  word.shot = shot.shot.shot.number;
  words.Post(word);
}

const ShotShown* ChosenShot(const Snapshot& shown, const ViewState& view) {
  for (const auto& shot : shown.shots) {
    if (shot->shot.shot.number == view.selected_shot) return shot.get();
  }
  return nullptr;
}

std::shared_ptr<const ShotShown> ChosenShared(const Snapshot& shown, const ViewState& view) {
  for (const auto& shot : shown.shots) {
    if (shot->shot.shot.number == view.selected_shot) return shot;
  }
  return nullptr;
}

void ChooseNeighbour(const Snapshot& shown, ViewState& view, int step) {
  if (shown.shots.empty()) return;
  // A match that continues an earlier one counts on from its last shot.
  const int first = shown.shots.front()->shot.shot.number;
  const int last = shown.shots.back()->shot.shot.number;
  view.selected_shot = std::clamp(view.selected_shot + step, first, last);
  view.scroll_to_selected = true;
  view.chosen_stand = -1;
  StopMoving(view);
  view.disputing = false;
}

const MoveShown* MoveToOverrule(const Snapshot& shown) {
  const auto move = std::find_if(shown.moves.rbegin(), shown.moves.rend(),
                                 [](const auto& one) { return MayOverrule(*one); });
  return move == shown.moves.rend() ? nullptr : move->get();
}

void StartOverrule(const MoveShown& move, ViewState& view) {
  StartDispute(view);
  view.overruled_move = move.number;
}

void DrawMoveRemark(const Theme& theme, const Snapshot& shown, ViewState& view) {
  const MoveShown* move = MoveToOverrule(shown);
  if (move == nullptr) return;
  WarningParagraph(theme, fmt::format("Seen: {} ({})", move->text, move->refused_by));
  if (KeyButton(theme, "allow the move", "W")) StartOverrule(*move, view);
}

void PostTable(const Snapshot& shown, DecisionSink& words) {
  if (!shown.setup) return;
  PlayerDecision word;
  word.what = PlayerDecision::What::kTable;
  word.changed = !shown.setup->accepted;
  words.Post(word);
}

void DrawSetupQuestion(const Theme& theme, const Snapshot& shown, DecisionSink& words) {
  if (!shown.setup || shown.replay) return;
  if (shown.setup->accepted) {
    FaintParagraph(theme, "The players say that the table is right as it stands.");
  } else {
    WarningParagraph(theme, shown.setup->text + ".");
  }
  if (KeyButton(theme, shown.setup->accepted ? "it is not right after all"
                                             : "the table is right as it stands",
                "F12"))
    PostTable(shown, words);
}

const DoubtShown* DoubtToSettle(const Snapshot& shown) {
  const auto doubt = std::find_if(shown.doubts.rbegin(), shown.doubts.rend(),
                                  [](const auto& one) { return !one->changed; });
  return doubt == shown.doubts.rend() ? nullptr : doubt->get();
}

void PostIdentity(const DoubtShown& doubt, bool changed, DecisionSink& words) {
  PlayerDecision word;
  word.what = PlayerDecision::What::kIdentify;
  word.doubt = doubt.number;
  word.changed = changed;
  words.Post(word);
}

void DrawDoubt(const Theme& theme, const Snapshot& shown, DecisionSink& words) {
  const DoubtShown* doubt = DoubtToSettle(shown);
  if (doubt == nullptr) return;
  WarningParagraph(theme, fmt::format("Which is which? {}", doubt->text));
  KeyButtonRow button(theme);
  if (button("swap them", "Y")) PostIdentity(*doubt, true, words);
  if (button("keep them", "R")) PostIdentity(*doubt, false, words);
}

void DrawObjects(const Theme& theme, const Snapshot& shown, DecisionSink& words) {
  for (const auto& object : shown.objects) {
    ImGui::PushID(object->number);
    WarningParagraph(theme, object->text);
    bool first = true;
    KeyButtonRow button(theme);
    for (const ProjectileSpec& spec : shown.facts->scenario.projectiles) {
      const bool swab = spec.type == Projectile::kQtip;
      if (button(swab ? "it is a swab" : "it is a shell", first ? "J" : ""))
        PostObject(*object, ProjectileName(spec.type), words);
      first = false;
    }
    ImGui::PopID();
  }
}

void StartDispute(ViewState& view) {
  view.disputing = true;
  view.overruled_move = 0;
  view.focus_reason = true;
  view.reason.fill('\0');
}

void DrawRulings(const Theme& theme, const Snapshot& shown, const ShownPicture& before,
                 const ShownPicture& after, GameController* controller, ViewState& view,
                 DecisionSink& words, const ScreenRect& area) {
  BeginPanel("Rulings", area);
  Title(theme, "Rulings");
  const std::shared_ptr<const ShotShown> shot = AsMoved(ChosenShared(shown, view), view);
  if (shown.replay) {
    DrawReplaySteps(theme, *shown.replay, view, words);
  } else if (view.disputing) {
    DrawDispute(shown, controller, view, words);
  } else if (view.pointing) {
    DrawPointing(theme, shown, view, words);
  } else {
    DrawSetupQuestion(theme, shown, words);
    DrawMoveRemark(theme, shown, view);
    DrawDoubt(theme, shown, words);
    DrawObjects(theme, shown, words);
  }
  if (shown.shots.empty()) {
    FaintParagraph(theme, shown.replay ? "No shot has come to rest yet."
                                       : "No shot has come to rest yet. Throw, then take your "
                                         "hands off the table.");
  } else {
    const float row = ImGui::GetTextLineHeight() + theme.Px(8) + ImGui::GetStyle().ItemSpacing.y;
    constexpr float kRowsShown = 4;
    DrawList(theme, shown, view,
             row * std::min(kRowsShown, static_cast<float>(shown.shots.size())) + theme.Px(2));
  }
  if (shot != nullptr) {
    ImGui::Separator();
    const PlayersNames names(shown.facts->scenario);
    const ShotWords said = WordsOf(*shot, names);
    const std::string verdict = names.In(shot->verdict.text);
    Paragraph(verdict);
    if (shot->question.empty() && verdict != said.reason)
      FaintParagraph(theme, said.reason + ".");
    WarningParagraph(theme, view.moving && !view.pointing
                                ? fmt::format("There: {}{}", said.call.word,
                                              said.falls.empty() ? "" : ", " + said.falls)
                                : said.players);
    const double sigma = RmsSigma(shot->shot.point_cov);
    // A point that the players gave was seen by them, not by the camera.
    const bool by_hand = shot->as_measured != nullptr || shot->by_players || view.moving;
    if (shot->question.empty()) {
      FaintParagraph(
          theme,
          fmt::format("{:.2f} in east, {:.2f} in north, \xC2\xB1{:.2f} in; {}", shot->shot.point.x,
                      shot->shot.point.y, kShownSigmas * sigma,
                      by_hand ? "as the players gave it"
                              : fmt::format("{:.0f} % of it in view", 100 * shot->shot.visible)));
    }
    // Above the table of stands, which may be longer than the panel.
    if (shown.replay) {
      KeyButtonRow button(theme);
      if (button("evidence", "E")) view.show_evidence = !view.show_evidence;
      if (button("verdict", "Space")) view.verdict = true;
    } else if (!view.disputing && !view.pointing) {
      DrawShotButtons(theme, *shot, names, view, words);
    }
    DrawWords(theme, *shot);
    DrawStandsTable(theme, *shot, names, view);
    DrawThumbnails(theme, before, after, view);
  }
  ImGui::End();
}

}  // namespace fos
