// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/clauses.h"

namespace fos::napoleonic {
namespace {

constexpr Clause kClauses[] = {
    {"NAP-1", "Grid",
     "4-inch squares govern movement, ranges and melees; a diagonal counts 1.5, in a retreat 1"},
    {"NAP-2A", "Sequence of a turn",
     "artillery, musketry, the attacker moves, held canister, melees, the roles swap"},
    {"NAP-2B", "Keeping together",
     "only artillery, light infantry and light cavalry divide and re-form; commanders come and go"},
    {"NAP-2C", "Stacking",
     "one unit to a square; artillery up to its limits and a commander beside it"},
    {"NAP-2D", "Roads", "a move all on a road is one square longer"},
    {"NAP-2E", "Enemies in the way", "not through enemies, nor between two that touch diagonally"},
    {"NAP-2F", "Moving guns", "a stand takes a piece along; the slowest counts"},
    {"NAP-2G", "Limbering and facing",
     "the attacker turns freely; the defender turns 90 degrees next to a contact square"},
    {"NAP-3A", "Everyone fires", "guns destroyed in the step still fire, other stands do not"},
    {"NAP-3B", "Crew", "a gun needs its own crew stand and must be unlimbered"},
    {"NAP-3C", "Foot battery shots", "by the guns and wagon the battery has left"},
    {"NAP-3D", "Horse guns", "one shot each"},
    {"NAP-3E", "Arc, range, screening",
     "45 degrees, up to the range, not over friends next to the gun"},
    {"NAP-3F", "Round shot",
     "one stand within the circle; a gun only when touched, with one of its crew"},
    {"NAP-3G", "Howitzer", "as round shot, from the pellet's centre, and nothing screens it"},
    {"NAP-3H", "Canister", "dice against an adjacent square, fired at once or held"},
    {"NAP-4A", "Timing", "musketry is simultaneous"},
    {"NAP-4B", "Who may fire at what", "arcs, ranges; any unit in the way screens"},
    {"NAP-4C", "Number of dice", "by stands, guards, commander, later units, protection"},
    {"NAP-4D", "The roll", "by distance and target type"},
    {"NAP-4E", "Losses", "each hit removes a stand; the firer chooses between types"},
    {"NAP-5A", "Contact and support", "who is in a melee and who may join it"},
    {"NAP-5B", "Size", "a unit of one stand does not attack; a commander may"},
    {"NAP-5C", "Resolving a melee", "totals, cards, losses, who goes back and who is destroyed"},
    {"NAP-5D", "Withdrawal", "two squares back without loss, or an inferior deployment"},
    {"NAP-5E", "Which stands", "from the contact square, then clockwise"},
    {"NAP-5F", "Values that do not fit", "as near as possible, a coin on a half"},
    {"NAP-5G", "Retreat from melee",
     "the defender goes to the rear, the attacker the way he came, around enemies"},
    {"NAP-5H", "Equipment", "to the superior or stronger side"},
    {"NAP-5I", "Facing afterwards", "units that fought may turn"},
    {"NAP-6A", "Protected squares",
     "the point must lie in the square; fewer dice, smaller melee losses"},
    {"NAP-6B", "Agreed terrain", "what the scenario says of a feature"},
    {"NAP-6C", "Bridges", "no protection, but they burn"},
    {"NAP-6D", "Fire", "models that a projectile touches may burn, or burn up"},
    {"NAP-7", "Commanders", "support as their unit does; alone, as the table says"},
    {"NAP-8A", "Forming", "Squares of line and guards infantry, a whole move"},
    {"NAP-8B", "What it can do", "faces every way, does not move, no cavalry against it"},
    {"NAP-8C", "Breaking", "a side below the limit; each unit gathers and faces one way"},
    {"NAP-9", "Down to one stand",
     "the stand goes home every turn, except light infantry and guards"},
    {"NAP-10", "Off the board", "set apart, but its points count"},
    {"NAP-11", "Destroying own equipment", "at the end of a turn"},
    {"NAP-12", "End and victory", "surrender, destruction, the turn limit, points and objectives"},
    {"NAP-MDI", "The cards", "which deployment beats which"},
    {"NAP-GUN", "The firing gun", "a shot is measured on the table, never simulated"},
    {"NAP-ORG", "Organisation", "stands, batteries, divisions, headquarters"},
    {"NAP-BEA", "Beattenburg", "the scenario"},
};

}  // namespace

std::span<const Clause> Clauses() { return kClauses; }

}  // namespace fos::napoleonic
