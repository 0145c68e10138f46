// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/table/result.h"
#include "ui/play/game_controller.h"
#include "ui/session/player_decision.h"
#include "ui/session/snapshot.h"
#include "ui/window/preferences.h"
#include "ui/window/screen.h"
#include "ui/window/start_panel.h"

namespace fos {

struct WindowOptions {
  int width = 1280;
  int height = 720;
  Preferences look;
  // Called when the player changed the settings. May be empty.
  std::function<void(const Preferences&)> keep;
  bool exit_at_end = false;          // close when the recording has ended
  // Written when the window closes, that of the audience beside it with "_audience"; empty: none.
  std::filesystem::path screenshot;
  // Written when the window closes: what it showed of the table, small and without dialogs. Empty:
  // none.
  std::filesystem::path keepsake;
  bool audience = false;             // opens a second window for onlookers, whatever `look` says
  bool may_audience = false;         // what is shown is for onlookers too
  bool may_set_up = false;           // the caller can go to the set-up and come back
  bool may_play = false;             // the caller can open a game of what is watched
  // What does the same where there is no display: "use `fallofshot judge`, which needs none".
  // Empty: nothing does.
  std::string without_display;
};

// How long the frames took, graphics card included.
struct WindowTimes {
  std::size_t frames = 0;
  double median_ms = 0;
  double p99_ms = 0;
  // Of the frames that had something new to show.
  std::size_t new_frames = 0;
  double new_median_ms = 0;
  double new_p99_ms = 0;
};

// The graphics card, as OpenGL names it.
struct GraphicsCard {
  std::string renderer;
  std::string version;
};
// Asks OpenGL through a window that is never shown.
// errors  kUnsupported where there is no display or no OpenGL 3.
Result<GraphicsCard> AskGraphicsCard();

// What the window is drawn with, and the versions: "Dear ImGui 1.86", "GLFW 3.3.8".
std::vector<std::string> WindowLibraries();

// The referee's window: GLFW, OpenGL 3 and Dear ImGui. Draws and asks; it decides nothing.
class Window {
 public:
  // errors  kUnsupported where there is no display or no OpenGL 3.
  static Result<std::unique_ptr<Window>> Open(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Runs until the window is closed.
  // now         called once a frame; must not wait.
  // controller  the game that is played by the rules; nullptr: none.
  // errors      kIo when the screenshot cannot be written.
  Status Run(const std::function<std::shared_ptr<const Snapshot>()>& now, DecisionSink& words,
             GameController* controller = nullptr);
  // The same with another screen instead of the match: `draw` is called once a frame.
  using ScreenFn =
      std::function<void(const Theme&, const Snapshot&, const ScreenPictures&, ViewState&)>;
  Status Show(const std::function<std::shared_ptr<const Snapshot>()>& now, const ScreenFn& draw);
  // Shows the start screen. Returns the chosen line; empty when the player leaves.
  // notice  as in DrawStart.
  std::optional<std::size_t> Choose(const std::vector<StartChoice>& lines,
                                    const std::string& notice = {});
  // Ends Run after the current frame.
  void Close();
  // Wakes the window because there is something new to show. From any thread.
  static void Wake();
  WindowTimes Times() const;
  // Whether the player asked for the set-up; only with WindowOptions::may_set_up.
  bool WantsSetup() const;
  // Whether the player asked for the game; only with WindowOptions::may_play.
  bool WantsPlay() const;

 private:
  struct Impl;
  explicit Window(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
