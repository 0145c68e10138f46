// SPDX-License-Identifier: MIT
#include "ui/window/tone.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace fos {
namespace {

constexpr int kRate_hz = 22050;

void Put(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

}  // namespace

std::vector<Note> ToneOf(Call call) {
  // A, C sharp and E of the middle octaves: a major chord carries over a room full of talk.
  switch (call) {
    case Call::kHit:
      return {{554.37, 0.12}, {880.0, 0.25}};
    case Call::kMiss:
      return {{329.63, 0.25}};
    case Call::kTooClose:
      return {{554.37, 0.12}, {554.37, 0.25}};
  }
  return {};
}

std::string WaveFile(const std::vector<Note>& notes) {
  std::string samples;
  for (const Note& note : notes) {
    const auto count = static_cast<int>(note.seconds * kRate_hz);
    for (int i = 0; i < count; ++i) {
      const double t = static_cast<double>(i) / kRate_hz;
      const double fade = std::exp(-6 * t / std::max(note.seconds, 1e-3));
      const double rise = std::min(1.0, t / 0.005);  // without it the note begins with a click
      const double wave = std::sin(2 * std::numbers::pi * note.hertz * t);
      const auto level = static_cast<std::int16_t>(std::lround(20000 * rise * fade * wave));
      Put(samples, static_cast<std::uint16_t>(level), 2);
    }
  }
  const auto size = static_cast<std::uint32_t>(samples.size());
  std::string out = "RIFF";
  Put(out, 36 + size, 4);
  out += "WAVEfmt ";
  Put(out, 16, 4);
  Put(out, 1, 2);  // PCM
  Put(out, 1, 2);  // mono
  Put(out, kRate_hz, 4);
  Put(out, 2 * kRate_hz, 4);
  Put(out, 2, 2);
  Put(out, 16, 2);
  out += "data";
  Put(out, size, 4);
  return out + samples;
}

std::string FindProgram(const std::vector<std::string>& names, std::string_view path) {
  for (const std::string& name : names) {
    for (std::size_t from = 0; from <= path.size();) {
      const std::size_t to = std::min(path.find(':', from), path.size());
      const std::string_view folder = path.substr(from, to - from);
      from = to + 1;
      if (folder.empty()) continue;
      std::string out = (std::filesystem::path(folder) / name).string();
      if (access(out.c_str(), X_OK) == 0) return out;
    }
  }
  return {};
}

std::vector<std::string> FindPlayer(std::string_view path) {
  // PipeWire's, PulseAudio's, ALSA's, and the one of the sound theme library.
  const std::vector<std::vector<std::string>> players = {
      {"pw-play"}, {"paplay"}, {"aplay", "-q"}, {"canberra-gtk-play", "-f"}};
  for (std::vector<std::string> player : players) {
    player[0] = FindProgram({player[0]}, path);
    if (!player[0].empty()) return player;
  }
  return {};
}

}  // namespace fos
