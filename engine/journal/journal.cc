// SPDX-License-Identifier: MIT
#include "engine/journal/journal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>
#include <unistd.h>

#include "engine/files/plain_text.h"
#include "engine/journal/schema.h"
#include "engine/journal/sha256.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using SQLite::Statement;

// Larger than any recording or text of a game; SQLite's own limit is 1 GB.
constexpr std::size_t kLargestBlob_bytes = 256u << 20;

Error Explain(const fs::path& file, const SQLite::Exception& e) {
  const std::string name = file.string();
  switch (e.getErrorCode()) {
    case SQLITE_FULL:
      return {ErrorCode::kIo,
              name + ": the disk is full; make room. Nothing that was recorded is lost"};
    case SQLITE_NOTADB:
      return {ErrorCode::kBadFormat,
              name +
                  ": is not a club file (not an SQLite database); choose another "
                  "with --db"};
    case SQLITE_CORRUPT:
      return {ErrorCode::kBadFormat,
              fmt::format("{}: is damaged{}", name, Journal::kAskDoctor)};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::kIo,
              name + ": another program is using it; let it finish, then try again"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {ErrorCode::kIo,
              name + ": is not writable; fix the permissions of the file and its folder"};
    case SQLITE_CANTOPEN:
      return {ErrorCode::kIo,
              name + ": cannot be opened; check that its folder exists and is writable"};
    default:
      return {ErrorCode::kIo,
              fmt::format("{}: {}; check the disk, then try again", name, e.what())};
  }
}

// Turns SQLite's exceptions into errors.
template <typename Work>
auto Guarded(const fs::path& file, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const SQLite::Exception& e) {
    return Explain(file, e);
  }
}

void Bind(Statement&, int) {}
template <typename T, typename... Rest>
void Bind(Statement& statement, int at, const T& value, const Rest&... rest) {
  statement.bind(at, value);
  Bind(statement, at + 1, rest...);
}
// All values of one row, in order.
template <typename... Values>
void Run(SQLite::Database& database, const char* sql, const Values&... values) {
  Statement statement(database, sql);
  Bind(statement, 1, values...);
  while (statement.executeStep()) {
  }
}

void BindBlob(Statement& statement, int at, const std::string& bytes) {
  statement.bind(at, bytes.data(), static_cast<int>(bytes.size()));
}

std::string Bytes(const SQLite::Column& column) {
  const int size = column.getBytes();
  const void* data = column.getBlob();
  return size > 0 && data
             ? std::string(static_cast<const char*>(data), static_cast<std::size_t>(size))
             : std::string();
}

std::vector<std::string> Split(const std::string& words) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (end > at) out.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

template <typename T>
void BindMaybe(Statement& statement, int at, const std::optional<T>& value) {
  if (value) {
    statement.bind(at, *value);
  } else {
    statement.bind(at);
  }
}

