#include "ui/play/game_recorder.h"

#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "engine/journal/game_files.h"
#include "engine/journal/logged_game.h"
#include "ui/session/club_file.h"

namespace fos {
namespace {

std::string BytesOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// The newest game of that very scenario that was broken off; 0: none.
std::int64_t BrokenOff(const Journal& journal, const std::filesystem::path& scenario) {
  const Result<std::vector<GameSummary>> games = journal.Games();
  if (!games.ok()) return 0;
  const std::string bytes = BytesOf(scenario);
  std::int64_t found = 0;
  for (const GameSummary& game : *games) {
    if (game.kind != GameStart::Kind::kPlayed || game.ended || game.id < found) continue;
    const Result<GameLog> log = journal.Read(game.id);
    if (!log.ok()) continue;
    const GameFile* file = log->FileOf("scenario");
    if (file != nullptr && file->bytes == bytes) found = game.id;
  }
  return found;
}

}  // namespace

Result<std::unique_ptr<GameRecorder>> GameRecorder::Open(const Wanted& wanted) {
  {
    Result<Journal> journal = Journal::Open(wanted.club);
    if (!journal.ok()) return journal.error();
    std::int64_t game = 0;
    if (wanted.resume) {
      const Result<std::int64_t> found = journal->Find(*wanted.resume);
      if (!found.ok()) return found.error();
      game = *found;
      const Result<GameLog> log = journal->Read(game);
      if (!log.ok()) return log.error();
      if (log->start.kind == GameStart::Kind::kWatched)
        return Error{ErrorCode::kBadFormat,
                     fmt::format("{}: game {} is what a camera watched; no game is gone on with it",
                                 wanted.club.string(), game)};
    } else if (!wanted.anew) {
      game = BrokenOff(*journal, wanted.scenario);
    }
    if (game != 0) {
      std::unique_ptr<GameRecorder> log(new GameRecorder(std::move(journal).value(), game));
      log->scenario_ = wanted.scenario;
      return log;
    }
  }
  // The sides are the game's own to say.
  const Result<std::unique_ptr<RuleGame>> game = OpenGame(wanted.scenario, wanted.seed);
  if (!game.ok()) return game.error();
  Result<LoggedStart> start =
      BeginGame(wanted.club, wanted.scenario, wanted.seed, (*game)->View().sides, wanted.players);
  if (!start.ok()) return start.error();
  std::unique_ptr<GameRecorder> log(new GameRecorder(std::move(start->journal), start->game));
  log->scenario_ = wanted.scenario;
  return log;
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
  const Result<TableFrame> board = BoardOf(scenario);
  if (!board.ok()) return board.error();
  GameController::Setup setup;
  setup.name = log->start.name;
  setup.board = *board;
  setup.terrain = TerrainOf(scenario, *board);
  setup.before = std::move(log->records);
  setup.replay = true;
  setup.open = [start = std::move(log->start)] { return OpenLogged(start, RulesOf::kLog); };
  return setup;
}

Result<GameController::Setup> GameRecorder::Setup() {
  Result<GameLog> log = journal_.Read(game_);
  if (!log.ok()) return log.error();
  const Result<TableFrame> board = BoardOf(scenario_);
  if (!board.ok()) return board.error();
  Result<GameWriter> writer = GameWriter::Of(journal_, game_);
  if (!writer.ok()) return writer.error();
  writer_ = std::move(writer).value();
  ended_ = log->Ended();
  GameController::Setup setup;
  setup.name = log->start.name;
  setup.board = *board;
  setup.terrain = TerrainOf(scenario_, *board);
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
