#include "ui/window/game_panel.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/rules/rule_sets.h"
#include "engine/table/shapes.h"
#include "ui/window/overlay.h"
#include "ui/window/reach.h"
#include "ui/window/rulings_panel.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

constexpr std::size_t kOnAPage = 9;  // as many as there are digits
// A D12's faces of two digits: the keys to the right of 9.
constexpr std::string_view kFacesFromTen = "0-=";
// The second side's own keys in a secret choice: the row below the digits.
constexpr std::string_view kSecondKeys = "qwertyuio";

std::string Capital(std::string words) {
  if (!words.empty())
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  return words;
}

std::string Verb(const std::string& line) { return line.substr(0, line.find(' ')); }

// The unit of a stand's id: "F-1L1#2" is of F-1L1.
std::string WithoutNumber(const std::string& id) { return id.substr(0, id.rfind('#')); }

bool Asks(const GameShown& game, int side) {
  return std::find(game.prompt.sides.begin(), game.prompt.sides.end(), side) !=
         game.prompt.sides.end();
}

const std::vector<LineOption>& OptionsOfSide(const GameShown& game, int side) {
  static const std::vector<LineOption> kNone;
  const auto index = static_cast<std::size_t>(std::max(side, 0));
  return side >= 0 && index < game.options.size() ? game.options[index] : kNone;
}

// What is chosen in secret: what the question's own clause offers, were other things possible too.
std::vector<LineOption> SecretOptions(const GameShown& game, int side) {
  std::vector<LineOption> out = OptionsOfSide(game, side);
  const auto asked = [&](const LineOption& option) { return option.clause == game.prompt.clause; };
  if (std::any_of(out.begin(), out.end(), asked)) std::erase_if(out, std::not_fn(asked));
  return out;
}

double Time(const Snapshot& shown) { return shown.frame.time_s; }

void Play(const Snapshot& shown, GameController& controller, const std::string& line,
          int shot = 0) {
  controller.Say(line, Time(shown), shot);
}

// An answer that was chosen: said, or asked about once more where it is for good.
void Take(const Snapshot& shown, GameController& controller, GamePanelView& view,
          const LineOption& option) {
  if (option.for_good.empty()) {
    Play(shown, controller, option.line);
  } else {
    view.asking = option;
  }
}

// What is for good stands behind everything else.
void ForGoodLast(std::vector<LineOption>& options) {
  std::stable_partition(options.begin(), options.end(),
                        [](const LineOption& option) { return option.for_good.empty(); });
}

// Whoever asked has an answer: what was half chosen for the last question is over.
void Follow(const GameController& controller, GamePanelView& view) {
  const GameShown& game = *controller.Now();
  if (game.played == view.played) return;
  view.played = game.played;
  view.square.clear();
  view.page = 0;
  view.option = -1;
  view.asking.reset();
  view.dice.clear();
  view.landed.reset();
  view.struck.clear();
  const std::vector<std::string> left = ToActYet(game);
  if (std::find(left.begin(), left.end(), view.piece) == left.end()) view.piece.clear();
}

// Of words, on the panels' ground.
ImU32 Warning(const Theme& theme) {
  return theme.light ? Rgba(150, 84, 0) : CallColour(theme, Call::kTooClose);
}

// A question in letters that three metres can read.
// sums  shown item by item below: a question that says them too says the rest.
void Question(const Theme& theme, const GameShown& game, const Forecast* sums) {
  const Prompt& prompt = game.prompt;
  if (game.prompt.turn > 0) {
    Title(theme, fmt::format("Turn {}: {}", prompt.turn, Capital(prompt.phase)).c_str());
  } else {
    Title(theme, Capital(prompt.phase).c_str());
  }
  ImGui::PushTextWrapPos(0);
  std::string sentence = game.view.result.empty() ? prompt.sentence : game.view.result;
  const std::size_t twice =
      sums == nullptr || sums->sentence.empty() ? std::string::npos : sentence.find(sums->sentence);
  if (twice != std::string::npos && twice > 0) {
    sentence.erase(twice, sums->sentence.size());
    sentence.erase(sentence.find_last_not_of(' ') + 1);
  }
  ImGui::TextUnformatted(sentence.c_str());
  ImGui::PopTextWrapPos();
  std::string points;
  for (std::size_t side = 0; side < game.view.points.size() && side < game.view.sides.size();
       ++side) {
    points += fmt::format("{}{} {:g}", points.empty() ? "" : "   ", game.view.sides[side],
                          game.view.points[side]);
  }
  if (!points.empty()) ImGui::TextDisabled("Points: %s", points.c_str());
}

void Answered(const Theme& theme, const GameShown& game) {
  if (game.notice.empty()) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextColored(ToVec4(game.refused ? Warning(theme) : theme.accent), "%s",
                     game.notice.c_str());
  ImGui::PopTextWrapPos();
}

// One answer over the panel's whole width.
bool Row(const Theme& theme, const std::string& key, const std::string& label,
         const std::string& clause, bool pointed, bool for_good = false) {
  const ImVec2 start = ImGui::GetCursorPos();
  const float high = ImGui::GetFrameHeight();
  const bool pressed = ImGui::Selectable("##row", pointed, 0, {0, high});
  const ImVec2 after = ImGui::GetCursorPos();
  const float pad = ImGui::GetStyle().FramePadding.y;
  const ImVec2 at = ImGui::GetItemRectMin();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText({at.x + theme.Px(6), at.y + pad}, theme.accent, key.c_str());
  const float right = ImGui::GetItemRectMax().x;
  const float clause_width = ImGui::CalcTextSize(clause.c_str()).x;
  list.AddText({right - clause_width - theme.Px(4), at.y + pad}, theme.faint, clause.c_str());
  list.PushClipRect(at, {right - clause_width - theme.Px(12), at.y + high}, true);
  list.AddText({at.x + theme.Px(34), at.y + pad}, for_good ? Warning(theme) : theme.text,
               label.c_str());
  list.PopClipRect();
  ImGui::SetCursorPos({start.x, after.y});
  return pressed;
}

