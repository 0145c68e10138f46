// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/game/rule_game.h"
#include "ui/session/snapshot.h"

namespace fos {

// What the dice on the table are to the game's request for dice.
struct DiceOffer {
  enum class State {
    kNone,     // no dice are asked for, or none were thrown since
    kOffered,  // `faces` answers the request
    kNot,      // they do not answer it: `sentence` says why and what to do
  };
  State state = State::kNone;
  std::vector<int> faces;       // in the order in which the game takes them
  std::vector<double> chances;  // of each face
  double chance = 0;            // that all are right
  std::string sentence;         // for players
  std::int64_t frame = 0;       // that was looked at, and its time
  double time_s = 0;
  double left_s = 0;  // until it is taken by itself, while the view stays clear
  std::vector<std::shared_ptr<const DieShown>>
      dice;  // that were thrown since; those of `faces` first
};

// Offers the dice that the camera read since the game asked for dice as the answer. For one thread
// only.
class DiceAnswer {
 public:
  // An offer that nothing contradicts for so long is taken by itself.
  static constexpr double kTaken_s = 2;

  // The game asks for something else, or anew, from this time of the source on: what lies there
  // then is no answer.
  void AskedAt(double time_s) { asked_s_ = time_s; }
  // Follows the table. Returns true when the offer is to be taken by itself.
  // held  the players are typing, or what covers the offer is open: nothing is taken by itself
  bool Look(const Prompt& prompt, const Snapshot& shown, bool held);
  const DiceOffer& Offer() const { return offer_; }
  // The players say that these dice are no answer.
  void Dismiss();

 private:
  double asked_s_ = -1e9;
  int dismissed_ = 0;         // numbers of dice up to here are no answer
  std::vector<int> numbers_;  // of the dice that are offered
  double clear_since_s_ = 0;  // when this offer began, or was last held
  DiceOffer offer_;
};

}  // namespace fos
