#pragma once

#include <cstdint>
#include <vector>

#include <imgui.h>

#include "ui/projection.h"

namespace fos {

// Which part of the window has to be drawn again: the draw lists that are not as they were in the
// frame before, where they were and where they are. The rest of the frame buffer is left as it is.
// Thirty new pictures a second change the picture; map, rulings and log lie still beside it.
class Damage {
 public:
  // Trims every command to the part to be drawn again; one with nothing left draws nothing.
  // stale    what is drawn under textures of these changed though the list did not (new pixels).
  // returns  that part in the screen's units, empty when nothing has changed; everything in the
  //          first frame, after Forget(), and when windows came, went or changed places.
  ScreenRect Trim(ImDrawData& data, const std::vector<ImTextureID>& stale, bool picture_is_new);
  // The next frame is drawn whole.
  void Forget() { seen_.clear(); }

 private:
  struct Seen {
    const char* owner = nullptr;  // the window's name: what identifies a list over frames
    std::uint64_t digest = 0;
    ScreenRect where;
  };
  std::vector<Seen> seen_;
  ImVec2 size_{0, 0};
};

}  // namespace fos
