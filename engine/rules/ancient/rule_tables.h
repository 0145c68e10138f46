// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/game/rule_table.h"
#include "engine/rules/ancient/event.h"

// The tables that players may look up, and the rows of their cases (line_game.h asks for them).
namespace fos::ancient {

std::vector<RuleTable> RuleTables(const State& s);
// The case that the game waits for.
void MarkAwaited(const State& s, std::vector<RuleTable>& tables);
// The case that the event decided. s is the state after it.
void MarkRuled(const State& s, const Event& event, std::vector<RuleTable>& tables);

}  // namespace fos::ancient
