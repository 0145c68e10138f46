// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration/registration/table_registration.h"
#include "engine/game/army.h"
#include "engine/shots/fall_of_shot.h"
#include "engine/table/scenario.h"
#include "ui/session/player_decision.h"
#include "ui/session/recalled.h"
#include "ui/session/shot_archive.h"
#include "ui/session/shot_film.h"
#include "vision/image/frame.h"
#include "vision/shots/evidence.h"

// Everything the window may read: the state of one match after one frame. Pointers are to values
// that never change.
namespace fos {

// What stays the same during a match.
struct MatchFacts {
  TableFrame table;
  Scenario scenario;
  std::string name;
  bool live = false;
  double fps = 30;
  std::optional<std::int64_t> frames;  // total number; empty for a camera
  // What the scenario's kinds are, by index; empty where the rule set does not know them.
  std::vector<std::optional<Troop>> troops = {};
};

struct ShotShown {
  ShotObservation shot;
  std::string projectile;  // for players: "cotton swab"
  double circle_in = 1;
  ShotVerdict verdict;
  double time_s = 0;                      // from when it was known
  std::string picture;                    // evidence, relative to the folder of the log
  std::vector<PlayerDecision> decisions;  // in the order they came
  // Gives null until drawn, shortly after the verdict.
  std::shared_ptr<const Recalled<EvidencePanels>> panels;
  // For measuring it again (ui/session/dispute.h). May be null in a replay; what it gives is null
  // when the files of the shot are gone.
  std::shared_ptr<const Recalled<ArchivedShot>> archived;
  // The question that is open while the point cannot be measured: `shot.point` is then only a place
  // on the projectile, and the verdict is empty. Empty: the point is known.
  std::string question = {};
  // The shot as the camera had it before the players put its point elsewhere; null: they have not.
  std::shared_ptr<const ShotShown> as_measured = {};
  bool by_players = false;  // the players said that it fell; the camera told no shot
  bool withdrawn = false;   // and they took that back
  // The rules' ruling with the calls that the players settled; empty: they settled none, or the shot
  // could not be judged again.
  std::optional<ShotRuling> with_calls = {};
};
// The rules' ruling as it counts, with the players' calls if it is known; nullptr: there is none.
const ShotRuling* RulingOf(const ShotShown& shot);
// The players' calls for stands of this shot as its point lies now; their last decision counts.
SettledCalls SettledCallsOf(const ShotShown& shot);
// That for one stand.
std::optional<Call> SettledCall(const ShotShown& shot, const std::string& stand);
// The calls that are too close and not settled yet, nearest first: all, or under rules with a ruling
// those that it lists as doubtful. None where the shot has no effect anyway.
std::vector<const StandVerdict*> OpenCalls(const ShotShown& shot);
// The call of one stand as it counts: a miss where the shot has no effect, and where a call is too
// close but nobody need settle it.
Call CallAsItCounts(const ShotShown& shot, const StandVerdict& stand);

// A move that the camera observed, and its ruling.
struct MoveShown {
  int number = 0;                   // from 1
  std::vector<std::string> pieces;  // ids of the stands that moved together
  std::string from, to;             // squares
  std::string text;                 // the ruling, one sentence
  std::string refused_by;           // the clause that refuses it; empty: allowed
  std::string line;                 // the line to play in a game of this scenario (docs/scripts.md)
  double time_s = 0;
  bool overruled = false;  // the players allowed it
};
// Can the players still overrule the refusal?
inline bool MayOverrule(const MoveShown& move) {
  return !move.refused_by.empty() && !move.overruled;
}

// Stands that look alike, so that only the players can say which is which.
struct DoubtShown {
  int number = 0;               // from 1
  std::string text;             // one sentence
  std::optional<bool> changed;  // the players' answer: true, they swapped places; empty: none yet
};

// Something new on the table that is neither a stand nor a shot.
struct ObjectShown {
  int number = 0;  // from 1
  Vec2 middle;     // inches
  Polygon outline;
  std::string text;  // one sentence
};

// A die that came to rest and was told, as long as it lies there.
struct DieShown {
  int number = 0;        // from 1; a higher one was told later
  int throw_number = 0;  // from 1; dice told together have the same
  Vec2 centre;           // inches
  double at_rest_s = 0;  // when it came to rest, seconds of the source
  int faces = 6;         // how many it has
  int value = 0;         // the likeliest
  double chance = 0;     // that it shows this value
  bool read = false;     // the value is sure enough to be taken
  bool cocked = false;   // it leans on something: it is to be thrown again
  std::string picture;   // of its throw, relative to the folder of the log
};

struct LogLine {
  enum class Category { kPlain, kShot, kWarning };
  double time_s = 0;
  Category category = Category::kPlain;
  std::string text;
  int shot = 0;         // the shot it is about; 0: none
  bool word = false;    // what the players said of the shot, which they can take back
  bool undone = false;  // and took back
};
// Marks the players' last word on a shot as taken back.
void TakeBackLine(std::vector<LogLine>& lines, int shot);

enum class Watching {
  kLooking,      // the table has not been found yet
  kWatching,     // the view is clear: shots are judged
  kHands,        // hands over the table: shots are only previewed
  kBlind,        // nothing can be judged from the pictures: `why` says what to do
  kCameraMoved,  // the table must be found again first
  kNoCamera,     // the camera is unplugged or the stream broke off; waiting for it
  kNoTable,      // a game without a camera
  kReplay,       // stepping through a watched game of the club's file
  kEnded,        // the recording has ended
  kFailed,       // the source or the disk failed: `why` says how
};

// The place in a replay; DecisionSink::StepTo changes it.
struct ReplayPlace {
  std::size_t step = 0;            // steps played
  std::size_t steps = 0;           // steps in all
  std::vector<std::size_t> shots;  // the step in which each verdict was known
};

// How a recording plays.
struct PlaybackShown {
  bool paused = false;
  bool hurrying = false;   // to the next shot or to a picture
  bool reviewing = false;  // what was judged is shown again
  double speed = 1;
  std::int64_t judged = -1;  // the last picture that was judged
};

// The players were asked whether this is the scenario's table, because its stands do not fit it.
struct SetupAsked {
  std::string text;       // one sentence
  bool accepted = false;  // the players say that the table is right as it stands
  friend bool operator==(const SetupAsked&, const SetupAsked&) = default;
};

struct Snapshot {
  std::shared_ptr<const MatchFacts> facts;
  Frame frame;  // the newest picture; empty before the first
  Watching watching = Watching::kLooking;
  std::string why;  // one sentence for kLooking, kBlind, kNoCamera and kFailed; may be empty
  // When the table was last found again after the camera had moved, seconds of the source.
  std::optional<double> found_again_s;
  std::shared_ptr<const TableRegistration> table;               // null until found
  std::shared_ptr<const std::vector<StandObservation>> stands;  // null before the first look
  std::vector<std::shared_ptr<const ShotShown>> shots;          // in order
  std::vector<std::shared_ptr<const MoveShown>> moves;          // in order
  std::vector<std::shared_ptr<const DoubtShown>> doubts;        // in order
  std::vector<std::shared_ptr<const ObjectShown>> objects;      // that lie there now
  std::vector<std::shared_ptr<const DieShown>> dice;            // likewise, in the order told
  std::shared_ptr<const std::vector<LogLine>> log;
  std::optional<ReplayPlace> replay;      // only for kReplay
  std::optional<PlaybackShown> playback;  // of a recording
  std::optional<SetupAsked> setup;        // until the stands are those of the scenario
  std::vector<std::shared_ptr<const ShotFilm>> films;  // of the last shots
};

}  // namespace fos
