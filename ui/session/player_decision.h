// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/table/decision.h"
#include "engine/table/vec2.h"

namespace fos {

// What the players decide about a verdict, a move or a doubt. It is recorded beside the measurement
// and never replaces it.
struct PlayerDecision {
  enum class What {
    kAccept,    // accept the verdict
    kDispute,   // dispute the verdict; `reason` says why
    kSettle,    // `stand` is `call`, whether the referee left it open or called it otherwise
    kMove,      // the point lies at `point`, whether it was measured elsewhere or not at all
    kOverrule,  // allow `move` although the rules refuse it
    kIdentify,  // the stands of `doubt` swap names if `changed`; else they keep them
    kPoint,     // another `projectile` lies with its point at `point`; `object` may be it
    kTakeBack,  // take back the players' last decision about the shot
    kTable,     // the table is right as it stands if `changed`; else not after all
  };
  What what = What::kAccept;
  int shot = 0;  // from 1
  std::string stand;
  Call call = Call::kTooClose;  // kSettle: kHit or kMiss
  std::string reason;
  Vec2 point{};   // inches
  int move = 0;   // kOverrule: MoveShown::number
  int doubt = 0;  // kIdentify: DoubtShown::number
  bool changed = false;
  int object = 0;               // kPoint: ObjectShown::number; 0: none
  std::string projectile = {};  // kPoint: "qtip" or "shell"; empty: the scenario's first
};
// "accept", "dispute", "settle", "move", "overrule", "identify", "point", "take_back", "table",
// as
// session.jsonl writes them.
const char* DecisionName(PlayerDecision::What what);
// For the log: "Shot 3 is disputed: ...".
std::string InWords(const PlayerDecision& decision);

// How a recording is to be played.
struct PlaybackWish {
  enum class What {
    kPause,     // or goes on
    kStep,      // pauses after one more picture
    kStepBack,  // pauses at the picture before
    kSpeed,     // `speed` times its own
    kNextShot,  // as fast as it can be judged, and pauses there or at the end
    kPreviousShot,  // shows the shot before again, and pauses there
    kFrame,     // to picture `frame`: judges up to there, or shows it again
  };
  What what = What::kPause;
  double speed = 1;
  std::int64_t frame = 0;
};

// Takes the players' decisions from the window. Never blocks.
class DecisionSink {
 public:
  virtual ~DecisionSink() = default;
  virtual void Post(PlayerDecision decision) = 0;
  // In a recording that is judged while it plays. What was judged stays judged: going back shows it
  // again, and nothing is judged twice.
  virtual void Drive(PlaybackWish) {}
  // In a replay: goes to the state after this many steps.
  virtual void StepTo(std::size_t) {}
};

}  // namespace fos
