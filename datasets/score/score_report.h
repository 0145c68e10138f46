// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "datasets/score/score.h"
#include "datasets/score/score_boards.h"
#include "datasets/score/score_lens.h"

namespace fos {

// The scores as tables for a terminal: each clip, the total, and every call that failed; with
// `details` also all that was missed or invented.
std::string ScoreTable(const std::vector<ClipScore>& scores, bool details = false);
// Lens sets as a table; empty of none.
std::string LensTable(const std::vector<LensSetScore>& scores);
// The same as JSON: {"lenses": [...], "boards": [...], "clips": [...], "total": {...}}.
std::string ScoreJson(const std::vector<ClipScore>& scores,
                      const std::vector<LensSetScore>& lenses = {},
                      const std::vector<BoardSetScore>& boards = {});

}  // namespace fos
