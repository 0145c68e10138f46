#pragma once

#include <string_view>

namespace fos {

// How sure the referee must be before it speaks. The organiser's to set; no rule and no detector
// holds a tolerance of its own.
struct DecisionPolicy {
  // The other answer may be at most this likely (contract, section 4: 2.5 %). At 0 nothing is
  // called: the table itself is not known well enough.
  double doubt = 0.025;
};

enum class Call { kHit, kMiss, kTooClose };

// Hit or miss only where the measurement leaves the other at most policy.doubt.
// p_hit  chance in [0, 1] that the stand is hit.
Call CallFor(double p_hit, const DecisionPolicy& policy);
// "hit", "miss", "too_close", as events.jsonl writes them.
std::string_view CallName(Call call);

}  // namespace fos
