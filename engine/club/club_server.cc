// SPDX-License-Identifier: MIT
#include "engine/club/club_server.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "engine/club/club_schema.h"
#include "engine/club/record_json.h"
#include "engine/files/json.h"
#include "engine/journal/sha256.h"

namespace fos {
namespace {

// One batch of records, as JSON; the server keeps it in memory.
constexpr std::size_t kLargestBatch_bytes = 32u << 20;

std::vector<std::string> FromServerTexts(const std::string& json) {
  std::vector<std::string> out;
  for (const std::string& text : Json::parse(json).get<std::vector<std::string>>()) {
    out.push_back(FromServerText(text));
  }
  return out;
}

std::vector<std::string> SplitClauses(const std::string& words) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (end > at) out.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// The bytes of PostgreSQL's text form of bytea come binary instead: one column, asked for so.
constexpr bool kBinary = true;

// The version of the tables; 0: there are none.
Result<int> VersionOf(PgConnection& connection) {
  const Result<PgRows> there =
      connection.Run("SELECT to_regclass('fallofshot.version') IS NOT NULL");
  if (!there.ok()) return there.error();
  if (!there->Flag(0, 0)) return 0;
  const Result<PgRows> rows =
      connection.Run("SELECT coalesce(max(version), 0) FROM fallofshot.version");
  if (!rows.ok()) return rows.error();
  return static_cast<int>(rows->Int(0, 0));
}

Error NewerProgram(const std::string& name, int version) {
  return {ErrorCode::kUnsupported,
          fmt::format("{}: its tables are of a newer Fall of Shot (version {}, this program knows "
                      "{}); update the program",
                      name, version, ClubVersion())};
}

std::string Quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// The roles belong to the whole server, and only the first club on it makes them.
std::string MakeRoles() {
  std::string out;
  for (const char* role : {kTableRole, kReaderRole}) {
    out += fmt::format(
        "DO $f$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{0}') THEN "
        "CREATE ROLE {0} NOLOGIN; END IF; END $f$;\n",
        role);
  }
  return out;
}

// Appends a record of one row to the log, after checking its place in the chain.
Result<Record> RecordFromRow(const PgRows& rows, std::size_t at) {
  Record record;
  const std::optional<RecordKind> kind = RecordKindFrom(rows.Text(at, 1));
  if (!kind) return Error{ErrorCode::kBadFormat, "a record of an unknown kind"};
  record.number = rows.Int(at, 0);
  record.kind = *kind;
  record.text = FromServerText(rows.Text(at, 2));
  record.clauses = SplitClauses(FromServerText(rows.Text(at, 3)));
  if (!rows.IsNull(at, 4)) record.source_line = static_cast<int>(rows.Int(at, 4));
  if (!rows.IsNull(at, 5)) record.frame = rows.Int(at, 5);
  if (!rows.IsNull(at, 6)) record.time_s = rows.Real(at, 6);
  record.unix_s = rows.Real(at, 7);
  record.chain = rows.Text(at, 8);
  record.events = FromServerTexts(rows.Text(at, 9));
  record.told = FromServerTexts(rows.Text(at, 10));
  if (!rows.IsNull(at, 11)) record.measured = ShotMeasuredFrom(FromServerText(rows.Text(at, 11)));
  if (!rows.IsNull(at, 12)) record.stands = StandsMeasuredFrom(FromServerText(rows.Text(at, 12)));
  if (!rows.IsNull(at, 16)) {
    record.attachment = {static_cast<int>(rows.Int(at, 13)), FromServerText(rows.Text(at, 14)),
                         FromServerText(rows.Text(at, 15)), rows.Text(at, 16)};
  }
  return record;
}

}  // namespace

ClubServer::ClubServer(PgConnection connection, std::string name, int version)
    : connection_(std::make_unique<PgConnection>(std::move(connection))),
      name_(std::move(name)),
      version_(version) {}

Error ClubServer::Explain(const Error& error) const {
  if (connection_->SqlState() == "42501") {
    return {ErrorCode::kUnsupported,
            fmt::format("{}: account `{}` may not do this; use an account that `fallofshot club "
                        "account` made for it",
                        name_, connection_->User())};
  }
  if (connection_->SqlState().starts_with("FS00") &&
      connection_->SqlState() != kStateBadRecords) {
    return {ErrorCode::kUnsupported, error.message};
  }
  return error;
}

Result<ClubServer> ClubServer::Open(const PgAddress& address, const PgOptions& options) {
  Result<PgConnection> connection = PgConnection::Open(address, options);
  if (!connection.ok()) return connection.error();
  const Result<int> version = VersionOf(*connection);
  if (!version.ok() && version.error().code == ErrorCode::kIo) return version.error();
  if (!version.ok() || *version == 0) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: no club's tables that this account can read; prepare the database "
                             "with `fallofshot club init`, and the account with `club account`",
                             address.Name())};
  }
  if (*version > ClubVersion()) return NewerProgram(address.Name(), *version);
  if (*version < ClubVersion()) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: its tables are of an older Fall of Shot (version {}); upgrade "
                             "them with `fallofshot club init`",
                             address.Name(), *version)};
  }
  const Status path = connection->Script("SET search_path = fallofshot, pg_temp");
  if (!path.ok()) return path.error();
  return ClubServer(std::move(connection).value(), address.Name(), *version);
}

