// SPDX-License-Identifier: MIT
#include "ui/window/game_panel.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>

#include "ui/window/canvas.h"
#include "ui/window/game_answers.h"
#include "ui/window/reach.h"
#include "ui/window/rulings_panel.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

// The turn, the phase and what the game waits for.
// sums  listed below the prompt: a prompt that repeats them leaves them out. May be nullptr.
void DrawQuestion(const Theme& theme, const GameShown& game, const Forecast* sums) {
  const Prompt& prompt = game.prompt;
  const std::string phase = Capitalised(prompt.phase);
  Title(theme,
        prompt.turn > 0 ? fmt::format("Turn {}: {}", prompt.turn, phase).c_str() : phase.c_str());
  std::string sentence = game.view.result.empty() ? prompt.sentence : game.view.result;
  const std::size_t repeated =
      sums == nullptr || sums->sentence.empty() ? std::string::npos : sentence.find(sums->sentence);
  if (repeated != std::string::npos && repeated > 0) {
    sentence.erase(repeated, sums->sentence.size());
    sentence.erase(sentence.find_last_not_of(' ') + 1);
  }
  Paragraph(sentence);
  std::string points;
  for (std::size_t side = 0; side < game.view.points.size() && side < game.view.sides.size();
       ++side) {
    points += fmt::format("{}{} {:g}", points.empty() ? "" : "   ", game.view.sides[side],
                          game.view.points[side]);
  }
  if (!points.empty()) FaintParagraph(theme, "Points: " + points);
}

void DrawNotice(const Theme& theme, const GameShown& game) {
  // What comes next is asked just above.
  if (!game.refused && game.notice.starts_with("Next:")) return;
  Paragraph(game.notice, game.refused ? WarningColour(theme) : theme.accent);
}

// One answer, as wide as the panel, in as many lines as it needs. A final answer stands out.
bool OptionRow(const Theme& theme, const std::string& key, const std::string& label,
               const std::string& clause, bool pointed, bool is_final = false) {
  const ImVec2 start = ImGui::GetCursorPos();
  const float pad = ImGui::GetStyle().FramePadding.y;
  const float clause_width = ImGui::CalcTextSize(clause.c_str()).x;
  const float left = theme.Px(34);
  const float wide = std::max(
      ImGui::GetContentRegionAvail().x - left - clause_width - theme.Px(12), theme.Px(40));
  const ImVec2 text = ImGui::CalcTextSize(label.c_str(), nullptr, false, wide);
  const bool pressed = ImGui::Selectable(
      "##row", pointed, 0, {0, std::max(ImGui::GetFrameHeight(), text.y + 2 * pad)});
  const ImVec2 after = ImGui::GetCursorPos();
  const ImVec2 at = ImGui::GetItemRectMin();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText({at.x + theme.Px(6), at.y + pad}, theme.accent, key.c_str());
  const float right = ImGui::GetItemRectMax().x;
  list.AddText({right - clause_width - theme.Px(4), at.y + pad}, theme.faint, clause.c_str());
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + left, at.y + pad},
               is_final ? WarningColour(theme) : theme.text, label.c_str(), nullptr, wide);
  ImGui::SetCursorPos({start.x, after.y});
  return pressed;
}

void DrawOptions(const Theme& theme, const Snapshot& shown, GameController& controller,
                 GamePanelView& view, const std::vector<LineOption>& options) {
  const std::size_t pages = (options.size() + kOptionsPerPage - 1) / kOptionsPerPage;
  view.page = std::clamp(view.page, 0, std::max(static_cast<int>(pages) - 1, 0));
  const std::size_t first = static_cast<std::size_t>(view.page) * kOptionsPerPage;
  // A finger cannot point without touching: a row that is held shows its sums, and is not taken.
  const bool held = ImGui::GetIO().MouseDownDurationPrev[0] >= kLongPress_s;
  std::optional<LineOption> taken;
  for (std::size_t i = first; i < std::min(first + kOptionsPerPage, options.size()); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (OptionRow(theme, fmt::format("{}", i - first + 1), options[i].label, options[i].clause,
                  view.option == static_cast<int>(i), !options[i].for_good.empty()) &&
        !held) {
      taken = options[i];
    }
    if (ImGui::IsItemHovered()) view.option = static_cast<int>(i);
    ImGui::PopID();
  }
  if (pages > 1) {
    if (KeyButton(theme, "previous", "PgUp")) view.page = std::max(view.page - 1, 0);
    ImGui::SameLine();
    if (KeyButton(theme, "next", "PgDn")) {
      view.page = std::min(view.page + 1, static_cast<int>(pages) - 1);
    }
    ImGui::SameLine();
    ImGui::TextDisabled("%s", fmt::format("{} of {}", view.page + 1, pages).c_str());
  }
  if (taken) TakeOption(shown, controller, view, *taken);
}

