// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/journal/record.h"
#include "engine/table/result.h"

namespace fos {

// An entry of the list of games.
struct GameSummary {
  std::int64_t id = 0;
  std::string uid;
  std::string name;
  std::string ruleset;
  GameStart::Kind kind = GameStart::Kind::kPlayed;
  double started_unix_s = 0;
  std::int64_t records = 0;
  bool ended = false;
  std::string table = {};  // who wrote it: an account of the club's server; empty in a file
  std::vector<Seat> seats = {};  // by side, then by name
};
// Seats a player of a game, if it is one of these.
// games  by id
void AddSeat(std::vector<GameSummary>& games, std::int64_t game, Seat seat);

// Where recorded games are read from: the club's file or the club's server.
class GameSource {
 public:
  virtual ~GameSource() = default;
  // The file or server, for messages.
  virtual std::string Name() const = 0;
  // What a command that a message names needs in order to read it: " --db club.db".
  virtual std::string Flag() const = 0;
  // In the order in which they were begun.
  virtual Result<std::vector<GameSummary>> Games() const = 0;
  // Reads every record in order and checks the chain, and that it ends where the game's head says.
  // errors  kNotFound; kBadFormat: names the first record that was changed after it was written, or
  //         says how many are missing at the end.
  virtual Result<GameLog> Read(std::int64_t game) const = 0;
  // The bytes of a file or picture.
  // hash    SHA-256 of the bytes, which is checked
  virtual Result<std::string> Blob(const std::string& hash) const = 0;

  // The game of that number, uid or name; "last" for the newest. If several have the name, the
  // newest.
  // kind    of which "last" is the newest, if there is one: a match and the game that is played in
  //         it are two games of one evening
  // errors  kNotFound: names the newest game, or the one whose name is nearest.
  Result<std::int64_t> Find(std::string_view game,
                            std::optional<GameStart::Kind> kind = std::nullopt) const;

 protected:
  GameSource() = default;
  GameSource(const GameSource&) = default;
  GameSource(GameSource&&) = default;
  GameSource& operator=(const GameSource&) = default;
  GameSource& operator=(GameSource&&) = default;
};

}  // namespace fos
