// SPDX-License-Identifier: MIT
#include "engine/club/club_schema.h"

namespace fos {
namespace {

std::string ClubRowsStay() {
  std::string sql = R"sql(
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $f$
BEGIN
  RAISE EXCEPTION 'the log is append-only' USING ERRCODE = 'FS005';
END $f$;
)sql";
  for (const std::string table : {"blob", "game", "game_file", "seat", "record"}) {
    sql += "CREATE TRIGGER stays BEFORE UPDATE OR DELETE ON " + table +
           " FOR EACH ROW EXECUTE FUNCTION refuse_change();\n"
           "CREATE TRIGGER is_kept BEFORE TRUNCATE ON " + table +
           " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();\n";
  }
  return sql;
}

// What a table's account may call. It has no right to any table of the schema: the functions run
// with the owner's rights and check whose game it is.
const std::string kFunctions = R"sql(
CREATE FUNCTION must_be_table() RETURNS void LANGUAGE plpgsql STABLE AS $f$
BEGIN
  IF NOT EXISTS (SELECT FROM account WHERE name = session_user AND role = 'table') THEN
    RAISE EXCEPTION 'account % is no table of this club', session_user USING ERRCODE = 'FS001';
  END IF;
END $f$;

CREATE FUNCTION own_heads() RETURNS TABLE(uid text, records bigint, chain text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = fallofshot, pg_temp AS $f$
BEGIN
  PERFORM must_be_table();
  RETURN QUERY SELECT g.uid, h.records, h.chain FROM game g JOIN head h ON h.game = g.id
    WHERE g.account = session_user;
END $f$;

-- Which of these the server does not have yet.
CREATE FUNCTION missing_blobs(hashes text[]) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = fallofshot, pg_temp AS $f$
BEGIN
  PERFORM must_be_table();
  RETURN QUERY SELECT h FROM unnest(hashes) h WHERE NOT EXISTS (SELECT FROM blob b WHERE b.hash = h);
END $f$;

CREATE FUNCTION put_blob(hash text, bytes bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fallofshot, pg_temp AS $f$
BEGIN
  PERFORM must_be_table();
  INSERT INTO blob VALUES (put_blob.hash, put_blob.bytes) ON CONFLICT DO NOTHING;
END $f$;

-- Begins a game, or finds the one begun before; returns where its log ends.
CREATE FUNCTION begin_game(start json) RETURNS TABLE(records bigint, chain text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fallofshot, pg_temp AS $f$
#variable_conflict use_column
DECLARE
  known game%ROWTYPE;
  v_game bigint;
BEGIN
  PERFORM must_be_table();
  INSERT INTO game(uid, account, kind, name, ruleset, started_unix_s, program, rules_hash, seed,
                   form, chain, start, sides)
    SELECT s.uid, session_user, s.kind, s.name, s.ruleset, s.started_unix_s, s.program, s.rules_hash,
           s.seed, s.form, s.chain, s.start, s.sides
    FROM json_to_record(begin_game.start) AS s(uid text, kind text, name text, ruleset text,
      started_unix_s float8, program text, rules_hash text, seed text, form int, chain text,
      start text, sides text[])
    ON CONFLICT (uid) DO NOTHING RETURNING id INTO v_game;
  IF v_game IS NULL THEN
    SELECT * INTO known FROM game WHERE uid = begin_game.start->>'uid';
    IF known.account <> session_user THEN
      RAISE EXCEPTION 'the game is another table''s' USING ERRCODE = 'FS002';
    END IF;
    IF known.chain <> begin_game.start->>'chain' OR known.start <> begin_game.start->>'start' THEN
      RAISE EXCEPTION 'the game began otherwise' USING ERRCODE = 'FS003';
    END IF;
  ELSE
    INSERT INTO game_file SELECT v_game, f.ordinality - 1, f.value->>'role', f.value->>'name',
        f.value->>'blob'
      FROM json_array_elements(begin_game.start->'files') WITH ORDINALITY f;
    INSERT INTO seat SELECT DISTINCT v_game, (s->>'side')::int, s->>'player'
      FROM json_array_elements(begin_game.start->'seats') s;
    INSERT INTO head VALUES (v_game, 0, begin_game.start->>'chain', false, clock_timestamp());
  END IF;
  RETURN QUERY SELECT h.records, h.chain FROM head h JOIN game g ON g.id = h.game
    WHERE g.uid = begin_game.start->>'uid';
END $f$;

-- Appends records that follow record `before`, whose hash is `before_chain`. Where the log ends
-- elsewhere it appends nothing. Returns where the log ends now, so a caller that lost the answer to
-- an earlier call finds out.
CREATE FUNCTION append_records(uid text, before bigint, before_chain text, rows json)
RETURNS TABLE(records bigint, chain text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fallofshot, pg_temp AS $f$
#variable_conflict use_column
DECLARE
  v_game bigint;
  v_owner name;
  v_records bigint;
  v_chain text;
  v_first bigint;
  v_last bigint;
  v_added bigint;
  v_over boolean;
BEGIN
  PERFORM must_be_table();
  SELECT g.id, g.account, h.records, h.chain INTO v_game, v_owner, v_records, v_chain
    FROM game g JOIN head h ON h.game = g.id WHERE g.uid = append_records.uid FOR UPDATE OF h;
  IF v_owner IS DISTINCT FROM session_user THEN
    RAISE EXCEPTION 'the game is another table''s' USING ERRCODE = 'FS002';
  END IF;
  IF v_records <> before OR v_chain <> before_chain THEN
    RETURN QUERY SELECT v_records, v_chain;
    RETURN;
  END IF;
  WITH put AS (
    INSERT INTO record(game, number, kind, text, clauses, source_line, frame, time_s, unix_s, chain,
                       events, told, measured, stands, shot, role, file, blob)
      SELECT v_game, r.* FROM json_to_recordset(rows) AS r(number bigint, kind text, text text,
        clauses text, source_line int, frame bigint, time_s float8, unix_s float8, chain text,
        events text[], told text[], measured text, stands text, shot int, role text, file text,
        blob text)
      RETURNING number, kind)
    SELECT min(number), max(number), count(*), coalesce(bool_or(kind = 'ended'), false)
      INTO v_first, v_last, v_added, v_over FROM put;
  IF v_added = 0 OR v_first <> before + 1 OR v_last <> before + v_added THEN
    RAISE EXCEPTION 'the records do not follow each other' USING ERRCODE = 'FS004';
  END IF;
  SELECT r.chain INTO v_chain FROM record r WHERE r.game = v_game AND r.number = v_last;
  UPDATE head SET records = v_last, chain = v_chain, ended = head.ended OR v_over,
      changed = clock_timestamp() WHERE game = v_game;
  RETURN QUERY SELECT v_last, v_chain;
END $f$;
)sql";

std::string ClubFirst() {
  return R"sql(
CREATE TABLE account(
  name name PRIMARY KEY,           -- of the login
  role text NOT NULL CHECK (role IN ('table', 'reader')),
  club text NOT NULL,              -- for a league's lists
  title text NOT NULL,             -- what people call the table
  added timestamptz NOT NULL DEFAULT now());
CREATE TABLE blob(
  hash text PRIMARY KEY CHECK (hash = encode(sha256(bytes), 'hex')),
  bytes bytea NOT NULL);
ALTER TABLE blob ALTER COLUMN bytes SET STORAGE EXTERNAL;  -- pictures are compressed already
CREATE TABLE game(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid text NOT NULL UNIQUE CHECK (length(uid) BETWEEN 1 AND 100),
  account name NOT NULL,           -- the table that writes it
  kind text NOT NULL CHECK (kind IN ('played', 'watched')),
  name text NOT NULL,
  ruleset text NOT NULL,
  started_unix_s float8 NOT NULL,  -- by the laptop's clock
  program text NOT NULL,
  rules_hash text NOT NULL,
  seed text,
  form int NOT NULL,
  chain text NOT NULL,
  start text NOT NULL,
  sides text[] NOT NULL,
  received timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE TABLE game_file(
  game bigint NOT NULL REFERENCES game,
  number int NOT NULL,
  role text NOT NULL,
  name text NOT NULL,
  blob text NOT NULL REFERENCES blob,
  PRIMARY KEY(game, number));
CREATE TABLE seat(
  game bigint NOT NULL REFERENCES game,
  side int NOT NULL,
  player text NOT NULL,
  PRIMARY KEY(game, side, player));
CREATE TABLE record(
  game bigint NOT NULL REFERENCES game,
  number bigint NOT NULL,
  kind text NOT NULL,
  text text NOT NULL,
  clauses text NOT NULL,
  source_line int,
  frame bigint,
  time_s float8,
  unix_s float8 NOT NULL,          -- by the laptop's clock
  chain text NOT NULL,
  events text[] NOT NULL,          -- one JSON object each
  told text[] NOT NULL,
  measured text, stands text,      -- measurements, JSON; bit for bit
  shot int, role text, file text, blob text REFERENCES blob,  -- an attachment
  received timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY(game, number));
CREATE TABLE head(                 -- where each game's log ends
  game bigint PRIMARY KEY REFERENCES game,
  records bigint NOT NULL,
  chain text NOT NULL,
  ended boolean NOT NULL,
  changed timestamptz NOT NULL) WITH (fillfactor = 50);
)sql" + ClubRowsStay() +
         kFunctions + R"sql(
REVOKE ALL ON SCHEMA fallofshot FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA fallofshot FROM PUBLIC;
GRANT USAGE ON SCHEMA fallofshot TO fallofshot_table, fallofshot_reader;
GRANT SELECT ON version TO fallofshot_table;
GRANT SELECT ON ALL TABLES IN SCHEMA fallofshot TO fallofshot_reader;
GRANT EXECUTE ON FUNCTION own_heads(), missing_blobs(text[]), put_blob(text, bytea),
  begin_game(json), append_records(text, bigint, text, json) TO fallofshot_table;
)sql";
}

// What the lists and the statistics look for.
std::string ClubSecond() {
  return R"sql(
CREATE INDEX game_started ON game(started_unix_s);
CREATE INDEX game_account ON game(account, id);
CREATE INDEX seat_player ON seat(player);
CREATE INDEX head_changed ON head(changed);
CREATE INDEX record_word ON record(game) WHERE kind = 'word';
CREATE INDEX record_attached ON record(game, shot) WHERE kind = 'attached';
)sql";
}

}  // namespace

const std::vector<std::string>& ClubMigrations() {
  static const std::vector<std::string> kSteps = {ClubFirst(), ClubSecond()};
  return kSteps;
}

}  // namespace fos
