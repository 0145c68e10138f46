// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/rules/closefire/state.h"

namespace fos::closefire::test {

// A generated battle, always the same for the same seed: a table of 800 by 600 yards, all kinds of
// units and of terrain, in every second battle with club settings.
// generator  seeds the game's own dice
State SmallBattle(std::uint64_t seed, std::uint64_t generator);

// The same with what small battles lack: a wing with its general and messengers, horse that charges
// side by side, guns before foot, hidden troops, reserves, civilians, units of the greatest size,
// and in some battles foot in a wood or a town, a gun on a hill behind foot, or tables that allow
// only small units of cavalry. The lines are 140 yards apart.
State WingBattle(std::uint64_t seed, std::uint64_t generator);

// A battle read from a generated game file: an attack or a meeting engagement of two small armies,
// with mixed units, unusual bases and brigades, works and hedges, and now and then the scale of
// larger figures. The file's notes are in its setup.
State FileBattle(std::uint64_t seed, std::uint64_t generator);

}  // namespace fos::closefire::test
