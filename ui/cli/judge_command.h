// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"
#include "vision/image/diagnostics.h"

namespace fos {

// `fallofshot judge CLIP`: judges a recorded clip without a window.
int RunJudge(const std::vector<std::string>& arguments, Console& console);

// What `--profile` prints of the stages: how many times each ran, its share of the time that judging
// took, and the median and the 99th percentile of one time.
std::string StageTable(const StageTimes::ByStage& stages, double judged_s);

}  // namespace fos
