#pragma once

#include <cstdint>
#include <vector>

#include <imgui.h>

#include "ui/window/projection.h"

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
  // The list that copies the picture, of the frame trimmed last, and what it draws over that: equal
  // digests draw the same. Its index is -1 where no list does.
  int PictureList() const { return picture_list_; }
  std::uint64_t PictureDigest() const { return picture_digest_; }

 private:
  struct Seen {
    const char* owner = nullptr;  // the window's name: what identifies a list over frames
    std::uint64_t digest = 0;
    ScreenRect where;
  };
  std::vector<Seen> seen_;
  ImVec2 size_{0, 0};
  int picture_list_ = -1;
  std::uint64_t picture_digest_ = 0;
};

}  // namespace fos