void Answers(const Theme& theme, const Snapshot& shown, GameController& controller,
             GamePanelView& view, const std::vector<LineOption>& options) {
  const std::size_t pages = (options.size() + kOnAPage - 1) / kOnAPage;
  view.page = std::clamp(view.page, 0, std::max(static_cast<int>(pages) - 1, 0));
  const std::size_t first = static_cast<std::size_t>(view.page) * kOnAPage;
  std::optional<LineOption> taken;
  for (std::size_t i = first; i < std::min(first + kOnAPage, options.size()); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (Row(theme, fmt::format("{}", i - first + 1), options[i].label, options[i].clause,
            view.option == static_cast<int>(i), !options[i].for_good.empty())) {
      taken = options[i];
    }
    if (ImGui::IsItemHovered()) view.option = static_cast<int>(i);
    ImGui::PopID();
  }
  if (pages > 1) {
    if (KeyButton(theme, "back", "PgUp")) view.page = std::max(view.page - 1, 0);
    ImGui::SameLine();
    if (KeyButton(theme, "more", "PgDn")) {
      view.page = std::min(view.page + 1, static_cast<int>(pages) - 1);
    }
    ImGui::SameLine();
    ImGui::TextDisabled("%s", fmt::format("{} of {}", view.page + 1, pages).c_str());
  }
  if (taken) Take(shown, controller, view, *taken);
}

void AnswerAsking(const Snapshot& shown, GameController& controller, GamePanelView& view,
                  bool yes) {
  if (!view.asking) return;
  const std::string line = view.asking->line;
  view.asking.reset();
  if (yes) Play(shown, controller, line);
}

// Is it really meant?
void Asking(const Theme& theme, const Snapshot& shown, GameController& controller,
            GamePanelView& view) {
  const LineOption& option = *view.asking;
  Title(theme, (option.label + "?").c_str());
  ImGui::PushTextWrapPos(0);
  ImGui::TextColored(ToVec4(Warning(theme)), "%s",
                     (Capital(option.for_good) + ". Is that meant?").c_str());
  ImGui::PopTextWrapPos();
  const bool yes = KeyButton(theme, "yes, it is", "Y");
  ImGui::SameLine();
  const bool no = KeyButton(theme, "no", "Esc");
  if (yes || no) AnswerAsking(shown, controller, view, yes);
}

void Dice(const Theme& theme, const Snapshot& shown, GameController& controller,
          GamePanelView& view) {
  const Prompt& prompt = controller.Now()->prompt;
  const float side = theme.Px(44);
  for (int i = 0; i < std::min(prompt.dice, 40); ++i) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + side, at.y + side}, Rgba(244, 244, 238), theme.Px(8));
    const auto index = static_cast<std::size_t>(i);
    const std::string face = index < view.dice.size() ? fmt::format("{}", view.dice[index]) : "?";
    const ImFont* font = theme.title != nullptr ? theme.title : ImGui::GetFont();
    const ImVec2 size = font->CalcTextSizeA(theme.Px(26), 1e6F, 0, face.c_str());
    list.AddText(font, theme.Px(26), {at.x + (side - size.x) / 2, at.y + (side - size.y) / 2},
                 index < view.dice.size() ? Rgba(20, 22, 26) : Rgba(170, 170, 166), face.c_str());
    ImGui::Dummy({side, side});
    const float next = ImGui::GetItemRectMax().x + theme.Px(8) + side;
    if (i + 1 < prompt.dice && next < ImGui::GetWindowPos().x + ImGui::GetWindowWidth()) {
      ImGui::SameLine(0, theme.Px(8));
    }
  }
  ImGui::TextDisabled("Type what the dice show, or let the program roll.");
  constexpr int kMostButtons = 12;
  for (int face = 1; face <= std::min(prompt.faces, kMostButtons); ++face) {
    // Faces of two digits are typed by the keys to the right of 9; their buttons say which.
    const std::string label =
        face < 10
            ? fmt::format(" {} ", face)
            : fmt::format(" {} [{}] ", face, kFacesFromTen[static_cast<std::size_t>(face - 10)]);
    const float wide = ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    const float next = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + wide;
    if (face > 1 && next < ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) {
      ImGui::SameLine();
    }
    if (ImGui::Button(label.c_str()) && static_cast<int>(view.dice.size()) < prompt.dice) {
      view.dice.push_back(face);
    }
  }
  const bool full = static_cast<int>(view.dice.size()) == prompt.dice;
  if (full && KeyButton(theme, "these dice", "Enter")) {
    std::string line = "dice";
    for (const int die : view.dice) line += fmt::format(" {}", die);
    Play(shown, controller, line);
    return;
  }
  if (full) ImGui::SameLine();
  if (!view.dice.empty()) {
    if (KeyButton(theme, "not so", "Backspace")) view.dice.pop_back();
    ImGui::SameLine();
  }
  if (KeyButton(theme, "roll", "R")) Play(shown, controller, "draw");
}

void Coin(const Theme& theme, const Snapshot& shown, GameController& controller) {
  if (KeyButton(theme, "heads", "1")) Play(shown, controller, "coin heads");
  ImGui::SameLine();
  if (KeyButton(theme, "tails", "2")) Play(shown, controller, "coin tails");
  ImGui::SameLine();
  if (KeyButton(theme, "toss it", "R")) Play(shown, controller, "draw");
}

void Secret(const Theme& theme, const Snapshot& shown, GameController& controller) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled("Each side has keys of its own. Nothing shows before both have chosen.");
  ImGui::PopTextWrapPos();
  // Side by side: one below the other they would run out of a small window.
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
                       chosen ? ": has chosen" : ": choose");
    const std::vector<LineOption> options = SecretOptions(*game, side);
    for (std::size_t i = 0; i < std::min(options.size(), kOnAPage); ++i) {
      ImGui::PushID(side * 100 + static_cast<int>(i));
      const std::string key = place == 0
                                  ? fmt::format("{}", i + 1)
                                  : std::string(1, static_cast<char>(std::toupper(kSecondKeys[i])));
      if (Row(theme, key, options[i].label, "", false)) {
        controller.Choose(side, options[i].line, Time(shown));
      }
      ImGui::PopID();
    }
    ++place;
  }
  ImGui::EndTable();
}

