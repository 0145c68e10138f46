// SPDX-License-Identifier: MIT
#include "ui/window/game_input.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/window/game_answers.h"

namespace fos {
namespace {

bool EnterPressed() {
  return ImGui::IsKeyPressed(GLFW_KEY_ENTER, false) ||
         ImGui::IsKeyPressed(GLFW_KEY_KP_ENTER, false);
}

// In a secret choice the digits belong to the first side and the letters to the second.
void SecretKey(const Snapshot& shown, GameController& controller, ImWchar letter) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  const auto choose = [&](std::size_t place, std::size_t index) {
    if (place >= game->prompt.sides.size()) return;
    const int side = game->prompt.sides[place];
    const std::vector<LineOption> options = SecretOptions(*game, side);
    if (index < options.size()) controller.Choose(side, options[index].line, ShownTime(shown));
  };
  if (letter >= '1' && letter <= '9') choose(0, static_cast<std::size_t>(letter - '1'));
  const std::size_t second =
      letter < 128 ? kSecondSideKeys.find(static_cast<char>(letter)) : std::string_view::npos;
  if (second != std::string_view::npos) choose(1, second);
}

// Returns true when the letter belonged to the game.
bool GameLetter(const Snapshot& shown, GameController& controller, ViewState& view,
                ImWchar letter) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  GamePanelView& chosen = view.game_panel;
  const PromptKind kind = game->prompt.kind;
  const bool digit = letter >= '0' && letter <= '9';
  if (letter == '/') {
    StartLine(chosen, "");
    return true;
  }
  if (letter == ',' || letter == '.') {
    ChooseNextUnit(*game, chosen, letter == '.' ? 1 : -1);
    return true;
  }
  if (kind == PromptKind::kDice) {
    if (letter == 'r') PlayLine(shown, controller, "draw");
    const std::size_t from_ten =
        letter < 128 ? kFacesFromTen.find(static_cast<char>(letter)) : std::string_view::npos;
    const bool is_from_ten = from_ten != std::string_view::npos && game->prompt.faces > 9;
    const int face = is_from_ten ? 10 + static_cast<int>(from_ten) : static_cast<int>(letter) - '0';
    if ((digit || is_from_ten) && face >= 1 && face <= game->prompt.faces &&
        static_cast<int>(chosen.dice.size()) < game->prompt.dice) {
      chosen.dice.push_back(face);
    }
    return digit || is_from_ten || letter == 'r';
  }
  if (kind == PromptKind::kCoin) {
    if (letter == '1') PlayLine(shown, controller, "coin heads");
    if (letter == '2') PlayLine(shown, controller, "coin tails");
    if (letter == 'r') PlayLine(shown, controller, "draw");
    return digit || letter == 'r';
  }
  if (kind == PromptKind::kShot) {
    // Enter and Backspace answer for a shot that the camera saw.
    if (PendingShot(shown, controller) != nullptr) return digit;
    if (letter == '0') PlayLine(shown, controller, "lands off");
    return digit;
  }
  if (letter >= '1' && letter <= '9') {
    const std::vector<LineOption> options = ListedOptions(controller, view);
    const std::size_t index = static_cast<std::size_t>(chosen.page) * kOptionsPerPage +
                              static_cast<std::size_t>(letter - '1');
    if (index < options.size()) TakeOption(shown, controller, chosen, options[index]);
    return true;
  }
  return false;
}

void EnterKey(const Snapshot& shown, GameController& controller, ViewState& view) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  GamePanelView& chosen = view.game_panel;
  switch (game->prompt.kind) {
    case PromptKind::kDice:
      if (static_cast<int>(chosen.dice.size()) == game->prompt.dice) {
        PlayLine(shown, controller, DiceLine(chosen));
      } else if (chosen.dice.empty()) {
        controller.TakeDice();
      }
      break;
    case PromptKind::kShot:
      if (const ShotShown* shot = PendingShot(shown, controller)) {
        const Result<std::string> line = controller.FallOf(*shot, shown.facts->scenario);
        if (line.ok()) PlayLine(shown, controller, *line, shot->shot.shot.number);
      } else if (chosen.landed) {
        PlayLine(shown, controller, controller.FallAt(*chosen.landed, chosen.struck));
      } else {
        StartLine(chosen, "lands ");
      }
      break;
    default: {
      const std::vector<LineOption> options = ListedOptions(controller, view);
      if (chosen.option >= 0 && static_cast<std::size_t>(chosen.option) < options.size()) {
        TakeOption(shown, controller, chosen, options[static_cast<std::size_t>(chosen.option)]);
      }
    }
  }
}

