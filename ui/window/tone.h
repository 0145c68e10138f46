// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/decision.h"

namespace fos {

// One note of a tone.
struct Note {
  double hertz = 0;
  double seconds = 0;
};
// The sound of a verdict: a hit rises, a miss is one low note, too close is two equal notes.
std::vector<Note> ToneOf(Call call);
// The notes as a RIFF WAVE file, mono, 16 bits at 22050 Hz, each note fading out.
std::string WaveFile(const std::vector<Note>& notes);
// The path of the first of these programs that is in a folder of `path` (a $PATH); empty: none is.
std::string FindProgram(const std::vector<std::string>& names, std::string_view path);
// The first program in `path` (a $PATH) that can play such a file, with its arguments; the file's
// name goes behind them. Empty when there is none.
std::vector<std::string> FindPlayer(std::string_view path);

}  // namespace fos
