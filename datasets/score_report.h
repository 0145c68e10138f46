#pragma once

#include <string>
#include <vector>

#include "datasets/score.h"

namespace fos {

// The scores as tables for a terminal: each clip, the total, and every call that failed.
std::string ScoreTable(const std::vector<ClipScore>& scores);
// The same as JSON: {"clips": [...], "total": {...}}.
std::string ScoreJson(const std::vector<ClipScore>& scores);

}  // namespace fos
