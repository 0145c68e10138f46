// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "datasets/score/score.h"

namespace fos {

// Judges the clip and writes out/events.jsonl. Passed in, because datasets/ does not judge.
using JudgeFn =
    std::function<Status(const std::filesystem::path& clip, const std::filesystem::path& out)>;

struct ScoreSetOptions {
  // Logs go to out/<clip's path below the root>/events.jsonl; with `judge` false they are taken
  // from there and nothing is judged or timed.
  std::filesystem::path out;
  bool judge = true;
  int jobs = 1;  // clips at once; the times of work mean little with more than one
  // Reads a clip's scenario; ReadScenario knows no rule set.
  std::function<Result<Scenario>(const std::filesystem::path&, const TableFrame&)> read;
  // Called after every clip with how many are done, from any thread but never from two at once.
  std::function<void(int done, int all)> progress;
};

// Every labelled clip at root or below, in the order of paths. A folder with a label and any of
// table.toml, scenario.toml, its recording and frames/ counts as a clip, even a broken one.
std::vector<std::filesystem::path> LabelledClips(const std::filesystem::path& root);

// The other folders with a label: recordings of something else, with another truth.json.
std::vector<std::filesystem::path> LabelledOthers(const std::filesystem::path& root);

// Judges and scores every labelled clip below root. A clip that cannot be judged is scored as if
// nothing had been reported, and ClipScore::error says why. A clip whose label cannot be read has
// only the error.
// errors  kNotFound when root holds no labelled clip.
Result<std::vector<ClipScore>> ScoreSet(const std::filesystem::path& root,
                                        const ScoreSetOptions& options, const JudgeFn& judge);

}  // namespace fos
