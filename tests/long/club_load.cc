// SPDX-License-Identifier: MIT
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "engine/journal/sha256.h"
#include "tests/support/club_games.h"
#include "tests/support/club_night.h"
#include "tests/support/temp_dir.h"
#include "ui/club/background_mirror.h"

// Load and stress tests of the club's server, by hand; docs/scale.md says what they found here. Each
// starts a PostgreSQL of its own in a temporary folder (TMPDIR).
//
//   club_load kill N [SEED]          a laptop's program plays and mirrors; it or the server is killed
//                                    (SIGKILL) at random instants, N times. Then every record on both
//                                    sides is compared.
//   club_load latency RECORDS        how long the game waits for a record: without a server, with one,
//                                    and with one that is gone
//   club_load tables T EVENTS S      T tables write EVENTS records a second each, for S seconds, every
//                                    hundredth with a picture by reference; how long until each record
//                                    is committed
//   club_load games N [RECORDS]      makes up N games and times the questions that lists, pages and
//                                    statistics ask, with the plans of PostgreSQL; fails where one of
//                                    them goes by no index. 10^6 games of 20 records take 11 GB.
namespace fos {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::ClubNight;
namespace fs = std::filesystem;

[[noreturn]] void FailLoad(const std::string& what) { throw std::runtime_error(what); }

double Seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

double Share(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  return values[at];
}

std::string Percentiles(std::vector<double>& ms) {
  return fmt::format("median {:.1f} ms, p99 {:.1f} ms, most {:.1f} ms", Share(ms, 0.5),
                     Share(ms, 0.99), Share(ms, 1));
}

// Begins, or goes on, as a laptop's program does, and writes until it is killed.
[[noreturn]] void PlayUntilKilled(const fs::path& club, const PgAddress& server) {
  try {
    Journal journal = ClubNight::Must(Journal::Open(club));
    GameWriter writer = ClubNight::Must(GameWriter::Of(journal, 1));
    const BackgroundMirror mirror(club, server, {20ms, 20ms, 200ms, 2000});
    for (int i = static_cast<int>(writer.Records());; ++i) {
      if (i % 25 == 24) {
        (void)ClubNight::Must(writer.Attach({i, "evidence", "shot.jpg", ""},
                                            "\xff\xd8" + std::to_string(i), test::WrongClock(i)));
      } else {
        (void)ClubNight::Must(writer.Append(test::ClubRecord(i), test::WrongClock(i)));
      }
      usleep(500);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "the laptop: %s\n", e.what());
    _exit(1);
  }
}

void KillLoad(int kills, unsigned seed) {
  ClubNight night("-c fsync=on");
  const test::TempDir dir;
  const fs::path club = dir.path() / "club.db";
  {
    Journal journal = ClubNight::Must(Journal::Open(club));
    (void)ClubNight::Must(journal.Begin(test::ClubGameStart("kill")));
  }
  const PgAddress table = ClubNight::Parsed(night.server.Address("table-1"));
  std::mt19937 chance(seed);
  int servers = 0;
  pid_t laptop = -1;
  for (int done = 0; done < kills; ++done) {
    if (laptop < 0 && (laptop = fork()) == 0) PlayUntilKilled(club, table);
    usleep(static_cast<useconds_t>(chance() % 700'000));
    int status = 0;
    if (waitpid(laptop, &status, WNOHANG) == laptop) FailLoad("the laptop's program ended");
    if (chance() % 5 == 0) {
      ++servers;
      night.server.Kill();
      night.server.Start();
    } else {
      kill(laptop, SIGKILL);
      waitpid(laptop, &status, 0);
      laptop = -1;
    }
  }
  if (laptop > 0) {
    kill(laptop, SIGKILL);
    waitpid(laptop, nullptr, 0);
  }
  BackgroundMirror mirror(club, table);
  if (!mirror.Flush(120s)) FailLoad("the rest is not sent: " + mirror.News().trouble);
  const Journal journal = ClubNight::Must(Journal::Open(club));
  const std::string difference = test::Difference(journal, night.Reader());
  if (!difference.empty()) FailLoad(difference);
  const std::int64_t records = ClubNight::Must(journal.Games())[0].records;
  const std::string there = night.server.Ask("SELECT count(*) FROM fallofshot.record");
  if (there != fmt::format("{}\n", records)) FailLoad("the server has " + there);
  std::printf("%d kills, %d of them of the server: %lld records on both sides, every one the same, "
              "hashes equal, none lost or doubled\n",
              kills, servers, static_cast<long long>(records));
}

void LatencyLoad(int records) {
  ClubNight night("-c fsync=on");
  const test::TempDir dir;
  int number = 0;
  const auto time = [&](const std::string& name, const std::optional<std::string>& server) {
    const fs::path club = dir.path() / fmt::format("club{}.db", ++number);
    Journal journal = ClubNight::Must(Journal::Open(club));
    const std::int64_t game =
        ClubNight::Must(journal.Begin(test::ClubGameStart(fmt::format("game{}", number))));
    GameWriter writer = ClubNight::Must(GameWriter::Of(journal, game));
    std::optional<BackgroundMirror> mirror;
    if (server) mirror.emplace(club, ClubNight::Parsed(*server));
    std::vector<double> ms;
    for (int i = 0; i < records; ++i) {
      const auto before = Clock::now();
      (void)ClubNight::Must(writer.Append(test::ClubRecord(i), i));
      ms.push_back(1000 * Seconds(Clock::now() - before));
      std::this_thread::sleep_for(10ms);
    }
    std::printf("%s: %s\n", name.c_str(), Percentiles(ms).c_str());
  };
  time("without a server", std::nullopt);
  time("with a server", night.server.Address("table-1"));
  night.server.Kill();
  time("with the server gone", night.server.Address("table-1"));
  time("without a server", std::nullopt);
}

// When the tables begin to write.
struct StartSign {
  std::mutex mutex;
  std::condition_variable changed;
  int ready = 0;
  std::optional<Clock::time_point> begin;
  std::string fault;
};

// One table: makes records at its pace and sends what has come together every quarter of a second,
// as a mirror does. Returns how long each record took from its making to its commit, ms.
std::vector<double> OneTable(const PgAddress& address, int number, double events_per_s, int seconds,
                             StartSign& sign) {
  ClubServer server = ClubNight::Must(ClubServer::Open(address, {60000, {}}));
  const GameStart start = test::ClubGameStart(fmt::format("load{:08}", number));
  ServerHead head = ClubNight::Must(server.Begin(start));
  const std::string picture = "\xff\xd8 one picture, by reference";
  const std::string hash = Sha256Hex(picture);
  ClubNight::Must(server.PutBlob(hash, picture));
  Clock::time_point begin;
  {
    std::unique_lock lock(sign.mutex);
    ++sign.ready;
    sign.changed.notify_all();
    sign.changed.wait(lock, [&] { return sign.begin.has_value(); });
    begin = *sign.begin;
  }
  std::vector<double> lags_ms;
  std::vector<Clock::time_point> due;
  std::vector<Record> batch;
  std::int64_t made = 0;
  std::string chain = head.chain;
  const auto made_at = [&](std::int64_t i) {
    return begin + std::chrono::duration_cast<Clock::duration>(
                       std::chrono::duration<double>(static_cast<double>(i) / events_per_s));
  };
  // Tables do not beat time together.
  for (auto next = begin + (number % 250) * 1ms; next < begin + std::chrono::seconds(seconds);
       next += 250ms) {
    std::this_thread::sleep_until(next);
    batch.clear();
    due.clear();
    for (; made_at(made) <= Clock::now(); ++made) {
      Record record = test::ClubRecord(static_cast<int>(made));
      if (made % 100 == 99) {
        record = Record();
        record.kind = RecordKind::kAttached;
        record.attachment = {1, "evidence", "shot.jpg", hash};
      }
      record.number = made + 1;
      record.unix_s = static_cast<double>(made);
      record.chain = chain = ChainAfter(chain, record);
      batch.push_back(std::move(record));
      due.push_back(made_at(made));
    }
    if (batch.empty()) continue;
    head = ClubNight::Must(server.Append(start.uid, head, batch));
    const auto committed = Clock::now();
    if (head.records != made) FailLoad("the server has another number of records");
    for (const Clock::time_point one : due) lags_ms.push_back(1000 * Seconds(committed - one));
  }
  return lags_ms;
}

void TablesLoad(int tables, double events_per_s, int seconds) {
  ClubNight night("-c fsync=on -c max_connections=" + std::to_string(tables + 20));
  const PgAddress address = ClubNight::Parsed(night.server.Address("table-1"));
  night.server.Ask("ALTER ROLE \"table-1\" CONNECTION LIMIT -1");
  std::vector<std::vector<double>> lags(static_cast<std::size_t>(tables));
  StartSign sign;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < tables; ++i) {
      threads.emplace_back([&, i] {
        try {
          lags[static_cast<std::size_t>(i)] = OneTable(address, i, events_per_s, seconds, sign);
        } catch (const std::exception& e) {
          const std::scoped_lock lock(sign.mutex);
          sign.fault = e.what();
          ++sign.ready;
          sign.changed.notify_all();
        }
      });
    }
    std::unique_lock lock(sign.mutex);
    sign.changed.wait(lock, [&] { return sign.ready >= tables; });
    sign.begin = Clock::now() + 1s;
    sign.changed.notify_all();
  }
  if (!sign.fault.empty()) FailLoad(sign.fault);
  std::vector<double> all;
  for (const auto& one : lags) all.insert(all.end(), one.begin(), one.end());
  std::printf("%d tables, %.0f records a second each, %d s: %zu records, %.0f a second; from its "
              "making to its commit: %s\n",
              tables, events_per_s, seconds, all.size(),
              static_cast<double>(all.size()) / seconds, Percentiles(all).c_str());
  std::printf("%s", night.server
                        .Ask("SELECT 'bytes a record, indexes included: ' || "
                             "pg_total_relation_size('fallofshot.record') / count(*) FROM "
                             "fallofshot.record")
                        .c_str());
}

// Games as a season leaves them, made up on the server: their hashes are not true, and nothing here
// reads them. The emptied tables are filled within the transaction that emptied them, so that nothing
// of them goes through the server's log of changes, and triggers check no row.
void MakeUpGames(const ClubNight& night, long games, int records) {
  const std::string said = night.server.Ask(fmt::format(
      R"sql(BEGIN;
SET LOCAL session_replication_role = replica;
TRUNCATE fallofshot.game, fallofshot.game_file, fallofshot.seat, fallofshot.record, fallofshot.head;
INSERT INTO fallofshot.game(id, uid, account, kind, name, ruleset, started_unix_s, program,
    rules_hash, form, chain, start, sides) OVERRIDING SYSTEM VALUE
  SELECT i, 'made' || i, 'table-' || i % 200, 'watched', 'Battle ' || i, 'hexless',
    1.7e9 + 600.0 * i, '0.1.0', repeat('0', 64), 2, repeat('1', 64), repeat('2', 64),
    '{{Blue,Red}}' FROM generate_series(1, {0}) i;
INSERT INTO fallofshot.seat SELECT i, side, 'Player ' || (i * 7 + side * 13) % 1000
  FROM generate_series(1, {0}) i, generate_series(0, 1) side;
INSERT INTO fallofshot.record(game, number, kind, text, clauses, unix_s, chain, events, told, shot,
    role, file)
  SELECT i, n, CASE n % 20 WHEN 7 THEN 'word' WHEN 9 THEN 'attached' ELSE 'seen' END,
    '{{"type":"verdict","shot":' || n || ',"frame":' || n * 40 || ',"stands":[' || repeat(
    '{{"id":"F-1L1#2","side":"French","kind":"line_infantry","distance":0.4321,"call":"hit"}},', 2)
    || '{{}}],"text":"The swab lies in C4: F-1L1#2 is hit."}}', '', 1.7e9, repeat('3', 64), '{{}}',
    '{{}}', n, CASE n % 20 WHEN 9 THEN 'evidence' END, CASE n % 20 WHEN 9 THEN 'shot.jpg' END
  FROM generate_series(1, {0}) i, generate_series(1, {1}) n;
INSERT INTO fallofshot.head SELECT i, {1}, repeat('3', 64), true, now() - interval '1 day'
  FROM generate_series(1, {0}) i;
COMMIT;
)sql",
      games, records));
  if (!said.empty()) FailLoad(said);
  const std::string made = night.server.Ask("SELECT count(*) FROM fallofshot.head");
  if (made != fmt::format("{}\n", games)) FailLoad("the games could not be made up: " + made);
  night.server.Ask("VACUUM ANALYZE");
}