bool AllFinite(std::initializer_list<double> values) {
  for (const double value : values) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

bool AllFinite(const StandObservation& stand) {
  return AllFinite({stand.table_from_stand.origin.x, stand.table_from_stand.origin.y,
                    stand.table_from_stand.heading_rad, stand.footprint.width_in,
                    stand.footprint.depth_in, stand.ground_in, stand.centre_cov.xx,
                    stand.centre_cov.xy, stand.centre_cov.yy, stand.heading_sigma_rad,
                    stand.visible, stand.confidence});
}

bool AllFinite(const std::vector<StandObservation>& stands) {
  return std::all_of(stands.begin(), stands.end(),
                     [](const StandObservation& stand) { return AllFinite(stand); });
}

bool AllFinite(const ShotMeasured& m) {
  const ShotObservation& s = m.shot;
  return AllFinite({s.point.x, s.point.y, s.tail.x, s.tail.y, s.height_in, s.point_cov.xx,
                    s.point_cov.xy, s.point_cov.yy, s.visible, m.doubt}) &&
         AllFinite(m.stands);
}

bool AllFinite(const StandsMeasured& m) {
  return AllFinite(m.position) &&
         std::all_of(m.moved.begin(), m.moved.end(), [](const StandMoved& one) {
           return AllFinite(one.from) && AllFinite(one.to);
         });
}

bool AllFinite(const Record& record) {
  return AllFinite({record.time_s.value_or(0)}) &&
         (!record.measured || AllFinite(*record.measured)) &&
         (!record.stands || AllFinite(*record.stands));
}

void PutTexts(SQLite::Database& database, const char* sql, std::int64_t game, std::int64_t record,
              const std::vector<std::string>& texts) {
  Statement put(database, sql);
  int number = 0;
  for (const std::string& text : texts) {
    put.reset();
    Bind(put, 1, game, record, number++, text);
    put.exec();
  }
}

std::vector<std::string> Texts(Statement& query, std::int64_t game, std::int64_t record) {
  std::vector<std::string> out;
  query.reset();
  Bind(query, 1, game, record);
  while (query.executeStep()) out.push_back(query.getColumn(0).getString());
  return out;
}

// The columns of an observed stand, from `stand` to `confidence`.
StandObservation StandFrom(Statement& row, int at) {
  const auto number = [&](int behind) { return row.getColumn(at + behind).getDouble(); };
  StandObservation stand;
  stand.stand = {row.getColumn(at).getString()};
  stand.unit = row.getColumn(at + 1).getString();
  stand.side = row.getColumn(at + 2).getInt();
  stand.kind = row.getColumn(at + 3).getInt();
  stand.table_from_stand = {{number(4), number(5)}, number(6)};
  stand.footprint = {number(7), number(8)};
  stand.ground_in = number(9);
  stand.centre_cov = {number(10), number(11), number(12)};
  stand.heading_sigma_rad = number(13);
  stand.visible = number(14);
  stand.confidence = number(15);
  return stand;
}

void BindStand(Statement& put, int at, const StandObservation& stand) {
  Bind(put, at, stand.stand.text, stand.unit, stand.side, stand.kind,
       stand.table_from_stand.origin.x, stand.table_from_stand.origin.y,
       stand.table_from_stand.heading_rad, stand.footprint.width_in, stand.footprint.depth_in,
       stand.ground_in, stand.centre_cov.xx, stand.centre_cov.xy, stand.centre_cov.yy,
       stand.heading_sigma_rad, stand.visible, stand.confidence);
}

void ReadMeasured(SQLite::Database& database, std::int64_t game, Record& record) {
  Statement shot(database,
                 "SELECT shot, projectile, x, y, tail_x, tail_y, height, xx, xy, yy, visible, "
                 "at_rest, seen_from, seen_to, spec, doubt FROM measured_shot "
                 "WHERE game = ? AND record = ?");
  Bind(shot, 1, game, record.number);
  if (!shot.executeStep()) return;
  ShotMeasured m;
  m.shot.shot = {shot.getColumn(0).getInt()};
  m.shot.projectile = shot.getColumn(1).getInt() == 0 ? Projectile::kQtip : Projectile::kShell;
  const auto real = [&shot](int at) { return shot.getColumn(at).getDouble(); };
  m.shot.point = {real(2), real(3)};
  m.shot.tail = {real(4), real(5)};
  m.shot.height_in = real(6);
  m.shot.point_cov = {real(7), real(8), real(9)};
  m.shot.visible = real(10);
  m.shot.at_rest = {shot.getColumn(11).getInt64()};
  m.shot.seen = {FrameId{shot.getColumn(12).getInt64()}, FrameId{shot.getColumn(13).getInt64()}};
  m.spec = shot.getColumn(14).getInt();
  m.doubt = real(15);
  Statement one(database,
                "SELECT stand, unit, side, kind, x, y, heading, width, depth, ground, xx, xy, yy, "
                "heading_sigma, visible, confidence FROM measured_stand "
                "WHERE game = ? AND record = ? ORDER BY number");
  Bind(one, 1, game, record.number);
  while (one.executeStep()) m.stands.push_back(StandFrom(one, 0));
  record.measured = std::move(m);
}

void PutMeasured(SQLite::Database& database, std::int64_t game, const Record& record) {
  const ShotMeasured& m = *record.measured;
  const ShotObservation& s = m.shot;
  Run(database,
      "INSERT INTO measured_shot VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      game, record.number, s.shot.number, static_cast<int>(s.projectile), s.point.x, s.point.y,
      s.tail.x, s.tail.y, s.height_in, s.point_cov.xx, s.point_cov.xy, s.point_cov.yy, s.visible,
      s.at_rest.index, s.seen[0].index, s.seen[1].index, m.spec, m.doubt);
  Statement put(database,
                "INSERT INTO measured_stand VALUES "
                "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  int number = 0;
  for (const StandObservation& stand : m.stands) {
    put.reset();
    Bind(put, 1, game, record.number, number++);
    BindStand(put, 4, stand);
    put.exec();
  }
}

void ReadStands(Statement& query, std::int64_t game, Record& record) {
  query.reset();
  Bind(query, 1, game, record.number);
  StandsMeasured m;
  bool any = false;
  while (query.executeStep()) {
    any = true;
    const std::string role = query.getColumn(0).getString();
    StandObservation stand = StandFrom(query, 1);
    if (role == "from") m.moved.push_back({std::move(stand), {}});
    if (role == "to" && !m.moved.empty()) m.moved.back().to = std::move(stand);
    if (role == "position") m.position.push_back(std::move(stand));
  }
  if (any) record.stands = std::move(m);
}

void PutStands(SQLite::Database& database, std::int64_t game, const Record& record) {
  Statement put(database,
                "INSERT INTO seen_stand VALUES "
                "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  int number = 0;
  const auto one = [&](const std::string& role, const StandObservation& stand) {
    put.reset();
    Bind(put, 1, game, record.number, number++, role);
    BindStand(put, 5, stand);
    put.exec();
  };
  for (const StandObservation& stand : record.stands->position) one("position", stand);
  for (const StandMoved& moved : record.stands->moved) {
    one("from", moved.from);
    one("to", moved.to);
  }
}

// Keeps a copy of a file of an older program.
void KeepOlder(SQLite::Database& database, const fs::path& file) {
  const int now = database.execAndGet("PRAGMA user_version").getInt();
  if (now == 0 || now >= JournalVersion()) return;
  fs::path copy = file;
  copy += fmt::format(".version-{}", now);
  std::error_code ignored;
  if (!fs::exists(copy, ignored)) Run(database, "VACUUM INTO ?", copy.string());
}

// Where write-ahead logging is not available (some network disks) the rollback journal is as safe.
// SQLite does not call the busy handler when the mode changes (its manual, "PRAGMA journal_mode"),
// so wait here for another program's lock.
void WriteAhead(SQLite::Database& database, int busy_ms) {
  constexpr int kStep_ms = 5;
  for (int waited_ms = 0;; waited_ms += kStep_ms) {
    try {
      (void)database.execAndGet("PRAGMA journal_mode = WAL").getString();
      return;
    } catch (const SQLite::Exception& e) {
      if (e.getErrorCode() != SQLITE_BUSY || waited_ms >= busy_ms) throw;
    }
    sqlite3_sleep(kStep_ms);
  }
}

struct StoredStart {
  GameStart start;
  std::string chain;
};
// The start of a game and its stored chain; nothing if there is no such game.
std::optional<StoredStart> ReadStart(SQLite::Database& database, std::int64_t game) {
  Statement head(database,
                 "SELECT uid, kind, name, ruleset, started_unix_s, program, seed, chain, form "
                 "FROM game WHERE id = ?");
  head.bind(1, game);
  if (!head.executeStep()) return std::nullopt;
  StoredStart out;
  GameStart& start = out.start;
  start.uid = head.getColumn(0).getString();
  start.kind = GameKindFrom(head.getColumn(1).getString());
  start.name = head.getColumn(2).getString();
  start.ruleset = head.getColumn(3).getString();
  start.started_unix_s = head.getColumn(4).getDouble();
  start.program = head.getColumn(5).getString();
  if (!head.getColumn(6).isNull()) {
    const std::string seed = head.getColumn(6).getString();
    std::uint64_t value = 0;
    std::from_chars(seed.data(), seed.data() + seed.size(), value);
    start.seed = value;
  }
  out.chain = head.getColumn(7).getString();
  start.form = head.getColumn(8).getInt();
  Statement files(database,
                  "SELECT role, name, bytes FROM game_file JOIN blob ON blob.hash = blob "
                  "WHERE game = ? ORDER BY number");
  files.bind(1, game);
  while (files.executeStep()) {
    start.files.push_back({files.getColumn(0).getString(), files.getColumn(1).getString(),
                           Bytes(files.getColumn(2))});
  }
  Statement sides(database, "SELECT name FROM side WHERE game = ? ORDER BY number");
  sides.bind(1, game);
  while (sides.executeStep()) start.sides.push_back(sides.getColumn(0).getString());
  Statement seats(database,
                  "SELECT side, name FROM seat JOIN player ON player.id = player WHERE game = ? "
                  "ORDER BY side, name");
  seats.bind(1, game);
  while (seats.executeStep()) {
    start.seats.push_back({seats.getColumn(0).getInt(), seats.getColumn(1).getString()});
  }
  return out;
}

struct ReadHead {
  GameHead head;
  std::string key;
  std::string signature;
};
std::optional<ReadHead> HeadIn(SQLite::Database& database, std::int64_t game) {
  Statement one(database,
                "SELECT uid, records, head.chain, start, key, signature FROM head "
                "JOIN game ON game.id = game WHERE game = ?");
  one.bind(1, game);
  if (!one.executeStep()) return std::nullopt;
  return ReadHead{{one.getColumn(0).getString(), one.getColumn(1).getInt64(),
                   one.getColumn(2).getString(), one.getColumn(3).getString()},
                  one.getColumn(4).getString(),
                  one.getColumn(5).getString()};
}

// A signature of another key cannot be checked; one of ours must be right.
bool Forged(const HeadKey& key, const ReadHead& head) {
  return key.There() && head.key == key.Name() && head.signature != key.Sign(HeadText(head.head));
}

// Which games there are.
struct Roll {
  std::int64_t games = 0;
  std::string chain;
};
Roll RollOf(SQLite::Database& database) {
  Roll out{0, Sha256Hex("fall of shot roll 1")};
  Statement all(database, "SELECT uid FROM game ORDER BY id");
  for (; all.executeStep(); ++out.games) {
    out.chain = Sha256().AddText(out.chain).AddText(all.getColumn(0).getString()).Hex();
  }
  return out;
}
std::string RollText(const Roll& roll) {
  return fmt::format("fall of shot roll 1\n{}\n{}\n", roll.games, roll.chain);
}

// The records of one game after a given one, in order.
class RecordRows {
 public:
  RecordRows(SQLite::Database& database, std::int64_t game, std::int64_t after)
      : database_(database),
        game_(game),
        rows_(database,
              "SELECT number, kind, text, clauses, source_line, frame, time_s, unix_s, chain "
              "FROM record WHERE game = ? AND number > ? ORDER BY number"),
        events_(database, "SELECT body FROM event WHERE game = ? AND record = ? ORDER BY number"),
        told_(database, "SELECT sentence FROM told WHERE game = ? AND record = ? ORDER BY number"),
        stands_(database,
                "SELECT role, stand, unit, side, kind, x, y, heading, width, depth, ground, "
                "xx, xy, yy, heading_sigma, visible, confidence FROM seen_stand "
                "WHERE game = ? AND record = ? ORDER BY number"),
        attached_(database,
                  "SELECT shot, role, name, blob FROM attachment WHERE game = ? AND record = ?") {
    Bind(rows_, 1, game, after);
  }

  std::optional<Record> Next() {
    if (!rows_.executeStep()) return std::nullopt;
    Record record;
    record.number = rows_.getColumn(0).getInt64();
    const std::optional<RecordKind> kind = RecordKindFrom(rows_.getColumn(1).getString());
    known_ = kind.has_value();
    if (!known_) return record;
    record.kind = *kind;
    record.text = rows_.getColumn(2).getString();
    record.clauses = Split(rows_.getColumn(3).getString());
    if (!rows_.getColumn(4).isNull()) record.source_line = rows_.getColumn(4).getInt();
    if (!rows_.getColumn(5).isNull()) record.frame = rows_.getColumn(5).getInt64();
    if (!rows_.getColumn(6).isNull()) record.time_s = rows_.getColumn(6).getDouble();
    record.unix_s = rows_.getColumn(7).getDouble();
    record.chain = rows_.getColumn(8).getString();
    record.events = Texts(events_, game_, record.number);
    record.told = Texts(told_, game_, record.number);
    ReadMeasured(database_, game_, record);
    ReadStands(stands_, game_, record);
    attached_.reset();
    Bind(attached_, 1, game_, record.number);
    if (attached_.executeStep()) {
      record.attachment = {attached_.getColumn(0).getInt(), attached_.getColumn(1).getString(),
                           attached_.getColumn(2).getString(), attached_.getColumn(3).getString()};
    }
    return record;
  }
  // False when the last record is of a kind that this program does not know.
  bool Known() const { return known_; }

 private:
  SQLite::Database& database_;
  std::int64_t game_;
  Statement rows_, events_, told_, stands_, attached_;
  bool known_ = true;
};

// For SQLite's "file:" names.
std::string ImmutableUri(const fs::path& file) {
  std::string out = "file:";
  for (const char c : fs::absolute(file).string()) {
    out += c == '%' || c == '?' || c == '#'
               ? fmt::format("%{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)))
               : std::string(1, c);
  }
  return out + "?immutable=1";
}

// Opens a file to read where nothing can be written beside it: on read-only media. SQLite then
// reads no write-ahead log, so one that holds records must not be there.
Result<std::unique_ptr<SQLite::Database>> OpenImmutable(const fs::path& file,
                                                        const JournalOptions& options) {
  const fs::path log = file.string() + "-wal";
  std::error_code none;
  if (const std::uintmax_t size = fs::file_size(log, none); !none && size > 0) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: its last records are in {}; copy both to a folder that can be "
                             "written",
                             file.string(), log.filename().string())};
  }
  return std::make_unique<SQLite::Database>(
      ImmutableUri(file), SQLite::OPEN_READONLY | SQLite::OPEN_URI, options.busy_ms, options.vfs);
}

Error Altered(const fs::path& file, std::int64_t game, const std::string& what) {
  return {ErrorCode::kBadFormat,
          fmt::format("{}: game {}, {} was changed after it was written; restore it from a copy",
                      file.string(), game, what)};
}

GameHead HeadOf(const GameLog& log) {
  return HeadOf(log.start, static_cast<std::int64_t>(log.records.size()),
                log.records.empty() ? ChainStart(log.start) : log.records.back().chain);
}

// True when nothing can be written beside the file.
bool OnReadOnlyMedia(const fs::path& file) {
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  return access(folder.c_str(), W_OK) != 0;
}

}  // namespace

