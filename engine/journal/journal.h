// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/journal/head_key.h"
#include "engine/journal/record.h"
#include "engine/table/result.h"

namespace SQLite {
class Database;
}

// The club's file: every game with its records and measurements, in one SQLite database that a
// kill, a full disk or a power cut cannot corrupt. Uses a write-ahead log, synchronised after every
// record: once Append has returned, the record is on the disk.
namespace fos {

struct JournalOptions {
  bool read_only = false;  // do not create or write; an older file is still upgraded, in memory
                           // where it cannot be written
  std::string vfs = {};    // SQLite's VFS; empty for the default
  int busy_ms = 10000;     // how long to wait for another program's lock
  // Make a key beside the file where there is none; otherwise its heads stay unsigned.
  bool make_key = true;
};

// A game's head in the file, and whether its signature holds.
struct StoredHead {
  std::int64_t game = 0;
  std::string name;
  GameHead head;
  enum class Signature { kGood, kNone, kOtherKey } signature = Signature::kNone;
};

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
};

// "3.40.1"
std::string SqliteVersion();

// One connection; used by one thread at a time.
class Journal {
 public:
  // Opens the file, creates it if it does not exist, and upgrades an older one, keeping a copy of
  // it ("club.db.version-1").
  // errors  kNotFound (read_only), kIo; kBadFormat: not a database, another program's, or damaged;
  //         kUnsupported: written by a newer program.
  static Result<Journal> Open(const std::filesystem::path& file,
                              const JournalOptions& options = {});
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  // Starts a new game without records; returns its number.
  // errors  kIo; kOutOfRange: the file already has a game of this uid.
  Result<std::int64_t> Begin(const GameStart& start);
  // Adds a whole game at once, with its attachments' bytes from `from`: all of it or nothing. The
  // chain is recomputed.
  Result<std::int64_t> Copy(const GameLog& log, const Journal& from);

  Result<std::vector<GameSummary>> Games() const;
  // The game of that number or name; "last" for the newest. If several have the name, the newest.
  // errors  kNotFound: lists the games there are.
  Result<std::int64_t> Find(std::string_view game) const;
  // Reads every record in order and checks the chain, and that it ends where the game's head says.
  // errors  kNotFound; kBadFormat: names the first record that was changed after it was written, or
  //         says how many are missing at the end.
  Result<GameLog> Read(std::int64_t game) const;
  Result<std::string> Blob(const std::string& hash) const;

  // The heads of all games, in order.
  // errors  kBadFormat: a head is missing, or its signature is wrong.
  Result<std::vector<StoredHead>> Heads() const;
  // Whether the file still has every game that was begun in it.
  // errors  kBadFormat: says which is missing.
  Status CheckGames() const;
  // "ok", or the fault that SQLite finds in the file, its indexes included.
  std::string Check() const;

  // How many records are missing at the game's end.
  // errors  kNotFound; kBadFormat: what is there is not whole.
  Result<std::int64_t> LostAtEnd(std::int64_t game) const;
  // Makes a game that has lost its last records readable again, and adds a remark that says so.
  // errors  those of LostAtEnd; kIo.
  Status GoOnAfterLoss(std::int64_t game, double unix_s);
  // Builds every index again from the rows.
  Status Reindex();
  // Leaves a single file without side files, ready to be copied.
  Status Seal();
  int Version() const;
  const std::filesystem::path& File() const { return file_; }

 private:
  friend class GameWriter;
  Journal(std::filesystem::path file, std::unique_ptr<SQLite::Database> database);
  void Put(std::int64_t game, const Record& record, const std::string* bytes);
  void PutBlob(const std::string& hash, const std::string& bytes);
  void PutHead(std::int64_t game, const GameHead& head);
  void PutRoll();
  // Heads for the games of an older program, and the roll.
  void AddMissingHeads();
  static Result<Journal> InMemory(const std::filesystem::path& file, SQLite::Database& from);
  std::int64_t PutStart(const GameStart& start);
  // Read without a look at the game's head, inside a transaction.
  Result<GameLog> ReadRecords(std::int64_t game) const;
  Result<std::int64_t> LostAtEndOf(const GameLog& log) const;

  std::filesystem::path file_;
  std::unique_ptr<SQLite::Database> database_;
  HeadKey key_;
};

// Appends to one game. The journal must outlive it.
class GameWriter {
 public:
  // errors  as Journal::Read.
  static Result<GameWriter> Of(Journal& journal, std::int64_t game);

  // When this returns, the whole record is on the disk; after an error nothing of it is, and the
  // same record may be tried again. Sets number and chain.
  // unix_s  seconds since 1970, from the caller's clock.
  // errors  kIo: disk full, not writable; kOutOfRange: a number that is not finite; kUnsupported:
  //         another program has appended to this game meanwhile.
  Result<Record> Append(Record record, double unix_s);
  // Attaches a file with its bytes. Sets attachment.hash.
  Result<Record> Attach(Attachment attachment, const std::string& bytes, double unix_s);

  std::int64_t Game() const { return game_; }
  std::int64_t Records() const { return head_.records; }
  const std::string& Chain() const { return head_.chain; }

 private:
  GameWriter(Journal& journal, std::int64_t game, const GameStart& start, GameHead head)
      : journal_(&journal), game_(game), form_(start.form), head_(std::move(head)) {}
  Result<Record> Write(Record record, const std::string* bytes, double unix_s);

  Journal* journal_;
  std::int64_t game_;
  int form_;
  GameHead head_;
};

}  // namespace fos
