#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/journal/journal.h"
#include "engine/table/result.h"

// What the commands share about the club's file: where it is, what time it is, who plays.
namespace fos {

// $XDG_DATA_HOME/fallofshot/club.db, or ~/.local/share/fallofshot/club.db.
std::filesystem::path DefaultClubFile();
// Seconds since 1970.
double UnixNow();
// 32 hexadecimal digits that no other game has.
std::string NewUid();
// "2026-11-21", of this machine's time zone.
std::string DayOf(double unix_s);

// --db FILE, the same for every command; empty: the default.
struct ClubFlag {
  std::string file;
  std::filesystem::path Path() const {
    return file.empty() ? DefaultClubFile() : std::filesystem::path(file);
  }
};

// "Blue=Ada,Red=Grace,Red=Mary" for these sides.
// errors  kBadFormat: a side the game has not (the nearest is named), a name that is none.
Result<std::vector<Seat>> SeatsFrom(const std::string& text, const std::vector<std::string>& sides);

// A new game in the club's file, with everything it needs to be played again.
// errors  those of GatherGameFiles, SeatsFrom and Journal::Begin.
struct LoggedStart {
  Journal journal;
  std::int64_t game = 0;
};
Result<LoggedStart> BeginGame(const std::filesystem::path& club,
                              const std::filesystem::path& scenario,
                              std::optional<std::uint64_t> seed,
                              const std::vector<std::string>& sides, const std::string& players);

// A script's text. errors  kNotFound, kIo; kOutOfRange: larger than any script (4 MB).
Result<std::string> ReadScript(const std::filesystem::path& path);

// The game of that name in the club's file, read whole.
// errors  those of Journal::Open, Find and Read.
struct OpenedGame {
  Journal journal;
  GameLog log;
};
Result<OpenedGame> OpenGameLog(const ClubFlag& club, const std::string& game,
                               bool read_only = true);

}  // namespace fos