std::string SqliteVersion() { return sqlite3_libversion(); }

Journal::Journal(fs::path file, std::unique_ptr<SQLite::Database> database)
    : file_(std::move(file)), database_(std::move(database)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;
Journal::~Journal() = default;

Result<Journal> Journal::Open(const fs::path& file, const JournalOptions& options) {
  if (file.empty()) {
    return Error{ErrorCode::kNotFound,
                 "no home folder is known to hold the club's file: set HOME or XDG_DATA_HOME to an "
                 "absolute path, or name the file with --db"};
  }
  std::error_code ec;
  const bool there = fs::exists(file, ec);
  if (options.read_only && !there) {
    return Error{ErrorCode::kNotFound, file.string() +
                                           ": no such club file; create one with `fallofshot play "
                                           "--db` or `live`, or name another with --db"};
  }
  if (there && !fs::is_regular_file(file, ec)) {
    return Error{ErrorCode::kBadFormat,
                 file.string() + ": is not a file; choose another with --db"};
  }
  if (!there && !file.parent_path().empty()) fs::create_directories(file.parent_path(), ec);
  return Guarded(file, [&]() -> Result<Journal> {
    // Open it for writing if possible, even to read: only such a connection removes the files of
    // the write-ahead log when it closes. query_only prevents changes.
    const int flags = SQLite::OPEN_READWRITE | (options.read_only ? 0 : SQLite::OPEN_CREATE);
    std::unique_ptr<SQLite::Database> database;
    if (options.read_only && OnReadOnlyMedia(file)) {
      Result<std::unique_ptr<SQLite::Database>> immutable = OpenImmutable(file, options);
      if (!immutable.ok()) return immutable.error();
      database = std::move(immutable).value();
    } else {
      database =
          std::make_unique<SQLite::Database>(file.string(), flags, options.busy_ms, options.vfs);
    }
    // Read all three in one transaction, because another program may be creating the file.
    SQLite::Transaction look(*database);
    const int version = database->execAndGet("PRAGMA user_version").getInt();
    const int application = database->execAndGet("PRAGMA application_id").getInt();
    const int tables = database->execAndGet("SELECT count(*) FROM sqlite_schema").getInt();
    look.commit();
    if (application != kJournalApplicationId && (version != 0 || tables != 0)) {
      return Error{ErrorCode::kBadFormat,
                   file.string() + ": belongs to another program; choose another file with --db"};
    }
    if (version < 0) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("{}: its first bytes are damaged (file version {}); restore a copy",
                               file.string(), version)};
    }
    if (version > JournalVersion()) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("{}: was written by a newer Fall of Shot (file version {}, this "
                               "program knows {}); update the program",
                               file.string(), version, JournalVersion())};
    }
    if (options.read_only) {
      if (version == JournalVersion()) {
        database->exec("PRAGMA query_only = ON");
        Journal journal(file, std::move(database));
        journal.key_ = HeadKey::Beside(file);
        return journal;
      }
      // An empty file is left by a program that was killed while it made it: it has no games.
      if (version > 0 && !OnReadOnlyMedia(file)) {
        database.reset();
        JournalOptions writing = options;
        writing.read_only = false;
        if (const Result<Journal> up_to_date = Open(file, writing); up_to_date.ok()) {
          return Open(file, options);
        }
        database =
            std::make_unique<SQLite::Database>(file.string(), flags, options.busy_ms, options.vfs);
      }
      return InMemory(file, *database);
    }
    WriteAhead(*database, options.busy_ms);
    // Every commit waits for the disk.
    database->exec("PRAGMA synchronous = FULL");
    database->exec("PRAGMA foreign_keys = ON");
    if (version < JournalVersion()) KeepOlder(*database, file);
    Journal journal(file, std::move(database));
    journal.key_ = options.make_key ? HeadKey::MadeBeside(file) : HeadKey::Beside(file);
    if (version < JournalVersion()) journal.Upgrade();
    return journal;
  });
}

