// SPDX-License-Identifier: MIT
#include "ui/session/snapshot.h"

#include <algorithm>

namespace fos {

const ShotRuling* RulingOf(const ShotShown& shot) {
  if (shot.with_calls) return &*shot.with_calls;
  return shot.verdict.ruling ? &*shot.verdict.ruling : nullptr;
}

SettledCalls SettledCallsOf(const ShotShown& shot) {
  SettledCalls settled;
  for (const PlayerDecision& decision : shot.decisions) {
    // Calls are settled for the point as it lay; where the players move it, they are made anew.
    if (decision.what == PlayerDecision::What::kMove) settled.clear();
    if (decision.what == PlayerDecision::What::kSettle) settled[decision.stand] = decision.call;
  }
  return settled;
}

std::optional<Call> SettledCall(const ShotShown& shot, const std::string& stand) {
  const SettledCalls settled = SettledCallsOf(shot);
  const auto found = settled.find(stand);
  return found == settled.end() ? std::nullopt : std::optional<Call>(found->second);
}

std::vector<const StandVerdict*> OpenCalls(const ShotShown& shot) {
  std::vector<const StandVerdict*> open;
  const ShotRuling* ruling = RulingOf(shot);
  if (shot.withdrawn || (ruling != nullptr && ruling->no_effect)) return open;
  for (const StandVerdict& stand : shot.verdict.stands) {
    const StandId& id = stand.stand.stand;
    if (stand.call != Call::kTooClose || SettledCall(shot, id.text)) continue;
    const bool asked =
        ruling == nullptr ||
        std::find(ruling->doubtful.begin(), ruling->doubtful.end(), id) != ruling->doubtful.end();
    if (asked) open.push_back(&stand);
  }
  return open;
}

Call CallAsItCounts(const ShotShown& shot, const StandVerdict& stand) {
  if (const std::optional<Call> settled = SettledCall(shot, stand.stand.stand.text))
    return *settled;
  const ShotRuling* ruling = RulingOf(shot);
  if (ruling != nullptr && ruling->no_effect) return Call::kMiss;
  if (stand.call != Call::kTooClose) return stand.call;
  const std::vector<const StandVerdict*> open = OpenCalls(shot);
  const bool asked = std::find(open.begin(), open.end(), &stand) != open.end();
  return asked ? Call::kTooClose : Call::kMiss;
}

void TakeBackLine(std::vector<LogLine>& lines, int shot) {
  const auto last = std::find_if(lines.rbegin(), lines.rend(), [&](const LogLine& line) {
    return line.word && !line.undone && line.shot == shot;
  });
  if (last != lines.rend()) last->undone = true;
}

}  // namespace fos
