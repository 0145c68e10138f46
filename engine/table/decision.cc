// SPDX-License-Identifier: MIT
#include "engine/table/decision.h"

namespace fos {

Call CallFor(double p_hit, const DecisionPolicy& policy) {
  if (policy.doubt <= 0) return Call::kTooClose;
  if (1 - p_hit <= policy.doubt) return Call::kHit;
  if (p_hit <= policy.doubt) return Call::kMiss;
  return Call::kTooClose;
}

std::string_view CallName(Call call) {
  switch (call) {
    case Call::kHit:
      return "hit";
    case Call::kMiss:
      return "miss";
    case Call::kTooClose:
      return "too_close";
  }
  return "too_close";
}

}  // namespace fos
