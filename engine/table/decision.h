// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace fos {

enum class Call { kHit, kMiss, kTooClose };

// Hit or miss as the players settled it, by the id of the stand.
using SettledCalls = std::map<std::string, Call>;

// How sure the referee must be before it calls hit or miss. Set by the organiser; no rule and no
// detector has a tolerance of its own.
struct DecisionPolicy {
  // Largest probability of the other answer (contract, section 4: 2.5 %). At 0 nothing is called:
  // the position of the table itself is not reliable.
  double doubt = 0.025;
  // These count, whatever was measured.
  SettledCalls settled = {};
};

// Calls hit or miss only if the probability of the other answer is at most policy.doubt.
// p_hit  probability in [0, 1] that the stand is hit.
Call CallFor(double p_hit, const DecisionPolicy& policy);
// "hit", "miss", "too_close", as events.jsonl writes them.
std::string_view CallName(Call call);

}  // namespace fos