// The nearest of the stands that pass `test`, by the distance of its centre; nullptr: none.
template <typename Test>
const StandObservation* NearestStand(const Snapshot& shown, Vec2 at, const Test& test) {
  const StandObservation* nearest = nullptr;
  if (shown.stands == nullptr) return nullptr;
  for (const StandObservation& stand : *shown.stands) {
    const Vec2 centre = stand.table_from_stand.origin;
    if (!test(stand)) continue;
    if (nearest == nullptr ||
        Distance(centre, at) < Distance(nearest->table_from_stand.origin, at)) {
      nearest = &stand;
    }
  }
  return nearest;
}

// The unit that a click on this stand chooses.
std::string ClickedUnit(const StandObservation& stand) {
  return stand.unit.empty() ? UnitOf(stand.stand.text) : stand.unit;
}

// The stand that was clicked: half its longer side around the centre, and a little more. Where
// units overlap (a leader among his men), a click on the chosen unit means the next one.
const StandObservation* StandAt(const Snapshot& shown, Vec2 at, const std::string& chosen) {
  constexpr double kMargin_in = 0.15;
  const auto touched = [&](const StandObservation& stand) {
    const double reach_in =
        0.5 * std::max(stand.footprint.width_in, stand.footprint.depth_in) + kMargin_in;
    return Distance(stand.table_from_stand.origin, at) <= reach_in;
  };
  const StandObservation* nearest = NearestStand(shown, at, touched);
  if (nearest == nullptr || ClickedUnit(*nearest) != chosen) return nearest;
  const StandObservation* below = NearestStand(shown, at, [&](const StandObservation& stand) {
    return touched(stand) && ClickedUnit(stand) != chosen && stand.side == nearest->side;
  });
  return below != nullptr ? below : nearest;
}

// Without a camera: the first click places the shot, later ones add and remove pieces it struck.
void ClickShot(const GameShown& game, GamePanelView& view, Vec2 at,
               const StandObservation* nearest) {
  if (view.landed && nearest != nullptr) {
    const std::string& id = nearest->stand.text;
    const auto there = std::find(view.struck.begin(), view.struck.end(), id);
    if (there == view.struck.end()) {
      view.struck.push_back(id);
    } else {
      view.struck.erase(there);
    }
  } else if (game.board.Contains(at)) {
    view.landed = at;
    view.struck.clear();
  }
}

// The side of a unit or stand on the table; empty where there is none of that name.
std::optional<int> SideOf(const Snapshot& shown, const std::string& piece) {
  if (shown.stands == nullptr || piece.empty()) return std::nullopt;
  for (const StandObservation& stand : *shown.stands) {
    if (stand.unit == piece || stand.stand.text == piece || UnitOf(stand.stand.text) == piece)
      return stand.side;
  }
  return std::nullopt;
}

void PointAt(GamePanelView& view, std::size_t option) {
  view.option = static_cast<int>(option);
  view.page = static_cast<int>(option / kOptionsPerPage);
}

// On tables without squares: the option whose path ends nearest to the click.
std::optional<std::size_t> OptionEndingNear(const std::vector<LineOption>& listed, Vec2 at) {
  double nearest_in = 1.5;  // as exactly as a finger points
  std::optional<std::size_t> out;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (listed[i].path_in.empty()) continue;
    const double off_in = Distance(listed[i].path_in.back(), at);
    if (off_in >= nearest_in) continue;
    nearest_in = off_in;
    out = i;
  }
  return out;
}

