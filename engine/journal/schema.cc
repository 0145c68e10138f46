// SPDX-License-Identifier: MIT
#include "engine/journal/schema.h"

namespace fos {
namespace {

// Append-only: rows are never changed or deleted. Corrections are separate records.
std::string Kept(const std::string& table) {
  const std::string why = "SELECT RAISE(ABORT, 'the log is append-only'); END;\n";
  return "CREATE TRIGGER " + table + "_stays BEFORE UPDATE ON " + table + " BEGIN " + why +
         "CREATE TRIGGER " + table + "_is_kept BEFORE DELETE ON " + table + " BEGIN " + why;
}

// An observed stand: inches, square inches, radians.
const std::string kStandColumns = R"sql(  stand TEXT NOT NULL,
  unit TEXT NOT NULL,
  side INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  x REAL NOT NULL, y REAL NOT NULL, heading REAL NOT NULL,
  width REAL NOT NULL, depth REAL NOT NULL, ground REAL NOT NULL,
  xx REAL NOT NULL, xy REAL NOT NULL, yy REAL NOT NULL,
  heading_sigma REAL NOT NULL,
  visible REAL NOT NULL,
  confidence REAL NOT NULL,
)sql";

std::string First() {
  std::string sql = R"sql(
CREATE TABLE blob(
  hash TEXT PRIMARY KEY,           -- SHA-256 of the bytes
  bytes BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE game(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK(kind IN ('played', 'watched')),
  name TEXT NOT NULL,
  ruleset TEXT NOT NULL,
  started_unix_s REAL NOT NULL,
  program TEXT NOT NULL,
  rules_hash TEXT NOT NULL,
  seed TEXT,                       -- 64 bits without sign: more than SQLite's integers hold
  chain TEXT NOT NULL);
CREATE TABLE game_file(
  game INTEGER NOT NULL REFERENCES game(id),
  number INTEGER NOT NULL,
  role TEXT NOT NULL,
  name TEXT NOT NULL,
  blob TEXT NOT NULL REFERENCES blob(hash),
  PRIMARY KEY(game, number)) WITHOUT ROWID;
CREATE TABLE side(
  game INTEGER NOT NULL REFERENCES game(id),
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY(game, number)) WITHOUT ROWID;
CREATE TABLE player(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE);
CREATE TABLE seat(
  game INTEGER NOT NULL,
  side INTEGER NOT NULL,
  player INTEGER NOT NULL REFERENCES player(id),
  PRIMARY KEY(game, side, player),
  FOREIGN KEY(game, side) REFERENCES side(game, number)) WITHOUT ROWID;
CREATE TABLE record(
  game INTEGER NOT NULL REFERENCES game(id),
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  clauses TEXT NOT NULL,           -- ids, a space between
  source_line INTEGER,
  frame INTEGER,
  time_s REAL,
  unix_s REAL NOT NULL,
  chain TEXT NOT NULL,
  PRIMARY KEY(game, number)) WITHOUT ROWID;
CREATE TABLE event(
  game INTEGER NOT NULL,
  record INTEGER NOT NULL,
  number INTEGER NOT NULL,
  body TEXT NOT NULL,              -- one JSON object
  PRIMARY KEY(game, record, number),
  FOREIGN KEY(game, record) REFERENCES record(game, number)) WITHOUT ROWID;
CREATE TABLE told(
  game INTEGER NOT NULL,
  record INTEGER NOT NULL,
  number INTEGER NOT NULL,
  sentence TEXT NOT NULL,
  PRIMARY KEY(game, record, number),
  FOREIGN KEY(game, record) REFERENCES record(game, number)) WITHOUT ROWID;
CREATE TABLE attachment(
  game INTEGER NOT NULL,
  record INTEGER NOT NULL,
  shot INTEGER NOT NULL,
  role TEXT NOT NULL,
  name TEXT NOT NULL,
  blob TEXT NOT NULL REFERENCES blob(hash),
  PRIMARY KEY(game, record),
  FOREIGN KEY(game, record) REFERENCES record(game, number)) WITHOUT ROWID;
CREATE TABLE measured_shot(        -- inches, square inches, radians, frames
  game INTEGER NOT NULL,
  record INTEGER NOT NULL,
  shot INTEGER NOT NULL,
  projectile INTEGER NOT NULL,
  x REAL NOT NULL, y REAL NOT NULL, tail_x REAL NOT NULL, tail_y REAL NOT NULL,
  height REAL NOT NULL,
  xx REAL NOT NULL, xy REAL NOT NULL, yy REAL NOT NULL,
  visible REAL NOT NULL,
  at_rest INTEGER NOT NULL, seen_from INTEGER NOT NULL, seen_to INTEGER NOT NULL,
  spec INTEGER NOT NULL,
  doubt REAL NOT NULL,
  PRIMARY KEY(game, record),
  FOREIGN KEY(game, record) REFERENCES record(game, number)) WITHOUT ROWID;
CREATE TABLE measured_stand(
  game INTEGER NOT NULL,
  record INTEGER NOT NULL,
  number INTEGER NOT NULL,
)sql" + kStandColumns +
                    R"sql(  PRIMARY KEY(game, record, number),
  FOREIGN KEY(game, record) REFERENCES measured_shot(game, record)) WITHOUT ROWID;
)sql";
  for (const char* table : {"blob", "game", "game_file", "side", "seat", "record", "event", "told",
                            "attachment", "measured_shot", "measured_stand"}) {
    sql += Kept(table);
  }
  return sql;
}

// The observations that moves and deployments are judged from: `role` is `position`, `from` or
// `to`.
std::string Second() {
  return R"sql(
CREATE TABLE seen_stand(           -- inches, square inches, radians
  game INTEGER NOT NULL,
  record INTEGER NOT NULL,
  number INTEGER NOT NULL,
  role TEXT NOT NULL,
)sql" + kStandColumns +
         R"sql(  PRIMARY KEY(game, record, number),
  FOREIGN KEY(game, record) REFERENCES record(game, number)) WITHOUT ROWID;
)sql" + Kept("seen_stand");
}

// Where each game's log ends, and which games there are. Both change with every record or game, and
// are signed instead.
std::string Third() {
  return R"sql(
ALTER TABLE game ADD COLUMN form INTEGER NOT NULL DEFAULT 1;  -- of its chain
CREATE TABLE head(
  game INTEGER PRIMARY KEY REFERENCES game(id),
  records INTEGER NOT NULL,
  chain TEXT NOT NULL,             -- after the last record
  start TEXT NOT NULL,             -- over the start, players and dates included
  key TEXT NOT NULL,               -- name of the key; empty: unsigned
  signature TEXT NOT NULL);
CREATE TABLE roll(
  one INTEGER PRIMARY KEY CHECK(one = 1),
  games INTEGER NOT NULL,
  chain TEXT NOT NULL,             -- over their uids, in order
  key TEXT NOT NULL,
  signature TEXT NOT NULL);
)sql";
}

}  // namespace

const std::vector<std::string>& JournalMigrations() {
  static const std::vector<std::string> kSteps = {First(), Second(), Third()};
  return kSteps;
}

}  // namespace fos
