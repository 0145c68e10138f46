#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/journal/record.h"
#include "engine/table/result.h"

namespace SQLite {
class Database;
}

// The club's file: every game, what happened in it and what it was judged from, in one SQLite
// database that a kill, a full disk or a pulled plug cannot spoil. Written through a write-ahead
// log, synchronised at every record: what Append returned for is on the disk.
namespace fos {

struct JournalOptions {
  bool read_only =
      false;        // refuses to make or write; an older file is brought up to date all the same
  std::string vfs;  // of SQLite; empty: the machine's own
  int busy_ms = 10000;  // how long another program may hold the file
};

// A line of the list of games.
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
  // Opens the file, makes it where it is not there, and brings an older one up to date; beside it a
  // copy of the old one is kept then ("club.db.version-1").
  // errors  kNotFound (read_only), kIo, kBadFormat: no database, another program's, broken;
  //         kUnsupported: written by a newer program.
  static Result<Journal> Open(const std::filesystem::path& file,
                              const JournalOptions& options = {});
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  // A new game with no records; its number.
  // errors  kIo; kOutOfRange: the uid is here already.
  Result<std::int64_t> Begin(const GameStart& start);
  // A whole game at once, with the bytes of its attachments looked up in `from`: all of it or none.
  // The chain is computed anew.
  Result<std::int64_t> Copy(const GameLog& log, const Journal& from);

  Result<std::vector<GameSummary>> Games() const;
  // The game of that number or name; "last" for the newest. Of several of one name, the newest.
  // errors  kNotFound: names what there is.
  Result<std::int64_t> Find(std::string_view game) const;
  // Every record in order, its chain checked.
  // errors  kNotFound; kBadFormat: the first record that was changed after it was written.
  Result<GameLog> Read(std::int64_t game) const;
  Result<std::string> Blob(const std::string& hash) const;

  // "ok", or what SQLite finds wrong with the file.
  std::string Check() const;
  // Leaves one file and nothing beside it, for a copy that is given away.
  Status Seal();
  int Version() const;
  const std::filesystem::path& File() const { return file_; }

 private:
  friend class GameWriter;
  Journal(std::filesystem::path file, std::unique_ptr<SQLite::Database> database);
  void Put(std::int64_t game, const Record& record, const std::string* bytes);
  void PutBlob(const std::string& hash, const std::string& bytes);
  std::int64_t PutStart(const GameStart& start);

  std::filesystem::path file_;
  std::unique_ptr<SQLite::Database> database_;
};

// Goes on with one game. The journal outlives it.
class GameWriter {
 public:
  // errors  as Journal::Read.
  static Result<GameWriter> Of(Journal& journal, std::int64_t game);

  // Everything of the record is on the disk when this returns, or nothing of it: after an error the
  // same record may be tried again. Sets number, chain.
  // unix_s  seconds since 1970, from whoever has a clock.
  // errors  kIo: disk full, not writable; kOutOfRange: a number that is none; kUnsupported: another
  //         program has gone on with this game meanwhile.
  Result<Record> Append(Record record, double unix_s);
  // With its bytes. Sets attachment.hash.
  Result<Record> Attach(Attachment attachment, const std::string& bytes, double unix_s);

  std::int64_t Game() const { return game_; }
  std::int64_t Records() const { return records_; }
  const std::string& Chain() const { return chain_; }

 private:
  GameWriter(Journal& journal, std::int64_t game, std::int64_t records, std::string chain)
      : journal_(&journal), game_(game), records_(records), chain_(std::move(chain)) {}
  Result<Record> Write(Record record, const std::string* bytes, double unix_s);

  Journal* journal_;
  std::int64_t game_;
  std::int64_t records_;
  std::string chain_;
};

}  // namespace fos