void DrawConfirmation(const Theme& theme, const Snapshot& shown, GameController& controller,
                      GamePanelView& view) {
  const LineOption& option = *view.confirming;
  Title(theme, (option.label + "?").c_str());
  WarningParagraph(theme, Capitalised(option.for_good) + ". Are you sure?");
  KeyButtonRow button(theme);
  const bool yes = button("yes", "Y");
  const bool no = button("no", "Esc");
  if (yes || no) AnswerConfirmation(shown, controller, view, yes);
}

// What the camera reads, and the players' answers to it.
void DrawOfferedDice(const Theme& theme, GameController& controller, bool by_itself) {
  const DiceOffer& offer = controller.OfferedDice();
  if (offer.state == DiceOffer::State::kNot) {
    WarningParagraph(theme, offer.sentence);
    if (KeyButton(theme, "not these dice", "Backspace")) controller.DismissDice();
    return;
  }
  Paragraph(by_itself ? fmt::format("{} They count in {:.0f} s.", offer.sentence,
                                    std::max(std::ceil(offer.left_s), 1.0))
                      : offer.sentence,
            theme.accent);
  KeyButtonRow button(theme);
  const bool take = button("take them", "Enter");
  if (button("not these dice", "Backspace")) controller.DismissDice();
  if (take) controller.TakeDice();
}

void DrawDice(const Theme& theme, const Snapshot& shown, GameController& controller,
              GamePanelView& view, bool by_itself) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  const Prompt& prompt = game->prompt;
  // What players type wins over what the camera reads.
  const bool offered =
      view.dice.empty() && controller.OfferedDice().state != DiceOffer::State::kNone;
  const std::vector<int> faces = offered ? controller.OfferedDice().faces : view.dice;
  for (int i = 0; i < std::min(prompt.dice, 40); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const bool known = index < faces.size();
    if (i > 0) SameLineFor(theme.Px(44));
    Die(theme, known ? fmt::format("{}", faces[index]) : "?", known);
  }
  if (offered) {
    DrawOfferedDice(theme, controller, by_itself);
    if (controller.Now() != game) return;
  }
  FaintParagraph(theme, shown.watching == Watching::kNoTable
                            ? "Type what the dice show, or let the program roll."
                            : "Throw on the table, type what the dice show, or let the program "
                              "roll.");
  constexpr int kMostButtons = 12;
  for (int face = 1; face <= std::min(prompt.faces, kMostButtons); ++face) {
    // The buttons of two-digit faces name their key.
    const std::string label =
        face < 10
            ? fmt::format(" {} ", face)
            : fmt::format(" {} [{}] ", face, kFacesFromTen[static_cast<std::size_t>(face - 10)]);
    const float wide = ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (face > 1) SameLineFor(wide);
    if (ImGui::Button(label.c_str()) && static_cast<int>(view.dice.size()) < prompt.dice) {
      view.dice.push_back(face);
    }
  }
  const bool full = static_cast<int>(view.dice.size()) == prompt.dice;
  KeyButtonRow button(theme);
  if (full && button("these dice", "Enter")) {
    PlayLine(shown, controller, DiceLine(view));
    return;
  }
  if (!view.dice.empty() && button("remove one", "Backspace")) view.dice.pop_back();
  if (button("roll", "R")) PlayLine(shown, controller, "draw");
}

void DrawCoin(const Theme& theme, const Snapshot& shown, GameController& controller) {
  KeyButtonRow button(theme);
  if (button("heads", "1")) PlayLine(shown, controller, "coin heads");
  if (button("tails", "2")) PlayLine(shown, controller, "coin tails");
  if (button("toss it", "R")) PlayLine(shown, controller, "draw");
}

