#pragma once

#include <cstddef>
#include <string>

#include "engine/table/decision.h"
#include "engine/table/vec2.h"

namespace fos {

// What the players say to a verdict or to a remark: recorded beside it, never in its place.
struct PlayerWord {
  enum class What {
    kAccept,    // as it was called
    kDispute,   // they do not believe it; `reason` says why
    kSettle,    // `stand` is `call`: what the referee left open, or what they overrule
    kMove,      // its point lies at `point`: it is measured again there
    kOverrule,  // `move` stands although the rules refuse it
    kIdentify,  // the stands of `doubt` are each other's, if `changed`; else what they are taken
                // for
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
};
// "accept", "dispute", "settle", "move", "overrule", "identify", as session.jsonl writes them.
const char* WordName(PlayerWord::What what);
// About a shot, for the log: "Shot 3 is disputed: ...".
std::string InWords(const PlayerWord& word);

// Where the window leaves what people say. Never waits.
class WordSink {
 public:
  virtual ~WordSink() = default;
  virtual void Post(PlayerWord word) = 0;
  // Of a replay: as it was after so many steps.
  virtual void StepTo(std::size_t) {}
};

}  // namespace fos
