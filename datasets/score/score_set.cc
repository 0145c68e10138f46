// SPDX-License-Identifier: MIT
#include "datasets/score/score_set.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "vision/image/frame_source.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ClipScore Unjudged(const Truth& truth, const TableSpec& table, const Scenario& scenario,
                   const std::string& error) {
  ClipScore score = ScoreClip(truth, table, scenario, {});
  score.error = error;
  score.details.clear();  // all of them would only say so again
  return score;
}

// A fault of the program's own on one clip must not keep the others from being scored.
Status Guarded(const JudgeFn& judge, const fs::path& clip, const fs::path& out) try {
  return judge(clip, out);
} catch (const std::exception& e) {
  return Error{ErrorCode::kDegenerate, e.what()};
}

ClipScore ScoreOne(const fs::path& clip, const fs::path& out, const ScoreSetOptions& options,
                   const JudgeFn& judge) {
  const Result<Truth> read = ReadTruth(clip);
  if (!read.ok()) {
    ClipScore unlabelled;
    unlabelled.error = read.error().message;
    return unlabelled;
  }
  const Truth& truth = *read;
  const Result<TableSpec> table = ReadTable(clip / "table.toml");
  if (!table.ok()) return Unjudged(truth, {}, {}, table.error().message);
  const fs::path described = clip / "scenario.toml";
  const Result<Scenario> scenario =
      options.read ? options.read(described, table->frame) : ReadScenario(described, table->frame);
  if (!scenario.ok()) return Unjudged(truth, *table, {}, scenario.error().message);

  std::optional<double> work_s;
  if (options.judge) {
    const Clock::time_point start = Clock::now();
    const Status judged = Guarded(judge, clip, out);
    work_s = SecondsSince(start);
    if (!judged.ok()) return Unjudged(truth, *table, *scenario, judged.error().message);
  }
  const auto events = ReadEventLog(out / "events.jsonl");
  if (!events.ok()) return Unjudged(truth, *table, *scenario, events.error().message);
  ClipScore score = ScoreClip(truth, *table, *scenario, *events);
  if (options.judge) {
    score.work_s = work_s;
    score.decode_s = DecodeSeconds(clip);
  }
  return score;
}

bool HoldsAClip(const fs::path& folder) {
  const auto holds = [&folder](const char* name) {
    std::error_code unknown;
    return fs::exists(folder / name, unknown);
  };
  return holds("table.toml") || holds("scenario.toml") || holds("frames") ||
         !RecordingIn(folder).empty();
}

std::vector<fs::path> Labelled(const fs::path& root, bool clips) {
  std::vector<fs::path> out;
  const auto look_at = [&](const fs::path& folder) {
    if (IsLabelled(folder) && HoldsAClip(folder) == clips) out.push_back(folder);
  };
  look_at(root);
  std::error_code failed;
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && it != end; it.increment(failed)) {
    std::error_code unknown;
    if (it->is_directory(unknown)) look_at(it->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<fs::path> LabelledClips(const fs::path& root) { return Labelled(root, true); }

std::vector<fs::path> LabelledOthers(const fs::path& root) { return Labelled(root, false); }

Result<std::vector<ClipScore>> ScoreSet(const fs::path& root, const ScoreSetOptions& options,
                                        const JudgeFn& judge) {
  const std::vector<fs::path> clips = LabelledClips(root);
  if (clips.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: no labelled clip in it or below; give a folder that holds some",
                             root.string())};
  }
  std::vector<ClipScore> scores(clips.size());
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  int done = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < clips.size(); i = next++) {
      // By name alone: a folder that is a link to elsewhere must not lead the output there.
      const fs::path below =
          clips[i] == root ? clips[i].filename() : clips[i].lexically_relative(root);
      scores[i] = ScoreOne(clips[i], options.out / below, options, judge);
      scores[i].clip = below.string();
      const std::lock_guard lock(telling);
      ++done;
      if (options.progress) options.progress(done, static_cast<int>(clips.size()));
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < options.jobs; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return scores;
}

}  // namespace fos
