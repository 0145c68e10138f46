// SPDX-License-Identifier: MIT
#pragma once

#include "engine/table/table_frame.h"
#include "ui/window/look.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// How the window is divided among its panels, in its own pixels.
struct PanelLayout {
  ScreenRect status;
  ScreenRect main;  // picture, or map where it is alone
  ScreenRect map;   // only where both are shown
  ScreenRect rulings;
  ScreenRect log;  // only where it is shown
};
// Every panel keeps a size at which it can be used, whatever the shares say.
// game  a game is played: its questions need more room than a table of rulings.
PanelLayout LayoutOf(const Theme& theme, const ViewState& view, const TableFrame& frame, bool game,
                     ImVec2 size);
// The width of the panels on the right. preferred  while the players have not chosen theirs.
float ColumnWidth(const Theme& theme, const PanelShares& shares, float window_width,
                  float preferred);

// The edges between panels can be dragged, and moved by Ctrl and the arrows (with Shift that of the
// map). A double click gives an edge its own place back. Each has a grip for fingers. These change
// view.panels: the layout must be made anew afterwards.
void MovePanelEdges(const Theme& theme, const PanelLayout& layout, ViewState& view, ImVec2 size);
// The same for a window with a column alone.
// gap  between the column and what is left of it.
void MoveColumnEdge(const Theme& theme, const ScreenRect& gap, ViewState& view, float window_width);

}  // namespace fos
