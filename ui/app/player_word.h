#pragma once

#include <string>

#include "engine/decision.h"

namespace fos {

// What the players say to a verdict: recorded beside it, never in its place.
struct PlayerWord {
  enum class What {
    kAccept,   // as it was called
    kDispute,  // they do not believe it; `reason` says why
    kSettle,   // what the referee left open they settle: `stand` is `call`
  };
  What what = What::kAccept;
  int shot = 0;  // from 1
  std::string stand;
  Call call = Call::kTooClose;  // kSettle: kHit or kMiss
  std::string reason;
};
// "accept", "dispute", "settle", as session.jsonl writes them.
const char* WordName(PlayerWord::What what);

// Where the window leaves what people say. Never waits.
class WordSink {
 public:
  virtual ~WordSink() = default;
  virtual void Post(PlayerWord word) = 0;
};

}  // namespace fos
