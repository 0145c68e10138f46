// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>

#include "datasets/score/score_hands.h"

namespace fos {

// Runs a recording of a chess board through the pipeline. The only thing known of its camera is
// where the board's corners are in its first picture, clockwise from the top left one. Lost
// calibration is not watched for.
// errors  those of the video, of the corners as clicks and of the pipeline; kNotFound when the board
//         was never found.
Result<WatchedHands> WatchHandVideo(const std::filesystem::path& video,
                                    const std::array<ImagePoint, 4>& corners);

}  // namespace fos