void DrawSecretChoice(const Theme& theme, const Snapshot& shown, GameController& controller) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  FaintParagraph(theme, "Each side has its own keys. The choices are shown once both have chosen.");
  // Side by side: one below the other they would not fit a small window.
  const auto columns = static_cast<int>(game->prompt.sides.size());
  if (columns < 1 || !ImGui::BeginTable("sides", columns, ImGuiTableFlags_SizingStretchSame))
    return;
  int place = 0;
  for (const int side : game->prompt.sides) {
    ImGui::TableNextColumn();
    const auto index = static_cast<std::size_t>(side);
    const std::string name =
        index < game->view.sides.size() ? game->view.sides[index] : fmt::format("{}", side + 1);
    const bool chosen = index < game->chosen.size() && game->chosen[index];
    ImGui::TextColored(ToVec4(SideColour(theme, shown.facts->scenario, side)), "%s%s", name.c_str(),
                       chosen ? ": has chosen" : ": choose one");
    const std::vector<LineOption> options = SecretOptions(*game, side);
    for (std::size_t i = 0; i < std::min(options.size(), kOptionsPerPage); ++i) {
      ImGui::PushID(side * 100 + static_cast<int>(i));
      const std::string key =
          place == 0 ? fmt::format("{}", i + 1)
                     : std::string(1, static_cast<char>(std::toupper(kSecondSideKeys[i])));
      if (OptionRow(theme, key, options[i].label, "", false)) {
        controller.Choose(side, options[i].line, ShownTime(shown));
      }
      ImGui::PopID();
    }
    ++place;
  }
  ImGui::EndTable();
}

void DrawShotPrompt(const Theme& theme, const Snapshot& shown, GameController& controller,
                    ViewState& view, DecisionSink& words) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  if (const ShotShown* shot = PendingShot(shown, controller)) {
    const int number = shot->shot.shot.number;
    const ShotCall call = CallOf(*shot);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(fmt::format("Shot {}:", number).c_str());
    ImGui::SameLine();
    Chip(theme, call.word.c_str(), CallColour(theme, call.call));
    const PlayersNames names(shown.facts->scenario);
    Paragraph(names.In(shot->verdict.text));
    DrawShotButtons(theme, *shot, names, view, words);
    KeyButtonRow button(theme);
    if (OpenCalls(*shot).empty() && !view.moving && button("apply the shot", "Enter")) {
      const Result<std::string> line = controller.FallOf(*shot, shown.facts->scenario);
      if (line.ok()) PlayLine(shown, controller, *line, number);
    }
    if (view.moving) return;
    if (button("ignore it", "Backspace")) controller.PassShot(number);
    return;
  }
  FaintParagraph(theme, shown.watching != Watching::kNoTable
                            ? "Throw and take your hands away. The measured shot appears here."
                            : "Click where the shot lies, then every piece within its circle. Or "
                              "press / and type it.");
  GamePanelView& chosen = view.game_panel;
  if (chosen.landed) {
    const auto square = game->board.SquareAt(*chosen.landed);
    Paragraph(fmt::format("The shot lies {:.1f} in east and {:.1f} in north, in {}.",
                          chosen.landed->x, chosen.landed->y,
                          square ? SquareName(*square) : "no square"));
    Paragraph(chosen.struck.empty()
                  ? "Nothing is within the circle."
                  : fmt::format("Within the circle: {}", fmt::join(chosen.struck, ", ")));
  }
  KeyButtonRow button(theme);
  if (chosen.landed && button("apply the shot", "Enter"))
    PlayLine(shown, controller, controller.FallAt(*chosen.landed, chosen.struck));
  if (button("off the board", "0")) PlayLine(shown, controller, "lands off");
}

void DrawGameButtons(const Theme& theme, const Snapshot& shown, GameController& controller,
                     ViewState& view) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  KeyButtonRow button(theme);
  if (game->played > 0 && button("undo", "Ctrl+Z")) controller.Undo(ShownTime(shown));
  if (game->to_redo > 0 && button("redo", "Ctrl+Y")) controller.Redo(ShownTime(shown));
  if (button("type a line", "/")) StartLine(view.game_panel, "");
  const std::string& clause = game->clause.empty() ? game->prompt.clause : game->clause;
  if (button(clause.empty() ? "rules" : clause.c_str(), "F4")) {
    ShowClause(view.game_panel, clause, 0);
  }
}

// The replay's controls, the last line and what came of it.
void DrawReplay(const Theme& theme, GameController& controller, ViewState& view) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  const std::size_t last = game->replay_turns.size() - 1;
  DrawReplayWidget(
      theme, {"turn", "line", game->played, last}, [&](int key) { StepReplay(controller, key); },
      [&](std::size_t place) { controller.StepTo(place); }, view.replay);
  ImGui::Separator();
  if (const auto& log = controller.Now()->log; !log.empty()) {
    Paragraph(log.back().line, theme.accent);
    for (const std::string& told : log.back().told) Paragraph(told);
    FaintParagraph(theme, fmt::format("{}", fmt::join(log.back().clauses, ", ")));
  }
  if (!view.show_reach || view.game_panel.piece.empty()) return;
  ImGui::Separator();
  ImGui::TextUnformatted(
      Capitalised(WithKinds(*controller.Now(), {view.game_panel.piece})).c_str());
  DescribeReach(theme, controller.ReachOf(view.game_panel.piece));
}

