// SPDX-License-Identifier: MIT
#include "ui/window/game_answers.h"
#include "engine/table/sentence.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>

namespace fos {
namespace {

bool IsAsked(const GameShown& game, int side) {
  return std::find(game.prompt.sides.begin(), game.prompt.sides.end(), side) !=
         game.prompt.sides.end();
}

const std::vector<LineOption>& OptionsOfSide(const GameShown& game, int side) {
  static const std::vector<LineOption> kNone;
  const auto index = static_cast<std::size_t>(std::max(side, 0));
  return side >= 0 && index < game.options.size() ? game.options[index] : kNone;
}

// Final answers (a surrender) go behind all others.
void FinalOptionsLast(std::vector<LineOption>& options) {
  std::stable_partition(options.begin(), options.end(),
                        [](const LineOption& option) { return option.for_good.empty(); });
}

// The first step of the next turn (+1), or of this one or the one before (-1).
std::size_t TurnStart(const GameShown& game, int step) {
  const std::vector<int>& turns = game.replay_turns;
  const std::size_t now = std::min(game.played, turns.size() - 1);
  if (step > 0) {
    const auto later = std::find_if(turns.begin() + static_cast<std::ptrdiff_t>(now), turns.end(),
                                    [&](int turn) { return turn > turns[now]; });
    return static_cast<std::size_t>(std::min(later, turns.end() - 1) - turns.begin());
  }
  // The start of this turn; at its start, that of the turn before.
  const int turn = now > 0 ? turns[now - 1] : turns[0];
  return static_cast<std::size_t>(std::find(turns.begin(), turns.end(), turn) - turns.begin());
}

}  // namespace

std::string UnitOf(const std::string& stand) { return stand.substr(0, stand.rfind('#')); }

std::vector<std::string> UnitsYetToAct(const GameShown& game) {
  std::vector<std::string> out;
  for (const int side : game.prompt.sides) {
    for (const LineOption& option : OptionsOfSide(game, side)) {
      for (const std::string& piece : option.pieces) {
        const std::string unit = UnitOf(piece);
        if (std::find(out.begin(), out.end(), unit) == out.end()) out.push_back(unit);
      }
    }
  }
  return out;
}

std::string WithKinds(const GameShown& game, const std::vector<std::string>& units) {
  std::vector<std::pair<std::string, std::string>> kinds;  // with their units
  for (const std::string& unit : units) {
    const auto& pieces = game.view.pieces;
    const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const PieceView& one) {
      return one.unit == unit || one.id == unit;
    });
    const std::string kind = piece == pieces.end() ? "" : KeyInWords(piece->kind);
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& one) { return one.first == kind; });
    if (known == kinds.end()) {
      kinds.emplace_back(kind, unit);
    } else {
      known->second += ", " + unit;
    }
  }
  std::string out;
  for (const auto& [kind, named] : kinds)
    out += (out.empty() ? "" : "; ") + kind + (kind.empty() ? "" : " ") + named;
  return out;
}

std::vector<LineOption> ListedOptions(GameController& controller, const ViewState& view) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  std::vector<LineOption> out;
  if (game->prompt.kind == PromptKind::kSecret) return out;
  const GamePanelView& chosen = view.game_panel;
  if (game->prompt.kind == PromptKind::kDeclare && !chosen.piece.empty()) {
    for (const LineOption& option : controller.OptionsOf(chosen.piece)) {
      if (!IsAsked(*game, option.side)) continue;
      const bool there = chosen.square.empty() ||
                         (!option.squares.empty() && option.squares.back() == chosen.square);
      if (there) out.push_back(option);
    }
    FinalOptionsLast(out);
    return out;
  }
  for (const int side : game->prompt.sides) {
    for (const LineOption& option : OptionsOfSide(*game, side)) {
      // Before a unit is chosen only options without one ("done") are listed.
      if (game->prompt.kind == PromptKind::kDeclare && !option.pieces.empty()) continue;
      out.push_back(option);
      // Name the side where both may answer.
      const auto index = static_cast<std::size_t>(std::max(side, 0));
      if (game->prompt.sides.size() > 1 && index < game->view.sides.size()) {
        out.back().label = game->view.sides[index] + ": " + out.back().label;
      }
    }
  }
  FinalOptionsLast(out);
  return out;
}

std::vector<LineOption> SecretOptions(const GameShown& game, int side) {
  std::vector<LineOption> out = OptionsOfSide(game, side);
  const auto asked = [&](const LineOption& option) { return option.clause == game.prompt.clause; };
  if (std::any_of(out.begin(), out.end(), asked)) std::erase_if(out, std::not_fn(asked));
  return out;
}

const LineOption* PointedAt(const GameShown& game, const std::vector<LineOption>& listed,
                            const GamePanelView& view) {
  if (view.option >= 0 && static_cast<std::size_t>(view.option) < listed.size()) {
    return &listed[static_cast<std::size_t>(view.option)];
  }
  return game.thrown_for ? &*game.thrown_for : nullptr;
}

