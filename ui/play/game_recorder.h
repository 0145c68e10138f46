// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/journal/journal.h"
#include "ui/play/game_controller.h"

namespace fos {

// Records a played game in the club's file, and finds an unfinished one to continue.
class GameRecorder {
 public:
  struct Wanted {
    std::filesystem::path club;
    std::filesystem::path scenario;
    std::string players;                // as SeatsFrom reads them
    std::optional<std::string> resume;  // a game of the club's file, by number or name
    bool anew = false;  // begin a new game even if one of this scenario is unfinished
    std::uint64_t seed = 0;
  };
  // Continues the newest unfinished game of the same scenario, unless `anew`.
  // errors  those of the journal and of the game's files.
  static Result<std::unique_ptr<GameRecorder>> Open(const Wanted& wanted);

  // The set-up of a controller that steps through a recorded game and writes nothing.
  // errors  those of Open; kBadFormat: the game was only watched and has no lines.
  static Result<GameController::Setup> ReplaySetup(const std::filesystem::path& club,
                                                   const std::string& game);

  // The set-up of a controller that records here; the recorder must outlive it.
  Result<GameController::Setup> Setup();
  // Its number in the club's file.
  std::int64_t Game() const { return game_; }
  // Writes the last record: the game is over.
  Status End();

 private:
  GameRecorder(Journal journal, std::int64_t game) : journal_(std::move(journal)), game_(game) {}

  Journal journal_;
  std::int64_t game_;
  std::filesystem::path scenario_;
  std::optional<GameWriter> writer_;
  bool ended_ = false;
};

}  // namespace fos