void FallOfShot(const Theme& theme, const Snapshot& shown, GameController& controller,
                ViewState& view, WordSink& words) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  if (const ShotShown* shot = WaitingShot(shown, controller)) {
    const int number = shot->shot.shot.number;
    const ShotCall call = CallOf(*shot);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(fmt::format("Shot {}:", number).c_str());
    ImGui::SameLine();
    Chip(theme, call.word.c_str(), CallColour(theme, call.call));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(shot->verdict.text.c_str());
    ImGui::PopTextWrapPos();
    DrawShotButtons(theme, *shot, view, words);
    if (OpenCalls(*shot).empty() && !view.moving) {
      if (KeyButton(theme, "let it fall", "Enter")) {
        const Result<std::string> line = controller.FallOf(*shot, shown.facts->scenario);
        if (line.ok()) Play(shown, controller, *line, number);
      }
      ImGui::SameLine();
    }
    if (view.moving) return;
    if (KeyButton(theme, "not this one", "Backspace")) controller.PassShot(number);
    return;
  }
  ImGui::PushTextWrapPos(0);
  if (shown.watching != Watching::kNoTable) {
    ImGui::TextDisabled("Throw, take your hands away: what the camera measures is shown here.");
  } else {
    ImGui::TextDisabled("Click where it lies, then every piece within the circle. Or type it: /");
  }
  ImGui::PopTextWrapPos();
  GamePanelView& chosen = view.game_panel;
  if (chosen.landed) {
    const auto square = game->board.SquareAt(*chosen.landed);
    ImGui::TextUnformatted(fmt::format("It lies {:.1f} in east, {:.1f} in north, in {}.",
                                       chosen.landed->x, chosen.landed->y,
                                       square ? SquareName(*square) : "no square")
                               .c_str());
    std::string struck;
    for (const std::string& id : chosen.struck) struck += (struck.empty() ? "" : ", ") + id;
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(
        (struck.empty() ? "Nothing within the circle." : "Within the circle: " + struck).c_str());
    ImGui::PopTextWrapPos();
    if (KeyButton(theme, "let it fall", "Enter"))
      Play(shown, controller, controller.FallAt(*chosen.landed, chosen.struck));
    ImGui::SameLine();
  }
  if (KeyButton(theme, "off the board", "0")) Play(shown, controller, "lands off");
}

void StartLine(GamePanelView& view, const std::string& begun) {
  view.typing = true;
  view.focus_line = true;
  view.at_line_end = false;
  view.line.fill('\0');
  std::snprintf(view.line.data(), view.line.size(), "%s", begun.c_str());
}

void Footer(const Theme& theme, const Snapshot& shown, GameController& controller,
            ViewState& view) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  if (game->played > 0) {
    if (KeyButton(theme, "undo", "Ctrl+Z")) controller.Undo(Time(shown));
    ImGui::SameLine();
  }
  if (game->to_redo > 0) {
    if (KeyButton(theme, "redo", "Ctrl+Y")) controller.Redo(Time(shown));
    ImGui::SameLine();
  }
  if (KeyButton(theme, "type", "/")) StartLine(view.game_panel, "");
  ImGui::SameLine();
  const std::string& clause = game->clause.empty() ? game->prompt.clause : game->clause;
  if (KeyButton(theme, clause.empty() ? "clauses" : clause.c_str(), "F4")) {
    view.game_panel.show_clause = true;
    view.game_panel.clause = clause;
  }
}

void NextPiece(const GameShown& game, GamePanelView& view, int step) {
  const std::vector<std::string> left = ToActYet(game);
  if (left.empty()) return;
  const auto count = static_cast<int>(left.size());
  const auto at = std::find(left.begin(), left.end(), view.piece);
  const int now = at == left.end() ? (step > 0 ? -1 : count) : static_cast<int>(at - left.begin());
  view.piece = left[static_cast<std::size_t>(((now + step) % count + count) % count)];
  view.square.clear();
  view.page = 0;
  view.option = -1;
}

// Where a turn before or after that of the step begins: its first step.
std::size_t TurnFrom(const GameShown& game, int step) {
  const std::vector<int>& turns = game.replay_turns;
  const std::size_t now = std::min(game.played, turns.size() - 1);
  if (step > 0) {
    const auto later = std::find_if(turns.begin() + static_cast<std::ptrdiff_t>(now), turns.end(),
                                    [&](int turn) { return turn > turns[now]; });
    return static_cast<std::size_t>(std::min(later, turns.end() - 1) - turns.begin());
  }
  // The beginning of this turn, or of the one before it when this is where it begins.
  const int turn = now > 0 ? turns[now - 1] : turns[0];
  return static_cast<std::size_t>(std::find(turns.begin(), turns.end(), turn) - turns.begin());
}

bool ReplayKey(const GameShown& game, GameController& controller, int key) {
  const std::size_t last = game.replay_turns.size() - 1;
  switch (key) {
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      controller.StepTo(game.played + 1);
      return true;
    case GLFW_KEY_BACKSPACE:
      controller.StepTo(game.played - std::min<std::size_t>(game.played, 1));
      return true;
    case GLFW_KEY_PAGE_DOWN:
      controller.StepTo(TurnFrom(game, 1));
      return true;
    case GLFW_KEY_PAGE_UP:
      controller.StepTo(TurnFrom(game, -1));
      return true;
    case GLFW_KEY_HOME:
      controller.StepTo(0);
      return true;
    case GLFW_KEY_END:
      controller.StepTo(last);
      return true;
    default:
      return false;
  }
}

// A game stepped through: where it is, what was said last and what came of it.
void Replayed(const Theme& theme, GameController& controller) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  const std::size_t last = game->replay_turns.size() - 1;
  DrawReplayWidget(
      theme, {"turn", "line", game->played, last},
      [&](int key) { ReplayKey(*game, controller, key); },
      [&](std::size_t place) { controller.StepTo(place); });
  ImGui::Separator();
  if (controller.Now()->log.empty()) return;
  const GameLogEntry& entry = controller.Now()->log.back();
  ImGui::PushTextWrapPos(0);
  ImGui::TextColored(ToVec4(theme.accent), "%s", entry.line.c_str());
  for (const std::string& told : entry.told) ImGui::TextUnformatted(told.c_str());
  std::string clauses;
  for (const std::string& clause : entry.clauses) clauses += (clauses.empty() ? "" : ", ") + clause;
  if (!clauses.empty()) ImGui::TextDisabled("%s", clauses.c_str());
  ImGui::PopTextWrapPos();
}

