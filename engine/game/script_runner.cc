// SPDX-License-Identifier: MIT
#include "engine/game/script_runner.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "engine/game/line_words.h"
#include "engine/game/nearest_line.h"
#include "engine/table/counted.h"

namespace fos {
namespace {

// Four times the longest game seen between armies of 580 points.
constexpr std::size_t kMostRandom = 20000;

class Runner {
 public:
  Runner(RuleGame& game, const ScriptOptions& options) : game_(game), options_(options) {}

  Status Take(int number, const std::string& text) {
    try {
      LineWords words(text);
      if (words.AtEnd()) return Ok();
      if (words.Skip("undo")) return Undo(number, text, words);
      if (words.Skip("correct")) return Correct(number, text, words, true);
      if (words.Skip("remove")) return Correct(number, text, words, false);
      if (words.Skip("random")) return PlayRandom(number, words);
      if (!IsThrow(text) && !words.Next("draw")) DrawPending(number);
      if (words.Skip("show")) return Show(number, text, words);
      if (words.Skip("legal")) return Legal(number, text, words);
      return Play(number, text, text);
    } catch (const UnreadableLine& e) {
      return At(number, e.why);
    }
  }

  // Not after dice that the game refused: the players threw them, and meant to give others.
  void DrawPending(int number) {
    while (options_.seed && !thrown_ && WantsChance(game_.Next().kind))
      if (!Play(number, "(drawn)", "draw").ok()) return;
  }

 private:
  static bool WantsChance(PromptKind kind) {
    return kind == PromptKind::kDice || kind == PromptKind::kCoin;
  }
  static bool IsThrow(std::string_view line) {
    const LineWords words(line);
    return words.Next("dice") || words.Next("coin");
  }
  static Error At(int number, const std::string& why) {
    return {ErrorCode::kBadFormat, fmt::format("line {}: {}", number, why)};
  }
  Status Report(ScriptStep step) const {
    if (options_.report) options_.report(step);
    return Ok();
  }
  Status Play(int number, std::string text, std::string_view line) {
    auto outcome = game_.Play(line);
    if (!outcome.ok()) return At(number, outcome.error().message);
    // What the program chose itself is shown, without the generator's state.
    if (text.starts_with('(') && !outcome->line.empty())
      text += ' ' + outcome->line.substr(0, outcome->line.find(" drawn "));
    thrown_ = outcome->refused && (thrown_ || IsThrow(line));
    ScriptStep step{number, std::move(text), std::move(outcome).value()};
    if (step.outcome.refused)
      if (const std::string legal = NearestLegal(game_, line); !legal.empty())
        step.outcome.told.push_back(fmt::format("Nearest that is allowed: {}", legal));
    return Report(std::move(step));
  }

  // Reads a count or an action number, from 1.
  static std::size_t Count(LineWords& words, const char* what, std::size_t most) {
    const int count = words.Whole(what);
    if (count < 1 || static_cast<std::size_t>(count) > most)
      FailLine(most == 0 ? std::string("nothing has been played yet that could be changed")
                         : fmt::format("{} is `{}`; give 1 to {}", what, count, most));
    return static_cast<std::size_t>(count);
  }
  Status Undo(int number, const std::string& text, LineWords& words) {
    std::size_t count =
        words.AtEnd() ? 1 : Count(words, "the number of actions to take back", game_.Played());
    words.End();
    ScriptStep step{number, text, {}};
    while (count-- > 0 && game_.Undo())
      step.outcome.told.emplace_back("The last action is taken back.");
    return Report(std::move(step));
  }
  // correct N LINE; remove N
  Status Correct(int number, const std::string& text, LineWords& words, bool by_another) {
    const std::size_t index = Count(words, "the action's number", game_.Played()) - 1;
    std::optional<std::string> line;
    if (by_another) {
      // The text after the first two words, unchanged.
      std::istringstream rest(text);
      std::string skipped;
      rest >> skipped >> skipped;
      std::getline(rest, line.emplace());
    } else {
      words.End();
    }
    auto corrected = game_.Correct(index, line);
    if (!corrected.ok()) return At(number, corrected.error().message);
    ScriptStep step{number, text, {}};
    step.outcome.refused = corrected->refused;
    step.outcome.told = corrected->changed;
    return Report(std::move(step));
  }
  // random [N]: plays N legal actions, or to the end.
  Status PlayRandom(int number, LineWords& words) {
    std::size_t left =
        words.AtEnd() ? kMostRandom : Count(words, "the number of random actions", kMostRandom);
    words.End();
    Generator chance{options_.seed.value_or(0) + static_cast<std::uint64_t>(number)};
    for (; left > 0 && game_.Next().kind != PromptKind::kOver; --left)
      if (Status played = Play(number, "(random)", game_.RandomLine(chance)); !played.ok())
        return played;
    return Ok();
  }
  Status Show(int number, const std::string& text, const LineWords& words) const {
    words.End();
    ScriptStep step{number, text, {}};
    step.outcome.told.push_back(game_.DescribeTable());
    return Report(std::move(step));
  }
  // legal [PIECE|SIDE]: lists the legal lines about a piece, of a side, or of all who may act.
  Status Legal(int number, const std::string& text, LineWords& words) const {
    std::vector<LineOption> options;
    if (words.AtEnd()) {
      for (const int side : game_.Next().sides)
        for (LineOption& option : game_.Options(side)) options.push_back(std::move(option));
    } else {
      const GameView view = game_.View();
      const std::string name = words.Word("a piece or a side");
      const auto side = std::find(view.sides.begin(), view.sides.end(), name);
      std::vector<std::string> names = view.sides;
      for (const PieceView& piece : view.pieces) {
        names.push_back(piece.id);
        names.push_back(piece.unit);
      }
      if (std::find(names.begin(), names.end(), name) == names.end())
        FailLine(NoSuch("piece or side", name, names));
      options = side == view.sides.end()
                    ? game_.OptionsOf(name)
                    : game_.Options(static_cast<int>(side - view.sides.begin()));
      words.End();
    }
    ScriptStep step{number, text, {}};
    // By what is done, in the order of the first of each.
    const auto verb_of = [](const LineOption& option) {
      return option.line.substr(0, option.line.find(' '));
    };
    std::vector<std::string> verbs;
    for (const LineOption& option : options)
      if (std::find(verbs.begin(), verbs.end(), verb_of(option)) == verbs.end())
        verbs.push_back(verb_of(option));
    for (const std::string& verb : verbs) {
      const auto count = std::count_if(options.begin(), options.end(),
                                       [&](const auto& option) { return verb_of(option) == verb; });
      step.outcome.told.push_back(
          fmt::format("{} ({})", verb, Counted(static_cast<double>(count), "way")));
      for (const LineOption& option : options)
        if (verb_of(option) == verb)
          step.outcome.told.push_back(fmt::format("  {}: {}", option.line, option.label));
    }
    if (options.empty()) step.outcome.told.push_back("No action is legal now.");
    return Report(std::move(step));
  }

  RuleGame& game_;
  const ScriptOptions& options_;
  bool thrown_ = false;  // dice or a coin were given and refused; the game still asks for them
};

}  // namespace

Status RunScript(RuleGame& game, std::string_view script, const ScriptOptions& options) {
  Runner runner(game, options);
  std::istringstream lines{std::string(script)};
  int number = 0;
  for (std::string line; std::getline(lines, line);)
    if (const Status taken = runner.Take(++number, line); !taken.ok()) return taken;
  runner.DrawPending(number);
  return Ok();
}

}  // namespace fos
