// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/journal/record.h"

namespace fos {

// A game's whole log for other programs: one JSON object per line, the game first (docs/log.md).
std::string JsonLines(const GameLog& log);

}  // namespace fos
