#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/table/vec2.h"

namespace fos {

// How far one view is magnified and which place of its content, in shares of its width and height,
// lies in the middle.
struct ViewZoom {
  float scale = 1;  // 1: the whole content fits
  float x = 0.5F;
  float y = 0.5F;
};

enum class Arrangement { kBoth, kPictureOnly, kMapOnly };

// What is chosen and half said of a game under the rules.
struct GamePanelView {
  std::string piece;   // unit or piece of equipment whose options are shown; or none
  std::string square;  // only options that end there; or all
  int page = 0;        // of the options, nine to a page
  int option = -1;     // pointed at, counted over all pages; -1: none
  std::optional<LineOption> confirming;  // a final answer that must be confirmed first
  std::vector<int> dice;                 // typed so far
  std::optional<Vec2> landed;            // without a camera: where the shot lies
  std::vector<std::string> struck;       // and the pieces within its circle
  bool typing = false;                   // a line is being typed
  bool focus_line = false;               // the next frame puts the cursor there
  bool at_line_end = false;              // it stands behind what was begun
  std::array<char, 400> line{};
  bool searching = false;
  bool focus_search = false;
  std::array<char, 100> search{};  // shows only lines of the log with these letters
  bool show_clause = false;
  std::string clause;         // whose text is shown; empty: every clause
  bool show_rulings = false;  // the camera's rulings in the place of the game
  std::size_t played = 0;     // lines when this was last looked at: what was chosen then is over
};

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
  bool show_reach = true;  // of the chosen piece of a game
  bool show_log = true;
  bool show_help = false;
  bool light_theme = false;
  bool safe_colours = false;    // told apart by every kind of eye, instead of the armies' paints
  bool large_controls = false;  // buttons for fingers
  bool sound = false;           // a tone at every verdict
  bool show_settings = false;
  int start_row = -1;  // of what may be opened, pointed at
  float ui_scale = 1;
  bool full_screen = false;
  bool quit = false;
  bool may_set_up = false;        // the window can be left for the set-up and come back
  bool set_up = false;            // and is
  bool may_play = false;          // what is watched can be played by its rules
  bool play = false;              // and is to be
  bool typing_elsewhere = false;  // text is typed on the set-up screen

  GamePanelView game_panel;
  std::optional<Vec2> clicked;  // a place of the table, in this frame

  int selected_shot = 0;  // 0: none
  int shots_known = 0;    // a new one is selected by itself
  bool show_evidence = false;
  bool scroll_to_selected = false;
  int chosen_stand = -1;       // of the shot's stands, nearest first; -1: the first open one
  std::optional<Vec2> moving;  // where people say the chosen shot's point lies, being placed
  bool disputing = false;      // the reason is being typed
  int overruled_move = 0;      // the reason is for letting that move stand; 0: for a dispute
  bool focus_reason = false;   // the next frame puts the cursor there
  std::array<char, 200> reason{};
};

}  // namespace fos