bool EnterPressed() {
  return ImGui::IsKeyPressed(GLFW_KEY_ENTER, false) ||
         ImGui::IsKeyPressed(GLFW_KEY_KP_ENTER, false);
}

// A letter or digit in a secret choice. Everything else waits: letters are the second side's.
void SecretKey(const Snapshot& shown, GameController& controller, ImWchar letter) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  const auto choose = [&](std::size_t place, std::size_t index) {
    if (place >= game->prompt.sides.size()) return;
    const int side = game->prompt.sides[place];
    const std::vector<LineOption> options = SecretOptions(*game, side);
    if (index < options.size()) controller.Choose(side, options[index].line, Time(shown));
  };
  if (letter >= '1' && letter <= '9') choose(0, static_cast<std::size_t>(letter - '1'));
  const std::size_t second =
      letter < 128 ? kSecondKeys.find(static_cast<char>(letter)) : std::string_view::npos;
  if (second != std::string_view::npos) choose(1, second);
}

// True: the letter was the game's.
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
    NextPiece(*game, chosen, letter == '.' ? 1 : -1);
    return true;
  }
  if (kind == PromptKind::kDice) {
    if (letter == 'r') Play(shown, controller, "draw");
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
    if (letter == '1') Play(shown, controller, "coin heads");
    if (letter == '2') Play(shown, controller, "coin tails");
    if (letter == 'r') Play(shown, controller, "draw");
    return digit || letter == 'r';
  }
  if (kind == PromptKind::kShot) {
    if (WaitingShot(shown, controller) != nullptr)
      return digit;  // Enter and Backspace answer for it
    if (letter == '0') Play(shown, controller, "lands off");
    return digit;
  }
  if (letter >= '1' && letter <= '9') {
    const std::vector<LineOption> options = ListedOptions(controller, view);
    const std::size_t index =
        static_cast<std::size_t>(chosen.page) * kOnAPage + static_cast<std::size_t>(letter - '1');
    if (index < options.size()) Take(shown, controller, chosen, options[index]);
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
        std::string line = "dice";
        for (const int die : chosen.dice) line += fmt::format(" {}", die);
        Play(shown, controller, line);
      }
      break;
    case PromptKind::kShot:
      if (const ShotShown* shot = WaitingShot(shown, controller)) {
        const Result<std::string> line = controller.FallOf(*shot, shown.facts->scenario);
        if (line.ok()) Play(shown, controller, *line, shot->shot.shot.number);
      } else if (chosen.landed) {
        Play(shown, controller, controller.FallAt(*chosen.landed, chosen.struck));
      } else {
        StartLine(chosen, "lands ");
      }
      break;
    default: {
      const std::vector<LineOption> options = ListedOptions(controller, view);
      if (chosen.option >= 0 && static_cast<std::size_t>(chosen.option) < options.size()) {
        Take(shown, controller, chosen, options[static_cast<std::size_t>(chosen.option)]);
      }
    }
  }
}

void BackspaceKey(const Snapshot& shown, GameController& controller, GamePanelView& view) {
  const PromptKind kind = controller.Now()->prompt.kind;
  if (kind == PromptKind::kDice) {
    if (!view.dice.empty()) view.dice.pop_back();
  } else if (kind == PromptKind::kShot) {
    if (const ShotShown* shot = WaitingShot(shown, controller))
      controller.PassShot(shot->shot.shot.number);
    view.landed.reset();
    view.struck.clear();
  } else if (!view.square.empty()) {
    view.square.clear();
  } else {
    view.piece.clear();
  }
}

void Arrow(ImDrawList& list, const Theme& theme, const std::vector<ImVec2>& way, ImU32 colour) {
  if (way.size() < 2) return;
  list.AddPolyline(way.data(), static_cast<int>(way.size()), Rgba(0, 0, 0, 150), 0, theme.Px(7));
  list.AddPolyline(way.data(), static_cast<int>(way.size()), colour, 0, theme.Px(4));
  const ImVec2 tip = way.back();
  const ImVec2 from = way[way.size() - 2];
  const float length = std::max(std::hypot(tip.x - from.x, tip.y - from.y), 1.0F);
  const ImVec2 d{(tip.x - from.x) / length, (tip.y - from.y) / length};
  const float size = theme.Px(14);
  const ImVec2 base{tip.x - size * d.x, tip.y - size * d.y};
  list.AddTriangleFilled(tip, {base.x - 0.6F * size * d.y, base.y + 0.6F * size * d.x},
                         {base.x + 0.6F * size * d.y, base.y - 0.6F * size * d.x}, colour);
}

// What is said first tells what kind of thing is done: each kind its colour, in the order they
// come.
ImU32 VerbColour(const std::string& verb, std::vector<std::string>& verbs) {
  constexpr std::array<ImU32, 6> kColours = {Rgba(86, 180, 233), Rgba(230, 159, 0),
                                             Rgba(0, 200, 140),  Rgba(226, 140, 190),
                                             Rgba(240, 228, 66), Rgba(213, 94, 0)};
  auto at = std::find(verbs.begin(), verbs.end(), verb);
  if (at == verbs.end()) at = verbs.insert(verbs.end(), verb);
  return kColours[static_cast<std::size_t>(at - verbs.begin()) % kColours.size()];
}

// The answer pointed at, or the line that dice are being thrown for; nullptr: neither.
const LineOption* PointedAt(const GameShown& game, const std::vector<LineOption>& listed,
                            const GamePanelView& view) {
  if (view.option >= 0 && static_cast<std::size_t>(view.option) < listed.size()) {
    return &listed[static_cast<std::size_t>(view.option)];
  }
  return game.thrown_for ? &*game.thrown_for : nullptr;
}

