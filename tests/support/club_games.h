// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

#include "engine/journal/journal.h"

// Games with every kind of record, for the tests of the club's file and server.
namespace fos::test {

inline GameStart ClubGameStart(const std::string& uid, const std::string& name = "Skirmish") {
  GameStart start;
  start.uid = uid;
  start.name = name;
  start.ruleset = "hexless";
  start.started_unix_s = 1.7e9 + 0.1;
  start.program = "0.1.0";
  start.seed = 0xffff'ffff'ffff'fff1;
  start.files = {{"scenario", "scenario.toml", "a = 1\n"},
                 {"rules", "tables.toml", std::string("b\0\xff", 3)}};
  start.sides = {"Blue", "R\xc3\xb6t \"quoted\", {braced}"};
  start.seats = {{0, "Ada"}, {1, "Grace"}, {1, "Bobby'); DROP TABLE record;--"}};
  return start;
}

inline StandObservation ClubStand(int i) {
  StandObservation stand;
  stand.stand = {"F-1L1#" + std::to_string(i)};
  stand.unit = "F-1L1";
  stand.table_from_stand = {{1.0 / 3 + i, std::nextafter(2.0, 3.0)}, -3.1};
  stand.footprint = {1.5, 0.75};
  stand.ground_in = -0.0;
  stand.centre_cov = {1e-300, -4.9e-324, 1.7e308};
  stand.heading_sigma_rad = 0.1 + 0.2;
  stand.confidence = 0.99;
  return stand;
}

// The i-th record of a game; all kinds come in turn, with what is hard to carry over.
inline Record ClubRecord(int i) {
  Record record;
  record.source_line = i;
  record.time_s = i / 30.0;
  switch (i % 5) {
    case 0:
      record.kind = RecordKind::kLine;
      record.text = "dice " + std::to_string(i);
      record.events = {R"({"a":"\"\\ {,}"})", R"({"type":"x"})"};
      record.told = {"He said \xe2\x80\x9cno\xe2\x80\x9d.", ""};
      record.clauses = {"HEX-1", "HEX-2"};
      break;
    case 1: {
      record.kind = RecordKind::kSeen;
      record.text = R"({"type":"verdict","text":"<script>alert(1)</script>"})";
      record.frame = 1'000'000'000'000 + i;
      ShotMeasured m;
      m.shot.shot = {i};
      m.shot.point = {0.1, 1e-17};
      m.shot.point_cov = {0.01, std::nextafter(0.0, 1.0), 0.02};
      m.shot.seen = {FrameId{3}, FrameId{41}};
      m.stands = {ClubStand(1), ClubStand(2)};
      record.measured = std::move(m);
      break;
    }
    case 2: {
      record.kind = RecordKind::kSeen;
      record.text = R"({"type":"stand_moved"})";
      StandsMeasured m;
      m.position = {ClubStand(1)};
      m.moved = {{ClubStand(2), ClubStand(3)}};
      record.stands = std::move(m);
      break;
    }
    case 3:
      record.kind = RecordKind::kWord;
      record.text = std::string("broken \xff and \0 inside", 21);
      break;
    default:
      record.kind = RecordKind::kRemark;
      record.told = {std::string("NUL \0 again", 11)};
      break;
  }
  return record;
}

// The laptop's clock, which is wrong: it stands still, jumps, and runs back before 1970.
inline double WrongClock(int i) {
  return i % 7 == 0 ? -1e9 - i : i % 3 == 0 ? 4e9 + i / 3.0 : 1.7e9;
}

// Begins a game with `records` records and a picture after every tenth.
inline std::int64_t WriteClubGame(Journal& journal, const std::string& uid, int records) {
  const std::int64_t game = journal.Begin(ClubGameStart(uid)).value();
  GameWriter writer = GameWriter::Of(journal, game).value();
  for (int i = 0; i < records; ++i) {
    if (i % 10 == 9) {
      const std::string bytes = std::string("\xff\xd8\0jpeg", 7) + std::to_string(i / 20);
      (void)writer.Attach({i, "evidence", "shot.jpg", ""}, bytes, WrongClock(i)).value();
    } else {
      (void)writer.Append(ClubRecord(i), WrongClock(i)).value();
    }
  }
  return game;
}

}  // namespace fos::test