Result<Journal> Journal::InMemory(const fs::path& file, SQLite::Database& from) {
  auto copy =
      std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  SQLite::Backup(*copy, from).executeStep(-1);
  Journal journal(file, std::move(copy));
  journal.Upgrade();
  journal.is_copy_ = true;
  return journal;
}

void Journal::PutBlob(const std::string& hash, const std::string& bytes) {
  Statement put(*database_, "INSERT INTO blob VALUES (?, ?) ON CONFLICT(hash) DO NOTHING");
  put.bind(1, hash);
  BindBlob(put, 2, bytes);
  put.exec();
}

std::int64_t Journal::PutStart(const GameStart& start) {
  Statement put(*database_,
                "INSERT INTO game(uid, kind, name, ruleset, started_unix_s, program, rules_hash, "
                "seed, chain, form) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Bind(put, 1, start.uid, std::string(GameKindName(start.kind)), start.name, start.ruleset,
       start.started_unix_s, start.program, RulesHash(start.files));
  BindMaybe(put, 8,
            start.seed ? std::optional<std::string>(std::to_string(*start.seed)) : std::nullopt);
  put.bind(9, ChainStart(start));
  put.bind(10, start.form);
  put.exec();
  const std::int64_t game = database_->getLastInsertRowid();
  for (std::size_t i = 0; i < start.files.size(); ++i) {
    const GameFile& file = start.files[i];
    const std::string hash = Sha256Hex(file.bytes);
    PutBlob(hash, file.bytes);
    Run(*database_, "INSERT INTO game_file VALUES (?, ?, ?, ?, ?)", game, static_cast<int>(i),
        file.role, file.name, hash);
  }
  for (std::size_t i = 0; i < start.sides.size(); ++i) {
    Run(*database_, "INSERT INTO side VALUES (?, ?, ?)", game, static_cast<int>(i), start.sides[i]);
  }
  for (const Seat& seat : start.seats) {
    Run(*database_, "INSERT INTO player(name) VALUES (?) ON CONFLICT(name) DO NOTHING",
        seat.player);
    Run(*database_,
        "INSERT INTO seat VALUES (?, ?, (SELECT id FROM player WHERE name = ?)) "
        "ON CONFLICT DO NOTHING",
        game, seat.side, seat.player);
  }
  PutHead(game, HeadOf(start, 0, ChainStart(start)));
  PutRoll();
  return game;
}