// The sums of what is pointed at, else of what is asked for; nullptr: sums decide nothing.
const Forecast* SumsOf(GameController& controller, const LineOption* pointed) {
  if (pointed != nullptr) {
    const std::optional<Forecast>& sums =
        pointed->forecast ? pointed->forecast : controller.ForecastOf(*pointed);
    if (sums) return &*sums;
  }
  const std::optional<Forecast>& awaited = controller.Now()->awaited;
  return awaited ? &*awaited : nullptr;
}

// What squares are marked with, each mark once over squares that hang together.
void DrawSquareMarks(ImDrawList& list, const Theme& theme, const Projection& on,
                     const TableFrame& frame,
                     const std::vector<std::pair<std::string, std::string>>& marks) {
  std::map<std::string, std::vector<SquareIndex>> by_mark;
  for (const auto& [square, what] : marks) {
    const auto index = ParseSquare(square);
    if (!index || !frame.Contains(*index)) continue;
    by_mark[what].push_back(*index);
    const std::vector<ImVec2> outline = SquareOutline(on, frame, square);
    const bool burning = what == "burning";
    Fill(list, outline, burning ? Rgba(255, 110, 0, 80) : Rgba(0, 0, 0, 36));
    Rim(list, outline, burning ? Rgba(255, 130, 20) : Rgba(255, 255, 255, 90),
        theme.Px(burning ? 2.0F : 1.0F));
  }
  std::map<std::pair<int, int>, int> plates;  // in one square, one below the other
  for (auto& [what, squares] : by_mark) {
    while (!squares.empty()) {
      std::vector<SquareIndex> together = {squares.back()};
      squares.pop_back();
      for (std::size_t n = 0; n < together.size(); ++n) {
        std::erase_if(squares, [&](const SquareIndex& one) {
          const bool next = std::abs(one.column - together[n].column) <= 1 &&
                            std::abs(one.row - together[n].row) <= 1;
          if (next) together.push_back(one);
          return next;
        });
      }
      // The northernmost of them: a square's middle is the units', its northern edge is free.
      const SquareIndex at = *std::max_element(
          together.begin(), together.end(), [](const SquareIndex& a, const SquareIndex& b) {
            return std::pair{a.row, a.column} < std::pair{b.row, b.column};
          });
      const double down = 0.13 * plates[{at.column, at.row}]++;
      const auto place = on.At(frame.CentreOf(at) + Vec2{0, (0.4 - down) * frame.square_in}, 0);
      if (place) DrawPlate(list, theme, *place, what, Rgba(255, 200, 120), theme.Px(12));
    }
  }
}

