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
// What a verdict sounds like: a hit rises, a miss is one low note, too close to call is two alike.
std::vector<Note> ToneOf(Call call);
// The notes as a RIFF WAVE file, mono, 16 bits at 22050 Hz, each note fading out.
std::string WaveFile(const std::vector<Note>& notes);
// The first program in `path` (as $PATH has it) that can play such a file, ready to have the file's
// name appended; empty when there is none. Sound is a comfort: nothing depends on it.
std::vector<std::string> FindPlayer(std::string_view path);

}  // namespace fos