void Journal::PutHead(std::int64_t game, const GameHead& head) {
  Run(*database_,
      "INSERT INTO head VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT(game) DO UPDATE SET "
      "records = excluded.records, chain = excluded.chain, start = excluded.start, "
      "key = excluded.key, signature = excluded.signature",
      game, head.records, head.chain, head.start, key_.Name(), key_.Sign(HeadText(head)));
}

void Journal::PutRoll() {
  const Roll now = RollOf(*database_);
  Run(*database_,
      "INSERT INTO roll VALUES (1, ?, ?, ?, ?) ON CONFLICT(one) DO UPDATE SET games = "
      "excluded.games, chain = excluded.chain, key = excluded.key, signature = excluded.signature",
      now.games, now.chain, key_.Name(), key_.Sign(RollText(now)));
}

void Journal::Upgrade() {
  SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  const int now = database_->execAndGet("PRAGMA user_version").getInt();
  if (now >= JournalVersion()) return;  // another program has upgraded it meanwhile
  for (int version = now; version < JournalVersion(); ++version) {
    database_->exec(JournalMigrations()[static_cast<std::size_t>(version)]);
  }
  AddMissingHeads();
  database_->exec(fmt::format("PRAGMA application_id = {}", kJournalApplicationId));
  database_->exec(fmt::format("PRAGMA user_version = {}", JournalVersion()));
  all.commit();
}

void Journal::AddMissingHeads() {
  Statement games(*database_,
                  "SELECT id, (SELECT count(*) FROM record WHERE game = game.id), "
                  "(SELECT chain FROM record WHERE game = game.id ORDER BY number DESC LIMIT 1) "
                  "FROM game WHERE id NOT IN (SELECT game FROM head)");
  while (games.executeStep()) {
    const std::int64_t game = games.getColumn(0).getInt64();
    const std::optional<StoredStart> stored = ReadStart(*database_, game);
    if (!stored) continue;
    const bool begun = !games.getColumn(2).isNull();
    PutHead(game, HeadOf(stored->start, games.getColumn(1).getInt64(),
                         begun ? games.getColumn(2).getString() : stored->chain));
  }
  PutRoll();
}

Result<std::int64_t> Journal::Begin(const GameStart& start) {
  for (const GameFile& file : start.files) {
    if (file.bytes.size() > kLargestBlob_bytes)
      return Error{ErrorCode::kOutOfRange, file.name + ": too large for a game's file"};
  }
  for (const Seat& seat : start.seats) {
    if (seat.side < 0 || static_cast<std::size_t>(seat.side) >= start.sides.size())
      return Error{ErrorCode::kOutOfRange, seat.player + ": no such side"};
  }
  return Guarded(file_, [&]() -> Result<std::int64_t> {
    SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    Statement known(*database_, "SELECT id FROM game WHERE uid = ?");
    known.bind(1, start.uid);
    if (known.executeStep()) {
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("{}: already holds this game, as game {}", file_.string(),
                               known.getColumn(0).getInt64())};
    }
    const std::int64_t game = PutStart(start);
    all.commit();
    return game;
  });
}

