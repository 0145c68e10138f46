// SPDX-License-Identifier: MIT
#include "ui/cli/report_command.h"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "engine/game/line_words.h"
#include "engine/journal/anonymise.h"
#include "ui/cli/club_file_option.h"
#include "ui/cli/options.h"
#include "ui/cli/output_file.h"
#include "ui/club/club_source.h"
#include "ui/report/battle.h"
#include "ui/report/report.h"
#include "ui/report/season.h"
#include "ui/report/shooting.h"
#include "ui/session/club_file.h"

namespace fos {
namespace {

// A date of the calendar, written as 2026-01-31.
bool IsDay(const std::string& day) {
  const bool shaped =
      day.size() == 10 && day[4] == '-' && day[7] == '-' &&
      std::count_if(day.begin(), day.end(), [](char c) { return c >= '0' && c <= '9'; }) == 8;
  if (!shaped) return false;
  const auto number = [&](std::size_t at, std::size_t digits) {
    return std::stoi(day.substr(at, digits));
  };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

}  // namespace

int RunReport(const std::vector<std::string>& arguments, Console& console) {
  std::string game;
  std::string out;
  std::string pdf;
  ClubFileOption club;
  bool anonymous = false;
  Options options(
      "report GAME [options]",
      "Writes the battle report of a game as one self-contained HTML page, and as a PDF if asked.");
  options.Argument("GAME", game, "its number or name in the club's file, or `last`")
      .Text("out", "FILE", out, "the HTML page; default: named after the game")
      .Text("pdf", "FILE", pdf, "also write a PDF to this file")
      .Flag("anonymous", anonymous, "replace the players' names by Player 1, Player 2, ...");
  AddClubFileOption(options, club);
  AddClubToRead(options, club);
  if (const auto status = ReadArguments(options, "report", arguments, console)) return *status;
  Result<SourcedGame> opened = ReadSourcedGame(club, game);
  if (!opened.ok()) return BadInput(console, opened.error().message);
  if (anonymous) opened->log = Anonymised(opened->log);
  const Result<Battle> battle = BattleOf(opened->log, *opened->source);
  if (!battle.ok()) return BadInput(console, battle.error().message);
  Shooting shooting;
  shooting.Add(*battle);
  if (out.empty()) {
    for (const char c : battle->name) {
      // Letters of other languages stay: names of files are UTF-8.
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
      out += plain ? c : '-';
    }
    out += fmt::format("-{}.html", opened->log.id);
  }
  for (const Status& may : {MayReplace(out, "--out", {club.Path()}),
                            pdf.empty() ? Ok() : MayReplace(pdf, "--pdf", {club.Path(), out})}) {
    if (!may.ok()) return BadInput(console, may.error().message);
  }
  Status written = WriteOutput(out, ReportHtml(*battle, shooting.ByGun()));
  if (!written.ok()) return BadInput(console, written.error().message);
  console.out << out << '\n';
  if (!pdf.empty()) {
    const Result<std::string> bytes = ReportPdf(*battle, shooting.ByGun());
    if (!bytes.ok()) return BadInput(console, bytes.error().message);
    written = WriteOutput(pdf, *bytes);
    if (!written.ok()) return BadInput(console, written.error().message);
    console.out << pdf << '\n';
  }
  return kExitDone;
}

int RunStats(const std::vector<std::string>& arguments, Console& console) {
  constexpr std::string_view kFirst = "0000-00-00";
  constexpr std::string_view kLast = "9999-99-99";
  std::string since(kFirst);
  std::string until(kLast);
  ClubFileOption club;
  bool guns = false;
  std::string html;
  std::string csv;
  std::string player;
  std::string table;
  Options options("stats [options]",
                  "Shows how well the club shoots: every shot of every game, by player. Shots that "
                  "no player declared have a line of their own.");
  options.Text("since", "DAY", since, "the first day to count, written as 2026-01-31; default: all")
      .Text("until", "DAY", until, "the last day to count; default: all")
      .Flag("guns", guns, "list each kind of gun separately")
      .Text("player", "NAME", player, "count only games in which this player sat")
      .Text("at", "TABLE", table, "with --club: count only games of this table's account")
      .Text("html", "FILE", html,
            "write a page with shooting, guns and ranges, how often the camera was overruled, and "
            "dice")
      .Text("csv", "FILE", csv, "write the same numbers as statistic,who,what,value");
  AddClubFileOption(options, club);
  AddClubToRead(options, club);
  if (const auto status = ReadArguments(options, "stats", arguments, console)) return *status;
  for (const std::string& day : {since, until}) {
    if (day != kFirst && day != kLast && !IsDay(day)) {
      return BadUsage(
          console, "stats",
          fmt::format("`{}` is not a date; write it as 2026-01-31", day.substr(0, 100)));
    }
  }
  if (since > until)
    return BadUsage(console, "stats",
                    fmt::format("--since {} is after --until {}; swap them", since, until));
  if (!table.empty() && club.server.empty())
    return BadUsage(console, "stats", "--at names a table of the club's server; give --club too");
  for (const Status& may : {html.empty() ? Ok() : MayReplace(html, "--html", {club.Path()}),
                            csv.empty() ? Ok() : MayReplace(csv, "--csv", {club.Path(), html})}) {
    if (!may.ok()) return BadInput(console, may.error().message);
  }
  const Result<std::unique_ptr<GameSource>> source = OpenSource(club);
  if (!source.ok()) return BadInput(console, source.error().message);
  const Result<std::vector<GameSummary>> games = (*source)->Games();
  if (!games.ok()) return BadInput(console, games.error().message);
  Season season;
  std::set<std::string> players;  // of all games that are counted
  std::set<std::string> tables;
  for (const GameSummary& game : *games) {
    tables.insert(game.table);
    const std::string day = DayOf(game.started_unix_s);
    if (day < since || day > until || (!table.empty() && game.table != table)) continue;
    const Result<GameLog> log = (*source)->Read(game.id);
    if (log.ok())
      for (const Seat& seat : log->start.seats) players.insert(seat.player);
    if (log.ok() && !player.empty() &&
        std::none_of(log->start.seats.begin(), log->start.seats.end(),
                     [&](const Seat& seat) { return seat.player == player; })) {
      continue;
    }
    const Result<Battle> battle = log.ok() ? BattleOf(*log, **source) : Result<Battle>(log.error());
    if (!battle.ok()) {  // one bad game does not hide the season
      console.out << fmt::format("game {} left out: {}\n", game.id, battle.error().message);
      continue;
    }
    season.Add(*log, *battle, game.table);
  }
  if (!player.empty() && !players.contains(player)) {
    return BadInput(
        console,
        (*source)->Name() + ": " +
            (players.empty() ? "no game names its players; `--players` of live and play does"
                             : NoSuch("player", player, {players.begin(), players.end()})));
  }
  if (!table.empty() && !tables.contains(table)) {
    return BadInput(
        console, (*source)->Name() + ": " + NoSuch("table", table, {tables.begin(), tables.end()}));
  }
  const Shooting& shooting = season.Shots();
  const int counted = season.Games();
  const std::string title = !player.empty() ? "The season of " + player
                            : !table.empty() ? "The season at " + table
                                             : std::string("The season");
  for (const auto& [file, text] : {std::pair(html, html.empty() ? "" : SeasonHtml(season, title)),
                                   std::pair(csv, csv.empty() ? "" : SeasonCsv(season))}) {
    if (file.empty()) continue;
    const Status written = WriteOutput(file, text);
    if (!written.ok()) return BadInput(console, written.error().message);
    console.out << file << '\n';
  }
  const std::vector<ShooterRecord> records = guns ? shooting.ByGun() : shooting.ByPlayer();
  console.out << fmt::format("{} game{}\n", counted, counted == 1 ? "" : "s");
  if (records.empty()) {
    console.out << "no shots yet\n";
    return kExitDone;
  }
  std::size_t wide = 6;
  for (const ShooterRecord& one : records) wide = std::max(wide, one.player.size());
  console.out << fmt::format(
      "{:<{}}{}  shots  hits  hits a shot  from the centre  beside the square"
      "  in it  off board\n",
      "player", wide, guns ? "  gun         " : "");
  for (const ShooterRecord& one : records) {
    console.out << fmt::format("{:<{}}{}  {:>5}  {:>4}  {:>11.2f}", one.player, wide,
                               guns ? fmt::format("  {:<12}", one.gun) : "", one.shots, one.hits,
                               static_cast<double>(one.hits) / std::max(1, one.shots));
    console.out << (one.measured > 0
                        ? fmt::format("  {:>12.2f} in  {:>14.2f} in  {:>3.0f} %", one.error_in,
                                      one.outside_in, 100 * one.in_square)
                        : fmt::format("  {:>15}  {:>17}  {:>5}", "-", "-", "-"));
    console.out << fmt::format("  {:>9}\n", one.off_board);
  }
  return kExitDone;
}

}  // namespace fos
