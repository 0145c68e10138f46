// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "engine/journal/game_source.h"
#include "engine/table/result.h"
#include "ui/club/background_mirror.h"
#include "ui/session/club_file.h"

// What `--db` and `--club` mean for the commands.
namespace fos {

// Opens what the games are read from: the server where one is named, else the club's file.
// errors  those of Journal::Open, PgAddress::Parse and ClubServer::Open; kBadFormat: both are named.
Result<std::unique_ptr<GameSource>> OpenSource(const ClubFileOption& club);

// Reads a whole game, found by number, uid or name.
// errors  those of OpenSource, Find and Read.
struct SourcedGame {
  std::unique_ptr<GameSource> source;
  GameLog log;
};
Result<SourcedGame> ReadSourcedGame(const ClubFileOption& club, const std::string& game);

// While it lives, what is written to the club's file goes to the server too, where one is named.
class KeptMirror {
 public:
  // errors  those of PgAddress::Parse. A server that is away is no error.
  static Result<KeptMirror> Start(const ClubFileOption& club);
  // Waits a few seconds for the rest to be sent; says so when it was not.
  void Finish(std::ostream& notes);

 private:
  std::unique_ptr<BackgroundMirror> mirror_;
};

}  // namespace fos
