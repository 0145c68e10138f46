#pragma once

#include <string>
#include <vector>

#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// What the referee knows, drawn over the picture or on the map, every point at its own height.

// A square's corners on the screen; empty unless all of them are seen.
std::vector<ImVec2> SquareOutline(const Projection& on, const TableFrame& frame,
                                  const std::string& name);
void Fill(ImDrawList& list, const std::vector<ImVec2>& outline, ImU32 colour);
void Rim(ImDrawList& list, const std::vector<ImVec2>& outline, ImU32 colour, float thickness);

void DrawGrid(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown);
void DrawTerrain(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown);
// Footprints at the height of the bases' tops, in the side's colour and pattern, with a tick to the
// front; a faint rim is two sigma wide; one that is mostly hidden is dashed.
void DrawStands(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown,
                const ViewState& view);
// Every shot's point; of the chosen one the circle with its doubt band (two sigma each way) and the
// shortest line to each stand near it.
void DrawShots(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown,
               const ViewState& view);

}  // namespace fos
