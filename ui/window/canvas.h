#pragma once

#include "ui/window/projection.h"
#include "ui/window/view_state.h"

namespace fos {

// A window that is exactly `area`, without padding; its pointer input goes to one item over all.
// Without a background of its own where `background` is 0: a picture covers it.
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

// Wheel, drag and touch of the item just made. Without `may_pan` a drag moves something else.
void TakePointer(float width, float height, const ScreenRect& area, ViewZoom& zoom,
                 bool may_pan = true);
// Was the pointer let go where it was pressed, on the item just made? Longer ways pan.
bool ClickedInPlace(float still_px);
// Has it left that place since it was pressed?
bool LeftItsPlace(float still_px);

}  // namespace fos
