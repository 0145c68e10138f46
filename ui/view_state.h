#pragma once

#include <array>
#include <optional>
#include <string>

namespace fos {

// How far one view is magnified and which place of its content, in shares of its width and height,
// lies in the middle.
struct ViewZoom {
  float scale = 1;  // 1: the whole content fits
  float x = 0.5F;
  float y = 0.5F;
};

enum class Arrangement { kBoth, kPictureOnly, kMapOnly };

// What is toggled and chosen in the window; nothing of the match itself.
struct ViewState {
  Arrangement arrangement = Arrangement::kBoth;
  bool board_found = false;  // the picture was brought to the board once
  bool map_active = false;   // which view the keys zoom and pan
  ViewZoom picture;
  ViewZoom map;
  bool show_grid = true;
  bool show_stands = true;
  bool show_names = true;
  bool show_circles = true;
  bool show_log = true;
  bool show_help = false;
  bool light_theme = false;
  bool safe_colours = false;    // told apart by every kind of eye, instead of the armies' paints
  bool large_controls = false;  // buttons for fingers
  bool sound = false;           // a tone at every verdict
  bool show_settings = false;
  float ui_scale = 1;
  bool full_screen = false;
  bool quit = false;

  int selected_shot = 0;  // 0: none
  int shots_known = 0;    // a new one is selected by itself
  bool show_evidence = false;
  bool scroll_to_selected = false;
  bool disputing = false;     // the reason is being typed
  bool focus_reason = false;  // the next frame puts the cursor there
  std::array<char, 200> reason{};
};

}  // namespace fos
