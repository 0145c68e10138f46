#pragma once

#include <optional>

#include "engine/rules/napoleonic/action.h"

namespace fos::napoleonic {

// Does every number in the action name a side, unit, stand, piece or square of this game? Actions
// come from scripts, files and windows; later code relies on this check.
std::optional<Refusal> CheckNames(const State& s, const Declaration& what);

}  // namespace fos::napoleonic