// Points at the option that the click means, if it means one.
bool ClickOption(GameController& controller, ViewState& view, const std::string& square,
                 const StandObservation* nearest) {
  const PromptKind kind = controller.Now()->prompt.kind;
  GamePanelView& chosen = view.game_panel;
  const std::vector<LineOption> listed = ListedOptions(controller, view);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const LineOption& option = listed[i];
    const bool ends_there = !option.squares.empty() && option.squares.back() == square;
    const bool is_about = nearest != nullptr && kind == PromptKind::kChoice &&
                          std::find(option.pieces.begin(), option.pieces.end(),
                                    nearest->stand.text) != option.pieces.end();
    if (!ends_there && !is_about) continue;
    if (!ends_there || chosen.square == square || kind != PromptKind::kDeclare) {
      PointAt(chosen, i);
      return true;
    }
    // The first that ends there is about the whole unit.
    chosen.square = square;
    PointAt(chosen, 0);
    return true;
  }
  return false;
}

}  // namespace

bool HandleGameKeys(const Snapshot& shown, GameController& controller, ViewState& view) {
  DropStaleChoices(controller, view.game_panel);
  const ImGuiIO& io = ImGui::GetIO();
  GamePanelView& chosen = view.game_panel;
  if (ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) &&
      (chosen.typing || chosen.show_clause || chosen.searching || chosen.show_menu)) {
    chosen.typing = false;
    chosen.show_menu = false;
    chosen.show_clause = false;
    chosen.searching = false;
    chosen.search.fill('\0');
    return true;
  }
  if (chosen.typing || view.disputing || io.WantTextInput) return chosen.typing;
  if (chosen.confirming) {
    // Enter and digits do not confirm: they are too easily pressed twice.
    bool yes = false;
    bool no = ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) ||
              ImGui::IsKeyPressed(GLFW_KEY_BACKSPACE, false);
    for (const ImWchar letter : io.InputQueueCharacters) {
      yes = yes || letter == 'y' || letter == 'Y';
      no = no || letter == 'n' || letter == 'N';
    }
    if (yes || no) AnswerConfirmation(shown, controller, chosen, yes && !no);
    return true;
  }
  // The arrows and Enter move the point.
  if (view.moving || view.pointing) return false;
  if (io.KeyCtrl) {
    // None of these repeats while its key is held: on a slow machine every press lasts long.
    if (ImGui::IsKeyPressed(GLFW_KEY_Z, false)) controller.Undo(ShownTime(shown));
    if (ImGui::IsKeyPressed(GLFW_KEY_Y, false)) controller.Redo(ShownTime(shown));
    if (ImGui::IsKeyPressed(GLFW_KEY_F, false)) {
      chosen.searching = true;
      chosen.focus_search = true;
    }
    return true;
  }
  if (ImGui::IsKeyPressed(GLFW_KEY_F3, false)) chosen.show_rulings = !chosen.show_rulings;
  if (ImGui::IsKeyPressed(GLFW_KEY_F4, false)) {
    const GameShown& game = *controller.Now();
    if (chosen.show_clause) {
      chosen.show_clause = false;
    } else {
      ShowClause(chosen, game.clause.empty() ? game.prompt.clause : game.clause, 0);
    }
  }
  if (!controller.Now()->replay_turns.empty()) {
    for (const int key : {GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER, GLFW_KEY_BACKSPACE, GLFW_KEY_PAGE_DOWN,
                          GLFW_KEY_PAGE_UP, GLFW_KEY_HOME, GLFW_KEY_END}) {
      if (ImGui::IsKeyPressed(key)) StepReplay(controller, key);
    }
    for (const ImWchar letter : io.InputQueueCharacters) {
      if (letter == ',' || letter == '.')
        ChooseNextUnit(*controller.Now(), chosen, letter == '.' ? 1 : -1);
    }
    return false;
  }
  if (ImGui::IsKeyPressed(GLFW_KEY_PAGE_DOWN)) ++chosen.page;
  if (ImGui::IsKeyPressed(GLFW_KEY_PAGE_UP)) chosen.page = std::max(chosen.page - 1, 0);
  if (EnterPressed()) EnterKey(shown, controller, view);
  if (ImGui::IsKeyPressed(GLFW_KEY_BACKSPACE, false)) GoBack(shown, controller, chosen);
  bool taken = false;
  for (const ImWchar letter : io.InputQueueCharacters) {
    if (controller.Now()->prompt.kind == PromptKind::kSecret) {
      if (letter == '/') {
        StartLine(chosen, "");
      } else {
        SecretKey(shown, controller, letter);
      }
      taken = true;
    } else {
      taken = GameLetter(shown, controller, view, letter) || taken;
    }
  }
  return taken || chosen.typing;
}

