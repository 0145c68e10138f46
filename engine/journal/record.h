#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/observation.h"

// What the club's file holds of one game, as plain values. Texts are UTF-8.
namespace fos {

enum class RecordKind {
  kLine,       // a line of a script that the rules accepted, dice written in; events, told, clauses
  kRefused,    // a line that the rules refused: told says why, clauses by which; nothing changed
  kUndo,       // text: "N": the last N accepted lines are taken back
  kCorrected,  // text: "N LINE" puts a line in the place of the N-th accepted one, "N" takes it out
  kSeen,       // a line of events.jsonl: what the camera saw, or the verdict on it
  kWord,       // what the players say to a verdict, one JSON object
  kRemark,     // a sentence for people
  kAttached,   // a picture or a recording of a shot that was told of before
  kResumed,    // the game goes on after an interruption; text: the program's version
  kEnded,      // nothing follows but words and corrections
};
// "line", "undo", ... as the file and the exports write them.
std::string_view RecordName(RecordKind kind);
std::optional<RecordKind> RecordKindFrom(std::string_view name);

// What a shot was judged from, every number as the camera gave it: judging it again brings the
// same.
struct ShotMeasured {
  ShotObservation shot;
  int spec = 0;      // index into Scenario::projectiles
  double doubt = 0;  // of the decision policy
  std::vector<StandObservation> stands;
};

// What the rules looked at when stands had been moved, or before the first turn, likewise whole.
struct StandsMeasured {
  std::vector<StandObservation> position;  // before the moves
  std::vector<StandMoved> moved;           // all at one look; none: how the armies were set out
};

struct Attachment {
  int shot = 0;      // the one it belongs to; 0 when to none
  std::string role;  // "evidence", "frames"
  std::string name;  // a file name
  std::string hash;  // SHA-256 of its bytes
};

struct Record {
  RecordKind kind = RecordKind::kLine;
  std::string text;
  std::vector<std::string> events;   // one JSON object each
  std::vector<std::string> told;     // sentences for people
  std::vector<std::string> clauses;  // ids of the clauses that applied
  // Line of the script it came from, frame and time of the source: empty where there is none.
  std::optional<int> source_line;
  std::optional<std::int64_t> frame;
  std::optional<double> time_s;
  std::optional<ShotMeasured> measured;
  // With the first of the stands that were seen to have moved at one look, and with the first list
  // of stands.
  std::optional<StandsMeasured> stands;
  std::optional<Attachment> attachment;

  std::int64_t number = 0;  // from 1; given by the writer
  double unix_s = 0;        // when it was written; no part of the chain
  std::string chain;        // SHA-256 over this record and the chain before it
};

struct GameFile {
  std::string role;  // "scenario", "table", "camera", "rig", "rules", "beside"
  std::string name;  // relative path: what other files of the game call it
  std::string bytes;
};
struct Seat {
  int side = 0;
  std::string player;
};

// What a game starts from. With the accepted lines it is the whole game.
struct GameStart {
  enum class Kind { kPlayed, kWatched } kind = Kind::kPlayed;  // from lines; by a camera
  std::string uid;  // 32 hexadecimal digits that no other game of the world has
  std::string name;
  std::string ruleset;
  double started_unix_s = 0;
  std::string program;  // version
  std::optional<std::uint64_t> seed;
  std::vector<GameFile> files;
  std::vector<std::string> sides;
  std::vector<Seat> seats;
};
// SHA-256 over the files of role "rules": the tables and settings it was played with.
std::string RulesHash(const std::vector<GameFile>& files);

struct GameLog {
  std::int64_t id = 0;
  GameStart start;
  std::vector<Record> records;
  const GameFile* FileOf(std::string_view role) const;
  bool Ended() const;
};

// The chain: each record's hash covers the one before it, so that nothing can be changed, left out
// or put in between without being noticed. Times of writing and the players' names stay out of it:
// a game is the same game whoever's names are taken from it.
std::string ChainStart(const GameStart& start);
std::string ChainAfter(const std::string& before, const Record& record);

}  // namespace fos
