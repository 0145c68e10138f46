#pragma once

#include <string>
#include <vector>

#include "datasets/score.h"

namespace fos {

// The scores as tables for a terminal: each clip, the total, and every call that failed; with
// `details` also all that was missed or invented.
std::string ScoreTable(const std::vector<ClipScore>& scores, bool details = false);
// The same as JSON: {"clips": [...], "total": {...}}.
std::string ScoreJson(const std::vector<ClipScore>& scores);

}  // namespace fos