Result<int> ClubServer::Init(const PgAddress& address) {
  Result<PgConnection> opened = PgConnection::Open(address);
  if (!opened.ok()) return opened.error();
  PgConnection connection = std::move(opened).value();
  const Result<PgRows> about =
      connection.Run("SELECT current_setting('server_encoding'), current_database(), "
                     "current_setting('server_version_num')::int");
  if (!about.ok()) return about.error();
  if (about->Text(0, 0) != "UTF8") {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: the database is in {}; create one in UTF8: createdb --encoding "
                             "UTF8 --template template0 NAME",
                             address.Name(), about->Text(0, 0))};
  }
  constexpr std::int64_t kOldest = 130000;
  if (about->Int(0, 2) < kOldest) {
    return Error{ErrorCode::kUnsupported,
                 address.Name() + ": this PostgreSQL is too old; version 13 or newer is needed"};
  }
  // One transaction: a program that dies in it leaves the old version. The lock keeps two of them
  // apart.
  std::string sql = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('fallofshot init'));";
  Status done = connection.Script(sql);
  if (!done.ok()) return done.error();
  const Result<int> before = VersionOf(connection);
  if (!before.ok()) return before.error();
  if (*before > ClubVersion()) return NewerProgram(address.Name(), *before);
  sql = MakeRoles();
  if (*before == 0) {
    sql += "CREATE SCHEMA fallofshot; CREATE TABLE fallofshot.version(version int PRIMARY KEY, "
           "applied timestamptz NOT NULL DEFAULT now());\n";
    const std::string database = Quoted(about->Text(0, 1));
    sql += fmt::format("REVOKE ALL ON DATABASE {0} FROM PUBLIC; GRANT CONNECT ON DATABASE {0} TO "
                       "{1}, {2};\n",
                       database, kTableRole, kReaderRole);
  }
  sql += "SET LOCAL search_path = fallofshot, pg_temp;\n";
  for (int version = *before; version < ClubVersion(); ++version) {
    sql += ClubMigrations()[static_cast<std::size_t>(version)];
    sql += fmt::format("INSERT INTO version(version) VALUES ({});\n", version + 1);
  }
  done = connection.Script(sql + "COMMIT;");
  if (!done.ok()) {
    if (done.error().code == ErrorCode::kUnsupported) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("{}; give the account of the database's owner, who may create roles",
                               done.error().message)};
    }
    return done.error();
  }
  return *before;
}

Result<std::map<std::string, ServerHead>> ClubServer::OwnHeads() {
  const Result<PgRows> rows = connection_->Run("SELECT uid, records, chain FROM own_heads()");
  if (!rows.ok()) return Explain(rows.error());
  std::map<std::string, ServerHead> out;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    out[rows->Text(i, 0)] = {rows->Int(i, 1), rows->Text(i, 2)};
  }
  return out;
}