// The chosen unit with its reach, or the units that may still act.
void DrawChosenUnit(const Theme& theme, const Snapshot& shown, GameController& controller,
                    ViewState& view) {
  GamePanelView& chosen = view.game_panel;
  if (!chosen.piece.empty()) {
    const std::string name = Capitalised(WithKinds(*controller.Now(), {chosen.piece}));
    ImGui::AlignTextToFramePadding();
    Paragraph(chosen.square.empty() ? name : name + " to " + chosen.square);
    KeyButtonRow button(theme, /*beside=*/true);
    if (button("all units", "Backspace")) GoBack(shown, controller, chosen);
    if (controller.OptionsOf(chosen.piece).empty())
      FaintParagraph(theme, name + " can do nothing now.");
    if (view.show_reach) DescribeReach(theme, controller.ReachOf(chosen.piece));
    return;
  }
  const std::vector<std::string> left = UnitsYetToAct(*controller.Now());
  if (left.empty()) return;
  FaintParagraph(theme,
                 fmt::format("May act: {}. Click one, or press . and , to step through them.",
                             WithKinds(*controller.Now(), left)));
}

// The answers to the prompt.
void DrawAnswers(const Theme& theme, const Snapshot& shown, GameController& controller,
                 ViewState& view, DecisionSink& words) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  GamePanelView& chosen = view.game_panel;
  switch (game->prompt.kind) {
    case PromptKind::kOver:
      break;
    case PromptKind::kDice:
      DrawDice(theme, shown, controller, chosen, view.dice_by_itself);
      break;
    case PromptKind::kCoin:
      DrawCoin(theme, shown, controller);
      break;
    case PromptKind::kSecret:
      DrawSecretChoice(theme, shown, controller);
      break;
    case PromptKind::kShot:
      DrawShotPrompt(theme, shown, controller, view, words);
      break;
    case PromptKind::kDeclare:
      DrawChosenUnit(theme, shown, controller, view);
      DrawOptions(theme, shown, controller, chosen, ListedOptions(controller, view));
      break;
    case PromptKind::kChoice:
      DrawOptions(theme, shown, controller, chosen, ListedOptions(controller, view));
      break;
  }
}

// The sums that the option pointed at depends on; the panel scrolls by keys where it is too small.
void DrawSums(const Theme& theme, GameController& controller, const ViewState& view,
              const ScreenRect& area) {
  const std::vector<LineOption> listed = ListedOptions(controller, view);
  const LineOption* pointed = PointedAt(*controller.Now(), listed, view.game_panel);
  if (const Forecast* sums = SumsOf(controller, pointed)) DescribeForecast(theme, *sums);
  // The same keys turn the pages of the options where there are several.
  if (!view.game_panel.typing && listed.size() <= kOptionsPerPage) {
    const float page = 0.7F * area.Height();
    if (ImGui::IsKeyPressed(GLFW_KEY_PAGE_DOWN)) ImGui::SetScrollY(ImGui::GetScrollY() + page);
    if (ImGui::IsKeyPressed(GLFW_KEY_PAGE_UP)) ImGui::SetScrollY(ImGui::GetScrollY() - page);
  }
}

}  // namespace

void DrawGame(const Theme& theme, const Snapshot& shown, GameController& controller,
              ViewState& view, DecisionSink& words, const ScreenRect& area) {
  DropStaleChoices(controller, view.game_panel);
  const std::shared_ptr<const GameShown> game = controller.Now();
  BeginPanel("Game", area);
  DrawQuestion(theme, *game,
               game->thrown_for && game->thrown_for->forecast ? &*game->thrown_for->forecast
               : game->awaited                                ? &*game->awaited
                                                              : nullptr);
  if (view.disputing) {
    DrawDispute(shown, &controller, view, words);
  } else {
    DrawNotice(theme, *game);
    WarningParagraph(theme, view.game_panel.why);
    DrawSetupQuestion(theme, shown, words);
    DrawMoveRemark(theme, shown, view);
    DrawDoubt(theme, shown, words);
    DrawObjects(theme, shown, words);
    if (view.pointing) {
      DrawPointing(theme, shown, view, words);
    } else if (!game->replay_turns.empty()) {
      DrawReplay(theme, controller, view);
    } else if (view.game_panel.confirming) {
      DrawConfirmation(theme, shown, controller, view.game_panel);
    } else {
      DrawGameButtons(theme, shown, controller, view);
      ImGui::Separator();
      DrawAnswers(theme, shown, controller, view, words);
      DrawSums(theme, controller, view, area);
    }
  }
  ImGui::End();
}

}  // namespace fos
