// SPDX-License-Identifier: MIT
#include "ui/session/snapshot.h"

#include <algorithm>

namespace fos {

std::optional<Call> SettledCall(const ShotShown& shot, const std::string& stand) {
  std::optional<Call> settled;
  for (const PlayerDecision& decision : shot.decisions) {
    // Calls are settled for the point as it lay; where the players move it, they are made anew.
    if (decision.what == PlayerDecision::What::kMove) settled.reset();
    if (decision.what == PlayerDecision::What::kSettle && decision.stand == stand)
      settled = decision.call;
  }
  return settled;
}

std::vector<const StandVerdict*> OpenCalls(const ShotShown& shot) {
  std::vector<const StandVerdict*> open;
  if (shot.withdrawn || (shot.verdict.ruling && shot.verdict.ruling->no_effect)) return open;
  for (const StandVerdict& stand : shot.verdict.stands) {
    if (stand.call == Call::kTooClose && !SettledCall(shot, stand.stand.stand.text)) {
      open.push_back(&stand);
    }
  }
  return open;
}

void TakeBackLine(std::vector<LogLine>& lines, int shot) {
  const auto last = std::find_if(lines.rbegin(), lines.rend(), [&](const LogLine& line) {
    return line.word && !line.undone && line.shot == shot;
  });
  if (last != lines.rend()) last->undone = true;
}

}  // namespace fos
