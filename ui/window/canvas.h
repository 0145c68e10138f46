// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/projection.h"
#include "ui/window/view_state.h"

namespace fos {

// A window that is exactly `area`, without padding, and one item that takes all its pointer input.
// background  0: none, because a picture covers it.
class Canvas {
 public:
  Canvas(const char* name, const ScreenRect& area, ImU32 background);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  ImDrawList& List() { return *list_; }

 private:
  ImDrawList* list_;
};

// Begins a panel of text and buttons that fills `area` and scrolls where it is too small. To be
// ended by ImGui::End().
void BeginPanel(const char* name, const ScreenRect& area);

// Gives the next dialog an edge, for its ground is that of the panels below it. Both around its
// ImGui::Begin().
void PushDialogEdge();
void PopDialogEdge();

// Begins a dialog in the middle of `area`, as large as what is in it and over everything else. To be
// ended by ImGui::End().
void BeginDialog(const char* name, const ScreenRect& area);

// Zooms and pans by wheel, drag and touch of the last item. may_pan: false while a drag moves
// something else.
void TakePointer(float width, float height, const ScreenRect& area, ViewZoom& zoom,
                 bool may_pan = true);
// Whether the last item was clicked: pressed and released in one place.
bool ClickedInPlace(float still_px);
// Whether the pointer has left the place where it was pressed.
bool LeftItsPlace(float still_px);

}  // namespace fos