Result<ServerHead> ClubServer::Begin(const GameStart& start) {
  std::vector<std::string> hashes;
  for (const GameFile& file : start.files) hashes.push_back(Sha256Hex(file.bytes));
  const Result<std::vector<std::string>> missing = Missing(hashes);
  if (!missing.ok()) return missing.error();
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (std::find(missing->begin(), missing->end(), hashes[i]) == missing->end()) continue;
    const Status put = PutBlob(hashes[i], start.files[i].bytes);
    if (!put.ok()) return put.error();
  }
  const Result<PgRows> rows = connection_->Run("SELECT records, chain FROM begin_game($1)",
                                               {StartForServer(start).dump()});
  if (!rows.ok()) return Explain(rows.error());
  return ServerHead{rows->Int(0, 0), rows->Text(0, 1)};
}

Result<ServerHead> ClubServer::Append(const std::string& uid, const ServerHead& after,
                                      const std::vector<Record>& records) {
  Json rows = Json::array();
  for (const Record& record : records) rows.push_back(RecordForServer(record));
  std::string text = rows.dump();
  if (text.size() > kLargestBatch_bytes && records.size() > 1) {
    // Half of it at a time; the first half alone may be what the server takes.
    const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
    const Result<ServerHead> half = Append(uid, after, {records.begin(), middle});
    if (!half.ok() || half->records != after.records + (middle - records.begin())) return half;
    return Append(uid, *half, {middle, records.end()});
  }
  const Result<PgRows> head =
      connection_->Run("SELECT records, chain FROM append_records($1, $2, $3, $4)",
                       {uid, std::to_string(after.records), after.chain, std::move(text)});
  if (!head.ok()) return Explain(head.error());
  return ServerHead{head->Int(0, 0), head->Text(0, 1)};
}

Result<std::vector<std::string>> ClubServer::Missing(const std::vector<std::string>& hashes) {
  std::string list = "{";  // hexadecimal digits need no quotes
  for (const std::string& hash : hashes) list += (list.size() > 1 ? "," : "") + hash;
  const Result<PgRows> rows =
      connection_->Run("SELECT DISTINCT missing_blobs($1::text[])", {list + "}"});
  if (!rows.ok()) return Explain(rows.error());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < rows->size(); ++i) out.push_back(rows->Text(i, 0));
  return out;
}

Status ClubServer::PutBlob(const std::string& hash, const std::string& bytes) {
  const Result<PgRows> put = connection_->Run("SELECT put_blob($1, $2)",
                                              {hash, PgValue::Bytes(bytes)});
  return put.ok() ? Ok() : Status(Explain(put.error()));
}

Result<std::vector<GameSummary>> ClubServer::Games() const {
  const Result<PgRows> rows = connection_->Run(
      "SELECT id, uid, name, ruleset, kind, started_unix_s, records, ended, account "
      "FROM game JOIN head ON head.game = id ORDER BY id");
  if (!rows.ok()) return Explain(rows.error());
  std::vector<GameSummary> out;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    out.push_back({rows->Int(i, 0), rows->Text(i, 1), FromServerText(rows->Text(i, 2)),
                   FromServerText(rows->Text(i, 3)), GameKindFrom(rows->Text(i, 4)),
                   rows->Real(i, 5), rows->Int(i, 6), rows->Flag(i, 7), rows->Text(i, 8)});
  }
  const Result<PgRows> seats = connection_->Run(
      "SELECT game, side, player FROM seat ORDER BY game, side, player COLLATE \"C\"");
  if (!seats.ok()) return Explain(seats.error());
  for (std::size_t i = 0; i < seats->size(); ++i) {
    AddSeat(out, seats->Int(i, 0),
            {static_cast<int>(seats->Int(i, 1)), FromServerText(seats->Text(i, 2))});
  }
  return out;
}

