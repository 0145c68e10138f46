// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "engine/files/event_log.h"
#include "engine/journal/record.h"
#include "ui/report/battle.h"
#include "ui/session/decision_record.h"
#include "ui/session/players_names.h"

namespace fos {

// Tells a match without declared lines as one turn, from the camera's first frame to its last.
class CameraStory {
 public:
  explicit CameraStory(Battle& battle);
  // Takes a record of the camera. Calls that are too close become disputes of the battle.
  void Take(const Record& record);
  // Takes a decision: what the players settled about a shot counts.
  void Decide(const DecisionRecord& record);
  // Adds the turn, the order of battle and the strength to the battle.
  void Finish();

 private:
  void On(const StandsEvent& stands);
  void On(const ShotEvent& shot);
  void On(const AskEvent& ask);
  void On(const VerdictEvent& verdict);
  void On(const StandChangeEvent& change);
  template <typename Other>
  void On(const Other&) {}
  void Settle(const PlayerDecision& decision, BattleShot& shot) const;
  BattleShot* ShotOf(int number);
  void Say(std::string sentence);

  Battle& battle_;
  BattleTurn turn_;
  std::vector<PieceView> now_;
  PlayersNames names_;
  std::map<std::string, std::vector<Vec2>> paths_;
  std::map<int, std::size_t> shots_;      // index in turn_.shots, by the shot's number
  std::map<int, VerdictEvent> verdicts_;  // by the shot's number
  // By the shot's number: as it was before each decision that was not taken back.
  std::map<int, std::vector<BattleShot>> before_;
};

}  // namespace fos
