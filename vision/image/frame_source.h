// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/table/result.h"
#include "vision/image/frame.h"

namespace fos {

// Where pictures come from: one at a time, in order, until the end.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  // The next picture; empty at the end.
  // errors  kIo when the recording is cut off: no more pictures, but its file is not whole;
  //         kBadFormat for a picture that cannot be decoded or is of another size than the first.
  //         The pictures before it are good.
  virtual Result<std::optional<Frame>> Next() = 0;
  virtual cv::Size Size() const = 0;
  virtual double FramesPerSecond() const = 0;
  // How many there will be; empty for a live camera or a file that does not say.
  virtual std::optional<int> FrameCount() const = 0;
};

// A phone stores its pictures as the sensor sees them, beside a flag that says how to turn them.
// Lenses are calibrated without that turn, as the sensor sees too.
enum class Turn { kAsStored, kAsFlagged };

// errors of all three: kNotFound, kBadFormat, with the file or device and the mend.
Result<std::unique_ptr<FrameSource>> OpenVideo(const std::filesystem::path& file,
                                               Turn turn = Turn::kAsStored);
// 000000.png, 000001.png, ...; `fps` is what to count time by, since pictures do not say.
Result<std::unique_ptr<FrameSource>> OpenPictureFolder(const std::filesystem::path& folder,
                                                       double fps);
// "0" and the like are device numbers; everything else is a file or a URL.
Result<std::unique_ptr<FrameSource>> OpenCameraOrUrl(const std::string& source);

// The recording in a clip's folder: video.mkv, or else `video` with the ending of another container
// that phones, webcams and OBS write, in small or capital letters. Empty when there is none.
std::filesystem::path RecordingIn(const std::filesystem::path& folder);

// The same source, decoded ahead on a thread of its own, `depth` pictures at most.
std::unique_ptr<FrameSource> Prefetched(std::unique_ptr<FrameSource> source, int depth = 2);

// Wall seconds it takes to decode a clip's pictures and do nothing else; empty when none decode.
std::optional<double> DecodeSeconds(const std::filesystem::path& clip);

}  // namespace fos
