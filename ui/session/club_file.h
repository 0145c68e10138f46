// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/journal/journal.h"
#include "engine/table/result.h"

// What the commands share about the club's file.
namespace fos {

// $XDG_DATA_HOME/fallofshot/club.db, or ~/.local/share/fallofshot/club.db. Empty where no home is
// known (home_folder.h): Journal::Open says what to set.
std::filesystem::path DefaultClubFile();
// Seconds since 1970.
double UnixNow();
// A random id of 32 hexadecimal digits.
std::string NewUid();
// "2026-11-21", in this machine's time zone.
std::string DayOf(double unix_s);

// Where a command's games are.
struct ClubFileOption {
  std::string file;         // the value of --db FILE; empty: the default file
  std::string server = {};  // the value of --club ADDRESS; empty: none
  std::filesystem::path Path() const {
    return file.empty() ? DefaultClubFile() : std::filesystem::path(file);
  }
};

// What a command that a message names needs in order to read this file: " --db club.db"; empty for
// the default file.
std::string DbFlag(const std::filesystem::path& club);

// Parses "Blue=Ada,Red=Grace,Red=Mary", the value of --players, for these sides.
// errors  kBadFormat: an unknown side (the message names the option and the nearest side), or no
//         player's name.
Result<std::vector<Seat>> SeatsFrom(const std::string& text, const std::vector<std::string>& sides);

// Begins a new game in the club's file, and stores every file needed to compute it again.
// errors  those of GatherGameFiles, SeatsFrom and Journal::Begin.
struct LoggedStart {
  Journal journal;
  std::int64_t game = 0;
};
Result<LoggedStart> BeginGame(const std::filesystem::path& club,
                              const std::filesystem::path& scenario,
                              std::optional<std::uint64_t> seed,
                              const std::vector<std::string>& sides, const std::string& players);

// The text of a script.
// errors  kNotFound, kIo; kOutOfRange: larger than 4 MB.
Result<std::string> ReadScript(const std::filesystem::path& path);

// Reads a whole game, found by number or name, from the club's file.
// errors  those of Journal::Open, Find and Read.
struct OpenedGame {
  Journal journal;
  GameLog log;
};
Result<OpenedGame> OpenGameLog(const ClubFileOption& club, const std::string& game,
                               bool read_only = true);

// Writes one game, with its attachments' bytes from `from`, to a new file of its own. After an error
// no file is left.
// errors  kIo: also where the file exists; those of Journal::Open, Copy and Seal.
Status WriteGameFile(const GameLog& log, const GameSource& from, const std::filesystem::path& file);

}  // namespace fos
