// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "engine/table/result.h"
#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

struct GLFWwindow;

namespace fos {

// A second window for onlookers: it fills the second screen where there is one. Takes no input.
// Beside the players' window, on the same thread.
class AudienceWindow {
 public:
  // players  the players' window, which stays current.
  // errors   kUnsupported where no second window can be opened.
  static Result<std::unique_ptr<AudienceWindow>> Open(GLFWwindow* players, int width, int height);
  ~AudienceWindow();
  AudienceWindow(const AudienceWindow&) = delete;
  AudienceWindow& operator=(const AudienceWindow&) = delete;

  // Draws what has changed, a few times a second at most. The players' window is current afterwards.
  // game  nullptr: none is played.
  void Draw(const Theme& look, const Snapshot& shown, const ViewState& view, const GameShown* game);
  // Draws the whole window and writes it as a PNG. errors  kIo
  Status Photograph(const Theme& look, const Snapshot& shown, const ViewState& view,
                    const GameShown* game, const std::filesystem::path& file);
  // Its cross was clicked.
  bool Closed() const;

 private:
  struct Impl;
  explicit AudienceWindow(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
