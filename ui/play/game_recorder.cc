// SPDX-License-Identifier: MIT
#include "ui/play/game_recorder.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/files/whole_file.h"
#include "engine/journal/game_files.h"
#include "engine/journal/logged_game.h"
#include "ui/session/club_file.h"
#include "ui/session/game_map.h"

namespace fos {
namespace {

// The newest unfinished game with exactly this scenario.
std::optional<std::int64_t> UnfinishedGame(const Journal& journal,
                                           const std::filesystem::path& scenario) {
  const Result<std::vector<GameSummary>> games = journal.Games();
  const Result<std::string> bytes = ReadWholeFile(scenario);
  if (!games.ok() || !bytes.ok()) return std::nullopt;
  std::optional<std::int64_t> found;
  for (const GameSummary& game : *games) {
    if (game.kind != GameStart::Kind::kPlayed || game.ended || game.id < found.value_or(0))
      continue;
    const Result<GameLog> log = journal.Read(game.id);
    if (!log.ok()) continue;
    const GameFile* file = log->FileOf("scenario");
    if (file != nullptr && file->bytes == *bytes) found = game.id;
  }
  return found;
}

// The game to continue; empty: begin a new one.
Result<std::optional<std::int64_t>> GameToContinue(const Journal& journal,
                                                   const GameRecorder::Wanted& wanted) {
  if (!wanted.resume) {
    return wanted.anew ? std::nullopt : UnfinishedGame(journal, wanted.scenario);
  }
  const Result<std::int64_t> game = journal.Find(*wanted.resume, GameStart::Kind::kPlayed);
  if (!game.ok()) return game.error();
  const Result<GameLog> log = journal.Read(*game);
  if (!log.ok()) return log.error();
  if (log->start.kind == GameStart::Kind::kWatched) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: game {} was watched by a camera and cannot be played; give the "
                             "number of a played game",
                             wanted.club.string(), *game)};
  }
  return std::optional(*game);
}

}  // namespace

Result<std::unique_ptr<GameRecorder>> GameRecorder::Open(const Wanted& wanted) {
  const auto made = [&](Journal journal, std::int64_t game) {
    std::unique_ptr<GameRecorder> recorder(new GameRecorder(std::move(journal), game));
    recorder->scenario_ = wanted.scenario;
    return recorder;
  };
  {
    Result<Journal> journal = Journal::Open(wanted.club);
    if (!journal.ok()) return journal.error();
    const Result<std::optional<std::int64_t>> unfinished = GameToContinue(*journal, wanted);
    if (!unfinished.ok()) return unfinished.error();
    if (*unfinished) return made(std::move(journal).value(), **unfinished);
  }
  // Only the opened game knows the names of its sides.
  const Result<std::unique_ptr<RuleGame>> game = OpenGame(wanted.scenario, wanted.seed);
  if (!game.ok()) return game.error();
  Result<LoggedStart> start =
      BeginGame(wanted.club, wanted.scenario, wanted.seed, (*game)->View().sides, wanted.players);
  if (!start.ok()) return start.error();
  return made(std::move(start->journal), start->game);
}

Result<GameController::Setup> GameRecorder::ReplaySetup(const std::filesystem::path& club,
                                                        const std::string& game) {
  JournalOptions options;
  options.read_only = true;
  const Result<Journal> journal = Journal::Open(club, options);
  if (!journal.ok()) return journal.error();
  const Result<std::int64_t> found = journal->Find(game);
  if (!found.ok()) return found.error();
  Result<GameLog> log = journal->Read(*found);
  if (!log.ok()) return log.error();
  if (log->start.kind != GameStart::Kind::kPlayed) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("game {} was watched and has no lines to step through; `fallofshot "
                             "replay {}` computes its verdicts again",
                             *found, *found)};
  }
  const Result<GameFolder> folder = GameFolder::Unpack(log->start.files);
  if (!folder.ok()) return folder.error();
  const std::filesystem::path scenario = folder->File("scenario");
  const Result<GameMap> map = ReadGameMap(scenario);
  if (!map.ok()) return map.error();
  GameController::Setup setup;
  setup.name = log->start.name;
  setup.board = map->board;
  setup.terrain = TerrainAreas(*map);
  setup.club = map->club;
  setup.before = std::move(log->records);
  setup.replay = true;
  setup.open = [start = std::move(log->start)] { return OpenLogged(start, RulesOf::kLog); };
  return setup;
}

Result<GameController::Setup> GameRecorder::Setup() {
  Result<GameLog> log = journal_.Read(game_);
  if (!log.ok()) return log.error();
  const Result<GameMap> map = ReadGameMap(scenario_);
  if (!map.ok()) return map.error();
  Result<GameWriter> writer = GameWriter::Of(journal_, game_);
  if (!writer.ok()) return writer.error();
  writer_ = std::move(writer).value();
  ended_ = log->Ended();
  GameController::Setup setup;
  setup.name = log->start.name;
  setup.board = map->board;
  setup.terrain = TerrainAreas(*map);
  setup.club = map->club;
  setup.before = log->records;
  setup.open = [start = log->start] { return OpenLogged(start, RulesOf::kLog); };
  setup.record = [this](Record record) -> Status {
    const Result<Record> written = writer_->Append(std::move(record), UnixNow());
    return written.ok() ? Ok() : Status(written.error());
  };
  return setup;
}

Status GameRecorder::End() {
  if (ended_ || !writer_) return Ok();
  ended_ = true;
  Record record;
  record.kind = RecordKind::kEnded;
  const Result<Record> written = writer_->Append(record, UnixNow());
  return written.ok() ? Ok() : Status(written.error());
}

}  // namespace fos
