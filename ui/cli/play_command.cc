// SPDX-License-Identifier: MIT
#include "ui/cli/play_command.h"

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

#include <fmt/format.h>

#include "engine/files/json.h"
#include "engine/game/rule_game.h"
#include "engine/game/script_runner.h"
#include "engine/journal/logged_game.h"
#include "ui/cli/club_file_option.h"
#include "ui/cli/options.h"
#include "ui/club/club_source.h"
#include "ui/session/club_file.h"

namespace fos {
namespace {

void PrintStep(const ScriptStep& step, std::ostream& out) {
  out << fmt::format("{:>4}  {}\n", step.line, step.text);
  if (step.outcome.refused)
    out << fmt::format("        refused ({}): {}\n", step.outcome.refused->clause,
                       step.outcome.refused->because);
  for (const std::string& sentence : step.outcome.told) out << "        " << sentence << '\n';
}

// One object a line. What other people typed may be no UTF-8: it is written as well as it goes.
void PrintJson(const ScriptStep& step, std::ostream& out) {
  Json json = {{"line", step.line}, {"text", step.text}};
  if (!step.outcome.line.empty()) json["played"] = step.outcome.line;
  if (step.outcome.refused)
    json["refused"] = {{"clause", step.outcome.refused->clause},
                       {"because", step.outcome.refused->because}};
  json["told"] = step.outcome.told;
  json["clauses"] = step.outcome.clauses;
  json["events"] = Json::array();
  for (const std::string& event : step.outcome.events) json["events"].push_back(Json::parse(event));
  out << json.dump() << '\n';
}

}  // namespace

int RunPlay(const std::vector<std::string>& arguments, Console& console) {
  std::string scenario;
  std::string script_path;
  std::string seed;
  std::string players;
  ClubFileOption club;
  bool json = false;
  Options options("play SCENARIO SCRIPT [options]",
                  "Plays a whole game from a script, without a camera. docs/scripts.md describes "
                  "the script's language.");
  options.Argument("SCENARIO", scenario, "the game to play: datasets/scenarios/*.toml")
      .Argument("SCRIPT", script_path, "declarations, dice and choices, one per line")
      .Text("seed", "N", seed, "roll the dice and toss the coins that the script leaves out")
      .Flag("json", json, "print one JSON object per line instead of sentences")
      .Text("db", "FILE", club.file, "record the game in this club's file")
      .Text("players", "SIDE=NAME,...", players, "who plays; recorded in the club's file");
  AddClubToCopyTo(options, club);
  if (const auto status = ReadArguments(options, "play", arguments, console)) return *status;
  ScriptOptions play;
  if (!seed.empty()) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), value);
    if (error != std::errc() || end != seed.data() + seed.size())
      return BadUsage(console, "play",
                      fmt::format("--seed is `{}`; give a whole number 0 to 18446744073709551615",
                                  seed.substr(0, 100)));
    play.seed = value;
  }
  if (club.file.empty() && !players.empty())
    return BadUsage(console, "play",
                    "--players names the players for the club's file; give --db too");
  if (club.file.empty() && !club.server.empty())
    return BadUsage(console, "play", "--club copies the club's file to the server; give --db too");
  Result<KeptMirror> mirror = KeptMirror::Start(club);
  if (!mirror.ok()) return BadUsage(console, "play", mirror.error().message);
  auto game = OpenGame(scenario, play.seed);
  if (!game.ok()) return BadInput(console, game.error().message);
  if (const auto seats = SeatsFrom(players, (*game)->View().sides); !seats.ok())
    return BadUsage(console, "play", seats.error().message);
  const Result<std::string> script = ReadScript(script_path);
  if (!script.ok()) return BadInput(console, script.error().message);
  play.report = [&](const ScriptStep& step) {
    json ? PrintJson(step, console.out) : PrintStep(step, console.out);
  };
  std::unique_ptr<RuleGame> over = std::move(game).value();
  if (club.file.empty()) {
    if (const Status run = RunScript(*over, *script, play); !run.ok())
      return BadInput(console, script_path + ", " + run.error().message);
  } else {
    Result<LoggedStart> begun =
        BeginGame(club.Path(), scenario, play.seed, over->View().sides, players);
    if (!begun.ok()) return BadInput(console, begun.error().message);
    PlayIntoOptions into;
    into.clock = UnixNow;
    into.report = [&](const ScriptStep& step, bool) { play.report(step); };
    Result<Played> played = PlayInto(begun->journal, begun->game, *script, into);
    if (!played.ok()) return BadInput(console, script_path + ", " + played.error().message);
    over = std::move(played->game);
    if (!json) {
      console.out << fmt::format("\nrecorded as game {} in {}\n", begun->game, club.file);
      if (over->Next().kind != PromptKind::kOver)
        console.out << fmt::format("it is not over; `fallofshot resume {}{}` continues it\n",
                                   begun->game, DbFlag(club.Path()));
    }
  }
  const RuleGame& played = *over;
  if (json) {
    console.out << Json{{"state", Json::parse(played.StateJson())}}.dump() << '\n';
  } else {
    console.out << '\n' << played.DescribeTable();
  }
  mirror->Finish(console.err);
  return kExitDone;
}

}  // namespace fos