void Journal::Put(std::int64_t game, const Record& record, const std::string* bytes) {
  Statement put(*database_, "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Bind(put, 1, game, record.number, std::string(RecordName(record.kind)), record.text,
       fmt::format("{}", fmt::join(record.clauses, " ")));
  BindMaybe(put, 6, record.source_line);
  BindMaybe(put, 7, record.frame);
  BindMaybe(put, 8, record.time_s);
  Bind(put, 9, record.unix_s, record.chain);
  put.exec();
  PutTexts(*database_, "INSERT INTO event VALUES (?, ?, ?, ?)", game, record.number, record.events);
  PutTexts(*database_, "INSERT INTO told VALUES (?, ?, ?, ?)", game, record.number, record.told);
  if (record.measured) PutMeasured(*database_, game, record);
  if (record.stands) PutStands(*database_, game, record);
  if (record.attachment) {
    const Attachment& a = *record.attachment;
    if (bytes) PutBlob(a.hash, *bytes);
    Run(*database_, "INSERT INTO attachment VALUES (?, ?, ?, ?, ?, ?)", game, record.number, a.shot,
        a.role, a.name, a.hash);
  }
}

Status Journal::PutFrom(std::int64_t game, const Record& record, const GameSource& from) {
  if (!record.attachment) {
    Put(game, record, nullptr);
    return Ok();
  }
  const Result<std::string> bytes = from.Blob(record.attachment->hash);
  if (!bytes.ok()) return bytes.error();
  Put(game, record, &*bytes);
  return Ok();
}

Result<std::int64_t> Journal::Copy(const GameLog& log, const GameSource& from) {
  return Guarded(file_, [&]() -> Result<std::int64_t> {
    SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    Statement known(*database_, "SELECT id FROM game WHERE uid = ?");
    known.bind(1, log.start.uid);
    if (known.executeStep()) {
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("{}: already holds this game, as game {}", file_.string(),
                               known.getColumn(0).getInt64())};
    }
    const std::int64_t game = PutStart(log.start);
    std::string chain = ChainStart(log.start);
    std::int64_t number = 0;
    for (Record record : log.records) {
      record.number = ++number;
      record.chain = chain = ChainAfter(chain, record, log.start.form);
      const Status put = PutFrom(game, record, from);
      if (!put.ok()) return put.error();
    }
    PutHead(game, HeadOf(log.start, number, chain));
    all.commit();
    return game;
  });
}

Result<std::int64_t> Journal::GoOn(std::int64_t game, const GameLog& log, const GameSource& from) {
  return Guarded(file_, [&]() -> Result<std::int64_t> {
    SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    const Result<GameLog> here = ReadWhole(game);
    if (!here.ok()) return here.error();
    if (!GoesOnFrom(log, *here)) {
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("{}: game {} does not go on like that", file_.string(), game)};
    }
    std::string chain = HeadOf(*here).chain;
    for (std::size_t i = here->records.size(); i < log.records.size(); ++i) {
      Record record = log.records[i];
      record.number = static_cast<std::int64_t>(i) + 1;
      record.chain = chain = ChainAfter(chain, record, here->start.form);
      const Status put = PutFrom(game, record, from);
      if (!put.ok()) return put.error();
    }
    PutHead(game, HeadOf(here->start, static_cast<std::int64_t>(log.records.size()), chain));
    all.commit();
    return static_cast<std::int64_t>(log.records.size() - here->records.size());
  });
}

std::string Journal::Flag() const { return " --db " + ShellWord(file_.string()); }

Result<std::vector<GameSummary>> Journal::Games() const {
  return Guarded(file_, [&]() -> Result<std::vector<GameSummary>> {
    Statement all(*database_,
                  "SELECT id, uid, name, ruleset, kind, started_unix_s, "
                  "(SELECT count(*) FROM record WHERE game = game.id), "
                  "EXISTS(SELECT 1 FROM record WHERE game = game.id AND kind = 'ended') "
                  "FROM game ORDER BY id");
    std::vector<GameSummary> out;
    while (all.executeStep()) {
      out.push_back({all.getColumn(0).getInt64(), all.getColumn(1).getString(),
                     all.getColumn(2).getString(), all.getColumn(3).getString(),
                     GameKindFrom(all.getColumn(4).getString()), all.getColumn(5).getDouble(),
                     all.getColumn(6).getInt64(), all.getColumn(7).getInt() != 0, ""});
    }
    Statement seats(*database_,
                    "SELECT game, side, name FROM seat JOIN player ON player.id = player "
                    "ORDER BY game, side, name");
    while (seats.executeStep()) {
      AddSeat(out, seats.getColumn(0).getInt64(),
              {seats.getColumn(1).getInt(), seats.getColumn(2).getString()});
    }
    return out;
  });
}

Result<GameLog> Journal::ReadRecords(std::int64_t game) const {
  return Guarded(file_, [&]() -> Result<GameLog> {
    GameLog log;
    log.id = game;
    std::optional<StoredStart> stored = ReadStart(*database_, game);
    if (!stored) {
      return Error{ErrorCode::kNotFound, fmt::format("{}: no game {}", file_.string(), game)};
    }
    log.start = std::move(stored->start);
    std::string chain = std::move(stored->chain);
    const auto altered = [&](const std::string& what) { return Altered(file_, game, what); };
    if (chain != ChainStart(log.start)) return altered("its beginning");

    RecordRows rows(*database_, game, 0);
    while (std::optional<Record> record = rows.Next()) {
      const std::string place = fmt::format("record {}", record->number);
      if (!rows.Known() || record->number != static_cast<std::int64_t>(log.records.size()) + 1) {
        return altered(place);
      }
      chain = ChainAfter(chain, *record, log.start.form);
      if (chain != record->chain) return altered(place);
      log.records.push_back(*std::move(record));
    }
    return log;
  });
}

