// SPDX-License-Identifier: MIT
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
  PlayerDecision decision;  // for kMove and kPoint, `point` is the point that counts
  // What follows, for players. kMove and kSettle: with what the camera had said. Empty for kAccept
  // and kDispute.
  std::string text;
  std::vector<std::string> stands;  // kOverrule: ids of the stands that moved
  std::string clause;               // kOverrule: the clause that refused the move
  double moved_in = 0;              // kMove: distance from the point before
  // kMove, kPoint, kSettle: the ids of what falls by the new verdict; with `choice` one of them
  // falls. Empty for other decisions, and for kSettle in logs that do not say it.
  std::optional<std::vector<std::string>> casualties;
  bool choice = false;
};

// One JSON object on one line, without the line's end.
std::string DecisionLine(const DecisionRecord& record);
// Empty for anything that is not a decision this program knows. Missing keys keep their defaults.
std::optional<DecisionRecord> ParseDecisionLine(const std::string& line);

}  // namespace fos
