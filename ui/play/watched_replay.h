// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/table/result.h"
#include "ui/session/club_file.h"
#include "ui/session/player_decision.h"
#include "ui/session/snapshot.h"

namespace fos {

// Steps through a watched game of the club's file, forward and back: the stands, the shots with
// their verdicts (judged again from the measurements), the moves, the players' decisions, and the
// archived pictures of the shots. Writes nothing.
class WatchedReplay : public DecisionSink {
 public:
  // errors  those of ReadWatchedWith; kBadFormat: the camera recorded nothing in it.
  static Result<std::unique_ptr<WatchedReplay>> Open(OpenedGame game);
  ~WatchedReplay() override;

  // A step is one verdict, one group of stands that moved together, one decision or one remark.
  std::size_t Steps() const;
  // Goes to the state after this many steps, at most all of them.
  void StepTo(std::size_t step) override;
  // Never null. It has no picture of the table, only those around each shot.
  const std::shared_ptr<const Snapshot>& Now() const;
  // Ignored: a replay takes no decisions.
  void Post(PlayerDecision decision) override;

 private:
  struct Impl;
  explicit WatchedReplay(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