Result<GameLog> Journal::Read(std::int64_t game) const {
  return Guarded(file_, [&]() -> Result<GameLog> {
    // Read in one transaction, so that other programs' writes do not interfere.
    SQLite::Transaction all(*database_, SQLite::TransactionBehavior::DEFERRED);
    return ReadWhole(game);
  });
}

Result<GameLog> Journal::ReadWhole(std::int64_t game) const {
  Result<GameLog> log = ReadRecords(game);
  if (!log.ok()) return log.error();
  const Result<std::int64_t> lost = LostAtEndOf(*log);
  if (!lost.ok()) return lost.error();
  if (*lost > 0) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: game {}, the last {} of {} record{} missing; restore it from a "
                             "copy",
                             file_.string(), game, *lost,
                             *lost + static_cast<std::int64_t>(log->records.size()),
                             *lost == 1 ? " is" : "s are")};
  }
  return log;
}

Result<std::int64_t> Journal::LostAtEndOf(const GameLog& log) const {
  const std::optional<ReadHead> head = HeadIn(*database_, log.id);
  if (!head) return Altered(file_, log.id, "its head");
  const GameHead now = HeadOf(log);
  if (head->head.start != now.start) return Altered(file_, log.id, "its players or its date");
  const std::int64_t lost = head->head.records - now.records;
  if ((lost <= 0 && HeadText(head->head) != HeadText(now)) || Forged(key_, *head)) {
    return Altered(file_, log.id, "its head");
  }
  return lost;
}

Result<std::int64_t> Journal::LostAtEnd(std::int64_t game) const {
  return Guarded(file_, [&]() -> Result<std::int64_t> {
    SQLite::Transaction all(*database_, SQLite::TransactionBehavior::DEFERRED);
    const Result<GameLog> log = ReadRecords(game);
    return log.ok() ? LostAtEndOf(*log) : log.error();
  });
}

Status Journal::GoOnAfterLoss(std::int64_t game, double unix_s) {
  return Guarded(file_, [&]() -> Status {
    SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    const Result<GameLog> log = ReadRecords(game);
    if (!log.ok()) return log.error();
    const Result<std::int64_t> lost = LostAtEndOf(*log);
    if (!lost.ok()) return lost.error();
    if (*lost == 0) return Ok();
    const GameHead whole = HeadOf(*log);
    // Rows of a lost record would become part of the next one.
    for (const char* part :
         {"event", "told", "attachment", "measured_shot", "measured_stand", "seen_stand"}) {
      Statement rest(*database_,
                     fmt::format("SELECT count(*) FROM {} WHERE game = ? AND record > ?", part));
      Bind(rest, 1, game, whole.records);
      if (rest.executeStep() && rest.getColumn(0).getInt64() > 0) {
        return Altered(file_, game, fmt::format("record {}", whole.records + 1));
      }
    }
    Record note;
    note.kind = RecordKind::kRemark;
    note.text = fmt::format("the last {} of {} records were lost; the log goes on after record {}",
                            *lost, *lost + whole.records, whole.records);
    note.number = whole.records + 1;
    note.unix_s = unix_s;
    note.chain = ChainAfter(whole.chain, note, log->start.form);
    GameHead next = whole;
    next.records = note.number;
    next.chain = note.chain;
    Put(game, note, nullptr);
    PutHead(game, next);
    all.commit();
    return Ok();
  });
}

Status Journal::Reindex() {
  return Guarded(file_, [&]() -> Status {
    database_->exec("REINDEX");
    return Ok();
  });
}

Result<GameStart> Journal::Start(std::int64_t game) const {
  return Guarded(file_, [&]() -> Result<GameStart> {
    std::optional<StoredStart> stored = ReadStart(*database_, game);
    if (!stored) {
      return Error{ErrorCode::kNotFound, fmt::format("{}: no game {}", file_.string(), game)};
    }
    return std::move(stored->start);
  });
}

Result<std::vector<Record>> Journal::ReadAfter(std::int64_t game, std::int64_t after,
                                               const std::string& chain, std::size_t most) const {
  return Guarded(file_, [&]() -> Result<std::vector<Record>> {
    SQLite::Transaction all(*database_, SQLite::TransactionBehavior::DEFERRED);
    Statement form(*database_, "SELECT form FROM game WHERE id = ?");
    form.bind(1, game);
    if (!form.executeStep()) {
      return Error{ErrorCode::kNotFound, fmt::format("{}: no game {}", file_.string(), game)};
    }
    std::vector<Record> out;
    std::string last = chain;
    RecordRows rows(*database_, game, after);
    while (out.size() < most) {
      std::optional<Record> record = rows.Next();
      if (!record) break;
      if (rows.Known()) last = ChainAfter(last, *record, form.getColumn(0).getInt());
      if (!rows.Known() || last != record->chain ||
          record->number != after + static_cast<std::int64_t>(out.size()) + 1) {
        return Error{ErrorCode::kBadFormat,
                     fmt::format("{}: game {} does not go on from record {} as expected",
                                 file_.string(), game, record->number - 1)};
      }
      out.push_back(*std::move(record));
    }
    return out;
  });
}

Result<std::int64_t> Journal::Changes() const {
  return Guarded(file_, [&]() -> Result<std::int64_t> {
    return database_->execAndGet("PRAGMA data_version").getInt64();
  });
}

Result<std::string> Journal::Blob(const std::string& hash) const {
  return Guarded(file_, [&]() -> Result<std::string> {
    Statement one(*database_, "SELECT bytes FROM blob WHERE hash = ?");
    one.bind(1, hash);
    if (!one.executeStep()) {
      return Error{ErrorCode::kNotFound,
                   fmt::format("{}: the bytes of `{}` are missing; restore them from a copy",
                               file_.string(), hash.substr(0, 100))};
    }
    std::string bytes = Bytes(one.getColumn(0));
    if (Sha256Hex(bytes) != hash) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("{}: the bytes of `{}` were changed; restore them from a copy",
                               file_.string(), hash)};
    }
    return bytes;
  });
}

