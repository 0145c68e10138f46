#pragma once

#include <optional>

#include "engine/rules/ancient/action.h"

namespace fos::ancient {

// Does every side, unit, stand, piece and square that the declaration names exist in this game? An
// action may come from a file.
std::optional<Refusal> CheckNames(const State& s, const Declaration& what);

}  // namespace fos::ancient
