// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "calibration/camera/camera_model.h"
#include "engine/table/result.h"

namespace fos {

// Scores the watch on real recordings of hands over a board of 8 x 8 squares. Nothing is known of
// their cameras; the board is a club's, of 57 mm squares.
struct HandVideoScore {
  std::filesystem::path folder;
  std::string name;   // of the folder, below the root
  std::string error;  // why it could not be scored
  struct Frames {
    int labelled = 0;
    int told = 0;  // of them, reported as the label says
  };
  // A hand is in view, from a tenth of a second after it comes: reported as obstructed.
  Frames hands;
  // Hands are off and everything is settled: reported as clear.
  Frames settled;
  int knocks = 0;                    // camera_moved: these cameras are never touched during play
  std::vector<std::string> details;  // one line for each labelled stretch with missed frames
};

// What the watch reported for such a recording.
struct WatchedHands {
  std::vector<bool> obstructed;  // by frame
  int knocks = 0;
};
// corners  of the board in the picture, clockwise from its top left one.
using WatchHands = std::function<Result<WatchedHands>(const std::filesystem::path& video,
                                                      const std::array<ImagePoint, 4>& corners)>;

// Every folder below root with a truth.json that names a `video`, its `board_corners_px` and the
// frames of hands in `moves`, in the order of paths. Labels are accurate to two frames, so two
// frames at each end of a stretch are not scored.
std::vector<HandVideoScore> ScoreHandVideos(const std::filesystem::path& root,
                                            const WatchHands& watch);

// One line each; empty of none.
std::string HandVideoTable(const std::vector<HandVideoScore>& scores, bool details);

}  // namespace fos
