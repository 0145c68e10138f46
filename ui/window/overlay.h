#pragma once

#include <string>
#include <vector>

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

void DrawGrid(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown);
void DrawTerrain(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown);
// Draws the footprints at the height of the bases' tops, in the side's colour and hatching, with a
// tick to the front. A faint rim is two sigma wide; a mostly hidden stand is dashed.
void DrawStands(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown,
                const ViewState& view);
// Draws every shot's point, and for the chosen shot the circle with its band of doubt (two sigma
// each way) and the shortest line to each stand near it.
void DrawShots(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown,
               const ViewState& view);

}  // namespace fos
