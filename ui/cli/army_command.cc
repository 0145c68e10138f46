// SPDX-License-Identifier: MIT
#include "ui/cli/army_command.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/files/toml_reader.h"
#include "engine/game/rule_game.h"
#include "engine/rules/rule_sets.h"
#include "ui/cli/options.h"
#include "ui/cli/output_file.h"

namespace fos {
namespace {

constexpr int kColumns = 12, kRows = 9;  // of the smallest table
constexpr int kBetween = 5;              // rows between the armies at the start

struct Board {
  int columns = kColumns, rows = kRows;
};
Board BoardFor(const std::array<ArmyOffer, 2>& armies) {
  const auto most = static_cast<int>(std::max(armies[0].squares, armies[1].squares));
  Board board;
  board.columns = std::max(kColumns, std::min(26, (most + 2) / 3));  // named A to Z
  const int deep = (most + board.columns - 1) / board.columns;
  board.rows = std::max(kRows, 2 * deep + kBetween);
  return board;
}

// The squares an army starts in, row by row from its home edge.
std::string SquaresOf(const ArmyOffer& army, const Board& board, bool south) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < army.squares; ++n) {
    const int row = static_cast<int>(n) / board.columns;
    names.push_back(TomlString(
        SquareName({static_cast<int>(n) % board.columns, south ? row : board.rows - 1 - row})));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string GameText(const std::string& ruleset, const std::array<ArmyOffer, 2>& armies,
                     const std::array<std::string, 2>& sides, std::optional<int> points,
                     double square_in) {
  const Board board = BoardFor(armies);
  std::string out = fmt::format(
      "ruleset = {}\n\n[scenario]\nname = {}\n\n[board]\ncolumns = {}\nrows = {}\nsquare = "
      "{:.4g}\n",
      TomlString(ruleset), TomlString(sides[0] + " against " + sides[1]), board.columns, board.rows,
      square_in);
  for (std::size_t i = 0; i < 2; ++i)
    out += fmt::format("\n[[side]]\nname = {}\nbaseline = \"{}\"\n", TomlString(sides[i]),
                       i == 0 ? "south" : "north");
  for (std::size_t i = 0; i < 2; ++i) {
    const ArmyOffer& army = armies[i];
    out += fmt::format("\n# {} points\n[[{}]]\nid = \"{}\"\nside = {}\n{} = {}\n", army.points,
                       army.table, i == 0 ? "S" : "N", TomlString(sides[i]), army.table,
                       TomlString(army.list));
    if (points) out += fmt::format("points = {}\n", *points);
    out += fmt::format("squares = [{}]\n", SquaresOf(army, board, i == 0));
  }
  return out;
}

void Show(const ArmyOffer& army, std::optional<int> points, std::ostream& out) {
  out << army.text;
  if (points) {
    out << fmt::format("{} of {} points\n", army.points, *points);
  } else {
    out << fmt::format("{} points, {} stated\n", army.points, army.stated);
    if (!army.notice.empty()) out << army.notice << '\n';
  }
}

// Writes the game only if it can be played: the rules limit how many units a game may have.
Status WritePlayable(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::path trial = file;
  trial += ".trial";
  Status status = WriteOutput(trial, text);
  if (!status.ok()) {
    std::string why = status.error().message;
    if (why.starts_with(trial.string())) why = file.string() + why.substr(trial.string().size());
    return Error{status.error().code, why};
  }
  const Result<std::unique_ptr<RuleGame>> game = OpenGame(trial, std::nullopt);
  std::error_code ignored;
  std::filesystem::remove(trial, ignored);
  if (game.ok()) return WriteOutput(file, text);
  std::string why = game.error().message;
  if (why.starts_with(trial.string() + ':')) {  // file and line, which is not written
    why = why.substr(why.find(' ') + 1);
  }
  return Error{ErrorCode::kOutOfRange,
               fmt::format("{}: not written, it could not be played: {}", file.string(), why)};
}

}  // namespace

int RunArmy(const std::vector<std::string>& arguments, Console& console) {
  std::vector<std::string> with_lists;
  for (const RuleSet& set : RuleSets())
    if (set.army) with_lists.emplace_back(set.name);
  std::string ruleset, list, against, sides_text, file;
  int points = 0;
  constexpr double kUsualSquare_in = 4;
  double square_in = kUsualSquare_in;
  Options options("army RULESET [LIST] [options]",
                  "Shows an army of a rule set's lists with its points; without LIST, shows the "
                  "lists. With --out, writes a game of two armies for `play` and `live --game`.");
  options.Argument("RULESET", ruleset, fmt::format("{}", fmt::join(with_lists, " or ")))
      .OptionalArgument("LIST", list, "one of its lists: division, Roman, ...")
      .Integer("points", points, 0, 10000,
               "build an army of this many points from the list's troops; 0 takes the list")
      .Text("against", "LIST", against, "the other army's list; default: the same list")
      .Text("sides", "SOUTH,NORTH", sides_text, "names of the two sides")
      .Number("square", square_in, 1, 12, "side of a square, inches: 3, 4 or 5 by figure size")
      .Text("out", "FILE", file, "write a game of both armies to this file");
  if (const auto status = ReadArguments(options, "army", arguments, console)) return *status;
  const RuleSet* set = FindRuleSet(ruleset);
  if (!set || !set->army)
    return BadUsage(console, "army",
                    fmt::format("no army lists for `{}`; the nearest rule set with some is `{}`",
                                ruleset.substr(0, 100), NearestName(ruleset, with_lists)));
  if (file.empty() && (!sides_text.empty() || square_in != kUsualSquare_in)) {
    return BadUsage(console, "army",
                    fmt::format("{} is for a game's file; name that with --out",
                                sides_text.empty() ? "--square" : "--sides"));
  }
  if (list.empty()) {
    const char* given = !file.empty()         ? "--out"
                        : points > 0          ? "--points"
                        : !against.empty()    ? "--against"
                                              : nullptr;
    if (given != nullptr) {
      return BadUsage(console, "army", fmt::format("{} needs a LIST; name an army list", given));
    }
    const Result<std::vector<std::string>> names = set->army_lists();
    if (!names.ok()) return BadInput(console, names.error().message);
    for (const std::string& name : *names) {
      const Result<ArmyOffer> army = set->army(name, std::nullopt);
      if (!army.ok()) return BadInput(console, army.error().message);
      console.out << fmt::format("{:<36} {:>4} points, {} stated\n", name, army->points,
                                 army->stated);
    }
    return kExitDone;
  }
  std::optional<int> wanted;
  if (points > 0) wanted = points;
  std::array<ArmyOffer, 2> armies;
  const std::array<std::string, 2> lists{list, against.empty() ? list : against};
  for (std::size_t i = 0; i < 2; ++i) {
    Result<ArmyOffer> army = set->army(lists[i], wanted);
    if (!army.ok()) return BadInput(console, army.error().message);
    armies[i] = std::move(army).value();
  }
  std::array<std::string, 2> sides = lists;
  if (sides[0] == sides[1]) sides = {"Blue", "Red"};
  if (!sides_text.empty()) {
    const std::size_t comma = sides_text.find(',');
    if (comma == std::string::npos || comma == 0 || comma + 1 == sides_text.size())
      return BadUsage(console, "army", "--sides needs two names: SOUTH,NORTH");
    sides = {sides_text.substr(0, comma), sides_text.substr(comma + 1)};
    if (sides[0] == sides[1]) return BadUsage(console, "army", "--sides needs two different names");
  }
  Show(armies[0], wanted, console.out);
  if (!against.empty()) {
    console.out << '\n';
    Show(armies[1], wanted, console.out);
  }
  if (file.empty()) return kExitDone;
  const Status written = WritePlayable(file, GameText(ruleset, armies, sides, wanted, square_in));
  if (!written.ok()) return BadInput(console, written.error().message);
  console.out << fmt::format("\nwritten to {}; play it with `play` or `live --game`\n", file);
  return kExitDone;
}

}  // namespace fos