std::optional<Vec2> MiddleOf(const Snapshot& shown, const std::string& piece) {
  if (shown.stands == nullptr) return std::nullopt;
  Vec2 sum;
  int count = 0;
  for (const StandObservation& stand : *shown.stands) {
    if (stand.unit != piece && stand.stand.text != piece) continue;
    sum = sum + stand.table_from_stand.origin;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace

std::vector<std::string> ToActYet(const GameShown& game) {
  std::vector<std::string> out;
  for (const int side : game.prompt.sides) {
    for (const LineOption& option : OptionsOfSide(game, side)) {
      for (const std::string& piece : option.pieces) {
        const std::string unit = WithoutNumber(piece);
        if (std::find(out.begin(), out.end(), unit) == out.end()) out.push_back(unit);
      }
    }
  }
  return out;
}

std::vector<LineOption> ListedOptions(GameController& controller, const ViewState& view) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  std::vector<LineOption> out;
  if (game->prompt.kind == PromptKind::kSecret) return out;
  const GamePanelView& chosen = view.game_panel;
  if (game->prompt.kind == PromptKind::kDeclare && !chosen.piece.empty()) {
    for (const LineOption& option : controller.OptionsOf(chosen.piece)) {
      if (!Asks(*game, option.side)) continue;
      const bool there = chosen.square.empty() ||
                         (!option.squares.empty() && option.squares.back() == chosen.square);
      if (there) out.push_back(option);
    }
    ForGoodLast(out);
    return out;
  }
  for (const int side : game->prompt.sides) {
    for (const LineOption& option : OptionsOfSide(*game, side)) {
      // Of a declaration only what is about nobody in particular: "done". Units are chosen first.
      if (game->prompt.kind == PromptKind::kDeclare && !option.pieces.empty()) continue;
      out.push_back(option);
      // Whose it is, where both may say it.
      const auto index = static_cast<std::size_t>(std::max(side, 0));
      if (game->prompt.sides.size() > 1 && index < game->view.sides.size()) {
        out.back().label = game->view.sides[index] + ": " + out.back().label;
      }
    }
  }
  ForGoodLast(out);
  return out;
}

const ShotShown* WaitingShot(const Snapshot& shown, const GameController& controller) {
  if (shown.shots.empty()) return nullptr;
  const ShotShown* newest = shown.shots.back().get();
  return newest->shot.shot.number > controller.LastShotUsed() ? newest : nullptr;
}

std::shared_ptr<const Snapshot> PlainSnapshot(const GameController& controller, double time_s) {
  const GameShown& game = *controller.Now();
  MatchFacts facts;
  facts.table = game.board;
  facts.name = game.replay_turns.empty() ? game.name : "replay of " + game.name;
  facts.scenario.name = game.name;
  facts.scenario.ruleset = game.ruleset;
  // No paints are told where no camera looks: blue and red, as on every map.
  constexpr std::array<Colour, 4> kPaints = {Colour{47, 79, 168}, Colour{176, 48, 40},
                                             Colour{60, 140, 70}, Colour{200, 160, 40}};
  for (std::size_t side = 0; side < game.view.sides.size(); ++side) {
    SideSpec spec;
    spec.name = game.view.sides[side];
    spec.paint = kPaints[side % kPaints.size()];
    facts.scenario.sides.push_back(spec);
  }
  facts.scenario.kinds.resize(1);
  facts.scenario.terrain = game.terrain;
  Snapshot out;
  out.facts = std::make_shared<const MatchFacts>(std::move(facts));
  out.watching = Watching::kNoTable;
  out.frame.time_s = time_s;
  out.stands = std::make_shared<const std::vector<StandObservation>>(controller.Stands());
  out.log = std::make_shared<const std::vector<LogLine>>();
  return std::make_shared<const Snapshot>(std::move(out));
}

void DrawGame(const Theme& theme, const Snapshot& shown, GameController& controller,
              ViewState& view, WordSink& words, const ScreenRect& area) {
  Follow(controller, view.game_panel);
  const std::shared_ptr<const GameShown> game = controller.Now();
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({area.Width(), area.Height()});
  ImGui::Begin("Game", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  Question(theme, *game,
           game->thrown_for && game->thrown_for->forecast ? &*game->thrown_for->forecast
           : game->awaited                                ? &*game->awaited
                                                          : nullptr);
  if (view.disputing) {
    DrawDispute(shown, &controller, view, words);
    ImGui::End();
    return;
  }
  Answered(theme, *game);
  DrawMoveRemark(theme, shown, view);
  if (!game->replay_turns.empty()) {
    Replayed(theme, controller);
    if (view.show_reach && !view.game_panel.piece.empty()) {
      ImGui::Separator();
      ImGui::TextUnformatted(view.game_panel.piece.c_str());
      DescribeReach(theme, controller.ReachOf(view.game_panel.piece));
    }
    ImGui::End();
    return;
  }
  GamePanelView& chosen = view.game_panel;
  if (chosen.asking) {
    Asking(theme, shown, controller, chosen);
    ImGui::End();
    return;
  }
  Footer(theme, shown, controller, view);
  ImGui::Separator();
  switch (game->prompt.kind) {
    case PromptKind::kOver:
      break;
    case PromptKind::kDice:
      Dice(theme, shown, controller, chosen);
      break;
    case PromptKind::kCoin:
      Coin(theme, shown, controller);
      break;
    case PromptKind::kSecret:
      Secret(theme, shown, controller);
      break;
    case PromptKind::kShot:
      FallOfShot(theme, shown, controller, view, words);
      break;
    case PromptKind::kDeclare: {
      const std::vector<std::string> left = ToActYet(*game);
      if (!chosen.piece.empty()) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(
            (chosen.square.empty() ? chosen.piece : chosen.piece + " in " + chosen.square).c_str());
        ImGui::SameLine();
        if (KeyButton(theme, "all units", "Backspace")) BackspaceKey(shown, controller, chosen);
        if (view.show_reach) DescribeReach(theme, controller.ReachOf(chosen.piece));
      } else if (!left.empty()) {
        std::string names;
        for (std::size_t i = 0; i < left.size(); ++i) names += (i == 0 ? "" : ", ") + left[i];
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("May act: %s. Click one, or  .  and  ,  for the next.", names.c_str());
        ImGui::PopTextWrapPos();
      }
      Answers(theme, shown, controller, chosen, ListedOptions(controller, view));
      break;
    }
    case PromptKind::kChoice:
      Answers(theme, shown, controller, chosen, ListedOptions(controller, view));
      break;
  }
  const std::vector<LineOption> listed = ListedOptions(controller, view);
  const LineOption* pointed = PointedAt(*controller.Now(), listed, chosen);
  if (const Forecast* sums = SumsOf(controller, pointed)) DescribeForecast(theme, *sums);
  // What runs out below is come to by keys too, where they do not turn the answers' pages.
  if (!view.game_panel.typing && listed.size() <= kOnAPage) {
    const float page = 0.7F * area.Height();
    if (ImGui::IsKeyPressed(GLFW_KEY_PAGE_DOWN)) ImGui::SetScrollY(ImGui::GetScrollY() + page);
    if (ImGui::IsKeyPressed(GLFW_KEY_PAGE_UP)) ImGui::SetScrollY(ImGui::GetScrollY() - page);
  }
  ImGui::End();
}

void DrawGameDialogs(const Theme& theme, const Snapshot& shown, GameController& controller,
                     ViewState& view, const ScreenRect& area) {
  GamePanelView& chosen = view.game_panel;
  constexpr ImGuiWindowFlags kDialog =
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  if (chosen.typing) {
    ImGui::SetNextWindowPos({0.5F * (area.low.x + area.high.x), area.high.y - theme.Px(20)},
                            ImGuiCond_Always, {0.5F, 1.0F});
    ImGui::SetNextWindowSize({0.7F * area.Width(), 0});
    ImGui::SetNextWindowFocus();
    ImGui::Begin("Line", nullptr, kDialog);
    ImGui::TextUnformatted("Say it in a line (docs/scripts.md). Enter says it, Esc leaves it.");
    if (chosen.focus_line) {
      ImGui::SetKeyboardFocusHere();
      chosen.focus_line = false;
    }
    ImGui::SetNextItemWidth(-1);
    // The cursor goes behind what was begun: ImGui would choose it all, to be typed over.
    const auto to_end = [](ImGuiInputTextCallbackData* data) {
      bool& at_end = *static_cast<bool*>(data->UserData);
      if (at_end) return 0;
      at_end = true;
      data->ClearSelection();
      data->CursorPos = data->BufTextLen;
      return 0;
    };
    if (ImGui::InputText("##line", chosen.line.data(), chosen.line.size(),
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways,
                         to_end, &chosen.at_line_end)) {
      const std::string line = chosen.line.data();
      chosen.typing = false;
      if (!line.empty()) Play(shown, controller, line);
    }
    ImGui::End();
  }
  if (!chosen.show_clause) return;
  ImGui::SetNextWindowPos({0.5F * (area.low.x + area.high.x), 0.5F * (area.low.y + area.high.y)},
                          ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(0.8F * area.Width(), theme.Px(760)), 0.8F * area.Height()});
  ImGui::SetNextWindowFocus();
  ImGui::Begin("Clauses", nullptr, kDialog);
  Title(theme, "The rules in our words");
  if (KeyButton(theme, "close", "Esc")) chosen.show_clause = false;
  ImGui::SameLine();
  if (!chosen.clause.empty() && ImGui::Button("all of them")) chosen.clause.clear();
  ImGui::Separator();
  ImGui::BeginChild("list");
  const RuleSet* set = FindRuleSet(controller.Now()->ruleset);
  if (set != nullptr) {
    for (const Clause& clause : set->clauses()) {
      if (!chosen.clause.empty() && clause.id != chosen.clause) continue;
      ImGui::TextColored(ToVec4(theme.accent), "%s", std::string(clause.id).c_str());
      ImGui::SameLine(theme.Px(110));
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(Capital(std::string(clause.gist)).c_str());
      ImGui::PopTextWrapPos();
      ImGui::TextDisabled("%s", std::string(clause.where).c_str());
    }
  }
  ImGui::EndChild();
  ImGui::End();
}