Result<GameLog> ClubServer::Read(std::int64_t game) const {
  const std::string number = std::to_string(game);
  // All of it as it was at one moment.
  struct Snapshot {
    PgConnection& connection;
    ~Snapshot() { (void)connection.Script("ROLLBACK"); }
  };
  Status begun = connection_->Script("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
  if (!begun.ok()) return begun.error();
  const Snapshot snapshot{*connection_};
  const Result<PgRows> game_row = connection_->Run(
      "SELECT uid, kind, name, ruleset, started_unix_s, program, seed, form, game.chain, "
      "to_json(sides), records, head.chain, game.start FROM game JOIN head ON head.game = id WHERE id = $1",
      {number});
  if (!game_row.ok()) return Explain(game_row.error());
  if (game_row->size() == 0) {
    return Error{ErrorCode::kNotFound, fmt::format("{}: no game {}", name_, game)};
  }
  const Result<PgRows> files = connection_->Run(
      "SELECT role, name, bytes FROM game_file JOIN blob ON hash = blob WHERE game = "
      "$1::text::bigint ORDER BY number",
      {number}, kBinary);
  if (!files.ok()) return Explain(files.error());
  const Result<PgRows> seats = connection_->Run(
      "SELECT side, player FROM seat WHERE game = $1 ORDER BY side, player COLLATE \"C\"",
      {number});
  if (!seats.ok()) return Explain(seats.error());
  const Result<PgRows> rows = connection_->Run(
      "SELECT number, kind, text, clauses, source_line, frame, time_s, unix_s, chain, "
      "to_json(events), to_json(told), measured, stands, shot, role, file, blob FROM record "
      "WHERE game = $1 ORDER BY number",
      {number});
  if (!rows.ok()) return Explain(rows.error());

  GameLog log;
  log.id = game;
  GameStart& start = log.start;
  const auto text = [&](int column) { return FromServerText(game_row->Text(0, column)); };
  const auto altered = [&](const std::string& what) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: game {}, {} was changed after it was written; restore it from a "
                             "copy",
                             name_, game, what)};
  };
  try {
    start.uid = text(0);
    start.kind = GameKindFrom(text(1));
    start.name = text(2);
    start.ruleset = text(3);
    start.started_unix_s = game_row->Real(0, 4);
    start.program = text(5);
    if (!game_row->IsNull(0, 6)) {
      const std::string seed = game_row->Text(0, 6);
      std::uint64_t value = 0;
      std::from_chars(seed.data(), seed.data() + seed.size(), value);
      start.seed = value;
    }
    start.form = static_cast<int>(game_row->Int(0, 7));
    start.sides = FromServerTexts(game_row->Text(0, 9));
    for (std::size_t i = 0; i < files->size(); ++i) {
      start.files.push_back({FromServerText(files->Text(i, 0)), FromServerText(files->Text(i, 1)),
                             files->Text(i, 2)});
    }
    for (std::size_t i = 0; i < seats->size(); ++i) {
      start.seats.push_back(
          {static_cast<int>(seats->Int(i, 0)), FromServerText(seats->Text(i, 1))});
    }
    std::string chain = ChainStart(start);
    if (chain != game_row->Text(0, 8)) return altered("its beginning");
    if (HeadOf(start, 0, chain).start != game_row->Text(0, 12)) {
      return altered("its players or its date");
    }
    for (std::size_t i = 0; i < rows->size(); ++i) {
      Result<Record> record = RecordFromRow(*rows, i);
      const std::string place = fmt::format("record {}", rows->Int(i, 0));
      if (!record.ok() || record->number != static_cast<std::int64_t>(i) + 1) {
        return altered(place);
      }
      chain = ChainAfter(chain, *record, start.form);
      if (chain != record->chain) return altered(place);
      log.records.push_back(std::move(record).value());
    }
    const auto records = static_cast<std::int64_t>(log.records.size());
    if (const std::int64_t missing = game_row->Int(0, 10) - records; missing > 0) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("{}: game {}, the last {} of {} record{} missing; restore it from a "
                               "copy",
                               name_, game, missing, game_row->Int(0, 10),
                               missing == 1 ? " is" : "s are")};
    }
    if (chain != game_row->Text(0, 11)) return altered("its head");
  } catch (const JsonError&) {
    return altered("a measurement");
  }
  return log;
}

