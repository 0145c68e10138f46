// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/club/pg_connection.h"
#include "engine/journal/game_source.h"
#include "engine/table/result.h"

// The club's server: the games of every table in one PostgreSQL database, append-only.
namespace fos {

// Where a game's log ends on the server.
struct ServerHead {
  std::int64_t records = 0;
  std::string chain;
  friend bool operator==(const ServerHead&, const ServerHead&) = default;
};

// A game that has changed lately.
struct ChangedGame {
  std::int64_t game = 0;
  std::int64_t records = 0;
};

// What a page of games lists: newest first, from `before` on.
struct GameListing {
  GameSummary game;
  std::string club, title;  // of its table
  std::vector<std::string> players;
  double quiet_s = 0;  // since its last record, by the server's clock
};

// Who writes games: a table of a club.
struct ClubTable {
  std::string account;
  std::string club, title;
};

// One connection; used by one thread at a time.
class ClubServer : public GameSource {
 public:
  // Opens a server that `club init` has prepared.
  // errors  those of PgConnection::Open; kNotFound: the database is no club's; kUnsupported: its
  //         tables are of a newer program, or of an older one and need `club init`.
  static Result<ClubServer> Open(const PgAddress& address, const PgOptions& options = {});
  // Creates or upgrades the tables, functions and roles; changes nothing where they are there.
  // Returns the version before.
  // errors  those of PgConnection; kUnsupported: no permission, or a newer program's tables.
  static Result<int> Init(const PgAddress& address);

  // A table's account. Its own games with their ends, by uid.
  // errors  kUnsupported: the account is no table.
  Result<std::map<std::string, ServerHead>> OwnHeads();
  // Begins a game; one that was begun before is found. Returns where its log ends.
  // errors  kUnsupported: the game is another table's; kBadFormat: it began otherwise.
  Result<ServerHead> Begin(const GameStart& start);
  // Appends records that follow `after`, all or none, once: called again after an answer was lost,
  // it appends nothing. Returns where the log ends now.
  // errors  as Begin.
  Result<ServerHead> Append(const std::string& uid, const ServerHead& after,
                            const std::vector<Record>& records);
  // Which of these blobs are not on the server.
  Result<std::vector<std::string>> Missing(const std::vector<std::string>& hashes);
  Status PutBlob(const std::string& hash, const std::string& bytes);

  // A reader's account.
  std::string Name() const override { return name_; }
  // The address is the reader's own: its account is in no message.
  std::string Flag() const override { return " --club ADDRESS"; }
  Result<std::vector<GameSummary>> Games() const override;
  Result<GameLog> Read(std::int64_t game) const override;
  Result<std::string> Blob(const std::string& hash) const override;
  // The games that were written to in the last `within_s` seconds, by the server's clock.
  Result<std::vector<ChangedGame>> Changed(double within_s) const;
  // At most `most` games, newest first.
  // before  only games with a smaller number
  // one     only the game of this uid
  Result<std::vector<GameListing>> Listing(int most, std::optional<std::int64_t> before = {},
                                           const std::string& one = {}) const;
  // At most `most` tables, by club and title.
  Result<std::vector<ClubTable>> Tables(int most) const;
  // The newest evidence picture of a game: its hash; empty where there is none.
  Result<std::string> NewestPicture(std::int64_t game) const;

  int Version() const { return version_; }
  PgConnection& Connection() { return *connection_; }

 private:
  ClubServer(PgConnection connection, std::string name, int version);
  Error Explain(const Error& error) const;

  std::unique_ptr<PgConnection> connection_;
  std::string name_;
  int version_ = 0;
};

}  // namespace fos