bool HandleGameKeys(const Snapshot& shown, GameController& controller, ViewState& view) {
  Follow(controller, view.game_panel);
  const ImGuiIO& io = ImGui::GetIO();
  GamePanelView& chosen = view.game_panel;
  if (ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) &&
      (chosen.typing || chosen.show_clause || chosen.searching)) {
    chosen.typing = false;
    chosen.show_clause = false;
    chosen.searching = false;
    chosen.search.fill('\0');
    return true;
  }
  if (chosen.typing || view.disputing || io.WantTextInput) return chosen.typing;
  if (chosen.asking) {
    // Neither Enter nor a digit is a yes: they come too easily twice.
    bool yes = false;
    bool no = ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) ||
              ImGui::IsKeyPressed(GLFW_KEY_BACKSPACE, false);
    for (const ImWchar letter : io.InputQueueCharacters) {
      yes = yes || letter == 'y' || letter == 'Y';
      no = no || letter == 'n' || letter == 'N';
    }
    if (yes || no) AnswerAsking(shown, controller, chosen, yes && !no);
    return true;
  }
  if (view.moving) return false;  // the arrows and Enter are the point's
  if (io.KeyCtrl) {
    // None of these goes on while its key is down: on a slow machine every key is down for long.
    if (ImGui::IsKeyPressed(GLFW_KEY_Z, false)) controller.Undo(Time(shown));
    if (ImGui::IsKeyPressed(GLFW_KEY_Y, false)) controller.Redo(Time(shown));
    if (ImGui::IsKeyPressed(GLFW_KEY_F, false)) {
      chosen.searching = true;
      chosen.focus_search = true;
    }
    return true;
  }
  if (ImGui::IsKeyPressed(GLFW_KEY_F3, false)) chosen.show_rulings = !chosen.show_rulings;
  if (ImGui::IsKeyPressed(GLFW_KEY_F4, false)) {
    const GameShown& game = *controller.Now();
    chosen.show_clause = !chosen.show_clause;
    chosen.clause = game.clause.empty() ? game.prompt.clause : game.clause;
  }
  if (!controller.Now()->replay_turns.empty()) {
    for (const int key : {GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER, GLFW_KEY_BACKSPACE, GLFW_KEY_PAGE_DOWN,
                          GLFW_KEY_PAGE_UP, GLFW_KEY_HOME, GLFW_KEY_END}) {
      if (ImGui::IsKeyPressed(key)) ReplayKey(*controller.Now(), controller, key);
    }
    for (const ImWchar letter : io.InputQueueCharacters) {
      if (letter == ',' || letter == '.')
        NextPiece(*controller.Now(), chosen, letter == '.' ? 1 : -1);
    }
    return false;
  }
  if (ImGui::IsKeyPressed(GLFW_KEY_PAGE_DOWN)) ++chosen.page;
  if (ImGui::IsKeyPressed(GLFW_KEY_PAGE_UP)) chosen.page = std::max(chosen.page - 1, 0);
  if (EnterPressed()) EnterKey(shown, controller, view);
  if (ImGui::IsKeyPressed(GLFW_KEY_BACKSPACE, false)) BackspaceKey(shown, controller, chosen);
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

void TakeClick(const Snapshot& shown, GameController& controller, ViewState& view) {
  if (!view.clicked) return;
  const Vec2 at = *std::exchange(view.clicked, std::nullopt);
  const std::shared_ptr<const GameShown> game = controller.Now();
  GamePanelView& chosen = view.game_panel;
  const StandObservation* nearest = nullptr;
  if (shown.stands != nullptr) {
    for (const StandObservation& stand : *shown.stands) {
      const double reach =
          0.5 * std::max(stand.footprint.width_in, stand.footprint.depth_in) + 0.15;
      const double distance = Distance(stand.table_from_stand.origin, at);
      if (distance > reach) continue;
      if (nearest == nullptr || distance < Distance(nearest->table_from_stand.origin, at)) {
        nearest = &stand;
      }
    }
  }
  if (game->prompt.kind == PromptKind::kShot) {
    if (chosen.landed && nearest != nullptr) {
      const std::string& id = nearest->stand.text;
      const auto there = std::find(chosen.struck.begin(), chosen.struck.end(), id);
      if (there == chosen.struck.end()) {
        chosen.struck.push_back(id);
      } else {
        chosen.struck.erase(there);
      }
    } else if (game->board.Contains(at)) {
      chosen.landed = at;
      chosen.struck.clear();
    }
    return;
  }
  const auto square = game->board.SquareAt(at);
  const std::string name = square ? SquareName(*square) : "";
  const std::vector<LineOption> listed = ListedOptions(controller, view);
  chosen.page = 0;
  // Tables without squares: the way that ends nearest to the click, as near as a finger points.
  double nearest_end_in = 1.5;
  chosen.option = -1;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (listed[i].path_in.empty()) continue;
    const double off = Distance(listed[i].path_in.back(), at);
    if (off >= nearest_end_in) continue;
    nearest_end_in = off;
    chosen.option = static_cast<int>(i);
    chosen.page = static_cast<int>(i / kOnAPage);
  }
  if (chosen.option >= 0 && nearest == nullptr) return;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const LineOption& option = listed[i];
    const bool there = !option.squares.empty() && option.squares.back() == name;
    const bool about = nearest != nullptr && game->prompt.kind == PromptKind::kChoice &&
                       std::find(option.pieces.begin(), option.pieces.end(), nearest->stand.text) !=
                           option.pieces.end();
    if (!there && !about) continue;
    if (there && chosen.square != name && game->prompt.kind == PromptKind::kDeclare) {
      chosen.square = name;
      // The whole unit is meant before a part of it.
      const std::vector<LineOption> ways = ListedOptions(controller, view);
      const auto whole = std::max_element(ways.begin(), ways.end(),
                                          [](const LineOption& one, const LineOption& other) {
                                            return one.pieces.size() < other.pieces.size();
                                          });
      chosen.option = static_cast<int>(whole - ways.begin());
      chosen.page = chosen.option / static_cast<int>(kOnAPage);
    } else {
      chosen.option = static_cast<int>(i);
      chosen.page = static_cast<int>(i / kOnAPage);
    }
    return;
  }
  chosen.square.clear();
  chosen.option = -1;
  // Between the stands of a square: the nearest of them is meant.
  if (nearest == nullptr && square && shown.stands != nullptr) {
    for (const StandObservation& stand : *shown.stands) {
      const Vec2 centre = stand.table_from_stand.origin;
      if (game->board.SquareAt(centre) != square) continue;
      if (nearest == nullptr ||
          Distance(centre, at) < Distance(nearest->table_from_stand.origin, at)) {
        nearest = &stand;
      }
    }
  }
  chosen.piece = nearest == nullptr      ? ""
                 : nearest->unit.empty() ? WithoutNumber(nearest->stand.text)
                                         : nearest->unit;
}

