// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "engine/table/decision.h"
#include "engine/table/result.h"
#include "ui/session/match_journal.h"
#include "ui/session/player_decision.h"
#include "ui/session/rig.h"
#include "ui/session/snapshot.h"

namespace fos {

struct LiveOptions {
  DecisionPolicy policy;
  // Play a recording at its own speed. A camera sets its own pace anyway.
  bool paced = true;
  // Null: the match is not recorded in the club's file.
  std::shared_ptr<MatchJournal> journal;
  // A first line of the log for the players. May be empty.
  std::string notice;
  // Pause between two attempts to reopen an unplugged camera, seconds.
  double reopen_every_s = 1;
  // Called on the vision thread when there is something new to show. May be empty.
  std::function<void()> on_news;
};

// Runs a match on a thread of its own: frames come from the rig's source, snapshots go out, the
// players' decisions come in. events.jsonl is rewritten after every frame with an event, so that a
// power cut loses nothing. When the camera is unplugged or its stream is silent, the match says so
// and waits until it is back.
class LiveSession : public DecisionSink {
 public:
  // out  the output folder; must outlive the session. Kept as soon as the table has been found.
  LiveSession(Rig rig, OutFolder& out, LiveOptions options);
  // Stops watching, writes the log and waits for both.
  ~LiveSession() override;
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  // The newest snapshot. Never null; never waits for vision.
  std::shared_ptr<const Snapshot> Now() const;
  void Post(PlayerDecision decision) override;
  // Only for a recording that is played at its own speed.
  void Drive(PlaybackWish wish) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
