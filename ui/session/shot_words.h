// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/files/event_log.h"
#include "ui/session/players_names.h"
#include "ui/session/snapshot.h"

// A shot's verdict in the words of the screen, the log and the report.
namespace fos {

// The result of a whole shot, as a word and a call (for its colour).
struct ShotCall {
  std::string word;  // "HIT", "MISS", "TOO CLOSE", "NO EFFECT", "WHERE?", "TAKEN BACK"
  Call call = Call::kMiss;
};
// The players' decisions count.
ShotCall CallOf(const ShotShown& shot);

// The stands that fall: all of `sure`, and one of `picked`, which the firer picks.
struct Fallen {
  std::vector<std::string> sure;
  std::vector<std::string> picked;
};
Fallen FallenOf(const ShotShown& shot);
// By the rules' ruling where the log has one, without the players' decisions. One that is picked
// without a choice stays in `picked`.
Fallen FallenOf(const VerdictEvent& verdict);

// What the players settled for one stand, where the rules' ruling with their calls is not known.
struct SettledStand {
  std::string id;
  Call call = Call::kMiss;
  bool touch = false;   // it is hit by touch
  bool spared = false;  // no hit destroys it: it is protected, or the shot has no effect
};
// Changes what falls by that one stand alone.
void SettleIn(const SettledStand& stand, Fallen& fallen);

struct ShotWords {
  ShotCall call;
  std::string falls;    // "British volunteers falls"; empty where nothing does
  std::string reason;   // one line: which stand, by how much, which rule and clause
  std::string players;  // "Camera said miss, players said hit"; empty where they changed nothing
};
// names  what players call the stands; none: their ids.
ShotWords WordsOf(const ShotShown& shot, const PlayersNames& names = {});

// The call of one stand as it counts: "HIT", "miss", "TOO CLOSE", "protected", "no effect".
std::string StandWord(const ShotShown& shot, const StandVerdict& stand);
// By what a stand is hit: "circle" or "touch".
std::string RuleWords(const StandVerdict& stand);

}  // namespace fos
