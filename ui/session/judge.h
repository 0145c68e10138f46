#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/event_log.h"
#include "engine/table/decision.h"
#include "engine/table/result.h"

namespace fos {

struct Rig;

struct JudgeOptions {
  std::filesystem::path out;  // events.jsonl and evidence/ go here; made when it is not there
  std::filesystem::path rig;  // a profile whose lens and table are used; empty: the clip's own
  DecisionPolicy policy;
  std::filesystem::path club;  // the club's file that takes the match in besides; empty: none
  std::string players;         // for that, as SeatsFrom reads them
  bool debug = false;          // pictures of each stage into out/debug/
  // Called after each frame with how many are done and how many there are, where that is known.
  std::function<void(std::int64_t done, std::optional<std::int64_t> total)> progress;
  // Changes the table or its pictures before the first frame, for scores. May be empty.
  std::function<void(Rig&)> prepare;
  std::function<bool()> stopped;  // asked before each frame: not to go on? May be empty
};

struct Judged {
  std::vector<EventRecord> events;   // as written to events.jsonl
  std::vector<std::string> remarks;  // what people ought to know or settle, in words
  std::int64_t frames = 0;
  double seconds = 0;  // wall time from opening the clip to the last event
  std::map<std::string, StageTime> stage_ms;
  std::int64_t game = 0;  // its number in the club's file
};

// The main job: a recorded clip from its first frame to its last, headless (contract, section 3).
// errors  whatever the clip's files, its pictures or the output folder refuse; then nothing is left
// in
//         `out` that was not there before, evidence pictures of this run included.
Result<Judged> JudgeClip(const std::filesystem::path& clip, const JudgeOptions& options);

}  // namespace fos