const Forecast* SumsOf(GameController& controller, const LineOption* pointed) {
  if (pointed != nullptr) {
    const std::optional<Forecast>& sums =
        pointed->forecast ? pointed->forecast : controller.ForecastOf(*pointed);
    if (sums) return &*sums;
  }
  const std::optional<Forecast>& awaited = controller.Now()->awaited;
  return awaited ? &*awaited : nullptr;
}

const ShotShown* PendingShot(const Snapshot& shown, const GameController& controller) {
  // A shot that the players took back never fell.
  const auto newest = std::find_if(shown.shots.rbegin(), shown.shots.rend(),
                                   [](const auto& shot) { return !shot->withdrawn; });
  if (newest == shown.shots.rend()) return nullptr;
  return (*newest)->shot.shot.number > controller.LastShotUsed() ? newest->get() : nullptr;
}

double ShownTime(const Snapshot& shown) { return shown.frame.time_s; }

void PlayLine(const Snapshot& shown, GameController& controller, const std::string& line,
              int shot) {
  controller.Say(line, ShownTime(shown), shot);
}

void TakeOption(const Snapshot& shown, GameController& controller, GamePanelView& view,
                const LineOption& option) {
  if (option.for_good.empty()) {
    PlayLine(shown, controller, option.line);
  } else {
    view.confirming = option;
  }
}

void AnswerConfirmation(const Snapshot& shown, GameController& controller, GamePanelView& view,
                        bool yes) {
  if (!view.confirming) return;
  const std::string line = view.confirming->line;
  view.confirming.reset();
  if (yes) PlayLine(shown, controller, line);
}

void DropStaleChoices(const GameController& controller, GamePanelView& view) {
  const GameShown& game = *controller.Now();
  if (game.played == view.played) return;
  view.played = game.played;
  view.square.clear();
  view.show_menu = false;
  view.why.clear();
  view.page = 0;
  view.option = -1;
  view.confirming.reset();
  view.dice.clear();
  view.landed.reset();
  view.struck.clear();
  const std::vector<std::string> left = UnitsYetToAct(game);
  if (std::find(left.begin(), left.end(), view.piece) == left.end()) view.piece.clear();
}

std::string DiceLine(const GamePanelView& view) {
  std::string line = "dice";
  for (const int die : view.dice) line += fmt::format(" {}", die);
  return line;
}

void StartLine(GamePanelView& view, const std::string& begun) {
  view.typing = true;
  view.focus_line = true;
  view.at_line_end = false;
  view.line.fill('\0');
  std::snprintf(view.line.data(), view.line.size(), "%s", begun.c_str());
}

void ShowClause(GamePanelView& view, const std::string& clause, int line) {
  view.show_clause = true;
  view.clause = clause;
  view.clause_line = line;
}

void ChooseNextUnit(const GameShown& game, GamePanelView& view, int step) {
  const std::vector<std::string> left = UnitsYetToAct(game);
  if (left.empty()) return;
  const auto count = static_cast<int>(left.size());
  const auto at = std::find(left.begin(), left.end(), view.piece);
  const int now = at == left.end() ? (step > 0 ? -1 : count) : static_cast<int>(at - left.begin());
  view.piece = left[static_cast<std::size_t>(((now + step) % count + count) % count)];
  view.why.clear();
  view.square.clear();
  view.page = 0;
  view.option = -1;
}

void GoBack(const Snapshot& shown, GameController& controller, GamePanelView& view) {
  view.why.clear();
  const PromptKind kind = controller.Now()->prompt.kind;
  if (kind == PromptKind::kDice) {
    if (view.dice.empty()) {
      controller.DismissDice();
    } else {
      view.dice.pop_back();
    }
  } else if (kind == PromptKind::kShot) {
    if (const ShotShown* shot = PendingShot(shown, controller))
      controller.PassShot(shot->shot.shot.number);
    view.landed.reset();
    view.struck.clear();
  } else if (!view.square.empty()) {
    view.square.clear();
  } else {
    view.piece.clear();
  }
}

void StepReplay(GameController& controller, int key) {
  const GameShown& game = *controller.Now();
  switch (key) {
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      return controller.StepTo(game.played + 1);
    case GLFW_KEY_BACKSPACE:
      return controller.StepTo(game.played - std::min<std::size_t>(game.played, 1));
    case GLFW_KEY_PAGE_DOWN:
      return controller.StepTo(TurnStart(game, 1));
    case GLFW_KEY_PAGE_UP:
      return controller.StepTo(TurnStart(game, -1));
    case GLFW_KEY_HOME:
      return controller.StepTo(0);
    case GLFW_KEY_END:
      return controller.StepTo(game.replay_turns.size() - 1);
    default:
      return;
  }
}

}  // namespace fos
