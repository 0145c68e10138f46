// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/event_log.h"
#include "engine/table/decision.h"
#include "engine/table/result.h"
#include "vision/image/diagnostics.h"

namespace fos {

struct Rig;

struct JudgeOptions {
  std::filesystem::path out;  // events.jsonl and evidence/ go here; made when it is not there
  std::filesystem::path rig;  // a profile with lens and table; empty: the clip's own
  DecisionPolicy policy;
  std::filesystem::path club;  // the club's file to record the match in; empty: none
  std::string players;         // for the club's file, as SeatsFrom reads them
  bool debug = false;          // write pictures of each stage to out/debug/
  // Called after each frame with the number done and, where known, the total.
  std::function<void(std::int64_t done, std::optional<std::int64_t> total)> progress;
  // Changes the table or its pictures before the first frame, for evaluation. May be empty.
  std::function<void(Rig&)> prepare;
  std::function<bool()> stopped;  // called before each frame; true stops. May be empty
};

struct Judged {
  std::vector<EventRecord> events;   // as written to events.jsonl
  std::vector<std::string> remarks;  // what the players should know or settle
  std::int64_t frames = 0;
  double seconds = 0;  // wall time from opening the clip to the last event
  StageTimes::ByStage stages;
  std::int64_t game = 0;  // its number in the club's file
};

// Judges a recorded clip from its first frame to its last, without a window. A recording that is
// cut off is judged up to there; the remarks and the last event say so.
// errors  those of the clip's files, its pictures and the output folder. `out` is then as it was
//         before.
Result<Judged> JudgeClip(const std::filesystem::path& clip, const JudgeOptions& options);

}  // namespace fos