Result<std::string> ClubServer::Blob(const std::string& hash) const {
  const Result<PgRows> rows =
      connection_->Run("SELECT bytes FROM blob WHERE hash = $1", {hash}, kBinary);
  if (!rows.ok()) return Explain(rows.error());
  if (rows->size() == 0) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: the bytes of `{}` are missing; restore them from a copy", name_,
                             hash.substr(0, 100))};
  }
  std::string bytes = rows->Text(0, 0);
  if (Sha256Hex(bytes) != hash) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: the bytes of `{}` were changed; restore them from a copy", name_,
                             hash)};
  }
  return bytes;
}

Result<std::vector<ChangedGame>> ClubServer::Changed(double within_s) const {
  // Not clock_timestamp(): an index serves only what stays the same within the statement.
  const Result<PgRows> rows = connection_->Run(
      "SELECT game, records FROM head WHERE changed > statement_timestamp() - $1::float8 * "
      "interval '1 s'",
      {fmt::format("{}", within_s)});
  if (!rows.ok()) return Explain(rows.error());
  std::vector<ChangedGame> out;
  for (std::size_t i = 0; i < rows->size(); ++i) out.push_back({rows->Int(i, 0), rows->Int(i, 1)});
  return out;
}

Result<std::vector<GameListing>> ClubServer::Listing(int most, std::optional<std::int64_t> before,
                                                     const std::string& one) const {
  std::string where = "true";
  std::vector<PgValue> values = {std::to_string(most)};
  if (before) {
    values.emplace_back(std::to_string(*before));
    where += fmt::format(" AND game.id < ${}", values.size());
  }
  if (!one.empty()) {
    values.emplace_back(one);
    where += fmt::format(" AND game.uid = ${}", values.size());
  }
  const Result<PgRows> rows = connection_->Run(
      "SELECT game.id, uid, game.name, ruleset, kind, started_unix_s, records, ended, game.account, "
      "coalesce(club, ''), coalesce(title, game.account::text), (SELECT coalesce(json_agg(player ORDER "
      "BY side, player), '[]') FROM seat WHERE seat.game = game.id), extract(epoch FROM "
      "clock_timestamp() - changed) FROM game JOIN head ON head.game = game.id LEFT JOIN account "
      "ON account.name = game.account WHERE " +
          where + " ORDER BY game.id DESC LIMIT $1",
      values);
  if (!rows.ok()) return Explain(rows.error());
  std::vector<GameListing> out;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto text = [&](int column) { return FromServerText(rows->Text(i, column)); };
    out.push_back({{rows->Int(i, 0), text(1), text(2), text(3), GameKindFrom(text(4)),
                    rows->Real(i, 5), rows->Int(i, 6), rows->Flag(i, 7), text(8)},
                   text(9),
                   text(10),
                   FromServerTexts(rows->Text(i, 11)),
                   rows->Real(i, 12)});
  }
  return out;
}

Result<std::vector<ClubTable>> ClubServer::Tables(int most) const {
  const Result<PgRows> rows = connection_->Run(
      "SELECT name, club, title FROM account WHERE role = 'table' ORDER BY club, title, name LIMIT $1",
      {std::to_string(most)});
  if (!rows.ok()) return Explain(rows.error());
  std::vector<ClubTable> out;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    out.push_back({rows->Text(i, 0), FromServerText(rows->Text(i, 1)),
                   FromServerText(rows->Text(i, 2))});
  }
  return out;
}

Result<std::string> ClubServer::NewestPicture(std::int64_t game) const {
  const Result<PgRows> rows = connection_->Run(
      "SELECT blob FROM record WHERE game = $1 AND kind = 'attached' AND role = 'evidence' "
      "ORDER BY shot DESC LIMIT 1",
      {std::to_string(game)});
  if (!rows.ok()) return Explain(rows.error());
  return rows->size() == 0 ? std::string() : rows->Text(0, 0);
}

}  // namespace fos
