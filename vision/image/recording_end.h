// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace fos {

// How a recording's file ends, by the sizes that its container states.
enum class RecordingEnd {
  kWhole,    // every part is as long as it says
  kCut,      // a part is longer than what is there of it, or the bytes are of no part
  kUnknown,  // the container does not say: a raw stream, an unknown container
};

// Walks the parts of Matroska, MP4, QuickTime and AVI and reads their headers only. A duration or a
// frame count says less: both are estimates, off by seconds in healthy recordings.
// source  RFC 8794 (EBML) and RFC 9559 (Matroska); ISO/IEC 14496-12, 4.2 (boxes); Microsoft's RIFF;
//         ISO/IEC 13818-1, 2.4.3 (transport packets of 188 bytes).
RecordingEnd EndOfRecording(const std::filesystem::path& file);
// False for files that start as no recording does: texts, which a decoder may take for a playlist.
bool HoldsPictures(const std::filesystem::path& file);
// True for containers that count their frames: MP4, QuickTime and AVI. The others state a duration.
bool CountsItsFrames(const std::filesystem::path& file);

}  // namespace fos
