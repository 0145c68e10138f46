// SPDX-License-Identifier: MIT
#include "ui/session/club_file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "engine/files/home_folder.h"
#include "engine/files/plain_text.h"
#include "engine/files/toml_reader.h"
#include "engine/files/whole_file.h"
#include "engine/journal/game_files.h"

namespace fos {

namespace fs = std::filesystem;

fs::path DefaultClubFile() {
  const char* named = std::getenv("XDG_DATA_HOME");
  if (named != nullptr && fs::path(named).is_absolute())
    return fs::path(named) / "fallofshot" / "club.db";
  const fs::path home = HomeFolder();
  if (home.empty()) return {};
  return home / ".local" / "share" / "fallofshot" / "club.db";
}

std::string DbFlag(const fs::path& club) {
  return club == DefaultClubFile() ? "" : " --db " + ShellWord(club.string());
}

double UnixNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string NewUid() {
  std::random_device chance;
  std::string uid;
  for (int i = 0; i < 4; ++i) uid += fmt::format("{:08x}", chance());
  return uid;
}

std::string DayOf(double unix_s) {
  // Dates after the year 9999 are treated as invalid.
  const double most = 253402300799.0;
  const std::time_t seconds = static_cast<std::time_t>(
      std::isfinite(unix_s) && unix_s >= 0 && unix_s <= most ? unix_s : 0.0);
  std::tm local{};
  if (!localtime_r(&seconds, &local)) return "1970-01-01";
  return fmt::format("{:%Y-%m-%d}", local);
}

namespace {

Result<std::vector<Seat>> ReadSeats(const std::string& text,
                                    const std::vector<std::string>& sides) {
  std::vector<Seat> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string one = text.substr(at, end - at);
    at = end + 1;
    const std::size_t equals = one.find('=');
    const std::string side = one.substr(0, equals);
    const std::string player = equals == std::string::npos ? "" : one.substr(equals + 1);
    constexpr std::size_t kLongest = 100;
    if (player.size() > kLongest) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("the name of {} has {} letters; a name may have at most {}",
                               side.substr(0, kLongest), player.size(), kLongest)};
    }
    if (player.empty()) {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("`{}` names no player; write SIDE=NAME,SIDE=NAME", one.substr(0, 100))};
    }
    if (!IsPlainLine(player)) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("`{}`: a name may hold neither control nor invisible characters",
                               one.substr(0, 100))};
    }
    int number = -1;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (sides[i] == side) number = static_cast<int>(i);
    }
    if (number < 0) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("no side `{}`; the nearest is `{}`", side.substr(0, 100),
                               NearestName(side, sides))};
    }
    if (std::any_of(out.begin(), out.end(), [&](const Seat& seat) { return seat.side == number; }))
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("{} has two players; join their names, as in {}=Ann and Bob", side, side)};
    out.push_back({number, player});
  }
  return out;
}

}  // namespace

Result<std::vector<Seat>> SeatsFrom(const std::string& text,
                                    const std::vector<std::string>& sides) {
  Result<std::vector<Seat>> seats = ReadSeats(text, sides);
  if (seats.ok()) return seats;
  return Error{seats.error().code, "--players: " + seats.error().message};
}

Result<LoggedStart> BeginGame(const fs::path& club, const fs::path& scenario,
                              std::optional<std::uint64_t> seed,
                              const std::vector<std::string>& sides, const std::string& players) {
  Result<GameTexts> texts = GatherGameFiles(scenario);
  if (!texts.ok()) return texts.error();
  GameStart start;
  start.uid = NewUid();
  start.name = texts->name;
  start.ruleset = texts->ruleset;
  start.started_unix_s = UnixNow();
  start.program = FOS_VERSION;
  start.seed = seed;
  start.files = std::move(texts->files);
  start.sides = sides;
  const Result<std::vector<Seat>> seats = SeatsFrom(players, sides);
  if (!seats.ok()) return seats.error();
  start.seats = *seats;
  Result<Journal> journal = Journal::Open(club);
  if (!journal.ok()) return journal.error();
  const Result<std::int64_t> game = journal->Begin(start);
  if (!game.ok()) return game.error();
  return LoggedStart{std::move(journal).value(), *game};
}

Result<std::string> ReadScript(const fs::path& path) {
  std::error_code ec;
  if (!fs::is_regular_file(path, ec)) {
    return Error{ErrorCode::kNotFound, path.string() +
                                           (fs::exists(path, ec) ? ": is not a file; give a script"
                                                                 : ": no such script") +
                                           "; see docs/scripts.md"};
  }
  // A game of a thousand actions stays far below this.
  constexpr std::uintmax_t kLargestScript_bytes = 4u << 20;
  Result<std::string> text = ReadWholeFile(path, kLargestScript_bytes);
  // Some editors put a mark of the byte order first, which nobody sees.
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.ok() && text->starts_with(kMark)) text->erase(0, kMark.size());
  return text;
}

Result<OpenedGame> OpenGameLog(const ClubFileOption& club, const std::string& game,
                               bool read_only) {
  JournalOptions options;
  // Looking for a game must not create a file.
  std::error_code ec;
  options.read_only = read_only || !fs::exists(club.Path(), ec);
  Result<Journal> journal = Journal::Open(club.Path(), options);
  if (!journal.ok()) return journal.error();
  const Result<std::int64_t> number = journal->Find(game);
  if (!number.ok()) return number.error();
  Result<GameLog> log = journal->Read(*number);
  if (!log.ok()) return log.error();
  return OpenedGame{std::move(journal).value(), std::move(log).value()};
}

Status WriteGameFile(const GameLog& log, const GameSource& from, const fs::path& file) {
  std::error_code ec;
  if (fs::exists(file, ec)) {
    return Error{ErrorCode::kIo, file.string() + ": already exists; choose another name"};
  }
  // Written under another name and renamed when complete, so that no half file is left.
  const fs::path partial = file.string() + ".partial";
  const auto clear = [&partial] {
    std::error_code ignored;
    for (const char* end : {"", "-wal", "-shm", "-journal"})
      fs::remove(partial.string() + end, ignored);
  };
  clear();
  Status written = Ok();
  {
    // Whoever imports the game signs it with a key of his own.
    JournalOptions unsigned_file;
    unsigned_file.make_key = false;
    Result<Journal> alone = Journal::Open(partial, unsigned_file);
    written = alone.ok() ? Ok() : Status(alone.error());
    if (written.ok()) {
      const Result<std::int64_t> copied = alone->Copy(log, from);
      written = copied.ok() ? alone->Seal() : Status(copied.error());
    }
  }
  if (written.ok()) fs::rename(partial, file, ec);
  if (written.ok() && !ec) return written;
  clear();
  if (!written.ok()) return written;
  return Error{ErrorCode::kIo,
               file.string() + ": cannot be written; choose a writable folder that exists"};
}

}  // namespace fos
