// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/journal/game_source.h"
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

// "3.40.1"
std::string SqliteVersion();

// One connection; used by one thread at a time.
class Journal : public GameSource {
 public:
  // How the message about a damaged file ends; `fallofshot doctor` leaves it out.
  static constexpr std::string_view kAskDoctor =
      "; run `fallofshot doctor` for details and restore a copy";

  // Opens the file, creates it if it does not exist, and upgrades an older one, keeping a copy of
  // it ("club.db.version-1").
  // errors  kNotFound (read_only), kIo; kBadFormat: not a database, another program's, or damaged;
  //         kUnsupported: written by a newer program.
  static Result<Journal> Open(const std::filesystem::path& file,
                              const JournalOptions& options = {});
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal() override;

  // Starts a new game without records; returns its number.
  // errors  kIo; kOutOfRange: the file already has a game of this uid.
  Result<std::int64_t> Begin(const GameStart& start);
  // Adds a whole game at once, with its attachments' bytes from `from`: all of it or nothing. The
  // chain is recomputed.
  Result<std::int64_t> Copy(const GameLog& log, const GameSource& from);
  // Adds the records that `log` has after all those of this game, with their attachments' bytes
  // from `from`: all of them or nothing. Returns how many.
  // errors  as Read; kOutOfRange: `log` does not begin with this game's records; kIo.
  Result<std::int64_t> GoOn(std::int64_t game, const GameLog& log, const GameSource& from);

  std::string Name() const override { return file_.string(); }
  std::string Flag() const override;
  Result<std::vector<GameSummary>> Games() const override;
  Result<GameLog> Read(std::int64_t game) const override;
  Result<std::string> Blob(const std::string& hash) const override;

  // The game's start.
  // errors  as Read.
  Result<GameStart> Start(std::int64_t game) const;
  // At most `most` records after record `after`, checked to continue `chain`.
  // chain   of record `after`; that of the start when `after` is 0
  // errors  kBadFormat: the game goes on otherwise, or was changed.
  Result<std::vector<Record>> ReadAfter(std::int64_t game, std::int64_t after,
                                        const std::string& chain, std::size_t most) const;
  // A number that changes whenever another connection has written to the file.
  Result<std::int64_t> Changes() const;
  // Whether this is a copy in memory, of a file that is read only and older or was just being made:
  // it never changes, whatever is written to the file.
  bool IsCopy() const { return is_copy_; }

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
  // With the attachment's bytes, if it has one, from `from`.
  Status PutFrom(std::int64_t game, const Record& record, const GameSource& from);
  void PutBlob(const std::string& hash, const std::string& bytes);
  void PutHead(std::int64_t game, const GameHead& head);
  void PutRoll();
  // Brings the tables, heads and roll to this program's version in one transaction, so that a kill
  // leaves the file as it was.
  void Upgrade();
  // Heads for the games of an older program, and the roll; inside a transaction.
  void AddMissingHeads();
  static Result<Journal> InMemory(const std::filesystem::path& file, SQLite::Database& from);
  std::int64_t PutStart(const GameStart& start);
  // Read without a look at the game's head, inside a transaction.
  Result<GameLog> ReadRecords(std::int64_t game) const;
  // Read, inside a transaction.
  Result<GameLog> ReadWhole(std::int64_t game) const;
  Result<std::int64_t> LostAtEndOf(const GameLog& log) const;

  std::filesystem::path file_;
  std::unique_ptr<SQLite::Database> database_;
  bool is_copy_ = false;
  HeadKey key_;
};

// Whether `log` begins with all records of `start`, which is the same game.
bool GoesOnFrom(const GameLog& log, const GameLog& start);

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