bool MayDragUnit(const Snapshot& shown, const GameController& controller, Vec2 at) {
  const GameShown& game = *controller.Now();
  if (game.prompt.kind != PromptKind::kDeclare || !game.replay_turns.empty()) return false;
  const StandObservation* stand = StandAt(shown, at, "");
  if (stand == nullptr) return false;
  const std::vector<std::string> able = UnitsYetToAct(game);
  return std::find(able.begin(), able.end(), ClickedUnit(*stand)) != able.end();
}

void HandleTableClick(const Snapshot& shown, GameController& controller, ViewState& view) {
  if (std::exchange(view.dropped, false)) {
    // As if the unit had been clicked, and then the place where it was let go.
    GamePanelView& chosen = view.game_panel;
    if (const StandObservation* stand = StandAt(shown, *view.dragged_from, ""))
      chosen.piece = ClickedUnit(*stand);
    chosen.square.clear();
    chosen.why.clear();
    view.clicked = std::exchange(view.dragged_to, std::nullopt);
    view.dragged_from.reset();
  }
  const bool menu = std::exchange(view.menu_asked, false);
  if (view.clicked) view.game_panel.show_menu = false;
  if (!view.clicked) return;
  if (menu && controller.Now()->prompt.kind == PromptKind::kDeclare) {
    GamePanelView& chosen = view.game_panel;
    const Vec2 place = *std::exchange(view.clicked, std::nullopt);
    const StandObservation* stand = StandAt(shown, place, "");
    if (stand == nullptr) return;
    if (chosen.piece != ClickedUnit(*stand)) {
      chosen.piece = ClickedUnit(*stand);
      chosen.square.clear();
      chosen.option = -1;
    }
    chosen.show_menu = true;
    return;
  }
  const Vec2 at = *std::exchange(view.clicked, std::nullopt);
  // The same place again means: nothing of that unit after all.
  const bool again = !view.game_panel.why.empty() &&
                     Distance(view.game_panel.why_at, at) < controller.Now()->board.square_in / 2;
  view.game_panel.why.clear();
  const std::shared_ptr<const GameShown> game = controller.Now();
  GamePanelView& chosen = view.game_panel;
  const StandObservation* nearest = StandAt(shown, at, chosen.piece);
  if (game->prompt.kind == PromptKind::kShot) {
    ClickShot(*game, chosen, at, nearest);
    return;
  }
  chosen.page = 0;
  chosen.option = -1;
  if (const auto option = OptionEndingNear(ListedOptions(controller, view), at)) {
    PointAt(chosen, *option);
    if (nearest == nullptr) return;
  }
  const auto square = game->board.SquareAt(at);
  if (ClickOption(controller, view, square ? SquareName(*square) : "", nearest)) return;
  // A click between the stands of a square means the nearest of them.
  if (nearest == nullptr && square) {
    nearest = NearestStand(shown, at, [&](const StandObservation& stand) {
      return game->board.SquareAt(stand.table_from_stand.origin) == square;
    });
  }
  // Another unit of the same side is chosen; anything else is a target, and not a legal one.
  const std::optional<int> side = SideOf(shown, chosen.piece);
  if (side && square && !again && (nearest == nullptr || nearest->side != *side)) {
    chosen.why = controller.WhyNot(chosen.piece, SquareName(*square));
    chosen.why_at = at;
    if (!chosen.why.empty()) return;
  }
  chosen.square.clear();
  chosen.option = -1;
  chosen.piece = nearest == nullptr ? "" : ClickedUnit(*nearest);
}

}  // namespace fos
