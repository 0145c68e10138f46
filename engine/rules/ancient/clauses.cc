// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/clauses.h"

namespace fos::ancient {
namespace {

constexpr Clause kClauses[] = {
    {"ANC-G1", "Grid", "squares of 3, 4 or 5 inches; distances in inches do not scale"},
    {"ANC-G2", "First move", "one die each; the higher attacks first"},
    {"ANC-T", "Sequence", "catapults, missiles, moves and supports, supports, melees, roles swap"},
    {"ANC-V1", "Movement and roads", "a diagonal counts 1.5; a move all on a road is one longer"},
    {"ANC-V2", "Stacking", "one unit, one leader, one catapult, six crew stands to a square"},
    {"ANC-V3", "Separating", "only light troops, commanders and catapults divide and re-form"},
    {"ANC-V4", "Enemies", "not through enemies, nor between two that touch diagonally"},
    {"ANC-V5", "Moving catapults", "with a stand of any kind; the slower rate counts"},
    {"ANC-V6", "Facing", "type A faces sides only; turns in its own move, in support, after melee"},
    {"ANC-C1", "Manning", "a stand of crew, infantry or a commander, busy for the turn"},
    {"ANC-C2", "Arc", "within 45 degrees; nothing screens"},
    {"ANC-C3", "Range", "light 4, heavy 6 squares"},
    {"ANC-C4", "The shot", "one piece within an inch of the mark, by footprint, axle or leg"},
    {"ANC-F1", "Range and arc", "by units, within range and 45 degrees"},
    {"ANC-F2", "Screening", "any unit in the way screens"},
    {"ANC-F3", "Dice", "by stands, later units, protection"},
    {"ANC-F4", "Assyrian heavy archers", "always shot at as in a protected square"},
    {"ANC-F5", "The roll", "by distance and target family; pairs and triples of one face"},
    {"ANC-F6", "Target square", "the shooter chooses between types"},
    {"ANC-H1", "Contact and support", "who is in a melee and who may join it"},
    {"ANC-H2", "Declaring", "attacker first; the supporter faces the contact square"},
    {"ANC-H3", "Support types", "by the facing before turning"},
    {"ANC-H4", "Mounted support of foot", "only from directly beside"},
    {"ANC-H5", "Charging value", "chariots 3 and elephants 4 into the contact square"},
    {"ANC-H6", "Elephants must be willing", "one die before movement; some refuse to move"},
    {"ANC-H7", "Cavalry against pikes and legions", "not against four stands of them"},
    {"ANC-H8", "Protected contact square", "the attackers count one point less"},
    {"ANC-P1", "MDI", "which deployment beats which"},
    {"ANC-P2", "Equal deployments", "half the weaker side's points; three times destroys"},
    {"ANC-P3", "Unequal deployments", "one point, and half of the rest"},
    {"ANC-P4", "Withdrawal", "two squares back without loss, or an inferior deployment"},
    {"ANC-P5", "Which stands, and remainders",
     "from the contact square, clockwise, a coin for more"},
    {"ANC-P6", "No way back", "a unit that cannot retreat is destroyed"},
    {"ANC-P7", "Catapults after a melee", "with a friendly stand of their square, else captured"},
    {"ANC-P8", "Facing afterwards", "units that fought turn freely"},
    {"ANC-M1", "Down to one stand", "heavy infantry, heavy and light cavalry go home"},
    {"ANC-M2", "Off the board", "set aside, but its points count"},
    {"ANC-M3", "Run down", "riders remove a single stand of foot in the open and move on"},
    {"ANC-M4", "End", "conceding, destruction, agreed turns or time, points"},
    {"ANC-L", "Army lists", "seven lists with checked totals; armies for any number of points"},
};

}  // namespace

std::span<const Clause> Clauses() { return kClauses; }

}  // namespace fos::ancient
