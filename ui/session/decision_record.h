#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/session/player_decision.h"

namespace fos {

// A players' decision with its consequences: one line of session.jsonl and of the club's file.
struct DecisionRecord {
  std::int64_t frame = 0;
  double time_s = 0;
  PlayerDecision decision;              // for kMove, `point` is the point as measured again
  std::string text;                     // kMove, kOverrule, kIdentify: what follows, one sentence
  std::vector<std::string> stands;      // kOverrule: ids of the stands that moved
  std::string clause;                   // kOverrule: the clause that refused the move
  double moved_in = 0;                  // kMove: distance from the point measured before
  std::vector<std::string> casualties;  // kMove: ids, by the new verdict
};

// One JSON object on one line, without the line's end.
std::string DecisionLine(const DecisionRecord& record);
// Empty for anything that is not a decision this program knows. Missing keys keep their defaults.
std::optional<DecisionRecord> ParseDecisionLine(const std::string& line);

}  // namespace fos
