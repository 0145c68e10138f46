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
  // Called when people changed how the window looks. May be empty.
  std::function<void(const Preferences&)> keep;
  bool exit_at_end = false;          // leave when the recording has ended
  std::filesystem::path screenshot;  // written when it is left; empty: none
  bool may_set_up = false;           // whoever opened it can go to the set-up and come back
  bool may_play = false;             // and can open it again to play what is watched by its rules
};

// How long the frames took, from the first call of a frame to the last, graphics card included.
struct WindowTimes {
  std::size_t frames = 0;
  double median_ms = 0;
  double p99_ms = 0;
  // Of those alone that had something new to show.
  std::size_t new_frames = 0;
  double new_median_ms = 0;
  double new_p99_ms = 0;
};

// What draws, as OpenGL names it.
struct GraphicsCard {
  std::string renderer;
  std::string version;
};
// Asked through a window that is never shown.
// errors  kUnsupported where there is no display or no OpenGL 3.
Result<GraphicsCard> AskGraphicsCard();

// The referee's window: GLFW, OpenGL 3 and Dear ImGui. Draws and asks; it decides nothing.
class Window {
 public:
  // errors  kUnsupported where there is no display or no OpenGL 3.
  static Result<std::unique_ptr<Window>> Open(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Until it is closed. `now` is asked once a frame and must not wait.
  // errors  kIo when the screenshot cannot be written.
  // controller  the game that is played under the rules; nullptr: none.
  Status Run(const std::function<std::shared_ptr<const Snapshot>()>& now, DecisionSink& words,
             GameController* controller = nullptr);
  // The same with a screen of its own in the match's place, drawn by `draw` once a frame.
  using ScreenFn =
      std::function<void(const Theme&, const Snapshot&, const ScreenPictures&, ViewState&)>;
  Status Show(const std::function<std::shared_ptr<const Snapshot>()>& now, const ScreenFn& draw);
  // Shows what may be opened until people choose one; empty when they leave instead.
  std::optional<std::size_t> Choose(const std::vector<StartLine>& lines);
  // Ends Run after the frame it is in.
  void Close();
  // There is something new to show: from any thread.
  static void Wake();
  WindowTimes Times() const;
  // Was the set-up asked for? Only where WindowOptions::may_set_up let people ask.
  bool WantsSetup() const;
  // Was the game asked for? Only where WindowOptions::may_play let people ask.
  bool WantsPlay() const;

 private:
  struct Impl;
  explicit Window(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
