// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/game/rule_game.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// What the referee knows, drawn over picture or map; every point is projected at its own height.

// The corners of a square on the screen; empty unless all of them can be seen.
std::vector<ImVec2> SquareOutline(const Projection& on, const TableFrame& frame,
                                  const std::string& name);
void Fill(ImDrawList& list, const std::vector<ImVec2>& outline, ImU32 colour);
void Rim(ImDrawList& list, const std::vector<ImVec2>& outline, ImU32 colour, float thickness);

// wordless  without the names of the squares
void DrawGrid(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown,
              bool wordless = false);
void DrawTerrain(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown);
// Writes its kind on the terrain.
// each   on every piece, with its height; else once for several of a kind that lie together, and
//        only where there is room.
// taken  where other names are
// Returns those and where its own names are.
std::vector<ScreenRect> DrawTerrainNames(ImDrawList& list, const Theme& theme, const Projection& on,
                                         const Snapshot& shown, bool each,
                                         std::vector<ScreenRect> taken);
// What the rule set says of a stand's kind; nullptr: nothing.
const Troop* TroopOf(const StandObservation& stand, const MatchFacts& facts);
// Draws the footprints at the height of the bases' tops, in the side's colour and hatching, with a
// tick to the front; on a map also the symbol of its troops. A faint rim is two sigma wide; a mostly
// hidden stand is dashed. Returns where names of units were written: never over a shot's point.
std::vector<ScreenRect> DrawStands(ImDrawList& list, const Theme& theme, const Projection& on,
                                   const Snapshot& shown, const ViewState& view);
// Names the unit under the pointer: what it is, its strength and facing, and its state in the game.
// pieces  of the game; empty without one.
void DrawPointedAt(ImDrawList& list, const Theme& theme, const Projection& on,
                   const Snapshot& shown, const std::vector<PieceView>& pieces, ImVec2 pointer);
// Draws every shot's point, and for the chosen shot the circle with its band of doubt (two sigma
// each way) and the shortest line to each stand near it. Its numbers cover neither a point nor what
// is written already.
// taken  where names are
void DrawShots(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown,
               const ViewState& view, std::vector<ScreenRect> taken);

}  // namespace fos
