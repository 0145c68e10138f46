// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/observation.h"

// The contents of the club's file for one game, as plain values. Texts are UTF-8.
namespace fos {

enum class RecordKind {
  kLine,       // a script line that the rules accepted, with its dice; has events, told, clauses
  kRefused,    // a refused line: told says why, clauses by which clause
  kUndo,       // text "N": the last N accepted lines are undone
  kCorrected,  // text "N LINE" replaces the N-th accepted line, "N" removes it
  kSeen,       // a line of events.jsonl: an observation or a verdict
  kWord,       // the players' answer to a verdict, one JSON object
  kRemark,     // a sentence for people
  kAttached,   // a picture or recording of an earlier shot
  kResumed,    // the game continues; text: the program's version
  kEnded,      // only words and corrections may follow
};
// "line", "undo", ... as in the file and the exports.
std::string_view RecordName(RecordKind kind);
std::optional<RecordKind> RecordKindFrom(std::string_view name);

// The measurements a shot was judged from, bit for bit, so that judging it again gives the same
// result.
struct ShotMeasured {
  ShotObservation shot;
  int spec = 0;      // index into Scenario::projectiles
  double doubt = 0;  // DecisionPolicy::doubt
  std::vector<StandObservation> stands;
};

// The positions that moves or the deployment were judged from, likewise bit for bit.
struct StandsMeasured {
  std::vector<StandObservation> position;  // before the moves
  std::vector<StandMoved> moved;           // all found in one look; none for the deployment
};

struct Attachment {
  int shot = 0;      // the shot it belongs to; 0 for none
  std::string role;  // "evidence", "frames"
  std::string name;  // a file name
  std::string hash;  // SHA-256 of its bytes
};

struct Record {
  RecordKind kind = RecordKind::kLine;
  std::string text;
  std::vector<std::string> events;   // one JSON object each
  std::vector<std::string> told;     // sentences for players
  std::vector<std::string> clauses;  // ids of the clauses that applied
  // The script line it came from, and the frame and time of the video; empty if there is none.
  std::optional<int> source_line;
  std::optional<std::int64_t> frame;
  std::optional<double> time_s;
  std::optional<ShotMeasured> measured;
  // Set on the first of the stands that moved in one look, and on the first list of stands.
  std::optional<StandsMeasured> stands;
  std::optional<Attachment> attachment;

  std::int64_t number = 0;  // from 1; assigned by the writer
  double unix_s = 0;        // time of writing
  std::string chain;        // SHA-256 over this record and the chain before it
};

struct GameFile {
  std::string role;  // "scenario", "table", "camera", "rig", "rules", "beside"
  std::string name;  // relative path, as other files of the game name it
  std::string bytes;
};
struct Seat {
  int side = 0;
  std::string player;
};

// What the chain covers. Form 1, of older programs, leaves out players' names, when the game began,
// and when each record was written. Form 2 covers all.
inline constexpr int kChainForm = 2;

// What a game starts from. Together with the accepted lines it determines the whole game.
struct GameStart {
  enum class Kind { kPlayed, kWatched } kind = Kind::kPlayed;  // from script lines; by a camera
  std::string uid;  // 32 hexadecimal digits, globally unique
  std::string name;
  std::string ruleset;
  double started_unix_s = 0;
  std::string program;  // version
  std::optional<std::uint64_t> seed;
  std::vector<GameFile> files;
  std::vector<std::string> sides;
  std::vector<Seat> seats;
  int form = kChainForm;  // of its chain
};
// "played" or "watched"; any other name is taken for "played".
std::string_view GameKindName(GameStart::Kind kind);
GameStart::Kind GameKindFrom(std::string_view name);
// SHA-256 over the files of role "rules": the tables and settings the game was played with.
std::string RulesHash(const std::vector<GameFile>& files);

struct GameLog {
  std::int64_t id = 0;
  GameStart start;
  std::vector<Record> records;
  const GameFile* FileOf(std::string_view role) const;
  bool Ended() const;
};

// The chain: each record's hash covers the one before it, so that no change, omission or insertion
// goes unnoticed. A cut at the end shows only where the last hash is known: in the game's head.
// form  GameStart::form
std::string ChainStart(const GameStart& start);
std::string ChainAfter(const std::string& before, const Record& record, int form = kChainForm);

// Where a game's log ends. The club's file keeps one for each game, signed.
struct GameHead {
  std::string uid;
  std::int64_t records = 0;
  std::string chain;  // after the last record
  // Over the start, players and dates included, whatever the chain's form.
  std::string start;
};
GameHead HeadOf(const GameStart& start, std::int64_t records, const std::string& chain);
// What is signed.
std::string HeadText(const GameHead& head);

}  // namespace fos