Result<std::vector<StoredHead>> Journal::Heads() const {
  return Guarded(file_, [&]() -> Result<std::vector<StoredHead>> {
    Statement all(*database_, "SELECT id, name FROM game ORDER BY id");
    std::vector<StoredHead> out;
    while (all.executeStep()) {
      StoredHead one;
      one.game = all.getColumn(0).getInt64();
      one.name = all.getColumn(1).getString();
      const std::optional<ReadHead> head = HeadIn(*database_, one.game);
      if (!head || Forged(key_, *head)) {
        return Error{ErrorCode::kBadFormat,
                     fmt::format("{}: game {}, its head was changed after it was written; restore "
                                 "it from a copy",
                                 file_.string(), one.game)};
      }
      one.head = head->head;
      one.signature = head->key.empty()          ? StoredHead::Signature::kNone
                      : head->key == key_.Name() ? StoredHead::Signature::kGood
                                                 : StoredHead::Signature::kOtherKey;
      out.push_back(std::move(one));
    }
    return out;
  });
}

Status Journal::CheckGames() const {
  return Guarded(file_, [&]() -> Status {
    const auto fault = [&](const std::string& what) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("{}: {}; restore the file from a copy", file_.string(), what)};
    };
    Statement ids(*database_, "SELECT id FROM game ORDER BY id");
    std::int64_t next = 1;
    for (; ids.executeStep(); ++next) {
      if (ids.getColumn(0).getInt64() != next) return fault(fmt::format("game {} is gone", next));
    }
    Statement roll(*database_, "SELECT games, chain, key, signature FROM roll");
    if (!roll.executeStep()) return fault("its list of games is gone");
    const Roll stored{roll.getColumn(0).getInt64(), roll.getColumn(1).getString()};
    const Roll now = RollOf(*database_);
    if (stored.games > now.games) {
      const std::int64_t gone = stored.games - now.games;
      return fault(fmt::format("the last {} gone",
                               gone == 1 ? "game is" : fmt::format("{} games are", gone)));
    }
    const bool forged = key_.There() && roll.getColumn(2).getString() == key_.Name() &&
                        roll.getColumn(3).getString() != key_.Sign(RollText(stored));
    if (stored.games != now.games || stored.chain != now.chain || forged) {
      return fault("its list of games was changed");
    }
    return Ok();
  });
}

std::string Journal::Check() const try {
  std::string found = database_->execAndGet("PRAGMA integrity_check").getString();
  std::replace(found.begin(), found.end(), '\n', ' ');
  if (found != "ok") return found;
  Statement broken(*database_, "PRAGMA foreign_key_check");
  return broken.executeStep()
             ? "a row of `" + broken.getColumn(0).getString() + "` refers to a missing row"
             : found;
} catch (const SQLite::Exception& e) {
  return e.what();
}

Status Journal::Seal() {
  return Guarded(file_, [&]() -> Status {
    (void)database_->execAndGet("PRAGMA journal_mode = DELETE").getString();
    return Ok();
  });
}

int Journal::Version() const { return JournalVersion(); }

bool GoesOnFrom(const GameLog& log, const GameLog& start) {
  const std::size_t held = start.records.size();
  if (log.start.uid != start.start.uid || log.records.size() < held) return false;
  // Each record's chain covers all before it, and the game's start.
  return held == 0 ? ChainStart(log.start) == ChainStart(start.start)
                   : log.records[held - 1].chain == start.records.back().chain;
}

Result<GameWriter> GameWriter::Of(Journal& journal, std::int64_t game) {
  const Result<GameLog> log = journal.Read(game);
  if (!log.ok()) return log.error();
  return GameWriter(journal, game, log->start, HeadOf(*log));
}

Result<Record> GameWriter::Append(Record record, double unix_s) {
  record.attachment.reset();
  return Write(std::move(record), nullptr, unix_s);
}

Result<Record> GameWriter::Attach(Attachment attachment, const std::string& bytes, double unix_s) {
  if (bytes.size() > kLargestBlob_bytes) {
    return Error{ErrorCode::kOutOfRange,
                 attachment.name + ": larger than 256 MB, the limit for a game's log"};
  }
  Record record;
  record.kind = RecordKind::kAttached;
  attachment.hash = Sha256Hex(bytes);
  record.attachment = std::move(attachment);
  return Write(std::move(record), &bytes, unix_s);
}

Result<Record> GameWriter::Write(Record record, const std::string* bytes, double unix_s) {
  if (!AllFinite(record)) {
    return Error{ErrorCode::kOutOfRange, "the log: a measurement is not a finite number"};
  }
  record.number = head_.records + 1;
  record.unix_s = std::isfinite(unix_s) ? unix_s : 0;
  record.chain = ChainAfter(head_.chain, record, form_);
  GameHead next = head_;
  next.records = record.number;
  next.chain = record.chain;
  return Guarded(journal_->file_, [&]() -> Result<Record> {
    try {
      SQLite::Transaction all(*journal_->database_, SQLite::TransactionBehavior::IMMEDIATE);
      journal_->Put(game_, record, bytes);
      journal_->PutHead(game_, next);
      all.commit();
    } catch (const SQLite::Exception& e) {
      if (e.getExtendedErrorCode() != SQLITE_CONSTRAINT_PRIMARYKEY) throw;
      return Error{ErrorCode::kUnsupported,
                   fmt::format("{}: another program has appended to game {}; close one of the two",
                               journal_->file_.string(), game_)};
    }
    head_ = next;
    return record;
  });
}

}  // namespace fos