void GamesLoad(long games, int records) {
  ClubNight night(
      "-c fsync=on -c max_wal_size=4GB -c wal_level=minimal -c max_wal_senders=0 -c autovacuum=off");
  const auto before = Clock::now();
  MakeUpGames(night, games, records);
  std::printf("%ld games of %d records made up in %.0f s\n", games, records,
              Seconds(Clock::now() - before));
  std::printf("%s", night.server
                        .Ask("SELECT 'database: ' || pg_size_pretty(pg_database_size('club')) || "
                             "', bytes a game: ' || pg_database_size('club') / count(*) FROM "
                             "fallofshot.game")
                        .c_str());
  ClubServer reader = night.Reader();
  const std::string middle = std::to_string(games / 2);
  struct Question {
    const char* name;
    std::string sql;
  };
  for (const Question& one : {
           Question{"the page's list, newest 60",
                    "SELECT game.id, game.name, title, (SELECT json_agg(player) FROM seat WHERE "
                    "seat.game = game.id) FROM game JOIN head ON head.game = game.id LEFT JOIN "
                    "account ON account.name = game.account ORDER BY game.id DESC LIMIT 60"},
           Question{"what changed in 10 s",
                    "SELECT game, records FROM head WHERE changed > statement_timestamp() - "
                    "interval '10 s'"},
           Question{"a table's newest game",
                    "SELECT id FROM game WHERE account = 'table-17' ORDER BY id DESC LIMIT 1"},
           Question{"a game's records", "SELECT * FROM record WHERE game = " + middle +
                                            " ORDER BY number"},
           Question{"a game's newest picture",
                    "SELECT blob FROM record WHERE game = " + middle +
                        " AND kind = 'attached' AND role = 'evidence' ORDER BY shot DESC LIMIT 1"},
           Question{"a player's games", "SELECT game FROM seat WHERE player = 'Player 17'"},
           Question{"the games of a week",
                    "SELECT id FROM game WHERE started_unix_s BETWEEN 1.7e9 AND 1.7e9 + 604800"},
           Question{"the players' words on a table's games",
                    "SELECT count(*) FROM record JOIN game ON id = game WHERE account = 'table-17' "
                    "AND record.kind = 'word'"},
           Question{"all games (`games --club`)",
                    "SELECT id, uid, name, records, ended FROM game JOIN head ON head.game = id "
                    "ORDER BY id"}}) {
    std::vector<double> ms;
    for (int i = 0; i < 7; ++i) {
      const auto asked = Clock::now();
      (void)ClubNight::Must(reader.Connection().Run(one.sql));
      ms.push_back(1000 * Seconds(Clock::now() - asked));
    }
    std::printf("%s: %s\n", one.name, Percentiles(ms).c_str());
    const PgRows plan = ClubNight::Must(reader.Connection().Run("EXPLAIN " + one.sql));
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const std::string line = plan.Text(i, 0);
      // Accounts are few: PostgreSQL reads them all.
      if (line.find("Seq Scan") != std::string::npos && line.find("account") == std::string::npos) {
        FailLoad(std::string(one.name) + " goes by no index: " + line);
      }
      if (line.find(" on ") != std::string::npos || line.find(" using ") != std::string::npos) {
        std::printf("    %s\n", line.substr(0, line.find("  (")).c_str());
      }
    }
  }
}

int LoadMain(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int at, long otherwise) {
    return argc > at ? std::strtol(argv[at], nullptr, 10) : otherwise;
  };
  if (const std::string why = test::PgServer::WhyNot(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;  // CTest's SKIP_RETURN_CODE
  }
  if (what == "kill") {
    KillLoad(static_cast<int>(number(2, 20)), static_cast<unsigned>(number(3, 1)));
  } else if (what == "latency") {
    LatencyLoad(static_cast<int>(number(2, 500)));
  } else if (what == "tables") {
    TablesLoad(static_cast<int>(number(2, 200)), static_cast<double>(number(3, 20)),
               static_cast<int>(number(4, 60)));
  } else if (what == "games") {
    GamesLoad(number(2, 10000), static_cast<int>(number(3, 40)));
  } else {
    std::fprintf(stderr, "club_load kill N [SEED] | latency RECORDS | tables T EVENTS SECONDS | "
                         "games N [RECORDS]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace fos

int main(int argc, char** argv) {
  try {
    return fos::LoadMain(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "club_load: %s\n", e.what());
    return 1;
  }
}