void DrawGameOverlay(ImDrawList& list, const Theme& theme, const Projection& on,
                     const Snapshot& shown, GameController& controller, const ViewState& view) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  const TableFrame& frame = shown.facts->table;
  const GamePanelView& chosen = view.game_panel;
  const auto middle = [&](const std::string& name) -> std::optional<ImVec2> {
    const auto square = ParseSquare(name);
    if (!square || !frame.Contains(*square)) return std::nullopt;
    return on.At(frame.CentreOf(*square), 0);
  };
  DrawSquareMarks(list, theme, on, frame, game->view.square_marks);
  for (const std::string& square : game->prompt.squares) {
    Rim(list, SquareOutline(on, frame, square), Rgba(255, 214, 64), theme.Px(4));
  }
  if (view.show_reach && !chosen.piece.empty()) {
    DrawReach(list, theme, on, frame, controller.ReachOf(chosen.piece), chosen.piece,
              [&](const std::string& piece) { return MiddleOf(shown, piece); });
  }
  std::vector<std::string> verbs;
  const std::vector<LineOption> options = ListedOptions(controller, view);
  std::map<std::string, std::string> ends;  // square to verb, once however many options end there
  for (const LineOption& option : options) {
    const ImU32 colour = VerbColour(Verb(option.line), verbs);
    if (!option.squares.empty()) ends.emplace(option.squares.back(), Verb(option.line));
    if (!option.path_in.empty()) {
      const auto at = on.At(option.path_in.back(), 0);
      if (at) list.AddCircleFilled(*at, theme.Px(5), Faded(colour, 0.7F));
    }
  }
  for (const auto& [square, verb] : ends) {
    const std::vector<ImVec2> outline = SquareOutline(on, frame, square);
    const ImU32 colour = VerbColour(verb, verbs);
    Fill(list, outline, Faded(colour, 0.22F));
    Rim(list, outline, Faded(colour, 0.85F), theme.Px(1.5F));
  }
  // The chosen unit, ringed, and everything the question is about.
  const auto ring = [&](const std::string& piece, ImU32 colour) {
    if (shown.stands == nullptr) return;
    for (const StandObservation& stand : *shown.stands) {
      if (stand.unit != piece && stand.stand.text != piece) continue;
      // About the footprint, clear of its own outline.
      constexpr double kClear_in = 0.15;
      const Box2 grown{stand.footprint.width_in + 2 * kClear_in,
                       stand.footprint.depth_in + 2 * kClear_in};
      std::vector<ImVec2> outline;
      for (const Vec2 corner : Corners(stand.table_from_stand, grown)) {
        if (const auto at = on.At(corner, 0)) outline.push_back(*at);
      }
      Rim(list, outline, colour, theme.Px(3));
    }
  };
  for (const std::string& piece : game->prompt.pieces) ring(piece, Rgba(255, 214, 64));
  if (!chosen.piece.empty()) ring(chosen.piece, Rgba(255, 255, 255));
  for (const std::string& piece : chosen.struck) ring(piece, CallColour(theme, Call::kHit));
  if (chosen.landed) {
    const auto at = on.At(*chosen.landed, 0);
    const float inch = on.PixelsPerInch(*chosen.landed, 0);
    if (at) {
      list.AddCircle(*at, inch, Rgba(255, 255, 255), 0, theme.Px(2));
      list.AddCircleFilled(*at, theme.Px(4), Rgba(0, 240, 255));
    }
  }
  const LineOption* pointed = PointedAt(*game, options, chosen);
  if (pointed == nullptr) {
    // What dice or cards are asked for now, beside its place.
    const auto at = game->prompt.squares.empty() ? std::nullopt : middle(game->prompt.squares[0]);
    if (at && game->awaited) DrawForecastPlates(list, theme, *at, *game->awaited);
    return;
  }
  const LineOption& option = *pointed;
  std::vector<ImVec2> way;
  const std::string of = option.pieces.empty() ? "" : option.pieces.front();
  if (const auto from = MiddleOf(shown, of)) {
    if (const auto at = on.At(*from, 0)) way.push_back(*at);
  }
  for (const std::string& square : option.squares) {
    if (const auto at = middle(square)) way.push_back(*at);
  }
  for (const Vec2 point : option.path_in) {
    if (const auto at = on.At(point, 0)) way.push_back(*at);
  }
  Arrow(list, theme, way, VerbColour(Verb(option.line), verbs));
  for (const std::string& piece : option.pieces) ring(piece, Rgba(255, 255, 255));
  const Forecast* sums = SumsOf(controller, pointed);
  if (sums != nullptr && !way.empty()) DrawForecastPlates(list, theme, way.back(), *sums);
}

}  // namespace fos
