// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/table/vec2.h"
#include "ui/window/look.h"

namespace fos {

// How far a view is magnified, and which place of its content is in the middle, as shares of its
// width and height.
struct ViewZoom {
  float scale = 1;  // 1: the whole content fits
  float x = 0.5F;
  float y = 0.5F;
};

struct ShotShown;

enum class Arrangement { kBoth, kPictureOnly, kMapOnly };

// What is chosen and half entered in the game panel.
struct GamePanelView {
  std::string piece;                     // the unit or piece whose options are listed; or none
  std::string square;                    // lists only options that end there; or all
  int page = 0;                          // of the options
  int option = -1;                       // pointed at, counted over all pages; -1: none
  std::optional<LineOption> confirming;  // a final answer that must be confirmed first
  std::vector<int> dice;                 // typed so far
  std::optional<Vec2> landed;            // without a camera: where the shot lies
  std::vector<std::string> struck;       // and the pieces within its circle
  bool typing = false;                   // a line is being typed
  bool focus_line = false;               // the next frame gives it the keyboard
  bool at_line_end = false;              // the cursor is at the end of the text
  std::array<char, 400> line{};
  bool searching = false;
  bool focus_search = false;
  std::array<char, 100> search{};  // the log shows only lines with this text
  bool show_clause = false;
  std::string clause;         // the clause that is shown; empty: all
  int clause_line = 0;        // with its case up to this line of the log; 0: now
  bool show_rulings = false;  // the camera's rulings instead of the game
  std::string why;            // why the last click on the table was no answer
  Vec2 why_at;                // where it was
  bool show_menu = false;     // what the chosen unit may do is listed on the table, at
  std::array<float, 2> menu_at{};  // this place of the screen
  std::size_t played = 0;     // lines played when the choices were made; later they are stale
};

// A replay that goes on by itself.
struct ReplayPlay {
  bool plays = false;
  double per_s = 1;   // steps a second
  double next_s = 0;  // when the next is due, by ImGui's clock
};

// What the settings change.
struct ViewLook {
  bool light_theme = false;
  bool safe_colours = false;
  bool large_controls = false;
  bool full_screen = false;
  bool sound = false;
  bool speech = false;
  bool verdict_by_itself = true;
  bool dice_by_itself = true;
  float ui_scale = 1;
  bool audience = false;
  Layers layers = {};
  PanelShares panels = {};
};

// What is toggled and chosen in the window. The match itself is in Snapshot.
struct ViewState {
  Arrangement arrangement = Arrangement::kBoth;
  bool board_found = false;  // the picture has been zoomed to the board
  bool map_active = false;   // which view the keys zoom and pan
  ViewZoom picture;
  ViewZoom map;
  bool show_grid = true;
  bool show_stands = true;
  UnitNames names = UnitNames::kWhereRoom;
  bool show_circles = true;
  bool wordless = false;   // shots without numbers, for onlookers who could not read them
  bool show_reach = true;  // of the chosen piece of a game
  bool show_log = true;
  bool show_help = false;
  bool light_theme = false;
  bool safe_colours = false;    // colour-blind safe colours instead of the armies' paints
  bool large_controls = false;  // buttons for fingers
  bool sound = false;           // a sound at every verdict
  bool speech = false;          // every verdict is spoken
  bool may_speak = false;       // a program that speaks is installed
  bool show_settings = false;
  std::optional<ViewLook> look_before;  // when the settings were opened; empty: they are closed
  float screen_scale = 1;               // what the screen says of itself
  int start_row = -1;  // of the start screen, pointed at; -1: none
  float ui_scale = 1;
  PanelShares panels = {};      // as the players dragged them
  float edge_from = 0;          // the share of the panel whose edge was grabbed, when it was
  bool full_screen = false;
  bool audience = false;        // a second window is open for onlookers
  bool may_audience = false;    // what is shown is for onlookers too
  bool quit = false;
  bool may_set_up = false;        // F10 may go to the set-up
  bool set_up = false;            // F10 was pressed
  bool may_play = false;          // F9 may open a game of what is watched
  bool play = false;              // F9 was pressed
  bool typing_elsewhere = false;  // text is typed on the set-up screen
  bool unsaved = false;           // the set-up screen holds what would be lost
  bool close_asked = false;       // the window's own cross was clicked while that was so

  GamePanelView game_panel;
  std::optional<Vec2> clicked;  // on the table, in this frame
  bool menu_asked = false;      // it was a right click or a long press
  // A unit that is dragged over the table: where it was taken, where it is, and that it was let go in
  // this frame.
  std::optional<Vec2> dragged_from;
  std::optional<Vec2> dragged_to;
  bool dropped = false;
  // What a small picture of the game shows of the window: left, top, right, bottom.
  std::array<float, 4> keepsake{};

  int selected_shot = 0;  // 0: none
  int shots_known = 0;    // later ones are new and get selected
  bool show_evidence = false;
  bool scroll_to_selected = false;
  int chosen_stand = -1;       // of the shot's stands, nearest first; -1: the first open one
  std::optional<Vec2> moving;  // the chosen shot's point while it is placed by hand
  // The shot as it would be called with its point there, kept until the point moves again.
  struct Preview {
    int shot = 0;
    Vec2 at;
    std::shared_ptr<const ShotShown> shown;
  };
  Preview preview;
  std::optional<Vec2> grip;  // from the pointer to the point while it is dragged
  // Pointing at something that fell and was not told. `moving` is its place once it is chosen.
  bool pointing = false;
  std::string projectile;  // of what is pointed at: "qtip" or "shell"

  bool verdict = false;           // the chosen shot's verdict fills the screen
  bool verdict_by_itself = true;  // and does so at every new shot
  bool dice_by_itself = true;     // the dice that the camera reads count if nobody objects
  bool verdict_waits = false;     // until the player has finished what is half typed
  double last_key_s = -1e9;       // when a key was last used, by ImGui's clock
  bool show_before = false;       // the picture from before the shot
  float verdict_zoom = 1;
  bool film_large = false;        // the film of the shot is larger than its place
  std::optional<int> slid_to;     // the picture that the recording's slider is being dragged to
  ReplayPlay replay;
  bool disputing = false;     // the reason is being typed
  int overruled_move = 0;     // the reason is for allowing that move; 0: for a dispute
  bool focus_reason = false;  // the next frame gives it the keyboard
  std::array<char, 200> reason{};
};

}  // namespace fos
