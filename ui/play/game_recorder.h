#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/journal/journal.h"
#include "ui/play/game_controller.h"

namespace fos {

// A game at the controller in the club's file: found again where it was broken off, written as it
// goes on.
class GameRecorder {
 public:
  struct Wanted {
    std::filesystem::path club;
    std::filesystem::path scenario;
    std::string players;                // as SeatsFrom reads them
    std::optional<std::string> resume;  // a game of the club's file, by number or name
    bool anew = false;                  // begins again although one of this scenario was broken off
    std::uint64_t seed = 0;
  };
  // The newest game of the same scenario that has not ended is gone on with, unless `anew`.
  // errors  those of the journal and of the game's files.
  static Result<std::unique_ptr<GameRecorder>> Open(const Wanted& wanted);

  // How to set a controller up that steps through a kept game and writes nothing.
  // errors  as Open's; kBadFormat: the game was watched only and has no lines.
  static Result<GameController::Setup> ReplaySetup(const std::filesystem::path& club,
                                                   const std::string& game);

  // How to set the controller up; the log must outlive it.
  Result<GameController::Setup> Setup();
  // The last record: the game is over.
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
