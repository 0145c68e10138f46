#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "engine/table/decision.h"
#include "engine/table/result.h"
#include "ui/session/match_journal.h"
#include "ui/session/player_word.h"
#include "ui/session/rig.h"
#include "ui/session/snapshot.h"

namespace fos {

struct LiveOptions {
  DecisionPolicy policy;
  // A recording comes no faster than it was recorded. A camera keeps its own pace anyway.
  bool paced = true;
  // The club's file; null: the match is not kept there.
  std::shared_ptr<MatchJournal> journal;
  // The first line of the log for people: what they are to know before anything is seen. May be
  // empty.
  std::string notice;
  // How long to wait between two tries to open a camera that was unplugged, seconds.
  double reopen_every_s = 1;
  // Called from the vision thread when there is something new to show. May be empty.
  std::function<void()> on_news;
};

// A match on a thread of its own: frames come from the rig's source, snapshots go out, the players'
// words come in. events.jsonl is written anew after every picture that brought an event, so that a
// pulled plug loses none. A camera that is unplugged is waited for, and the match goes on when it
// is back.
class LiveSession : public WordSink {
 public:
  // out  the output folder; outlives the session. Kept as soon as the table has been found.
  LiveSession(Rig rig, OutFolder& out, LiveOptions options);
  // Stops watching, writes the log and waits for both.
  ~LiveSession() override;
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  // Never null, never waits for vision.
  std::shared_ptr<const Snapshot> Now() const;
  void Post(PlayerWord word) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
