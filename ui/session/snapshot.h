#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration/registration/table_registration.h"
#include "engine/shots/fall_of_shot.h"
#include "engine/table/scenario.h"
#include "ui/session/latest.h"
#include "ui/session/player_word.h"
#include "ui/session/shot_archive.h"
#include "vision/image/frame.h"
#include "vision/shots/evidence.h"

// All the window may read: one match after one frame, by value or by pointers to what never changes
// any more.
namespace fos {

// What does not change during a match.
struct MatchFacts {
  TableFrame table;
  Scenario scenario;
  std::string name;
  bool live = false;
  double fps = 30;
  std::optional<std::int64_t> frames;  // in all; empty for a camera
};

struct ShotShown {
  ShotObservation shot;
  std::string projectile;  // in people's words: "cotton bud"
  double circle_in = 1;
  ShotVerdict verdict;
  double time_s = 0;              // from when it was known
  std::string picture;            // evidence, relative to the folder of the log
  std::vector<PlayerWord> words;  // in the order they came
  // Null until they are drawn, which takes a moment longer than the verdict.
  std::shared_ptr<const Latest<EvidencePanels>> panels;
  // What it was measured from, for looking again: ui/app/dispute.h. May be null in a replay.
  std::shared_ptr<const ArchivedShot> kept;
};
// What the players settled of a stand of this shot; their last word counts.
std::optional<Call> SettledCall(const ShotShown& shot, const std::string& stand);
// The stands' verdicts that nobody has settled yet, nearest first.
std::vector<const StandVerdict*> OpenCalls(const ShotShown& shot);

// A move the camera saw and the rules looked at.
struct MoveShown {
  int number = 0;                   // from 1
  std::vector<std::string> pieces;  // ids of the stands that went together
  std::string from, to;             // squares
  std::string text;                 // what the rules say, one sentence
  std::string refused_by;           // clause; empty where they allow it
  std::string line;                 // what a game of this scenario is told (docs/scripts.md)
  double time_s = 0;
  bool overruled = false;  // the players let it stand
};
// Is there something to overrule, and has nobody done it?
inline bool MayOverrule(const MoveShown& move) {
  return !move.refused_by.empty() && !move.overruled;
}

// Like stands of which only people can say which is which.
struct DoubtShown {
  int number = 0;               // from 1
  std::string text;             // one sentence
  std::optional<bool> changed;  // what people said: true, the other way round
};

struct LogLine {
  enum class Tone { kPlain, kShot, kWarning };
  double time_s = 0;
  Tone tone = Tone::kPlain;
  std::string text;
  int shot = 0;  // the one it is about; 0 when about none
};

enum class Watching {
  kLooking,      // the table has not been found yet
  kWatching,     // hands off: what falls now is judged
  kHands,        // something is over the table: only a preview goes on
  kCameraMoved,  // the table must be found again first
  kNoCamera,     // unplugged, or the stream broke off: it is waited for
  kNoTable,      // a game is played that no camera looks at
  kReplay,       // a watched game of the club's file is stepped through
  kEnded,        // the recording is at its end
  kFailed,       // the source or the disk refused: `why` says it
};

// Where a replay is; WordSink::StepTo leads elsewhere.
struct ReplayPlace {
  std::size_t step = 0;            // so many are played
  std::size_t steps = 0;           // of so many
  std::vector<std::size_t> shots;  // the steps by which the verdicts were known
};

struct Snapshot {
  std::shared_ptr<const MatchFacts> facts;
  Frame frame;  // the newest picture; empty before the first
  Watching watching = Watching::kLooking;
  std::string why;  // one sentence on kLooking, kNoCamera and kFailed; may be empty
  // When the table was last found again after the camera had moved, seconds of the source.
  std::optional<double> found_again_s;
  std::shared_ptr<const TableRegistration> table;               // null until found
  std::shared_ptr<const std::vector<StandObservation>> stands;  // null until looked for
  std::vector<std::shared_ptr<const ShotShown>> shots;          // in order
  std::vector<std::shared_ptr<const MoveShown>> moves;          // in order
  std::vector<std::shared_ptr<const DoubtShown>> doubts;        // in order
  std::shared_ptr<const std::vector<LogLine>> log;
  std::optional<ReplayPlace> replay;  // there on kReplay only
};

}  // namespace fos
